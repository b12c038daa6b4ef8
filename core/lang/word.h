// The words that Python keeps for itself, and symbols: each is a number, for the parser asks of every token which it
// is.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace stridescope {

/// Those that begin with the same character side by side, and of symbols the longest first, so that the first that
/// fits is the one. Symbols that Python does not know are here to be named.
inline constexpr std::string_view word_spellings[] = {
    "...",     ".",     "===",   "==",     "=>",       "=",      ":=",    ":",    "**=",    "**",
    "*=",      "*",     "->",    "-=",     "-",        "+=",     "+",     "//=",  "//",     "/=",
    "/",       "%=",    "%",     "@=",     "@",        "<<=",    "<<",    "<=",   "<>",     "<",
    ">>=",     ">>",    ">=",    ">",      "!==",      "!=",     "!",     "&=",   "&&",     "&",
    "|=",      "||",    "|",     "^=",     "^",        "(",      ")",     ",",    "[",      "]",
    "~",       "{",     "}",     ";",      "False",    "None",   "True",  "and",  "as",     "assert",
    "async",   "await", "break", "class",  "continue", "def",    "del",   "elif", "else",   "except",
    "finally", "for",   "from",  "global", "if",       "import", "in",    "is",   "lambda", "nonlocal",
    "not",     "or",    "pass",  "raise",  "return",   "try",    "while", "with", "yield"};

inline constexpr size_t word_count = std::size(word_spellings);

/// By character the number of the first that begins with it, counted from 1; 0 where none does.
inline constexpr auto words_by_letter = [] {
  std::array<uint8_t, 128> numbers{};
  for (size_t i = word_count; i > 0; --i)
    numbers[static_cast<size_t>(word_spellings[i - 1][0])] = static_cast<uint8_t>(i);
  return numbers;
}();

/// The number of the word that `text` is, or of the symbol that it begins with; 0 of anything else.
constexpr size_t word_number(std::string_view text, bool whole) {
  const auto letter = static_cast<unsigned char>(text[0]);
  size_t number = letter < words_by_letter.size() ? words_by_letter[letter] : 0;
  for (; number != 0 && number <= word_count; ++number) {
    const std::string_view spelling = word_spellings[number - 1];
    if (spelling[0] != text[0]) break;
    if (whole ? text.size() != spelling.size() : text.size() < spelling.size()) continue;
    size_t same = 1;
    while (same < spelling.size() && spelling[same] == text[same]) ++same;
    if (same == spelling.size()) return number;
  }
  return 0;
}

/// One of them by its number, or none: a name of the program's own, a number, a string.
class Word {
 public:
  constexpr Word() = default;
  /// @pre it is one of them: of anything else this does not compile
  consteval Word(const char* spelling) : number_(static_cast<uint8_t>(word_number(spelling, true))) {
    static_cast<void>(word_spellings[number_ == 0 ? word_count : 0].size());
  }
  /// The symbol that `rest` begins with.  @pre it is not empty
  static constexpr Word symbol(std::string_view rest) { return Word(word_number(rest, false)); }
  /// The word that `name` is.  @pre it is not empty
  static constexpr Word reserved(std::string_view name) { return Word(word_number(name, true)); }

  constexpr std::string_view spelling() const {
    return number_ == 0 ? std::string_view() : word_spellings[number_ - 1];
  }
  constexpr size_t number() const { return number_; }
  constexpr explicit operator bool() const { return number_ != 0; }
  friend constexpr bool operator==(Word, Word) = default;

 private:
  constexpr explicit Word(size_t number) : number_(static_cast<uint8_t>(number)) {}

  uint8_t number_ = 0;
};

}  // namespace stridescope
