"""Random programs over PyTorch's autograd: leaves of every layout, what is made of them, views and writes in place on the
way, and what backward() leads back to them."""
from torch_programs import Torch


class Gradients(Torch):
    def __init__(self, seed, recorder):
        super().__init__("torch", seed, recorder)

    def creation(self, shape, numel):
        rng = self.rng
        if numel > 48 or not shape:
            shape, numel = rng.choice([([2, 3], 6), ([4], 4), ([2, 2, 3], 12), ([3, 3], 9)])
        start = rng.choice([1, 0, -2])
        made = rng.choice([
            f"torch.arange({start}., {start + numel}.).view({self.args(shape)})", f"torch.ones({self.args(shape)})",
            f"torch.full({self.tuple(shape)}, {rng.choice([0.5, 2.0, -1.0])})", f"torch.zeros({self.args(shape)})",
            f"torch.arange({numel}.).reshape({self.tuple(shape[::-1])}).permute({self.spread(reversed(range(len(shape))))})",
            f"torch.arange({2 * numel}.)[::2].view({self.args(shape)})",
            f"torch.ones({self.args(shape[:-1] + [1])}).expand({self.args(shape)})",
            f"torch.tensor([[1., 2.], [3., 4.]])", f"torch.tensor([0.5, -1., 2.])",
            f"torch.arange({start}., {start + numel}., dtype=torch.float64).view({self.args(shape)})",
        ])
        return made + (".requires_grad_()" if self.chance(0.75) else "")

    def like(self, shape):
        """Names of tensors of those sizes, or of others now and then."""
        same = [n for n, v in self.live if list(v.shape) == shape and v.is_floating_point()]
        return self.rng.choice(same) if same and not self.chance(0.1) else self.rng.choice(self.live)[0]

    def operation(self, x, value, shape, live):
        self.x, self.value, self.shape, self.live = x, value, shape, live
        rng, rank = self.rng, len(shape)
        d, e = self.dim(rank), self.dim(rank)
        other, number = self.like(shape), rng.choice(["2", "0.5", "3", "-1", "1.5"])
        n = shape[d] if -rank <= d < rank else 1
        arithmetic = [
            f"{x} + {other}", f"{x} - {other}", f"{x} * {other}", f"{x} / {other}", f"{x} * {x}", f"{x} + {number}",
            f"{x} * {number}", f"{number} * {x}", f"{number} - {x}", f"{x} / {number}", f"{number} / {x}", f"-{x}",
            f"{x} ** 2", f"{x} ** 3", f"{x}.pow(2)", f"{x}.square()", f"torch.add({x}, {other}, alpha=2)",
            f"torch.sub({x}, {other}, alpha={number})", f"{x}.mul({other})", f"{x}.div({other})", f"{x}.neg()",
            f"{x}.relu()", f"{x}.abs()", f"{x}.sqrt()", f"{x}.reciprocal()", f"{x}.clamp(0, 2)", f"{x}.clamp(min=1)",
            f"torch.maximum({x}, {other})", f"torch.minimum({x}, {other})", f"torch.where({x} > 1, {x}, {other})",
            f"{x}.masked_fill({x} > 1, 0)", f"torch.nn.functional.relu({x})", f"torch.nn.functional.leaky_relu({x})", f"{x}.exp()", f"{x}.sigmoid()", f"{x}.tanh()",
            f"{x}.log()", f"{x}.sin()", f"{x}.cos()", f"{x}.rsqrt()", f"{x}.softmax({d})", f"torch.nn.functional.log_softmax({x}, {d})",
            f"{x}.cumsum({d})", f"{x}.tril()", f"{x}.triu(1)", f"{x}.flip({d})", f"{x}.double()", f"{x}.float()",
            f"torch.nn.functional.mse_loss({x}, {other})", f"{x}.detach()", f"{x}.std()", f"{x}.prod()", f"{x}.norm()", f"{x}.roll(1, {d})",
            f"torch.nn.functional.gelu({x})", f"torch.nn.functional.mse_loss({x}, {other}, reduction='sum')",
        ]
        views = [
            f"{x}.view({self.args(self.merged(shape))})", f"{x}.reshape({self.args(self.merged(shape))})", f"{x}.flatten()",
            f"{x}.reshape(-1)", f"{x}.permute({self.args(self.permutation(rank))})", f"{x}.transpose({d}, {e})", f"{x}.t()",
            f"{x}.mT", f"{x}.movedim({d}, {e})", f"{x}.unsqueeze({self.dim(rank, 1)})", f"{x}.squeeze()",
            f"{x}.squeeze({d})", f"{x}.expand(2, *{x}.shape)", f"{x}[{self.index(shape, advanced=True)}]",
            f"{x}[{self.index(shape)}]", f"{x}.select({d}, 0)", f"{x}.narrow({d}, 0, {max(n - 1, 0)})",
            f"{x}.diagonal()", f"{x}.unfold({d}, 2, 1)", f"{x}.contiguous()", f"{x}.clone()", f"{x}.unbind({d})[0]",
            f"{x}.split(2, {d})[-1]", f"{x}.chunk(2, {d})[0]", f"{x}.unflatten({d}, (1, -1))", f"{x}.T" if rank == 2 else f"{x}.mT",
            f"{x}.as_strided((2, 2), (1, 1))", f"{x}.broadcast_to((2, *{x}.shape))", f"{x}.swapaxes({d}, {e})",
            f"{x}.index_select({d}, torch.tensor([0, 0]))", f"{x}[torch.tensor([0, 0, 1])]", f"{x}[{x} > 0]",
            f"{x}.gather({d}, torch.zeros({self.args(shape)}, dtype=torch.int64))", f"{x}.view_as({x})",
        ]
        joins = [
            f"torch.cat([{x}, {other}], {d})", f"torch.stack([{x}, {other}], {self.dim(rank, 1)})", f"{x} @ {other}.mT",
            f"{x}.mT @ {other}", f"{x} @ {other}", f"torch.matmul({x}, {other}.mT)", f"torch.nn.functional.linear({x}, {other})",
            f"torch.outer({x}.flatten(), {other}.flatten())", f"torch.dot({x}.flatten(), {other}.flatten())",
        ]
        reductions = [
            f"{x}.sum()", f"{x}.mean()", f"{x}.sum({d})", f"{x}.mean({d})", f"{x}.sum({d}, keepdim=True)", f"{x}.max()",
            f"{x}.max({d})[0]", f"{x}.min()", f"{x}.mean({d}, keepdim=True)", f"{x}.sum(({d}, {e}))", f"{x}.amax({d})",
        ]
        groups = [arithmetic, views, joins, reductions, self.of_each(x, other), self.folds(x, d, e),
                  self.moves(x, other, shape, d, n), self.layers(x, value, other, shape, d)]
        return rng.choice(rng.choices(groups, [6, 6, 2, 2, 3, 3, 3, 3])[0])

    def of_each(self, x, other):
        """Functions of each element."""
        F, number = "torch.nn.functional.", self.rng.choice(["2", "0.5", "-1.5"])
        names = self.rng.choice(["gelu", "silu", "mish", "elu", "celu", "selu", "softplus", "hardtanh", "relu6", "hardsigmoid",
                                 "hardswish", "logsigmoid", "softsign", "hardshrink", "softshrink", "tanhshrink"])
        plain = self.rng.choice(["tan", "atan", "sinh", "cosh", "asinh", "exp2", "expm1", "log2", "log10", "log1p", "erf", "sgn",
                                 "sign", "floor", "round", "frac", "deg2rad", "nan_to_num", "trunc", "ceil"])
        return [f"{F}{names}({x})", f"{F}{names}({x})", f"torch.{plain}({x})", f"torch.{plain}({x})", f"{x}.{plain}()",
                f"{F}gelu({x}, approximate='tanh')", f"{F}threshold({x}, 1, {number})", f"{F}prelu({x}, torch.tensor([0.25]))",
                f"torch.lerp({x}, {other}, {number})", f"torch.addcmul({x}, {other}, {x}, value={number})",
                f"torch.addcdiv({x}, {other}, {x}.abs() + 1)", f"torch.hypot({x}, {other})", f"torch.atan2({x}, {other})",
                f"torch.logaddexp({x}, {other})", f"torch.fmod({x}, {number})", f"{x} % {number}", f"{x} // {number}",
                f"torch.remainder({x}, {other})", f"{x}.clamp_min({number})", f"{x}.clip(-1, {number})", f"torch.copysign({x}, {other})",
                f"{number} ** {x}", f"{x}.float_power(2)", f"{x}.type(torch.float64)", f"{x}.sigmoid_()", f"{x}.sin_()", f"{x}.clamp_(0, 2)",
                f"{x}.pow_(2)", f"torch.lerp({x}, {other}, {other})"]

    def folds(self, x, d, e):
        """Sums and others of many elements."""
        keep = self.rng.choice(["", ", keepdim=True"])
        return [f"{x}.prod({d}{keep})", f"{x}.var()", f"{x}.var({d}{keep})", f"{x}.std({d}, correction=0{keep})", f"{x}.norm(dim={d}{keep})",
                f"{x}.norm({self.rng.choice(['1', '3', 'torch.inf', '0'])})", f"torch.linalg.vector_norm({x}, dim={d}{keep})",
                f"torch.linalg.norm({x})", f"{x}.logsumexp({d}{keep})", f"{x}.median()", f"{x}.median({d}{keep})[0]", f"{x}.sort({d})[0]",
                f"{x}.sort({d}, descending=True)[0]", f"{x}.topk(1, {d})[0]", f"{x}.kthvalue(1, {d}{keep})[0]", f"{x}.mode({d})[0]",
                f"{x}.cumprod({d})", f"{x}.cummax({d})[0]", f"{x}.cummin({d})[0]", f"{x}.nansum({d}{keep})", f"{x}.nanmean()",
                f"torch.var_mean({x}, {d}{keep})[{self.rng.choice([0, 1])}]", f"torch.dist({x}, {x} + 1)", f"{x}.trace()", f"{x}.diff(dim={d})",
                f"{x}.quantile(0.5)", f"torch.cov({x})", f"torch.nn.functional.normalize({x}, dim={d})", f"{x}.min({d}{keep})[0]",
                f"{x}.amin(({d}, {e}))", f"{x}.aminmax()[0]", f"{x}.logsumexp(({d}, {e}))", f"torch.trapezoid({x})"]

    def moves(self, x, other, shape, d, n):
        """What only moves, joins or replaces elements."""
        two = f"torch.tensor([0, {max(n - 1, 0)}])"
        return [f"{x}.repeat({self.args([2] * len(shape))})", f"{x}.tile(2)", f"{x}.repeat_interleave(2, {d})", f"{x}.masked_select({x} > 0)",
                f"{x}.take(torch.tensor([1, 0, 1]))", f"torch.take_along_dim({x}, {x}.argsort({d}), {d})", f"{x}.rot90()", f"{x}.fliplr()",
                f"{x}.flipud()", f"{x}.tensor_split(2, {d})[0]", f"torch.hsplit({x}, 1)[0]", f"{x}.split_with_sizes([1, {n - 1}], {d})[1]",
                f"{x}.diag()", f"{x}.flatten().diag()", f"torch.diag_embed({x})", f"{x}.diagflat()", f"torch.hstack([{x}, {other}])",
                f"torch.vstack([{x}, {other}])", f"torch.dstack([{x}, {other}])", f"torch.column_stack([{x}, {other}])",
                f"torch.block_diag({x}, {other})", f"torch.broadcast_tensors({x}, {other})[1]", f"torch.meshgrid({x}.flatten(), {other}.flatten())[0]",
                f"torch.cartesian_prod({x}.flatten(), {other}.flatten())", f"torch.atleast_3d({x})", f"{x}.scatter({d}, {x}.long() % {max(n, 1)}, 5.)",
                f"{x}.scatter({d}, {other}.argsort({d}), {other})", f"{x}.scatter_add({d}, {x}.argsort({d}), {other})", f"{x}.index_add({d}, {two}, {x}.index_select({d}, {two}))",
                f"{x}.index_copy({d}, torch.tensor([0]), {other}.narrow({d}, 0, 1))", f"{x}.index_fill({d}, {two}, 3)", f"{x}.masked_scatter({x} > 1, {other})",
                f"{x}.select_scatter({other}.select({d}, 0), {d}, 0)", f"{x}.slice_scatter({other}.narrow({d}, 0, 1), {d}, 0, 1)",
                f"torch.kron({x}, {other})", f"{x}.index_put((torch.tensor([0]),), {other}[0])", f"torch.combinations({x}.flatten()[:4])",
                f"{x}.triu_()", f"{x}.index_fill_({d}, {two}, 3)", f"{x}.masked_fill_({x} > 1, 0)"]

    def layers(self, x, value, other, shape, d):
        """Layers, losses and products."""
        F, r = "torch.nn.functional.", self.rng.choice(["", ", reduction='sum'", ", reduction='none'"])
        last = shape[-1] if shape else 1
        rows = f"{x}.reshape(-1, {last})"  # of a single one with several targets PyTorch ends
        classes = f"torch.arange({int(value.numel() / last) if last else 0}) % {max(last, 1)}"
        picture, line = f"{x}.reshape(1, 1, {last}, -1)", f"{x}.reshape(1, 1, -1)"
        layers = [f"{F}layer_norm({x}, ({last},))", f"{F}layer_norm({x}, ({last},), torch.arange({last}.), torch.ones({last}))",
                  f"{F}rms_norm({x}, ({last},))", f"{F}batch_norm({x}, None, None, training=True)", f"{F}group_norm({x}.reshape(1, 2, -1), 2)",
                  f"{F}scaled_dot_product_attention({x}, {x}, {other})", f"{F}scaled_dot_product_attention({x}, {other}, {x}, is_causal=True)",
                  f"{F}conv1d({line}, torch.arange(4.).view(2, 1, 2))", f"{F}conv1d({line}, torch.ones(1, 1, 2, requires_grad=True), stride=2, padding=1)",
                  f"{F}conv2d({picture}, torch.arange(4.).view(1, 1, 2, 2), padding=1)", f"{F}conv_transpose2d({picture}, torch.ones(1, 2, 2, 2), stride=2)",
                  f"{F}max_pool1d({line}, 2)", f"{F}max_pool2d({picture}, 2, 1, 1)", f"{F}avg_pool2d({picture}, 2, 1, 1)", f"{F}avg_pool1d({line}, 2)",
                  f"{F}avg_pool2d({picture}, 2, padding=1, count_include_pad=False)", f"{F}adaptive_avg_pool1d({line}, 3)", f"{F}adaptive_max_pool1d({line}, 2)",
                  f"{F}interpolate({line}, scale_factor=2)", f"{F}interpolate({line}, size=5, mode='linear')", f"{F}pad({x}, (1, 1))", f"{F}pad({x}, (1, -1))",
                  f"{F}pad({line}, (1, 1), mode='reflect')", f"{F}unfold({picture}, 2)", f"{F}glu({x}, {d})", f"{F}softmin({x}, {d})", f"{F}dropout({x}, 0.)"]
        losses = [f"{F}l1_loss({x}, {other}{r})", f"{F}smooth_l1_loss({x}, {other}{r})", f"{F}huber_loss({x}, {other}{r})",
                  f"{F}binary_cross_entropy({x}.sigmoid(), torch.ones_like({x}){r})", f"{F}binary_cross_entropy_with_logits({x}, torch.zeros_like({x}){r})",
                  f"{F}binary_cross_entropy_with_logits({x}, {other}, pos_weight=torch.tensor(2.){r})", f"{F}kl_div({F}log_softmax({x}, {d}), torch.ones_like({x}){r})",
                  f"{F}cosine_similarity({x}, {other}, {d})", f"{F}pairwise_distance({x}, {other})", f"{F}soft_margin_loss({x}, torch.ones_like({x}){r})",
                  f"{F}cross_entropy({rows}, {classes}{r})",
                  f"{F}cross_entropy({rows}, {classes}{r}, label_smoothing=0.2)", f"{F}cross_entropy({x}, torch.ones_like({x}){r})",
                  f"{F}cross_entropy({rows}, {classes}{r}, weight=torch.arange({last}.) + 1, ignore_index=0)",
                  f"{F}nll_loss({F}log_softmax({rows}, -1), {classes}{r})",
                  f"{F}multi_margin_loss({rows}, {classes}{r})", f"{F}hinge_embedding_loss({x}, torch.ones_like({x}){r})",
                  f"{F}triplet_margin_loss({x}, {other}, {x} + 1{r})"]
        products = [f"torch.einsum('...i,...i->...', {x}, {other})", f"torch.einsum('ij,kj->ik', {x}, {other})", f"torch.einsum('ij->j', {x})",
                    f"torch.tensordot({x}, {other}, dims=([{d}], [{d}]))", f"torch.inner({x}, {other})", f"torch.addmm({x}, {x}, {other})",
                    f"torch.addmm({other} @ {other}.mT, {x}, {other}.mT, beta=2, alpha=0.5)", f"torch.linalg.multi_dot([{x}, {other}.mT, {x}])",
                    f"torch.mv({x}, {other}[0])", f"torch.addmv({x}[:, 0], {x}, {other}[0])", f"torch.cross({x}, {other}, dim={d})"]
        return self.rng.choice([layers, losses, products])

    def write(self, x, value, live):
        rng, shape = self.rng, list(value.shape)
        self.x, self.value, self.shape, self.live = x, value, shape, live
        other, number = self.like(shape), rng.choice(["2", "0.5", "-1"])
        key = self.index(shape, advanced=self.chance(0.3))
        return rng.choice([
            f"{x}.add_({number})", f"{x}.mul_({number})", f"{x} += {other}", f"{x} *= {number}", f"{x}[{key}] = {number}",
            f"{x}[{key}] = {other}", f"{x}.zero_()", f"{x}.relu_()", f"{x}.copy_({other})", f"{x}.sub_({other})",
            f"{x}.fill_({number})", f"{x}.mul_({other})", f"{x}.div_({number})", f"{x}.t_()", f"{x}.squeeze_()",
            f"{x}.data.add_(1)", f"{x}.retain_grad()", f"{x}.detach_()", f"{x}.exp_()", f"{x}.sigmoid_()",
            f"{x}.requires_grad_(False)", f"{x}.grad = None", f"{x}.grad.zero_()",
        ])

    @staticmethod
    def is_leaf(value):
        try:
            return value.is_leaf
        except RuntimeError:  # a view that no way leads back from any more
            return False

    def backward(self):
        """A line that leads back from something, of a scalar as a rule."""
        live = [(n, v) for n, v in self.tensors() if v.is_floating_point() and "." not in n]
        followed = [one for one in live if one[1].requires_grad and not self.is_leaf(one[1])]
        if not live:
            return self.create()
        name, value = self.rng.choice(followed[-3:] if followed and not self.chance(0.05) else live)
        kept = self.rng.choice(["", "", "", "retain_graph=True"])
        if self.chance(0.15):
            leaf = self.rng.choice(live)[0]
            grad = self.rng.choice(["", "", ", allow_unused=True", ", retain_graph=True"])
            return f"{self.name()} = torch.autograd.grad({name}.sum(), {leaf}{grad})"
        if value.numel() == 1 and not self.chance(0.1) or self.chance(0.04):
            return f"{name}.backward({kept})"
        given = self.rng.choice([f"torch.ones_like({name})", f"torch.arange({value.numel()}.).view({name}.shape)",
                                 f"torch.ones({self.args(self.shape_to_make())})", f"{name}.detach()"])
        return self.rng.choice([f"{name}.sum().backward({kept})", f"{name}.mean().backward({kept})",
                                f"({name} * {name}).sum().backward({kept})", f"{name}.backward({given})"])

    def program(self):
        for _ in range(self.rng.randint(1, 2)):
            self.add(self.create())
        for _ in range(self.rng.randint(2, 6)):
            self.add(self.line())
        for _ in range(self.rng.randint(1, 2)):
            self.add(self.backward())
            for name, value in [one for one in self.tensors() if "." not in one[0]]:
                if value.requires_grad and (self.is_leaf(value) or self.chance(0.1)) and not self.recorder.beyond:
                    self.add(f"{name}.grad")
                    if self.recorder.grad_of(value) is not None and self.chance(0.4):
                        self.add(self.rng.choice([f"{name}.grad.stride()", f"{name}.grad.is_contiguous()",
                                                  f"{name}.grad.storage_offset()", f"{name}.grad += 1", f"{name}.grad.requires_grad"]))
            if self.chance(0.5):
                self.add(self.line())
        return self.lines, self.recorder.settled(self.records)
