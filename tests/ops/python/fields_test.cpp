// Dataclasses: what their lines give to objects, and what is left to say of them.
#include <gtest/gtest.h>

#include "ops/program.h"

namespace stridescope {
namespace {

std::string value_of(const std::string& program) {
  const Ran run(program);
  EXPECT_EQ(run.error(), "") << program;
  return run.value();
}

const std::string config =
    "from dataclasses import dataclass\n@dataclass\nclass Config:\n  width: int\n  heads: int = 2\n";

TEST(Fields, AnObjectKeepsThemAndShowsThem) {
  EXPECT_EQ(value_of(config + "c = Config(8)\nc"), "Config(width=8, heads=2)");
  EXPECT_EQ(value_of(config + "c = Config(8, heads=4)\nc.width = 12\ntorch.zeros(c.width, c.heads).stride()"),
            "(4, 1)");
  EXPECT_EQ(value_of(config + "f'{Config(8)!r}'"), "'Config(width=8, heads=2)'");
}

TEST(Fields, OfAClassAboveComeFirstAndKeepTheirPlaceWhenTheyAreNamedAgain) {
  const std::string deep = config + "@dataclass\nclass Deep(Config):\n  depth: int = 3\n  heads: int = 4\n";
  EXPECT_EQ(value_of(deep + "Deep(1)"), "Deep(width=1, heads=4, depth=3)");
  EXPECT_EQ(value_of(deep + "Deep(1) == Config(1, 4)"), "False");
}

TEST(Fields, AreWhatObjectsOfOneClassAreComparedBy) {
  EXPECT_EQ(value_of(config + "Config(8) == Config(8)"), "True");
  EXPECT_EQ(value_of(config + "Config(8) != Config(9)"), "True");
  EXPECT_EQ(value_of(config + "Config(8) == 8"), "False");
}

TEST(Fields, AClassMayGoOnWithThemOrMakeThemItself) {
  EXPECT_EQ(value_of(config + "  def __post_init__(self):\n    self.each = self.width // self.heads\nConfig(8).each"),
            "4");
  EXPECT_EQ(value_of(config + "  def __init__(self):\n    self.width = 1\nConfig().width"), "1");
}

TEST(Fields, ANameWithATypeAloneIsNoValue) {
  EXPECT_EQ(Ran("x: int\nx").error(), "NameError: name 'x' is not defined");
}

TEST(Fields, AreWrittenAsTheyAreInListsAndInEachOther) {
  EXPECT_EQ(value_of(config + "repr([Config(1)])"), "'[Config(width=1, heads=2)]'");
  EXPECT_EQ(value_of(config + "repr(Config(Config(1)))"), "'Config(width=Config(width=1, heads=2), heads=2)'");
  EXPECT_EQ(value_of(config + "repr(Config(torch.arange(2)))"), "'Config(width=tensor([0, 1]), heads=2)'");
  EXPECT_EQ(value_of(config + "repr(Config(Config(torch.ones(1))))"),
            "'Config(width=Config(width=tensor([1.]), heads=2), heads=2)'");
  EXPECT_EQ(value_of("from dataclasses import dataclass\n@dataclass\nclass Empty: pass\nrepr(Empty())"), "'Empty()'");
  const std::string told = config + "class Told:\n  def __repr__(self):\n    return 'told'\n";
  EXPECT_EQ(value_of(told + "repr(Config(Told()))"), "'Config(width=told, heads=2)'");
  EXPECT_EQ(value_of(told + "repr([Config(Told())])"), "'[Config(width=told, heads=2)]'");
  const std::string plain = config + "class Plain: pass\nclass Wrong:\n  def __repr__(self): return 3\n";
  EXPECT_EQ(Ran(plain + "repr(Config(Plain()))").error(), "ours") << "where it is in memory";
  EXPECT_EQ(Ran(plain + "repr([Config(Plain())])").error(), "ours");
  EXPECT_EQ(Ran(plain + "repr(Config(Wrong()))").error(), "TypeError: __repr__ returned non-string (type int)");
  EXPECT_EQ(Ran(plain + "repr([Plain()])").error(), "ours");
}

TEST(Fields, AreComparedOneByOneUntilOneDiffers) {
  EXPECT_EQ(value_of("from dataclasses import dataclass\n@dataclass\nclass Empty: pass\nEmpty() == Empty()"), "True");
  EXPECT_EQ(Ran(config + "Config(torch.ones(2)) == Config(torch.ones(2))").error(),
            "RuntimeError: Boolean value of Tensor with more than one value is ambiguous");
  EXPECT_EQ(Ran(config + "Config(torch.ones(2)) == Config(torch.ones(3))").error(),
            "RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0");
  const std::string own = config + "  def __init__(self):\n    pass\n";
  EXPECT_EQ(Ran(own + "Config() == Config()").error(), "ours") << "attributes that are missing";
  EXPECT_EQ(Ran(own + "repr(Config())").error(), "ours");
  EXPECT_EQ(Ran(own + "repr([Config()])").error(), "ours");
}

TEST(Fields, DefaultsThatObjectsWouldShareAreRefused) {
  for (const char* value : {"[]", "{}", "np.zeros(2)", "Config(1)"})
    EXPECT_TRUE(Ran(config + "@dataclass\nclass B:\n  a: int = " + value).error().starts_with("ValueError: mutable"))
        << value;
  for (const char* value : {"()", "'a'", "torch.zeros(2)", "None"})
    EXPECT_EQ(Ran(config + "@dataclass\nclass B:\n  a: int = " + value + "\nB()").error(), "") << value;
}

TEST(Fields, WhatGoesWrongInsideIsSaidOutside) {
  EXPECT_EQ(Ran(config + "  def __post_init__(self):\n    self.none\nConfig(1)").error(),
            "AttributeError: 'Config' object has no attribute 'none'");
  EXPECT_EQ(Ran("@dataclass\nclass A:\n  a: int").error(), "NameError: name 'dataclass' is not defined");
  EXPECT_EQ(Ran("@torch.nope\nclass A:\n  a: int").error(), "AttributeError: module 'torch' has no attribute 'nope'");
  EXPECT_EQ(Ran(config + "l = []\nc = Config(l)\nl.append(c)").error(), "ours");
  EXPECT_EQ(Ran(config + "Config.__init__(3, 4)").error(), "ours");
  EXPECT_EQ(Ran(config + "dataclass(Config)").error(), "ours");
}

TEST(Fields, OfFrozenOnesAreKeptAndHashed) {
  const std::string frozen =
      "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass L:\n  shape: tuple\n  stride: tuple\n";
  EXPECT_EQ(Ran(frozen + "l = L((2, 3), (3, 1))\nl.shape = (6,)").error(),
            "FrozenInstanceError: cannot assign to field 'shape'");
  EXPECT_EQ(Ran(frozen + "l = L((2, 3), (3, 1))\ntry: l.shape = (6,)\nexcept AttributeError: pass\nl").value(),
            Ran(frozen + "L((2, 3), (3, 1))").value());
  EXPECT_EQ(Ran(frozen + "{L((2,), (1,)): 5}[L((2,), (1,))]").value(), "5");
  EXPECT_EQ(Ran(frozen + "hash(L([2], (1,)))").error(), "TypeError: unhashable type: 'list'");
  EXPECT_EQ(Ran(frozen + "@dataclass(frozen=True)\nclass M(L): pass\nM((2,), (1,)) in {L((2,), (1,))}").value(),
            "False");
}

TEST(Fields, WhatIsNotReadSaysSo) {
  for (const char* written :
       {"@dataclass(order=True)\nclass A:\n  a: int", "@dataclass(eq=False)\nclass A:\n  a: int",
        "@dataclass(frozen=True)\nclass A:\n  a: int\n  def __eq__(self, other): return True",
        "@torch.no_grad()\nclass A:\n  a: int", "@dataclass\nclass A:\n  a: ClassVar[int] = 3",
        "@dataclass\nclass A:\n  a: InitVar[int]", "@dataclass\nclass A(torch.nn.Module):\n  a: int",
        "class B:\n  def __repr__(self): return 'b'\n@dataclass\nclass A(B):\n  a: int",
        "class B:\n  def __eq__(self, other): return True\n@dataclass\nclass A(B):\n  a: int"})
    EXPECT_EQ(Ran("from dataclasses import dataclass\n" + std::string(written)).error(), "ours") << written;
  EXPECT_EQ(value_of(config + "  def f(self):\n    n: int = 3\n    self.x: int\n    return n\n  b = 3\nConfig(1).f()"),
            "3");
}

}  // namespace
}  // namespace stridescope
