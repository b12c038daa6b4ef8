#include "ops/program.h"

namespace stridescope {
namespace {

/// The lines of the steps, in the order in which they end.
std::string lines(const Ran& ran) {
  std::string text;
  for (const Step& step : ran.trace.steps) text += (text.empty() ? "" : " ") + std::to_string(step.line);
  return text;
}

TEST(Generators, LinesRunWhenAnItemIsWantedAndNoFurther) {
  const std::string f = "def f():\n  a = 1\n  yield a\n  b = 2\n  yield b\n  c = 3\n";
  EXPECT_EQ(lines(Ran(f + "g = f()")), "7") << "none";
  EXPECT_EQ(lines(Ran(f + "g = f()\nnext(g)")), "7 1 2 3 8");
  EXPECT_EQ(lines(Ran(f + "g = f()\nnext(g)\nnext(g)\nnext(g, 0)")), "7 1 2 3 8 1 4 5 9 1 6 10");
  EXPECT_EQ(lines(Ran(f + "for i in f():\n  i")), "1 2 3 7 8 1 4 5 7 8 1 6 7") << "between the rounds of a loop";
  EXPECT_EQ(lines(Ran(f + "for i in zip('x', f()):\n  i")), "1 2 3 7 8 7") << "zip asks no one behind an end";
  EXPECT_EQ(lines(Ran(f + "a, b = f()")), "1 2 3 1 4 5 1 6 7");
  EXPECT_EQ(lines(Ran(f + "any(f())")), "1 2 3 7");
}

TEST(Generators, AStepSaysWhatItIsPartOf) {
  const Ran ran("x = torch.arange(6).view(2, 3)\ndef rows(t):\n  yield t[0]\nfor r in rows(x):\n  r");
  const Trace& trace = ran.trace;
  EXPECT_EQ(lines(ran), "1 2 3 4 5 2 4");
  EXPECT_EQ(trace.steps[1].inside, 3) << "the lines that run for an item belong to the round that begins with it";
  EXPECT_EQ(trace.steps[2].inside, 1);
  EXPECT_EQ(trace.steps[4].inside, 3);
  EXPECT_EQ(trace.steps[3].applied.back().relation, Relation::view);
  EXPECT_EQ(trace.steps[6].rounds, 1);
  EXPECT_EQ(trace.steps[6].round, 0) << "and the loop ends";
}

TEST(Generators, WhatIsNotRunIsALimit) {
  for (const char* source : {
           "def f():\n  try:\n    yield 1\n  finally:\n    pass\nf()",
           "@torch.no_grad()\ndef f():\n  yield 1\nf()",
           "def f():\n  x = yield 1\nf()",
           "def f():\n  yield 1\n  yield 2\nlist(enumerate(f(), 2**63 - 1))",
           "def f():\n  while True:\n    yield 1\nlist(f())",
           "def f():\n  yield from f()\nnext(f())",
           "def f():\n  yield 1\nf().send(2)",
           "def f():\n  yield 2\ntorch.nn.TransformerEncoderLayer(4, 2, f())",
           "import functools\ndef f():\n  yield 1\nnext(functools.reduce(lambda g, _: zip(g), range(60), f()))",
       })
    EXPECT_EQ(Ran(source).error(), "ours") << source;
}

TEST(Generators, WhatAFailedLineLeavesOpenIsNotKnown) {
  const Ran ran(
      "x = torch.zeros(3)\ndef f():\n  yield 1\n  x.foo_bar_()\n  yield 2\ng = f()\nnext(g)\nnext(g)\nnext(g, 5)");
  EXPECT_EQ(ran.step(-2).error ? "fails" : "", std::string("fails"));
  EXPECT_EQ(ran.value(), "5") << "it is over then";
}

TEST(Generators, AGeneratorIsNamedAfterItsFunction) {
  EXPECT_EQ(Ran("def f():\n  yield 1\nf()").value(), "<generator object f>");
  EXPECT_EQ(Ran("def f():\n  yield 1\ng = f()\nnext(g)\ng").value(), "<generator object f>");
}

TEST(Generators, LongThingsAreCountedWhileTheyCome) {
  for (const char* line :
       {"list(itertools.islice(itertools.repeat(list('a' * 4000)), 4000))",
        "[list(itertools.islice(itertools.repeat('a' * 4000), 4000)) for _ in range(4000)]", "any(itertools.repeat(0))",
        "next(filter(None, itertools.repeat(0)))", "next(itertools.islice(itertools.count(), 10**12, None))",
        "max(itertools.count(), 1)", "sum(itertools.count())", "5.5 in itertools.count()"}) {
    const Ran ran("import itertools\n" + std::string(line));
    EXPECT_EQ(ran.error(), "ours") << line;
  }
}

}  // namespace
}  // namespace stridescope
