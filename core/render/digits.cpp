#include "render/digits.h"

namespace stridescope {

std::string number(Unit value) {
  std::string out = value < 0 ? "-" : "";
  const int64_t magnitude = value < 0 ? -int64_t{value} : int64_t{value};
  out += std::to_string(magnitude / 100);
  const auto hundredths = static_cast<char>(magnitude % 100);
  if (hundredths != 0) {
    out += '.';
    out += static_cast<char>('0' + hundredths / 10);
    if (hundredths % 10 != 0) out += static_cast<char>('0' + hundredths % 10);
  }
  return out;
}

std::string hex(Color color) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t channel : {color.r, color.g, color.b}) (text += digits[channel >> 4]) += digits[channel & 15];
  return text;
}

}  // namespace stridescope
