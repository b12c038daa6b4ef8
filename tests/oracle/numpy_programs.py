"""Random programs over NumPy's operations: every operation, keyword, order, dtype, kind of index, write and setter."""
import numpy as np

from numpy_words import NumPyWords

FLAGS = ["c_contiguous", "contiguous", "f_contiguous", "fortran", "fnc", "forc", "owndata", "writeable", "aligned",
    "writebackifcopy", "behaved", "carray", "farray"]
BINARY = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">="]
UFUNCS = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "bitwise_and", "bitwise_or",
    "bitwise_xor", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "maximum", "minimum"]
UNARY = ["negative", "invert", "abs", "absolute", "sign", "sqrt", "sin", "cos", "tanh", "floor", "ceil", "round",
    "logical_not", "exp"]


class NumPy(NumPyWords):
    def inner(self, name, value):
        """A view of a name, to take something of without giving it a name."""
        shape = list(value.shape)
        text = self.pick(lambda: f"{name}.T", lambda: f"{name}[{self.slice(shape[0] if shape else 1, True)}]",
            lambda: f"{name}[...]", lambda: f"{name}.copy()", lambda: f"{name}[::-1]",
                         lambda: f"{name}.transpose({self.args(self.permutation(len(shape)))})",
                         lambda: f"{name}[..., None]", lambda: f"{name}[..., ::2]")()
        try:
            made = eval(text, self.recorder.names)
        except Exception:
            return None
        return (text, made) if isinstance(made, np.ndarray) else None

    def operation(self, x, value, shape, live):
        if self.chance(0.2):
            x, value = self.inner(x, value) or (x, value)
            shape = list(value.shape)
        group = self.rng.choices([self.reshaping, self.axis_moves, self.indexing, self.broadcasting, self.copies,
            self.joins, self.arithmetic, self.windows],
                                 [5, 5, 7, 3, 5, 6, 5, 3])[0]
        return group(x, value, shape, [name for name, _ in live])

    def reshaping(self, x, value, shape, names):
        numel, rank = value.size, len(shape)
        order = lambda: f", order={self.order()}" if self.chance(0.4) else ""
        return self.pick(
            lambda: f"{x}.reshape({self.args(self.sizes(numel))}{order()}{', copy=' + self.pick('True', 'False', 'None') if self.chance(0.1) else ''})",
            lambda: f"{x}.reshape({self.args(self.merged(shape))}{order()})",
            lambda: f"{x}.reshape({self.args(self.merged(shape))})",
            lambda: f"np.reshape({x}, {self.shape_text(self.sizes(numel) or [1])}{order()}{', copy=' + self.pick('True', 'False', 'None') if self.chance(0.1) else ''})",
            lambda: f"{x}.reshape(-1{order()})", lambda: f"{x}.reshape({self.tuple(shape)}{order()})",
            lambda: f"{x}.ravel({self.pick('', self.order(), 'order=' + self.order())})",
            lambda: f"np.ravel({x}{self.pick('', ', ' + self.order())})",
            lambda: f"{x}.flatten({self.pick('', self.order())})",
            lambda: f"{x}.squeeze({self.pick('', '', self.dim(rank), self.axes(rank), 'axis=' + str(self.dim(rank)))})",
            lambda: f"np.squeeze({x}{self.pick('', ', ' + str(self.dim(rank)), ', axis=' + self.axes(rank))})",
            lambda: f"np.expand_dims({x}, {self.pick(self.dim(rank, 1), self.tuple([self.dim(rank, 2), self.dim(rank, 2)]))})",
            lambda: f"np.atleast_{self.pick(1, 2, 3)}d({x})",
            lambda: f"np.atleast_{self.pick(1, 2, 3)}d({x}, {self.rng.choice(names)})",
            lambda: f"{x}.view()", lambda: f"{x}.view({self.dtype()})", lambda: f"{x}.view({self.dtype()})",
            lambda: f"np.resize({x}, {self.shape_text(self.some_shape() or [2])})",
        )()

    def axis_moves(self, x, value, shape, names):
        rank = len(shape)
        d, e = self.dim(rank), self.dim(rank)
        return self.pick(
            lambda: f"{x}.transpose({self.args(self.permutation(rank))})",
            lambda: f"np.transpose({x}, {self.pick('axes=', '')}{self.tuple(self.permutation(rank))})",
            lambda: f"np.transpose({x})", lambda: f"{x}.T", lambda: f"{x}.transpose({self.pick('', 'None')})",
            lambda: f"np.permute_dims({x}, {self.tuple(self.permutation(rank))})",
            lambda: f"{x}.mT", lambda: f"np.matrix_transpose({x})",
            lambda: f"{x}.swapaxes({d}, {e})", lambda: f"np.swapaxes({x}, {d}, {e})",
            lambda: f"np.swapaxes({x}, axis1={d}, axis2={e})",
            lambda: f"np.moveaxis({x}, {d}, {e})",
            lambda: f"np.moveaxis({x}, {self.axes(rank, min(2, rank))}, {self.axes(rank, min(2, rank))})",
            lambda: f"np.moveaxis({x}, source={list(range(rank))}, destination={self.tuple(self.permutation(rank))})",
            lambda: f"np.rollaxis({x}, {d}{self.pick('', ', ' + str(self.rng.randint(-rank - 1, rank + 1)), ', start=' + str(self.rng.randint(0, rank)))})",
            lambda: f"np.flip({x})", lambda: f"np.flip({x}, {d})", lambda: f"np.flip({x}, axis={self.axes(rank)})",
            lambda: f"np.fliplr({x})", lambda: f"np.flipud({x})",
            lambda: f"np.rot90({x}{self.pick('', ', ' + str(self.rng.randint(-5, 6)))})",
            lambda: f"np.rot90({x}, {self.rng.randint(-5, 6)}, {self.tuple([d, e])})",
            lambda: f"np.rot90({x}, k={self.rng.randint(0, 3)}, axes={self.axes(rank)})",
            lambda: f"{x}.diagonal({self.rng.randint(-3, 3)}, {d}, {e})",
            lambda: f"{x}.diagonal({self.pick('', '1', '-1', 'offset=2')})",
            lambda: f"np.diagonal({x}{self.keywords(f'offset={self.rng.randint(-3, 3)}', f'axis1={d}', f'axis2={e}')})",
            lambda: f"np.diag({x}{self.pick('', ', 1', ', k=-2', ', 3')})",
            lambda: f"{x}.{self.pick('real', 'imag', 'T', 'real')}",
        )()

    def indexing(self, x, value, shape, names):
        rank = len(shape)
        d = self.dim(rank)
        n = shape[d] if -rank <= d < rank else 3
        if self.chance(0.8):
            return f"{x}[{self.key(shape)}]"
        return self.pick(
            lambda: f"{x}[::-1]", lambda: f"{x}[..., ::-2]", lambda: f"{x}[{x} > {self.pick(1, 3)}]",
            lambda: f"{x}[{x} % 2 == 0]",
            lambda: f"np.take({x}, {self.pick(str(self.integers(n, 2)), str(self.integers(n, 1)[0]), str([self.integers(n, 2)]))}{self.pick('', ', ' + str(d), f', axis={d}')}{self.pick('', '', ', mode=' + self.pick(repr('clip'), repr('wrap')))})",
            lambda: f"{x}.take({self.pick(str(self.integers(n, 2)), str(self.integers(n, 1)[0]))}{self.pick('', f', axis={d}')})",
            lambda: f"{x}[np.ix_({', '.join(str(self.integers(s, self.pick(1, 2))) for s in shape)})]",
            lambda: f"{x}[np.s_[{self.key(shape)}]]",
            lambda: f"{x}[{self.rng.choice(names)}]",
        )()

    def broadcasting(self, x, value, shape, names):
        other = self.rng.choice(names)
        return self.pick(
            lambda: f"np.broadcast_to({x}, {self.shape_text(self.broadcast_shape(shape) or [1])})",
            lambda: f"np.broadcast_to({x}, {self.tuple(self.broadcast_shape(shape))})",
            lambda: f"np.broadcast_arrays({x}, {other})",
            lambda: f"np.broadcast_arrays({x}, {self.pick('[1, 2]', '[[1], [2]]', '3', self.fitting(shape))})",
            lambda: f"np.broadcast_arrays({x}, {x}[:1], {other})", lambda: f"np.broadcast_arrays({x})",
            lambda: f"np.broadcast_shapes({x}.shape, {self.tuple(self.broadcast_shape(shape))})",
            lambda: f"np.broadcast({x}, {other}).{self.pick('shape', 'ndim', 'size', 'nd')}",
            lambda: f"np.meshgrid({x}.ravel()[:3], np.arange(2){self.keywords('indexing=' + self.pick(repr('ij'), repr('xy')), 'copy=' + self.pick('True', 'False'), 'sparse=' + self.pick('True', 'False'))})",
            lambda: f"np.meshgrid({x}, {self.pick('[1, 2]', 'np.arange(3)')}{self.keywords('indexing=' + self.pick(repr('ij'), repr('xy'), repr('zz')), 'copy=False', 'sparse=True')})",
            lambda: f"np.meshgrid({x}.ravel()[:2], [1, 2, 3], np.arange(2){self.keywords('indexing=' + self.pick(repr('ij'), repr('xy')), 'copy=False', 'sparse=True')})",
        )()

    def copies(self, x, value, shape, names):
        order = lambda: f"order={self.order()}"
        like = lambda: self.keywords(f"dtype={self.dtype()}", order(),
            f"shape={self.tuple(self.some_shape())}" if self.chance(0.3) else order() if False else "subok=True")
        wanted = lambda: self.pick("'C'", "'F'", "['C', 'O']", "['F', 'W']", "'W'", "'O'", "['A']", "['C', 'F']", "'E'",
            "['C', 'A', 'W', 'O']", "'Z'", "None", "['F_CONTIGUOUS']", "'CW'")
        return self.pick(
            lambda: f"{x}.copy({self.pick('', self.order(), order())})",
            lambda: f"np.copy({x}{self.pick('', ', ' + self.order(), ', ' + order())})",
            lambda: f"np.array({x}{self.keywords('dtype=' + self.dtype(), order(), 'ndmin=' + self.pick('1', '2', '3', '4'), 'copy=' + self.pick('True', 'False', 'None'))})",
            lambda: f"np.{self.pick('asarray', 'asanyarray')}({x}{self.keywords('dtype=' + self.dtype(), order(), 'copy=' + self.pick('True', 'False', 'None'))})",
            lambda: f"np.asarray({x}, order='{self.pick('C', 'F')}')",
            lambda: f"np.ascontiguousarray({x}{self.keywords('dtype=' + self.dtype())})",
            lambda: f"np.asfortranarray({x}{self.keywords('dtype=' + self.dtype())})",
            lambda: f"np.require({x}, requirements={wanted()})", lambda: f"np.require({x}, {self.dtype()}, {wanted()})",
            lambda: f"{x}.astype({self.dtype()}{self.keywords(order(), 'copy=' + self.pick('True', 'False'))})",
            lambda: f"{x}.astype({self.dtype()}, casting='{self.pick('unsafe', 'same_kind', 'safe', 'equiv', 'no')}')",
            lambda: f"{x}.astype({value.dtype.name!r}, copy=False)",
            lambda: f"np.astype({x}, {self.dtype()}{self.keywords('copy=False')})",
            lambda: f"np.{self.pick('zeros_like', 'ones_like', 'empty_like' if value.size == 0 else 'ones_like')}({x}{like()})", lambda: f"np.full_like({x}, {self.pick('3', '1.5', 'True', '-1', '300')}{like()})",
            lambda: f"np.array([{x}, {self.pick(x, self.rng.choice(names))}])",
        )()

    def joins(self, x, value, shape, names):
        rank = len(shape)
        d, other = self.dim(rank), self.rng.choice(names)
        n = shape[d] if -rank <= d < rank else 1
        pair = self.pick(f"[{x}, {x}]", f"[{x}, {x}]", f"[{x}, {other}]", f"({x}, {x}, {x})", f"[{x}]",
            f"[{x}.T, {x}.T]", f"[{x}, {x}[::-1]]", f"[{x}, {x}.copy()]", x)
        reps = [self.pick(1, 2, 1, 3, 0) for _ in range(self.rng.randint(0, 3))]
        cuts = sorted(self.rng.randint(-n, n + 1) for _ in range(self.rng.randint(0, 3)))
        parts = self.pick(self.pick(1, 2, 3, 4, 0, -1), str(cuts), self.tuple(cuts))
        return self.pick(
            lambda: f"np.{self.pick('concatenate', 'concat')}({pair}{self.pick('', f', {d}', f', axis={d}', ', axis=None', f', {d}', f', {d}')}{self.keywords('dtype=' + self.dtype()) if self.chance(0.3) else ''})",
            lambda: f"np.concatenate([{x}, {x}], {d})",
            lambda: f"np.concatenate([{x}, {other}, {x}], axis={self.pick(d, 0)})",
            lambda: f"np.stack({pair}{self.pick('', f', {self.dim(rank, 1)}', f', axis={self.dim(rank, 1)}')})",
            lambda: f"np.{self.pick('vstack', 'hstack', 'dstack', 'column_stack')}({pair})",
            lambda: f"np.{self.pick('vstack', 'hstack', 'dstack', 'column_stack')}([{x}, {other}])",
            lambda: f"np.append({x}, {self.pick(x, other, '5', '[1, 2]')}{self.pick('', f', {d}', f', axis={d}')})",
            lambda: f"np.tile({x}, {self.pick(2, 1, self.tuple(reps), str(reps))})",
            lambda: f"np.repeat({x}, {self.pick('2', '0', '[2]', str([self.pick(0, 1, 2) for _ in range(n)]), '-1')}{self.pick('', f', {d}', f', axis={d}')})",
            lambda: f"{x}.repeat({self.pick('2', '3', str([self.pick(0, 1, 2) for _ in range(n)]), 'np.array(2)')}{self.pick('', f', axis={d}')})",
            lambda: f"np.roll({x}, {self.rng.randint(-4, 5)}{self.pick('', f', {d}', f', axis={d}', f', {self.axes(rank)}')})", lambda: f"np.roll({x}, ({self.rng.randint(-2, 3)}, 1), axis={self.axes(rank, min(rank, 2))})",
            lambda: f"np.split({x}, {parts}{self.pick('', f', {d}', f', axis={d}')})",
            lambda: f"np.array_split({x}, {parts}{self.pick('', f', {d}', f', axis={d}')})",
            lambda: f"np.{self.pick('hsplit', 'vsplit', 'dsplit')}({x}, {parts})",
            lambda: f"np.unstack({x}{self.pick('', f', axis={d}')})",
        )()

    def arithmetic(self, x, value, shape, names):
        other = self.pick(self.rng.choice(names), self.number(), self.number(), x, f"{x}.T", self.fitting(shape),
            self.fitting(shape))
        op = self.rng.choice(BINARY)
        if op == "**":
            other = self.pick("2", "0", "3", "-1" if self.chance(0.1) else "1")
        return self.pick(
            lambda: f"{x} {op} {other}", lambda: f"{x} {op} {other}",
            lambda: f"{other} {op if op not in ('**', '<<') else '+'} {x}",
            lambda: f"np.{self.rng.choice(UFUNCS)}({x}, {other})", lambda: f"{self.pick('-', '~', '+', 'abs')}({x})",
            lambda: f"np.{self.rng.choice(UNARY)}({x})",
            lambda: f"{x} {self.pick('+', '*', '>')} {self.number()}",
            lambda: f"{x} @ {x}" if self.chance(0.0) else f"{x} - {x}",
        )()

    def windows(self, x, value, shape, names):
        rank = len(shape)
        sizes, strides = self.strided(value)
        prefix = self.pick("", "np.lib.stride_tricks.")
        fit = [self.rng.randint(1, max(s, 1)) if not self.chance(0.05) else self.pick(0, s + 1, -1) for s in shape]
        d = self.dim(rank)
        one = fit[d] if -rank <= d < rank else 2
        writeable = self.keywords("writeable=" + self.pick("True", "False"))
        return self.pick(
            lambda: f"{prefix}as_strided({x}, {self.tuple(sizes)}, {self.tuple(strides)}{writeable})",
            lambda: f"{prefix}as_strided({x}, shape={self.tuple(sizes)}, strides={self.tuple(strides)}{writeable})",
            lambda: f"as_strided({x}{self.pick('', ', writeable=False', f', {self.tuple(shape)}')})",
            lambda: f"as_strided({x}, (2, 2), (0,))" if self.chance(0.1) else f"as_strided({x}, (), ())" if value.size
            else f"as_strided({x}, (0,), (8,))",
            lambda: f"{prefix}sliding_window_view({x}, {one}, axis={d}{writeable})",
            lambda: f"sliding_window_view({x}, {self.tuple(fit)}{writeable})",
            lambda: f"sliding_window_view({x}, {one})",
            lambda: f"sliding_window_view({x}, window_shape={self.tuple([one])}, axis={self.tuple([d])})",
            lambda: f"sliding_window_view({x}, {self.tuple([one, one])}, axis={self.tuple([d, self.dim(rank)])})",
        )()

    def write(self, x, value, live):
        shape = list(value.shape)
        names = [name for name, _ in live]
        other = self.rng.choice(names)
        key = self.key(shape)
        try:
            part = list(np.shape(eval(f"{x}[{key}]", self.recorder.names)))
        except Exception:
            part = shape
        given = self.pick(str(self.rng.randint(50, 99)), self.number(), other, self.fitting(part), self.fitting(part),
            "[1, 2]", f"{x}[{key}]")
        member = "[" in x  # p[0] += 1 would assign to the list or tuple, too
        op = self.pick("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "/", "+", "*")
        choices = [
            (6, lambda: f"{x}[{key}] = {given}"), (1, lambda: f"{x}[...] = {x}.T"), (1, lambda: f"{x}[::-1] = {x}"),
            (1, lambda: f"{x}[1:] = {x}[:-1]"),
            (0 if member else 3,
            lambda: f"{x} {op}= {self.pick(self.number(), other, self.fitting(shape), x, f'{x}.T', f'{x}[::-1]')}"),
            (0 if member else 1, lambda: f"{x} **= {self.pick('2', '1', '0')}"),
            (1, lambda: f"{x}[{key}] {self.pick('+', '*', '-')}= {self.pick('1', '2', self.fitting(part))}"),
            (1, lambda: f"{x}.fill({self.pick('7', '1.5', 'True', '[1]', other, '-1')})"),
            (2, lambda: f"np.copyto({x}, {self.pick(other, self.fitting(shape), self.number())}{self.pick('', '', ', casting=' + repr(self.pick('unsafe', 'safe', 'no', 'equiv', 'same_kind')))})"),
            (1, lambda: f"np.copyto({x}, {self.pick(other, self.fitting(shape), '3')}, where={self.pick(f'{x} > 2', 'True', 'False')})"),
            (1, lambda: f"{x}[{x} > {self.pick(1, 3)}] = {self.pick('9', '[1, 2]', '1.5')}"),
            (2, lambda: f"{x}.shape = {self.pick(self.tuple(self.sizes(value.size)), self.tuple(self.merged(shape)), self.tuple(self.merged(shape)), '-1')}"),
            (1, lambda: f"{x}.flags.writeable = {self.pick('False', 'False', 'True')}"),
            (1, lambda: f"{x}.setflags(write={self.pick('False', 'True')})"),
            (1, lambda: f"{x}.{self.pick('real', 'real', 'imag')} = {self.pick('5', other, self.fitting(shape))}"),
            (1, lambda: f"{x}.dtype = {self.dtype()}" if self.chance(0.2)
            else f"{x}.flags['WRITEABLE'] = {self.pick('False', 'True')}"),
        ]
        _, strides = self.strided(value)
        if len(strides) == len(shape) and self.chance(0.3):
            return f"{x}.strides = {self.tuple(strides if self.chance(0.5) else list(value.strides))}"
        return self.rng.choices([text for _, text in choices], [weight for weight, _ in choices])[0]()

    def query(self, x, value, live):
        other, rank = self.rng.choice(live)[0], value.ndim
        flag = self.rng.choice(FLAGS)
        return self.pick(
            f"{x}.shape", f"{x}.strides", f"np.shape({x})", f"{x}.flags.{flag}", f"{x}.flags['{flag.upper()}']",
            f"{x}.flags['{self.pick('C', 'F', 'O', 'W', 'A', 'Z', 'FNC', 'FORC', 'CA', 'B')}']",
            f"{x}.base is {other}", f"{x}.base is None",
            f"np.shares_memory({x}, {other})" if value.ndim < 5 else f"{x}.ndim", f"np.may_share_memory({x}, {other})",
            f"{x} is {other}", f"{x}.ndim", f"np.ndim({x})", f"{x}.size",
            f"np.size({x})", f"{x}.nbytes", f"{x}.itemsize", f"np.isfortran({x})", f"{x}.dtype",
            *([] if value.dtype.kind == "c" or value.size > 512 else [f"{x}.tolist()", f"{x}.item()",
            f"{x}.item({self.rng.randint(-3, 5)})"]),
            f"{x}.item({', '.join(str(self.rng.randint(0, max(n - 1, 0))) for n in value.shape)})"
            if value.dtype.kind != "c" else f"{x}.ndim", f"len({x})", f"np.array_equal({x}, {other})",
            f"{x}.shape[{self.rng.randint(0, max(rank - 1, 0))}]",
            f"{x}.flags.fnc", f"{x}.dtype == {self.dtype()}", f"{x}.strides == {other}.strides", f"list({x}.shape)",
            f"int({x})" if value.size == 1 else f"{x}.dtype.itemsize",
            f"bool({x})" if value.size == 1 else f"{x}.dtype.name",
            f"{x}.data_ptr()" if self.chance(0.2) else f"{x}.T is {x}", f"{x}.base is {other}.base",
            f"{x}.tolist() == {x}.tolist()" if value.dtype.kind != "c" and value.size <= 512 else f"{x}.real is {x}")

    def line(self):
        text = super().line()
        # p, q = np.split(..): as many names as there are parts, as a rule.
        name, is_, expression = text.partition(" = ")
        if is_ and "split(" in expression and name.isalpha() and self.chance(0.3):
            try:
                count = len(eval(expression, self.recorder.names))
            except Exception:
                return text
            if 1 < count < 4:
                used = {line.split(" ")[0].rstrip(",") for line in self.lines}
                free = [c + "_" for c in "abcdefgh" if c + "_" not in used][:count]
                if len(free) == count:
                    return f"{', '.join(free)} = {expression}"
        return text
