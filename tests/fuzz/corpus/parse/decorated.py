@torch.no_grad()
@twice  # of it
def f(x):
    @a.b(c
    def g(): return 1
    @
    class H: pass
    return x
if 1:
  @d
  e = 3
@k
async def m(): pass
@n
