#include "layout/read_extent.h"

#include <algorithm>

namespace stridescope {
namespace {

Extent moved(Extent extent, int64_t by) { return {extent.lowest + by, extent.highest + by}; }
Extent joined(Extent a, Extent b) { return {std::min(a.lowest, b.lowest), std::max(a.highest, b.highest)}; }

}  // namespace

Extent read_extent(const Layout& layout, int64_t first, int64_t last) {
  const Dims from = index_at(layout.sizes, first), to = index_at(layout.sizes, last);
  int split = 0;
  while (split < layout.rank() && from[split] == to[split]) ++split;
  // What dimensions d.. add: over all their indices, from from[d..] on, and up to to[d..].
  Extent whole, tail, start;
  for (int d = layout.rank() - 1; d > split; --d) {
    const int64_t stride = layout.strides[d], end = layout.sizes[d] - 1;
    const auto between = [&](int64_t a, int64_t b) {
      return joined(moved(whole, a * stride), moved(whole, b * stride));
    };
    tail = moved(tail, from[d] * stride);
    if (from[d] < end) tail = joined(tail, between(from[d] + 1, end));
    start = moved(start, to[d] * stride);
    if (to[d] > 0) start = joined(start, between(0, to[d] - 1));
    whole = between(0, end);
  }
  Extent result = tail;
  if (split < layout.rank()) {
    const int64_t stride = layout.strides[split];
    result = joined(moved(tail, from[split] * stride), moved(start, to[split] * stride));
    if (to[split] - from[split] > 1)
      result = joined(result, joined(moved(whole, (from[split] + 1) * stride), moved(whole, (to[split] - 1) * stride)));
  }
  for (int d = 0; d < split; ++d) result = moved(result, from[d] * layout.strides[d]);
  return moved(result, layout.storage_offset);
}

}  // namespace stridescope
