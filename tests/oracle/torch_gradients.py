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
        return rng.choice(rng.choices([arithmetic, views, joins, reductions], [6, 6, 2, 2])[0])

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
