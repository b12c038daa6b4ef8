# en: Where does the next element lie after a permute?
# en: Going from the end of one row to the next should be one step on; permuted, it is a leap. reshape and contiguous().view() both answer with a copy.
# zh: 置换之后，下一个元素在哪里？
# zh: 从一行末尾到下一行开头，本该只走一步；置换之后却是一跳。reshape 和 contiguous().view() 都以复制作答。
# topic: view 7
import torch

x = torch.arange(12.).view(2, 3, 2)  # -> new (2, 3, 2):(6, 2, 1)+0
p = x.permute(0, 2, 1)  # -> view (2, 2, 3):(6, 1, 2)+0
p.shape, p.stride(), p.is_contiguous()  # -> (torch.Size([2, 2, 3]), (6, 1, 2), False)
tuple(sum(i * s for i, s in zip(q, x.stride())) for q in ((0, 0, 2), (0, 1, 0)))  # -> (2, 2)
tuple(sum(i * s for i, s in zip(q, p.stride())) for q in ((0, 0, 3), (0, 1, 0)))  # -> (6, 1)
p.view(-1)  # -> RuntimeError
z = p.reshape(-1)  # -> copy (12,):(1,)+0
w = p.contiguous().view(-1)  # -> copy (12,):(1,)+0
z.data_ptr() == x.data_ptr()  # -> False
