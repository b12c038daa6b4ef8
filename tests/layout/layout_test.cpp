#include "layout/layout.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

static_assert(numel({}) == 1);
static_assert(numel({INT64_MAX, 2}) == std::nullopt);
static_assert(numel({INT64_MAX, 2, 0}) == 0);
static_assert(is_valid({{INT64_MAX}, {1}, 0}));
static_assert(!is_valid({{INT64_MAX}, {1}, 1}));
static_assert(!is_valid({{2}, {}, 0}));
static_assert(!is_valid({{-1}, {1}, 0}));
static_assert(!is_valid({{INT64_MAX, 2}, {0, 0}, 0}));
static_assert(!is_valid({{INT64_MAX, INT64_MAX, 0}, {1, 1, 1}, 0}));
static_assert(!is_valid({{0}, {INT64_MIN}, 0}));
static_assert(!is_valid({{}, {}, INT64_MIN}));
static_assert(is_valid({{}, {}, -INT64_MAX}));

TEST(Layout, IndexAtCountsInRowMajorOrder) {
  const Dims sizes{2, 3, 4};
  int64_t position = 0;
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 3; ++j)
      for (int64_t k = 0; k < 4; ++k) EXPECT_EQ(index_at(sizes, position++), (Dims{i, j, k}));
}

TEST(Layout, IsNotValidWhereSomethingIsMissingOrBelowZeroOrTooLarge) {
  for (const Layout& layout :
       {Layout{{2}, {}, 0}, Layout{{}, {1}, 0}, Layout{{-1}, {1}, 0}, Layout{{INT64_MAX, 2}, {0, 0}, 0},
        Layout{{3}, {INT64_MAX}, 0}, Layout{{2}, {INT64_MAX / 2}, 3}, Layout{{}, {}, INT64_MIN}})
    EXPECT_FALSE(is_valid(layout)) << to_string(layout);
}

TEST(Layout, EverySmallLayoutIsValid) {
  for_each_small_layout([](const Layout& layout) { EXPECT_TRUE(is_valid(layout)); });
}

TEST(Dims, InsertAndEraseAreInverse) {
  const Dims dims{4, 5, 6};
  for (int d = 0; d <= 3; ++d) EXPECT_EQ(without(with(dims, d, 9), d), dims);
  EXPECT_EQ(with(dims, 1, 9), (Dims{4, 9, 5, 6}));
  EXPECT_FALSE((Dims{4, 5} == dims));
  EXPECT_TRUE(Dims::filled(max_rank, 1).full());
}

}  // namespace
}  // namespace stridescope
