# en: What comes back from a file?
# en: torch.save writes storages whole, so what is loaded is read, and shared, as it was. np.save writes elements alone: an array comes back packed, in C order, or in Fortran order where it lay in that.
# zh: 从文件读回来的是什么？
# zh: torch.save 写出整块存储，所以读回来的张量读取和共享的方式都与原来相同。np.save 只写元素：数组读回来是紧密的，按 C 序，原来按 Fortran 序存放的则按 Fortran 序。
# topic: part 4
import io
import numpy as np
import torch

x = torch.arange(12).view(3, 4)  # -> new (3, 4):(4, 1)+0
f = io.BytesIO()  # -> <_io.BytesIO object>
torch.save([x[:, ::2], x.t()], f)  # -> nothing
f.seek(0)  # -> 0
a, b = torch.load(f)  # -> new [tensor (3, 2):(4, 2)+0, tensor (4, 3):(1, 4)+0]
b[0, 0] = 50  # -> write a, b
# en: Two views of one storage were saved, and two views of one storage came back; of x they know nothing.
# zh: 保存的是同一存储的两个视图，读回来的也是同一存储的两个视图；它们与 x 无关。
y = np.arange(12).reshape(3, 4)  # -> new (3, 4):(32, 8)+0
np.save("part.npy", y[:, ::2])  # -> nothing
p = np.load("part.npy")  # -> new (3, 2):(16, 8)+0
np.save("turned.npy", y.T)  # -> nothing
q = np.load("turned.npy")  # -> new (4, 3):(8, 32)+0
q.base.shape  # -> (3, 4)
# en: What lay in Fortran order is read row by row and turned: a view of the array that was read.
# zh: 原来按 Fortran 序存放的数组会按行读入再转置：它是所读数组的视图。
