#include "ops/python/builtin_numbers.h"

#include <charconv>
#include <cmath>
#include <complex>
#include <utility>

#include "lang/number.h"
#include "lang/utf8.h"
#include "layout/checked.h"
#include "ops/call.h"

namespace stridescope {
namespace {

using Values = std::vector<Value>;

/// int(tensor) and float(tensor) are for one element.
std::optional<Diagnostic> not_one_element(const Values& arguments) {
  const TensorPtr tensor = tensor_of(arguments[0]);
  if (tensor && tensor->numbers() == DType::structured && numel(tensor->layout.sizes) == 1)
    return limit(Msg::not_modelled, {"NumPy", "numbers of " + dtype_text(*tensor)});
  if (!tensor || numel(tensor->layout.sizes) == 1) return std::nullopt;
  const bool torch = tensor->library == Library::torch;
  return python_error(torch ? "ValueError" : "TypeError",
                      torch ? "only one element tensors can be converted to Python scalars"
                            : "only length-1 arrays can be converted to Python scalars",
                      Msg::item_needs_one, {numel(tensor->layout.sizes).value_or(-1)});
}

/// A string, or the characters of bytes.
std::optional<std::string> text_of(const Value& value) {
  const auto* bytes = std::get_if<Sequence>(&value.held);
  if (!bytes || bytes->kind != Sequence::Kind::bytes) {
    const auto* text = std::get_if<std::string>(&value.held);
    return text ? std::optional(*text) : std::nullopt;
  }
  std::string text;
  for (const Value& item : *bytes->items) append_utf8(text, static_cast<char32_t>(*as_integer(item)));
  return text;
}

/// What stands between blanks, in small letters and without underscores between digits, or `letters`; nothing where one
/// stands elsewhere.
std::optional<std::string> plain_digits(std::string_view text, bool letters = false) {
  constexpr std::string_view blanks = " \t\n\v\f\r";
  while (!text.empty() && blanks.find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  while (!text.empty() && blanks.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  const auto is_digit = [&](size_t i) {
    return i < text.size() && ((text[i] >= '0' && text[i] <= '9') || (letters && (text[i] | 32) >= 'a'));
  };
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '_')
      result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!is_digit(i - 1) || !is_digit(i + 1))
      return std::nullopt;
  }
  return result;
}

/// int(text, base)
Outcome integer_in_text(const Value& given, int64_t asked) {
  const auto whole = plain_digits(*text_of(given), asked != 10);
  std::string_view text = whole ? std::string_view(*whole) : std::string_view();
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  // A prefix says the base, or may stand for the one that was asked for.
  int base = asked == 0 ? 10 : static_cast<int>(asked);
  for (const auto& [prefix, own] : {std::pair("0b", 2), std::pair("0o", 8), std::pair("0x", 16)})
    if ((asked == 0 || asked == own) && text.starts_with(prefix)) {
      text.remove_prefix(2);
      base = own;
      break;
    }
  const bool padded = asked == 0 && base == 10 && text.starts_with('0') && text.find_first_not_of('0') != text.npos;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (text.empty() || text[0] == '-' || end != text.data() + text.size() || padded)
    return python_error("ValueError",
                        {"invalid literal for int() with base ", asked, ": ", to_string(given, std::string::npos)},
                        Msg::argument_has_type, {"x", "int", type_name(given)});
  if (error != std::errc{} || number > INT64_MAX) return limit(Msg::beyond_int64);
  return Value{negative ? -static_cast<int64_t>(number) : static_cast<int64_t>(number)};
}

/// A number as text, with a sign and blanks around it: "7", " -2.5 ", "1_000", "1e3", "inf", "nan".
std::optional<double> read_number(std::string_view written) {
  const auto plain = plain_digits(written);
  if (!plain) return std::nullopt;
  std::string_view text = *plain;
  const double sign = text.starts_with('-') ? -1 : 1;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const auto size = text == "inf" || text == "infinity" ? std::optional(double{INFINITY})
                    : text == "nan"                     ? std::optional(std::nan(""))
                                                        : parse_real(text);
  return size ? std::optional(sign * *size) : std::nullopt;
}

/// A complex element is no real number, as its library says it; PyTorch asks whether it has an imaginary part.  @pre a
/// tensor has one element
std::optional<Diagnostic> not_real(const Value& value, std::string_view function, std::string_view torch_type) {
  const TensorPtr tensor = tensor_of(value);
  if (!tensor || !is_complex(tensor->dtype)) return std::nullopt;
  const Scalar one = element(elements_of(*tensor), 0);
  if (tensor->library == Library::torch && one.imaginary == 0 && std::isfinite(one.real)) return std::nullopt;
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
  if (!(tensor && is_complex(tensor->dtype)) && !(scalar && is_complex(scalar->dtype()))) return value;
  const Scalar one = tensor ? element(elements_of(*tensor), 0) : scalar->value();
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
  const bool text = text_of(arguments[0]).has_value();
  if (arguments.size() > 1) {
    const auto base = as_integer(arguments[1]);
    if (!base || !text)
      return python_error(
          "TypeError",
          base ? Slots{"int() can't convert non-string with explicit base"}
               : Slots{"'", attribute_type(arguments[1]), "' object cannot be interpreted as an integer"},
          Msg::argument_has_type, {base ? "x" : "base", base ? "str" : "int", type_name(arguments[base ? 0 : 1])});
    if (*base != 0 && (*base < 2 || *base > 36))
      return python_error("ValueError", "int() base must be >= 2 and <= 36, or 0", Msg::argument_has_type,
                          {"base", "int", *base});
    return integer_in_text(arguments[0], *base);
  }
  if (text) return integer_in_text(arguments[0], 10);
  if (auto problem = not_real(arguments[0], "int", "int64_t")) return std::move(*problem);
  if (const auto number = as_integer(arguments[0])) return Value{*number};
  if (const auto number = as_real(arguments[0])) {
    if (auto problem = no_integer(*number)) return *std::move(problem);
    return Value{static_cast<int64_t>(*number)};
  }
  return python_error(
      "TypeError",
      {"int() argument must be a string, a bytes-like object or a real number, not '", type_name(arguments[0]), "'"},
      Msg::argument_has_type, {"x", "int", type_name(arguments[0])});
}

Outcome to_real(const Values& arguments) {
  if (arguments.empty()) return Value{0.0};
  if (auto problem = not_one_element(arguments)) return std::move(*problem);
  if (auto problem = not_real(arguments[0], "float", "double")) return std::move(*problem);
  if (is_unknown(arguments[0])) return Value{Float::unknown()};
  if (const auto number = as_real(arguments[0])) return Value{*number};
  if (const auto text = text_of(arguments[0])) {
    if (const auto number = read_number(*text)) return Value{*number};
    return python_error("ValueError",
                        {"could not convert string to float: ", to_string(arguments[0], std::string::npos)},
                        Msg::argument_has_type, {"x", "float", type_name(arguments[0])});
  }
  return python_error("TypeError",
                      {"float() argument must be a string or a real number, not '", type_name(arguments[0]), "'"},
                      Msg::argument_has_type, {"x", "float", type_name(arguments[0])});
}

Outcome to_complex(const Values& arguments) {
  std::complex<double> parts[2] = {};
  bool complex[2] = {};
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments.size() == 1 && text_of(arguments[i])) return limit(Msg::not_modelled, {"Python", "complex(str)"});
    if (auto problem = not_one_element({arguments[i]})) return std::move(*problem);
    const Value own = one_number(arguments[i]);
    if (const auto* number = std::get_if<ComplexFloat>(&own.held))
      parts[i] = *number, complex[i] = true;
    else if (const auto real = as_real(own))
      parts[i] = *real;
    else
      return python_error("TypeError",
                          "complex() first argument must be a string or a number, not '" + type_name(own) + "'",
                          Msg::argument_has_type, {"x", "complex", type_name(own)});
  }
  // Not by a product, which makes NaN of both parts where one is not finite; and 0 has a sign.
  const double real = complex[1] ? parts[0].real() - parts[1].imag() : parts[0].real();
  const double imaginary = arguments.size() < 2 ? parts[0].imag()
                           : complex[0]         ? parts[0].imag() + parts[1].real()
                                                : parts[1].real();
  return Value{std::complex<double>(real, imaginary)};
}

Outcome modular_power(const Values& arguments) {
  int64_t numbers[3] = {};
  for (size_t i = 0; i < 3; ++i) {
    const auto& held = arguments[i].held;
    const bool whole = std::holds_alternative<int64_t>(held) || std::holds_alternative<bool>(held);
    if (whole)
      numbers[i] = *as_integer(arguments[i]);
    else if (std::holds_alternative<Float>(held) && (i == 0 || std::holds_alternative<int64_t>(arguments[0].held)))
      return python_error("TypeError", "pow() 3rd argument not allowed unless all arguments are integers",
                          Msg::argument_has_type, {i == 0 ? "base" : i == 1 ? "exp" : "mod", "int", "float"});
    else
      return limit(Msg::not_modelled, {"Python", "pow(.., " + type_name(arguments[i]) + ")"});
  }
  auto [base, exponent, modulus] = numbers;
  if (modulus == 0) return python_error("ValueError", "pow() 3rd argument cannot be 0", Msg::division_by_zero);
  if (modulus > INT32_MAX || modulus < -INT32_MAX || exponent == INT64_MIN) return limit(Msg::beyond_int64);
  // The remainder has the sign of the modulus.
  const auto rest = [m = modulus](int64_t number) { return (number % m + m) % m; };
  base = rest(base);
  if (exponent < 0) {
    // Euclid's algorithm: what the base is to be multiplied by for 1.
    int64_t a = base, b = modulus, inverse = 1, next = 0;
    while (b != 0) {
      const int64_t quotient = a / b;
      a = std::exchange(b, a - quotient * b);
      inverse = std::exchange(next, inverse - quotient * next);
    }
    if (a != 1 && a != -1)
      return python_error("ValueError", "base is not invertible for the given modulus", Msg::math_domain);
    base = rest(inverse * a);
    exponent = -exponent;
  }
  int64_t power = rest(1);
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) power = rest(power * base);
    base = rest(base * base);
  }
  return Value{power};
}

Outcome character(const Values& arguments) {
  const auto code = as_integer(arguments[0]);
  if (!code || tensor_of(arguments[0]))
    return tensor_of(arguments[0])
               ? Outcome(limit(Msg::not_modelled, {"Python", "chr(" + type_name(arguments[0]) + ")"}))
               : python_error("TypeError",
                              {"'", attribute_type(arguments[0]), "' object cannot be interpreted as an integer"},
                              Msg::argument_has_type, {"i", "int", type_name(arguments[0])});
  if (*code < 0 || *code > 0x10ffff)
    return python_error("ValueError", "chr() arg not in range(0x110000)", Msg::argument_has_type,
                        {"i", "0 .. 1114111", *code});
  if (*code >= 0xd800 && *code < 0xe000) return limit(Msg::not_modelled, {"Python", "chr(surrogate)"});
  std::string text;
  append_utf8(text, static_cast<char32_t>(*code));
  return Value{text};
}

Outcome code_of(const Values& arguments) {
  const auto text = text_of(arguments[0]);
  if (!text)
    return python_error("TypeError",
                        {"ord() expected string of length 1, but ", type_name(arguments[0]), " found"},
                        Msg::argument_has_type, {"c", "str", type_name(arguments[0])});
  int64_t length = 0, code = 0;
  for (size_t at = 0; at < text->size(); ++length) {
    const CodePoint one = decode(*text, at);
    code = static_cast<int64_t>(one.value);
    at += static_cast<size_t>(one.bytes);
  }
  if (length == 1) return Value{code};
  return python_error("TypeError", {"ord() expected a character, but string of length ", length, " found"},
                      Msg::argument_has_type, {"c", "str", type_name(arguments[0])});
}

Outcome absolute(const Values& arguments) {
  if (const auto* number = std::get_if<ComplexFloat>(&arguments[0].held)) return Value{std::abs(*number)};
  if (!std::holds_alternative<Float>(arguments[0].held) && !std::holds_alternative<int64_t>(arguments[0].held) &&
      !std::holds_alternative<bool>(arguments[0].held))
    return python_error("TypeError", {"bad operand type for abs(): '", type_name(arguments[0]), "'"},
                        Msg::operand_does_not_fit, {"abs", type_name(arguments[0])});
  return python_unary(!is_unknown(arguments[0]) && *as_real(arguments[0]) < 0 ? "-" : "+", arguments[0]);
}

Outcome python_round(const Values& arguments) {
  const Value& x = arguments[0];
  const bool digits = arguments.size() > 1 && !std::holds_alternative<None>(arguments[1].held);
  const auto* scalar = std::get_if<NumpyScalar>(&x.held);
  const bool real = std::holds_alternative<Float>(x.held),
             whole = std::holds_alternative<int64_t>(x.held) || std::holds_alternative<bool>(x.held);
  if (!real && !whole && !(scalar && scalar->dtype() != DType::boolean && !is_complex(scalar->dtype()))) {
    const TensorPtr tensor = tensor_of(x);
    const bool numpy = scalar || (tensor && tensor->library == Library::numpy);
    if (scalar && is_complex(scalar->dtype())) return limit(Msg::not_modelled, {"NumPy", "round(complex)"});
    const std::string type = (numpy ? "numpy." : "") + type_name(x);
    return python_error("TypeError", {"type ", type, " doesn't define __round__ method"}, Msg::operand_does_not_fit,
                        {"round", type});
  }
  const auto places = digits ? as_integer(arguments[1]) : 0;
  if (!places)
    return python_error("TypeError",
                        {"'", attribute_type(arguments[1]), "' object cannot be interpreted as an integer"},
                        Msg::argument_has_type, {"ndigits", "int", type_name(arguments[1])});
  if (const auto number = as_integer(x); number && (whole || (scalar && !digits))) {
    if (*places >= 0) return Value{*number};
    constexpr int64_t half_of_most = 5'000'000'000'000'000'000;  // of 10^19, which int64_t does not hold
    if (*places == -19 && (*number > half_of_most || *number < -half_of_most)) return limit(Msg::beyond_int64);
    if (*places < -18) return Value{int64_t{0}};
    const auto scale = static_cast<int64_t>(std::pow(10.0, -*places));
    const int64_t rest = std::abs(*number % scale), half = scale / 2, units = *number / scale;
    const bool away = rest > half || (rest == half && units % 2 != 0);
    const auto rounded = checked_mul(units + (!away ? 0 : *number < 0 ? -1 : 1), scale);
    return rounded ? Outcome{Value{*rounded}} : limit(Msg::beyond_int64);
  }
  if (digits && real && is_unknown(x)) return x;
  const double number = *as_real(x);
  if (auto problem = digits ? std::nullopt : no_integer(number)) return *std::move(problem);
  if (!digits) return Value{static_cast<int64_t>(std::nearbyint(number))};
  const double result = !std::isfinite(number) || *places > 22 ? number
                        : *places < -308                       ? 0.0
                                                               : nearest_decimal(number, static_cast<int>(*places));
  return scalar ? Value{NumpyScalar{converted(real_scalar(result, DType::float64), scalar->dtype())}} : Value{result};
}

}  // namespace stridescope
