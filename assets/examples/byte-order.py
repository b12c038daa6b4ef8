# en: NumPy: the same bytes in the other order
# en: A file may hold numbers with the most significant byte first (big-endian, `>`), while the machine has it last. The dtype says how bytes are to be read: strides and memory stay what they are.
# zh: NumPy：同样的字节，另一种次序
# zh: 文件里的数可能是高位字节在前（大端序，`>`），而本机的高位字节在后。dtype 说明字节该怎么读：步长和内存不变。
# topic: numpy 6
import numpy as np

big = np.frombuffer(b'\x00\x01\x00\x02\x00\x03\x00\x04', dtype='>u2')  # -> view (4,):(2,)+0
# en: Read as the machine's own: 1 becomes 256.
# zh: 按本机的字节序读取：1 变成 256。
wrong = big.view('<u2')  # -> view (4,):(2,)+0
# en: One byte at a time, each number's last byte first: that is all that swapping bytes is.
# zh: 逐个字节读取，每个数的末位字节在前：颠倒次序不过如此。
turned = big.view('u1').reshape(4, 2)[:, ::-1]  # -> view (4, 2):(2, -1)+1
# en: The same numbers in the machine's order are a copy.
# zh: 本机字节序的同样数值是一份副本。
own = big.astype('<u2')  # -> copy (4,):(2,)+0
# en: What is computed is in the machine's own byte order.
# zh: 计算所得采用本机的字节序。
total = big + 1  # -> new (4,):(2,)+0
