#include "layout/contiguity.h"

#include "layout/small_layouts.h"
#include "layout/transform.h"

namespace stridescope {
namespace {

static_assert(contiguous({2, 0, 3}) == "(2, 0, 3):(3, 3, 1)+0"_layout);
static_assert(contiguous({5, 0}) == "(5, 0):(1, 1)+0"_layout);
static_assert(contiguous({3, 4}, 8) == "(3, 4):(32, 8)+0"_layout);
static_assert(contiguous({}) == "():()+0"_layout);
static_assert(fortran({3, 4}, 8) == "(3, 4):(8, 24)+0"_layout);
static_assert(channels_last({2, 3, 4, 5}) == "(2, 3, 4, 5):(60, 1, 15, 3)+0"_layout);
static_assert(channels_last({2, 3, 0, 5}) == "(2, 3, 0, 5):(0, 1, 15, 3)+0"_layout);
static_assert(channels_last({2, 3, 4, 5, 6}) == "(2, 3, 4, 5, 6):(360, 1, 90, 18, 3)+0"_layout);

// The strides of sizes of 1, and of anything without elements, are not looked at.
static_assert(is_contiguous("(2, 3, 1):(3, 1, 1)+0"_layout));
static_assert(is_contiguous("(2, 1, 3):(3, 77, 1)+9"_layout));
static_assert(is_contiguous("(3, 0):(1, 3)+0"_layout));
static_assert(is_contiguous("():()+3"_layout));
static_assert(!is_contiguous("(3,):(2,)+0"_layout));
static_assert(!is_contiguous("(4, 3):(6, 2)+0"_layout));
static_assert(is_contiguous("(3, 4):(32, 8)+0"_layout, 8) && !is_contiguous("(3, 4):(32, 8)+0"_layout));
static_assert(!is_channels_last("(0, 3, 4, 5):(60, 20, 5, 1)+0"_layout));
static_assert(!is_channels_last("(2, 3):(3, 1)+0"_layout));
// Both at once, where there is one channel.
static_assert(is_contiguous(contiguous({2, 1, 3, 4})) && is_channels_last(contiguous({2, 1, 3, 4})));

// torch.zeros(2, 3, 1, 1) is channels_last-contiguous, yet .to(memory_format=) does not take it for that.
static_assert(is_channels_last("(2, 3, 1, 1):(3, 1, 1, 1)+0"_layout));
static_assert(!suggests_channels_last("(2, 3, 1, 1):(3, 1, 1, 1)+0"_layout));
static_assert(suggests_channels_last(channels_last({2, 3, 4, 5})));
static_assert(suggests_channels_last(channels_last({2, 3, 4, 5, 6})));
static_assert(!suggests_channels_last(contiguous({2, 3, 4, 5})));
static_assert(!suggests_channels_last("(2, 3, 4, 5):(0, 0, 0, 0)+0"_layout));
static_assert(!suggests_channels_last(channels_last({2, 3, 0, 5})));
static_assert(!suggests_channels_last(contiguous({2, 3})));

// clone() of arange(24).view(2, 3, 4).permute(2, 0, 1)[::2]: packed in the order of the strides.
static_assert(preserved_strides("(2, 2, 3):(2, 12, 4)+0"_layout) == Dims{1, 6, 2});
static_assert(preserved_strides("(4, 2, 3):(1, 12, 4)+0"_layout) == Dims{1, 12, 4});
static_assert(preserved_strides("(3, 4):(1, 0)+0"_layout) == Dims{4, 1});
static_assert(preserved_strides("(2, 3):(2, 2)+0"_layout) == Dims{1, 2});
static_assert(preserved_strides("(3, 2):(2, 2)+0"_layout) == Dims{2, 1});
static_assert(preserved_strides("(2, 1, 3):(3, 40, 1)+0"_layout) == Dims{3, 40, 1});

// np.broadcast_to(np.arange(3), (4, 3)).copy('K')
static_assert(k_order_strides("(4, 3):(0, 8)+0"_layout, 8) == Dims{8, 32});
static_assert(k_order_strides("(4, 3):(24, 8)+0"_layout, 8) == Dims{24, 8});
static_assert(k_order_strides("(3, 4):(8, 24)+0"_layout, 8) == Dims{8, 24});
static_assert(k_order_strides("(3,):(-8,)+16"_layout, 8) == Dims{8});
static_assert(k_order_strides("(2, 3, 4):(-8, 64, -16)+100"_layout, 8) == Dims{8, 64, 16});

/// Reading in row-major order meets one offset after the other.
bool walks_in_steps_of(const Layout& layout, int64_t unit) {
  const auto walk = offsets(layout);
  for (size_t i = 1; i < walk.size(); ++i)
    if (walk[i] != walk[i - 1] + unit) return false;
  return true;
}

TEST(Contiguity, IsWalkingTheStorageInUnitSteps) {
  for_each_small_layout([](const Layout& layout) {
    for (int64_t unit : {1, 2}) {
      EXPECT_EQ(is_contiguous(layout, unit), walks_in_steps_of(layout, unit));
      EXPECT_EQ(is_f_contiguous(layout, unit), walks_in_steps_of(permute(layout, {2, 1, 0}), unit));
    }
  });
}

TEST(Contiguity, ChannelsLastIsWalkingInUnitStepsWithTheChannelsFastest) {
  for_each_layout(4, 2, 0, 4, [](const Layout& drawn) {
    Layout layout = drawn;
    for (int64_t& stride : layout.strides)
      if (stride == 3) stride = 8;
    const bool without_elements = numel(layout.sizes) == 0;
    if (!without_elements) {
      EXPECT_EQ(is_channels_last(layout), walks_in_steps_of(permute(layout, {0, 2, 3, 1}), 1));
    }
    if (is_channels_last(layout)) {
      EXPECT_TRUE(is_non_overlapping_and_dense(layout));
    }
    if (suggests_channels_last(layout)) {
      EXPECT_FALSE(without_elements);
    }
  });
}

TEST(Contiguity, PackedLayoutsArePackedInTheirOwnOrder) {
  for_each_layout(3, 4, 1, 1, [](const Layout& layout) {
    for (int64_t unit : {1, 8}) {
      EXPECT_TRUE(is_contiguous(contiguous(layout.sizes, unit), unit));
      EXPECT_TRUE(is_f_contiguous(fortran(layout.sizes, unit), unit));
    }
    for (int64_t depth : {1, 2}) {
      const Dims image = with(layout.sizes, 1, 3);
      EXPECT_TRUE(numel(image) == 0 || is_channels_last(channels_last(image)));
      EXPECT_TRUE(numel(image) == 0 || is_channels_last(channels_last(with(image, 2, depth))));
    }
  });
}

TEST(Contiguity, NonOverlappingAndDenseIsFillingAStretchOnceWithForwardStrides) {
  for_each_small_layout([](const Layout& layout) {
    auto cells = offsets(layout);
    std::sort(cells.begin(), cells.end());
    bool dense = true;
    for (size_t i = 1; i < cells.size(); ++i) dense = dense && cells[i] == cells[i - 1] + 1;
    for (int d = 0; d < 3 && !cells.empty(); ++d) dense = dense && (layout.sizes[d] == 1 || layout.strides[d] > 0);
    EXPECT_EQ(is_non_overlapping_and_dense(layout), dense);
  });
}

TEST(Contiguity, TheWalkListsEveryDimensionAndHoldsExactlyWhereTheLayoutIsPacked) {
  for_each_small_layout([](const Layout& layout) {
    const auto walk = contiguity_walk(layout, c_order(3));
    ASSERT_EQ(walk.size(), 3u);
    bool holds = true;
    int64_t faster = 1;
    for (int k = 0; k < 3; ++k) {
      const Comparison& comparison = walk[static_cast<size_t>(k)];
      EXPECT_EQ(comparison.dim, 2 - k);
      EXPECT_EQ(comparison.size, layout.sizes[2 - k]);
      EXPECT_EQ(comparison.stride, layout.strides[2 - k]);
      EXPECT_EQ(comparison.expected, faster);
      EXPECT_EQ(comparison.skipped, comparison.size == 1);
      faster *= comparison.size;
      holds = holds && comparison.holds();
    }
    EXPECT_EQ(holds, is_packed(layout, c_order(3)));
  });
}

TEST(Contiguity, AWalkBeyondInt64NeverHolds) {
  const int64_t many = int64_t{1} << 40;
  const Layout broadcast{{many, 4, 1 << 20}, {0, 0, 0}, 0};
  const auto walk = contiguity_walk(broadcast, c_order(3), 8);
  EXPECT_EQ(walk.back().expected, 4ll * (1 << 20) * 8);
  EXPECT_EQ(contiguity_walk({{2, many, 1 << 22}, {0, 0, 0}, 0}, c_order(3), 8).back().expected,
            std::numeric_limits<int64_t>::max());
}

TEST(PreservedStrides, AreTheOwnOnesWhereDenseAndPackedInTheOrderOfTheOwnOtherwise) {
  for_each_small_layout([](const Layout& layout) {
    const Dims strides = preserved_strides(layout);
    if (is_non_overlapping_and_dense(layout)) {
      EXPECT_EQ(strides, layout.strides);
      return;
    }
    EXPECT_TRUE(is_non_overlapping_and_dense({layout.sizes, strides, 0}));
    const auto& own = layout.strides;
    if (std::count(own.begin(), own.end(), 0) > 0) return;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        if (own[a] < own[b]) {
          EXPECT_LE(strides[a], strides[b]);
        }
  });
}

TEST(KOrderStrides, AreDenseInTheOrderOfTheStridesLengths) {
  for_each_small_layout([](const Layout& layout) {
    const Dims strides = k_order_strides(layout, 1);
    EXPECT_TRUE(is_non_overlapping_and_dense({layout.sizes, strides, 0}));
    if (is_contiguous(layout)) {
      EXPECT_TRUE(is_contiguous({layout.sizes, strides, 0}));
    }
    if (is_contiguous(layout) || is_f_contiguous(layout)) return;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        if (std::abs(layout.strides[a]) < std::abs(layout.strides[b])) {
          EXPECT_LE(strides[a], strides[b]);
        }
  });
}

}  // namespace
}  // namespace stridescope
