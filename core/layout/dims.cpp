#include "layout/dims.h"

#include <charconv>

namespace stridescope {

void append(std::string& text, int64_t number) {
  char digits[20];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append(std::string& text, const Dims& dims) {
  text += '(';
  for (int d = 0; d < dims.size(); ++d) {
    if (d > 0) text += ", ";
    append(text, dims[d]);
  }
  text += dims.size() == 1 ? ",)" : ")";
}

std::string to_string(const Dims& dims) {
  std::string text;
  append(text, dims);
  return text;
}

}  // namespace stridescope
