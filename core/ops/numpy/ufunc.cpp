#include "ops/numpy/ufunc.h"

#include <algorithm>

namespace stridescope {
namespace {

constexpr Ufunc binaries[] = {{"+", "add", Arithmetic::add},
                              {"-", "subtract", Arithmetic::subtract},
                              {"*", "multiply", Arithmetic::multiply},
                              {"/", "divide", Arithmetic::divide},
                              {"", "true_divide", Arithmetic::divide},
                              {"", "mod", Arithmetic::remainder},
                              {"//", "floor_divide", Arithmetic::floor_divide},
                              {"%", "remainder", Arithmetic::remainder},
                              {"**", "power", Arithmetic::power},
                              {"&", "bitwise_and", Arithmetic::bit_and},
                              {"|", "bitwise_or", Arithmetic::bit_or},
                              {"^", "bitwise_xor", Arithmetic::bit_xor},
                              {"<<", "left_shift", Arithmetic::shift_left},
                              {">>", "right_shift", Arithmetic::shift_right},
                              {"==", "equal", Arithmetic::equal},
                              {"!=", "not_equal", Arithmetic::not_equal},
                              {"<", "less", Arithmetic::less},
                              {"<=", "less_equal", Arithmetic::less_equal},
                              {">", "greater", Arithmetic::greater},
                              {">=", "greater_equal", Arithmetic::greater_equal},
                              {"", "maximum", Arithmetic::maximum},
                              {"", "minimum", Arithmetic::minimum},
                              {"", "fmax", Arithmetic::maximum_number},
                              {"", "fmin", Arithmetic::minimum_number},
                              {"", "logical_and", Arithmetic::logical_and},
                              {"", "logical_or", Arithmetic::logical_or},
                              {"", "logical_xor", Arithmetic::logical_xor}};
constexpr Ufunc unaries[] = {{"-", "negative", Arithmetic::negate},
                             {"+", "positive", Arithmetic::conjugate},
                             {"~", "invert", Arithmetic::invert},
                             {"", "bitwise_not", Arithmetic::invert},
                             {"", "absolute", Arithmetic::absolute},
                             {"", "abs", Arithmetic::absolute},
                             {"", "sign", Arithmetic::sign},
                             {"", "sqrt", Arithmetic::square_root},
                             {"", "exp", Arithmetic::exponential},
                             {"", "log", Arithmetic::logarithm},
                             {"", "sin", Arithmetic::sine},
                             {"", "cos", Arithmetic::cosine},
                             {"", "tanh", Arithmetic::tanh},
                             {"", "floor", Arithmetic::floor},
                             {"", "ceil", Arithmetic::ceil},
                             {"", "rint", Arithmetic::round},
                             {"", "logical_not", Arithmetic::logical_not},
                             {"", "isnan", Arithmetic::is_nan},
                             {"", "isinf", Arithmetic::is_infinite},
                             {"", "isfinite", Arithmetic::is_finite},
                             {"", "square", Arithmetic::square},
                             {"", "tan", Arithmetic::tangent},
                             {"", "trunc", Arithmetic::truncate},
                             {"", "exp2", Arithmetic::exp2},
                             {"", "log2", Arithmetic::log2},
                             {"", "log10", Arithmetic::log10},
                             {"", "log1p", Arithmetic::log1p},
                             {"", "expm1", Arithmetic::expm1}};

/// The entry that a form's name stands for: "+", "numpy.add"; of several names of a ufunc the first, its own.
template <size_t Count>
const Ufunc& named(const Ufunc (&table)[Count], std::string_view name) {
  const size_t dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
  const Ufunc& found = *std::find_if(std::begin(table), std::end(table), [&](const Ufunc& entry) {
    return entry.symbol == last || entry.function == last;
  });
  return *std::find_if(std::begin(table), std::end(table), [&](const Ufunc& entry) { return entry.op == found.op; });
}

std::nullopt_t no_loop(Call& call, const Ufunc& what, DType dtype) {
  call.fail_parser({"ufunc '", what.function,
                    "' not supported for the input types, and the inputs could not be safely coerced to any "
                    "supported types according to the casting rule ''safe''"},
                   Msg::np_no_loop, {what.function, name(dtype)});
  return std::nullopt;
}

/// The dtype that two operands are reckoned in where no other is asked for, or the call failed.
std::optional<DType> dtype_of_two(Call& call, const Ufunc& what, DType common) {
  const bool bits = what.op >= Arithmetic::bit_and && what.op <= Arithmetic::shift_right;
  const bool whole = what.op == Arithmetic::floor_divide || what.op == Arithmetic::remainder;
  if ((bits && !is_whole_number(common)) || (whole && is_complex(common))) return no_loop(call, what, common);
  if (what.op == Arithmetic::divide && is_whole_number(common)) return DType::float64;
  if (common != DType::boolean) return common;
  if (what.op == Arithmetic::subtract) {
    call.fail_parser(
        "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the "
        "logical_xor function instead.",
        Msg::np_no_loop, {what.function, "bool"});
    return std::nullopt;
  }
  const bool shifts = what.op == Arithmetic::shift_left || what.op == Arithmetic::shift_right;
  return whole || shifts || what.op == Arithmetic::power ? DType::int8 : common;
}

/// The same of one operand.
std::optional<DType> dtype_of_one(Call& call, const Ufunc& what, DType given) {
  const bool whole = is_whole_number(given), boolean = given == DType::boolean;
  if (what.op == Arithmetic::negate && boolean) {
    call.fail_parser(
        "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not "
        "function instead.",
        Msg::np_no_loop, {what.function, "bool"});
    return std::nullopt;
  }
  if ((what.op == Arithmetic::sign || what.function == "positive") && boolean) {
    call.fail("UFuncTypeError",
              {"ufunc '", what.function,
               "' did not contain a loop with signature matching types <class 'numpy.dtypes.BoolDType'> -> None"},
              Msg::np_no_loop, {what.function, "bool"});
    return std::nullopt;
  }
  const bool steps = what.op == Arithmetic::floor || what.op == Arithmetic::ceil || what.op == Arithmetic::truncate;
  if ((what.op == Arithmetic::invert && !whole) || (steps && is_complex(given))) return no_loop(call, what, given);
  // Of whole numbers: the smallest floating dtype that holds them.
  const bool of_real = (what.op >= Arithmetic::square_root && what.op <= Arithmetic::tanh) ||
                       what.op == Arithmetic::tangent ||
                       (what.op >= Arithmetic::exp2 && what.op <= Arithmetic::expm1) || what.function == "rint";
  if (what.op == Arithmetic::square && boolean) return DType::int8;
  return of_real && whole ? numpy_promoted(given, DType::float16) : given;
}

/// Python's integers must fit the dtype that they give way to.
bool check_range(Call& call, const Operand& one, DType dtype) {
  if (one.weak && is_integer(dtype) && std::holds_alternative<int64_t>(one.number.held))
    stored_scalar(call, one.number, dtype);
  return !call.failed();
}

/// Comparisons with an integer that the array's dtype cannot hold are reckoned in one that can.
DType compared_in(const Operand& one, DType dtype) {
  const auto* number = std::get_if<int64_t>(&one.number.held);
  if (!one.weak || !number || !is_integer(dtype)) return dtype;
  if (dtype == DType::uint64) return *number < 0 ? DType::float64 : dtype;
  return integer_scalar(*number, dtype).integer == *number ? dtype : DType::int64;
}

/// The dtype that dtype= asks for, in which `inputs` are reckoned; the call failed where there is no such loop.
std::optional<DType> wanted_dtype(Call& call, const Ufunc& what, DType usual, const std::vector<const Operand*>& inputs,
                                  const UfuncTarget& target) {
  if (!target.dtype) return usual;
  const DType dtype = *target.dtype;
  const bool found = gives_bool(what.op)                                                    ? dtype == DType::boolean
                     : what.op >= Arithmetic::bit_and && what.op <= Arithmetic::shift_right ? is_whole_number(dtype)
                     : usual == DType::float64 && what.op == Arithmetic::divide             ? !is_whole_number(dtype)
                                                                                            : true;
  if (!found) {
    call.fail_parser({"No loop matching the specified signature and casting was found for ufunc ", what.function},
                     Msg::np_no_loop, {what.function, name(dtype)});
    return std::nullopt;
  }
  if (gives_bool(what.op)) return usual;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string number = inputs.size() == 1 ? "input" : "input " + std::to_string(i);
    if (inputs[i]->weak && is_integer(inputs[i]->array->tensor->dtype) && !is_whole_number(dtype)) continue;
    const bool small = inputs[i]->weak && is_integer(inputs[i]->array->tensor->dtype) && is_integer(dtype);
    if (!small && !check_ufunc_cast(call, what, number, inputs[i]->array->tensor->dtype, dtype, target.casting))
      return std::nullopt;
  }
  return dtype;
}

}  // namespace

const Ufunc& binary_ufunc(std::string_view form) { return named(binaries, form); }
const Ufunc& unary_ufunc(std::string_view form) { return named(unaries, form); }

UfuncTarget ufunc_target(Call& call) {
  UfuncTarget target;
  if (call.given("out")) {
    Value out = call.value("out");
    const auto* several = std::get_if<Sequence>(&out.held);
    const bool by_name = call.written(call.argument("out")).starts_with("out");
    if (several && several->kind == Sequence::Kind::tuple && by_name) {
      if (several->items->size() != 1)
        return call.about("out").fail("ValueError", "The 'out' tuple must have exactly one entry per ufunc output",
                                      Msg::np_wants_arrays, {"tuple"}),
               target;
      out = Value(several->items->front());
    }
    if (!std::holds_alternative<None>(out.held) && !tensor_of(out))
      return call.about("out").fail_parser("return arrays must be of ArrayType", Msg::np_wants_arrays,
                                           {type_name(out)}),
             target;
    if (tensor_of(out)) target.out = std::get<TensorRef>(out.held);
  }
  target.dtype = dtype_argument(call);
  target.casting = numpy_casting(call, Casting::same_kind);
  const auto* truth = std::get_if<bool>(&call.value("where").held);
  if (call.given("where") && !(truth && *truth)) {
    // What is no array yet becomes one of booleans.
    const Value& where = call.value("where");
    const bool plain = !tensor_of(where) && !std::holds_alternative<NumpyScalar>(where.held);
    target.where = as_array(call, where, plain ? std::optional(DType::boolean) : std::nullopt);
    if (!call.failed()) check_cast(call, *target.where->tensor, DType::boolean, Casting::safe);
  }
  if (!call.failed() && target.out) numpy_writeable(call, *target.out->tensor, "output array is read-only");
  return target;
}

bool check_ufunc_cast(Call& call, const Ufunc& what, std::string_view operand, DType from, DType to, Casting casting) {
  if (can_cast(from, to, casting)) return true;
  constexpr std::string_view rules[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
  call.fail("UFuncTypeError",
            {"Cannot cast ufunc '", what.function, "' ", operand, " from dtype('", name(from), "') to dtype('",
             name(to), "') with casting rule '", rules[static_cast<size_t>(casting)], "'"},
            Msg::np_cannot_cast, {name(from), name(to)});
  return false;
}

std::optional<DType> ufunc_dtype(Call& call, const Ufunc& what, const std::vector<const Operand*>& inputs,
                                 const UfuncTarget& target) {
  const Operand &a = *inputs.front(), &b = *inputs.back();
  const bool one = inputs.size() == 1;
  auto dtype = one ? dtype_of_one(call, what, a.array->tensor->dtype) : dtype_of_two(call, what, common_dtype(a, b));
  if (dtype) dtype = wanted_dtype(call, what, *dtype, inputs, target);
  if (!dtype || one) return dtype;
  if (what.op >= Arithmetic::equal && what.op <= Arithmetic::greater_equal)
    return compared_in(a, compared_in(b, *dtype));
  return check_range(call, a, *dtype) && check_range(call, b, *dtype) ? dtype : std::nullopt;
}

}  // namespace stridescope
