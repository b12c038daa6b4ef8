// The small domain on which every law is checked: all layouts of rank 3 with sizes 0..3 and strides -3..6.
#pragma once
#include <algorithm>
#include <vector>

#include "layout/notation.h"

namespace stridescope {

template <typename Check>
void for_each_layout(int rank, int64_t max_size, int64_t min_stride, int64_t max_stride, Check check) {
  Layout layout{Dims::filled(rank, 0), Dims::filled(rank, min_stride), 5};
  for (;;) {
    check(static_cast<const Layout&>(layout));
    int d = rank - 1;
    for (; d >= 0; --d) {
      if (++layout.sizes[d] <= max_size) break;
      layout.sizes[d] = 0;
      if (++layout.strides[d] <= max_stride) break;
      layout.strides[d] = min_stride;
    }
    if (d < 0) return;
  }
}

template <typename Check>
void for_each_small_layout(Check check) {
  for_each_layout(3, 3, -3, 6, check);
}

/// Every index into `sizes`, in row-major order.
template <typename Check>
void for_each_index(const Dims& sizes, Check check) {
  const int64_t count = *numel(sizes);
  for (int64_t position = 0; position < count; ++position) check(index_at(sizes, position));
}

template <typename Check>
void for_each_permutation(int rank, Check check) {
  Dims dims;
  for (int d = 0; d < rank; ++d) dims.push_back(d);
  do check(static_cast<const Dims&>(dims));
  while (std::next_permutation(dims.begin(), dims.end()));
}

/// All lists of sizes >= `least` of at most `max_rank_` dimensions whose product is `count`.
inline std::vector<Dims> shapes_of(int64_t count, int max_rank_, int64_t least = 1) {
  std::vector<Dims> shapes, open{{}};
  while (!open.empty()) {
    const Dims shape = open.back();
    open.pop_back();
    if (numel(shape) == count) shapes.push_back(shape);
    if (shape.size() == max_rank_) continue;
    for (int64_t size = least; size <= std::max<int64_t>(count, 2); ++size) {
      Dims longer = shape;
      longer.push_back(size);
      if (count == 0 || count % std::max<int64_t>(*numel(longer), 1) == 0) open.push_back(longer);
    }
  }
  return shapes;
}

/// The offsets a layout reads, in row-major order.
inline std::vector<int64_t> offsets(const Layout& layout) {
  std::vector<int64_t> result;
  for_each_index(layout.sizes, [&](const Dims& index) { result.push_back(offset(layout, index)); });
  return result;
}

}  // namespace stridescope
