#include "ops/format_spec.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lang/utf8.h"
#include "ops/number.h"

namespace stridescope {
namespace {

/// Digits in groups, from the right.
std::string grouped(std::string digits, char mark) {
  for (int at = static_cast<int>(digits.size()) - 3; mark != 0 && at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), 1, mark);
  return digits;
}

std::string in_upper_case(std::string text) {
  for (char& c : text) c = c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

/// Without the zeros at the end of its fraction, and without the point if nothing is left behind it.
std::string without_zeros(const std::string& text) {
  const size_t end = std::min(text.find('e'), text.size());
  if (text.find('.') == std::string::npos) return text;
  const size_t last = text.find_last_not_of('0', end - 1);
  return text.substr(0, last + (text[last] == '.' ? 0 : 1)) + text.substr(end);
}

/// As %g; where no type is given (`bare`) with a digit behind the point.
std::string general(double value, int precision, bool bare) {
  const int count = std::max(precision, 1);
  const std::string scientific = with_exponent(value, count - 1);
  const size_t e = scientific.find('e') + 1;
  int exponent = 0;
  std::from_chars(scientific.data() + e + 1, scientific.data() + scientific.size(), exponent);
  if (scientific[e] == '-') exponent = -exponent;
  if (exponent < -4 || exponent >= count - (bare ? 1 : 0)) return without_zeros(scientific);
  const std::string text = without_zeros(fixed_point(value, count - 1 - exponent));
  return text + (bare && text.find('.') == std::string::npos ? ".0" : "");
}

}  // namespace

std::optional<FormatSpec> FormatSpec::parsed(std::string_view text) {
  FormatSpec spec;
  const auto taken = [&](std::string_view choice) {
    const char c = text.empty() || choice.find(text[0]) == std::string_view::npos ? '\0' : text[0];
    if (c != 0) text.remove_prefix(1);
    return c;
  };
  const auto number = [&](int& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end == text.data() || text[0] == '-' || error != std::errc{}) return false;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return true;
  };
  constexpr std::string_view aligns = "<>=^";
  const auto first = static_cast<size_t>(stridescope::decode(text, 0).bytes);
  const bool filled = text.size() > first && aligns.find(text[first]) != std::string_view::npos;
  if (filled) {
    spec.fill = text.substr(0, first);
    text.remove_prefix(first);
  }
  spec.align = taken(aligns);
  if (const char sign = taken("+- ")) spec.sign = sign;
  spec.positive_zero = taken("z") != 0;
  spec.alternate = taken("#") != 0;
  if (!filled && taken("0")) spec.fill = "0";
  number(spec.width);
  spec.grouping = taken(",_");
  spec.lacks_precision = taken(".") != 0 && !number(spec.precision);
  if (spec.lacks_precision) return spec;
  if (text.size() > 1) return std::nullopt;
  if (!text.empty()) spec.type = text[0];
  return spec;
}

std::string FormatSpec::sign_of(bool negative) const {
  if (negative) return "-";
  return sign == '-' ? std::string() : std::string(1, sign);
}

std::string FormatSpec::padded(const std::string& text) const { return aligned("", text, '<'); }

std::string FormatSpec::padded(const std::string& sign_and_prefix, const std::string& digits) const {
  return aligned(sign_and_prefix, digits, fill == "0" ? '=' : '>');
}

std::string FormatSpec::aligned(const std::string& sign_and_prefix, const std::string& text, char usual) const {
  int missing = width;
  for (const char c : sign_and_prefix + text) missing -= (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  missing = std::max(missing, 0);
  const char where = align != 0 ? align : usual;
  const int before = where == '<' ? 0 : where == '^' ? missing / 2 : missing;
  const auto padding = [&](int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += fill;
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
  const int base = type == 'b' ? 2 : type == 'o' ? 8 : (type | 0x20) == 'x' ? 16 : 10;
  const auto bits = static_cast<uint64_t>(number);
  char digits[64];
  const char* end = std::to_chars(digits, digits + sizeof digits, number < 0 ? 0 - bits : bits, base).ptr;
  const std::string text = grouped(std::string(static_cast<const char*>(digits), end), grouping);
  std::string sign_and_prefix = sign_of(number < 0);
  if (alternate && base != 10) (sign_and_prefix += '0') += type;
  return padded(sign_and_prefix, type == 'X' ? in_upper_case(text) : text);
}

std::string FormatSpec::written(double number) const {
  const bool percent = type == '%', bare = type == 0;
  const double magnitude = std::fabs(number) * (percent ? 100 : 1);
  const int places = precision < 0 ? 6 : precision;
  const char lower = static_cast<char>(type | 0x20);
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
  text = grouped(text.substr(0, digits), grouping) + text.substr(digits);
  if (percent) text += '%';
  const bool upper = type == 'E' || type == 'F' || type == 'G';
  return padded(sign_of(std::signbit(number) && !std::isnan(number)), upper ? in_upper_case(text) : text);
}

}  // namespace stridescope
