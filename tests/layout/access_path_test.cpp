#include "layout/access_path.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

static_assert(AccessPath("(2, 3):(1, 2)+0"_layout).statistics() == PathStatistics{11, 1, 0, 1});
static_assert(AccessPath("(2, 3):(3, 1)+0"_layout).statistics() == PathStatistics{5, 0, 0, 6});
// Every row is read twice: two rows of 4, one hop of a unit between them, make a run of 8 in the middle.
static_assert(AccessPath("(2, 2, 4):(4, 0, 1)+0"_layout).statistics() == PathStatistics{19, 2, 0, 8});
// 10^12 elements, walked column by column: at once, and the distance of the longest walk is more than can be said.
static_assert(AccessPath("(10000, 10000, 10000):(1, 100000000, 10000)+0"_layout).statistics().backward == 9999);
static_assert(!AccessPath("(1000000, 1000000):(1, 100000000)+0"_layout).statistics().travel);
static_assert(AccessPath("(10000, 10000, 10000):(1, 100000000, 10000)+0"_layout).offset(123'456'789'012) ==
              1234 + 5678 * 100000000ll + 9012 * 10000);

PathStatistics walked(const std::vector<int64_t>& offsets, int64_t unit) {
  PathStatistics total{.travel = 0};
  int64_t run = 0;
  for (size_t i = 0; i < offsets.size(); ++i) {
    const int64_t hop = i == 0 ? 0 : offsets[i] - offsets[i - 1];
    *total.travel += hop < 0 ? -hop : hop;
    total.backward += hop < 0;
    total.repeats += i > 0 && hop == 0;
    run = i > 0 && hop == unit ? run + 1 : 1;
    total.longest_run = std::max(total.longest_run, run);
  }
  return total;
}

TEST(AccessPath, OffsetsInARowAreThoseOfTheElementsOneByOne) {
  for_each_small_layout([](const Layout& layout) {
    const AccessPath path(layout);
    std::vector<int64_t> all(static_cast<size_t>(path.size()));
    path.offsets(0, all);
    EXPECT_EQ(all, offsets(layout)) << to_string(layout);
  });
}

TEST(AccessPath, AnyStretchOfOffsetsIsThatPartOfTheWhole) {
  for (const Layout& layout : {"(2, 3, 4):(12, 4, 1)+0"_layout, "(4, 2, 3):(1, 12, 4)+5"_layout,
                               "(3, 1, 2, 2):(-4, 9, 0, 1)+8"_layout, "():()+3"_layout}) {
    const auto whole = offsets(layout);
    const AccessPath path(layout);
    for (size_t first = 0; first <= whole.size(); ++first)
      for (size_t last = first; last <= whole.size(); ++last) {
        std::vector<int64_t> part(last - first);
        path.offsets(static_cast<int64_t>(first), part);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(first)))
            << to_string(layout) << " from " << first;
      }
  }
}

TEST(AccessPath, RunsAreAsLongAsDimensionsThatContinueOneAnotherAllow) {
  const auto count = [](const Layout& layout) {
    int runs = 0;
    AccessPath(layout).runs(0, *numel(layout.sizes), [&](const AccessPath::Run&) { ++runs; });
    return runs;
  };
  EXPECT_EQ(count("(2, 3, 4):(12, 4, 1)+0"_layout), 1);
  EXPECT_EQ(count("(2, 3, 4):(24, 8, 1)+0"_layout), 6);
  EXPECT_EQ(count("(2, 3, 1, 4):(24, 4, 7, 1)+0"_layout), 2);
  EXPECT_EQ(count("(2, 3):(0, 0)+0"_layout), 1);
  EXPECT_EQ(count("(2, 0):(1, 1)+0"_layout), 0);
}

TEST(AccessPath, StatisticsInClosedFormAreThoseOfTheWalk) {
  for_each_small_layout([](const Layout& layout) {
    const auto walk = offsets(layout);
    for (int64_t unit : {1, 2}) EXPECT_EQ(AccessPath(layout).statistics(unit), walked(walk, unit));
  });
}

TEST(AccessPath, WhatTheWalkHasCostSoFarIsThatOfItsBeginning) {
  for_each_small_layout([](const Layout& layout) {
    const AccessPath path(layout);
    const auto walk = offsets(layout);
    for (int64_t reads = 1; reads <= path.size(); ++reads) {
      const PathStatistics beginning = walked({walk.data(), walk.data() + reads}, 1);
      const AccessPath::SoFar so_far = path.so_far(reads);
      ASSERT_EQ(so_far.travel, beginning.travel);
      ASSERT_EQ(so_far.backward, beginning.backward);
      ASSERT_EQ(so_far.repeats, beginning.repeats);
    }
  });
}

TEST(AccessPath, StatisticsOfRankFourAreThoseOfTheWalk) {
  for_each_layout(4, 2, -1, 3,
                  [](const Layout& layout) { EXPECT_EQ(AccessPath(layout).statistics(), walked(offsets(layout), 1)); });
}

TEST(AccessPath, VisitsTheOffsetsInRowMajorOrderByTheHopsItNames) {
  for_each_small_layout([](const Layout& layout) {
    const AccessPath path(layout);
    const auto walk = offsets(layout);
    ASSERT_EQ(path.size(), static_cast<int64_t>(walk.size()));
    Dims taken = Dims::filled(3, 0);
    for (int64_t i = 0; i < path.size(); ++i) {
      EXPECT_EQ(path.offset(i), walk[static_cast<size_t>(i)]);
      if (i + 1 == path.size()) break;
      const int d = path.advancing(i);
      EXPECT_EQ(path.offset(i) + path.hop(d), walk[static_cast<size_t>(i + 1)]);
      ++taken[d];
    }
    for (int d = 0; d < 3; ++d) EXPECT_EQ(path.hops(d), taken[d]);
  });
}

}  // namespace
}  // namespace stridescope
