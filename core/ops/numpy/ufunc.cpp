#include "ops/numpy/ufunc.h"

#include <algorithm>

#include "ops/numpy/byte_order.h"
#include "ops/numpy/structured.h"

namespace stridescope {
namespace {

/// Of two real numbers, of which whole ones become floats no wider than they need.
bool is_of_plane(const Ufunc& what) {
  return what.op >= Arithmetic::arc_tangent2 && what.op <= Arithmetic::step_function;
}

/// Reckoned in real numbers even of whole ones.
bool is_fractional(const Ufunc& what) {
  return what.op == Arithmetic::divide || is_of_plane(what) ||
         (what.op >= Arithmetic::square_root && what.op <= Arithmetic::tanh) || what.op == Arithmetic::tangent ||
         (what.op >= Arithmetic::exp2 && what.op <= Arithmetic::expm1) || what.function == "rint" ||
         what.function == "fabs";
}

/// Not defined for complex numbers.
bool is_of_reals(const Ufunc& what) {
  return what.op == Arithmetic::floor || what.op == Arithmetic::ceil || what.op == Arithmetic::truncate ||
         what.op == Arithmetic::sign_bit || is_of_plane(what) || what.function == "fabs" ||
         (what.op >= Arithmetic::cube_root && what.op <= Arithmetic::to_degrees_rounded);
}

bool of_whole_numbers(const Ufunc& what) {
  return what.op == Arithmetic::common_divisor || what.op == Arithmetic::common_multiple;
}

/// Whether bools are reckoned as such; else as int8.
bool has_bool_loop(const Ufunc& what) {
  switch (what.op) {
    case Arithmetic::floor_divide:
    case Arithmetic::remainder:
    case Arithmetic::truncated_remainder:
    case Arithmetic::power:
    case Arithmetic::shift_left:
    case Arithmetic::shift_right:
    case Arithmetic::common_divisor:
    case Arithmetic::common_multiple:
    case Arithmetic::reciprocal_by_ratio:
    case Arithmetic::square: return false;
    default: return what.function != "conjugate";
  }
}

/// The dtype that two operands are reckoned in where no other is asked for, or the call failed.
std::optional<DType> dtype_of_two(Call& call, const Ufunc& what, DType common) {
  const bool bits = what.op >= Arithmetic::bit_and && what.op <= Arithmetic::common_multiple;
  const bool whole = what.op == Arithmetic::floor_divide || what.op == Arithmetic::remainder ||
                     what.op == Arithmetic::truncated_remainder;
  if ((bits && !is_whole_number(common)) || (whole && is_complex(common))) return no_loop(call, what, name(common));
  const bool plane = is_of_plane(what);
  if (plane && is_complex(common)) return no_loop(call, what, name(common));
  if (plane) return is_whole_number(common) ? numpy_promoted(common, DType::float16) : common;
  if (what.op == Arithmetic::divide && is_whole_number(common)) return DType::float64;
  if (common != DType::boolean) return common;
  if (what.op == Arithmetic::subtract) {
    call.fail_parser(
        "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the "
        "logical_xor function instead.",
        Msg::not_defined_for, {what.function, "bool"});
    return std::nullopt;
  }
  return has_bool_loop(what) ? common : DType::int8;
}

/// The same of one operand.
std::optional<DType> dtype_of_one(Call& call, const Ufunc& what, DType given) {
  const bool whole = is_whole_number(given), boolean = given == DType::boolean;
  if (what.op == Arithmetic::negate && boolean) {
    call.fail_parser(
        "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not "
        "function instead.",
        Msg::not_defined_for, {what.function, "bool"});
    return std::nullopt;
  }
  if ((what.op == Arithmetic::sign || what.function == "positive") && boolean)
    return no_matching_loop(call, what, {dtype_class_text("bool")}, "bool");
  if ((what.op == Arithmetic::invert && !whole) || (is_of_reals(what) && is_complex(given)))
    return no_loop(call, what, name(given));
  // Of whole numbers: the smallest floating dtype that holds them.
  if (boolean && !has_bool_loop(what)) return DType::int8;
  return (is_fractional(what) || what.op == Arithmetic::sign_bit) && whole ? numpy_promoted(given, DType::float16)
                                                                           : given;
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

/// The dtype that dtype= asks for, in which the operands are reckoned; the call failed where there is no such loop.
std::optional<DType> wanted_dtype(Call& call, const Ufunc& what, DType usual, const UfuncTarget& target) {
  if (!target.dtype) return usual;
  const DType dtype = *target.dtype;
  const bool whole = what.op == Arithmetic::floor_divide || what.op == Arithmetic::remainder ||
                     what.op == Arithmetic::truncated_remainder;
  const bool found = (whole || is_of_reals(what)) && is_complex(dtype) ? false
                     : gives_bool(what.op)                             ? dtype == DType::boolean
                     : what.op >= Arithmetic::bit_and && what.op <= Arithmetic::common_multiple
                         ? is_whole_number(dtype)
                         : !is_fractional(what) || !is_whole_number(dtype);
  if (!found || (dtype == DType::boolean && !has_bool_loop(what))) {
    call.fail_parser({"No loop matching the specified signature and casting was found for ufunc ", what.function},
                     Msg::not_defined_for, {what.function, name(dtype)});
    return std::nullopt;
  }
  return gives_bool(what.op) ? usual : dtype;
}

/// Whether the operands may be converted to the dtype that dtype= asks for.
bool check_inputs(Call& call, const Ufunc& what, DType dtype, const std::vector<const Operand*>& inputs,
                  const UfuncTarget& target) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string number = inputs.size() == 1 ? "input" : "input " + std::to_string(i);
    const DType from = inputs[i]->array->tensor->dtype;
    if (inputs[i]->weak && is_integer(from) && (is_integer(dtype) || !is_whole_number(dtype))) continue;
    if (!check_ufunc_cast(call, what, number, from, dtype, target.casting)) return false;
  }
  return true;
}

}  // namespace

/// What stands in for out=: itself, or what is in the tuple of one that its name allows, by which np.clip() hands it
/// on.
static Value handed_out(Call& call) {
  Value out = call.value("out");
  const auto* several = std::get_if<Sequence>(&out.held);
  const bool by_name = call.written(call.argument("out")).starts_with("out") || call.name() == "numpy.clip";
  if (several && several->kind == Sequence::Kind::tuple && by_name) {
    if (several->items->size() != 1)
      return call.about("out").fail("ValueError", "The 'out' tuple must have exactly one entry per ufunc output",
                                    Msg::items_needed, {1, several->items->size()}),
             Value{};
    out = Value(several->items->front());
  }
  return out;
}

/// The array that `out` is, or null where it is None; fails where it is none, or may not be written.
static TensorRef array_handed(Call& call, const Value& out) {
  if (call.failed() || std::holds_alternative<None>(out.held)) return nullptr;
  if (!tensor_of(out))
    return call.about("out").fail_parser("return arrays must be of ArrayType", Msg::np_array_needed, {type_name(out)}),
           nullptr;
  numpy_writeable(call, *tensor_of(out), "output array is read-only");
  return std::get<TensorRef>(out.held);
}

TensorRef ufunc_out(Call& call) { return array_handed(call, handed_out(call)); }

UfuncTarget ufunc_target(Call& call) {
  const Value out = handed_out(call);
  return call.failed() ? UfuncTarget{} : ufunc_target(call, out);
}

bool has_dtype_details(const Value& dtype) {
  const StructurePtr structure = is_none(dtype) || numpy_dtype(dtype) ? nullptr : read_structure(dtype).structure;
  return is_empty_dtype(dtype) || read_swapped_dtype(dtype) || (structure && structure->itemsize > 0);
}

std::optional<DType> ufunc_dtype_argument(Call& call) {
  if (has_dtype_details(call.value("dtype"))) return refuse_ufunc_dtype(call), std::nullopt;
  return dtype_argument(call);
}

Value refuse_ufunc_dtype(Call& call) {
  return call.about("dtype").fail_parser(
      "The `dtype` and `signature` arguments to ufuncs only select the general DType and not details such as the byte "
      "order or time unit.",
      Msg::np_ufunc_dtype, {to_string(call.value("dtype"))});
}

UfuncTarget ufunc_target(Call& call, const Value& out) {
  UfuncTarget target;
  target.dtype = ufunc_dtype_argument(call);
  if (call.failed()) return target;
  target.out = array_handed(call, out);
  if (!target.out && call.failed()) return target;
  const auto* truth = std::get_if<bool>(&call.value("where").held);
  if (call.given("where") && !(truth && *truth)) {
    // What is no array yet becomes one of booleans.
    const Value& where = call.value("where");
    target.where = as_array(call, where, tensor_of(where) ? std::nullopt : std::optional(DType::boolean));
    if (!call.failed()) check_cast(call, *target.where->tensor, DType::boolean, Casting::safe);
  }
  target.casting = numpy_casting(call, Casting::same_kind);
  return target;
}

bool check_ufunc_cast(Call& call, const Ufunc& what, std::string_view operand, DType from, DType to, Casting casting) {
  if (can_cast(from, to, casting)) return true;
  const std::string_view rule = name(casting);
  const bool in_place = operand.starts_with("output") && casting == Casting::same_kind;
  call.fail("UFuncTypeError",
            {"Cannot cast ufunc '", what.function, "' ", operand, " from dtype('", name(from), "') to dtype('",
             name(to), "') with casting rule '", rule, "'"},
            in_place ? Message(Msg::np_cannot_cast, {name(from), name(to)})
                     : Message(Msg::np_cast_refused, {name(from), name(to), rule}));
  return false;
}

std::optional<DType> ufunc_dtype(Call& call, const Ufunc& what, const std::vector<const Operand*>& inputs,
                                 const UfuncTarget& target) {
  const Operand &a = *inputs.front(), &b = *inputs.back();
  const bool one = inputs.size() == 1;
  if (of_whole_numbers(what) && !(is_integer(common_dtype(a, b)) && is_integer(target.dtype.value_or(DType::int64))))
    return no_matching_loop(call, what, {operand_class(a), operand_class(b)}, name(common_dtype(a, b)),
                            target.dtype ? dtype_class_text(name(*target.dtype)) : "None");
  auto dtype = one ? dtype_of_one(call, what, a.array->tensor->dtype) : dtype_of_two(call, what, common_dtype(a, b));
  if (dtype) dtype = wanted_dtype(call, what, *dtype, target);
  if (!dtype) return dtype;
  if (!one && gives_bool(what.op))  // of logical ones, too, only what is true counts
    return compared_in(a, compared_in(b, *dtype));
  if (!one && !(check_range(call, a, *dtype) && check_range(call, b, *dtype))) return std::nullopt;
  if (!gives_bool(what.op) && (target.casting == Casting::no || target.casting == Casting::equiv)) {
    // Then Python's numbers alone may become another dtype.
    for (size_t i = 0; i < inputs.size(); ++i)
      if (!inputs[i]->weak && !check_ufunc_cast(call, what, one ? "input" : "input " + std::to_string(i),
                                                inputs[i]->array->tensor->dtype, *dtype, target.casting))
        return std::nullopt;
  }
  const bool asked = target.dtype && !gives_bool(what.op);
  return !asked || check_inputs(call, what, *dtype, inputs, target) ? dtype : std::nullopt;
}

Operand reduced_operand(const Ufunc& what, const TensorRef& array, std::optional<DType> asked) {
  const bool bits = what.symbol == "&" || what.symbol == "|" || what.symbol == "^";
  const bool converts = what.op == Arithmetic::subtract || (bits && asked && is_whole_number(*asked));
  if (!asked || !converts) return {array, false, {}};
  Tensor converted = *array->tensor;
  converted.dtype = *asked;
  return {std::make_shared<TensorObject>(TensorObject{-1, std::make_shared<const Tensor>(converted)}), false, {}};
}

}  // namespace stridescope
