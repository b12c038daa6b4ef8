#include "ops/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "ops/complex_numbers.h"

namespace stridescope {
namespace {

Scalar truth(bool value) { return {DType::boolean, value ? 1 : 0}; }

/// Division rounded towards minus infinity, and what it leaves; the lowest integer by -1 wraps.
template <class Integer>
Integer floor_quotient(Integer a, Integer b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<Integer>)
    if (b == -1) return static_cast<Integer>(-static_cast<uint64_t>(a));
  const Integer quotient = a / b;
  return a % b != 0 && (a % b < 0) != (b < 0) ? quotient - 1 : quotient;
}

template <class Integer>
Integer floor_remainder(Integer a, Integer b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<Integer>)
    if (b == -1) return 0;
  const Integer rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// Wrapping power; a negative exponent gives what 1/base truncates to.
int64_t wrapping_power(int64_t base, int64_t exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 != 0 ? -1 : 1) : 0;
  uint64_t result = 1, square = static_cast<uint64_t>(base);
  for (; exponent > 0; exponent >>= 1, square *= square)
    if ((exponent & 1) != 0) result *= square;
  return static_cast<int64_t>(result);
}

bool compare(Arithmetic op, auto a, auto b) {
  switch (op) {
    case Arithmetic::equal: return a == b;
    case Arithmetic::not_equal: return a != b;
    case Arithmetic::less: return a < b;
    case Arithmetic::less_equal: return a <= b;
    case Arithmetic::greater: return a > b;
    default: return a >= b;
  }
}

/// What C makes an integer of 1.0 / 0.
int64_t reciprocal_of_zero(DType dtype) {
  return dtype == DType::int32 ? INT32_MIN : dtype == DType::int64 ? INT64_MIN : 0;
}

/// Integers and bools. Everything but division and order is the same for signed and unsigned bit patterns.
int64_t integers(Arithmetic op, int64_t a, int64_t b, DType dtype) {
  const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  const bool without_sign = dtype == DType::uint64;
  const int bits = 8 * itemsize(dtype);
  const auto size = [&](int64_t number) {
    const auto plain = static_cast<uint64_t>(number);
    return number < 0 && !without_sign ? -plain : plain;
  };
  switch (op) {
    case Arithmetic::negate: return static_cast<int64_t>(-ua);
    case Arithmetic::absolute: return without_sign || a >= 0 ? a : static_cast<int64_t>(-ua);
    case Arithmetic::invert: return dtype == DType::boolean ? 1 - a : ~a;
    case Arithmetic::sign:
    case Arithmetic::sign_number: return without_sign ? (a != 0) : (a > 0) - (a < 0);
    case Arithmetic::add: return dtype == DType::boolean ? (a | b) : static_cast<int64_t>(ua + ub);
    case Arithmetic::subtract: return static_cast<int64_t>(ua - ub);
    case Arithmetic::multiply: return static_cast<int64_t>(ua * ub);
    case Arithmetic::floor_divide:
      return without_sign ? static_cast<int64_t>(floor_quotient(ua, ub)) : floor_quotient(a, b);
    case Arithmetic::remainder:
    case Arithmetic::remainder_signed:
      return without_sign ? static_cast<int64_t>(floor_remainder(ua, ub)) : floor_remainder(a, b);
    case Arithmetic::power:
    case Arithmetic::logarithmic_power: return wrapping_power(a, b);
    case Arithmetic::minimum:
    case Arithmetic::minimum_number: return (without_sign ? ua < ub : a < b) ? a : b;
    case Arithmetic::maximum:
    case Arithmetic::maximum_number: return (without_sign ? ua < ub : a < b) ? b : a;
    case Arithmetic::bit_and: return a & b;
    case Arithmetic::bit_or: return a | b;
    case Arithmetic::bit_xor: return a ^ b;
    case Arithmetic::shift_left: return b < 0 || b >= bits ? 0 : static_cast<int64_t>(ua << b);
    case Arithmetic::square: return static_cast<int64_t>(ua * ua);
    case Arithmetic::reciprocal:
    case Arithmetic::reciprocal_by_ratio: return a == 0 ? reciprocal_of_zero(dtype) : a == 1 || a == -1 ? a : 0;
    case Arithmetic::common_divisor: return static_cast<int64_t>(std::gcd(size(a), size(b)));
    case Arithmetic::common_multiple:
      return a == 0 || b == 0 ? 0 : static_cast<int64_t>(size(a) / std::gcd(size(a), size(b)) * size(b));
    case Arithmetic::step_function:
    case Arithmetic::step_number: return a == 0 ? b : without_sign || a > 0;
    case Arithmetic::relu: return a > 0 ? a : 0;                                                         // no uint64
    case Arithmetic::truncated_divide: return b == 0 ? 0 : b == -1 ? static_cast<int64_t>(-ua) : a / b;  // no uint64
    case Arithmetic::truncated_remainder:
      return b == 0 ? 0 : without_sign ? static_cast<int64_t>(ua % ub) : b == -1 ? 0 : a % b;
    case Arithmetic::shift_right:
      if (b < 0 || b >= bits) return !without_sign && a < 0 ? -1 : 0;
      return without_sign ? static_cast<int64_t>(ua >> b) : a >> b;
    default: return a;  // floor, ceil, round, truncate, conjugate of integers
  }
}

/// Python's divmod for floats, as both libraries have it.
double floored(Arithmetic op, double a, double b) {
  if (b == 0) return op == Arithmetic::floor_divide ? a / b : std::fmod(a, b);
  double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) {
    rest += b;
    quotient -= 1;
  }
  if (op == Arithmetic::remainder_signed) return rest;
  if (op == Arithmetic::remainder) return rest != 0 ? rest : std::copysign(0.0, b);
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

/// Activations take several steps: those on the way of float32 are rounded to it.
double real_result(Arithmetic op, double a, double b, bool single) {
  const auto step = [&](double value) { return to_single(value, single); };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (op) {
    case Arithmetic::negate: return -a;
    case Arithmetic::absolute: return std::fabs(a);
    case Arithmetic::sign: return std::isnan(a) ? a : (a > 0) - (a < 0);
    case Arithmetic::sign_number: return (a > 0) - (a < 0);
    case Arithmetic::square_root: return std::sqrt(a);
    case Arithmetic::exponential: return std::exp(a);
    case Arithmetic::logarithm: return std::log(a);
    case Arithmetic::sine: return std::sin(a);
    case Arithmetic::cosine: return std::cos(a);
    case Arithmetic::tanh: return std::tanh(a);
    case Arithmetic::floor: return std::floor(a);
    case Arithmetic::ceil: return std::ceil(a);
    case Arithmetic::round: return std::nearbyint(a);
    case Arithmetic::tangent: return std::tan(a);
    case Arithmetic::truncate: return std::trunc(a);
    case Arithmetic::fraction: return a - std::trunc(a);
    case Arithmetic::square: return a * a;
    case Arithmetic::reciprocal:
    case Arithmetic::reciprocal_by_ratio: return 1 / a;
    case Arithmetic::sigmoid: return 1 / step(1 + step(std::exp(-a)));
    case Arithmetic::silu: return a / step(1 + step(std::exp(-a)));
    case Arithmetic::gelu_onednn:
      if (a == infinity) return std::numeric_limits<double>::quiet_NaN();
      [[fallthrough]];
    case Arithmetic::gelu: return step(a / 2) * step(1 + step(std::erf(step(a * std::sqrt(0.5)))));
    case Arithmetic::gelu_tanh: {
      const double cube = step(step(a * a) * a), slope = step(std::sqrt(2 / std::numbers::pi));
      return step(a / 2) * step(1 + step(std::tanh(step(slope * step(a + step(step(0.044715) * cube))))));
    }
    case Arithmetic::relu: return std::isnan(a) || a > 0 ? a : 0;
    case Arithmetic::exp2: return std::exp2(a);
    case Arithmetic::log2: return std::log2(a);
    case Arithmetic::log10: return std::log10(a);
    case Arithmetic::log1p: return std::log1p(a);
    case Arithmetic::log1p_by_vectors: return a > (single ? 1e38 : 1e307) ? infinity : std::log1p(a);
    case Arithmetic::expm1: return std::expm1(a);
    case Arithmetic::arc_sine:
    case Arithmetic::arc_sine_by_vectors: return std::asin(a);
    case Arithmetic::arc_cosine: return std::acos(a);
    case Arithmetic::arc_tangent:
    case Arithmetic::arc_tangent_by_vectors: return std::atan(a);
    case Arithmetic::sinh: return std::sinh(a);
    case Arithmetic::cosh: return std::cosh(a);
    case Arithmetic::area_sine: return std::asinh(a);
    case Arithmetic::area_cosine: return std::acosh(a);
    case Arithmetic::area_tangent: return std::atanh(a);
    case Arithmetic::cube_root: return std::cbrt(a);
    case Arithmetic::to_radians: return a * step(std::numbers::pi / 180);
    case Arithmetic::to_degrees: return a * step(180 / std::numbers::pi);
    case Arithmetic::to_degrees_rounded: return a * step(180 / step(std::numbers::pi));
    case Arithmetic::error_function: return std::erf(a);
    case Arithmetic::error_function_rest: return std::erfc(a);
    case Arithmetic::add: return a + b;
    case Arithmetic::subtract: return a - b;
    case Arithmetic::multiply: return a * b;
    case Arithmetic::divide: return a / b;
    case Arithmetic::floor_divide:
    case Arithmetic::remainder:
    case Arithmetic::remainder_signed: return floored(op, a, b);
    case Arithmetic::truncated_remainder: return std::fmod(a, b);
    case Arithmetic::minimum_number: return std::fmin(a, b);
    case Arithmetic::maximum_number: return std::fmax(a, b);
    case Arithmetic::power:
    case Arithmetic::logarithmic_power: return std::pow(a, b);
    case Arithmetic::arc_tangent2: return std::atan2(a, b);
    case Arithmetic::hypotenuse: return std::hypot(a, b);
    case Arithmetic::log_add_exp: {
      if (a == b) return a + step(std::numbers::ln2);  // infinite ones, too
      const double apart = step(a - b);
      return std::isnan(apart) ? apart : std::fmax(a, b) + step(std::log1p(step(std::exp(-std::fabs(apart)))));
    }
    case Arithmetic::log_add_exp2: {
      if (a == b) return a + 1;
      const double apart = step(a - b), part = step(std::log1p(step(std::exp2(-std::fabs(apart)))));
      return std::isnan(apart) ? apart : std::fmax(a, b) + step(step(std::numbers::log2e) * part);
    }
    case Arithmetic::copy_sign: return std::copysign(a, b);
    case Arithmetic::step_function: return std::isnan(a) ? a : a == 0 ? b : a > 0;
    case Arithmetic::step_number: return a == 0 ? b : a > 0;
    case Arithmetic::minimum: return std::isnan(a) || a < b ? a : b;
    case Arithmetic::maximum: return std::isnan(a) || a > b ? a : b;
    default: return a;
  }
}

/// The order of complex numbers: by their real parts, then by their imaginary parts.
bool before(Complex a, Complex b) {
  return !is_nan(a) && !is_nan(b) && (a.real() < b.real() || (a.real() == b.real() && a.imag() <= b.imag()));
}

/// exp(b * log(a)) with every step rounded as C's cpow of that precision rounds it: its error is what the libraries
/// show of it.
Complex logarithmic_power(Complex a, Complex b, bool single) {
  const auto step = [&](double value) { return to_single(value, single); };
  const Complex logarithm{step(std::log(std::hypot(a.real(), a.imag()))), step(std::atan2(a.imag(), a.real()))};
  const Complex exponent = product(b, logarithm, single);
  const double scale = step(std::exp(step(exponent.real()))), angle = step(exponent.imag());
  if (!std::isfinite(angle)) return scale == 0 ? Complex(0) : Complex(scale, NAN);
  if (angle == 0) return {scale, angle};
  return {scale * step(std::cos(angle)), scale * step(std::sin(angle))};
}

/// Small whole exponents by multiplication, as NumPy does.
Complex complex_power(Complex a, Complex b, bool single) {
  if (b.imag() != 0 || b.real() != std::floor(b.real()) || std::fabs(b.real()) > 100)
    return logarithmic_power(a, b, single);
  Complex result = 1;
  for (int i = 0; i < static_cast<int>(std::fabs(b.real())); ++i) result = product(result, a, single);
  return b.real() < 0 ? quotient(1, result, single) : result;
}

Complex complex_result(Arithmetic op, Complex a, Complex b, bool single) {
  switch (op) {
    case Arithmetic::negate: return -a;
    case Arithmetic::conjugate: return std::conj(a);
    case Arithmetic::identity: return a;
    case Arithmetic::square_root: return root(a);
    case Arithmetic::exponential: return std::exp(a);
    case Arithmetic::logarithm: return std::log(a);
    case Arithmetic::sine: return std::sin(a);
    case Arithmetic::cosine: return std::cos(a);
    case Arithmetic::tangent: return std::tan(a);
    case Arithmetic::tanh: return std::tanh(a);
    case Arithmetic::square: return product(a, a, single);
    case Arithmetic::reciprocal: return quotient(1, a, single);
    case Arithmetic::reciprocal_by_ratio: return a == 0.0 ? Complex(NAN, NAN) : quotient(1, a, single);
    case Arithmetic::absolute: return std::abs(a);
    case Arithmetic::sign:
    case Arithmetic::sign_number: return a == 0.0 ? a : a / std::abs(a);
    case Arithmetic::sigmoid: return 1.0 / (1.0 + std::exp(-a));
    case Arithmetic::silu: return a / (1.0 + std::exp(-a));
    case Arithmetic::inverse_root: return 1.0 / root(a);
    case Arithmetic::exp2: return std::exp(product(a, to_single(std::log(2.0), single), single));
    case Arithmetic::log2: return std::log(a) * to_single(1 / to_single(std::log(2.0), single), single);
    case Arithmetic::log10: return std::log(a) / std::log(10.0);
    case Arithmetic::log1p:
    case Arithmetic::log1p_by_vectors: return std::log(1.0 + a);
    case Arithmetic::expm1: return std::exp(a) - 1.0;
    case Arithmetic::arc_sine:
    case Arithmetic::arc_sine_by_vectors:
    case Arithmetic::arc_cosine:
    case Arithmetic::arc_tangent:
    case Arithmetic::arc_tangent_by_vectors:
    case Arithmetic::sinh:
    case Arithmetic::cosh:
    case Arithmetic::area_sine:
    case Arithmetic::area_cosine:
    case Arithmetic::area_tangent: return curve(op, a, single);
    case Arithmetic::log_add_exp: {
      const bool less = a.real() < b.real();
      return (less ? b : a) + std::log(1.0 + std::exp(less ? a - b : b - a));
    }
    case Arithmetic::add: return a + b;
    case Arithmetic::subtract: return a - b;
    case Arithmetic::multiply: return product(a, b, single);
    case Arithmetic::divide: return quotient(a, b, single);
    case Arithmetic::power: return complex_power(a, b, single);
    case Arithmetic::logarithmic_power: return logarithmic_power(a, b, single);
    case Arithmetic::round: return {std::nearbyint(a.real()), std::nearbyint(a.imag())};
    case Arithmetic::minimum: return is_nan(a) || before(a, b) ? a : b;
    case Arithmetic::maximum: return is_nan(a) || before(b, a) ? a : b;
    case Arithmetic::minimum_number: return is_nan(b) || before(a, b) ? a : b;
    default: return is_nan(b) || before(b, a) ? a : b;  // maximum_number
  }
}

/// Questions about one number.
bool answer(Arithmetic op, const Scalar& a) {
  const bool whole = !is_floating(a.dtype) && !is_complex(a.dtype);
  if (op == Arithmetic::sign_bit) return whole ? a.integer < 0 : std::signbit(a.real);
  if (whole) return op == Arithmetic::is_finite;
  const bool nan = std::isnan(a.real) || std::isnan(a.imaginary),
             infinite = std::isinf(a.real) || std::isinf(a.imaginary);
  return op == Arithmetic::is_nan ? nan : op == Arithmetic::is_infinite ? infinite : !nan && !infinite;
}

bool compared(Arithmetic op, const Scalar& a, const Scalar& b) {
  if (is_complex(a.dtype)) {
    const bool same = a.real == b.real && a.imaginary == b.imaginary;
    if (op == Arithmetic::equal || op == Arithmetic::not_equal) return same == (op == Arithmetic::equal);
    return a.real == b.real ? compare(op, a.imaginary, b.imaginary) : compare(op, a.real, b.real);
  }
  if (is_floating(a.dtype)) return compare(op, a.real, b.real);
  if (a.dtype == DType::uint64) return compare(op, static_cast<uint64_t>(a.integer), static_cast<uint64_t>(b.integer));
  return compare(op, a.integer, b.integer);
}

/// The next number of a floating dtype on the way to `there`.
Scalar beside(const Scalar& a, double there) {
  if (std::isnan(a.real) || std::isnan(there)) return real_scalar(a.real + there, a.dtype);
  if (a.dtype == DType::float64) return real_scalar(std::nextafter(a.real, there), a.dtype);
  if (a.real == there) return real_scalar(there, a.dtype);
  const int digits = a.dtype == DType::float32   ? 23
                     : a.dtype == DType::float16 ? 10
                                                 : 7,
            least = a.dtype == DType::float16 ? -14 : -126;
  if (std::isinf(a.real))
    return real_scalar(std::copysign(std::ldexp(2 - std::ldexp(1, -digits), 1 - least), a.real), a.dtype);
  // Half as far below a power of two, but among the smallest.
  const bool inwards = (there > a.real) == (a.real < 0) && a.real != 0;
  const double size = std::fabs(a.real);
  int power = size == 0 ? least : std::max(std::ilogb(size), least);
  if (inwards && power > least && std::ldexp(1, power) == size) --power;
  return real_scalar(a.real + std::copysign(std::ldexp(1, power - digits), there - a.real), a.dtype);
}

}  // namespace

int operand_count(Arithmetic op) { return op >= Arithmetic::add ? 2 : 1; }

bool gives_bool(Arithmetic op) {
  return op == Arithmetic::logical_not || (op >= Arithmetic::is_nan && op <= Arithmetic::sign_bit) ||
         (op >= Arithmetic::equal && op <= Arithmetic::logical_xor);
}

Scalar reckon(Arithmetic op, std::span<const Scalar> operands) {
  if (op == Arithmetic::where) return is_true(operands[0]) ? operands[1] : operands[2];
  const Scalar& a = operands[0];
  const Scalar& b = operands.size() > 1 ? operands[1] : operands[0];
  switch (op) {
    case Arithmetic::logical_not: return truth(!is_true(a));
    case Arithmetic::logical_and: return truth(is_true(a) && is_true(b));
    case Arithmetic::logical_or: return truth(is_true(a) || is_true(b));
    case Arithmetic::logical_xor: return truth(is_true(a) != is_true(b));
    case Arithmetic::compose: return {DType::complex128, 0, a.real, b.real};
    case Arithmetic::polar: return {DType::complex128, 0, a.real * std::cos(b.real), a.real * std::sin(b.real)};
    case Arithmetic::is_nan:
    case Arithmetic::is_infinite:
    case Arithmetic::is_finite:
    case Arithmetic::sign_bit: return truth(answer(op, a));
    default: break;
  }
  if (gives_bool(op)) return truth(compared(op, a, b));
  if (op == Arithmetic::next_after) return beside(a, b.real);
  // The quotient is rounded to the dtype before its fraction is cut off.
  if (is_floating(a.dtype) && op == Arithmetic::truncated_divide)
    return real_scalar(std::trunc(real_scalar(a.real / b.real, a.dtype).real), a.dtype);
  // So is a root before it is divided by.
  if (is_floating(a.dtype) && op == Arithmetic::inverse_root)
    return real_scalar(1 / real_scalar(std::sqrt(a.real), a.dtype).real, a.dtype);
  if (is_floating(a.dtype)) return real_scalar(real_result(op, a.real, b.real, a.dtype != DType::float64), a.dtype);
  if (is_complex(a.dtype)) {
    const auto result = complex_result(op, {a.real, a.imaginary}, {b.real, b.imaginary}, a.dtype == DType::complex64);
    return converted({DType::complex128, 0, result.real(), result.imag()}, a.dtype);
  }
  return integer_scalar(integers(op, a.integer, b.integer, a.dtype), a.dtype);
}

}  // namespace stridescope
