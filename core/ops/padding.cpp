#include "ops/padding.h"

#include <algorithm>

namespace stridescope {
namespace {

/// Which element of an axis stands at `place`, counted from its first; places before and after it are filled.
int64_t source_of(Filling filling, int64_t place, int64_t size) {
  const auto within = [&](int64_t period) { return (place % period + period) % period; };
  if (filling == Filling::wrap) return within(size);
  if (filling == Filling::edge || size == 1) return std::clamp<int64_t>(place, 0, size - 1);
  const int64_t period = filling == Filling::reflect ? 2 * (size - 1) : 2 * size, at = within(period);
  return at < size ? at : (filling == Filling::reflect ? period : period - 1) - at;
}

}  // namespace

ContentsPtr continued(const Tensor& array, const Dims& sizes, const std::vector<int64_t>& before, Filling filling) {
  Elements from = elements_of(array);
  std::vector<IndexedDim> dims;
  for (int d = 0; d < sizes.size(); ++d) {
    const int64_t size = array.layout.sizes[d];
    if (sizes[d] > small_cells) return nullptr;
    std::vector<Scalar> places;
    for (int64_t i = 0; i < sizes[d]; ++i)
      places.push_back({DType::int64, source_of(filling, i - before[static_cast<size_t>(d)], size)});
    IndexedDim dim{{literal_contents(places, DType::int64), {sizes, Dims::filled(sizes.size(), 0), 0}, DType::int64},
                   size,
                   from.layout.strides[d]};
    dim.index.layout.strides[d] = 8;
    dims.push_back(std::move(dim));
    from.layout.strides[d] = 0;
  }
  from.layout.sizes = sizes;
  return dims.empty() ? gather(from, from.dtype) : gather_indexed(from, std::move(dims), from.dtype);
}

}  // namespace stridescope
