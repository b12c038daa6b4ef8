# en: NumPy: the fields of a structured array
# en: An element of a structured array is several numbers side by side, and a field is a view that reads one of them in each. Its strides are those of the whole array, so it is not contiguous, and its offset is the place of the field.
# zh: NumPy：结构化数组的字段
# zh: 结构化数组的一个元素由几个相邻的数组成，字段就是从每个元素中只读其中一个的视图。它的步长与整个数组相同，所以不连续，而偏移就是字段所在的位置。
# topic: numpy 4
import numpy as np

dt = np.dtype([('x', 'f4'), ('y', 'f4'), ('id', 'i4')])  # -> dtype([('x', '<f4'), ('y', '<f4'), ('id', '<i4')])
points = np.array([(0.5, 1, 7), (1.5, 2, 8), (2.5, 3, 9)], dtype=dt)  # -> new (3,):(12,)+0
y = points['y']  # -> view (3,):(12,)+4
y[:] = 0  # -> write points, y
# en: One element is no copy either.
# zh: 单个元素也不是副本。
last = points[2]  # -> view ():()+24
last['id'] = 10  # -> write points, last
# en: Fields alone, in memory of their own, lie side by side.
# zh: 把一个字段单独复制出来，它的元素就紧挨着。
packed = points['x'].copy()  # -> copy (3,):(4,)+0
# en: The other way round: columns of a matrix seen as fields.
# zh: 反过来：把矩阵的各列看作字段。
xyz = np.arange(12, dtype='f4').reshape(4, 3)  # -> new (4, 3):(12, 4)+0
seen = xyz.view([('x', 'f4'), ('y', 'f4'), ('z', 'f4')])  # -> view (4, 1):(12, 12)+0
z = seen['z']  # -> view (4, 1):(12, 12)+8
