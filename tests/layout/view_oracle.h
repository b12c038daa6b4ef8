// What a view is, said without any rule: some strides read the same offsets in the same order.
#pragma once
#include <map>

#include "layout/small_layouts.h"
#include "layout/transform.h"
#include "layout/view.h"

namespace stridescope {

/// Sizes from 1 on of at most four dimensions whose product is `count`.
inline const std::vector<Dims>& shapes_of(int64_t count) {
  static std::map<int64_t, std::vector<Dims>> known;
  const auto [entry, fresh] = known.try_emplace(count);
  std::vector<Dims> open;
  if (fresh) open.push_back({});
  while (!open.empty()) {
    const Dims shape = open.back();
    open.pop_back();
    const int64_t product = *numel(shape);
    if (product == count) entry->second.push_back(shape);
    for (int64_t size = 1; shape.size() < 4 && size <= count; ++size)
      if (count % (product * size) == 0) open.push_back(with(shape, shape.size(), size));
  }
  return entry->second;
}

/// The layout whose row-major order is the given order of `layout`.
inline Layout read_in(Order order, const Layout& layout) {
  return order == Order::c ? layout : permute(layout, c_order(layout.rank()));
}

/// Whether any strides at all let `sizes` read `walk` in an order: the stride of a dimension can only be what its first
/// step does to the offset, so there is one candidate.
inline bool some_strides_read(const std::vector<int64_t>& walk, const Dims& sizes, Order order) {
  Layout candidate = read_in(order, {sizes, Dims::filled(sizes.size(), 0), walk[0]});
  size_t step = 1;
  for (int d = sizes.size() - 1; d >= 0; --d) {
    if (candidate.sizes[d] > 1) candidate.strides[d] = walk[step] - walk[0];
    step *= static_cast<size_t>(candidate.sizes[d]);
  }
  return reads_along(candidate, walk);
}

/// The crack's numbers are the layout's own, and its new dimension has elements of both sides of the joint.
inline void expect_true_of(const Crack& crack, const Layout& layout, const Dims& sizes, Order order) {
  const auto [outer, inner, stride, needed] = crack.joint;
  EXPECT_EQ(stride, layout.strides[outer]);
  EXPECT_EQ(needed, layout.strides[inner] * layout.sizes[inner]);
  EXPECT_NE(stride, needed);
  // The elements of the dimensions inside a given one.
  const auto inside = [&](const Dims& of, int dim) {
    int64_t product = 1;
    for (int d = 0; d < of.size(); ++d)
      if (order == Order::c ? d > dim : d < dim) product *= of[d];
    return product;
  };
  const int64_t below = inside(layout.sizes, outer), placed = inside(sizes, crack.new_dim);
  EXPECT_EQ(below, inside(layout.sizes, inner) * layout.sizes[inner]) << "only sizes of 1 lie between the two";
  EXPECT_LT(placed, below);
  EXPECT_GT(placed * sizes[crack.new_dim], below);
}

/// For every shape of four dimensions at most: `attempt(sizes)` is the layout where one exists, and a true reason where
/// none does.
template <typename Attempt>
void expect_exact(const Layout& layout, Order order, Attempt attempt) {
  if (numel(layout.sizes) == 0) return;
  const auto walk = offsets(read_in(order, layout));
  for (const Dims& sizes : shapes_of(static_cast<int64_t>(walk.size()))) {
    const Viewed viewed = attempt(sizes);
    const Layout* result = as_layout(viewed);
    ASSERT_EQ(result != nullptr, some_strides_read(walk, sizes, order)) << to_string(sizes);
    if (!result) {
      expect_true_of(*as_crack(viewed), layout, sizes, order);
      continue;
    }
    EXPECT_EQ(result->sizes, sizes);
    EXPECT_TRUE(reads_along(read_in(order, *result), walk)) << to_string(*result);
  }
}

}  // namespace stridescope
