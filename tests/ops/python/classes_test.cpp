// Classes that the program defines, and modules of PyTorch's made from them: what their objects hold, give and raise.
#include <gtest/gtest.h>

#include "ops/program.h"

namespace stridescope {
namespace {

const std::string attention =
    "import torch.nn as nn\n"
    "class Attention(nn.Module):\n"
    "  '''Splits heads.'''\n"
    "  def __init__(self, heads=2):\n"
    "    super().__init__()\n"
    "    self.heads = heads\n"
    "    self.register_buffer('mask', torch.ones(3, 3).tril())\n"
    "  def split(self, x):\n"
    "    b, t, c = x.shape\n"
    "    return x.view(b, t, self.heads, c // self.heads).transpose(1, 2)\n"
    "  def forward(self, x):\n"
    "    return self.split(x)\n"
    "net = Attention(heads=4)\n";

TEST(Classes, ModulesRunTheirForwardAndViewWhatTheyAreGiven) {
  const Ran run(attention + "x = torch.zeros(2, 3, 8)\ny = net(x)\nm = net.mask.t()");
  EXPECT_EQ(run.error(), "");
  EXPECT_EQ(run.layout("y"), "(2, 4, 3, 2):(24, 2, 8, 1)+0");
  EXPECT_TRUE(run.tensor("y")->shares_storage(*run.tensor("x")));
  EXPECT_EQ(run.layout("m"), "(3, 3):(1, 3)+0");
  EXPECT_EQ(run.layout("net.mask"), "(3, 3):(3, 1)+0");
  EXPECT_EQ(Ran(attention + "net.training, net.eval() is net, net.training, net.train().training").value(),
            "(True, True, False, True)");
  EXPECT_EQ(Ran(attention + "net.inner = Attention()\nnet.eval()\nnet.inner.training").value(), "False");
  EXPECT_EQ(Ran(attention + "net(torch.zeros(2, 3, 8), 1)").error(),
            "TypeError: Attention.forward() takes 2 positional arguments but 3 were given");
  EXPECT_EQ(Ran(attention + "net.head").error(), "AttributeError: 'Attention' object has no attribute 'head'");
  EXPECT_EQ(Ran(attention + "[n for n, b in net.named_buffers()], len(list(net.parameters()))").value(),
            "(['mask'], 0)");
  EXPECT_EQ(Ran(attention + "net(torch.zeros(2, 3, 7))").error(),
            "RuntimeError: shape '[2, 3, 4, 1]' is invalid for input of size 42");
}

TEST(Classes, AModuleBeginsWithTheInitOfTorch) {
  const std::string late =
      "class N(torch.nn.Module):\n  def __init__(self): self.n = 3\n  def forward(self): pass\nn = N()\n";
  EXPECT_EQ(Ran(late + "n.n").value(), "3");
  EXPECT_EQ(Ran(late + "n()").error(), "AttributeError: 'N' object has no attribute '_backward_hooks'");
  EXPECT_EQ(Ran("class N(torch.nn.Module): pass\nN()()").error(),
            "NotImplementedError: Module [N] is missing the required \"forward\" function");
  EXPECT_EQ(Ran("class N(torch.nn.Module):\n  def __init__(self): self.f = torch.nn.ReLU()\nN()").error(),
            "AttributeError: cannot assign module before Module.__init__() call");
  EXPECT_EQ(
      Ran("class N(torch.nn.Module): pass\nn = N()\nn.to('cpu') is n, n.to(torch.device('cpu')).cpu() is n").value(),
      "(True, True)");
  EXPECT_EQ(Ran("class N(torch.nn.Module): pass\nN(1)").error(),
            "TypeError: N.__init__() takes 1 positional argument but 2 were given");
  EXPECT_EQ(Ran("class N(torch.nn.Module): pass\nN(a=1)").error(),
            "TypeError: N.__init__() got an unexpected keyword argument 'a'");
  EXPECT_EQ(Ran("class N(torch.nn.Module):\n  @property\n  def p(self): return self.q\nN().p").error(),
            "AttributeError: 'N' object has no attribute 'p'")
      << "it takes what the property raises for a missing attribute";
  EXPECT_EQ(Ran("class N:\n  @property\n  def p(self): return self.q\nN().p").error(),
            "AttributeError: 'N' object has no attribute 'q'");
}

TEST(Classes, ObjectsHoldTheirOwnAndSeeWhatTheirClassHas) {
  const std::string lines =
      "class A:\n  n = 3\n  m = n + 1\n  def __init__(self, a, b=2): self.a = a; self.b = b\n"
      "  def total(self): return self.a + self.b + self.n\n";
  EXPECT_EQ(Ran(lines + "a = A(5)\nb = a\nb.n = 10\na.total(), A.total(a), A.n, A(1, b=1).total(), a.m").value(),
            "(17, 17, 3, 5, 4)");
  EXPECT_EQ(
      Ran(lines + "a = A(1)\na.a += 4\na.a, a == a, a == A(1), a is a, a.__class__ is A, type(a).__name__").value(),
      "(5, True, False, True, True, 'A')");
  EXPECT_EQ(Ran("class P:\n  xs = []\nP().xs.append(1)\nP().xs").value(), "[1]") << "of the class, so of all";
  EXPECT_EQ(Ran("x = torch.arange(6)\nclass W:\n  def __init__(self, t): self.t = t\n  def write(self): self.t[0] = 9\n"
                "w = W(x)\nw.write()\nx[0].item(), w.t is x")
                .value(),
            "(9, True)");
  EXPECT_EQ(Ran("class A: pass\na = A()\na.x").error(), "AttributeError: 'A' object has no attribute 'x'");
  EXPECT_EQ(Ran("class A: pass\nA.x").error(), "AttributeError: type object 'A' has no attribute 'x'");
  EXPECT_EQ(Ran("class A: pass\nA(3)").error(), "TypeError: A() takes no arguments");
  EXPECT_EQ(Ran("class A: pass\nA()()").error(), "TypeError: 'A' object is not callable");
  EXPECT_EQ(Ran("class A: pass\nA() + 1").error(), "TypeError: unsupported operand type(s) for +: 'A' and 'int'");
  EXPECT_EQ(Ran("class A:\n  def __init__(self): return 3\nA()").error(),
            "TypeError: __init__() should return None, not 'int'");
  EXPECT_EQ(Ran("class A:\n  def __init__(self): super().__init__(2)\nA()").error(),
            "TypeError: object.__init__() takes exactly one argument (the instance to initialize)");
  EXPECT_EQ(Ran("class A:\n  def f(): pass\nA().f()").error(),
            "TypeError: A.f() takes 0 positional arguments but 1 was given");
}

TEST(Classes, WhatStandsAboveTheirFunctionsSaysHowTheyAreTaken) {
  const std::string lines =
      "class A:\n  def __init__(self, x=1): self.x = x\n  @property\n  def double(self): return self.x * 2\n"
      "  @staticmethod\n  def s(v): return v + 1\n  @classmethod\n  def of(cls, x): return cls(x + 1)\n"
      "  @torch.no_grad()\n  def f(self, w): return (w * 2).requires_grad\n"
      "w = torch.ones(2, requires_grad=True)\n";
  EXPECT_EQ(Ran(lines + "A(3).double, A.s(1), A().s(2), A.of(4).x, A().of(5).x, A().f(w)").value(),
            "(6, 2, 3, 5, 6, False)");
  EXPECT_EQ(Ran(lines + "A().double = 3").error(), "AttributeError: property 'double' of 'A' object has no setter");
}

TEST(Classes, AreMadeFromOthers) {
  const std::string lines =
      "class A:\n  def f(self): return 'A'\n  def g(self): return self.f()\n"
      "class B(A):\n  def f(self): return 'B' + super().f()\n  def h(self): return super(B, self).f()\n"
      "  def k(self): return super().nothing\n";
  EXPECT_EQ(Ran(lines + "B().g(), B().h(), isinstance(B(), A), isinstance(A(), B), isinstance(3, A)").value(),
            "('BA', 'A', True, False, False)");
  EXPECT_EQ(Ran(lines + "B().k()").error(), "AttributeError: 'super' object has no attribute 'nothing'");
  EXPECT_EQ(Ran("class A(torch.nn.Module): pass\nisinstance(A(), torch.nn.Module)").value(), "True");
}

TEST(Classes, WhatIsNotReadOfThemIsALimit) {
  for (const char* program :
       {"class A(torch.Tensor): pass", "class A:\n  def __getattr__(self, n): return 3", "class A:\n  if 1: x = 2",
        "class A:\n  a, b = 1, 2", "class A:\n  y = [n for n in range(3)]", "class A: pass\na = A()\na.a = a",
        "class A:\n  def f(self): pass\na = A()\na.g = a.f", "class A:\n  xs = []\nA.xs.append(A())", "super()",
        "class A: pass\nstr(A())", "def f(): pass\nstr(f)", "class A:\n  def f(self): x = (\nA().f()",
        "class A:\n  __call__ = 3\nA()()"})
    EXPECT_EQ(Ran(program).error(), "ours") << program;
  EXPECT_EQ(Ran("class A: pass\na = A()\nsetattr(a, 'y', 4)\na.y").value(), "4");
  EXPECT_EQ(Ran("class A: pass\na = A()\na.y = 4\ndelattr(a, 'y')\na.y").error(), "ours");
  EXPECT_EQ(Ran("xs = [1]\nxs.append(xs)\nxs").error(), "ours") << "what the line would have made is not known";
}

TEST(Classes, TellOfTheLinesThatRan) {
  const Ran run(attention + "y = net(torch.zeros(1, 1, 4))");
  EXPECT_TRUE(run.trace.passed.empty()) << "each line of the class has run";
  const Ran unused("class A:\n  x = 1\n  def f(self): return 2\na = A()");
  ASSERT_EQ(unused.trace.passed.size(), 1U);
  EXPECT_EQ(unused.trace.source.substr(static_cast<size_t>(unused.trace.passed[0].begin)), "return 2\na = A()");
}

}  // namespace
}  // namespace stridescope
