// Blocks: which lines of if, try and with are run, and what is known below those that are not.
#include <gtest/gtest.h>

#include "ops/program.h"

namespace stridescope {
namespace {

TEST(Blocks, OfBranchesTheFirstWhoseConditionHoldsIsRun) {
  const std::string branches =
      "if x.dim() == 1:\n  y = 1\nelif x.dim() == 2:\n  y = 2\n  if not x.is_contiguous():\n    y = 3\nelse:\n  y = "
      "4\ny";
  for (const auto& [shape, expected] : {std::pair("x = torch.zeros(2)\n", "1"),
                                        {"x = torch.zeros(2, 3)\n", "2"},
                                        {"x = torch.zeros(2, 3).t()\n", "3"},
                                        {"x = torch.zeros(2, 3, 4)\n", "4"}})
    EXPECT_EQ(Ran(shape + branches).value(), expected) << shape;
  const Ran run("x = torch.arange(6).view(2, 3).t()\nif not x.is_contiguous():\n  x = x.contiguous()\ny = x.view(6)");
  EXPECT_EQ(run.error(), "");
  ASSERT_EQ(run.trace.steps.size(), 4u);
  EXPECT_EQ(run.step(1).text, "if not x.is_contiguous():");
  EXPECT_EQ(to_string(run.step(1).value), "True");
  EXPECT_EQ(Ran("if []: x = 1\nx").error(), "NameError: name 'x' is not defined");
  EXPECT_EQ(Ran("x = torch.tensor([3])\nif x and (2 > 1): x = 5; y = 6\nx + y").value(), "11");
}

TEST(Blocks, AConditionThatFailsRunsNoBranch) {
  const std::string branches = "x = torch.arange(2)\nif x:\n  x = 1\nelse:\n  x = 2\n";
  EXPECT_EQ(Ran(branches).error(), "RuntimeError: Boolean value of Tensor with more than one value is ambiguous");
  EXPECT_EQ(Ran(branches + "x.shape").value(), "torch.Size([2])");
  const std::string later =
      "x = y = 1\nif 0:\n  x = 2\nelif torch.nn.FractionalMaxPool2d(2, 3):\n  pass\nelse:\n  y = 2\n";
  EXPECT_EQ(Ran(later + "x").value(), "1");
  EXPECT_EQ(Ran(later + "y").error(), "ours");
  const Ran unknown("x = torch.arange(2)\nif torch.nn.FractionalMaxPool2d(2, 3):\n  x = 1\nx");
  EXPECT_EQ(unknown.error(), "ours");
  EXPECT_EQ(unknown.last().error->reason.id, Msg::name_unbound_by_failure);
  ASSERT_EQ(unknown.last().error->hints.size(), 1u);
  EXPECT_EQ(unknown.last().error->hints[0].message.id, Msg::hint_name_failed);
  for (const Message* said : {&unknown.last().error->reason, &unknown.last().error->hints[0].message})
    EXPECT_TRUE(std::any_of(said->args.begin(), said->args.end(), [](const Arg& arg) {
      return arg.target.kind == Target::Kind::line;
    })) << "the line can be gone to";
}

TEST(Blocks, WhatABlockMayHaveChangedIsNotKnownBelowIt) {
  const std::string block =
      "x = torch.zeros(3)\ny = x.view(3, 1)\nz = x.clone()\nn = 1\nfor i in torch.nn.FractionalMaxPool2d(2, 3):\n  "
      "x[i] = i\n  n = "
      "i\n";
  for (const char* name : {"x", "y", "n", "i"}) {
    const Ran run(block + name);
    EXPECT_EQ(run.error(), "ours") << name;
    EXPECT_TRUE(run.names_nothing_known()) << name;
    EXPECT_EQ(run.last().error->reason.args[1].text, "5") << name;
  }
  EXPECT_EQ(Ran(block + "z.shape").value(), "torch.Size([3])");
  EXPECT_EQ(Ran("n = 1\nif torch.nn.FractionalMaxPool2d(2, 3): n += 1\nn").error(), "ours");
  EXPECT_EQ(Ran("if torch.nn.FractionalMaxPool2d(2, 3): np.put(x, 0, 1)\nnp.int8").error(), "")
      << "a module stays what it is";
  EXPECT_EQ(Ran(block + "x = z\nx.shape").value(), "torch.Size([3])");
  EXPECT_EQ(Ran("class f(a, b):\n  x = 1\nf()").error(), "ours") << "Python knows f";
  EXPECT_EQ(Ran("x = torch.nn.FractionalMaxPool2d(2, 3)\nx").error(), "ours");
  EXPECT_EQ(Ran("x = torch.zeros(3)[5]\nx").error(), "NameError: name 'x' is not defined");
  EXPECT_EQ(Ran("if 0:\n  x = (1\nelse:\n  y = 2\ny").step(1).error->reason.id, Msg::lang_unclosed)
      << "what cannot be read is told wherever it stands";
}

TEST(Blocks, WhatIsRaisedIsCaughtByTheFirstExceptThatTakesIt) {
  const std::string lines = "t = []\ntry:\n  t = t + [1]\n  x = torch.arange(6).view(4)\n  t = t + [2]\n";
  const auto left = [&](const std::string& handlers) { return Ran(lines + handlers + "\nt").value(); };
  EXPECT_EQ(left("except ValueError: t = t + [3]\nexcept RuntimeError: t = t + [4]\nexcept: t = t + [5]"), "[1, 4]");
  EXPECT_EQ(left("except (TypeError, Exception): t = t + [3]\nelse: t = t + [4]\nfinally: t = t + [5]"), "[1, 3, 5]");
  EXPECT_EQ(left("except: t = t + [3]"), "[1, 3]");
  EXPECT_EQ(left("finally: t = t + [3]"), "[1, 2, 3]") << "what nobody catches stops no line here";
  EXPECT_EQ(left("except IndexError: t = t + [3]\nelse: t = t + [4]"), "[1]");
  EXPECT_EQ(Ran("try: x = 1\nexcept: x = 2\nelse: x = x + 3\nx").value(), "4");
  EXPECT_EQ(Ran("x = 1\ntry: x = nope\nexcept NameError: pass\nx").value(), "1") << "it keeps what it held";
}

TEST(Blocks, TheProgramMayRaise) {
  EXPECT_EQ(Ran("raise ValueError('a')").error(), "ValueError: a");
  EXPECT_EQ(Ran("x = torch.zeros(2)\nif x.dim() != 2: raise RuntimeError(f'{x.dim()} dims') from None").error(),
            "RuntimeError: 1 dims");
  const auto caught = [](const std::string& raised) {
    return Ran("try: " + raised + "\nexcept BaseException as e: r = repr(e), str(e), e.args\nr").value();
  };
  EXPECT_EQ(caught("raise KeyError"), "('KeyError()', '', ())");
  EXPECT_EQ(caught("raise IndexError()"), "('IndexError()', '', ())");
  EXPECT_EQ(caught("raise TypeError('')"), "(\"TypeError('')\", '', ('',))");
  EXPECT_EQ(caught("assert 0"), "('AssertionError()', '', ())");
  EXPECT_EQ(caught("assert 0, ''"), "(\"AssertionError('')\", '', ('',))");
  EXPECT_EQ(caught("raise 3"),
            "(\"TypeError('exceptions must derive from BaseException')\", 'exceptions must derive "
            "from BaseException', ('exceptions must derive from BaseException',))");
  EXPECT_EQ(Ran("raise KeyError from 3").error(), "TypeError: exception causes must derive from BaseException");
  EXPECT_EQ(Ran("raise KeyError('a')").error(), "KeyError: 'a'");
  EXPECT_EQ(Ran("raise ValueError(3)").error(), "ours");
  EXPECT_EQ(Ran("raise nope from 3").error(), "NameError: name 'nope' is not defined");
  EXPECT_EQ(Ran("raise KeyError from nope").error(), "NameError: name 'nope' is not defined");
  EXPECT_EQ(Ran("e = ValueError('a')\ntry: raise e\nexcept ValueError as f: g = str(f)\ng").value(), "'a'");
}

TEST(Blocks, RaiseAloneRaisesAgainWhatWasCaught) {
  EXPECT_EQ(Ran("raise").error(), "RuntimeError: No active exception to reraise");
  EXPECT_EQ(Ran("try:\n  try: [][0]\n  except LookupError:\n    try: 1 // 0\n    except: pass\n    raise\nexcept "
                "Exception as e: r = str(e)\nr")
                .value(),
            "'list index out of range'");
  EXPECT_EQ(Ran("try: [][0]\nexcept IndexError: pass\nraise").error(), "RuntimeError: No active exception to reraise");
}

TEST(Blocks, WhatIsCaughtInAFinallyDoesNotReplaceWhatIsOnItsWay) {
  EXPECT_EQ(
      Ran("t = []\ntry:\n  try: 1 // 0\n  finally:\n    try: [][0]\n    except IndexError as e: t = t + [str(e)]\n"
          "except TypeError: pass\nexcept ZeroDivisionError as e: t = t + [str(e)]\nt")
          .value(),
      "['list index out of range', 'integer division or modulo by zero']");
}

TEST(Blocks, WhatIsNotCaughtInsideIsCaughtOutsideAndFinallyComesBetween) {
  const std::string inner =
      "t = []\ntry:\n  try: [][0]\n  except KeyError: t = t + [1]\n  finally: t = t + [2]\n  t = t + [3]\n";
  EXPECT_EQ(Ran(inner + "except LookupError: t = t + [4]\nt").value(), "[2, 4]");
  EXPECT_EQ(Ran(inner + "finally: pass\nt").value(), "[2, 3]");
  EXPECT_EQ(Ran("t = []\ntry:\n  try:\n    [][0]\n  except IndexError:\n    t = t + [1]\n    1 // 0\n    t = t + [2]\n"
                "  finally:\n    t = t + [3]\nexcept ArithmeticError:\n  t = t + [4]\nt")
                .value(),
            "[1, 3, 4]");
  EXPECT_EQ(Ran("t = []\ntry:\n  try: pass\n  finally: t = t + [1]\n  1 // 0\nexcept: t = t + [2]\nt").value(),
            "[1, 2]")
      << "what has ended is not run again";
  EXPECT_EQ(
      Ran("t = []\ntry:\n  try: [][0]\n  except nope: pass\n  else: t = t + [1]\nexcept NameError: t = t + [2]\nt")
          .value(),
      "[2]");
}

TEST(Blocks, AnErrorHasANameInItsBlockAlone) {
  const std::string lines = "try: torch.arange(6).view(4)\nexcept RuntimeError as e:\n  x = ";
  const auto of_error = [&](const std::string& expression) { return Ran(lines + expression + "\nx").value(); };
  EXPECT_EQ(of_error("str(e)"), "\"shape '[4]' is invalid for input of size 6\"");
  EXPECT_EQ(of_error("f'{e}' == str(e)"), "True");
  EXPECT_EQ(of_error("[type(e).__name__, isinstance(e, Exception), isinstance(e, (ValueError, TypeError))]"),
            "['RuntimeError', True, False]");
  EXPECT_EQ(of_error("[e.args, repr(e)]"),
            "[(\"shape '[4]' is invalid for input of size 6\",), "
            "'RuntimeError(\"shape \\'[4]\\' is invalid for input of size 6\")']");
  EXPECT_EQ(Ran(lines + "1\ne").error(), "NameError: name 'e' is not defined");
  EXPECT_EQ(Ran(lines + "e.nope").error(), "AttributeError: 'RuntimeError' object has no attribute 'nope'");
  EXPECT_EQ(Ran(lines + "e.with_traceback(None)").error(), "ours");
  EXPECT_EQ(Ran("try: [][0]\nexcept ValueError('a'): pass").error(),
            "TypeError: catching classes that do not inherit from BaseException is not allowed");
  EXPECT_EQ(Ran("try: [][0]\nexcept 3: pass").error(),
            "TypeError: catching classes that do not inherit from BaseException is not allowed");
  EXPECT_EQ(Ran("try: [][0]\nexcept [IndexError]: pass").error(),
            "TypeError: catching classes that do not inherit from BaseException is not allowed");
  EXPECT_EQ(Ran("try: torch.zeros('a')\nexcept TypeError as e: str(e)").error(), "ours")
      << "of those only the type is promised";
  const std::string axis = "try: np.zeros(3).sum(axis=1)\nexcept (ValueError, KeyError) as e: x = ";
  EXPECT_EQ(Ran(axis + "[str(e), str(type(e))]\nx").value(),
            "['axis 1 is out of bounds for array of dimension 1', \"<class 'numpy.exceptions.AxisError'>\"]");
  EXPECT_EQ(Ran(axis + "repr(e)").error(), "ours") << "NumPy keeps other arguments";
  EXPECT_EQ(Ran("try: np.zeros(3) + 'a'\nexcept TypeError as e: type(e)").error(), "ours");
}

TEST(Blocks, OfAWithTheLinesAreRunInItsContext) {
  const std::string program =
      "x = torch.zeros(4, requires_grad=True)\nwith torch.no_grad() as g, np.errstate(all='ignore'):\n  x[0] = 1\n"
      "  y = x * 2\n  z = x.view(2, 2)\n  n = x.numpy()\n  with torch.enable_grad(): w = x * 2\n";
  EXPECT_EQ(Ran(program + "[g, y.requires_grad, z.requires_grad, w.requires_grad, x.is_leaf]").value(),
            "[None, False, True, True, True]");
  EXPECT_EQ(Ran(program + "torch.is_grad_enabled()").value(), "True");
  EXPECT_EQ(Ran(program + "  torch.is_grad_enabled()").value(), "False");
  EXPECT_TRUE(Ran(program + "z += 1").error().starts_with("RuntimeError: A view was created in no_grad mode"));
  EXPECT_EQ(Ran(program + "z[0] = 1").error(), "ours");
  EXPECT_EQ(Ran(program + "z.view(4).zero_()").error(), "ours");
  EXPECT_EQ(Ran(program + "x += 1").error(),
            "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.");
  EXPECT_EQ(Ran("try:\n  with torch.no_grad(): 1 // 0\nexcept: pass\ntorch.is_grad_enabled()").value(), "True");
  EXPECT_EQ(Ran("with 5: x = 1").error(), "TypeError: 'int' object does not support the context manager protocol");
  const std::string follows = "x = torch.ones(2, requires_grad=True)\n";
  const std::string asked = "(x * 2).requires_grad";
  EXPECT_EQ(Ran(follows + "torch.set_grad_enabled(False)\n" + asked).value(), "False");
  EXPECT_EQ(Ran(follows + "with torch.set_grad_enabled(False): y = x * 2\ny.requires_grad, " + asked).value(),
            "(False, True)");
  EXPECT_EQ(
      Ran(follows + "with torch.no_grad():\n  torch.set_grad_enabled(True)\n  y = x * 2\ny.requires_grad").value(),
      "True");
  EXPECT_EQ(Ran(follows + "def f(): torch.set_grad_enabled(False)\nf()\n" + asked).value(), "False")
      << "outlasts the call that says so";
  EXPECT_EQ(Ran(follows + "def f():\n  with torch.no_grad(): return x * 2\nf().requires_grad, " + asked).value(),
            "(False, True)")
      << "but its block ends with the return";
  EXPECT_EQ(Ran("@torch.set_grad_enabled(False)\ndef f(): return 1\nf()").error(), "ours");
  const Ran uncalled("with torch.no_grad: x = 1");
  EXPECT_EQ(uncalled.error(), "TypeError: 'type' object does not support the context manager protocol");
  EXPECT_EQ(uncalled.last().error->hints[0].fix->replacement, "()");
  EXPECT_EQ(Ran("with nope: x = 1").error(), "NameError: name 'nope' is not defined");
  EXPECT_EQ(Ran("with np.errstate(over='raise'): x = 1").error(), "ours");
}

TEST(Blocks, InInferenceModeTensorsAreMadeThatStayAsTheyAre) {
  const std::string program =
      "x = torch.ones(4, requires_grad=True)\nwith torch.inference_mode():\n  y = x * 2\n  y += 1\n"
      "  z = x.view(2, 2)\n  with torch.enable_grad(): w = x * 2\n";
  EXPECT_EQ(Ran(program + "[t.is_inference() for t in (x, y, z, w, y.view(2, 2), y + 1, y.detach())]").value(),
            "[False, True, False, True, True, False, True]");
  EXPECT_TRUE(Ran(program + "y[0] = 1").error().starts_with("RuntimeError: Inplace update to inference tensor"));
  EXPECT_TRUE(Ran(program + "y.requires_grad_()").error().starts_with("RuntimeError: Setting requires_grad=True"));
  EXPECT_TRUE(Ran(program + "z += 1").error().starts_with("RuntimeError: A view was created in inference mode"));
}

TEST(Blocks, WritesAreCountedWhereGradientsAreNotFollowedToo) {
  const std::string program =
      "x = torch.zeros(3)\nwith torch.inference_mode():\n  i = torch.zeros(3)\n  x.add_(1)\n  w = x.view(3)\n"
      "  w.add_(1)\nwith torch.no_grad(): x[0].add_(1)\n";
  EXPECT_EQ(Ran(program + "[t._version for t in (x, w, x.detach(), x.data)]").value(), "[3, 3, 3, 0]");
  EXPECT_EQ(Ran(program + "i.clone()._version").error(), "ours");
  EXPECT_EQ(Ran(program + "i._version").error(), "RuntimeError: Inference tensors do not track version counter.");
}

TEST(Blocks, OfAnUnknownContextNothingIsKnownAndItsLinesAreOffered) {
  const Ran run("with torch.autocast('cpu') as a:\n  y = torch.ones(2)\ny");
  EXPECT_EQ(run.error(), "ours");
  ASSERT_TRUE(run.step(0).error && !run.step(0).error->hints.empty());
  EXPECT_EQ(run.step(0).error->hints[0].fix->replacement, "y = torch.ones(2)");
  EXPECT_EQ(Ran("x = np.zeros(3)\nwith x.data as m: pass\nm").error(), "ours");
}

TEST(Blocks, GradientsAreFollowedThroughAllViewsOfWhatIsWritten) {
  const std::string program = "x = torch.ones(4)\ny = x.view(2, 2)\nw = torch.ones(2, requires_grad=True)\ny += w\n";
  EXPECT_EQ(Ran(program + "[x.requires_grad, x.is_leaf, y.requires_grad]").value(), "[True, False, True]");
  EXPECT_EQ(Ran("x = torch.ones(4)\ny = x.view(2, 2).requires_grad_()\ny += 1").error(),
            "RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place operation.");
}

TEST(Blocks, LinesThatAreNotRunAreTold) {
  const auto passed = [](const std::string& source) {
    std::string text;
    for (const Span& span : evaluate(source).passed)
      text += source.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin)) + "|";
    return text;
  };
  EXPECT_EQ(passed("if 1: a = 2\nelif 3:\n  b = 4\nelse: c = 5\nd = 6"), "elif 3:\n  b = 4\nelse: c = 5|");
  EXPECT_EQ(passed("try:\n  1 // 0\n  a = 1\nexcept KeyError: b = 2\nexcept: pass\nelse: c = 3\nfinally: d = 4"),
            "a = 1|b = 2|else: c = 3|");
  EXPECT_EQ(passed("try: a = 1\nexcept: b = 2\nfinally: pass"), "except: b = 2|");
  EXPECT_EQ(passed("if 0:\n  a = 1\n  b = (\n  c = 2\nd = 3"), "a = 1|c = 2|") << "what cannot be read says so";
  EXPECT_EQ(passed("a = 1; b = 2"), "");
}

TEST(Blocks, TheirHeadersSayWhatTheyDecide) {
  const Ran run(
      "def f(a): pass\ndef g(): pass\nf(1)\ng()\nif 1: pass\nif 0: pass\nelif 1: pass\nfor i in range(2): pass\n"
      "for i in []: pass\nj = 0\nwhile j < 1: j += 1\ntry: 1 / 0\nexcept TypeError: pass\nexcept ValueError: pass\n"
      "except: pass\nwith torch.no_grad(): pass\nif nothing: pass");
  std::vector<Msg> said;
  for (const Step& step : run.trace.steps)
    if (const auto decided = decision(step)) said.push_back(decided->id);
  EXPECT_EQ(said, (std::vector{Msg::header_call, Msg::header_call_plain, Msg::header_holds, Msg::header_does_not_hold,
                               Msg::header_holds, Msg::header_round, Msg::header_round, Msg::header_nothing,
                               Msg::header_again, Msg::header_ends, Msg::header_lets_go, Msg::header_lets_go,
                               Msg::header_takes}));
}

const std::string context =
    "class C:\n"
    "  def __enter__(self):\n    return 1\n"
    "  def __exit__(self, kind, value, trace):\n    print(kind is None)\n    return self.swallows\n"
    "c = C()\n";

TEST(Blocks, ObjectsAreToldThatTheirBlockEndsAndWhy) {
  EXPECT_EQ(Ran(context + "c.swallows = False\nwith c as one: x = one").trace.output, "True\n");
  // A line that failed does not keep us from going on below it; the object is told of it nevertheless.
  EXPECT_EQ(Ran(context + "c.swallows = False\nwith c:\n  1 / 0\n  x = 2\nx").trace.output, "False\n");
  EXPECT_EQ(Ran(context + "c.swallows = True\nwith c: x = 3").trace.output, "True\n");
}

TEST(Blocks, WhereAnObjectSwallowsAnErrorOrFailsItselfNobodyKnowsWhatRuns) {
  const auto stops = [](const std::string& lines) {
    const Ran ran(context + lines);
    return !ran.trace.diagnostics.empty() && ran.trace.diagnostics[0].reason.id == Msg::not_modelled &&
           ran.trace.steps.back().text != "y = 2";
  };
  EXPECT_TRUE(stops("c.swallows = True\nwith c: 1 / 0\ny = 2"));
  EXPECT_TRUE(stops("with c: x = 1\ny = 2"));
  EXPECT_EQ(Ran(context + "c.swallows = True\ndef f():\n  with c:\n    return 1 / 0\n  return 5\nf()").error(), "ours");
}

}  // namespace
}  // namespace stridescope
