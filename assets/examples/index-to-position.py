# en: From an index to a place in memory
# en: x[1, 2, 0] is found at 1·6 + 2·2 + 0·1, and seen as (2, 6) the same cell is called y[1, 4]. The recipe changed, the memory did not.
# zh: 从下标到内存位置
# zh: x[1, 2, 0] 位于 1·6 + 2·2 + 0·1；看作 (2, 6) 时，同一个单元叫做 y[1, 4]。变的是配方，不是内存。
# topic: basics 2
import torch

x = torch.arange(12.).view(2, 3, 2)  # -> new (2, 3, 2):(6, 2, 1)+0
x.stride()  # -> (6, 2, 1)
sum(i * s for i, s in zip((1, 2, 0), x.stride()))  # -> 10
x.storage()[10]  # -> 10.0
x[1, 2, 0].item()  # -> 10.0
y = x.view(2, 6)  # -> view (2, 6):(6, 1)+0
sum(i * s for i, s in zip((1, 4), y.stride()))  # -> 10
y[1, 4].item()  # -> 10.0
x.data_ptr() == y.data_ptr()  # -> True
