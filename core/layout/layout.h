// A layout: the recipe that turns an index into a place in memory.
//
//   offset(i_0, .., i_{n-1}) = storage_offset + i_0*strides[0] + .. + i_{n-1}*strides[n-1]
//
// Written "(2, 3):(3, 1)+0": sizes, strides, storage offset. A layout knows nothing of values, text or pictures.
// Its unit is its owner's business: PyTorch counts elements, NumPy counts bytes; functions that compare with a
// packed stride take that packed stride as `unit` (1 for elements, the item size for bytes).
//
// Every function of the algebra requires is_valid(layout); its own arithmetic then stays inside int64_t.
#pragma once
#include <limits>
#include <optional>
#include <string>

#include "layout/checked.h"
#include "layout/dims.h"

namespace stridescope {

struct Layout {
  Dims sizes;
  Dims strides;  ///< as many as sizes; any sign, any multiple
  int64_t storage_offset = 0;

  constexpr int rank() const { return sizes.size(); }
  friend constexpr bool operator==(const Layout&, const Layout&) = default;
};

/// "(2, 3):(3, 1)+0"
std::string to_string(const Layout& layout);

/// The number of elements, the product of the sizes; nothing where it exceeds int64_t.
/// @pre  every size >= 0
constexpr std::optional<int64_t> numel(const Dims& sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size == 0) return 0;
  for (int64_t size : sizes) {
    const auto product = checked_mul(count, size);
    if (!product) return std::nullopt;
    count = *product;
  }
  return count;
}

/// As many strides as sizes, no negative size, and no number derived from the layout can leave int64_t: neither
/// the product of the sizes nor |storage_offset| + sum of size*|stride|, where a size of 0 counts as 1.
constexpr bool is_valid(const Layout& layout) {
  if (layout.strides.size() != layout.rank()) return false;
  // Negative magnitudes: int64_t has no |minimum|.
  const auto below = [](int64_t value) { return value < 0 ? value : -value; };
  std::optional<int64_t> count = 1;
  std::optional<int64_t> reach = below(layout.storage_offset);
  for (int d = 0; d < layout.rank(); ++d) {
    if (layout.sizes[d] < 0) return false;
    const int64_t size = layout.sizes[d] == 0 ? 1 : layout.sizes[d];
    count = checked_mul(*count, size);
    const auto far = checked_mul(below(layout.strides[d]), size);
    reach = checked_add(reach, far);
    if (!count || !reach) return false;
  }
  return *reach > std::numeric_limits<int64_t>::min();
}

/// Where element `index` lives.  @pre index.size() == rank, every index inside its size
constexpr int64_t offset(const Layout& layout, const Dims& index) {
  int64_t place = layout.storage_offset;
  for (int d = 0; d < layout.rank(); ++d) place += index[d] * layout.strides[d];
  return place;
}

/// The index of the `position`-th element in row-major order (the last dimension fastest).
/// @pre  0 <= position < numel(sizes)
constexpr Dims index_at(const Dims& sizes, int64_t position) {
  Dims index = Dims::filled(sizes.size(), 0);
  for (int d = sizes.size() - 1; d >= 0; --d) {
    index[d] = position % sizes[d];
    position /= sizes[d];
  }
  return index;
}

}  // namespace stridescope
