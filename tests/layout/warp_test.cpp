#include "layout/warp.h"

#include <map>
#include <set>

#include "layout/extent.h"
#include "small_layouts.h"

namespace stridescope {
namespace {

TEST(Warp, SectorsAreTheDifferentBlocksOf32BytesThatHoldAByteRead) {
  for_each_small_layout([](const Layout& layout) {
    const std::vector<int64_t> cells = offsets(layout);
    for (const int64_t bytes : {1, 2, 4, 8, 16}) {
      std::set<int64_t> sectors;
      for (size_t k = 0; k < cells.size() && k < 32; ++k)
        for (int64_t b = 0; b < bytes; ++b) sectors.insert(block_of(cells[k] * bytes + b, 32));
      if (cells.empty()) continue;
      const Warp warp = warp_at(layout, 0, bytes, bytes);
      EXPECT_EQ(warp.lanes, std::min<int64_t>(32, static_cast<int64_t>(cells.size())));
      EXPECT_EQ(warp.sectors, static_cast<int64_t>(sectors.size())) << to_string(layout) << " of " << bytes;
    }
  });
}

TEST(Warp, PassesAreTheMostDifferentWordsThatOneBankIsAskedFor) {
  for (const int64_t stride : {-33, -32, -3, -1, 0, 1, 2, 3, 5, 8, 16, 31, 32, 33, 64})
    for (const int64_t size : {1, 7, 31, 32}) {
      const Layout layout{{size}, {stride}, 4096};
      std::map<int64_t, std::set<int64_t>> words;
      for (const int64_t word : offsets(layout)) words[word % 32].insert(word);
      size_t most = 0;
      for (const auto& [bank, asked] : words) most = std::max(most, asked.size());
      EXPECT_EQ(warp_at(layout, 0, 4, 4).passes, static_cast<int64_t>(most)) << "stride " << stride;
    }
}

TEST(Warp, ContiguousElementsCostTheLeastAndAColumnOf32TheMost) {
  const Layout rows = "(64, 64):(64, 1)+0"_layout, columns = "(64, 64):(1, 64)+0"_layout;
  EXPECT_EQ(warp_at(rows, 100, 4, 4), (Warp{.first = 96, .lanes = 32, .sectors = 4, .passes = 1}));
  EXPECT_EQ(warp_at(columns, 100, 4, 4), (Warp{.first = 96, .lanes = 32, .sectors = 32, .passes = 32}));
  EXPECT_EQ(warp_at("(64, 64):(1, 65)+0"_layout, 0, 4, 4).passes, 1) << "a row of one more, the remedy for conflicts";
}

TEST(Warp, ElementsOfEightBytesTakeTwoPassesAndOfSixteenFour) {
  const Layout row = "(32,):(1,)+0"_layout;
  EXPECT_EQ(warp_at(row, 0, 1, 1), (Warp{.lanes = 32, .sectors = 1, .passes = 1}));
  EXPECT_EQ(warp_at(row, 0, 2, 2), (Warp{.lanes = 32, .sectors = 2, .passes = 1}));
  EXPECT_EQ(warp_at(row, 0, 8, 8), (Warp{.lanes = 32, .sectors = 8, .passes = 2}));
  EXPECT_EQ(warp_at(row, 0, 16, 16), (Warp{.lanes = 32, .sectors = 16, .passes = 4}));
  EXPECT_EQ(warp_at("(32,):(32,)+0"_layout, 0, 16, 16).passes, 32) << "every thread asks the same four banks";
}

TEST(Warp, OneCellForAllIsOneSectorAndOnePass) {
  EXPECT_EQ(warp_at("(1000000, 1000000):(0, 0)+7"_layout, 999'999'999'999, 4, 4),
            (Warp{.first = 999'999'999'968, .lanes = 32, .sectors = 1, .passes = 1}));
}

TEST(Warp, StridesInBytesMayCutWordsAndSectors) {
  // 20 elements of 4 bytes, each 5 bytes after the one before: 99 bytes from byte 30 on, five sectors; 25 or 26 words.
  const Layout layout = "(20,):(5,)+30"_layout;
  std::set<int64_t> words;
  for (const int64_t place : offsets(layout)) words.insert({place / 4, (place + 3) / 4});
  EXPECT_EQ(warp_at(layout, 0, 1, 4), (Warp{.lanes = 20, .sectors = 5, .passes = 1}));
  EXPECT_LE(words.size(), 32u);
}

}  // namespace
}  // namespace stridescope
