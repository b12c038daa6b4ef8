#include "layout/layout.h"

namespace stridescope {

std::string to_string(const Layout& layout) {
  return to_string(layout.sizes) + ":" + to_string(layout.strides) + (layout.storage_offset < 0 ? "" : "+") +
         std::to_string(layout.storage_offset);
}

}  // namespace stridescope
