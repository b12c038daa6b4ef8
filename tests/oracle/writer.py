"""Random programs over the operations of both libraries, written against the live shapes so that most lines succeed
and a fair share fail the way people's lines do: a dim too far, a size that does not divide, a -1 too many."""
import ast
import random

from undefined import undefined

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Writer:
    def __init__(self, lib, seed, recorder):
        self.rng = random.Random(f"{lib}/{seed}")
        self.recorder = recorder
        self.lib = lib
        self.lines, self.records = [], []

    # --- choosing numbers ----------------------------------------------------------------------------------------
    def chance(self, p):
        return self.rng.random() < p

    def dim(self, rank, extra=0):
        """A dim of a tensor of `rank` dimensions, negative half the time, out of range now and then."""
        n = rank + extra
        if n <= 0 or self.chance(0.04):
            return self.rng.choice([-n - 1, n, 0])
        d = self.rng.randrange(n)
        return d - n if self.chance(0.4) else d

    def factors(self, numel):
        """Sizes whose product is `numel`, with ones strewn in."""
        sizes, rest = [], numel
        while rest > 1 and len(sizes) < 5:
            divisors = [d for d in range(2, rest + 1) if rest % d == 0]
            d = self.rng.choice(divisors)
            sizes.append(d)
            rest //= d
        if rest != 1 or numel == 0:
            sizes.append(rest)
        while self.chance(0.25) and len(sizes) < 7:
            sizes.insert(self.rng.randrange(len(sizes) + 1), 1)
        return sizes

    def sizes(self, numel):
        """A target shape for view and reshape; sometimes with -1, sometimes wrong."""
        sizes = self.factors(numel)
        if sizes and self.chance(0.35):
            sizes[self.rng.randrange(len(sizes))] = -1
        if self.chance(0.07):
            i = self.rng.randrange(len(sizes) + 1)
            sizes[i:i + 1] = [self.rng.choice([-1, 0, -2, 5, 7])]
        return sizes

    def merged(self, shape):
        """A shape near `shape`: neighbours merged, a size split; the ones that views are about."""
        sizes = list(shape)
        for _ in range(self.rng.randint(1, 2)):
            if len(sizes) >= 2 and self.chance(0.6):
                i = self.rng.randrange(len(sizes) - 1)
                sizes[i:i + 2] = [sizes[i] * sizes[i + 1]]
            elif sizes:
                i = self.rng.randrange(len(sizes))
                splits = [d for d in range(1, sizes[i] + 1) if sizes[i] % d == 0]
                if splits:
                    d = self.rng.choice(splits)
                    sizes[i:i + 1] = [d, sizes[i] // d]
        return sizes

    def permutation(self, rank):
        dims = list(range(rank))
        self.rng.shuffle(dims)
        if self.chance(0.3):
            dims = [d - rank if self.chance(0.5) else d for d in dims]
        if dims and self.chance(0.05):
            dims[self.rng.randrange(len(dims))] = self.rng.choice([rank, 0, -rank - 1])
        if dims and self.chance(0.03):
            dims.pop()
        return dims

    def slice(self, n, negative):
        def end():
            return "" if self.chance(0.45) else str(self.rng.randint(-n - 1, n + 1))
        text = f"{end()}:{end()}"
        if self.chance(0.35):
            steps = [1, 2, 3] + ([-1, -2, -1] if negative else []) + ([0, -1] if self.chance(0.05) else [])
            text += f":{self.rng.choice(steps)}"
        return text

    def index(self, shape, negative=False, none="None", advanced=False):
        keys, dots = [], False
        for n in shape[:self.rng.randint(0, len(shape))]:
            if self.chance(0.1):
                keys.append(none)
            if not dots and self.chance(0.1):
                keys.append("...")
                dots = True
                break
            if self.chance(0.35):
                keys.append(str(self.rng.randint(-n, n - 1) if n and not self.chance(0.05) else n))
            elif advanced and n and self.chance(0.15):
                keys.append(str([self.rng.randint(-n, n - 1) for _ in range(self.rng.randint(1, 3))]))
            else:
                keys.append(self.slice(n, negative))
        if self.chance(0.1):
            keys.append(none)
        if not keys:
            keys = [self.rng.choice(["...", ":", none, "..."]) if shape else "..."]
        return ", ".join(keys)

    @staticmethod
    def spread(sizes):
        return ", ".join(map(str, sizes))

    @staticmethod
    def tuple(sizes):
        return "(" + ", ".join(map(str, sizes)) + ("," if len(sizes) == 1 else "") + ")"

    def args(self, sizes):
        return self.tuple(sizes) if self.chance(0.3) or not sizes else self.spread(sizes)

    # --- choosing tensors ----------------------------------------------------------------------------------------
    def tensors(self):
        return [(n, v) for n, v in self.recorder.live()]

    def shape_to_make(self):
        if self.chance(0.06):
            return self.rng.choice([[], [0], [2, 0, 3], [1], [1, 1]])
        return [self.rng.choice([1, 2, 2, 3, 3, 4, 5, 6, 8]) for _ in range(self.rng.randint(1, 4))]

    # --- lines ---------------------------------------------------------------------------------------------------
    def program(self):
        self.add(self.create())
        for _ in range(self.rng.randint(3, 9)):
            if not self.recorder.beyond:
                self.add(self.line())
        return self.lines, self.recorder.settled(self.records)

    def add(self, line):
        """Runs a line; one that leaves what the engine models ends the program, and is not part of it. One whose outcome
        the library leaves open is passed over."""
        if undefined(ast.parse(line).body[0], self.recorder.names):
            return
        record = self.recorder.run(line)
        if not self.recorder.beyond:
            self.records.append(record)
            self.lines.append(line)

    def name(self):
        used = {line.split(" ")[0] for line in self.lines}
        return next(c for c in LETTERS if c not in used)

    def line(self):
        live = self.tensors()
        if not live or self.chance(0.08):
            return self.create()
        name, value = self.rng.choice(live[-3:] if self.chance(0.7) else live)
        roll = self.rng.random()
        if roll < 0.12:
            return self.write(name, value, live)
        if roll < 0.2:
            return self.query(name, value, live)
        expression, shape = name, list(value.shape)
        text = self.operation(expression, value, shape, live)
        return f"{self.name()} = {text}"

    def create(self):
        shape = self.shape_to_make()
        numel = 1
        for n in shape:
            numel *= n
        return f"{self.name()} = {self.creation(shape, numel)}"
