// Text against a literal, which is what names are compared with everywhere. The library's own operator takes two views
// by value: in wasm that is a copy of each in memory at every one of the hundreds of places.
#pragma once
#include <string_view>

namespace stridescope {

constexpr bool operator==(const std::string_view& text, const char* literal) {
  for (const char c : text)
    if (*literal == '\0' || c != *literal++) return false;
  return *literal == '\0';
}

}  // namespace stridescope
