#include "lang/utf8.h"

#include <algorithm>
#include <array>

namespace stridescope {
namespace {

struct Pair {
  char32_t character;
  std::string_view ascii;
};

constexpr Pair pairs[] = {
    {0x00A0, " "},  {0x00AB, "\""}, {0x00B4, "'"},  {0x00BB, "\""}, {0x00D7, "*"},  {0x00F7, "/"},   {0x2013, "-"},
    {0x2014, "-"},  {0x2018, "'"},  {0x2019, "'"},  {0x201C, "\""}, {0x201D, "\""}, {0x2026, "..."}, {0x202F, " "},
    {0x2192, "->"}, {0x2212, "-"},  {0x2260, "!="}, {0x2264, "<="}, {0x2265, ">="}, {0x3000, " "},   {0x3001, ","},
    {0x3002, "."},  {0x300C, "\""}, {0x300D, "\""}, {0x3010, "["},  {0x3011, "]"},  {0x3014, "["},   {0x3015, "]"},
};

/// U+FF01 .. U+FF5E are ASCII's 0x21 .. 0x7E in full width.
constexpr std::array<char, 94> full_width = [] {
  std::array<char, 94> result{};
  for (size_t i = 0; i < result.size(); ++i) result[i] = static_cast<char>(0x21 + i);
  return result;
}();

}  // namespace

CodePoint decode(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  const int bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return {lead, 1, false};
  char32_t value = lead & (0x7Fu >> bytes);
  for (int i = 1; i < bytes; ++i) {
    const unsigned next = byte(at + static_cast<size_t>(i));
    if ((next & 0xC0u) != 0x80u) return {lead, 1, false};
    value = value << 6 | (next & 0x3Fu);
  }
  const bool overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return {lead, 1, false};
  return {value, bytes, true};
}

void append_utf8(std::string& text, char32_t character) {
  if (character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF)) character = 0xFFFD;
  const auto push = [&](char32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (character < 0x80) {
    push(character);
  } else if (character < 0x800) {
    push(0xC0 | character >> 6);
    push(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    push(0xE0 | character >> 12);
    push(0x80 | (character >> 6 & 0x3F));
    push(0x80 | (character & 0x3F));
  } else {
    push(0xF0 | character >> 18);
    push(0x80 | (character >> 12 & 0x3F));
    push(0x80 | (character >> 6 & 0x3F));
    push(0x80 | (character & 0x3F));
  }
}

int64_t character_count(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; });
}

size_t valid_prefix(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const CodePoint character = decode(text, at);
    if (!character.valid) return at;
    at += static_cast<size_t>(character.bytes);
  }
  return text.size();
}

std::string excerpt(std::string_view text, size_t most) {
  constexpr std::string_view cut = "...";
  std::string result;
  size_t whole = 0;  // bytes of the result that leave room for the mark
  for (size_t at = 0; at < text.size();) {
    const CodePoint code = decode(text, at);
    at += static_cast<size_t>(code.bytes);
    if (result.size() + cut.size() <= most) whole = result.size();
    append_utf8(result, code.valid && code.value >= 0x20 && code.value != 0x7F ? code.value : 0xFFFD);
    if (result.size() > most) return result.substr(0, whole) + std::string(cut);
  }
  return result;
}

std::string_view lookalike(char32_t character) {
  if (character >= 0xFF01 && character <= 0xFF5E) return {&full_width[character - 0xFF01], 1};
  for (const Pair& pair : pairs) {
    if (pair.character == character) return pair.ascii;
  }
  return {};
}

bool is_letter_beyond_ascii(char32_t character) {
  if (character < 0x80 || !lookalike(character).empty()) return false;
  if (character < 0xC0) return character == 0xAA || character == 0xB5 || character == 0xBA;
  const bool punctuation_and_symbols =
      (character >= 0x2000 && character <= 0x2BFF && character != 0x2071 && character != 0x207F &&
       !(character >= 0x2090 && character <= 0x209C) && !(character >= 0x2102 && character <= 0x2149));
  const bool cjk_punctuation = character >= 0x3000 && character <= 0x3020;
  const bool private_and_special = (character >= 0xE000 && character <= 0xF8FF) ||
                                   (character >= 0xFE00 && character <= 0xFE4F) || character == 0xFEFF ||
                                   (character >= 0xFFE0 && character <= 0xFFFF);
  const bool pictures = character >= 0x1F000 && character <= 0x1FAFF;
  const bool beyond_letters = character >= 0x323B0 && !(character >= 0xE0100 && character <= 0xE01EF);
  return !punctuation_and_symbols && !cjk_punctuation && !private_and_special && !pictures && !beyond_letters;
}

}  // namespace stridescope
