import itertools, torch
from dataclasses import dataclass
x = torch.arange(24).view(2, 3, 4)
def rows(t, *rest):
    for i in range(t.shape[0]):
        if i % 2: yield t[i]
        else: yield from (t[i], *rest)
def endless():
    while True:
        try:
            yield next(itertools.cycle([1]))
        except (StopIteration, TypeError):
            return
class Walk:
    def __iter__(self): yield from rows(x)
for k, r in zip(itertools.count(1), rows(x, x)): r += k
a, *b = Walk()
g = endless()
next(g), list(itertools.islice(g, 2)), any(map(lambda i: i > 0, g)), 2 in itertools.chain(rows([1, 2]), g)
@dataclass(frozen=True)
class Layout:
    sizes: tuple
    strides: tuple = (1,)
{Layout((2,)): 1}[Layout((2,), (1,))]
