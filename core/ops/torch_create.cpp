// Tensors from nothing: arange, zeros, tensor, randn and their kin.
#include <cmath>

#include "ops/rows.h"
#include "ops/torch.h"

namespace stridescope {

Layout fresh_layout(Call& call, const Dims& sizes, DType dtype, MemoryFormat format) {
  for (int64_t size : sizes)
    if (size < 0) {
      call.fail("RuntimeError", "Trying to create tensor with negative dimension " + std::to_string(size) + ": " + list_text(sizes), Msg::negative_size, {size, list_text(sizes)});
      return {};
    }
  const auto count = numel(sizes);
  const auto bytes = count ? checked_mul(*count, itemsize(dtype)) : std::nullopt;
  if (!bytes || !is_valid({sizes, Dims::filled(sizes.size(), 0), 0})) {
    call.fail("RuntimeError", "Storage size calculation overflowed with sizes=" + list_text(sizes), Msg::storage_overflow, {list_text(sizes)});
    return {};
  }
  const bool last = format == MemoryFormat::channels_last, last_3d = format == MemoryFormat::channels_last_3d;
  if (last && sizes.size() != 4) return call.fail("RuntimeError", "required rank 4 tensor to use channels_last format", Msg::channels_last_rank, {4, sizes.size()}), Layout{};
  if (last_3d && sizes.size() != 5) return call.fail("RuntimeError", "required rank 5 tensor to use channels_last_3d format", Msg::channels_last_rank, {5, sizes.size()}), Layout{};
  return last || last_3d ? channels_last(sizes) : contiguous(sizes);
}

namespace {

Value arange(Call& call, const Value& start, const Value& end, const Value& step) {
  const auto is_float = [](const Value& value) { return std::holds_alternative<double>(value.held) || (std::holds_alternative<NumpyScalar>(value.held) && is_floating(std::get<NumpyScalar>(value.held).value.dtype)); };
  const bool real = is_float(start) || is_float(end) || is_float(step);
  const DType dtype = call.dtype("dtype").value_or(real ? DType::float32 : DType::int64);
  if (call.failed()) return {};
  const double from = *as_real(start), to = *as_real(end), by = *as_real(step);
  if (by == 0) return call.fail("RuntimeError", "step must be nonzero", Msg::arange_step_zero);
  if (by > 0 ? from > to : from < to) return call.fail("RuntimeError", "upper bound and larger bound inconsistent with step sign", Msg::arange_empty_direction);
  int64_t count = 0;
  if (real) {
    const double length = std::ceil((to - from) / by);
    if (!(length < 9e18)) return call.refuse(Msg::beyond_int64);
    count = static_cast<int64_t>(length);
  } else {
    const int64_t a = *as_integer(start), b = *as_integer(end), s = *as_integer(step);
    const auto span = a == INT64_MIN ? std::nullopt : checked_add(b, -a);
    if (!span) return call.refuse(Msg::beyond_int64);
    count = *span / s + (*span % s != 0 ? 1 : 0);
  }
  const Layout layout = fresh_layout(call, {count}, dtype);
  if (call.failed()) return {};
  call.why(Msg::arange_headline, {count, to_string(start), to_string(step), name(dtype)});
  call.why(Msg::fresh_storage, {count * itemsize(dtype), itemsize(dtype)});
  return call.fresh(dtype, layout, real ? real_range(from, by, dtype, count) : integer_range(*as_integer(start), *as_integer(step), dtype, count));
}

}  // namespace

std::span<const Op> torch_create_rows() {
  static const Op rows[] = {
      {Library::torch, "torch.arange(end: number, *, dtype: dtype = None, device = None, requires_grad: bool = False)", Msg::op_arange, "element i is i, for i < end", "x = torch.arange(12)",
       [](Call& call) { return arange(call, Value{int64_t{0}}, call.value("end"), Value{int64_t{1}}); }},
      {Library::torch, "torch.arange(start: number, end: number, step: number = 1, *, dtype: dtype = None, device = None, requires_grad: bool = False)", Msg::op_arange,
       "element i is start + i * step, while below end", "x = torch.arange(1, 13, 2)", [](Call& call) { return arange(call, call.value("start"), call.value("end"), call.value("step")); }},
  };
  return rows;
}

}  // namespace stridescope
