"""Random programs over PyTorch's operations: what makes tensors, writes to them and asks about them.
The operations that give new tensors are in torch_forms.py."""
import re

from torch_forms import COMPLEX, DTYPES, FLOATS, INTEGERS, Forms

MOST_PARTS = 1000  # that the engine takes a tensor apart into


class Torch(Forms):
    def tensors(self):
        return [(n, v) for n, v in super().tensors() if hasattr(v, "storage_offset") and v.numel() <= 5000]

    def creation(self, shape, numel):
        rng = self.rng
        options = ""
        if self.chance(0.45):
            options = f", dtype=torch.{rng.choice(DTYPES)}"
        size, start, value = self.tuple(shape), rng.randint(-4, 5), rng.choice([0, 1, 7, -3, 2.5, True])
        last = ", memory_format=torch.channels_last" if len(shape) == 4 and self.chance(0.5) else ""
        data = rng.choice(["7", "[1, 2, 3]", "[[1, 2], [3, 4]]", "[[1.5, 2.0]]", "[True, False]", "[]", "[[], []]",
            "2.5",
                           "[[1, 2], [3]]", "[1, 2.5]", "[True, 2]", "((1, 2), (3, 4))", "[[[1]], [[2]]]", "True"])
        strides = [rng.choice([0, 1, 2, 3, 4, 7]) for _ in shape]
        reach = 1 + sum(max(n - 1, 0) * s for n, s in zip(shape, strides))
        whole = rng.choice(["", "", f", dtype=torch.{rng.choice(INTEGERS + FLOATS[2:])}"])
        forms = 4 * [
            f"torch.arange({numel}{whole}).view({self.args(shape)})",
            f"torch.arange({numel}{whole}).reshape({self.args(shape)})",
            f"torch.arange({start}, {start + numel}{whole}).view({self.args(shape)})",
            f"torch.arange({numel + 4}{whole})[4:].view({self.args(shape)})",
        ] + 2 * [
            f"torch.zeros({self.args(shape)}{options})", f"torch.ones({self.args(shape)}{options})",
            f"torch.arange({numel})", f"torch.full({size}, {value}{options})",
        ] + [
            f"torch.tensor({data}{options})", f"torch.as_tensor({data}{options})",
            f"torch.arange({start}, {start + rng.randint(-1, 12)}, {rng.choice([1, 2, 3, -1, 0])}{whole})",
            f"torch.arange({start}, {start + 4}.5, {rng.choice([0.5, 1, 0.25, 2])})", f"torch.arange({numel}.0)",
            f"torch.arange(end={numel})", f"torch.arange(0, {numel}, step=2)", f"torch.arange(start=1, end={numel})",
            f"torch.zeros(size={size}{options})", f"torch.empty({self.args(shape)}{options}{last}).zero_()",
            f"torch.full(size={size}, fill_value={value}{options})",
            f"torch.empty_strided({size}, {self.tuple(self.packed(shape))}{options}).fill_({rng.randint(0, 9)})",
            f"torch.arange({reach}).as_strided({size}, {self.tuple(strides)})",
            f"torch.eye({rng.randint(-1, 4)}{options})",
            f"torch.eye({rng.randint(0, 4)}, {rng.randint(0, 4)}{options})",
            f"torch.linspace(0, {rng.randint(1, 9)}, {rng.randint(0, 9)})", f"torch.linspace(start=-1, end=1, steps=5)",
            f"torch.zeros([{', '.join(map(str, shape))}])", f"torch.ones({size}{options}, requires_grad=False)",
            f"torch.zeros({self.spread(shape) or 1}, -2)", f"torch.tensor({data}).view({self.args(shape)})",
            f"torch.scalar_tensor({value}{options})", f"torch.tril_indices({rng.randint(0, 4)}, {rng.randint(0, 4)})",
            f"torch.triu_indices({rng.randint(0, 4)}, {rng.randint(0, 4)}, {rng.randint(-2, 2)})",
            f"torch.empty_permuted({size}, {self.tuple(self.permutation(len(shape)))}).fill_(3)",
            f"torch.from_numpy(np.arange({numel}).reshape({size}))",
            f"torch.from_numpy(np.arange({numel}.0).reshape({size}).T)",
            f"torch.from_numpy(np.arange(12)[::{rng.choice([1, -1])}])",
        ]
        return rng.choice(forms)

    def packed(self, shape):
        """Strides that fill memory in some order of the dimensions."""
        strides, step = [0] * len(shape), 1
        for d in self.rng.sample(range(len(shape)), len(shape)):
            strides[d] = step
            step *= max(shape[d], 1)
        return strides

    def operation(self, x, value, shape, live):
        self.x, self.value, self.shape, self.live = x, value, shape, live
        family = self.rng.choices([self.shapes, self.dims, self.parts, self.indexing, self.copies, self.joins,
            self.gathers,
                                   self.arithmetic, self.reductions, self.products, self.derived, self.complexes],
                                  [5, 5, 6, 5, 5, 3, 4, 4, 3, 1, 2, 1])[0]
        text = self.rng.choice(family())
        pending = value.is_conj() or value.is_neg()
        parts = max(shape, default=0) > MOST_PARTS and re.search(r"\b(split|unbind)\(.*[])]", text)
        return x if parts or pending and re.search("unsafe|new_tensor|einsum", text) else self.spoiled(text)

    def spoiled(self, text):
        """The same call with an argument too many, too few or of another type, now and then."""
        found = re.fullmatch(
            r"(.*\.(?!norm|add|sub|count_nonzero|flip|permute|to\b|view|reshape|repeat|expand|tile|conj)\w+)\(([^()\[\]]*)\)", text)
        if not found or not self.chance(0.015):
            return text
        arguments = [a for a in found[2].split(", ") if a]
        i = self.rng.randrange(len(arguments) + 1)
        arguments[i:i + self.rng.randint(0, 1)] = [self.rng.choice(["1.5", "nothing=1"])]
        named = [a for a in arguments if "=" in a]
        return f"{found[1]}({', '.join([a for a in arguments if '=' not in a] + named)})"

    def write(self, x, value, live):
        rng, shape = self.rng, list(value.shape)
        self.x, self.value, self.shape, self.live = x, value, shape, live
        rank = len(shape)
        number = rng.choice([rng.randint(50, 99), rng.randint(-5, 9), 2.5, 0.7, True, 3])
        d, e = self.dim(rank), self.dim(rank)
        other = rng.choice(live)[0]
        key = self.index(shape, advanced=self.chance(0.4))
        sizes, strides = ([rng.choice([1, 2, 3]) for _ in range(2)], [rng.choice([0, 1, 2, 3]) for _ in range(2)])
        unary = rng.choice(self.unary())
        return rng.choice(3 * [
            f"{x}[{key}] = {number}", f"{x}[{self.index(shape)}] = {number}", f"{x}[{self.index(shape)}] = {other}",
        ] + 2 * [
            f"{x}.fill_({number})", f"{x}.add_({number})", f"{x}.mul_({number})", f"{x}.copy_({other})",
            f"{x} += {number}", f"{x} *= {number}", f"{x} += {other}", f"{x}[{x} > 3] = {number}",
            f"{x}.transpose_({d}, {e})", f"{x}.unsqueeze_({self.dim(rank, 1)})", f"{x}.t_()",
            f"{x}.as_strided_({self.tuple(sizes)}, {self.tuple(strides)})", f"{x}.{unary}_()",
        ] + [
            f"{x}.zero_()", f"{x}.sub_({number})", f"{x}.div_({number})", f"{x}.pow_({rng.randint(0, 3)})",
            f"{x}.remainder_({rng.randint(1, 4)})", f"{x}.floor_divide_({rng.randint(1, 4)})",
            f"{x}.add_({other}, alpha={rng.choice([2, 1.5, -1])})",
            f"{x}.sub_({other}, alpha=2)", f"{x}.add_({other})", f"{x}.mul_({other})", f"{x}.sub_({other})",
            f"{x}.div_({other})",
            f"{x} -= {number}", f"{x} /= 2", f"{x} //= 2", f"{x} %= 3", f"{x} **= 2", f"{x} -= {other}",
            f"{x} *= {other}",
            f"{x} &= {other}", f"{x} |= {other}", f"{x} ^= 1", f"{x} <<= 1", f"{x} >>= 1",
            f"{x}.swapaxes_({d}, {e})", f"{x}.swapdims_({d}, {e})", f"{x}.squeeze_()", f"{x}.squeeze_({d})",
            f"{x}.as_strided_({self.tuple(sizes)}, {self.tuple(strides)}, {rng.randint(0, 3)})",
            f"{x}.resize_({self.args(self.smaller(value))})", f"{x}.detach_()",
            f"{x}[{key}] = {other}", f"{x}[{key}] += 1", f"{x}[{key}] *= 2", f"{x}[{self.index(shape)}] = {x}",
            f"{x}[{x} > 3] += 1", f"{x}[{x} > 3] = {other}", f"{x}[:] = {other}", f"{x}[...] = {number}",
            f"{x}.masked_fill_({x} > 2, {number})", f"{x}.masked_fill_({other} > 2, {number})",
            f"{x}.clamp_({rng.randint(0, 3)}, {rng.randint(2, 6)})",
            f"{x}.clamp_(min={rng.randint(0, 3)})", f"{x}.clamp_(max={rng.randint(0, 6)})",
            f"{x}.fill_diagonal_({rng.randint(1, 9)})",
            f"{x}.fill_(torch.tensor(5))", f"{x}.fill_({other})",
            f"{x}.cumsum_({d})", f"{x}.eq_({number})", f"{x}.gt_(2)", f"{x}.logical_and_({other})",
            f"{x}.bitwise_and_(3)",
            f"{x}[{self.index(shape)}] = [1, 2]",
            f"{x}[{self.index(shape)}] = torch.tensor({rng.choice(['[1, 2]', '7', '[[1], [2]]', '2.5', '[1, 2, 3]'])})",
            f"{x}.view(-1)[0] = {number}", f"{x}.t()[0] = {number}", f"{x}.diagonal()[:] = {number}",
            f"{x}.unfold({d}, 2, 1).add_(1)",
            f"{x}.expand(2, *{x}.shape).add_(1)", f"{x}.tril_()" if value.is_contiguous() else f"{x}.zero_()",
            f"{x}.add_(True)",
        ])

    def smaller(self, value):
        """Sizes that the storage has room for: what a longer one would hold, nobody knows."""
        room = value.storage().nbytes() // value.element_size() - value.storage_offset()
        room = max(room, 0)
        rows = self.rng.randint(0, min(room, 4))
        return [rows, self.rng.randint(0, room // max(rows, 1))] if self.chance(0.6) else [rows]

    def query(self, x, value, live):
        other, rank = self.rng.choice(live)[0], value.dim()
        d = self.dim(rank)
        fmt = self.rng.choice(["channels_last", "channels_last_3d", "contiguous_format", "preserve_format"])
        return self.rng.choice([
            f"{x}.shape", f"{x}.size()", f"{x}.stride()", f"{x}.stride({d})", f"{x}.size({d})", f"{x}.size(dim={d})",
            f"{x}.shape[{d}]",
            f"{x}.storage_offset()", f"{x}.is_contiguous()", f"{x}.is_contiguous(memory_format=torch.{fmt})",
            f"{x}.numel()",
            f"{x}.nelement()", f"torch.numel({x})", f"{x}.shape.numel()", f"{x}.dim()", f"{x}.ndimension()",
            f"{x}.ndim", f"{x}.itemsize",
            f"{x}.nbytes", f"{x}.dtype", f"{x}.dtype == {other}.dtype", f"{x}.data_ptr() == {other}.data_ptr()",
            f"{x} is {other}",
            f"{x}.storage().data_ptr() == {other}.storage().data_ptr()",
            f"{x}.untyped_storage().data_ptr() == {other}.untyped_storage().data_ptr()",
            f"{x}.storage().size()", f"len({x}.storage())", f"{x}.untyped_storage().nbytes()",
            f"{x}.untyped_storage().size()", f"{x}.storage().tolist()",
            f"{x}.data_ptr() - {x}.untyped_storage().data_ptr()", f"{x}.storage()[0]", f"{x}.tolist()",
            f"{x}.element_size()",
            f"{x}.is_set_to({other})", f"torch.equal({x}, {other})", f"{x}.equal({other})",
            f"torch.allclose({x}, {other})", f"{x}.item()",
            f"len({x})", f"{x}._is_view()", f"{x}._base is None", f"{x}._base is {other}", f"{x}.requires_grad",
            f"{x}.is_floating_point()",
            f"{x}.is_complex()", f"{x}.is_signed()", f"torch.is_floating_point({x})", f"torch.is_complex({x})",
            f"{x}.is_leaf", f"{x}.is_same_size({other})",
            f"torch.is_tensor({x})", f"{x}.shape == {other}.shape", f"{x}.stride() == {other}.stride()", f"{x}.type()",
            f"int({x})", f"float({x})",
            f"bool({x})", f"list({x}.shape)", f"tuple({x}.stride())", f"{x}.is_conj()", f"{x}.is_nonzero()",
            f"{x}.get_device()",
            f"torch.result_type({x}, {other})", f"torch.promote_types({x}.dtype, {other}.dtype)",
            f"torch.can_cast({x}.dtype, {other}.dtype)",
            f"torch.broadcast_shapes({x}.shape, {other}.shape)", f"{x}.shape[0]", f"{x}.shape[1:]",
            f"({x} == {other}).all()", f"({x} > 1).any().item()",
            f"{x}.max().item()", f"{x}.sum().item()", f"{x}[0].is_contiguous()", f"{x}.is_sparse", f"{x}.is_cuda",
            f"{x}.layout == torch.strided",
            f"{x}.grad", f"{x}.is_inference()",
            f"isinstance({x}, torch.Tensor)", f"sum({x}.shape)", f"3 in {x}",
            f"{x}.untyped_storage().nbytes() // {x}.itemsize", f"{x}.type() == {other}.type()",
            f"{x}.count_nonzero()", f"{x}.argmax().item()", f"{x}.stride({x}.dim() - 1)",
        ])
