// Loops: every round is run, and each of its steps knows which round it is in.
#include <gtest/gtest.h>

#include "ops/program.h"

namespace stridescope {
namespace {

TEST(Loops, ForGoesThroughItemsOneARound) {
  const Ran run("x = torch.arange(6).view(2, 3)\ns = 0\nfor i in range(x.size(0)):\n  r = x[i]\n  s += r[0].item()\ns");
  EXPECT_EQ(run.value(), "3");
  ASSERT_EQ(run.trace.steps.size(), 9u);
  EXPECT_EQ(run.step(2).text, "for i in range(x.size(0)):");
  EXPECT_EQ(to_string(run.step(5).value), "1");
  EXPECT_EQ(to_string(tensor_of(run.step(6).value)->layout), "(3,):(1,)+3");
  EXPECT_EQ(Ran("t = []\nfor i, (a, [b]) in [(1, (2, [3])), (4, (5, [6]))]: t = t + [i + a + b]\nt").value(),
            "[6, 15]");
  EXPECT_EQ(Ran("a = [0, 0]\nx = torch.zeros(2)\nfor x[1] in 3, 4: pass\nx[1].item()").value(), "4.0");
  EXPECT_EQ(Ran("for c in 'ab': pass\nc").value(), "'b'");
  EXPECT_EQ(Ran("for b in [True, False]: pass\nb").value(), "False") << "an item is no condition";
}

TEST(Loops, RowsAreViewsOfWhatIsGoneThrough) {
  for (const char* source : {"x = torch.arange(6).view(2, 3)\nfor row in x: row.shape",
                             "x = np.arange(6).reshape(2, 3)\nfor row in x: row.shape",
                             "x = torch.arange(6)\nfor row in x.split(3): row.shape",
                             "x = torch.arange(6).view(2, 3)\nfor i, row in enumerate(x): row.shape"}) {
    const Ran run(source);
    ASSERT_EQ(run.trace.steps.size(), 5u) << source;
    for (const int header : {1, 3}) {
      ASSERT_FALSE(run.step(header).applied.empty()) << source;
      const Applied& made = run.step(header).applied.back();
      EXPECT_EQ(made.relation, Relation::view) << source;
      ASSERT_TRUE(tensor_of(made.result)) << source;
      EXPECT_EQ(tensor_of(made.result)->object, run.step(header + 1).applied.back().inputs[0]->object) << source;
      EXPECT_EQ(made.inputs[0]->object, run.step(0).applied.back().result.held.index() ? run.tensor("x")->object : 0);
    }
  }
  EXPECT_EQ(Ran("x = np.arange(4).reshape(2, 2)\nfor row in x: row += 10\nx").values("x"), "10 11 12 13");
}

TEST(Loops, WhileRunsAsLongAsItsConditionHolds) {
  const Ran run("x = torch.arange(8)\nwhile x.numel() > 2:\n  x = x[::2]\nx");
  EXPECT_EQ(run.layout("x"), "(2,):(4,)+0");
  ASSERT_EQ(run.trace.steps.size(), 7u) << "the condition is asked once more than it holds";
  EXPECT_EQ(to_string(run.step(5).value), "False");
  EXPECT_EQ(Ran("n = 5\nwhile n < 3: n = 0\nelse: n += 1\nn").value(), "6");
}

TEST(Loops, BreakAndContinueLeaveTheirRoundAndElseIsForLoopsThatAreNotLeft) {
  EXPECT_EQ(
      Ran("t = []\nfor i in range(5):\n  if i == 1: continue\n  if i == 3: break\n  t = t + [i]\nelse: t = t + [9]\nt")
          .value(),
      "[0, 2]");
  EXPECT_EQ(Ran("t = []\nfor i in range(2):\n  for j in range(3):\n    if j == 1: break\n    t = t + [(i, j)]\n  else: "
                "t = t + [7]\nelse: t = t + [8]\nt")
                .value(),
            "[(0, 0), (1, 0), 8]");
  EXPECT_EQ(Ran("t = []\nfor i in range(3):\n  try:\n    if i == 1: continue\n    if i == 2: break\n    t = t + [i]\n  "
                "finally:\n    t = t + [10 + i]\nt")
                .value(),
            "[0, 10, 11, 12]");
  EXPECT_EQ(Ran("for i in []: j = 1\nelse: j = 2\nj").value(), "2");
  EXPECT_EQ(Ran("for i in []: j = 1\ni").error(), "NameError: name 'i' is not defined");
}

TEST(Loops, WhatIsRaisedLeavesTheLoopThatDoesNotCatchIt) {
  const std::string loop =
      "t = []\ntry:\n  for i in [1, 0, 2]:\n    t = t + [6 // i]\n    t = t + [i]\n  else: t = t + [5]\n";
  EXPECT_EQ(Ran(loop + "except ZeroDivisionError: t = t + [7]\nt").value(), "[6, 1, 7]");
  EXPECT_EQ(
      Ran("t = []\nfor i in [1, 0, 2]:\n  try: t = t + [6 // i]\n  except ZeroDivisionError: t = t + [7]\nt").value(),
      "[6, 7, 3]");
  // Nothing is caught: the round is shown to its end, and is the last.
  const Ran run("t = []\nfor i in [1, 0, 2]:\n  t = t + [i]\n  j = 6 // i\n  k = i\nelse: t = t + [9]\nt");
  EXPECT_EQ(run.value(), "[1, 0]");
  EXPECT_EQ(run.trace.steps.size(), 10u);
  EXPECT_EQ(Ran("for i in 3: pass").error(), "TypeError: 'int' object is not iterable");
  EXPECT_EQ(Ran("for i, j in [(1, 2), (3,)]: pass").error(),
            "ValueError: not enough values to unpack (expected 2, got 1)");
  EXPECT_EQ(Ran("for row in torch.tensor(3): pass").error(), "TypeError: iteration over a 0-d tensor");
  EXPECT_EQ(Ran("while torch.zeros(2): pass").error(),
            "RuntimeError: Boolean value of Tensor with more than one value is ambiguous");
}

TEST(Loops, ALongOneEndsAndWhatItChangesIsNotKnown) {
  const Ran run("n = m = 0\nwhile True: n += 1\n");
  EXPECT_EQ(run.last().error->reason.id, Msg::too_many_rounds);
  EXPECT_EQ(Ran("n = m = 0\nwhile True: n += 1\nn").error(), "ours");
  EXPECT_EQ(Ran("n = m = 0\nwhile True: n += 1\nm").value(), "0") << "and all below it is run";
  EXPECT_EQ(Ran("m = 0\nfor i in range(9000):\n  for j in range(9000): n = j\n  n = 1\nm").value(), "0");
  EXPECT_EQ(Ran("for i in torch.zeros(9999): n = 1\nn").error(), "ours");
  EXPECT_EQ(Ran("for i in torch.zeros(2, 3).sum: n = 1\nelse: n = 2\nn").error(), "NameError: name 'n' is not defined");
  EXPECT_EQ(Ran("n = 1\nfor i in torch.nn.FractionalMaxPool2d(1, 2): n = 2\nelse: pass\nn").error(), "ours");
}

TEST(Loops, ABarAroundWhatTheyGoThroughChangesNothing) {
  EXPECT_EQ(Ran("from tqdm import tqdm\nt = []\nfor i in tqdm(range(3), desc='x'): t = t + [i]\nt").value(),
            "[0, 1, 2]");
  EXPECT_EQ(Ran("from tqdm.auto import tqdm as bar\nt = [i for i in bar([1, 2])]\nt").error(), "ours");
  EXPECT_EQ(Ran("import tqdm\nt = [i + j for i, j in enumerate(tqdm.tqdm([1, 2]))]\nt").value(), "[1, 3]");
  EXPECT_EQ(Ran("from tqdm import tqdm\nbar = tqdm(range(3))\nbar.set_postfix(a=1)").error(), "ours");
  EXPECT_EQ(Ran("def tqdm(x): return [7]\nt = [i for i in tqdm([1])]\nt").value(), "[7]");
  EXPECT_TRUE(Ran("from tqdm import tqdm\nx = 1").trace.diagnostics.empty());
}

TEST(Loops, StepsSayWhichRoundTheyAreIn) {
  const Ran run("for i in range(2):\n  for j in range(2):\n    k = i + j\n  k\nk");
  std::string rounds;
  for (const Step& step : run.trace.steps)
    rounds += std::to_string(step.inside) + ":" + std::to_string(step.round) + "/" + std::to_string(step.rounds) + " ";
  EXPECT_EQ(rounds, "-1:1/2 0:1/2 1:0/0 0:2/2 3:0/0 0:0/0 -1:2/2 6:1/2 7:0/0 6:2/2 9:0/0 6:0/0 -1:0/0 ");
  const Ran asks("n = 2\nwhile n: n -= 1");
  EXPECT_EQ(asks.step(1).round, 1);
  EXPECT_EQ(asks.step(3).round, 2);
  EXPECT_EQ(asks.step(3).rounds, 0) << "nobody knows";
  EXPECT_EQ(asks.last().round, 0);
  EXPECT_EQ(asks.last().rounds, 2);
}

TEST(Loops, BesideTheProgramStandsTheRoundThatIsLookedAt) {
  const Ran run("for i in range(2):\n  for j in range(2):\n    k = i + j\n  k\nk");
  using Steps = std::vector<int>;
  EXPECT_EQ(beside(run.trace, 12), (Steps{6, 9, 10, 11, 12})) << "the last round";
  EXPECT_EQ(beside(run.trace, 2), (Steps{0, 1, 2, 5, 12}));
  EXPECT_EQ(beside(run.trace, 1), (Steps{0, 1, 2, 5, 12}));
  EXPECT_EQ(beside(run.trace, 3), (Steps{0, 3, 4, 5, 12}));
  EXPECT_EQ(beside(run.trace, 5), (Steps{0, 3, 4, 5, 12})) << "of the inner loop its last round in this one";
  EXPECT_EQ(beside(run.trace, 0), (Steps{0, 3, 4, 5, 12}));
  EXPECT_EQ(beside(run.trace, 8), (Steps{6, 7, 8, 11, 12}));
  EXPECT_EQ(beside(run.trace, -1), (Steps{6, 9, 10, 11, 12}));
}

TEST(Loops, OnlyLinesOfNoRoundAreNotRun) {
  const std::string source =
      "for i in range(3):\n  if i == 1:\n    a = 1\n  elif i == 7:\n    b = 1\n  if i == 2: break\n"
      "else:\n  c = 1\nfor j in []:\n  d = 1";
  const Ran run(source);
  std::string passed;
  for (const Span& span : run.trace.passed)
    passed += source.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin)) + "|";
  EXPECT_EQ(passed, "b = 1|else:\n  c = 1|d = 1|");
}

}  // namespace
}  // namespace stridescope
