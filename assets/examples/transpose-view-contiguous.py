# en: transpose, view, contiguous, view
# en: The first view fails, because the columns would have to be read as one line. After contiguous() the elements lie in that line, and the second view works.
# zh: transpose、view、contiguous、view
# zh: 第一次 view 失败，因为要把各列读成一行。contiguous() 之后元素就排成了这一行，第二次 view 便成功了。
# topic: view 12
import torch

x = torch.tensor([[1, 2, 2], [2, 1, 3]])  # -> new (2, 3):(3, 1)+0
x = x.transpose(0, 1)  # -> view (3, 2):(1, 3)+0
y = x.view(-1)  # -> RuntimeError
x = x.contiguous()  # -> copy (3, 2):(2, 1)+0
y = x.view(-1)  # -> view (6,):(1,)+0
