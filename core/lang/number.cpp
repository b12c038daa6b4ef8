#include "lang/number.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "lang/natural.h"

namespace stridescope {
namespace {

/// digits * 10^exponent, the digits without leading zeros.
struct WrittenDecimal {
  std::string digits;
  int exponent = 0;
};

std::optional<WrittenDecimal> read_decimal(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  WrittenDecimal decimal;
  bool any = false, point = false;
  size_t i = 0;
  for (; i < text.size() && (is_digit(text[i]) || (text[i] == '.' && !point)); ++i) {
    if (text[i] == '.') {
      point = true;
      continue;
    }
    any = true;
    if (point) --decimal.exponent;
    if (text[i] != '0' || !decimal.digits.empty()) decimal.digits += text[i];
  }
  if (!any) return std::nullopt;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    const bool negative = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (i == text.size()) return std::nullopt;
    int exponent = 0;
    constexpr int plenty = 100'000'000;  // beyond any double however many digits the literal has
    for (; i < text.size() && is_digit(text[i]); ++i) exponent = std::min(plenty, exponent * 10 + (text[i] - '0'));
    decimal.exponent += negative ? -exponent : exponent;
  }
  if (i != text.size()) return std::nullopt;
  return decimal;
}

/// Compares a decimal with the point half way between the double of these bits and the next one up.
class HalfwayTest {
 public:
  explicit HalfwayTest(const WrittenDecimal& decimal) : left_(0), scale_(1) {
    Natural value(0);
    for (const char digit : decimal.digits) value.multiply_add(10, static_cast<uint32_t>(digit - '0'));
    if (decimal.exponent >= 0) value.multiply_by_power_of_ten(decimal.exponent);
    if (decimal.exponent < 0) scale_.multiply_by_power_of_ten(-decimal.exponent);
    left_ = std::move(value);
  }
  int operator()(uint64_t bits) const {
    const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
    const int biased = static_cast<int>(bits >> 52);
    const uint64_t mantissa = biased == 0 ? fraction : fraction | uint64_t{1} << 52;
    const int exponent = std::max(biased, 1) - 1075 - 1;  // of (2 * mantissa + 1), the half way point
    const uint64_t halfway = 2 * mantissa + 1;
    Natural right = scale_, high = scale_;
    right.multiply(static_cast<uint32_t>(halfway));
    if (const auto upper = static_cast<uint32_t>(halfway >> 32); upper != 0) {
      high.multiply(upper);
      high.shift_left(32);
      right = right.plus(high);
    }
    if (exponent >= 0) {
      right.shift_left(exponent);
      return Natural::compare(left_, right);
    }
    Natural left = left_;
    left.shift_left(-exponent);
    return Natural::compare(left, right);
  }

 private:
  Natural left_;   ///< decimal * scale
  Natural scale_;  ///< a power of ten that makes it whole
};

constexpr uint64_t infinity_bits = uint64_t{0x7FF} << 52;

double from_bits(uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

std::optional<double> parse_real(std::string_view text) {
  std::optional<WrittenDecimal> decimal = read_decimal(text);
  if (!decimal) return std::nullopt;
  std::string& digits = decimal->digits;
  if (digits.empty()) return 0.0;

  // Exact in one operation: both factors are doubles without error (10^22 is the last such power of ten).
  if (digits.size() <= 15 && decimal->exponent >= -22 && decimal->exponent <= 22) {
    double mantissa = 0, power = 1;
    for (const char digit : digits) mantissa = mantissa * 10 + (digit - '0');
    for (int i = 0; i < std::abs(decimal->exponent); ++i) power *= 10;
    return decimal->exponent < 0 ? mantissa / power : mantissa * power;
  }

  // A point half way between two doubles has at most 767 digits, so what follows the 800th only breaks ties.
  constexpr size_t enough = 800;
  if (digits.size() > enough) {
    const bool more = digits.find_first_not_of('0', enough) != std::string::npos;
    decimal->exponent += static_cast<int>(digits.size() - enough);
    digits.resize(enough);
    if (more) {
      digits += '1';
      --decimal->exponent;
    }
  }
  const int magnitude = static_cast<int>(digits.size()) + decimal->exponent;  // value < 10^magnitude
  if (magnitude > 310) return from_bits(infinity_bits);
  if (magnitude < -330) return 0.0;

  // Positive doubles are ordered as their bits are: look for the first whose upper half way point is not below.
  const HalfwayTest test(*decimal);
  uint64_t low = 0, high = infinity_bits;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    const int order = test(middle);
    const bool here_or_below = order < 0 || (order == 0 && middle % 2 == 0);
    if (here_or_below) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return from_bits(low);
}

}  // namespace stridescope
