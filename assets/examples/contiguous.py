# en: What does contiguous() do, and what is contiguous?
# en: A tensor is contiguous when reading it in order walks its memory one element at a time, without a leap. contiguous() copies it into that order, or gives the very same object where there is nothing to do.
# zh: contiguous() 做了什么？什么叫连续？
# zh: 按次序读取时在内存中一格一格地走、没有跳跃，这样的张量就是连续的。contiguous() 按这个次序复制一份；若无事可做，就返回同一个对象。
# topic: view 3
import torch

x = torch.arange(6).view(2, 3)  # -> new (2, 3):(3, 1)+0
x.is_contiguous()  # -> True
t = x.t()  # -> view (3, 2):(1, 3)+0
t.is_contiguous()  # -> False
c = t.contiguous()  # -> copy (3, 2):(2, 1)+0
c is c.contiguous()  # -> True
