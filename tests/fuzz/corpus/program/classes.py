class A:
  n = [3]
  def __init__(self, x=1): self.x = x; self.t = torch.zeros(2, 3)
  @property
  def flat(self): return self.t.view(-1)
  @classmethod
  def of(cls, x): return cls(x)
  @staticmethod
  def s(v): return v
  def __call__(self, *v): return self.x, v
class B(A):
  def __init__(self, x): super().__init__(x); self.n = self.n + [4]
class N(torch.nn.Module):
  def __init__(self): super().__init__(); self.register_buffer('m', torch.ones(3).expand(2, 3)); self.b = B(2)
  def forward(self, x): return self.b.flat + x
n = N().eval()
n(1); n.b.x += 2; n.m[0] = 3
[o(1) for o in (A.of(1), B(2))], B.s(3), isinstance(n, torch.nn.Module), n.b.of(3).t.t(), n.missing
