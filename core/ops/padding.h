// What stands around the elements of a padded array or tensor.
#pragma once
#include <cstdint>
#include <vector>

#include "ops/contents.h"

namespace stridescope {

/// The last ones are reckoned from each line, for arrays alone.
enum class Filling : uint8_t { constant, edge, reflect, symmetric, wrap, linear_ramp, maximum, mean, median, minimum };

/// The elements of `array`, and before and after them copies of some of them, axis after axis, so corners follow: the
/// element at index `before` of the result is the first of the array. Null where an axis is too long.
/// @pre  no axis of the array is empty where one of the result is not; `filling` is edge .. wrap
ContentsPtr continued(const Tensor& array, const Dims& sizes, const std::vector<int64_t>& before, Filling filling);

}  // namespace stridescope
