# en: expand, then a write in place: why are the values wrong?
# en: After expand one cell of memory is read as many elements, so a write to one of them shows in all. PyTorch refuses most such writes, but not one to a single element.
# zh: expand 之后就地写入：值为什么不对？
# zh: expand 之后，内存中的一个单元被读作多个元素，写入其中一个，全都会变。PyTorch 会拒绝大多数这样的写入，但不拒绝写单个元素。
# topic: repeat 1
import torch

x = torch.arange(3).view(3, 1)  # -> new (3, 1):(1, 1)+0
y = x.expand(3, 4)  # -> view (3, 4):(1, 0)+0
y[1, 2] = 9  # -> write x, y
y += 1  # -> RuntimeError
z = y.clone()  # -> copy (3, 4):(4, 1)+0
z += 1  # -> write z
