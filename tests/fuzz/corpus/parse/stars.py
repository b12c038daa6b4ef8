y = x.view(*x.shape[:-1], 4, 2); z = [*x.shape, 1], (*a,)
b, *rest = x.shape; *_, (last, *more) = *a | b, 0
for i, *(j, k) in c: [*c for c, *d in e]
x[*i, ..., *j] = *p, *q
(*w); *v = 1; x[*u:2]; [*t for t in s]; f(**r, *q)
"{0[1].T!r:>{w}} {}{{".format(x, w=3) % (1, *y)
