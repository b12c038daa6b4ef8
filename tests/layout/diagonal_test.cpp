#include "layout/transform.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

static_assert(diagonal("(3, 4):(4, 1)+0"_layout, 0, 0, 1) == "(3,):(5,)+0"_layout);
static_assert(diagonal("(3, 4):(4, 1)+0"_layout, -1, 0, 1) == "(2,):(5,)+4"_layout);
static_assert(diagonal("(3, 4):(4, 1)+0"_layout, 4, 0, 1) == "(0,):(5,)+0"_layout);
static_assert(diagonal_size("(3, 4):(4, 1)+0"_layout, std::numeric_limits<int64_t>::min(), 0, 1) < 0);

TEST(Diagonal, HoldsEveryCellWhoseColumnIsShiftedFromItsRow) {
  for_each_small_layout([](const Layout& layout) {
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        for (int64_t shift = -3; row != column && shift <= 3; ++shift) {
          int64_t count = 0;
          for (int64_t i = 0; i < layout.sizes[row]; ++i) count += i + shift >= 0 && i + shift < layout.sizes[column];
          const Layout line = diagonal(layout, shift, row, column);
          EXPECT_EQ(line.sizes.back(), count);
          EXPECT_EQ(std::max<int64_t>(diagonal_size(layout, shift, row, column), 0), count);
          EXPECT_TRUE(reads(line, layout, [&](const Dims& index) {
            const int64_t i = index.back() + std::max<int64_t>(-shift, 0),
                          j = index.back() + std::max<int64_t>(shift, 0);
            const Dims rest = without(index, index.size() - 1);
            return row < column ? with(with(rest, row, i), column, j) : with(with(rest, column, j), row, i);
          }));
        }
  });
}

}  // namespace
}  // namespace stridescope
