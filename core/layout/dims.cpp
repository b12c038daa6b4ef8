#include "layout/dims.h"

#include <charconv>
#include <iterator>

namespace stridescope {

std::string to_string(const Dims& dims) {
  std::string text;
  text += '(';
  for (int d = 0; d < dims.size(); ++d) {
    if (d > 0) text += ", ";
    char digits[20];
    text.append(digits, std::to_chars(digits, std::end(digits), dims[d]).ptr);
  }
  text += dims.size() == 1 ? ",)" : ")";
  return text;
}

}  // namespace stridescope
