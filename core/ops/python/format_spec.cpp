#include "ops/python/format_spec.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lang/utf8.h"
#include "ops/number.h"

namespace stridescope {
namespace {

std::string in_upper_case(std::string text) {
  for (char& c : text) c = c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

/// A format code as errors show it.
std::string shown(char32_t code) {
  if (code > 32 && code < 128) return {static_cast<char>(code)};
  char digits[8];
  return "\\x" + std::string(digits, std::to_chars(digits, digits + sizeof digits, uint32_t{code}, 16).ptr);
}

}  // namespace

bool FormatSpec::is_among(std::string_view types) const {
  return type == 0 || (type < 128 && types.find(static_cast<char>(type)) != std::string_view::npos);
}

std::string FormatSpec::read(std::string_view text, std::string_view value_type) {
  const std::string_view whole = text;
  const auto taken = [&](std::string_view choice) {
    const char c = text.empty() || choice.find(text[0]) == std::string_view::npos ? '\0' : text[0];
    if (c != 0) text.remove_prefix(1);
    return c;
  };
  bool too_many = false;
  const auto number = [&](int64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end == text.data() || text[0] == '-') return false;
    too_many |= error != std::errc{};
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return true;
  };
  constexpr std::string_view aligns = "<>=^";
  const auto first = static_cast<size_t>(stridescope::decode(text, 0).bytes);
  const bool filled = text.size() > first && aligns.find(text[first]) != std::string_view::npos;
  if (filled) {
    fill = text.substr(0, first);
    text.remove_prefix(first);
  }
  align = taken(aligns);
  sign = taken("+- ");
  positive_zero = taken("z") != 0;
  alternate = taken("#") != 0;
  if (!filled && taken("0")) fill = "0";
  number(width);
  grouping = taken(",");
  const char under = taken("_");
  if ((grouping != 0 && under != 0) || (under != 0 && taken(","))) return "Cannot specify both ',' and '_'.";
  if (under != 0) grouping = under;
  const bool lacks = taken(".") != 0 && !number(precision);
  if (too_many) return "Too many decimal digits in format string";
  if (lacks) return "Format specifier missing precision";
  const CodePoint code = text.empty() ? CodePoint{0, 0} : stridescope::decode(text, 0);
  if (text.size() > static_cast<size_t>(code.bytes))
    return "Invalid format specifier '" + std::string(whole) + "' for object of type '" + std::string(value_type) + "'";
  type = code.value;
  const bool unmarked = type == 0 && value_type == "str";
  if (grouping != 0 && (unmarked || !is_among(grouping == '_' ? "deEfFgG%boxX" : "deEfFgG%")))
    return std::string("Cannot specify '") + grouping + "' with '" + (unmarked ? "s" : shown(type)) + "'.";
  return {};
}

std::string FormatSpec::misfit(std::string_view value_type) const {
  const bool text = value_type == "str", complex = value_type == "complex",
             whole = value_type == "int" || value_type == "bool";
  if (!is_among(text ? "s" : complex ? "eEfFgGn" : whole ? "bcdeEfFgGnoxX%" : "eEfFgGn%"))
    return "Unknown format code '" + shown(type) + "' for object of type '" + std::string(value_type) + "'";
  if (complex && fill == "0") return "Zero padding is not allowed in complex format specifier";
  if (complex && align == '=') return "'=' alignment flag is not allowed in complex format specifier";
  if (text && sign != 0) return std::string(sign == ' ' ? "Space" : "Sign") + " not allowed in string format specifier";
  if (whole && !is_whole()) return {};  // it is written as a real number
  if (whole && precision >= 0) return "Precision not allowed in integer format specifier";
  if (positive_zero && (text || whole))
    return "Negative zero coercion (z) not allowed in " + std::string(text ? "string" : "integer") +
           " format specifier";
  if (whole && type == 'c' && sign != 0) return "Sign not allowed with integer format specifier 'c'";
  if (alternate && text) return "Alternate form (#) not allowed in string format specifier";
  if (alternate && type == 'c') return "Alternate form (#) not allowed with integer format specifier 'c'";
  return text && align == '=' ? "'=' alignment not allowed in string format specifier" : "";
}

std::string FormatSpec::grouped(std::string digits, size_t others) const {
  const size_t each = is_among("deEfFgG%") ? 3 : 4;
  if (grouping == 0 || digits.empty()) return digits;
  const bool zeros = fill == "0" && (align == 0 || align == '=');
  while (zeros && digits.size() + (digits.size() - 1) / each + others < static_cast<size_t>(width))
    digits.insert(0, 1, '0');
  for (size_t at = digits.size(); at > each;) digits.insert(at -= each, 1, grouping);
  return digits;
}

std::string FormatSpec::sign_of(bool negative) const {
  if (negative) return "-";
  return sign == '+' || sign == ' ' ? std::string(1, sign) : std::string();
}

std::string FormatSpec::padded(const std::string& text) const { return aligned("", text, '<'); }

std::string FormatSpec::padded(const std::string& sign_and_prefix, const std::string& digits) const {
  return aligned(sign_and_prefix, digits, fill == "0" ? '=' : '>');
}

std::string FormatSpec::aligned(const std::string& sign_and_prefix, const std::string& text, char usual) const {
  const int64_t missing = std::max<int64_t>(width - character_count(sign_and_prefix) - character_count(text), 0);
  const char where = align != 0 ? align : usual;
  const int64_t before = where == '<' ? 0 : where == '^' ? missing / 2 : missing;
  const auto padding = [&](int64_t count) {
    std::string result;
    for (int64_t i = 0; i < count; ++i) result += fill;
    return result;
  };
  if (where == '=') return sign_and_prefix + padding(missing) + text;
  return padding(before) + sign_and_prefix + text + padding(missing - before);
}

std::string FormatSpec::written(const std::string& text) const {
  size_t end = 0;
  for (int i = 0; end < text.size() && i != precision; ++i)
    end += static_cast<size_t>(stridescope::decode(text, end).bytes);
  return padded(text.substr(0, end));
}

std::string FormatSpec::written(int64_t number) const {
  if (type == 'c') {
    std::string character;
    append_utf8(character, static_cast<char32_t>(number));
    return padded("", character);
  }
  const int base = type == 'b' ? 2 : type == 'o' ? 8 : (type | 0x20) == 'x' ? 16 : 10;
  const auto bits = static_cast<uint64_t>(number);
  char digits[64];
  const char* end = std::to_chars(digits, digits + sizeof digits, number < 0 ? 0 - bits : bits, base).ptr;
  std::string sign_and_prefix = sign_of(number < 0);
  if (alternate && base != 10) (sign_and_prefix += '0') += static_cast<char>(type);
  const std::string text = grouped(std::string(static_cast<const char*>(digits), end), sign_and_prefix.size());
  return padded(sign_and_prefix, type == 'X' ? in_upper_case(text) : text);
}

std::string FormatSpec::written(double number) const {
  const bool percent = type == '%', bare = type == 0;
  const double magnitude = std::fabs(number) * (percent ? 100 : 1);
  const int places = precision < 0 ? 6 : static_cast<int>(precision);
  const auto lower = type | 0x20;
  std::string text;
  if (!std::isfinite(magnitude) || (bare && precision < 0))
    text = repr(magnitude);
  else if (lower == 'f' || percent)
    text = fixed_point(magnitude, places);
  else if (lower == 'e')
    text = with_exponent(magnitude, places);
  else
    text = general(magnitude, places, bare);
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool zero = std::isfinite(magnitude) && text.find_first_of("123456789") >= text.find('e');
  const std::string own = sign_of(std::signbit(number) && !std::isnan(number) && !(positive_zero && zero));
  text = grouped(text.substr(0, digits), own.size() + text.size() - digits + (percent ? 1 : 0)) + text.substr(digits);
  if (percent) text += '%';
  return padded(own, lower != type && is_among("EFG") && !bare ? in_upper_case(text) : text);
}

std::string FormatSpec::written(std::complex<double> number) const {
  const bool bare = type == 0, alone = bare && number.real() == 0 && !std::signbit(number.real());
  FormatSpec part = *this;
  part.width = 0;
  const auto written_part = [&](double one) {
    if (bare && precision >= 0) part.type = 'g';
    std::string text = part.written(one);
    if (bare && precision < 0 && text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
  };
  std::string text = alone ? "" : written_part(number.real());
  if (!alone) part.sign = '+';
  text += written_part(number.imag()) + 'j';
  return aligned("", bare && !alone ? "(" + text + ")" : text, '>');
}

}  // namespace stridescope
