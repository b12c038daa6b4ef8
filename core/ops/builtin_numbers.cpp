#include "ops/builtin_numbers.h"

#include <cmath>
#include <complex>

#include "lang/number.h"
#include "ops/call.h"

namespace stridescope {
namespace {

using Values = std::vector<Value>;

/// int(tensor) and float(tensor) are for one element.
std::optional<Diagnostic> not_one_element(const Values& arguments) {
  const TensorPtr tensor = tensor_of(arguments[0]);
  if (!tensor || numel(tensor->layout.sizes) == 1) return std::nullopt;
  const bool torch = tensor->library == Library::torch;
  return python_error(torch ? "ValueError" : "TypeError",
                      torch ? "only one element tensors can be converted to Python scalars"
                            : "only length-1 arrays can be converted to Python scalars",
                      Msg::item_needs_one, {numel(tensor->layout.sizes).value_or(-1)});
}

/// A number as text, with a sign and blanks around it: "7", " -2.5 ", "1e3", "inf", "nan".
std::optional<double> read_number(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const double sign = text.starts_with('-') ? -1 : 1;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const auto size = text == "inf"   ? std::optional(double{INFINITY})
                    : text == "nan" ? std::optional(std::nan(""))
                                    : parse_real(text);
  return size ? std::optional(sign * *size) : std::nullopt;
}

/// A complex element is no real number, as its library says it; PyTorch asks whether it has an imaginary part.  @pre a
/// tensor has one element
std::optional<Diagnostic> not_real(const Value& value, std::string_view function, std::string_view torch_type) {
  const TensorPtr tensor = tensor_of(value);
  if (!tensor || !is_complex(tensor->dtype)) return std::nullopt;
  if (tensor->library == Library::torch && element(elements_of(*tensor), 0).imaginary == 0) return std::nullopt;
  const Message reason(Msg::argument_has_type, {"x", function, "complex"});
  if (tensor->library == Library::torch)
    return python_error("RuntimeError", {"value cannot be converted to type ", torch_type, " without overflow"},
                        reason);
  const std::string_view bytes = function == "int" ? ", a bytes-like object" : "";
  return python_error("TypeError",
                      {function, "() argument must be a string", bytes, " or a real number, not 'complex'"}, reason);
}

/// The element of a tensor or NumPy scalar where it is complex, as Python's number; any other value as it is.
Value one_number(const Value& value) {
  const TensorPtr tensor = tensor_of(value);
  const auto* scalar = std::get_if<NumpyScalar>(&value.held);
  if (!(tensor && is_complex(tensor->dtype)) && !(scalar && is_complex(scalar->value.dtype))) return value;
  const Scalar one = tensor ? element(elements_of(*tensor), 0) : scalar->value;
  return Value{std::complex<double>(one.real, one.imaginary)};
}

/// Why the number becomes none of Python's integers, or none that is kept here; nothing where it does.
std::optional<Diagnostic> no_integer(double number) {
  if (std::isnan(number)) return python_error("ValueError", "cannot convert float NaN to integer", Msg::beyond_int64);
  if (std::isinf(number))
    return python_error("OverflowError", "cannot convert float infinity to integer", Msg::beyond_int64);
  if (std::abs(number) < 9.2e18) return std::nullopt;
  return limit(Msg::beyond_int64);
}

/// The multiple of 10^-digits that is nearest to x, of two the even one.  @pre digits <= 22, x finite
double nearest_decimal(double x, int digits) {
  const double scale = std::pow(10.0, std::abs(digits));
  if (digits < 0) return std::nearbyint(x / scale) * scale;
  const double scaled = x * scale, lost = std::fma(x, scale, -scaled);
  double whole = std::nearbyint(scaled);
  // What rounding the product has hidden decides a tie.
  if (scaled - whole == 0.5 && lost > 0) whole += 1;
  if (scaled - whole == -0.5 && lost < 0) whole -= 1;
  return std::isfinite(scaled) ? whole / scale : x;
}

}  // namespace

Outcome to_integer(const Values& arguments) {
  if (arguments.empty()) return Value{int64_t{0}};
  if (auto problem = not_one_element(arguments)) return std::move(*problem);
  if (const auto* real = std::get_if<double>(&arguments[0].held)) {
    if (auto problem = no_integer(*real)) return *std::move(problem);
    return Value{static_cast<int64_t>(*real)};
  }
  if (const std::string* text = std::get_if<std::string>(&arguments[0].held)) {
    const auto number = read_number(*text);
    if (!number || text->find_first_of(".eEin") != std::string::npos)
      return python_error("ValueError", {"invalid literal for int() with base 10: '", *text, "'"},
                          Msg::argument_has_type, {"x", "int", "str"});
    if (!(std::abs(*number) < 9007199254740992.0)) return limit(Msg::beyond_int64);
    return Value{static_cast<int64_t>(*number)};
  }
  if (auto problem = not_real(arguments[0], "int", "int64_t")) return std::move(*problem);
  if (const auto number = as_integer(arguments[0])) return Value{*number};
  if (const auto number = as_real(arguments[0]); number && std::abs(*number) < 9.2e18)
    return Value{static_cast<int64_t>(*number)};
  return python_error(
      "TypeError",
      {"int() argument must be a string, a bytes-like object or a real number, not '", type_name(arguments[0]), "'"},
      Msg::argument_has_type, {"x", "int", type_name(arguments[0])});
}

Outcome to_real(const Values& arguments) {
  if (arguments.empty()) return Value{0.0};
  if (auto problem = not_one_element(arguments)) return std::move(*problem);
  if (auto problem = not_real(arguments[0], "float", "double")) return std::move(*problem);
  if (const auto number = as_real(arguments[0])) return Value{*number};
  if (const auto* text = std::get_if<std::string>(&arguments[0].held)) {
    if (const auto number = read_number(*text)) return Value{*number};
    return python_error("ValueError", {"could not convert string to float: '", *text, "'"}, Msg::argument_has_type,
                        {"x", "float", "str"});
  }
  return python_error("TypeError",
                      {"float() argument must be a string or a real number, not '", type_name(arguments[0]), "'"},
                      Msg::argument_has_type, {"x", "float", type_name(arguments[0])});
}

Outcome to_complex(const Values& arguments) {
  std::complex<double> parts[2] = {};
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (auto problem = not_one_element({arguments[i]})) return std::move(*problem);
    const Value own = one_number(arguments[i]);
    if (const auto* number = std::get_if<std::complex<double>>(&own.held))
      parts[i] = *number;
    else if (const auto real = as_real(own))
      parts[i] = *real;
    else
      return python_error("TypeError",
                          "complex() first argument must be a string or a number, not '" + type_name(own) + "'",
                          Msg::argument_has_type, {"x", "complex", type_name(own)});
  }
  // Not by a product: that would make NaN of both parts where one is not finite.
  return Value{std::complex<double>(parts[0].real() - parts[1].imag(), parts[0].imag() + parts[1].real())};
}

Outcome absolute(const Values& arguments) {
  if (const auto* number = std::get_if<std::complex<double>>(&arguments[0].held)) return Value{std::abs(*number)};
  if (!std::holds_alternative<double>(arguments[0].held) && !std::holds_alternative<int64_t>(arguments[0].held) &&
      !std::holds_alternative<bool>(arguments[0].held))
    return python_error("TypeError", {"bad operand type for abs(): '", type_name(arguments[0]), "'"},
                        Msg::operand_does_not_fit, {"abs", type_name(arguments[0])});
  return python_unary(*as_real(arguments[0]) < 0 ? "-" : "+", arguments[0]);
}

Outcome python_round(const Values& arguments) {
  const Value& x = arguments[0];
  const bool digits = arguments.size() > 1 && !std::holds_alternative<None>(arguments[1].held);
  const auto* scalar = std::get_if<NumpyScalar>(&x.held);
  const bool real = std::holds_alternative<double>(x.held),
             whole = std::holds_alternative<int64_t>(x.held) || std::holds_alternative<bool>(x.held);
  if (!real && !whole && !(scalar && scalar->value.dtype != DType::boolean && !is_complex(scalar->value.dtype))) {
    const TensorPtr tensor = tensor_of(x);
    const bool numpy = scalar || (tensor && tensor->library == Library::numpy);
    const std::string type = (numpy ? "numpy." : "") + type_name(x);
    return python_error("TypeError", {"type ", type, " doesn't define __round__ method"}, Msg::operand_does_not_fit,
                        {"round", type});
  }
  const auto places = digits ? as_integer(arguments[1]) : 0;
  if (!places)
    return python_error("TypeError", {"'", type_name(arguments[1]), "' object cannot be interpreted as an integer"},
                        Msg::argument_has_type, {"ndigits", "int", type_name(arguments[1])});
  if (const auto number = as_integer(x); number && (whole || (scalar && !digits))) {
    if (*places >= 0) return Value{*number};
    const auto scale = *places < -18 ? std::nullopt : std::optional(static_cast<int64_t>(std::pow(10.0, -*places)));
    if (!scale) return Value{int64_t{0}};
    const int64_t rest = (*number % *scale + *scale) % *scale, low = *number - rest, half = *scale / 2;
    const bool up = rest > half || (rest == half && low / *scale % 2 != 0);
    return Value{up ? low + *scale : low};
  }
  const double number = *as_real(x);
  if (auto problem = digits ? std::nullopt : no_integer(number)) return *std::move(problem);
  if (!digits) return Value{static_cast<int64_t>(std::nearbyint(number))};
  const double result = !std::isfinite(number) || *places > 22 ? number
                        : *places < -308                       ? 0.0
                                                               : nearest_decimal(number, static_cast<int>(*places));
  return scalar ? Value{NumpyScalar{converted(real_scalar(result, DType::float64), scalar->value.dtype)}}
                : Value{result};
}

}  // namespace stridescope
