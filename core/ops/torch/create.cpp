// Tensors of given sizes: zeros, full, empty_strided, *_like, new_* and their kin.
#include <algorithm>

#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {

Layout fresh_layout(Call& call, const Dims& sizes, DType dtype, MemoryFormat format) {
  for (int64_t size : sizes)
    if (size < 0) {
      call.fail("RuntimeError", {"Trying to create tensor with negative dimension ", size, ": ", list_text(sizes)},
                Msg::negative_size, {size, list_text(sizes)});
      return {};
    }
  // Sizes are multiplied from the first, without a sign; strides from the last.
  uint64_t bytes = 1;
  bool beyond = false;
  for (const int64_t size : sizes) beyond |= __builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes);
  beyond |= __builtin_mul_overflow(bytes, static_cast<uint64_t>(itemsize(dtype)), &bytes) || bytes > INT64_MAX;
  if (beyond) {
    call.fail("RuntimeError", {"Storage size calculation overflowed with sizes=", list_text(sizes)},
              Msg::storage_overflow, {list_text(sizes)});
    return {};
  }
  std::optional<int64_t> stride = 1;
  for (int d = sizes.size() - 1; d > 0; --d) stride = checked_mul(stride, std::max<int64_t>(sizes[d], 1));
  if (!stride)
    return call.fail("RuntimeError", "Stride calculation overflowed", Msg::storage_overflow, {list_text(sizes)}),
           Layout{};
  if (!is_valid({sizes, Dims::filled(sizes.size(), 0), 0})) return call.refuse(Msg::beyond_int64), Layout{};
  if (format == MemoryFormat::preserve)
    return call.fail("RuntimeError", "unsupported memory format Preserve", Msg::contiguous_preserve,
                     {to_string(contiguous(sizes))}),
           Layout{};
  const bool last = format == MemoryFormat::channels_last, last_3d = format == MemoryFormat::channels_last_3d;
  if (last && sizes.size() != 4)
    return call.fail("RuntimeError", "required rank 4 tensor to use channels_last format", Msg::channels_last_rank,
                     {4, sizes.size()}),
           Layout{};
  if (last_3d && sizes.size() != 5)
    return call.fail("RuntimeError", "required rank 5 tensor to use channels_last_3d format", Msg::channels_last_rank,
                     {5, sizes.size()}),
           Layout{};
  return last || last_3d ? channels_last(sizes) : contiguous(sizes);
}

namespace {

/// A new tensor of `sizes`, all elements `value`.
Value filled(Call& call, const Dims& sizes, DType dtype, const Scalar& value,
             MemoryFormat format = MemoryFormat::contiguous) {
  const Layout layout = call.failed() ? Layout{} : fresh_layout(call, sizes, dtype, format);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  call.why(Msg::fresh_headline, {count, name(dtype), to_string(layout)});
  return call.fresh(dtype, layout, constant_contents(converted(value, dtype), count));
}

Scalar value_named(std::string_view name) {
  return integer_scalar(name.find("ones") != std::string_view::npos ? 1 : 0, DType::int64);
}

Value zeros_row(Call& call) {
  const DType dtype = call.dtype("dtype").value_or(call.default_dtype());
  const Dims sizes = call.ints("size");
  return filled(call, sizes, dtype, value_named(call.name()));
}

Value empty_row(Call& call) {
  const DType dtype = call.dtype("dtype").value_or(call.default_dtype());
  const Dims sizes = call.ints("size");
  const MemoryFormat format = call.format("memory_format", MemoryFormat::contiguous);
  const Value result = filled(call, sizes, dtype, {DType::int64}, format);
  call.why(Msg::empty_values);
  return result;
}

Value full_row(Call& call) {
  const Scalar value = number_of(call.value("fill_value"));
  const DType natural = value.dtype == DType::float64      ? call.default_dtype()
                        : value.dtype == DType::complex128 ? complex_of(call.default_dtype())
                                                           : value.dtype;
  const DType dtype = call.dtype("dtype").value_or(natural);
  const Dims sizes = call.ints("size");
  fresh_layout(call, sizes, dtype);  // what is wrong with the sizes is told first
  if (!call.failed() && !holds_number(call, call.value("fill_value"), dtype)) return {};
  return filled(call, sizes, dtype, value);
}

/// zeros_like and its kin: a dense layout is kept, any other is packed in the order of its strides.
Value like_row(Call& call) {
  const Tensor tensor = call.self();
  const DType dtype = call.dtype("dtype").value_or(tensor.dtype);
  const MemoryFormat format = call.format("memory_format", MemoryFormat::preserve);
  const Layout layout = format == MemoryFormat::preserve
                            ? Layout{tensor.layout.sizes, preserved_strides(tensor.layout), 0}
                            : fresh_layout(call, tensor.layout.sizes, dtype, format);
  if (call.failed()) return {};
  const int64_t count = *numel(layout.sizes);
  call.why(Msg::fresh_headline, {count, name(dtype), to_string(layout)});
  if (!is_contiguous(tensor.layout))
    call.why(is_non_overlapping_and_dense(tensor.layout) ? Msg::like_keeps : Msg::like_packs,
             {to_string(tensor.layout.strides), to_string(layout.strides)});
  if (call.name().find("rand") != std::string_view::npos) {
    const bool normal = call.name().ends_with("randn_like"), integers = call.name().ends_with("randint_like");
    const int64_t low = call.given("low") ? call.integer("low") : 0, high = integers ? call.integer("high") : 1;
    if (integers ? !check_bounds(call, low, high, dtype) : !is_drawn(call, dtype, normal, count)) return {};
    call.why(Msg::random_values);
    const Distribution distribution = integers ? Distribution::integers
                                      : normal ? Distribution::normal
                                               : Distribution::uniform;
    return call.fresh(dtype, layout, random_contents(distribution, call.seed(), dtype, count, low, high));
  }
  if (!holds_number(call, call.value("fill_value"), dtype)) return {};
  const Scalar value = call.given("fill_value") ? number_of(call.value("fill_value")) : value_named(call.name());
  return call.fresh(dtype, layout, constant_contents(converted(value, dtype), count));
}

Value new_row(Call& call) {
  const DType dtype = call.dtype("dtype").value_or(call.self().dtype);
  const Dims sizes = call.ints("size");
  fresh_layout(call, sizes, dtype);  // what is wrong with the sizes is told first
  if (call.failed() || !holds_number(call, call.value("fill_value"), dtype)) return {};
  return filled(call, sizes, dtype,
                call.given("fill_value") ? number_of(call.value("fill_value")) : value_named(call.name()));
}

Value scalar_tensor_row(Call& call) {
  const DType dtype = call.dtype("dtype").value_or(call.default_dtype());
  if (!holds_number(call, call.value("s"), dtype)) return {};
  return filled(call, {}, dtype, number_of(call.value("s")));
}

/// Packed with the dimensions in another order in memory.
Value empty_permuted_row(Call& call) {
  const DType dtype = call.dtype("dtype").value_or(call.default_dtype());
  const Dims sizes = call.ints("size"), order = call.ints("physical_layout");
  if (sizes.size() != order.size())
    return call.fail(
        "RuntimeError",
        {"Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = ",
         sizes.size(), " is not equal to len(physical_layout) = ", order.size()},
        Msg::permute_count, {sizes.size(), order.size()});
  Dims packed, place = Dims::filled(sizes.size(), -1);
  for (int k = 0; k < order.size(); ++k) {
    if (order[k] < 0 || order[k] >= sizes.size())
      return call.fail(
          "RuntimeError",
          {"Dimension out of range (expected to be between 0 and ", sizes.size() - 1, ", but got ", order[k],
           " at index ", k, ").  NB: negative dims not currently supported; file an issue if you want it."},
          Msg::dim_out_of_range, {order[k], sizes.size(), 0, sizes.size() - 1});
    if (place[static_cast<int>(order[k])] >= 0)
      return call.fail("RuntimeError", "Duplicate dim not allowed", Msg::dim_repeated, {order[k]});
    place[static_cast<int>(order[k])] = k;
    packed.push_back(sizes[static_cast<int>(order[k])]);
  }
  const Layout memory = fresh_layout(call, packed, dtype);
  if (call.failed()) return {};
  const Layout layout = permute(memory, place);
  const int64_t count = *numel(sizes);
  call.why(Msg::fresh_headline, {count, name(dtype), to_string(layout)});
  call.why(Msg::empty_values);
  return call.fresh(dtype, layout, constant_contents(converted({DType::int64}, dtype), count));
}

Value empty_strided_row(Call& call) {
  const DType dtype =
      call.dtype("dtype").value_or(call.name() == "new_empty_strided" ? call.self().dtype : call.default_dtype());
  const Dims sizes = call.ints("size"), strides = call.ints("stride");
  if (sizes.size() != strides.size())
    return call.about("stride").fail(
        "RuntimeError",
        {"dimensionality of sizes (", sizes.size(), ") must match dimensionality of strides (", strides.size(), ")"},
        Msg::as_strided_count, {sizes.size(), strides.size()});
  for (int k = 0; k < sizes.size(); ++k)
    if (const int64_t size = sizes[k]; size < 0)
      return call.about("size", k).fail(
          "RuntimeError", {"Trying to create tensor with negative dimension ", size, ": ", list_text(sizes)},
          Msg::negative_size, {size, list_text(sizes)});
  const auto bytes = bytes_taken(sizes, strides, itemsize(dtype));
  if (!bytes)
    return call.fail(
        "RuntimeError",
        {"Storage size calculation overflowed with sizes=", list_text(sizes), " and strides=", list_text(strides)},
        Msg::storage_overflow, {list_text(sizes)});
  Layout layout{sizes, strides, 0};
  // A stride below 0, which only a dimension of size 1 or a tensor without elements can have, is left to the library.
  for (int d = sizes.size() - 1; d >= 0; --d)
    if (strides[d] < 0)
      layout.strides[d] = d == sizes.size() - 1 ? 1 : std::max<int64_t>(sizes[d + 1], 1) * layout.strides[d + 1];
  if (!is_valid(layout)) return call.refuse(Msg::beyond_int64);
  call.why(Msg::fresh_headline, {*numel(sizes), name(dtype), to_string(layout)});
  call.why(Msg::empty_values);
  return call.fresh(dtype, layout, constant_contents(converted({DType::int64}, dtype), *bytes / itemsize(dtype)));
}

}  // namespace

std::span<const Op> torch_create_rows() {
#define OPTIONS "dtype: dtype = None, device = None, requires_grad: bool = False"
  static constexpr Op rows[] = {
      {Library::torch, "torch.zeros(*size: int, " OPTIONS ")\ntorch.ones(*size: int, " OPTIONS ")", Msg::op_zeros,
       "packed: strides[d] = strides[d+1] * max(sizes[d+1], 1)", "x = torch.zeros(2, 3)", zeros_row},
      {Library::torch, "torch.empty(*size: int, memory_format: format = None, " OPTIONS ")", Msg::op_empty,
       "packed, values undefined", "x = torch.empty(2, 3)", empty_row},
      {Library::torch, "torch.full(size: ints, fill_value: number, *, " OPTIONS ")", Msg::op_full,
       "packed, every element fill_value", "x = torch.full((2, 3), 7)", full_row},
      {Library::torch, "torch.scalar_tensor(s: number, *, " OPTIONS ")", Msg::op_full, "one number, without dimensions",
       "x = torch.scalar_tensor(7)", scalar_tensor_row},
      {Library::torch, "torch.empty_permuted(size: ints, physical_layout: ints, *, " OPTIONS ")", Msg::op_empty_strided,
       "packed, dimension physical_layout[0] slowest", "x = torch.empty_permuted((2, 3), (1, 0))", empty_permuted_row},
      {Library::torch, "x.new_empty_strided(size: ints, stride: ints, *, " OPTIONS ")", Msg::op_empty_strided,
       "the strides as given, with x's dtype", "x = torch.arange(6)\ny = x.new_empty_strided((2, 3), (1, 2))",
       empty_strided_row},
      {Library::torch, "torch.empty_strided(size: ints, stride: ints, *, " OPTIONS ")", Msg::op_empty_strided,
       "the strides as given; the storage reaches to the last element", "x = torch.empty_strided((2, 3), (1, 2))",
       empty_strided_row},
      {Library::torch,
       "torch.zeros_like(input: tensor, *, " OPTIONS
       ", memory_format: format = None)\ntorch.ones_like(input: tensor, *, " OPTIONS ", memory_format: format = None)\n"
       "torch.empty_like(input: tensor, *, " OPTIONS
       ", memory_format: format = None)\ntorch.rand_like(input: tensor, *, " OPTIONS ", memory_format: format = None)\n"
       "torch.randn_like(input: tensor, *, " OPTIONS ", memory_format: format = None)",
       Msg::op_zeros_like, "sizes of input; a dense layout is kept, any other packed in the order of its strides",
       "x = torch.arange(6).view(2, 3).t()\ny = torch.zeros_like(x)", like_row},
      {Library::torch, "torch.randint_like(input: tensor, high: int, *, " OPTIONS ", memory_format: format = None)",
       Msg::op_randn, "sizes and layout of input; integers below high",
       "x = torch.zeros(2, 3).t()\ny = torch.randint_like(x, 10)", like_row},
      {Library::torch,
       "torch.randint_like(input: tensor, low: int, high: int, *, " OPTIONS ", memory_format: format = None)",
       Msg::op_randn, "sizes and layout of input; integers from low on and below high",
       "x = torch.zeros(2, 3).t()\ny = torch.randint_like(x, 1, 7)", like_row},
      {Library::torch,
       "torch.full_like(input: tensor, fill_value: number, *, " OPTIONS ", memory_format: format = None)",
       Msg::op_zeros_like, "sizes and layout of input, every element fill_value",
       "x = torch.arange(6)\ny = torch.full_like(x, 7)", like_row},
      {Library::torch,
       "x.new_zeros(*size: int, " OPTIONS ")\nx.new_ones(*size: int, " OPTIONS ")\nx.new_empty(*size: int, " OPTIONS
       ")",
       Msg::op_new_zeros, "packed, with x's dtype", "x = torch.arange(6)\ny = x.new_zeros(2, 3)", new_row},
      {Library::torch, "x.new_full(size: ints, fill_value: number, *, " OPTIONS ")", Msg::op_new_zeros,
       "packed, with x's dtype", "x = torch.arange(6)\ny = x.new_full((2, 3), 7)", new_row},
  };
#undef OPTIONS
  return rows;
}

}  // namespace stridescope
