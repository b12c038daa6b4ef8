// Python's built-in functions that make numbers of other values, by their positional arguments.
#pragma once
#include <vector>

#include "ops/python/python.h"

namespace stridescope {

Outcome to_integer(const std::vector<Value>& arguments);  ///< int(x), int(text, base)
Outcome to_real(const std::vector<Value>& arguments);     ///< float(x)
Outcome to_complex(const std::vector<Value>& arguments);  ///< complex(a, b)
Outcome absolute(const std::vector<Value>& arguments);    ///< abs(x) of Python's own numbers
/// pow(base, exp, mod) of Python's own integers.  @pre three
Outcome modular_power(const std::vector<Value>& arguments);
Outcome character(const std::vector<Value>& arguments);  ///< chr(i)
Outcome code_of(const std::vector<Value>& arguments);    ///< ord(c)
/// round(x) is an integer; round(x, digits) keeps the type.
Outcome python_round(const std::vector<Value>& arguments);

}  // namespace stridescope
