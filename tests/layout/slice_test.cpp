#include "layout/transform.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

// torch.arange(24).view(4, 6)[::100]: the stride is multiplied although one row is left.
static_assert(slice("(4, 6):(6, 1)+0"_layout, 0, 0, 100, 1) == "(1, 6):(600, 1)+0"_layout);
// torch.arange(24).view(4, 6)[10:]: the storage offset moves although nothing is left.
static_assert(slice("(4, 6):(6, 1)+0"_layout, 0, 4, 1, 0) == "(0, 6):(6, 1)+24"_layout);
static_assert(!slice("(4, 6):(6, 1)+0"_layout, 0, 0, std::numeric_limits<int64_t>::max(), 1));

TEST(Slice, TakesEveryStepthElementFromStart) {
  for_each_small_layout([](const Layout& layout) {
    for (int d = 0; d < 3; ++d) {
      const int64_t size = layout.sizes[d];
      for (int64_t step : {-1, 2})
        for (int64_t start = 0; start < size; ++start) {
          const int64_t room = step > 0 ? (size - 1 - start) / step : start / -step;
          for (int64_t count : {int64_t{0}, room + 1}) {
            const auto sliced = slice(layout, d, start, step, count);
            ASSERT_TRUE(sliced);
            EXPECT_EQ(sliced->sizes, replaced(layout.sizes, d, count));
            EXPECT_TRUE(
                reads(*sliced, layout, [&](const Dims& index) { return replaced(index, d, start + step * index[d]); }));
          }
        }
    }
  });
}

}  // namespace
}  // namespace stridescope
