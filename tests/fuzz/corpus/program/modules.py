nn = torch.nn
class L(nn.Linear):
  def __init__(self, i, o): super().__init__(i, o, bias=False); self.g = nn.Parameter(torch.ones(o))
  def forward(self, x): return super().forward(x) * self.g
  def extra_repr(self): return super().extra_repr() + ', g'
class S(nn.Sequential):
  def train(self, mode=True): super().train(mode); self[0].eval(); return self
class V:
  def __init__(self, v): self.v = v
  def __len__(self): return self.v
  def __getitem__(self, i): return self.v + i
  def __iter__(self): return iter([self.v])
  def __add__(self, o): return V(self.v + len(o))
  def __eq__(self, o): return self.v == o.v
  def __repr__(self): return f'V{self.v}'
m = S(L(2, 2), nn.BatchNorm1d(2), nn.ModuleList([nn.ReLU()]))
m[0].register_buffer('b', torch.ones(2), persistent=False); m.add_module('x', None)
[(n, p.shape) for n, p in m.named_parameters('p')], list(m.buffers()), m.state_dict(), m.eval().training
m.to(torch.float64).half().requires_grad_(False); m[0].weight = nn.Parameter(m[0].weight.t()); m[0].g = None
m[0].weight.data = torch.zeros(2, 2).t(); m[0].weight.requires_grad = True; m[0].weight = 3
str(m), m[:1], next(m.parameters()), m.get_submodule('2.0'), m.get_buffer('0.b'), m.apply(print), m.extend([m])
sum([V(1), V(2)], V(3)), V(1) == V(1), V(2)[3], list(V(4)), bool(V(0)), V(1) in [V(1)], f'{V(1)!r}'
