// Dictionaries: objects that every name for them sees change, and that a step shows as they were then. What Python
// answers is recorded in tests/oracle.
#include <gtest/gtest.h>

#include "ops/program.h"
#include "stridescope.h"

namespace stridescope {
namespace {

TEST(Dictionaries, AStepShowsOneAsItWasThen) {
  const Ran run("d = {'a': 1, 'e': {}}\nk = d.keys()\ne = d\ne['b'] = 2\nd['e']['x'] = 3\nd\nk");
  EXPECT_EQ(to_string(run.step(0).value), "{'a': 1, 'e': {}}");
  EXPECT_EQ(to_string(run.step(1).value), "dict_keys(['a', 'e'])");
  EXPECT_EQ(to_string(run.step(2).value), "{'a': 1, 'e': {}}");
  EXPECT_EQ(to_string(run.step(5).value), "{'a': 1, 'e': {'x': 3}, 'b': 2}");
  EXPECT_EQ(run.value(), "dict_keys(['a', 'e', 'b'])");
}

TEST(Dictionaries, TheirTensorsAreFollowed) {
  const Ran run("x = torch.arange(6).view(2, 3)\nd = {'w': x, 1: x.t()}\nd['w'].t_()\nd['v'] = x[0]\nd.pop(1)");
  EXPECT_EQ(run.step(1).names.size(), 3U);
  EXPECT_EQ(run.step(1).names[2].name, "d[1]");
  EXPECT_EQ(run.step(2).changed.size(), 2U) << "x and d['w']";
  EXPECT_EQ(run.layout("x"), "(3, 2):(1, 3)+0");
  EXPECT_EQ(run.layout("d['w']"), run.layout("x"));
  EXPECT_EQ(run.layout("d['v']"), "(2,):(3,)+0");
  EXPECT_EQ(run.layout("d[1]"), "nothing");
  EXPECT_EQ(to_string(run.step(1).value), "{'w': tensor (2, 3):(3, 1)+0, 1: tensor (3, 2):(1, 3)+0}");
}

TEST(Dictionaries, AFailedWriteLeavesThem) {
  EXPECT_EQ(Ran("d = {'a': 1}\nd[[]] = 2\nd").value(), "{'a': 1}");
  EXPECT_EQ(Ran("d = {'a': 1}\nd['a'], d['b'] = 5\nd").value(), "{'a': 1}");
  EXPECT_EQ(Ran("d = {'a': 1}\ndef f(): d['b'] = 1 // 0\nf()\nd").value(), "{'a': 1}");
  EXPECT_EQ(Ran("def f(d):\n  for k in d: d[k + 'x'] = 1\nf({'a': 1, 'b': 2})").error(),
            "RuntimeError: dictionary changed size during iteration");
  EXPECT_EQ(Ran("d = {'a': 1, 'b': 2}\n[d.pop(k) for k in d]").error(),
            "RuntimeError: dictionary changed size during iteration");
}

TEST(Dictionaries, WhatIsNotModelledIsRefused) {
  for (const char* line :
       {"{float('nan'): 1}", "{torch.zeros(1): 2}", "{(1, torch.zeros(1)): 2}", "{np.uint64(1): 2}", "{}.fromkeys([1])",
        "{1: 2}.items() ^ {1: 3}.items()", "{1: []}.items() == {1: 3}.items()",
        "x = torch.zeros(1)\n{1: x} == {1: x + 1}", "torch.zeros(2, **{1: 2})", "dict([torch.zeros(2)])"})
    EXPECT_EQ(Ran(line).error(), "ours") << line;
}

TEST(Dictionaries, AssertionsHoldWhatTheyHold) {
  const std::string text =
      assertions(evaluate("x = torch.zeros(2)\nd = {'a': x, 1: 2}\nd['b'] = x\ne = {'n': 1.5, 'm': [1]}\n"
                          "{None: 1, 2: 'a'}\ne.keys()"));
  EXPECT_NE(text.find("assert tuple(d['a'].shape) == (2,)"), std::string::npos) << text;
  EXPECT_NE(text.find("\nd['b'] = x\n"), std::string::npos);
  EXPECT_NE(text.find("assert _ == {None: 1, 2: 'a'}\n"), std::string::npos);
  EXPECT_EQ(text.find("dict_keys"), std::string::npos);
}

}  // namespace
}  // namespace stridescope
