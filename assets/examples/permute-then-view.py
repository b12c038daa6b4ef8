# en: Why does .view() fail after .permute()?
# en: A permuted tensor reads its memory in leaps, and view(-1) would need one stride that makes them all. There is none, so only a copy has these elements in this order.
# zh: 为什么 .permute() 之后 .view() 会失败？
# zh: 置换后的张量在内存中跳着读，而 view(-1) 需要一个能走完所有跳跃的步长。这样的步长不存在，所以只有复制才能按这个次序排列元素。
# topic: view 1
import torch

x = torch.arange(12).view(2, 3, 2)  # -> new (2, 3, 2):(6, 2, 1)+0
y = x.permute(0, 2, 1)  # -> view (2, 2, 3):(6, 1, 2)+0
z = y.view(-1)  # -> RuntimeError
z = y.reshape(-1)  # -> copy (12,):(1,)+0
