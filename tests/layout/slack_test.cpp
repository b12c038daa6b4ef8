#include "layout/slack.h"

#include "small_layouts.h"

namespace stridescope {
namespace {

constexpr int64_t cells = 12;

/// Calls check(layout) for the layouts of the small domain that have elements and lie inside a storage of `cells`.
template <typename Check>
void for_each_inside(Check check) {
  int tried = 0;
  for_each_small_layout([&](const Layout& layout) {
    if (numel(layout.sizes) == 0 || !inside(layout, cells)) return;
    ++tried;
    check(layout);
  });
  EXPECT_GT(tried, 1000);
}

/// Whether exactly the values of `range` give a layout inside, within three steps of its ends and over all between.
template <typename With>
void expect_exact(const Range& range, int64_t least, int64_t most, With with) {
  for (int64_t value = std::max(range.lowest - 3, least); value <= std::min(range.highest + 3, most); ++value)
    EXPECT_EQ(inside(with(value), cells), value >= range.lowest && value <= range.highest) << value;
}

TEST(Slack, OffsetsInsideTheRangeStayInsideTheStorageAndNoOthers) {
  for_each_inside([](const Layout& layout) {
    expect_exact(offset_range(layout, cells), -100, 100, [&](int64_t value) {
      Layout moved = layout;
      moved.storage_offset = value;
      return moved;
    });
  });
}

TEST(Slack, SizesInsideTheRangeStayInsideTheStorageAndNoOthers) {
  for_each_inside([](const Layout& layout) {
    for (int d = 0; d < layout.rank(); ++d) {
      const Range range = size_range(layout, d, cells, 64);
      EXPECT_EQ(range.lowest, 1);
      expect_exact(range, 1, 64, [&](int64_t value) {
        Layout grown = layout;
        grown.sizes[d] = value;
        return grown;
      });
    }
  });
}

TEST(Slack, StridesInsideTheRangeStayInsideTheStorageAndNoOthers) {
  for_each_inside([](const Layout& layout) {
    for (int d = 0; d < layout.rank(); ++d) {
      const Range range = stride_range(layout, d, cells);
      if (layout.sizes[d] == 1) {
        EXPECT_EQ(range, (Range{-(cells - 1), cells - 1}));
        continue;
      }
      expect_exact(range, -100, 100, [&](int64_t value) {
        Layout stepped = layout;
        stepped.strides[d] = value;
        return stepped;
      });
    }
  });
}

TEST(Slack, SizesThatNeverStepHaveNoBoundButTheOneGiven) {
  EXPECT_EQ(size_range("(3, 4):(1, 0)+0"_layout, 1, 3, 64), (Range{1, 64}));
}

TEST(Slack, WhatHasNoElementsIsInsideAndWhatNobodyCanCountIsNot) {
  EXPECT_TRUE(inside({{0}, {5}, 9}, 1));
  EXPECT_FALSE(inside({{int64_t{1} << 62, 4}, {0, 0}, 0}, 1));
  EXPECT_FALSE(inside({{3}, {INT64_MAX}, 0}, 1));
  EXPECT_FALSE(inside({{2}, {-1}, 0}, 3));
  EXPECT_FALSE(inside({{2}, {1}, 2}, 3));
}

}  // namespace
}  // namespace stridescope
