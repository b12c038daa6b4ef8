# en: view fails, contiguous().view() and reshape do not
# en: Both ways out copy the transposed tensor into reading order first. The second storage shows that order.
# zh: view 失败，contiguous().view() 和 reshape 可以
# zh: 两条出路都是先把转置后的张量复制成读取次序。第二块存储就是这个次序。
# topic: view 10
import torch

a = torch.arange(8).reshape(2, 4)  # -> new (2, 4):(4, 1)+0
b = a.transpose(0, 1)  # -> view (4, 2):(1, 4)+0
b.view(2, 4)  # -> RuntimeError
b.contiguous().view(2, 4)  # -> copy (2, 4):(4, 1)+0
b.reshape(2, 4)  # -> copy (2, 4):(4, 1)+0
c = b.contiguous()  # -> copy (4, 2):(2, 1)+0
c.data_ptr() == b.data_ptr()  # -> False
c.storage()  # -> storage
x = torch.arange(16).view(2, 2, 4)  # -> new (2, 2, 4):(8, 4, 1)+0
x.stride()  # -> (8, 4, 1)
x.permute(2, 1, 0).stride()  # -> (1, 4, 8)
