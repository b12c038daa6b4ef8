# en: meshgrid: grids without a copy
# en: Both grids are views of the short inputs with a stride of 0, so six elements need two or three cells. repeat copies them out, expand adds another stride of 0.
# zh: meshgrid：不复制的网格
# zh: 两个网格都是短输入的视图，带有步长 0，所以六个元素只需两三个单元。repeat 把它们复制出来，expand 再添一个步长 0。
# topic: repeat 4
import torch

y, x = torch.meshgrid(torch.arange(3), torch.arange(2))  # -> view (tensor (3, 2):(1, 0)+0, tensor (3, 2):(0, 1)+0)
y.stride(), x.stride()  # -> ((1, 0), (0, 1))
y.is_contiguous()  # -> False
y.storage()  # -> storage
y.contiguous().stride()  # -> (2, 1)
r = y.unsqueeze(2).repeat(1, 1, 2)  # -> copy (3, 2, 2):(4, 2, 1)+0
r.stride()  # -> (4, 2, 1)
e = y.unsqueeze(2).expand(-1, -1, 2)  # -> view (3, 2, 2):(1, 0, 0)+0
e.stride()  # -> (1, 0, 0)
e.data_ptr() == y.data_ptr()  # -> True
