# en: “If the stride changes, the tensor is not contiguous any more”
# en: A view has other strides and is contiguous; transposed twice, the strides come back and so does contiguity. Neither the change nor the history counts, only the strides now.
# zh: “步长变了，张量就不再连续”
# zh: view 的步长不同，却是连续的；转置两次，步长复原，连续也复原。变化和经历都不重要，只看现在的步长。
# topic: myth 15
import torch

a = torch.arange(4)  # -> new (4,):(1,)+0
a.stride()  # -> (1,)
b = a.view(2, 2)  # -> view (2, 2):(2, 1)+0
b.stride()  # -> (2, 1)
b.is_contiguous()  # -> True
c = b.transpose(0, 1)  # -> view (2, 2):(1, 2)+0
c.is_contiguous()  # -> False
d = b.permute(1, 0)  # -> view (2, 2):(1, 2)+0
d.is_contiguous()  # -> False
e = c.transpose(0, 1)  # -> view (2, 2):(2, 1)+0
e.stride()  # -> (2, 1)
e.is_contiguous()  # -> True
