#include "explain/target.h"

#include <array>
#include <charconv>

namespace stridescope {
namespace {

constexpr std::array<std::string_view, 8> kinds = {"", "step", "tensor", "axis", "element", "cell", "fix", "line"};

bool has_owner(Target::Kind kind) {
  return kind == Target::Kind::tensor || kind == Target::Kind::axis || kind == Target::Kind::element ||
         kind == Target::Kind::cell;
}
bool has_index(Target::Kind kind) { return kind != Target::Kind::none && kind != Target::Kind::tensor; }

/// Reads ":<number from 0 up>" off the front of `text`.
template <typename Number>
bool take(std::string_view& text, Number& number) {
  if (text.empty() || text[0] != ':') return false;
  const char* first = text.data() + 1;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, number);
  if (error != std::errc{} || number < 0) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

}  // namespace

std::string to_string(const Target& target) {
  std::string text(kinds[static_cast<size_t>(target.kind)]);
  if (has_owner(target.kind)) text += ':' + std::to_string(target.owner);
  if (has_index(target.kind)) text += ':' + std::to_string(target.index);
  return text;
}

Target parse_target(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(':'));
  text.remove_prefix(word.size());
  for (size_t i = 1; i < kinds.size(); ++i) {
    if (kinds[i] != word) continue;
    Target target{.kind = static_cast<Target::Kind>(i)};
    if (has_owner(target.kind) && !take(text, target.owner)) return {};
    if (has_index(target.kind) && !take(text, target.index)) return {};
    return text.empty() ? target : Target{};
  }
  return {};
}

}  // namespace stridescope
