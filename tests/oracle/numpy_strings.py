"""Random programs over NumPy's arrays of strings: dtypes of every form, views of their bytes and characters, elements
read, written and compared, numbers made strings and strings numbers, and strings as fields of structures."""
from numpy_programs import NumPy
from numpy_structured import moved

WORDS = ["a", "bb", " ", "Rex", "Fido", "", "hello", "it's", "é", "日本", "x y", "10", "2.5", "0", "😀", "tab\\t", "longer text"]
QUERIES = ["shape", "strides", "ndim", "size", "itemsize", "nbytes", "dtype", "base", "flags", "T", "dtype.kind", "dtype.name",
    "dtype.itemsize", "dtype.str", "dtype.char", "dtype.num", "dtype.descr", "dtype.alignment", "flags.c_contiguous",
    "dtype.type", "dtype.byteorder", "dtype.fields", "dtype.names"]


class Strings(NumPy):
    def __init__(self, seed, recorder):
        super().__init__("numpy", seed, recorder)

    def tensors(self):
        """What the lines of all arrays go on with: those of numbers."""
        return [(name, value) for name, value in super().tensors() if value.dtype.kind not in "SUV"]

    def word(self, bytes_=False):
        word = self.rng.choice(WORDS)
        if bytes_:
            return "b" + repr(word) if word.isascii() else "b'q'"
        return "'" + word + "'" if "'" not in word else f'"{word}"'

    def item(self, bytes_=False):
        if self.chance(0.12):
            return self.pick("5", "1.5", "True", "-12", "None" if self.chance(0.3) else "7", "2j", "np.int8(3)", "np.float32(0.5)")
        return self.word(bytes_ != self.chance(0.05))

    def code(self):
        return self.pick("'U3'", "'U5'", "'S3'", "'S4'", "'<U2'", "'|S2'", "'U1'", "'S1'", "'U10'", "np.dtype('U4')")

    def flexible(self):
        return self.pick("str", "'U'", "'S'", "bytes", "np.str_", "'str'")

    def dtype_text(self):
        return self.code() if not self.chance(0.2) else self.flexible()

    def nested(self, shape, bytes_):
        if not shape:
            return self.item(bytes_)
        return "[" + ", ".join(self.nested(shape[1:], bytes_) for _ in range(shape[0])) + "]"

    def creation(self, shape, numel):
        roll = self.rng.random()
        if roll < 0.2:
            return super().creation(shape, numel)
        if numel > 24:
            shape, numel = [2, 3], 6
        if roll < 0.65:
            asked = f", dtype={self.dtype_text()}" if self.chance(0.35) else ""
            return f"np.array({self.nested(shape, self.chance(0.25))}{asked}{self.pick('', '', ', ndmin=2')})"
        if roll < 0.8:
            return f"np.{self.pick('zeros', 'ones', 'full')}({self.tuple(shape)}, dtype={self.dtype_text()})".replace(
                "full(" + self.tuple(shape), f"full({self.tuple(shape)}, {self.item()}")
        if roll < 0.9:
            return f"np.full({self.tuple(shape)}, {self.word(self.chance(0.2))})"
        return f"np.array([('Rex', 9), ({self.word()}, 3)], dtype=[('name', {self.code()}), ('age', 'i4')])[{self.pick(repr('name'), ':', ':')}]"

    def line(self):
        strings = [(name, value) for name, value in self.recorder.live() if value.dtype.kind in "SU"]
        structured = [(name, value) for name, value in self.recorder.live() if value.dtype.names]
        if structured and self.chance(0.2):
            return self.of_structure(*self.rng.choice(structured))
        if not strings or self.chance(0.2):
            return super().line() if self.tensors() and self.chance(0.7) else f"{self.name()} = {self.creation([3], 3)}"
        x, value = self.rng.choice(strings[-3:])
        shape, rank = list(value.shape), value.ndim
        element = "".join(f"[{self.rng.randrange(n)}]" for n in shape) if all(shape) and rank else None
        roll = self.rng.random()
        if roll < 0.2:
            return self.writing(x, value, element)
        if roll < 0.4:
            return self.pick(f"{x}.{self.rng.choice(QUERIES)}", f"print({x})", f"repr({x})", f"str({x}.dtype)",
                             f"repr({x}.dtype)", f"{x}.tolist()", f"{self.word()} in {x}", f"len({x})",
                             *([f"{x}{element}", f"print({x}{element})", f"{x}{element}",
                                f"{x}{element} == {self.word()}", f"len({x}{element})", f"repr({x}{element})", f"{x}{element} + 'z'" if value.dtype.kind == "U" else f"{x}{element}",
                                f"type({x}{element})", f"isinstance({x}{element}, str)", f"list({x})" if rank == 1 else f"print({x})"] if element else []))
        return f"{self.name()} = {self.made(x, value, shape, element, [name for name, _ in strings])}"

    def of_structure(self, x, value):
        size = value.shape[0] if value.ndim else 0
        i = self.rng.randrange(size) if size else None
        return self.pick(
            f"print({x})", f"{x}.tolist()", f"repr({x})", f"{self.name()} = {x}['name']", f"{x}.dtype", f"{x}.itemsize",
            f"{self.name()} = {x}.copy()", f"{x}['name'] = {self.item()}", f"{x}[...] = ({self.word()}, 4)",
            *([f"{x}[{i}]", f"{x}[{i}]['name']", f"{x}[{i}].item()", f"{x}[{i}] = ({self.item()}, {self.rng.randint(0, 9)})",
               f"{x}[[{i}]] = ({self.word()}, 1)", f"{x}[{x}['age'] > 4] = ({self.word()}, 2)",
               f"{self.name()} = {x}[{x}['name'] == {self.word()}]", f"{x}['name'][{i}] = {self.item()}",
               f"{x}[{i}]['name'] = {self.item()}"] if i is not None and value.ndim == 1 else []))

    def made(self, x, value, shape, element, strings):
        rank = len(shape)
        if self.chance(0.12):
            return self.reckoned(x, value, strings)
        if self.chance(0.3):
            return moved(self, x, shape, lambda: self.item(value.dtype.kind == "S"))
        if self.chance(0.08):
            words = f"[{self.word(value.dtype.kind == 'S')}, {self.word(value.dtype.kind == 'S')}]"
            return self.pick(f"np.nonzero({x})", f"np.count_nonzero({x})", f"np.any({x}, axis=0)", f"{x}.all()", f"np.argmax({x})",
                             f"{x}.argmin({self.pick('', 'axis=0')})", f"np.argwhere({x})", f"np.flatnonzero({x})", f"np.isin({x}, {words})", f"np.union1d({x}, {words})", f"np.setdiff1d({x}, {words})",
                             f"np.intersect1d({words}, {x})", f"np.searchsorted(np.sort({x}.ravel()), {words})",
                             f"np.sort({words})", f"np.unique({words})", f"np.where([True, False], {self.item()}, {self.word()})")
        return self.pick(
            lambda: f"{x}[{self.index(shape, True)}]", lambda: f"{x}[{self.index(shape, True, advanced=True)}]",
            lambda: f"{x}[::-1]", lambda: f"{x}.T", lambda: f"{x}.transpose({self.args(self.permutation(rank))})",
            lambda: f"{x}.reshape({self.args(self.sizes(value.size))})", lambda: f"{x}.ravel({self.pick('', self.order())})",
            lambda: f"{x}.flatten({self.pick('', self.order())})", lambda: f"{x}.copy({self.pick('', self.order())})",
            lambda: f"np.asfortranarray({x})", lambda: f"np.ascontiguousarray({x}{self.pick('', ', dtype=' + self.dtype_text())})",
            lambda: f"np.array({x}, ndmin={rank + 1})", lambda: f"np.asarray({x}{self.pick('', ', dtype=' + self.dtype_text())})",
            lambda: f"{x}.view({self.code()})", lambda: f"{x}.view({self.code()})", lambda: f"{x}.view({self.pick('np.uint8', repr('u4'), repr('i4'), repr('u1'))})",
            lambda: f"{x}.view({self.flexible()})", lambda: f"{x}.astype({self.dtype_text()}{self.pick('', '', ', copy=False', ', order=' + self.order())})",
            lambda: f"{x}.astype({self.dtype_text()})", lambda: f"{x}.astype({self.pick('int', 'float', 'bool', repr('f4'), repr('i2'))})",
            lambda: f"np.zeros_like({x})", lambda: f"np.ones_like({x})", lambda: f"np.full_like({x}, {self.item()})",
            lambda: f"np.broadcast_to({x}, {self.tuple([2, *shape])})", lambda: f"{x}.squeeze()", lambda: f"np.expand_dims({x}, 0)",
            lambda: f"np.flip({x})", lambda: f"np.concatenate([{x}, {x}])" if rank else x, lambda: f"np.stack([{x}, {x}])",
            lambda: f"np.concatenate([{x}, {x}.astype({self.code()})])" if rank else x, lambda: f"np.append({x}, {self.item()})",
            lambda: f"np.concatenate([{x}, {self.nested([2], False)}])" if rank == 1 else f"np.vstack([{x}, {x}])",
            lambda: f"np.{self.pick('hstack', 'vstack')}([{x}, {self.rng.choice(strings)}])",
            lambda: f"{x} {self.pick('==', '!=', '==', '<', '>=')} {self.word(value.dtype.kind == 'S')}",
            lambda: f"{x} {self.pick('==', '!=')} {self.pick('1', 'None', self.word(), self.word(True), x, x + '[::-1]' if rank else x)}",
            lambda: f"{x}[{x} == {self.word(value.dtype.kind == 'S')}]", lambda: f"np.array([{self.word()}, {self.word()}], dtype={x}.dtype)",
            lambda: f"np.array(np.arange(3), dtype={self.dtype_text()})", lambda: f"np.arange(4).astype({self.dtype_text()})",
            lambda: f"(np.arange(6.).reshape(2, 3).T / 4).astype({self.dtype_text()})",
            lambda: f"np.lib.stride_tricks.sliding_window_view({x}, 2)" if rank == 1 else x,
            lambda: f"{x}{element}" if element else x,
        )()

    def reckoned(self, x, value, strings):
        """What ufuncs make of strings: those of one kind are joined and compared, and nothing else has a loop."""
        own = value.dtype.kind == "S"
        other = self.pick(self.word(own), self.word(own), self.word(), f"[{self.word(own)}, {self.word(own)}]", x, self.rng.choice(strings),
                          "1", "2.5", "2j", "True", "[1, 2]", "np.arange(2)", "np.float32(2)", "np.uint8(3)", "None", "np.zeros(2, 'i4,i4')")
        turned = self.chance(0.3)
        a, b = (other, x) if turned else (x, other)
        axis = self.pick("", "", "axis=0", "axis=-1", "axis=5", "keepdims=True")
        options = ", " + axis if axis else ""
        operators = ["+", "+", "+", "-", "*", "/", "//", "**", "&", "<<", "<", ">=", "==", "!=", "@"] + ([] if turned else ["%"])
        return self.pick(
            f"{a} {self.pick(*operators)} {b}", f"{a} + {b}",
            f"np.{self.pick('add', 'add', 'subtract', 'multiply', 'divide', 'power', 'maximum', 'fmin', 'gcd', 'hypot', 'bitwise_or', 'less', 'greater', 'equal', 'not_equal', 'logical_and', 'logical_xor', 'matmul', 'left_shift', 'remainder')}({a}, {b})",
            f"np.{self.pick('sqrt', 'negative', 'abs', 'sign', 'positive', 'isnan', 'exp', 'floor', 'logical_not', 'invert', 'square', 'rint')}({x})",
            f"{self.pick('-', '~', '+')}{x}", f"{x}.{self.pick('max', 'min', 'sum', 'prod', 'mean', 'std', 'var')}({axis})",
            f"np.{self.pick('max', 'amin', 'sum', 'mean', 'ptp', 'nansum', 'nanmax', 'nanprod', 'nanstd')}({x}{options})",
            f"{x}.{self.pick('cumsum', 'cumprod')}({self.pick('', 'axis=0', 'axis=7')})", f"np.diff({x})", f"np.round({x}{self.pick('', ', 1', ', -1')})",
            f"np.{self.pick('maximum', 'subtract', 'bitwise_and', 'fmax', 'divide')}.reduce({x})",
            f"np.{self.pick('add', 'multiply', 'minimum', 'subtract')}.accumulate({x})", f"{x} ** 2")

    def writing(self, x, value, element):
        if self.chance(0.15):
            return f"{x} {self.pick('+=', '+=', '+=', '-=', '/=', '**=', '&=')} {self.pick(self.word(value.dtype.kind == 'S'), self.word(), '1', '2', x, 'np.arange(2)')}"
        return self.pick(
            lambda: f"{x}[...] = {self.item()}", lambda: f"{x}[:1] = {self.item()}" if value.ndim else f"{x}[()] = {self.item()}",
            lambda: f"{x}.fill({self.item()})", lambda: f"{x}[...] = {x}[::-1]" if value.ndim else f"{x}[...] = 'r'",
            lambda: f"{x}{element} = {self.item()}" if element else f"{x}[...] = 1",
            lambda: f"{x}{element} = {self.item()}" if element else f"{x}[...] = 1",
            lambda: f"{x}[{x} == {self.word(value.dtype.kind == 'S')}] = {self.item()}",
            lambda: f"{x}[[0]] = {self.item()}" if value.ndim else f"{x}[...] = 'k'",
            lambda: f"{x}[...] = np.arange({value.shape[-1] if value.ndim else 1})" if value.ndim else f"{x}[...] = 3",
            lambda: f"{x}[...] = np.array([{self.word()}])", lambda: f"{x}{element} = ['a']" if element else f"{x}[...] = 1",
            lambda: f"{x}.sort({self.pick('', '0', 'axis=0')})", lambda: f"{x}.shape = (-1,)", lambda: f"{x}[...] = [{self.item()}, {self.item()}]",
        )()
