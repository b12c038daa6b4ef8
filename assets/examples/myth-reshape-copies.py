# en: “reshape copies whatever is not contiguous”
# en: reshape asks whether the new sizes can be read in place, not whether the tensor is contiguous. So it is not the same as contiguous().view().
# zh: “凡是不连续的，reshape 都会复制”
# zh: reshape 问的是能否就地按新的大小读取，而不是张量是否连续。所以它与 contiguous().view() 不是一回事。
# topic: myth 6
import torch

x = torch.arange(12).view(3, 4).t()  # -> new (4, 3):(1, 4)+0
x.is_contiguous()  # -> False
y = x.reshape(2, 2, 3)  # -> view (2, 2, 3):(2, 1, 4)+0
z = x.contiguous().view(2, 2, 3)  # -> copy (2, 2, 3):(6, 3, 1)+0
y.data_ptr() == x.data_ptr()  # -> True
z.data_ptr() == x.data_ptr()  # -> False
y[0, 0, 0] = 99  # -> write x, y
x[0, 0].item()  # -> 99
# en: Here it must copy indeed, and the write stays with it.
# zh: 这里确实必须复制，写入也只留在副本里。
t = torch.arange(1, 13).view(6, 2).transpose(0, 1)  # -> new (2, 6):(1, 2)+0
r = t.reshape(4, 3)  # -> copy (4, 3):(3, 1)+0
r[0, 0] = 100  # -> write r
