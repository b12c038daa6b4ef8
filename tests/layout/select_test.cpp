#include "layout/transform.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

static_assert(select("(2, 3, 4):(12, 4, 1)+0"_layout, 1, 2) == "(2, 4):(12, 1)+8"_layout);
static_assert(squeeze("(1, 3, 1):(3, 1, 9)+5"_layout) == "(3,):(1,)+5"_layout);
static_assert(squeeze("(1, 1):(3, 1)+5"_layout) == "():()+5"_layout);

TEST(Select, FixesADimensionAndDropsIt) {
  for_each_small_layout([](const Layout& layout) {
    for (int d = 0; d < 3; ++d)
      for (int64_t at = 0; at < layout.sizes[d]; ++at)
        EXPECT_TRUE(reads(select(layout, d, at), layout, [&](const Dims& index) { return with(index, d, at); }));
  });
}

TEST(Squeeze, DropsDimensionsOfSizeOneAndReadsTheSameInTheSameOrder) {
  for_each_small_layout([](const Layout& layout) {
    const Layout squeezed = squeeze(layout);
    EXPECT_EQ(offsets(squeezed), offsets(layout));
    EXPECT_EQ(squeezed.rank(), 3 - std::count(layout.sizes.begin(), layout.sizes.end(), 1));
    for (int64_t size : squeezed.sizes) EXPECT_NE(size, 1);
  });
}

}  // namespace
}  // namespace stridescope
