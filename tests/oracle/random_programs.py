"""Random programs over the operations of both libraries, written against the live shapes so that most lines succeed
and a fair share fail the way people's lines do: a dim too far, a size that does not divide, a -1 too many."""
import random

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Writer:
    def __init__(self, lib, seed, recorder):
        self.rng = random.Random(f"{lib}/{seed}")
        self.recorder = recorder
        self.lib = lib
        self.lines = []

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
            self.add(self.line())
        return self.lines

    def add(self, line):
        self.recorder.run(line)
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


class Torch(Writer):
    def creation(self, shape, numel):
        dtype = self.rng.choice(["", "", "", ", dtype=torch.float32", ", dtype=torch.int32", ", dtype=torch.uint8", ", dtype=torch.int16"])
        return self.rng.choice([
            f"torch.arange({numel}{dtype}).view({self.args(shape)})",
            f"torch.arange({numel}{dtype}).reshape({self.args(shape)})",
            f"torch.arange({numel})",
            f"torch.zeros({self.args(shape)}{dtype})",
            f"torch.ones({self.args(shape)}{dtype})",
            f"torch.full({self.tuple(shape)}, {self.rng.randint(0, 9)})",
            f"torch.arange(3, {numel + 3}).view({self.args(shape)})",
            f"torch.tensor({self.rng.choice([7, [1, 2, 3], [[1, 2], [3, 4]], [[1.5, 2.0]], [True, False]])})",
            f"torch.arange({numel + 4})[4:].view({self.args(shape)})",
        ])

    def operation(self, x, value, shape, live):
        rng, rank, numel = self.rng, len(shape), value.numel()
        d, e = self.dim(rank), self.dim(rank)
        n = shape[d] if -rank <= d < rank else 1
        other = rng.choice(live)[0]
        broadcast = [rng.choice([-1, s]) if s != 1 else rng.choice([1, 2, 3]) for s in shape]
        expand = [rng.choice([1, 2, 3]) for _ in range(rng.choice([0, 0, 1, 2]))] + broadcast
        forms = [
            f"{x}.view({self.args(self.sizes(numel))})", f"{x}.view({self.args(self.merged(shape))})",
            f"{x}.reshape({self.args(self.sizes(numel))})", f"{x}.reshape({self.args(self.merged(shape))})",
            f"{x}.view(-1)", f"{x}.flatten()", f"{x}.flatten({d}, {e})", f"{x}.ravel()",
            f"{x}.permute({self.args(self.permutation(rank))})", f"torch.permute({x}, {self.tuple(self.permutation(rank))})",
            f"{x}.transpose({d}, {e})", f"{x}.swapaxes({d}, {e})", f"{x}.t()", f"{x}.T", f"{x}.mT",
            f"{x}.movedim({d}, {e})", f"torch.movedim({x}, {self.tuple([d, e])}, {self.tuple([e, d])})",
            f"{x}.squeeze()", f"{x}.squeeze({d})", f"{x}.squeeze({self.tuple([d, e])})", f"{x}.unsqueeze({self.dim(rank, 1)})",
            f"{x}.expand({self.args(expand)})", f"{x}.broadcast_to({self.tuple(expand)})", f"{x}.expand_as({other})",
            f"{x}.narrow({d}, {rng.randint(-n, n)}, {rng.randint(0, max(n, 1))})",
            f"{x}.select({d}, {rng.randint(-n, max(n - 1, 0))})",
            f"{x}.unfold({d}, {rng.randint(0, n + (1 if self.chance(0.1) else 0))}, {rng.choice([1, 1, 2, 3, 0])})",
            f"{x}.diagonal({rng.randint(-3, 3)}, {d}, {e})", f"{x}.diagonal()",
            f"{x}.as_strided({self.tuple([rng.choice([1, 2, 3]) for _ in range(2)])}, {self.tuple([rng.choice([0, 1, 2, 3, 5]) for _ in range(2)])}"
            + rng.choice(["", ", 0", f", {rng.randint(0, 4)}"]) + ")",
            f"{x}.unflatten({d}, {self.tuple(self.sizes(n))})",
            f"{x}[{self.index(shape)}]", f"{x}[{self.index(shape)}]", f"{x}[{self.index(shape)}]", f"{x}[{self.index(shape, advanced=True)}]",
            f"{x}.contiguous()", f"{x}.clone()", f"{x}.contiguous(memory_format=torch.channels_last)",
            f"{x}.to(memory_format=torch.channels_last)", f"{x}.clone(memory_format=torch.contiguous_format)",
            f"{x}.repeat({self.args([rng.choice([1, 2]) for _ in range(rank + rng.choice([0, 0, 1]))])})", f"{x}.tile({self.args([2])})",
            f"{x}.repeat_interleave(2)", f"{x}.repeat_interleave(2, {d})",
            f"{x}.flip({d})", f"torch.flip({x}, {self.tuple([d, e])})", f"{x}.fliplr()", f"{x}.flipud()",
            f"{x}.roll({rng.randint(-2, 3)}, {d})", f"{x}.roll({rng.randint(-2, 3)})", f"{x}.rot90({rng.randint(0, 3)}, {self.tuple([d, e])})",
            f"torch.stack([{x}, {x}], {self.dim(rank, 1)})", f"torch.cat([{x}, {other}], {d})", f"torch.cat([{x}, {x}], {d})",
            f"torch.vstack([{x}, {x}])", f"torch.hstack([{x}, {x}])", f"torch.dstack([{x}, {x}])",
            f"{x}.unbind({d})", f"{x}.split({rng.randint(1, 3)}, {d})", f"{x}.chunk({rng.randint(1, 4)}, {d})",
            f"{x}.split({[1, n - 1]}, {d})", f"{x}.tensor_split({rng.randint(1, 4)}, {d})", f"{x}.hsplit(2)",
            f"{x}.to(torch.float32)", f"{x}.to(torch.int64)", f"{x}.float()", f"{x}.long()",
            f"{x} + 1", f"{x} * 2", f"{x} + {other}", f"{x} - {x}", f"{x} > 2", f"-{x}",
            f"{x}.detach()", f"{x}.data", f"{x}.view_as({other})", f"{x}.reshape_as({other})",
            f"torch.zeros_like({x})", f"torch.ones_like({x})", f"{x}.new_zeros({self.tuple([2, 3])})",
            f"torch.diag({x})", f"torch.diag_embed({x})", f"{x}.index_select({d}, torch.tensor([0]))", f"torch.take({x}, torch.tensor([0]))",
            f"torch.broadcast_tensors({x}, {other})", f"torch.meshgrid({x}.reshape(-1), torch.arange(2), indexing='{rng.choice(['ij', 'xy'])}')",
            f"{x}[{x} > 3]", f"torch.masked_select({x}, {x} > 1)", f"{x}.view(torch.{rng.choice(['int32', 'int16', 'uint8', 'int64'])})",
        ]
        return rng.choice(forms)

    def write(self, x, value, live):
        rng, shape, v = self.rng, list(value.shape), self.rng.randint(50, 99)
        rank = len(shape)
        d, e = self.dim(rank), self.dim(rank)
        return rng.choice([f"{x}[{self.index(shape)}] = {v}", f"{x}.fill_({v})", f"{x}.zero_()", f"{x}.add_(1)", f"{x}.mul_(2)", f"{x}.sub_(2)",
                           f"{x} += 1", f"{x} *= 2", f"{x}.copy_({rng.choice(live)[0]})", f"{x}[{self.index(shape)}] = {rng.choice(live)[0]}",
                           f"{x}.transpose_({d}, {e})", f"{x}.squeeze_()", f"{x}.unsqueeze_({self.dim(rank, 1)})", f"{x}.t_()",
                           f"{x}[{x} > 3] = {v}"])

    def query(self, x, value, live):
        other = self.rng.choice(live)[0]
        return self.rng.choice([f"{x}.shape", f"{x}.size()", f"{x}.stride()", f"{x}.stride({self.dim(value.dim())})", f"{x}.size({self.dim(value.dim())})",
                                f"{x}.storage_offset()", f"{x}.is_contiguous()", f"{x}.is_contiguous(memory_format=torch.channels_last)", f"{x}.numel()",
                                f"{x}.dim()", f"{x}.dtype", f"{x}.data_ptr() == {other}.data_ptr()", f"{x} is {other}", f"{x}.tolist()", f"{x}.element_size()",
                                f"{x}.is_set_to({other})", f"torch.equal({x}, {other})", f"{x}.item()", f"len({x})", f"{x}._is_view()", f"{x}.ndim"])


class NumPy(Writer):
    def creation(self, shape, numel):
        dtype = self.rng.choice(["", "", "", ", dtype=np.float32", ", dtype=np.int32", ", dtype=np.uint8", ", dtype=np.int16"])
        order = self.rng.choice(["", "", "", ", order='F'"])
        return self.rng.choice([
            f"np.arange({numel}{dtype}).reshape({self.args(shape)}{order})",
            f"np.arange({numel}{dtype}).reshape({self.args(shape)})",
            f"np.arange({numel})",
            f"np.zeros({self.tuple(shape)}{dtype}{order})", f"np.ones({self.tuple(shape)}{dtype}{order})",
            f"np.full({self.tuple(shape)}, {self.rng.randint(0, 9)})",
            f"np.array({self.rng.choice([7, [1, 2, 3], [[1, 2], [3, 4]], [[1.5, 2.0]], [True, False]])})",
            f"np.arange({numel + 4})[4:].reshape({self.args(shape)})",
        ])

    def operation(self, x, value, shape, live):
        rng, rank, numel = self.rng, len(shape), value.size
        d, e = self.dim(rank), self.dim(rank)
        n = shape[d] if -rank <= d < rank else 1
        other = rng.choice(live)[0]
        order = rng.choice(["C", "F", "A", "K"])
        reshape_order = rng.choice(["", "", ", order='F'", ", order='A'"])
        broadcast = [rng.choice([1, 2, 3]) for _ in range(rng.choice([0, 0, 1, 2]))] + [s if s != 1 else rng.choice([1, 2, 3]) for s in shape]
        index = lambda advanced=False: self.index(shape, negative=True, none=rng.choice(["None", "np.newaxis"]), advanced=advanced)
        forms = [
            f"{x}.reshape({self.args(self.sizes(numel))}{reshape_order})", f"{x}.reshape({self.args(self.merged(shape))}{reshape_order})",
            f"np.reshape({x}, {self.tuple(self.sizes(numel))}{reshape_order})", f"{x}.reshape(-1)",
            f"{x}.ravel()", f"{x}.ravel('{order}')", f"{x}.flatten('{order}')", f"{x}.flatten()",
            f"{x}.transpose({self.args(self.permutation(rank))})", f"np.transpose({x}, {self.tuple(self.permutation(rank))})", f"{x}.T", f"{x}.transpose()",
            f"{x}.swapaxes({d}, {e})", f"np.moveaxis({x}, {d}, {e})", f"np.moveaxis({x}, {self.tuple([d, e])}, {self.tuple([e, d])})", f"np.rollaxis({x}, {d}, {rng.randint(0, rank)})",
            f"np.expand_dims({x}, {self.dim(rank, 1)})", f"{x}.squeeze()", f"{x}.squeeze({d})", f"np.squeeze({x}, {self.tuple([d, e])})",
            f"{x}[{index()}]", f"{x}[{index()}]", f"{x}[{index()}]", f"{x}[{index()}]", f"{x}[{index(True)}]", f"{x}[::-1]", f"{x}[..., ::-2]",
            f"np.broadcast_to({x}, {self.tuple(broadcast)})", f"np.broadcast_arrays({x}, {other})",
            f"np.flip({x})", f"np.flip({x}, {d})", f"np.fliplr({x})", f"np.flipud({x})", f"np.rot90({x}, {rng.randint(0, 3)})",
            f"np.rot90({x}, {rng.randint(0, 3)}, {self.tuple([d, e])})", f"np.roll({x}, {rng.randint(-2, 3)})", f"np.roll({x}, {rng.randint(-2, 3)}, {d})",
            f"{x}.diagonal({rng.randint(-3, 3)}, {d}, {e})", f"{x}.diagonal()", f"np.diag({x})",
            f"as_strided({x}, {self.tuple([rng.choice([1, 2]) for _ in range(2)])}, {self.tuple([rng.choice([0, 1, 2]) * value.itemsize for _ in range(2)])})",
            f"sliding_window_view({x}, {rng.randint(0, n)}, axis={d})", f"sliding_window_view({x}, {self.tuple([rng.randint(1, max(s, 1)) for s in shape])})",
            f"{x}.copy()", f"{x}.copy('{order}')", f"np.copy({x})", f"np.array({x})", f"np.asarray({x}, order='{rng.choice('CF')}')",
            f"np.ascontiguousarray({x})", f"np.asfortranarray({x})", f"{x}.astype(np.{rng.choice(['float32', 'int64', 'int32', 'uint8'])})",
            f"np.require({x}, requirements=['{rng.choice(['C', 'F', 'W', 'O'])}'])",
            f"np.tile({x}, {self.tuple([rng.choice([1, 2]) for _ in range(rng.randint(1, 3))])})", f"np.repeat({x}, 2)", f"np.repeat({x}, 2, {d})",
            f"np.concatenate([{x}, {other}], {d})", f"np.concatenate([{x}, {x}], {d})", f"np.stack([{x}, {x}], {self.dim(rank, 1)})",
            f"np.vstack([{x}, {x}])", f"np.hstack([{x}, {x}])", f"np.dstack([{x}, {x}])",
            f"np.split({x}, {rng.randint(1, 3)}, {d})", f"np.array_split({x}, {rng.randint(1, 4)}, {d})", f"np.hsplit({x}, 2)", f"np.vsplit({x}, 2)", f"np.split({x}, {[1, n]}, {d})",
            f"{x} + 1", f"{x} * 2", f"{x} + {other}", f"{x} > 2", f"-{x}", f"{x} - {x}.T",
            f"np.zeros_like({x})", f"np.ones_like({x})", f"{x}.view()", f"{x}.view(np.{rng.choice(['int32', 'int16', 'uint8', 'int64'])})",
            f"np.atleast_1d({x})", f"np.atleast_2d({x})", f"np.atleast_3d({x})", f"{x}.mT", f"{x}[{x} > 3]", f"np.take({x}, [0], {d})",
            f"np.meshgrid({x}.ravel(), np.arange(2), indexing='{rng.choice(['ij', 'xy'])}')", f"np.append({x}, {x})", f"np.resize({x}, {self.tuple([2, 3])})",
        ]
        return rng.choice(forms)

    def write(self, x, value, live):
        rng, shape, v = self.rng, list(value.shape), self.rng.randint(50, 99)
        index = self.index(shape, negative=True)
        return rng.choice([f"{x}[{index}] = {v}", f"{x}.fill({v})", f"{x} += 1", f"{x} *= 2", f"{x}[{index}] = {rng.choice(live)[0]}", f"{x}[...] = {x}.T",
                           f"np.copyto({x}, {rng.choice(live)[0]})", f"{x}.shape = {self.tuple(self.sizes(value.size))}", f"{x}[{x} > 3] = {v}", f"{x}[::-1] = {x}"])

    def query(self, x, value, live):
        other = self.rng.choice(live)[0]
        return self.rng.choice([f"{x}.shape", f"{x}.strides", f"{x}.flags.{self.rng.choice(['c_contiguous', 'f_contiguous', 'owndata', 'writeable', 'fnc', 'forc'])}", f"{x}.base is {other}",
                                f"{x}.base is None", f"np.shares_memory({x}, {other})", f"np.may_share_memory({x}, {other})", f"{x} is {other}", f"{x}.ndim", f"{x}.size",
                                f"{x}.nbytes", f"{x}.itemsize", f"np.isfortran({x})", f"{x}.dtype", f"{x}.tolist()", f"{x}.item()", f"len({x})", f"np.array_equal({x}, {other})"])


def write_program(lib, seed, make_recorder):
    return {"torch": Torch, "numpy": NumPy}[lib](lib, seed, make_recorder()).program()
