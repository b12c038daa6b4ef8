d = {"a": 1, **e, (1, 2): {k: v for k, v in z if k}, None: lambda: {}}
{1, 2}; {*a}; {a for a in b}; {**a for a in b}; {'a': 1 'b'}; {a: b: c}
f(**d, k=2, **{"x": y}); f(**a, 1); def
def g(a, *b, c=1, **kw): del kw["a"], kw; return {**kw}
d["k"][0], *d["r"] = {}, {'q': f"{ {'a': {}}['a'] }"}
{
