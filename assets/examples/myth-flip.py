# en: “flip is contiguous because the stride stays (2, 1)”
# en: It is contiguous because flip copies: a write to it does not reach the original. Of a transposed tensor it even keeps the order of memory, and then it is not contiguous.
# zh: “步长仍是 (2, 1)，所以 flip 是连续的”
# zh: 它连续是因为 flip 会复制：写入它，原张量不变。对转置过的张量，它还保留内存次序，那就不连续了。
# topic: myth 16
import torch

b = torch.arange(4).reshape(2, 2)  # -> new (2, 2):(2, 1)+0
f = torch.flip(b, [0])  # -> copy (2, 2):(2, 1)+0
f.stride()  # -> (2, 1)
f.is_contiguous()  # -> True
f.data_ptr() == b.data_ptr()  # -> False
f[0, 0] = 77  # -> write f
g = torch.flip(b.t(), [0])  # -> copy (2, 2):(1, 2)+0
g.stride()  # -> (1, 2)
g.is_contiguous()  # -> False
