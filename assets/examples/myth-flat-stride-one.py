# en: “view(-1) has stride (1,)”
# en: A view keeps the distance between its elements: of every second one it is 2. Only where the elements lie side by side is it 1.
# zh: “view(-1) 的步长是 (1,)”
# zh: 视图保持元素之间的距离：每隔一个取一个，距离就是 2。只有元素紧挨着时才是 1。
# topic: myth 4
import torch

x = torch.arange(6)[::2]  # -> new (3,):(2,)+0
y = x.view(-1)  # -> view (3,):(2,)+0
y.stride()  # -> (2,)
y.is_contiguous()  # -> False
