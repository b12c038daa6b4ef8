# A small slice keeps the whole storage alive
# 小小的切片仍占着整块存储
import torch

big = torch.arange(40).view(5, 8)
s = big[1:5:2, 1:7:2]       # 6 elements of a storage of 40
own = s.clone()             # 6 elements of a storage of 6
