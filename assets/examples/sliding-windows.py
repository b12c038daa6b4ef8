# en: Sliding windows with as_strided
# en: Two dimensions with the same stride read overlapping windows of one line, and one write shows in several of them. as_strided trusts your numbers, except where they reach out of the storage.
# zh: 用 as_strided 做滑动窗口
# zh: 两个维度用同样的步长，就能读出一串数上互相重叠的窗口，写一次会出现在多个窗口里。as_strided 相信您给的数，除非它们超出存储。
# topic: part 3
import torch

x = torch.arange(8)  # -> new (8,):(1,)+0
w = x.as_strided((5, 4), (1, 1))  # -> view (5, 4):(1, 1)+0
w[2, 1] = -1  # -> write x, w
u = x.unfold(0, 4, 1)  # -> view (5, 4):(1, 1)+0
x.as_strided((6, 4), (1, 1))  # -> RuntimeError
