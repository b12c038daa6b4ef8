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

TEST(Fields, WhatIsNotReadSaysSo) {
  for (const char* decorator : {"@dataclass(frozen=True)", "@torch.no_grad()"}) {
    const std::string program =
        std::string("from dataclasses import dataclass\n") + decorator + "\nclass A:\n  a: int\n";
    EXPECT_EQ(Ran(program).error(), "ours") << decorator;
  }
}

}  // namespace
}  // namespace stridescope
