# en: “contiguous() makes the strides match the shape”
# en: Where the tensor is contiguous already it returns the tensor itself, odd stride and all. view, in contrast, computes all strides anew.
# zh: “contiguous() 会让步长与形状一致”
# zh: 如果张量已经连续，它就返回张量本身，怪步长也照旧。view 则会重新计算所有步长。
# topic: myth 19
import torch

x = torch.arange(50).as_strided((2, 1, 3), (3, 40, 1))  # -> new (2, 1, 3):(3, 40, 1)+0
y = x.contiguous()  # -> same (2, 1, 3):(3, 40, 1)+0
y is x  # -> True
y.stride()  # -> (3, 40, 1)
z = x.view(2, 1, 3)  # -> view (2, 1, 3):(3, 3, 1)+0
z.stride()  # -> (3, 3, 1)
