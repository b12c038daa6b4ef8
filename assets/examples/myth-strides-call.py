# en: “NumPy has strides()”
# en: strides is an attribute, so calling it calls a tuple. It counts bytes: the item size times the stride that PyTorch would show.
# zh: “NumPy 有 strides()”
# zh: strides 是属性，调用它就是在调用一个元组。它以字节计：元素大小乘以 PyTorch 会显示的步长。
# topic: myth 22
import numpy as np

x = np.arange(12).reshape(6, 2)  # -> new (6, 2):(16, 8)+0
x.strides  # -> (16, 8)
x.strides()  # -> TypeError
y = np.arange(12).reshape(3, 4)  # -> new (3, 4):(32, 8)+0
y.strides  # -> (32, 8)
y.itemsize  # -> 8
z = y.T  # -> view (4, 3):(8, 32)+0
z.flags.c_contiguous  # -> False
z.flags.f_contiguous  # -> True
