# en: A function, seen as one operation
# en: The line that calls it shows what the whole function is to its argument: a view, a copy or a write. The lines inside show the call that is looked at.
# zh: 把函数看作一个操作
# zh: 调用它的那一行显示整个函数对参数做了什么：视图、复制还是写入。里面的各行显示正在看的那次调用。
# topic: axes 7
import torch


def split(x, heads):  # -> (tensor (2, 6, 8):(48, 8, 1)+0, 2)
    parts = x.unflatten(-1, (heads, -1))  # -> view (2, 6, 2, 4):(48, 8, 4, 1)+0
    return parts.transpose(1, 2)  # -> view (2, 2, 6, 4):(48, 4, 8, 1)+0


def merge(x):  # -> same (2, 2, 6, 4):(48, 4, 8, 1)+0
    return x.transpose(1, 2).flatten(2)  # -> view (2, 6, 8):(48, 8, 1)+0


def mask(x, *, value=0):  # -> (tensor (2, 6, 8):(48, 8, 1)+0, 0)
    x[:, 3:] = value  # -> write x, q, y


x = torch.arange(96).view(2, 6, 8)  # -> new (2, 6, 8):(48, 8, 1)+0
q = split(x, heads=2)  # -> view (2, 2, 6, 4):(48, 4, 8, 1)+0
y = merge(q)  # -> view (2, 6, 8):(48, 8, 1)+0
# en: No function copied anything, so what this one writes is seen through all three names.
# zh: 没有哪个函数复制过元素，所以这个函数写入的内容从三个名字都看得到。
mask(y)  # -> write x, q, y
