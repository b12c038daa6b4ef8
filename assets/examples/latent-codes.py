# en: A chain that fails, or not, depending on a size
# en: permute moved the last axis next to the first, and view(-1, ..) would have to merge them. With a size of 1 in either place there is nothing to merge, and the same line works.
# zh: 同一串操作，失败与否取决于大小
# zh: permute 把最后一轴移到第一轴旁边，view(-1, ..) 就得合并它们。若其中一个大小为 1，便没有什么要合并，同一行代码就可行。
# topic: view 11
import torch

latent = torch.arange(120).view(2, 3, 4, 5)  # -> new (2, 3, 4, 5):(60, 20, 5, 1)+0
latent.permute(0, 3, 1, 2).view(-1, 3, 4)  # -> RuntimeError
a = torch.arange(60).view(1, 3, 4, 5).permute(0, 3, 1, 2).view(-1, 3, 4)  # -> new (5, 3, 4):(1, 20, 5)+0
b = torch.arange(24).view(2, 3, 4, 1).permute(0, 3, 1, 2).view(-1, 3, 4)  # -> new (2, 3, 4):(12, 4, 1)+0
