// A layout: the recipe that turns an index into a place in memory.
//
//   offset(i_0, .., i_{n-1}) = storage_offset + i_0*strides[0] + .. + i_{n-1}*strides[n-1]
//
// Written "(2, 3):(3, 1)+0": sizes, strides, storage offset. A layout knows nothing of values, text or pictures.
// Its unit is its owner's business: PyTorch counts elements, NumPy counts bytes; functions that compare with a
// packed stride take that packed stride as `unit` (1 for elements, the item size for bytes).
#pragma once
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

/// Where element `index` lives.  @pre index.size() == rank, the result is inside int64_t (see extent)
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
