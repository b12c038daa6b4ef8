// Rounding to digits before or behind the point.
#include <algorithm>
#include <array>

#include "ops/numpy/ufunc.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// 10 to the size of `decimals`.
double power_of_ten(int64_t decimals) {
  double power = 1;
  for (int64_t i = decimals < -400 || decimals > 400 ? 400 : std::abs(decimals); i > 0; --i) power *= 10;
  return power;
}

/// To `decimals` digits behind the point: times their power of ten, to whole numbers, and back.
Value rounded_to(Call& call, const Tensor& array, int64_t decimals) {
  const Ufunc steps[] = {{"", "multiply", Arithmetic::multiply}, {"", "divide", Arithmetic::divide}};
  const Ufunc &first = steps[decimals < 0 ? 1 : 0], &last = steps[decimals < 0 ? 0 : 1];
  const DType dtype = is_whole_number(array.dtype) ? DType::float64 : array.dtype;
  if (array.dtype == DType::boolean)
    return check_ufunc_cast(call, first, "output", dtype, array.dtype, Casting::same_kind), Value{};
  const Order order = is_complex(array.dtype) ? Order::c : resolved_order(array, NumpyOrder::any);
  Layout target = owned_layout(call, array.layout.sizes, array.dtype, order);
  const int64_t count = count_of(array);
  Elements elements = elements_of(array);
  if (order == Order::fortran) elements.layout = permute(elements.layout, c_order(array.layout.rank()));
  const Layout packed = contiguous(elements.layout.sizes, itemsize(dtype));
  const Elements factor{constant_contents(real_scalar(power_of_ten(decimals), dtype), 1),
                        {packed.sizes, Dims::filled(packed.rank(), 0), 0},
                        dtype};
  ContentsPtr contents = elementwise(first.op, std::array{elements, factor}, dtype, dtype);
  contents = elementwise(Arithmetic::round, std::array{Elements{contents, packed, dtype}}, dtype, dtype);
  contents = elementwise(last.op, std::array{Elements{contents, packed, dtype}, factor}, dtype, array.dtype);
  call.why(Msg::np_elementwise_headline, {count, to_string(target.sizes), name(array.dtype)});
  return scalar_if_0d(call, call.fresh(array.dtype, target, std::move(contents)));
}

/// The same written to out=, step by step: what stands there on the way is what the next step reads.
Value rounded_into(Call& call, const TensorRef& source, const TensorRef& out, int64_t decimals) {
  const Tensor& array = *source->tensor;
  if (is_complex(array.dtype)) return call.about("out").refuse(Msg::not_modelled, {"NumPy", "complex.round(out=)"});
  if (count_of(array) != count_of(*out->tensor))
    return call.about("out").fail("ValueError", "invalid output shape", Msg::np_cannot_broadcast_into,
                                  {to_string(array.layout.sizes), to_string(out->tensor->layout.sizes)});
  const Ufunc whole{"", "rint", Arithmetic::round};
  if (decimals >= 0 && is_integer(array.dtype)) {
    if (check_cast(call, array, out->tensor->dtype, Casting::same_kind))
      numpy_assign(call, *out->tensor, source, Casting::same_kind);
  } else if (decimals == 0) {
    apply_unary(call, whole, {source, false, {}}, {.out = out});
  } else {
    const Ufunc steps[] = {{"", "multiply", Arithmetic::multiply}, {"", "divide", Arithmetic::divide}};
    const Operand power = operand(call, {power_of_ten(decimals)}), held{out, false, {}};
    apply_binary(call, steps[decimals < 0 ? 1 : 0], {source, false, {}}, power, {.out = out});
    const size_t said = call.said();
    if (!call.failed()) apply_unary(call, whole, held, {.out = out});
    if (!call.failed()) apply_binary(call, steps[decimals < 0 ? 0 : 1], held, power, {.out = out});
    call.unsay(said);
  }
  if (call.failed()) return {};
  return std::holds_alternative<NumpyScalar>(call.first().held) ? scalar_if_0d(call, {out}) : Value{out};
}

/// x.round(): nothing to do for whole numbers.
Value round_to(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int64_t decimals = call.integer("decimals");
  if (call.failed()) return {};
  const Value own{source}, scale{power_of_ten(decimals)};
  if (decimals == 0 ? refuse_no_numbers(call, {"", "rint", Arithmetic::round}, {&own})
                    : refuse_no_numbers(call, binary_ufunc(decimals < 0 ? "/" : "*"), {&own, &scale}))
    return {};
  if (call.given("out")) return rounded_into(call, source, std::get<TensorRef>(call.value("out").held), decimals);
  if (decimals < 0 || (decimals > 0 && !is_integer(array.dtype))) return rounded_to(call, array, decimals);
  if (is_integer(array.dtype)) {
    if (array.layout.rank() == 0 || !tensor_of(call.value("x")))
      return scalar_if_0d(call, numpy_copy(call, array, NumpyOrder::c));
    return numpy_same(call, source, Msg::np_round_whole, {name(array.dtype)});
  }
  if (is_complex(array.dtype)) {
    // Both parts of a copy in C order.
    call.why(Msg::np_elementwise_headline, {count_of(array), to_string(array.layout.sizes), name(array.dtype)});
    return scalar_if_0d(
        call, numpy_fresh(call, array.layout.sizes, array.dtype,
                          elementwise(Arithmetic::round, std::array{elements_of(array)}, array.dtype, array.dtype)));
  }
  return apply_unary(call, {"", "rint", Arithmetic::round}, {source, false, {}});
}

/// np.divmod: both from the same operands.
Value divided(Call& call) {
  const auto* outs = std::get_if<Sequence>(&call.value("out").held);
  if (!(call.argument("out") == Span{}) && !(outs && is_tuple(outs->kind)))
    return call.about("out").fail_parser("'out' must be a tuple of arrays", Msg::argument_has_type,
                                         {"out", "tuple", type_name(call.value("out"))});
  const auto is_none = [](const Value& one) { return std::holds_alternative<None>(one.held); };
  if (outs && outs->items->size() != 2)
    return call.about("out").fail("ValueError", "The 'out' tuple must have exactly one entry per ufunc output",
                                  Msg::items_needed, {2, outs->items->size()});
  if (outs && !std::all_of(outs->items->begin(), outs->items->end(), is_none))
    return call.about("out").refuse(Msg::np_out_unknown);
  std::vector<Value> results;
  for (const Arithmetic op : {Arithmetic::floor_divide, Arithmetic::remainder}) {
    const Ufunc what{"", "divmod", op};
    const auto operands = ufunc_operands(call, what, call.value("x1"), call.value("x2"));
    if (!operands) return {};
    UfuncTarget target = ufunc_target(call, Value{});
    if (call.failed()) return {};
    target.several = true;
    const size_t said = call.said();
    results.push_back(apply_binary(call, what, operands->first, operands->second, target));
    if (call.failed()) return {};
    if (results.size() > 1) call.unsay(said);
  }
  return call.tuple(std::move(results));
}

}  // namespace

std::span<const Op> numpy_round_rows() {
  static constexpr Op rows[] = {
      {Library::numpy,
       "x.round(decimals: int | bool = 0, out=None)\nnp.round(a, decimals: int | bool = 0, out=None)\n"
       "np.around(a, decimals: int | bool = 0, out=None)",
       Msg::op_np_round, "whole numbers stay as they are, but for negative decimals",
       "x = np.linspace(0, 2, 5)\ny = np.round(x)", round_to, Op::Structured::reckoned},
      {Library::numpy, "np.divmod(x1, x2, /, *, out=None, where=True, casting='same_kind', dtype=None)",
       Msg::op_np_binary, "(x1 // x2, x1 % x2)", "whole, rest = np.divmod(np.arange(6), 4)", divided,
       Op::Structured::reckoned},
  };
  return rows;
}

}  // namespace stridescope
