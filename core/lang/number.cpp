#include "lang/number.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace stridescope {
namespace {

/// A natural number of any length, least significant limb first.
class Natural {
 public:
  explicit Natural(uint64_t value) {
    for (; value != 0; value >>= 32) limbs_.push_back(static_cast<uint32_t>(value));
  }
  void multiply_add(uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (uint32_t& limb : limbs_) {
      carry += uint64_t{limb} * factor;
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<uint32_t>(carry));
  }
  void multiply_power_of_ten(int exponent) {
    for (; exponent >= 9; exponent -= 9) multiply_add(1'000'000'000, 0);
    for (; exponent > 0; --exponent) multiply_add(10, 0);
  }
  void shift_left(int bits) {
    multiply_add(uint32_t{1} << (bits % 32), 0);
    if (!limbs_.empty()) limbs_.insert(limbs_.begin(), static_cast<size_t>(bits / 32), 0);
  }
  Natural times(uint64_t factor) const {
    Natural low = *this, high = *this;
    low.multiply_add(static_cast<uint32_t>(factor), 0);
    high.multiply_add(static_cast<uint32_t>(factor >> 32), 0);
    low.trim();
    high.trim();
    high.shift_left(32);
    uint64_t carry = 0;
    low.limbs_.resize(std::max(low.limbs_.size(), high.limbs_.size()) + 1);
    for (size_t i = 0; i < low.limbs_.size(); ++i) {
      carry += uint64_t{low.limbs_[i]} + (i < high.limbs_.size() ? high.limbs_[i] : 0);
      low.limbs_[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    low.trim();
    return low;
  }
  /// Negative, 0, positive as *this is less than, equal to or greater than `other`.
  int compare(const Natural& other) const {
    if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size() ? -1 : 1;
    for (size_t i = limbs_.size(); i-- > 0;) {
      if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
    }
    return 0;
  }

 private:
  void trim() {
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }
  std::vector<uint32_t> limbs_;  ///< no leading zero limb
};

/// digits * 10^exponent, the digits without leading zeros.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

std::optional<Decimal> read_decimal(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  Decimal decimal;
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
  explicit HalfwayTest(const Decimal& decimal) : left_(0), scale_(1) {
    Natural value(0);
    for (const char digit : decimal.digits) value.multiply_add(10, static_cast<uint32_t>(digit - '0'));
    if (decimal.exponent >= 0) value.multiply_power_of_ten(decimal.exponent);
    if (decimal.exponent < 0) scale_.multiply_power_of_ten(-decimal.exponent);
    left_ = std::move(value);
  }
  int operator()(uint64_t bits) const {
    const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
    const int biased = static_cast<int>(bits >> 52);
    const uint64_t mantissa = biased == 0 ? fraction : fraction | uint64_t{1} << 52;
    const int exponent = std::max(biased, 1) - 1075 - 1;  // of (2 * mantissa + 1), the half way point
    Natural right = scale_.times(2 * mantissa + 1);
    if (exponent >= 0) {
      right.shift_left(exponent);
      return left_.compare(right);
    }
    Natural left = left_;
    left.shift_left(-exponent);
    return left.compare(right);
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
  std::optional<Decimal> decimal = read_decimal(text);
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
