// Which universal functions there are, and what each says of itself.
#include <algorithm>
#include <cmath>

#include "ops/numpy/ufunc.h"

namespace stridescope {
namespace {

constexpr Ufunc binaries[] = {{"+", "add", Arithmetic::add},
                              {"-", "subtract", Arithmetic::subtract},
                              {"*", "multiply", Arithmetic::multiply},
                              {"/", "divide", Arithmetic::divide},
                              {"", "true_divide", Arithmetic::divide},
                              {"//", "floor_divide", Arithmetic::floor_divide},
                              {"%", "remainder", Arithmetic::remainder},
                              {"", "mod", Arithmetic::remainder},
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
                              {"", "logical_xor", Arithmetic::logical_xor},
                              {"", "arctan2", Arithmetic::arc_tangent2},
                              {"", "atan2", Arithmetic::arc_tangent2},
                              {"", "hypot", Arithmetic::hypotenuse},
                              {"", "logaddexp", Arithmetic::log_add_exp},
                              {"", "logaddexp2", Arithmetic::log_add_exp2},
                              {"", "copysign", Arithmetic::copy_sign},
                              {"", "nextafter", Arithmetic::next_after},
                              {"", "heaviside", Arithmetic::step_function},
                              {"", "gcd", Arithmetic::common_divisor},
                              {"", "lcm", Arithmetic::common_multiple},
                              {"", "pow", Arithmetic::power},
                              {"", "bitwise_left_shift", Arithmetic::shift_left},
                              {"", "bitwise_right_shift", Arithmetic::shift_right},
                              {"", "fmod", Arithmetic::truncated_remainder}};
constexpr Ufunc unaries[] = {{"-", "negative", Arithmetic::negate},
                             {"", "conjugate", Arithmetic::conjugate},
                             {"", "conj", Arithmetic::conjugate},
                             {"+", "positive", Arithmetic::identity},
                             {"~", "invert", Arithmetic::invert},
                             {"", "bitwise_not", Arithmetic::invert},
                             {"", "bitwise_invert", Arithmetic::invert},
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
                             {"", "arcsin", Arithmetic::arc_sine},
                             {"", "asin", Arithmetic::arc_sine},
                             {"", "arccos", Arithmetic::arc_cosine},
                             {"", "acos", Arithmetic::arc_cosine},
                             {"", "arctan", Arithmetic::arc_tangent},
                             {"", "atan", Arithmetic::arc_tangent},
                             {"", "sinh", Arithmetic::sinh},
                             {"", "cosh", Arithmetic::cosh},
                             {"", "arcsinh", Arithmetic::area_sine},
                             {"", "asinh", Arithmetic::area_sine},
                             {"", "arccosh", Arithmetic::area_cosine},
                             {"", "acosh", Arithmetic::area_cosine},
                             {"", "arctanh", Arithmetic::area_tangent},
                             {"", "atanh", Arithmetic::area_tangent},
                             {"", "cbrt", Arithmetic::cube_root},
                             {"", "fabs", Arithmetic::absolute, true},
                             {"", "deg2rad", Arithmetic::to_radians, true},
                             {"", "radians", Arithmetic::to_radians, true},
                             {"", "rad2deg", Arithmetic::to_degrees_rounded, true},
                             {"", "degrees", Arithmetic::to_degrees_rounded, true},
                             {"", "reciprocal", Arithmetic::reciprocal_by_ratio},
                             {"", "signbit", Arithmetic::sign_bit},
                             {"", "expm1", Arithmetic::expm1}};

/// Those of axes, not of elements, and which axes they read.
constexpr std::pair<std::string_view, std::string_view> products[] = {{"matmul", "(n?,k),(k,m?)->(n?,m?)"},
                                                                      {"vecdot", "(n),(n)->()"},
                                                                      {"matvec", "(m,n),(n)->(m)"},
                                                                      {"vecmat", "(n),(n,m)->(m)"}};

/// What such a ufunc reads; empty where it is none.
std::string_view product_signature(std::string_view name) {
  const auto* found = std::find_if(std::begin(products), std::end(products),
                                   [&](const auto& product) { return product.first == name; });
  return found == std::end(products) ? std::string_view() : found->second;
}

/// The entry that a form's name stands for: "+", "numpy.add"; of several names of a ufunc the operator's or the first,
/// its own.
template <size_t Count>
const Ufunc& named(const Ufunc (&table)[Count], std::string_view name) {
  const size_t dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
  const Ufunc& found = *std::find_if(std::begin(table), std::end(table), [&](const Ufunc& entry) {
    return entry.symbol == last || entry.function == last;
  });
  if (!found.symbol.empty() || found.own) return found;
  return *std::find_if(std::begin(table), std::end(table), [&](const Ufunc& entry) { return entry.op == found.op; });
}

}  // namespace

const Ufunc& binary_ufunc(std::string_view form) { return named(binaries, form); }
const Ufunc& unary_ufunc(std::string_view form) { return named(unaries, form); }

const Ufunc& ufunc_of_method(const Call& call) { return binary_ufunc(call.name().substr(0, call.name().rfind('.'))); }

bool is_ufunc(std::string_view path) {
  if (!path.starts_with("numpy.")) return false;
  const std::string_view name = path.substr(6);
  const auto is_it = [&](const Ufunc& entry) { return entry.function == name; };
  return std::any_of(std::begin(binaries), std::end(binaries), is_it) ||
         std::any_of(std::begin(unaries), std::end(unaries), is_it) || !product_signature(name).empty();
}

Value identity_of(const Ufunc& what) {
  switch (what.op) {
    case Arithmetic::add:
    case Arithmetic::bit_or:
    case Arithmetic::bit_xor:
    case Arithmetic::common_divisor:
    case Arithmetic::hypotenuse: return {int64_t{0}};
    case Arithmetic::log_add_exp:
    case Arithmetic::log_add_exp2: return {-INFINITY};
    case Arithmetic::multiply: return {int64_t{1}};
    case Arithmetic::bit_and: return {int64_t{-1}};
    case Arithmetic::logical_and: return {true};
    case Arithmetic::logical_or:
    case Arithmetic::logical_xor: return {false};
    default: return {};
  }
}

std::optional<Value> ufunc_attribute(std::string_view path, std::string_view attribute) {
  const std::string_view own = path.substr(6);
  const bool product = !product_signature(own).empty();
  const bool two = product || std::any_of(std::begin(binaries), std::end(binaries),
                                          [&](const Ufunc& entry) { return entry.function == own; });
  if (attribute == "__name__" || attribute == "__qualname__")
    return Value{std::string(product ? own : two ? binary_ufunc(path).function : unary_ufunc(path).function)};
  if (attribute == "nin") return Value{int64_t{two ? 2 : 1}};
  if (attribute == "nout") return Value{int64_t{1}};
  if (attribute == "nargs") return Value{int64_t{two ? 3 : 2}};
  if (attribute == "identity") return two && !product ? identity_of(binary_ufunc(path)) : Value{};
  if (attribute == "signature") return product ? Value{std::string(product_signature(own))} : Value{};
  return std::nullopt;
}

}  // namespace stridescope
