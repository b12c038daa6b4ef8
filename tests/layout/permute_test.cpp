#include "layout/transform.h"

#include "layout/contiguity.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

static_assert(permute(contiguous({2, 3, 4}), {2, 0, 1}) == "(4, 2, 3):(1, 12, 4)+0"_layout);
static_assert(moved_dims(4, {0, 3}, {2, 0}) == Dims{3, 1, 0, 2});

TEST(Permute, ReadsTheSameCellsInAnotherOrder) {
  for_each_small_layout([](const Layout& layout) {
    for_each_permutation(layout.rank(), [&](const Dims& dims) {
      EXPECT_TRUE(reads(permute(layout, dims), layout, [&](const Dims& index) {
        Dims source = index;
        for (int k = 0; k < dims.size(); ++k) source[static_cast<int>(dims[k])] = index[k];
        return source;
      }));
    });
  });
}

TEST(MovedDims, PutsEachSourceAtItsDestinationAndKeepsTheRestInOrder) {
  for_each_permutation(4, [](const Dims& sources) {
    for_each_permutation(4, [&](const Dims& destinations) {
      for (int count = 0; count <= 4; ++count) {
        Dims source, destination;
        for (int k = 0; k < count; ++k) source.push_back(sources[k]), destination.push_back(destinations[k]);
        Dims moved = moved_dims(4, source, destination);
        for (int k = 0; k < count; ++k) {
          EXPECT_EQ(moved[static_cast<int>(destination[k])], source[k]);
          moved[static_cast<int>(destination[k])] = -1;
        }
        const auto rest = std::remove(moved.begin(), moved.end(), -1);
        EXPECT_EQ(rest - moved.begin(), 4 - count);
        EXPECT_TRUE(std::is_sorted(moved.begin(), rest));
      }
    });
  });
}

}  // namespace
}  // namespace stridescope
