#include "layout/extent.h"

#include <set>

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

static_assert(extent("():()+8"_layout) == Extent{8, 8});
static_assert(!extent({{2, 0}, {INT64_MAX, INT64_MAX}, INT64_MAX}));
static_assert(!extent({{2, 2}, {INT64_MAX, 1}, 0}));
static_assert(!extent({{3}, {INT64_MAX}, 0}));
static_assert(!extent({{2}, {1}, INT64_MAX}));
static_assert(extent({{2}, {-1}, INT64_MAX}) == Extent{INT64_MAX - 1, INT64_MAX});

TEST(Extent, EndsAtTheLowestAndTheHighestOffsetRead) {
  for_each_small_layout([](const Layout& layout) {
    const auto cells = offsets(layout);
    const auto reach = extent(layout);
    ASSERT_EQ(reach.has_value(), !cells.empty());
    if (!reach) return;
    EXPECT_EQ(reach->lowest, *std::min_element(cells.begin(), cells.end()));
    EXPECT_EQ(reach->highest, *std::max_element(cells.begin(), cells.end()));
  });
}

TEST(Extent, IsNothingWhereAnOffsetLeaves64Bits) {
  for (const Layout& layout : {Layout{{2, 2}, {INT64_MAX, 1}, 0}, Layout{{3}, {INT64_MAX}, 0},
                               Layout{{2}, {1}, INT64_MAX}, Layout{{2}, {-1}, INT64_MIN}})
    EXPECT_FALSE(extent(layout)) << to_string(layout);
}

TEST(DistinctCells, AreCountedOnceEachAndUniqueMeansAsManyAsElements) {
  const auto check = [](const Layout& layout) {
    const auto all = offsets(layout);
    const std::set<int64_t> cells(all.begin(), all.end());
    EXPECT_EQ(distinct_cells(layout), static_cast<int64_t>(cells.size()));
    EXPECT_EQ(is_unique(layout), cells.size() == all.size() ? Answer::yes : Answer::no);
  };
  for_each_small_layout(check);
  for_each_layout(2, 7, 1, 12, check);
}

TEST(DistinctCells, AreToldForLayoutsFarTooLargeToCount) {
  // torch.arange(10**12).view(10**4, 10**4, 10**4).permute(2, 0, 1)
  const Layout permuted = "(10000, 10000, 10000):(1, 100000000, 10000)+0"_layout;
  EXPECT_EQ(distinct_cells(permuted), 1'000'000'000'000);
  EXPECT_EQ(is_unique(permuted), Answer::yes);
  // torch.arange(10**12).unfold(0, 100, 1): windows that overlap
  const Layout windows = "(999999999901, 100):(1, 1)+0"_layout;
  EXPECT_EQ(distinct_cells(windows), 1'000'000'000'000);
  EXPECT_EQ(is_unique(windows), Answer::no);
  EXPECT_EQ(is_unique("(1000000, 1000000):(1, 0)+0"_layout), Answer::no);
}

TEST(DistinctCells, AreUnknownOnlyBeyondTheStatedBound) {
  const Layout tangled = "(1000000, 1000000):(1000003, 1000001)+0"_layout;
  EXPECT_FALSE(distinct_cells(tangled));
  EXPECT_EQ(is_unique(tangled), Answer::unknown);
  // More elements than places between the ends: two must meet.
  EXPECT_EQ(is_unique("(1000000, 1000000):(7, 5)+0"_layout), Answer::no);
  EXPECT_EQ(distinct_cells("(1000, 1000):(3, 2)+0"_layout), 4994);
}

}  // namespace
}  // namespace stridescope
