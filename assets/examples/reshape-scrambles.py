# en: Why did reshape scramble my image?
# en: Channels are to come first, and reshape does give that shape, but it only cuts the pixels into other pieces. Moving an axis is the work of permute.
# zh: 为什么 reshape 打乱了我的图像？
# zh: 想把通道放到最前，reshape 虽给出了这个形状，却只是把像素切成了别的小段。移动轴是 permute 的事。
# topic: axes 3
import torch

# en: Height, width, channel; the first channel holds the multiples of 3.
# zh: 高、宽、通道；第一个通道是 3 的倍数。
image = torch.arange(12).view(2, 2, 3)  # -> new (2, 2, 3):(6, 3, 1)+0
wrong = image.reshape(3, 2, 2)  # -> view (3, 2, 2):(4, 2, 1)+0
wrong[0]  # -> view (2, 2):(2, 1)+0
right = image.permute(2, 0, 1)  # -> view (3, 2, 2):(1, 6, 3)+0
right[0]  # -> view (2, 2):(6, 3)+0
