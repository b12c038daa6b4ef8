// Python's built-in functions that make numbers of other values, by their positional arguments.
#pragma once
#include <vector>

#include "ops/python/python.h"

namespace stridescope {

Outcome to_integer(const std::vector<Value>& arguments);  ///< int(x), int(text, base)
Outcome to_real(const std::vector<Value>& arguments);     ///< float(x)
Outcome to_complex(const std::vector<Value>& arguments);  ///< complex(a, b)
Outcome absolute(const std::vector<Value>& arguments);    ///< abs(x) of Python's own numbers
/// round(x) is an integer; round(x, digits) keeps the type.
Outcome python_round(const std::vector<Value>& arguments);

}  // namespace stridescope
