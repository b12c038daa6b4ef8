// Objects that programs go through: by an __iter__, by a __next__, or by a __getitem__ that counts.
#include "ops/program.h"

namespace stridescope {
namespace {

const std::string rows =
    "class Rows:\n"
    "  def __init__(self, x): self.x = x\n"
    "  def __getitem__(self, i): return self.x[i]\n"
    "r = Rows(torch.arange(6).view(3, 2))\n";
const std::string count =
    "class Count:\n"
    "  def __init__(self, n): self.n, self.i = n, 0\n"
    "  def __iter__(self): return self\n"
    "  def __next__(self):\n"
    "    if self.i == self.n: raise StopIteration\n"
    "    self.i += 1\n"
    "    return self.i\n"
    "c = Count(3)\n";

TEST(Iterators, AnObjectIsCountedThroughToItsFirstIndexError) {
  const Ran ran(rows + "y = 0\nfor row in r: y = y + row");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.values("y"), "6 9");
  EXPECT_EQ(Ran(rows + "[int(row[0]) for row in r]").value(), "[0, 2, 4]");
  EXPECT_EQ(Ran(rows + "a, b, c = r\nc.storage_offset()").value(), "4");
  EXPECT_EQ(Ran(rows + "for row in r: pass\nelse: y = 'end'\ny").value(), "'end'");
  EXPECT_EQ(Ran("class K:\n  def __getitem__(self, i): return {0: 'a'}[i]\nlist(K())").error(), "KeyError: 1");
}

TEST(Iterators, AnObjectIsAskedForTheNextUntilItStops) {
  EXPECT_EQ(Ran(count + "list(c)").value(), "[1, 2, 3]");
  EXPECT_EQ(Ran(count + "next(c), next(c), next(c), next(c, 'over')").value(), "(1, 2, 3, 'over')");
  EXPECT_EQ(Ran(count + "for i in range(4): next(c)").error(), "StopIteration: ");
  EXPECT_EQ(Ran(count + "iter(c) is c").value(), "True");
  EXPECT_EQ(Ran(count + "next(c)\nsum(c)").value(), "5");
  EXPECT_EQ(Ran(count + "list(zip(c, c))").value(), "[(1, 2)]");
  EXPECT_EQ(Ran(count + "any(i == 2 for i in c), next(c)").value(), "(True, 3)");
  EXPECT_EQ(Ran("class N:\n  def __iter__(self): return [1]\nlist(N())").error(),
            "TypeError: iter() returned non-iterator of type 'list'");
}

TEST(Iterators, AreAskedForNoMoreThanIsWanted) {
  const std::string ever =
      "class Ever:\n  def __iter__(self):\n    k = 0\n    while True:\n      yield k\n      k += 1\n";
  EXPECT_EQ(Ran(ever + "i = iter(Ever())\nnext(i), next(i)").value(), "(0, 1)");
  EXPECT_EQ(Ran(ever + "list(zip('ab', Ever()))").value(), "[('a', 0), ('b', 1)]");
  EXPECT_EQ(Ran("i = iter(range(6))\na = list(zip(range(2), i))\nb = next(i)\na, b").value(), "([(0, 0), (1, 1)], 2)");
}

TEST(Iterators, AnObjectHasNoMethodsOfASequenceThatItsClassHasNot) {
  EXPECT_EQ(Ran(rows + "hasattr(r, '__getitem__'), hasattr(r, '__len__'), hasattr(r, '__iter__')").value(),
            "(True, False, False)");
  EXPECT_EQ(Ran(rows + "r.__next__").error(), "AttributeError: 'Rows' object has no attribute '__next__'");
  EXPECT_EQ(Ran(rows + "r.__reduce__").error(), "ours");
}

}  // namespace
}  // namespace stridescope
