def f(a: int, /, b=2, *c, d, e: float = 1.) -> list:
    "Text."
    def g(): return lambda x, *, y=f: (x, y)
    while a:
        return g
    return
h = (lambda: lambda *a: a)()(1)
@d
def k(x):
    yield x
async def l(): pass
def m(x
lambda
def n(**kw): pass
