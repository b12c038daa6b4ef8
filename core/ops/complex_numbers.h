// Complex numbers reckoned as both libraries do, where the standard libraries of C++ differ or round otherwise.
#pragma once
#include <cmath>
#include <complex>

#include "ops/arithmetic.h"

namespace stridescope {

using Complex = std::complex<double>;

/// What a step leaves of a number that is reckoned in single precision.
inline double to_single(double value, bool single) { return single ? static_cast<float>(value) : value; }

inline bool is_nan(Complex a) { return std::isnan(a.real()) || std::isnan(a.imag()); }
Complex product(Complex a, Complex b, bool single);
Complex quotient(Complex a, Complex b, bool single);
Complex root(Complex a);
/// sinh, cosh, and the inverses of what is circular or hyperbolic.  @pre `op` is one of those
Complex curve(Arithmetic op, Complex a, bool single);

}  // namespace stridescope
