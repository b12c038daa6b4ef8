# en: “Contiguous means descending strides”
# en: Falling strides can still leave gaps, and strides that do not fall can be contiguous. What counts is that each is exactly the number of elements inside it.
# zh: “步长递减就是连续”
# zh: 递减的步长仍可能留有空隙，不递减的也可能连续。关键在于每个步长恰好等于它里面的元素个数。
# topic: myth 10
import torch

# en: Descending, not contiguous:
# zh: 递减，却不连续：
a = torch.arange(24).view(2, 3, 4)[:, :2]  # -> new (2, 2, 4):(12, 4, 1)+0
a.is_contiguous()  # -> False
b = torch.arange(24).view(4, 6)[:, ::2]  # -> new (4, 3):(6, 2)+0
b.is_contiguous()  # -> False
c = torch.arange(12).reshape(3, 4)[:, :2]  # -> new (3, 2):(4, 1)+0
c.is_contiguous()  # -> False
d = torch.arange(12)[::3]  # -> new (4,):(3,)+0
d.is_contiguous()  # -> False
# en: Not descending, contiguous:
# zh: 不递减，却连续：
e = torch.arange(6).view(2, 3, 1).transpose(1, 2)  # -> new (2, 1, 3):(3, 1, 1)+0
e.is_contiguous()  # -> True
f = torch.zeros(5, 1).t()  # -> new (1, 5):(1, 1)+0
f.is_contiguous()  # -> True
g = torch.zeros(0, 3).t()  # -> new (3, 0):(1, 3)+0
g.is_contiguous()  # -> True
h = torch.arange(3).expand(1, 3)  # -> new (1, 3):(3, 1)+0
h.is_contiguous()  # -> True
