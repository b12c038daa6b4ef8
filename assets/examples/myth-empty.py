# en: “These strides are wrong, so it is not contiguous”
# en: A tensor without elements is contiguous, whatever its strides say: there is nothing to read. NumPy even shows strides of 0 for one that is made so.
# zh: “步长不对，所以不连续”
# zh: 没有元素的张量总是连续的，不管步长是多少：没有什么可读。NumPy 甚至给新建的空数组显示步长 0。
# topic: myth 3
import torch
import numpy as np

y = torch.zeros(0, 3).t()  # -> new (3, 0):(1, 3)+0
y.stride()  # -> (1, 3)
y.is_contiguous()  # -> True
z = np.zeros((0, 3))  # -> new (0, 3):(0, 0)+0
z.strides  # -> (0, 0)
z.T.flags.c_contiguous  # -> True
z.T.flags.f_contiguous  # -> True
