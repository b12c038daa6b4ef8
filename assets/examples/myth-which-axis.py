# en: “Strides (2, 1): one along axis 0, two along axis 1”
# en: It is the other way round: strides stand in the order of the axes, so axis 0 takes the long step. Changing the last index moves by the last stride.
# zh: “步长 (2, 1)：沿轴 0 走一，沿轴 1 走二”
# zh: 正好相反：步长按轴的次序排列，所以轴 0 走的是长步。最后一个下标变化时，按最后一个步长移动。
# topic: myth 7
import torch

x = torch.arange(1, 13).view(6, 2)  # -> new (6, 2):(2, 1)+0
x.stride()  # -> (2, 1)
x.stride(0)  # -> 2
x.stride(1)  # -> 1
# en: In three dimensions likewise: 6 for the first axis, 1 for the last.
# zh: 三维也是如此：第一轴是 6，最后一轴是 1。
y = torch.arange(0, 12).view(2, 2, 3)  # -> new (2, 2, 3):(6, 3, 1)+0
y.stride()  # -> (6, 3, 1)
y[0, 0, 0].item()  # -> 0
y[1, 0, 0].item()  # -> 6
y[0, 1, 0].item()  # -> 3
y[0, 0, 1].item()  # -> 1
y[1, 1, 1].item()  # -> 10
