// Methods with special names, by which classes of a program say what operators and functions make of their objects.
#include "ops/program.h"

namespace stridescope {
namespace {

const std::string vector =
    "class V:\n"
    "  def __init__(self, v): self.v = v\n"
    "  def __repr__(self): return f'V({self.v})'\n"
    "  def __add__(self, o): return V(self.v + (o.v if isinstance(o, V) else o))\n"
    "  def __radd__(self, o): return V(o + self.v)\n"
    "  def __mul__(self, o): return V(self.v * o)\n"
    "  def __eq__(self, o): return isinstance(o, V) and self.v == o.v\n"
    "  def __lt__(self, o): return self.v < o.v\n"
    "  def __matmul__(self, o): return o @ o\n"
    "  def __neg__(self): return V(-self.v)\n"
    "  def __bool__(self): return self.v > 0\n"
    "v = V(3)\n";

TEST(Specials, OperatorsOfObjectsAreMethodsOfTheirClass) {
  EXPECT_EQ(Ran(vector + "repr(v + 2), repr(2 + v), repr(v * 2), repr(-v), repr(sum([V(1), v]))").value(),
            "('V(5)', 'V(5)', 'V(6)', 'V(-3)', 'V(4)')");
  EXPECT_EQ(Ran(vector + "v == V(3), v != V(3), v == 3, 3 == v, V(1) < v, v > V(1), V(3) in [v]").value(),
            "(True, False, False, False, True, True, True)");
  EXPECT_EQ(Ran(vector + "y = v @ torch.ones(2, 2)").layout("y"), "(2, 2):(2, 1)+0");
  EXPECT_EQ(Ran(vector + "w = v\nv += 1\nv.v, w.v").value(), "(4, 3)");
  EXPECT_EQ(Ran(vector + "not v, bool(V(0)), 1 if V(-1) else 2, str(v), f'{v} {v!r}'").value(),
            "(False, False, 2, 'V(3)', 'V(3) V(3)')");
  EXPECT_EQ(Ran(vector + "v - 1").error(), "TypeError: unsupported operand type(s) for -: 'V' and 'int'");
  EXPECT_EQ(Ran(vector + "2 * v").error(), "TypeError: unsupported operand type(s) for *: 'int' and 'V'");
  EXPECT_EQ(Ran(vector + "max([V(1), v, V(2)]).v").value(), "3");
}

TEST(Specials, DataHasALengthAndParts) {
  const std::string data =
      "class Data:\n  def __init__(self, n): self.x = torch.arange(n * 2.).view(n, 2)\n"
      "  def __len__(self): return len(self.x)\n  def __getitem__(self, i): return self.x[i], i\n"
      "  def __setitem__(self, i, value): self.x[i] = value\n  def __contains__(self, n): return n < len(self)\n"
      "  def __iter__(self): return (row.sum().item() for row in self.x)\nd = Data(3)\n";
  EXPECT_EQ(Ran(data + "len(d), d[1][1], bool(d), [d[i][1] for i in range(len(d))], 2 in d, 3 in d").value(),
            "(3, 1, True, [0, 1, 2], True, False)");
  EXPECT_EQ(Ran(data + "d[0] = 7\nlist(d), sum(d)").value(), "([14.0, 5.0, 9.0], 28.0)");
  const Ran run(data + "x, i = d[2]");
  EXPECT_EQ(run.layout("x"), "(2,):(1,)+4") << "a row of what the object holds";
  EXPECT_EQ(Ran(data + "d[7]").error(), "IndexError: index 7 is out of bounds for dimension 0 with size 3");
  EXPECT_EQ(Ran("class A:\n  def __len__(self): return -1\nlen(A())").error(),
            "ValueError: __len__() should return >= 0");
  EXPECT_EQ(Ran("class A:\n  def __repr__(self): return 3\nstr(A())").error(),
            "TypeError: __repr__ returned non-string (type int)");
}

TEST(Specials, WhatIsNotAskedOfThemIsALimit) {
  for (const char* program :
       {"class A:\n  def __getattr__(self, n): return 3", "class A:\n  def __getitem__(self, i): return 3\nlist(A())",
        "class A:\n  def __eq__(self, o): return True\n[A()] == [A()]",
        "class A(torch.nn.Module):\n  def __eq__(self, o): return True",
        "class A:\n  def __bool__(self): return True\nany([A()])", "class A:\n  __len__ = 3\nlen(A())",
        "torch.nn.Sequential() + torch.nn.Sequential()"})
    EXPECT_EQ(Ran(program).error(), "ours") << program;
}

}  // namespace
}  // namespace stridescope
