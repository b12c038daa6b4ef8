# en: Broadcasting repeats without copying
# en: Asked for three rows, NumPy gives the one row a stride of 0 and reads it three times. The result is read-only, for a write would hit all rows at once.
# zh: 广播：重复而不复制
# zh: 要三行时，NumPy 给这一行设步长 0，读它三遍。结果是只读的，因为一次写入会同时改动所有的行。
# topic: numpy 3
import numpy as np

row = np.arange(4)  # -> new (4,):(8,)+0
grid = np.broadcast_to(row, (3, 4))  # -> view (3, 4):(0, 8)+0
grid.strides  # -> (0, 8)
grid[0, 0] = 7  # -> ValueError
