"""Random programs over NumPy's operations."""
from writer import Writer


class NumPy(Writer):
    def creation(self, shape, numel):
        dtype = self.rng.choice(["", "", "", ", dtype=np.float32", ", dtype=np.int32", ", dtype=np.uint8", ", dtype=np.int16"])
        order = self.rng.choice(["", "", "", ", order='F'"])
        return self.rng.choice([
            f"np.arange({numel}{dtype}).reshape({self.args(shape)}{order})",
            f"np.arange({numel}{dtype}).reshape({self.args(shape)})",
            f"np.arange({numel})",
            f"np.zeros({self.tuple(shape)}{dtype}{order})", f"np.ones({self.tuple(shape)}{dtype}{order})",
            f"np.full({self.tuple(shape)}, {self.rng.randint(0, 9)})",
            f"np.array({self.rng.choice([7, [1, 2, 3], [[1, 2], [3, 4]], [[1.5, 2.0]], [True, False]])})",
            f"np.arange({numel + 4})[4:].reshape({self.args(shape)})",
        ])

    def operation(self, x, value, shape, live):
        rng, rank, numel = self.rng, len(shape), value.size
        d, e = self.dim(rank), self.dim(rank)
        n = shape[d] if -rank <= d < rank else 1
        other = rng.choice(live)[0]
        order = rng.choice(["C", "F", "A", "K"])
        reshape_order = rng.choice(["", "", ", order='F'", ", order='A'"])
        broadcast = [rng.choice([1, 2, 3]) for _ in range(rng.choice([0, 0, 1, 2]))] + [s if s != 1 else rng.choice([1, 2, 3]) for s in shape]
        index = lambda advanced=False: self.index(shape, negative=True, none=rng.choice(["None", "np.newaxis"]), advanced=advanced)
        forms = [
            f"{x}.reshape({self.args(self.sizes(numel))}{reshape_order})", f"{x}.reshape({self.args(self.merged(shape))}{reshape_order})",
            f"np.reshape({x}, {self.tuple(self.sizes(numel))}{reshape_order})", f"{x}.reshape(-1)",
            f"{x}.ravel()", f"{x}.ravel('{order}')", f"{x}.flatten('{order}')", f"{x}.flatten()",
            f"{x}.transpose({self.args(self.permutation(rank))})", f"np.transpose({x}, {self.tuple(self.permutation(rank))})", f"{x}.T", f"{x}.transpose()",
            f"{x}.swapaxes({d}, {e})", f"np.moveaxis({x}, {d}, {e})", f"np.moveaxis({x}, {self.tuple([d, e])}, {self.tuple([e, d])})", f"np.rollaxis({x}, {d}, {rng.randint(0, rank)})",
            f"np.expand_dims({x}, {self.dim(rank, 1)})", f"{x}.squeeze()", f"{x}.squeeze({d})", f"np.squeeze({x}, {self.tuple([d, e])})",
            f"{x}[{index()}]", f"{x}[{index()}]", f"{x}[{index()}]", f"{x}[{index()}]", f"{x}[{index(True)}]", f"{x}[::-1]", f"{x}[..., ::-2]",
            f"np.broadcast_to({x}, {self.tuple(broadcast)})", f"np.broadcast_arrays({x}, {other})",
            f"np.flip({x})", f"np.flip({x}, {d})", f"np.fliplr({x})", f"np.flipud({x})", f"np.rot90({x}, {rng.randint(0, 3)})",
            f"np.rot90({x}, {rng.randint(0, 3)}, {self.tuple([d, e])})", f"np.roll({x}, {rng.randint(-2, 3)})", f"np.roll({x}, {rng.randint(-2, 3)}, {d})",
            f"{x}.diagonal({rng.randint(-3, 3)}, {d}, {e})", f"{x}.diagonal()", f"np.diag({x})",
            f"as_strided({x}, {self.tuple([rng.choice([1, 2]) for _ in range(2)])}, {self.tuple([rng.choice([0, 1, 2]) * value.itemsize for _ in range(2)])})",
            f"sliding_window_view({x}, {rng.randint(0, n)}, axis={d})", f"sliding_window_view({x}, {self.tuple([rng.randint(1, max(s, 1)) for s in shape])})",
            f"{x}.copy()", f"{x}.copy('{order}')", f"np.copy({x})", f"np.array({x})", f"np.asarray({x}, order='{rng.choice('CF')}')",
            f"np.ascontiguousarray({x})", f"np.asfortranarray({x})", f"{x}.astype(np.{rng.choice(['float32', 'int64', 'int32', 'uint8'])})",
            f"np.require({x}, requirements=['{rng.choice(['C', 'F', 'W', 'O'])}'])",
            f"np.tile({x}, {self.tuple([rng.choice([1, 2]) for _ in range(rng.randint(1, 3))])})", f"np.repeat({x}, 2)", f"np.repeat({x}, 2, {d})",
            f"np.concatenate([{x}, {other}], {d})", f"np.concatenate([{x}, {x}], {d})", f"np.stack([{x}, {x}], {self.dim(rank, 1)})",
            f"np.vstack([{x}, {x}])", f"np.hstack([{x}, {x}])", f"np.dstack([{x}, {x}])",
            f"np.split({x}, {rng.randint(1, 3)}, {d})", f"np.array_split({x}, {rng.randint(1, 4)}, {d})", f"np.hsplit({x}, 2)", f"np.vsplit({x}, 2)", f"np.split({x}, {[1, n]}, {d})",
            f"{x} + 1", f"{x} * 2", f"{x} + {other}", f"{x} > 2", f"-{x}", f"{x} - {x}.T",
            f"np.zeros_like({x})", f"np.ones_like({x})", f"{x}.view()", f"{x}.view(np.{rng.choice(['int32', 'int16', 'uint8', 'int64'])})",
            f"np.atleast_1d({x})", f"np.atleast_2d({x})", f"np.atleast_3d({x})", f"{x}.mT", f"{x}[{x} > 3]", f"np.take({x}, [0], {d})",
            f"np.meshgrid({x}.ravel(), np.arange(2), indexing='{rng.choice(['ij', 'xy'])}')", f"np.append({x}, {x})", f"np.resize({x}, {self.tuple([2, 3])})",
        ]
        return rng.choice(forms)

    def write(self, x, value, live):
        rng, shape, v = self.rng, list(value.shape), self.rng.randint(50, 99)
        index = self.index(shape, negative=True)
        return rng.choice([f"{x}[{index}] = {v}", f"{x}.fill({v})", f"{x} += 1", f"{x} *= 2", f"{x}[{index}] = {rng.choice(live)[0]}", f"{x}[...] = {x}.T",
                           f"np.copyto({x}, {rng.choice(live)[0]})", f"{x}.shape = {self.tuple(self.sizes(value.size))}", f"{x}[{x} > 3] = {v}", f"{x}[::-1] = {x}"])

    def query(self, x, value, live):
        other = self.rng.choice(live)[0]
        return self.rng.choice([f"{x}.shape", f"{x}.strides", f"{x}.flags.{self.rng.choice(['c_contiguous', 'f_contiguous', 'owndata', 'writeable', 'fnc', 'forc'])}", f"{x}.base is {other}",
                                f"{x}.base is None", f"np.shares_memory({x}, {other})", f"np.may_share_memory({x}, {other})", f"{x} is {other}", f"{x}.ndim", f"{x}.size",
                                f"{x}.nbytes", f"{x}.itemsize", f"np.isfortran({x})", f"{x}.dtype", f"{x}.tolist()", f"{x}.item()", f"len({x})", f"np.array_equal({x}, {other})"])
