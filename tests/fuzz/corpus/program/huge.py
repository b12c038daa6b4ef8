import torch
x = torch.arange(10**12).view(10**4, 10**4, 10**4)
y = x.permute(2, 0, 1)[::3, 1:].contiguous()
z = y.expand(10**4, -1, -1) if y.dim() == 2 else y
w = (x + y).sum()
v = x.repeat(1000, 1000, 1)
u = torch.cat([x, x])
t = x[:, 5] * 2 > 7
