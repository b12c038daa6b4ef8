#include "layout/transform.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

static_assert(transpose("(2, 3, 4):(12, 4, 1)+7"_layout, 0, 2) == "(4, 3, 2):(1, 4, 12)+7"_layout);

TEST(Transpose, ExchangesTwoEntriesOfTheIndex) {
  for_each_small_layout([](const Layout& layout) {
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        EXPECT_TRUE(reads(transpose(layout, a, b), layout,
                          [&](const Dims& index) { return replaced(replaced(index, a, index[b]), b, index[a]); }));
  });
}

}  // namespace
}  // namespace stridescope
