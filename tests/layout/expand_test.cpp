#include "layout/transform.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

static_assert(expand("(3, 1):(1, 1)+0"_layout, {3, 4}) == "(3, 4):(1, 0)+0"_layout);
static_assert(expand("(3,):(1,)+0"_layout, {1, 3}) == "(1, 3):(3, 1)+0"_layout);
static_assert(expand("(3,):(1,)+0"_layout, {2, 1, 3}) == "(2, 1, 3):(0, 3, 1)+0"_layout);
static_assert(expand("():()+0"_layout, {1}) == "(1,):(0,)+0"_layout);
static_assert(expand("(1,):(1,)+0"_layout, {0}) == "(0,):(0,)+0"_layout);
static_assert(broadcast_to("(3, 1):(8, 8)+0"_layout, {1, 3, 1}) == "(1, 3, 1):(0, 8, 0)+0"_layout);
static_assert(!is_expandable("(3, 1):(1, 1)+0"_layout, {4}));
static_assert(!is_expandable("(3, 1):(1, 1)+0"_layout, {2, 4}));

TEST(Expand, RepeatsCellsWithoutMovingThemAndSoDoesBroadcastTo) {
  for_each_small_layout([](const Layout& layout) {
    for (int64_t front : {0, 2})
      for (int64_t grown : {1, 2}) {
        Dims sizes = with(layout.sizes, 0, front);
        for (int d = 1; d <= 3; ++d)
          if (sizes[d] == 1) sizes[d] = grown;
        ASSERT_TRUE(is_expandable(layout, sizes));
        const auto source = [&](const Dims& index) {
          Dims place = without(index, 0);
          for (int d = 0; d < 3; ++d)
            if (layout.sizes[d] == 1) place[d] = 0;
          return place;
        };
        EXPECT_TRUE(reads(expand(layout, sizes), layout, source));
        EXPECT_TRUE(reads(broadcast_to(layout, sizes), layout, source));
      }
  });
}

TEST(Expand, KeepsEveryStrideWhereNothingGrows) {
  for_each_small_layout([](const Layout& layout) { EXPECT_EQ(expand(layout, layout.sizes), layout); });
}

}  // namespace
}  // namespace stridescope
