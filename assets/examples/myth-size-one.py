# en: “Contiguous means strides (3, 1) and nothing else”
# en: A dimension of size 1 is skipped by the test, whatever stride it has. So even a transposed tensor can be contiguous.
# zh: “连续就只能是步长 (3, 1)”
# zh: 判断时会跳过大小为 1 的维度，不管它的步长是多少。所以就连转置过的张量也可能连续。
# topic: myth 2
import torch
import numpy as np

y = torch.arange(6).view(2, 3, 1).transpose(1, 2)  # -> new (2, 1, 3):(3, 1, 1)+0
y.stride()  # -> (3, 1, 1)
y.is_contiguous()  # -> True
y.view(-1)  # -> view (6,):(1,)+0
# en: Nor need the last stride be 1, where the last size is.
# zh: 最后一个大小为 1 时，最后的步长也不必是 1。
c = torch.arange(3).as_strided((3, 1), (1, 7))  # -> new (3, 1):(1, 7)+0
c.is_contiguous()  # -> True
b = torch.arange(6).view(2, 3)[:, :1][:1]  # -> new (1, 1):(3, 1)+0
b.stride()  # -> (3, 1)
b.is_contiguous()  # -> True
a = np.arange(6).reshape(2, 3, 1).transpose(0, 2, 1)  # -> new (2, 1, 3):(24, 8, 8)+0
a.strides  # -> (24, 8, 8)
a.flags.c_contiguous  # -> True
