#include <algorithm>

#include "ops/program.h"

namespace stridescope {
namespace {

TEST(Evaluate, NumbersTuplesAndStringsAreReckonedAsPythonDoes) {
  EXPECT_EQ(Ran("7 // 2, -7 // 2, -7 % 3, 2**10, 7 / 2, 2**-1").value(), "(3, -4, 2, 1024, 3.5, 0.5)");
  EXPECT_EQ(Ran("(1, 2) + (3,)").value(), "(1, 2, 3)");
  EXPECT_EQ(Ran("'a' * 3").value(), "'aaa'");
  EXPECT_EQ(Ran("sum(i * s for i, s in zip((1, 2, 0), (6, 2, 1)))").value(), "10");
  EXPECT_EQ(Ran("[i for i in range(10) if i % 3 == 0]").value(), "[0, 3, 6, 9]");
  EXPECT_EQ(Ran("1 < 2 < 3 and not 4 == 5").value(), "True");
  EXPECT_EQ(Ran("len([1, 2]), max(3, 5), min([4, 2]), abs(-3), sorted([3, 1])").value(), "(2, 5, 2, 3, [1, 3])");
}

TEST(Evaluate, ErrorsOfPythonItselfAreToTheLetter) {
  EXPECT_EQ(Ran("nope").error(), "NameError: name 'nope' is not defined");
  EXPECT_EQ(Ran("1 + 'a'").error(), "TypeError: unsupported operand type(s) for +: 'int' and 'str'");
  EXPECT_EQ(Ran("1 // 0").error(), "ZeroDivisionError: integer division or modulo by zero");
  EXPECT_EQ(Ran("a, b = (1, 2, 3)").error(), "ValueError: too many values to unpack (expected 2)");
  EXPECT_EQ(Ran("a, b = (1,)").error(), "ValueError: not enough values to unpack (expected 2, got 1)");
  EXPECT_EQ(Ran("(1, 2)[5]").error(), "IndexError: tuple index out of range");
  EXPECT_EQ(Ran("x = torch.arange(3)\na, x[9] = 1, 2").error(),
            "IndexError: index 9 is out of bounds for dimension 0 with size 3");
  EXPECT_EQ(Ran("x = torch.arange(3)\na, x[1] = 1, 2\n[b, c] = a, 5\ny = x + c").values("y"), "5 7 7");
  EXPECT_EQ(Ran("x = torch.arange(3)\nx.foo").error(), "AttributeError: 'Tensor' object has no attribute 'foo'");
  EXPECT_EQ(Ran("torch.foo").error(), "AttributeError: module 'torch' has no attribute 'foo'");
  EXPECT_EQ(Ran("x = torch.arange(3)\nx(1)").error(), "TypeError: 'Tensor' object is not callable");
}

TEST(Evaluate, ATypingMistakeGetsTheNearestNameAsAFix) {
  for (const auto& [source, meant] :
       {std::pair("torch.arnage(3)", "arange"), std::pair("x = torch.arange(6)\nx.veiw(2, 3)", "view"),
        std::pair("value = 1\nvalu", "value")}) {
    const Ran run(source);
    ASSERT_TRUE(run.last().error);
    ASSERT_EQ(run.last().error->hints.size(), 1u) << source;
    ASSERT_TRUE(run.last().error->hints[0].fix);
    const Fix& fix = *run.last().error->hints[0].fix;
    EXPECT_EQ(fix.replacement, meant);
    std::string repaired = source;
    repaired.replace(static_cast<size_t>(fix.span.begin), static_cast<size_t>(fix.span.end - fix.span.begin),
                     fix.replacement);
    EXPECT_EQ(Ran(repaired).error(), "") << repaired;
  }
}

TEST(Evaluate, OfANameThatOnlyTheLibraryHasTheOneThatDiffersInAnEndIsSaid) {
  const auto said = [](const char* name) -> std::string {
    const Ran ran(std::string("x = torch.zeros(2)\n") + name);
    EXPECT_EQ(ran.error(), "ours") << name;
    const auto& hints = ran.last().error->hints;
    return hints.empty() || hints[0].message.id != Msg::nearest_modelled ? "" : hints[0].message.args[0].text;
  };
  EXPECT_EQ(said("x.resize"), "resize_");
  EXPECT_EQ(said("torch.histogramdd"), "histogram");
  for (const char* other : {"x.geqrf", "x.ormqr", "np.busday_count", "np.loadtxt"}) EXPECT_EQ(said(other), "") << other;
}

TEST(Evaluate, AFailingLineLeavesItsNameUnboundAndTheProgramGoesOn) {
  const Ran run("x = torch.arange(6)\ny = x.view(4)\nz = x.view(2, 3)\ny");
  EXPECT_TRUE(run.step(1).error);
  EXPECT_FALSE(run.step(2).error);
  EXPECT_EQ(run.layout("z"), "(2, 3):(3, 1)+0");
  ASSERT_TRUE(run.last().error);
  EXPECT_EQ(run.last().error->reason.id, Msg::name_unbound_by_failure);
  EXPECT_EQ(run.last().error->reason.args[1].text, "2");
}

TEST(Evaluate, WhatALineThatIsNotReadWouldHaveNamedIsUnknownAndNoError) {
  for (const auto& [line, reason] :
       {std::pair("y = {1, 2", Msg::name_unbound_by_failure), std::pair("import glob as y", Msg::module_unknown),
        std::pair("from os import environ as y", Msg::name_unbound_by_failure),
        std::pair("x = 1; y = x.view(", Msg::name_unbound_by_failure)}) {
    const Ran run(std::string("x = torch.arange(6)\n") + line + "\ny.z");
    EXPECT_EQ(run.error(), "ours") << line;
    EXPECT_EQ(run.last().error->reason.id, reason) << line;
  }
  EXPECT_EQ(Ran("y = 1\ny = torch.arange(\ny").value(), "1") << "while a line is written, what is below it stays";
  EXPECT_EQ(Ran("y = torch.arange(\nz").error(), "NameError: name 'z' is not defined");
}

TEST(Evaluate, AModuleOfPythonsOwnIsMissedWhereItIsUsedAndNowhereElse) {
  const Ran run("from typing import List\nimport os.path\nimport random as s\nx: List[int] = torch.arange(6)\ns.path");
  EXPECT_TRUE(run.trace.diagnostics.empty());
  EXPECT_EQ(run.layout("x"), "(6,):(1,)+0");
  EXPECT_EQ(run.last().error->reason.id, Msg::module_unknown);
  EXPECT_EQ(Ran("import matplotlib").trace.diagnostics.at(0).reason.id, Msg::module_unknown);
}

TEST(Evaluate, WhatALineThatCannotBeRunWouldWriteIntoIsUnknownBelowIt) {
  const std::string given =
      "x = torch.zeros(4)\ny = x.view(2, 2)\nz = x.clone()\nw = torch.nn.FractionalMaxPool2d(2, 3)\n";
  for (const char* line :
       {"x.mvlgamma_(2)", "y[0].t().igamma_(y[0].t())", "y[0] = w", "x += w", "torch.take(w, z, out=y[0])",
        "torch.nn.init.orthogonal_(x)", "y.data = w", "print(x.mvlgamma_(2))"}) {
    for (const char* name : {"x", "y"}) {
      const Ran run(given + line + "\n" + name);
      EXPECT_EQ(run.error(), "ours") << line << " " << name;
      EXPECT_TRUE(run.names_nothing_known()) << line;
    }
    EXPECT_EQ(Ran(given + line + "\nz").error(), "") << line;
  }
  EXPECT_EQ(Ran(given + "x.renorm(2, 0, 1)\nx").error(), "") << "what only reads loses nothing";
  for (const char* line : {"a.setfield(1, np.int8)", "a.setfield(2, np.int16, 2)"}) {
    const Ran run(std::string("a = np.arange(12).reshape(6, 2)\nb = a.T\n") + line + "\nb");
    EXPECT_TRUE(leaves_unknown(run.last())) << line;
    EXPECT_EQ(run.layout("b"), "(2, 6):(8, 16)+0") << line;
  }
  EXPECT_EQ(Ran("a = np.arange(6)\na.byteswap()\na").error(), "");
  const Ran later(
      "import torch\nx = torch.ones(2)\ntorch.set_default_dtype(torch.float16)\ny = x.view(2)\ntorch.ones(2)");
  EXPECT_FALSE(later.step(2).error) << "what is there stays";
  EXPECT_EQ(later.error(), "ours") << "what the module makes is not known";
}

TEST(Evaluate, AParameterThatTheLibraryHasAndTheRowHasNotIsALimitWhereItAsksForSomething) {
  EXPECT_EQ(Ran("np.std([1, 2], correction=1)").error(), "ours");
  EXPECT_EQ(Ran("torch.full((2,), 1, 2)").error(), "TypeError: full() takes 2 positional arguments but 3 were given")
      << "what is more is only given by name";
  EXPECT_EQ(Ran("torch.zeros(2, layout=torch.strided, pin_memory=False, names=None).shape").value(), "torch.Size([2])");
  EXPECT_EQ(Ran("torch.zeros(2, dtype=torch.int8, layout=torch.strided).dtype").value(), "torch.int8");
  EXPECT_EQ(Ran("np.issubdtype(np.complex64, np.floating), np.issubdtype(np.complex64, np.inexact)").value(),
            "(False, True)");
  EXPECT_EQ(Ran("torch.allclose(torch.ones(2), torch.ones(2), nan=True)").error(),
            "TypeError: allclose() got an unexpected keyword argument 'nan'");
}

TEST(Evaluate, WhatIsGivenAsOutTakesTheResultAndIsIt) {
  const std::string given = "x = torch.arange(6.).view(2, 3)\no = torch.zeros(3, 2)\nv = o.t()\n";
  const Ran run(given + "r = torch.add(x, 1, out=v)\nr is v, o[2, 1], x[0, 0]");
  EXPECT_EQ(run.value(), "(True, tensor ():()+5, tensor ():()+0)");
  EXPECT_EQ(run.values("o"), "1.0 4.0 2.0 5.0 3.0 6.0");
  EXPECT_EQ(run.step(3).applied.back().relation, Relation::write);
  EXPECT_EQ(run.step(3).applied.back().why.lines.size(), 3u) << "no storage is made";
  EXPECT_EQ(run.step(3).applied.back().why.lines.front().id, Msg::write_headline);
  EXPECT_EQ(Ran(given + "torch.add(x, 1, out=x)").values("x"), "1.0 2.0 3.0 4.0 5.0 6.0") << "each read once";
  const Ran grown(given + "b = torch.zeros(0)\nd = b.detach()\nr = torch.add(x.t(), 1, out=b)\nr is b, b._version");
  EXPECT_EQ(grown.value(), "(True, 1)");
  EXPECT_EQ(grown.layout("b"), "(3, 2):(1, 3)+0") << "as it would be made";
  EXPECT_EQ(grown.values("b"), "1.0 4.0 2.0 5.0 3.0 6.0");
  EXPECT_EQ(grown.tensor("d")->storage->nbytes, 24) << "all that are on the storage have the new one";
  EXPECT_EQ(tensor_of(grown.step(3).value)->storage->nbytes, 0) << "the step that made it keeps the old one";
  // What would ask for more than a write is not guessed.
  for (const char* out :
       {"torch.zeros(1).expand(2, 3)", "torch.zeros(2, 2)", "torch.zeros(2, 3).long()", "o", "3", "False"})
    EXPECT_EQ(Ran(given + "torch.add(x, 1, out=" + out + ")").error(), "ours") << out;
  EXPECT_EQ(Ran(given + "torch.cumsum(x, 0, out=x)").error(), "ours") << "elements are read after others are written";
  EXPECT_EQ(Ran(given + "torch.add(x.requires_grad_(), 1, out=v)").error(),
            "RuntimeError: add(): functions with out=... arguments don't support automatic differentiation, but one of "
            "the arguments requires grad.");
  EXPECT_EQ(Ran(given + "x.add(1, out=v)").error(), "TypeError: add() got an unexpected keyword argument 'out'");
}

TEST(Evaluate, NamesBindToObjects) {
  EXPECT_EQ(Ran("x = torch.arange(6)\ny = x\ny is x, x.view(6) is x").value(), "(True, False)");
  EXPECT_EQ(Ran("import numpy as xp\nfrom torch import arange\nx = arange(3)\nx.shape").value(), "torch.Size([3])");
  EXPECT_EQ(Ran("a = b = torch.arange(3)\na is b").value(), "True");
  EXPECT_EQ(Ran("x, y = torch.arange(6).view(2, 3)\ny.tolist()").value(), "[3, 4, 5]");
  EXPECT_EQ(Ran("f = torch.arange(6).view\nf(2, 3).shape").value(), "torch.Size([2, 3])");
}

TEST(Evaluate, InPlaceFormsChangeTheObjectUnderEveryName) {
  const Ran run("x = torch.arange(6).view(2, 3)\ny = x\nx.t_()");
  EXPECT_EQ(run.layout("y"), "(3, 2):(1, 3)+0");
  ASSERT_EQ(run.last().changed.size(), 2u);
  EXPECT_TRUE(run.last().changed[1].metadata);
  // The step before still shows what was.
  EXPECT_EQ(to_string(run.step(1).names[0].tensor->layout), "(2, 3):(3, 1)+0");
}

TEST(Evaluate, AStepKeepsTheContentsItLeft) {
  const Ran run("x = torch.arange(3)\nx[0] = 7\nx.mul_(2)");
  const TensorPtr x = run.tensor("x");
  EXPECT_EQ(value_at(run.step(0), *x, 0).integer, 0);
  EXPECT_EQ(value_at(run.step(1), *x, 0).integer, 7);
  EXPECT_EQ(value_at(run.step(2), *x, 0).integer, 14);
}

TEST(Evaluate, AWriteIsSeenByEveryAliasAndByNobodyElse) {
  const Ran run("y = torch.arange(3).view(3, 1).expand(3, 4)\nz = y.clone()\ny[1, 2] = 9");
  ASSERT_EQ(run.last().changed.size(), 1u);
  EXPECT_EQ(run.last().changed[0].name, "y");
  EXPECT_EQ(run.values("y"), "0 0 0 0 9 9 9 9 2 2 2 2");
  EXPECT_EQ(run.values("z"), "0 0 0 0 1 1 1 1 2 2 2 2");
}

TEST(Evaluate, HugeTensorsCostNothing) {
  const Ran run("x = torch.arange(10**12).view(10**4, 10**4, 10**4).permute(2, 0, 1)\ny = x + 1\ny[5, 0, 0] = 3");
  EXPECT_EQ(run.error(), "");
  EXPECT_EQ(run.layout("x"), "(10000, 10000, 10000):(1, 100000000, 10000)+0");
  EXPECT_EQ(value_at(run.last(), *run.tensor("x"), 1).integer, 10000);
}

TEST(Evaluate, RepeatedDoublingNeitherHangsNorOverflowsTheStack) {
  std::string source = "x = torch.linspace(0, 1, 10**12)\n";
  for (int i = 0; i < 130; ++i) source += i < 100 ? "x = x + x\n" : "x = torch.sin(x) * x + x.flip(0)\n";
  const Ran run(source);
  EXPECT_EQ(run.trace.steps.size(), 131u);
  EXPECT_EQ(run.error(), "");
  EXPECT_FALSE(is_known(*run.tensor("x")->storage->contents));
}

TEST(Evaluate, LimitsAreMessages) {
  EXPECT_EQ(Ran(std::string(20'001, ' ')).trace.diagnostics.at(0).reason.id, Msg::source_too_long);
  EXPECT_EQ(Ran("x = '\xff'").trace.diagnostics.at(0).reason.id, Msg::source_not_utf8);
  std::string many;
  for (int i = 0; i < 300; ++i) many += "torch.arange(3)\n";
  EXPECT_EQ(Ran(many).trace.diagnostics.at(0).reason.id, Msg::too_many_operations);
  EXPECT_EQ(Ran("import scipy").trace.diagnostics.at(0).reason.id, Msg::module_unknown);
  EXPECT_EQ(Ran("range(10**9)").last().error->reason.id, Msg::too_many_items);
  EXPECT_EQ(Ran("10**18 * 100").last().error->reason.id, Msg::beyond_int64);
  EXPECT_EQ(Ran("torch.zeros([1] * 65)").last().error->reason.id, Msg::too_many_dims);
  EXPECT_EQ(Ran("x = torch.zeros([1] * 64)\nx[None]").last().error->reason.id, Msg::too_many_dims);
}

TEST(Evaluate, AnExpressionOfSeveralLinesIsTitledOnOne) {
  const Ran ran("x = torch.zeros(2,\r\n    3,\n\tdtype=torch.int8)");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.last().applied.back().title, "torch.zeros(2, 3, dtype=torch.int8)");
  EXPECT_EQ(Ran("[a, (b, c)] = [1, (2, 3)]").last().targets, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Evaluate, ALongValueIsWrittenToALimitAndNotCutInsideACharacter) {
  const Value value = Ran("s = 'a" + std::string("\u00e9") + "' * 100").last().value;
  EXPECT_EQ(to_string(value, 400), "'" + std::get<std::string>(value.held) + "'");
  EXPECT_EQ(to_string(value, 8), "'a\u00e9a...");
  EXPECT_EQ(to_string(value, 9), "'a\u00e9a...");
  EXPECT_EQ(to_string(value, 10), "'a\u00e9a\u00e9...");
}

TEST(Evaluate, AnyTextGetsAnAnswer) {
  for (const char* source : {"",
                             "\n\n",
                             "x =",
                             "(((",
                             "x = torch.arange(",
                             "def f(): pass",
                             "🙂",
                             "x.y.z = 3",
                             "1 = 2",
                             "torch.arange(*5)",
                             "torch.zeros(**{})",
                             "[x for x in 5]",
                             "x[",
                             "lambda: 0",
                             "torch",
                             "np.",
                             "print(torch)",
                             "torch.arange(3)()",
                             "None.foo",
                             "a, b",
                             "x += 1",
                             "torch.arange(3)[torch]",
                             "-'a'",
                             "not torch.arange(3)",
                             "torch.arange(3) if torch.zeros(2) else 1"}) {
    const Ran run(source);
    for (const Step& step : run.trace.steps) {
      if (!step.error) continue;
      EXPECT_FALSE(plain(step.error->reason, Language::english).empty()) << source;
      EXPECT_FALSE(plain(step.error->reason, Language::chinese).empty()) << source;
    }
  }
}

TEST(Evaluate, WrongArgumentsAreTypeErrorsThatShowTheSignature) {
  for (const char* source : {"torch.arange(6).view()", "torch.arange(6).transpose(0)", "torch.arange(6).permute('a')",
                             "torch.zeros(2.5)", "torch.arange(3).flip(dim=0)", "torch.stack(torch.arange(3))"}) {
    const Ran run(source);
    ASSERT_TRUE(run.last().error && run.last().error->raised) << source;
    EXPECT_EQ(run.last().error->raised->type, "TypeError") << source;
    EXPECT_TRUE(run.last().error->raised->parser) << source;
  }
}

TEST(Evaluate, BytesReadAsAnotherDtypeAreOtherElements) {
  const auto changes = [](const char* source) {
    const Ran ran(source);
    EXPECT_EQ(ran.error(), "");
    return std::any_of(ran.last().changed.begin(), ran.last().changed.end(),
                       [](const Change& change) { return change.name == "z" && change.values; });
  };
  EXPECT_TRUE(changes("z = np.ones(2, np.complex64)\nz.dtype = np.int64"));
  EXPECT_TRUE(changes("z = np.ones(2, np.int64)\nz.dtype = np.complex64"));
  EXPECT_TRUE(changes("z = np.ones(2, np.int64)\nz.dtype = np.float64"));
  EXPECT_FALSE(changes("z = np.ones(2, np.int64)\nz.dtype = np.uint64"));
}

TEST(Evaluate, ANameImportedWithAllOthersIsNotLookedFor) {
  EXPECT_TRUE(evaluate("from torch import *\nfrom math import *\nx = 1").diagnostics.empty());
}

TEST(Evaluate, AnAttributeIsSetWhereverItStandsAmongTheTargets) {
  const Ran ran("a = np.zeros(6)\nb = np.zeros(6)\na.shape = b.shape = (2, 3)");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.layout("a") + " " + ran.layout("b"), "(2, 3):(24, 8)+0 (2, 3):(24, 8)+0");
}

TEST(Evaluate, AnAugmentedNameShowsWhatItHoldsNow) {
  const Ran run("n = 0\nn += 2\nx = torch.ones(2)\nn *= x\nx += 1\nt = (1,)\nt += (2,)\nx[0] += 1");
  const auto value = [&](int step) { return to_string(run.step(step).value); };
  EXPECT_EQ(value(1), "2");
  EXPECT_EQ(run.step(1).targets, std::vector<std::string>{"n"});
  EXPECT_EQ(relation(run.step(3)), Relation::fresh);
  EXPECT_EQ(run.step(3).targets, std::vector<std::string>{"n"});
  EXPECT_EQ(value(6), "(1, 2)");
  for (const int write : {4, 7}) {
    EXPECT_EQ(value(write), "None");
    EXPECT_EQ(run.step(write).changed[0].name, "x") << "what is written into is told as a change";
  }
}

TEST(Evaluate, SaysWhatEachNameOfAStatementIs) {
  const auto bound = [](const char* source) { return bound_text(Ran(source).last()); };
  EXPECT_EQ(bound("x, y = torch.zeros(2, 2)"), "x (2,):(1,)+0  y (2,):(1,)+2");
  EXPECT_EQ(bound("x = y = torch.zeros(2)"), "x (2,):(1,)+0  y (2,):(1,)+0");
  EXPECT_EQ(bound("a, b = 1, 'c'"), "a 1  b 'c'");
  for (const char* plain : {"x = torch.zeros(2)", "x = y = 5", "x, y = 1, 2, 3", "x, *y = 1, 2, 3"})
    EXPECT_EQ(bound(plain), "") << plain;
}

}  // namespace
}  // namespace stridescope
