#include "layout/dims.h"

#include <charconv>

namespace stridescope {

void append(std::string& text, int64_t number) {
  char digits[20];
  const char* const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text.append(digits, static_cast<size_t>(end - digits));
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
