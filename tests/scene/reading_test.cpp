#include "scene/reading.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

TEST(Readers, AreAllElementsThatReadACell) {
  for_each_layout(3, 3, -2, 3, [](const Layout& layout) {
    const std::vector<int64_t> all = offsets(layout);
    for (int64_t cell = -8; cell <= 24; ++cell) {
      std::vector<int64_t> expected;
      for (size_t k = 0; k < all.size(); ++k)
        if (all[k] == cell) expected.push_back(static_cast<int64_t>(k));
      ASSERT_EQ(readers(layout, cell, 100), expected) << "cell " << cell;
    }
  });
}

TEST(Readers, StopAtTheNumberAskedFor) {
  EXPECT_EQ(readers({{1'000'000'000, 3}, {0, 1}, 0}, 1, 4).size(), 4u);
}

TEST(Readers, OfOverlappingWindowsAreFoundWithoutTryingAllOfThem) {
  const Layout windows{{1'000'000, 1'000'000}, {1, 1}, 0};
  EXPECT_EQ(readers(windows, 5, 100), (std::vector<int64_t>{5, 1'000'004, 2'000'003, 3'000'002, 4'000'001, 5'000'000}));
}

}  // namespace
}  // namespace stridescope
