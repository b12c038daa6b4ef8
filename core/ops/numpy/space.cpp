// Numbers whose logarithms are evenly spaced: logspace and geomspace, steps around linspace.
#include <algorithm>

#include "ops/numpy/ufunc.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// The array as its astype() gives it, where that copies only what has to change.
Value as_dtype_of(Call& call, const Value& made, DType dtype) {
  const TensorPtr array = tensor_of(made);
  if (call.failed() || !array || array->dtype == dtype) return made;
  const Value copy = numpy_copy(call, *array, NumpyOrder::keep, dtype);
  call.relation(Relation::fresh);
  return copy;
}

/// base ** linspace(start, stop)
Value powers_between(Call& call, const Operand& start, const Operand& stop, const Value& base, const Value& axis) {
  const size_t said = call.said();
  const Value exponents = call.failed() ? Value{} : spaced(call, start, stop, Value{}, axis);
  if (call.failed() || refuse_no_numbers(call, binary_ufunc("**"), {&base, &exponents})) return {};
  call.unsay(said);
  const Operand low = operand(call, base), high = operand(call, exponents);
  return apply_binary(call, binary_ufunc("**"), low, high);
}

Value logspace(Call& call) {
  const Value& base = call.value("base");
  if (const TensorPtr many = tensor_of(base);
      (many && many->layout.rank() > 0) || std::holds_alternative<Sequence>(base.held))
    return call.about("base").refuse(Msg::not_modelled, {"NumPy", "np.logspace(base=" + type_name(base) + ")"});
  const Operand start = operand(call, call.value("start")), stop = operand(call, call.value("stop"));
  // What is no number is raised to the powers as Python does it, in an array of objects.
  const bool object = std::holds_alternative<None>(base.held) || std::holds_alternative<Symbol>(base.held),
             text = std::holds_alternative<std::string>(base.held);
  if (object || text) {
    const TensorPtr powers =
        call.failed() ? nullptr : tensor_of(spaced(call, start, stop, Value{}, call.value("axis")));
    if (!powers) return {};
    if (text)
      return call.about("base").fail_parser(
          "ufunc 'power' not supported for the input types, and the inputs could not be safely coerced to any "
          "supported types according to the casting rule ''safe''",
          Msg::not_defined_for, {"power", type_name(base)});
    if (count_of(*powers) > 0)
      return call.about("base").fail_parser({"unsupported operand type(s) for ** or pow(): '", attribute_type(base),
                                             "' and '", is_complex(powers->dtype) ? "complex" : "float", "'"},
                                            Msg::not_defined_for, {"**", type_name(base)});
  }
  const Value made = powers_between(call, start, stop, base, call.value("axis"));
  const auto wanted = call.failed() ? std::nullopt : dtype_argument(call);
  return call.failed() || !wanted ? made : as_dtype_of(call, made, *wanted);
}

/// Whether no element is 0; else, or where that takes too long to see, the call fails.
bool without_zero(Call& call, const char* end, const Tensor& array) {
  const Elements elements = elements_of(array);
  if (!call.few(array)) return false;
  for (int64_t i = 0; i < count_of(array); ++i)
    if (!is_true(element(elements, i))) {
      call.about(end).fail("ValueError", "Geometric sequence cannot include zero", Msg::np_geomspace_zero);
      return false;
    }
  return true;
}

/// The ends as powers of 10, by the size of what they are; the sign of the first is put back afterwards.
Value geomspace(Call& call) {
  const TensorRef first = as_array(call, call.value("start")), last = as_array(call, call.value("stop"));
  if (call.failed() || !without_zero(call, "start", *first->tensor) || !without_zero(call, "stop", *last->tensor))
    return {};
  const Value& num = call.value("num");
  if (!as_real(num))
    return call.about("num").fail_parser(
        {"float() argument must be a string or a real number, not '", type_name(num), "'"}, Msg::argument_has_type,
        {"num", "int", type_name(num)});
  const auto wanted = dtype_argument(call);
  if (call.failed()) return {};
  const DType common = numpy_promoted({first->tensor->dtype, last->tensor->dtype, wanted.value_or(DType::float64)}),
              reckon = is_whole_number(common) ? DType::float64 : common;
  const size_t said = call.said();
  const auto converted_end = [&](const TensorRef& end) {
    return operand(call, numpy_copy(call, *end->tensor, NumpyOrder::keep, reckon));
  };
  const Operand start = converted_end(first), stop = converted_end(last);
  const auto step = [&](const char* function, const Operand& of) {
    return operand(call, apply_unary(call, unary_ufunc(function), of));
  };
  const Operand sign = step("sign", start);
  const auto by_sign = [&](const Operand& end) {
    return operand(call, apply_binary(call, binary_ufunc("/"), end, sign));
  };
  const Operand from = by_sign(start), to = by_sign(stop);
  const Operand low = step("log10", from), high = step("log10", to);
  const Value made = powers_between(call, low, high, Value{10.0}, Value{int64_t{0}});
  const TensorPtr powers = tensor_of(made);
  if (call.failed()) return {};
  const int64_t count = powers->layout.sizes[0];
  const auto set = [&](int64_t k, const Operand& end) {
    Tensor part = *powers;
    part.layout = select(part.layout, 0, k);
    numpy_assign(call, part, {end.array});
  };
  if (count > 0) set(0, from);
  if (count > 1 && call.truth("endpoint")) set(count - 1, to);
  const TensorRef object = call.object_of(*powers);
  apply_binary(call, binary_ufunc("*"), {object, false, {}}, sign, {.out = object});
  if (call.failed()) return {};
  call.unsay(said);
  Value result{object};
  const Tensor& array = *object->tensor;
  call.why(Msg::np_elementwise_headline, {count_of(array), to_string(array.layout.sizes), name(reckon)});
  if (as_integer(call.value("axis")) != 0) {
    const int rank = array.layout.rank();
    const Dims place = normalized_axes(call, "axis", rank, "destination: ", "repeated axis in `destination` argument");
    if (call.failed()) return {};
    if (place.size() != 1)
      return call.about("axis").fail("ValueError",
                                     "`source` and `destination` arguments must have the same number of elements",
                                     Msg::items_needed, {1, place.size()});
    result = call.view(array, permute(array.layout, moved_dims(rank, {0}, place)));
    call.why(Msg::np_hidden_owner);
  }
  call.relation(Relation::fresh);
  return as_dtype_of(call, result, wanted.value_or(reckon));
}

}  // namespace

std::span<const Op> numpy_space_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)",
       Msg::op_np_logspace, "base ** np.linspace(start, stop, num)", "x = np.logspace(0, 2, 3)", logspace},
      {Library::numpy, "np.geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0)", Msg::op_np_logspace,
       "element i is start * (stop / start) ** (i / (num - 1))", "x = np.geomspace(1, 8, 4)", geomspace},
  };
  return rows;
}

}  // namespace stridescope
