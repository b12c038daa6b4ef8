print(f"{x!q} {} {x y} }} }")
y = f'{a + }{b:{c}' + f'{d[}'
z = f"{x["a"]!r:{'>'}5}{f'{y}'=}
assert x,
del x[0], y
w: int
for t in (x): t.T
