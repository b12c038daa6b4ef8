import time, timeit, functools
from dataclasses import dataclass, field
count = 0
@functools.lru_cache(maxsize=None)
def strides(shape):
    global count
    count += 1
    return shape[1:]
def outer():
    n = 0
    def inner():
        nonlocal n
        n += 1
        return n
    return inner() + inner()
@dataclass
class Config:
    sizes: list = field(default_factory=list)
    scale: float = field(default=2.5)
x = torch.zeros(2, 3)
t = time.perf_counter()
strides((2, 3)), strides((2, 3)), outer(), Config()
print(f"{time.perf_counter() - t:.3f}", count, round(t, 2))
opt = torch.optim.SGD([x], lr=0.1)
opt.step()
timeit.timeit(lambda: x.add_(1), number=3)
x
