# en: Bytes, and the recipe that reads them
# en: An array is no more than memory and a recipe: which bytes make an element, and how far it is to the next. Here Python keeps twelve bytes, and NumPy, PyTorch and Python itself read the same ones, each by a recipe of its own.
# zh: 字节，以及读它们的规则
# zh: 数组不过是一块内存加上一条规则：哪些字节构成一个元素，到下一个元素有多远。这里 Python 持有十二个字节，NumPy、PyTorch 和 Python 自己读的是同一些字节，各按各的规则。
# topic: numpy 7
import numpy as np
import torch

memory = bytearray(range(12))  # -> bytearray(b'\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b')
# en: Two bytes are an element: the lower one first.
# zh: 两个字节是一个元素，低位字节在前。
pairs = np.frombuffer(memory, dtype=np.int16)  # -> view (6,):(2,)+0
grid = pairs.reshape(2, 3).T  # -> view (3, 2):(2, 6)+0
# en: Four bytes each, and the next begins only two bytes on: neighbours share half of what they are.
# zh: 每个元素四个字节，而下一个只隔两个字节就开始：相邻元素共用一半字节。
overlapping = np.ndarray((5,), np.int32, memory, strides=(2,))  # -> view (5,):(2,)+0
tensor = torch.frombuffer(memory, dtype=torch.int32)  # -> view (3,):(1,)+0
# en: Python reads its own memory as a grid, too.
# zh: Python 也能把自己的内存读成网格。
window = memoryview(memory).cast('h', [3, 2])  # -> memoryview
window.strides  # -> (4, 2)
# en: One byte written, and everybody sees it.
# zh: 写入一个字节，所有人都看得到。
memory[4] = 255  # -> write pairs, grid, overlapping, tensor
# en: As long as anybody reads it, the memory must stay where it is.
# zh: 只要还有人在读，这块内存就必须留在原处。
memory.append(12)  # -> BufferError
