// backward(): what leaves get, how it is laid out, and what stands in the way. Values and errors are held against
// PyTorch's by the recorded programs.
#include <fstream>

#include "ops/program.h"
#include "ops/python/classes.h"
#include "ops/python/written.h"

namespace stridescope {
namespace {

TEST(Gradients, AreLaidOutAsTheirLeafWhereItIsDenseElsePacked) {
  const auto grad = [](const std::string& leaf) {
    return Ran("x = " + leaf + ".requires_grad_()\n(x * x).sum().backward()").layout("x.grad");
  };
  EXPECT_EQ(grad("torch.arange(6.).view(2, 3)"), "(2, 3):(3, 1)+0");
  EXPECT_EQ(grad("torch.arange(6.).view(2, 3).t()"), "(3, 2):(1, 3)+0");
  EXPECT_EQ(grad("torch.arange(12.).view(2, 6)[:, ::2]"), "(2, 3):(3, 1)+0");
  EXPECT_EQ(grad("torch.ones(3, 1).expand(3, 2)"), "(3, 2):(2, 1)+0");
  EXPECT_EQ(grad("torch.arange(6.)[2:]"), "(4,):(1,)+0");
}

TEST(Gradients, OfWhatEveryOperationIsSeenThrough) {
  const std::string leaf = "x = torch.arange(6., requires_grad=True)\n";
  const auto grad = [&](const std::string& made) {
    return Ran(leaf + "(" + made + ").sum().backward()").values("x.grad");
  };
  EXPECT_EQ(grad("x.view(2, 3).t()[1:]"), "0.0 1.0 1.0 0.0 1.0 1.0");
  EXPECT_EQ(grad("x.unfold(0, 3, 1)"), "1.0 2.0 3.0 3.0 2.0 1.0");
  EXPECT_EQ(grad("x.as_strided((2, 2), (1, 1))"), "1.0 2.0 1.0 0.0 0.0 0.0");
  EXPECT_EQ(grad("x.expand(4, 6)"), "4.0 4.0 4.0 4.0 4.0 4.0");
  EXPECT_EQ(grad("x[torch.tensor([1, 1, 5])]"), "0.0 2.0 0.0 0.0 0.0 1.0");
  EXPECT_EQ(grad("x.detach() * x"), "0.0 1.0 2.0 3.0 4.0 5.0");
  // What nobody wrote has no values, and its layout.
  const Ran unknown(leaf + "torch.complex(x, x).abs().sum().backward()\nx.grad");
  EXPECT_EQ(unknown.layout("x.grad"), "(6,):(1,)+0");
  EXPECT_TRUE(leaves_unknown(unknown.last()));
}

TEST(Gradients, ASecondOneIsAddedInPlaceToTheVeryTensor) {
  const std::string twice =
      "x = torch.ones(2, requires_grad=True)\nx.sum().backward()\ng = x.grad\n(x * 3).sum().backward()\n";
  EXPECT_EQ(Ran(twice + "g is x.grad").value(), "True");
  EXPECT_EQ(Ran(twice + "g").values("g"), "4.0 4.0");
  EXPECT_TRUE(Ran(twice).says(Msg::grad_added));
  EXPECT_EQ(Ran(twice + "x.grad = None\nx.sum().backward()\ng is x.grad").value(), "False");
}

TEST(Gradients, WhatWasKeptAndWrittenSinceIsNamed) {
  const Ran ran("x = torch.ones(3, requires_grad=True)\ny = x.exp()\nv = y[:2]\nv.zero_()\ny.sum().backward()");
  EXPECT_EQ(ran.error().substr(0, 12), "RuntimeError");
  EXPECT_NE(plain(ran.last().error->reason, Language::english).find("ExpBackward0 kept y"), std::string::npos);
  ASSERT_FALSE(ran.last().error->hints.empty());
  EXPECT_EQ(ran.last().error->hints[0].message.id, Msg::hint_saved_written);
  // Nothing keeps what it adds up.
  EXPECT_EQ(
      Ran("x = torch.ones(3, requires_grad=True)\ny = x + 1\ny.zero_()\ny.sum().backward()\nx.grad").values("x.grad"),
      "0.0 0.0 0.0");
}

TEST(Gradients, AChainAsLongAsAProgramIsLedBackAndLetGo) {
  const Ran ran(
      "def f(x):\n    for i in range(1500):\n        x = x + 1\n    return x\n"
      "x = torch.ones(2, requires_grad=True)\ny = f(x)\ny.sum().backward()\nx.grad");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.values("x.grad"), "1.0 1.0");
}

TEST(Gradients, WhatMadeATensorIsNamedAndOneObject) {
  const std::string made = "x = torch.ones(2, 2, requires_grad=True)\ny = x * 2\nv = y.t()\n";
  EXPECT_EQ(Ran(made + "y.grad_fn").value(), "<MulBackward0 object>");
  EXPECT_EQ(Ran(made + "type(y.grad_fn).__name__").value(), "'MulBackward0'");
  EXPECT_EQ(Ran(made + "y.grad_fn is y.grad_fn").value(), "True");
  EXPECT_EQ(Ran(made + "x.grad_fn is None").value(), "True");
  EXPECT_EQ(Ran(made + "v.grad_fn.name()").value(), "'TBackward0'");
  // A view of what was written is one of what that is made of now.
  EXPECT_EQ(Ran(made + "y += 1\nv.grad_fn.name()").value(), "'AsStridedBackward0'");
  EXPECT_EQ(Ran(made + "v += 1\ny.grad_fn.name()").value(), "'torch::autograd::CopySlices'");
  // What is laid anew in place is no write: the base is made of what it was.
  EXPECT_EQ(Ran(made + "v.t_()\nv.grad_fn.name()").value(), "'TBackward1'");
  EXPECT_EQ(Ran(made + "v.t_()\ny.grad_fn.name()").value(), "'MulBackward0'");
}

TEST(Gradients, WhatHasNoDerivativeSaysSo) {
  const Ran ran("x = torch.ones(2, requires_grad=True)\n(x // 2).sum().backward()");
  EXPECT_EQ(ran.error(), "RuntimeError: derivative for aten::floor_divide is not implemented");
  EXPECT_EQ(ran.last().error->reason.id, Msg::no_derivative);
}

TEST(Gradients, TheWayBackIsNotedWhereThatIsAskedFor) {
  const Ran ran(
      "x = torch.tensor([1., 2.], requires_grad=True)\ng, = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)\n"
      "g.sum().backward()\nx.grad");
  EXPECT_EQ(ran.values("g"), "3.0 12.0");
  EXPECT_EQ(ran.values("x.grad"), "6.0 12.0");
}

TEST(Gradients, LimitsAreOurs) {
  const std::string leaf = "x = torch.ones(3, requires_grad=True)\ny = x * 2\n";
  const char* const lines[] = {"torch.autograd.grad(y.sum(), x, is_grads_batched=True)",
                               "y.grad_fn.next_functions",
                               "torch.autograd.grad(torch.complex(y, y).abs().sum(), x)",
                               "y.sum().backward(inputs=[y])",
                               "y.sum().backward()\nx.grad._version",
                               "torch.optim.LBFGS([x])",
                               "torch.optim.SGD([x], lr=0.1).register_step_pre_hook(print)",
                               "torch.optim.Adam([x], amsgrad=True)"};
  expect_limits(leaf, lines, "x");
}

/// The expressions of x that gradients.txt holds, one a line.
std::vector<std::string> expressions() {
  std::ifstream file(STRIDESCOPE_SOURCE_DIR "/tests/ops/gradients.txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(Gradients, AreWhatSmallStepsOfEachElementGive) {
  for (const std::string& expression : expressions()) {
    const Ran ran(
        "import torch.nn.functional as F\ndef f(x):\n    w = torch.ones(4).double()\n    y = " + expression +
        "\n    return (y * (torch.arange(y.numel()) + 1).reshape(y.shape)).sum()\n"
        "i = torch.arange(12.).double()\nx = (i ** 2 / 17 % 3 + 0.3 + i / 90).reshape(3, 4)\n"
        "leaf = x.clone().requires_grad_()\nf(leaf).backward()\nnumeric = torch.zeros(12).double()\n"
        "for k in range(12):\n    step = torch.zeros(12).double()\n    step[k] = 1e-6\n    step = step.view(3, 4)\n"
        "    numeric[k] = (f(x + step) - f(x - step)) / 2e-6\n"
        "assert torch.allclose(leaf.grad, numeric.view(3, 4), rtol=1e-4, atol=1e-4)");
    EXPECT_EQ(ran.error(), "") << expression;
  }
}

TEST(Gradients, EveryRuleIsThatOfARowAndTried) {
  // A rule that no call would find would never be used.
  const WrittenLibrary& library = written_library(WrittenIn::backward);
  const std::vector<std::string> tried = expressions();
  for (const Statement& line : library.program.statements) {
    if (!is_definition(line) || !line.targets[0]->text.starts_with("back_")) continue;
    std::string name = line.targets[0]->text.substr(5);
    constexpr std::string_view signs = " store index rdiv im2col neg ", written = " copy fill zero unbind chunk ",
                               without = " floor_divide heaviside nextafter aminmax ";
    if (name.starts_with("pad_")) name = "mode='" + name.substr(4);
    if (name.ends_with("_along")) name.resize(name.size() - 6);
    if (name.starts_with("linalg_")) name[6] = '.';
    const auto is_among = [&](std::string_view names) { return names.find(' ' + name + ' ') != names.npos; };
    const bool found = is_among(signs) || name.starts_with("mode=") ||
                       std::any_of(operation_table().begin(), operation_table().end(), [&](const Op* op) {
                         return std::string_view(op->signatures).find(name) != std::string_view::npos;
                       });
    EXPECT_TRUE(found) << name;
    const auto names_it = [&](const std::string& expression) { return expression.find(name) != expression.npos; };
    EXPECT_TRUE(is_among(signs) || is_among(written) || is_among(without) ||
                std::any_of(tried.begin(), tried.end(), names_it))
        << name;
    // A number of a bit or more says for which gradients a tensor is kept; of what is a number, nothing.
    for (const FunctionParameter& parameter : line.parameters) {
      const bool bits = parameter.fallback && parameter.fallback->kind == Expr::Kind::integer &&
                        parameter.fallback->integer > 0 && !parameter.name.starts_with('_');
      EXPECT_TRUE(!bits ||
                  std::string_view(" x y z w result ").find(' ' + parameter.name + ' ') != std::string_view::npos)
          << name << ' ' << parameter.name;
    }
  }
  EXPECT_TRUE(library.program.diagnostics.empty());
  EXPECT_TRUE(written_library(WrittenIn::optim).program.diagnostics.empty());
}

TEST(Optimizers, ChangeLeavesInPlaceAndNotTheirLayouts) {
  for (const char* kind : {"SGD", "Adam", "AdamW", "RMSprop"}) {
    const Ran ran("x = torch.ones(3, 2).t().requires_grad_()\nv = x.detach()\nopt = torch.optim." + std::string(kind) +
                  "([x], lr=0.5)\n(x * x).sum().backward()\nopt.step()");
    EXPECT_EQ(ran.error(), "") << kind;
    EXPECT_EQ(ran.layout("x"), "(2, 3):(1, 2)+0") << kind;
    EXPECT_EQ(ran.values("x"), ran.values("v")) << kind;
    EXPECT_NE(ran.values("x").substr(0, 3), "1.0") << kind;
  }
}

TEST(Optimizers, EachThatIsWrittenIsFound) {
  for (const Statement& line : written_library(WrittenIn::optim).program.statements)
    if (is_class(line)) {
      EXPECT_NE(class_of_library("torch.optim." + line.targets[0]->text), nullptr) << line.targets[0]->text;
    }
}

TEST(Optimizers, AClassOfTheProgramMayBeOne) {
  const Ran ran(
      "class Opt(torch.optim.Optimizer):\n    def __init__(self, params, lr):\n"
      "        super().__init__(params, dict(lr=lr))\n    def step(self):\n"
      "        for group in self.param_groups:\n            for p in group['params']:\n"
      "                p.data.add_(p.grad, alpha=-group['lr'])\n"
      "x = torch.ones(2, requires_grad=True)\no = Opt([x], 0.5)\nx.sum().backward()\no.step()\no.zero_grad()");
  EXPECT_EQ(ran.values("x"), "0.5 0.5");
  EXPECT_EQ(ran.tensor("x.grad"), nullptr);
}

}  // namespace
}  // namespace stridescope
