# Windows that overlap: as_strided
# 互相重叠的窗口：as_strided
import torch

x = torch.arange(8)
w = x.as_strided((5, 4), (1, 1))   # each row starts one cell later
w[2, 1] = -1                       # one write, seen in four rows
