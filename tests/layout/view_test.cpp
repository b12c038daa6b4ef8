#include "layout/view.h"

#include "layout/small_layouts.h"
#include "layout/transform.h"
#include "layout/view_oracle.h"

namespace stridescope {
namespace {

constexpr bool views_as(const Layout& layout, const Dims& sizes, const Layout& expected) {
  const Viewed viewed = view(layout, sizes);
  return as_layout(viewed) && *as_layout(viewed) == expected;
}
constexpr bool cracks(const Layout& layout, const Dims& sizes, const Crack& expected) {
  const Viewed viewed = view(layout, sizes);
  return as_crack(viewed) && *as_crack(viewed) == expected;
}

// x = torch.randn(2, 3, 2); x.permute(0, 2, 1).view(-1)
static_assert(cracks(permute(contiguous({2, 3, 2}), {0, 2, 1}), {12}, {{1, 2, 1, 6}, 0}));
// torch.arange(12).reshape(3, 4).t().view(2, 2, 3) is a view of a layout that is not contiguous
static_assert(views_as(transpose(contiguous({3, 4}), 0, 1), {2, 2, 3}, "(2, 2, 3):(2, 1, 4)+0"_layout));
// Sizes of 1 put in take the stride of the stretch they stand in.
static_assert(views_as("(4, 2, 3):(1, 12, 4)+0"_layout, {1, 4, 1, 2, 1, 3, 1},
                       "(1, 4, 1, 2, 1, 3, 1):(4, 1, 24, 12, 12, 4, 4)+0"_layout));
// tensor(7).expand(2, 3).view(6)
static_assert(views_as("(2, 3):(0, 0)+0"_layout, {6}, "(6,):(0,)+0"_layout));
// Strides of sizes of 1 are computed anew.
static_assert(views_as("(2, 1, 3):(3, 40, 1)+2"_layout, {2, 1, 3}, "(2, 1, 3):(3, 3, 1)+2"_layout));
static_assert(views_as("():()+4"_layout, {1, 1}, "(1, 1):(1, 1)+4"_layout));
static_assert(views_as("(2, 0, 3):(9, 9, 9)+0"_layout, {2, 0, 3}, "(2, 0, 3):(9, 9, 9)+0"_layout));
static_assert(views_as("(2, 0, 3):(9, 9, 9)+0"_layout, {0, 3}, "(0, 3):(3, 1)+0"_layout));
// Attention heads: the heads in front cannot be merged with the features, moved back they can.
static_assert(cracks("(2, 2, 6, 4):(48, 4, 8, 1)+0"_layout, {2, 6, 8}, {{2, 3, 8, 4}, 2}));
static_assert(views_as("(2, 6, 2, 4):(48, 8, 4, 1)+0"_layout, {2, 6, 8}, "(2, 6, 8):(48, 8, 1)+0"_layout));
// One call may merge some dimensions and split others.
static_assert(views_as("(2, 3, 4):(24, 8, 1)+0"_layout, {6, 2, 2}, "(6, 2, 2):(8, 2, 1)+0"_layout));

TEST(View, ExistsExactlyWhereSomeStridesReadTheSameOffsetsInTheSameOrder) {
  for_each_small_layout([](const Layout& layout) {
    expect_exact(layout, Order::c, [&](const Dims& sizes) { return view(layout, sizes); });
  });
}

TEST(View, OfRankFourExistsExactlyWhereSomeStridesReadTheSameOffsetsInTheSameOrder) {
  for_each_layout(4, 2, 0, 4, [](const Layout& layout) {
    expect_exact(layout, Order::c, [&](const Dims& sizes) { return view(layout, sizes); });
  });
}

TEST(View, OfItsOwnSizesAlwaysExistsAndOfAFlatOneExactlyWhereEveryJointIsWelded) {
  for_each_small_layout([](const Layout& layout) {
    const Viewed same = view(layout, layout.sizes);
    ASSERT_TRUE(as_layout(same));
    EXPECT_EQ(offsets(*as_layout(same)), offsets(layout));
    if (numel(layout.sizes) == 0) return;
    const auto all = joints(layout);
    const bool welded = std::all_of(all.begin(), all.end(), [](const Joint& between) { return between.welded(); });
    const Viewed flat = view(layout, {*numel(layout.sizes)});
    EXPECT_EQ(as_layout(flat) != nullptr, welded);
  });
}

TEST(View, WithoutElementsTakesAnySizes) {
  for_each_small_layout([](const Layout& layout) {
    if (numel(layout.sizes) != 0) return;
    for (const Dims& sizes : {Dims{0}, Dims{3, 0, 2}, Dims{0, 0, 0}, layout.sizes}) {
      const Viewed viewed = view(layout, sizes);
      ASSERT_TRUE(as_layout(viewed));
      EXPECT_EQ(as_layout(viewed)->strides, sizes == layout.sizes ? layout.strides : contiguous(sizes).strides);
      EXPECT_EQ(as_layout(viewed)->storage_offset, layout.storage_offset);
    }
  });
}

TEST(Joints, AreTheNeighboursOfSizeOtherThanOne) {
  const auto all = joints("(2, 1, 3, 4):(12, 99, 4, 1)+0"_layout);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0], (Joint{0, 2, 12, 12}));
  EXPECT_EQ(all[1], (Joint{2, 3, 4, 4}));
  EXPECT_TRUE(joints("(1, 5, 1):(1, 2, 3)+0"_layout).empty());
}

}  // namespace
}  // namespace stridescope
