"""Random programs over PyTorch's operations."""
from writer import Writer


class Torch(Writer):
    def creation(self, shape, numel):
        dtype = self.rng.choice(["", "", "", ", dtype=torch.float32", ", dtype=torch.int32", ", dtype=torch.uint8", ", dtype=torch.int16"])
        return self.rng.choice([
            f"torch.arange({numel}{dtype}).view({self.args(shape)})",
            f"torch.arange({numel}{dtype}).reshape({self.args(shape)})",
            f"torch.arange({numel})",
            f"torch.zeros({self.args(shape)}{dtype})",
            f"torch.ones({self.args(shape)}{dtype})",
            f"torch.full({self.tuple(shape)}, {self.rng.randint(0, 9)})",
            f"torch.arange(3, {numel + 3}).view({self.args(shape)})",
            f"torch.tensor({self.rng.choice([7, [1, 2, 3], [[1, 2], [3, 4]], [[1.5, 2.0]], [True, False]])})",
            f"torch.arange({numel + 4})[4:].view({self.args(shape)})",
        ])

    def operation(self, x, value, shape, live):
        rng, rank, numel = self.rng, len(shape), value.numel()
        d, e = self.dim(rank), self.dim(rank)
        n = shape[d] if -rank <= d < rank else 1
        other = rng.choice(live)[0]
        broadcast = [rng.choice([-1, s]) if s != 1 else rng.choice([1, 2, 3]) for s in shape]
        expand = [rng.choice([1, 2, 3]) for _ in range(rng.choice([0, 0, 1, 2]))] + broadcast
        forms = [
            f"{x}.view({self.args(self.sizes(numel))})", f"{x}.view({self.args(self.merged(shape))})",
            f"{x}.reshape({self.args(self.sizes(numel))})", f"{x}.reshape({self.args(self.merged(shape))})",
            f"{x}.view(-1)", f"{x}.flatten()", f"{x}.flatten({d}, {e})", f"{x}.ravel()",
            f"{x}.permute({self.args(self.permutation(rank))})", f"torch.permute({x}, {self.tuple(self.permutation(rank))})",
            f"{x}.transpose({d}, {e})", f"{x}.swapaxes({d}, {e})", f"{x}.t()", f"{x}.T", f"{x}.mT",
            f"{x}.movedim({d}, {e})", f"torch.movedim({x}, {self.tuple([d, e])}, {self.tuple([e, d])})",
            f"{x}.squeeze()", f"{x}.squeeze({d})", f"{x}.squeeze({self.tuple([d, e])})", f"{x}.unsqueeze({self.dim(rank, 1)})",
            f"{x}.expand({self.args(expand)})", f"{x}.broadcast_to({self.tuple(expand)})", f"{x}.expand_as({other})",
            f"{x}.narrow({d}, {rng.randint(-n, n)}, {rng.randint(0, max(n, 1))})",
            f"{x}.select({d}, {rng.randint(-n, max(n - 1, 0))})",
            f"{x}.unfold({d}, {rng.randint(0, n + (1 if self.chance(0.1) else 0))}, {rng.choice([1, 1, 2, 3, 0])})",
            f"{x}.diagonal({rng.randint(-3, 3)}, {d}, {e})", f"{x}.diagonal()",
            f"{x}.as_strided({self.tuple([rng.choice([1, 2, 3]) for _ in range(2)])}, {self.tuple([rng.choice([0, 1, 2, 3, 5]) for _ in range(2)])}"
            + rng.choice(["", ", 0", f", {rng.randint(0, 4)}"]) + ")",
            f"{x}.unflatten({d}, {self.tuple(self.sizes(n))})",
            f"{x}[{self.index(shape)}]", f"{x}[{self.index(shape)}]", f"{x}[{self.index(shape)}]", f"{x}[{self.index(shape, advanced=True)}]",
            f"{x}.contiguous()", f"{x}.clone()", f"{x}.contiguous(memory_format=torch.channels_last)",
            f"{x}.to(memory_format=torch.channels_last)", f"{x}.clone(memory_format=torch.contiguous_format)",
            f"{x}.repeat({self.args([rng.choice([1, 2]) for _ in range(rank + rng.choice([0, 0, 1]))])})", f"{x}.tile({self.args([2])})",
            f"{x}.repeat_interleave(2)", f"{x}.repeat_interleave(2, {d})",
            f"{x}.flip({d})", f"torch.flip({x}, {self.tuple([d, e])})", f"{x}.fliplr()", f"{x}.flipud()",
            f"{x}.roll({rng.randint(-2, 3)}, {d})", f"{x}.roll({rng.randint(-2, 3)})", f"{x}.rot90({rng.randint(0, 3)}, {self.tuple([d, e])})",
            f"torch.stack([{x}, {x}], {self.dim(rank, 1)})", f"torch.cat([{x}, {other}], {d})", f"torch.cat([{x}, {x}], {d})",
            f"torch.vstack([{x}, {x}])", f"torch.hstack([{x}, {x}])", f"torch.dstack([{x}, {x}])",
            f"{x}.unbind({d})", f"{x}.split({rng.randint(1, 3)}, {d})", f"{x}.chunk({rng.randint(1, 4)}, {d})",
            f"{x}.split({[1, n - 1]}, {d})", f"{x}.tensor_split({rng.randint(1, 4)}, {d})", f"{x}.hsplit(2)",
            f"{x}.to(torch.float32)", f"{x}.to(torch.int64)", f"{x}.float()", f"{x}.long()",
            f"{x} + 1", f"{x} * 2", f"{x} + {other}", f"{x} - {x}", f"{x} > 2", f"-{x}",
            f"{x}.detach()", f"{x}.data", f"{x}.view_as({other})", f"{x}.reshape_as({other})",
            f"torch.zeros_like({x})", f"torch.ones_like({x})", f"{x}.new_zeros({self.tuple([2, 3])})",
            f"torch.diag({x})", f"torch.diag_embed({x})", f"{x}.index_select({d}, torch.tensor([0]))", f"torch.take({x}, torch.tensor([0]))",
            f"torch.broadcast_tensors({x}, {other})", f"torch.meshgrid({x}.reshape(-1), torch.arange(2), indexing='{rng.choice(['ij', 'xy'])}')",
            f"{x}[{x} > 3]", f"torch.masked_select({x}, {x} > 1)", f"{x}.view(torch.{rng.choice(['int32', 'int16', 'uint8', 'int64'])})",
        ]
        return rng.choice(forms)

    def write(self, x, value, live):
        rng, shape, v = self.rng, list(value.shape), self.rng.randint(50, 99)
        rank = len(shape)
        d, e = self.dim(rank), self.dim(rank)
        return rng.choice([f"{x}[{self.index(shape)}] = {v}", f"{x}.fill_({v})", f"{x}.zero_()", f"{x}.add_(1)", f"{x}.mul_(2)", f"{x}.sub_(2)",
                           f"{x} += 1", f"{x} *= 2", f"{x}.copy_({rng.choice(live)[0]})", f"{x}[{self.index(shape)}] = {rng.choice(live)[0]}",
                           f"{x}.transpose_({d}, {e})", f"{x}.squeeze_()", f"{x}.unsqueeze_({self.dim(rank, 1)})", f"{x}.t_()",
                           f"{x}[{x} > 3] = {v}"])

    def query(self, x, value, live):
        other = self.rng.choice(live)[0]
        return self.rng.choice([f"{x}.shape", f"{x}.size()", f"{x}.stride()", f"{x}.stride({self.dim(value.dim())})", f"{x}.size({self.dim(value.dim())})",
                                f"{x}.storage_offset()", f"{x}.is_contiguous()", f"{x}.is_contiguous(memory_format=torch.channels_last)", f"{x}.numel()",
                                f"{x}.dim()", f"{x}.dtype", f"{x}.data_ptr() == {other}.data_ptr()", f"{x} is {other}", f"{x}.tolist()", f"{x}.element_size()",
                                f"{x}.is_set_to({other})", f"torch.equal({x}, {other})", f"{x}.item()", f"len({x})", f"{x}._is_view()", f"{x}.ndim"])
