x: torch.Tensor = torch.arange(6.).view(2, 3); k = 7
print(f"{x.shape=} {x.stride()!r:>10} {x} {{}} {k:05.1f}|{k:^{k + 2}}")
assert x.T.is_contiguous(), f'{x.T.stride()}' '!'
for s, t in ((2, x), (3, x.T)):
    y = f"{t.numel():,} {s / 3:.3e} {s:#x} {1e20:g} {0.5:%} {k!a} {[1, (2,)]}"
del x, y
z = f'''{k:
>4}{f"{k}"}{np.float32(0.1)}{torch.tensor(2.5):.2f}'''
