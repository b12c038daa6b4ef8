// Division that rounds down, for offsets below 0 as well.
#pragma once
#include <cstdint>

namespace stridescope {

/// @pre b != 0, and not INT64_MIN by -1
constexpr int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
/// What is left of that: of the sign of b, or 0.
constexpr int64_t floor_mod(int64_t a, int64_t b) {
  const int64_t left = a % b;
  return left != 0 && (left < 0) != (b < 0) ? left + b : left;
}

}  // namespace stridescope
