# en: NumPy counts strides in bytes, PyTorch in elements
# en: One step along the last axis is 8 in NumPy and 1 in PyTorch, for an int64 of eight bytes. Divided by the item size they are the same recipe.
# zh: NumPy 的步长以字节计，PyTorch 以元素计
# zh: 沿最后一轴走一步，对八字节的 int64，NumPy 记 8，PyTorch 记 1。除以元素大小，就是同一份配方。
# topic: numpy 1
import numpy as np
import torch

a = np.arange(24).reshape(2, 3, 4)  # -> new (2, 3, 4):(96, 32, 8)+0
a.strides  # -> (96, 32, 8)
x = torch.arange(24).view(2, 3, 4)  # -> new (2, 3, 4):(12, 4, 1)+0
x.stride()  # -> (12, 4, 1)
b = a.transpose(1, 0, 2)  # -> view (3, 2, 4):(32, 96, 8)+0
c = b.reshape(6, 4)  # -> copy (6, 4):(32, 8)+0
