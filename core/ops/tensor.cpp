#include "ops/tensor.h"

#include "layout/contiguity.h"
#include "ops/contents.h"
#include "ops/number.h"

namespace stridescope {
Scalar Lens::operator()(Scalar value) const {
  if (conjugate) value.imaginary = -value.imaginary;
  if (negative) value.integer = -value.integer, value.real = -value.real, value.imaginary = -value.imaginary;
  return value;
}

std::optional<Layout> in_bytes(const Tensor& tensor) {
  std::optional<Layout> bytes = tensor.layout;
  if (tensor.library == Library::numpy) return bytes;
  bool whole = true;
  const auto widen = [&](int64_t& elements) {
    const auto product = checked_mul(elements, itemsize(tensor.dtype));
    whole = whole && product;
    elements = product.value_or(0);
  };
  for (int64_t& stride : bytes->strides) widen(stride);
  widen(bytes->storage_offset);
  if (!whole) bytes.reset();
  return bytes;
}

bool fits(const Tensor& tensor) {
  const auto bytes = in_bytes(tensor);
  return bytes && is_valid(*bytes);
}

std::string dtype_text(const Tensor& tensor) {
  return tensor.structure ? to_string(*tensor.structure) : std::string(name(tensor.dtype));
}

Tensor seen_field(const Tensor& tensor, const StructureField& field) {
  Tensor seen = tensor;
  seen.dtype = field.dtype;
  seen.structure = field.structure;
  seen.is_element = tensor.is_element && field.structure && !field.structure->is_string() &&
                    !field.structure->is_swapped() && field.sizes.empty();
  seen.layout.storage_offset += field.offset;
  const Layout inner = contiguous(field.sizes, field.unit());
  for (int d = 0; d < inner.rank() && !seen.layout.sizes.full(); ++d) {
    seen.layout.sizes.push_back(inner.sizes[d]);
    seen.layout.strides.push_back(inner.strides[d]);
  }
  return seen;
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

Scalar read_swapped(const Contents& contents, int64_t byte, DType dtype) {
  ElementBytes bytes{};
  for (int b = 0; b < itemsize(dtype); ++b)
    bytes[static_cast<size_t>(b)] = static_cast<uint8_t>(read_at(contents, byte + b, DType::uint8).integer);
  return from_bytes(turned_bytes(bytes, dtype), dtype);
}

std::string label(const Scalar& value) {
  if (value.dtype == DType::boolean) return value.integer != 0 ? "True" : "False";
  if (value.dtype == DType::uint64) return std::to_string(static_cast<uint64_t>(value.integer));
  if (is_floating(value.dtype)) return short_decimal(value.real);
  if (is_complex(value.dtype)) {
    const auto part = [](double number) {
      const std::string text = short_decimal(number);
      return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
    };
    const std::string imaginary = part(value.imaginary);
    return part(value.real) + (imaginary[0] == '-' ? "" : "+") + imaginary + "j";
  }
  return std::to_string(value.integer);
}

}  // namespace stridescope
