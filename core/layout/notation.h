// Reading the notation of a layout, "(2, 3):(3, 1)+0": for tests, comments that are checked, and programs that are
// handed a layout as text.
#pragma once
#include <optional>
#include <string_view>

#include "layout/layout.h"

namespace stridescope {

namespace notation {

/// Reads from the front of `rest`; every function leaves `rest` behind what it has read.
struct Reader {
  std::string_view rest;

  constexpr void skip_spaces() {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  }
  constexpr bool take(char wanted) {
    skip_spaces();
    if (rest.empty() || rest.front() != wanted) return false;
    rest.remove_prefix(1);
    return true;
  }
  constexpr std::optional<int64_t> integer() {
    const bool negative = take('-');
    skip_spaces();
    if (rest.empty() || rest.front() < '0' || rest.front() > '9') return std::nullopt;
    int64_t value = 0;
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
      const auto tens = checked_mul(value, 10);
      const auto digit = rest.front() - '0';
      const auto next = checked_add(tens, negative ? -digit : digit);
      if (!next) return std::nullopt;
      value = *next;
      rest.remove_prefix(1);
    }
    return value;
  }
  constexpr std::optional<Dims> dims() {
    Dims values;
    if (!take('(')) return std::nullopt;
    while (!take(')')) {
      const auto value = integer();
      if (!value || values.full()) return std::nullopt;
      values.push_back(*value);
      if (take(',')) continue;
      if (!take(')')) return std::nullopt;
      break;
    }
    return values;
  }
};

}  // namespace notation

/// The inverse of to_string(Layout); spaces do not matter, "+0" may be left out. Nothing for any other text.
constexpr std::optional<Layout> parse_layout(std::string_view text) {
  notation::Reader reader{text};
  const auto sizes = reader.dims();
  if (!sizes || !reader.take(':')) return std::nullopt;
  const auto strides = reader.dims();
  if (!strides || strides->size() != sizes->size()) return std::nullopt;
  Layout layout{*sizes, *strides, 0};
  reader.skip_spaces();
  if (!reader.rest.empty()) {
    if (reader.rest.front() != '-' && !reader.take('+')) return std::nullopt;
    const auto storage_offset = reader.integer();
    if (!storage_offset) return std::nullopt;
    layout.storage_offset = *storage_offset;
  }
  reader.skip_spaces();
  return reader.rest.empty() ? std::optional(layout) : std::nullopt;
}

inline namespace literals {

/// "(2, 3):(3, 1)+0"_layout.  @pre the text is a layout's notation
constexpr Layout operator""_layout(const char* text, size_t length) { return *parse_layout({text, length}); }

}  // namespace literals
}  // namespace stridescope
