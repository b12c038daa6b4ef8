// Named tuples: what makes none, and what only we say of them. What Python says is recorded.
#include <gtest/gtest.h>

#include "ops/program.h"

namespace stridescope {
namespace {

const std::string imports = "from collections import namedtuple\nimport typing\nfrom typing import NamedTuple\n";

TEST(NamedTuples, WhatIsLeftOutIsALimit) {
  for (const char* line : {"namedtuple('P', 5)",
                           "namedtuple('P', {'a': 1})",
                           "namedtuple('P', zip('ab', 'cd'))",
                           "namedtuple(5, 'x')",
                           "namedtuple('P', 'x', module=1)",
                           "namedtuple('P')",
                           "namedtuple()",
                           "namedtuple('P', 'x', 'y')",
                           "namedtuple('P', 'x', typename='Q')",
                           "namedtuple('P', 'x', field_names='y')",
                           "namedtuple('P', ['x', 1])",
                           "namedtuple('P', '\u00e9')",
                           "namedtuple('P', ['\u00e9'])",
                           "namedtuple('\u00e9', 'x')",
                           "namedtuple('P', 'x', defaults=torch.load('a'))",
                           "namedtuple('P', 'x')._make([1], 2)",
                           "namedtuple('P', 'x')._make([1], a=2)",
                           "namedtuple('P', 'x')._make()",
                           "namedtuple('P', 'x')._source",
                           "namedtuple('P', 'x')(1)._replace(2)",
                           "namedtuple('P', 'x')(1)._asdict(x=1)"})
    EXPECT_EQ(Ran(imports + line).error(), "ours") << line;
}

TEST(NamedTuples, AClassWithOtherLinesThanFieldsIsALimit) {
  for (const char* lines :
       {"@staticmethod\nclass P(NamedTuple):\n    x: int", "class P(NamedTuple):\n    x = 1",
        "class P(NamedTuple):\n    x.y: int", "class P(NamedTuple):\n    x: int = torch.load('a')",
        "class P(typing.Tuple):\n    x: int", "class P(typing.a.NamedTuple):\n    x: int",
        "class P(Tuple):\n    x: int", "class P(typing):\n    x: int", "class P(NamedTuple):\n    torch.load('a')"}) {
    const Ran run("from typing import Tuple\n" + imports + lines + "\nP");
    EXPECT_EQ(run.error(), "ours") << lines;
  }
}

TEST(NamedTuples, NamesAreThoseOfPython) {
  const std::pair<const char*, const char*> lines[] = {
      {"namedtuple('P', ['x', '1x'])", "'1x'"}, {"namedtuple('P', 'a-b')", "'a-b'"}, {"namedtuple('P', [''])", "''"},
      {"namedtuple('1P', 'x')", "'1P'"},        {"namedtuple('P', 'a[b')", "'a[b'"}, {"namedtuple('P', '{')", "'{'"},
      {"namedtuple('P', '@x')", "'@x'"},        {"namedtuple('P', 'x/')", "'x/'"},   {"namedtuple('P', 'x:')", "'x:'"}};
  for (const auto& [line, name] : lines)
    EXPECT_EQ(Ran(imports + line).error(),
              std::string("ValueError: Type names and field names must be valid identifiers: ") + name)
        << line;
  for (const char* line : {"namedtuple('Pz', ['Az_9'])(1)", "namedtuple(field_names='x', typename='P')(1)",
                           "namedtuple('P', 'x y', defaults=None)(1, 2)", "namedtuple('P', ('x', 'y'))(1, y=2)"})
    EXPECT_EQ(Ran(imports + line).error(), "") << line;
}

TEST(NamedTuples, NamesThatItHasNotAreTold) {
  const Ran run(imports + "namedtuple('P', 'x')(1)._replace(z=3, w=4, x=2)");
  EXPECT_EQ(run.error(), "TypeError: Got unexpected field names: ['z', 'w']");
  EXPECT_EQ(Ran(imports + "namedtuple('P', 'x')(1).z").error(), "AttributeError: 'P' object has no attribute 'z'");
  EXPECT_EQ(Ran(imports + "namedtuple('P', 'x', defaults=5)").error(), "TypeError: 'int' object is not iterable");
  EXPECT_EQ(Ran(imports + "namedtuple('P', 'x')._make(5)").error(), "TypeError: 'int' object is not iterable");
}

}  // namespace
}  // namespace stridescope
