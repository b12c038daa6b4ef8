"""Probes of PyTorch's operations (probes.py)."""
from probes import Probes

DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
    "complex128"]
FORMATS = ["channels_last", "channels_last_3d", "contiguous_format", "preserve_format"]


class TorchProbes(Probes):
    MODULE = "torch"
    INPUTS = [
        "torch.arange(24).view(2, 3, 4)", "torch.arange(12).view(3, 4)", "torch.arange(12).view(3, 4).t()",
        "torch.arange(6)", "torch.arange(10)[::2]", "torch.arange(24).view(4, 6)[:, ::2]",
        "torch.arange(24).view(4, 6)[1:3, 2:5]", "torch.arange(24).view(2, 3, 4).permute(2, 0, 1)",
        "torch.arange(24).view(2, 3, 4).transpose(0, 1)", "torch.arange(3).expand(4, 3)",
        "torch.arange(3).view(3, 1).expand(3, 4)",
        "torch.tensor(5)", "torch.tensor(2.5)", "torch.tensor(7).expand(2, 3)", "torch.zeros(0)", "torch.zeros(0, 3)",
        "torch.zeros(2, 0, 3)", "torch.zeros(3, 0).t()", "torch.ones(1)", "torch.arange(4).view(1, 4)",
        "torch.arange(4).view(4, 1)", "torch.ones(1, 1, 1)", "torch.arange(6).view(2, 1, 3)",
        "torch.arange(6).view(1, 2, 1, 3, 1)", "torch.arange(120).view(2, 3, 4, 5)",
        "torch.arange(24).view(1, 2, 3, 4).to(memory_format=torch.channels_last)",
        "torch.arange(36).view(2, 3, 2, 3).contiguous(memory_format=torch.channels_last)",
        "torch.arange(24).view(1, 2, 3, 2, 2)", "torch.arange(10).unfold(0, 3, 1)", "torch.arange(16).unfold(0, 4, 2)",
        "torch.arange(50).as_strided((2, 1, 3), (3, 40, 1))",
        "torch.arange(9.).view(3, 3)", "torch.arange(9.).view(3, 3).t()",
        "torch.arange(12, dtype=torch.int32).view(2, 6)", "torch.arange(8, dtype=torch.uint8).view(2, 2, 2)",
        "torch.tensor([True, False, True])", "torch.tensor([[True, False], [False, True]])",
        "torch.arange(6, dtype=torch.float64).view(3, 2)", "torch.tensor([1+2j, 3-1j])",
        "torch.ones(2, 2, dtype=torch.complex64)", "torch.arange(24)[7:].view(-1)[1:].as_strided((3, 2), (2, 1), 3)",
        "torch.arange(4, dtype=torch.float16).view(2, 2)",
        "torch.arange(6).view(2, 3).detach()", "torch.arange(20).view(4, 5).diagonal()",
        "torch.arange(24).view(2, 3, 4)[1]", "torch.arange(24).view(2, 3, 4)[:, 1]",
        "torch.arange(24).view(2, 3, 4)[..., 0]", "torch.empty_strided((2, 3), (1, 2)).fill_(4)",
        "torch.arange(5).view(5, 1).expand(5, 1)", "torch.arange(3)[None].expand(2, 3)",
        "torch.arange(8).view(2, 2, 2).mT", "torch.arange(16).view(2, 2, 2, 2).permute(3, 1, 0, 2)",
    ]
    OPERATIONS = [
        ("view", "size:sizes"), ("view", "size:sizes"), ("reshape", "shape:sizes"), ("reshape", "shape:sizes"),
        ("view_as", "other:y"), ("reshape_as", "other:y"), ("view", "dtype:dtype"), ("permute", "dims:order"),
        ("permute", "dims:order"),
        ("transpose", "dim0:dim dim1:dim"), ("swapaxes", "axis0:dim axis1:dim"), ("swapdims", "dim0:dim dim1:dim"),
        ("t", ""), ("adjoint", ""), ("movedim", "source:dim destination:dim"),
        ("movedim", "source:dims destination:dims"),
        ("moveaxis", "source:dims destination:dims"), ("squeeze", "dim:some_dims?"), ("squeeze", "dim:dim"),
        ("unsqueeze", "dim:dim1"), ("expand", "size:wide"), ("expand", "size:wide *implicit:flag?"),
        ("expand_as", "other:y"), ("broadcast_to", "size:wide_tuple"),
        ("torch.broadcast_tensors", ":both"), ("torch.broadcast_tensors", "tensors:both"),
        ("narrow", "dim:dim start:place length:small"), ("narrow", "dim:dim start:index_scalar length:small"),
        ("select", "dim:dim index:place"),
        ("unbind", "dim:dim?"), ("split", "split_size:cuts dim:dim?"),
        ("torch.split", ":y split_size_or_sections:lengths dim:dim?"),
        ("split_with_sizes", "split_sizes:lengths dim:dim?"), ("chunk", "chunks:count dim:dim?"),
        ("tensor_split", "indices_or_sections:cuts dim:dim?"),
        ("tensor_split", "sections:count dim:dim?"), ("tensor_split", "indices:lengths dim:dim?"),
        ("hsplit", "sections:count"), ("vsplit", "sections:count"), ("dsplit", "sections:count"),
        ("hsplit", "indices:lengths"), ("vsplit", "indices:lengths"), ("dsplit", "indices:lengths"),
        ("unfold", "dimension:dim size:small step:count"), ("diagonal", "offset:offset? dim1:dim? dim2:dim?"),
        ("diagonal", "offset:offset dim1:dim dim2:dim"), ("as_strided",
        "size:few_sizes stride:few_strides storage_offset:small?"), ("as_strided", "size:few_sizes stride:few_strides"),
        ("unflatten", "dim:dim sizes:parts"), ("flatten", "start_dim:dim? end_dim:dim?"),
        ("flatten", "start_dim:dim end_dim:dim"), ("ravel", ""), ("detach", ""), ("positive", ""),
        ("transpose_", "dim0:dim dim1:dim"), ("swapaxes_", "axis0:dim axis1:dim"), ("swapdims_", "dim0:dim dim1:dim"),
        ("t_", ""), ("squeeze_", "dim:some_dims?"),
        ("unsqueeze_", "dim:dim1"), ("as_strided_", "size:few_sizes stride:few_strides storage_offset:small?"),
        ("resize_", "sizes:smaller"), ("contiguous", "*memory_format:format?"), ("clone", "*memory_format:format?"),
        ("to", "*memory_format:format"), ("to", "dtype:dtype *copy:flag? *memory_format:format?"),
        ("to", "other:y"), ("to", "device:='cpu' dtype:dtype?"), ("repeat", "repeats:repeats"),
        ("tile", "dims:repeats"), ("repeat_interleave", "repeats:count dim:dim?"),
        ("repeat_interleave", "repeats:counts dim:dim?"), ("repeat_interleave",
        "repeats:counts dim:dim *output_size:small?"), ("flip", "dims:spread_dims"), ("flip", "dims:dims"),
        ("fliplr", ""), ("flipud", ""), ("roll", "shifts:offset dims:dim?"),
        ("roll", "shifts:dims dims:dims"), ("rot90", "k:offset? dims:dims?"), ("rot90", "k:offset dims:two_dims"),
        ("torch.cat", "tensors:list dim:dim?"), ("torch.concat", "tensors:list dim:dim?"),
        ("torch.concatenate", "tensors:list dim:dim?"), ("torch.stack", "tensors:list dim:dim1?"),
        ("torch.hstack", "tensors:list"), ("torch.vstack", "tensors:list"), ("torch.dstack", "tensors:list"),
        ("torch.column_stack", "tensors:list"), ("torch.row_stack", "tensors:list"),
        ("torch.meshgrid", ":flat :flat2? *indexing:='ij'|'xy'|'ij'|'ab'?"), ("torch.cartesian_prod", ":flat :flat2?"),
        ("torch.combinations", "input:flat r:count? with_replacement:flag?"), ("diag", "diagonal:offset?"),
        ("diag_embed", "offset:offset? dim1:dim1? dim2:dim1?"), ("index_select", "dim:dim index:indices"),
        ("gather", "dim:dim index:index_like"), ("take", "index:indices"), ("masked_select", "mask:mask"),
        ("tril", "diagonal:offset?"), ("triu", "diagonal:offset?"), ("masked_fill", "mask:mask value:number"),
        ("nonzero", "*as_tuple:flag?"), ("copy_", "src:y"), ("fill_", "value:number"), ("zero_", ""),
        ("add_", "other:operand *alpha:number?"), ("sub_", "other:operand *alpha:number?"), ("mul_", "other:operand"),
        ("div_", "other:operand"),
        ("add", "other:operand *alpha:number?"), ("sub", "other:operand *alpha:number?"), ("mul", "other:operand"),
        ("div", "other:operand *rounding_mode:='floor'|'trunc'|None|'up'?"), ("pow", "exponent:operand"),
        ("remainder", "other:operand"), ("floor_divide", "other:operand"), ("eq", "other:operand"),
        ("lt", "other:operand"), ("maximum", "other:y"), ("sum", "dim:some_dims? keepdim:flag? *dtype:dtype?"),
        ("mean", "dim:some_dims? keepdim:flag?"), ("max", "dim:dim? keepdim:flag?"),
        ("argmax", "dim:dim? keepdim:flag?"), ("any", "dim:some_dims? keepdim:flag?"),
        ("prod", "dim:dim? keepdim:flag?"), ("amax", "dim:some_dims? keepdim:flag?"),
        ("cumsum", "dim:dim *dtype:dtype?"), ("size", "dim:dim?"), ("stride", "dim:dim?"),
        ("is_contiguous", "*memory_format:format?"), ("numel", ""),
        ("zeros_like", "*dtype:dtype? *memory_format:format?"),
        ("torch.zeros_like", "input:y *dtype:dtype? *memory_format:format?"),
        ("torch.full_like", "input:y fill_value:number *dtype:dtype? *memory_format:format?"),
        ("torch.ones_like", "input:y *dtype:dtype? *memory_format:format?"),
        ("new_zeros", "size:new_sizes *dtype:dtype?"), ("new_ones", "size:new_sizes *dtype:dtype?"),
        ("new_full", "size:new_sizes fill_value:number *dtype:dtype?"), ("new_tensor", "data:data *dtype:dtype?"),
        ("torch.zeros", "size:new_sizes *dtype:dtype?"), ("torch.ones", "size:new_sizes *dtype:dtype?"),
        ("torch.full", "size:new_sizes fill_value:number *dtype:dtype?"),
        ("torch.arange", "start:number end:small step:number? *dtype:dtype?"),
        ("torch.arange", "end:number *dtype:dtype?"), ("torch.eye", "n:small m:small? *dtype:dtype?"),
        ("torch.linspace", "start:number end:number steps:small *dtype:dtype?"),
        ("torch.tensor", "data:data *dtype:dtype?"), ("torch.as_tensor", "data:data *dtype:dtype?"),
        ("torch.from_numpy", ":array"), ("type", "dtype:dtype"), ("type_as", "other:y"), ("is_set_to", "tensor:y"),
        ("item", ""), ("tolist", ""), ("element_size", ""), ("storage_offset", ""), ("torch.atleast_2d", ":y"),
        ("torch.atleast_3d", ":y"), ("torch.where", ":mask :operand :operand"), ("clamp", "min:number? max:number?"),
        ("torch.broadcast_shapes", ":shape_of :shape_of"), ("isnan", ""),
        ("sort", "*stable:=True *dim:dim? *descending:flag?"), ("equal", "other:y"),
        ("torch.promote_types", ":dtype :dtype"), ("torch.result_type", ":operand :operand"), ("neg", ""), ("abs", ""),
        ("bitwise_not", ""), ("logical_not", ""), ("sqrt", ""), ("round", ""), ("matmul", "other:y"),
        ("count_nonzero", "dim:some_dims?"),
    ]

    def sizes(self):
        sizes = self.target()
        return self.spread(sizes)

    def spread(self, numbers):
        """Numbers one by one, or as a tuple or a list."""
        return ", ".join(map(str, numbers)) if numbers and self.chance(0.5) else self.brackets(numbers)

    def order(self):
        return self.spread(self.permutation())

    def wide(self):
        return self.spread(self.wider())

    def wide_tuple(self):
        return self.brackets(self.wider())

    def spread_dims(self):
        return self.spread([self.dim() for _ in range(self.pick(1, 1, 2))])

    def two_dims(self):
        return self.brackets([self.dim(), self.dim()])

    def y(self):
        return self.pick("x", "y", "y", "x", "x.t()" if self.rank < 3 else "x[0]", "x[:1]" if self.rank else "x")

    def both(self):
        return self.pick("x, y", "y, x", "x", "[x, y]", "x, x", "x, torch.zeros(1)", "x, 1", "", "(x, y, x)")

    def list(self):
        return self.pick("[x, x]", "[x, y]", "(x, x)", "[x]", "(y, x)", "[x, x, x]", "[x, x.float()]", "x", "[]",
            "[x, torch.zeros(0)]", "[x, 1]", "(x.clone(), x)", "[x[:1], x]", "x.unbind()", "[y, y]",
            "[x.contiguous(), x]")

    def dtype(self):
        return "torch." + self.pick(*DTYPES) if self.chance(0.97) else self.pick("int", "float", "bool", "'float32'",
            "None")

    def format(self):
        return "torch." + self.pick(*FORMATS)

    def lengths(self):
        n = self.pick(*self.shape) if self.rank else 2
        first = self.rng.randint(0, n)
        return self.brackets(self.pick([first, n - first], [n], [1] * min(n, 6), [first, 1], [0, n, 0], [first], [],
            [n + 1, -1]))

    def few_sizes(self):
        self.few = self.pick(0, 1, 1, 2, 2, 2, 3)
        return self.brackets([self.pick(1, 2, 2, 3, 0 if self.chance(0.2) else 1,
            -1 if self.chance(0.1) else 1) for _ in range(self.few)])

    def few_strides(self):
        count = getattr(self, "few", 2)
        return self.brackets([self.pick(0, 1, 1, 2, 3, 5,
            -1 if self.chance(0.1) else 1) for _ in range(count + (1 if self.chance(0.05) else 0))])

    def parts(self):
        n = self.pick(*self.shape) if self.rank else 1
        return self.brackets(self.factors(n) if 0 < n < 200 else self.pick([0], [0, -1], [2, 0], []))

    def smaller(self):
        value = self.value(self.x)
        room = max(value.storage().nbytes() // value.element_size() - value.storage_offset(), 0)
        rows = self.rng.randint(0, min(room, 4))
        return self.spread([rows, self.rng.randint(0, min(room // max(rows, 1), 6))] if self.chance(0.6) else [rows])

    def repeats(self):
        return self.spread([self.pick(1, 1, 2, 3, 0, -1 if self.chance(0.1) else 2) for _ in range(max(0,
            self.rank + self.pick(0, 0, 0, 1, -1)))])

    def counts(self):
        n = self.pick(*self.shape) if self.rank else 1
        return self.pick(f"torch.tensor({[self.rng.randint(0, 2) for _ in range(min(n, 8))]}, dtype=torch.int64)",
            "torch.tensor([2])", "torch.tensor(2)", "torch.tensor([1.0])", f"{[1] * min(n, 5)}")

    def indices(self):
        n = self.pick(*self.shape) if self.rank else 1
        numbers = [self.rng.randint(0, max(n - 1, 0)) for _ in range(self.pick(0, 1, 2, 3))]
        return self.pick(*3 * [f"torch.tensor({numbers}, dtype=torch.int64)"],
            f"torch.tensor({numbers}, dtype=torch.int32)", "torch.tensor(0)", f"torch.tensor([{n}])",
            "torch.tensor([[0, 0]])", "torch.tensor([0.0])", "[0]", "torch.tensor([-1])")

    def index_scalar(self):
        return self.pick("torch.tensor(0)", "torch.tensor(1)", "torch.tensor(-1)", "torch.tensor([0])",
            "torch.tensor(1.5)")

    def index_like(self):
        sizes = [max(n - self.pick(0, 0, 1), 0) for n in self.shape]
        return self.pick(f"torch.zeros({self.tuple(sizes)}, dtype=torch.int64)",
            f"torch.zeros({self.tuple(sizes)}, dtype=torch.int64)", "torch.zeros(2, dtype=torch.int64)",
            f"torch.ones({self.tuple(sizes)}, dtype=torch.int64)", "torch.zeros(2)")

    def mask(self):
        return self.pick("x > 2", "x == x", "y > 1", "x.bool()", "torch.tensor(True)", "x",
            "torch.tensor([True, False])", "x != 1")

    def operand(self):
        return self.pick("x", "y", "1", "2.5", "0.7", "True", "x[:1]" if self.rank else "3", "torch.tensor(3)",
            "torch.tensor(1.5)", "x.t()" if self.rank < 3 else "2", "-2", "y", "0")

    def flat(self):
        return self.pick("torch.arange(3)", "x", "y", "torch.tensor(2)", "x.reshape(-1)[:3]",
            "[torch.arange(2), torch.arange(3)]", "torch.zeros(0)", "torch.arange(6)[::2]")

    def flat2(self):
        return self.pick("torch.arange(2)", "y", "torch.arange(2.)", "torch.arange(3), torch.arange(2)", "x")

    def new_sizes(self):
        return self.brackets([self.pick(0, 1, 2, 3, 2, -1 if self.chance(0.1) else 2) for _ in range(self.pick(0, 1, 2,
            2, 3))]) if self.chance(0.9) else self.pick("x.shape", "x.size()", "3", "torch.Size([2, 2])", "(2, 1.5)")

    def data(self):
        return self.pick("7", "2.5", "True", "[1, 2]", "[[1, 2], [3, 4]]", "[1, 2.5]", "[]", "[[]]", "[[1], [2, 3]]",
            "(1, 2)", "[True, False]", "[1, True]", "1+2j", "[1, 2j]", "x", "y", "[x[0], 1]" if self.rank else "[x]",
            "'a'", "None", "range(3)", "x.tolist()", "[[[1]]]", "[(1, 2), (3, 4)]", "[1, None]", "1e400",
            "[3000000000]", "-1")

    def array(self):
        return self.pick("np.arange(6)", "np.arange(6).reshape(2, 3).T", "np.arange(6)[::-1]", "np.array(3)",
            "np.zeros((0, 3))", "np.arange(6)[::2]", "np.arange(4, dtype=np.float32)", "[1, 2]",
            "np.arange(6, dtype=np.uint8)", "np.zeros((2, 3))", "np.broadcast_to(np.arange(3), (2, 3))", "x",
            "np.arange(3, dtype=np.uint16)", "np.int64(3)", "np.array([True, False])",
            "np.arange(12).reshape(3, 4)[:, 1:]", "np.arange(4).astype(np.complex64)")

    def shape_of(self):
        return self.pick("x.shape", "y.shape", "(2, 3)", "(1,)", "()", "3", "(2, 1, 3)", "[3, 1]", "(-1, 2)", "(0,)")

    def expression(self):
        x = self.x
        advanced = [lambda n: str([self.rng.randint(-n, n - 1) for _ in range(2)] if n else []),
            lambda n: f"torch.tensor({[self.rng.randint(0, max(n - 1, 0)) for _ in range(2)]})",
            lambda n: f"torch.tensor({[self.chance(0.5) for _ in range(min(n, 9))]}, dtype=torch.bool)",
            lambda n: "torch.tensor(0)", lambda n: "[True, False]"]
        return self.pick(
            lambda: f"{x}[{self.key(False, advanced)}]", lambda: f"{x}[{self.key(False, advanced)}]",
            lambda: f"{x}[{self.key(False, [])}]",
            lambda: f"{x}.{self.pick('T', 'mT', 'H', 'mH', 'data', 'real', 'imag', '_base', 'shape', 'ndim', 'itemsize', 'nbytes', 'dtype', 'is_leaf', 'device', 'names')}",
            lambda: f"{x} {self.pick('+', '-', '*', '/', '//', '%', '**', '==', '<', '>=', '&', '|', '^', '@', '<<')} {self.operand()}", lambda: f"{self.pick('1', '2.5', '0.7', 'True')} {self.pick('+', '-', '*', '/', '//', '**')} {x}", lambda: f"{self.pick('-', '~', '+')}{x}",
            lambda: f"{x}.storage().{self.pick('size()', 'nbytes()', 'tolist()', 'data_ptr() == y.storage().data_ptr()')}", lambda: f"{x}.data_ptr() == {self.y()}.data_ptr()", lambda: f"len({x})", lambda: f"{x} is y", lambda: f"{x}.storage_offset()", lambda: f"{x}.is_contiguous()", lambda: f"{x}.stride()", lambda: f"list({x})" if self.rank == 1 else f"{x}.size()",
            lambda: f"{self.pick('int', 'float', 'bool', 'len', 'abs', 'complex', 'sum', 'list', 'tuple')}({x}.shape)"
            if self.chance(0.5) else f"{self.pick('int', 'float', 'bool', 'abs')}({x})",
        )()

    def other_line(self):
        x = self.x
        return self.pick(
            lambda: f"{x}[{self.key(False, [])}] = {self.operand()}",
            lambda: f"{x}[{self.key(False, [])}] = {self.number()}",
            lambda: f"{x}[{self.key(False, [lambda n: str([0]), lambda n: f'torch.tensor([{max(n - 1, 0)}])'])}] = {self.number()}", lambda: f"{x}[{self.key(False, [])}] += 1", lambda: f"{x}[{self.mask()}] = {self.number()}",
            lambda: f"{x} {self.pick('+', '-', '*', '/', '//', '**', '&', '|')}= {self.operand()}",
            lambda: f"{x}.{self.pick('fill_', 'add_', 'mul_', 'sub_')}({self.number()})", lambda: f"{x}.zero_()",
            lambda: f"{x}.copy_({self.y()})", lambda: f"{x}.{self.pick('t_', 'squeeze_')}()",
            lambda: f"{x}.unsqueeze_({self.dim1()})",
            lambda: f"{x}[...] = {self.y()}", lambda: f"{x}[:] = {self.y()}[:]",
        )()
