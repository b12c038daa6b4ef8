// Which dtype values have in common, and what may become of a dtype.
#include <algorithm>
#include <cmath>

#include "ops/numpy/numpy.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// An operand of that dtype, whatever its elements.
Operand operand_of(DType dtype) {
  Tensor array;
  array.library = Library::numpy;
  array.dtype = dtype;
  return {nameless(array), false, {}};
}

Value result_type(Call& call) {
  const auto& given = std::get<Sequence>(call.value("arrays_and_dtypes").held);
  std::vector<Operand> operands;
  for (const Value& one : *given.items) {
    const bool number = has_dtype(one) || std::holds_alternative<bool>(one.held) ||
                        (as_real(one) && !std::holds_alternative<Symbol>(one.held)) ||
                        std::holds_alternative<ComplexFloat>(one.held);
    if (number)
      operands.push_back(operand(call, one));
    else if (std::holds_alternative<None>(one.held))
      operands.push_back(operand_of(DType::float64));
    else if (const auto dtype = dtype_argument(call, one))
      operands.push_back(operand_of(*dtype));
    if (call.failed()) return {};
  }
  if (operands.empty()) return call.fail("ValueError", "at least one array or dtype is required", Msg::np_no_arrays);
  const DType dtype = common_dtype(operands);
  call.why(Msg::np_result_type, {name(dtype)});
  return dtype_object(dtype);
}

Value promote_types(Call& call) {
  for (const char* type : {"type1", "type2"})
    if (!call.given(type))
      return call.about(type).fail_parser("did not understand one of the types", Msg::np_dtype_unknown, {"None"});
  const auto a = dtype_argument(call, "type1");
  const auto b = a ? dtype_argument(call, "type2") : a;
  if (!b) return {};
  call.why(Msg::np_result_type, {name(numpy_promoted(*a, *b))});
  return dtype_object(numpy_promoted(*a, *b));
}

Value can_cast_row(Call& call) {
  const Value& from = call.value("from_");
  const bool empty = is_empty_dtype(call.value("to"));
  const auto other = call.given("to") && !empty ? dtype_argument(call, "to") : std::nullopt;
  if (call.failed()) return {};
  const Casting casting = numpy_casting(call, Casting::safe);
  if (call.failed()) return {};
  if (call.given("casting") == false)
    return call.about("casting").fail_parser("casting must be str, not NoneType", Msg::argument_has_type,
                                             {"casting", "str", "NoneType"});
  if (!call.given("from_") || !call.given("to"))
    return call.about(call.given("from_") ? "to" : "from_")
        .fail_parser("did not understand one of the types; 'None' not accepted", Msg::np_dtype_unknown, {"None"});
  if (!has_dtype(from) && !std::holds_alternative<Symbol>(from.held) &&
      (as_real(from) || std::holds_alternative<ComplexFloat>(from.held)))
    return call.about("from_").fail_parser(
        "can_cast() does not support Python ints, floats, and complex because the result used to depend on the "
        "value.\nThis change was part of adopting NEP 50, we may explicitly allow them again in the future.",
        Msg::np_no_numbers);
  const TensorRef array = has_dtype(from) ? as_array(call, from) : nullptr;
  const auto own = array ? array->tensor->dtype : dtype_argument(call, "from_");
  if (call.raised("TypeError")) call.retell("TypeError", "did not understand one of the types; 'None' not accepted");
  if (own && empty) return Value{casting == Casting::unsafe};
  return own && other ? Value{can_cast(*own, *other, casting)} : Value{};
}

/// The smallest dtype for a number: unsigned where it is not negative, of reals by size alone.
DType least_for(const Scalar& number) {
  const auto fits = [](double part, double most) { return part > -most && part < most; };
  constexpr double half = 65000, single = 3.4e38;
  if (is_complex(number.dtype))
    return fits(number.real, single) && fits(number.imaginary, single) ? DType::complex64 : DType::complex128;
  if (is_floating(number.dtype)) {
    if (!std::isfinite(number.real) || fits(number.real, half)) return DType::float16;
    return fits(number.real, single) ? DType::float32 : DType::float64;
  }
  if (number.dtype == DType::boolean) return DType::boolean;
  constexpr DType with_sign[] = {DType::int8, DType::int16, DType::int32, DType::int64},
                  without[] = {DType::uint8, DType::uint16, DType::uint32, DType::uint64};
  const bool negative = number.integer < 0 && number.dtype != DType::uint64;
  for (int k = 0; k < 3; ++k)
    if (negative ? number.integer >= -(int64_t{1} << (8 * (1 << k) - 1))
                 : static_cast<uint64_t>(number.integer) >> (8 * (1 << k)) == 0)
      return negative ? with_sign[k] : without[k];
  return negative ? DType::int64 : DType::uint64;
}

Value min_scalar_type(Call& call) {
  const TensorRef array = receiver(call);
  if (call.failed()) return {};
  const Tensor& given = *array->tensor;
  return dtype_object(given.layout.rank() == 0 ? least_for(element(elements_of(given), 0)) : given.dtype);
}

/// NumPy's classes of numbers, each with the one it is a part of.
constexpr std::pair<std::string_view, std::string_view> class_tree[] = {
    {"signedinteger", "integer"},   {"unsignedinteger", "integer"}, {"integer", "number"}, {"floating", "inexact"},
    {"complexfloating", "inexact"}, {"inexact", "number"},          {"number", "generic"}};

std::string_view class_above(std::string_view own) {
  for (const auto& [name, above] : class_tree)
    if (name == own) return above;
  const auto dtype = dtype_named(own);
  if (!dtype) return {};
  return *dtype == DType::boolean ? "generic"
         : is_unsigned(*dtype)    ? "unsignedinteger"
         : is_integer(*dtype)     ? "signedinteger"
         : is_floating(*dtype)    ? "floating"
                                  : "complexfloating";
}

/// The class that an argument is or, as a dtype, has; nothing where the call failed.
std::optional<std::string> number_class(Call& call, const char* parameter) {
  const auto* symbol = std::get_if<Symbol>(&call.value(parameter).held);
  if (symbol && symbol->path.starts_with("numpy."))
    if (const std::string own = symbol->path.substr(6); own == "generic" || !class_above(own).empty()) return own;
  const auto dtype = call.given(parameter) ? dtype_argument(call, parameter) : DType::float64;
  return dtype ? std::optional(std::string(name(*dtype))) : std::nullopt;
}

Value issubdtype(Call& call) {
  const auto own = number_class(call, "arg1");
  const auto wanted = own ? number_class(call, "arg2") : own;
  if (!wanted) return {};
  for (std::string_view at = *own; !at.empty(); at = class_above(at))
    if (at == *wanted) return {true};
  return {false};
}

/// type(value) as str() writes it.
std::string class_text(const Value& value) {
  const std::string type = type_name(value);
  return "<class '" + (type == "ndarray" ? "numpy.ndarray" : type) + "'>";
}

/// Whether a dtype is among the kinds that a word names; nothing of any other word.
std::optional<bool> is_of_kind(DType dtype, std::string_view kind) {
  const bool number = dtype != DType::boolean, whole = is_integer(dtype);
  if (kind == "bool") return !number;
  if (kind == "signed integer") return whole && !is_unsigned(dtype);
  if (kind == "unsigned integer") return is_unsigned(dtype);
  if (kind == "integral") return whole;
  if (kind == "real floating") return is_floating(dtype);
  if (kind == "complex floating") return is_complex(dtype);
  if (kind == "numeric") return number;
  return std::nullopt;
}

/// A dtype object or one of NumPy's classes, not a word or a class of Python's for one.
std::optional<DType> own_dtype(const Value& value) {
  const auto* symbol = std::get_if<Symbol>(&value.held);
  return symbol && symbol->path.starts_with("numpy.") ? numpy_dtype(value) : std::nullopt;
}

Value isdtype(Call& call) {
  const auto dtype = own_dtype(call.value("dtype"));
  const Value& kind = call.value("kind");
  if (!dtype && std::holds_alternative<Symbol>(call.value("dtype").held) && type_name(call.value("dtype")) != "type")
    return call.about("dtype").refuse(Msg::np_dtype_not_modelled, {to_string(call.value("dtype"))});
  if (!dtype)
    return call.about("dtype").fail(
        "TypeError", {"dtype argument must be a NumPy dtype, but it is a ", class_text(call.value("dtype")), "."},
        Msg::np_dtype_unknown, {to_string(call.value("dtype"), 40)});
  const auto* tuple = std::get_if<Sequence>(&kind.held);
  const std::vector<Value> kinds = tuple && is_tuple(tuple->kind) ? *tuple->items : std::vector<Value>{kind};
  bool found = false;
  for (const Value& one : kinds) {
    if (const auto* word = std::get_if<std::string>(&one.held)) {
      const auto named = is_of_kind(*dtype, *word);
      if (!named)
        return call.about("kind").fail("ValueError",
                                       {"kind argument is a string, but ", quoted(*word), " is not a known kind name."},
                                       Msg::np_dtype_unknown, {*word});
      found = found || *named;
    } else if (const auto other = own_dtype(one)) {
      found = found || *other == *dtype;
    } else if (std::holds_alternative<Symbol>(one.held)) {
      return call.about("kind").refuse(Msg::np_dtype_not_modelled, {to_string(one)});
    } else {
      return call.about("kind").fail(
          "TypeError",
          {"kind argument must be comprised of NumPy dtypes or strings only, but is a ", class_text(one), "."},
          Msg::np_dtype_unknown, {to_string(one, 40)});
    }
  }
  return {found};
}

}  // namespace

std::span<const Op> numpy_promote_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.result_type(*arrays_and_dtypes: any = ())", Msg::op_np_result_type,
       "Python's own numbers take part by their kind alone", "x = np.arange(3, dtype=np.int8)\nnp.result_type(x, 2.5)",
       result_type},
      {Library::numpy, "np.promote_types(type1, type2, /)", Msg::op_np_result_type,
       "the smallest dtype to which both are cast safely", "np.promote_types(np.int8, np.uint8)", promote_types},
      {Library::numpy, "np.can_cast(from_, to, casting='safe')", Msg::op_np_can_cast, "",
       "np.can_cast(np.int64, np.float32)", can_cast_row},
      {Library::numpy, "np.min_scalar_type(a, /)", Msg::op_np_min_scalar, "of an array with axes its own dtype",
       "np.min_scalar_type(300)", min_scalar_type},
      {Library::numpy, "np.issubdtype(arg1, arg2)", Msg::op_np_issubdtype,
       "number: integer (signed, unsigned) and inexact (floating, complexfloating)",
       "np.issubdtype(np.int8, np.integer)", issubdtype},
      {Library::numpy, "np.isdtype(dtype, kind)", Msg::op_np_issubdtype,
       "kind: a dtype, 'bool', 'integral' (signed, unsigned integer), 'real floating', 'complex floating', 'numeric'",
       "np.isdtype(np.int8, 'integral')", isdtype},
  };
  return rows;
}

}  // namespace stridescope
