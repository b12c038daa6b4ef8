#include <gtest/gtest.h>

#include "lang/ast.h"

namespace stridescope {
namespace {

/// The reasons of a program's diagnostics, by id.
std::vector<Msg> reasons(std::string_view source) {
  std::vector<Msg> result;
  for (const Diagnostic& diagnostic : parse(source).diagnostics) result.push_back(diagnostic.reason.id);
  return result;
}

/// The source after its only diagnostic's fix.
std::string fixed(std::string_view source) {
  const Program program = parse(source);
  if (program.diagnostics.size() != 1) return std::to_string(program.diagnostics.size()) + " diagnostics";
  const std::optional<Fix>& fix = program.diagnostics[0].hints[0].fix;
  if (!fix) return "no fix";
  std::string text(source);
  return text.replace(static_cast<size_t>(fix->span.begin), static_cast<size_t>(fix->span.end - fix->span.begin),
                      fix->replacement);
}

std::string_view marked(std::string_view source) {
  const Program program = parse(source);
  if (program.diagnostics.empty()) return "no diagnostic";
  const Span span = program.diagnostics[0].span;
  return source.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin));
}

TEST(Diagnostic, NamesEveryConstructThatIsNotRead) {
  const std::pair<std::string_view, Msg> cases[] = {
      {"break", Msg::lang_loop},
      {"for i in x: y\nelse: break", Msg::lang_loop},
      {"if a:\n  continue", Msg::lang_loop},
      {"a; for b in c: d", Msg::lang_branch},
      {"match a:\n  case 1:\n    b\n  case _:\n    c", Msg::lang_match},
      {"if a: while b: c", Msg::lang_branch},
      {"for x: y", Msg::lang_comprehension},
      {"for x, y: z", Msg::lang_comprehension},
      {"for f() in x: y", Msg::lang_target},
      {"for in x: y", Msg::lang_value_expected},
      {"for x, in: y", Msg::lang_value_expected},
      {"for x $ y: z", Msg::lang_character},
      {"for x in y", Msg::lang_colon},
      {"for x in y:", Msg::lang_no_block},
      {"while: y", Msg::lang_value_expected},
      {"elif c:\n  d\nelse:\n  e", Msg::lang_branch},
      {"a; if b: c", Msg::lang_branch},
      {"if a: if b: c", Msg::lang_branch},
      {"return x", Msg::lang_return},
      {"for i in x:\n  return i", Msg::lang_return},
      {"yield 1", Msg::lang_return},
      {"def f(x):\n  y = yield x", Msg::lang_function},
      {"def f(x):\n  break", Msg::lang_loop},
      {"for i in x:\n  def f(x): break", Msg::lang_loop},
      {"a; def f(): b", Msg::lang_branch},
      {"def f", Msg::lang_parameters},
      {"def f:\n  x", Msg::lang_parameters},
      {"def f(x)\n  x", Msg::lang_colon},
      {"def f(x:\n  x", Msg::lang_unclosed},
      {"def f():", Msg::lang_no_block},
      {"def (x): x", Msg::lang_name},
      {"def if(x): x", Msg::lang_word},
      {"def f(x, x): x", Msg::lang_argument_twice},
      {"def f(x=1, y): x", Msg::lang_parameter_order},
      {"def f(x y): x", Msg::lang_comma},
      {"def f(**x, y): x", Msg::lang_value_expected},
      {"def f(*, *x): x", Msg::lang_name},
      {"def f(/): x", Msg::lang_value_expected},
      {"def f(a, /, /): x", Msg::lang_value_expected},
      {"def f(*a, /): x", Msg::lang_value_expected},
      {"def f(*a, *b): x", Msg::lang_star},
      {"def f(** *a): x", Msg::lang_name},
      {"def f(*): x", Msg::lang_name},
      {"def f(3): x", Msg::lang_name},
      {"def f(x: ): x", Msg::lang_value_missing},
      {"def f(x) -> : x", Msg::lang_value_expected},
      {"lambda x, x: x", Msg::lang_argument_twice},
      {"lambda x", Msg::lang_colon},
      {"lambda x y: x", Msg::lang_unexpected},
      {"lambda x:", Msg::lang_value_missing},
      {"1 + lambda x: x", Msg::lang_lambda},
      {"async def f():\n  pass", Msg::lang_function},
      {"class A(B, C):\n  x = 1", Msg::lang_class},
      {"class A(metaclass=B):\n  x = 1", Msg::lang_class},
      {"class 3:\n  x = 1", Msg::lang_name},
      {"class A(B:\n  x = 1", Msg::lang_unclosed},
      {"class A:\n  return 1", Msg::lang_return},
      {"a; class A: b", Msg::lang_branch},
      {"except ValueError:\n  y\nfinally:\n  z", Msg::lang_branch},
      {"a; with b: c", Msg::lang_branch},
      {"if a: b\nfinally: c", Msg::lang_branch},
      {"try: a\nexcept: b\nexcept c: d", Msg::lang_branch},
      {"try: a\nfinally: b\nelse: c", Msg::lang_branch},
      {"try:\n  x\ny", Msg::lang_no_handler},
      {"try:\n  x\nelse: y", Msg::lang_no_handler},
      {"try: x", Msg::lang_no_handler},
      {"try: x\n  \n  except: y", Msg::lang_no_handler},
      {"try: x\nexcept a as 3: y", Msg::lang_name},
      {"try: x\nexcept a, b: y", Msg::lang_colon},
      {"with a as b", Msg::lang_colon},
      {"with a, : b", Msg::lang_value_expected},
      {"raise ValueError from", Msg::lang_value_missing},
      {"raise x y", Msg::lang_unexpected},
      {"del x + y", Msg::lang_forget},
      {"global x", Msg::lang_forget},
      {"nonlocal x", Msg::lang_forget},
      {"def f():\n  x = 1\n  global x", Msg::lang_forget},
      {"def f():\n  global x.y", Msg::lang_forget},
      {"def f():\n  global x\nglobal y", Msg::lang_forget},
      {"def f():\n  a = 1\n  def g():\n    global x\n  global a", Msg::lang_forget},
      {"@torch.no_grad()", Msg::lang_decorator},
      {"y := 3", Msg::lang_walrus},
      {"x = y := 3", Msg::lang_walrus},
      {"f(a=y := 3)", Msg::lang_walrus},
      {"{'a': y := 3}", Msg::lang_walrus},
      {"[x for x in a if y := x]", Msg::lang_walrus},
      {"assert y := 3", Msg::lang_walrus},
      {"return_ = [lambda: y := 3]", Msg::lang_target},
      {"(y.a := 3)", Msg::lang_target},
      {"((y) := 3)", Msg::lang_target},
      {"[y[0] := 3]", Msg::lang_target},
      {"if f() := 3: x", Msg::lang_target},
      {"[x := 3 for x in a]", Msg::lang_walrus_rebinds},
      {"[[(x := y) for y in a] for x in a]", Msg::lang_walrus_rebinds},
      {"{a for x, b in c if (b := a)}", Msg::lang_walrus_rebinds},
      {"[x for x in (y := a)]", Msg::lang_walrus_iterable},
      {"[x for x in [z for z in a if (y := z)]]", Msg::lang_walrus_iterable},
      {"[x for x in f'{(y := a)}']", Msg::lang_walrus_iterable},
      {"x, y: int = 3, 4", Msg::lang_annotation},
      {"%timeit x.T", Msg::lang_notebook},
      {"%timeit", Msg::lang_notebook},
      {"!pip install torch", Msg::lang_notebook},
      {">>> x = 3", Msg::lang_prompt},
      {"(*a)", Msg::lang_star},
      {"b = *a", Msg::lang_star},
      {"[*a for a in b]", Msg::lang_star},
      {"for *a in b: c", Msg::lang_star},
      {"x[*a:1]", Msg::lang_unexpected},
      {"a, *b, *c = d", Msg::lang_two_stars},
      {"*a, = *b, c = d = **e", Msg::lang_star},
  };
  for (const auto& [source, reason] : cases) EXPECT_EQ(reasons(source), std::vector{reason}) << source;
}

TEST(Diagnostic, SaysWhatCannotBeRead) {
  const std::pair<std::string_view, Msg> cases[] = {
      {"x = torch.arange(", Msg::lang_unclosed},
      {"x[1:", Msg::lang_unclosed},
      {"x = (1, [2, 3)", Msg::lang_unclosed},
      {"f'{x'", Msg::lang_unclosed},
      {"f'{x[}'", Msg::lang_unclosed},
      {"f'{x:{y}'", Msg::lang_unclosed},
      {"f'}'", Msg::lang_lone_brace},
      {"f'{}'", Msg::lang_empty_field},
      {"f'{ }'", Msg::lang_empty_field},
      {"f'{:5}'", Msg::lang_value_expected},
      {"f'{x!q}'", Msg::lang_conversion},
      {"f'{x!}'", Msg::lang_conversion},
      {"f'{x y}'", Msg::lang_unexpected},
      {"f'{x + }'", Msg::lang_value_missing},
      {"f'{x:{y z}}'", Msg::lang_unexpected},
      {"f'{x:}}'", Msg::lang_lone_brace},
      {"assert", Msg::lang_value_missing},
      {"assert x,", Msg::lang_value_missing},
      {"assert x y", Msg::lang_unexpected},
      {"del", Msg::lang_value_missing},
      {"del x,", Msg::lang_value_missing},
      {"x: = 3", Msg::lang_value_expected},
      {"x)", Msg::lang_unopened},
      {"x = (1]", Msg::lang_unclosed},
      {"x.", Msg::lang_member},
      {"x.3", Msg::lang_unexpected},
      {"x.(2)", Msg::lang_member},
      {"x =", Msg::lang_value_missing},
      {"x = 1 +", Msg::lang_value_missing},
      {"f(a, , b)", Msg::lang_value_missing},
      {"x[]", Msg::lang_value_missing},
      {"x = )", Msg::lang_unopened},
      {"* 3", Msg::lang_star},
      {"= 3", Msg::lang_value_expected},
      {"x = /", Msg::lang_value_expected},
      {"x = if", Msg::lang_value_expected},
      {"lambda = 3", Msg::lang_name},
      {"f(in=3)", Msg::lang_word},
      {"import", Msg::lang_name},
      {"import torch as", Msg::lang_name},
      {"import for", Msg::lang_word},
      {"from torch", Msg::lang_import},
      {"f(a b)", Msg::lang_comma},
      {"[1 2]", Msg::lang_comma},
      {"print x", Msg::lang_unexpected},
      {"x y = 3", Msg::lang_unexpected},
      {"(a = 3)", Msg::lang_equals},
      {"f(x.y = 3)", Msg::lang_equals},
      {"f(x) = 3", Msg::lang_target},
      {"a + b = 3", Msg::lang_target},
      {"None = 3", Msg::lang_target},
      {"a, 1 = 3", Msg::lang_target},
      {"(a, b) += 1", Msg::lang_target},
      {"x -> y", Msg::lang_arrow},
      {"a && b", Msg::lang_operator},
      {"!x", Msg::lang_notebook},
      {"a = !x", Msg::lang_operator},
      {"a === b", Msg::lang_operator},
      {"a if b", Msg::lang_else},
      {"[a for in b]", Msg::lang_comprehension},
      {"[a for b c]", Msg::lang_comprehension},
      {"f(a=1, 2)", Msg::lang_argument_order},
      {"f(**a, 2)", Msg::lang_argument_order},
      {"f(**a, *b)", Msg::lang_argument_order},
      {"{'a': }", Msg::lang_value_missing},
      {"{'a': 1 'b': 2}", Msg::lang_comma},
      {"{**a for a in b}", Msg::lang_unexpected},
      {"{'a': 1, b for b in c}", Msg::lang_key},
      {"{'a': 1, b}", Msg::lang_key},
      {"{1, 'a': 1}", Msg::lang_unexpected},
      {"{1, **a}", Msg::lang_unexpected},
      {"{*a for a in b}", Msg::lang_star},
      {"{1, 2 for a in b}", Msg::lang_unexpected},
      {"f(a=1, a=2)", Msg::lang_argument_twice},
      {"'abc", Msg::lang_string},
      {"b'a\u00e9'", Msg::lang_bytes},
      {"\"\"\"abc", Msg::lang_string},
      {"9223372036854775808", Msg::lang_integer_range},
      {"0x8000000000000000", Msg::lang_integer_range},
      {"12ab", Msg::lang_number},
      {"0x", Msg::lang_number},
      {"0b12", Msg::lang_number},
      {"1__0", Msg::lang_number},
      {"1_", Msg::lang_number},
      {"017", Msg::lang_number},
      {"1e", Msg::lang_number},
      {"1_.5", Msg::lang_number},
      {"x = 1 $ 2", Msg::lang_character},
      {std::string_view("x\0y", 3), Msg::lang_character},
      {"x = \xff", Msg::lang_byte},
      {"x = 1 \\ 2", Msg::lang_backslash},
      {"x = \u201cfloat\u201d", Msg::lang_lookalike},
      {"x\uff0cy = 1", Msg::lang_lookalike},
      {"x\u00a0= 1", Msg::lang_character},
      {"x = \U0001F600", Msg::lang_character},
      {"a = 1\n  b = 2", Msg::lang_indent},
      {"if a:\n  b\n    c", Msg::lang_indent},
      {"if a:\n    b\n  c", Msg::lang_indent},
      {"if a\n  b\nelse:\n  c", Msg::lang_colon},
      {"if a b:\n  c", Msg::lang_colon},
      {"if a:\n  b\nelse c:\n  d", Msg::lang_colon},
      {"if a:\nb", Msg::lang_no_block},
      {"if a:  # nothing", Msg::lang_no_block},
      {"if a:\n  b\nelse:\nc", Msg::lang_no_block},
      {"if :\n  b", Msg::lang_value_expected},
      {"x = a if b $ c", Msg::lang_character},
      {"[i for 5 in x]", Msg::lang_comprehension},
      {"[i for x.y in z]", Msg::lang_comprehension},
      {"[i for (a in x]", Msg::lang_unclosed},
      {"[i for (a b) in x]", Msg::lang_comma},
      {"[i for a $ x]", Msg::lang_character},
      {"[i for i in x if ]", Msg::lang_value_missing},
      {"[i for i in x y]", Msg::lang_comma},
      {"f(a=i for i in x)", Msg::lang_unexpected},
      {"f(*i for i in x)", Msg::lang_unexpected},
      {"f(i for i x)", Msg::lang_comprehension},
      {"x[1, /]", Msg::lang_value_expected},
      {"[a, b] += 1", Msg::lang_target},
      {"from x import (a b)", Msg::lang_comma},
      {"0x1_g", Msg::lang_number},
      {"0xA_", Msg::lang_number},
      {"a not b", Msg::lang_unexpected},
  };
  for (const auto& [source, reason] : cases)
    EXPECT_EQ(reasons(source), std::vector{reason}) << source << "\n" << dump(parse(source));
}

TEST(Diagnostic, ACharacterThatCannotBeSeenIsToldByItsNumber) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"x = \u2003", "U+2003"},         {"x = \u2010", "\u2010"}, {"x = \u2028", "U+2028"},
      {"x = \u2070", "\u2070"},         {"x = \u3000", "U+3000"}, {"x = \ufeff", "U+FEFF"},
      {"x = \x01", "U+0001"},           {"x = \x7f", "U+007F"},   {"x = \u00a0", "U+00A0"},
      {"x = \U0001F600", "\U0001F600"}, {"x = $", "$"},           {"x = \U000E0001", "U+0E0001"}};
  for (const auto& [source, told] : cases)
    EXPECT_NE(plain(parse(source).diagnostics.at(0).reason, Language::english).find(told), std::string::npos)
        << source << ": " << plain(parse(source).diagnostics.at(0).reason, Language::english);
}

TEST(Diagnostic, TellsOfDepthWhereverItIsReached) {
  const auto reason = [](int depth, const std::string& inside) -> std::optional<Msg> {
    const auto n = static_cast<size_t>(depth);
    const auto list = reasons(std::string(n, '(') + inside + std::string(n, ')'));
    return list.empty() ? std::nullopt : std::optional(list.at(0));
  };
  int deepest = 0;
  while (!reason(deepest + 1, "1")) ++deepest;
  EXPECT_EQ(reason(deepest + 1, "1"), Msg::lang_depth);
  for (const char* inside : {"1 if 2 else 3", "f'{1}'"}) {
    EXPECT_EQ(reason(deepest, inside), Msg::lang_depth) << inside;
    EXPECT_EQ(reason(deepest - 3, inside), std::nullopt) << inside;
  }
}

TEST(Diagnostic, PointsAtTheBracketThatWasOpened) {
  EXPECT_EQ(marked("x = torch.arange(3\ny = 4"), "(");
  EXPECT_EQ(parse("x = f(a[0)").diagnostics[0].span, (Span{7, 8}));
}

TEST(Diagnostic, OffersAFixThatMakesTheLineReadable) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"x = torch.arange(12", "x = torch.arange(12)"},
      {"x = torch.arange(12  # twelve\ny = 3", "x = torch.arange(12)  # twelve\ny = 3"},
      {"x = f(g([1, 2", "x = f(g([1, 2]))"},
      {"x = f(a[0).T", "x = f(a[0]).T"},
      {"x = f(1,\n  2\ny = 3", "x = f(1,\n  2)\ny = 3"},
      {"x = 3)", "x = 3"},
      {"x.view(2 3)", "x.view(2, 3)"},
      {"f((a = 3))", "f((a == 3))"},
      {"x.T -> (3, 2)", "x.T # -> (3, 2)"},
      {"a && b", "a and b"},
      {"a = !b", "a = not b"},
      {"'abc", "'abc'"},
      {"f'a}'", "f'a}}'"},
      {">>> x = 3", "x = 3"},
      {"%timeit -n 100 -r3 -q x.T.sum()", "x.T.sum()"},
      {"%time y = x.T", "y = x.T"},
      {"x = 1\n%matplotlib inline\ny = 2", "x = 1\n\ny = 2"},
      {"!pip install torch -U", ""},
      {"%time", ""},
      {"a = 1\n\t b = 2", "a = 1\nb = 2"},
      {"x\uff0ey\uff082\uff0c 3\uff09", "x.y(2, 3)"},
      {"x = torch.zeros\uff082\uff0c '\uff0c'\uff09  # \uff0c", "x = torch.zeros(2, '\uff0c')  # \uff0c"},
      {"f(\u201ca\u201d)", "f(\"a\")"},
      {"x\u3000= 1", "x = 1"},
      {"x = 1 $", "x = 1 "},
  };
  for (const auto& [source, expected] : cases) {
    EXPECT_EQ(fixed(source), expected);
    EXPECT_TRUE(parse(fixed(source)).diagnostics.empty()) << source << " -> " << fixed(source);
  }
}

TEST(Diagnostic, WhatANotebookTimesIsKept) {
  const auto hint = [](std::string_view source) { return parse(source).diagnostics.at(0).hints.at(0).message.id; };
  EXPECT_EQ(hint("%timeit x.T"), Msg::hint_lang_timed);
  EXPECT_EQ(hint("%timeit"), Msg::hint_lang_notebook);
  EXPECT_EQ(hint("!ls"), Msg::hint_lang_notebook);
}

TEST(Diagnostic, HasAHintInEveryCase) {
  for (const char* source :
       {"x.", "f(", "f(a b)", "1 = 2", "for", "{}", "x y", "'", "\x01", "0x", "a\n b", "x = \uff08", "->"}) {
    for (const Diagnostic& diagnostic : parse(source).diagnostics) {
      ASSERT_FALSE(diagnostic.hints.empty()) << source;
      EXPECT_FALSE(plain(diagnostic.hints[0].message, Language::chinese).empty());
    }
  }
}

TEST(Diagnostic, QuotesNoMoreThanABit) {
  const std::string name(5000, 'a');
  for (const std::string& source :
       {"x " + name, "f(x) " + name, name + "() = 1", "1" + name, "import " + name + " " + name}) {
    ASSERT_EQ(parse(source).diagnostics.size(), 1u);
    EXPECT_LT(plain(parse(source).diagnostics[0].reason, Language::english).size(), 200u);
  }
}

TEST(Recovery, LinesAfterAMistakeAreReadAsUsual) {
  for (const char* broken : {"x = torch.arange(", "x.", "x[1:", "x = 'a", "x = f(1, 2 3)", "y y y",
                             "async for i in x:\n  z = 3\n\n  w = i", "x = (1,\n  2", "x = f(\n  a,\n  b[0\n)",
                             "class f(a, b):\n  '''doc'''\n  if a:\n    b\n  return 1", "x = \"\"\"a", "\uff08",
                             "  x = 1", "@d", "elif a:\n  b\nelse:\n  c", "x = f(1 2,\n  3,\n)", "x = [1, 2\n  3]"}) {
    const std::string source = "a = 1\n" + std::string(broken) + "\nb = f(a, [2])\nc = b.T\n";
    const Program program = parse(source);
    const std::string text = dump(program);
    EXPECT_EQ(program.statements.size(), 4u) << source << text;
    EXPECT_EQ(program.diagnostics.size(), 1u) << source << text;
    EXPECT_TRUE(text.starts_with("a = 1\nerror: ")) << text;
    EXPECT_TRUE(text.ends_with("\nb = f(a, [2])\nc = b.T")) << text;
  }
}

TEST(Recovery, AnUnsupportedBlockIsOneStatement) {
  const std::string_view source = "async for x:\n    x = 1\n\n    # c\n    y = 2\nelse:\n  z = (1,\n2)\nw = 3";
  const Program program = parse(source);
  ASSERT_EQ(program.statements.size(), 2u);
  EXPECT_EQ(program.statements[0].span, (Span{0, static_cast<int32_t>(source.find("\nw"))}));
  EXPECT_EQ(program.statements[0].diagnostic, 0);
}

}  // namespace
}  // namespace stridescope
