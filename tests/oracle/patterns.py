"""Random patterns of einops, in programs of either library: most fit the tensor, some miss as people's do."""
from numpy_programs import NumPy
from torch_programs import Torch

NAMES = ["b", "c", "h", "w", "t", "batch", "head", "p1", "d_k", "x"]
LEFTOVERS = ["_", "h_", "2h", "h h", ")", "(", "...", ".", "->", "1", "()", "0", "3", "h-w", "axis"]


class Patterns:
    """Mixed into a Writer: its lines call einops."""

    def program(self):
        self.add("import einops")
        return super().program()

    def operation(self, x, value, shape, live):
        if self.chance(0.25):
            return super().operation(x, value, shape, live)
        roll = self.rng.random()
        if roll < 0.05:
            return self.einsum(x, live)
        if roll < 0.1:
            return self.pack(x, shape, live)
        if roll < 0.14:
            return f"einops.parse_shape({x}, {self.named(shape)!r})"
        if roll < 0.16 and self.lib == "numpy":  # of a tensor, the recorder cannot tell whose memory it is
            return f"einops.asnumpy({x})"
        return self.rearrange(x, shape, live)

    def spoilt(self, pattern):
        if not self.chance(0.08):
            return pattern
        parts = pattern.split(" ")
        i = self.rng.randrange(len(parts) + 1)
        parts[i:i + self.rng.randint(0, 1)] = [self.rng.choice(LEFTOVERS + NAMES)]
        return " ".join(parts)

    def named(self, shape):
        words = self.rng.sample(NAMES, len(shape))
        for i, size in enumerate(shape):
            if self.chance(0.25):
                words[i] = self.rng.choice(["_", str(size), "()" if size == 1 else "_"])
        if words and self.chance(0.2):
            words[self.rng.randrange(len(words)):] = ["..."]
        return self.spoilt(" ".join(words))

    def rearrange(self, x, shape, live):
        rng, given, names = self.rng, {}, rng_names(self.rng)
        listed = self.chance(0.06)
        if listed:
            shape = [2] + shape
        left, axes = [], []  # axes: name, size
        dots = len(shape) > 1 and self.chance(0.15)
        first, last = sorted(rng.sample(range(len(shape) + 1), 2)) if dots else (0, 0)
        for d, size in enumerate(shape):
            if first <= d < last:
                if d == first:
                    left.append("...")
                    axes.append(("...", 0))
                continue
            splits = [k for k in range(1, size + 1) if size % k == 0]
            if size == 1 and self.chance(0.6):
                left.append(rng.choice(["1", "()"]))
            elif splits and self.chance(0.3):
                a, b, k = next(names), next(names), rng.choice(splits)
                if self.chance(0.04):
                    k += 1
                if not self.chance(0.05):
                    given[(a, b)[self.chance(0.5)]] = k
                    if self.chance(0.1):
                        given[a], given[b] = k, size // max(k, 1)
                axes += [(a, 0), (b, 0)]
                left.append(f"({a} {b})")
            else:
                a = next(names)
                axes.append((a, size))
                left.append(a)
                if self.chance(0.05):
                    given[a] = size if self.chance(0.7) else size + 1
        right = [name for name, _ in axes]
        if not self.chance(0.3):
            rng.shuffle(right)
        call, extra = "rearrange", ""
        roll = rng.random()
        if roll < 0.25:
            call = "repeat"
            for _ in range(rng.randint(1, 2)):
                new = str(rng.choice([2, 3])) if self.chance(0.4) else next(names)
                if not new.isdigit() and not self.chance(0.05):
                    given[new] = rng.choice([1, 2, 3, 0])
                right.insert(rng.randrange(len(right) + 1), new)
        elif roll < 0.55:
            call = "reduce"
            right = [name for name in right if not self.chance(0.4)]
            if self.chance(0.1) and left:
                i = rng.randrange(len(left))
                if left[i].isalpha() and left[i] not in right:
                    left[i] = str(shape[i]) if len(left) == len(shape) else left[i]
            extra = ", " + repr(rng.choice(["min", "max", "sum", "mean", "prod", "any", "all", "sum", "max",
                                            "median", "rearrange"][:9 if self.chance(0.95) else 11]))
        words, i = [], 0
        while i < len(right):
            many = rng.choice([1, 1, 1, 2, 2, 3])
            part = right[i:i + many]
            i += many
            words.append("(" + " ".join(part) + ")" if len(part) > 1 or self.chance(0.05) else part[0])
        if self.chance(0.1):
            words.insert(rng.randrange(len(words) + 1), rng.choice(["1", "()"]))
        pattern = self.spoilt(" ".join(left) + " -> " + " ".join(words))
        keywords = "".join(f", {name}={size}" for name, size in given.items())
        what = f"[{x}, {x if self.chance(0.7) else rng.choice(live)[0]}]" if listed else x
        return f"einops.{call}({what}, {pattern!r}{extra}{keywords})"

    def einsum(self, x, live):
        other = self.rng.choice(live)
        a = [self.rng.choice(NAMES[:6]) for _ in dict(live)[x].shape]
        b = [self.rng.choice(a + NAMES[:6]) for _ in other[1].shape]
        out = [name for name in dict.fromkeys(a + b) if self.chance(0.6)]
        pattern = self.spoilt(f"{' '.join(a)}, {' '.join(b)} -> {' '.join(out)}")
        return f"einops.einsum({x}, {other[0]}, {pattern!r})"

    def pack(self, x, shape, live):
        words = self.rng.sample(NAMES, max(len(shape) - self.rng.randint(0, 1), 0))
        words.insert(self.rng.randrange(len(words) + 1), "*")
        pattern = self.spoilt(" ".join(words))
        if self.chance(0.5):
            return f"einops.pack([{x}, {x if self.chance(0.8) else self.rng.choice(live)[0]}], {pattern!r})"
        rank = len(shape)
        d = words.index("*")
        size = shape[d] if d < rank else 3
        cut = self.rng.randint(0, size)
        parts = [(cut,), self.rng.choice([(size - cut,), (1, size - cut), (-1,), (-1, 1), (size,)])]
        return f"einops.unpack({x}, {parts}, {pattern!r})"


def rng_names(rng):
    names = rng.sample(NAMES, len(NAMES))
    yield from names
    for i in range(100):
        yield f"n{i}"


class TorchPatterns(Patterns, Torch):
    def __init__(self, seed, recorder):
        super().__init__("torch", seed, recorder)


class NumPyPatterns(Patterns, NumPy):
    def __init__(self, seed, recorder):
        super().__init__("numpy", seed, recorder)
