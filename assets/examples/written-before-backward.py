# en: "modified by an inplace operation": who wrote?
# en: Some operations keep a tensor for the way back, and a counter of writes tells whether its memory still holds what they saw. A write through any view of it counts, one through x.data does not.
# zh: “modified by an inplace operation”：是谁写的？
# zh: 有些操作会为反向传播保留张量，并用写入计数判断它的内存是否仍是当时的内容。通过任何视图的写入都会计数，通过 x.data 的则不会。
# topic: repeat 6
import torch

x = torch.ones(3, requires_grad=True)  # -> new (3,):(1,)+0
y = x.exp()  # -> new (3,):(1,)+0
v = y[:2]  # -> view (2,):(1,)+0
y._version  # -> 0
v.zero_()  # -> write (2,):(1,)+0
y._version  # -> 1
# en: exp() had kept y itself: it is its own derivative.
# zh: exp() 保留的正是 y：它的导数就是它自己。
y.sum().backward()  # -> RuntimeError
# en: A sum keeps nothing, so what is added to may be written.
# zh: 加法不保留任何张量，所以相加的结果可以写入。
z = x + 1  # -> new (3,):(1,)+0
z[0] = 5  # -> write z
z.sum().backward()  # -> write
x.grad  # -> same (3,):(1,)+0
