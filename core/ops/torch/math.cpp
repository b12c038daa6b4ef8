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

}  // namespace

Value apply_function(Call& call, const Pointwise& function, const std::vector<const Value*>& operands, bool apart) {
  if (!check_operands(call, function, operands)) return {};
  const DType common = common_dtype(call, function, operands), dtype = result_dtype(function, common);
  Dims sizes;
  for (const Value* operand : operands) {
    const TensorPtr tensor = tensor_of(*operand);
    const auto joined = tensor ? broadcast_sizes(call, sizes, tensor->layout.sizes) : std::optional(sizes);
    if (!joined) return {};
    sizes = *joined;
  }
  if (!check_kernel(call, function, common, operands)) return {};
  std::vector<std::optional<Elements>> seen;
  const bool turned =
      function.op == Arithmetic::multiply && !tensor_of(*operands[0]);  // a number * x is x * the number
  for (const Value* operand : operands)
    if (const auto own = operand_of(call, *operand, "other"))
      seen.push_back(in_half(*own, common, function.op, (operand == operands.back()) != turned));
  if (call.failed()) return {};
  if (function.op == Arithmetic::power) {
    if (common == DType::bfloat16 && !tensor_of(*operands[1]) && as_real(*operands[1]) == 3.0) {
      // The square is rounded before it is multiplied.
      const Elements own = *operand_of(call, *operands[0], "input"), pair[] = {own, own};
      seen[0] = Elements{elementwise(Arithmetic::multiply, pair, working_dtype(common), common),
                         contiguous(own.layout.sizes, itemsize(common)), common};
      return computed(call, Arithmetic::multiply, {operands[0], operands[0]}, working_dtype(common), dtype,
                      {seen[0], std::nullopt}, apart);
    }
    const Arithmetic op = power_by(*operands[1], common);
    return computed(call, op, operand_count(op) == 1 ? std::vector{operands[0]} : operands, working_dtype(common),
                    dtype, seen, apart);
  }
  return computed(call, function.op, operands, working_dtype(function, common, operands), dtype, seen, apart);
}

Value on_the_way(Call& call, std::string_view function, const std::vector<const Value*>& operands) {
  if (call.failed()) return {};
  const size_t said = call.said();
  const Value made = apply_function(call, pointwise(function, static_cast<int>(operands.size())), operands);
  call.unsay(said);
  return made;
}

namespace {

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
  const DType common = common_dtype(call, function, {&a, &b});
  if (!check_kernel(call, function, common, {&a, &b})) return {};
  const DType own = common_dtype(call, pointwise("reciprocal", 1), {&b});
  // What is of another dtype is converted first.
  const Layout read{tensor->layout.sizes,
                    own == tensor->dtype ? tensor->layout.strides : preserved_strides(tensor->layout), 0};
  const Dims& sizes = tensor->layout.sizes;
  const Value shape =
      seen_through(*tensor, {sizes,
                             function.op == Arithmetic::power ? contiguous(sizes).strides
                                                              : iterator_strides(sizes, std::span(&read, 1), true),
                             0});
  if (function.op == Arithmetic::power) {
    const auto base = operand_of(call, a, "input");
    if (!base) return {};
    return computed(call, power_by(b, common), {&a, &shape}, working_dtype(common), common,
                    {in_half(*base, common, function.op, false), elements_of(*tensor)}, true);
  }
  const Elements divisor[] = {elements_of(*tensor)};
  ContentsPtr inverse = elementwise(Arithmetic::reciprocal, divisor, working_dtype(own), own);
  return computed(call, Arithmetic::multiply, {&a, &shape}, working_dtype(common), common,
                  {std::nullopt, Elements{std::move(inverse), contiguous(sizes, itemsize(own)), own}});
}

/// A power in float64, or in complex128 where one takes part; of a number it is made packed.
Value float_power_row(Call& call) {
  const Value &a = call.value("input"), &b = call.value("exponent");
  if (!tensor_of(a) && !tensor_of(b)) return call.wrong_type("input", "Tensor");
  const DType wide = widest_fraction(a, b);
  const TensorPtr exponent = tensor_of(a) ? nullptr : tensor_of(b);
  const Arithmetic op = power_by(b, wide);
  if (!exponent)
    return computed(call, op, operand_count(op) == 1 ? std::vector{&a} : std::vector{&a, &b}, wide, wide, {},
                    !tensor_of(b));
  const auto base = operand_of(call, a, "input");
  if (!base) return {};
  const Value shape = seen_through(*exponent, contiguous(exponent->layout.sizes));
  return computed(call, op, {&a, &shape}, wide, wide, {base, elements_of(*exponent)}, true);
}

/// Which elements are infinite and of one sign: x == inf, or -inf.
Value infinite_row(Call& call) {
  const DType dtype = call.self().dtype;
  const bool positive = call.name().ends_with("isposinf");
  if (is_complex(dtype))
    return call.fail("RuntimeError", {positive ? "isposinf" : "isneginf", " does not support complex inputs."},
                     Msg::function_refuses, {positive ? "isposinf" : "isneginf", name(dtype)});
  const Value bound{positive ? HUGE_VAL : -HUGE_VAL};
  // Integers are not looked at.
  const Value& x = call.first();
  return is_floating(dtype) ? computed(call, Arithmetic::equal, {&x, &bound}, dtype, DType::boolean, {}, true)
                            : computed(call, Arithmetic::not_equal, {&x, &x}, dtype, DType::boolean, {}, true);
}

Value divide_row(Call& call) {
  const Pointwise* function = division(call);
  return function ? apply_function(call, *function, {&call.value("input"), &call.value("other")}) : Value{};
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
  const DType common = common_dtype(call, function, {&a, &b});
  // A complex 1 is multiplied with: what is infinite leaves NaN.
  if (plain && !is_complex(common)) return apply_function(call, function, {&a, &b});
  if (!check_operands(call, function, {&a, &b})) return {};
  const auto left = operand_of(call, a, "input"), alpha = operand_of(call, scale, "alpha");
  auto right = operand_of(call, b, "other");
  if (!left || !right) return {};
  const auto seen = in_half(*left, common, function.op, false);
  right = in_half(*right, common, function.op, false).value_or(*right);
  const auto sizes = broadcast_sizes(call, left->layout.sizes, right->layout.sizes);
  if (!sizes ||
      (!plain && (!check_alpha(call, scale, common) || (is_integer(common) && !holds_number(call, scale, common)))))
    return {};
  // other * alpha takes other's place, rounded to the common dtype as alpha itself is, but of float32 not rounded: the
  // kernel multiplies and adds at once. The layout of the result still follows other's own strides.
  const bool at_once = common == DType::float32;
  const DType working = at_once ? DType::float64 : working_dtype(common), kept = at_once ? working : common;
  const Layout own = right->layout;
  const Scalar factor = converted(element(*alpha, 0), common);
  const Elements factors[] = {*right, {constant_contents(factor, 1), expand(Layout{}, own.sizes), common}};
  ContentsPtr product = elementwise(Arithmetic::multiply, factors, working, kept);
  if (!plain) call.why(Msg::alpha_scales, {to_string(scale)});
  return computed(call, function.op, {&a, &b}, working, common,
                  {seen, Elements{std::move(product), contiguous(own.sizes, itemsize(kept)), kept}});
}

/// Whether every pair of elements fits; the sizes must be equal.
Value equal_row(Call& call) {
  const TensorRef a = call.tensor("input"), b = call.tensor("other");
  const DType left = a->tensor->dtype, right = b->tensor->dtype;
  if (!(a->tensor->layout.sizes == b->tensor->layout.sizes)) return Value{false};
  const int64_t count = *numel(a->tensor->layout.sizes);
  if (count > most_compared) return call.refuse(Msg::too_many_summed, {count, most_compared});
  const Elements one = elements_of(*a->tensor), other = elements_of(*b->tensor);
  call.quick(one, count);
  if (!call.quick(other, count)) return {};
  for (int64_t i = 0; i < count; ++i) {
    const Scalar p = element(one, i), q = element(other, i);
    if (as_real(p) != as_real(q) || p.imaginary != q.imaginary || (left == right && p.integer != q.integer))
      return call.differ();
  }
  return Value{true};
}

}  // namespace

std::span<const Op> torch_math_rows() {
#define UNARY(name) "x." name "()\ntorch." name "(input: tensor)\n"
#define SPECIAL(name) "torch.special." name "(input: tensor)\n"
#define BINARY(name) "torch." name "(input: tensor, other: tensor | number)\nx." name "(other: tensor | number)\n"
#define EITHER(name) \
  "torch." name "(input: tensor | number, other: tensor | number)\nx." name "(other: tensor | number)\n"
#define BY_SELF(name, other)                                                                                       \
  "torch." name "(input: tensor, " other ": tensor | number)\nx." name "(" other ": tensor | number)\ntorch." name \
  "(self: number, " other ": tensor)\n"
#define TENSORS(name) "torch." name "(input: tensor, other: tensor)\nx." name "(other: tensor)\n"
#define SCALED(name)                                                              \
  "torch." name                                                                   \
  "(input: tensor | number, other: tensor | number, *, alpha: number | tensor = " \
  "1)\nx." name "(other: tensor | number, *, alpha: number | tensor = 1)\n"
#define SCALE_FIRST(name)                                                                  \
  "torch." name "(input: tensor, alpha: number | tensor, other: tensor | number)\nx." name \
  "(alpha: number | tensor, other: tensor | number)\n"
  static constexpr Op rows[] = {
      {Library::torch, SCALED("add") SCALED("sub") SCALED("subtract") "a + b\na - b", Msg::op_arithmetic,
       "y[i] = a[i] op alpha * b[i], sizes broadcast from the right; the result's memory order follows the operands'",
       "x = torch.arange(6).view(2, 3)\ny = x + 1", add_row},
      {Library::torch, SCALE_FIRST("add") SCALE_FIRST("sub"), Msg::op_arithmetic, "y[i] = x[i] op alpha * other[i]",
       "x = torch.arange(6)\ny = x.add(2, x)", add_row},
      {Library::torch,
       "torch.subtract(input: tensor, other: number | tensor, alpha: number | "
       "tensor)\nx.subtract(other: number | tensor, alpha: number | tensor)",
       Msg::op_arithmetic, "y[i] = x[i] - alpha * other", "x = torch.arange(6)\ny = x.subtract(1, 2)", add_row},
      {Library::torch,
       "a * b\na / b\na // b\na % b\na ** b\na & b\na | b\na ^ b\na << b\na >> b\n" EITHER("mul") EITHER("multiply")
           EITHER("true_divide") EITHER("floor_divide") BY_SELF("remainder", "other") BINARY(
               "fmod") BY_SELF("pow", "exponent") TENSORS("maximum") TENSORS("minimum")
                           TENSORS("atan2") TENSORS("arctan2") TENSORS("hypot") BINARY("copysign") TENSORS("nextafter") EITHER("xlogy") TENSORS("gcd") TENSORS("lcm") "torch.special.xlogy(input: tensor | number, other: tensor | number)\ntorch.special.xlog1py(input: tensor | number, other: tensor | number)\n" TENSORS("logaddexp") TENSORS("logaddexp2") TENSORS("fmax") TENSORS("fmin") BY_SELF("bitwise_and", "other") BY_SELF("bitwise_or", "other") BY_SELF("bitwise_xor", "other") BY_SELF("bitwise_left_shift", "other")
                               BY_SELF("bitwise_right_shift", "other") "torch.max(input: tensor, other: "
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
       BY_SELF("float_power", "exponent"),
       Msg::op_arithmetic, "y[i] = x[i] ** exponent[i] as float64, or complex128", "x = torch.arange(6).view(2, 3)\ny = x.float_power(2)",
       float_power_row},
      {Library::torch, UNARY("isposinf") UNARY("isneginf"), Msg::op_unary, "y[i] = x[i] == inf, or -inf",
       "x = torch.tensor([1., float('inf')])\ny = x.isposinf()", infinite_row},
      {Library::torch, "torch.heaviside(input: tensor, values: tensor)\nx.heaviside(values: tensor)", Msg::op_arithmetic,
       "y[i] = 0, values[i] or 1 where x[i] is below, at or above 0",
       "x = torch.tensor([-1., 0., 2.])\ny = x.heaviside(torch.tensor(0.5))",
       [](Call& call) {
         return apply_function(call, pointwise(call.name(), 2), {&call.first(), &call.value("values")});
       }},
      {Library::torch,
       "a == b\na != b\na < b\na <= b\na > b\na >= b\n" BINARY("eq") BINARY("ne") BINARY("lt") BINARY("le") BINARY("gt")
           BINARY("ge") BINARY("not_equal") BINARY("less") BINARY("less_equal") BINARY("greater")
               BINARY("greater_equal") TENSORS("logical_and") TENSORS("logical_or") TENSORS("logical_xor"),
       Msg::op_compare, "y[i] = a[i] op b[i], as bool", "x = torch.arange(6)\ny = x > 2", binary_row},
      {Library::torch,
       "-a\n~a\n" UNARY("neg") UNARY("negative") UNARY("abs") UNARY("absolute") UNARY("sqrt") UNARY("exp") UNARY("log")
           UNARY("sin") UNARY("cos") UNARY("tan") UNARY("tanh") UNARY("floor") UNARY("ceil") UNARY("round")
               UNARY("trunc") UNARY("fix") UNARY("frac") UNARY("sign") UNARY("sgn") UNARY("logical_not")
                   UNARY("bitwise_not") UNARY("square") UNARY("reciprocal") UNARY("sigmoid")
                       "torch.nn.functional.sigmoid(input: tensor)\ntorch.nn.functional.tanh(input: tensor)\n" UNARY("relu")
                       UNARY("rsqrt") UNARY("exp2") UNARY("log2") UNARY("log10") UNARY("log1p") UNARY("expm1")
                           UNARY("asin") UNARY("arcsin") UNARY("acos") UNARY("arccos") UNARY("atan") UNARY("arctan") UNARY("sinh")
                           UNARY("cosh") UNARY("asinh") UNARY("arcsinh") UNARY("acosh") UNARY("arccosh") UNARY("atanh")
                           UNARY("arctanh") UNARY("deg2rad") UNARY("rad2deg") UNARY("erf") UNARY("erfc") UNARY("lgamma") UNARY("digamma") UNARY("erfinv") UNARY("i0") UNARY("sinc")
                           SPECIAL("gammaln") SPECIAL("digamma") SPECIAL("psi") SPECIAL("erf") SPECIAL("erfc") SPECIAL("erfinv") SPECIAL("exp2") SPECIAL("expm1") SPECIAL("log1p") SPECIAL("expit") SPECIAL("sinc") SPECIAL("i0") SPECIAL("i0e") SPECIAL("i1") SPECIAL("ndtri") SPECIAL("entr")
                           UNARY("isnan") UNARY("isinf") UNARY("isfinite") UNARY("signbit"),
       Msg::op_unary, "y[i] = f(x[i]); a dense layout is kept", "x = torch.arange(6)\ny = -x", unary_row},
      {Library::torch, "torch.logit(input: tensor, eps: float = None)\nx.logit(eps: float = None)\ntorch.special.logit(input: tensor, eps: float = None)", Msg::op_unary,
       "y[i] = log(x[i] / (1 - x[i])), x held between eps and 1 - eps", "x = torch.tensor([0.2, 0.5])\ny = x.logit()", [](Call& call) { return apply_function(call, pointwise(call.name(), 1), {&call.first()}); }},
      {Library::torch, "x.round(*, decimals: int)\ntorch.round(input: tensor, *, decimals: int)", Msg::op_unary,
       "y[i] = round(x[i] * 10^decimals) / 10^decimals; a dense layout is kept",
       "x = torch.arange(3.) / 4\ny = x.round(decimals=1)", round_row},
      {Library::torch,
       "torch.nn.functional.relu(input: tensor, inplace: any = False)\n"
       "torch.nn.functional.silu(input: tensor, inplace: any = False)",
       Msg::op_unary, "x[i] where that is above 0, else 0; silu: x[i] / (1 + exp(-x[i])); a dense layout is kept",
       "import torch.nn.functional as F\nx = torch.arange(-3., 3.)\ny = F.relu(x)",
       [](Call& call) {
         return call.truth("inplace") ? function_in_place(call)
               : call.failed()         ? Value{}
                                       : apply_function(call, pointwise(call.name(), 1), {&call.first()});
       }},
      {Library::torch, "torch.nn.functional.gelu(input: tensor, *, approximate: str = 'none')", Msg::op_unary,
       "y[i] = x[i] * (1 + erf(x[i] / sqrt(2))) / 2; a dense layout is kept",
       "import torch.nn.functional as F\nx = torch.arange(-3., 3.)\ny = F.gelu(x)",
       [](Call& call) -> Value {
         const std::string& way = call.text("approximate");
         if (way != "none" && way != "tanh")
           return call.about("approximate").fail("RuntimeError", "approximate argument must be either none or tanh.",
                                                 Msg::argument_has_type, {"approximate", "none, tanh", way});
         // More than one packed float32 or bfloat16 goes to oneDNN (use_mkldnn in ATen/native/Activation.cpp).
         const Tensor& tensor = call.self();
         const bool onednn = (tensor.dtype == DType::float32 || tensor.dtype == DType::bfloat16) &&
                             is_contiguous(tensor.layout) && numel(tensor.layout.sizes) != 1;
         return apply_function(call, pointwise(way == "tanh" ? "gelu_tanh" : onednn ? "gelu_onednn" : "gelu", 1),
                               {&call.first()});
       }},
      {Library::torch, "torch.equal(input: tensor, other: tensor)\nx.equal(other: tensor)", Msg::op_equal,
       "same sizes, and every pair of elements equal", "torch.equal(torch.arange(3), torch.arange(3))", equal_row},
  };
#undef UNARY
#undef SPECIAL
#undef BINARY
#undef EITHER
#undef BY_SELF
#undef TENSORS
#undef SCALED
#undef SCALE_FIRST
  return rows;
}

}  // namespace stridescope
