import torch
x = torch.arange(1000).as_strided((50, 50, 50), (7, 3, 1))
y = x.contiguous()
y[::7, ::5].sum()
z = x.unfold(2, 3, 1).is_contiguous()
x[0, 0, 0] = 5
