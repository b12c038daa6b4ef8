# What contiguous() does
# contiguous() 做了什么
import torch

x = torch.arange(6).view(2, 3)
x.is_contiguous()
t = x.t()
t.is_contiguous()
c = t.contiguous()          # the same numbers, laid out in reading order
c is c.contiguous()         # nothing left to do: the very same object
