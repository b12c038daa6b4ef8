// What is left of a layout when only the set of its cells counts: the dimensions that move, their direction dropped.
#pragma once
#include <array>
#include <type_traits>

#include "layout/layout.h"

namespace stridescope {

/// A dimension of more than one element that moves. Which cells a layout touches depends on these and its extent alone.
struct Stretch {
  int64_t size;
  int64_t stride;  ///< > 0
};
/// A layout's stretches, the shortest stride first and of equal strides the smaller size.
struct Stretches {
  std::array<Stretch, max_rank> list;  ///< those from count on are never read
  int count = 0;

  constexpr Stretches() {
    if (std::is_constant_evaluated()) list.fill({});
  }
  constexpr Stretch& operator[](int k) { return list[static_cast<size_t>(k)]; }
  constexpr const Stretch& operator[](int k) const { return list[static_cast<size_t>(k)]; }
  constexpr void insert(Stretch stretch) {
    int k = count++;
    const auto before = [&](const Stretch& other) {
      return stretch.stride < other.stride || (stretch.stride == other.stride && stretch.size < other.size);
    };
    for (; k > 0 && before((*this)[k - 1]); --k) (*this)[k] = (*this)[k - 1];
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

}  // namespace stridescope
