#include "layout/transform.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

static_assert(flip("(3, 4):(4, 1)+0"_layout, 0) == "(3, 4):(-4, 1)+8"_layout);

TEST(Flip, ReadsADimensionFromItsEnd) {
  for_each_small_layout([](const Layout& layout) {
    for (int d = 0; d < 3; ++d) {
      const Layout flipped = flip(layout, d);
      EXPECT_TRUE(reads(flipped, layout,
                        [&](const Dims& index) { return replaced(index, d, layout.sizes[d] - 1 - index[d]); }));
      EXPECT_EQ(flip(flipped, d), layout);
    }
  });
}

}  // namespace
}  // namespace stridescope
