import torch
x = [torch.arange(i + 1) for i in range(20)]
y = torch.stack([t.sum() for t in x])
a, *b = x
z = {1: 2}
for t in x: t += 1
print([t.shape for t in x], max(y), sorted([3, 1]))
