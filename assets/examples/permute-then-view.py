# Why does .view() fail after .permute()?
# 为什么 permute 之后不能 view？
import torch

x = torch.randn(2, 3, 2)
x.permute(0, 2, 1).view(-1)          # one stride would have to read 0 2 4 1 3 5 ..: there is none
x.permute(0, 2, 1).reshape(-1)       # so reshape copies into a new storage
