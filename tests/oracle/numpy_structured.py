"""Random programs over NumPy's structured arrays: dtypes of every form, fields and elements read and written, and the
views, copies and texts of the arrays themselves; a field is then an array like any other."""
from numpy_programs import NumPy

CODES = ["i4", "f8", "u1", "f4", "?", "i2", "c8", "f2", "i8", "b1", "<i4", "u2"]
NAMES = ["x", "y", "z", "id", "pos", "w"]
QUERIES = ["shape", "strides", "ndim", "size", "itemsize", "nbytes", "dtype", "base", "flags", "T", "dtype.names",
    "dtype.itemsize", "dtype.alignment", "dtype.descr", "dtype.isalignedstruct", "flags.c_contiguous", "flags['ALIGNED']"]


def has_arrays(dtype):
    """Whether a field of it, or of a field, is an array, which dt[..] and tolist() hand out."""
    return any(dtype[name].shape or dtype[name].names and has_arrays(dtype[name]) for name in dtype.names)



def has_gaps(dtype):
    """Whether there are bytes between its fields, which NumPy leaves as they happen to be."""
    own = sum(dtype[name].itemsize for name in dtype.names) < dtype.itemsize
    return own or any(dtype[name].base.names and has_gaps(dtype[name].base) for name in dtype.names)


def moved(w, x, shape, value, names=False):
    """What moves elements, or asks for their order, whatever they are: strings too."""
    rank, first, some = len(shape), shape[0] if shape else 1, w.rng.randint(-3, 3)
    axis = w.pick("", f", axis={w.rng.randint(-rank - 1, rank)}", f", {w.rng.randrange(rank) if rank else 0}")
    places = [w.rng.randint(-first - (w.chance(0.05)), max(first - 1, 0)) for _ in range(w.rng.randint(1, 3))]
    mask = [w.chance(0.5) for _ in range(first)]
    return w.pick(
        lambda: f"np.repeat({x}, {w.pick(2, 3, [1] * first)}{axis})", lambda: f"np.tile({x}, {w.pick(2, 1, (2, 1), [1, 2])})",
        lambda: f"np.roll({x}, {some}{axis})", lambda: f"np.take({x}, {w.pick(places, some, [places, places])}{axis})",
        lambda: f"{x}.take({places}, mode='{w.pick('clip', 'wrap')}'{axis})" if ", axis" in axis or not axis else f"{x}.take({places})",
        lambda: f"np.delete({x}, {w.pick(some, places, slice(0, 1), mask)}{axis})",
        lambda: f"np.{w.pick('split', 'array_split', 'hsplit', 'vsplit')}({x}, {w.pick(2, 3, [1])})",
        lambda: f"np.insert({x}, {w.pick(some, places)}, {w.pick(value(), value(), x + '.ravel()[0]' if all(shape) else value())}{axis})",
        lambda: f"np.compress({mask}, {x}{w.pick('', ', axis=0')})", lambda: f"np.column_stack([{x}, {x}])", lambda: f"np.dstack([{x}, {x}])",
        lambda: f"np.resize({x}, {w.pick((2, 3), 5, (3,), (7, 1))})", lambda: f"np.take_along_axis({x}, np.array({places}), 0)",
        lambda: f"np.where(np.arange({shape[-1] if shape else 1}) > 0, {x}, {w.pick(x, value() if not names else x, x + '.ravel()[0]' if all(shape) else x)})",
        lambda: f"np.sort({x}{axis}{w.pick('', ', kind=' + repr('stable'))})", lambda: f"np.sort({x}, axis={some})",
        lambda: f"np.argsort({x}, kind='stable'{axis if ',' in axis and '=' in axis else ''})", lambda: f"np.argsort({x}{axis})",
        lambda: f"np.unique({x}{w.pick('', ', return_index=True', ', return_inverse=True', ', return_counts=True')})",
        lambda: f"np.unique({x}, return_inverse=True, return_counts=True)", lambda: f"{x}.swapaxes(0, {rank - 1})", lambda: f"np.diagonal({x})" if rank > 1 else f"np.diag({x})", lambda: f"np.broadcast_arrays({x}, np.zeros((2, 1)))[0]" if rank < 2 else f"{x}.mT",
        lambda: f"np.meshgrid({x}, {x})", lambda: f"np.block([{x}, {x}])", lambda: f"np.copyto({x}, {x})", lambda: f"{x}.tobytes()", lambda: f"np.array2string({x})", lambda: f"np.isin({x}, {x}{w.pick('', '[:1]' if rank else '')})",
        lambda: f"np.unique_{w.pick('values', 'counts', 'inverse', 'all')}({x})", lambda: f"np.unstack({x})",
        lambda: f"np.array_equal({x}, {w.pick(x, x + '[::-1]' if rank else x, x + '.copy()')})",
        lambda: f"np.searchsorted(np.sort({x}.ravel()), {w.pick(x, x + '.ravel()[:1]')}{w.pick('', ', side=' + repr('right'))})",
        lambda: f"np.{w.pick('union1d', 'intersect1d', 'setdiff1d', 'setxor1d')}({x}, {x}{w.pick('', '.ravel()[:1]', '.ravel()[1:]')})",
        lambda: f"np.extract(np.arange({first}) > 0, {x})" if rank == 1 else f"np.rot90({x})",
    )()


class Structured(NumPy):
    def __init__(self, seed, recorder):
        super().__init__("numpy", seed, recorder)

    def tensors(self):
        """What the lines of all arrays go on with: a field, not what it is one of."""
        return [(name, value) for name, value in super().tensors() if not value.dtype.names]

    # --- dtypes --------------------------------------------------------------------------------------------------
    def code(self, deep=0):
        if deep < 1 and self.chance(0.12):
            return self.fields(deep + 1)
        if self.chance(0.12):
            return repr(self.pick("", str(self.rng.randint(1, 3))) + self.rng.choice(CODES))
        return repr(self.rng.choice(CODES))

    def names(self):
        return self.rng.sample(NAMES, self.rng.randint(1, 4))

    def fields(self, deep=0):
        def one(name):
            code, size = self.code(deep), self.pick("", "", "", "", ", 2", ", (3,)", ", (2, 2)", ", 1")
            return f"({name!r}, {code}{'' if code[1].isdigit() else size})"
        names = self.names() + (["x"] if self.chance(0.04) else [])
        return "[" + ", ".join(map(one, names)) + "]"

    def dtype_text(self):
        roll = self.rng.random()
        if roll < 0.2:
            return repr(self.pick(",", ", ").join(self.pick("", "", "", "2", "(2,)", "(2,2)") + self.rng.choice(CODES)
                                                  for _ in range(self.rng.randint(2, 4))))
        if roll < 0.3:
            names = self.names()
            formats = [self.rng.choice(CODES) for _ in names]
            text = f"{{'names': {names}, 'formats': {formats}"
            if self.chance(0.6):
                offsets = self.rng.sample(range(0, 40, 4), len(names))
                text += f", 'offsets': {offsets if self.chance(0.5) else sorted(offsets)}"
            if self.chance(0.4):
                text += f", 'itemsize': {self.rng.choice([64, 60, 8])}"
            if self.chance(0.2):
                text += ", 'aligned': True"
            return text + "}"
        if roll < 0.34:
            return "{" + ", ".join(f"{name!r}: ({self.rng.choice(CODES)!r}, {16 * i})" for i, name in enumerate(self.names())) + "}"
        return self.fields()

    def a_dtype(self):
        text = self.dtype_text()
        return f"np.dtype({text}, align=True)" if self.chance(0.25) else text

    # --- lines ---------------------------------------------------------------------------------------------------
    def creation(self, shape, numel):
        roll = self.rng.random()
        if roll < 0.12:
            return super().creation(shape, numel)
        if roll < 0.3 and numel % 2 == 0 and shape:
            columns = self.rng.choice([2, 3, 4])
            kind = self.rng.choice(["f4", "i2", "u1"])
            names = ["x", "y", "z", "w"][:columns]
            return (f"np.arange({numel * columns}, dtype='{kind}').reshape({self.tuple([*shape, columns])})"
                    f".view({[(name, kind) for name in names]})")
        make = self.pick("zeros", "zeros", "ones", "full")
        value = f", {self.rng.choice([3, 2.5, True])}" if make == "full" else ""
        order = self.pick("", "", ", order='F'")
        return f"np.{make}({self.tuple(shape)}{value}, dtype={self.a_dtype()}{order})"

    def value_of(self, dtype):
        """A value for an element of a dtype, as a program writes it."""
        if dtype.names:
            parts = [self.value_of(dtype[name]) for name in dtype.names]
            if self.chance(0.05):
                parts.append("1")
            return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"
        if dtype.shape and self.chance(0.7):
            return "[" + ", ".join(str(self.rng.randint(0, 9)) for _ in range(dtype.shape[-1])) + "]"
        return self.pick(str(self.rng.randint(0, 100)), "1.5", "True", str(self.rng.randint(0, 100)))

    def name_of_field(self, value):
        return self.rng.choice(value.dtype.names) if not self.chance(0.04) else "nope"

    def line(self):
        structured = [(name, value) for name, value in self.recorder.live() if value.dtype.names]
        if not structured or self.chance(0.25):
            return super().line()
        x, value = self.rng.choice(structured[-3:])
        shape, rank = list(value.shape), value.ndim
        element = "".join(f"[{self.rng.randrange(n)}]" for n in shape) if all(shape) and rank else None
        field = repr(self.name_of_field(value))
        roll = self.rng.random()
        if roll < 0.2:
            return self.writing(x, value, element, field)
        if roll < 0.34:
            return self.pick(f"{x}.{self.rng.choice(QUERIES)}", f"print({x})", f"repr({x})" if value.size < 60 else f"print({x})", f"str({x}.dtype)", *([f"{x}.dtype[{field}]"] if not has_arrays(value.dtype) else []),
                             f"repr({x}.dtype)", f"len({x}.dtype)", *([f"print({x}{element})", f"repr({x}{element})",
                             f"{x}{element}[{field}]"] if element else []),
                             *([f"{x}{element}.item()", f"{x}.tolist()"] if element and not has_arrays(value.dtype) else []))
        return f"{self.name()} = {self.made(x, value, shape, element, field)}"

    def made(self, x, value, shape, element, field):
        rank = len(shape)
        some = self.rng.sample(list(value.dtype.names), self.rng.randint(1, len(value.dtype.names)))
        if self.chance(0.25) and not has_gaps(value.dtype):
            return moved(self, x, shape, lambda: self.value_of(value.dtype), True)
        if self.chance(0.05) and not has_gaps(value.dtype):
            order = self.pick(field, some, some[::-1])
            return self.pick(f"np.sort({x}, order={order})", f"np.argsort({x}, order={order}, kind='stable')")
        return self.pick(
            lambda: f"{x}[{field}]", lambda: f"{x}[{field}]", lambda: f"{x}[{field}]", lambda: f"{x}[{some}]",
            lambda: f"{x}[{field}][{self.index(shape, True)}]", lambda: f"{x}[{self.index(shape, True)}][{field}]",
            lambda: f"{x}[{self.index(shape, True, advanced=True)}]", lambda: f"{x}{element}" if element else x,
            lambda: f"{x}.T", lambda: f"{x}.transpose({self.args(self.permutation(rank))})",
            lambda: f"{x}.reshape({self.args(self.sizes(value.size))})", lambda: f"{x}.ravel({self.pick('', self.order())})",
            lambda: f"{x}.flatten({self.pick('', self.order())})", lambda: f"{x}.copy({self.pick('', self.order())})",
            lambda: f"np.asfortranarray({x})", lambda: f"np.ascontiguousarray({x})", lambda: f"np.array({x}, ndmin={rank + 1})",
            lambda: f"np.asarray({x})", lambda: f"np.asarray({x}, dtype={x}.dtype)", lambda: f"np.asarray({x}, dtype=np.dtype({x}.dtype.descr))" if not has_gaps(value.dtype) and not value.dtype.isalignedstruct else f"{x}.view()", lambda: f"{x}.view({self.rng.choice(CODES)!r})" if not has_gaps(value.dtype) else f"{x}.view()",
            lambda: f"{x}.view({self.a_dtype()})" if not has_gaps(value.dtype) else f"{x}[...]",
            lambda: f"np.zeros_like({x})", lambda: f"np.ones_like({x})", lambda: f"np.full_like({x}, 7)", lambda: f"{x}[::-1].copy()",
            lambda: f"np.broadcast_to({x}, {self.tuple([2, *shape])})",
            lambda: f"{x} {self.pick('==', '!=')} {self.pick(x, x + '[::-1]' if rank == 1 else x, x + element if element else x, x + '.copy()', '1', 'None')}"
            if rank < 2 or value.flags.c_contiguous else f"{x} == 1", lambda: f"{x}.squeeze()", lambda: f"np.expand_dims({x}, 0)",
            lambda: f"np.flip({x})", lambda: f"np.array([{self.value_of(value.dtype)}, {self.value_of(value.dtype)}], dtype={x}.dtype)",
            lambda: f"np.array({self.value_of(value.dtype)}, dtype={x}.dtype)", lambda: f"{x}.{self.pick('nbytes', 'strides', 'base')}",
        )()

    def writing(self, x, value, element, field):
        whole, shape = self.value_of(value.dtype), value.shape
        return self.pick(
            lambda: f"{x}[{field}] = {self.rng.randint(0, 50)}", lambda: f"{x}[{field}] = 2.5", lambda: f"{x}[{field}][...] = 7",
            lambda: f"{x}[...] = {whole}", lambda: f"{x}[:1] = {whole}" if value.ndim else f"{x}[()] = {whole}",
            lambda: f"{x}.sort({self.pick('', 'order=' + field)})" if not has_gaps(value.dtype) else f"{x}[...] = 3",
            lambda: f"{x}[...] = 3", lambda: f"{x}.fill({whole})",
            lambda: f"{x}[...] = {x}[::-1]" if value.ndim and not has_gaps(value.dtype) else f"{x}[...] = {x}",
            lambda: f"{x}{element} = {whole}" if element else f"{x}[...] = 1",
            lambda: f"{x}[[0, -1]] = {whole}" if element and not has_gaps(value.dtype) else f"{x}[...] = 1",
            lambda: f"{x}[np.arange({shape[0]}) % 2 == {self.rng.randint(0, 1)}] = {whole}" if element and not has_gaps(value.dtype) else f"{x}[...] = 1",
            lambda: f"{x}[[0]] = {x}[-1:]" if element and not has_gaps(value.dtype) else f"{x}[...] = 1",
            lambda: f"{x}{element}[{field}] = 5" if element else f"{x}[{field}] = 1",
            lambda: f"{x}{element}[{self.rng.randint(-2, 2)}] = 6" if element else f"{x}[{field}] = 0",
        )()
