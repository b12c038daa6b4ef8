// What stands in a text.
#pragma once
#include <cstddef>
#include <string_view>

namespace stridescope {

inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// How often `part` stands in `text`.
inline size_t count(std::string_view text, std::string_view part) {
  size_t times = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

}  // namespace stridescope
