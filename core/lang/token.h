// Source text as tokens. Every byte that is not blank or comment belongs to one; what cannot be read is a token too.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lang/diagnostic.h"
#include "lang/word.h"

namespace stridescope {

struct Token {
  enum class Kind : uint8_t {
    name,     ///< also Python's own words
    integer,  ///< integer
    real,     ///< real; of an imaginary number, whose spelling ends in j, the part before it
    string,
    symbol,  ///< operator, bracket or separator
    error,   ///< problem
    end,     ///< after the last one
  };
  Kind kind = Kind::end;
  Word word;               ///< a symbol, or a name that is Python's own
  bool first = false;      ///< the first on its line
  bool formatted = false;  ///< string: an f-string
  int indent = 0;          ///< first: blanks before it, a tab up to the next multiple of eight
  Span span;
  std::string_view spelling;  ///< as in the source
  int mate = -1;              ///< a bracket: the token that closes or opens it, -1 where there is none
  int problem = -1;           ///< error: which of Tokens::problems
  union {
    int64_t integer = 0;
    double real;
  };

  bool is_reserved() const { return kind == Kind::name && word; }
  /// error: the ASCII that the character was mistaken for, if it was.
  std::string_view replacement() const;
};

struct Tokens {
  std::vector<Token> list;  ///< never empty: the last is Kind::end
  std::vector<Diagnostic> problems;
};

/// @pre none. The tokens point into `source`; those before byte `from` are left out.
Tokens tokenize(std::string_view source, size_t from = 0);

/// What the contents of a string stand for: without escapes, valid UTF-8.
std::string unescaped(std::string_view contents, bool raw);

/// Behind the `}` of an f-string's field that `{` at `opener` begins; npos where none closes it in `source`, or in its
/// line where it may not go on over `lines`.
size_t field_end(std::string_view source, size_t opener, bool lines);

/// Where the logical line that begins with token `first` ends. Inside brackets a line goes on; a bracket that nothing
/// closes holds only the lines below it that are indented or begin with a closer, so that a half-typed call does not
/// swallow the rest of the program.
size_t logical_line_end(const Tokens& tokens, size_t first);

constexpr bool is_opener(Word word) { return word == "(" || word == "[" || word == "{"; }
constexpr bool is_closer(Word word) { return word == ")" || word == "]" || word == "}"; }
/// The bracket that closes `opener`.
constexpr Word closer_of(Word opener) { return opener == "(" ? Word(")") : opener == "[" ? Word("]") : Word("}"); }

}  // namespace stridescope
