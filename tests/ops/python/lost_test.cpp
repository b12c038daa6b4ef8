// What is not known any more below what did not run: nothing is said to be unchanged that may have been written.
#include "ops/program.h"

namespace stridescope {
namespace {

const std::string setup = "x = torch.zeros(2, 2)\nv = x[0]\nz = torch.ones(2)\n";

TEST(Lost, WhatAFunctionWouldHaveWrittenThatIsNotRun) {
  const char* const functions[] = {
      "def f():\n    async with y:\n        pass\n    x.add_(1)\nf()\n",
      "def f(a):\n    async with y:\n        pass\n    a[0] = 1\nf(x)\n",
      "def f(a):\n    async with y:\n        pass\n    b = a.t()\n    b.zero_()\nf(a=v)\n",
      "def f():\n    torch.zeros(2).sparse_mask(1)\n    x.add_(1)\nf()\n",
      "def f(n):\n    f(n + 1)\n    x.add_(1)\nf(0)\n",
      "def f():\n    global x\n    async with y:\n        pass\n    x = 3\nf()\n",
  };
  for (const char* lines : functions) {
    EXPECT_EQ(Ran(setup + lines + "x").error(), "ours") << lines;
    EXPECT_EQ(Ran(setup + lines + "z").error(), "") << lines;
  }
  EXPECT_EQ(Ran(setup + "def f(a):\n    async with y:\n        pass\n    return a + 1\nf(x)\nx").error(), "");
}

TEST(Lost, WhoeverElseHoldsIt) {
  const std::string cached =
      "import functools\n@functools.lru_cache\ndef made():\n    return torch.zeros(2)\ny = made()\n";
  EXPECT_FALSE(leaves_unknown(Ran(cached + "made()").last()));
  EXPECT_TRUE(leaves_unknown(Ran(cached + "y.mvlgamma_(2)\nmade()").last()));
}

TEST(Lost, WhatIsHeldByWhatNobodyKnowsMayBeWrittenThroughItAndKeepsItsLayout) {
  const std::string made = "opt = torch.distributions.SGD([x], lr=0.1)\n";
  for (const char* line : {"opt.step()", "y = opt.step()", "def g(o):\n    o[0] = 1\ng(opt)", "opt[0] = 1", "opt.x = 1",
                           "torch.relu_(opt)", "opt = torch.distributions.SGD([p for p in [x]], lr=1)\nopt.step()",
                           "more = torch.distributions.wrap(opt)\nmore.step()"}) {
    const Ran x(setup + made + line + "\nx"), v(setup + made + line + "\nv"), z(setup + made + line + "\nz");
    EXPECT_TRUE(leaves_unknown(x.last()) && leaves_unknown(v.last())) << line;
    EXPECT_EQ(v.layout("v"), "(2,):(1,)+0") << line;
    EXPECT_FALSE(leaves_unknown(z.last())) << line;
  }
  for (const char* line : {"print(opt)", "opt.shape", "opt.view(2)", "len(opt)", "torch.zeros_like(opt)"})
    EXPECT_FALSE(leaves_unknown(Ran(setup + made + line + "\nx").last())) << line;
}

TEST(Lost, WhatIsWrittenInPlaceKeepsItsLayout) {
  const std::string training =
      "x = torch.zeros(2, 2, requires_grad=True)\nn = torch.zeros(2, 2).t()\nv = x.detach()\n"
      "y = x * 2\ny.sum().backward(inputs=[y])\n";
  for (const char* line :
       {"with torch.no_grad():\n    x -= 0.1 * x.grad", "x.data -= 0.1 * x.grad.data", "x.data.sub_(x.grad)",
        "with torch.no_grad():\n    x[0] = x.grad", "with torch.no_grad():\n    x.sub_(0.1 * x.grad)"}) {
    const Ran x(training + line + "\nx"), v(training + line + "\nv"), n(training + line + "\nn");
    EXPECT_EQ(x.layout("x"), "(2, 2):(2, 1)+0") << line;
    EXPECT_TRUE(leaves_unknown(x.last()) && leaves_unknown(v.last())) << line;
    EXPECT_FALSE(leaves_unknown(n.last())) << line;
  }
  for (const char* line : {"x.grad.zero_()", "x.grad = None", "x.grad.data.zero_()", "x.grad[0] = 1", "x.grad += 1",
                           "torch.nn.utils.clip_grad_norm_(x, 1.0)", "x.backward(create_graph=True)"})
    EXPECT_FALSE(leaves_unknown(Ran(training + line + "\nx").last())) << line;
  // What may have another layout, or may come to require a gradient, is not known.
  for (const char* line : {"n.resize_(torch.load('a'))", "n.transpose_(0, x.grad)", "n @= x.grad", "n.data = x.grad",
                           "n += x.grad", "n.sub_(x.grad)"})
    EXPECT_EQ(Ran(training + line + "\nn").error(), "ours") << line;
  // Nor are what else a write may change, how often was written, and objects of the program that keep a `grad`.
  for (const char* line : {"n.requires_grad_(torch.load('a'))", "n.detach_(torch.load('a'))"})
    EXPECT_EQ(Ran(training + "with torch.no_grad():\n    " + line + "\nn").error(), "ours") << line;
  EXPECT_EQ(Ran(training + "with torch.no_grad():\n    x.sub_(x.grad)\nx._version").error(), "ours");
  EXPECT_EQ(Ran(training + "w, u = x.unbind()\nwith torch.no_grad():\n    w.sub_(x.grad)\nw").error(), "ours");
  EXPECT_EQ(
      Ran("x = torch.zeros(4).view(2, 2).requires_grad_()\nx.sum().backward(create_graph=True)\nwith torch.no_grad():\n"
          "    x -= x.grad\ny = x.t()")
          .layout("y"),
      "(2, 2):(1, 2)+0");
  const std::string own = "class P:\n    def __init__(self): self.grad = torch.zeros(2)\np = P()\nl = [p]\n";
  for (const char* line : {"p.grad.igamma_(p.grad)", "p.grad[0] = torch.load('a')", "l[0].grad.igamma_(p.grad)"})
    EXPECT_EQ(Ran(own + line + "\np.grad").error(), "ours") << line;
  const std::string net =
      "m = torch.nn.Linear(2, 2)\nl = list(m.parameters())\nm(torch.ones(2)).sum().backward(create_graph=True)\n";
  for (const char* line : {"m.weight.grad.zero_()", "m.weight.grad = None", "l[0].grad.zero_()",
                           "torch.nn.utils.clip_grad_norm_(m.parameters(), 1.0)"})
    EXPECT_EQ(Ran(net + line + "\nm.weight, l").error(), "") << line;
  // What is written through a list or an object is a tensor in it.
  const std::string held = setup + "l = [x]\nd = {'a': v}\nclass C: pass\nc = C()\nc.w = x\n";
  for (const char* line : {"l[0].igamma_(l[0])", "d['a'][0] = torch.load('a')", "c.w[0] = torch.load('a')",
                           "l[0].data = torch.load('a')", "np.copyto(l[0], torch.load('a'))"}) {
    const Ran x(held + line + "\nx");
    EXPECT_TRUE(!x.error().empty() || leaves_unknown(x.last())) << line;
    EXPECT_FALSE(leaves_unknown(Ran(held + line + "\nz").last())) << line;
  }
  for (const char* line : {"l[0] = torch.load('a')", "l.append(torch.load('a'))", "c.w = torch.load('a')"})
    EXPECT_FALSE(leaves_unknown(Ran(held + line + "\nx").last())) << line << ": only what holds it";
  const std::string arrays = "a = np.zeros((2, 3)).T\n";
  EXPECT_EQ(Ran(arrays + "a += np.load('x.npy')\na").layout("a"), "(3, 2):(8, 24)+0");
  EXPECT_EQ(Ran(arrays + "t = torch.zeros(3, 2)\na += torch.load('t')\na").error(), "ours") << "it would be a tensor";
}

TEST(Lost, WhatAFunctionWritesOfWhichSomethingUnknownIsMade) {
  for (const char* lines :
       {"@torch.jit.script\ndef f(a):\n    a.add_(1)\nf(x)", "f = torch.jit.script(lambda a: a.add_(1))\nf(x)",
        "def f(a):\n    a.add_(1)\ng = torch.compile(f)\ng(x)", "@torch.jit.script\ndef f():\n    x.add_(1)\nf()"}) {
    EXPECT_EQ(Ran(setup + lines + "\nx").error(), "ours") << lines;
    EXPECT_EQ(Ran(setup + lines + "\nz").error(), "") << lines;
  }
  EXPECT_EQ(Ran(setup + "@torch.jit.script\ndef f(a):\n    return a + 1\nf(x)\nx").error(), "");
  const std::string unknown =
      setup + "class Opt(torch.distributions.Optimizer):\n    def step(self):\n        x.add_(1)\no = Opt()\n";
  EXPECT_EQ(Ran(unknown + "z").error(), "");
  EXPECT_EQ(Ran(unknown + "o.step()\nx").error(), "ours");
  EXPECT_EQ(Ran("import heapq\nl = [3, 1]\nheapq.heapify(l)\nl").error(), "ours");
}

TEST(Lost, WhatManyLinesHoldIsHeldOnce) {
  std::string lines = setup + "y = torch.distributions.make(x, v, z)\n";
  for (int i = 0; i < 200; ++i) lines += "y = torch.distributions.make(y, y, lambda: y)\n";
  EXPECT_TRUE(leaves_unknown(Ran(lines + "y.step()\nx").last()));
}

TEST(Lost, WhatOtherLibrariesAreHandedStaysAsItIs) {
  for (const char* lines : {"import matplotlib.pyplot as plt\np = plt.imshow(x)\np.show()",
                            "from PIL import Image\ni = Image.fromarray(x)\ni.show()",
                            "import pandas as pd\nd = pd.DataFrame(x)\ne = d.T\ne.describe()"})
    EXPECT_FALSE(leaves_unknown(Ran(setup + lines + "\nx").last())) << lines;
  const std::string compiled = setup + "from numba import njit\n@njit\ndef f(a):\n    a[0] = 1\n";
  EXPECT_EQ(Ran(compiled + "f(x)\nx").error(), "ours");
  EXPECT_EQ(Ran(compiled + "f(x)\nz").error(), "");
  EXPECT_TRUE(
      leaves_unknown(Ran(setup + "import torch.distributions as optim\no = optim.SGD([x], lr=1)\no.step()\nx").last()));
  const std::string walk =
      "a = np.arange(3.)\nit = np.nditer(a, op_flags=['readwrite'])\no = torch.distributions.SGD([it])\n";
  EXPECT_TRUE(leaves_unknown(Ran(walk + "o.step()\na").last()));
  EXPECT_FALSE(leaves_unknown(Ran(walk + "a").last()));
}

TEST(Lost, WhatABlockThatDoesNotRunWritesIntoAPartOf) {
  EXPECT_EQ(Ran(setup + "with torch.distributions.view(x) as y:\n    y[0] = 1\nx").error(), "ours");
  EXPECT_EQ(Ran(setup + "with torch.distributions.view(x) as y:\n    y + 1\nx").error(), "");
}

TEST(Lost, WhatIsRefusedForItsCostMayHaveWrittenAndKeepsLayouts) {
  // The library runs these lines: the old values would be an untruth.
  for (const std::string line : {"y[np.arange(10**6)] = 1", "y[y] = y[::-1]", "np.put(y, np.arange(10**6), 5)"}) {
    const Ran ran("y = np.arange(10**6)\nz = y[:4]\n" + line + "\nz.tolist()");
    EXPECT_EQ(ran.step(2).error.has_value(), true) << line;
    EXPECT_EQ(ran.error(), "ours") << line;
    EXPECT_EQ(ran.layout("y"), "(1000000,):(8,)+0") << line;
  }
  // A line that only reads writes nothing.
  EXPECT_EQ(Ran("y = np.arange(10**6)\nz = y[:4]\ny[np.arange(10**6)].tolist()\nz.tolist()").error(), "");
}

TEST(Lost, ALineThatRaisedInPythonTooLosesNothing) {
  EXPECT_EQ(Ran(setup + "y = x.view(3)\ny.zero_()\nx").error(), "");
  EXPECT_EQ(
      Ran(setup + "def f():\n    x.view(3)\n    x.add_(1)\ntry:\n    f()\nexcept RuntimeError:\n    pass\nx").error(),
      "");
}

}  // namespace
}  // namespace stridescope
