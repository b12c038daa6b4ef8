# en: “Contiguous means no empty space between the elements”
# en: A transpose fills its memory without a gap and is not contiguous, and rows without a gap inside can still have one between them. A contiguous view, in turn, may cover only a part of its storage.
# zh: “连续就是元素之间没有空隙”
# zh: 转置毫无空隙地填满内存，却不连续；行内没有空隙，行与行之间仍可能有。反过来，连续的视图也可能只占存储的一部分。
# topic: myth 14
import torch

t = torch.arange(6).view(2, 3).t()  # -> new (3, 2):(1, 3)+0
t.numel() == t.storage().size()  # -> True
t.is_contiguous()  # -> False
x = torch.arange(24).view(4, 6)[:, :3]  # -> new (4, 3):(6, 1)+0
x.is_contiguous()  # -> False
x.view(-1)  # -> RuntimeError
y = torch.arange(3).expand(2, 3)  # -> new (2, 3):(0, 1)+0
y.is_contiguous()  # -> False
# en: A part of the storage, and contiguous.
# zh: 只是存储的一部分，却连续。
z = torch.arange(12).reshape(3, 4)[1:]  # -> new (2, 4):(4, 1)+4
z.is_contiguous()  # -> True
z.storage().size()  # -> 12
z.flatten()  # -> view (8,):(1,)+4
