// Characters of UTF-8 text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace stridescope {

struct CodePoint {
  char32_t value = 0;
  int bytes = 1;       ///< that it takes in the text
  bool valid = false;  ///< false: one byte that is not UTF-8 (overlong forms and surrogates are not)
};

/// The character that begins at `at`.  @pre at < text.size()
CodePoint decode(std::string_view text, size_t at);
/// Appends a character; a surrogate or a value beyond Unicode becomes U+FFFD.
void append_utf8(std::string& text, char32_t character);

/// How many characters a text has that is UTF-8.
int64_t character_count(std::string_view text);
/// Whether all characters are ASCII.
bool is_ascii(std::string_view text);
/// Where the text stops being UTF-8; its size where it never does.
size_t valid_prefix(std::string_view text);

/// The beginning of a text, for quoting it in a sentence: one line of valid UTF-8 of at most `most` bytes, "..." where
/// it was cut. Control characters and bytes that are not UTF-8 show as U+FFFD.
std::string excerpt(std::string_view text, size_t most = 40);

/// What the character is easily mistaken for in code: full-width and Chinese punctuation, curly quotes, typographic
/// dashes and blanks. Empty for all others.
std::string_view lookalike(char32_t character);
/// Whether the character, beyond ASCII, can stand in a name: letters and ideographs, not punctuation, symbols or emoji.
bool is_letter_beyond_ascii(char32_t character);

}  // namespace stridescope
