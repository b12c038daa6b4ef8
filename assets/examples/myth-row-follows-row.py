# en: “Contiguous if every stride is the next size times the next stride”
# en: That only says that the rows follow each other evenly, as in every second column. It does not say that nothing is left out, and sizes of 1 break it without harm.
# zh: “每个步长等于下一个大小乘下一个步长，就连续”
# zh: 那只说明各行均匀相接，比如隔列取一列时也是如此。它并不说明没有遗漏；而大小为 1 的维度破坏它也无妨。
# topic: myth 5
import torch

x = torch.arange(24).view(4, 6)[:, ::2]  # -> new (4, 3):(6, 2)+0
# en: 6 = 3·2 holds, so view(-1) works; yet 2 is not 1.
# zh: 6 = 3·2 成立，所以 view(-1) 可行；可是 2 不是 1。
x.stride()  # -> (6, 2)
x.is_contiguous()  # -> False
y = x.view(-1)  # -> view (12,):(2,)+0
y.stride()  # -> (2,)
a = torch.arange(6)[::2]  # -> new (3,):(2,)+0
a.is_contiguous()  # -> False
# en: And here the rule does not hold, but the tensor is contiguous.
# zh: 而这里规则不成立，张量却是连续的。
c = torch.arange(6).view(2, 3, 1).transpose(1, 2)  # -> new (2, 1, 3):(3, 1, 1)+0
c.stride()  # -> (3, 1, 1)
c.is_contiguous()  # -> True
