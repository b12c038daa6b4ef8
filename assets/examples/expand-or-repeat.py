# en: expand or repeat: what does it cost in memory?
# en: expand sets a stride to 0, so every row reads the same cell and nothing is stored anew. repeat writes all the elements out.
# zh: expand 还是 repeat：要多少内存？
# zh: expand 把步长设为 0，每一行都读同一个单元，不另存任何东西。repeat 则把所有元素都写出来。
# topic: repeat 2
import torch

x = torch.arange(3).view(3, 1)  # -> new (3, 1):(1, 1)+0
e = x.expand(3, 4)  # -> view (3, 4):(1, 0)+0
e.storage().size()  # -> 3
r = x.repeat(1, 4)  # -> copy (3, 4):(4, 1)+0
r.storage().size()  # -> 12
e == r  # -> new (3, 4):(4, 1)+0
