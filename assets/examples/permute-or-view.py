# en: permute or view: do they not do the same?
# en: Both give the shape (3, 2) without a copy, yet the elements stand in other places. permute exchanges the axes, view cuts the same row of numbers into other lengths.
# zh: permute 与 view：不是一回事吗？
# zh: 两者都不复制就得到形状 (3, 2)，元素的位置却不同。permute 交换各轴，view 则把同一串数切成另外的长度。
# topic: view 4
import torch

x = torch.arange(6).view(2, 3)  # -> new (2, 3):(3, 1)+0
p = x.permute(1, 0)  # -> view (3, 2):(1, 3)+0
v = x.view(3, 2)  # -> view (3, 2):(2, 1)+0
p[0, 1]  # -> view ():()+3
v[0, 1]  # -> view ():()+1
p == v  # -> new (3, 2):(1, 3)+0
