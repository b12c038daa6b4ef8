# en: “view only works on contiguous tensors”
# en: view works wherever each new dimension can be read with one stride, contiguous or not. Splitting always can; merging can where the two dimensions follow each other in memory.
# zh: “view 只能用于连续的张量”
# zh: 只要每个新维度都能用一个步长读取，view 就可行，无论是否连续。拆分总是可行；合并则要求两个维度在内存中相接。
# topic: myth 11
import torch

x = torch.arange(1, 13).view(6, 2).transpose(0, 1)  # -> new (2, 6):(1, 2)+0
x.is_contiguous()  # -> False
# en: This one fails, and so the myth was born.
# zh: 这个失败了，误解由此而来。
x.view(4, 3)  # -> RuntimeError
# en: These work, on the same tensor.
# zh: 同一个张量，这些却可以。
y = x.view(2, 3, 2)  # -> view (2, 3, 2):(1, 4, 2)+0
y.data_ptr() == x.data_ptr()  # -> True
z = x.reshape(2, 2, 3)  # -> view (2, 2, 3):(1, 6, 2)+0
z.data_ptr() == x.data_ptr()  # -> True
# en: Merging works here too: 1·2 = 2, and the last two dimensions are one.
# zh: 这里连合并也可以。
w = torch.arange(200).view(20, 5, 2).permute(1, 2, 0)  # -> new (5, 2, 20):(2, 1, 10)+0
w.is_contiguous()  # -> False
v = w.view(10, -1)  # -> view (10, 20):(1, 10)+0
