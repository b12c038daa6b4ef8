// Elements of an array one after the other, for what has to look at each: sets, orders, places among others.
#pragma once
#include <optional>
#include <vector>

#include "ops/numpy/numpy.h"

namespace stridescope {

/// All elements, row-major; nothing where they are too many to look at, and the call failed.
std::optional<std::vector<Scalar>> elements_in(Call& call, const Value& given);

}  // namespace stridescope
