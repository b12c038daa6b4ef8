#include "ops/number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "lang/natural.h"

namespace stridescope {
namespace {

/// value = 0.d1d2d3.. * 10^point, d1 not 0.
struct ShortestDecimal {
  std::string digits;
  int point = 0;
};

/// Of significand * 2^exponent: right, or one too small.
int estimated_point(uint64_t significand, int exponent) {
  const int bits = 64 - std::countl_zero(significand);
  return static_cast<int>(std::ceil((exponent + bits - 1) * 0.30102999566398120 - 1e-10));
}

/// The shortest digits between a number's two neighbours, nearest to it, of two the even ones: Steele and White's
/// algorithm with Dragon4's scaling ("Printing Floating-Point Numbers Quickly and Accurately", Burger and Dybvig 1996,
/// figure 1). The number is significand * 2^exponent > 0; `lower_is_closer` when it is a power of two whose lower
/// neighbour lies half as far away.
ShortestDecimal shortest(uint64_t significand, int exponent, bool lower_is_closer) {
  // value = r / s; the neighbours' midpoints lie m_plus / s above and m_minus / s below.
  Natural r(significand), s(1), m_plus(1), m_minus(1);
  const int extra = lower_is_closer ? 2 : 1;
  r.shift_left(std::max(exponent, 0) + extra);
  s.shift_left(std::max(-exponent, 0) + extra);
  m_plus.shift_left(std::max(exponent, 0) + extra - 1);
  m_minus.shift_left(std::max(exponent, 0));
  const bool even = significand % 2 == 0;

  int point = estimated_point(significand, exponent);
  if (point >= 0) {
    s.multiply_by_power_of_ten(point);
  } else {
    r.multiply_by_power_of_ten(-point);
    m_plus.multiply_by_power_of_ten(-point);
    m_minus.multiply_by_power_of_ten(-point);
  }
  const int over = Natural::compare(r.plus(m_plus), s);
  if (over > 0 || (over == 0 && even)) {
    ++point;
    s.multiply(10);
  }

  ShortestDecimal decimal{"", point};
  while (true) {
    r.multiply(10);
    m_plus.multiply(10);
    m_minus.multiply(10);
    int digit = 0;
    for (; Natural::compare(r, s) >= 0; ++digit) r.subtract(s);
    const int low = Natural::compare(r, m_minus), high = Natural::compare(r.plus(m_plus), s);
    const bool low_enough = low < 0 || (low == 0 && even), high_enough = high > 0 || (high == 0 && even);
    if (low_enough || high_enough) {
      const int middle = Natural::compare(r.plus(r), s);
      const bool up = high_enough && (!low_enough || middle > 0 || (middle == 0 && digit % 2 == 1));  // a half to even
      decimal.digits += static_cast<char>('0' + digit + (up ? 1 : 0));
      return decimal;
    }
    decimal.digits += static_cast<char>('0' + digit);
  }
}

/// @pre  magnitude is finite and > 0
ShortestDecimal shortest(double magnitude) {
  const auto pattern = __builtin_bit_cast(uint64_t, magnitude);
  const uint64_t fraction = pattern & ((uint64_t{1} << 52) - 1);
  const int biased = static_cast<int>(pattern >> 52);
  if (biased == 0) return shortest(fraction, -1074, false);
  return shortest(fraction | uint64_t{1} << 52, biased - 1075, fraction == 0 && biased > 1);
}

ShortestDecimal shortest(float magnitude) {
  const auto pattern = __builtin_bit_cast(uint32_t, magnitude);
  const uint32_t fraction = pattern & ((uint32_t{1} << 23) - 1);
  const int biased = static_cast<int>(pattern >> 23);
  if (biased == 0) return shortest(fraction, -149, false);
  return shortest(fraction | uint32_t{1} << 23, biased - 150, fraction == 0 && biased > 1);
}

/// Of a number of half precision: 11 bits, the last of which is at least 2^-24.
ShortestDecimal shortest_half(double magnitude) {
  const int exponent = std::max(std::ilogb(magnitude), -14) - 10;
  const auto significand = static_cast<uint64_t>(std::ldexp(magnitude, -exponent));
  return shortest(significand, exponent, significand == 1024 && exponent > -24);
}

/// A finite value's digits, exact: `places` behind the point, or behind the first digit. The last one is rounded, a
/// half to even; none is left where all of it is rounded away.  @pre value > 0
ShortestDecimal exact(double value, int places, bool behind_first) {
  int exponent = 0;
  const auto significand = static_cast<uint64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  Natural r(significand), s(1);
  r.shift_left(std::max(exponent, 0));
  s.shift_left(std::max(-exponent, 0));
  ShortestDecimal decimal{"", estimated_point(significand, exponent)};
  (decimal.point >= 0 ? s : r).multiply_by_power_of_ten(std::abs(decimal.point));
  if (Natural::compare(r, s) >= 0) {
    ++decimal.point;
    s.multiply(10);
  }
  const int count = places + (behind_first ? 1 : decimal.point);
  for (int i = 0; i < count; ++i) {
    r.multiply(10);
    char digit = '0';
    for (; Natural::compare(r, s) >= 0; ++digit) r.subtract(s);
    decimal.digits += digit;
  }
  const int middle = count < 0 ? -1 : Natural::compare(r.plus(r), s);
  bool up = middle > 0 || (middle == 0 && count > 0 && (decimal.digits.back() - '0') % 2 == 1);
  for (size_t i = decimal.digits.size(); up && i-- > 0;) {
    up = decimal.digits[i] == '9';
    decimal.digits[i] = up ? '0' : static_cast<char>(decimal.digits[i] + 1);
  }
  if (up) {
    decimal.digits.insert(decimal.digits.begin(), '1');
    ++decimal.point;
    if (behind_first) decimal.digits.pop_back();
  }
  return decimal;
}

/// At most `count` digits, the last one rounded (a half upwards), no zeros at the end.  @pre count >= 0
ShortestDecimal rounded(ShortestDecimal decimal, int count) {
  auto& digits = decimal.digits;
  const auto keep = static_cast<size_t>(count);
  if (digits.size() > keep) {
    bool up = digits[keep] >= '5';
    digits.resize(keep);
    for (size_t i = keep; up && i-- > 0;) {
      up = digits[i] == '9';
      digits[i] = up ? '0' : static_cast<char>(digits[i] + 1);
    }
    if (up) {
      digits.insert(digits.begin(), '1');
      ++decimal.point;
    }
  }
  while (digits.back() == '0') digits.pop_back();
  return decimal;
}

/// "0.00123", "12300", "12.3"
std::string fixed(const ShortestDecimal& decimal) {
  const int count = static_cast<int>(decimal.digits.size());
  if (decimal.point <= 0) return "0." + std::string(static_cast<size_t>(-decimal.point), '0') + decimal.digits;
  if (count <= decimal.point) return decimal.digits + std::string(static_cast<size_t>(decimal.point - count), '0');
  return decimal.digits.substr(0, static_cast<size_t>(decimal.point)) + "." +
         decimal.digits.substr(static_cast<size_t>(decimal.point));
}

std::string special(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return std::signbit(value) ? "-0.0" : "0.0";
}

/// "1" or "1.25".
std::string mantissa(const std::string& digits) {
  return digits.size() > 1 ? digits.substr(0, 1) + "." + digits.substr(1) : digits;
}

/// "e+05"
std::string exponent_text(int exponent) {
  return (exponent < 0 ? "e-" : "e+") + std::string(std::abs(exponent) < 10 ? "0" : "") +
         std::to_string(std::abs(exponent));
}

/// Python writes an exponent where the point would stand before 0.0001 or behind 16 digits.
std::string python(const ShortestDecimal& decimal, bool negative) {
  const std::string sign = negative ? "-" : "";
  if (decimal.point > -4 && decimal.point <= 16) {
    const std::string text = fixed(decimal);
    return sign + text + (text.find('.') == std::string::npos ? ".0" : "");
  }
  return sign + mantissa(decimal.digits) + exponent_text(decimal.point - 1);
}

/// Without the zeros at the end of its fraction, and without the point if nothing is left behind it.
std::string without_zeros(const std::string& text) {
  const size_t end = std::min(text.find('e'), text.size());
  if (text.find('.') == std::string::npos) return text;
  const size_t last = text.find_last_not_of('0', end - 1);
  return text.substr(0, last + (text[last] == '.' ? 0 : 1)) + text.substr(end);
}

}  // namespace

std::string repr(double value) {
  if (value == 0 || !std::isfinite(value)) return special(value);
  return python(shortest(std::fabs(value)), value < 0);
}

std::string repr_single(float value) {
  if (value == 0 || !std::isfinite(value)) return special(static_cast<double>(value));
  return python(shortest(std::fabs(value)), value < 0);
}

std::string repr_half(double value) {
  if (value == 0 || !std::isfinite(value)) return special(value);
  return python(shortest_half(std::fabs(value)), value < 0);
}

std::string fixed_point(double value, int places) {
  if (!std::isfinite(value)) return special(value);
  const auto behind = static_cast<size_t>(places);
  std::string digits = value == 0 ? "" : exact(std::fabs(value), places, false).digits;
  if (digits.size() < behind + 1) digits.insert(0, behind + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - behind, ".");
  return (std::signbit(value) ? "-" : "") + digits;
}

std::string with_exponent(double value, int places) {
  if (!std::isfinite(value)) return special(value);
  const ShortestDecimal decimal = value == 0 ? ShortestDecimal{std::string(static_cast<size_t>(places) + 1, '0'), 1}
                                             : exact(std::fabs(value), places, true);
  return (std::signbit(value) ? "-" : "") + mantissa(decimal.digits) + exponent_text(decimal.point - 1);
}

std::string general(double value, int precision, bool bare) {
  if (!std::isfinite(value)) return special(value);
  const int count = std::max(precision, 1);
  const int exponent = value == 0 ? 0 : exact(std::fabs(value), count - 1, true).point - 1;
  if (exponent < -4 || exponent >= count - (bare ? 1 : 0)) return without_zeros(with_exponent(value, count - 1));
  const std::string text = without_zeros(fixed_point(value, count - 1 - exponent));
  return text + (bare && text.find('.') == std::string::npos ? ".0" : "");
}

std::string short_decimal(double value) {
  constexpr int limit = 6;
  if (value == 0 || !std::isfinite(value)) return special(value);
  const std::string sign = value < 0 ? "-" : "";
  const int room = limit - static_cast<int>(sign.size());
  const ShortestDecimal exact = shortest(std::fabs(value));

  // Of the two notations the one that keeps more digits; at equal digits the plain one.
  std::string best;
  size_t kept = 0;
  const auto offer = [&](const std::string& text, size_t digits) {
    if (static_cast<int>(text.size()) <= room && digits > kept) best = text, kept = digits;
  };
  for (int count = std::min(room, static_cast<int>(exact.digits.size())); count > 0; --count) {
    const ShortestDecimal decimal = rounded(exact, count);
    const std::string plain = fixed(decimal);
    const bool whole = plain.find('.') == std::string::npos;
    offer(whole && static_cast<int>(plain.size()) + 2 <= room ? plain + ".0" : plain, decimal.digits.size());
    offer(mantissa(decimal.digits) + "e" + std::to_string(decimal.point - 1), decimal.digits.size());
  }
  return best.empty() ? sign + "0.0" : sign + best;
}

}  // namespace stridescope
