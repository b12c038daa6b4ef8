# en: order='F' is an order of indices, not of memory
# en: reshape with order='F' reads and places the elements with the first index running fastest, wherever they lie. It is about which element goes where; whether that needs a copy is another question.
# zh: order='F' 说的是下标次序，不是内存次序
# zh: 带 order='F' 的 reshape 让第一个下标变化最快来读取和放置元素，不管它们在内存何处。它说的是哪个元素去哪里；要不要复制是另一回事。
# topic: numpy 2
import numpy as np

a = np.arange(6).reshape(2, 3)  # -> new (2, 3):(24, 8)+0
# en: Read down the columns: 0 3 1 4 2 5, and placed down the columns.
# zh: 沿列读：0 3 1 4 2 5，再沿列放。
b = a.reshape((3, 2), order='F')  # -> copy (3, 2):(8, 24)+0
# en: The same values in Fortran memory: indices decide, so the result is equal.
# zh: 同样的值放在 Fortran 次序的内存里：由下标决定，结果相等。
g = np.asfortranarray(a)  # -> copy (2, 3):(8, 16)+0
h = g.reshape((3, 2), order='F')  # -> view (3, 2):(8, 24)+0
b == h  # -> new (3, 2):(1, 3)+0
g.ravel()  # -> copy (6,):(8,)+0
g.ravel(order='K')  # -> view (6,):(8,)+0
