// What objects are: their types, identities and sizes, as Python's functions tell them.
#pragma once
#include <vector>

#include "ops/python/python.h"

namespace stridescope {

Outcome python_id(const std::vector<Value>& arguments);
Outcome python_type(const std::vector<Value>& arguments);
Outcome python_callable(const std::vector<Value>& arguments);
Outcome python_isinstance(const std::vector<Value>& arguments);
Outcome python_memoryview(const std::vector<Value>& arguments);
/// sys.getsizeof, in bytes.
Outcome python_getsizeof(const std::vector<Value>& arguments);

}  // namespace stridescope
