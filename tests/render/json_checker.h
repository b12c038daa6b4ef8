// Reads JSON back: it parses or it does not, nothing more.
#pragma once
#include <algorithm>
#include <string_view>

namespace stridescope {

/// Whether `text` is one JSON value and nothing else.
class Checker {
 public:
  explicit Checker(std::string_view text) : rest_(text) {}
  bool whole() { return value() && rest_.empty(); }

 private:
  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool string() {
    if (!take("\"")) return false;
    while (!rest_.empty() && rest_[0] != '"') {
      if (static_cast<unsigned char>(rest_[0]) < 0x20) return false;
      rest_.remove_prefix(rest_[0] == '\\' ? std::min<size_t>(2, rest_.size()) : 1);
    }
    return take("\"");
  }
  bool number() {
    take("-");
    const size_t digits = std::min(rest_.find_first_not_of("0123456789.eE+-"), rest_.size());
    rest_.remove_prefix(digits);
    return digits > 0;
  }
  bool list(std::string_view open, std::string_view close, bool keyed) {
    if (!take(open)) return false;
    if (take(close)) return true;
    do {
      if (keyed && !(string() && take(":"))) return false;
      if (!value()) return false;
    } while (take(","));
    return take(close);
  }
  bool value() {
    if (take("null") || take("true") || take("false")) return true;
    if (rest_.starts_with("\"")) return string();
    if (rest_.starts_with("{")) return list("{", "}", true);
    if (rest_.starts_with("[")) return list("[", "]", false);
    return number();
  }

  std::string_view rest_;
};

}  // namespace stridescope
