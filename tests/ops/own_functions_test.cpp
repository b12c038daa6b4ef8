// Functions of the program's that autograd calls, and those around a module's forward: whose steps their lines are,
// what they may hold, and what is not modelled.
#include "ops/program.h"
#include "render/formats.h"
#include "render/report.h"

namespace stridescope {
namespace {

const std::string exponential =
    "import torch\n"
    "class Exp(torch.autograd.Function):\n"
    "  @staticmethod\n"
    "  def forward(ctx, x):\n"
    "    y = x.exp()\n"
    "    ctx.save_for_backward(y)\n"
    "    ctx.y = y\n"
    "    return y\n"
    "  @staticmethod\n"
    "  def backward(ctx, g):\n"
    "    y, = ctx.saved_tensors\n"
    "    return g * y\n"
    "x = torch.zeros(3, requires_grad=True)\n"
    "y = Exp.apply(x)\n";

std::vector<std::string> texts_of(const Trace& trace) {
  std::vector<std::string> texts;
  for (const Step& step : trace.steps) texts.push_back(step.text);
  return texts;
}

TEST(OwnFunctions, TheirLinesAreStepsBeforeTheOneThatCallsThem) {
  const Ran ran(exponential + "y.sum().backward()");
  EXPECT_EQ(ran.error(), "");
  const auto texts = texts_of(ran.trace);
  ASSERT_GE(texts.size(), 9u);
  EXPECT_EQ(texts[2], "y = x.exp()");
  EXPECT_EQ(texts[6], "y = Exp.apply(x)");
  EXPECT_EQ(texts[texts.size() - 2], "return g * y");
  EXPECT_EQ(texts.back(), "y.sum().backward()");
}

// What holds itself would stay when the program is gone: the sanitized build notices.
TEST(OwnFunctions, ContextsAndHooksMayHoldWhatHoldsThem) {
  EXPECT_EQ(
      Ran(exponential + "y.register_hook(lambda g, y=y: g)\nx.register_hook(lambda g, x=x: g)\ny.sum().backward()")
          .error(),
      "");
  const Ran net(
      "import torch\n"
      "class Net(torch.nn.Module):\n"
      "  def __init__(self):\n"
      "    super().__init__()\n"
      "    self.fc = torch.nn.Linear(2, 2)\n"
      "    self.handle = self.fc.register_forward_hook(self.keep)\n"
      "  def keep(self, module, args, out):\n"
      "    self.kept = out\n"
      "  def forward(self, x):\n"
      "    return self.fc(x)\n"
      "net = Net()\n"
      "y = net(torch.ones(1, 2))\n"
      "net.kept is y");
  EXPECT_EQ(net.error(), "");
  EXPECT_EQ(net.value(), "True");
}

TEST(OwnFunctions, WhatIsNotModelledIsRefused) {
  const auto refused = [](const std::string& lines) {
    const Ran ran(exponential + lines);
    return !ran.trace.steps.back().error->raised;
  };
  EXPECT_TRUE(
      refused("class Double(Exp):\n  @staticmethod\n  def forward(ctx, x):\n    ctx.mark_dirty(x)\n    return "
              "x.mul_(2)\nDouble.apply(y)"));
  EXPECT_TRUE(
      refused("class Same(Exp):\n  @staticmethod\n  def forward(ctx, x):\n    ctx.mark_non_differentiable(x)\n"
              "    return x\nSame.apply(y)"));
  // Which strides a gradient has that no rule leads back, and so what a hook would be given, is not known.
  EXPECT_TRUE(refused("z = torch.complex(x, x)\nx.register_hook(print)\nz.abs().sum().backward()"));
  EXPECT_TRUE(refused("torch.nn.Linear(2, 2).register_forward_hook(print, always_call=True)"));
}

TEST(OwnFunctions, WhatIsNoFunctionOrNoNumberEndsInAnAnswer) {
  const auto error = [](const std::string& lines) { return Ran(exponential + lines).error(); };
  EXPECT_EQ(error("class F(Exp):\n  setup_context = 3\nF.apply(x)"),
            "TypeError: Exp.forward() missing 1 required positional argument: 'x'");
  EXPECT_EQ(error("class F(Exp):\n  forward = 3\nF.apply(x)"), "TypeError: 'int' object is not callable");
  EXPECT_EQ(error("class F(Exp):\n  backward = 3\nF.apply(x).sum().backward()"),
            "TypeError: 'int' object is not callable");
  EXPECT_EQ(error("h = x.register_hook(print)\nh.id = 'a'\nh.remove()"), "");
  EXPECT_EQ(error("m = torch.nn.ReLU()\nsetattr(m, 'hooks after', 3)\nm(x)"), "");
  EXPECT_EQ(
      error("m = torch.nn.ReLU()\nm.register_forward_pre_hook(lambda m, a, k: (a, {3: 0}), with_kwargs=True)\nm(x)"),
      "ours");
  // Its example is a class, of which no line can be made.
  const Ran ran(exponential + "class F(Exp):\n  forward = 3\nF.apply(x)");
  EXPECT_EQ(plain(ran.trace.steps.back().error->hints[0].message, Language::english),
            "For example: x = torch.ones(3, requires_grad=True); y = Double.apply(x)");
}

TEST(OwnFunctions, ACopiedModuleWithHooksIsALimit) {
  const std::string net = "import torch, copy\nm = torch.nn.ReLU()\nh = m.register_forward_hook(print)\n";
  EXPECT_EQ(Ran(net + "copy.deepcopy(m)").error(), "ours");
  EXPECT_EQ(Ran(net + "h.remove()\ncopy.deepcopy(m)").error(), "");
}

TEST(OwnFunctions, WhatAHookRaisesIsToldOfTheHookAlone) {
  const Ran ran(
      "import torch\nx = torch.ones(3, requires_grad=True)\ndef f(g):\n  return g.view(5)\nx.register_hook(f)\n"
      "x.sum().backward()");
  EXPECT_EQ(ran.error(), "RuntimeError: shape '[5]' is invalid for input of size 3");
  const Diagnostic& error = *ran.trace.steps.back().error;
  EXPECT_EQ(plain(error.reason, Language::english), "Line 4 raises it, called as f here.");
  EXPECT_TRUE(error.hints.empty());
}

TEST(OwnFunctions, AContextHasNothingBeforeItsCallIsOver) {
  const Ran ran(
      "import torch\n"
      "class F(torch.autograd.Function):\n"
      "  @staticmethod\n"
      "  def forward(ctx, x):\n"
      "    ctx.n = len(ctx.saved_tensors)\n"
      "    return x * 2, ctx.n\n"
      "x = torch.ones(2, requires_grad=True)\n"
      "F.apply(x)[1]");
  EXPECT_EQ(ran.value(), "0");
}

TEST(OwnFunctions, AHookThatOnlyLooksIsNotWhatTheCallIsAbout) {
  const std::string net = "import torch\nseen = []\nnet = torch.nn.Flatten()\nx = torch.ones(2, 3, 4)\n";
  const Ran looks(net + "net.register_forward_hook(lambda m, given, made: seen.append(made))\ny = net(x)");
  EXPECT_EQ(looks.trace.steps.back().applied.back().relation, Relation::view);
  const Ran writes(net + "net.register_forward_hook(lambda m, given, made: print(made.mul_(2)))\ny = net(x)");
  EXPECT_EQ(writes.trace.steps.back().applied.back().relation, Relation::write);
}

TEST(OwnFunctions, WhatIsKeptInAListADictionaryOrAnObjectIsTheVeryObject) {
  const std::string before = "import torch\nx = torch.ones(2, 3)\nk = {}\nlist = [1]\nclass A: pass\na = A()\n";
  for (const char* line : {"k['x'] = x", "list[0] = x", "list.append(x)", "a.x = x"}) {
    const Ran ran(before + line);
    ASSERT_EQ(ran.trace.steps.back().applied.size(), 1u) << line;
    const Applied& told = ran.trace.steps.back().applied[0];
    EXPECT_EQ(told.why.lines[0].id, Msg::kept_itself) << line;
    EXPECT_EQ(told.inputs[0], ran.tensor("x")) << line;
  }
  EXPECT_TRUE(Ran(before + "k['x'] = 3").trace.steps.back().applied.empty());
}

TEST(OwnFunctions, WhatAMethodGivesOfAnObjectIsNoNewStorage) {
  const Ran ran(
      "import torch\n"
      "class A:\n"
      "  def __init__(self, x):\n"
      "    self.x = x\n"
      "  def rest(self):\n"
      "    return self.x[1:]\n"
      "a = A(torch.ones(3))\n"
      "y = a.rest()");
  for (const Message& line : ran.trace.steps.back().applied.back().why.lines) EXPECT_NE(line.id, Msg::fresh_storage);
}

}  // namespace
}  // namespace stridescope
