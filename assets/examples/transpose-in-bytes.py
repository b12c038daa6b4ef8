# NumPy counts strides in bytes
# NumPy 的步长以字节计
import numpy as np

a = np.arange(24).reshape(2, 3, 4)
a.strides
b = a.transpose(1, 0, 2)
b.strides
c = b.reshape(6, 4)         # the rows no longer follow each other: a copy
