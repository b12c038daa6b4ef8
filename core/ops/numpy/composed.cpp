// Functions that NumPy writes in Python with its ufuncs: fix, sinc, isposinf, trapezoid. Their layouts, errors and the
// order of these are those of the steps.
#include <algorithm>
#include <numbers>

#include "ops/numpy/reduction.h"
#include "ops/numpy/ufunc.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// As an operand that is an array, even where it was one of Python's numbers.
Operand array_operand(Call& call, const Value& value) { return {as_array(call, value), false, {}}; }

/// ceil, and where that was not below 0 floor in its place: what is behind the point is cut off.
Value fix(Call& call) {
  static constexpr Ufunc what{"", "ceil", Arithmetic::truncate};
  const Value& x = call.value("x");
  if (refuse_no_numbers(call, what, {&x})) return {};
  const Operand input = array_operand(call, x);
  if (call.failed()) return {};
  Value given = call.value("out");
  // It is handed on by name, where a tuple of one array will do.
  const auto* list = std::get_if<Sequence>(&given.held);
  if (list && is_tuple(list->kind) && list->items->size() == 1) given = Value(list->items->front());
  const TensorPtr out = tensor_of(given);
  if (!out && list && is_tuple(list->kind) && !std::holds_alternative<None>(given.held))
    return call.about("out").fail("ValueError", "The 'out' tuple must have exactly one entry per ufunc output",
                                  Msg::items_needed, {1, list->items->size()});
  const UfuncTarget target = ufunc_target(call, given);
  if (call.failed()) return {};
  // What the second step reads the first may have written.
  if (out && out->storage == input.array->tensor->storage) return call.about("out").refuse(Msg::np_out_unknown);
  const Value result = apply_unary(call, what, input, target);
  const TensorPtr made = tensor_of(result);
  if (call.failed() || out || list || !made) return result;
  const Value shown = call.view(*made, made->layout);  // res[()]
  call.relation(Relation::fresh);
  return shown;
}

/// isinf(x) and the sign, or not the sign.
Value infinite_of_sign(Call& call) {
  const Ufunc& infinite = unary_ufunc("isinf");
  const Value& x = call.value("x");
  if (refuse_no_numbers(call, infinite, {&x})) return {};
  const Operand input = array_operand(call, x);
  if (call.failed()) return {};
  if (const DType dtype = input.array->tensor->dtype; is_complex(dtype))
    return call.about("x").fail(
        "TypeError", {"This operation is not supported for ", name(dtype), " values because it would be ambiguous."},
        Msg::not_defined_for, {call.name(), name(dtype)});
  const size_t said = call.said();
  const Operand is_it = operand(call, apply_unary(call, infinite, input));
  Operand sign = operand(call, apply_unary(call, unary_ufunc("signbit"), input));
  if (call.name().ends_with("posinf") && !call.failed())
    sign = operand(call, apply_unary(call, unary_ufunc("~"), sign));
  call.unsay(said);
  if (std::holds_alternative<Sequence>(call.value("out").held))
    return call.about("out").fail_parser("return arrays must be of ArrayType", Msg::np_array_needed,
                                         {type_name(call.value("out"))});
  const UfuncTarget target = call.failed() ? UfuncTarget{} : ufunc_target(call);
  return apply_binary(call, binary_ufunc("logical_and"), is_it, sign, target);
}

/// sin(pi * x) / (pi * x), with a number near 0 in place of 0.
Value sinc(Call& call) {
  const Operand x = array_operand(call, call.value("x"));
  if (call.failed()) return {};
  const size_t said = call.said();
  const Operand none = operand(call, apply_binary(call, binary_ufunc("=="), x, operand(call, Value{int64_t{0}})));
  if (call.failed()) return {};
  const Operand guarded = operand(call, chosen_where(call, *none.array->tensor, operand(call, Value{1.0e-20}), x));
  if (call.failed()) return {};
  const Operand angle =
      operand(call, apply_binary(call, binary_ufunc("*"), operand(call, Value{std::numbers::pi}), guarded));
  const Operand sine = operand(call, apply_unary(call, unary_ufunc("sin"), angle));
  call.unsay(said);
  return apply_binary(call, binary_ufunc("/"), sine, angle);
}

/// How far apart the points lie along the axis, as an operand beside `y`: dx, or the differences of x.
Operand steps_between(Call& call, const Tensor& y, int64_t axis) {
  if (!call.given("x")) {
    const Value& dx = call.value("dx");
    if (!call.given("dx"))
      return call.about("dx").refuse(Msg::not_modelled, {"NumPy", "np.trapezoid(dx=None)"}), Operand{};
    return text_dtype(dx) ? Operand{} : operand(call, dx);
  }
  const TensorRef x = as_array(call, call.value("x"));
  if (call.failed()) return {};
  const int rank = x->tensor->layout.rank();
  if (rank == 0) {
    call.about("x").fail("ValueError", "diff requires input that is at least one dimensional", Msg::np_too_few_axes,
                         {0, 1});
    return {};
  }
  const int along = rank == 1 ? 0 : numpy_axis(call, axis, rank);
  const Operand apart = call.failed() ? Operand{} : operand(call, differences(call, x, along));
  if (call.failed() || rank != 1) return apart;
  // Along the axis of y.
  const int own = y.layout.rank();
  if (axis < -own || axis >= own) return apart;
  Tensor line = *apart.array->tensor;
  Dims sizes = Dims::filled(own, 1);
  sizes[static_cast<int>(axis < 0 ? axis + own : axis)] = line.layout.sizes[0];
  line.layout = {sizes, contiguous(sizes, unit_of(line)).strides, line.layout.storage_offset};
  return {nameless(line), false, {}};
}

/// The sum of (y[1:] + y[:-1]) * d / 2.
Value trapezoid(Call& call) {
  const TensorRef source = as_array(call, call.value("y"));
  if (call.failed()) return {};
  const Tensor& y = *source->tensor;
  const Value& given = call.value("axis");
  const auto number = as_index(given);
  const size_t said = call.said();
  const Operand apart = steps_between(call, y, number.value_or(-1));
  if (call.failed()) return {};
  if (!number)
    return call.about("axis").fail_parser({"list indices must be integers or slices, not ", type_name(given)},
                                          Msg::np_not_an_integer, {type_name(given)});
  const int rank = y.layout.rank();
  if (*number < -rank || *number >= rank)
    return call.about("axis").fail("IndexError", "list assignment index out of range", Msg::np_axis_out_of_range,
                                   {*number, rank});
  const int axis = static_cast<int>(*number < 0 ? *number + rank : *number);
  const int64_t size = y.layout.sizes[axis], left = std::max<int64_t>(size - 1, 0);
  const auto part = [&](int64_t start) {
    Tensor some = y;
    some.layout = *slice(y.layout, axis, std::min(start, size), 1, left);
    return Operand{nameless(some), false, {}};
  };
  const Value sums = apply_binary(call, binary_ufunc("+"), part(1), part(0));
  if (call.failed() || (!call.given("x") && refuse_no_numbers(call, binary_ufunc("*"), {&call.value("dx"), &sums})))
    return {};
  const Operand pairs = operand(call, sums);
  const Operand scaled = operand(call, apply_binary(call, binary_ufunc("*"), apart, pairs));
  const Operand halves = operand(call, apply_binary(call, binary_ufunc("/"), scaled, operand(call, Value{2.0})));
  if (call.failed()) return {};
  call.unsay(said);
  if (is_truth(given)) return call.about("axis").refuse(Msg::not_modelled, {"NumPy", "np.trapezoid(axis=True)"});
  const Tensor& areas = *halves.array->tensor;
  const AskedReduction asked{halves.array, {numpy_axis(call, *number, areas.layout.rank())}, false};
  const auto rows = call.failed() ? std::nullopt : rows_of(call, asked);
  if (!rows) return {};
  return folded(call, *rows, asked, areas.dtype,
                [&](int64_t row) { return converted(total(*rows, row, areas.dtype, false), areas.dtype); });
}

}  // namespace

std::span<const Op> numpy_composed_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.fix(x, out=None)", Msg::op_np_unary, "what is behind the point cut off: towards 0",
       "x = np.array([-1.5, 1.5])\ny = np.fix(x)", fix},
      {Library::numpy, "np.isposinf(x, out=None)\nnp.isneginf(x, out=None)", Msg::op_np_unary,
       "isinf(x), and signbit(x) or not", "y = np.isposinf(np.array([np.inf, -np.inf, 1]))", infinite_of_sign},
      {Library::numpy, "np.sinc(x)", Msg::op_np_unary, "sin(pi * x) / (pi * x), of 0 the number 1",
       "y = np.sinc(np.linspace(-1, 1, 5))", sinc},
      {Library::numpy, "np.trapezoid(y, x=None, dx=1.0, axis=-1)\nnp.trapz(y, x=None, dx=1.0, axis=-1)",
       Msg::op_np_trapezoid,
       "the sum of (y[1:] + y[:-1]) * dx / 2 along the axis; dx = x[1:] - x[:-1] where x is given",
       "y = np.array([1, 2, 4])\na = np.trapezoid(y)", trapezoid},
      {Library::numpy, "np.apply_along_axis(func1d, axis, arr, *args=(), **kwargs)", Msg::op_np_along,
       "func1d of every line along the axis; what it gives stands side by side in a new array, its axes moved to axis",
       "x = np.arange(6).reshape(2, 3)\ny = np.apply_along_axis(np.sort, 0, x)", nullptr},
      {Library::numpy, "np.fromfunction(function, shape, *, dtype=float, like=None, **kwargs)",
       Msg::op_np_from_function, "function(*np.indices(shape, dtype=dtype)): called once, with an array for each axis",
       "x = np.fromfunction(np.hypot, (2, 3))", nullptr},
  };
  return rows;
}

}  // namespace stridescope
