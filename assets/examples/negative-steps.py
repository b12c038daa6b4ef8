# en: Negative steps: NumPy yes, PyTorch no
# en: In NumPy a[::-1] is a view that walks backwards through the same memory. PyTorch has no negative strides: the step is an error, and flip copies.
# zh: 负步长：NumPy 可以，PyTorch 不行
# zh: 在 NumPy 中，a[::-1] 是在同一块内存里倒着走的视图。PyTorch 没有负步长：这样的步长是错误，而 flip 会复制。
# topic: part 2
import numpy as np
import torch

m = np.arange(12).reshape(3, 4)  # -> new (3, 4):(32, 8)+0
a = m[::-1, ::2]  # -> view (3, 2):(-32, 16)+64
a[0, 1] = 99  # -> write m, a
x = torch.arange(12).view(3, 4)  # -> new (3, 4):(4, 1)+0
y = x[::-1]  # -> ValueError
f = torch.flip(x, [0])  # -> copy (3, 4):(4, 1)+0
