#include "ops/tensor.h"

#include "layout/contiguity.h"
#include "ops/contents.h"
#include "ops/number.h"

namespace stridescope {
namespace {

/// Every stride and the storage offset through `change`, which may have no answer.
template <class Change>
std::optional<Layout> changed_units(const Layout& layout, Change change) {
  Layout result = layout;
  for (int64_t& stride : result.strides) {
    const auto changed = change(stride);
    if (!changed) return std::nullopt;
    stride = *changed;
  }
  const auto offset = change(layout.storage_offset);
  if (!offset) return std::nullopt;
  result.storage_offset = *offset;
  return result;
}

}  // namespace

Scalar Lens::operator()(Scalar value) const {
  if (conjugate) value.imaginary = -value.imaginary;
  if (negative) value.integer = -value.integer, value.real = -value.real, value.imaginary = -value.imaginary;
  return value;
}

std::optional<Layout> in_bytes(const Tensor& tensor) {
  if (tensor.library == Library::numpy) return tensor.layout;
  const int64_t width = itemsize(tensor.dtype);
  return changed_units(tensor.layout, [&](int64_t elements) { return checked_mul(elements, width); });
}

bool fits(const Tensor& tensor) {
  const auto bytes = in_bytes(tensor);
  return bytes && is_valid(*bytes);
}

std::optional<Layout> in_cells(const Tensor& tensor) {
  const int64_t width = itemsize(tensor.dtype);
  if (width != itemsize(tensor.storage->dtype)) return std::nullopt;
  if (tensor.library == Library::torch) return tensor.layout;
  return changed_units(tensor.layout, [&](int64_t bytes) -> std::optional<int64_t> {
    if (bytes % width != 0) return std::nullopt;
    return bytes / width;
  });
}

Tensor storage_line(const Tensor& tensor, DType dtype) {
  Tensor line = tensor;
  line.dtype = dtype;
  line.lens = {};
  line.layout = contiguous({tensor.storage_nbytes() / itemsize(dtype)});
  line.layout.storage_offset = tensor.storage_begin() / itemsize(dtype);
  return line;
}

Scalar read(const Storage&, const Contents& contents, int64_t byte, DType dtype) {
  return read_at(contents, byte, dtype);
}

std::string label(const Scalar& value) {
  if (value.dtype == DType::boolean) return value.integer != 0 ? "True" : "False";
  if (value.dtype == DType::uint64) return std::to_string(static_cast<uint64_t>(value.integer));
  if (is_floating(value.dtype)) return short_decimal(value.real);
  if (is_complex(value.dtype)) {
    const std::string imaginary = short_decimal(value.imaginary);
    return short_decimal(value.real) + (imaginary[0] == '-' ? "" : "+") + imaginary + "j";
  }
  return std::to_string(value.integer);
}

}  // namespace stridescope
