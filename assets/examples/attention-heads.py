# en: Attention heads: why view, then transpose?
# en: The features of one token lie side by side, so they can be cut into heads in place and the head axis moved forward. To merge the heads again, the axis goes back first, and where it was computed anew, a copy is due.
# zh: 注意力头：为什么先 view 再 transpose？
# zh: 一个词元的特征在内存中相邻，因此可以就地切成多个头，再把头所在的轴移到前面。要重新合并，先把轴移回去；如果数据是新算出来的，就得复制一次。
# topic: axes 4
import torch

q = torch.arange(2*6*8).view(2, 6, 2, 4).transpose(1, 2)  # -> new (2, 2, 6, 4):(48, 4, 8, 1)+0
# en: Batch, head, token, feature. Heads and features are no neighbours any more.
# zh: 批、头、词元、特征。头与特征不再相邻。
q.view(2, 6, 8)  # -> RuntimeError
out = q.transpose(1, 2).reshape(2, 6, 8)  # -> view (2, 6, 8):(48, 8, 1)+0
# en: What attention computes is new memory, in the order head, token.
# zh: 注意力算出的是新的内存，次序为头、词元。
y = q.clone(memory_format=torch.contiguous_format)  # -> copy (2, 2, 6, 4):(48, 24, 4, 1)+0
y.transpose(1, 2).view(2, 6, 8)  # -> RuntimeError
merged = y.transpose(1, 2).contiguous().view(2, 6, 8)  # -> copy (2, 6, 8):(48, 8, 1)+0
# en: Heads asked for straight away: each would hold three whole tokens.
# zh: 直接要求按头切分：每个头里会是三个完整的词元。
wrong = torch.arange(2*6*8).view(2, 2, 6, 4)  # -> new (2, 2, 6, 4):(48, 24, 4, 1)+0
