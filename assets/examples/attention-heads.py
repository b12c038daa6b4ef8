# Attention heads: why transpose before merging them
# 注意力头：为什么合并之前要先 transpose
import torch

q = torch.arange(2*6*8).view(2, 6, 2, 4).transpose(1, 2)   # batch, head, token, feature
q.view(2, 6, 8)                                            # heads and features are not neighbours in memory
out = q.transpose(1, 2).reshape(2, 6, 8)                   # moved back they are: a view
