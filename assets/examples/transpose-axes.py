# en: How does transpose((1, 0, 2)) move the axes?
# en: The tuple says for each new axis which old one it was: new axis k is old axis axes[k]. Its size and its stride come along, and no element moves.
# zh: transpose((1, 0, 2)) 如何移动各轴？
# zh: 元组对每个新轴说明它原来是哪一个：新轴 k 就是旧轴 axes[k]。大小和步长随之而来，元素不动。
# topic: axes 1
import numpy as np

a = np.arange(24).reshape(2, 3, 4)  # -> new (2, 3, 4):(96, 32, 8)+0
b = a.transpose((1, 0, 2))  # -> view (3, 2, 4):(32, 96, 8)+0
b.shape  # -> (3, 2, 4)
b[2, 1, 3] == a[1, 2, 3]  # -> np.True_
c = a.transpose((2, 0, 1))  # -> view (4, 2, 3):(8, 96, 32)+0
c.shape  # -> (4, 2, 3)
c[3, 1, 2] == a[1, 2, 3]  # -> np.True_
