# en: view or reshape: when does reshape copy?
# en: reshape gives a view wherever one stride per new dimension can read the elements, and copies only where none can. A write shows which of the two it was.
# zh: view 还是 reshape：reshape 何时复制？
# zh: 只要每个新维度都能用一个步长读出元素，reshape 就给出视图，否则才复制。写入一次，就能看出是哪一种。
# topic: view 2
import torch

x = torch.arange(12).view(3, 4)  # -> new (3, 4):(4, 1)+0
a = x.reshape(2, 6)  # -> view (2, 6):(6, 1)+0
t = x.t()  # -> view (4, 3):(1, 4)+0
# en: Splitting a dimension never needs a copy.
# zh: 拆分一个维度从不需要复制。
b = t.reshape(2, 2, 3)  # -> view (2, 2, 3):(2, 1, 4)+0
# en: Here two dimensions that are not neighbours in memory would have to join.
# zh: 这里要合并两个在内存中并不相接的维度。
c = t.reshape(2, 6)  # -> copy (2, 6):(6, 1)+0
b[0, 0, 0] = 99  # -> write x, a, t, b
c[0, 1] = -1  # -> write c
