// A program as Python that checks itself in the real libraries: every statement, followed by assertions of what the
// engine said of it: sizes, strides, storage offset and sharing, plain values, and the error of a line that fails.
#pragma once
#include <string>

#include "ops/trace.h"

namespace stridescope {

/// @post running it with PyTorch and NumPy installed ends without an AssertionError exactly when they agree with the
///       trace. Addresses (data_ptr, id) and pseudo-random values are not asserted.
std::string assertions(const Trace& trace);

}  // namespace stridescope
