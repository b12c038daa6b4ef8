// What other tests compare with == is equal only in all its members.
#include <gtest/gtest.h>

#include "layout/access_path.h"
#include "layout/extent.h"
#include "layout/shapes.h"
#include "layout/slack.h"
#include "layout/view.h"
#include "layout/warp.h"

namespace stridescope {
namespace {

/// Each is equal to itself alone.
template <class Value>
void expect_distinct(const std::vector<Value>& values) {
  for (size_t a = 0; a < values.size(); ++a)
    for (size_t b = 0; b < values.size(); ++b) EXPECT_EQ(values[a] == values[b], a == b) << a << " and " << b;
}

TEST(Equality, OfAValueIsThatOfEachMember) {
  expect_distinct<Extent>({{1, 2}, {0, 2}, {1, 3}});
  expect_distinct<Range>({{1, 2}, {0, 2}, {1, 3}});
  expect_distinct<Shape>({{{2, 3}, true}, {{3, 2}, true}, {{2, 3}, false}, {{2}, true}});
  expect_distinct<PathStatistics>(
      {{1, 2, 3, 4}, {{}, 2, 3, 4}, {5, 2, 3, 4}, {1, 5, 3, 4}, {1, 2, 5, 4}, {1, 2, 3, 5}});
  expect_distinct<Joint>({{0, 1, 4, 3}, {2, 1, 4, 3}, {0, 2, 4, 3}, {0, 1, 5, 3}, {0, 1, 4, 5}});
  expect_distinct<Crack>({{{0, 1, 4, 3}, 1}, {{0, 1, 4, 2}, 1}, {{0, 1, 4, 3}, 0}});
  expect_distinct<Unfitting>(
      {{Unfitting::Kind::negative, 1}, {Unfitting::Kind::negative, 2}, {Unfitting::Kind::ambiguous, 1}});
  expect_distinct<Warp>({{0, 32, 4, 1}, {32, 32, 4, 1}, {0, 31, 4, 1}, {0, 32, 5, 1}, {0, 32, 4, 2}});
  expect_distinct<Layout>(
      {{{2, 3}, {3, 1}, 0}, {{3, 2}, {3, 1}, 0}, {{2, 3}, {1, 3}, 0}, {{2, 3}, {3, 1}, 1}, {{6}, {1}, 0}});
}

}  // namespace
}  // namespace stridescope
