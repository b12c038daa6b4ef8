#include "layout/read_extent.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

TEST(ReadExtent, IsTheLowestAndHighestOffsetOfEveryStretchOfReads) {
  for_each_layout(3, 3, -2, 3, [](const Layout& layout) {
    const std::vector<int64_t> all = offsets(layout);
    const auto count = static_cast<std::ptrdiff_t>(all.size());
    for (std::ptrdiff_t first = 0; first < count; ++first)
      for (std::ptrdiff_t last = first; last < count; ++last) {
        const auto [low, high] = std::minmax_element(all.begin() + first, all.begin() + last + 1);
        const Extent reach = read_extent(layout, first, last);
        ASSERT_EQ(reach.lowest, *low) << first << " .. " << last;
        ASSERT_EQ(reach.highest, *high) << first << " .. " << last;
      }
  });
}

TEST(ReadExtent, OfAScalarIsItsOffset) { EXPECT_EQ(read_extent({{}, {}, 7}, 0, 0), (Extent{7, 7})); }

TEST(ReadExtent, OfATrillionReadsIsTheExtent) {
  const Layout layout{{10'000, 10'000, 10'000}, {1, 100'000'000, 10'000}, 0};
  EXPECT_EQ(read_extent(layout, 0, 999'999'999'999), extent(layout));
}

}  // namespace
}  // namespace stridescope
