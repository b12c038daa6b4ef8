# A view of a tensor that is not contiguous
# 不连续的张量也可以 view
import torch

z = torch.arange(12).reshape(3, 4)
z_t = z.t()                 # (4, 3) with strides (1, 4): not contiguous
v = z_t.view(2, 2, 3)       # splitting a dimension never needs a copy
z_t.view(12)                # merging these two does
