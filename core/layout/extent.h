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
    if (far && end) end = checked_add(*end, *far);
    if (!far || !end) return std::nullopt;
  }
  return Extent{*lowest, *highest};
}

enum class Answer : uint8_t { no, yes, unknown };

/// A dimension of more than one element that moves, its direction dropped. What cells a layout touches depends on no
/// more than its extent and these.
struct Stretch {
  int64_t size = 0;
  int64_t stride = 0;  ///< > 0
};
/// A layout's stretches, shortest stride first.
struct Stretches {
  std::array<Stretch, max_rank> list{};
  int count = 0;

  constexpr Stretch& operator[](int k) { return list[static_cast<size_t>(k)]; }
  constexpr const Stretch& operator[](int k) const { return list[static_cast<size_t>(k)]; }
  constexpr void insert(Stretch stretch) {
    int k = count++;
    for (; k > 0 && list[static_cast<size_t>(k - 1)].stride > stretch.stride; --k) (*this)[k] = (*this)[k - 1];
    (*this)[k] = stretch;
  }
  /// Whether each stride passes over all that the shorter ones reach, so that no two indices meet in one cell.
  constexpr bool nest() const {
    int64_t reached = 0;
    for (int k = 0; k < count; ++k) {
      if ((*this)[k].stride <= reached) return false;
      reached += ((*this)[k].size - 1) * (*this)[k].stride;
    }
    return true;
  }
};
/// @pre  the layout has elements
constexpr Stretches stretches(const Layout& layout) {
  Stretches result;
  for (int d = 0; d < layout.rank(); ++d) {
    const int64_t stride = layout.strides[d];
    if (layout.sizes[d] > 1 && stride != 0) result.insert({layout.sizes[d], stride < 0 ? -stride : stride});
  }
  return result;
}

/// Beyond so many cells distinct_cells stops counting one by one.
inline constexpr int64_t max_counted_cells = 1 << 18;

/// How many different offsets are read. In closed form where the strides nest after overlapping windows have been
/// joined to runs; else counted, and nothing beyond max_counted_cells.
std::optional<int64_t> distinct_cells(const Layout& layout);

/// Whether every element has an offset of its own; unknown only where distinct_cells is and the elements would fit into
/// the extent.
Answer is_unique(const Layout& layout);

}  // namespace stridescope
