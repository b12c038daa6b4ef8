# en: “A C-contiguous array's strides follow from its shape”
# en: They do not where a size is 0 or 1: an array that is made empty shows 0 everywhere, None inserts a stride of 0, a slice of one row keeps its long step. All of them are C-contiguous.
# zh: “C 连续数组的步长由形状决定”
# zh: 有大小为 0 或 1 时并非如此：新建的空数组处处显示 0，None 插入步长 0，只剩一行的切片保留长步。它们全都是 C 连续的。
# topic: myth 23
import numpy as np

a = np.zeros((0, 3))  # -> new (0, 3):(0, 0)+0
a.strides  # -> (0, 0)
a.flags.c_contiguous  # -> True
b = np.arange(6).reshape(2, 3)[:, None]  # -> new (2, 1, 3):(24, 0, 8)+0
b.strides  # -> (24, 0, 8)
b.flags.c_contiguous  # -> True
c = np.arange(12).reshape(3, 4)[::3]  # -> new (1, 4):(96, 8)+0
c.strides  # -> (96, 8)
c.flags.c_contiguous  # -> True
d = np.arange(12).reshape(3, 4)[:1]  # -> new (1, 4):(32, 8)+0
d.flags.c_contiguous  # -> True
