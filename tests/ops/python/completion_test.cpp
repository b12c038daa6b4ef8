#include "ops/python/completion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "ops/trace.h"

namespace stridescope {
namespace {

struct Marked {
  explicit Marked(std::string text) : source(std::move(text)), position(static_cast<int64_t>(source.find('|'))) {
    source.erase(static_cast<size_t>(position), 1);
  }
  std::string source;
  int64_t position;
};

Completions completions(const std::string& marked) {
  const Marked at(marked);
  return completions_at(at.source, at.position);
}

std::optional<CallHelp> help(const std::string& marked) {
  const Marked at(marked);
  return call_help_at(at.source, at.position);
}

const Completion* find(const Completions& made, std::string_view text) {
  const auto found =
      std::find_if(made.items.begin(), made.items.end(), [&](const Completion& item) { return item.text == text; });
  return found == made.items.end() ? nullptr : &*found;
}

bool offers(const std::string& marked, std::string_view text) { return find(completions(marked), text) != nullptr; }

TEST(Completion, AfterADotTheMembersOfThatValueAndNoOthers) {
  EXPECT_TRUE(offers("from collections import namedtuple\ns = namedtuple('S', 'rows columns')(1, 2)\ns.|", "columns"));
  EXPECT_TRUE(offers("torch.arange(3).sort().|", "indices"));
  EXPECT_TRUE(offers("it = np.nditer(np.arange(3))\nit.|", "multi_index"));
  EXPECT_TRUE(offers("it = np.nditer(np.arange(3))\nit.|", "iternext"));
  EXPECT_TRUE(offers("x = torch.arange(6)\nx.|", "permute"));
  EXPECT_TRUE(offers("x = torch.arange(6)\nx.|", "T"));
  EXPECT_FALSE(offers("x = torch.arange(6)\nx.|", "flags"));
  EXPECT_TRUE(offers("a = np.arange(6)\na.|", "flags"));
  EXPECT_FALSE(offers("a = np.arange(6)\na.|", "permute"));
  EXPECT_TRUE(offers("a = np.arange(6)\na.flags.|", "c_contiguous"));
  EXPECT_TRUE(offers("x = torch.arange(6)\nx.view(2, 3).t().|", "contiguous"));
  EXPECT_TRUE(offers("x = torch.arange(6)\nx.shape.|", "numel"));
  EXPECT_TRUE(completions("n = 3\nn.|").items.empty());
  EXPECT_TRUE(completions("x = torch.arange(6).view(4)\nx.|").items.empty());
}

TEST(Completion, OfClassesWhatTheyAreMadeFrom) {
  const std::string classes = "class Mine: n = 1\nLine = torch.nn.Linear\n";
  const Completions made = completions(classes + "Lin|");
  const Completion* const line = find(made, "Line");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->kind, Completion::Kind::function) << "PyTorch's are rows of the table";
  const Completions own = completions(classes + "Min|");
  const Completion* const mine = find(own, "Mine");
  ASSERT_TRUE(mine);
  EXPECT_EQ(mine->kind, Completion::Kind::variable);
  EXPECT_TRUE(offers(classes + "Line(2, 3, |)", "bias="));
  EXPECT_FALSE(offers(classes + "Line(2, 3, |)", "in_features="));
  EXPECT_TRUE(help(classes + "Line(2, |)"));
  EXPECT_FALSE(help(classes + "Mine(2, |)"));
}

TEST(Completion, InALoopWhatItsRoundsHave) {
  EXPECT_TRUE(offers("for row in torch.zeros(2, 3):\n  r|", "row"));
  EXPECT_TRUE(offers("for row in torch.zeros(2, 3):\n  row.|", "permute"));
}

TEST(Completion, InAFunctionWhatItsLastCallHas) {
  const std::string calls = "\nf(np.zeros(3))\nf(torch.zeros(2, 3))";
  EXPECT_TRUE(offers("def f(x):\n  y = x\n  y.|\n  return y" + calls, "permute"));
  EXPECT_FALSE(offers("def f(x):\n  y = x\n  y.|\n  return y" + calls, "flags"));
  EXPECT_TRUE(offers("def f(x):\n  return x.|" + calls, "permute"));
  EXPECT_TRUE(offers("def f(x):\n  def g(y):\n    return y.|\n  return g(x)" + calls, "permute"));
  EXPECT_EQ(find(completions("def f(x):\n  |" + calls), "x")->detail, "tensor (2, 3):(3, 1)+0");
  EXPECT_TRUE(help("def f(x):\n  x.view(|" + calls).has_value());
  EXPECT_TRUE(offers("def f(width, *, y):\n  high = 3\n  |", "width")) << "not called";
  EXPECT_TRUE(offers("def f(width, *, y):\n  high = 3\n  |", "high"));
  EXPECT_FALSE(offers("def f(width): high = 3\n|", "high"));
  EXPECT_TRUE(offers("@torch.|\ndef f(x): return x", "no_grad"));
}

TEST(Completion, AfterAModuleItsFunctionsSubmodulesAndConstants) {
  EXPECT_EQ(find(completions("torch.|"), "arange")->kind, Completion::Kind::function);
  EXPECT_EQ(find(completions("torch.|"), "float32")->kind, Completion::Kind::constant);
  EXPECT_EQ(find(completions("np.|"), "lib")->kind, Completion::Kind::module);
  EXPECT_TRUE(offers("np.lib.stride_tricks.|", "as_strided"));
  EXPECT_TRUE(offers("import numpy as nn\nnn.|", "arange"));
  EXPECT_FALSE(offers("torch.|", "concatenate.x"));
  EXPECT_TRUE(offers("import math\nmath.p|", "pi"));
}

TEST(Completion, OnlyNamesThatBeginWithWhatIsTyped) {
  const Completions made = completions("x = torch.arange(6)\nx.PERM|");
  ASSERT_FALSE(made.items.empty());
  for (const Completion& item : made.items) EXPECT_EQ(item.text.substr(0, 4), "perm");
  EXPECT_EQ(made.replaced, (Span{22, 26}));
}

TEST(Completion, WhatMakesAnotherLayoutComesBeforeWhatComputes) {
  const auto first = [](const std::string& marked) {
    const Completions made = completions(marked);
    return made.items.empty() ? "" : made.items.front().text;
  };
  EXPECT_EQ(first("x = torch.arange(6)\nx.re|"), "reshape");
  EXPECT_EQ(first("x = torch.arange(6)\nx.|"), "view");
  EXPECT_EQ(first("x = torch.arange(6)\nx.sto|"), "storage_offset");
  EXPECT_EQ(first("a = np.arange(6)\na.re|"), "reshape");
  EXPECT_EQ(first("a = np.arange(6)\na.st|"), "strides");
}

TEST(Completion, NamesAreVariablesTheLatestFirstWithWhatTheyHold) {
  const Completions made = completions("import torch\nx = torch.arange(6)\ny = x.view(2, 3)\nn = 3\n|");
  ASSERT_GE(made.items.size(), 4u);
  EXPECT_EQ(made.items[0].text, "n");
  EXPECT_EQ(made.items[0].detail, "3");
  EXPECT_EQ(made.items[1].text, "y");
  EXPECT_NE(made.items[1].detail.find("(2, 3):(3, 1)+0"), std::string::npos) << made.items[1].detail;
  EXPECT_EQ(made.items[2].text, "x");
  EXPECT_EQ(made.items[3].kind, Completion::Kind::module);
  EXPECT_TRUE(offers("|", "np"));
  EXPECT_TRUE(offers("le|", "len"));
}

TEST(Completion, AVariableIsOfTheKindOfWhatItHolds) {
  const std::string program = "import math\nx = torch.arange(6)\nm = x.view\nf = torch.float32\nz = torch.zeros\n|";
  const Completions made = completions(program);
  EXPECT_EQ(find(made, "math")->kind, Completion::Kind::module);
  EXPECT_EQ(find(made, "m")->kind, Completion::Kind::variable);
  EXPECT_EQ(find(made, "f")->kind, Completion::Kind::constant);
  EXPECT_EQ(find(made, "z")->kind, Completion::Kind::function);
}

TEST(Completion, LaterLinesAndTheLineItselfBindNothing) {
  EXPECT_FALSE(offers("|\nx = 1", "x"));
  EXPECT_FALSE(offers("x = |", "x"));
  EXPECT_TRUE(offers("x = 1; y = |", "x"));
}

TEST(Completion, InsideACallItsFreeKeywordsFirst) {
  const Completions made = completions("x = torch.arange(6)\nx.transpose(0, |)");
  ASSERT_FALSE(made.items.empty());
  EXPECT_EQ(made.items[0].text, "dim1=");
  EXPECT_EQ(made.items[0].detail, "int");
  EXPECT_FALSE(find(made, "dim0="));
  EXPECT_FALSE(offers("torch.cat([x], dim=0, |)", "dim="));
  EXPECT_FALSE(offers("torch.cat([x, |], dim=0)", "axis="));
}

TEST(Completion, WhereADtypeIsAskedForTheDtypes) {
  EXPECT_EQ(completions("torch.zeros(2, dtype=|)").items.front().text, "torch.bfloat16");
  EXPECT_TRUE(offers("torch.zeros(2, dtype=int|)", "torch.int32"));
  EXPECT_TRUE(offers("import numpy as n\nn.zeros(2, dtype=|)", "n.float64"));
  EXPECT_FALSE(offers("np.zeros(2, dtype=|)", "torch.int32"));
  EXPECT_TRUE(offers("x = torch.zeros(1, 2, 3, 4)\nx.contiguous(memory_format=|)", "torch.channels_last"));
  EXPECT_FALSE(offers("torch.zeros(2, dtype=|)", "torch.channels_last"));
  EXPECT_TRUE(offers("torch.promote_types(|", "torch.int32"));
  EXPECT_FALSE(offers("torch.zeros(2, foo=|)", "torch.int32"));
  EXPECT_FALSE(offers("torch.promote_types(torch.int32, torch.int32, |", "torch.int32"));
}

TEST(CallHelp, NamesTheWaysToWriteTheCallAndTheParameterOfTheCursor) {
  const auto transpose = help("x = torch.arange(6)\nx.transpose(0, |)");
  ASSERT_TRUE(transpose);
  const CallHelp::Way& way = transpose->ways[static_cast<size_t>(transpose->active)];
  EXPECT_EQ(way.form->parameters[static_cast<size_t>(way.parameter)].name, "dim1");
  const auto named = help("np.flip(1, axis=|)");
  ASSERT_TRUE(named);
  EXPECT_EQ(named->ways[0].form->parameters[static_cast<size_t>(named->ways[0].parameter)].name, "axis");
  const auto variadic = help("x = torch.arange(6)\nx.permute(0, 1, |");
  ASSERT_TRUE(variadic);
  EXPECT_EQ(variadic->ways[0].form->parameters[static_cast<size_t>(variadic->ways[0].parameter)].name, "dims");
  EXPECT_EQ(variadic->callee, (Span{20, 29}));
}

TEST(CallHelp, IsOfTheInnermostCallThatIsARow) {
  EXPECT_EQ(help("torch.cat([torch.arange(|), 2])")->ways[0].form->name, "torch.arange");
  EXPECT_EQ(help("torch.cat([torch.arange(3), |])")->ways[0].form->name, "torch.cat");
  EXPECT_EQ(help("torch.cat((len(|")->ways[0].form->name, "torch.cat");
  EXPECT_EQ(help("x = torch.arange(6)\nx[|")->ways[0].form->kind, Form::Kind::subscript);
  EXPECT_FALSE(help("x = torch.arange(6)|"));
  EXPECT_FALSE(help("undefined(|"));
  EXPECT_FALSE(help("n = [1]\nn[|"));
}

TEST(CallHelp, TheActiveWayTakesTheArgumentsGivenSoFar) {
  const auto one = help("torch.arange(|");
  const auto three = help("torch.arange(1, 2, |");
  ASSERT_TRUE(one && three);
  const CallHelp::Way& way = three->ways[static_cast<size_t>(three->active)];
  EXPECT_EQ(way.form->parameters[static_cast<size_t>(way.parameter)].name, "step");
}

TEST(CallHelp, OfASubscriptIsThatOfWhatStandsBeforeIt) {
  for (const char* source : {"np.s_[|", "x = np.arange(6)\nx[|", "x = np.arange(6)\nx.flags[|",
                             "x = torch.arange(6)\nx[|", "pass\nx = = 1\ntorch.arange(|"})
    EXPECT_TRUE(help(source)) << source;
  for (const char* source : {"n = 3\nn[|", "n = 3\nn(|", "n = 'a'\nm[|", "x = torch.arange(6)\nx.shape(|"})
    EXPECT_FALSE(help(source)) << source;
}

TEST(Completion, EveryOperationIsOfferedWhereItCanBeWritten) {
  std::map<std::string, Completions> offered;  // many can be written in the same place
  for (const Form& form : forms()) {
    const bool member = form.name.find('.') == std::string::npos;
    std::string marked;
    if (form.kind == Form::Kind::function)
      marked = "import copy\nimport einops\n" + form.name.substr(0, form.name.rfind('.') + 1) + "|";
    else if ((form.kind == Form::Kind::method || form.kind == Form::Kind::attribute) && member)
      marked = std::string(form.op->library == Library::torch ? "torch" : "np") + ".arange(3).|";
    else
      continue;
    const auto [at, first] = offered.try_emplace(marked);
    if (first) at->second = completions(marked);
    const Completion* item = find(at->second, form.name.substr(form.name.rfind('.') + 1));
    ASSERT_TRUE(item) << form.text;
    EXPECT_NE(std::find(item->forms.begin(), item->forms.end(), &form), item->forms.end()) << form.text;
  }
}

TEST(Completion, IsTotal) {
  const std::string source =
      "import torch\nx = torch.arange(6).view(2, 3)\ny = torch.cat([x, x[0:1]], dim=0)  # \xE4\xBD\xA0\nz = "
      "y.sum(dim=(0, 1)).to(torch.float32)\n";
  for (int64_t position = -3; position < static_cast<int64_t>(source.size()) + 3; ++position) {
    const Completions made = completions_at(source, position);
    EXPECT_LE(made.replaced.begin, made.replaced.end);
    call_help_at(source, position);
    const std::string cut =
        source.substr(0, static_cast<size_t>(std::clamp<int64_t>(position, 0, static_cast<int64_t>(source.size()))));
    completions_at(cut, position);
    call_help_at(cut, position);
  }
  EXPECT_TRUE(completions_at("x\xFF", 1).items.empty());
  EXPECT_TRUE(completions_at(std::string(static_cast<size_t>(max_source_bytes) + 1, 'x'), 5).items.empty());
  EXPECT_FALSE(call_help_at("len(\xFF", 4));
}

}  // namespace
}  // namespace stridescope
