#include "layout/layout.h"

namespace stridescope {

std::string to_string(const Layout& layout) {
  std::string text;
  append(text, layout.sizes);
  text += ':';
  append(text, layout.strides);
  if (layout.storage_offset >= 0) text += '+';
  append(text, layout.storage_offset);
  return text;
}

}  // namespace stridescope
