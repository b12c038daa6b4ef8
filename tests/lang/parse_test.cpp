#include <gtest/gtest.h>

#include "lang/ast.h"

namespace stridescope {
namespace {

struct Case {
  std::string_view source, expected;
};

void expect_dumps(std::initializer_list<Case> cases) {
  for (const Case& one : cases) EXPECT_EQ(dump(parse(one.source)), one.expected) << one.source;
}

TEST(Parse, ReadsTheProgramsOfTheCourse) {
  expect_dumps({
      {"x = torch.randn(2, 3, 2)\nx.permute(0, 2, 1).view(-1)",
       "x = torch.randn(2, 3, 2)\nx.permute(0, 2, 1).view((-1))"},
      {"z_t = torch.arange(12).reshape(3, 4).t()", "z_t = torch.arange(12).reshape(3, 4).t()"},
      {"q = torch.arange(2*6*8).view(2, 6, 2, 4)", "q = torch.arange(((2 * 6) * 8)).view(2, 6, 2, 4)"},
      {"a = np.arange(12).reshape(3, 4)[::-1, ::2]", "a = np.arange(12).reshape(3, 4)[(::(-1), ::2)]"},
      {"torch.arange(10**12).view(10**4, 10**4, 10**4)",
       "torch.arange((10 ** 12)).view((10 ** 4), (10 ** 4), (10 ** 4))"},
      {"y[1, 2] = 9", "y[(1, 2)] = 9"},
      {"sum(i*s for i, s in zip((1,2,0), x.stride()))", "sum(((i * s) for (i, s) in zip((1, 2, 0), x.stride())))"},
      {"tuple(sum(i*s for (i, s) in zip(q, x.stride())) for q in ((0, 0, 2), (0, 1, 0)))",
       "tuple((sum(((i * s) for (i, s) in zip(q, x.stride()))) for q in ((0, 0, 2), (0, 1, 0))))"},
  });
}

TEST(Parse, OperatorsBindAsInPython) {
  expect_dumps({
      {"-2 ** 2", "(-(2 ** 2))"},
      {"2 ** -1", "(2 ** (-1))"},
      {"2 ** 3 ** 4", "(2 ** (3 ** 4))"},
      {"a - b - c", "((a - b) - c)"},
      {"a + b * c // d % e @ f / g", "(a + (((((b * c) // d) % e) @ f) / g))"},
      {"a | b ^ c & d << e + f", "(a | (b ^ (c & (d << (e + f)))))"},
      {"~a >> -b", "((~a) >> (-b))"},
      {"not a or b and not c", "((not a) or (b and (not c)))"},
      {"not a == b", "(not (a == b))"},
      {"not not a", "(not (not a))"},
      {"a < b <= c != d", "(a < b <= c != d)"},
      {"a is None and b is not c or d in e and f not in g",
       "(((a is None) and (b is not c)) or ((d in e) and (f not in g)))"},
      {"a & b == c", "((a & b) == c)"},
      {"a if b else c if d else e", "(a if b else (c if d else e))"},
      {"(a if b else c) + 1", "((a if b else c) + 1)"},
      {"a or b if c and d else e", "((a or b) if (c and d) else e)"},
      {"-x.T[0]", "(-x.T[0])"},
      {"x.T ** 2", "(x.T ** 2)"},
  });
}

TEST(Parse, AssignmentBindsNamesAttributesSubscriptsAndTuples) {
  expect_dumps({
      {"a = b = c", "a = b = c"},
      {"a, b = x.split(2)", "(a, b) = x.split(2)"},
      {"q, = x.unbind()", "(q,) = x.unbind()"},
      {"(a, b) = [c, d] = 1, 2", "(a, b) = (c, d) = (1, 2)"},
      {"(a, (b, c)), d = e", "((a, (b, c)), d) = e"},
      {"x.shape = 2, 3", "x.shape = (2, 3)"},
      {"x[0], y.T = 1, 2", "(x[0], y.T) = (1, 2)"},
      {"x += 1", "x += 1"},
      {"v[1:] **= 2", "v[1:] **= 2"},
      {"x.data @= a, b", "x.data @= (a, b)"},
  });
}

TEST(Parse, StarsStandInTuplesListsAndTargets) {
  expect_dumps({
      {"[*a, 1]", "[*a, 1]"},
      {"(*x.shape[:-1], 4, 2)", "(*x.shape[:(-1)], 4, 2)"},
      {"y = *a | b, *c", "y = (*(a | b), *c)"},
      {"x[*a]", "x[(*a,)]"},
      {"x[0, *a]", "x[(0, *a)]"},
      {"a, *b = c", "(a, *b) = c"},
      {"*a, = c", "(*a,) = c"},
      {"[a, (*x.y, b)] = c", "(a, (*x.y, b)) = c"},
      {"[b for a, *b in c]", "[b for (a, *b) in c]"},
      {"[b for i, (a, b) in c]", "[b for (i, (a, b)) in c]"},
  });
}

TEST(Parse, DictionariesArePairs) {
  expect_dumps({
      {"{}", "{}"},
      {"{'a': 1, **b | c, 2: [d],}", "{'a': 1, **(b | c), 2: [d]}"},
      {"{a if b else c: lambda: {}}", "{(a if b else c): (lambda : {})}"},
      {"{k: v for k, v in d.items() if v}", "{k: v for (k, v) in d.items() if v}"},
      {"d['a'] = f(**d)", "d['a'] = f(**d)"},
      {"lambda a, *b, **c: c", "(lambda a, *b, **c: c)"},
      {"del d['a'], d", "del d['a'], d"},
      {"f'{ {1: 2}[1] }'", "f({{1: 2}[1]})"},
  });
}

TEST(Parse, CallsTakePositionalKeywordAndStarredArguments) {
  expect_dumps({
      {"f()", "f()"},
      {"f(1, k=2, *a, **b)", "f(1, k=2, *a, **b)"},
      {"f(*x.shape, dim=-1,)", "f(*x.shape, dim=(-1))"},
      {"f(g)(h)[i].j(k)", "f(g)(h)[i].j(k)"},
      {"f(x for x in y)", "f((x for x in y))"},
      {"f(1 if a else 2)", "f((1 if a else 2))"},
  });
}

TEST(Parse, SubscriptsTakeIntsSlicesNoneAndEllipsis) {
  expect_dumps({
      {"x[0]", "x[0]"},
      {"x[0,]", "x[(0,)]"},
      {"x[()]", "x[()]"},
      {"x[:]", "x[:]"},
      {"x[1:]", "x[1:]"},
      {"x[:-1]", "x[:(-1)]"},
      {"x[1:2:3]", "x[1:2:3]"},
      {"x[::]", "x[:]"},
      {"x[::-1]", "x[::(-1)]"},
      {"x[..., None, :, 0]", "x[(..., None, :, 0)]"},
      {"x[[0, 2]]", "x[[0, 2]]"},
      {"x[a if b else c:d]", "x[(a if b else c):d]"},
      {"x[y > 0] = 1", "x[(y > 0)] = 1"},
  });
}

TEST(Parse, LiteralsAreReadAsPythonReadsThem) {
  expect_dumps({
      {"1_000, 0xFf, 0o17, 0b101, 0, 00, 0x_f", "(1000, 255, 15, 5, 0, 0, 15)"},
      {"9223372036854775807", "9223372036854775807"},
      {"3., .5, 1e3, 1_0.5e-1_0, 0.0", "(3., .5, 1e3, 1_0.5e-1_0, 0.0)"},
      {"True, False, None, ...", "(True, False, None, ...)"},
      {R"('a', "b'", '''c
d''', """e"f""")",
       R"(('a', 'b\'', 'c\nd', 'e"f'))"},
      {R"('a' "b" 'c')", "'abc'"},
      {R"(r'\n', b'x', R"\\", u'y', Rb'z')", R"(('\\n', 'x', '\\\\', 'y', 'z'))"},
      {R"('\t\x41\101\u4e2d\U0001F600\'\q')", "'\\x09AA\u4e2d\U0001F600\\'\\\\q'"},
      {"'a\\\nb'", "'ab'"},
      {"'\xff'", "'\uFFFD'"},
      {R"('\ud800')", "'\uFFFD'"},
      {R"('\U00110000')", "'\uFFFD'"},
      {"1e+3, 0xA_f, 0xa_F, 0x9_9", "(1e+3, 175, 175, 153)"},
      {"[], (), [1,], (1,), (1), [[1], (2, 3)]", "([], (), [1], (1,), 1, [[1], (2, 3)])"},
      {"[i*j for i in range(3) for j in x if i if j]", "[(i * j) for i in range(3) for j in x if i if j]"},
      {"[a for (a, b) in c]", "[a for (a, b) in c]"},
  });
}

TEST(Parse, FieldsOfFStringsAreExpressions) {
  expect_dumps({
      {"f'{x.shape}'", "f({x.shape})"},
      {"f'a{x}b{y!r}c'", "f('a', {x}, 'b', {y!r}, 'c')"},
      {"f''", "f()"},
      {"f'{{{k}}}'", "f('{', {k}, '}')"},
      {"f'{k=}, {k = }, {k=!s}, {k=:5}'",
       "f('k=', {k!r}, ', ', 'k = ', {k!r}, ', ', 'k=', {k!s}, ', ', 'k=', {k:f('5')})"},
      {"f'{a:>{w}.{p}f}'", "f({a:f('>', {w}, '.', {p}, 'f')})"},
      {"f'{a:=5}{b!=c}{d if e else f}'", "f({a:f('=5')}, {(b != c)}, {(d if e else f)})"},
      {"f'{x[1:2]}{g(a, b=3)}{[i for i in x]}{1, 2}'", "f({x[1:2]}, {g(a, b=3)}, {[i for i in x]}, {(1, 2)})"},
      {R"('a' f'{b}' r'\c')", R"(f('a', {b}, '\\c'))"},
      {R"(f'\t{a}\\{b}\{c}')", R"(f('\x09', {a}, '\\', {b}, '\\', {c}))"},
      {R"(rf'\t{a}')", R"(f('\\t', {a}))"},
      {R"(f"{x['a']}{y["b"]}")", "f({x['a']}, {y['b']})"},
      {"f'''{x}\n{\n y\n}'''", R"(f({x}, '\n', {y}))"},
      {R"(f'{f"{x}"}')", "f({f({x})})"},
      {R"(F'{x:"}')", R"(f({x:f('"')}))"},
  });
  // Where a field is not closed the next quote ends the string, and the line goes on behind it.
  EXPECT_EQ(parse("print(f'{x', y)\nz = 1").statements.size(), 2U);
  const Program program = parse("y = f'ab{x.T}'");
  const Expr& field = *program.statements[0].value->children[1];
  EXPECT_EQ(field.children[0]->span, (Span{9, 12}));
}

TEST(Parse, AssertionsForgottenNamesAndTypes) {
  expect_dumps({
      {"assert x.is_contiguous()", "assert x.is_contiguous()"},
      {"assert (a == b), f'{a} {b}'", "assert (a == b), f({a}, ' ', {b})"},
      {"del x, y; del (z)", "del x, y\ndel z"},
      {"def f():\n  'docs'\n  global a, b\n  nonlocal c; a = c", "def f(): 4\npass\nglobal a, b\nnonlocal c\na = c"},
      {"x: torch.Tensor = y", "x = y"},
      {"x[0]: 'int' = y = 3", "x[0] = y = 3"},
  });
}

TEST(Parse, HeadersOfClausesSayHowManyStatementsAreTheirs) {
  expect_dumps({
      {"if a: b; c\nd", "if a: 2 0\nb\nc\nd"},
      {"if a:\n  b\n  c\nelif d: e\nelse:\n  f\ng", "if a: 2 4\nb\nc\nelif d: 1 2\ne\nelse: 1 0\nf\ng"},
      {"if a:\n  if b:\n    c\n  elif d:\n    e\nelse:\n  f", "if a: 4 2\nif b: 1 2\nc\nelif d: 1 0\ne\nelse: 1 0\nf"},
      {"if (a and\n    b):\n\n  # why\n  c\n\n\nd", "if (a and b): 1 0\nc\nd"},
      {"  if a:\n    b\n  c", "if a: 1 0\nb\nc"},
      {"if a:\n\tb\n\tc", "if a: 2 0\nb\nc"},
      {"try: a\nexcept: b\nc", "try: 1 2\na\nexcept: 1 0\nb\nc"},
      {"try:\n  a\n  b\nfinally:\n  c", "try: 2 0\na\nb\nfinally: 1 0\nc"},
      {"try: a\nexcept (b, c) as d: e\nexcept f: g\nelse: h\nfinally: i",
       "try: 1 6\na\nexcept (b, c) as d: 1 4\ne\nexcept f: 1 2\ng\nelse: 1 0\nh\nfinally: 1 0\ni"},
      {"with a() as b, c:\n  try: d\n  finally: e\nf", "with (a(), c) as b: 4 0\ntry: 1 0\nd\nfinally: 1 0\ne\nf"},
      {"with (a): b", "with a: 1 0\nb"},
      {"try: a\nexcept: (b\nc", "try: 1 2\na\nexcept: 1 0\nerror: ( is opened here and never closed.\nc"},
  });
}

TEST(Parse, BlocksAreReadWhileTheyAreWritten) {
  const std::string program =
      "try:\n  try:\n    f(x, [1\n    ])\n  except (a, b) as c: d\n  finally:\n\n    e\n  \nexcept:\n  with g() as h, "
      "i:\n"
      "    if j: k\n    elif l:\n      m\n    else: n\n    \nelse: o\nfinally:\n  p\n  ";
  for (size_t size = 0; size <= program.size(); ++size)
    for (const char* rest : {"", "\n", "\n  ", "(", "\n  ("}) {
      const std::string written = program.substr(0, size) + rest;
      EXPECT_FALSE(parse(written).statements.empty() && written.find_first_not_of(" \n") != written.npos) << written;
    }
}

TEST(Parse, AWithHasItsLinesWithoutIt) {
  const auto unwrapped = [](std::string source) {
    const Program program = parse(source);
    const Fix fix = *program.statements[0].unwrapped;
    const auto begin = static_cast<size_t>(fix.span.begin), end = static_cast<size_t>(fix.span.end);
    return source.replace(begin, end - begin, fix.replacement);
  };
  EXPECT_EQ(unwrapped("with torch.no_grad():\n    y = f(\n        x)\n\n    z = y.T\nw = z"),
            "y = f(\n    x)\n\nz = y.T\nw = z");
  EXPECT_EQ(unwrapped("  with a(b[1:2]) as c:\n    y = x\n  z = y"), "  y = x\n  z = y");
  EXPECT_EQ(unwrapped("with torch.no_grad(): y = x; z = y"), "y = x; z = y");
  EXPECT_EQ(unwrapped("with a:\n    y = '''b\n    c'''\n    z = y"), "y = '''b\n    c'''\nz = y");
  EXPECT_EQ(unwrapped("with a:\n  if b:\n    c"), "if b:\n  c");
}

TEST(Parse, LoopsAreHeadersWithTheirBlocks) {
  expect_dumps({
      {"for i in x: y", "for i in x: 1 0\ny"},
      {"for i in x: break", "for i in x: 1 0\nbreak"},
      {"def f(): return y", "def f(): 1\nreturn y"},
      {"def f():\n  yield\n  yield 1\n  yield from x", "def f(): 3\nyield\nyield 1\nyield from x"},
      {"for i, (j, k[0]) in a, b:\n  c.d = i\n  break\nelse:\n  e\nf",
       "for (i, (j, k[0])) in (a, b): 2 2\nc.d = i\nbreak\nelse: 1 0\ne\nf"},
      {"for i, in [x for x in y if z]: continue", "for (i,) in [x for x in y if z]: 1 0\ncontinue"},
      {"for i in x if y else z: pass", "for i in (x if y else z): 1 0\npass"},
      {"while a < b and not c:\n  for i in j:\n    if k: break\n  else: l\nelse: m",
       "while ((a < b) and (not c)): 5 2\nfor i in j: 2 2\nif k: 1 0\nbreak\nelse: 1 0\nl\nelse: 1 0\nm"},
  });
}

TEST(Parse, ParametersSayHowTheyAreGiven) {
  expect_dumps({
      {"def f(a, b=2, /, c=3, *d, e, g=5, **h): return", "def f(/a, /b 2, c 3, *d, =e, =g 5, **h): 1\nreturn"},
      {"def f(a, *, b): return a, b", "def f(a, =b): 1\nreturn (a, b)"},
      {"def f(): return (\n1)", "def f(): 1\nreturn 1"},
      {"f = lambda a, *, b=1: a", "f = (lambda a, =b 1: a)"},
      {"lambda: 0", "(lambda : 0)"},
  });
}

TEST(Parse, WhatIsRaised) {
  expect_dumps({
      {"raise", "raise"},
      {"raise; x", "raise\nx"},
      {"raise ValueError('a') from e", "raise ValueError('a') from e"},
      {"if a: raise b if c else d", "if a: 1 0\nraise (b if c else d)"},
  });
}

TEST(Parse, ABlockThatIsNotReadSaysWhatItMayChange) {
  const auto told = [](std::string_view source) {
    std::string text;
    for (const Statement& statement : parse(source).statements) {
      for (const std::string& name : statement.binds) text += name + " ";
      for (const std::string& name : statement.changes) text += name + "! ";
    }
    return text;
  };
  EXPECT_EQ(told("for i, (j, k) in f(x):\n  y = z[i] == 2\n  a = b = c"), "i j k y a b ");
  EXPECT_EQ(told("while x < 3: x += f(y=2)"), "x! ");
  EXPECT_EQ(told("for i in x:\n  y[i, j] = 0\n  z.data = 1\n  w: int = 2"), "i w y! z! ");
  EXPECT_EQ(told("for i in x:\n  y.add_(1)\n  z[0].t().fill_(2)\n  a.append(3)\n  print(b.sum())\n  c.stride()"),
            "i y! z! a! ");
  EXPECT_EQ(told("with f(x) as y, g() as z:\n  del a, b"), "y z a b ");
  EXPECT_EQ(told("try: x = 1\nexcept E as e:\n  y = 2\nfinally:\n  pass"), "x e y ");
  EXPECT_EQ(told("@d\nclass F:\n  c = 3\nclass A:\n  d = 4"), "F A ");
  EXPECT_EQ(told("@d\n@e(f)\ndef g(a, b=2):\n  c = 3\n  return c"), "c ");
  EXPECT_EQ(told("async def f(a): b = 1"), "f ");
  EXPECT_EQ(told("for i in x:\n  def f(a):\n    b = 1\n    for c in b: d = 1\n  g = 2"), "i f g b c d c d ")
      << "a function's names are its own";
  EXPECT_EQ(told("def f(a):\n  b, (c, d[0]) = a\n  import e as g\n  def h(): i = 1\n  j.k = b.add_(1)\n  del l"),
            "b c g h l j! i ");
  EXPECT_EQ(told("if a:\n  b = 1\nelif c:\n  d[0] = 1"), "b d! ");
  EXPECT_EQ(told("x = y.t(\nz"), "x ") << "of a line that is being written, too";
}

TEST(Parse, ImportsSayWhichNameTheyBind) {
  expect_dumps({
      {"import torch", "import torch as torch"},
      {"import numpy as np, torch", "import numpy as np, torch as torch"},
      {"import numpy.lib", "import numpy.lib as numpy"},
      {"from numpy.lib.stride_tricks import as_strided, sliding_window_view as w",
       "import numpy.lib.stride_tricks.as_strided as as_strided, numpy.lib.stride_tricks.sliding_window_view as w"},
      {"from torch import (arange,\n  zeros,)", "import torch.arange as arange, torch.zeros as zeros"},
      {"from torch import *", "import torch.* as *"},
      {"pass", "pass"},
  });
}

TEST(Parse, StatementsMayShareALineAndSpanSeveral) {
  expect_dumps({
      {"", ""},
      {"# only a comment", ""},
      {"a = 1; b = 2;", "a = 1\nb = 2"},
      {"a = (1 +\n  2)  # three\n\n\nb", "a = (1 + 2)\nb"},
      {"a = f(1,\n# between\n2\n)", "a = f(1, 2)"},
      {"a = 1 + \\\n  2", "a = (1 + 2)"},
      {"a\r\nb\rc\n", "a\nb\nc"},
      {"\xEF\xBB\xBF"
       "a = 1",
       "a = 1"},
      {"    a = 1\n    b = 2", "a = 1\nb = 2"},
      {"\u5f20\u91cf = \u03b1.T", "\u5f20\u91cf = \u03b1.T"},
  });
}

TEST(Parse, SpansAndLinesPointAtTheStatementWithoutItsComment) {
  const std::string_view source = "# first\n  \nx = f(1,\r\n 2)  # c\n\ny.shape ; z";
  const Program program = parse(source);
  ASSERT_EQ(program.statements.size(), 3u);
  const auto text = [&](Span span) {
    return source.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin));
  };
  EXPECT_EQ(text(program.statements[0].span), "x = f(1,\r\n 2)");
  EXPECT_EQ(program.statements[0].line, 3);
  EXPECT_EQ(text(program.statements[1].span), "y.shape");
  EXPECT_EQ(text(program.statements[1].value->part), "shape");
  EXPECT_EQ(program.statements[1].line, 6);
  EXPECT_EQ(text(program.statements[2].span), "z");
  EXPECT_EQ(program.statements[2].line, 6);
}

TEST(Parse, AnExpressionInBracketsSpansItsBrackets) {
  const Program program = parse("(a + b).T");
  EXPECT_EQ(program.statements[0].value->children[0]->span, (Span{0, 7}));
  EXPECT_EQ(program.statements[0].value->span, (Span{0, 9}));
}

TEST(Parse, HeightCountsTheNodesOnTheLongestWayDown) {
  EXPECT_EQ(parse("x").statements[0].value->height, 1);
  EXPECT_EQ(parse("x.T").statements[0].value->height, 2);
  EXPECT_EQ(parse("f(a, k=b + -c)").statements[0].value->height, 4);
  EXPECT_EQ(parse("[a for a in b.c if d.e.f]").statements[0].value->height, 4);
}

}  // namespace
}  // namespace stridescope
