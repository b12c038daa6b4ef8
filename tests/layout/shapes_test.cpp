#include "layout/shapes.h"

#include <algorithm>
#include <set>

#include "layout/small_layouts.h"
#include "layout/view_oracle.h"

namespace stridescope {
namespace {

std::vector<int64_t> cuts(const Dims& sizes) {
  std::vector<int64_t> result;
  for (int d = 0; d + 1 < sizes.size(); ++d) result.push_back((result.empty() ? 1 : result.back()) * sizes[d]);
  return result;
}

/// How many cuts only one of them has; no dimension at all is one step beyond one.
size_t distance(const Dims& a, const Dims& b) {
  std::vector<int64_t> only;
  const auto of_a = cuts(a), of_b = cuts(b);
  std::set_symmetric_difference(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(only));
  return only.size() + (a.empty() ? 1 : 0);
}

std::string text(const std::vector<Shape>& shapes) {
  std::string all;
  for (const Shape& shape : shapes) all += (all.empty() ? "" : " ") + to_string(shape.sizes) + (shape.views ? "" : "!");
  return all;
}

/// What the list says of a layout is what brute force finds, for a few wishes.
void expect_true(const Layout& layout) {
  const auto count = numel(layout.sizes);
  if (count == 0) return;
  const auto walk = offsets(layout);
  const std::vector<Dims>& all = shapes_of(*count);
  const Shapes shapes(layout);
  std::set<std::string> viewable;
  for (const Dims& sizes : all)
    if (some_strides_read(walk, sizes, Order::c)) viewable.insert(to_string(sizes));
  ASSERT_EQ(shapes.views(), static_cast<int64_t>(viewable.size()));
  ASSERT_EQ(shapes.copies(), static_cast<int64_t>(all.size() - viewable.size()));
  for (const Dims& request : {Dims{*count}, all[all.size() / 2]}) {
    const auto listed = shapes.nearest(request, Wanted::all, 1000);
    ASSERT_EQ(listed.size(), all.size());
    std::set<std::string> seen;
    std::vector<Shape> views, copies;
    for (size_t k = 0; k < listed.size(); ++k) {
      const Dims& sizes = listed[k].sizes;
      EXPECT_EQ(numel(sizes), count);
      EXPECT_LE(sizes.size(), max_shape_rank);
      EXPECT_TRUE(seen.insert(to_string(sizes)).second) << "twice: " << to_string(sizes);
      EXPECT_EQ(listed[k].views, viewable.contains(to_string(sizes))) << to_string(sizes);
      if (k > 0) {
        EXPECT_GE(distance(sizes, request), distance(listed[k - 1].sizes, request)) << text(listed);
      }
      (listed[k].views ? views : copies).push_back(listed[k]);
    }
    EXPECT_EQ(shapes.nearest(request, Wanted::views, 1000), views);
    EXPECT_EQ(shapes.nearest(request, Wanted::copies, 1000), copies);
    for (int rank = 1; rank <= max_shape_rank; ++rank) {
      const auto of = [rank](std::vector<Shape> list) {
        std::erase_if(list, [rank](const Shape& shape) { return shape.sizes.size() != rank; });
        std::sort(list.begin(), list.end(),
                  [](const Shape& a, const Shape& b) { return to_string(a.sizes) < to_string(b.sizes); });
        return list;
      };
      EXPECT_EQ(of(shapes.of_rank(rank, Wanted::all, 1000)), of(listed)) << rank;
      EXPECT_EQ(shapes.of_rank(rank, Wanted::views, 1000).size(), static_cast<size_t>(shapes.views(rank))) << rank;
      EXPECT_EQ(shapes.of_rank(rank, Wanted::copies, 1000).size(), static_cast<size_t>(shapes.copies(rank))) << rank;
    }
    const auto few = shapes.nearest(request, Wanted::views, 3);
    EXPECT_EQ(few, std::vector<Shape>(views.begin(), views.begin() + std::min<std::ptrdiff_t>(3, std::ssize(views))));
  }
}

TEST(Shapes, AreExactlyThoseThatBruteForceFindsAndSaysAreViews) {
  for_each_layout(2, 6, 0, 4, expect_true);
  for_each_layout(3, 3, 0, 2, expect_true);
}

TEST(Shapes, OfRankFourAreExactlyThoseThatBruteForceFindsAndSaysAreViews) { for_each_layout(4, 2, 0, 2, expect_true); }

TEST(Shapes, OfOneRankComeWithFewOnesFirst) {
  const Shapes cracked("(2, 2, 3):(6, 1, 2)+0"_layout);
  EXPECT_EQ(text(cracked.of_rank(2, Wanted::all, 9)), "(2, 6)! (3, 4)! (4, 3)! (6, 2)! (1, 12)! (12, 1)!");
  EXPECT_EQ(text(cracked.of_rank(3, Wanted::views, 9)), "(2, 2, 3)");
  EXPECT_EQ(text(cracked.of_rank(3, Wanted::copies, 2)), "(2, 3, 2)! (3, 2, 2)!");
}

TEST(Shapes, NearestTheWishComeFirst) {
  // torch.arange(12).view(2, 3, 2).permute(0, 2, 1).view(-1)
  const Shapes cracked("(2, 2, 3):(6, 1, 2)+0"_layout);
  EXPECT_EQ(text(cracked.nearest({12}, Wanted::views, 9)),
            "(2, 2, 3) (1, 2, 2, 3) (2, 1, 2, 3) (2, 2, 1, 3) (2, 2, 3, 1)");
  EXPECT_EQ(text(cracked.nearest({12}, Wanted::copies, 4)), "(12,)! (2, 6)! (3, 4)! (4, 3)!");
  EXPECT_EQ(cracked.views(), 5);
  // torch.arange(12).view(3, 4).t().view(12): cut between rows and columns, or anywhere else besides.
  const Shapes transposed("(4, 3):(1, 4)+0"_layout);
  EXPECT_EQ(text(transposed.nearest({12}, Wanted::views, 4)), "(4, 3) (2, 2, 3) (1, 4, 3) (4, 1, 3)");
  // Heads and features that are not neighbours.
  const Shapes heads("(2, 2, 6, 4):(48, 4, 8, 1)+0"_layout);
  EXPECT_EQ(text(heads.nearest({2, 6, 8}, Wanted::views, 4)), "(2, 2, 6, 4)");
}

TEST(Shapes, OfOneElementNeedNoDimension) {
  EXPECT_EQ(text(Shapes("(1):(3)+0"_layout).nearest({1}, Wanted::all, 9)), "(1,) () (1, 1) (1, 1, 1) (1, 1, 1, 1)");
}

TEST(Shapes, AreCountedFromPrimeFactors) {
  // 10^12 has exponents 12 and 12: C(12 + r - 1, r - 1)^2 shapes of rank r.
  const Shapes flat("(1000000000000):(1)+0"_layout);
  EXPECT_EQ(flat.views(), 1 + 13 * 13 + 91 * 91 + 455 * 455);
  EXPECT_EQ(flat.copies(), 0);
  EXPECT_EQ(text(flat.nearest({1000, 1000, 1000, 1000}, Wanted::views, 2)),
            "(1000, 1000, 1000, 1000) (1000, 1000, 1000000)");
  // Two primes beyond max_prime_factor in one size stay together; a list is still a list of views.
  const int64_t p = 65'537, q = 65'539;
  EXPECT_EQ(text(Shapes({{2, p * q}, {1, 2}, 0}).nearest({2 * p * q}, Wanted::views, 1)),
            "(2, " + std::to_string(p * q) + ")");
}

TEST(Shapes, ThatKeepEveryCrackAreFoundHoweverManyDivisorsTheSizesHave) {
  const Shapes reversed({{1'000'000, 700, 1000}, {1, 1'000'000, 700'000'000}, 0});
  EXPECT_EQ(text(reversed.nearest({7000, 100'000'000}, Wanted::views, 2)),
            "(1000000, 700, 1000) (2, 500000, 700, 1000)");
}

TEST(Shapes, ListsEndWithinTheirBoundForTheMostDivisibleSizes) {
  const Shapes many({{897'612'484'786'617'600}, {1}, 0});
  EXPECT_GT(many.views(), int64_t{1} << 34);
  EXPECT_LE(many.nearest({7, 11, 897'612'484'786'617'600 / 77}, Wanted::views, 64).size(), 64u);
  // The cuts of the layout itself are tried whatever number of divisors there is.
  const int64_t most = 897'612'484'786'617'600;
  EXPECT_EQ(text(Shapes({{most / 8, 8}, {1, most / 8}, 0}).nearest({most}, Wanted::views, 1)),
            to_string(Dims{most / 8, 8}));
}

}  // namespace
}  // namespace stridescope
