// Tensors from Python's numbers and lists: tensor, as_tensor, new_tensor.
#include <algorithm>
#include <cmath>

#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Most elements that arrays in a list of lists are read for.
constexpr int64_t most_listed = 1 << 16;

/// Nested lists as sizes and values, row-major; the sizes are those of the first entries. False: the call failed.
struct Nested {
  Call& call;
  std::optional<DType> dtype;  ///< asked for: numbers are then read as such
  Dims sizes;
  std::vector<Scalar> values;
  TypeVote vote{call};
  bool empty = false;       ///< no values: only what decides the dtype is looked at
  bool word_first = false;  ///< the way to the first entry ends at a word, which Python takes for a sequence of itself

  /// NumPy's numbers count with their own dtype, which arithmetic takes for that of Python's.
  void cast(DType own) { vote.numbers = vote.numbers ? promoted(*vote.numbers, own) : own; }

  bool read(const Value& value) {
    measure(value);
    empty = numel(sizes) == 0;
    if (empty && dtype) return true;
    if (!read(value, 0)) return false;
    if (empty) values.clear();
    return true;
  }

  /// A NumPy array among the entries is a list of lists.
  static TensorPtr array_of(const Value& value) {
    const TensorPtr tensor = tensor_of(value);
    return tensor && tensor->library == Library::numpy ? tensor : nullptr;
  }

  bool read_array(const Tensor& array, int depth) {
    const Dims& own = array.layout.sizes;
    if (own.empty()) return call.fail_parser("len() of unsized object", Msg::tensor_ragged), false;
    for (int d = 0; d < own.size(); ++d) {
      if (depth + d == sizes.size())
        return call.fail_parser("only length-1 arrays can be converted to Python scalars", Msg::tensor_ragged), false;
      if (sizes[depth + d] == own[d]) continue;
      return call.fail("ValueError",
                       {"expected sequence of length ", sizes[depth], " at dim ", depth, " (got ", own[d], ")"},
                       Msg::tensor_ragged),
             false;
    }
    if (depth + own.size() != sizes.size()) return call.fail_parser("not a sequence", Msg::tensor_ragged), false;
    const Elements elements = elements_of(array);
    const int64_t count = *numel(own);
    if (count > most_listed) return call.refuse(Msg::too_many_indices, {count, most_listed}), false;
    if (!call.quick(elements, count)) return false;
    for (int64_t i = 0; i < count; ++i) values.push_back(element(elements, i));
    cast(array.dtype);
    return true;
  }

  /// What has a length.
  static const Sequence* sequence_in(const Value& value) {
    const auto* sequence = std::get_if<Sequence>(&value.held);
    return sequence && !is_iterator(sequence->kind) ? sequence : nullptr;
  }

  void measure(const Value& value) {
    const Sequence* sequence = sequence_in(value);
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

  /// Real numbers do not, and neither do they beyond the last whole one by a part of 1.
  bool holds(double number) const {
    const int bits = 8 * itemsize(*dtype) - (is_unsigned(*dtype) ? 0 : 1);
    const double most = bits > 32 ? 9.2e18 : static_cast<double>((int64_t{1} << bits) - 1);
    return number <= most && number >= (is_unsigned(*dtype) ? 0 : bits > 32 ? -most : -most - 1);
  }

  bool read(const Value& value, int depth) {
    if (is_bytes(value)) return call.fail_parser("new(): invalid data type 'bytes'", Msg::tensor_ragged), false;
    if (const Sequence* sequence = sequence_in(value)) {
      const auto length = static_cast<int64_t>(sequence->items->size());
      if (!empty && depth == sizes.size())
        return call.fail_parser({"'", attribute_type(value), "' object cannot be interpreted as an integer"},
                                Msg::tensor_ragged),
               false;
      if (!empty && sizes[depth] != length) {
        call.fail("ValueError",
                  {"expected sequence of length ", sizes[depth], " at dim ", depth, " (got ", length, ")"},
                  Msg::tensor_ragged);
        return false;
      }
      if (length == 0) cast(call.default_dtype());
      return std::all_of(sequence->items->begin(), sequence->items->end(),
                         [&](const Value& item) { return read(item, depth + 1); });
    }
    const TensorPtr tensor = tensor_of(value);
    if (const TensorPtr array = array_of(value)) return read_array(*array, depth);
    if (std::holds_alternative<std::string>(value.held) && depth > 0 && word_first)
      return call.fail("ValueError", "too many dimensions 'str'", Msg::tensor_ragged), false;
    if (std::holds_alternative<std::string>(value.held))
      return call.fail_parser("new(): invalid data type 'str'", Msg::tensor_ragged), false;
    const bool complex = std::holds_alternative<ComplexFloat>(value.held);
    const auto* numpy = std::get_if<NumpyScalar>(&value.held);
    if (dtype &&
        ((!complex && !as_real(value) && !tensor) || (complex && !is_complex(*dtype) && *dtype != DType::boolean) ||
         (numpy && is_floating(numpy->dtype()) && numpy->dtype() != DType::float64 &&
          (is_integer(*dtype) || *dtype == DType::boolean)))) {
      const std::string type = type_name(value);
      return call.fail_parser(is_floating(*dtype) ? "must be real number, not " + type
                                                  : "'" + type + "' object cannot be interpreted as an integer",
                              Msg::argument_has_type, {"data", name(*dtype), type}),
             false;
    }
    if (tensor && numel(tensor->layout.sizes) != 1 &&
        (is_floating(dtype.value_or(tensor->dtype)) || is_complex(dtype.value_or(tensor->dtype))))
      return call.fail("ValueError", "only one element tensors can be converted to Python scalars", Msg::item_needs_one,
                       {*numel(tensor->layout.sizes)}),
             false;
    if (tensor && numel(tensor->layout.sizes) != 1)
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
      return call.fail("RuntimeError", {"Could not infer dtype of ", type_name(value)}, Msg::not_a_number,
                       {type_name(value)}),
             false;
    if (!empty && depth != sizes.size()) return call.fail_parser("not a sequence", Msg::tensor_ragged), false;
    const auto* real = std::get_if<Float>(&value.held);
    const auto* whole = std::get_if<int64_t>(&value.held);
    if (dtype && is_integer(*dtype) && ((whole && !fits(*whole)) || (real && !holds(*real))))
      return call.fail("RuntimeError", {"value cannot be converted to type ", name(*dtype), " without overflow"},
                       Msg::number_overflows, {to_string(value), name(*dtype)}),
             false;
    values.push_back(tensor ? element(elements_of(*tensor), 0) : numpy ? numpy->value() : number_of(value));
    if (numpy)
      cast(numpy->dtype());
    else
      vote.add(value);
    return true;
  }
};

/// A new tensor of nested lists.
Value literal(Call& call, const Value& data, std::optional<DType> asked) {
  Nested nested{call, asked};
  if (!nested.read(data)) return {};
  const DType dtype = asked.value_or(nested.vote.result());
  const Layout layout = contiguous(nested.sizes);
  const auto count = static_cast<int64_t>(nested.values.size());
  call.why(Msg::fresh_headline, {count, name(dtype), to_string(layout)});
  return call.fresh(dtype, layout, literal_contents(nested.values, dtype));
}

/// An array is first seen as a tensor, and then copied as one.
Value copied_array(Call& call, const Tensor& array, DType dtype) {
  const TensorPtr seen = tensor_of(tensor_on(call, array));
  if (call.failed()) return {};
  call.unsay(0);
  call.why(Msg::tensor_copies);
  return call.copy(*seen, {seen->layout.sizes, preserved_strides(seen->layout), 0}, dtype);
}

Value tensor_row(Call& call) {
  if (call.name() == "new_tensor" && call.self().lens != Lens{})
    return call.fail(
        "RuntimeError",
        {"DispatchKey ", (call.self().lens.conjugate ? "Conjugate" : "Negative"), " doesn't correspond to a device"},
        Msg::conjugate_unresolved);
  const Value& data = call.value("data");
  if (const TensorPtr source = tensor_of(data)) {
    const DType dtype = call.dtype("dtype").value_or(call.name() == "new_tensor" ? call.self().dtype : source->dtype);
    if (source->library == Library::numpy) return copied_array(call, *source, dtype);
    call.why(Msg::tensor_copies);
    return call.copy(*source, {source->layout.sizes, preserved_strides(source->layout), 0}, dtype);
  }
  std::optional<DType> asked = call.dtype("dtype");
  if (!asked && call.name() == "new_tensor") asked = call.self().dtype;
  return literal(call, data, asked);
}

/// A new packed tensor of `sizes`, without values.
Value unfilled(Call& call, const Dims& sizes, DType dtype) {
  for (const int64_t size : sizes)
    if (size < 0)
      return call.fail("RuntimeError",
                       {"Trying to create tensor with negative dimension ", size, ": ", list_text(sizes)},
                       Msg::negative_size, {size, list_text(sizes)});
  const Layout layout = fresh_layout(call, sizes, dtype);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  call.why(Msg::fresh_headline, {count, name(dtype), to_string(layout)});
  call.why(Msg::empty_values);
  return call.fresh(dtype, layout, constant_contents(real_scalar(0, dtype), count));
}

/// torch.Tensor(..): the constructor that was there before torch.tensor; torch.LongTensor(..) of another dtype.
Value tensor_class_row(Call& call) {
  const auto own = tensor_class(call.name());
  const DType dtype = own.value_or(call.default_dtype());
  const auto& data = *std::get<Sequence>(call.value("data").held).items;
  const auto is_size = [](const Value& value) { return std::holds_alternative<int64_t>(value.held); };
  const auto* sequence = data.size() == 1 ? std::get_if<Sequence>(&data[0].held) : nullptr;
  const bool sizes = data.empty() || is_size(data[0]) || (sequence && sequence->kind == Sequence::Kind::size);
  if (sizes) {
    const auto& listed = sequence ? *sequence->items : data;
    if (listed.size() > static_cast<size_t>(max_rank)) return call.refuse(Msg::too_many_dims, {max_rank});
    Dims wanted;
    for (size_t i = 0; i < listed.size(); ++i) {
      if (!is_size(listed[i]))
        return call.about("data", static_cast<int>(i))
            .fail("TypeError",
                  {"new(): argument 'size' failed to unpack the object at pos ", static_cast<int64_t>(i + 1),
                   " with error \"type must be tuple of ints,but got ", type_name(listed[i]), "\""},
                  Msg::argument_has_type, {"size", "tuple of ints", type_name(listed[i])});
      wanted.push_back(std::get<int64_t>(listed[i].held));
    }
    if (listed.empty() && !sequence) wanted.push_back(0);
    return unfilled(call, wanted, dtype);
  }
  if (data.size() > 1)
    return call.fail_parser("new() received an invalid combination of arguments", Msg::argument_has_type,
                            {"data", "ints", type_name(data[0])});
  if (const TensorPtr tensor = tensor_of(data[0]); tensor && tensor->library == Library::torch) {
    const auto options = [](DType type) {
      return "TensorOptions(dtype=" + std::string(cpp_name(type)) +
             ", device=cpu, layout=Strided, requires_grad=false (default), pinned_memory=false (default), "
             "memory_format=(nullopt))";
    };
    if (own && tensor->dtype != dtype)
      return call.about("data", 0).fail("TypeError",
                                        {"expected ", options(dtype), " (got ", options(tensor->dtype), ")"},
                                        Msg::argument_has_type, {"data", name(dtype), name(tensor->dtype)});
    return call.view(*tensor, tensor->layout);
  }
  if (!sequence && !tensor_of(data[0]))
    return call.about("data", 0).fail("TypeError",
                                      std::holds_alternative<std::string>(data[0].held)
                                          ? Slots{"new(): invalid data type 'str'"}
                                          : Slots{"new(): data must be a sequence (got ", type_name(data[0]), ")"},
                                      Msg::argument_has_type, {"data", "a sequence", type_name(data[0])});
  // An array is taken as it is where it has the dtype.
  if (const TensorPtr array = tensor_of(data[0]))
    return array->dtype == dtype ? tensor_on(call, *array) : copied_array(call, *array, dtype);
  return literal(call, data[0], dtype);
}

/// The tensor itself where it has the dtype already; an array's memory; else as torch.tensor.
Value as_tensor_row(Call& call) {
  const TensorPtr source = tensor_of(call.value("data"));
  const DType dtype = call.dtype("dtype").value_or(source ? source->dtype : call.default_dtype());
  if (!source) return tensor_row(call);
  if (source->library == Library::numpy) return dtype == source->dtype ? tensor_on(call, *source) : tensor_row(call);
  if (source->dtype == dtype) {
    call.why(Msg::to_same, {name(dtype)});
    return call.same(call.tensor("data"));
  }
  const Layout layout{source->layout.sizes, preserved_strides(source->layout), 0};
  call.why(Msg::to_converts, {name(source->dtype), name(dtype)});
  return call.copy(*source, layout, dtype);
}

/// The tensor itself, or an array's memory, where that will do; a copy of anything else, or where one is asked for.
Value asarray_row(Call& call) {
  const Value& obj = call.value("obj");
  const TensorPtr source = tensor_of(obj);
  const bool copies = call.given("copy") && call.boolean("copy"), never = call.given("copy") && !copies;
  const auto asked = call.dtype("dtype");
  const Value& device = call.value("device");
  const auto* text = std::get_if<std::string>(&device.held);
  const bool elsewhere = call.given("device") && (text ? std::string_view(*text) : device_name(device)) != "cpu";
  const bool follows =
      source && (source->requires_grad || (call.given("requires_grad") && call.boolean("requires_grad")));
  if (is_bytes(obj) || (source && elsewhere) || (follows && source->library == Library::torch))
    return call.about("obj").refuse(Msg::not_modelled, {"PyTorch", call.written(call.span())});
  if (!is_processor(call, device)) return {};
  if (never && std::holds_alternative<NumpyScalar>(obj.held))
    return call.about("copy").fail("RuntimeError",
                                   "can't alias NumPy scalars. Either remove copy=False or transform it in a ndarray. ",
                                   Msg::asarray_copies);
  if (never && !source)
    return call.about("copy").fail("ValueError", "can't alias arbitrary sequence into a tensor.", Msg::asarray_copies);
  if (!source) return literal(call, obj, asked);
  const Value shared = source->library == Library::numpy ? tensor_on(call, *source) : Value{call.tensor("obj")};
  if (call.failed()) return {};
  const Tensor tensor = *tensor_of(shared);
  const DType dtype = asked.value_or(tensor.dtype);
  if (never && dtype != tensor.dtype)
    return call.about("dtype").fail("ValueError",
                                    {"can't alias tensor with dtype '", scalar_type_name(tensor.dtype),
                                     "' into dtype '", scalar_type_name(dtype), "'."},
                                    Msg::asarray_copies);
  if (!copies && dtype == tensor.dtype) {
    if (source->library == Library::numpy) return shared;
    call.why(Msg::to_same, {name(dtype)});
    return call.same(call.tensor("obj"));
  }
  call.unsay(0);
  const Layout layout{tensor.layout.sizes, preserved_strides(tensor.layout), 0};
  if (dtype != tensor.dtype)
    call.why(Msg::to_converts, {name(tensor.dtype), name(dtype)});
  else
    call.why(Msg::clone_keeps_strides, {to_string(layout.strides)});
  return call.copy(tensor, layout, dtype);
}

}  // namespace

std::optional<Elements> index_elements(Call& call, const Value& value) {
  Nested natural{call, std::nullopt}, integers{call, DType::int64};
  if (!natural.read(value)) return std::nullopt;
  const DType dtype = natural.vote.result();
  const bool mask = dtype == DType::boolean || dtype == DType::uint8;
  if (!mask && !integers.read(value)) return std::nullopt;
  const Nested& read = mask ? natural : integers;
  const DType kept = mask ? dtype : DType::int64;
  return Elements{literal_contents(read.values, kept), contiguous(read.sizes, itemsize(kept)), kept};
}

std::span<const Op> torch_literal_rows() {
#define OPTIONS "dtype: dtype = None, device = None, requires_grad: bool = False"
  static constexpr Op rows[] = {
      {Library::torch, "torch.tensor(data, *, " OPTIONS ")", Msg::op_tensor, "the numbers of nested lists, packed",
       "x = torch.tensor([[1, 2, 3], [4, 5, 6]])", tensor_row},
      {Library::torch,
       "torch.Tensor(*data: any = ())\ntorch.FloatTensor(*data: any = ())\n"
       "torch.DoubleTensor(*data: any = ())\ntorch.HalfTensor(*data: any = ())\n"
       "torch.BFloat16Tensor(*data: any = ())\ntorch.LongTensor(*data: any = ())\n"
       "torch.IntTensor(*data: any = ())\ntorch.ShortTensor(*data: any = ())\n"
       "torch.CharTensor(*data: any = ())\ntorch.ByteTensor(*data: any = ())\n"
       "torch.BoolTensor(*data: any = ())",
       Msg::op_tensor_class, "integers are sizes; a sequence is data; of a tensor another object on its storage",
       "x = torch.Tensor([[1, 2], [3, 4]])", tensor_class_row},
      {Library::torch, "torch.as_tensor(data, *, dtype: dtype = None, device = None)", Msg::op_as_tensor,
       "a tensor that fits is returned itself, an array's memory is shared, anything else is copied",
       "x = torch.arange(3)\ny = torch.as_tensor(x)", as_tensor_row},
      {Library::torch,
       "torch.asarray(obj, *, dtype: dtype = None, device = None, copy: bool = None, requires_grad: bool = "
       "False)",
       Msg::op_as_tensor,
       "a tensor that fits is returned itself, an array's memory is shared, else, or with copy=True, "
       "a copy",
       "a = np.arange(6)\nx = torch.asarray(a)", asarray_row},
      {Library::torch, "x.new_tensor(data, *, " OPTIONS ")", Msg::op_tensor,
       "the numbers of nested lists, packed, with x's dtype", "x = torch.arange(6)\ny = x.new_tensor([1, 2])",
       tensor_row},
  };
#undef OPTIONS
  return rows;
}

}  // namespace stridescope
