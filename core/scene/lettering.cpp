#include "scene/lettering.h"

#include <algorithm>
#include <cstdint>

namespace stridescope {
namespace {

constexpr char32_t invalid = 0xFFFD;

/// Takes one character from the front of `text`; bytes that are not UTF-8 come one by one as U+FFFD.
/// @pre  !text.empty()
char32_t take(std::string_view& text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  const size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  const auto reject = [&] { return text.remove_prefix(1), invalid; };
  if (length == 0 || length > text.size()) return reject();
  char32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return reject();
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (overlong || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return reject();
  text.remove_prefix(length);
  return code;
}

void put(std::string& out, char32_t code) {
  const auto add = [&](char32_t bits) { out += static_cast<char>(bits); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | code >> 6), add(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12), add(0x80 | (code >> 6 & 0x3F)), add(0x80 | (code & 0x3F));
  } else {
    add(0xF0 | code >> 18), add(0x80 | (code >> 12 & 0x3F)), add(0x80 | (code >> 6 & 0x3F)), add(0x80 | (code & 0x3F));
  }
}

bool between(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

/// Characters that take no room of their own and could turn or hide what stands beside them.
bool invisible(char32_t code) {
  return code == 0xAD || code == 0x61C || code == 0x180E || between(code, 0x200B, 0x200F) ||
         between(code, 0x2028, 0x202E) || between(code, 0x2060, 0x206F) || code == 0xFEFF ||
         between(code, 0xFFF9, 0xFFFB) || between(code, 0xE0000, 0xE0FFF);
}

bool combining(char32_t code) {
  return between(code, 0x300, 0x36F) || between(code, 0x1AB0, 0x1AFF) || between(code, 0x1DC0, 0x1DFF) ||
         between(code, 0x20D0, 0x20FF) || between(code, 0xFE00, 0xFE0F) || between(code, 0xFE20, 0xFE2F);
}

bool wide(char32_t code) {
  return between(code, 0x1100, 0x115F) || between(code, 0x2E80, 0xA4CF) || between(code, 0xAC00, 0xD7A3) ||
         between(code, 0xF900, 0xFAFF) || between(code, 0xFE30, 0xFE6F) || between(code, 0xFF00, 0xFF60) ||
         between(code, 0xFFE0, 0xFFE6) || between(code, 0x1F300, 0x1FAFF) || between(code, 0x20000, 0x3FFFD);
}

/// Hundredths of an em.
int64_t advance(char32_t code) { return combining(code) ? 0 : wide(code) ? 100 : 60; }

Unit scaled(int64_t hundredths, Unit size) {
  return static_cast<Unit>(std::min<int64_t>((hundredths * size + 99) / 100, INT32_MAX));
}

}  // namespace

std::string printable(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char32_t code = take(text);
    if (code == '\n' || code == '\t') {
      out += ' ';
    } else if (code == '\r') {
      if (text.empty() || text.front() != '\n') out += ' ';
    } else if (code < 0x20) {
      put(out, 0x2400 + code);
    } else if (code == 0x7F) {
      put(out, 0x2421);
    } else if (between(code, 0x80, 0x9F) || (code & 0xFFFE) == 0xFFFE || between(code, 0xFDD0, 0xFDEF)) {
      put(out, invalid);
    } else if (invisible(code)) {
      out += code > 0xFFFF ? "\\U000" : "\\u";
      for (int shift = code > 0xFFFF ? 16 : 12; shift >= 0; shift -= 4) out += digits[code >> shift & 0xF];
    } else {
      put(out, code);
    }
  }
  return out;
}

Unit text_width(std::string_view text, Unit size) {
  int64_t hundredths = 0;
  while (!text.empty()) hundredths += advance(take(text));
  return scaled(hundredths, size);
}

std::string shortened(std::string_view text, Unit size, Unit width) {
  if (text_width(text, size) <= width) return std::string(text);
  int64_t hundredths = advance(U'…');
  if (scaled(hundredths, size) > width) return {};
  std::string_view rest = text;
  size_t kept = 0;
  for (;;) {
    hundredths += advance(take(rest));
    if (scaled(hundredths, size) > width) break;
    kept = text.size() - rest.size();
  }
  while (kept > 0 && text[kept - 1] == ' ') --kept;
  return std::string(text.substr(0, kept)) + "…";
}

std::vector<std::string> wrapped(std::string_view text, Unit size, Unit width, int most) {
  std::vector<std::string> lines;
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty()) {
    if (static_cast<int>(lines.size()) + 1 == most) {
      lines.push_back(shortened(text, size, width));
      break;
    }
    std::string_view rest = text;
    int64_t hundredths = 0;
    size_t fits = 0, good = 0;  // how much fits, and up to the last place where a line may end
    bool after_wide = false;
    while (!rest.empty()) {
      const size_t before = text.size() - rest.size();
      const char32_t code = take(rest);
      const bool closing =
          code == U'，' || code == U'。' || code == U'；' || code == U'：' || code == U'）' || code == U'、';
      if (code == ' ' || ((wide(code) || after_wide) && !closing)) good = before;
      hundredths += advance(code);
      if (scaled(hundredths, size) > width) break;
      fits = text.size() - rest.size();
      after_wide = wide(code);
    }
    if (fits == text.size()) good = fits;
    if (good == 0) good = fits;
    if (good == 0) break;  // not one character fits
    std::string_view line = text.substr(0, good);
    while (line.back() == ' ') line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(good);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  return lines;
}

}  // namespace stridescope
