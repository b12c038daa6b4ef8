# Negative steps walk backwards through the same memory
# 负步长：在同一块内存里倒着走
import numpy as np

m = np.arange(12).reshape(3, 4)
a = m[::-1, ::2]            # strides in bytes: (-32, 16)
a[0, 1] = 99                # still the memory of m
