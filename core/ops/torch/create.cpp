// Tensors from nothing or from numbers: zeros, full, empty_strided, tensor and their kin.
#include <algorithm>
#include <cmath>

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
  const auto count = numel(sizes);
  const auto bytes = count ? checked_mul(*count, itemsize(dtype)) : std::nullopt;
  if (!bytes || !is_valid({sizes, Dims::filled(sizes.size(), 0), 0})) {
    call.fail("RuntimeError", {"Storage size calculation overflowed with sizes=", list_text(sizes)},
              Msg::storage_overflow, {list_text(sizes)});
    return {};
  }
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

Scalar number_of(const Value& value) {
  if (const auto* real = std::get_if<double>(&value.held)) return real_scalar(*real, DType::float64);
  if (const auto* numpy = std::get_if<NumpyScalar>(&value.held))
    return is_floating(numpy->value.dtype) ? converted(numpy->value, DType::float64) : numpy->value;
  if (const auto* number = std::get_if<std::complex<double>>(&value.held))
    return {DType::complex128, 0, number->real(), number->imag()};
  return integer_scalar(as_integer(value).value_or(0),
                        std::holds_alternative<bool>(value.held) ? DType::boolean : DType::int64);
}

Scalar value_named(std::string_view name) {
  return integer_scalar(name.find("ones") != std::string_view::npos ? 1 : 0, DType::int64);
}

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
  const DType natural = value.dtype == DType::float64      ? DType::float32
                        : value.dtype == DType::complex128 ? DType::complex64
                                                           : value.dtype;
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
    call.why(Msg::random_values);
    return call.fresh(dtype, layout,
                      random_contents(call.name().find("randn") != std::string_view::npos ? Distribution::normal
                                                                                          : Distribution::uniform,
                                      call.seed(), dtype, count));
  }
  if (!holds_number(call, call.value("fill_value"), dtype)) return {};
  const Scalar value = call.given("fill_value") ? number_of(call.value("fill_value")) : value_named(call.name());
  return call.fresh(dtype, layout, constant_contents(converted(value, dtype), count));
}

Value new_row(Call& call) {
  const DType dtype = call.dtype("dtype").value_or(call.self().dtype);
  const Dims sizes = call.ints("size");
  if (!call.failed() && !holds_number(call, call.value("fill_value"), dtype)) return {};
  return filled(call, sizes, dtype,
                call.given("fill_value") ? number_of(call.value("fill_value")) : value_named(call.name()));
}

/// Most elements that arrays in a list of lists are read for.
constexpr int64_t most_listed = 1 << 16;

/// Nested lists as sizes and values, row-major; the sizes are those of the first entries. False: the call failed.
struct Nested {
  Call& call;
  std::optional<DType> dtype;  ///< asked for: numbers are then read as such
  Dims sizes;
  std::vector<Scalar> values;
  TypeVote vote;
  bool word_first = false;  ///< the way to the first entry ends at a word, which Python takes for a sequence of itself

  /// A NumPy array among the entries is a list of lists.
  static TensorPtr array_of(const Value& value) {
    const TensorPtr tensor = tensor_of(value);
    return tensor && tensor->library == Library::numpy ? tensor : nullptr;
  }

  bool read_array(const Tensor& array, int depth) {
    const Dims& own = array.layout.sizes;
    if (own.empty()) return call.fail_parser("len() of unsized object", Msg::tensor_ragged), false;
    for (int d = 0; d < own.size(); ++d) {
      if (depth + d < sizes.size() && sizes[depth + d] == own[d]) continue;
      return call.fail("ValueError",
                       {"expected sequence of length ", sizes[depth], " at dim ", depth, " (got ", own[d], ")"},
                       Msg::tensor_ragged),
             false;
    }
    if (depth + own.size() != sizes.size()) return call.fail_parser("not a sequence", Msg::tensor_ragged), false;
    const Elements elements = elements_of(array);
    const int64_t count = *numel(own);
    if (count > most_listed) return call.refuse(Msg::too_many_indices, {count, most_listed}), false;
    for (int64_t i = 0; i < count; ++i) values.push_back(element(elements, i));
    vote.add(Value{NumpyScalar{Scalar{array.dtype}}});
    return true;
  }

  void measure(const Value& value) {
    const auto* sequence = std::get_if<Sequence>(&value.held);
    if (const TensorPtr array = array_of(value))
      for (const int64_t size : array->layout.sizes)
        if (!sizes.full()) sizes.push_back(size);
    word_first |= std::holds_alternative<std::string>(value.held);
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
      if (depth == sizes.size())
        return call.fail("ValueError", "too many dimensions 'list'", Msg::tensor_ragged), false;
      if (sizes[depth] != count) {
        call.fail("ValueError", {"expected sequence of length ", sizes[depth], " at dim ", depth, " (got ", count, ")"},
                  Msg::tensor_ragged);
        return false;
      }
      return std::all_of(sequence->items->begin(), sequence->items->end(),
                         [&](const Value& item) { return read(item, depth + 1); });
    }
    const TensorPtr tensor = tensor_of(value);
    if (const TensorPtr array = array_of(value)) return read_array(*array, depth);
    if (std::holds_alternative<std::string>(value.held) && depth > 0 && word_first)
      return call.fail("ValueError", "too many dimensions 'str'", Msg::tensor_ragged), false;
    if (std::holds_alternative<std::string>(value.held))
      return call.fail_parser("new(): invalid data type 'str'", Msg::tensor_ragged), false;
    const bool complex = std::holds_alternative<std::complex<double>>(value.held);
    const auto* numpy = std::get_if<NumpyScalar>(&value.held);
    if (dtype &&
        ((!complex && !as_real(value) && !tensor) || (complex && !is_complex(*dtype) && *dtype != DType::boolean) ||
         (numpy && is_floating(numpy->value.dtype) && (is_integer(*dtype) || *dtype == DType::boolean)))) {
      const std::string type = type_name(value);
      return call.fail_parser(is_floating(*dtype) ? "must be real number, not " + type
                                                  : "'" + type + "' object cannot be interpreted as an integer",
                              Msg::argument_has_type, {"data", name(*dtype), type}),
             false;
    }
    if (tensor && numel(tensor->layout.sizes) != 1 && tensor->layout.rank() > 0 &&
        (is_floating(dtype.value_or(tensor->dtype)) || is_complex(dtype.value_or(tensor->dtype))))
      return call.fail("ValueError", "only one element tensors can be converted to Python scalars", Msg::item_needs_one,
                       {*numel(tensor->layout.sizes)}),
             false;
    if (tensor && numel(tensor->layout.sizes) != 1 && (dtype || !values.empty() || tensor->layout.rank() > 0))
      return call.fail_parser("only integer tensors of a single element can be converted to an index",
                              Msg::item_needs_one, {*numel(tensor->layout.sizes)}),
             false;
    if (tensor && dtype && (is_integer(*dtype) || *dtype == DType::boolean) &&
        (is_floating(tensor->dtype) || is_complex(tensor->dtype)))
      return call.fail_parser("only integer tensors of a single element can be converted to an index",
                              Msg::argument_has_type, {"data", name(*dtype), name(tensor->dtype)}),
             false;
    if (tensor && dtype && is_floating(*dtype) && is_complex(tensor->dtype) &&
        element(elements_of(*tensor), 0).imaginary != 0)
      return call.fail("RuntimeError", "value cannot be converted to type double without overflow",
                       Msg::number_overflows, {to_string(value), name(*dtype)}),
             false;
    if (!tensor && !as_real(value) && !complex)
      return call.fail("RuntimeError", {"Could not infer dtype of ", type_name(value)}, Msg::tensor_ragged), false;
    if (depth != sizes.size()) return call.fail_parser("not a sequence", Msg::tensor_ragged), false;
    const auto* scalar = std::get_if<NumpyScalar>(&value.held);
    const auto* real = std::get_if<double>(&value.held);
    const auto* whole = std::get_if<int64_t>(&value.held);
    if (dtype && is_integer(*dtype) &&
        ((whole && !fits(*whole)) || (real && !(std::abs(*real) < 9.2e18 && fits(static_cast<int64_t>(*real))))))
      return call.fail("RuntimeError", {"value cannot be converted to type ", name(*dtype), " without overflow"},
                       Msg::number_overflows, {to_string(value), name(*dtype)}),
             false;
    values.push_back(tensor ? element(elements_of(*tensor), 0) : scalar ? scalar->value : number_of(value));
    vote.add(value);
    return true;
  }
};

Value tensor_row(Call& call) {
  if (call.name() == "new_tensor" && call.self().lens != Lens{})
    return call.fail(
        "RuntimeError",
        {"DispatchKey ", (call.self().lens.conjugate ? "Conjugate" : "Negative"), " doesn't correspond to a device"},
        Msg::conjugate_unresolved);
  const Value& data = call.value("data");
  if (const TensorPtr source = tensor_of(data)) {
    const DType dtype = call.dtype("dtype").value_or(call.name() == "new_tensor" ? call.self().dtype : source->dtype);
    if (call.failed()) return {};
    call.why(Msg::tensor_copies);
    Tensor readable = *source;
    if (source->library == Library::numpy) {
      const auto bytes = in_bytes(*source);
      return call.fresh(dtype, contiguous(source->layout.sizes),
                        gather({source->storage->contents, *bytes, source->dtype}, dtype), Relation::copy);
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

/// Packed with the dimensions in another order in memory.
Value empty_permuted_row(Call& call) {
  const DType dtype = call.dtype("dtype").value_or(DType::float32);
  const Dims sizes = call.ints("size"), order = call.failed() ? Dims{} : call.ints("physical_layout");
  if (call.failed()) return {};
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
      call.dtype("dtype").value_or(call.name() == "new_empty_strided" ? call.self().dtype : DType::float32);
  const Dims sizes = call.ints("size"), strides = call.failed() ? Dims{} : call.ints("stride");
  if (call.failed()) return {};
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
  for (int64_t stride : strides)
    if (stride < 0)
      return call.about("stride").fail("RuntimeError", {"Tensor: invalid strides ", list_text(strides)},
                                       Msg::negative_stride, {stride});
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

}  // namespace

std::span<const Op> torch_create_rows() {
#define OPTIONS "dtype: dtype = None, device = None, requires_grad: bool = False"
  static const Op rows[] = {
      {Library::torch, "torch.zeros(*size: int, " OPTIONS ")\ntorch.ones(*size: int, " OPTIONS ")", Msg::op_zeros,
       "packed: strides[d] = strides[d+1] * max(sizes[d+1], 1)", "x = torch.zeros(2, 3)", zeros_row},
      {Library::torch, "torch.empty(*size: int, memory_format: format = None, " OPTIONS ")", Msg::op_empty,
       "packed, values undefined", "x = torch.empty(2, 3)", empty_row},
      {Library::torch, "torch.full(size: ints, fill_value: number | complex, *, " OPTIONS ")", Msg::op_full,
       "packed, every element fill_value", "x = torch.full((2, 3), 7)", full_row},
      {Library::torch, "torch.tensor(data, *, " OPTIONS ")", Msg::op_tensor, "the numbers of nested lists, packed",
       "x = torch.tensor([[1, 2, 3], [4, 5, 6]])", tensor_row},
      {Library::torch, "torch.as_tensor(data, dtype: dtype = None, device = None)", Msg::op_as_tensor,
       "a tensor that fits is returned itself, an array's memory is shared, anything else is copied",
       "x = torch.arange(3)\ny = torch.as_tensor(x)", as_tensor_row},
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
      {Library::torch,
       "torch.full_like(input: tensor, fill_value: number | complex, *, " OPTIONS ", memory_format: format = None)",
       Msg::op_zeros_like, "sizes and layout of input, every element fill_value",
       "x = torch.arange(6)\ny = torch.full_like(x, 7)", like_row},
      {Library::torch,
       "x.new_zeros(*size: int, " OPTIONS ")\nx.new_ones(*size: int, " OPTIONS ")\nx.new_empty(*size: int, " OPTIONS
       ")",
       Msg::op_new_zeros, "packed, with x's dtype", "x = torch.arange(6)\ny = x.new_zeros(2, 3)", new_row},
      {Library::torch, "x.new_full(size: ints, fill_value: number | complex, *, " OPTIONS ")", Msg::op_new_zeros,
       "packed, with x's dtype", "x = torch.arange(6)\ny = x.new_full((2, 3), 7)", new_row},
      {Library::torch, "x.new_tensor(data, *, " OPTIONS ")", Msg::op_tensor,
       "the numbers of nested lists, packed, with x's dtype", "x = torch.arange(6)\ny = x.new_tensor([1, 2])",
       tensor_row},
  };
#undef OPTIONS
  return rows;
}

}  // namespace stridescope
