#include "layout/lookup.h"

#include <map>
#include <random>
#include <set>

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

TEST(IndexOf, IsTheLastElementThatReadsTheOffset) {
  for_each_small_layout([](const Layout& layout) {
    std::map<int64_t, Dims> last;
    for_each_index(layout.sizes, [&](const Dims& index) { last[offset(layout, index)] = index; });
    const auto reach = extent(layout).value_or(Extent{0, 0});
    for (int64_t place = reach.lowest - 1; place <= reach.highest + 1; ++place) {
      const Found found = index_of(layout, place);
      const auto expected = last.find(place);
      ASSERT_EQ(found.answer, expected == last.end() ? Answer::no : Answer::yes) << place;
      if (expected != last.end()) {
        EXPECT_EQ(found.index, expected->second) << place;
      }
    }
  });
}

TEST(Readers, AreAllElementsThatReadTheOffsetInAscendingOrder) {
  for_each_small_layout([](const Layout& layout) {
    std::map<int64_t, std::vector<int64_t>> all;
    int64_t position = 0;
    for_each_index(layout.sizes, [&](const Dims& index) { all[offset(layout, index)].push_back(position++); });
    const auto reach = extent(layout).value_or(Extent{0, 0});
    for (int64_t place = reach.lowest - 1; place <= reach.highest + 1; ++place) {
      auto expected = all[place];
      EXPECT_EQ(readers(layout, place, 100), expected) << place;
      expected.resize(std::min<size_t>(expected.size(), 2));
      EXPECT_EQ(readers(layout, place, 2), expected) << place;
    }
  });
}

TEST(Readers, AsManyAsAreAskedForAndNoneOfAPlaceThatNothingReads) {
  const Layout layout = "(2, 3):(0, 2)+1"_layout;
  EXPECT_EQ(readers(layout, 3, 5, 100), (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(readers(layout, 3, 1, 100), (std::vector<int64_t>{1}));
  EXPECT_TRUE(readers(layout, 3, 0, 100).empty());
  for (const int64_t place : {0, 2, 6, -1}) EXPECT_TRUE(readers(layout, place, 5, 100).empty()) << place;
}

TEST(SharesOffset, OfWhatReachesTheEndOf64BitsIsUnknownOrPlain) {
  const Layout end{{2}, {1}, INT64_MAX - 1}, begin{{2}, {1}, -INT64_MAX};
  EXPECT_EQ(shares_offset(end, 8, "(2,):(1,)+0"_layout, 8, 100), Answer::no);
  EXPECT_EQ(shares_offset(end, 8, end, 8, 100), Answer::yes);
  EXPECT_NE(shares_offset(begin, 8, end, 8, 100), Answer::yes);
  EXPECT_EQ(shares_offset({{0}, {1}, 0}, 8, end, 8, 100), Answer::no);
}

TEST(Readers, OfTenToTheTwelfthElementsAreTheFirst) {
  EXPECT_EQ(readers("(1000000, 1000000):(0, 1)+0"_layout, 7, 3), (std::vector<int64_t>{7, 1'000'007, 2'000'007}));
  EXPECT_EQ(readers("(999999999901, 100):(1, 1)+0"_layout, 500, 2), (std::vector<int64_t>{40'199, 40'298}));
  EXPECT_EQ(readers("(1000000, 1000000):(1, 1000003)+0"_layout, 1'000'003, 9), (std::vector<int64_t>{1}));
}

TEST(IndexOf, FindsItAmongTenToTheTwelfthElements) {
  const int64_t n = 10'000, place = 123'456'789'012;
  for (const Dims& strides : {Dims{1, n * n, n}, Dims{n * n, n, 1}, Dims{1, n, n * n}}) {
    const Layout layout{{n, n, n}, strides, 0};
    const Found found = index_of(layout, place);
    ASSERT_EQ(found.answer, Answer::yes) << to_string(layout);
    EXPECT_EQ(offset(layout, found.index), place);
  }
  // Rows with gaps, read column by column.
  const Layout gaps = "(1000000, 1000000):(1, 1000003)+5"_layout;
  EXPECT_EQ(index_of(gaps, 5 + 999'999 + 1000003ll * 77).index, (Dims{999'999, 77}));
  EXPECT_EQ(index_of(gaps, 5 + 1'000'000).answer, Answer::no);
  // Overlapping windows: the window that starts last reads the cell first.
  const Found window = index_of("(999999999901, 100):(1, 1)+0"_layout, 500);
  EXPECT_EQ(window.index, (Dims{500, 0}));
  EXPECT_EQ(index_of("(1000000, 1000000):(0, 0)+4"_layout, 4).index, (Dims{999'999, 999'999}));
}

TEST(IndexOf, SaysUnknownWhereTheSearchIsTooLong) {
  Layout tangled;
  for (int64_t prime : {1'000'003, 1'000'033, 1'000'037, 1'000'039, 1'000'081, 1'000'099}) {
    tangled.sizes.push_back(1000);
    tangled.strides.push_back(prime);
  }
  const Extent reach = *extent(tangled);
  EXPECT_EQ(index_of(tangled, reach.highest + 1).answer, Answer::no);
  EXPECT_EQ(index_of(tangled, reach.highest).answer, Answer::yes);
  EXPECT_EQ(index_of(tangled, reach.highest / 2 + 1, 10).answer, Answer::unknown);
  EXPECT_EQ(index_of(tangled, std::numeric_limits<int64_t>::min()).answer, Answer::no);
}

std::set<int64_t> covered(const Layout& layout, int64_t unit) {
  std::set<int64_t> cells;
  for (int64_t place : offsets(layout))
    for (int64_t k = 0; k < unit; ++k) cells.insert(place + k);
  return cells;
}

TEST(SharesOffset, IsHavingACoveredOffsetInCommon) {
  std::mt19937 random(7);
  const auto draw = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint32_t>(high - low + 1));
  };
  int shared = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    Layout layouts[2];
    int64_t units[2];
    std::set<int64_t> cells[2];
    for (int side = 0; side < 2; ++side) {
      for (int d = 0; d < 2; ++d) {
        layouts[side].sizes.push_back(draw(trial % 20 == 0 ? 0 : 1, 4));
        layouts[side].strides.push_back(draw(-9, 17));
      }
      layouts[side].storage_offset = draw(-12, 12);
      units[side] = draw(1, 3);
      cells[side] = covered(layouts[side], units[side]);
    }
    bool common = false;
    for (int64_t cell : cells[0]) common = common || cells[1].count(cell) > 0;
    shared += common;
    ASSERT_EQ(shares_offset(layouts[0], units[0], layouts[1], units[1]), common ? Answer::yes : Answer::no)
        << to_string(layouts[0]) << " x" << units[0] << " and " << to_string(layouts[1]) << " x" << units[1];
  }
  EXPECT_GT(shared, 2'000);
  EXPECT_LT(shared, 18'000);
}

TEST(SharesOffset, TellsInterleavedHalvesApart) {
  const int64_t n = 500'000'000'000;
  const Layout even{{n}, {2}, 0}, odd{{n}, {2}, 1};
  EXPECT_EQ(shares_offset(even, 1, odd, 1), Answer::no);
  EXPECT_EQ(shares_offset(even, 2, odd, 2), Answer::yes);
  EXPECT_EQ(shares_offset(even, 1, {{}, {}, 600'000'000'000}, 1), Answer::yes);
  EXPECT_EQ(shares_offset(even, 1, {{0}, {1}, 0}, 1), Answer::no);
}

TEST(SharesOffset, SaysUnknownWhereTheTwoAreTooLargeToSearch) {
  const Layout deep{Dims::filled(33, 2), Dims::filled(33, 1), 0};
  EXPECT_EQ(shares_offset(deep, 1, deep, 1), Answer::unknown);
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(shares_offset({{2}, {most}, 0}, 1, {{2}, {-most}, most}, 1), Answer::unknown);
}

}  // namespace
}  // namespace stridescope
