// In which order NumPy walks the axes of several arrays, and lays out what it makes of them.
#include <cstdlib>

#include "ops/numpy/numpy.h"

namespace stridescope {
namespace {

/// Insertion by comparisons that may be undecided: `swaps(ahead, moving)` is nothing where no array can tell, and the
/// axis is passed over; an axis comes to stand before the last one that a decided comparison put behind it.
template <class Swaps>
Dims inserted(Dims order, Swaps swaps) {
  for (int i = 1; i < order.size(); ++i) {
    const int64_t moving = order[i];
    int place = i;
    for (int ahead = i - 1; ahead >= 0; --ahead) {
      const std::optional<bool> swap = swaps(static_cast<int>(order[ahead]), static_cast<int>(moving));
      if (swap == false) break;
      if (swap) place = ahead;
    }
    order.erase(i);
    order.insert(place, moving);
  }
  return order;
}

}  // namespace

// In both, C order wins where arrays disagree: one array against a swap is enough.

Dims iteration_order(const std::vector<Layout>& operands) {
  const auto stride = [](const Layout& layout, int d) {
    return layout.sizes[d] == 1 ? 0 : std::abs(layout.strides[d]);
  };
  const Dims fastest_first = inserted(c_order(operands.front().rank()), [&](int ahead, int moving) {
    std::optional<bool> swap;
    for (const Layout& layout : operands) {
      const int64_t a = stride(layout, ahead), m = stride(layout, moving);
      if (a != 0 && m != 0) swap = swap.value_or(true) && a > m;
    }
    return swap;
  });
  Dims slowest;
  for (int k = fastest_first.size() - 1; k >= 0; --k) slowest.push_back(fastest_first[k]);
  return slowest;
}

Dims joined_order(const std::vector<Layout>& arrays) {
  return inserted(fortran_order(arrays.front().rank()), [&](int ahead, int moving) {
    std::optional<bool> swap;
    for (const Layout& layout : arrays)
      if (layout.sizes[ahead] != 1 && layout.sizes[moving] != 1)
        swap = swap.value_or(true) && std::abs(layout.strides[moving]) > std::abs(layout.strides[ahead]);
    return swap;
  });
}

}  // namespace stridescope
