if a:
  b = 1
elif c: d
else:
    if e:
      f
    else: g
x[0] = 2
