# en: “A transpose is never contiguous”
# en: Where one of the exchanged dimensions has size 1, or both are the same, reading order does not change. Then the transpose is as contiguous as before.
# zh: “转置从不连续”
# zh: 如果交换的维度中有一个大小为 1，或者两个是同一个，读取次序就不变。这样的转置与之前一样连续。
# topic: myth 13
import torch

x = torch.arange(5).view(5, 1).t()  # -> new (1, 5):(1, 1)+0
x.is_contiguous()  # -> True
y = torch.arange(5).t()  # -> new (5,):(1,)+0
y.is_contiguous()  # -> True
z = torch.arange(4).view(1, 1, 4).transpose(0, 1)  # -> new (1, 1, 4):(4, 4, 1)+0
z.is_contiguous()  # -> True
w = torch.arange(4).view(2, 2).transpose(1, 1)  # -> new (2, 2):(2, 1)+0
w.is_contiguous()  # -> True
