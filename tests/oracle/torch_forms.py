"""The operations of PyTorch that give new tensors, written against a live tensor: every form of each, methods and
functions, positional and named arguments."""
from writer import Writer

INTEGERS = ["uint8", "int8", "int16", "int32", "int64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
DTYPES = ["bool"] + INTEGERS + 2 * FLOATS + COMPLEX
FORMATS = ["channels_last", "channels_last_3d", "contiguous_format", "preserve_format"]


class Forms(Writer):
    def call(self, name, *arguments, function=True):
        """x.name(..) or torch.name(x, ..): arguments are (name, text) or (name, text, "optional"); a name that starts
        with '*' goes by name only, one of None by position only."""
        arguments = [a for a in arguments if len(a) == 2 or self.chance(0.6)]
        by_name = len(arguments) if self.chance(0.75) else self.rng.randrange(len(arguments) + 1)
        texts, named = [], False
        for i, (parameter, text, *_) in enumerate(arguments):
            named |= parameter is not None and (i >= by_name or parameter.startswith("*"))
            texts.append(f"{parameter.lstrip('*')}={text}" if named and parameter else str(text))
        if function and self.chance(0.3):
            return f"torch.{name}({', '.join([self.x] + texts)})"
        return f"{self.x}.{name}({', '.join(texts)})"

    @property
    def rank(self):
        return len(self.shape)

    def any_dim(self, extra=0):
        return self.dim(self.rank, extra)

    def size_of(self, d):
        return self.shape[d] if -self.rank <= d < self.rank else 1

    def other(self):
        return self.rng.choice(self.live)[0]

    def alike(self):
        """Another tensor of the same shape where there is one."""
        same = [name for name, value in self.live if list(value.shape) == self.shape]
        return self.rng.choice(same) if self.chance(0.8) else self.other()

    def picked(self, d):
        """A tensor that fits where index 0 of dimension d is."""
        sizes = list(self.shape)
        if -self.rank <= d < self.rank:
            sizes[d] = 1
        dtype = str(self.value.dtype)
        return f"torch.ones({self.tuple(sizes)}{', dtype=' + dtype if self.chance(0.8) else ''})"

    def places(self, n, count=None):
        """An index tensor into a dimension of size n."""
        count = self.rng.randint(0, 3) if count is None else count
        top = max(n - 1, 0) + (1 if self.chance(0.04) else 0)
        return f"torch.tensor({[self.rng.randint(0, top) for _ in range(count)]}{', dtype=torch.int64' if not count else ''})"

    def half(self):
        return str(self.value.dtype) in ("torch.float16", "torch.bfloat16")

    def unary(self):
        """Functions of an element; of half precision only those that round once."""
        exact = ["neg", "negative", "abs", "absolute", "floor", "ceil", "round", "trunc", "sign", "logical_not",
            "bitwise_not",
                 "square", "relu", "sgn"]
        return exact if self.half() else exact + ["sqrt", "exp", "sin", "cos", "tan", "tanh", "reciprocal", "sigmoid",
            "rsqrt",
                                                  "exp2", "log2", "log10", "log1p", "expm1", "frac",
            "asin", "arccos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "deg2rad", "rad2deg", "erf", "erfc"]

    def whole(self):
        """Whether the elements are whole numbers, whose bits are the same however they were reckoned."""
        value = self.value
        return not value.is_complex() and (not value.is_floating_point()
            or bool((value.double() == value.double().round()).all()))

    # --- views ---------------------------------------------------------------------------------------------------
    def shapes(self):
        x, numel, d, e = self.x, self.value.numel(), self.any_dim(), self.any_dim()
        sizes, other = self.sizes(numel), self.other()
        ordered = sorted([d, e]) if self.chance(0.8) and d * e >= 0 else [d, e]
        floating = self.value.is_floating_point() or self.value.is_complex()
        dtype = self.rng.choice((INTEGERS if self.whole() else FLOATS[2:])
            + (FLOATS + COMPLEX if floating and self.whole() else []))
        return [
            f"{x}.view({self.args(sizes)})", f"{x}.view({self.args(self.merged(self.shape))})",
            f"{x}.view({self.args(self.merged(self.shape))})",
            f"{x}.view({self.args(self.shape)})", f"{x}.view(-1)", f"{x}.view(size={self.tuple(sizes)})",
            f"{x}.view({x}.shape)", f"{x}.view(*{x}.shape)",
            f"{x}.reshape({self.args(sizes)})", f"{x}.reshape({self.args(self.merged(self.shape))})",
            f"torch.reshape({x}, {self.tuple(sizes)})",
            f"{x}.reshape(-1)", f"{x}.reshape({self.args(self.merged(self.shape))})",
            f"torch.reshape({x}, shape={self.tuple(self.merged(self.shape))})",
            self.call("flatten"), self.call("flatten", ("start_dim", ordered[0]), ("end_dim", ordered[1], "optional")),
            self.call("ravel"),
            self.call("unflatten", ("dim", d), ("sizes", self.tuple(self.sizes(self.size_of(d))))),
            f"{x}.view(torch.{dtype})", f"{x}.view(dtype=torch.{dtype})",
            f"{x}.view_as({other})", f"{x}.reshape_as({other})", f"{x}.view({self.args(self.factors(numel))})",
            f"{x}.reshape({self.args(self.factors(numel))})",
        ]

    def dims(self):
        x, rank = self.x, self.rank
        d, e, f = self.any_dim(), self.any_dim(), self.any_dim()
        order = self.permutation(rank)
        several = self.tuple(sorted({d, e}))
        return [
            f"{x}.permute({self.args(order)})", f"torch.permute({x}, {self.tuple(order)})",
            f"{x}.permute(dims={self.tuple(order)})", f"{x}.permute({self.args(order)})",
            self.call("transpose", ("dim0", d), ("dim1", e)), self.call("transpose", ("dim0", d), ("dim1", e)),
            self.call("swapaxes", ("axis0", d), ("axis1", e)), self.call("swapdims", ("dim0", d), ("dim1", e)),
            self.call("t"), f"{x}.T", f"{x}.mT", f"{x}.mH", f"{x}.H", self.call("adjoint"),
            self.call("movedim", ("source", d), ("destination", e)),
            self.call("moveaxis", ("source", d), ("destination", e)),
            self.call("movedim", ("source", self.tuple([d, e])), ("destination", self.tuple([f, d]))),
            self.call("movedim", ("source", self.tuple([d, e])), ("destination", self.tuple([e, d]))),
            self.call("moveaxis", ("source", several), ("destination", several)),
            self.call("squeeze"), self.call("squeeze", ("dim", d)), self.call("squeeze", ("dim", self.tuple([d, e]))),
            self.call("squeeze", ("dim", several)),
            self.call("unsqueeze", ("dim", self.any_dim(1))), self.call("unsqueeze", ("dim", self.any_dim(1))),
            self.call("detach"), f"{x}.data", self.call("positive"), f"{x}.cpu()", f"torch.atleast_1d({x})",
            f"torch.atleast_2d({x})", f"torch.atleast_3d({x})", f"torch.einsum('ij->ji', {x})",
            f"torch.einsum('ijk->kji', {x})", f"torch.einsum('ii->i', {x})",
            f"{x}.requires_grad_(False)",
        ]

    def parts(self):
        rng, x, rank = self.rng, self.x, self.rank
        d, e = self.any_dim(), self.any_dim()
        n = self.size_of(d)
        broadcast = [rng.choice([-1, s]) if s != 1 else rng.choice([1, 2, 3, -1]) for s in self.shape]
        wide = [rng.choice([1, 2, 3]) for _ in range(rng.choice([0, 0, 1, 2]))] + broadcast
        if wide and self.chance(0.06):
            wide[rng.randrange(len(wide))] = rng.choice([-1, 0, 5, -2])
        if self.chance(0.04):
            wide = wide[1:]
        full = [s if s != -1 else o for s, o in zip(wide,
            [1] * (len(wide) - rank) + self.shape)] if len(wide) >= rank else wide
        rank2 = rng.randint(0, 3)
        size, stride = [rng.choice([1, 2, 3, 0] if self.chance(0.2) else [1, 2,
            3]) for _ in range(rank2)], [rng.choice([0, 1, 1, 2, 3, 5]) for _ in range(rank2)]
        if self.chance(0.04):
            stride = stride + [1] if self.chance(0.5) else [-1] + stride[1:]
        cuts = sorted(rng.randint(-1, n + 1) for _ in range(rng.randint(0, 3)))
        lengths = [rng.randint(0, n)]
        lengths.append(n - lengths[0] + (1 if self.chance(0.06) else 0))
        sections = rng.choice([1, 2, 2, 3, 4, 0] if self.chance(0.2) else [1, 2, 2, 3])
        window = rng.randint(0, n + (1 if self.chance(0.1) else 0))
        other = self.other()
        return 2 * [
            f"{x}.expand({self.args(wide)})", self.call("unfold", ("dimension", d), ("size", window),
            ("step", rng.choice([1, 1, 2, 3, 0] if self.chance(0.2) else [1, 1, 2])), function=False),
            self.call("diagonal", ("offset", rng.randint(-3, 3), 0), ("dim1", d), ("dim2", e)),
            self.call("as_strided", ("size", self.tuple(size)), ("stride", self.tuple(stride)),
            ("storage_offset", rng.randint(0, 4), 0)),
            self.call("narrow", ("dim", d), ("start", rng.randint(-n, n)), ("length", rng.randint(0, max(n, 1)))),
            self.call("select", ("dim", d), ("index", rng.randint(-n, max(n - 1, 0)))),
        ] + [
            f"{x}.expand(size={self.tuple(wide)})", f"{x}.broadcast_to({self.tuple(full)})",
            f"torch.broadcast_to({x}, {self.tuple(wide)})", f"{x}.expand_as({other})",
            f"{x}.expand({other}.shape)", f"{x}.expand(-1)", self.call("diagonal"),
            f"torch.broadcast_tensors({x}, {other})", f"torch.broadcast_tensors({x}, {x})",
            self.call("unbind", ("dim", d, 0)), f"{x}.split({rng.randint(0, 3)}, {d})",
            f"torch.split({x}, {rng.randint(1, 3)}, dim={d})", f"{x}.split({lengths}, {d})",
            f"{x}.split({rng.randint(-1, 3)})", self.call("split_with_sizes", ("split_sizes", lengths), ("dim", d)),
            self.call("chunk", ("chunks", sections), ("dim", d, 0)),
            self.call("tensor_split", (None, sections), ("dim", d, 0)),
            self.call("tensor_split", (None, self.tuple(cuts)), ("dim", d, 0)),
            f"{x}.tensor_split(torch.tensor({cuts or [1]}))", self.call("hsplit", (None, sections)),
            self.call("vsplit", (None, sections)), self.call("dsplit", (None, sections)),
            self.call("hsplit", (None, self.tuple(cuts))), self.call("vsplit", (None, self.tuple(cuts))),
            f"{x}.unsafe_chunk({sections}, {d})", f"{x}.unsafe_split(2, {d})",
            f"torch.meshgrid({x}.reshape(-1)[:4], torch.arange(2), indexing='{rng.choice(['ij', 'xy', 'ij', 'ab'])}')",
            f"torch.meshgrid([{x}.reshape(-1)[:3], {x}.reshape(-1)[:2]])", f"{x}.select({d}, -1)",
            f"{x}.narrow({d}, 0, 1)", f"list({x}.unbind({d}))[0]", f"{x}.unfold(-1, 2, 1)",
        ]

    def indexing(self):
        rng, x, n = self.rng, self.x, self.shape[0] if self.shape else 0
        index = lambda: self.index(self.shape, advanced=self.chance(0.3))
        mask = f"{x} {rng.choice(['>', '<', '==', '!='])} {rng.randint(0, 4)}"
        rows = [rng.randint(-n, n - 1) if n else 0 for _ in range(rng.randint(0, 3))]
        bits = [self.chance(0.5) for _ in range(n if self.chance(0.9) else n + 1)]
        return 4 * [f"{x}[{index()}]", f"{x}[{index()}]"] + [
            f"{x}[{index()}][{self.index(self.shape[1:])}]", f"{x}[{mask}]", f"{x}[{rows}]", f"{x}[{bits}]",
            f"{x}[torch.tensor({bits}, dtype=torch.bool)]", f"{x}[torch.tensor({rows}, dtype=torch.int64)]",
            f"{x}[torch.tensor({rows}, dtype=torch.{rng.choice(['int32', 'uint8', 'int16', 'float32'])})]",
            f"{x}[:, {rows}]", f"{x}[{rows}, :]", f"{x}[..., {rows}]", f"{x}[{rows}, {rows}]", f"{x}[None, {rows}]",
            f"{x}[{rows}, :, {rows}]", f"{x}[torch.tensor([{rows}])]",
            f"{x}[torch.tensor({rng.randint(0, max(n - 1, 0))})]", f"{x}[[{rows}]]", f"{x}[{rows}, None]",
            f"{x}[{rows}, ...]",
            f"{x}[True]", f"{x}[False]", f"{x}[None]", f"{x}[..., None]", f"{x}[...]", f"{x}[()]", f"{x}[:]",
            f"{x}[..., 0]", f"{x}[0]", f"{x}[-1]", f"{x}[::2]", f"{x}[1:]", f"{x}[..., ::2]", f"{x}[..., -1:]",
            f"{x}[None, ..., None]", f"{x}[..., ...]", f"{x}[1.5]", f"{x}['a']", f"{x}[::-1]", f"{x}[::0]",
            f"{x}[0, 0, 0, 0, 0, 0]", f"{x}[1:2, None, ..., 0]", f"{x}[(0,)]", f"{x}[0:{n}]", f"{x}[{n}:]", f"{x}[{n}]",
            f"{x}[{-n - 1}]", f"{x}[slice(1, 3)]", f"{x}[torch.zeros(0, dtype=torch.int64)]",
            f"{x}[{x}.long() % {max(n, 1)}]", f"{x}[torch.arange({max(n, 1)})[:, None], torch.tensor([0, 0])]",
            f"{x}[{x}.bool()]",
            f"{x}[True, {rows}]", f"{x}[torch.tensor(True)]", f"{x}[1 > 0]", f"{x}.unbind()[0][0]",
        ]

    # --- copies --------------------------------------------------------------------------------------------------
    def copies(self):
        rng, x, rank = self.rng, self.x, self.rank
        d, e = self.any_dim(), self.any_dim()
        fmt, dtype = rng.choice(FORMATS), rng.choice(DTYPES)
        repeats = [rng.choice([1, 2, 0] if self.chance(0.2) else [1, 2]) for _ in range(max(0,
            rank + rng.choice([0, 0, 1, -1 if self.chance(0.1) else 0])))]
        cast = rng.choice(["float", "double", "half", "bfloat16", "long", "int", "short", "char", "byte", "bool",
            "cfloat", "cdouble"])
        return 2 * [f"{x}.contiguous()", self.call("clone"), f"{x}.contiguous(memory_format=torch.{fmt})",
            f"{x}.to(memory_format=torch.{fmt})", self.call("clone", ("*memory_format", f"torch.{fmt}"))] + [
            f"{x}.to(torch.{dtype})", f"{x}.to(dtype=torch.{dtype})", f"{x}.to(torch.{dtype}, copy=True)",
            f"{x}.to(torch.{dtype}, memory_format=torch.{fmt})", f"{x}.to({self.other()})", f"{x}.to('cpu')",
            f"{x}.to('cpu', torch.{dtype})", f"{x}.to('cpu', copy=True)", f"{x}.{cast}()", f"{x}.type(torch.{dtype})",
            f"{x}.type_as({self.other()})", f"{x}.{cast}(memory_format=torch.{fmt})",
            f"{x}.flip({self.args([d])})", f"{x}.flip({d}, {e})", f"torch.flip({x}, {self.tuple([d, e])})",
            f"{x}.flip(dims=({d},))", f"torch.flip({x}, [{d}])", self.call("fliplr"), self.call("flipud"),
            self.call("roll", ("shifts", rng.randint(-2, 3)), ("dims", d, 0)),
            self.call("roll", ("shifts", self.tuple([1, -1])), ("dims", self.tuple([d, e]))),
            self.call("roll", ("shifts", rng.randint(-9, 9))),
            self.call("rot90"), self.call("rot90", ("k", rng.randint(-4, 5)), ("dims", self.tuple([d, e]))),
            f"{x}.repeat({self.args(repeats)})", f"{x}.repeat({self.args(repeats)})",
            f"{x}.repeat(repeats={self.tuple(repeats)})",
            f"{x}.tile({self.args(repeats[:rng.randint(0, 3)] or [2])})", f"torch.tile({x}, {self.tuple(repeats)})",
            self.call("repeat_interleave", ("repeats", rng.choice([0, 1, 2, 3, -1] if self.chance(0.1) else [1, 2])),
            ("dim", d, 0)),
            f"{x}.repeat_interleave(torch.tensor({[rng.randint(0, 2) for _ in range(max(self.size_of(d), 1))]}), dim={d})", f"{x}.repeat_interleave(torch.tensor([2]))",
            f"torch.tensor({x})", f"torch.as_tensor({x})", f"torch.as_tensor({x}, dtype=torch.{dtype})",
            f"torch.tensor({x}.tolist())",
        ]

    def derived(self):
        rng, x = self.rng, self.x
        dtype, fmt = rng.choice(["", f", dtype=torch.{rng.choice(DTYPES)}"]), rng.choice(FORMATS)
        size, value = self.tuple(self.shape_to_make()[:3]), rng.choice([0, 2, 2.5, True])
        return [f"torch.zeros_like({x}{dtype})", f"torch.ones_like({x}{dtype})",
            f"torch.full_like({x}, {value}{dtype})", f"torch.empty_like({x}{dtype}).zero_()",
            f"torch.zeros_like({x}, memory_format=torch.{fmt})",
                f"torch.ones_like(input={x})", f"torch.empty_like({x}, memory_format=torch.{fmt}).fill_(1)",
                f"{x}.new_zeros({size}{dtype})", f"{x}.new_ones({size}{dtype})",
                f"{x}.new_full({size}, {value}{dtype})",
                f"{x}.new_empty({size}{dtype}).fill_(4)", f"{x}.new_tensor([[1, 2], [3, 4]]{dtype})",
                f"{x}.new_tensor({value}{dtype})", f"{x}.new_zeros(2, 3)", f"{x}.new_ones(())",
                f"{x}.new_empty_strided((2, 3), (1, 2)).fill_(1)",
                f"torch.full_like({x}, fill_value={value}, memory_format=torch.{fmt})", f"{x}.new_tensor({x})"]

    def joins(self):
        rng, x, other, alike = self.rng, self.x, self.other(), self.alike()
        d = self.any_dim()
        n = rng.choice([1, 2, 3])
        name = rng.choice(["cat", "cat", "concat", "concatenate"])
        stack = rng.choice(["hstack", "vstack", "dstack", "column_stack", "row_stack"])
        flat = f"{x}.reshape(-1)[:3]"
        return [f"torch.{name}([{x}, {alike}], {d})", f"torch.{name}(({x}, {alike}), dim={d})",
            f"torch.{name}([{x}, {other}])", f"torch.{name}([{', '.join([x] * n)}], {d})",
            f"torch.cat([{x}.t(), {x}.t()])",
                f"torch.stack([{x}, {alike}], {self.any_dim(1)})",
                f"torch.stack([{x}, {alike}, {x}], dim={self.any_dim(1)})", f"torch.stack(({x},))",
                f"torch.stack([{x}, {other}])", f"torch.stack([])" if self.chance(0.1) else f"torch.stack([{x}])",
                f"torch.{stack}([{x}, {alike}])", f"torch.{stack}(({x}, {other}))", f"torch.{stack}([{x}])",
                f"torch.{stack}([{', '.join([x] * n)}])", f"torch.cat([torch.tensor([]), {x}])",
                f"torch.cat([{x}, torch.zeros(0)], {d})",
                f"torch.cartesian_prod({flat}, torch.arange(2))", f"torch.cartesian_prod({x})",
                f"torch.cartesian_prod({flat}, {flat}, {flat})", f"torch.combinations({flat})",
                f"torch.combinations({flat}, r={rng.randint(0, 3)})",
                f"torch.combinations({flat}, 2, with_replacement=True)", f"torch.cat(tensors=[{x}, {x}], dim={d})",
                f"torch.cat({x}.split(1, {d}), {d})", f"torch.stack({x}.unbind({d}), {d})",
                f"torch.cat([{x}, {x}.float()], {d})"]

    def gathers(self):
        rng, x, rank = self.rng, self.x, self.rank
        d, e = self.any_dim(), self.any_dim()
        n, index = self.size_of(d), self.places(self.size_of(d))
        small = [rng.randint(1, s) if s else 0 for s in self.shape]
        spread = f"torch.zeros({self.tuple(small)}, dtype=torch.int64)"
        number = rng.choice([1, 2.5, 9, True])
        return [self.call("index_select", ("dim", d), ("index", index)),
            self.call("index_select", ("dim", d), ("index", index)), self.call("gather", ("dim", d), ("index", spread)),
                self.call("gather", ("dim", d), ("index", f"{spread} + {rng.choice([0, 0, 0, 1])}")),
                self.call("take", ("index", self.places(self.value.numel()))), f"{x}.take(torch.tensor([[0, -1]]))",
                self.call("masked_select", ("mask", f"{x} > 1")),
                self.call("masked_select", ("mask", f"{self.other()} > 1")),
                self.call("diag", ("diagonal", rng.randint(-2, 2), 0)),
                self.call("diag_embed", ("offset", rng.randint(-2, 2), 0), ("dim1", self.any_dim(1), 0),
                ("dim2", self.any_dim(1), 0)), self.call("tril", ("diagonal", rng.randint(-2, 2), 0)),
                self.call("triu", ("diagonal", rng.randint(-2, 2), 0)),
                self.call("masked_fill", ("mask", f"{x} > {rng.randint(0, 4)}"), ("value", number)),
                self.call("masked_fill", ("mask", f"{self.other()} > 2"), ("value", number)),
                self.call("nonzero"), f"torch.argwhere({x})", f"torch.nonzero({x} > 2)", f"{x}.nonzero(as_tuple=True)",
                f"torch.where({x} > 2)", f"torch.where({x} > 2, {x}, {self.other()})",
                f"torch.where({x} > 2, {x}, {number})", f"torch.where({x} > 2, 1, 0)", f"{x}.where({x} > 2, {number})",
                f"{x}.where({x} > 2, {self.other()})",
                f"{x}.sort(dim={d}, stable=True)", f"{x}.argsort(stable=True, dim={d})",
                f"torch.sort({x}, dim={d}, descending=True, stable=True)"]

    # --- reckoning -----------------------------------------------------------------------------------------------
    def arithmetic(self):
        rng, x, other, alike = self.rng, self.x, self.other(), self.alike()
        number = rng.choice([1, 2, -1, 3, 2.5, 0.5, 0.7, True, 0])
        name = rng.choice(["add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "floor_divide",
            "remainder", "fmod", "pow", "maximum", "minimum", "eq", "ne", "lt", "le", "gt", "ge", "logical_and",
                           "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "fmax", "fmin",
                           "less", "greater", "not_equal", "less_equal", "greater_equal"])
        unary = rng.choice(self.unary() + ["log", "isnan", "isinf", "isfinite",
            "signbit"] if not self.half() else self.unary())
        symbol = rng.choice(["+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^", "<<",
            ">>"])
        return [f"{x} {symbol} {number}", f"{x} {symbol} {number}", f"{x} {symbol} {other}", f"{x} {symbol} {alike}",
            f"{number} {symbol} {x}", f"{x} {symbol} {x}.t()", f"-{x}", f"~{x}", f"+{x}", f"abs({x})",
                self.call(name, (None, alike)), self.call(name, (None, other)), self.call(name, (None, number)),
                self.call(unary), self.call(unary), self.call("add", (None, alike),
                ("*alpha", rng.choice([2, -1, 0.5]))),
                self.call("sub", (None, alike), ("*alpha", 2)),
                self.call("clamp", ("min", rng.randint(-1, 3)), ("max", rng.randint(2, 6), 0)),
                self.call("clip", ("min", 1), ("max", 4)), self.call("clamp", ("*max", number)),
                f"torch.pow({rng.randint(0, 3)}, {x})", f"({x} > 1) & ({x} < 5)", f"{x} + {x}.sum()",
                f"torch.add({x}, {alike})",
                f"torch.mul({x}, {alike})", f"{x}.float() / 3", f"{x}.float() ** 2", f"{x}.double() * 0.1",
                f"1 / {x}.float()", f"{x}.div({alike}, rounding_mode='{rng.choice(['floor', 'trunc'])}')"]

    def reductions(self):
        rng, x = self.rng, self.x
        d, e = self.any_dim(), self.any_dim()
        name, keep = rng.choice(["sum", "mean", "amax", "amin", "any", "all", "prod", "sum", "mean",
            "nansum"]), rng.choice([True, False])
        best = rng.choice(["max", "min", "argmax", "argmin", "max", "min", "max"])
        dtype = f"torch.{rng.choice(DTYPES if self.whole() else FLOATS)}"
        several = self.tuple(sorted({d, e}))
        return [self.call(name), self.call("count_nonzero"), self.call("count_nonzero", ("dim", d)),
            self.call(name, ("dim", d)), self.call(name, ("dim", d), ("keepdim", keep)),
            self.call("sum", ("dim", several), ("keepdim", keep, 0)),
            self.call("mean", ("dim", several), ("keepdim", keep, 0)),
                self.call("amax", ("dim", several), ("keepdim", keep, 0)), self.call("sum", ("*dtype", dtype)),
                self.call("sum", ("dim", d), ("*dtype", dtype)), self.call("mean", ("*dtype", "torch.float64")),
                f"{x}.float().mean()",
                f"{x}.float().mean({d})", f"{x}.float().std()", f"{x}.double().var({d})",
                f"{x}.float().mean(dim={several}, keepdim={keep})", self.call(best), self.call(best, ("dim", d)),
                self.call(best, ("dim", d), ("keepdim", keep)),
                f"{x}.{rng.choice(['max', 'min'])}({d}).values", f"{x}.{rng.choice(['max', 'min'])}({d})[1]",
                self.call("cumsum", ("dim", d)), self.call("cumprod", ("dim", d)),
                self.call("cumsum", ("dim", d), ("*dtype", dtype)),
                f"torch.max({x}, {self.alike()})", f"{x}.sum(axis={d})", f"{x}.float().norm()",
                f"torch.sum({x}, dim=[{d}])", f"{x}.sum().expand(2, 3)"]

    def products(self):
        x, alike, other = self.x, self.alike(), self.other()
        if self.value.is_complex():  # some BLAS builds return complex scalars otherwise than their callers expect
            return self.shapes()
        return [f"{x} @ {x}.t()", f"{x} @ {x}.mT", f"{x}.matmul({other})", f"torch.matmul({x}, {alike}.mT)",
            f"torch.mm({x}, {x}.t())", f"{x}.mm({other})", f"{x}.mv({other})", f"{x}.dot({alike})",
            f"torch.dot({x}.flatten(), {x}.flatten())",
                f"{x}.bmm({alike}.mT)", f"torch.bmm({x}, {x})", f"{x}.flatten() @ {x}.flatten()", f"{x} @ {x}",
                f"{x}.t().mm({x})",
                f"torch.matmul({x}, torch.ones({self.shape[-1] if self.shape else 1}, dtype={self.value.dtype}))",
               ]

    def complexes(self):
        x, d = self.x, self.any_dim()
        base = f"{x}.to(torch.{self.rng.choice(COMPLEX)})"
        return [base, f"torch.view_as_real({base})", f"torch.view_as_complex({x})",
            f"torch.view_as_complex({x}.float())", f"torch.view_as_real({x})", f"{x}.real", f"{x}.imag", f"{base}.real",
            f"{base}.imag", f"torch.real({x})",
                f"torch.imag({x})", f"{x}.conj()", f"torch.conj({x})", f"{base}.conj()", f"{base}.mH",
                f"{base}.adjoint()", f"{base}.H", f"torch.complex({x}.float(), {x}.float())", f"{x}.resolve_conj()",
                f"{x}.resolve_neg()",
                f"{base}.conj().imag", f"{base}.view({x}.shape)", f"{base}.abs()", f"{base} * {base}", f"{base} + 1",
                f"{x}.conj_physical()", f"{x}.is_conj()", f"{base}.conj().clone()", f"{base}.sum({d})",
                f"{base}.view(torch.float32)", f"{base}.view(torch.float64)"]
