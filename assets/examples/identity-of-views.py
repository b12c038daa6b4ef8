# en: A new object, the same memory
# en: Every view is another Python object with another id, and yet no element was copied. Contiguity belongs to the object, not to the memory.
# zh: 新的对象，同一块内存
# zh: 每个视图都是另一个 Python 对象，id 不同，却没有复制任何元素。是否连续，说的是对象，不是内存。
# topic: basics 5
import torch

A = torch.tensor([[1., 2.], [3., 4.], [5., 6.]])  # -> new (3, 2):(2, 1)+0
B = A.transpose(0, 1)  # -> view (2, 3):(1, 2)+0
id(A) == id(A.transpose(0, 1))  # -> False
A.is_contiguous()  # -> True
B.is_contiguous()  # -> False
C = torch.tensor([1., 2., 3., 4., 5., 6.])  # -> new (6,):(1,)+0
D = C.view(-1, 3)  # -> view (2, 3):(3, 1)+0
id(C) == id(C.view(-1, 3))  # -> False
D.is_contiguous()  # -> True
