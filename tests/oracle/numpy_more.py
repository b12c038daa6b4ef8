"""More probes of NumPy's operations: what is reckoned, reduced, sorted, searched and picked."""
from numpy_probes import NumPyProbes

FLOATS = ["np.arange(24.).reshape(2, 3, 4)", "np.arange(12.).reshape(3, 4) - 5", "np.arange(12.).reshape(3, 4).T", "np.arange(6.)",
    "np.arange(10.)[::-2]", "np.array([np.nan, 1, np.inf, -2])", "np.array([[1, np.nan], [0, 3]])", "np.arange(3.)[:, None]",
    "np.array([3, 1, 2, 1, 3])", "np.array([[2, 1], [1, 2], [2, 1]])", "np.arange(4, dtype=np.float32)", "np.array([-1.5, 0.5, 2.5])",
    "np.asfortranarray(np.arange(6.).reshape(2, 3))"]
OUTER = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "less", "equal", "logical_and", "bitwise_or"]
REDUCE = ["add", "subtract", "multiply", "maximum", "minimum", "logical_and", "logical_or", "bitwise_and", "bitwise_or", "fmax"]
UNARY = ["positive", "bitwise_not", "exp", "log", "rint", "isnan", "isinf", "isfinite", "tan", "trunc", "exp2",
    "log2", "log10", "log1p", "expm1", "conj", "floor", "ceil", "sin", "cos", "tanh", "isrealobj", "iscomplexobj",
    "isreal", "arcsin", "acos", "arctan", "sinh", "cosh", "asinh", "arccosh", "atanh", "cbrt", "deg2rad", "reciprocal",
    "signbit", "bitwise_invert", "fabs", "rad2deg", "radians", "degrees", "fix", "isposinf", "isneginf", "sinc",
    "i0", "spacing", "frexp", "modf", "bitwise_count", "sort_complex", "real_if_close", "asarray_chkfinite", "corrcoef",
    "unique_values", "unique_counts", "unique_inverse", "unique_all", "linalg.diagonal", "linalg.trace", "linalg.matrix_transpose"]
BINARY = ["true_divide", "mod", "left_shift", "right_shift", "fmax", "fmin", "logical_and", "logical_or",
    "logical_xor", "fmod", "divmod", "greater", "less_equal", "not_equal", "bitwise_xor", "arctan2", "hypot",
    "atan2", "copysign", "heaviside", "gcd", "lcm", "pow", "bitwise_left_shift", "logaddexp", "logaddexp2", "nextafter"]
PRODUCT = ["vdot", "vecdot", "matvec", "vecmat", "linalg.matmul", "linalg.outer", "linalg.tensordot", "linalg.cross"]


class Rest(NumPyProbes):
    INPUTS = NumPyProbes.INPUTS + FLOATS
    OPERATIONS = [(f"np.{name}", ":y :operand *out:out? *where:mask?") for name in BINARY] + [
        (f"np.{name}", ":y") for name in UNARY] + [
        (f"np.{name}", ":y :operand") for name in PRODUCT] + [
        (f"np.{name}.outer", ":y :operand") for name in OUTER] + [
        (f"np.{name}.reduce", ":y axis:some_dims? *dtype:dtype? *keepdims:flag?") for name in REDUCE] + [
        (f"np.{name}.accumulate", ":y axis:dim? *dtype:dtype?") for name in REDUCE] + [
        ("np.add.at", ":x_itself :indices :operand"), ("np.matmul", ":y :operand"), ("np.dot", ":y :operand"),
        ("np.outer", ":y :operand"), ("np.inner", ":y :operand"),
        ("np.mean", "a:y axis:some_dims? *dtype:dtype? *keepdims:flag?"), ("mean", "axis:some_dims? *keepdims:flag?"),
        ("np.std", "a:y axis:some_dims? *ddof:=1|0|2? *keepdims:flag?"), ("np.var", "a:y axis:some_dims? *ddof:=1|0? *keepdims:flag?"),
        ("np.sum", "a:y axis:some_dims? *dtype:dtype? *keepdims:flag? *initial:number? *where:mask?"),
        ("np.prod", "a:y axis:some_dims? *keepdims:flag?"), ("np.amax", "a:y axis:some_dims? *keepdims:flag? *initial:number?"),
        ("np.ptp", "a:y axis:some_dims? *keepdims:flag?"), ("np.argmax", "a:y axis:dim? *keepdims:flag?"),
        ("argmin", "axis:dim? *keepdims:flag?"), ("np.all", "a:y axis:some_dims? *keepdims:flag? *where:mask?"),
        ("any", "axis:some_dims? *keepdims:flag?"), ("np.count_nonzero", "a:y axis:some_dims? *keepdims:flag?"),
        ("np.cumsum", "a:y axis:dim? *dtype:dtype?"), ("cumprod", "axis:dim? *dtype:dtype?"),
        ("np.linalg.norm", "x:y ord:=1|2|'fro'|np.inf|0|None? axis:some_dims? keepdims:flag?"),
        ("np.diff", "a:y n:small? axis:dim? prepend:operand? append:operand?"),
        ("np.ediff1d", "ary:y to_end:operand? to_begin:operand?"),
        ("np.fill_diagonal", "a:x_itself val:operand wrap:flag?"), ("np.nonzero", ":y"), ("np.argwhere", ":y"), ("np.flatnonzero", ":y"),
        ("np.sort", "a:y axis:dim_or_none? *kind:='stable'? *stable:=True?"), ("np.argsort", "a:y axis:dim_or_none? *kind:='stable'"),
        ("sort", "axis:dim?"), ("argsort", "axis:dim? *kind:='stable'"),
        ("np.trace", "a:y offset:offset? axis1:dim? axis2:dim? dtype:dtype?"),
        ("np.allclose", ":y :operand rtol:=0.1|0? atol:=1|0.5? *equal_nan:flag?"), ("np.isclose", ":y :operand rtol:=0.1|0|[0.1]? atol:=1|np.array([[1.],[0.]])? *equal_nan:flag?"),
        ("np.array_equiv", ":y :operand"), ("np.put", "a:x_itself ind:indices v:operand mode:='raise'|'wrap'|'clip'?"),
        ("np.putmask", "a:x_itself mask:mask values:operand"), ("np.place", ":x_itself :mask :operand"), ("np.convolve", ":flat :flat mode:='full'|'same'|'valid'?"),
        ("np.correlate", ":flat :flat mode:='full'|'same'|'valid'?"), ("np.percentile", "a:y q:=50|0|100|[25,75]|101 axis:some_dims? *keepdims:flag?"),
        ("np.quantile", "a:y q:=0.5|[0.25,0.75]|0.1|1.5 axis:some_dims? *method:='linear'|'lower'|'nearest'|'midpoint'|'higher'?"),
        ("np.bincount", "x:flat weights:flat? minlength:small?"), ("np.compress", "condition:flat a:y axis:dim?"),
        ("np.extract", "condition:mask arr:y"), ("np.take_along_axis", "arr:y indices:index_like axis:dim_or_none"),
        ("np.put_along_axis", "arr:x_itself indices:index_like values:operand axis:dim_or_none"), ("np.delete", "arr:y obj:indices axis:dim?"),
        ("np.insert", "arr:y obj:indices values:operand axis:dim?"), ("np.trim_zeros", "filt:flat trim:='fb'|'f'|'b'?"),
        ("np.linalg.inv", "a:matrix"), ("np.linalg.det", "a:matrix"), ("np.linalg.slogdet", "a:matrix"),
        ("np.linalg.cholesky", ":matrix *upper:flag?"), ("np.linalg.eigh", "a:matrix UPLO:='L'|'U'|'what'?"),
        ("np.linalg.eig", "a:matrix"), ("np.linalg.eigvals", "a:matrix"), ("np.linalg.qr", "a:matrix mode:='reduced'|'complete'|'r'|'what'?"),
        ("np.linalg.svd", "a:matrix full_matrices:flag? compute_uv:flag?"), ("np.linalg.svdvals", ":matrix"),
        ("np.linalg.solve", "a:matrix b:matrix"), ("np.linalg.lstsq", "a:matrix b:matrix"), ("np.linalg.pinv", "a:matrix"),
        ("np.unique", "ar:y *return_index:flag? *return_inverse:flag? *return_counts:flag? *axis:dim?"),
        ("np.union1d", ":y :operand"), ("np.intersect1d", ":y :operand *assume_unique:=False? *return_indices:flag?"),
        ("np.setdiff1d", ":y :operand"), ("np.setxor1d", ":y :operand"), ("np.isin", ":y :operand *invert:flag?"),
        ("np.searchsorted", "a:ascending v:operand side:='left'|'right'?"), ("np.digitize", ":y bins:ascending right:flag?"),
        ("np.block", ":blocks"), ("np.kron", ":y :operand"), ("np.tri", "N:small M:small? k:offset? dtype:dtype?"),
        ("np.tril", "m:y k:offset?"), ("np.triu", "m:y k:offset?"), ("np.tril_indices", ":small k:offset? m:small?"),
        ("np.triu_indices_from", ":y k:offset?"), ("np.diag_indices", ":small ndim:=2|1|3?"), ("np.diag_indices_from", ":y"),
        ("np.choose", ":choices_at :list mode:='raise'|'wrap'|'clip'?"), ("np.select", ":masks :list default:number?"),
        ("np.where", ":mask :operand :operand"), ("np.where", ":mask"), ("np.clip", "a:y a_min:operand a_max:operand"),
        ("clip", "min:number? max:number?"), ("np.result_type", ":operand :operand"), ("np.promote_types", ":dtype :dtype"),
        ("np.can_cast", ":dtype :dtype casting:casting?"), ("np.min_scalar_type", ":operand"), ("np.issubdtype", ":dtype :=np.integer|np.floating|np.number|np.signedinteger"),
        ("np.nansum", "a:y axis:some_dims? *keepdims:flag? *dtype:dtype?"), ("np.nanmean", "a:y axis:some_dims? *keepdims:flag?"),
        ("np.nanmax", "a:y axis:some_dims? *keepdims:flag?"), ("np.nanmin", "a:y axis:some_dims?"), ("np.nanprod", "a:y axis:some_dims?"),
        ("np.nanvar", "a:y axis:some_dims? *ddof:=1|0? *keepdims:flag?"), ("np.nanstd", "a:y axis:some_dims? *ddof:=1|2?"),
        ("np.nanmedian", "a:y axis:some_dims? *keepdims:flag?"), ("np.nancumsum", "a:y axis:dim? *dtype:dtype?"), ("np.nancumprod", "a:y axis:dim?"),
        ("np.nanargmax", "a:y axis:dim? *keepdims:flag?"), ("np.nanargmin", "a:y axis:dim?"),
        ("np.nan_to_num", "x:x_itself copy:flag? nan:number? *posinf:number? *neginf:number?"), ("np.diagflat", "v:y k:offset?"),
        ("np.vander", "x:flat N:small? increasing:flag?"), ("np.mask_indices", "n:small mask_func:=np.triu|np.tril k:offset?"),
        ("np.interp", "x:y xp:ascending fp:flat left:number? right:number?"), ("np.gradient", "f:y :number? *axis:some_dims?"),
        ("np.histogram", "a:y bins:bins? range:=(0,4)|(0,np.inf)|(3,1)? density:flag?"),
        ("np.delete", "arr:y obj:mask axis:dim?"), ("np.linalg.norm", "x:y ord:=1|-1|np.inf|-np.inf axis:two_dims? keepdims:flag?"),
        ("np.average", "a:y axis:dim? weights:operand? *returned:flag? *keepdims:flag?"),
        ("np.fromiter", ":flat dtype:dtype"), ("np.row_stack", ":list"),
        ("np.atleast_1d", ":y :operand"),
        ("np.iterable", ":operand"),
        ("np.broadcast_arrays", ":y :operand"), ("np.hypot", ":y :operand"), ("np.rot90", "m:y k:small? axes:two_dims?"),
        ("searchsorted", "v:operand side:='left'|'right'?"), ("conj", ""), ("nonzero", ""), ("trace", "offset:offset?"),
        ("dot", "b:operand"), ("choose", "choices:list"), ("compress", "condition:flat axis:dim?"), ("put", "indices:indices values:operand"),
        ("repeat", "repeats:counts axis:dim?"), ("var", "axis:some_dims? *ddof:=1?"), ("max", "axis:some_dims? *keepdims:flag?"), ("prod", "axis:some_dims?"),
        ("np.vecdot", ":y :operand *axis:dim?"), ("np.cross", "a:y b:operand axisa:dim? axisb:dim? axisc:dim?"), ("np.cross", ":y :operand *axis:dim?"),
        ("np.linalg.vector_norm", ":y *axis:some_dims? *keepdims:flag? *ord:=1|2|np.inf|0|3?"),
        ("np.linalg.matrix_norm", ":y *keepdims:flag? *ord:='fro'|1|-1|np.inf|'f'?"),
        ("np.trapezoid", "y:y x:operand? dx:number? axis:dim?"), ("np.trapezoid", ":y *dx:operand? *axis:dim?"),
        ("np.cumulative_sum", ":y *axis:dim? *dtype:dtype? *include_initial:flag?"), ("np.cumulative_prod", ":y *axis:dim? *include_initial:flag?"),
        ("np.logspace", "start:number stop:operand num:small? endpoint:flag? base:=2|10.|np.float32(2)? dtype:dtype? axis:dim?"),
        ("np.geomspace", "start:number stop:operand num:small? endpoint:flag? dtype:dtype? axis:dim?"),
        ("np.partition", "a:y kth:small axis:dim_or_none?"), ("np.argpartition", "a:y kth:small axis:dim_or_none?"),
        ("partition", "kth:=0|[0,1]|[0,1,2]|-1 axis:dim?"), ("np.lexsort", "keys:list axis:dim?"), ("np.lexsort", "keys:y axis:dim?"),
        ("byteswap", "inplace:flag?"), ("getfield", "dtype:dtype offset:small?"),
        ("np.nanquantile", "a:y q:=0.5|[0.25,0.75]|0.1 axis:some_dims? *keepdims:flag? *method:='linear'|'lower'|'higher'?"),
        ("np.nanpercentile", "a:y q:=50|[25,75]|0 axis:some_dims? *keepdims:flag?"),
        ("np.fromfunction", "function:=np.add|np.subtract shape:=(2,3)|(3,1)|[2,2] *dtype:dtype?"),
        ("np.apply_along_axis", ":=np.sum|np.sort|np.cumsum|np.max :dim :y"),
        ("np.cov", "m:y y:operand? rowvar:flag? bias:flag? ddof:=0|1? *fweights:flat? *aweights:flat?"),
        ("np.polyfit", "x:flat y:flat deg:small full:flag? *w:flat?"), ("np.polyval", "p:flat x:y"), ("np.polyadd", ":flat :flat"),
        ("np.polysub", ":flat :flat"), ("np.polymul", ":flat :flat"), ("np.polyder", "p:flat m:small?"), ("np.polyint", "p:flat m:small?"),
        ("np.piecewise", ":y :masks :list"), ("np.packbits", ":y axis:dim_or_none? bitorder:='big'|'little'?"),
        ("np.unpackbits", ":y axis:dim_or_none? count:small?"), ("np.ldexp", ":y :operand"), ("np.float_power", ":y :operand"),
        ("np.linalg.multi_dot", ":list"), ("np.linalg.cond", "x:matrix p:=2|-2|1|'fro'|np.inf?"), ("np.linalg.tensorinv", "a:y ind:small?"),
        ("np.linalg.tensorsolve", "a:y b:y"), ("np.apply_over_axes", ":=np.sum|np.max|np.cumsum :y :some_dims"),
        ("np.histogram2d", "x:flat y:flat bins:bins? density:flag?"), ("np.histogramdd", "sample:y bins:bins? density:flag?"),
        ("np.base_repr", "number:small base:=2|3|16?"), ("np.binary_repr", "num:small width:small?"), ("np.trapz", "y:y dx:number? axis:dim?"),
        *[(f"np.{name}", ":small") for name in ("hanning", "hamming", "blackman", "bartlett")],
        *[(f"np.fft.{name}", "a:y n:small? axis:dim? norm:='ortho'|'forward'|'what'?") for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")],
        *[(f"np.fft.{name}", "a:y s:=(2,3)|(4,)|(0,2)? axes:some_dims?") for name in ("fftn", "ifft2", "rfftn", "irfft2")],
        ("np.fft.fftshift", "x:y axes:some_dims?"), ("np.fft.ifftshift", "x:y axes:some_dims?"), ("np.fft.fftfreq", "n:small d:=0.5|2.?"),
        ("np.concat", ":list axis:dim?"), ("np.dstack", ":list"), ("tobytes", "order:order?"),
    ]

    def matrix(self):
        return self.pick("x", "y", "np.eye(3) * 2 + 1", "np.stack([np.eye(2), np.eye(2) * 3])", "np.ones((2, 4, 3))", "np.arange(3.)",
            "np.arange(6).reshape(2, 3)", "np.eye(3, dtype=np.float32)", "np.ones((2, 2))", "np.zeros((0, 2, 2))", "np.arange(4).reshape(2, 2)",
            "np.array([[2, 1], [1, 3]])", "np.eye(3)[::-1]", "[[1, 2], [3, 4]]", "np.vander([1., 2, 4], 2)", "np.array([[0, -1], [1, 0]])")

    def x_itself(self):
        return self.pick("x", "x", "y", "x", "x.T", "[1, 2]" if self.chance(0.2) else "x")

    def dim_or_none(self):
        return self.dim() if self.chance(0.85) else "None"

    def ascending(self):
        return self.pick("[1, 3, 5]", "np.array([0., 2.5, 4.])", "np.arange(4)", "np.zeros(0)", "np.array([1, 2, 2, 7])", "[[1, 2]]",
            "[5, 3, 1]" if self.chance(0.3) else "[0, 10]")

    def bins(self):
        return self.ascending() if self.chance(0.4) else self.small()

    def index_like(self):
        sizes = [max(n - self.pick(0, 0, 1), 0) for n in self.shape]
        return self.pick(f"np.zeros({self.tuple(sizes)}, dtype=np.int64)", f"np.ones({self.tuple(sizes)}, dtype=int)", "[0, 1]",
            "np.argsort(x, axis=-1, kind='stable')" if self.rank else "np.array([0])", "np.zeros(2)", "np.array([[0]])")

    def blocks(self):
        return self.pick("[x, x]", "[[x, x], [x, x]]", "[[x], [y]]", "[1, 2]", "x", "[]", "[[x, y], [y, x]]", "[[x.T, x.T]]", "[x, 1]", "(x, x)")

    def choices_at(self):
        return self.pick("[0, 1]", "np.zeros(x.shape, dtype=int)", "np.array(1)", "[2, 0]", "x")

    def masks(self):
        return self.pick("[x > 2, x < 1]", "[x > 2]", "[True, False]", "[x == x, y > 1]", "[]", "x > 2")
