#include "ops/stand_ins.h"

#include <algorithm>
#include <cmath>

namespace stridescope {
namespace {

// splitmix64: every bit of the result depends on every bit of the argument.
uint64_t mixed(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

double unit_interval(uint64_t bits) { return static_cast<double>(bits >> 40) * 0x1p-24; }

}  // namespace

Scalar StandIns::operator()(int64_t i, DType dtype) const {
  const uint64_t bits = mixed(seed ^ mixed(static_cast<uint64_t>(i)));
  switch (distribution) {
    case Distribution::uniform:
    case Distribution::made_up: return real_scalar(unit_interval(bits), dtype);
    case Distribution::weights:
      return real_scalar((2 * unit_interval(bits) - 1) / std::sqrt(static_cast<double>(std::max<int64_t>(low, 1))),
                         dtype);
    case Distribution::integers: {
      const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
      return integer_scalar(static_cast<int64_t>(static_cast<uint64_t>(low) + (range == 0 ? 0 : bits % range)), dtype);
    }
    default: break;  // normal
  }
  // The sum of twelve uniform values has variance 1, and needs no logarithm that platforms round differently.
  double sum = -6;
  for (uint64_t k = 0; k < 12; ++k) sum += unit_interval(mixed(bits + k));
  return real_scalar(sum, dtype);
}

}  // namespace stridescope
