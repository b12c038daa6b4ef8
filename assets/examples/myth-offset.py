# en: “The position is the sum of index times stride”
# en: It is that sum plus the storage offset, which is 0 only for views that begin where the memory does. Without it the formula reads the wrong cell.
# zh: “位置就是下标乘步长之和”
# zh: 是这个和再加上存储偏移；只有从内存开头开始的视图，偏移才是 0。少了它，公式读到的就是别的单元。
# topic: myth 1
import torch

x = torch.arange(12).view(3, 4)[1:, 1:]  # -> new (2, 3):(4, 1)+5
# en: The myth: x[0, 0] is storage[0·4 + 0·1].
# zh: 误解：x[0, 0] 就是 storage[0·4 + 0·1]。
sum(i * s for i, s in zip((0, 0), x.stride()))  # -> 0
x.storage()[0]  # -> 0
# en: In truth 5 is added, the offset.
# zh: 其实还要加上偏移 5。
x.storage_offset()  # -> 5
x[0, 0].item()  # -> 5
x.storage()[x.storage_offset() + sum(i * s for i, s in zip((1, 2), x.stride()))] == x[1, 2].item()  # -> True
y = torch.arange(24).view(2, 3, 4)[1]  # -> new (3, 4):(4, 1)+12
y.stride()  # -> (4, 1)
y.storage_offset()  # -> 12
y[0, 0].item()  # -> 12
