#include "ops/triangle.h"

#include <algorithm>

#include "layout/contiguity.h"

namespace stridescope {

ContentsPtr triangle_of(const Elements& from, int64_t shift, bool lower) {
  const Dims& sizes = from.layout.sizes;
  const int rank = sizes.size();
  const int64_t rows = sizes[rank - 2], columns = sizes[rank - 1];
  const auto counted = [&](int64_t first, int64_t count, int d) {
    Layout along{sizes, Dims::filled(rank, 0), 0};
    along.strides[d] = itemsize(DType::int64);
    return Elements{integer_range(first, 1, DType::int64, count), along, DType::int64};
  };
  const int64_t last = std::clamp(shift, -rows, columns);  // further than these nothing changes
  const Elements places[] = {counted(0, columns, rank - 1), counted(last, rows, rank - 2)};
  const Arithmetic side = lower ? Arithmetic::less_equal : Arithmetic::greater_equal;
  const Elements parts[] = {
      {elementwise(side, places, DType::int64, DType::boolean), contiguous(sizes, itemsize(DType::boolean)),
       DType::boolean},
      from,
      {constant_contents(Scalar{.dtype = from.dtype}, 1), {sizes, Dims::filled(rank, 0), 0}, from.dtype}};
  return elementwise(Arithmetic::where, parts, from.dtype, from.dtype);
}

}  // namespace stridescope
