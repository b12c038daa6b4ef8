#include "layout/dims.h"

namespace stridescope {

std::string to_string(const Dims& dims) {
  std::string text = "(";
  for (int d = 0; d < dims.size(); ++d) {
    if (d > 0) text += ", ";
    text += std::to_string(dims[d]);
  }
  return text + (dims.size() == 1 ? ",)" : ")");
}

}  // namespace stridescope
