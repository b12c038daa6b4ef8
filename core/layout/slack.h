// How far each number of a recipe can go while the others stay, so that everything read still lies inside a storage:
// what bounds the sliders of a raw layout. A storage has the cells 0 .. cells-1.
#pragma once
#include <algorithm>

#include "layout/extent.h"

namespace stridescope {

/// Values from `lowest` to `highest`, both included.
struct Range {
  int64_t lowest = 0;
  int64_t highest = 0;
  friend constexpr bool operator==(const Range&, const Range&) = default;
};

/// Whether all that `layout` reads lies inside the storage.
constexpr bool inside(const Layout& layout, int64_t cells) {
  const auto count = numel(layout.sizes);
  if (count == 0) return true;
  const auto reach = extent(layout);
  return count && reach && reach->lowest >= 0 && reach->highest < cells;
}

namespace detail {
/// How far the first cell read may still move down, and the last one up.
constexpr Extent room(const Layout& layout, int64_t cells) {
  const Extent reach = *extent(layout);
  return {reach.lowest, cells - 1 - reach.highest};
}
}  // namespace detail

/// The storage offsets that keep the layout inside.
/// @pre  it has elements and is inside
constexpr Range offset_range(const Layout& layout, int64_t cells) {
  const Extent room = detail::room(layout, cells);
  return {layout.storage_offset - room.lowest, layout.storage_offset + room.highest};
}

/// The sizes that keep it inside, from 1; where a stride is 0 any would, and `most` ends the range.
/// @pre  it has elements and is inside; most >= sizes[d]
constexpr Range size_range(const Layout& layout, int d, int64_t cells, int64_t most) {
  const Extent room = detail::room(layout, cells);
  const int64_t stride = layout.strides[d], size = layout.sizes[d];
  const int64_t more = stride == 0 ? most - size : stride < 0 ? room.lowest / -stride : room.highest / stride;
  return {1, std::min(size + more, most)};
}

/// The strides that keep it inside; of a dimension of size 1, whose stride is never used, those within the storage.
/// @pre  it has elements and is inside
constexpr Range stride_range(const Layout& layout, int d, int64_t cells) {
  const int64_t steps = layout.sizes[d] - 1;
  if (steps == 0) return {-(cells - 1), cells - 1};
  Layout still = layout;
  still.strides[d] = 0;
  const Extent room = detail::room(still, cells);
  return {-(room.lowest / steps), room.highest / steps};
}

}  // namespace stridescope
