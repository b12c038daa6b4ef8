#include "layout/contiguity.h"

namespace stridescope {

std::vector<Comparison> contiguity_walk(const Layout& layout, const Dims& order, int64_t unit) {
  std::vector<Comparison> walk;
  walk.reserve(static_cast<size_t>(order.size()));
  compare_with_packed(layout, order, unit, [&](const Comparison& comparison) { walk.push_back(comparison); });
  return walk;
}

}  // namespace stridescope
