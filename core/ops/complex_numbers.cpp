#include "ops/complex_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stridescope {

/// As both libraries multiply: what is infinite times 0 stays NaN.
Complex product(Complex a, Complex b, bool single) {
  return {to_single(a.real() * b.real(), single) - to_single(a.imag() * b.imag(), single),
          to_single(a.real() * b.imag(), single) + to_single(a.imag() * b.real(), single)};
}

/// As both libraries divide: by the larger part of the divisor first.
Complex quotient(Complex a, Complex b, bool single) {
  const auto step = [&](double value) { return to_single(value, single); };
  const double real = std::fabs(b.real()), imaginary = std::fabs(b.imag());
  if (real >= imaginary) {
    if (real == 0) return {a.real() / real, a.imag() / imaginary};
    const double ratio = step(b.imag() / b.real()), scale = step(1 / step(b.real() + step(b.imag() * ratio)));
    return {step(a.real() + step(a.imag() * ratio)) * scale, step(a.imag() - step(a.real() * ratio)) * scale};
  }
  const double ratio = step(b.real() / b.imag()), scale = step(1 / step(b.imag() + step(b.real() * ratio)));
  return {step(step(a.real() * ratio) + a.imag()) * scale, step(step(a.imag() * ratio) - a.real()) * scale};
}

/// As C has it, on the axes without an error; libc++ goes by the angle, which leaves -4 a real part of 1e-16.
/// Source: C, Annex G; glibc's csqrt
Complex root(Complex a) {
  double real = a.real(), imaginary = a.imag();
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(imaginary)) return {infinity, imaginary};
  if (std::isinf(real) && real > 0) return {real, std::isnan(imaginary) ? nan : std::copysign(0.0, imaginary)};
  if (std::isinf(real)) return {std::isnan(imaginary) ? nan : 0.0, std::copysign(infinity, imaginary)};
  if (is_nan(a)) return {nan, nan};
  if (imaginary == 0 && real < 0) return {0.0, std::copysign(std::sqrt(-real), imaginary)};
  if (imaginary == 0) return {std::fabs(std::sqrt(real)), imaginary};
  // Of very large and very small numbers a part of what is squared would be lost.
  const int power = std::ilogb(std::max(std::fabs(real), std::fabs(imaginary))),
            shift = std::abs(power) > 500 ? power / 2 : 0;
  real = std::scalbn(real, -2 * shift), imaginary = std::scalbn(imaginary, -2 * shift);
  const double half = std::fabs(imaginary) / 2, size = std::hypot(real, imaginary);
  const double part = std::sqrt((size + std::fabs(real)) / 2), larger = std::scalbn(part, shift);
  const double smaller = real == 0   ? larger
                         : shift > 0 ? std::fabs(a.imag()) / 2 / larger
                                     : std::scalbn(half / part, shift);
  return real < 0 ? Complex(smaller, std::copysign(larger, imaginary))
                  : Complex(larger, std::copysign(smaller, imaginary));
}

namespace {

/// Source: W. Kahan, Branch cuts for complex elementary functions (1987): no digit is lost, and no cut is crossed.
Complex arc_sine(Complex a) {
  const Complex below = root({1 - a.real(), -a.imag()}), above = root({1 + a.real(), a.imag()});
  return {std::atan2(a.real(), below.real() * above.real() - below.imag() * above.imag()),
          std::asinh(below.real() * above.imag() - below.imag() * above.real())};
}

Complex arc_cosine(Complex a) {
  const Complex below = root({1 - a.real(), -a.imag()}), above = root({1 + a.real(), a.imag()});
  return {2 * std::atan2(below.real(), above.real()),
          std::asinh(above.real() * below.imag() - above.imag() * below.real())};
}

Complex area_cosine(Complex a) {
  const Complex below = root({a.real() - 1, a.imag()}), above = root({a.real() + 1, a.imag()});
  return {std::asinh(below.real() * above.real() + below.imag() * above.imag()),
          2 * std::atan2(below.imag(), above.real())};
}

Complex area_tangent(Complex a) {
  const double x = a.real(), y = a.imag();
  return {std::log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4, std::atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2};
}

/// log(a) in steps of that precision.
Complex logarithm(Complex a, bool single) {
  return {to_single(std::log(std::hypot(a.real(), a.imag())), single),
          to_single(std::atan2(a.imag(), a.real()), single)};
}

/// The root with every step rounded.  Source: glibc, csqrtf
Complex root_in_steps(Complex a, bool single) {
  const auto step = [&](double value) { return to_single(value, single); };
  const Complex whole = root(a);
  if (!single || a.imag() == 0 || a.real() == 0 || !std::isfinite(a.real()) || !std::isfinite(a.imag()))
    return {step(whole.real()), step(whole.imag())};
  const double size = step(std::hypot(a.real(), a.imag()));
  const double larger = step(std::sqrt(step(0.5 * step(size + std::fabs(a.real())))));
  const double smaller = std::fabs(0.5 * step(a.imag() / larger));
  return a.real() > 0 ? Complex(larger, std::copysign(smaller, a.imag()))
                      : Complex(smaller, std::copysign(larger, a.imag()));
}

/// -i log(i a + sqrt(1 - a a)): of what is large or very small it loses digits, and they are seen.
/// Source: PyTorch, vec256_complex_float.h
Complex arc_sine_by_vectors(Complex a, bool single) {
  const auto step = [&](double value) { return to_single(value, single); };
  const double x = a.real(), y = a.imag(), across = step(-x * y);
  const Complex half = root_in_steps({step(1 - step(step(x * x) - step(y * y))), step(across + across)}, single);
  const Complex log = logarithm({step(half.real() - y), step(half.imag() + x)}, single);
  return {log.imag(), -log.real()};
}

/// i / 2 log((i + a) / (i - a)), which is NaN of i and goes to the other side along the cuts.
/// Source: the same; its division scales by the larger part
Complex arc_tangent_by_vectors(Complex a, bool single) {
  const auto step = [&](double value) { return to_single(value, single); };
  const Complex above{0 + a.real(), step(1 + a.imag())}, below{0 - a.real(), step(1 - a.imag())};
  const double scale = step(1 / std::max(std::fabs(below.real()), std::fabs(below.imag())));
  const double p = step(above.real() * scale), q = step(above.imag() * scale), r = step(below.real() * scale),
               s = step(below.imag() * scale), size = step(step(r * r) + step(s * s));
  const Complex ratio{step(step(step(p * r) + step(q * s)) / size), step(step(step(p * -s) + step(q * r)) / size)};
  return product({0, 0.5}, logarithm(ratio, single), single);
}

/// As C's annex G has it.
Complex curve_of_infinity(Arithmetic op, Complex a) {
  switch (op) {
    case Arithmetic::arc_sine: return std::asin(a);
    case Arithmetic::arc_cosine: return std::acos(a);
    case Arithmetic::arc_tangent: return std::atan(a);
    case Arithmetic::sinh: return std::sinh(a);
    case Arithmetic::cosh: return std::cosh(a);
    case Arithmetic::area_sine: return std::asinh(a);
    case Arithmetic::area_cosine: return std::acosh(a);
    default: return std::atanh(a);
  }
}

}  // namespace

Complex curve(Arithmetic op, Complex a, bool single) {
  if (op == Arithmetic::arc_sine_by_vectors) return arc_sine_by_vectors(a, single);
  if (op == Arithmetic::arc_tangent_by_vectors) return arc_tangent_by_vectors(a, single);
  const double x = a.real(), y = a.imag();
  if (!std::isfinite(x) || !std::isfinite(y)) return curve_of_infinity(op, a);
  switch (op) {
    case Arithmetic::arc_sine: return arc_sine(a);
    case Arithmetic::arc_cosine: return arc_cosine(a);
    case Arithmetic::arc_tangent: {
      const Complex turned = area_tangent({-y, x});
      return {turned.imag(), -turned.real()};
    }
    case Arithmetic::sinh: return {std::sinh(x) * std::cos(y), y == 0 ? y : std::cosh(x) * std::sin(y)};
    case Arithmetic::cosh:
      return {std::cosh(x) * std::cos(y), y == 0 ? std::copysign(1, x) * y : std::sinh(x) * std::sin(y)};
    case Arithmetic::area_sine: {
      const Complex turned = arc_sine({-y, x});
      return {turned.imag(), -turned.real()};
    }
    case Arithmetic::area_cosine: return area_cosine(a);
    default: return area_tangent(a);
  }
}

}  // namespace stridescope
