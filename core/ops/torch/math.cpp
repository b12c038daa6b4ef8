// Element by element arithmetic and comparison, into new tensors.
#include <algorithm>
#include <cmath>

#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Most elements that are compared one by one.
constexpr int64_t most_compared = 1 << 16;

Value apply_function(Call& call, const Pointwise& function, const std::vector<const Value*>& operands,
                     bool apart = false) {
  if (!check_operands(call, function, operands)) return {};
  const DType common = common_dtype(function, operands), dtype = result_dtype(function, common);
  Dims sizes;
  for (const Value* operand : operands) {
    const TensorPtr tensor = tensor_of(*operand);
    const auto joined = tensor ? broadcast_sizes(call, sizes, tensor->layout.sizes) : std::optional(sizes);
    if (!joined) return {};
    sizes = *joined;
  }
  if (!check_kernel(call, function, common, operands)) return {};
  if (function.op == Arithmetic::power) {
    const Arithmetic op = power_by(*operands[1], common);
    return computed(call, op, operand_count(op) == 1 ? std::vector{operands[0]} : operands, working_dtype(common),
                    dtype, {}, apart);
  }
  return computed(call, function.op, operands, gives_bool(function.op) ? common : working_dtype(common), dtype, {},
                  apart);
}

/// Into a tensor made before, laid out as a clone would be.
Value round_row(Call& call) {
  const Tensor tensor = call.self();
  const int64_t decimals = call.integer("decimals");
  if (decimals == 0 && is_floating(tensor.dtype)) return apply_function(call, pointwise("round", 1), {&call.first()});
  const auto rounded = rounded_elements(call, tensor, decimals);
  if (!rounded) return {};
  const Layout layout{tensor.layout.sizes, preserved_strides(tensor.layout), 0};
  call.why(Msg::elementwise_headline, {*numel(layout.sizes), name(tensor.dtype), to_string(layout)});
  const Value result = call.gathered(layout, tensor.dtype, [&](const Dims& order) {
    return gather({rounded->contents, permute(rounded->layout, order), rounded->dtype}, tensor.dtype);
  });
  call.relation(Relation::fresh);
  return result;
}

Value applied_to_like(Call& call, const Pointwise& function, const Tensor& tensor, DType dtype) {
  const Layout layout{tensor.layout.sizes, preserved_strides(tensor.layout), 0};
  call.why(Msg::elementwise_headline, {*numel(layout.sizes), name(dtype), to_string(layout)});
  Elements operand = elements_of(tensor);
  return call.gathered(layout, dtype, [&](const Dims& order) {
    operand.layout = permute(operand.layout, order);
    return elementwise(function.op, std::span(&operand, 1), tensor.dtype, dtype);
  });
}

Value unary_row(Call& call) {
  const Pointwise& function = pointwise(call.name(), 1);
  const TensorPtr tensor = tensor_of(call.value("a"));
  const bool whole_question = function.op == Arithmetic::is_finite || function.op == Arithmetic::is_infinite;
  if (tensor && ((function.op == Arithmetic::absolute && is_complex(tensor->dtype)) ||
                 (whole_question && !is_floating(tensor->dtype) && !is_complex(tensor->dtype)))) {
    const Value result = applied_to_like(call, function, *tensor, result_dtype(function, tensor->dtype));
    call.relation(Relation::fresh);
    return result;
  }
  return apply_function(call, pointwise(call.name(), 1), {&call.value("a")});
}

/// Python asks the tensor: of `3 < x` it makes x > 3.
std::string_view mirrored(std::string_view name) {
  if (name == "<") return ">";
  if (name == "<=") return ">=";
  if (name == ">") return "<";
  return name == ">=" ? "<=" : name;
}

Value binary_row(Call& call) {
  const Value &a = call.value("a"), &b = call.value("b");
  if (mirrored(call.name()) != call.name() && !tensor_of(a))
    return apply_function(call, pointwise(mirrored(call.name()), 2), {&b, &a});
  const Pointwise& function = pointwise(call.name(), 2);
  // A few functions take two numbers, too.
  const bool of_numbers = function.op == Arithmetic::multiply || function.op == Arithmetic::divide ||
                          function.op == Arithmetic::floor_divide;
  if (!tensor_of(a) && !tensor_of(b) && !of_numbers) return call.wrong_type("input", "Tensor");
  const TensorPtr tensor = tensor_of(b);
  if (function.op == Arithmetic::power && tensor_of(a) && !tensor)
    return apply_function(call, function, {&a, &b}, true);
  if (tensor_of(a) || !tensor || (call.name() != "/" && function.op != Arithmetic::power))
    return apply_function(call, function, {&a, &b});
  // number / x is x.reciprocal() * number, and number ** x is made packed: both decide the layout before.
  const DType common = common_dtype(function, {&a, &b});
  if (!check_kernel(call, function, common, {&a, &b})) return {};
  const DType own = common_dtype(pointwise("reciprocal", 1), {&b});
  // What is of another dtype is converted first.
  const Layout read{tensor->layout.sizes,
                    own == tensor->dtype ? tensor->layout.strides : preserved_strides(tensor->layout), 0};
  Tensor like = *tensor;
  const Dims& sizes = tensor->layout.sizes;
  like.layout = {
      sizes,
      function.op == Arithmetic::power ? contiguous(sizes).strides : iterator_strides(sizes, std::span(&read, 1), true),
      0};
  const Value shape{std::make_shared<TensorObject>(TensorObject{-1, std::make_shared<const Tensor>(like)})};
  if (function.op == Arithmetic::power)
    return computed(call, power_by(b, common), {&a, &shape}, working_dtype(common), common,
                    {std::nullopt, elements_of(*tensor)}, true);
  const Elements divisor[] = {elements_of(*tensor)};
  ContentsPtr inverse = elementwise(Arithmetic::reciprocal, divisor, working_dtype(own), own);
  return computed(call, Arithmetic::multiply, {&a, &shape}, working_dtype(common), common,
                  {std::nullopt, Elements{std::move(inverse), contiguous(sizes, itemsize(own)), own}});
}

/// div with a rounding mode.
Value divide_row(Call& call) {
  const Value &a = call.value("input"), &b = call.value("other");
  if (!call.given("rounding_mode")) return apply_function(call, pointwise("div", 2), {&a, &b});
  const std::string mode = call.text("rounding_mode");
  if (mode == "floor") return apply_function(call, pointwise("floor_divide", 2), {&a, &b});
  static constexpr Pointwise truncated{"div", Arithmetic::truncated_divide, "div_trunc_cpu", whole | reals};
  if (mode == "trunc") return apply_function(call, truncated, {&a, &b});
  return call.fail("RuntimeError",
                   {"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '", mode, "'"},
                   Msg::rounding_mode, {mode});
}

Value add_row(Call& call) {
  const Value &a = call.value("input"), &b = call.value("other");
  const Pointwise& function = pointwise(call.name(), 2);
  const Value scale = call.given("alpha") ? number_in(call.value("alpha")) : Value{int64_t{1}};
  if (tensor_of(scale)) return call.wrong_type("alpha", "number");
  // The last of three in subtract, which multiplies a number.
  const bool by_place = call.form().parameters.back().name == "alpha" && !call.form().parameters.back().keyword_only;
  if (by_place && tensor_of(b) && tensor_of(b)->layout.rank() > 0) return call.wrong_type("other", "number");
  const bool plain = std::holds_alternative<int64_t>(scale.held) && as_integer(scale) == 1;
  const DType common = common_dtype(function, {&a, &b});
  // A complex 1 is multiplied with: what is infinite leaves NaN.
  if (plain && !is_complex(common)) return apply_function(call, function, {&a, &b});
  if (!check_operands(call, function, {&a, &b})) return {};
  const auto left = operand_of(call, a, "input"), right = operand_of(call, b, "other"),
             alpha = operand_of(call, scale, "alpha");
  if (!left || !right) return {};
  const auto sizes = broadcast_sizes(call, left->layout.sizes, right->layout.sizes);
  if (!sizes ||
      (!plain && (!check_alpha(call, scale, common) || (is_integer(common) && !holds_number(call, scale, common)))))
    return {};
  // other * alpha takes other's place; the layout of the result still follows other's own strides.
  const DType working = working_dtype(common);
  const Layout own = right->layout;
  const Elements factors[] = {*right, {alpha->contents, expand(Layout{}, own.sizes), alpha->dtype}};
  ContentsPtr product = elementwise(Arithmetic::multiply, factors, working, working);
  if (!plain) call.why(Msg::alpha_scales, {to_string(scale)});
  return computed(call, function.op, {&a, &b}, working, common,
                  {std::nullopt, Elements{std::move(product), contiguous(own.sizes, itemsize(working)), working}});
}

/// Between bounds that are tensors, broadcast.
Value clamp_by_tensors(Call& call) {
  const Value *x = &call.value("input"), *low = &call.value("min"), *high = &call.value("max");
  const bool below = call.given("min"), above = call.given("max");
  std::vector<const Value*> operands{x};
  if (below) operands.push_back(low);
  if (above) operands.push_back(high);
  TypeVote vote;
  Dims sizes;
  for (const Value* operand : operands) {
    const TensorPtr tensor = tensor_of(*operand);
    if (!tensor) return call.wrong_type(operand == low ? "min" : "max", "Tensor");
    vote.add(*operand);
  }
  const DType common = vote.result();
  if (is_complex(tensor_of(*x)->dtype))
    return call.fail("RuntimeError", "clamp is not supported for complex types", Msg::function_refuses,
                     {"clamp", "complex"});
  for (const Value* operand : operands) {
    const auto joined = broadcast_sizes(call, sizes, tensor_of(*operand)->layout.sizes);
    if (!joined) return {};
    sizes = *joined;
  }
  if (is_complex(common) || (common == DType::boolean && below && above)) {
    const std::string_view kernel = below && above ? "clamp_cpu" : below ? "maximum_cpu" : "minimum_cpu";
    return call.fail("RuntimeError", {"\"", kernel, "\" not implemented for '", scalar_type_name(common), "'"},
                     Msg::kernel_missing, {kernel, name(common)});
  }
  const DType working = working_dtype(common);
  if (!below || !above)
    return computed(call, below ? Arithmetic::maximum : Arithmetic::minimum, operands, working, common);
  const Elements one = elements_of(*tensor_of(*x)), least = elements_of(*tensor_of(*low));
  const Elements pair[] = {{one.contents, expand(one.layout, sizes), one.dtype, one.lens},
                           {least.contents, expand(least.layout, sizes), least.dtype, least.lens}};
  ContentsPtr raised = elementwise(Arithmetic::maximum, pair, working, working);
  call.why(Msg::clamp_bounds, {to_string(*low), to_string(*high)});
  return computed(call, Arithmetic::minimum, {x, high}, working, common,
                  {Elements{std::move(raised), contiguous(sizes, itemsize(working)), working}, std::nullopt});
}

}  // namespace

DType clamped_dtype(Call& call, const Value& clamped) {
  const TensorPtr tensor = tensor_of(clamped);
  if (is_floating(tensor->dtype)) return tensor->dtype;
  TypeVote vote;
  vote.add(clamped);
  for (const char* bound : {"min", "max"})
    if (call.given(bound)) vote.add(number_in(call.value(bound)));
  return vote.result();
}

bool bounds_fit(Call& call, DType common) {
  const bool both = call.given("min") && call.given("max");
  for (const char* bound : {"min", "max"}) {
    // Of two bounds it is first asked whether they are NaN.
    if (both && !holds_number(call, call.value(bound), DType::float64)) return false;
    if (!holds_number(call, call.value(bound), common)) return false;
  }
  return true;
}

namespace {

/// Between two bounds, either of which may be missing.
Value clamp_row(Call& call) {
  const Value& x = call.value("input");
  // Beside a number a tensor without dimensions is one.
  const bool numbers =
      call.given("min") && call.given("max") && (!tensor_of(call.value("min")) || !tensor_of(call.value("max")));
  const Value low = numbers ? number_in(call.value("min")) : call.value("min"),
              high = numbers ? number_in(call.value("max")) : call.value("max");
  if (!call.given("min") && !call.given("max"))
    return call.fail("RuntimeError", "torch.clamp: At least one of 'min' or 'max' must not be None",
                     Msg::clamp_needs_bound);
  if (tensor_of(low) || tensor_of(high)) return clamp_by_tensors(call);
  std::vector<const Value*> operands{&x};
  if (call.given("min")) operands.push_back(&low);
  if (call.given("max")) operands.push_back(&high);
  const DType common = clamped_dtype(call, x);
  if (is_complex(common))
    return call.fail("RuntimeError", "clamp is not supported for complex types", Msg::function_refuses,
                     {"clamp", "complex"});
  if (common == DType::boolean) {
    const std::string kernel = operands.size() == 3 ? "clamp_scalar_cpu"
                               : call.given("min")  ? "clamp_min_scalar_cpu"
                                                    : "clamp_max_scalar_cpu";
    return call.fail("RuntimeError", {"\"", kernel, "\" not implemented for 'Bool'"}, Msg::kernel_missing,
                     {kernel, "bool"});
  }
  if (!bounds_fit(call, common)) return {};
  if (operands.size() == 2)
    return computed(call, call.given("min") ? Arithmetic::maximum : Arithmetic::minimum, operands,
                    working_dtype(common), common, {}, true);
  const Elements bounded = *operand_of(call, x, "input"), least = *operand_of(call, low, "min");
  const Elements pair[] = {bounded, {least.contents, expand(Layout{}, bounded.layout.sizes), least.dtype}};
  ContentsPtr raised = elementwise(Arithmetic::maximum, pair, working_dtype(common), working_dtype(common));
  call.why(Msg::clamp_bounds, {to_string(low), to_string(high)});
  const DType working = working_dtype(common);
  return computed(
      call, Arithmetic::minimum, {&x, &high}, working, common,
      {Elements{std::move(raised), contiguous(bounded.layout.sizes, itemsize(working)), working}, std::nullopt}, true);
}

/// Whether every pair of elements fits; the sizes must be equal.
Value equal_row(Call& call) {
  const TensorRef a = call.tensor("input"), b = call.tensor("other");
  const bool close = call.name().ends_with("allclose");
  const DType left = a->tensor->dtype, right = b->tensor->dtype;
  if (close && left != right)
    return call.fail("RuntimeError", {scalar_type_name(left), " did not match ", scalar_type_name(right)},
                     Msg::dtypes_differ, {name(left), name(right)});
  const Dims sizes = a->tensor->layout.sizes;
  if (!close && !(sizes == b->tensor->layout.sizes)) return Value{false};
  const auto common = broadcast_sizes(call, sizes, b->tensor->layout.sizes);
  if (!common) return {};
  const int64_t count = *numel(*common);
  if (count > most_compared) return call.refuse(Msg::too_many_summed, {count, most_compared});
  Elements one = elements_of(*a->tensor), other = elements_of(*b->tensor);
  one.layout = expand(one.layout, *common);
  other.layout = expand(other.layout, *common);
  for (int64_t i = 0; i < count; ++i) {
    const Scalar p = element(one, i), q = element(other, i);
    const double x = as_real(p), y = as_real(q);
    const bool fits = close ? x == y || std::abs(x - y) <= call.real("atol") + call.real("rtol") * std::abs(y)
                            : x == y && p.imaginary == q.imaginary && (left != right || p.integer == q.integer);
    if (!fits) return Value{false};
  }
  return Value{true};
}

}  // namespace

std::span<const Op> torch_math_rows() {
#define UNARY(name) "x." name "()\ntorch." name "(input: tensor)\n"
#define BINARY(name) \
  "torch." name "(input: tensor, other: tensor | number | complex)\nx." name "(other: tensor | number | complex)\n"
#define EITHER(name)                                                                            \
  "torch." name "(input: tensor | number | complex, other: tensor | number | complex)\nx." name \
  "(other: tensor | number | complex)\n"
#define TENSORS(name) "torch." name "(input: tensor, other: tensor)\nx." name "(other: tensor)\n"
#define SCALED(name)                                                                                            \
  "torch." name                                                                                                 \
  "(input: tensor | number | complex, other: tensor | number | complex, *, alpha: number | complex | tensor = " \
  "1)\nx." name "(other: tensor | number | complex, *, alpha: number | complex | tensor = 1)\n"
#define BOUNDS "min: tensor | number | complex = None, max: tensor | number | complex = None"
#define CLAMPED "input: tensor, " BOUNDS
#define SCALE_FIRST(name)                                                                                      \
  "torch." name "(input: tensor, alpha: number | complex | tensor, other: tensor | number | complex)\nx." name \
  "(alpha: number | complex | tensor, other: tensor | number | complex)\n"
  static constexpr Op rows[] = {
      {Library::torch, SCALED("add") SCALED("sub") SCALED("subtract") "a + b\na - b", Msg::op_arithmetic,
       "y[i] = a[i] op alpha * b[i], sizes broadcast from the right; the result's memory order follows the operands'",
       "x = torch.arange(6).view(2, 3)\ny = x + 1", add_row},
      {Library::torch, SCALE_FIRST("add") SCALE_FIRST("sub"), Msg::op_arithmetic, "y[i] = x[i] op alpha * other[i]",
       "x = torch.arange(6)\ny = x.add(2, x)", add_row},
      {Library::torch,
       "torch.subtract(input: tensor, other: number | complex | tensor, alpha: number | complex | "
       "tensor)\nx.subtract(other: number | complex | tensor, alpha: number | complex | tensor)",
       Msg::op_arithmetic, "y[i] = x[i] - alpha * other", "x = torch.arange(6)\ny = x.subtract(1, 2)", add_row},
      {Library::torch,
       "a * b\na / b\na // b\na % b\na ** b\na & b\na | b\na ^ b\na << b\na >> b\n" EITHER("mul") EITHER("multiply")
           EITHER("true_divide") EITHER("floor_divide") EITHER("remainder") BINARY(
               "fmod") "torch.pow(input: tensor | number | complex, exponent: tensor | number | "
                       "complex)\nx.pow(exponent: tensor | number | complex)\n" TENSORS("maximum") TENSORS("minimum")
                           TENSORS("atan2") TENSORS("arctan2") TENSORS("hypot") TENSORS("fmax") TENSORS("fmin") EITHER(
                               "bitwise_and") EITHER("bitwise_or") EITHER("bitwise_xor") EITHER("bitwise_left_shift")
                               EITHER("bitwise_right_shift") "torch.max(input: tensor, other: "
                                                             "tensor)\ntorch.min(input: tensor, other: tensor)\n"
                                                             "x.max(other: tensor)\nx.min(other: tensor)",
       Msg::op_arithmetic,
       "y[i] = a[i] op b[i], sizes broadcast from the right; the result's memory order follows the operands'",
       "x = torch.arange(6).view(2, 3)\ny = x * 2", binary_row},
      {Library::torch,
       "torch.div(input: tensor | number, other: tensor | number, *, rounding_mode: str = None)\nx.div(other: tensor | "
       "number, *, rounding_mode: str = None)\n"
       "torch.divide(input: tensor | number, other: tensor | number, *, rounding_mode: str = None)\nx.divide(other: "
       "tensor | number, *, rounding_mode: str = None)",
       Msg::op_arithmetic, "y[i] = a[i] / b[i], rounded down or towards 0 where asked",
       "x = torch.arange(6)\ny = x.div(2, rounding_mode='floor')", divide_row},
      {Library::torch,
       "a == b\na != b\na < b\na <= b\na > b\na >= b\n" BINARY("eq") BINARY("ne") BINARY("lt") BINARY("le") BINARY("gt")
           BINARY("ge") BINARY("not_equal") BINARY("less") BINARY("less_equal") BINARY("greater")
               BINARY("greater_equal") TENSORS("logical_and") TENSORS("logical_or") TENSORS("logical_xor"),
       Msg::op_compare, "y[i] = a[i] op b[i], as bool", "x = torch.arange(6)\ny = x > 2", binary_row},
      {Library::torch,
       "-a\n~a\n" UNARY("neg") UNARY("negative") UNARY("abs") UNARY("absolute") UNARY("sqrt") UNARY("exp") UNARY("log")
           UNARY("sin") UNARY("cos") UNARY("tan") UNARY("tanh") UNARY("floor") UNARY("ceil") UNARY("round")
               UNARY("trunc") UNARY("fix") UNARY("frac") UNARY("sign") UNARY("sgn") UNARY("logical_not")
                   UNARY("bitwise_not") UNARY("square") UNARY("reciprocal") UNARY("sigmoid") UNARY("relu")
                       UNARY("rsqrt") UNARY("exp2") UNARY("log2") UNARY("log10") UNARY("log1p") UNARY("expm1")
                           UNARY("isnan") UNARY("isinf") UNARY("isfinite") UNARY("signbit"),
       Msg::op_unary, "y[i] = f(x[i]); a dense layout is kept", "x = torch.arange(6)\ny = -x", unary_row},
      {Library::torch, "x.round(*, decimals: int)\ntorch.round(input: tensor, *, decimals: int)", Msg::op_unary,
       "y[i] = round(x[i] * 10^decimals) / 10^decimals; a dense layout is kept",
       "x = torch.arange(3.) / 4\ny = x.round(decimals=1)", round_row},
      {Library::torch, "torch.clamp(" CLAMPED ")\nx.clamp(" BOUNDS ")\ntorch.clip(" CLAMPED ")\nx.clip(" BOUNDS ")",
       Msg::op_clamp, "y[i] = min(max(x[i], min), max)", "x = torch.arange(6)\ny = x.clamp(1, 4)", clamp_row},
      {Library::torch, "torch.equal(input: tensor, other: tensor)\nx.equal(other: tensor)", Msg::op_equal,
       "same sizes, and every pair of elements equal", "torch.equal(torch.arange(3), torch.arange(3))", equal_row},
      {Library::torch,
       "torch.allclose(input: tensor, other: tensor, rtol: float = 1e-05, atol: float = 1e-08)\nx.allclose(other: "
       "tensor, rtol: float = 1e-05, atol: float = 1e-08)",
       Msg::op_equal, "every |a - b| <= atol + rtol * |b|", "torch.allclose(torch.ones(3), torch.ones(3))", equal_row},
  };
#undef UNARY
#undef BINARY
#undef EITHER
#undef TENSORS
#undef SCALED
#undef SCALE_FIRST
#undef BOUNDS
#undef CLAMPED
  return rows;
}

}  // namespace stridescope
