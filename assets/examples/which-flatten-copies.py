# en: flatten, ravel, reshape(-1): which one copies?
# en: On evenly spaced elements reshape(-1) and flatten() of PyTorch give a view, while ravel() insists on contiguous memory. In NumPy it is the other way round: flatten() always copies, ravel() only where it must.
# zh: flatten、ravel、reshape(-1)：哪个会复制？
# zh: 元素间隔均匀时，PyTorch 的 reshape(-1) 和 flatten() 给出视图，ravel() 却一定要连续的内存。NumPy 正相反：flatten() 总是复制，ravel() 只在必要时复制。
# topic: view 5
import torch
import numpy as np

x = torch.arange(24).view(3, 8)[:, ::2]  # -> new (3, 4):(8, 2)+0
a = x.reshape(-1)  # -> view (12,):(2,)+0
b = x.flatten()  # -> view (12,):(2,)+0
c = x.ravel()  # -> copy (12,):(1,)+0
m = np.arange(12).reshape(3, 4)  # -> new (3, 4):(32, 8)+0
d = m.flatten()  # -> copy (12,):(8,)+0
e = m.ravel()  # -> view (12,):(8,)+0
f = m.T.ravel()  # -> copy (12,):(8,)+0
