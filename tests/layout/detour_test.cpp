#include "layout/detour.h"

#include <algorithm>

#include "layout/small_layouts.h"
#include "layout/transform.h"
#include "layout/view_oracle.h"

namespace stridescope {
namespace {

std::vector<int64_t> sorted(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}

TEST(Detours, GiveTheSizesAskedForAndTheSameCellsInAnotherOrder) {
  for_each_layout(3, 3, -1, 3, [](const Layout& layout) {
    if (numel(layout.sizes) == 0) return;
    const auto walk = offsets(layout);
    for (const Dims& sizes : shapes_of(*numel(layout.sizes))) {
      if (as_layout(view(layout, sizes))) continue;
      for (const Detour& detour : detours(layout, sizes)) {
        EXPECT_EQ(detour.layout.sizes, sizes);
        const auto other = offsets(detour.layout);
        ASSERT_EQ(sorted(other), sorted(walk)) << to_string(detour.layout);
        EXPECT_NE(other, walk) << "strides that view did not find";
        const Viewed viewed = view(permute(layout, detour.before), detour.viewed);
        ASSERT_TRUE(as_layout(viewed));
        EXPECT_EQ(permute(*as_layout(viewed), detour.after), detour.layout);
      }
    }
  });
}

TEST(Detours, AlwaysExistForWhatWasPackedAndThenPermuted) {
  for (const Dims& sizes : {Dims{2, 3, 4}, Dims{4, 1, 6}, Dims{2, 2, 3, 2}})
    for_each_permutation(sizes.size(), [&](const Dims& dims) {
      const Layout permuted = permute(contiguous(sizes), dims);
      for (const Dims& wanted : shapes_of(*numel(sizes)))
        if (!as_layout(view(permuted, wanted))) {
          EXPECT_FALSE(detours(permuted, wanted).empty()) << to_string(permuted) << to_string(wanted);
        }
    });
}

TEST(Detours, MoveAsLittleAsTheyCan) {
  // Attention heads: tokens and heads change places again.
  const auto heads = detours("(2, 2, 6, 4):(48, 4, 8, 1)+0"_layout, {2, 6, 8});
  ASSERT_EQ(heads.size(), 1u);
  EXPECT_EQ(heads[0].before, (Dims{0, 2, 1, 3}));
  EXPECT_EQ(heads[0].layout, "(2, 6, 8):(48, 8, 1)+0"_layout);
  // One cut that the layout has, with the two sides exchanged: also after the view.
  const auto turned = detours("(2, 3, 5):(3, 1, 12)+0"_layout, {5, 6});
  ASSERT_EQ(turned.size(), 1u) << "both ways come to the same";
  EXPECT_EQ(turned[0].layout, "(5, 6):(12, 1)+0"_layout);
  const auto after = detours("(4, 3):(2, 8)+0"_layout, {3, 4});
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].layout, "(3, 4):(8, 2)+0"_layout);
}

TEST(Detours, DoNotExistWhereTheCellsThemselvesLeaveGapsInEveryOrder) {
  EXPECT_TRUE(detours("(3, 2):(8, 2)+0"_layout, {6}).empty());
}

TEST(SameCells, IsTrueOnlyOfLayoutsThatReadTheSameOffsetsEquallyOften) {
  for_each_layout(2, 3, -2, 4, [](const Layout& a) {
    if (numel(a.sizes) == 0) return;
    const auto of_a = sorted(offsets(a));
    for_each_layout(2, 3, -2, 4, [&](const Layout& b) {
      if (numel(b.sizes) != 0 && same_cells(a, b)) {
        EXPECT_EQ(of_a, sorted(offsets(b))) << to_string(a);
      }
    });
    EXPECT_TRUE(same_cells(a, transpose(a, 0, 1)));
    EXPECT_TRUE(same_cells(a, flip(a, 0)));
  });
}

TEST(FirstDifference, IsTheFirstElementThatTheWalksReadFromDifferentPlaces) {
  for (const int64_t count : {1, 6, 8, 12})
    for (const Dims& sizes : shapes_of(count))
      for (const Dims& others : shapes_of(count)) {
        const Layout a = contiguous(sizes);
        for_each_permutation(sizes.size(), [&](const Dims& dims) {
          const Layout b = permute(contiguous(others), fortran_order(others.size()));
          const Layout permuted = permute(a, dims);
          const auto left = offsets(permuted), right = offsets(b);
          const auto found = std::mismatch(left.begin(), left.end(), right.begin()).first - left.begin();
          EXPECT_EQ(first_difference(permuted, b), found) << to_string(permuted) << to_string(b);
        });
      }
}

TEST(FirstDifference, HoldsForAnyStrides) {
  for_each_layout(2, 4, 0, 4, [](const Layout& a) {
    const auto count = numel(a.sizes);
    if (count == 0) return;
    const auto left = offsets(a);
    for (const Dims& sizes : shapes_of(*count)) {
      if (sizes.size() != 2) continue;
      for (int64_t outer = 0; outer <= 4; ++outer)
        for (int64_t inner = 0; inner <= 4; ++inner) {
          const Layout b{sizes, {outer, inner}, 5};
          const auto right = offsets(b);
          const auto found = std::mismatch(left.begin(), left.end(), right.begin()).first - left.begin();
          EXPECT_EQ(first_difference(a, b), found) << to_string(b);
        }
    }
  });
}

}  // namespace
}  // namespace stridescope
