# en: One memory, many views
# en: Twelve numbers can be read as (4, 3), (2, 2, 3) or (3, 2, 2), and all of these look at the same memory. A write through one shows in all.
# zh: 一块内存，多个视图
# zh: 十二个数可以读作 (4, 3)、(2, 2, 3) 或 (3, 2, 2)，看的都是同一块内存。从其中一个写入，全都能看到。
# topic: basics 4
import torch

x = torch.arange(1, 13)  # -> new (12,):(1,)+0
a = x.view(2, 2, 3)  # -> view (2, 2, 3):(6, 3, 1)+0
b = x.view(3, 2, 2)  # -> view (3, 2, 2):(4, 2, 1)+0
c = x.view(4, 3)  # -> view (4, 3):(3, 1)+0
x[0] = 100  # -> write x, a, b, c
c[-1, -1] = 1000  # -> write x, a, b, c
d = x.reshape(4, 3)  # -> view (4, 3):(3, 1)+0
d[0, 0] = 7  # -> write x, a, b, c, d
