#include "layout/transform.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

static_assert(unsqueeze("(2, 3):(3, 1)+0"_layout, 0) == "(1, 2, 3):(6, 3, 1)+0"_layout);
static_assert(unsqueeze("(2, 3):(3, 1)+0"_layout, 2) == "(2, 3, 1):(3, 1, 1)+0"_layout);
static_assert(unsqueeze("(2, 0, 3):(3, 3, 1)+0"_layout, 1) == "(2, 1, 0, 3):(3, 0, 3, 1)+0"_layout);
static_assert(unsqueeze("():()+5"_layout, 0) == "(1,):(1,)+5"_layout);

TEST(Unsqueeze, PutsInASizeOfOneAndReadsTheSameInTheSameOrder) {
  for_each_small_layout([](const Layout& layout) {
    for (int d = 0; d <= 3; ++d) {
      const Layout unsqueezed = unsqueeze(layout, d);
      EXPECT_EQ(unsqueezed.sizes, with(layout.sizes, d, 1));
      EXPECT_TRUE(reads(unsqueezed, layout, [&](const Dims& index) { return without(index, d); }));
      EXPECT_EQ(squeeze(unsqueezed, d), layout);
    }
  });
}

}  // namespace
}  // namespace stridescope
