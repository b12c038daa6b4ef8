#include "render/json.h"

namespace stridescope {

void Json::comma() {
  if (!first_) text_ += ',';
  first_ = false;
}

Json& Json::open(char opening, char closing) {
  comma();
  text_ += opening;
  closing_ += closing;
  first_ = true;
  return *this;
}

Json& Json::end() {
  text_ += closing_.back();
  closing_.pop_back();
  first_ = false;
  return *this;
}

Json& Json::raw(std::string_view json) {
  comma();
  text_ += json;
  return *this;
}

Json& Json::key(std::string_view name) {
  value(name);
  text_ += ':';
  first_ = true;
  return *this;
}

Json& Json::value(std::string_view text) {
  comma();
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (text_ += '\\') += c;
    } else if (static_cast<uint8_t>(c) < 0x20) {
      static constexpr char digits[] = "0123456789abcdef";
      ((text_ += "\\u00") += digits[static_cast<uint8_t>(c) >> 4]) += digits[c & 15];
    } else {
      text_ += c;
    }
  }
  text_ += '"';
  return *this;
}

Json& Json::value(const Dims& dims) {
  array();
  for (const int64_t size : dims) value(size);
  return end();
}

}  // namespace stridescope
