#include "explain/target.h"

#include <gtest/gtest.h>

namespace stridescope {
namespace {

TEST(Target, IsWrittenAsKindOwnerAndIndex) {
  EXPECT_EQ(to_string(Target{}), "");
  EXPECT_EQ(to_string(Target{Target::Kind::step, -1, 2}), "step:2");
  EXPECT_EQ(to_string(Target{Target::Kind::tensor, 4, -1}), "tensor:4");
  EXPECT_EQ(to_string(Target{Target::Kind::axis, 3, 1}), "axis:3:1");
  EXPECT_EQ(to_string(Target{Target::Kind::element, 3, 999999999999}), "element:3:999999999999");
  EXPECT_EQ(to_string(Target{Target::Kind::cell, 0, 12}), "cell:0:12");
  EXPECT_EQ(to_string(Target{Target::Kind::fix, -1, 1}), "fix:1");
  EXPECT_EQ(to_string(Target{Target::Kind::line, -1, 3}), "line:3");
}

TEST(Target, IsReadBackAsItWasWritten) {
  for (const Target& target : {Target{}, Target{Target::Kind::step, -1, 0}, Target{Target::Kind::tensor, 7, -1},
                               Target{Target::Kind::axis, 1, 63}, Target{Target::Kind::element, 2, INT64_MAX},
                               Target{Target::Kind::cell, INT32_MAX, 0}, Target{Target::Kind::fix, -1, 3},
                               Target{Target::Kind::line, -1, 12}}) {
    EXPECT_EQ(parse_target(to_string(target)), target) << to_string(target);
  }
}

TEST(Target, AnythingUnreadableIsNothing) {
  for (const char* text : {"cell",      "cell:",     "cell:0",    "cell:0:",           "cell:0:1:2",
                           "cell:-1:2", "cell:0:-2", "cell:+0:1", "cell: 0:1",         "cell:0:1 ",
                           "Cell:0:1",  "step",      "step:1:2",  "tensor:2147483648", "cell:0:9223372036854775808",
                           ":",         ":0",        "none",      "axis::1",           "element:1e3:2"}) {
    EXPECT_EQ(parse_target(text), Target{}) << text;
  }
}

}  // namespace
}  // namespace stridescope
