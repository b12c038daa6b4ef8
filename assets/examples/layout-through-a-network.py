# en: Which layer changed the layout?
# en: A hook is called when a layer has run, with what it was given and what it made. Images by rows stay by rows, and Flatten is a view of them; with channels last every layer keeps that order, and only Flatten has to copy.
# zh: 是哪一层改变了布局？
# zh: 每当一层运行完，钩子函数就会被调用，得到它的输入和结果。按行存放的图像一路保持按行，Flatten 只是视图；通道在最后时，各层都保持这种顺序，只有 Flatten 必须复制。
# topic: view 15
import torch
import torch.nn as nn

net = nn.Sequential(nn.Conv2d(3, 4, kernel_size=3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())  # -> Sequential(
seen = {}  # -> {}


def look(layer, given, made):  # -> ...
    seen[type(layer).__name__] = made  # -> ...


for layer in net:  # -> ...
    layer.register_forward_hook(look)  # -> <torch.utils.hooks.RemovableHandle object>

images = torch.zeros(2, 3, 6, 6)  # -> new (2, 3, 6, 6):(108, 36, 6, 1)+0
y = net(images)  # -> new (2, 16):(16, 1)+0
seen['MaxPool2d']  # -> same (2, 4, 2, 2):(16, 4, 2, 1)+0
y.data_ptr() == seen['MaxPool2d'].data_ptr()  # -> True
# en: The same images, the channels of a pixel side by side.
# zh: 同样的图像，一个像素的各通道相邻存放。
last = images.to(memory_format=torch.channels_last)  # -> copy (2, 3, 6, 6):(108, 1, 18, 3)+0
z = net(last)  # -> copy (2, 16):(16, 1)+0
seen['MaxPool2d']  # -> same (2, 4, 2, 2):(16, 1, 8, 4)+0
z.data_ptr() == seen['MaxPool2d'].data_ptr()  # -> False
