# en: “Tensors made by meshgrid are not contiguous”
# en: Each has a stride of 0, and that breaks contiguity only where the size is more than 1. With a single column the first grid is contiguous, the second is not.
# zh: “meshgrid 得到的张量不连续”
# zh: 每个网格都有一个步长 0，只有当那一维大于 1 时才不连续。只有一列时，第一个网格连续，第二个不连续。
# topic: myth 18
import torch

y, x = torch.meshgrid(torch.arange(3), torch.arange(1))  # -> view (tensor (3, 1):(1, 1)+0, tensor (3, 1):(0, 1)+0)
y.is_contiguous()  # -> True
x.is_contiguous()  # -> False
q, = torch.meshgrid(torch.arange(4))  # -> view (tensor (4,):(1,)+0,)
q.is_contiguous()  # -> True
