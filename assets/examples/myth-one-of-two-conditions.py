# en: “A view splits or merges, one of the two”
# en: In one call some dimensions may merge while another is split. Each new dimension is judged by itself.
# zh: “view 要么拆分，要么合并，二者取一”
# zh: 在同一次调用中，一些维度可以合并，另一个可以拆分。每个新维度各自判断。
# topic: myth 20
import torch

x = torch.arange(48).view(2, 3, 8)[:, :, :4]  # -> new (2, 3, 4):(24, 8, 1)+0
x.is_contiguous()  # -> False
# en: 2 and 3 merge into 6, and 4 is split into 2 and 2.
# zh: 2 和 3 合并成 6，4 拆成 2 和 2。
y = x.view(6, 2, 2)  # -> view (6, 2, 2):(8, 2, 1)+0
z = x.view(6, 4)  # -> view (6, 4):(8, 1)+0
# en: These would have to merge across the gap.
# zh: 这些必须跨过空隙去合并。
w = x.view(3, 8)  # -> RuntimeError
v = x.view(24)  # -> RuntimeError
