// Whatever the bytes are, there is an answer, and it keeps its promises.
#include <gtest/gtest.h>

#include <random>

#include "lang/promises.h"

namespace stridescope {
namespace {

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(Total, AnyByteAndAnyPairOfBytesHasAnAnswer) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string source = {static_cast<char>(a), static_cast<char>(b)};
      ASSERT_EQ(broken_promise(source), "") << a << " " << b;
    }
  }
}

TEST(Total, EveryPrefixAndEverySuffixOfAProgramHasAnAnswer) {
  const std::string usual =
      "import torch\nfrom numpy.lib.stride_tricks import (as_strided, sliding_window_view as w)\n"
      "x = torch.arange(24, dtype=torch.int64).view(2, 3, -1)  # \u5c3a\u5bf8\n"
      "a, (b, c) = x[0, ..., ::2], 'it\\'s' \"\"\"\n long\"\"\"\n"
      "for i in range(3):\n    y = x[i]\nelse:\n    pass\n"
      "z = sum(i*s for i, s in zip((1, 2), x.stride()) if i is not None); z += 1.5e3\n"
      "v = x.view\uff082, 12\uff09 if a and not b else [\n  1,\n  2,\n]\n";
  const std::string rare =
      "def f(a, /, b: int = 1, *c, d=2, **e) -> int: return (yield a)\n"
      "@wrapped\nclass C(B):\n  'said'\n  n: int = 0_1\n  def g(self): return super().g\n"
      "d = {k: v for k, (v, *w) in x.items() if k}; e = {**d, 'a\\\r\nb': b'c\\\rd', '\\8\\x4\\777': 1__0}\n"
      "with a as b, c: pass\ntry:\n  raise E('x') from None\nexcept (E, F) as g: del d[0], g.h\nfinally: pass\n"
      "f'{x!r:>{w}}{{' + rf'\\{y=}'; z = lambda *a, b=0: a[b:, ...]; w: list[int]; x @= y if z else 0xf_f\n"
      "while not (p := q): break\nassert x, 'm'; global h; v = not -x ** ~y\n";
  for (const std::string& program : {usual, rare})
    for (size_t i = 0; i <= program.size(); ++i) {
      ASSERT_EQ(broken_promise(program.substr(0, i)), "") << program.substr(0, i);
      ASSERT_EQ(broken_promise(program.substr(i)), "") << program.substr(i);
    }
}

TEST(Total, WhatIsNotFinishedOrNotBegunIsAMistakeWhereverItStands) {
  for (const char* source : {"@",
                             "@\nx = 1",
                             "@a\n@b",
                             "@a\n@b\nx = 1",
                             "@(\ndef f(): pass",
                             "def",
                             "def f(a",
                             "def f(a:",
                             "def f(a=)",
                             "def f(a) ->",
                             "def f() -> (: pass",
                             "def f(lambda): pass",
                             "class",
                             "class A(",
                             "class A(B",
                             "lambda (",
                             "lambda a",
                             "lambda a:",
                             "lambda a=: 1",
                             "return (",
                             "raise x from",
                             "raise x from (",
                             "raise (",
                             "x = 1; y = (",
                             "with a as",
                             "with a as (",
                             "with a as b, c as",
                             "with (: pass",
                             "try:\n  x",
                             "try: x\nexcept (: y",
                             "try: x\nexcept A as: y",
                             "try: x\nexcept A as 3: y",
                             "for x in",
                             "for x in: y",
                             "for (x in y: z",
                             "for in y: z",
                             "while",
                             "while (: x",
                             "if x: y\nelif (: z",
                             "else: x",
                             "elif x: y",
                             "del",
                             "del (",
                             "del f()",
                             "import",
                             "import a as",
                             "from a import",
                             "from a import (",
                             "global",
                             "global (",
                             "assert",
                             "assert (",
                             "assert x, (",
                             "f'{'",
                             "f'{x",
                             "f'{x!",
                             "f'{x!q}'",
                             "f'{x:{",
                             "f'{x:{}}'",
                             "f'{}'",
                             "f'a}'",
                             "{1: 2",
                             "{1: 2 for",
                             "{1: 2 for x in",
                             "{1:",
                             "{1: (",
                             "{**",
                             "{**}",
                             "{1, 2",
                             "{x for",
                             "[x for",
                             "[x for in y]",
                             "[x for ( in y]",
                             "[x for x[ in y]",
                             "[x for *y in (]",
                             "[x for f() in y]",
                             "[x for x in (]",
                             "[x for x in y if (]",
                             "(x for x in",
                             "0xg",
                             "0x",
                             "0b2",
                             "0x_",
                             "0xaG",
                             "1__2",
                             "1_",
                             "1e",
                             "x = )",
                             "(\n)]",
                             "if x:\n  (\n]",
                             "[(]",
                             "([)",
                             "not",
                             "not (",
                             "a if b",
                             "a if b else",
                             "a if ( else c",
                             "-",
                             "- (",
                             "a **",
                             "a ** (",
                             "a *",
                             "a[1:2:",
                             "a[(",
                             "a[1:(]",
                             "a.",
                             "a.3",
                             "f(**)",
                             "f(*)",
                             "f(a=)",
                             "f(a=1, a",
                             "f(*(",
                             "x += ",
                             "x: ",
                             "x: (",
                             "x: int =",
                             "x: int = (",
                             "x = yield",
                             "1 = x",
                             "f() = x",
                             "(a, 1) = x",
                             "*a",
                             "x ==",
                             "x in",
                             "x is not",
                             "a and",
                             "a or (",
                             "'",
                             "\"\"\"a",
                             "b'\u00e9'"}) {
    EXPECT_FALSE(parse(source).diagnostics.empty()) << source;
    EXPECT_EQ(broken_promise(source), "") << source;
  }
}

TEST(Total, RandomSequencesOfTokensHaveAnAnswer) {
  constexpr std::string_view pieces[] = {
      "x",        "y",  "1",      "2.5",    "'s'",  "(",      ")",    "[",  "]",    "{",   "}",
      ",",        ":",  ".",      "=",      "==",   "+",      "-",    "*",  "**",   "not", "and",
      "if",       "in", "for",    "is",     "else", "\n",     "\n  ", ";",  "\\\n", " ",   "lambda",
      "def f():", "->", "\uff0c", "#",      "\t",   "import", "from", "as", "None", "...", "'",
      "\"\"\"",   ":=", "\xff",   "assert", "%",    "@",      "f'",   "{x", "}'",   "!r",  "del"};
  std::mt19937 random(1);  // NOLINT: the same programs every time
  for (int i = 0; i < 20'000; ++i) {
    std::string source;
    for (auto n = random() % 24; n > 0; --n) {
      source += pieces[random() % std::size(pieces)];
      if (random() % 3 == 0) source += ' ';
    }
    ASSERT_EQ(broken_promise(source), "") << source;
  }
}

TEST(Total, NestingBeyondTheLimitIsADiagnostic) {
  for (const auto& [open, close] : {std::pair{"(", ")"},
                                    {"[", "]"},
                                    {"f(", ")"},
                                    {"x[", "]"},
                                    {"-", ""},
                                    {"not ", ""},
                                    {"1**", ""},
                                    {"a if b else ", ""},
                                    {"{", "}"},
                                    {"{1: ", "}"},
                                    {"f(a=", ")"},
                                    {"(a, ", ")"},
                                    {"[i for i in ", "]"}}) {
    for (const int deep : {65, 10'000}) {
      const std::string source = repeated(open, deep) + "x" + repeated(close, deep);
      EXPECT_EQ(broken_promise(source + "\nz = 3"), "") << open;
      const Program program = parse(source + "\nz = 3");
      EXPECT_EQ(program.diagnostics.size(), 1u) << open;
      EXPECT_TRUE(dump(program).ends_with("\nz = 3"));
    }
    const std::string source = repeated(open, 50) + "x" + repeated(close, 50);
    EXPECT_TRUE(parse(source).diagnostics.empty()) << open;
  }
}

TEST(Total, WhatEndsAtTheLimitHasItsPlaceInItsLine) {
  for (const std::string_view piece : {"-", "not ", "(", "f'{", "f(-", "x if "})
    for (int n = 20; n < 140; ++n) {
      EXPECT_EQ(broken_promise("y = " + repeated(piece, n)), "") << piece << n;
      EXPECT_EQ(broken_promise("y = " + repeated(piece, n) + "\nz = 1"), "") << piece << n;
    }
}

TEST(Total, ChainsBeyondTheLimitAreADiagnostic) {
  for (const char* link : {".a", "()", "[0]", " + 1", " < 1 and 2", ".a(b)"}) {
    EXPECT_EQ(broken_promise("x" + repeated(link, 10'000)), "") << link;
    EXPECT_EQ(parse("x" + repeated(link, 10'000)).diagnostics.size(), 1u) << link;
    EXPECT_TRUE(parse("x" + repeated(link, 100)).diagnostics.empty()) << link;
  }
}

TEST(Total, HostileRepetitionIsReadInOnePass) {
  // Each would take minutes were anything looked for again from every line.
  for (const char* piece :
       {"(\n",   "(\n)\n",   "'''\n",        "\\'''\n", "\"\"\"\n'''\n", "x = f(\n",    "[(\n",
        ")\n",   "f(a\na\n", "((((((((((\n", "a b;\n",  "1e-300,",       "for x:\n",    "if x:\n else:\n",
        "\n ",   "'",        "\\\n",         "\uff0c",  "f(\uff0c",      "x=(\uff0c\n", "f'{x}'\n",
        "f'{",   "{f'",      "f'{x:{",       "f'{a}{",  "f'''{\n",       "f'{(\n",      "f'{x}",
        "f'\\\\"}) {
    EXPECT_EQ(broken_promise(repeated(piece, 50'000 / static_cast<int>(std::string_view(piece).size()))), "") << piece;
  }
}

}  // namespace
}  // namespace stridescope
