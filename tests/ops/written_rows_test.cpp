// Rows that are written in Python: a call is one operation, as that of any other row.
#include <algorithm>

#include "ops/program.h"
#include "ops/python/classes.h"
#include "ops/python/interpreter.h"
#include "ops/python/written.h"

namespace stridescope {
namespace {

TEST(WrittenRows, ARowIsOneOperationWithTheNamesOfItsFunctionAndNoLineOfItsOwn) {
  const Ran ran("x = torch.tensor([[0., 1, 2], [2, 1, 0]])\ny = torch.cov(x)");
  ASSERT_EQ(ran.trace.steps.size(), 2U);
  ASSERT_EQ(ran.last().applied.size(), 1U);
  EXPECT_EQ(ran.values("y"), "1.0 -1.0 -1.0 1.0");
  EXPECT_EQ(ran.layout("y"), "(2, 2):(2, 1)+0");
}

TEST(WrittenRows, WhatAStepRaisesIsRaisedAtTheCall) {
  EXPECT_EQ(Ran("np.cov(np.ones((2, 2, 2)))").error(), "ValueError: m has more than 2 dimensions");
  EXPECT_EQ(Ran("torch.fft.fft(torch.ones(2), dim=1)").error(),
            "IndexError: Dimension out of range (expected to be in range of [-1, 0], but got 1)");
  EXPECT_EQ(Ran("np.linalg.multi_dot([np.ones((2, 2)), np.ones(2), np.ones((2, 2))])").error(),
            "LinAlgError: 1-dimensional array given. Array must be two-dimensional");
}

TEST(WrittenRows, OfTransformsTheLayoutIsKnownAndNoValue) {
  const Ran ran("x = np.ones((2, 3)).T\ny = np.fft.fft(x, axis=0)");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.layout("y"), "(3, 2):(16, 48)+0");
  EXPECT_EQ(Ran("x = torch.fft.ifft(torch.ones(4))\nx.is_conj()").error(), "");
}

TEST(WrittenRows, EveryRowWithoutAnApplyIsOneOfThemOrTakesAFunction) {
  for (const Op* op : operation_table()) {
    const std::string& name = first_form(*op).name;
    const bool is_class = class_of_library(name) != nullptr;
    const bool takes = is_class || name.starts_with("einops.") || name == "numpy.fromfunction" || name == "numpy.apply_along_axis";
    EXPECT_EQ(written_row(*op) != nullptr, !op->apply && !takes) << name;
  }
}

TEST(WrittenRows, TheLinesOfAFunctionThatIsHandedOnAreStepsBeforeTheCall) {
  const Ran ran(
      "import torch.nn.functional as F\nx = torch.ones(2, 3)\n"
      "def d(a, b):\n    print(a.shape)\n    return (a - b).sum(-1)\n"
      "y = F.triplet_margin_with_distance_loss(x, x, x, distance_function=d)");
  EXPECT_EQ(ran.error(), "");
  std::vector<int> lines, inside;
  for (const Step& step : ran.trace.steps) lines.push_back(step.line), inside.push_back(step.inside);
  EXPECT_EQ(lines, (std::vector{2, 3, 4, 5, 3, 4, 5, 6}));
  EXPECT_EQ(inside, (std::vector{-1, 7, 1, 1, 7, 4, 4, -1}));
  EXPECT_EQ(Ran("k = 2\ny = np.piecewise(np.arange(3), [np.arange(3) > 1], [lambda t: t * k, 0])").error(), "");
  EXPECT_EQ(
      Ran("def f(t):\n    raise ValueError('no')\nnp.piecewise(np.arange(3), [np.arange(3) > 1], [f, 0])").error(),
      "ValueError: no");
}

TEST(WrittenRows, WhatALibrarysLineLosesIsLostByTheProgramsThatCallsIt) {
  const Ran ran(
      "x = torch.ones(2, requires_grad=True)\nopt = torch.optim.SGD([x], lr=0.1)\nx.sum().backward(inputs=[x * 1])\n"
      "opt.step()\nopt.zero_grad()\nopt");
  ASSERT_TRUE(ran.last().error);
  EXPECT_EQ(plain(ran.last().error->reason, Language::english),
            "opt is not known any more: line 5, which may write into it, did not run to its end.");
}

TEST(WrittenRows, OnlyWhatLiesInStorageOfTheProgramsIsToldAsAViewOrTheSame) {
  for (const Op* op : operation_table()) {
    if (!written_row(*op)) continue;
    const Ran ran{std::string(op->example)};
    for (const Step& step : ran.trace.steps)
      for (const Applied& applied : step.applied) {
        if (applied.relation != Relation::view && applied.relation != Relation::same) continue;
        std::vector<TensorPtr> made;
        collect_tensors(applied.result, made);
        for (const TensorPtr& tensor : made)
          EXPECT_TRUE(applied.inputs.empty() ||
                      std::any_of(applied.inputs.begin(), applied.inputs.end(),
                                  [&](const TensorPtr& input) { return input->storage == tensor->storage; }))
              << applied.title;
      }
  }
}

TEST(WrittenRows, StoragesThatTheirLinesMakeAreNotCountedAmongThoseOfTheProgram) {
  const Ran ran("x = torch.arange(5.)\ny = torch.quantile(x, 0.3)\nz = y + torch.ones(2)");
  const auto number = [&](const std::string& name) { return number_of(ran.trace, *ran.tensor(name)->storage); };
  EXPECT_EQ(number("x"), 0);
  EXPECT_EQ(number("y"), 1);
  EXPECT_EQ(number("z"), 3);
}

TEST(WrittenRows, ElementsThatAreReckonedAreNoCopy) {
  for (const char* line :
       {"np.cov(np.ones((3, 5)))", "torch.quantile(torch.ones(4), 0.5)", "torch.fft.rfft(torch.ones(4))"})
    EXPECT_EQ(Ran(line).relation(), Relation::fresh) << line;
  EXPECT_EQ(Ran("x = np.ones(4)\nnp.fft.fftshift(x)").relation(), Relation::copy);
}

TEST(WrittenRows, AWindowThatRepeatsLiesInAStorageOfOneElementMore) {
  const Ran ran("w = torch.hann_window(4)\nn = w.untyped_storage().nbytes()\nb = w._base");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.layout("w"), "(4,):(1,)+0");
}

}  // namespace
}  // namespace stridescope
