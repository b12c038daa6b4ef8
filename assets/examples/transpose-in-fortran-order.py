# en: Why is a transpose not contiguous?
# en: A transpose only exchanges two strides, so its columns, not its rows, lie in one piece. That is Fortran order, contiguous in its own way, and NumPy has a flag for each.
# zh: 为什么转置不连续？
# zh: 转置只交换两个步长，因此成块相连的是列而不是行。这就是 Fortran 次序，也是一种连续，NumPy 对两者各有一个标志。
# topic: axes 2
import numpy as np

a = np.arange(6).reshape(2, 3)  # -> new (2, 3):(24, 8)+0
t = a.T  # -> view (3, 2):(8, 24)+0
t.flags.c_contiguous  # -> False
t.flags.f_contiguous  # -> True
# en: Reading down the columns is one straight walk.
# zh: 沿列读取就是一条直路。
k = t.ravel(order='K')  # -> view (6,):(8,)+0
c = t.ravel()  # -> copy (6,):(8,)+0
