#include "ops/torch/pointwise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "layout/extent.h"
#include "layout/lookup.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

constexpr Pointwise functions[] = {
    {"neg negative -", Arithmetic::negate, "neg_cpu", whole | reals | complexes},
    {"abs absolute", Arithmetic::absolute, "abs_cpu", whole | reals | complexes},
    {"sqrt", Arithmetic::square_root, "sqrt_vml_cpu", reals | complexes, true},
    {"exp", Arithmetic::exponential, "exp_vml_cpu", reals | complexes, true},
    {"log", Arithmetic::logarithm, "log_vml_cpu", reals | complexes, true},
    {"sin", Arithmetic::sine, "sin_vml_cpu", reals | complexes, true},
    {"cos", Arithmetic::cosine, "cos_vml_cpu", reals | complexes, true},
    {"tan", Arithmetic::tangent, "tan_vml_cpu", reals | complexes, true},
    {"tanh", Arithmetic::tanh, "tanh_vml_cpu", reals | complexes, true},
    {"floor", Arithmetic::floor, "floor_vml_cpu", whole | bare | reals},
    {"ceil", Arithmetic::ceil, "ceil_vml_cpu", whole | bare | reals},
    {"round", Arithmetic::round, "round_vml_cpu", whole | bare | reals},
    {"trunc fix", Arithmetic::truncate, "trunc_vml_cpu", whole | bare | reals},
    {"frac", Arithmetic::fraction, "frac_cpu", reals},
    {"sign", Arithmetic::sign_number, "sign_cpu", bools | whole | reals},
    {"sgn", Arithmetic::sign_number, "sgn_cpu", usual},
    {"logical_not", Arithmetic::logical_not, "logical_not_cpu", usual},
    {"bitwise_not ~", Arithmetic::invert, "bitwise_not_cpu", bools | whole},
    {"square", Arithmetic::square, "pow", whole | reals | complexes},
    {"reciprocal", Arithmetic::reciprocal, "reciprocal_cpu", reals | complexes, true},
    {"sigmoid expit", Arithmetic::sigmoid, "sigmoid_cpu", reals | complexes, true},
    {"silu", Arithmetic::silu, "silu_cpu", reals | complexes},
    {"gelu", Arithmetic::gelu, "GeluKernelImpl", reals},
    {"gelu_onednn", Arithmetic::gelu_onednn, "GeluKernelImpl", reals},
    {"gelu_tanh", Arithmetic::gelu_tanh, "GeluKernelImpl", reals},
    {"relu", Arithmetic::relu, "clamp_min_scalar_cpu", whole | reals},
    {"rsqrt", Arithmetic::inverse_root, "rsqrt_cpu", reals | complexes, true},
    {"exp2", Arithmetic::exp2, "exp2", reals | complexes, true},
    {"log2", Arithmetic::log2, "log2_vml_cpu", reals | complexes, true},
    {"log10", Arithmetic::log10, "log10_vml_cpu", reals | complexes, true},
    {"log1p", Arithmetic::log1p_by_vectors, "log1p", reals | complexes, true},
    {"expm1", Arithmetic::expm1, "expm1_vml_cpu", reals | complexes, true},
    {"asin arcsin", Arithmetic::arc_sine_by_vectors, "asin_vml_cpu", reals | complexes, true},
    {"acos arccos", Arithmetic::arc_cosine, "acos_vml_cpu", reals | complexes, true},
    {"atan arctan", Arithmetic::arc_tangent_by_vectors, "atan_vml_cpu", reals | complexes, true},
    {"sinh", Arithmetic::sinh, "sinh_vml_cpu", reals | complexes, true},
    {"cosh", Arithmetic::cosh, "cosh_vml_cpu", reals | complexes, true},
    {"asinh arcsinh", Arithmetic::area_sine, "asinh_cpu", reals | complexes, true},
    {"acosh arccosh", Arithmetic::area_cosine, "acosh_cpu", reals | complexes, true},
    {"atanh arctanh", Arithmetic::area_tangent, "atanh_cpu", reals | complexes, true},
    {"deg2rad", Arithmetic::to_radians, "mul_cpu", reals, true},
    {"rad2deg", Arithmetic::to_degrees, "mul_cpu", reals, true},
    {"erf", Arithmetic::error_function, "erf_vml_cpu", reals, true},
    {"erfc", Arithmetic::error_function_rest, "erfc_vml_cpu", reals, true},
    {"lgamma gammaln", Arithmetic::special, "lgamma_vml_cpu", reals, true},
    {"digamma psi", Arithmetic::special, "digamma", reals, true},
    {"erfinv", Arithmetic::special, "erfinv_vml_cpu", reals, true},
    {"i0", Arithmetic::special, "i0_vml_cpu", reals, true},
    {"i0e", Arithmetic::special, "i0e_cpu", reals, true},
    {"i1", Arithmetic::special, "i1_cpu", reals, true},
    {"sinc", Arithmetic::special, "sinc_cpu", reals | complexes, true},
    {"logit", Arithmetic::special, "logit_cpu", reals, true},
    {"ndtri", Arithmetic::special, "ndtri_cpu", reals, true},
    {"entr", Arithmetic::special, "entr_cpu", reals, true},
    {"isnan", Arithmetic::is_nan, "ne_cpu", anything},
    {"isinf", Arithmetic::is_infinite, "eq_cpu", anything},
    {"isfinite", Arithmetic::is_finite, "ne_cpu", anything},
    {"signbit", Arithmetic::sign_bit, "signbit_cpu", bools | whole | reals},
    {"conj_physical", Arithmetic::conjugate, "conj_cpu", anything},

    {"add +", Arithmetic::add, "add_stub", usual},
    {"sub subtract -", Arithmetic::subtract, "add_stub", whole | reals | complexes},
    {"mul multiply *", Arithmetic::multiply, "mul_cpu", anything},
    {"div divide true_divide /", Arithmetic::divide, "div_true_cpu", reals | complexes, true},
    {"floor_divide //", Arithmetic::floor_divide, "div_floor_cpu", whole | reals},
    {"remainder %", Arithmetic::remainder_signed, "remainder_cpu", whole | reals},
    {"fmod", Arithmetic::truncated_remainder, "fmod_cpu", whole | reals},
    {"pow **", Arithmetic::power, "pow", whole | reals | complexes},
    {"maximum max", Arithmetic::maximum, "maximum_cpu", bools | whole | reals},
    {"minimum min", Arithmetic::minimum, "minimum_cpu", bools | whole | reals},
    {"atan2 arctan2", Arithmetic::arc_tangent2, "atan2_cpu", reals, true},
    {"hypot", Arithmetic::hypotenuse, "hypot_cpu", reals},
    {"copysign", Arithmetic::copy_sign, "copysign_cpu", reals, true},
    {"nextafter", Arithmetic::next_after, "nextafter_cpu", reals},
    {"xlogy", Arithmetic::special_of_two, "xlogy_cpu", reals, true},
    {"xlog1py", Arithmetic::special_of_two, "xlog1py_cpu", reals, true},
    {"heaviside", Arithmetic::step_number, "heaviside_cpu", bools | whole | reals},
    {"gcd", Arithmetic::common_divisor, "gcd_cpu", whole},
    {"lcm", Arithmetic::common_multiple, "lcm_cpu", whole},
    {"logaddexp", Arithmetic::log_add_exp, "logaddexp_cpu", reals | complexes},
    {"logaddexp2", Arithmetic::log_add_exp2, "logaddexp2_cpu", reals},
    {"fmax", Arithmetic::maximum_number, "fmax_cpu", bools | whole | reals},
    {"fmin", Arithmetic::minimum_number, "fmin_cpu", bools | whole | reals},
    {"bitwise_and &", Arithmetic::bit_and, "bitwise_and_cpu", bools | whole | bare},
    {"bitwise_or |", Arithmetic::bit_or, "bitwise_or_cpu", bools | whole | bare},
    {"bitwise_xor ^", Arithmetic::bit_xor, "bitwise_xor_cpu", bools | whole | bare},
    {"bitwise_left_shift <<", Arithmetic::shift_left, "lshift_cpu", whole},
    {"bitwise_right_shift >>", Arithmetic::shift_right, "rshift_cpu", whole},
    {"eq ==", Arithmetic::equal, "eq_cpu", anything},
    {"ne not_equal !=", Arithmetic::not_equal, "ne_cpu", anything},
    {"lt less <", Arithmetic::less, "lt_cpu", bools | whole | reals},
    {"le less_equal <=", Arithmetic::less_equal, "le_cpu", bools | whole | reals},
    {"gt greater >", Arithmetic::greater, "gt_cpu", bools | whole | reals},
    {"ge greater_equal >=", Arithmetic::greater_equal, "ge_cpu", bools | whole | reals},
    {"logical_and", Arithmetic::logical_and, "logical_and_cpu", usual},
    {"logical_or", Arithmetic::logical_or, "logical_or_cpu", usual},
    {"logical_xor", Arithmetic::logical_xor, "logical_xor_cpu", usual},
};

bool has_word(std::string_view words, std::string_view word) {
  for (size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

std::string_view first_word(std::string_view words) { return words.substr(0, words.find(' ')); }

bool is_bare(DType dtype) { return dtype == DType::uint16 || dtype == DType::uint32 || dtype == DType::uint64; }

uint8_t kinds_of(DType dtype) {
  return dtype == DType::boolean ? bools
         : is_bare(dtype)        ? bare
         : is_integer(dtype)     ? whole
         : is_floating(dtype)    ? reals
                                 : complexes;
}

bool holds_complex(const std::vector<const Value*>& operands) {
  return std::any_of(operands.begin(), operands.end(), [](const Value* value) {
    return std::holds_alternative<ComplexFloat>(value->held) ||
           (tensor_of(*value) && is_complex(tensor_of(*value)->dtype));
  });
}

bool refuse_function(Call& call, std::string text, std::string_view function, std::string_view kind) {
  return call.fail("RuntimeError", std::move(text), Msg::function_refuses, {function, kind}), false;
}

/// Whether 0 is among the divisors as elements of `dtype`, or may be: then the call is refused.
bool holds_zero(Call& call, const Value& value, DType dtype) {
  const TensorPtr tensor = tensor_of(value);
  if (!tensor) return as_integer(value) && !is_true(integer_scalar(*as_integer(value), dtype));
  return call.any(elements_of(*tensor), dtype, [](const Scalar& one) { return !is_true(one); }).value_or(true);
}

/// "sub" of "torch.sub" and of "sub_".
std::string_view bare_name(std::string_view form) {
  if (const size_t dot = form.rfind('.'); dot != std::string_view::npos) form.remove_prefix(dot + 1);
  if (form.size() > 1 && form.back() == '_') form.remove_suffix(1);
  return form;
}

/// heaviside looks at dtypes itself, and promotes nothing.
bool check_heaviside(Call& call, const std::vector<const Value*>& operands) {
  if (holds_complex(operands))
    return refuse_function(call, "heaviside is not yet implemented for complex tensors.", "heaviside", "complex");
  const DType a = tensor_of(*operands[0])->dtype, b = tensor_of(*operands[1])->dtype;
  if (a == b) return true;
  return call.fail("RuntimeError", "heaviside is not yet implemented for tensors with different dtypes.",
                   Msg::dtypes_differ, {name(a), name(b)}),
         false;
}

}  // namespace

bool is_pointwise(std::string_view form) {
  return std::any_of(std::begin(functions), std::end(functions),
                     [&](const Pointwise& one) { return has_word(one.names, bare_name(form)); });
}

const Pointwise& pointwise(std::string_view form, int operands) {
  form = bare_name(form);
  return *std::find_if(std::begin(functions), std::end(functions), [&](const Pointwise& one) {
    return operand_count(one.op) == operands && has_word(one.names, form);
  });
}

DType common_dtype(const Call& call, const Pointwise& function, const std::vector<const Value*>& operands) {
  TypeVote vote{call};
  for (const Value* operand : operands) vote.add(*operand);
  const DType common = vote.result();
  if (function.op == Arithmetic::square && common == DType::boolean) return DType::int64;  // pow(x, 2)
  return function.in_floats && (kinds_of(common) & (bools | whole | bare)) != 0 ? call.default_dtype() : common;
}

DType result_dtype(const Pointwise& function, DType common) {
  if (gives_bool(function.op)) return DType::boolean;
  if (function.op == Arithmetic::absolute && is_complex(common))
    return common == DType::complex64 ? DType::float32 : DType::float64;
  return common;
}

DType working_dtype(DType common) {
  return common == DType::float16 || common == DType::bfloat16 ? DType::float32 : common;
}

DType working_dtype(const Pointwise& function, DType common, const std::vector<const Value*>& operands) {
  const auto is_one = [](const Value& value) {
    const TensorPtr tensor = tensor_of(value);
    return !tensor || numel(tensor->layout.sizes) == 1;
  };
  const bool own = gives_bool(function.op) || function.op == Arithmetic::next_after ||
                   function.op == Arithmetic::inverse_root ||
                   (function.op == Arithmetic::truncated_divide && !is_one(*operands.back()));
  return own ? common : working_dtype(common);
}

std::optional<Elements> in_half(const Elements& operand, DType common, Arithmetic op, bool single) {
  const bool scales = op == Arithmetic::multiply || op == Arithmetic::divide || op == Arithmetic::floor_divide ||
                      op == Arithmetic::truncated_divide;
  if (working_dtype(common) == common || operand.dtype == common) return std::nullopt;
  if (single && scales && numel(operand.layout.sizes) == 1) return std::nullopt;
  return Elements{gather(operand, common), contiguous(operand.layout.sizes, itemsize(common)), common};
}

const Pointwise* division(Call& call) {
  if (!call.given("rounding_mode")) return &pointwise("div", 2);
  const std::string mode = call.text("rounding_mode");
  if (mode == "floor") return &pointwise("floor_divide", 2);
  static constexpr Pointwise truncated{"div", Arithmetic::truncated_divide, "div_trunc_cpu", whole | reals};
  if (mode == "trunc") return &truncated;
  call.fail("RuntimeError",
            {"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '", mode, "'"},
            Msg::rounding_mode, {mode});
  return nullptr;
}

bool check_promotion(Call& call, DType a, DType b) {
  if (a == b || (!is_bare(a) && !is_bare(b)) || is_floating(a) || is_floating(b)) return true;
  return call.fail("RuntimeError",
                   {"Promotion for uint16, uint32, uint64 types is not supported, attempted to promote ",
                    scalar_type_name(a), " and ", scalar_type_name(b)},
                   Msg::dtypes_differ, {name(a), name(b)}),
         false;
}

bool check_promotion(Call& call, const std::vector<const Value*>& operands) {
  const auto is_half = [](const Value* value) {
    return tensor_of(*value) && tensor_of(*value)->dtype == DType::float16;
  };
  const auto is_pair = [](const Value* value) { return std::holds_alternative<ComplexFloat>(value->held); };
  if (std::any_of(operands.begin(), operands.end(), is_half) && std::any_of(operands.begin(), operands.end(), is_pair))
    return call.refuse(Msg::not_modelled, {"PyTorch", "torch.complex32"}), false;
  for (size_t j = 1; j < operands.size(); ++j) {
    const TensorPtr a = tensor_of(*operands[0]), b = tensor_of(*operands[j]);
    if (a && b && (a->layout.rank() == 0) == (b->layout.rank() == 0) && !check_promotion(call, a->dtype, b->dtype))
      return false;
  }
  return true;
}

DType widest_fraction(const Value& base, const Value& exponent) {
  return holds_complex({&base, &exponent}) ? DType::complex128 : DType::float64;
}

Arithmetic power_by(const Value& exponent, DType common) {
  const bool complex = is_complex(common);
  const auto* pair = std::get_if<ComplexFloat>(&exponent.held);
  const auto number = pair && pair->imag() == 0 ? std::optional(pair->real()) : as_real(exponent);
  if (!tensor_of(exponent) && number && (complex || (is_floating(common) && common != DType::float16))) {
    if (*number == 0.5) return Arithmetic::square_root;
    if (*number == -0.5) return Arithmetic::inverse_root;
    if (*number == -1) return Arithmetic::reciprocal;
    if (*number == 0 || *number == 1 || *number == 2 || *number == 3 || *number == -2) return Arithmetic::power;
  }
  return complex ? Arithmetic::logarithmic_power : Arithmetic::power;
}

bool check_operands(Call& call, const Pointwise& function, const std::vector<const Value*>& operands) {
  const std::string name(first_word(function.names));
  if (function.op == Arithmetic::subtract && !check_subtraction(call, *operands[0], *operands[1])) return false;
  if (!check_promotion(call, operands)) return false;
  if (function.op == Arithmetic::subtract) return true;
  const TensorPtr tensor = tensor_of(*operands[0]);
  const bool boolean = tensor && tensor->dtype == DType::boolean;
  if (function.op == Arithmetic::negate && boolean) {
    call.fail("RuntimeError",
              "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use "
              "the `~` or `logical_not()` operator instead.",
              Msg::bool_negate);
    return false;
  }
  if (function.op == Arithmetic::relu && boolean)
    return refuse_function(call, "Boolean inputs not supported for relu", name, "bool");
  if (function.op == Arithmetic::power && !tensor_of(*operands[1])) {
    TypeVote vote{call};
    for (const Value* operand : operands) vote.add(*operand);
    if ((kinds_of(vote.result()) & (bools | whole | bare)) == 0 || as_integer(*operands[1]).value_or(0) >= 0)
      return true;
    call.fail("RuntimeError", "Integers to negative integer powers are not allowed.", Msg::negative_power);
    return false;
  }
  if (function.op == Arithmetic::step_number && !check_heaviside(call, operands)) return false;
  if (!holds_complex(operands)) return true;
  if (function.op == Arithmetic::to_radians || function.op == Arithmetic::to_degrees)
    return refuse_function(call, name + " is not supported for complex tensors.", name, "complex");
  switch (function.op) {
    case Arithmetic::maximum:
    case Arithmetic::minimum:
    case Arithmetic::maximum_number:
    case Arithmetic::minimum_number:
      return refuse_function(call, name + " not implemented for complex tensors.", name, "complex");
    case Arithmetic::floor:
    case Arithmetic::ceil:
    case Arithmetic::truncate:
      return refuse_function(call, name + " is not supported for complex inputs", name, "complex");
    case Arithmetic::sign_number:
      if (name == "sgn") return true;
      return refuse_function(
          call, "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.",
          name, "complex");
    case Arithmetic::relu: return refuse_function(call, "clamp is not supported for complex types", name, "complex");
    case Arithmetic::sign_bit:
      return refuse_function(call, "signbit is not implemented for complex tensors.", name, "complex");
    default: return true;
  }
}

bool divides(Arithmetic op) {
  return op == Arithmetic::floor_divide || op == Arithmetic::remainder_signed ||
         op == Arithmetic::truncated_remainder || op == Arithmetic::truncated_divide;
}

bool check_kernel(Call& call, const Pointwise& function, DType common, const std::vector<const Value*>& operands) {
  // A power of a plain 1 is a copy, and 1 to any power is 1: no kernel is asked.
  const bool trivial =
      function.op == Arithmetic::power &&
      ((!tensor_of(*operands[1]) && as_real(*operands[1]).value_or(2) <= 1 && as_integer(*operands[1])) ||
       (std::holds_alternative<int64_t>(operands[0]->held) && as_integer(*operands[0]) == 1));
  if ((function.kinds & kinds_of(common)) == 0 && !trivial) {
    if (call.name() == "~")
      return call.fail("TypeError", "~ (operator.invert) is only implemented on integer and Boolean-type tensors",
                       Msg::function_refuses, {"~", name(common)}),
             false;
    // Of whole numbers sgn is sign, and fmax and fmin are maximum and minimum.
    const std::string_view kernel = !is_bare(common)                            ? function.kernel
                                    : function.op == Arithmetic::sign_number    ? "sign_cpu"
                                    : function.op == Arithmetic::maximum_number ? "maximum_cpu"
                                    : function.op == Arithmetic::minimum_number ? "minimum_cpu"
                                                                                : function.kernel;
    no_kernel(call, kernel, common);
    return false;
  }
  if (function.op == Arithmetic::power && tensor_of(*operands[0]) && !holds_number(call, *operands[1], common))
    return false;
  if (!divides(function.op) || !is_integer(common) || !holds_zero(call, *operands[1], common)) return true;
  for (const Value* operand : operands)
    if (tensor_of(*operand) ? numel(tensor_of(*operand)->layout.sizes) == 0 : !as_real(*operand)) return true;
  call.fail("RuntimeError", "ZeroDivisionError", Msg::division_by_zero);
  return false;
}

bool can_store(DType from, DType to) {
  const auto kind = [](DType dtype) {
    return dtype == DType::boolean ? 0 : is_integer(dtype) ? 1 : is_floating(dtype) ? 2 : 3;
  };
  return kind(from) <= kind(to);
}

bool check_stored(Call& call, DType common, DType target) {
  if (can_store(common, target)) return true;
  call.fail("RuntimeError",
            {"result type ", scalar_type_name(common), " can't be cast to the desired output type ",
             scalar_type_name(target)},
            Msg::write_dtype, {name(common), name(target)});
  return false;
}

bool check_alpha(Call& call, const Value& alpha, DType common) {
  const bool whole_numbers = !is_floating(common) && !is_complex(common);
  if (std::holds_alternative<bool>(alpha.held) && common != DType::boolean)
    return call.fail("RuntimeError", "Boolean alpha only supported for Boolean results.", Msg::alpha_kind,
                     {"bool", name(common)}),
           false;
  const bool complex = std::holds_alternative<ComplexFloat>(alpha.held);
  if (complex && !whole_numbers && !is_complex(common))
    return call.fail("RuntimeError", "For non-complex input tensors, argument alpha must not be a complex number.",
                     Msg::alpha_kind, {"complex", name(common)}),
           false;
  if ((!complex && !std::holds_alternative<Float>(alpha.held)) || !whole_numbers) return true;
  return call.fail("RuntimeError", "For integral input tensors, argument alpha must not be a floating point number.",
                   Msg::alpha_kind, {complex ? "complex" : "float", name(common)}),
         false;
}

}  // namespace stridescope
