# en: “The transpose of a (2, 6) tensor prints as 2 by 6”
# en: It has six rows of two: sizes and strides change places, and a write through it lands in the very same memory. Print shapes before you trust a drawing.
# zh: “(2, 6) 张量的转置打印出来是 2 行 6 列”
# zh: 它有六行，每行两个：大小与步长互换，从它写入的仍是同一块内存。相信插图之前，先打印形状。
# topic: myth 9
import torch

x = torch.arange(0, 12).view(2, 6)  # -> new (2, 6):(6, 1)+0
y = x.transpose(0, 1)  # -> view (6, 2):(1, 6)+0
y[0, 0] = 100  # -> write x, y
# en: What is printed so in the article begins at (6, 2).
# zh: 文章里那样的输出，起点其实是 (6, 2)。
u = torch.arange(0, 12).view(6, 2)  # -> new (6, 2):(2, 1)+0
v = u.transpose(0, 1)  # -> view (2, 6):(1, 2)+0
v[0, 0] = 100  # -> write u, v
# en: transpose(0, 2) exchanges the first and the last axis, not 0 and 1.
# zh: transpose(0, 2) 交换的是首尾两轴，不是 0 和 1。
w = torch.arange(0, 12).view(2, 2, 3)  # -> new (2, 2, 3):(6, 3, 1)+0
w.transpose(0, 2).stride()  # -> (1, 3, 6)
