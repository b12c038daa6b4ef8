# Broadcasting repeats without copying
# 广播：重复而不复制
import numpy as np

row = np.arange(4)
grid = np.broadcast_to(row, (3, 4))
grid.strides
