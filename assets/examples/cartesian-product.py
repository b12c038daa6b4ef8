# en: “cartesian_prod gives shape (2, 6)”
# en: It gives six rows of two, with strides (2, 1); seen as (2, 6) the strides are (6, 1). Count before you reshape.
# zh: “cartesian_prod 的形状是 (2, 6)”
# zh: 它给出六行，每行两个，步长 (2, 1)；看作 (2, 6) 时步长是 (6, 1)。重塑之前先数一数。
# topic: myth 17
import torch

xy = torch.cartesian_prod(torch.arange(3), torch.arange(2))  # -> copy (6, 2):(2, 1)+0
xy.shape  # -> torch.Size([6, 2])
xy.stride()  # -> (2, 1)
v = xy.view(2, 6)  # -> view (2, 6):(6, 1)+0
v.stride()  # -> (6, 1)
xy.t().is_contiguous()  # -> False
xy.t().stride()  # -> (1, 2)
xy.storage()  # -> storage
