# en: A trillion elements, seen at once
# en: A view is three sizes, three strides and an offset, whatever it spans. So a permute of 10**12 elements is three numbers that change places.
# zh: 一万亿个元素，一眼看清
# zh: 无论跨越多少，视图都只是三个大小、三个步长和一个偏移。所以置换 10**12 个元素，不过是三个数换了位置。
# topic: basics 3
import torch

x = torch.arange(10**12).view(10**4, 10**4, 10**4)  # -> new (10000, 10000, 10000):(100000000, 10000, 1)+0
y = x.permute(2, 0, 1)  # -> view (10000, 10000, 10000):(1, 100000000, 10000)+0
