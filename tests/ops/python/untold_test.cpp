// Functions that run more lines than there are steps: what they do is all there, and what failed is a step.
#include <gtest/gtest.h>

#include "ops/program.h"
#include "ops/python/interpreter.h"

namespace stridescope {
namespace {

const std::string adds = "def f(n):\n  t = 0\n  for i in range(n):\n    t = t + i\n  return t\n";

size_t steps_in_calls(const Trace& trace) {
  size_t count = 0;
  for (const Step& step : trace.steps) count += in_a_call(trace, step);
  return count;
}

TEST(Untold, LinesRunThatAreNoSteps) {
  const Ran run(adds + "x = f(1000)\nx");
  EXPECT_EQ(run.value(), "499500");
  EXPECT_EQ(steps_in_calls(run.trace), size_t{max_steps_called});
  const Step& caller = run.trace.steps[run.trace.steps.size() - 2];
  const Message& said = caller.applied.back().why.lines.back();
  EXPECT_EQ(said.id, Msg::call_lines_untold);
  EXPECT_EQ(said.args[0].text, std::to_string(2 + 2 * 1000 + 1 - max_steps_called))
      << "header, t = 0, two a round, return";
  EXPECT_EQ(Ran(adds + "f(3)").last().applied.back().why.lines.back().id, Msg::call_lines);
}

TEST(Untold, EachStatementHasStepsOfItsOwnUntilTheProgramHasEnough) {
  const Ran run(adds + "a = f(200)\nb = f(3)\nc = f(200)\nd = f(200)\ne = f(3)\na, b, c, d, e");
  EXPECT_EQ(run.value(), "(19900, 3, 19900, 19900, 3)");
  EXPECT_EQ(steps_in_calls(run.trace), size_t{max_steps_called_in_all});
  int calls = 0;
  for (const Step& step : run.trace.steps)
    if (is_call(step)) {
      ++calls;
      EXPECT_EQ(step.round, calls);
      EXPECT_EQ(step.rounds, 5) << "those that are no steps are counted";
    }
  EXPECT_EQ(calls, 4);
}

TEST(Untold, WhatTheyPrintIsWrittenByTheLineThatCalls) {
  const Ran run("def f(n):\n  for i in range(n): print(i)\nprint('a')\nf(150)\nprint('b')");
  std::string all = "a\n";
  for (int i = 0; i < 150; ++i) all += std::to_string(i) + "\n";
  EXPECT_EQ(run.trace.output, all + "b\n");
  std::string written;
  for (const Writing& one : writings(run.trace)) written += one.text;
  EXPECT_EQ(written, run.trace.output);
  EXPECT_TRUE(written_by(run.trace, run.trace.steps[run.trace.steps.size() - 2]).ends_with("149\n"));
}

TEST(Untold, WhatFailedIsAStepAndSoIsTheWayThere) {
  const Ran run("def g(x): return x.t().view(-1)\n" + adds +
                "def h(x):\n  f(300)\n  f(300)\n  y = x + 1\n  return g(y)\nh(torch.zeros(2, 3))");
  EXPECT_NE(run.error().find("view size is not compatible"), std::string::npos);
  const Trace& trace = run.trace;
  const auto failed = [&](const Step& step) { return step.text == "return x.t().view(-1)"; };
  const auto step = std::find_if(trace.steps.begin(), trace.steps.end(), failed);
  ASSERT_NE(step, trace.steps.end());
  EXPECT_TRUE(step->error);
  const auto before =
      std::find_if(trace.steps.begin(), trace.steps.end(), [](const Step& one) { return one.text == "y = x + 1"; });
  ASSERT_NE(before, trace.steps.end());
  const auto& line = run.last().error->reason.args[1];
  EXPECT_EQ(line.target.kind, Target::Kind::step);
  EXPECT_TRUE(trace.steps[static_cast<size_t>(line.target.index)].text == "return g(y)");
}

TEST(Untold, EveryCallIsInsideTheStepThatLedToIt) {
  const Ran run(
      "def g(n):\n  a = n\n  return a\ndef f(n):\n  for i in range(n):\n    b = g(i)\n  return g(n)\n"
      "x = f(70)\ny = f(3)\nz = [f(2), f(1)]");
  const Trace& trace = run.trace;
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const Step& step = trace.steps[i];
    if (!is_call(step)) continue;
    ASSERT_GT(step.inside, static_cast<int>(i)) << i;
    const auto top = [&](int at) {
      while (trace.steps[static_cast<size_t>(at)].inside >= 0) at = trace.steps[static_cast<size_t>(at)].inside;
      return at;
    };
    for (size_t k = i + 1; k < static_cast<size_t>(step.inside); ++k)
      EXPECT_EQ(top(static_cast<int>(k)), top(step.inside)) << "steps of other statements are not between them";
  }
}

TEST(Untold, WhatIsCaughtOnTheWayIsNotWhatFailed) {
  const Ran run(adds +
                "def g():\n  try: 1 // 0\n  except ZeroDivisionError: pass\n  return 3\n"
                "def h():\n  f(300)\n  return g()\nh()");
  EXPECT_EQ(run.value(), "3");
  for (const Step& step : run.trace.steps) EXPECT_NE(step.text, "1 // 0");
}

TEST(Untold, GeneratorsAndLambdasRunOn) {
  EXPECT_EQ(Ran("def g(n):\n  for i in range(n): yield i\nsum(g(500)), sum(map(lambda i: 2 * i, range(500)))").value(),
            "(124750, 249500)");
  EXPECT_NE(Ran("def g(n):\n  for i in range(n): yield 6 // (300 - i)\nlist(g(400))").error().find("ZeroDivision"),
            std::string::npos);
}

TEST(Untold, TooManyOperationsEndACallAndOnlyCalls) {
  const Ran run("x = torch.zeros(2)\ndef f(x):\n  while True: x += 1\nf(x)\nx");
  EXPECT_EQ(run.error(), "ours") << "what a function would have written into is not known";
  bool said = false;
  for (const Step& step : run.trace.steps) said |= step.error && step.error->reason.id == Msg::too_many_called;
  EXPECT_TRUE(said);
  const std::string loop = "def f():\n  while True: pass\nf()\n";
  EXPECT_EQ(Ran(loop + "y = torch.arange(6).view(2, 3)\ny").layout("y"), "(2, 3):(3, 1)+0");
  EXPECT_EQ(Ran(loop + "def g(): return 1\ng()").last().error->reason.id, Msg::too_many_called);
  EXPECT_EQ(Ran("n = 0\ndef g(): return 1\nfor i in range(90): n += g()\nn").value(), "90");
}

TEST(Untold, WhatALibraryWritesIsToldAsTheProgramsLineThatCallsIt) {
  const Ran run("z = np.arange(10000)\nnp.random.shuffle(z)\nz");
  EXPECT_EQ(run.layout("z"), "(10000,):(8,)+0");
  EXPECT_TRUE(leaves_unknown(run.last()));
}

}  // namespace
}  // namespace stridescope
