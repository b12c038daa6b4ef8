// Numbers that look random: what stands where a library draws some.
#pragma once
#include <cstdint>

#include "ops/dtype.h"

namespace stridescope {

enum class Distribution : uint8_t {
  uniform,
  normal,
  integers,
  weights,  ///< uniform around 0, as layers of `low` inputs begin: up to 1 / sqrt(low)
  made_up,  ///< uniform: in place of what is not reckoned from other stand-ins
};

/// Numbers that are the same in every run and on every platform: `low` <= number < `high` for integers, from 0 up to 1
/// for uniform, mean 0 and variance 1 for normal.
struct StandIns {
  Distribution distribution;
  uint64_t seed;
  int64_t low, high;

  /// Number `i` of them as `dtype`.
  Scalar operator()(int64_t i, DType dtype) const;
};

}  // namespace stridescope
