#pragma once
#include <optional>
#include <vector>

#include "ops/numpy/numpy.h"

namespace stridescope {

inline constexpr int64_t most_members = 1 << 16;

/// All elements, row-major; nothing where they are too many to look at, and the call failed.
std::optional<std::vector<Scalar>> elements_in(Call& call, const Value& given);

}  // namespace stridescope
