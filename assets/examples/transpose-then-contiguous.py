# en: Transpose, then contiguous, step by step
# en: transpose exchanges two strides, contiguous() then copies the elements so that they lie in reading order. Compare the storages: the second is in another order.
# zh: 先转置，再 contiguous，一步一步看
# zh: transpose 交换两个步长，contiguous() 再把元素复制成按读取次序排列。比较两块存储：第二块的次序不同。
# topic: view 9
import torch

x = torch.arange(1, 13).view(2, 3, 2)  # -> new (2, 3, 2):(6, 2, 1)+0
x.stride()  # -> (6, 2, 1)
y = x.transpose(0, 1)  # -> view (3, 2, 2):(2, 6, 1)+0
y.stride()  # -> (2, 6, 1)
y.is_contiguous()  # -> False
z = y.contiguous()  # -> copy (3, 2, 2):(4, 2, 1)+0
z.stride()  # -> (4, 2, 1)
z.is_contiguous()  # -> True
y.storage()  # -> storage
z.storage()  # -> storage
