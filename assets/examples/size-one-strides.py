# en: Why are the strides of a size-1 dimension odd?
# en: A dimension of size 1 is never stepped along, so its stride can be anything and no rule looks at it. What you see there depends on the operation that made it.
# zh: 大小为 1 的维度，步长为什么奇怪？
# zh: 大小为 1 的维度从不迈步，它的步长可以是任何数，也没有规则去看它。看到的数取决于是哪个操作造出来的。
# topic: repeat 3
import torch
import numpy as np

x = torch.arange(6).view(2, 1, 3)  # -> new (2, 1, 3):(3, 3, 1)+0
y = x.as_strided((2, 1, 3), (3, 77, 1))  # -> view (2, 1, 3):(3, 77, 1)+0
y.is_contiguous()  # -> True
u = torch.arange(6).view(2, 3).unsqueeze(1)  # -> new (2, 1, 3):(3, 3, 1)+0
w = torch.arange(3).unsqueeze(1)  # -> new (3, 1):(1, 1)+0
a = np.arange(6).reshape(2, 3)  # -> new (2, 3):(24, 8)+0
b = a[:, None]  # -> view (2, 1, 3):(24, 0, 8)+0
c = np.expand_dims(a, 1)  # -> view (2, 1, 3):(24, 24, 8)+0
