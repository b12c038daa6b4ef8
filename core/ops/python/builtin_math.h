// The functions of Python's math module.
#pragma once
#include "ops/python/python.h"

namespace stridescope {

/// "math.floor" and the others; null where there is none.
const Builtin* find_math(std::string_view path);
/// Their names without the module's, in alphabetical order.
std::vector<std::string_view> math_names();

}  // namespace stridescope
