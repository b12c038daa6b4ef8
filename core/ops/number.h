// Floating-point numbers as text, the same on every platform and in every locale.
#pragma once
#include <string>

namespace stridescope {

/// The shortest decimal that reads back as `value`, written as Python's repr: "0.1", "1e-05", "1e+16", "3.0", "nan".
std::string repr(double value);
/// The same for a value that a float holds: the shortest that reads back as that float.
std::string repr_single(float value);
/// And for a value of half precision.
std::string repr_half(double value);
/// The decimal nearest to `value` with so many digits behind the point, a half to even: "3.14", "-0.00", "1e+02".
/// @pre  places >= 0
std::string fixed_point(double value, int places);
std::string with_exponent(double value, int places);
/// As %g with that many digits, and so as C++ prints a number with 6; where `bare`, with a digit behind the point, as
/// Python's format without a type.
std::string general(double value, int precision = 6, bool bare = false);
/// At most 6 characters, for a cell of a picture: "0.5", "-1.234", "1e+16" as "1e16". Digits that do not fit are
/// rounded away.
std::string short_decimal(double value);

}  // namespace stridescope
