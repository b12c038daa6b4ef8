#include "layout/transform.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

static_assert(unfold("(7,):(1,)+0"_layout, 0, 3, 2) == "(3, 3):(2, 1)+0"_layout);
static_assert(unfold("():()+2"_layout, 0, 1, 5) == "(1,):(1,)+2"_layout);
static_assert(!unfold("(4, 6):(6, 1)+0"_layout, 0, 1, std::numeric_limits<int64_t>::max()));

TEST(Unfold, HasNoAnswerWhereTheNewStrideLeaves64Bits) {
  EXPECT_FALSE(unfold("(2, 3):(3, 1)+0"_layout, 0, 1, INT64_MAX));
  EXPECT_TRUE(unfold("(2, 3):(3, 1)+0"_layout, 1, 1, INT64_MAX));
}

TEST(Unfold, AppendsWindowsThatStartEveryStepElements) {
  for_each_small_layout([](const Layout& layout) {
    for (int d = 0; d < 3; ++d)
      for (int64_t size = 0; size <= layout.sizes[d]; ++size)
        for (int64_t step : {1, 2}) {
          const auto windows = unfold(layout, d, size, step);
          ASSERT_TRUE(windows);
          int64_t count = 0;
          for (int64_t start = 0; start + size <= layout.sizes[d]; start += step) ++count;
          EXPECT_EQ(windows->sizes, with(replaced(layout.sizes, d, count), 3, size));
          EXPECT_TRUE(reads(*windows, layout, [&](const Dims& index) {
            return replaced(without(index, 3), d, index[d] * step + index[3]);
          }));
        }
  });
}

}  // namespace
}  // namespace stridescope
