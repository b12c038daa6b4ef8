"""Probes of NumPy's operations (probes.py)."""
from probes import SPOILERS, Probes

DTYPES = ["np.int64", "np.int32", "np.int8", "np.uint8", "np.uint16", "np.float64", "np.float32", "np.float16",
    "np.bool", "np.complex64", "np.complex128", "'i4'", "'<f8'", "float", "int", "bool", "np.dtype('int16')", "complex",
    "'float32'", "None"]


class NumPyProbes(Probes):
    MODULE = "np"
    INPUTS = [
        "np.arange(24).reshape(2, 3, 4)", "np.arange(12).reshape(3, 4)", "np.arange(12).reshape(3, 4).T",
        "np.arange(6)", "np.arange(10)[::2]", "np.arange(10)[::-1]", "np.arange(24).reshape(4, 6)[:, ::2]",
        "np.arange(24).reshape(4, 6)[::-1, ::-2]",
        "np.arange(24).reshape(4, 6)[1:3, 2:5]", "np.arange(24).reshape(2, 3, 4).transpose(2, 0, 1)",
        "np.arange(24).reshape(2, 3, 4).swapaxes(0, 1)", "np.broadcast_to(np.arange(3), (4, 3))",
        "np.broadcast_to(np.arange(3).reshape(3, 1), (3, 4))", "np.array(5)", "np.array(2.5)",
        "np.broadcast_to(np.array(7), (2, 3))", "np.zeros(0)", "np.zeros((0, 3))", "np.zeros((2, 0, 3))",
        "np.zeros((3, 0)).T", "np.ones(1)", "np.arange(4).reshape(1, 4)", "np.arange(4).reshape(4, 1)",
        "np.ones((1, 1, 1))", "np.arange(6).reshape(2, 1, 3)", "np.arange(6).reshape(1, 2, 1, 3, 1)",
        "np.arange(120).reshape(2, 3, 4, 5)",
        "np.asfortranarray(np.arange(6).reshape(2, 3))", "np.asfortranarray(np.arange(24).reshape(2, 3, 4))",
        "np.arange(9.).reshape(3, 3)", "np.arange(9.).reshape(3, 3).T", "np.arange(12, dtype=np.int32).reshape(2, 6)",
        "np.arange(8, dtype=np.uint8).reshape(2, 2, 2)", "np.array([True, False, True])",
        "np.array([[True, False], [False, True]])",
        "np.arange(6, dtype=np.float32).reshape(3, 2)", "np.array([1+2j, 3-1j])", "np.ones((2, 2), dtype=np.complex64)",
        "sliding_window_view(np.arange(10), 3)", "as_strided(np.arange(10), (4, 3), (16, 8))",
        "as_strided(np.arange(50), (2, 1, 3), (24, 320, 8))", "np.arange(4, dtype=np.int16)",
        "np.arange(20).reshape(4, 5).diagonal()", "np.arange(24).reshape(2, 3, 4)[1]",
        "np.arange(24).reshape(2, 3, 4)[:, 1]", "np.arange(24).reshape(2, 3, 4)[..., 0]",
        "np.arange(6).reshape(2, 3)[:, None]", "np.arange(6)[None]", "np.expand_dims(np.arange(6).reshape(2, 3), 1)",
        "np.zeros((3, 4), order='F')[:, 1:3]", "np.arange(6).reshape(2, 3)[2:]", "np.flip(np.arange(24).reshape(4, 6))",
        "np.arange(3)[1:2]", "np.arange(4).astype(np.float16)", "[1, 2, 3]", "np.float64(3)",
    ]
    OPERATIONS = [
        ("reshape", ":sizes *order:order? *copy:=True|False|None?"), ("reshape", ":sizes"),
        ("reshape", ":sizes *order:order"), ("np.reshape", ":y shape:size_tuple order:order? *copy:=True|False|None?"),
        ("ravel", "order:order?"), ("flatten", "order:order?"), ("transpose", ":order_of_axes"),
        ("np.transpose", ":y axes:permuted?"), ("swapaxes", "axis1:dim axis2:dim"),
        ("np.moveaxis", "a:y source:dim destination:dim"), ("np.moveaxis", "a:y source:dims destination:dims"),
        ("np.rollaxis", "a:y axis:dim start:dim1?"), ("np.expand_dims", "a:y axis:dim1"),
        ("np.expand_dims", "a:y axis:dims"), ("squeeze", "axis:some_dims?"),
        ("np.broadcast_to", "array:y shape:wide_tuple *subok:flag?"), ("np.broadcast_arrays", ":both"),
        ("np.broadcast_shapes", ":shape_of :shape_of"), ("np.flip", "m:y axis:some_dims?"), ("np.fliplr", ":y"),
        ("np.flipud", ":y"), ("np.rot90", "m:y k:offset? axes:dims?"), ("np.rot90", "m:y k:offset axes:two_dims"),
        ("np.roll", "a:y shift:offset axis:dim?"), ("np.roll", "a:y shift:two axis:two_dims"),
        ("np.roll", "a:y shift:offset axis:dims"), ("diagonal", "offset:offset? axis1:dim? axis2:dim?"),
        ("np.diag", "v:y k:offset?"), ("np.diagonal", "a:y offset:offset axis1:dim axis2:dim"),
        ("np.tile", "A:y reps:repeats"), ("repeat", "repeats:counts axis:dim?"),
        ("np.repeat", "a:y repeats:counts axis:dim?"), ("np.concatenate", ":list axis:dim? *dtype:dtype?"),
        ("np.concatenate", ":list axis:dim"), ("np.concatenate", ":list axis:=None"),
        ("np.concatenate", ":list axis:dim? *dtype:dtype *casting:casting?"), ("np.stack", "arrays:list axis:dim1?"),
        ("np.stack", "arrays:list axis:dim1? *dtype:dtype? *casting:casting?"),
        ("np.vstack", ":list *dtype:dtype? *casting:casting?"), ("np.hstack", ":list *dtype:dtype? *casting:casting?"),
        ("np.dstack", ":list"), ("np.column_stack", ":list"), ("np.append", "arr:y values:operand axis:dim?"),
        ("np.split", "ary:y indices_or_sections:cuts axis:dim?"),
        ("np.array_split", "ary:y indices_or_sections:cuts axis:dim?"),
        ("np.hsplit", "ary:y indices_or_sections:cuts"), ("np.vsplit", "ary:y indices_or_sections:cuts"),
        ("np.dsplit", "ary:y indices_or_sections:cuts"), ("np.unstack", "x:y *axis:dim?"),
        ("np.resize", "a:y new_shape:size_tuple"), ("np.atleast_1d", ":y"), ("np.atleast_2d", ":y"),
        ("np.atleast_3d", ":y"), ("np.atleast_2d", ":y :operand"), ("view", "dtype:dtype?"), ("view", ":dtype"),
        ("copy", "order:order?"), ("np.copy", "a:y order:order?"),
        ("astype", "dtype:dtype order:order? *casting:casting? *copy:flag?"), ("np.astype", ":y :dtype *copy:flag?"),
        ("np.array", ":y dtype:dtype? *copy:=True|False|None? *order:order? *ndmin:=0|1|3|4?"),
        ("np.array", ":data dtype:dtype? *copy:=True|False|None? *order:order? *ndmin:=0|1|3?"),
        ("np.asarray", ":y dtype:dtype? order:order? *copy:=True|False|None?"), ("np.asarray", ":data dtype:dtype?"),
        ("np.asanyarray", ":y dtype:dtype? order:order?"), ("np.ascontiguousarray", ":y dtype:dtype?"),
        ("np.asfortranarray", ":y dtype:dtype?"), ("np.require", "a:y dtype:dtype? requirements:requirements?"),
        ("np.require", ":y :dtype :requirements"),
        ("np.zeros_like", "a:y dtype:dtype? order:order? *shape:new_sizes?"),
        ("np.ones_like", "a:y dtype:dtype? order:order? *shape:new_sizes?"),
        ("np.full_like", "a:y fill_value:number dtype:dtype? order:order? *shape:new_sizes?"),
        ("np.zeros", "shape:new_sizes dtype:dtype? order:order?"),
        ("np.ones", "shape:new_sizes dtype:dtype? order:order?"),
        ("np.full", "shape:new_sizes fill_value:fill dtype:dtype? order:order?"),
        ("np.eye", "N:small M:small? k:offset? dtype:dtype? order:order?"), ("np.identity", ":small dtype:dtype?"),
        ("np.arange", ":number :small? :number? *dtype:dtype?"),
        ("np.linspace", "start:number stop:operand num:small? endpoint:flag? *dtype:dtype? *axis:dim?"),
        ("np.linspace", "start:number stop:number num:small *endpoint:flag? *retstep:flag? *dtype:dtype?"),
        ("np.meshgrid", ":flat :flat? *indexing:='ij'|'xy'|'ab'? *copy:flag? *sparse:flag?"),
        ("np.ix_", ":flat :flat?"), ("np.take", "a:y indices:indices axis:dim? *mode:='raise'|'wrap'|'clip'|'no'?"),
        ("take", "indices:indices axis:dim? *mode:='raise'|'wrap'|'clip'?"),
        ("as_strided", ":y shape:few_sizes strides:few_strides *writeable:flag?"),
        ("np.lib.stride_tricks.as_strided", ":y :few_sizes :few_strides"),
        ("sliding_window_view", ":y window_shape:window axis:dim? *writeable:flag?"),
        ("sliding_window_view", ":y window_shape:windows axis:dims? *writeable:flag?"),
        ("sliding_window_view", ":y window_shape:all_windows"),
        ("np.copyto", "dst:=x|a|y src:operand *casting:casting? *where:mask?"), ("np.shares_memory", ":y :y"),
        ("np.may_share_memory", ":y :y"), ("np.isfortran", ":y"),
        ("item", ":place?"), ("item", ""), ("tolist", ""), ("fill", "value:number"), ("setflags", "write:flag?"),
        ("np.add", ":y :operand *out:out? *dtype:dtype?"), ("np.multiply", ":y :operand *out:out?"),
        ("np.subtract", ":y :operand *where:mask? *out:out?"), ("np.divide", ":y :operand"),
        ("np.floor_divide", ":y :operand"), ("np.remainder", ":y :operand"), ("np.power", ":y :operand"),
        ("np.maximum", ":y :operand"), ("np.equal", ":y :operand"), ("np.less", ":y :operand"),
        ("np.negative", ":y *out:out?"), ("np.sqrt", ":y"), ("np.invert", ":y"), ("np.absolute", ":y"),
        ("np.round", "a:y decimals:offset?"), ("round", "decimals:offset?"),
        ("np.concatenate", ":list axis:dim? *out:out"), ("np.shape", ":y"), ("np.ndim", ":operand"), ("np.size", ":y"),
        ("np.array_equal", ":y :operand"), ("np.permute_dims", ":y axes:permuted?"), ("np.matrix_transpose", ":y"),
        ("np.real", ":y"), ("np.imag", ":y"), ("resize", ":size_tuple *refcheck:flag?"), ("np.logical_not", ":y"),
        ("np.bitwise_and", ":y :operand"), ("np.sign", ":y"), ("np.int32", ":operand"), ("np.float32", ":number"),
        ("np.median", "a:y axis:some_dims? *keepdims:flag?"), ("np.arctan2", ":y :operand"), ("np.hypot", ":y :operand"),
        ("np.tensordot", "a:y b:y axes:=0|1|2|(0,0)|(-1,0)|([0,1],[0,1])|([0],[1])?"),
        ("np.pad", "array:y pad_width:=1|0|(1,2)|((1,0),(0,2))|[[1],[2]]|3 "
            "mode:='constant'|'edge'|'reflect'|'symmetric'|'wrap'?"),
        ("np.pad", "array:y pad_width:=1|(1,2) *constant_values:=7|(1,2)|2.5|((1,2),(3,4))?"),
        ("np.unravel_index", "indices:indices shape:shape_of order:='C'|'F'?"), ("np.angle", "z:y deg:flag?"),
        ("np.ravel_multi_index", ":=(0,1)|(1,2)|([0,1],[1,0])|(x,x) :shape_of mode:='raise'|'wrap'|'clip'?"),
        ("np.isreal", ":y"), ("np.iscomplex", ":y"), ("np.square", ":y"),
        ("np.einsum", ":='ij'|'ij->ji'|'ji'|'ii->i'|'ii'|'ij->i'|'ij->'|'...'|'...i->i...'|'i...->...'|'ijk->kij'|'i' "
            ":y"),
        ("np.einsum", ":='ij,jk->ik'|'ij,jk'|'i,i'|'i,j->ij'|'ij,ij->ji'|'...,...'|'ij,ij->i'|'i...,i...'|'ij,kj->ik' "
            ":y :y"),
    ]

    SPOILERS = [text for text in SPOILERS if text not in ("'a'", "[1, 'a']", "None",
        "slice(1)")]  # what makes arrays of objects

    def sizes(self):
        sizes = self.target()
        return ", ".join(map(str, sizes)) if sizes and self.chance(0.5) else self.brackets(sizes)

    def size_tuple(self):
        sizes = self.target()
        return str(sizes[0]) if len(sizes) == 1 and self.chance(0.5) else self.brackets(sizes)

    def order(self):
        return self.pick("'C'", "'F'", "'A'", "'K'", "'C'", "'F'", "None" if self.chance(0.2) else "'F'",
            "'Q'" if self.chance(0.2) else "'A'", "'f'" if self.chance(0.2) else "'K'")

    def order_of_axes(self):
        axes = self.permutation()
        return self.pick(self.tuple(axes), ", ".join(map(str, axes)) or "None", str(axes),
            "None" if self.chance(0.3) else self.tuple(axes))

    def permuted(self):
        return self.brackets(self.permutation())

    def two_dims(self):
        return self.brackets([self.dim(), self.dim()])

    def two(self):
        return self.brackets([self.rng.randint(-3, 3), self.rng.randint(-3, 3)])

    def y(self):
        return self.pick(self.x, self.x, self.x, "y", f"{self.x}.T", "[[1, 2], [3, 4]]" if self.chance(0.3) else "y",
            "5" if self.chance(0.3) else "x", f"{self.x}[::-1]" if self.rank else self.x)

    def both(self):
        return self.pick("x, y", "y, x", "x", "x, x", "x, 1", "", "x, [[1], [2]]", "x, np.zeros(1)", "[x, y]", "x, x.T",
            "x, x[:1]" if self.rank else "x", "x, y, x")

    def wide_tuple(self):
        return self.brackets([n if n != -1 or self.chance(0.1) else 1 for n in self.wider(False)])

    def list(self):
        return self.pick("[x, x]", "[x, y]", "(x, x)", "[x]", "(y, x)", "[x, x, x]", "[x, x.astype(float)]", "x", "[]",
            "[x, np.zeros(0)]", "[x, 1]", "(x.copy(), x)", "[x.T, x.T]", "[x, [1, 2]]", "[y, y]",
            "[x, x[::-1]]" if self.rank else "[x, x]", "[np.asfortranarray(x), x]", "[1, 2]", "([1, 2], [3, 4])")

    def dtype(self):
        return self.pick(*DTYPES) if self.chance(0.97) else self.pick("'xyz'", "torch.float32", "3", "'float'", "'?'")

    def casting(self):
        return self.pick("'no'", "'equiv'", "'safe'", "'same_kind'", "'unsafe'",
            "'what'" if self.chance(0.3) else "'unsafe'")

    def requirements(self):
        return self.pick("'C'", "'F'", "'W'", "['C', 'W']", "['F', 'O']", "'A'", "'O'", "['C', 'F']", "None", "'X'",
            "['C_CONTIGUOUS']", "'WRITEABLE'", "[]", "['E', 'C']", "('F', 'W')")

    def counts(self):
        n = self.pick(*self.shape) if self.rank else 1
        return self.pick("2", "0", "1", "3", "-1", str([self.rng.randint(0, 2) for _ in range(min(n, 8))]), "[2]",
            "np.array(2)", "np.array([1.0])", "[1, 2]", "1.5", "np.array([2])", "[]")

    def repeats(self):
        return self.pick("2", "1", "0", "(2, 1)", "[1, 2]", "()", "(2, 1, 2)", "(1, 1, 1, 2)", "-1", "np.array([1, 2])",
            "1.5", "(0, 2)")

    def indices(self):
        n = self.pick(*self.shape) if self.rank else 1
        return self.pick(str([self.rng.randint(-n, n - 1) if n else 0 for _ in range(self.pick(1, 2, 3))]), "0", "-1",
            str(n), "[[0, 0], [0, 0]]", "[]", "np.array([0], dtype=np.uint8)", "[True]", "1.0", "np.array([0, 1])",
            "np.array(0)", "None")

    def fill(self):
        return self.pick("3", "1.5", "True", "[1, 2]", "np.arange(3)", "-1", "np.int8(2)", "[[1], [2]]", "1j", "300")

    def new_sizes(self):
        return self.pick(self.brackets([self.pick(0, 1, 2, 3, 2,
            -1 if self.chance(0.1) else 2) for _ in range(self.pick(0, 1, 2, 2, 3))]), "3", "x.shape",
            "(2, 1.5)" if self.chance(0.1) else "(2, 2)", "np.int64(2)")

    def data(self):
        return self.pick("7", "2.5", "True", "[1, 2]", "[[1, 2], [3, 4]]", "[1, 2.5]", "[]", "[[]]", "[[1], [2, 3]]",
            "(1, 2)", "[True, False]", "[1, True]", "1+2j", "[1, 2j]", "[x, x]", "[x, y]", "range(3)", "x.tolist()",
            "[[[1]]]", "[(1, 2), (3, 4)]", "[np.float32(1), 2]", "[3000000000]", "[300, -1]", "-1",
            "[np.int8(1), True]", "[[1, 2], x]", "1e400")

    def few_sizes(self):
        """Sizes whose strides (few_strides) stay inside the memory."""
        value = self.value(self.x)
        owner = self.recorder.owner(value)
        start = value.__array_interface__["data"][0] - owner.__array_interface__["data"][0] if hasattr(owner,
            "nbytes") else 0
        room, item = getattr(owner, "nbytes", 0), value.itemsize
        for _ in range(20):
            rank = self.pick(0, 1, 1, 2, 2, 3)
            sizes = [self.pick(1, 2, 2, 3, 4, 0 if self.chance(0.2) else 2) for _ in range(rank)]
            strides = [self.rng.randint(-4, 6) * (item if self.chance(0.9) else 1) for _ in range(rank)]
            steps = [(n - 1) * s for n, s in zip(sizes, strides)]
            if 0 in sizes or (start + sum(min(s, 0) for s in steps) >= 0 and start + sum(max(s,
                0) for s in steps) + item <= room):
                self.strides = strides
                return self.brackets(sizes)
        self.strides = list(value.strides)
        return self.tuple(self.shape)

    def few_strides(self):
        return self.tuple(getattr(self, "strides", []))

    def window(self):
        return self.pick("1", "2", "3", "0", "-1", "2", "(2,)")

    def windows(self):
        return self.brackets([self.pick(1, 2, 2, 3, 0, -1 if self.chance(0.1) else 1) for _ in range(self.pick(1, 1, 2,
            2))])

    def all_windows(self):
        return self.brackets([self.rng.randint(1, max(n, 1)) if self.chance(0.9) else n + 1 for n in self.shape])

    def operand(self):
        return self.pick(self.x, "y", "1", "2.5", "0.7", "True", f"{self.x}[:1]" if self.rank else "3", "np.float32(1.5)",
            "[1, 2]", f"{self.x}.T", "-2", "y", "0", "np.arange(3)", "np.uint8(3)", "1j", "np.array(2)")

    def mask(self):
        return self.pick("x > 2", "True", "False", "y > 1", "[True, False]", "x == x", "x", "np.array(True)")

    def out(self):
        return self.pick("x", "y", "x", "np.zeros(x.shape)", "np.zeros(x.shape, dtype=np.int64)", "np.zeros((2, 2))",
            "None", "x.T", "np.zeros(x.shape, dtype=np.int32)")

    def flat(self):
        return self.pick("np.arange(3)", "[1, 2]", "np.arange(6)[::2]", "5", "x", "np.array(3)", "np.zeros(0)",
            "[True, False]", "range(2)", "(1, 2, 3)")

    def shape_of(self):
        return self.pick("x.shape", "y.shape", "(2, 3)", "(1,)", "()", "3", "(2, 1, 3)", "[3, 1]", "(-1, 2)", "(0,)")

    def expression(self):
        x = self.x
        advanced = [lambda n: str([self.rng.randint(-n, n - 1) for _ in range(2)] if n else []),
            lambda n: f"np.array({[self.rng.randint(0, max(n - 1, 0)) for _ in range(2)]})",
            lambda n: str([self.chance(0.5) for _ in range(min(n, 9))]), lambda n: "np.array(0)",
            lambda n: "[True, False]", lambda n: "[[0], [0]]", lambda n: "np.int64(0)"]
        return self.pick(
            lambda: f"{x}[{self.key(True, advanced)}]", lambda: f"{x}[{self.key(True, advanced)}]",
            lambda: f"{x}[{self.key(True, [])}]",
            lambda: f"{x}.{self.pick('T', 'mT', 'base', 'real', 'imag', 'shape', 'strides', 'ndim', 'itemsize', 'nbytes', 'dtype', 'size', 'flags.c_contiguous', 'flags.fnc', 'flags.writeable', 'base is None', 'base is y', 'dtype.name', 'dtype.kind', 'device')}",
            lambda: f"{x} {self.pick('+', '-', '*', '/', '//', '%', '**', '==', '<', '>=', '&', '|', '^', '<<')} {self.operand()}", lambda: f"{self.pick('1', '2.5', '0.7', 'True', 'np.float32(2)')} {self.pick('+', '-', '*', '/', '//')} {x}", lambda: f"{self.pick('-', '~', '+')}{x}", lambda: f"len({x})", lambda: f"{x} is y", lambda: f"np.shares_memory(x, {x})", lambda: f"{x}[0].base is x", lambda: f"{self.pick('int', 'float', 'bool', 'abs')}({x})",
            lambda: f"list({x})" if self.rank == 1 else f"{x}.shape",
        )()

    def other_line(self):
        x = self.x
        return self.pick(
            lambda: f"{x}[{self.key(True, [])}] = {self.operand()}",
            lambda: f"{x}[{self.key(True, [])}] = {self.number()}",
            lambda: f"{x}[{self.key(True, [lambda n: '[0]', lambda n: f'np.array([{max(n - 1, 0)}])'])}] = {self.number()}", lambda: f"{x}[{self.key(True, [])}] += 1", lambda: f"{x}[{self.mask()}] = {self.number()}",
            lambda: f"{x} {self.pick('+', '-', '*', '/', '//', '**', '&', '|')}= {self.operand()}",
            lambda: f"{x}.fill({self.number()})", lambda: f"{x}.shape = {self.size_tuple()}",
            lambda: f"{x}.flags.writeable = {self.flag()}", lambda: f"{x}[...] = {self.y()}",
            lambda: f"{x}[:] = {self.y()}[:]", lambda: f"np.copyto({x}, {self.operand()})",
            lambda: f"{x}.{self.pick('real', 'imag')} = {self.operand()}", lambda: f"{x}.setflags(write={self.flag()})",
        )()
