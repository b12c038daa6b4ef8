# One cell, many elements: writing through expand
# 一个单元，多个元素：通过 expand 写入
import torch

x = torch.arange(3).view(3, 1)
y = x.expand(3, 4)          # stride 0: each row reads one cell four times
y[1, 2] = 9                 # changes the whole row, and x
