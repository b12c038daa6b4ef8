#include "layout/view.h"

#include "layout/small_layouts.h"
#include "layout/view_oracle.h"

namespace stridescope {
namespace {

constexpr bool reshapes(const Layout& layout, const Dims& sizes, Order order, const Layout& expected) {
  const Viewed viewed = reshape_without_copy(layout, sizes, order, 8);
  return as_layout(viewed) && *as_layout(viewed) == expected;
}

// x[::-1, ::-1, ::-1].reshape(24)
static_assert(reshapes("(2, 3, 4):(-96, -32, -8)+184"_layout, {24}, Order::c, "(24,):(-8,)+184"_layout));
// x[:, :, ::2].reshape(-1)
static_assert(reshapes("(2, 3, 2):(96, 32, 16)+0"_layout, {12}, Order::c, "(12,):(16,)+0"_layout));
// Equal sizes keep every stride in either order, new sizes of 1 at the end repeat the last stride.
static_assert(reshapes("(2, 1, 3):(8, 0, 16)+0"_layout, {2, 1, 3}, Order::c, "(2, 1, 3):(8, 0, 16)+0"_layout));
static_assert(reshapes("(4, 2):(32, 16)+0"_layout, {4, 2, 1, 1}, Order::c, "(4, 2, 1, 1):(32, 16, 16, 16)+0"_layout));
static_assert(reshapes("(4, 2):(16, 64)+0"_layout, {4, 2, 1}, Order::fortran, "(4, 2, 1):(16, 64, 128)+0"_layout));
static_assert(reshapes("(3, 4):(8, 24)+0"_layout, {2, 6}, Order::fortran, "(2, 6):(8, 16)+0"_layout));
static_assert(reshapes("(3, 0):(0, 0)+0"_layout, {0, 5}, Order::c, "(0, 5):(40, 8)+0"_layout));
static_assert(reshapes("(1, 1):(7, 3)+0"_layout, {1}, Order::c, "(1,):(8,)+0"_layout));

// arange(3)[None].reshape(1, -1)
TEST(Reshape, PacksASizeOfOneAnewWhereEqualSizesWereNotAllWrittenOut) {
  const auto viewed = reshape_without_copy("(1, 3):(0, 8)+0"_layout, {1, 3}, Order::c, 8, false);
  ASSERT_NE(as_layout(viewed), nullptr);
  EXPECT_EQ(*as_layout(viewed), "(1, 3):(24, 8)+0"_layout);
}

TEST(Reshape, NeedsNoCopyExactlyWhereSomeStridesReadTheSameOffsetsInTheSameOrder) {
  for_each_small_layout([](const Layout& layout) {
    for (Order order : {Order::c, Order::fortran})
      expect_exact(layout, order, [&](const Dims& sizes) { return reshape_without_copy(layout, sizes, order, 1); });
  });
}

TEST(Reshape, IsPossibleWherePyTorchsViewIs) {
  for_each_layout(4, 2, 0, 4, [](const Layout& layout) {
    if (numel(layout.sizes) == 0) return;
    for (const Dims& sizes : shapes_of(*numel(layout.sizes)))
      EXPECT_EQ(as_layout(reshape_without_copy(layout, sizes, Order::c, 1)) != nullptr,
                as_layout(view(layout, sizes)) != nullptr)
          << to_string(sizes);
  });
}

TEST(Reshape, WithoutElementsTakesAnySizes) {
  for_each_small_layout([](const Layout& layout) {
    if (numel(layout.sizes) != 0) return;
    for (Order order : {Order::c, Order::fortran}) {
      EXPECT_EQ(*as_layout(reshape_without_copy(layout, layout.sizes, order, 8)), layout);
      const Viewed viewed = reshape_without_copy(layout, {7, 0, 5, 0}, order, 8);
      EXPECT_EQ(as_layout(viewed)->strides, (order == Order::c ? contiguous : fortran)({7, 0, 5, 0}, 8).strides);
    }
  });
}

// The examples of PyTorch's messages: arange(24).view(-1, 0) does not fit, zeros(0).view(-1, 0) is ambiguous.
using Kind = Unfitting::Kind;
static_assert(resolve_sizes({-1, 0}, 24) == Resolved(Unfitting{Kind::mismatch, 0}));
static_assert(resolve_sizes({-1, 0}, 0) == Resolved(Unfitting{Kind::ambiguous, 0}));
static_assert(resolve_sizes({-1, -2}, 24) == Resolved(Unfitting{Kind::negative, 1}));
static_assert(resolve_sizes({-1, -1, -2}, 24) == Resolved(Unfitting{Kind::second_unknown, 1}));
static_assert(resolve_sizes({2, -1, 4}, 24) == Resolved(Dims{2, 3, 4}));
static_assert(resolve_sizes({int64_t{1} << 62, 4}, 0) == Resolved(Unfitting{}));
static_assert(resolve_sizes({int64_t{1} << 62, 4, 0}, 0) == Resolved(Dims{int64_t{1} << 62, 4, 0}));

TEST(ResolveSizes, FitNothingWhereTheirProductLeaves64Bits) {
  const Dims huge{int64_t{1} << 62, 4}, open{int64_t{1} << 62, 4, -1};
  for (const Resolved& resolved :
       {resolve_sizes(huge, 4), resolve_sizes(open, 4), resolve_shape(huge, 4), resolve_shape(open, 4)})
    EXPECT_EQ(std::get<Unfitting>(resolved), Unfitting{});
}

TEST(ResolveShape, TakesAnyNegativeSizeForTheOpenOne) {
  EXPECT_EQ(resolve_shape({2, -3}, 24), Resolved(Dims{2, 12}));
  EXPECT_EQ(resolve_shape({-1, 0}, 0), Resolved(Unfitting{}));
}

TEST(ResolveSizes, FillsTheOneSizeThatMakesTheProductRight) {
  for (int64_t a = -2; a <= 6; ++a)
    for (int64_t b = -2; b <= 6; ++b)
      for (int64_t c = -2; c <= 6; ++c)
        for (int64_t count = 0; count <= 12; ++count) {
          const Dims sizes{a, b, c};
          std::vector<Dims> fitting;
          int open = 0;
          for (int64_t size : sizes) open += size < 0;
          for (int64_t filled = 0; filled <= 12; ++filled) {
            Dims full = sizes;
            for (int64_t& size : full)
              if (size < 0) size = filled;
            if (numel(full) == count) fitting.push_back(full);
            if (open == 0) break;
          }
          const bool one_answer = open <= 1 && fitting.size() == 1;
          const Resolved shape = resolve_shape(sizes, count), resolved = resolve_sizes(sizes, count);
          ASSERT_EQ(std::holds_alternative<Dims>(shape), one_answer) << to_string(sizes) << " for " << count;
          if (one_answer) {
            EXPECT_EQ(std::get<Dims>(shape), fitting[0]);
          }
          const bool only_minus_one = std::min({a, b, c}) >= -1;
          ASSERT_EQ(std::holds_alternative<Dims>(resolved), one_answer && only_minus_one) << to_string(sizes) << count;
          if (one_answer && only_minus_one) {
            EXPECT_EQ(resolved, shape);
          }
          if (open == 1 && only_minus_one) {
            EXPECT_EQ(resolved == Resolved(Unfitting{Kind::ambiguous, a < 0 ? 0 : b < 0 ? 1 : 2}), fitting.size() > 1);
          }
        }
}

}  // namespace
}  // namespace stridescope
