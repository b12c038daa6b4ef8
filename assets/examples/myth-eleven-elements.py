# en: “arange(0, 11) makes twelve elements”
# en: The end is not included, so these are eleven, and no (2, 2, 3) can be made of them. The message counts both sides for you.
# zh: “arange(0, 11) 有十二个元素”
# zh: 终点不包括在内，所以只有十一个，排不成 (2, 2, 3)。错误信息已替您把两边都数好了。
# topic: myth 8
import torch

y = torch.arange(0, 11).view(2, 2, 3)  # -> RuntimeError
y = torch.arange(0, 12).view(2, 2, 3)  # -> new (2, 2, 3):(6, 3, 1)+0
