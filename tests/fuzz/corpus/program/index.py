import torch
x = torch.arange(60).view(3, 4, 5)
a = x[1, ..., ::2]
b = x[[0, 2], :, [1, 1]]
c = x[x > 30]
x[:, None, 1:3] = -1
x[torch.tensor([0, 1])] += 2
d = x[True, 5]
