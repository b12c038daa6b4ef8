{1, 2}; {*a, 2,}; {a for a in b if (c := a)}; {a := 1, 2}; {a: 1, b}; {1, 2: 3}; {*a: 1}; {**a, 1}; {1, **a}; {*a for a in b}
(y := 3); y := 3; f(a := 1, *b, c=(d := 2)); f(a=b := 1); x[i := 0, j:=1:2]; [q := 1, q ** 2]; (a.b := 1); ((a) := 1)
if (n := len(a)) > 3: pass
elif n := 2: {n}
while chunk := f(): {chunk, frozenset({chunk})}
[x := 1 for x in y]; [x for x in (y := z)]; [[(i := j) for j in k] for i in l]; lambda: (x := 1); lambda: x := 1
f"{x:=5} {(x:=5)} { {1, 2} }"; {1, {2, {3: {4}}}
