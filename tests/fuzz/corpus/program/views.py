import torch
x = torch.arange(24).view(2, 3, 4)
y = x.permute(2, 0, 1)
z = y.view(6, 4)
z = y.reshape(6, 4)
w = x.unfold(1, 2, 1).diagonal(0, 1, 3)
v = torch.as_strided(x, (3, 3), (1, 1), 2)
v[0] = 7
