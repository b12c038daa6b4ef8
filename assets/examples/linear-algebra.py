# en: Why does what torch.linalg gives not view?
# en: LAPACK writes a matrix column by column, and PyTorch keeps what it wrote: a new tensor that is not contiguous. NumPy copies it into rows.
# zh: torch.linalg 的结果为什么不能 view？
# zh: LAPACK 按列写出矩阵，PyTorch 原样保留：得到的新张量并不连续。NumPy 则把它复制成行。
# topic: view 14
import numpy as np
import torch

a = torch.tensor([[2., 1, 0], [1, 3, 1], [0, 1, 4]])  # -> new (3, 3):(3, 1)+0
# en: New memory, yet its rows do not follow each other: stride 1 leads down a column.
# zh: 是新的内存，行却不相连：步长 1 沿列向下。
b = torch.linalg.inv(a)  # -> new (3, 3):(1, 3)+0
b.view(9)  # -> RuntimeError
b.mT.view(9)  # -> view (9,):(1,)+0
# en: What is computed from it follows its memory order.
# zh: 由它算出的张量也跟随它的内存次序。
c = b * 2  # -> new (3, 3):(1, 3)+0
u, s, vh = torch.linalg.svd(torch.ones(4, 3), full_matrices=False)  # -> new (tensor (4, 3):(1, 4)+0, tensor (3,):(1,)+0, tensor (3, 3):(1, 3)+0)
# en: Of a batch of vectors the sizes are laid out as if they were one matrix.
# zh: 对一批向量，其大小被当作一个矩阵来排放。
y = torch.linalg.solve(torch.eye(3).expand(2, 3, 3), torch.ones(2, 3))  # -> new (2, 3):(1, 2)+0
n = np.linalg.inv(a.numpy())  # -> new (3, 3):(12, 4)+0
# en: Complex numbers of which only the real parts are handed out: each step skips one.
# zh: 只给出复数的实部：每一步都跨过一个数。
w, v = np.linalg.eig(np.array([[2., 1], [1, 3]]))  # -> view (array (2,):(16,)+0, array (2, 2):(32, 16)+0)
w  # -> same (2,):(16,)+0
