// New arrays, views and scalars as NumPy makes them.
#include "ops/explanation.h"
#include "ops/numpy/structured.h"

namespace stridescope {

int64_t nbytes(const Tensor& array) { return count_of(array) * unit_of(array); }

bool check_numpy_bytes(Call& call, const Dims& sizes, int64_t unit) {
  std::optional<int64_t> bytes = unit;
  for (const int64_t size : sizes) bytes = bytes && size != 0 ? checked_mul(*bytes, size) : bytes;
  if (!bytes)
    call.fail("ValueError",
              "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.",
              Msg::np_storage_overflow, {to_string(sizes)});
  return bytes.has_value();
}

Layout owned_layout(Call& call, const Dims& sizes, int64_t unit, Order order) {
  for (const int64_t size : sizes)
    if (size < 0)
      return call.fail("ValueError", "negative dimensions are not allowed", Msg::np_negative_size, {to_string(sizes)}),
             Layout{};
  if (!check_numpy_bytes(call, sizes, unit)) return {};
  Layout layout = order == Order::c ? contiguous(sizes, unit) : fortran(sizes, unit);
  if (numel(sizes) == 0) layout.strides = Dims::filled(sizes.size(), 0);
  return layout;
}

Dims strides_like(const Tensor& array, NumpyOrder order, int64_t unit) {
  const Layout& layout = array.layout;
  if (numel(layout.sizes) == 0) return Dims::filled(layout.rank(), 0);
  if (order != NumpyOrder::keep)
    return packed_strides(
        layout.sizes, resolved_order(array, order) == Order::c ? c_order(layout.rank()) : fortran_order(layout.rank()),
        unit);
  // The order of the axes is told by the array's own strides, the item size by the new dtype.
  const Dims own = k_order_strides(layout, unit_of(array));
  Dims result = own;
  for (int64_t& stride : result) stride = stride / unit_of(array) * unit;
  return result;
}

Layout with_leading_axes(Layout layout, int rank, int64_t unit, NumpyOrder order) {
  // In Fortran order new leading axes are the fastest, in C order the slowest.
  const bool fortran = order == NumpyOrder::fortran ||
                       (order != NumpyOrder::c && is_f_contiguous(layout, unit) && !is_contiguous(layout, unit));
  const int64_t stride = fortran || layout.rank() == 0 ? unit : layout.strides[0] * layout.sizes[0];
  while (layout.rank() < rank) layout = insert_dim(layout, 0, stride);
  return layout;
}

static void explain_copy_as(Call& call, const Layout& layout, int64_t unit) {
  const int64_t count = *numel(layout.sizes);
  call.why(Msg::np_copy_headline, {count, count * unit, to_string(layout.sizes), to_string(layout.strides),
                                   elements_text(layout.strides, unit)});
}

void explain_copy(Call& call, const Tensor& array) { explain_copy_as(call, array.layout, unit_of(array)); }

Value numpy_copy(Call& call, const Tensor& array, NumpyOrder order, std::optional<DType> dtype) {
  const int64_t unit = dtype ? itemsize(*dtype) : unit_of(array);
  owned_layout(call, array.layout.sizes, unit);
  if (call.failed()) return {};
  const Layout target{array.layout.sizes, strides_like(array, order, unit), 0};
  explain_copy_as(call, target, unit);
  return call.copy(array, target, dtype.value_or(array.dtype));
}

ContentsPtr zero_contents(const Tensor& array, int64_t count) {
  return array.structure ? constant_contents({DType::uint8}, count * unit_of(array))
                         : constant_contents(integer_scalar(0, array.dtype), count);
}

Value numpy_gathered(Call& call, const Tensor& array, const Layout& target, const Layout& from,
                     std::vector<IndexedDim> dims) {
  const Elements read = copied_elements(array, from);
  if (numel(target.sizes) == 0) return call.fresh(array, target, zero_contents(array, 0), Relation::copy);
  if (array.structure)  // every byte by the same indices
    for (IndexedDim& dim : dims) {
      if (dim.index.layout.sizes.full()) return too_many_axes(call, max_rank + 1);
      dim.index.layout.sizes.push_back(unit_of(array));
      dim.index.layout.strides.push_back(0);
    }
  return call.fresh(array, target,
                    dims.empty() ? gather(read, read.dtype) : gather_indexed(read, std::move(dims), read.dtype),
                    Relation::copy);
}

Value numpy_fresh(Call& call, const Dims& sizes, DType dtype, ContentsPtr contents, Relation relation) {
  return call.fresh(dtype, owned_layout(call, sizes, dtype), std::move(contents), relation);
}

LaidOut laid_out(const ContentsPtr& elements, const Dims& sizes, const Dims& slowest, DType dtype) {
  const int64_t unit = itemsize(dtype);
  if (cells(*elements) == 0) return {{sizes, Dims::filled(sizes.size(), 0), 0}, elements};
  const Elements row_major{elements, permute(contiguous(sizes, unit), slowest), dtype};
  return {{sizes, packed_slowest_first(sizes, slowest, unit), 0}, gather(row_major, dtype)};
}

void explain_view(Call& call, const Tensor& array, const Layout& layout) {
  call.why(Msg::np_view_headline, {to_string(layout.sizes), to_string(layout.strides), layout.storage_offset,
                                   elements_text(layout.strides, unit_of(array))});
}

void explain_set(Call& call, const Layout& layout, int64_t unit) {
  call.why(Msg::np_set_in_place,
           {to_string(layout.sizes), to_string(layout.strides), elements_text(layout.strides, unit)});
}

Value numpy_view(Call& call, const Tensor& array, const Layout& layout) {
  explain_view(call, array, layout);
  return call.view(array, layout);
}

Value numpy_readonly_view(Call& call, const Tensor& array, const Layout& layout) {
  Tensor source = array;
  source.writeable = false;
  return numpy_view(call, source, layout);
}

Value numpy_same(Call& call, const TensorRef& array, Msg reason, const Slots& slots) {
  call.why(reason, slots);
  return call.same(array);
}

Value numpy_scalar(Call& call, const Tensor& array) {
  if (call.failed()) return {};
  if (array.structure) return structured_element(call, array);
  const NumpyScalar scalar = scalar_at(elements_of(array), 0);
  if (scalar.is_known()) {
    call.why(Msg::np_scalar, {label(scalar.value()), name(scalar.dtype())});
  } else {
    call.why(Msg::np_unknown_scalar, {name(scalar.dtype())});
    call.why(Msg::unknown_values);
  }
  call.relation(Relation::none);
  return {scalar};
}

NumpyScalar scalar_at(const Elements& elements, int64_t position) {
  return is_known(*elements.contents) ? NumpyScalar{element(elements, position)} : NumpyScalar::unknown(elements.dtype);
}

Value scalar_if_0d(Call& call, const Value& value) {
  const TensorPtr array = tensor_of(value);
  return array && array->layout.rank() == 0 ? numpy_scalar(call, *array) : value;
}

Tensor made_or(const Value& made, const Tensor& instead) {
  const TensorPtr array = tensor_of(made);
  return array ? *array : instead;
}

}  // namespace stridescope
