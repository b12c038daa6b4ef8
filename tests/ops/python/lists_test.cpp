#include <gtest/gtest.h>

#include <algorithm>

#include "ops/program.h"

namespace stridescope {
namespace {

TEST(Lists, EveryNameOfAListSeesWhatIsDoneToIt) {
  EXPECT_EQ(Ran("a = [1]\nb = a\nb.append(2)\na += (3,)\na[0] = 0\nb").value(), "[0, 2, 3]");
  EXPECT_EQ(Ran("a = [1]\nb = a.copy()\nb.append(2)\na").value(), "[1]");
  EXPECT_EQ(Ran("a = [1]\nb = a\nb = b + [2]\na").value(), "[1]");
  EXPECT_EQ(Ran("def f(v, out=[]):\n  out.append(v)\n  return out\nf(1)\nf(2)").value(), "[1, 2]");
}

TEST(Lists, AStepShowsTheListAsItWas) {
  const Ran run("a = [1]\na.append(2)\na\na.clear()\na");
  EXPECT_EQ(to_string(run.step(0).value), "[1]");
  EXPECT_EQ(to_string(run.step(2).value), "[1, 2]");
  EXPECT_EQ(to_string(run.step(4).value), "[]");
}

TEST(Lists, NoListHoldsItself) {
  for (const char* line : {"a.append(a)", "a.append([a])", "a[0] = (a,)", "a.extend([a])", "a[:] = [a]", "a += [a]"}) {
    const Ran run(std::string("a = [1]\n") + line + "\na");
    EXPECT_EQ(run.step(1).error->reason.id, Msg::list_in_itself) << line;
    EXPECT_EQ(run.error(), "ours") << line << ": what it would hold is not known";
  }
}

TEST(Lists, AreRefusedWithPythonsOwnWords) {
  EXPECT_EQ(Ran("[1, 2].index(1, 'a')").error(),
            "TypeError: slice indices must be integers or have an __index__ method");
  EXPECT_EQ(Ran("a = [1, 2, 3]\na[::2] = [7, 8]\na").value(), "[7, 2, 8]");
  EXPECT_EQ(Ran("def f(*a): pass\nf(*3)").error(),
            "TypeError: __main__.f() argument after * must be an iterable, not int");
  EXPECT_EQ(Ran("def f(*a): pass\nf(*{'a': 1}, **{'b': 1}, b=2)").error(),
            "TypeError: got multiple values for keyword argument 'b'");
  EXPECT_EQ(Ran("np.delete(np.arange(5), slice(1.5, 3))").error(),
            "TypeError: slice indices must be integers or None or have an __index__ method");
  EXPECT_EQ(Ran("np.delete(np.arange(5), slice(0, 3, 0))").error(), "ValueError: slice step cannot be zero");
  EXPECT_EQ(Ran("np.insert(np.arange(3), slice(0, 3, 0), 0)").error(), "ValueError: slice step cannot be zero");
  EXPECT_EQ(Ran("del np.arange(3).flat[0]").error(), "TypeError: Cannot delete iterator elements");
  EXPECT_EQ(Ran("np.r_[1, 'r']").error(), "ValueError: special directives must be the first entry.");
}

TEST(Lists, OneThatALoopGoesThroughStaysAsItIs) {
  EXPECT_EQ(Ran("a = [1, 2]\nfor v in a: a.append(v)\n").error(), "ours");
  EXPECT_EQ(Ran("a = [1, 2]\nfor i, v in enumerate(a): a[i] = v * 2\na").value(), "[2, 4]");
  EXPECT_EQ(Ran("a = [[], []]\nfor v in a: v.append(1)\na").value(), "[[1], [1]]");
}

TEST(Lists, TheyStayWithinTheBounds) {
  const char* doubled = "a = [0] * 4000\n";
  EXPECT_EQ(Ran(std::string(doubled) + "a.extend(a)").error(), "ours");
  EXPECT_EQ(Ran(std::string(doubled) + "a *= 2").error(), "ours");
  EXPECT_EQ(Ran(std::string(doubled) + "a[0] = a[1:]\nb = [a]\nb.append([a])").error(), "ours");
  std::string nested = "a = [1, 1]\n";
  for (int i = 0; i < 40; ++i) nested += "b = [a, a]\na = [2]\na.append(b)\n";
  const Ran deep(nested);
  EXPECT_TRUE(std::any_of(deep.trace.steps.begin(), deep.trace.steps.end(), [](const Step& step) {
    return step.error && step.error->reason.id == Msg::too_many_nested;
  }));
}

TEST(Lists, ABlockThatIsNotRunMayHaveChangedThem) {
  const std::string block = "a = [1]\nb = a\nc = [2]\nfor i in torch.nn.FractionalMaxPool2d(2, 3): a.append(i)\n";
  for (const char* name : {"a", "b"}) EXPECT_EQ(Ran(block + name).error(), "ours") << name;
  EXPECT_EQ(Ran(block + "c").value(), "[2]");
}

}  // namespace
}  // namespace stridescope
