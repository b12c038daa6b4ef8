# en: One line that fails: permute, then view(-1)
# en: The values do not matter: shape and strides alone decide that view(-1) cannot be had after permute(0, 2, 1). Compare the strides before and after.
# zh: 一行失败的代码：permute 之后 view(-1)
# zh: 值无关紧要：仅凭形状和步长就能断定，permute(0, 2, 1) 之后得不到 view(-1)。请比较前后的步长。
# topic: view 8
import torch

x = torch.randn(2, 3, 2)  # -> new (2, 3, 2):(6, 2, 1)+0
x.permute(0, 2, 1).view(-1)  # -> RuntimeError
x.permute(0, 2, 1).reshape(-1)  # -> copy (12,):(1,)+0
x.shape  # -> torch.Size([2, 3, 2])
x.stride()  # -> (6, 2, 1)
