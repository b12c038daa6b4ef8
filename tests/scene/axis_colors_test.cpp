#include "scene/axis_colors.h"

#include <gtest/gtest.h>

#include "layout/notation.h"
#include "layout/transform.h"

namespace stridescope {
namespace {

constexpr Layout x = "(2, 3, 4):(12, 4, 1)+0"_layout;
constexpr Dims numbers{0, 1, 2};

TEST(AxisColors, FollowADimensionThroughPermute) {
  EXPECT_EQ(inherited_colors(x, numbers, permute(x, {2, 0, 1}), false), (Dims{2, 0, 1}));
}

TEST(AxisColors, StayThroughSlicesSelectionsAndExpansions) {
  EXPECT_EQ(inherited_colors(x, numbers, *slice(x, 1, 1, 1, 2), false), numbers);
  EXPECT_EQ(inherited_colors(x, numbers, *slice(x, 0, 1, -2, 1), false), numbers);
  EXPECT_EQ(inherited_colors(x, numbers, select(x, 1, 2), false), (Dims{0, 2}));
  EXPECT_EQ(inherited_colors("(3, 1):(1, 1)+0"_layout, {0, 1}, "(3, 4):(1, 0)+0"_layout, false), (Dims{0, 1}));
}

TEST(AxisColors, OfDimensionsMadeAnewAreThoseThatNoOtherHas) {
  EXPECT_EQ(inherited_colors(x, numbers, "(2, 3, 2, 2):(12, 4, 2, 1)+0"_layout, true), (Dims{0, 1, 2, 3}));
  EXPECT_EQ(inherited_colors(x, {5, 1, 2}, "(6, 4):(4, 1)+0"_layout, true), (Dims{0, 2}));
}

}  // namespace
}  // namespace stridescope
