// Integer arithmetic that says when it leaves int64_t instead of wrapping round.
#pragma once
#include <cstdint>
#include <optional>

namespace stridescope {

/// a + b, or nothing where the sum does not fit in int64_t.
constexpr std::optional<int64_t> checked_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// a * b, or nothing where the product does not fit in int64_t.
constexpr std::optional<int64_t> checked_mul(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// The same of what may be nothing already.
constexpr std::optional<int64_t> checked_add(std::optional<int64_t> a, std::optional<int64_t> b) {
  return a && b ? checked_add(*a, *b) : std::nullopt;
}
constexpr std::optional<int64_t> checked_mul(std::optional<int64_t> a, int64_t b) {
  return a ? checked_mul(*a, b) : std::nullopt;
}

}  // namespace stridescope
