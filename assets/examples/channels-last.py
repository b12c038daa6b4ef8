# en: channels_last: the same shape, other strides
# en: channels_last keeps the shape N, C, H, W and lays the channels of a pixel side by side. With one channel, or one pixel, the two formats cannot be told apart.
# zh: channels_last：形状不变，步长不同
# zh: channels_last 保持形状 N、C、H、W，只是让一个像素的各通道在内存中相邻。只有一个通道或一个像素时，两种格式分不出来。
# topic: axes 6
import torch

x = torch.arange(24).view(2, 3, 2, 2)  # -> new (2, 3, 2, 2):(12, 4, 2, 1)+0
y = x.contiguous(memory_format=torch.channels_last)  # -> copy (2, 3, 2, 2):(12, 1, 6, 3)+0
y.is_contiguous()  # -> False
y.is_contiguous(memory_format=torch.channels_last)  # -> True
z = torch.arange(8).view(2, 1, 2, 2)  # -> new (2, 1, 2, 2):(4, 4, 2, 1)+0
z.is_contiguous(), z.is_contiguous(memory_format=torch.channels_last)  # -> (True, True)
