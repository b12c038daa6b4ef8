for i in x:
  y = z[i]
  def f(a): b
  w.add_(1)
with f() as g: del a
try: x = 1
except E as e:
  pass
