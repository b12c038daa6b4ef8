import numpy as np
a = np.arange(24).reshape(2, 3, 4)[:, ::-1]
b = np.lib.stride_tricks.sliding_window_view(a, (2, 2), axis=(1, 2))
c = np.lib.stride_tricks.as_strided(a, (3, 3), (8, 8))
d = np.concatenate([a, a], axis=1).T.copy(order="F")
a.flags.writeable = False
a[0] = 1
e = d.view(np.int16)
d.shape = (-1,)
