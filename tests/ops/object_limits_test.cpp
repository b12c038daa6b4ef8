// What modules, classes and Python can do that is left: a limit each, said instead of guessed.
#include "ops/program.h"

namespace stridescope {
namespace {

/// Each line, run behind the others, is refused by us, not by a library.
void are_limits(const std::string& before, std::initializer_list<const char*> lines) {
  ASSERT_EQ(Ran(before + "1").error(), "");
  for (const char* line : lines) {
    const Ran run(before + line);
    EXPECT_EQ(run.error(), "ours") << line;
    const auto& error = run.last().error;
    EXPECT_TRUE(error && error->reason.id != Msg::name_unbound_by_failure) << line;
  }
}

const std::string modules =
    "from torch import nn\n"
    "x = torch.arange(6.).view(2, 3)\n"
    "lin = nn.Linear(2, 2)\n"
    "seq = nn.Sequential(nn.ReLU(), nn.ReLU())\n"
    "norm = nn.BatchNorm1d(2)\n"
    "with torch.inference_mode(): frozen = nn.Linear(2, 2)\n"
    "class Late(nn.Module):\n"
    "  def __init__(self): pass\n"
    "class ML(nn.ModuleList): pass\n"
    "odd = nn.ModuleList([nn.ReLU()])\n"
    "odd.add_module('x', nn.Tanh())\n"
    "class Named(nn.Module):\n"
    "  def __repr__(self): return 'N'\n"
    "class Extra(nn.Module):\n"
    "  def extra_repr(self): return 3\n"
    "class Own(nn.Module):\n"
    "  def parameters(self, recurse=True): return []\n";

const std::string classes =
    "import copy\n"
    "from torch import nn\n"
    "import torch.nn.functional as F\n"
    "x = torch.arange(6.).view(2, 3)\n"
    "lin = nn.Linear(2, 2)\n"
    "class A:\n"
    "  def f(self): return 1\n"
    "class Init:\n"
    "  __init__ = 5\n"
    "class Odd:\n"
    "  __len__ = 5\n"
    "class Called:\n"
    "  __call__ = 5\n"
    "class Prop:\n"
    "  @property\n"
    "  def __len__(self): return 3\n"
    "class Bound:\n"
    "  __len__ = [1].index\n"
    "class E:\n"
    "  def __iter__(self): return 5\n"
    "class E2:\n"
    "  def __iter__(self): return [1]\n"
    "class D(A):\n"
    "  def g(self): return super(A, self).f()\n"
    "  def h(self): return super(D, 3).f()\n"
    "  def i(self, x): return super(D, x).f()\n"
    "  def j(self): return super(Q, self).f()\n"
    "  def k(self): return super(D).f()\n"
    "  def l(self): super().y = 3\n"
    "  def m(): return super().f()\n"
    "  @staticmethod\n"
    "  def n(): return super().f()\n"
    "  def o(self): return super().__class__\n"
    "  def p(self): return super(A(), self).f()\n";

TEST(ObjectLimits, WhatModulesCanDoBesideIsSaid) {
  are_limits(
      modules,
      {"lin.parameters(1)",
       "lin.named_parameters(3)",
       "lin.train(bogus=True)",
       "lin.train(True, mode=False)",
       "lin.add_module('a')",
       "lin._parameters",
       "lin._forward_hooks",
       "lin._foo",
       "nn.Linear._foo",
       "seq.insert",
       "seq.pop",
       "nn.ModuleDict().clear",
       "nn.ModuleDict().update",
       "nn.Embedding(3, 2).from_pretrained",
       "lin.reset_parameters",
       "nn.Conv2d(1, 1, 2).transposed",
       "nn.Conv2d(1, 1, 2).output_padding",
       "nn.ConvTranspose2d(1, 1, 2)(torch.ones(1, 1, 2, 2), [4, 4])",
       "nn.ConvTranspose2d(1, 1, 2)(torch.ones(1, 1, 2, 2), output_size=[4, 4])",
       "nn.Module.train()",
       "nn.Module.train(3)",
       "nn.ReLU.forward(lin, x)",
       "lin.named_modules(3)",
       "lin.register_buffer(3, x)",
       "lin.half(3)",
       "lin.to(torch.float32, torch.float64)",
       "lin.to('cpu', 'cpu')",
       "lin.to(5)",
       "lin.to(memory_format=5)",
       "lin.to(memory_format=torch.channels_last, dtype='float32')",
       "lin.to(bogus=3)",
       "lin.to(dtype='float32')",
       "lin.load_state_dict({'weight': 3, 'bias': torch.ones(2)})",
       "lin.load_state_dict({**lin.state_dict(), 1: x})",
       "lin.load_state_dict(5)",
       "norm.load_state_dict({k: norm.state_dict()[k] for k in ['weight', 'bias', 'running_mean', 'running_var']})",
       "norm.load_state_dict({**norm.state_dict(), 'num_batches_tracked': torch.ones(1)})",
       "frozen.load_state_dict({'weight': torch.ones(2, 2), 'bias': torch.ones(2)})",
       "lin.weight = len",
       "lin.weight = np.float32(3)",
       "lin.weight = range(3)",
       "lin.weight = lambda v: v",
       "lin.weight = x.numpy().flags",
       "lin.add_module('k', len)",
       "seq.add_module('x', None)",
       "seq[0] = None",
       "nn.ModuleDict()[3] = nn.ReLU()",
       "lin.get_submodule('forward')",
       "lin.get_submodule('_parameters')",
       "lin.get_submodule('reset_parameters')",
       "del seq[0]",
       "del nn.ModuleDict({'a': nn.ReLU()})['a']",
       "odd.extend(odd)",
       "seq + seq",
       "seq * 2",
       "2 * seq",
       "nn.GroupNorm(-1, 4)",
       "nn.Conv2d(1, 1, (2,))",
       "nn.Conv2d(1, 1, 2, padding_mode='reflect')",
       "nn.Sequential({'a': nn.ReLU()})",
       "nn.Sequential([nn.ReLU()])",
       "nn.ModuleDict({'a.b': nn.ReLU()})",
       "nn.ModuleDict({'': nn.ReLU()})",
       "nn.ModuleDict({'train': nn.ReLU()})",
       "nn.ModuleDict({3: nn.ReLU()})",
       "nn.ModuleDict({'a': 3})",
       "nn.ModuleDict(3)",
       "nn.ModuleDict([('a', nn.ReLU())])",
       "nn.ModuleList([None])",
       "lin.__foo__",
       "lin.__foo__ = 3",
       "Late().parameters()",
       "Late().train()",
       "Late().register_module('m', nn.ReLU())",
       "Late().add_module('m', nn.ReLU())",
       "ML([nn.ReLU()])[0:1]",
       "odd[1]",
       "str(nn.Sequential(Named()))",
       "str(Extra())",
       "repr(nn.Sequential(Extra()))",
       "nn.Sequential(Own()).named_parameters()",
       "Own().requires_grad_(False)",
       "Own().state_dict()"});
}

TEST(ObjectLimits, WhatClassesCanDoBesideIsSaid) {
  are_limits(classes, {"A.__foo__",
                       "A().__dict__",
                       "A.__mro__",
                       "A().__foo__ = 3",
                       "Prop.__len__",
                       "Init()",
                       "len(Odd())",
                       "len(Prop())",
                       "len(Bound())",
                       "Called()()",
                       "A().f.__self__",
                       "A().f.x = 3",
                       "super()",
                       "class B(len): pass",
                       "class B(3): pass",
                       "class B:\n  for i in range(3): pass",
                       "class B:\n  x += 1",
                       "class B:\n  x, y = 1, 2",
                       "class B:\n  A.x = 3",
                       "class B:\n  3",
                       "class B:\n  __slots__ = ()",
                       "class B(nn.Module):\n  def __eq__(self, o): return True",
                       "class B:\n  print('a')",
                       "D().g()",
                       "D().h()",
                       "D().i(3)",
                       "D().j()",
                       "D().k()",
                       "D().l()",
                       "D.m()",
                       "D().n()",
                       "D().o()",
                       "D().p()"});
}

TEST(ObjectLimits, WhatIsCopiedJoinedOrMeasuredBesideIsSaid) {
  are_limits(classes, {"copy.copy(lin)",
                       "copy.deepcopy(iter([1]))",
                       "copy.deepcopy(A().f)",
                       "copy.deepcopy(lin.named_children)",
                       "copy.deepcopy({'a': 1}.items())",
                       "copy.deepcopy(x.numpy().flat)",
                       "setattr(x, 'foo', 3)",
                       "','.join(3)",
                       "'abc'.replace('b', '', 1)",
                       "'abc'.endswith(('a', 1))",
                       "'abc'.split('')",
                       "'abc'.replace('', 'x')",
                       "('a' * 4000).replace('a', 'b' * 400)",
                       "','.join(['a' * 4000, 'b' * 4000])",
                       "np.ones(2) + A()",
                       "np.float32(3) * A()",
                       "pow(exp=3, base=2)",
                       "F.conv_transpose2d(torch.ones(2, 1, 4, 4), torch.ones(1, 1, 2, 2), dilation=0)",
                       "copy.deepcopy(torch.ones(2, dtype=torch.complex64).conj())",
                       "{1: 'a' * 5000}['a' * 5000]",
                       "'%c' % 0xD800",
                       "torch.float32.itemsize = 3",
                       "torch.strided.foo = 1",
                       "np.float32.foo = 1",
                       "copy.deepcopy(x.view)",
                       "np.nditer(x.numpy(), op_flags=['readwrite'])[0:1] = (1,)"});
}

}  // namespace
}  // namespace stridescope
