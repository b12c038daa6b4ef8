# en: Which transposes of (2, 3, 1) are contiguous?
# en: Moving the dimension of size 1 changes nothing that is read, moving the others does. Of these four transposes only one stays contiguous.
# zh: (2, 3, 1) 的哪些转置是连续的？
# zh: 移动大小为 1 的维度，读到的不变；移动别的维度就会变。这四种转置里只有一种仍然连续。
# topic: axes 5
import torch

a = torch.arange(6).reshape(2, 3, 1)  # -> new (2, 3, 1):(3, 1, 1)+0
a.stride()  # -> (3, 1, 1)
b = a.transpose(0, 1)  # -> view (3, 2, 1):(1, 3, 1)+0
b.is_contiguous()  # -> False
c = a.transpose(1, 2)  # -> view (2, 1, 3):(3, 1, 1)+0
c.is_contiguous()  # -> True
d = a.transpose(0, 2)  # -> view (1, 3, 2):(1, 1, 3)+0
d.is_contiguous()  # -> False
e = a.permute(2, 1, 0)  # -> view (1, 3, 2):(1, 1, 3)+0
e.stride()  # -> (1, 1, 3)
