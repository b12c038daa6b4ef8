# A trillion elements, seen at once
# 一万亿个元素，一眼看清
import torch

x = torch.arange(10**12).view(10**4, 10**4, 10**4)
y = x.permute(2, 0, 1)      # three numbers change places
