#include "render/json.h"

#include "lang/utf8.h"

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
  for (size_t at = 0; at < text.size();) {
    const CodePoint next = decode(text, at);
    const auto length = static_cast<size_t>(next.bytes);
    if (!next.valid) {
      text_ += "\\ufffd";
    } else if (next.value == '"' || next.value == '\\') {
      (text_ += '\\') += text[at];
    } else if (next.value < 0x20) {
      static constexpr char digits[] = "0123456789abcdef";
      ((text_ += "\\u00") += digits[next.value >> 4]) += digits[next.value & 15];
    } else {
      text_ += text.substr(at, length);
    }
    at += length;
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
