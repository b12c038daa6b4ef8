import torch
x = torch.zeros(3, 4)
r = x.expand(2, 3, 4)
r.add_(1)
x.t_()
x.resize_(20)
x[::2].copy_(torch.arange(2))
x.unsqueeze_(0).squeeze_()
y = x.view(torch.int32)
y.fill_(1)
x *= x
