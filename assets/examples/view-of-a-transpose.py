# en: A view of a tensor that is not contiguous
# en: The transpose of a (3, 4) tensor cannot be seen as (6, 2), but it can be seen as (2, 2, 3): splitting is always free, only merging needs neighbours. And a transpose is not a view(4, 3): the numbers stand elsewhere.
# zh: 不连续的张量也可以 view
# zh: (3, 4) 张量的转置不能看作 (6, 2)，却能看作 (2, 2, 3)：拆分总是免费的，只有合并才要求相邻。另外，转置也不等于 view(4, 3)：数字的位置不同。
# topic: view 6
import torch

z = torch.arange(12).reshape(3, 4)  # -> new (3, 4):(4, 1)+0
z.view(6, 2)  # -> view (6, 2):(2, 1)+0
z_t = z.t()  # -> view (4, 3):(1, 4)+0
z_t.view(6, 2)  # -> RuntimeError
v = z_t.view(2, 2, 3)  # -> view (2, 2, 3):(2, 1, 4)+0
v.stride(), v.is_contiguous()  # -> ((2, 1, 4), False)
z_t.contiguous().view(2, 6)  # -> copy (2, 6):(6, 1)+0
z_t.reshape(2, 6)  # -> copy (2, 6):(6, 1)+0
z.view(4, 3)  # -> view (4, 3):(3, 1)+0
