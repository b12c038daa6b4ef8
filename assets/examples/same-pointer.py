# en: Does it share memory? Ask data_ptr()
# en: A transpose begins at the same address as its base, a contiguous copy at another. The flat view needs that copy.
# zh: 是否共享内存？问 data_ptr()
# zh: 转置与原张量从同一地址开始，连续副本则在另一处。要得到一维视图，就需要那份副本。
# topic: view 13
import torch

t = torch.arange(12).reshape(3, 4)  # -> new (3, 4):(4, 1)+0
t.flatten()  # -> view (12,):(1,)+0
t2 = t.transpose(0, 1)  # -> view (4, 3):(1, 4)+0
t.stride(), t2.stride()  # -> ((4, 1), (1, 4))
t.data_ptr() == t2.data_ptr()  # -> True
t.is_contiguous(), t2.is_contiguous()  # -> (True, False)
t2.view(-1)  # -> RuntimeError
t3 = t2.contiguous()  # -> copy (4, 3):(3, 1)+0
t3.data_ptr() == t2.data_ptr()  # -> False
t3.storage()  # -> storage
t3.view(-1)  # -> view (12,):(1,)+0
