# en: Strides for beginners
# en: A stride says how many elements the memory goes on when an index grows by one. Index times stride, summed, is where an element lives.
# zh: 写给初学者的步长
# zh: 步长说明下标加一时，在内存中要前进多少个元素。下标乘以步长再求和，就是元素所在的位置。
# topic: basics 1
import torch

x = torch.arange(24).view(2, 3, 4)  # -> new (2, 3, 4):(12, 4, 1)+0
x.stride()  # -> (12, 4, 1)
x[1, 2, 3]  # -> view ():()+23
1*12 + 2*4 + 3*1  # -> 23
x.storage()[23]  # -> 23
