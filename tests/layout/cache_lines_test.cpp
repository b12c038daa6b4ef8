#include "layout/cache_lines.h"

#include <set>

#include "layout/extent.h"
#include "small_layouts.h"

namespace stridescope {
namespace {

TEST(CacheLines, TouchedAreTheDifferentLinesOfTheCellsRead) {
  for_each_small_layout([](const Layout& layout) {
    for (int64_t per_line : {1, 2, 3, 4, 8}) {
      std::set<int64_t> lines;
      for (int64_t cell : offsets(layout)) lines.insert(block_of(cell, per_line));
      EXPECT_EQ(lines_touched(layout, per_line), static_cast<int64_t>(lines.size())) << per_line << " cells a line";
    }
  });
}

TEST(CacheLines, FetchedAreTheFirstAndEachThatIsNotTheLineBefore) {
  for_each_small_layout([](const Layout& layout) {
    for (int64_t per_line : {1, 2, 3, 4, 8}) {
      int64_t fetched = 0;
      std::optional<int64_t> kept;
      for (int64_t cell : offsets(layout))
        if (const int64_t line = block_of(cell, per_line); line != kept) kept = line, ++fetched;
      EXPECT_EQ(lines_fetched(layout, per_line), fetched) << per_line << " cells a line";
    }
  });
}

TEST(CacheLines, WideStridesThatNestAreCountedInClosedForm) {
  for_each_layout(2, 5, 1, 20, [](const Layout& inner) {
    for (int64_t stride : {7, 61, 200}) {
      Layout layout = inner;
      layout.sizes.insert(0, 3), layout.strides.insert(0, stride);
      std::set<int64_t> lines;
      for (int64_t cell : offsets(layout)) lines.insert(block_of(cell, 16));
      EXPECT_EQ(lines_touched(layout, 16), static_cast<int64_t>(lines.size())) << to_string(layout);
    }
  });
}

TEST(CacheLines, SizeDoesNotMatter) {
  // A column of a matrix of 10^6 rows of 10^6 touches a line a row; reading it all by columns fetches one an element.
  EXPECT_EQ(lines_touched("(1000000,):(1000000,)+0"_layout, 16), 1'000'000);
  EXPECT_EQ(lines_touched("(1000000, 1000000):(1, 1000000)+0"_layout, 16), 62'500'000'000);
  EXPECT_EQ(lines_fetched("(1000000, 1000000):(1000000, 1)+0"_layout, 16), 62'500'000'000);
  EXPECT_EQ(lines_fetched("(1000000, 1000000):(1, 1000000)+0"_layout, 16), 1'000'000'000'000);
}

TEST(CacheLines, WhatCanNotBeCountedIsNotAnswered) {
  EXPECT_EQ(lines_touched("(100000, 100000):(1000, 1001)+0"_layout, 16), std::nullopt);
  EXPECT_EQ(lines_touched("(0, 3):(3, 1)+0"_layout, 16), 0);
  EXPECT_EQ(lines_fetched("(0, 3):(3, 1)+0"_layout, 16), 0);
}

}  // namespace
}  // namespace stridescope
