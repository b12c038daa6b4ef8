// Tensors from nothing: arange, zeros, tensor, randn and their kin.
#include <algorithm>
#include <cmath>

#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {

Layout fresh_layout(Call& call, const Dims& sizes, DType dtype, MemoryFormat format) {
  for (int64_t size : sizes)
    if (size < 0) {
      call.fail("RuntimeError", {"Trying to create tensor with negative dimension ", size, ": ", list_text(sizes)}, Msg::negative_size, {size, list_text(sizes)});
      return {};
    }
  const auto count = numel(sizes);
  const auto bytes = count ? checked_mul(*count, itemsize(dtype)) : std::nullopt;
  if (!bytes || !is_valid({sizes, Dims::filled(sizes.size(), 0), 0})) {
    call.fail("RuntimeError", {"Storage size calculation overflowed with sizes=", list_text(sizes)}, Msg::storage_overflow, {list_text(sizes)});
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
  if (is_complex(dtype) || dtype == DType::boolean)
    return call.fail("RuntimeError", {"\"arange_cpu\" not implemented for '", scalar_type_name(dtype), "'"}, Msg::function_refuses, {"arange", name(dtype)});
  const double from = *as_real(start), to = *as_real(end), by = *as_real(step);
  // For whole numbers the direction is looked at between the ends as elements.
  const bool whole = is_integer(dtype);
  if (by == 0) return call.about("step").fail("RuntimeError", "step must be nonzero", Msg::arange_step_zero);
  if (const double a = whole ? std::trunc(from) : from, b = whole ? std::trunc(to) : to; by > 0 ? a > b : a < b) return call.about("end").fail("RuntimeError", "upper bound and larger bound inconsistent with step sign", Msg::arange_empty_direction);
  int64_t count = 0;
  if (real && whole && dtype == DType::int64) {
    // Both ends and the step are made integers first.
    if (std::trunc(by) == 0) return call.about("step").fail("RuntimeError", "step must be nonzero", Msg::arange_step_zero);
    const double length = std::ceil((std::trunc(to) - std::trunc(from)) / std::trunc(by));
    if (!(length < 9e18)) return call.refuse(Msg::beyond_int64);
    count = std::max<int64_t>(static_cast<int64_t>(length), 0);
  } else if (real) {
    const double length = std::ceil((to - from) / by);
    if (!(length < 9e18)) return call.refuse(Msg::beyond_int64);
    count = std::max<int64_t>(static_cast<int64_t>(length), 0);
  } else {
    const int64_t a = *as_integer(start), b = *as_integer(end), s = *as_integer(step);
    const auto span = a == INT64_MIN ? std::nullopt : checked_add(b, -a);
    if (!span) return call.refuse(Msg::beyond_int64);
    count = *span / s + (*span % s != 0 ? 1 : 0);
  }
  const Layout layout = fresh_layout(call, {count}, dtype);
  if (call.failed()) return {};
  call.why(Msg::arange_headline, {count, to_string(start), to_string(step), name(dtype)});
  if (real && dtype == DType::int64)
    return call.fresh(dtype, layout, integer_range(static_cast<int64_t>(from), static_cast<int64_t>(by), dtype, count));
  return call.fresh(dtype, layout, real ? real_range(from, by, dtype, count) : integer_range(*as_integer(start), *as_integer(step), dtype, count));
}

/// A new tensor of `sizes`, all elements `value`.
Value filled(Call& call, const Dims& sizes, DType dtype, const Scalar& value, MemoryFormat format = MemoryFormat::contiguous) {
  const Layout layout = call.failed() ? Layout{} : fresh_layout(call, sizes, dtype, format);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  call.why(Msg::fresh_headline, {count, name(dtype), to_string(layout)});
  return call.fresh(dtype, layout, constant_contents(converted(value, dtype), count));
}

Scalar number_of(const Value& value) {
  if (const auto* real = std::get_if<double>(&value.held)) return real_scalar(*real, DType::float64);
  if (const auto* number = std::get_if<std::complex<double>>(&value.held)) return {DType::complex128, 0, number->real(), number->imag()};
  return integer_scalar(as_integer(value).value_or(0), std::holds_alternative<bool>(value.held) ? DType::boolean : DType::int64);
}

Scalar value_named(std::string_view name) { return integer_scalar(name.find("ones") != std::string_view::npos ? 1 : 0, DType::int64); }

Value zeros_row(Call& call) {
  const DType dtype = call.dtype("dtype").value_or(DType::float32);
  const Dims sizes = call.ints("size");
  return filled(call, sizes, dtype, value_named(call.name()));
}

Value empty_row(Call& call) {
  const DType dtype = call.dtype("dtype").value_or(DType::float32);
  const Dims sizes = call.ints("size");
  const MemoryFormat format = call.format("memory_format", MemoryFormat::contiguous);
  const Value result = filled(call, sizes, dtype, {DType::int64}, format);
  call.why(Msg::empty_values);
  return result;
}

Value full_row(Call& call) {
  const Scalar value = number_of(call.value("fill_value"));
  const DType natural = value.dtype == DType::float64 ? DType::float32 : value.dtype == DType::complex128 ? DType::complex64 : value.dtype;
  const DType dtype = call.dtype("dtype").value_or(natural);
  const Dims sizes = call.ints("size");
  if (!call.failed() && !holds_number(call, call.value("fill_value"), dtype)) return {};
  return filled(call, sizes, dtype, value);
}

/// zeros_like and its kin: a dense layout is kept, any other is packed in the order of its strides.
Value like_row(Call& call) {
  const Tensor tensor = call.self();
  const DType dtype = call.dtype("dtype").value_or(tensor.dtype);
  const MemoryFormat format = call.format("memory_format", MemoryFormat::preserve);
  if (call.failed()) return {};
  const Layout layout = format == MemoryFormat::preserve ? Layout{tensor.layout.sizes, preserved_strides(tensor.layout), 0} : fresh_layout(call, tensor.layout.sizes, dtype, format);
  if (call.failed()) return {};
  const int64_t count = *numel(layout.sizes);
  call.why(Msg::fresh_headline, {count, name(dtype), to_string(layout)});
  if (!is_contiguous(tensor.layout)) call.why(is_non_overlapping_and_dense(tensor.layout) ? Msg::like_keeps : Msg::like_packs, {to_string(tensor.layout.strides), to_string(layout.strides)});
  if (call.name().find("rand") != std::string_view::npos) {
    call.why(Msg::random_values);
    return call.fresh(dtype, layout, random_contents(call.name().find("randn") != std::string_view::npos ? Distribution::normal : Distribution::uniform, call.seed(), dtype, count));
  }
  if (!holds_number(call, call.value("fill_value"), dtype)) return {};
  const Scalar value = call.given("fill_value") ? number_of(call.value("fill_value")) : value_named(call.name());
  return call.fresh(dtype, layout, constant_contents(converted(value, dtype), count));
}

Value new_row(Call& call) {
  const DType dtype = call.dtype("dtype").value_or(call.self().dtype);
  const Dims sizes = call.ints("size");
  if (!call.failed() && !holds_number(call, call.value("fill_value"), dtype)) return {};
  return filled(call, sizes, dtype, call.given("fill_value") ? number_of(call.value("fill_value")) : value_named(call.name()));
}

constexpr int64_t max_listed = 4096;

/// Nested lists as sizes and values, row-major; the sizes are those of the first entries. False: the call failed.
struct Nested {
  Call& call;
  std::optional<DType> dtype;  ///< asked for: numbers are then read as such
  Dims sizes;
  std::vector<Scalar> values;
  TypeVote vote;

  void measure(const Value& value) {
    const auto* sequence = std::get_if<Sequence>(&value.held);
    if (!sequence || sizes.full()) return;
    sizes.push_back(static_cast<int64_t>(sequence->items->size()));
    if (!sequence->items->empty()) measure(sequence->items->front());
  }

  /// Whole numbers below 0 wrap around in an unsigned dtype.
  bool fits(int64_t number) const {
    const int bits = 8 * itemsize(*dtype);
    if (bits == 64) return true;
    const int64_t most = (int64_t{1} << (is_unsigned(*dtype) ? bits : bits - 1)) - 1;
    return number <= most && number >= -most - (is_unsigned(*dtype) ? 0 : 1);
  }

  bool read(const Value& value, int depth) {
    if (const auto* sequence = std::get_if<Sequence>(&value.held)) {
      const auto count = static_cast<int64_t>(sequence->items->size());
      if (depth == sizes.size()) return call.fail("ValueError", "too many dimensions 'list'", Msg::tensor_ragged), false;
      if (sizes[depth] != count) {
        call.fail("ValueError", {"expected sequence of length ", sizes[depth], " at dim ", depth, " (got ", count, ")"}, Msg::tensor_ragged);
        return false;
      }
      return std::all_of(sequence->items->begin(), sequence->items->end(), [&](const Value& item) { return read(item, depth + 1); });
    }
    const TensorPtr tensor = tensor_of(value);
    if (std::holds_alternative<std::string>(value.held)) return call.fail_parser("new(): invalid data type 'str'", Msg::tensor_ragged), false;
    if (dtype && (std::holds_alternative<None>(value.held) || (std::holds_alternative<std::complex<double>>(value.held) && !is_complex(*dtype) && *dtype != DType::boolean))) {
      const std::string type = type_name(value);
      return call.fail_parser(is_floating(*dtype) ? "must be real number, not " + type : "'" + type + "' object cannot be interpreted as an integer", Msg::argument_has_type, {"data", name(*dtype), type}), false;
    }
    if (tensor && numel(tensor->layout.sizes) != 1 && tensor->layout.rank() > 0 && is_floating(dtype.value_or(tensor->dtype)))
      return call.fail("ValueError", "only one element tensors can be converted to Python scalars", Msg::item_needs_one, {*numel(tensor->layout.sizes)}), false;
    if (tensor && numel(tensor->layout.sizes) != 1 && (dtype || !values.empty() || tensor->layout.rank() > 0))
      return call.fail_parser("only integer tensors of a single element can be converted to an index", Msg::item_needs_one, {*numel(tensor->layout.sizes)}), false;
    if (!as_real(value) && !std::holds_alternative<std::complex<double>>(value.held)) return call.fail("RuntimeError", {"Could not infer dtype of ", type_name(value)}, Msg::tensor_ragged), false;
    if (depth != sizes.size()) return call.fail_parser("not a sequence", Msg::tensor_ragged), false;
    const auto* scalar = std::get_if<NumpyScalar>(&value.held);
    const auto* real = std::get_if<double>(&value.held);
    const auto* whole = std::get_if<int64_t>(&value.held);
    if (dtype && is_integer(*dtype) && ((whole && !fits(*whole)) || (real && !(std::abs(*real) < 9.2e18 && fits(static_cast<int64_t>(*real))))))
      return call.fail("RuntimeError", {"value cannot be converted to type ", name(*dtype), " without overflow"}, Msg::number_overflows, {to_string(value), name(*dtype)}), false;
    values.push_back(tensor ? element(elements_of(*tensor), 0) : scalar ? scalar->value : number_of(value));
    vote.add(value);
    return true;
  }
};

Value tensor_row(Call& call) {
  if (call.name() == "new_tensor" && call.self().lens != Lens{})
    return call.fail("RuntimeError", {"DispatchKey ", (call.self().lens.conjugate ? "Conjugate" : "Negative"), " doesn't correspond to a device"}, Msg::conjugate_unresolved);
  const Value& data = call.value("data");
  if (const TensorPtr source = tensor_of(data)) {
    const DType dtype = call.dtype("dtype").value_or(source->dtype);
    if (call.failed()) return {};
    call.why(Msg::tensor_copies);
    Tensor readable = *source;
    if (source->library == Library::numpy) {
      const auto bytes = in_bytes(*source);
      return call.fresh(dtype, contiguous(source->layout.sizes), gather({source->storage->contents, *bytes, source->dtype}, dtype), Relation::copy);
    }
    return call.copy(readable, {source->layout.sizes, preserved_strides(source->layout), 0}, dtype);
  }
  std::optional<DType> asked = call.dtype("dtype");
  if (call.failed()) return {};
  if (!asked && call.name() == "new_tensor") asked = call.self().dtype;
  Nested nested{call, asked};
  nested.measure(data);
  if (!nested.read(data, 0)) return {};
  // Without a value torch makes floats; numbers of lists vote together.
  const DType natural = nested.values.empty() ? DType::float32 : nested.vote.result();
  const DType dtype = asked.value_or(natural);
  const Layout layout = call.failed() ? Layout{} : fresh_layout(call, nested.sizes, dtype);
  if (call.failed()) return {};
  const auto count = static_cast<int64_t>(nested.values.size());
  call.why(Msg::fresh_headline, {count, name(dtype), to_string(layout)});
  return call.fresh(dtype, layout, literal_contents(nested.values, dtype));
}

/// The tensor itself where it has the dtype already; an array's memory; else as torch.tensor.
Value as_tensor_row(Call& call) {
  const TensorPtr source = tensor_of(call.value("data"));
  const DType dtype = call.dtype("dtype").value_or(source ? source->dtype : DType::float32);
  if (call.failed() || !source) return call.failed() ? Value{} : tensor_row(call);
  if (source->library == Library::numpy) return dtype == source->dtype ? tensor_on(call, *source) : tensor_row(call);
  if (source->dtype == dtype) {
    call.why(Msg::to_same, {name(dtype)});
    return call.same(call.tensor("data"));
  }
  const Layout layout{source->layout.sizes, preserved_strides(source->layout), 0};
  call.why(Msg::to_converts, {name(source->dtype), name(dtype)});
  return call.copy(*source, layout, dtype);
}

Value scalar_tensor_row(Call& call) {
  const DType dtype = call.dtype("dtype").value_or(DType::float32);
  return call.failed() ? Value{} : filled(call, {}, dtype, number_of(call.value("s")));
}

/// Rows and columns of a triangle, as two rows.
Value triangle_indices_row(Call& call) {
  const int64_t rows = call.integer("row"), columns = call.integer("col"), shift = call.integer("offset");
  const DType dtype = call.dtype("dtype").value_or(DType::int64);
  if (call.failed()) return {};
  if (rows < 0 || columns < 0)
    return call.fail("RuntimeError", rows < 0 ? "row must be non-negative, got" + std::to_string(rows) : "col must be non-negative, got" + std::to_string(columns), Msg::negative_size, {std::min(rows, columns), "row"});
  if (rows > max_listed || columns > max_listed || rows * columns > max_listed) return call.refuse(Msg::too_many_items, {max_listed});
  const bool lower = call.name().ends_with("tril_indices");
  std::vector<Scalar> first, second;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      if (lower ? c - r <= shift : c - r >= shift) first.push_back(integer_scalar(r, dtype)), second.push_back(integer_scalar(c, dtype));
  const auto count = static_cast<int64_t>(first.size());
  first.insert(first.end(), second.begin(), second.end());
  const Layout layout = contiguous({2, count});
  call.why(Msg::fresh_headline, {2 * count, name(dtype), to_string(layout)});
  return call.fresh(dtype, layout, literal_contents(first, dtype));
}

/// Packed with the dimensions in another order in memory.
Value empty_permuted_row(Call& call) {
  const DType dtype = call.dtype("dtype").value_or(DType::float32);
  const Dims sizes = call.ints("size"), order = call.failed() ? Dims{} : call.ints("physical_layout");
  if (call.failed()) return {};
  if (sizes.size() != order.size())
    return call.fail("RuntimeError", {"Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = ", sizes.size(), " is not equal to len(physical_layout) = ", order.size()}, Msg::permute_count, {sizes.size(), order.size()});
  Dims packed, place = Dims::filled(sizes.size(), -1);
  for (int k = 0; k < order.size(); ++k) {
    if (order[k] < 0 || order[k] >= sizes.size())
      return call.fail("RuntimeError", {"Dimension out of range (expected to be between 0 and ", sizes.size() - 1, ", but got ", order[k], " at index ", k, ").  NB: negative dims not currently supported; file an issue if you want it."}, Msg::dim_out_of_range, {order[k], sizes.size(), 0, sizes.size() - 1});
    if (place[static_cast<int>(order[k])] >= 0) return call.fail("RuntimeError", "Duplicate dim not allowed", Msg::dim_repeated, {order[k]});
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
  const DType dtype = call.dtype("dtype").value_or(call.name() == "new_empty_strided" ? call.self().dtype : DType::float32);
  const Dims sizes = call.ints("size"), strides = call.failed() ? Dims{} : call.ints("stride");
  if (call.failed()) return {};
  if (sizes.size() != strides.size())
    return call.about("stride").fail("RuntimeError", {"dimensionality of sizes (", sizes.size(), ") must match dimensionality of strides (", strides.size(), ")"},
                     Msg::as_strided_count, {sizes.size(), strides.size()});
  for (int k = 0; k < sizes.size(); ++k)
    if (const int64_t size = sizes[k]; size < 0)
      return call.about("size", k).fail("RuntimeError", {"Trying to create tensor with negative dimension ", size, ": ", list_text(sizes)}, Msg::negative_size, {size, list_text(sizes)});
  for (int64_t stride : strides)
    if (stride < 0) return call.about("stride").fail("RuntimeError", {"Tensor: invalid strides ", list_text(strides)}, Msg::negative_stride, {stride});
  const Layout layout{sizes, strides, 0};
  // The storage reaches to the last element: 1 + sum of (size-1)*stride, or nothing without elements.
  int64_t cells = 1;
  const bool empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  if (!is_valid(layout)) return call.refuse(Msg::beyond_int64);
  for (int d = 0; d < sizes.size(); ++d) cells += (sizes[d] - 1) * strides[d];
  if (!checked_mul(cells, itemsize(dtype))) return call.refuse(Msg::beyond_int64);
  if (empty) cells = 0;
  call.why(Msg::fresh_headline, {*numel(sizes), name(dtype), to_string(layout)});
  call.why(Msg::empty_values);
  return call.fresh(dtype, layout, constant_contents(converted({DType::int64}, dtype), cells));
}

Value eye_row(Call& call) {
  const int64_t n = call.integer("n"), m = call.given("m") ? call.integer("m") : n;
  const DType dtype = call.dtype("dtype").value_or(DType::float32);
  if (!call.failed() && n < 0) return call.about("n").fail("RuntimeError", {"n must be greater or equal to 0, got ", n}, Msg::negative_size, {n, "n"});
  if (!call.failed() && m < 0) return call.about("m").fail("RuntimeError", {"m must be greater or equal to 0, got ", m}, Msg::negative_size, {m, "m"});
  const Layout layout = call.failed() ? Layout{} : fresh_layout(call, {n, m}, dtype);
  if (call.failed()) return {};
  const int64_t count = n * m, ones = std::min(n, m);
  call.why(Msg::fresh_headline, {count, name(dtype), to_string(layout)});
  const ContentsPtr zeros = constant_contents(converted({DType::int64}, dtype), count), one = constant_contents(integer_scalar(1, dtype), 1);
  const int64_t bytes = itemsize(dtype);
  if (ones == 0) return call.fresh(dtype, layout, zeros);
  return call.fresh(dtype, layout, patch(zeros, {zeros, {{ones}, {(m + 1) * bytes}, 0}, dtype}, {one, {{ones}, {0}, 0}, dtype}));
}

Value linspace_row(Call& call) {
  double start = call.real("start"), end = call.real("end");
  const int64_t steps = call.integer("steps");
  const DType dtype = call.dtype("dtype").value_or(DType::float32);
  if (!call.failed() && steps < 0) return call.about("steps").fail("RuntimeError", "number of steps must be non-negative", Msg::negative_size, {steps, "steps"});
  const Layout layout = call.failed() ? Layout{} : fresh_layout(call, {steps}, dtype);
  if (call.failed()) return {};
  if (steps > 1 && dtype == DType::boolean) return call.fail("RuntimeError", "\"linspace_cpu\" not implemented for 'Bool'", Msg::kernel_missing, {"linspace_cpu", "bool"});
  if (steps > 0 && is_integer(dtype)) {
    // The ends are made elements first.
    if (!holds_number(call, call.value("start"), dtype) || (steps > 1 && !holds_number(call, call.value("end"), dtype))) return {};
    start = as_real(converted(real_scalar(start, DType::float64), dtype));
    end = as_real(converted(real_scalar(end, DType::float64), dtype));
  }
  const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
  call.why(Msg::arange_headline, {steps, to_string(Value{start}), to_string(Value{step}), name(dtype)});
  if ((dtype == DType::float16 || dtype == DType::bfloat16) && steps > 1 && steps <= small_cells) {
    // The step is rounded to the dtype, and so is each product and sum; the second half counts from the end.
    const auto round = [&](double value) { return as_real(real_scalar(value, dtype)); };
    const double from = round(start), to = round(end), by = round((to - from) / static_cast<double>(steps - 1));
    std::vector<Scalar> values;
    for (int64_t i = 0; i < steps; ++i) {
      const double near = i < steps / 2 ? round(by * static_cast<double>(i)) : -round(by * static_cast<double>(steps - 1 - i));
      values.push_back(real_scalar((i < steps / 2 ? from : to) + near, dtype));
    }
    return call.fresh(dtype, layout, literal_contents(values, dtype));
  }
  return call.fresh(dtype, layout, real_range(start, step, dtype, steps));
}

}  // namespace

std::span<const Op> torch_create_rows() {
#define OPTIONS "dtype: dtype = None, device = None, requires_grad: bool = False"
  static const Op rows[] = {
      {Library::torch, "torch.arange(end: number, *, " OPTIONS ")", Msg::op_arange, "element i is i, for i < end", "x = torch.arange(12)",
       [](Call& call) { return arange(call, Value{int64_t{0}}, call.value("end"), Value{int64_t{1}}); }},
      {Library::torch, "torch.arange(start: number, end: number, step: number = 1, *, " OPTIONS ")", Msg::op_arange, "element i is start + i * step, while before end", "x = torch.arange(1, 13, 2)",
       [](Call& call) { return arange(call, call.value("start"), call.value("end"), call.value("step")); }},
      {Library::torch, "torch.zeros(*size: int, " OPTIONS ")\ntorch.ones(*size: int, " OPTIONS ")", Msg::op_zeros, "packed: strides[d] = strides[d+1] * max(sizes[d+1], 1)", "x = torch.zeros(2, 3)", zeros_row},
      {Library::torch, "torch.empty(*size: int, memory_format: format = None, " OPTIONS ")", Msg::op_empty, "packed, values undefined", "x = torch.empty(2, 3)", empty_row},
      {Library::torch, "torch.full(size: ints, fill_value: number | complex, *, " OPTIONS ")", Msg::op_full, "packed, every element fill_value", "x = torch.full((2, 3), 7)", full_row},
      {Library::torch, "torch.tensor(data, *, " OPTIONS ")", Msg::op_tensor, "the numbers of nested lists, packed", "x = torch.tensor([[1, 2, 3], [4, 5, 6]])",
       tensor_row},
      {Library::torch, "torch.as_tensor(data, dtype: dtype = None, device = None)", Msg::op_as_tensor, "a tensor that fits is returned itself, an array's memory is shared, anything else is copied",
       "x = torch.arange(3)\ny = torch.as_tensor(x)", as_tensor_row},
      {Library::torch, "torch.scalar_tensor(s: number, *, " OPTIONS ")", Msg::op_full, "one number, without dimensions", "x = torch.scalar_tensor(7)", scalar_tensor_row},
      {Library::torch, "torch.tril_indices(row: int, col: int, offset: int = 0, *, " OPTIONS ")\ntorch.triu_indices(row: int, col: int, offset: int = 0, *, " OPTIONS ")", Msg::op_triangle_indices,
       "row 0: the rows, row 1: the columns, of a triangle's elements", "x = torch.tril_indices(3, 3)", triangle_indices_row},
      {Library::torch, "torch.empty_permuted(size: ints, physical_layout: ints, *, " OPTIONS ")", Msg::op_empty_strided, "packed, dimension physical_layout[0] slowest", "x = torch.empty_permuted((2, 3), (1, 0))",
       empty_permuted_row},
      {Library::torch, "x.new_empty_strided(size: ints, stride: ints, *, " OPTIONS ")", Msg::op_empty_strided, "the strides as given, with x's dtype", "x = torch.arange(6)\ny = x.new_empty_strided((2, 3), (1, 2))",
       empty_strided_row},
      {Library::torch, "torch.empty_strided(size: ints, stride: ints, *, " OPTIONS ")", Msg::op_empty_strided, "the strides as given; the storage reaches to the last element", "x = torch.empty_strided((2, 3), (1, 2))",
       empty_strided_row},
      {Library::torch, "torch.eye(n: int, m: int = None, *, " OPTIONS ")", Msg::op_eye, "1 where row == column", "x = torch.eye(3)", eye_row},
      {Library::torch, "torch.linspace(start: number, end: number, steps: int, *, " OPTIONS ")", Msg::op_linspace, "element i is start + i * (end - start) / (steps - 1)", "x = torch.linspace(0, 1, 5)", linspace_row},
      {Library::torch,
       "torch.zeros_like(input: tensor, *, " OPTIONS ", memory_format: format = None)\ntorch.ones_like(input: tensor, *, " OPTIONS ", memory_format: format = None)\n"
       "torch.empty_like(input: tensor, *, " OPTIONS ", memory_format: format = None)\ntorch.rand_like(input: tensor, *, " OPTIONS ", memory_format: format = None)\n"
       "torch.randn_like(input: tensor, *, " OPTIONS ", memory_format: format = None)",
       Msg::op_zeros_like, "sizes of input; a dense layout is kept, any other packed in the order of its strides", "x = torch.arange(6).view(2, 3).t()\ny = torch.zeros_like(x)", like_row},
      {Library::torch, "torch.full_like(input: tensor, fill_value: number | complex, *, " OPTIONS ", memory_format: format = None)", Msg::op_zeros_like, "sizes and layout of input, every element fill_value",
       "x = torch.arange(6)\ny = torch.full_like(x, 7)", like_row},
      {Library::torch, "x.new_zeros(*size: int, " OPTIONS ")\nx.new_ones(*size: int, " OPTIONS ")\nx.new_empty(*size: int, " OPTIONS ")", Msg::op_new_zeros, "packed, with x's dtype", "x = torch.arange(6)\ny = x.new_zeros(2, 3)",
       new_row},
      {Library::torch, "x.new_full(size: ints, fill_value: number | complex, *, " OPTIONS ")", Msg::op_new_zeros, "packed, with x's dtype", "x = torch.arange(6)\ny = x.new_full((2, 3), 7)", new_row},
      {Library::torch, "x.new_tensor(data, *, " OPTIONS ")", Msg::op_tensor, "the numbers of nested lists, packed, with x's dtype", "x = torch.arange(6)\ny = x.new_tensor([1, 2])", tensor_row},
  };
#undef OPTIONS
  return rows;
}

}  // namespace stridescope
