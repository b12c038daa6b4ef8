// What NumPy takes for an array: arrays, tensors, numbers and nested lists.
#include <algorithm>
#include <cmath>

#include "lang/utf8.h"
#include "ops/lent_memory.h"
#include "ops/numpy/byte_order.h"
#include "ops/numpy/strings.h"
#include "ops/python/builtin_numbers.h"
#include "ops/python/python.h"
#include "ops/torch/torch.h"

namespace stridescope {

namespace {

/// A nested list read into a flat one.
struct Nested {
  Dims sizes;
  std::vector<Scalar> values;
  std::optional<DType> dtype;
  bool known = true;  ///< all of the values
};

constexpr int64_t max_nested_values = 65536;

void take(Nested& nested, const Scalar& value) {
  nested.dtype = nested.dtype ? numpy_promoted(*nested.dtype, value.dtype) : value.dtype;
  nested.values.push_back(value);
}

/// Unless it could not be stored.
bool take_stored(const Call& call, Nested& nested, const Scalar& value) {
  if (call.failed()) return false;
  return take(nested, value), true;
}

/// Values that are not known: those beside them are not asked for either.
void take_unknown(Nested& nested, DType dtype, int64_t count) {
  nested.known = false;
  for (int64_t i = 0; i < count; ++i) take(nested, {dtype});
}

/// What NumPy takes apart: an iterator is one object to it.
const Sequence* nested_in(const Value& value) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  return sequence && !is_iterator(sequence->kind) && sequence->kind != Sequence::Kind::bytes ? sequence : nullptr;
}

/// The shape of the first of everything, as NumPy finds it.
bool discover(Call& call, const Value& value, Dims& sizes) {
  const Sequence* sequence = nested_in(value);
  const TensorPtr array = tensor_of(value);
  if (array) {
    for (const int64_t size : array->layout.sizes) {
      if (sizes.full()) return call.refuse(Msg::np_too_many_axes, {max_rank}), false;
      sizes.push_back(size);
    }
    return true;
  }
  if (!sequence) return true;
  if (sizes.full()) return call.refuse(Msg::np_too_many_axes, {max_rank}), false;
  sizes.push_back(static_cast<int64_t>(sequence->items->size()));
  return sequence->items->empty() || discover(call, sequence->items->front(), sizes);
}

/// How many leading sizes all of what is nested agrees on; `ragged` where that is not all there is.
int agreed_depth(const Value& value, const Dims& sizes, int depth, bool& ragged) {
  if (const TensorPtr array = tensor_of(value)) {
    const Dims& own = array->layout.sizes;
    int agreed = 0;
    while (depth + agreed < sizes.size() && agreed < own.size() && own[agreed] == sizes[depth + agreed]) ++agreed;
    ragged |= depth + agreed != sizes.size() || agreed != own.size();
    return depth + agreed;
  }
  const Sequence* sequence = nested_in(value);
  if (depth == sizes.size() || !sequence || static_cast<int64_t>(sequence->items->size()) != sizes[depth]) {
    ragged |= depth != sizes.size() || sequence != nullptr;
    return depth;
  }
  int least = sizes.size();
  for (const Value& item : *sequence->items) least = std::min(least, agreed_depth(item, sizes, depth + 1, ragged));
  return least;
}

/// A string as a number of that dtype, read as Python's int(), float() and complex() do.
bool take_text(Call& call, Nested& nested, const std::string& text, DType dtype) {
  if (dtype == DType::boolean) return take(nested, {dtype, text.empty() ? 0 : 1}), true;
  const Outcome number = is_integer(dtype) ? to_integer({Value{text}}) : to_real({Value{text}});
  if (!number.problem) return take_stored(call, nested, stored_scalar(call, number.value, dtype));
  if (!number.problem->raised)
    call.refuse(Msg::beyond_int64);
  else if (is_complex(dtype) && text.find_first_of("jJ(") != text.npos)
    call.refuse(Msg::not_modelled, {"NumPy", "complex '" + text + "'"});
  else
    call.fail("ValueError", is_complex(dtype) ? "complex() arg is a malformed string" : number.problem->raised->text,
              number.problem->reason);
  return false;
}

bool read_nested(Call& call, const Value& value, std::optional<DType> wanted, Nested& nested) {
  if (static_cast<int64_t>(nested.values.size()) > max_nested_values) return call.refuse(Msg::np_too_costly), false;
  if (const Sequence* sequence = nested_in(value)) {
    return std::all_of(sequence->items->begin(), sequence->items->end(),
                       [&](const Value& item) { return read_nested(call, item, wanted, nested); });
  }
  if (const TensorPtr given = tensor_of(value)) {
    const auto array = given->structure ? std::make_shared<const Tensor>(native(*given)) : given;
    const int64_t count = count_of(*array);
    if (array->structure) return call.refuse(Msg::np_not_numeric, {"ndarray of " + dtype_text(*array)}), false;
    if (count > max_nested_values) return call.refuse(Msg::np_too_costly), false;
    const Elements elements = elements_of(*array);
    if (count > 0 && !is_known(*elements.contents)) return take_unknown(nested, array->dtype, count), true;
    if (count == 0) nested.dtype = nested.dtype ? numpy_promoted(*nested.dtype, array->dtype) : array->dtype;
    if (!call.quick(elements, count)) return false;
    for (int64_t i = 0; i < count; ++i) take(nested, element(elements, i));
    return true;
  }
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held)) {
    if (!scalar->is_known()) return take_unknown(nested, scalar->dtype(), 1), true;
    return take_stored(call, nested, wanted ? stored_scalar(call, scalar->value(), *wanted) : scalar->value());
  }
  if (const auto* truth = std::get_if<bool>(&value.held)) return take(nested, {DType::boolean, *truth ? 1 : 0}), true;
  const auto* real = std::get_if<Float>(&value.held);
  if (real && is_unknown(value)) return take_unknown(nested, DType::float64, 1), true;
  const auto* pair = std::get_if<ComplexFloat>(&value.held);
  if (wanted && (pair || real || std::holds_alternative<int64_t>(value.held)))
    return take_stored(call, nested, stored_scalar(call, value, *wanted));
  if (const auto* integer = std::get_if<int64_t>(&value.held)) return take(nested, {DType::int64, *integer}), true;
  if (real) return take(nested, {DType::float64, 0, *real}), true;
  if (pair) return take(nested, {DType::complex128, 0, pair->real(), pair->imag()}), true;
  const bool none = std::holds_alternative<None>(value.held);
  if (wanted && none && !is_integer(*wanted)) {
    Scalar nothing = *wanted == DType::boolean ? Scalar{DType::boolean} : real_scalar(std::nan(""), *wanted);
    if (is_complex(*wanted)) nothing.imaginary = nothing.real;
    return take(nested, nothing), true;
  }
  if (const auto* text = std::get_if<std::string>(&value.held); text && wanted)
    return take_text(call, nested, *text, *wanted);
  if (wanted && *wanted != DType::boolean &&
      (none || std::holds_alternative<Symbol>(value.held) || std::holds_alternative<SliceValue>(value.held) ||
       std::holds_alternative<Ellipsis>(value.held) ||
       (std::holds_alternative<Sequence>(value.held) && !is_bytes(value)))) {
    const std::string type = type_name(value);
    call.fail_parser(
        {is_integer(*wanted) ? "int() argument must be a string, a bytes-like object or a real number, not '"
                             : "float() argument must be a string or a real number, not '",
         type, "'"},
        Msg::argument_has_type, {"value", name(*wanted), type});
    return false;
  }
  call.refuse(Msg::np_not_numeric, {type_name(value)});
  return false;
}

}  // namespace

std::optional<std::string> text_dtype(const Value& value) {
  const auto* word = std::get_if<std::string>(&value.held);
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (!word && !sequence) return std::nullopt;
  // Characters, not bytes; at least one.
  const auto length = [](const std::string& text) { return std::max<int64_t>(1, character_count(text)); };
  int64_t longest = word ? length(*word) : 0;
  if (sequence)
    for (const Value& item : *sequence->items)
      if (const auto one = text_dtype(item)) longest = std::max<int64_t>(longest, std::stoll(one->substr(2)));
  return longest > 0 ? std::optional("<U" + std::to_string(longest)) : std::nullopt;
}

Scalar stored_scalar(Call& call, const Scalar& number, DType dtype) {
  const bool own = number.dtype == dtype || is_complex(number.dtype) || !is_integer(dtype) || is_unsigned(dtype);
  if (own) return converted(number, dtype);
  if (number.dtype != DType::uint64 || number.integer >= 0) return stored_scalar(call, python_value(number), dtype);
  call.fail("OverflowError", "Python int too large to convert to C long", Msg::np_number_out_of_bounds,
            {std::to_string(static_cast<uint64_t>(number.integer)), name(dtype)});
  return {dtype};
}

Scalar stored_scalar(Call& call, const Value& number, DType dtype) {
  if (const auto* pair = std::get_if<ComplexFloat>(&number.held)) {
    const bool whole = is_integer(dtype);
    if (whole || is_floating(dtype))
      call.fail_parser(whole ? "int() argument must be a string, a bytes-like object or a real number, not 'complex'"
                             : "float() argument must be a string or a real number, not 'complex'",
                       Msg::np_number_out_of_bounds, {to_string(number), name(dtype)});
    return converted({DType::complex128, 0, pair->real(), pair->imag()}, dtype);
  }
  const auto* real = std::get_if<Float>(&number.held);
  if (real && is_integer(dtype) && !(*real > -9.3e18 && *real < 9.3e18)) {
    const bool nan = std::isnan(double{*real});
    const char* text = nan                 ? "cannot convert float NaN to integer"
                       : std::isinf(double{*real}) ? "cannot convert float infinity to integer"
                                           : "Python int too large to convert to C long";
    call.fail(nan ? "ValueError" : "OverflowError", text, Msg::np_number_out_of_bounds,
              {to_string(number), name(dtype)});
    return {dtype};
  }
  if (real && !is_integer(dtype)) return real_scalar(*real, dtype);
  const auto* integer = std::get_if<int64_t>(&number.held);
  if (!real && !integer) return integer_scalar(as_integer(number).value_or(0), dtype);
  const int64_t whole = integer ? *integer : static_cast<int64_t>(*real);
  if (is_integer(dtype) && (dtype == DType::uint64 ? whole < 0 : integer_scalar(whole, dtype).integer != whole))
    call.fail("OverflowError", {"Python integer ", whole, " out of bounds for ", name(dtype)},
              Msg::np_number_out_of_bounds, {whole, name(dtype)});
  return integer_scalar(whole, dtype);
}

TensorRef nameless(const Tensor& array) {
  return std::make_shared<TensorObject>(TensorObject{-1, std::make_shared<const Tensor>(array)});
}

Value memory_view(Call& call, const Tensor& array) {
  Tensor seen = array;
  seen.is_view = true;
  seen.base = array.object < 0 ? array.base : array.object;
  seen.base_tensor = std::make_shared<const Tensor>(array);
  seen.base_facet = "data";
  return call.make(std::move(seen), Relation::view);
}

namespace {

/// What was just made, or null where the call failed.
TensorRef object_made(const Call& call, const Value& made) {
  return call.failed() ? nullptr : std::get<TensorRef>(made.held);
}

}  // namespace

bool check_depth(Call& call, int rank, int most) {
  if (rank <= most) return true;
  call.fail("ValueError",
            {"setting an array element with a sequence. The requested array would exceed the maximum number of "
             "dimension of ",
             most, "."},
            Msg::np_list_too_deep, {most, rank});
  return false;
}

std::optional<Dims> nested_sizes(Call& call, const Value& value, std::optional<int> most) {
  Dims sizes;
  if (!discover(call, value, sizes)) return std::nullopt;
  bool ragged = false;
  if (const int depth = agreed_depth(value, sizes, 0, ragged); ragged) {
    Dims regular;
    for (int d = 0; d < depth; ++d) regular.push_back(sizes[d]);
    call.fail("ValueError",
              {"setting an array element with a sequence. The requested array has an inhomogeneous shape after ", depth,
               " dimensions. The detected shape was ", to_string(regular), " + inhomogeneous part."},
              Msg::np_ragged, {to_string(regular)});
    return std::nullopt;
  }
  return most && !check_depth(call, sizes.size(), *most) ? std::nullopt : std::optional(sizes);
}

TensorRef as_array(Call& call, const Value& value, std::optional<DType> dtype, std::optional<int> most,
                   ReadBefore* before) {
  if (call.failed()) return nullptr;
  if (const auto* array = std::get_if<TensorRef>(&value.held)) {
    const Tensor& tensor = *(*array)->tensor;
    if (tensor.library == Library::numpy) return *array;
    // np.asarray(tensor) shares the tensor's memory.
    auto shared = array_on(call, tensor);
    if (!shared) return nullptr;
    shared->base = -1;
    shared->base_tensor = nullptr;
    return object_made(call, call.make(std::move(*shared), Relation::view));
  }
  if (is_memory(value) || memory_kept(value)) {
    const Value seen = memory_view(call, *lent_memory(call, value));
    if (call.failed()) return nullptr;
    if (!dtype || *dtype == tensor_of(seen)->dtype) return std::get<TensorRef>(seen.held);
    return object_made(call, numpy_copy(call, *tensor_of(seen), NumpyOrder::keep, dtype));
  }
  if (is_flat(value)) {
    const TensorRef& walked = call.object_of(*std::get<Facet>(value.held).tensor);
    const std::vector<Tensor> line = raveled(call, {*walked->tensor});
    return call.failed() ? nullptr : call.object_of(line.front());
  }
  Nested nested;
  const auto sizes = nested_sizes(call, value, most);
  if (!sizes) return nullptr;
  nested.sizes = *sizes;
  if (!read_nested(call, value, dtype, nested)) {
    if (before && dtype && nested.known) {
      before->sizes = nested.sizes;
      for (const Scalar& one : nested.values)
        before->cells.push_back({static_cast<int64_t>(before->cells.size()), 0, converted(one, *dtype)});
    }
    return nullptr;
  }
  const DType kind = dtype.value_or(nested.dtype.value_or(DType::float64));
  const ContentsPtr contents = nested.known ? literal_contents(nested.values, kind)
                                            : unknown_contents(kind, static_cast<int64_t>(nested.values.size()));
  return object_made(call, numpy_fresh(call, nested.sizes, kind, contents));
}

TensorRef receiver(Call& call) {
  const bool any = call.form().op->structured != Op::Structured::none;
  return any ? array_or_strings(call, call.first()) : as_array(call, call.first());
}

TensorRef receiver_with(Call& call, std::string_view member) {
  const Value& given = call.first();
  if (!has_dtype(given)) {
    const std::string type = type_name(given);
    // A class of NumPy's scalars has what they have.
    if (as_dtype(given))
      return call.about(given).refuse(Msg::not_modelled,
                                      {"NumPy", std::string(call.name()) + "(" + to_string(given) + ")"}),
             receiver(call);
    call.about(given).fail("AttributeError", {"'", type, "' object has no attribute '", member, "'"},
                           Msg::np_array_needed, {type});
  }
  return receiver(call);
}

std::vector<TensorRef> as_arrays(Call& call, const Value& value) {
  std::vector<TensorRef> result;
  if (const auto* sequence = std::get_if<Sequence>(&value.held); sequence && !is_iterator(sequence->kind)) {
    for (const Value& item : *sequence->items)
      if (TensorRef array = as_array(call, item)) result.push_back(std::move(array));
    return result;
  }
  const TensorPtr array = tensor_of(value);
  if (!array || array->layout.rank() == 0) {
    call.fail_parser("arrays to stack must be passed as a \"sequence\" type such as list or tuple.",
                     Msg::np_wants_arrays, {type_name(value)});
    return result;
  }
  if (array->layout.sizes[0] > int64_t{4096}) return call.refuse(Msg::np_too_costly), result;
  for (int64_t i = 0; i < array->layout.sizes[0]; ++i)
    result.push_back(std::get<TensorRef>(call.view(*array, select(array->layout, 0, i)).held));
  return result;
}

}  // namespace stridescope
