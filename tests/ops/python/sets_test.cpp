// Sets, and values that := gives a name. What Python answers, the order of sets above all, is recorded in tests/oracle.
#include <gtest/gtest.h>

#include "ops/program.h"
#include "ops/python/completion.h"
#include "stridescope.h"

namespace stridescope {
namespace {

TEST(Sets, AStepShowsOneAsItWasThen) {
  const Ran run("s = {3, 1}\nt = s\nt.add(2)\ns\nf = frozenset(s)\ns -= {1}\ns\nf\nset(), frozenset()");
  EXPECT_EQ(to_string(run.step(0).value), "{1, 3}");
  EXPECT_EQ(to_string(run.step(3).value), "{1, 2, 3}");
  EXPECT_EQ(to_string(run.step(6).value), "{2, 3}");
  EXPECT_EQ(to_string(run.step(7).value), "frozenset({1, 2, 3})");
  EXPECT_EQ(run.value(), "(set(), frozenset())");
}

TEST(Sets, TensorsAreInThemByIdentity) {
  const Ran run(
      "x = torch.ones(2)\ny = x.view(2)\ns = {x, x, y}\nlen(s)\nx in s\nx.clone() in s\nlen({t.data_ptr() for t in "
      "s})");
  EXPECT_EQ(to_string(run.step(3).value), "2");
  EXPECT_EQ(to_string(run.step(4).value), "True");
  EXPECT_EQ(to_string(run.step(5).value), "False");
  EXPECT_EQ(run.error(), "ours") << "in which order it is gone through, nobody knows";
  EXPECT_EQ(Ran("x = torch.ones(2)\nlen({t.data_ptr() for t in [x, x.view(2), x.clone()]})").value(), "2");
  EXPECT_EQ(Ran("x = torch.ones(2)\ns = {x}\nx.add_(1)").step(1).names.size(), 1U) << "s gives it no other name";
}

TEST(Sets, WhatHangsOnAnOrderThatIsDrawnIsRefused) {
  const std::string setup =
      "s = {'a', 'b'}\nx, y = torch.ones(1), torch.ones(1)\nt = {x, y}\nu = {1, 9, 'a'}\nu.remove('a')\n";
  for (const char* line : {"list(s)",
                           "f'{s}'",
                           "str(t)",
                           "s.pop()",
                           "[v for v in s]",
                           "a, b = s",
                           "(*s,)",
                           "','.join(s)",
                           "list(s | {1})",
                           "list(u)",
                           "enumerate(s)",
                           "iter(t)",
                           "sorted(t)",
                           "sorted(s, key=len)",
                           "max(s, key=len)",
                           "hash('a')",
                           "hash(('a', 1))",
                           "torch.stack(list(t))",
                           "dict.fromkeys(s)",
                           "list(map(len, s))"})
    EXPECT_EQ(Ran(setup + line).error(), "ours") << line;
  EXPECT_EQ(Ran(setup + "for v in s: v").step(5).error->reason.id, Msg::set_order);
  const std::pair<const char*, const char*> known[] = {{"sorted(s)", "['a', 'b']"},
                                                       {"min(s), max(s)", "('a', 'b')"},
                                                       {"len(s | t)", "4"},
                                                       {"'a' in s", "True"},
                                                       {"s == {'b', 'a'}", "True"},
                                                       {"list(s & {'a'})", "['a']"},
                                                       {"any(s)", "True"},
                                                       {"list({*u, 2} & {2})", "[2]"},
                                                       {"sorted({('b', 1), ('a', 2)})", "[('a', 2), ('b', 1)]"},
                                                       {"s < s | {1}", "True"}};
  for (const auto& [line, value] : known) EXPECT_EQ(Ran(setup + line).value(), value) << line;
}

TEST(Sets, WhatARefusedLineWouldChangeIsNotKnownBelowIt) {
  for (const char* line :
       {"s.pop()", "v = s.pop()", "s.add(float('nan'))", "s.update([float('nan')])", "s |= {float('nan')}"})
    EXPECT_EQ(Ran(std::string("s = {'a', 'b'}\n") + line + "\nlen(s)").error(), "ours") << line;
  EXPECT_EQ(Ran("s = {'a', 'b'}\nlist(s)\nlen(s)").value(), "2");
  EXPECT_EQ(Ran("s = {1}\nwith open('x') as u:\n  s.add(2)\nlen(s)").error(), "ours");
}

TEST(Sets, NoneHoldsItselfOrGrowsWithoutBound) {
  const std::string object = "class A:\n  pass\na = A()\n";
  EXPECT_EQ(Ran(object + "s = set()\na.s = s\ns.add(a)").error(), "ours");
  EXPECT_EQ(Ran(object + "s = {a}\na.s = s").error(), "ours");
  EXPECT_EQ(Ran(object + "s = set()\na.s = (s,)\ns |= {a}").error(), "ours");
  EXPECT_EQ(Ran("set(range(4096)) | set(range(-9, 0))").error(), "ours");
  EXPECT_EQ(Ran("s = set(range(4096))\ns.add(-1)").error(), "ours");
  EXPECT_EQ(Ran("s = set(range(4096))\ns.add(1)\nlen(s)").value(), "4096");
  EXPECT_EQ(Ran("s = set(range(4096))\ns ^= set(range(-9, 0))").error(), "ours");
  const Ran bounded("t = [set(range(4000)) for i in range(9)]\nlen(t)");
  EXPECT_EQ(bounded.error(), "ours");
}

TEST(Sets, CompletionHasTheirMethods) {
  const auto has = [](const char* source, const std::string& name) {
    const auto items = completions_at(source, static_cast<int64_t>(std::string(source).size())).items;
    return std::any_of(items.begin(), items.end(), [&](const Completion& item) { return item.text == name; });
  };
  EXPECT_TRUE(has("s = {1}\ns.", "symmetric_difference"));
  EXPECT_TRUE(has("s = {1}\ns.", "add"));
  EXPECT_FALSE(has("s = frozenset()\ns.", "add"));
  EXPECT_TRUE(has("s = frozenset()\ns.", "union"));
}

TEST(Sets, AssertionsHoldWhatTheyHold) {
  const std::string text = assertions(evaluate("s = {1, 'a'}\nx = torch.ones(2)\nt = {x}\nfrozenset([2])\nset()"));
  EXPECT_NE(text.find("assert s == {1, 'a'}\n"), std::string::npos) << text;
  EXPECT_NE(text.find("assert _ == frozenset({2})\n"), std::string::npos);
  EXPECT_NE(text.find("assert _ == set()\n"), std::string::npos);
  EXPECT_EQ(text.find("assert t =="), std::string::npos);
}

TEST(Named, AValueKeepsItsName) {
  const Ran run("x = torch.arange(6)\nif (n := x.numel()) > 3:\n  y = (w := x.view(2, 3)).t()\nn\nw");
  EXPECT_EQ(run.layout("w"), "(2, 3):(3, 1)+0");
  EXPECT_EQ(run.layout("y"), "(3, 2):(1, 3)+0");
  ASSERT_EQ(run.step(1).named_inside.size(), 1U);
  EXPECT_EQ(bound_text(run.step(1)), "n 6  True");
  EXPECT_EQ(bound_text(run.step(2)), "w (2, 3):(3, 1)+0  y (3, 2):(1, 3)+0");
  EXPECT_EQ(to_string(run.step(3).value), "6");
}

TEST(Named, ItIsOfTheScopeAround) {
  EXPECT_EQ(Ran("[(k := i) for i in range(3)]\nk").value(), "2");
  EXPECT_EQ(Ran("def f():\n  return [k := i for i in range(3)], k\nk = 9\nf(), k").value(), "(([0, 1, 2], 2), 9)");
  EXPECT_EQ(Ran("k = 9\ng = lambda v: (k := v) + k\ng(2), k").value(), "(4, 9)");
  EXPECT_EQ(Ran("def f():\n  print(k)\n  if k := 1: pass\nk = 2\nf()").error(),
            "UnboundLocalError: cannot access local variable 'k' where it is not associated with a value");
  EXPECT_EQ(Ran("any((w := v) > 1 for v in [1, 2, 3])\nw").value(), "2");
}

TEST(Named, NothingIsNestedWithoutBound) {
  for (const char* made : {"(t,)", "[t]", "frozenset([t])", "{1: t}", "(lambda: t)", "{(t, 1)}"})
    EXPECT_NE(Ran(std::string("t = ()\n[t := ") + made + " for i in range(9000)]").error(), "") << made;
  EXPECT_EQ(Ran("a = []\n[(b := [], b.append(a), (a := b)) for i in range(9000)]").error(), "ours");
}

TEST(Named, WhatFailsBehindItLeavesIt) {
  EXPECT_EQ(Ran("y = (a := torch.ones(2)) + torch.ones(3)\na.shape").value(), "torch.Size([2])");
  EXPECT_EQ(Ran("y = torch.ones(2) + torch.ones(3) + (a := 1)\na").error(), "NameError: name 'a' is not defined");
  EXPECT_EQ(Ran("y = unknown_thing() or (a := 1)\na").error(), "NameError: name 'a' is not defined");
  const Ran changed("x = torch.ones(2)\n(x := torch.zeros(3))");
  EXPECT_TRUE(changed.step(1).changed.empty()) << "it is another tensor, not a changed one";
}

}  // namespace
}  // namespace stridescope
