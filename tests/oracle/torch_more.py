"""More probes of PyTorch's operations: what is reckoned, picked and scattered (Rest), and what layers of a network
apply to images and rows (Layers)."""
from torch_probes import TorchProbes

FLOATS = ["torch.arange(24.).view(2, 3, 4)", "torch.arange(12.).view(3, 4)", "torch.arange(12.).view(3, 4).t()",
    "torch.arange(6.)", "torch.arange(10.)[::2] - 4", "torch.tensor(2.5)", "torch.zeros(0, 3)",
    "torch.arange(9.).view(3, 3) - 4", "torch.arange(3.).expand(4, 3)", "torch.arange(8., dtype=torch.float64).view(2, 2, 2)",
    "torch.arange(24.).view(2, 3, 4).permute(2, 0, 1)", "torch.arange(24.).view(1, 2, 3, 4).to(memory_format=torch.channels_last)",
    "torch.arange(4., dtype=torch.float16).view(2, 2)", "torch.tensor([float('nan'), 1., float('inf'), -2.])",
    "torch.arange(6.).view(2, 1, 3)", "torch.arange(6.).view(2, 3).flip(1)", "torch.arange(4., dtype=torch.bfloat16)"]


class Rest(TorchProbes):
    INPUTS = TorchProbes.INPUTS + FLOATS
    OPERATIONS = [
        ("scatter", "dim:dim index:index_like src:source"), ("scatter_", "dim:dim index:index_like src:source"),
        ("scatter", "dim:dim index:index_like value:number *reduce:='add'|'multiply'|'what'?"),
        ("scatter_add", "dim:dim index:index_like src:source"), ("scatter_add_", "dim:dim index:index_like src:source"),
        ("index_add", "dim:dim index:indices source:source *alpha:number?"),
        ("index_copy", "dim:dim index:indices source:source"), ("index_copy_", "dim:dim index:indices source:source"),
        ("index_fill", "dim:dim index:indices value:number"), ("index_fill_", "dim:dim index:indices value:operand"),
        ("index_put", "indices:index_tuple values:values accumulate:flag?"),
        ("index_put_", "indices:index_tuple values:values accumulate:flag?"),
        ("put", "index:indices source:source accumulate:flag?"), ("masked_scatter", "mask:mask source:source"),
        ("masked_scatter_", "mask:mask source:source"),
        ("torch.select_scatter", "input:y src:source dim:dim index:place"),
        ("torch.slice_scatter", "input:y src:source dim:dim? start:place? end:place? step:count?"),
        ("torch.diagonal_scatter", "input:y src:source offset:offset? dim1:dim? dim2:dim?"),
        ("torch.as_strided_scatter", "input:y src:source size:few_sizes stride:few_strides storage_offset:small?"),
        ("torch.narrow_copy", "input:y dim:dim start:place length:small"),
        ("take_along_dim", "indices:index_like dim:dim?"), ("atan2", "other:operand"), ("hypot", "other:operand"),
        ("copysign", "other:operand"), ("gcd", "other:operand"), ("lcm", "other:operand"), ("heaviside", "values:operand"),
        ("torch.bitwise_left_shift", "input:y other:operand"), ("torch.bitwise_right_shift", "input:y other:operand"),
        ("fix", ""), ("trace", ""), ("nanmean", "dim:some_dims? keepdim:flag?"),
        ("std", "dim:some_dims? unbiased:flag? keepdim:flag?"), ("var", "dim:some_dims? *correction:small? keepdim:flag?"),
        ("std", "unbiased:flag"), ("torch.std_mean", "input:y dim:some_dims? unbiased:flag? keepdim:flag?"),
        ("torch.var_mean", "input:y dim:some_dims? *correction:small? *keepdim:flag?"),
        ("norm", "p:='fro'|1|2|0|float('inf')|'nuc'|3? dim:some_dims? keepdim:flag?"),
        ("torch.linalg.vector_norm", "x:y ord:=2|1|0|float('inf')|3? dim:some_dims? keepdim:flag?"),
        ("torch.linalg.norm", "A:y ord:='fro'|1|2|None? dim:some_dims? keepdim:flag?"),
        ("diff", "n:small? dim:dim? prepend:y? append:y?"), ("outer", "vec2:flat"), ("torch.outer", "input:flat vec2:flat"),
        ("topk", "k:small dim:dim? largest:flag? sorted:=True?"), ("median", ""), ("median", "dim:dim keepdim:flag?"),
        ("kthvalue", "k:small dim:dim? keepdim:flag?"), ("mode", "dim:dim? keepdim:flag?"), ("msort", ""), ("inner", "other:y"),
        ("nanmedian", "dim:dim? keepdim:flag?"), ("unique", "sorted:=True? return_inverse:flag? return_counts:flag? dim:dim?"),
        ("unique_consecutive", "return_inverse:flag? return_counts:flag? dim:dim?"),
        ("torch.bincount", "input:flat weights:flat? minlength:small?"), ("softmax", "dim:dim dtype:dtype?"),
        ("log_softmax", "dim:dim"), ("torch.nn.functional.softmax", "input:y dim:dim? *dtype:dtype?"),
        ("logsumexp", "dim:some_dims keepdim:flag?"), ("torch.addmm", "input:y mat1:y mat2:y *beta:number? *alpha:number?"),
        ("torch.addmm", "input:square mat1:square mat2:square *beta:number? *alpha:number?"),
        ("torch.baddbmm", "input:cube batch1:cube batch2:cube *beta:number? *alpha:number?"),
        ("torch.tensordot", "a:y b:y dims:=0|1|2|([0],[0])|([1],[0])|([-1],[-1])?"), ("torch.kron", ":y :y"),
        ("torch.block_diag", ":both"), ("torch.isreal", ":y"), ("torch.angle", ":y"), ("exp_", ""), ("tanh_", ""),
        ("sigmoid_", ""), ("relu_", ""), ("torch.view_copy", "input:y size:target_tuple"),
        ("torch.select_copy", "input:y dim:dim index:place"),
        ("torch.slice_copy", "input:y dim:dim? start:place? end:place? step:count?"),
        ("torch.unfold_copy", "input:y dimension:dim size:small step:count"),
        ("torch.diagonal_copy", "input:y offset:offset? dim1:dim? dim2:dim?"),
        ("torch.permute_copy", "input:y dims:order_tuple"), ("torch.transpose_copy", "input:y dim0:dim dim1:dim"),
        ("torch.t_copy", ":y"), ("torch.unsqueeze_copy", "input:y dim:dim1"), ("torch.squeeze_copy", "input:y dim:some_dims?"),
        ("torch.expand_copy", "input:y size:wide_tuple"),
        ("torch.as_strided_copy", "input:y size:few_sizes stride:few_strides storage_offset:small?"),
        ("torch.split_copy", "input:y split_size:count dim:dim?"), ("torch.unbind_copy", "input:y dim:dim?"),
        ("torch.view_as_real_copy", ":y"), ("torch.view_as_complex_copy", ":y"),
        ("torch.isclose", "input:y other:operand rtol:=0.1|0? atol:=1|0.5? *equal_nan:flag?"),
        ("torch.unravel_index", "indices:indices shape:shape_of"), ("aminmax", "*dim:dim? *keepdim:flag?"),
        ("cummax", "dim:dim"), ("cummin", "dim:dim"), ("cumprod", "dim:dim *dtype:dtype?"),
        ("lerp", "end:source weight:operand"), ("lerp_", "end:source weight:operand"),
        ("addcmul", "tensor1:source tensor2:source *value:number?"), ("addcdiv", "tensor1:source tensor2:source *value:number?"),
        ("addcmul_", "tensor1:source tensor2:source *value:number?"),
        ("torch.isin", "elements:operand test_elements:flat *assume_unique:flag? *invert:flag?"),
        ("torch.searchsorted", ":ascending :operand *out_int32:flag? *right:flag? *side:='left'|'right'|'what'?"),
        ("torch.bucketize", ":operand :ascending *out_int32:flag? *right:flag?"),
        ("torch.asarray", ":data *dtype:dtype? *copy:=True|False|None?"), ("torch.asarray", ":array *copy:=True|False|None?"),
        ("torch.nn.functional.one_hot", ":places num_classes:small?"),
        ("argsort", "*stable:=True *dim:dim? *descending:flag?"),
        ("movedim", "source:dims destination:dims"),
        ("index_select", "dim:dim index:indices"),
        ("clamp", "min:operand? max:operand?"),
        ("nansum", "dim:some_dims? keepdim:flag?"), ("set_", "source:y"), ("resize_as_", "the_template:y"),
        ("set_", "source:y storage_offset:small size:few_sizes stride:few_strides?"),
        ("torch.triu_indices", "row:small col:small offset:offset?"),
        ("torch.linalg.inv", "A:matrix"), ("inverse", ""), ("torch.linalg.det", "A:matrix"), ("torch.slogdet", "input:matrix"),
        ("torch.linalg.cholesky", "input:matrix *upper:flag?"), ("torch.linalg.eigh", "input:matrix UPLO:='L'|'U'|'what'?"),
        ("torch.linalg.eig", "input:matrix"), ("torch.linalg.qr", "A:matrix mode:='reduced'|'complete'|'r'|'what'?"),
        ("torch.linalg.svd", "A:matrix full_matrices:flag?"), ("torch.linalg.svdvals", "A:matrix"),
        ("torch.linalg.solve", "A:matrix B:matrix *left:flag?"), ("torch.linalg.pinv", "input:matrix"),
        ("torch.linalg.lu", "A:matrix"),
        ("clamp_min", "min:operand"), ("clamp_max", "max:operand"), ("clamp_min_", "min:operand"), ("clamp_max_", "max:operand"),
        ("float_power", "exponent:operand"), ("torch.float_power", "input:operand exponent:y"), ("float_power_", "exponent:operand"),
        ("logaddexp", "other:y"), ("torch.logaddexp2", "input:y other:operand"), ("isposinf", ""), ("torch.isneginf", "input:y"),
        ("less_", "other:operand"), ("greater_equal_", "other:operand"), ("bitwise_left_shift_", "other:operand"),
        ("heaviside_", "values:operand"), ("fix_", ""), ("conj_physical_", ""),
        ("torch.linalg.diagonal", "A:y *offset:offset? *dim1:dim? *dim2:dim?"), ("torch.linalg.matmul", "input:y other:y"),
        ("torch.linalg.vecdot", "x:threes y:threes *dim:dim?"), ("torch.cross", "input:threes other:threes dim:dim?"),
        ("torch.linalg.cross", "input:threes other:threes *dim:dim?"), ("torch.vdot", "input:flat other:flat"),
        ("torch.addmv", "input:flat mat:square vec:flat *beta:number? *alpha:number?"), ("torch.ger", "input:flat vec2:flat"),
        ("addmm_", "mat1:square mat2:square *beta:number? *alpha:number?"), ("addmv_", "mat:square vec:flat *beta:number?"),
        ("baddbmm_", "batch1:cube batch2:cube *beta:number?"), ("diagflat", "offset:offset?"),
        ("torch.linalg.multi_dot", "tensors:chain"), ("torch.as_strided_", "input:y size:few_sizes stride:few_strides storage_offset:small?"),
        ("scatter_reduce", "dim:dim index:index_like src:source reduce:='sum'|'prod'|'mean'|'amax'|'amin'|'what' *include_self:flag?"),
        ("scatter_reduce_", "dim:dim index:index_like src:source reduce:='prod'|'mean'|'amax'|'amin' *include_self:flag?"),
        ("index_reduce", "dim:dim index:indices source:source reduce:='prod'|'mean'|'amax'|'amin'|'what' *include_self:flag?"),
        ("torch.quantile", "input:y q:share dim:dim? keepdim:flag? *interpolation:='linear'|'lower'|'nearest'|'midpoint'|'what'?"),
        ("nanquantile", "q:share dim:dim? keepdim:flag?"), ("torch.cdist", "x1:square x2:square p:=1|2|0|float('inf')?"),
        ("torch.pdist", "input:y"), ("torch.logspace", "start:number end:number steps:small base:=2|3.?"),
        ("torch.range", "start:small end:small step:=1|2|0.5?"), ("torch.trapezoid", "y:y *dx:=2|0.5? *dim:dim?"),
        ("torch.trapezoid", "y:y x:source *dim:dim?"), ("torch.cumulative_trapezoid", "y:y *dx:=2|0.5? *dim:dim?"),
        ("torch.cumulative_trapezoid", "y:y x:source *dim:dim?"), ("xlogy", "other:operand"), ("xlogy_", "other:operand"),
        ("nextafter", "other:operand"), ("nextafter_", "other:source"), ("ldexp", "other:operand"), ("ldexp_", "other:source"),
        ("lgamma", ""), ("digamma_", ""), ("erfinv", ""), ("i0", ""), ("sinc", ""), ("sinc_", ""), ("logit", "eps:=0.1|None?"),
        ("torch.special.entr", "input:y"), ("torch.special.expit", "input:y"), ("torch.special.xlog1py", "input:y other:operand"),
        ("torch.rsub", "input:y other:operand *alpha:number?"), ("torch.vander", "x:flat N:small? increasing:flag?"),
        ("torch.linalg.vander", "x:y *N:small?"), ("torch.cov", "input:y *correction:small? *fweights:flat? *aweights:flat?"),
        ("torch.corrcoef", "input:y"), ("histc", "bins:count? min:small? max:small?"), ("frexp", ""), ("logcumsumexp", "dim:dim"),
        ("torch.histogram", "input:y bins:count *range:=(0.,4.)|(1.,0.)? *density:flag?"),
        ("renorm", "p:=2|1|0 dim:dim maxnorm:=1|2.5|-1"), ("renorm_", "p:=2|1 dim:dim maxnorm:=1|2.5"),
        ("torch.nonzero_static", "input:y *size:small *fill_value:small?"), ("torch.svd", "input:matrix some:flag? compute_uv:flag?"),
        ("torch.addr", "input:y vec1:flat vec2:flat *beta:number? *alpha:number?"), ("addr_", "vec1:flat vec2:flat *alpha:number?"),
        ("torch.addbmm", "input:y batch1:cube batch2:cube *beta:number? *alpha:number?"), ("torch.fill", "input:y value:number"),
        ("torch.chain_matmul", ":square :square"), ("torch.gradient", "input:y *spacing:=1|2.? *dim:dim?"),
        ("torch.linalg.cond", "input:matrix p:='fro'|1|-1|2|-2|float('inf')?"),
        ("torch.linalg.matrix_norm", "input:y ord:='fro'|'nuc'|1|-1|2|float('inf')|3? dim:=(0,1)|(1,0)|(-1,0)|(0,0)? keepdim:flag?"),
        ("torch.matrix_exp", "input:matrix"), ("torch.linalg.inv_ex", "A:matrix"), ("torch.linalg.cholesky_ex", "input:matrix *upper:flag?"),
        ("torch.linalg.solve_ex", "A:matrix B:matrix *left:flag?"), ("torch.linalg.lu_factor_ex", "A:matrix"),
        ("torch.cholesky_solve", "input:matrix input2:matrix upper:flag?"), ("torch.cholesky_inverse", "input:matrix"),
        ("torch.triangular_solve", "input:matrix A:matrix upper:flag?"), ("torch.linalg.tensorinv", "input:y ind:small?"),
        ("torch.linalg.tensorsolve", "input:y other:y"), *[(f"torch.fft.{name}", "input:y n:small? dim:dim? norm:='ortho'|'forward'|'what'?")
            for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")],
        *[(f"torch.fft.{name}", "input:y s:few_sizes? dim:some_dims? norm:='ortho'?") for name in ("fftn", "ifftn", "rfftn", "irfftn")],
        *[(f"torch.fft.{name}", "input:y s:=(2,3)|(4,-1)|(0,2)? dim:=(0,1)|(-1,0)|(0,0)?") for name in ("fft2", "ifft2", "rfft2", "irfft2")],
        ("torch.fft.fftshift", "input:y dim:some_dims?"), ("torch.fft.ifftshift", "input:y dim:dim?"),
        ("torch.fft.fftfreq", "n:small d:=0.5|2.?"), ("torch.fft.rfftfreq", "n:small d:=0.5|2.?"),
        *[(f"torch.{name}_window", "window_length:small periodic:flag?") for name in ("hann", "hamming", "blackman", "bartlett", "kaiser")],
        ("torch.linalg.lstsq", ":matrix :matrix rcond:=None|0.1|-1? *driver:='gelsy'|'gels'|'gelsd'|'gelss'|'what'?"),
    ]

    def share(self):
        return self.pick("0.5", "0.25", "torch.tensor([0.1, 0.5])", "torch.tensor(0.3)", "1", "1.5" if self.chance(0.3) else "0")

    def threes(self):
        return self.pick("x", "y", "torch.arange(6.).view(2, 3)", "torch.arange(6.).view(3, 2)", "torch.arange(6.).view(2, 3).t()",
            "torch.arange(9.).view(3, 3)", "torch.arange(3.)", "torch.arange(3)", "torch.ones(1, 3)", "torch.tensor([1j, 2., 3.])")

    def chain(self):
        return self.brackets([self.square() for _ in range(self.pick(1, 2, 2, 3, 3))])

    def matrix(self):
        return self.pick("x", "y", "torch.eye(3) * 2 + 1", "torch.stack([torch.eye(2), torch.eye(2) * 3])", "torch.ones(2, 4, 3)",
            "torch.arange(6.).view(2, 3)", "torch.eye(3)", "torch.arange(3.)", "torch.ones(2, 2)", "torch.zeros(0, 2, 2)",
            "torch.eye(3, dtype=torch.float64)[:, [1, 0, 2]]", "torch.eye(2).expand(3, 2, 2)", "torch.arange(4).view(2, 2)")

    def source(self):
        return self.pick("x", "y", "y", "x", "x + 1", "x * 2", "x[:1]" if self.rank else "x", "x.t()" if self.rank < 3
            else "x.float()", "torch.ones(x.shape, dtype=x.dtype)", "torch.zeros_like(x)", "7")

    def values(self):
        return self.pick("torch.tensor(5)", "torch.tensor([1, 2])", "torch.tensor(2.5)", "x[0]" if self.rank else "x", "y",
            "torch.tensor(9, dtype=x.dtype)", "torch.tensor([3], dtype=x.dtype)")

    def index_tuple(self):
        one = lambda: self.pick("torch.tensor([0, 1])", "torch.tensor([0, 0])", "torch.tensor(0)", "x > 2",
            "torch.tensor([1, -1])", "torch.tensor([[0], [1]])")
        return self.tuple([one() for _ in range(self.pick(1, 1, 2))])

    def square(self):
        return self.pick("torch.arange(9.).view(3, 3)", "torch.ones(3, 3)", "torch.arange(9.).view(3, 3).t()", "x", "y",
            "torch.arange(3.)", "torch.arange(6.).view(3, 2)")

    def cube(self):
        return self.pick("torch.arange(8.).view(2, 2, 2)", "torch.ones(2, 2, 2)", "torch.arange(8.).view(2, 2, 2).mT", "x",
            "torch.arange(12.).view(2, 2, 3)", "torch.ones(1, 2, 2)")

    def target_tuple(self):
        return self.brackets(self.target())

    def order_tuple(self):
        return self.brackets(self.permutation())

    def ascending(self):
        return self.pick("torch.tensor([1, 3, 5])", "torch.tensor([0., 2.5, 4.])", "torch.arange(4)", "torch.tensor([[1, 2], [0, 9]])",
            "torch.arange(6).view(2, 3)", "torch.zeros(0)", "torch.tensor(3)")

    def places(self):
        return self.pick("torch.tensor([0, 2, 1])", "torch.tensor([[0, 1]])", "torch.tensor(2)", "x", "torch.tensor([0., 1.])",
            "torch.tensor([], dtype=torch.int64)", "torch.tensor([-1])")


class Layers(TorchProbes):
    """Images have 4 channels, rows 4 features, so that most calls fit."""
    INPUTS = [
        "torch.arange(80.).view(1, 4, 4, 5)", "torch.arange(160.).view(2, 4, 4, 5)", "torch.arange(80.).view(4, 4, 5)",
        "torch.arange(160.).view(2, 4, 4, 5).to(memory_format=torch.channels_last)", "torch.arange(40.).view(2, 4, 5)",
        "torch.arange(20.).view(4, 5)", "torch.arange(24.).view(6, 4)", "torch.arange(24.).view(4, 6).t()",
        "torch.arange(160.).view(2, 4, 5, 4).transpose(2, 3)", "torch.arange(80.).view(1, 4, 5, 4).mT",
        "torch.arange(320.).view(2, 4, 2, 4, 5)", "torch.arange(160.).view(2, 4, 5, 4)[..., 1:]",
        "torch.arange(160.).view(2, 5, 4, 4).permute(0, 3, 1, 2)", "torch.arange(8.).view(2, 4)", "torch.arange(4.)",
        "torch.ones(0, 4, 3, 3)", "torch.arange(80).view(1, 4, 4, 5)", "torch.arange(80., dtype=torch.float64).view(1, 4, 4, 5)",
        "torch.arange(4.).view(1, 4, 1, 1).expand(2, 4, 3, 3)", "torch.ones(2, 4, 3, 3, dtype=torch.bfloat16)",
        "torch.arange(32.).view(2, 4, 4).transpose(1, 2)", "torch.tensor(3.)", "torch.ones(2, 4, 1, 1)",
        "torch.arange(128.).view(2, 16, 2, 2)", "torch.arange(3. * 4 * 6).view(3, 4, 6).permute(1, 0, 2)",
        "torch.arange(96.).view(2, 2, 6, 4)", "torch.arange(64.).view(2, 2, 4, 4).transpose(1, 2)",
    ]
    F = "torch.nn.functional."
    OPERATIONS = [
        *2 * [(F + "conv2d", "input:image weight:weight2 bias:bias? stride:step2? padding:pad2? dilation:step2? groups:groups")],
        (F + "conv2d", "input:image weight:weight2 bias:bias? *stride:step2? *padding:='same'|'valid'|'what'"),
        (F + "conv1d", "input:row weight:weight1 bias:bias? stride:step1? padding:pad1? dilation:step1? groups:groups"),
        (F + "conv1d", "input:row weight:weight1 *padding:='same'|'valid'"),
        (F + "conv3d", "input:volume weight:weight3 bias:bias? stride:step1? padding:pad1? dilation:step1? groups:groups"),
        (F + "conv_transpose2d", "input:image weight:back2 bias:bias? stride:step2? padding:pad2? output_padding:pad2? groups:groups dilation:step2?"),
        (F + "conv_transpose1d", "input:row weight:back1 bias:bias? stride:step1? padding:pad1? output_padding:pad1? groups:groups dilation:step1?"),
        *2 * [(F + "max_pool2d", "input:image kernel_size:step2 stride:step2? padding:pad2? dilation:step2? ceil_mode:flag? return_indices:flag?")],
        (F + "max_pool1d", "input:row kernel_size:step1 stride:step1? padding:pad1? dilation:step1? ceil_mode:flag? return_indices:flag?"),
        *2 * [(F + "avg_pool2d", "input:image kernel_size:step2 stride:step2? padding:pad2? ceil_mode:flag? count_include_pad:flag? divisor_override:count?")],
        (F + "avg_pool1d", "input:row kernel_size:step1 stride:step1? padding:pad1? ceil_mode:flag? count_include_pad:flag?"),
        (F + "adaptive_avg_pool2d", "input:image output_size:out2"), (F + "adaptive_avg_pool1d", "input:row output_size:count"),
        (F + "layer_norm", "input:fine normalized_shape:tail weight:tail_weight? bias:tail_weight? eps:=1e-5|0.1|1?"),
        (F + "rms_norm", "input:fine normalized_shape:tail weight:tail_weight? eps:=1e-5|0.1|1?"),
        (F + "batch_norm", "input:fine running_mean:four_or_none running_var:four_or_none weight:four? bias:four? training:flag? momentum:=0.1|1.? eps:=1e-5|1.?"),
        (F + "group_norm", "input:fine num_groups:=1|2|4|3|0 weight:four? bias:four? eps:=1e-5|1.?"),
        (F + "normalize", "input:any p:=2|1|2.0|3? dim:dim? eps:=1e-12|1.?"),
        (F + "scaled_dot_product_attention", "query:heads key:heads value:heads attn_mask:mask_of? *is_causal:flag? *scale:=0.5|1.?"),
        (F + "interpolate", "input:image size:out2? *scale_factor:=2|0.5|(2,1)|1.5|2.0? *mode:='nearest'|'bilinear'|'linear'|'area'|'bicubic'? *align_corners:flag?"),
        (F + "interpolate", "input:image *size:out2 *mode:='nearest'|'bilinear'|'nearest-exact' *align_corners:flag?"),
        (F + "interpolate", "input:image *scale_factor:=2|0.5|(2,1)|1.5|2.0|3 *mode:='nearest'|'bilinear' *align_corners:flag? *recompute_scale_factor:flag?"),
        (F + "fold", "input:columns output_size:=4|(3,4)|(4,4)|(4,0) kernel_size:step2 dilation:step2? padding:pad2? stride:step2?"),
        (F + "unfold", "input:image kernel_size:step2 dilation:step2? padding:pad2? stride:step2?"),
        (F + "pixel_shuffle", "input:any upscale_factor:=2|1|3|0|-1"), (F + "pixel_unshuffle", "input:any downscale_factor:=2|1|3|0"),
        (F + "channel_shuffle", "input:any groups:=2|1|4|3|0"),
        *2 * [(F + "pad", "input:any pad:pads mode:='constant'|'reflect'|'replicate'|'circular'|'what'? value:number?")],
        (F + "linear", "input:any weight:features bias:bias?"), (F + "embedding", ":places weight:table padding_idx:=0|1|-1?"),
        (F + "relu", ":any inplace:flag?"), (F + "relu6", ":any inplace:flag?"), (F + "leaky_relu", ":any negative_slope:=0.1|1? inplace:flag?"),
        (F + "elu", ":any alpha:=1.|0.5?"), (F + "softplus", ":any beta:=1|2? threshold:=20|1?"), (F + "hardtanh", ":any min_val:=-1|0? max_val:=1|6?"),
        (F + "hardswish", ":any"), (F + "hardsigmoid", ":any"), (F + "silu", ":any inplace:flag?"), (F + "mish", ":any"),
        (F + "gelu", ":positive *approximate:='none'|'tanh'|'what'?"), (F + "dropout", ":any p:=0.5|0.|1.|2.? training:=False inplace:flag?"),
        (F + "softmax", ":any dim:dim?"), (F + "log_softmax", ":any dim:dim?"), (F + "one_hot", ":places num_classes:=5|4|1?"),
        ("torch.nn.AdaptiveAvgPool2d", ":layer2"), ("torch.nn.MaxPool2d", ":pool2"), ("torch.nn.AvgPool2d", ":pool2"),
        ("torch.nn.Flatten", ":flatten"), ("torch.nn.Unflatten", ":unflatten"), ("torch.nn.Upsample", ":upsample"),
        ("torch.nn.PixelShuffle", ":shuffle"), ("torch.nn.Unfold", ":pool2"), ("torch.nn.LayerNorm", ":layer_norm"),
        ("torch.nn.BatchNorm2d", ":batch_norm"), ("torch.nn.BatchNorm1d", ":batch_norm"), ("torch.nn.GroupNorm", ":group_norm"),
        ("torch.nn.Softmax", ":softmax"), ("torch.nn.Identity", ":nothing"), ("torch.nn.ReLU", ":nothing"),
        ("torch.nn.RMSNorm", ":layer_norm"),
    ]

    def any(self):
        return self.pick("x", "x", "x", "y", "x - 9", "x.flip(-1)" if self.rank else "x")

    def fine(self):
        """Less a mean, float32 leaves digits that are the machine's."""
        return self.pick(*4 * ["x.double()"], "x", "x / 100")

    def positive(self):
        """Where erf is near -1, the last digits of 1 + erf are the machine's."""
        return self.pick("x", "x.abs()")

    def of_rank(self, rank):
        """x where it has that many dimensions or one fewer; mostly something that has."""
        if self.rank in (rank, rank - 1) and self.chance(0.8) or self.chance(0.06):
            return "x"
        forms = {3: ["torch.arange(40.).view(2, 4, 5)", "torch.arange(24.).view(4, 6)", "torch.arange(24.).view(1, 6, 4).mT"],
            4: ["torch.arange(80.).view(1, 4, 4, 5)", "torch.arange(72.).view(2, 3, 3, 4).permute(0, 3, 1, 2)",
                "torch.arange(160.).view(2, 4, 4, 5).contiguous(memory_format=torch.channels_last)"],
            5: ["torch.arange(96.).view(1, 4, 2, 3, 4)",
                "torch.arange(192.).view(2, 4, 2, 3, 4).to(memory_format=torch.channels_last_3d)"]}
        return self.pick(*forms[rank])

    def row(self):
        return self.of_rank(3)

    def image(self):
        return self.of_rank(4)

    def volume(self):
        return self.of_rank(5)

    def groups(self):
        return str(self.split if self.chance(0.93) else self.pick(0, 3, -1, 2))

    def filters(self, sizes, back=False):
        self.split = self.pick(1, 1, 1, 2, 4)
        self.made = self.pick(2, 4, 4, 8, 3)
        channels = 4 // self.split if self.chance(0.95) else 3
        shape = [4 if self.chance(0.95) else 3, max(self.made // self.split, 1)] if back else [self.made, channels]
        self.made = shape[1] * self.split if back else self.made
        shape += [self.pick(1, 2, 3, 3) if s is None else s for s in sizes]
        count = 1
        for n in shape:
            count *= n
        last = ".to(memory_format=torch.channels_last)" if len(shape) == 4 and self.chance(0.15) else ""
        dtype = ".double()" if self.chance(0.05) else ""
        return self.pick(f"torch.arange({count}.).view({self.tuple(shape)}){last}{dtype}", f"torch.ones({self.tuple(shape)}){last}{dtype}")

    def weight1(self):
        return self.filters([None])

    def weight2(self):
        return self.filters([None, None])

    def weight3(self):
        return self.filters([None, None, None])

    def back1(self):
        return self.filters([None], True)

    def back2(self):
        return self.filters([None, None], True)

    def bias(self):
        n = getattr(self, "made", 3) if self.chance(0.92) else self.pick(1, 5)
        return self.pick(f"torch.arange({n}.)", "None", f"torch.ones({n})")

    def step1(self):
        return self.pick("1", "2", "2", "3", "(2,)", "0" if self.chance(0.2) else "1", "-1" if self.chance(0.2) else "1")

    def columns(self):
        return self.pick("torch.arange(36.).view(1, 4, 9)", "torch.arange(24.).view(4, 6)", "torch.arange(16.).view(1, 4, 4)",
            "torch.arange(16.).view(1, 4, 4).mT", "torch.arange(24.).view(2, 4, 3)", "x")

    def step2(self):
        return self.pick("1", "2", "2", "3", "(2, 1)", "(1, 2)", "[2, 2]", "(2,)", "0" if self.chance(0.2) else "2",
            "(1, 2, 3)" if self.chance(0.2) else "2")

    def pad1(self):
        return self.pick("0", "1", "1", "2", "(1,)", "-1" if self.chance(0.2) else "1")

    def pad2(self):
        return self.pick("0", "1", "1", "(1, 0)", "(0, 1)", "2", "-1" if self.chance(0.2) else "1", "(1,)")

    def out2(self):
        return self.pick("1", "2", "(2, 3)", "(1, 1)", "(None, 2)", "7", "(3,)", "0", "(2, 2, 2)" if self.chance(0.1) else "(4, 4)")

    def tail(self):
        sizes = self.shape[-self.pick(1, 1, 2):] if self.rank else [1]
        self.kept = sizes
        return self.brackets(sizes) if self.chance(0.95) else self.pick("4", "(3,)", "()", "(1, 2)")

    def vector(self, *vectors):
        """One of them, mostly of the dtype that fine() has."""
        text = self.pick(*vectors, "torch.ones(3)" if self.chance(0.2) else "None", "None")
        return text if text == "None" or self.chance(0.2) else text + ".double()"

    def tail_weight(self):
        sizes = self.tuple(getattr(self, "kept", [4]))
        return self.vector(f"torch.ones({sizes})", f"torch.full({sizes}, 2.)")

    def four(self):
        return self.vector("torch.arange(4.)", "torch.ones(4)", "torch.zeros(4)")

    def four_or_none(self):
        return self.vector("torch.arange(4.)", "torch.ones(4)")

    def heads(self):
        return self.pick("x", "x", "x", "y", "torch.ones(2, 2, 6, 4)", "torch.arange(96.).view(2, 2, 6, 4) / 50",
            "torch.arange(96.).view(2, 6, 2, 4).transpose(1, 2) / 50", "torch.ones(6, 4)")

    def mask_of(self):
        return self.pick("torch.ones(6, 6, dtype=torch.bool).tril()", "torch.zeros(6, 6)", "None", "torch.ones(6, 6).tril() == 0")

    def pads(self):
        count = self.pick(2, 2, 4, 4, 6, 1, 3, 0)
        return self.brackets([self.pick(0, 1, 1, 2, -1) for _ in range(count)])

    def features(self):
        self.made = self.pick(2, 3, 4)
        n = self.shape[-1] if self.rank else 4
        return self.pick(f"torch.arange({self.made * n}.).view({self.made}, {n})", f"torch.ones({n}, {self.made}).t()",
            f"torch.ones({n})", f"torch.ones({self.made}, 4)")

    def table(self):
        return self.pick("torch.arange(12.).view(4, 3)", "torch.arange(12.).view(3, 4).t()", "torch.arange(5.)", "torch.ones(2, 3, 2)")

    def places(self):
        return self.pick("torch.tensor([0, 2, 1])", "torch.tensor([[0, 1]])", "torch.tensor(2)", "x.long()", "torch.tensor([0., 1.])",
            "torch.tensor([3], dtype=torch.int32)", "torch.tensor([9])", "torch.tensor([], dtype=torch.int64)")

    # --- a layer that is made and applied at once ------------------------------------------------------------------
    def call(self, name, parameters):
        if not name.startswith("torch.nn.") or name.startswith(self.F):
            return super().call(name, parameters)
        image = self.any() if "Norm" not in name else f"({self.any()}) / 100"
        return f"{name}({self.argument(parameters[1:])})({image})"

    def layer2(self):
        return self.out2()

    def pool2(self):
        return ", ".join(filter(None, [self.step2(), f"stride={self.step2()}" if self.chance(0.5) else "",
            f"padding={self.pad2()}" if self.chance(0.4) else ""]))

    def flatten(self):
        return self.pick("", self.dim(), f"{self.dim()}, {self.dim()}", "0")

    def unflatten(self):
        return f"{self.dim()}, {self.pick('(2, 2)', '(-1, 2)', '(2, -1)', '(4, 1)', '(1,)')}"

    def upsample(self):
        return self.pick("scale_factor=2", "size=(3, 3)", "scale_factor=2, mode='bilinear'", "scale_factor=0.5", "size=2")

    def shuffle(self):
        return self.pick("2", "1", "4", "3")

    def layer_norm(self):
        return self.tail() + self.pick("", "", ", elementwise_affine=False", ", eps=0.1")

    def batch_norm(self):
        return self.pick("4", "4", "4, affine=False", "4, track_running_stats=False", "3", "4, momentum=None")

    def group_norm(self):
        return self.pick("2, 4", "4, 4", "1, 4", "3, 4", "2, 4, affine=False")

    def softmax(self):
        return self.pick("", self.dim(), f"dim={self.dim()}")

    def nothing(self):
        return ""
