"""What arguments of NumPy's operations can be, at random: dtypes, orders, shapes, axes, keys, strides."""
import numpy as np

from writer import Writer

INTEGERS = ["int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64"]
DTYPES = ["bool", *INTEGERS, "float64", "float32", "float16", "complex64", "complex128"]



class NumPyWords(Writer):
    def tensors(self):
        """What to go on with: not the windows of windows that no memory holds once they are copied."""
        return [(n, v) for n, v in super().tensors() if v.size <= 5000]

    # --- words ---------------------------------------------------------------------------------------------------
    def pick(self, *choices):
        return self.rng.choice(choices)

    def dtype(self):
        name = self.rng.choice(DTYPES if self.chance(0.6) else ["int64", "int32", "float64", "float32", "uint8",
            "int16"])
        if self.chance(0.08):
            return self.pick("int", "float", "bool", "'i4'", "'f8'", "'u1'", "'<i2'", "np.dtype('int32')", "np.intp",
                "np.single", "np.double", "'?'")
        return f"np.{name}" if self.chance(0.8) else f"'{name}'"

    def order(self):
        order = self.pick("C", "F", "A", "K", "F", "C")
        if self.chance(0.02):
            order = self.pick("c", "f", "Q", "k")
        return f"'{order}'"

    def keywords(self, *given):
        """Some of the given keyword arguments, each after a comma."""
        return "".join(f", {one}" for one in given if self.chance(0.3))

    def shape_text(self, sizes):
        return str(sizes[0]) if len(sizes) == 1 and self.chance(0.4) else str(list(sizes)) if self.chance(
            0.1) else self.tuple(sizes)

    def some_shape(self):
        return [self.pick(0, 1, 1, 2, 2, 3, 4) for _ in range(self.pick(0, 1, 2, 2, 3))]

    def axes(self, rank, count=None):
        """A tuple of axes, distinct as a rule."""
        axes = list(range(rank))
        self.rng.shuffle(axes)
        axes = axes[:self.rng.randint(0, min(rank, 3)) if count is None else count]
        if self.chance(0.06):
            axes.append(self.dim(rank))
        return self.tuple([a - rank if self.chance(0.3) else a for a in axes])

    def broadcast_shape(self, shape):
        sizes = [s if s != 1 else self.pick(1, 2, 3, 0) for s in shape]
        if sizes and self.chance(0.08):
            sizes[self.rng.randrange(len(sizes))] = self.pick(1, 2, 5, -1, 0)
        sizes = [self.pick(1, 2, 3) for _ in range(self.pick(0, 0, 1, 2))] + sizes
        return sizes[1:] if sizes and self.chance(0.05) else sizes

    def number(self):
        return self.pick("1", "2", "3", "0", "7", "-1", "2.0", "0.5", "True", "np.int32(3)", "np.float32(1.5)",
            "np.uint8(4)", "-3", "300" if self.chance(0.2) else "5")

    def fitting(self, shape):
        """An array written out that broadcasts to `shape`, or does not quite."""
        sizes = [s if self.chance(0.7) else 1 for s in shape[self.rng.randint(0, len(shape)):]]
        if self.chance(0.1):
            sizes = [1] * self.pick(1, 2) + sizes
        if sizes and self.chance(0.07):
            sizes[self.rng.randrange(len(sizes))] = self.pick(0, 2, 3)
        count = int(np.prod(sizes)) if sizes else 1
        dtype = self.pick("", "", ", dtype=np.float32", ", dtype=np.uint8", ", dtype=np.int16")
        return f"np.arange({count}{dtype}).reshape({self.tuple(sizes)})"

    # --- arrays --------------------------------------------------------------------------------------------------
    def creation(self, shape, numel):
        rng = self.rng
        dtype = f", dtype={self.dtype()}" if self.chance(0.4) else ""
        order = f", order={self.order()}" if self.chance(0.25) else ""
        written = self.pick("7", "1.5", "True", "[1, 2, 3]", "[[1, 2], [3, 4]]", "[[1.5, 2.0]]", "[True, False]", "[]",
            "[[]]", "[[1], [2], [3]]", "[[1, 2], [3]]", "(1, 2.5)",
                            "[[[1, 2]], [[3, 4]]]", "[1, True]", "np.int16(3)", "[np.float32(1), 2]", "range(4)")
        return rng.choice([
            lambda: f"np.arange({numel}{dtype}).reshape({self.args(shape)}{', order=' + self.pick(repr('F'), repr('C')) if self.chance(0.2) else ''})",
            lambda: f"np.arange({numel}{dtype}).reshape({self.args(shape)})",
            lambda: f"np.arange({numel}).reshape({self.tuple(shape)})",
            lambda: f"np.arange({numel}).reshape({self.tuple(shape)}).astype({self.dtype()})",
            lambda: f"np.arange({numel}{dtype})",
            lambda: f"np.arange({rng.randint(-3, 3)}, {rng.randint(-4, 12)}{self.pick('', ', 2', ', -1', ', 3', ', 0.5', ', 0')}{dtype})",
            lambda: f"np.arange({self.pick('3.5', '0.0, 2.0, 0.25', '5, 0, -2', '0, 1, 0.3')}{dtype})",
            lambda: f"np.linspace({rng.randint(-2, 2)}, {rng.randint(-2, 5)}, {self.pick(5, 1, 0, 2, 7)}{self.keywords('endpoint=False')})",
            lambda: f"np.{self.pick('zeros', 'ones', 'zeros', 'empty' if 0 in shape else 'ones')}({self.shape_text(shape)}{dtype}{order})",
            lambda: f"np.full({self.shape_text(shape)}, {self.pick('3', '1.5', 'True', '[1, 2]', '-1', 'np.int8(2)')}{dtype}{order})",
            lambda: f"np.eye({self.pick(2, 3, 4)}{self.keywords('M=' + self.pick('2', '3', '5'), 'k=' + self.pick('1', '-1', '2', '-4', '7'), 'dtype=' + self.dtype(), 'order=' + self.pick(repr('C'), repr('F')))})",
            lambda: f"np.identity({self.pick(1, 2, 3)}{dtype})",
            lambda: f"np.array({written}{dtype}{self.keywords('order=' + self.order(), 'ndmin=' + self.pick('0', '1', '2', '3'), 'copy=' + self.pick('True', 'None', 'False'))})",
            lambda: f"np.asarray({written}{dtype})",
            lambda: f"np.arange({numel + 4})[4:].reshape({self.args(shape)})",
            lambda: f"np.arange({2 * numel})[::2].reshape({self.args(shape)})",
        ])()

    # --- indices -------------------------------------------------------------------------------------------------
    def integers(self, n, count):
        return [self.rng.randint(-n, n - 1) if n and not self.chance(0.01) else self.pick(0, n) for _ in range(count)]

    def index_array(self, n, count):
        """Indices into an axis of size n; `count` of them, or of a shape that broadcasts with that."""
        kind = self.rng.random()
        if kind < 0.35:
            return str(self.integers(n, count))
        if kind < 0.5:
            return f"np.array({self.integers(n, count)})"
        if kind < 0.6:
            return str([[i] for i in self.integers(n, self.pick(1, 2))])
        if kind < 0.68:
            return f"np.array({[self.integers(n, count) for _ in range(2)]}{self.pick('', ', dtype=np.uint8' if n < 0 else '', ', dtype=np.int32', ', order=' + repr('F'))})"
        if kind < 0.74:
            return f"np.array({self.integers(n, 1)[0]})"
        if kind < 0.78:
            return f"np.array({self.integers(n, 1)})"
        if kind < 0.82:
            return f"np.int64({self.integers(n, 1)[0]})"
        if kind < 0.85:
            return self.pick("[]", "np.array([], dtype=int)")
        if kind < 0.97:
            mask = [bool(self.chance(0.5)) for _ in range(n if not self.chance(0.06) else n + 1)]
            return str(mask) if self.chance(0.6) and mask else f"np.array({mask}, dtype=bool)"
        return self.pick("True", "False", "1.5", "'a'", "np.array([1.0])", "np.array(True)", "[True, 1]",
            "np.float64(1.0)")

    def key(self, shape):
        """Everything that may stand in brackets."""
        rng, keys, dots, axis = self.rng, [], False, 0
        advanced = self.chance(0.3)
        count = self.pick(1, 2, 2, 3)
        wanted = rng.randint(0, len(shape)) + (1 if self.chance(0.03) else 0)
        while axis < wanted:
            n = shape[axis] if axis < len(shape) else 1
            roll = rng.random()
            if roll < 0.09:
                keys.append(self.pick("None", "np.newaxis"))
                continue
            if roll < 0.15 and (not dots or self.chance(0.03)):
                keys.append("...")
                dots = True
                left = len(shape) - axis
                axis += rng.randint(0, left) if left > 0 else 0
                continue
            if advanced and roll < 0.55:
                if axis + 1 < len(shape) and self.chance(0.08):
                    keys.append(
                        f"np.arange({n * shape[axis + 1]}).reshape({n}, {shape[axis + 1]}) % {self.pick(2, 3)} == 0")
                    axis += 1
                else:
                    keys.append(self.index_array(n, count))
            elif roll < 0.75:
                keys.append(str(rng.randint(-n, n - 1) if n and not self.chance(0.03) else n))
            else:
                keys.append(self.slice(n, True))
            axis += 1
        if self.chance(0.06):
            keys.append(self.pick("None", "...", "True", "False"))
        if self.chance(0.02):
            return self.pick("()", "...", "None", "(0,)", "[0]", "[]", "(None, ...)", "[[0]]", "slice(1, None)",
                "slice(None, None, -1)", "np.s_[::2]")
        if not keys:
            keys = [self.pick("...", ":", "None", "()")]
        return ", ".join(keys)

    def memory(self, value):
        """Where `value` starts in its owner's memory, and how long that is, in bytes."""
        owner = self.recorder.owner(value)
        if not isinstance(owner, np.ndarray):
            return 0, 0
        return value.__array_interface__["data"][0] - owner.__array_interface__["data"][0], owner.nbytes

    def strided(self, value):
        """Sizes and strides of any kind that stay inside the memory of `value`."""
        start, end = self.memory(value)
        for _ in range(12):
            rank = self.pick(0, 1, 1, 2, 2, 3)
            sizes = [self.pick(1, 2, 3, 4) if not self.chance(0.03) else 0 for _ in range(rank)]
            unit = value.itemsize if self.chance(0.9) else 1
            strides = [self.rng.randint(-4, 6) * unit for _ in range(rank)]
            steps = [(n - 1) * s for n, s in zip(sizes, strides)]
            if 0 in sizes or (start + sum(min(s, 0) for s in steps) >= 0 and start + sum(max(s,
                0) for s in steps) + value.itemsize <= end):
                return sizes, strides
        return list(value.shape), list(value.strides)
