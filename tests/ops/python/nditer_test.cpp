// np.nditer, which keeps where it stands: what of that only we can say.
#include <gtest/gtest.h>

#include "ops/program.h"

namespace stridescope {
namespace {

const std::string array = "a = np.arange(24).reshape(2, 3, 4)\n";

TEST(Nditer, SaysWhichAxesItGoesOverAsOne) {
  const Ran run(array + "it = np.nditer(a[:, ::2], flags=['external_loop'])");
  EXPECT_EQ(
      plain(run.last().applied.back().why.lines.front(), Language::english),
      "4 items, each a view of 4 elements along one axis: axes whose strides continue each other are gone over as "
      "one, so the array as if its shape were (2, 2, 4) and its strides (96, 64, 8).");
  EXPECT_EQ(run.last().applied.back().relation, Relation::view);
  const Ran several(array + "it = np.nditer([a, np.arange(4)])");
  EXPECT_EQ(plain(several.last().applied.back().why.lines.back(), Language::english),
            "The 2 operands are gone over together under the shape (2, 3, 4).");
}

TEST(Nditer, IsShownByItsName) {
  EXPECT_EQ(to_string(Ran(array + "it = np.nditer(a)").last().value), "<numpy.nditer object>");
}

TEST(Nditer, ALoopOverItKnowsItsRounds) {
  const Ran run("for x in np.nditer(np.arange(3)):\n    x.shape");
  std::vector<std::pair<int, int>> rounds;
  for (const Step& step : run.trace.steps)
    if (step.round > 0) rounds.emplace_back(step.round, step.rounds);
  EXPECT_EQ(rounds, (std::vector<std::pair<int, int>>{{1, 3}, {2, 3}, {3, 3}}));
}

TEST(Nditer, WritesThroughItAreSeenInItsOperand) {
  const Ran run("a = np.arange(4).reshape(2, 2)\nit = np.nditer(a.T, ['c_index'], ['writeonly'])\nit[0] = 9");
  ASSERT_EQ(run.error(), "");
  ASSERT_EQ(run.last().changed.size(), 1u);
  EXPECT_EQ(run.last().changed[0].name, "a");
}

TEST(Nditer, IsClosedAtTheEndOfItsBlockHoweverThatEnds) {
  const std::string block = "a = np.arange(4)\nwith np.nditer(a) as it:\n    ";
  for (const std::string inside : {"it.iternext()", "for x in it: break", "1 / 0"})
    EXPECT_EQ(Ran(block + inside + "\nit.operands").error(), "ValueError: Iterator is invalid") << inside;
  EXPECT_EQ(Ran("def f(a):\n    with np.nditer(a) as it:\n        return it\nf(np.arange(3)).operands").error(),
            "ValueError: Iterator is invalid");
}

TEST(Nditer, OperandsMayBeAnyArraysAndFlagsThatChangeNothing) {
  for (const char* line :
       {"np.nditer((a, a), op_flags=(('readonly',), ['readwrite', 'aligned', 'nbo', 'no_subtype']))",
        "np.nditer([a, None, None])", "np.nditer(5, ['c_index'])", "np.nditer(a[:1, :, :1], ['c_index', 'refs_ok'])",
        "np.nditer([np.zeros((2, 3), order='F'), None], order='A')", "np.nditer([a.T, a.T.copy()], order='A')[0:1]",
        "np.nditer([np.ones((1, 3)), np.ones((3, 1))], ['f_index'])", "np.nditer(range(3))",
        "np.nditer([[0, 1], a[0, 0, :2]], ['external_loop'])"})
    EXPECT_EQ(Ran(array + line).error(), "") << line;
  EXPECT_EQ(Ran(array + "np.nditer([np.broadcast_to(0, 2**62), None])").error(),
            "ValueError: array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.");
}

TEST(Nditer, AnErrorMarksTheArgumentThatItIsAbout) {
  const std::pair<const char*, const char*> lines[] = {
      {"np.nditer(a, flags=['nope'])", "['nope']"},
      {"np.nditer(a, op_flags=['nope'])", "['nope']"},
      {"np.nditer(a, flags=['external_loop', 'c_index'])", "['external_loop', 'c_index']"},
      {"np.nditer([])", "[]"},
  };
  for (const auto& [line, marked] : lines) {
    const Ran run(array + line);
    ASSERT_TRUE(run.last().error) << line;
    const Span span = run.last().error->span;
    EXPECT_EQ(run.trace.source.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin)),
              marked)
        << line;
  }
}

}  // namespace
}  // namespace stridescope
