def f(x, n=2, *rest, flat=False):
    def g(y): return y.t() if y.dim() == n else y
    for row in x:
        if flat: return g(row)
        try: row.view(7)
        except RuntimeError: continue
        finally: n += 1
    x[0] = 7
    return x.reshape(-1)
a = torch.arange(6).view(2, 3)
f(a); f(a, 1, flat=True)
k = lambda x, d=a: f(d[x:])
k(1), f()
