#include "layout/view.h"

namespace stridescope {

std::vector<Joint> joints(const Layout& layout) {
  std::vector<Joint> result;
  int outer = -1;
  for (int d = 0; d < layout.rank(); ++d) {
    if (layout.sizes[d] == 1) continue;
    if (outer >= 0) result.push_back(joint(layout, outer, d));
    outer = d;
  }
  return result;
}

}  // namespace stridescope
