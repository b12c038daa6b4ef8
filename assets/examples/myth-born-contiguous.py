# en: “A new tensor is always contiguous”
# en: Creation can be asked for other strides, and for another memory format. Both tensors below are fresh, and neither is contiguous.
# zh: “新建的张量总是连续的”
# zh: 创建时可以指定别的步长，也可以指定别的内存格式。下面两个张量都是新的，却都不连续。
# topic: myth 12
import torch

x = torch.empty_strided((2, 3), (1, 2))  # -> new (2, 3):(1, 2)+0
x.is_contiguous()  # -> False
y = torch.empty(2, 3, 4, 5, memory_format=torch.channels_last)  # -> new (2, 3, 4, 5):(60, 1, 15, 3)+0
y.stride()  # -> (60, 1, 15, 3)
y.is_contiguous()  # -> False
