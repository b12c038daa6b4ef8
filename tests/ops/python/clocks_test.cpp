// Clocks, and numbers that nobody knows: what is reckoned with them goes on, what rests on them is refused.
#include "ops/program.h"

namespace stridescope {
namespace {

Ran timed(const std::string& lines) {
  return Ran("import time, timeit\nstart = time.time()\nt = time.perf_counter() - start\n" + lines);
}

TEST(Clocks, WhatIsReckonedWithTheTimeIsNotKnownEither) {
  for (const char* line : {"t", "-t", "+t", "t * 1000", "10**9 / t", "t // 2", "round(t, 3)", "float(t)", "abs(t)",
                           "sum([t, t]) / 2", "min(t, 1)", "max([t, 2.5])", "time.monotonic()", "time.process_time()",
                           "timeit.default_timer() - start", "timeit.timeit(lambda: 1, number=3)",
                           "timeit.timeit('x + 1', 'x = 1', number=3)", "min(timeit.repeat(lambda: 1, repeat=2))"}) {
    const Ran ran = timed("y = " + std::string(line));
    EXPECT_EQ(ran.error(), "") << line;
    const auto* number = std::get_if<Float>(&ran.last().value.held);
    ASSERT_TRUE(number) << line;
    EXPECT_FALSE(number->is_known()) << line;
  }
}

TEST(Clocks, WhatRestsOnTheTimeIsRefused) {
  for (const char* line : {"t > 0.5", "t == t", "bool(t)", "int(t)", "round(t)", "[1, 2][int(t)]", "str(t)", "{t: 1}",
                           "t in [1.0]", "sorted([t, 1])", "torch.zeros(2) * t", "torch.tensor([t])", "t ** 2",
                           "f'{t:.2f}'", "'%.2f' % t", "t.is_integer()"}) {
    const Ran ran = timed("y = " + std::string(line));
    EXPECT_EQ(ran.error(), "ours") << line;
  }
  EXPECT_EQ(timed("t / 0").error(), "ZeroDivisionError: float division by zero");
  EXPECT_EQ(timed("t & 1").error(), "TypeError: unsupported operand type(s) for &: 'float' and 'int'");
  EXPECT_EQ(timed("t.foo").error(), "AttributeError: 'float' object has no attribute 'foo'");
}

TEST(Clocks, ItsTypeIsKnownAndWhatIsPrintedOfItIsLeftOpen) {
  EXPECT_EQ(timed("print(type(t), isinstance(t, float))").trace.output, "<class 'float'> True\n");
  EXPECT_EQ(timed("print('took', t, f'{t:.3f}s', '%.2f' % t, [t, 1])").trace.output, "took … …s … …\n");
  EXPECT_EQ(timed("import numpy as np\nprint(np.mean([t, t]), min(t, 2))").trace.output, "… …\n");
  EXPECT_EQ(timed("print(t > 1)").trace.output, "…\n");
}

TEST(Clocks, WhatIsTimedDoesNotRunAndMayHaveBeenWritten) {
  const std::string setup = "x = torch.zeros(2)\nv = x[0:1]\nz = torch.zeros(2)\ndef f():\n    x.add_(1)\n";
  for (const char* line : {"timeit.timeit(f)", "timeit.timeit(lambda: x.add_(1), number=3)", "timeit.repeat(stmt=f)"}) {
    EXPECT_EQ(timed(setup + line + "\nx").error(), "ours") << line;
    EXPECT_EQ(timed(setup + line + "\nv").error(), "ours") << line;
    EXPECT_EQ(timed(setup + line + "\nz").error(), "") << line;
  }
  EXPECT_EQ(timed(setup + "timeit.timeit(lambda: x.sum())\nx").error(), "");
  EXPECT_EQ(timed("len(timeit.repeat('1', repeat=3))").value(), "3");
  for (const char* line : {"timeit.timeit('f()', globals={})", "timeit.timeit('f()', 'from __main__ import f')",
                           "timeit.timeit(3)", "timeit.timeit()", "timeit.timeit(f, f)", "timeit.repeat(f, repeat='a')",
                           "time.sleep(x)", "time.time(a=1)", "time.sleep(secs=1)"})
    EXPECT_EQ(timed(setup + line).error(), "ours") << line;
}

}  // namespace
}  // namespace stridescope
