// The functions of Python's math module.
#pragma once
#include <span>

#include "ops/python/python.h"

namespace stridescope {

/// By their whole names, "math.floor", in alphabetical order.
std::span<const Builtin> math_functions();

}  // namespace stridescope
