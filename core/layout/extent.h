// How much storage a layout touches: from where to where, how many cells, and whether any of them twice.
#pragma once
#include "layout/layout.h"

namespace stridescope {

/// The lowest and the highest offset that is read, both included.
struct Extent {
  int64_t lowest = 0;
  int64_t highest = 0;
  friend constexpr bool operator==(const Extent&, const Extent&) = default;
};

/// Nothing where the layout has no elements or an offset leaves int64_t.
/// @pre  as many strides as sizes, no negative size; the layout need not be valid otherwise
constexpr std::optional<Extent> extent(const Layout& layout) {
  std::optional<int64_t> lowest = layout.storage_offset, highest = layout.storage_offset;
  for (int d = 0; d < layout.rank(); ++d) {
    if (layout.sizes[d] == 0) return std::nullopt;
    const auto far = checked_mul(layout.sizes[d] - 1, layout.strides[d]);
    auto& end = layout.strides[d] < 0 ? lowest : highest;
    end = checked_add(end, far);
    if (!end) return std::nullopt;
  }
  return Extent{*lowest, *highest};
}

enum class Answer : uint8_t { no, yes, unknown };

/// Beyond so many cells distinct_cells stops counting one by one.
inline constexpr int64_t max_counted_cells = 1 << 18;

/// How many different offsets are read. In closed form where the strides nest after overlapping windows have been
/// joined to runs; else counted, and nothing beyond `most_counted`.
std::optional<int64_t> distinct_cells(const Layout& layout, int64_t most_counted = max_counted_cells);

/// Whether every element has an offset of its own; unknown only where distinct_cells is and the elements would fit into
/// the extent.
Answer is_unique(const Layout& layout);

}  // namespace stridescope
