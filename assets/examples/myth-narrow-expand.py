# en: “narrow and expand break contiguity”
# en: Whole rows narrowed out stay contiguous, and so does an expand that repeats nothing, or a permute that moves nothing. The offset may change; contiguity does not look at it.
# zh: “narrow 和 expand 会破坏连续”
# zh: 截取若干整行仍然连续，什么也不重复的 expand、什么也不移动的 permute 也是如此。偏移可能改变，但连续与否不看偏移。
# topic: myth 21
import torch

t = torch.arange(12).reshape(3, 4)  # -> new (3, 4):(4, 1)+0
a = t.narrow(0, 1, 2)  # -> view (2, 4):(4, 1)+4
a.is_contiguous()  # -> True
a.storage_offset()  # -> 4
b = torch.arange(3).expand(1, 3)  # -> new (1, 3):(3, 1)+0
b.is_contiguous()  # -> True
c = t.permute(0, 1)  # -> view (3, 4):(4, 1)+0
c.is_contiguous()  # -> True
d = t.narrow(1, 1, 2)  # -> view (3, 2):(4, 1)+1
d.is_contiguous()  # -> False
