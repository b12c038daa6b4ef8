// Functions that the program defines: what a call gives, raises and leaves behind, and the steps it runs.
#include <gtest/gtest.h>

#include "ops/program.h"

namespace stridescope {
namespace {

const std::string split_heads =
    "def split_heads(x, heads=2):\n  '''Views only.'''\n  b, c = x.shape\n  y = x.view(b, heads, c // heads)\n"
    "  return y.transpose(0, 1)\n";

TEST(Sorted, ComparesInTheOrderOfPython) {
  const Ran run("a = np.arange(3)\nsorted([a[2], a[0], a[1]])");
  std::string compared;
  for (const Applied& one : run.last().applied)
    if (one.title.starts_with("sorted(")) compared += to_string(one.result) + " ";
  // 0 < 2: the run falls; 1 < 0: it ends; 1 < 2 and 1 < 0: its place.
  EXPECT_EQ(compared, "np.True_ np.False_ np.True_ np.False_ ");
}

TEST(Functions, GiveWhatTheyReturn) {
  EXPECT_EQ(Ran("def f(a, b=2, *c, d, e=5): return a, b, c, d, e\nf(1, d=4)").value(), "(1, 2, (), 4, 5)");
  EXPECT_EQ(Ran("def f(a, /, *, b): return [a, b]\nf(1, b=2)").value(), "[1, 2]");
  EXPECT_EQ(Ran("def f(*a: int) -> tuple: return a\nf(*range(3), 7)").value(), "(0, 1, 2, 7)");
  EXPECT_EQ(Ran("def f():\n  pass\nf()").value(), "None");
  EXPECT_EQ(Ran("def f(x):\n  if x: return 1\n  x = 3\nf(0) is None").value(), "True");
  EXPECT_EQ(
      Ran("def f(n):\n  for i in range(9):\n    while True:\n      if i == n: return i\n      break\nf(2)").value(),
      "2");
  EXPECT_EQ(Ran("def f(n): return 1 if n == 0 else n * f(n - 1)\nf(5)").value(), "120");
  EXPECT_EQ(Ran("f = lambda a, b=3, *c: (a, b, c)\nf(1), f(1, 2, 4), (lambda: 7)()").value(),
            "((1, 3, ()), (1, 2, (4,)), 7)");
  EXPECT_EQ(Ran("def f(): return f\nf.__doc__").error(), "ours");
  EXPECT_EQ(Ran("def f(): return f\nf.x = 3").error(), "ours");
  EXPECT_EQ(Ran("def f(): return f\nf.x").error(), "AttributeError: 'function' object has no attribute 'x'");
  EXPECT_EQ(Ran("def f(): return f\nf() is f, f.__name__, bool(f)").value(), "(True, 'f', True)");
  EXPECT_EQ(Ran("a = [1]\nb = a\na is b, a is [1], a == [1], 1 is 1.0").value(), "(True, False, True, False)");
}

TEST(Functions, AreCalledByFunctionsThatTakeThem) {
  EXPECT_EQ(Ran("x = torch.zeros(2, 3, 4).permute(2, 0, 1)\nsorted(range(3), key=lambda d: x.stride(d), reverse=True)")
                .value(),
            "[1, 2, 0]");
  EXPECT_EQ(Ran("sorted([-3, 2, -1], key=abs), max('ab', 'c', key=len), min([3, 4], key=None)").value(),
            "([-1, 2, -3], 'ab', 3)");
  EXPECT_EQ(Ran("x = torch.zeros(2, 3)\nmax((x, x[0]), key=lambda t: t.dim()) is x").value(), "True");
  const Ran run("a, b = map(lambda t, n: t.view(n, -1), torch.arange(12).chunk(2), (2, 3, 4))");
  EXPECT_EQ(run.layout("a"), "(2, 3):(3, 1)+0");
  EXPECT_EQ(run.layout("b"), "(3, 2):(2, 1)+6");
  EXPECT_EQ(Ran("list(filter(lambda n: n % 2, range(5))), list(filter(None, [0, 1])), list(map(str, (1, 2)))").value(),
            "([1, 3], [1], ['1', '2'])");
  EXPECT_EQ(Ran("len(map(abs, [1]))").error(), "TypeError: object of type 'map' has no len()");
  EXPECT_EQ(Ran("list(map(3, [1]))").error(), "TypeError: 'int' object is not callable");
  EXPECT_EQ(Ran("sorted([1, 2], key=lambda: 3)").error(),
            "TypeError: <lambda>() takes 0 positional arguments but 1 was given");
  EXPECT_EQ(Ran("map(abs)").error(), "TypeError: map() must have at least two arguments.");
}

TEST(Functions, HaveNamesOfTheirOwn) {
  EXPECT_EQ(Ran("a = 1\ndef f():\n  a = 2\n  return a\nf(), a").value(), "(2, 1)");
  EXPECT_EQ(Ran("def f(): return later\nlater = 3\nf()").value(), "3") << "looked for when it is called";
  EXPECT_EQ(Ran("a = 1\ndef f():\n  b = a\n  a = 2\nf()").error(),
            "UnboundLocalError: cannot access local variable 'a' where it is not associated with a value");
  EXPECT_EQ(Ran("def f(a):\n  del a\n  return a\nf(1)").error(),
            "UnboundLocalError: cannot access local variable 'a' where it is not associated with a value");
  EXPECT_EQ(Ran("def f():\n  def g(): return a\n  b = g()\n  a = 1\nf()").error(),
            "NameError: cannot access free variable 'a' where it is not associated with a value in enclosing scope");
  EXPECT_EQ(Ran("def f(): a = 1\nf()\na").error(), "NameError: name 'a' is not defined");
  EXPECT_EQ(Ran("def f(a):\n  def g(b): return lambda c: (a, b, c)\n  a += 1\n  return g\nf(1)(2)(3)").value(),
            "(2, 2, 3)");
  EXPECT_EQ(Ran("def f():\n  return len([1])\n  len = 2\nf()").error(),
            "UnboundLocalError: cannot access local variable 'len' where it is not associated with a value");
  EXPECT_EQ(Ran("a = 1\ndef f(b=a): return b\na = 2\nf()").value(), "1") << "defaults are of the definition";
  EXPECT_EQ(Ran("i = 5\ndef f(): return [i for i in range(2)], i\nf()").value(), "([0, 1], 5)");
}

TEST(Functions, RaiseWhatPythonRaisesWhereArgumentsDoNotFit) {
  const auto error = [](const std::string& call) {
    return Ran("def f(a, b, /, c=3, *, d, e=5): pass\ndef g(a, b, c): pass\ndef h(): return lambda x: x\n" + call)
        .error();
  };
  EXPECT_EQ(error("f(1, 2)"), "TypeError: f() missing 1 required keyword-only argument: 'd'");
  EXPECT_EQ(error("f()"), "TypeError: f() missing 2 required positional arguments: 'a' and 'b'");
  EXPECT_EQ(error("g()"), "TypeError: g() missing 3 required positional arguments: 'a', 'b', and 'c'");
  EXPECT_EQ(error("g(1, 2, 3, 4)"), "TypeError: g() takes 3 positional arguments but 4 were given");
  EXPECT_EQ(error("f(1, 2, 3, 4)"), "TypeError: f() takes from 2 to 3 positional arguments but 4 were given");
  EXPECT_EQ(error("f(1, 2, 3, 4, d=1)"),
            "TypeError: f() takes from 2 to 3 positional arguments but 4 positional arguments (and 1 keyword-only "
            "argument) were given");
  EXPECT_EQ(error("h(1)"), "TypeError: h() takes 0 positional arguments but 1 was given");
  EXPECT_EQ(error("g(1, a=2)"), "TypeError: g() got multiple values for argument 'a'");
  EXPECT_EQ(error("f(1, b=2)"), "TypeError: f() got some positional-only arguments passed as keyword arguments: 'b'");
  EXPECT_EQ(error("g(1, 2, 3, z=4)"), "TypeError: g() got an unexpected keyword argument 'z'");
  EXPECT_EQ(error("h()()"), "TypeError: h.<locals>.<lambda>() missing 1 required positional argument: 'x'");
}

TEST(Functions, WhatTheyRaiseCanBeCaughtAnywhereAround) {
  const std::string raises = "def f(x):\n  y = x.view(7)\n  return y\nx = torch.zeros(2, 3)\n";
  const Ran run(raises + "y = f(x)\nz = 1");
  EXPECT_EQ(run.step(2).error->raised->text, "shape '[7]' is invalid for input of size 6");
  EXPECT_EQ(run.step(3).error->raised->text, run.step(2).error->raised->text);
  EXPECT_EQ(run.step(3).error->span, (Span{63, 67})) << "the call";
  EXPECT_EQ(run.last().text, "z = 1") << "the program goes on, the function does not";
  EXPECT_EQ(Ran(raises + "try: f(x)\nexcept RuntimeError as e: t = str(e)\nt").value(),
            "\"shape '[7]' is invalid for input of size 6\"");
  const std::string finally =
      "def f(n):\n  try:\n    if n == 0: return 'tried'\n    if n == 1: return 1 // 0\n    n[0]\n  except "
      "ZeroDivisionError:\n    return 'caught'\n  finally:\n    if n == 2: return 'last'\n    n = 7\n";
  EXPECT_EQ(Ran(finally + "f(0), f(1), f(2)").value(), "('tried', 'caught', 'last')");
  EXPECT_EQ(Ran(finally + "f(3)").error(), "TypeError: 'int' object is not subscriptable");
  EXPECT_EQ(Ran("def f():\n  try:\n    try: return 1\n    finally: [][0]\n  except LookupError: pass\n  return 3\nf()")
                .value(),
            "3");
  EXPECT_EQ(Ran("def f():\n  for i in 1, 2:\n    try: return i\n    finally: continue\n  return 3\nf()").value(), "3");
  EXPECT_EQ(Ran("def f():\n  try: 1 // 0\n  except ZeroDivisionError as e: return lambda: e\nf()()").error(),
            "NameError: cannot access free variable 'e' where it is not associated with a value in enclosing scope");
  EXPECT_EQ(Ran("def f(): raise\ntry: 1 // 0\nexcept: f()").error(),
            "ZeroDivisionError: integer division or modulo by zero");
}

TEST(Functions, LinesOfACallAreStepsBeforeTheOneThatCalls) {
  const Ran run(split_heads + "q = torch.arange(8).view(2, 4)\nz = split_heads(q)\nw = split_heads(q, 4)");
  std::string steps;
  for (const Step& step : run.trace.steps)
    steps += std::to_string(step.line) + "(" + std::to_string(step.inside) + ")" +
             (is_call(step) ? std::to_string(step.round) + "/" + std::to_string(step.rounds) : "") + " ";
  EXPECT_EQ(steps, "6(-1) 1(5)1/2 3(1) 4(1) 5(1) 7(-1) 1(10)2/2 3(6) 4(6) 5(6) 8(-1) ");
  EXPECT_EQ(to_string(run.step(1).value), "(tensor (2, 4):(4, 1)+0, 2)");
  std::string names;
  for (const Named& named : run.step(4).names) names += named.name + " ";
  EXPECT_EQ(names, "x y q ") << "its own first";
  using Steps = std::vector<int>;
  EXPECT_EQ(beside(run.trace, 5), (Steps{1, 2, 3, 4, 0, 5, 10}));
  EXPECT_EQ(beside(run.trace, 3), (Steps{1, 2, 3, 4, 0, 5, 10})) << "the call that the line is in";
  EXPECT_EQ(beside(run.trace, 10), (Steps{6, 7, 8, 9, 0, 5, 10}));
  EXPECT_EQ(beside(run.trace, 0), (Steps{6, 7, 8, 9, 0, 5, 10})) << "else the last";
  const Ran lambda("f = lambda x: x.t()\nx = torch.zeros(2, 3)\ny = f(x)");
  ASSERT_EQ(lambda.trace.steps.size(), 4u);
  EXPECT_EQ(lambda.step(2).text, "x.t()");
  EXPECT_EQ(lambda.step(2).inside, 3);
  EXPECT_TRUE(is_call(lambda.step(2)));
  const Ran header("for t in map(lambda x: x.t(), torch.zeros(1, 2, 3)): t");
  ASSERT_EQ(header.trace.steps.size(), 3u);
  EXPECT_TRUE(is_call(header.step(0)));
  EXPECT_EQ(header.step(0).inside, 1);
  EXPECT_FALSE(is_call(header.step(1)));
  EXPECT_EQ(header.step(2).inside, 1);
}

TEST(Functions, ACallIsToItsArgumentsWhatItGives) {
  const auto made = [](const std::string& body, const std::string& call) {
    const Ran run("x = torch.arange(6).view(2, 3)\ndef f(a):\n  " + body + "\n" + call);
    EXPECT_FALSE(run.last().applied.empty());
    return relation(run.last());
  };
  EXPECT_EQ(made("return a.t()", "y = f(x)"), Relation::view);
  EXPECT_EQ(made("b = a.t()\n  return b.contiguous()", "y = f(x)"), Relation::copy);
  EXPECT_EQ(made("return torch.zeros(3)", "y = f(x)"), Relation::fresh);
  EXPECT_EQ(made("return a", "y = f(x)"), Relation::same);
  EXPECT_EQ(made("return x[0]", "y = f(3)"), Relation::view) << "of what was there before";
  EXPECT_EQ(made("return a[0]", "y = f(torch.zeros(2))"), Relation::fresh) << "the statement made it";
  EXPECT_EQ(made("a.zero_()", "f(x)"), Relation::write);
  EXPECT_EQ(made("return a.zero_()", "f(x)"), Relation::write);
  EXPECT_EQ(made("return a.shape", "f(x)"), Relation::none);
  const Ran run("x = torch.arange(3)\ny = x[1:]\ndef f(a): a.zero_()\nf(x)");
  ASSERT_EQ(run.last().changed.size(), 2u);
  EXPECT_EQ(run.last().changed[1].name, "y");
}

TEST(Functions, ACallThatFailsPointsAtTheStepThatEndsIt) {
  // Whatever runs after what raised, and however many calls of the function come before.
  const Ran run(
      "x = torch.ones(2, 3)\ndef g(a):\n  try:\n    return a.view(6)\n  finally:\n    b = a.t()\ndef f(a): return "
      "g(a)\n"
      "y = f(x)\nz = f(x.t())");
  const auto ended_by = [&](const Step& step) {
    EXPECT_TRUE(step.error.has_value()) << step.text;
    for (const Arg& argument : step.error->reason.args)
      if (argument.target.kind == Target::Kind::step)
        return run.trace.steps[static_cast<size_t>(argument.target.index)];
    ADD_FAILURE() << step.text;
    return step;
  };
  const Step inner = ended_by(run.last());
  EXPECT_EQ(inner.text, "return g(a)");
  const Step innermost = ended_by(inner);
  EXPECT_EQ(innermost.text, "return a.view(6)");
  EXPECT_EQ(innermost.error->reason.id, Msg::view_fails);
  const Ran limited("f = lambda a: a.nothing_known\ng = lambda: torch.nn.FractionalMaxPool2d\nx = torch.ones(2)\ng()");
  EXPECT_EQ(limited.last().error->reason.id, Msg::call_given_up);
  EXPECT_EQ(limited.last().error->hints[0].message.args[0].target,
            (Target{Target::Kind::step, -1, static_cast<int64_t>(limited.trace.steps.size()) - 2}));
}

TEST(Functions, WhatIsNotKnownOfACallIsNotSaid) {
  const std::string unknown = "def f(x):\n  y = x\n  torch.nn.FractionalMaxPool2d(2, 3)\n  x.zero_()\n  return y\n";
  const Ran run("a = torch.ones(2)\nb = a.view(2, 1)\nc = torch.ones(1)\n" + unknown + "d = f(a)\nc");
  EXPECT_EQ(run.step(5).error->reason.id, Msg::not_modelled);
  EXPECT_EQ(run.step(6).error->reason.id, Msg::call_given_up);
  for (const char* lost : {"\na", "\nb", "\nd"})
    EXPECT_EQ(Ran(run.trace.source + lost).error(), "ours") << lost << ": it may have been written";
  EXPECT_EQ(run.value(), "tensor (1,):(1,)+0");
  EXPECT_TRUE(run.trace.passed.empty());
  EXPECT_EQ(Ran("def f():\n  if 1: return 2\n  x = yield 3\nf()").last().error->reason.id, Msg::call_unread);
  EXPECT_EQ(Ran("def f():\n  def g(): yield 3\n  return 4\nf()").value(), "4") << "never called";
  EXPECT_EQ(Ran("@torch.jit.script\ndef f(): return 4\nf()").error(), "ours");
  EXPECT_EQ(Ran("def f(n): return f(n + 1)\nf(0)").error(), "ours");
  EXPECT_EQ(Ran("def f(*r): f(r, r)\nf(1)").error(), "ours") << "at once";
  EXPECT_EQ(Ran("def f(*r): f(*r, *r)\nf(1)").error(), "ours") << "at once";
  EXPECT_EQ(Ran("def f(): return 1\nfor i in range(300): f()").error(), "ours");
}

TEST(Functions, OnlyLinesThatNoCallRunsAreNotRun) {
  const std::string source =
      "def f(x):\n  if x: return 1\n  return 2\ndef g():\n  f(2)\n  return 3\ndef h(): return 4\nf(1)\nf(0)";
  const Ran run(source);
  std::string passed;
  for (const Span& span : run.trace.passed)
    passed += source.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin)) + "|";
  EXPECT_EQ(passed, "f(2)\n  return 3|return 4|");
}

TEST(Functions, AreGradientModesAndBlocksApart) {
  const Ran run(
      "x = torch.ones(2, requires_grad=True)\ndef f():\n  with torch.no_grad():\n    return x * 2\ny = f()\nz = x * "
      "2\ny.requires_grad, z.requires_grad");
  EXPECT_EQ(run.value(), "(False, True)");
  EXPECT_EQ(Ran("x = torch.ones(2, requires_grad=True)\ndef f(): return x * 2\nwith torch.no_grad(): y = "
                "f()\ny.requires_grad")
                .value(),
            "False");
}

TEST(Functions, WithADecoratorAreWhatItMakesOfThem) {
  const std::string start = "x = torch.ones(2, requires_grad=True)\n", asked = "def f(): return x * 2\ny = f()\n";
  const auto asks = [&](const std::string& decorators) {
    return Ran(start + decorators + asked + "y.requires_grad, y.is_inference()").value();
  };
  EXPECT_EQ(asks(""), "(True, False)");
  for (const char* one : {"@torch.no_grad()\n", "@torch.no_grad\n", "@ torch . no_grad ( )  # so\n\n",
                          "@torch.enable_grad()\n@torch.no_grad()\n", "@np.errstate(all='ignore')\n@torch.no_grad()\n"})
    EXPECT_EQ(asks(one), "(False, False)") << one;
  EXPECT_EQ(asks("@torch.no_grad()\n@torch.enable_grad()\n"), "(True, False)") << "the inner one has the last word";
  EXPECT_EQ(asks("@torch.inference_mode()\n@torch.enable_grad()\n"), "(False, True)") << "but inference mode lasts";
  EXPECT_EQ(Ran(start + "@torch.no_grad()\n" + asked + "(x * 2).requires_grad").value(), "True") << "only inside";
  EXPECT_EQ(
      Ran("def twice(g):\n  def inner(a): return g(g(a))\n  return inner\n@twice\n@twice\ndef f(a): return a + 1\nf(0)")
          .value(),
      "4");
  EXPECT_EQ(Ran("def two(g): return 2\n@two\ndef f(): pass\nf").value(), "2");
  // What is no decorator here leaves the name without a value, and the lines below as they are.
  const Ran unknown("@torch.jit.script\ndef f(): return 1\nx = torch.ones(2)\ny = f()");
  const auto failed = [](const Step& step) { return step.error.has_value(); };
  ASSERT_EQ(unknown.trace.steps.size(), 3);
  EXPECT_TRUE(failed(unknown.trace.steps[0]) && !failed(unknown.trace.steps[1]) && failed(unknown.trace.steps[2]));
  EXPECT_EQ(Ran("@nothing\ndef f(): return 1").error(), "NameError: name 'nothing' is not defined");
}

TEST(Functions, GlobalAndNonlocalNamesAreThoseAround) {
  EXPECT_EQ(Ran("n = 0\ndef f():\n  global n, m\n  n += 1\n  m = n\nf(); f()\nn, m").value(), "(2, 2)");
  EXPECT_EQ(Ran("def f():\n  n = 0\n  def g():\n    nonlocal n\n    n += 2\n    return n\n  g()\n  return g() + n\nf()")
                .value(),
            "8");
  EXPECT_EQ(Ran("n = 1\ndef f():\n  'docs'\n  'more'\n  global n\n  n = 2\nf()\nn").value(), "2");
  EXPECT_EQ(Ran("n = 1\ndef f():\n  global n\n  n = n.foo()\nf()\nn").value(), "1");
  EXPECT_EQ(Ran("n = 1\ndef f():\n  global n\n  n = torch.distributions.SGD\nf()\nn").error(), "ours");
  EXPECT_EQ(Ran("def f():\n  global n\n  del n\nn = 1\nf()\nn").error(), "NameError: name 'n' is not defined");
  for (const char* none : {"def f(n):\n  global n", "def f():\n  nonlocal n", "n = 1\ndef f():\n  nonlocal n"})
    EXPECT_EQ(Ran(none).error(), "ours") << none << ": no program for Python";
}

TEST(Functions, WhatACachedFunctionGaveItGivesAgain) {
  const std::string start =
      "import functools\ncalls = []\n@functools.lru_cache(maxsize=None)\ndef f(a, b=0):\n"
      "  calls.append(a)\n  return torch.ones(2)\n";
  EXPECT_EQ(Ran(start + "f(1) is f(1), f(1) is f(1, 0), len(calls)").value(), "(True, False, 2)");
  EXPECT_EQ(Ran(start + "g = functools.lru_cache(f)\ng(1) is g(1)").value(), "True");
  std::string often = start;
  for (int i = 0; i < 129; ++i) often += "f(" + std::to_string(i) + ")\n";
  EXPECT_EQ(Ran(often).error(), "ours") << "what is forgotten first is not modelled";
  EXPECT_EQ(Ran(often + "f(0) is f(0)").value(), "True");
  EXPECT_EQ(Ran(start + "f([1])").error(), "TypeError: unhashable type: 'list'");
  EXPECT_EQ(Ran(start + "f.cache_info()").error(), "ours");
}

}  // namespace
}  // namespace stridescope
