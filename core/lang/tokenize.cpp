#include <algorithm>
#include <array>
#include <charconv>

#include "lang/number.h"
#include "lang/token.h"
#include "lang/utf8.h"

namespace stridescope {
namespace {

constexpr std::string_view string_prefixes[] = {"r", "b", "u", "f", "rb", "br", "rf", "fr"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Whether a byte goes on in a name, by its number.
constexpr auto in_name = [] {
  std::array<bool, 256> result{};
  for (size_t i = 0; i < 128; ++i) {
    const char c = static_cast<char>(i);
    result[i] = is_ascii_letter(c) || (c >= '0' && c <= '9');
  }
  return result;
}();

/// Appends what the escape at `i` stands for; one that Python does not know stays as it is. Returns the place after.
size_t escape(std::string_view body, size_t i, std::string& text) {
  constexpr std::string_view letters = "\\'\"abfnrtv", meanings = "\\'\"\a\b\f\n\r\t\v";
  const char c = body[i + 1];
  if (c == '\n') return i + 2;
  if (c == '\r') return i + (body.substr(i + 2).starts_with('\n') ? 3 : 2);
  if (const size_t known = letters.find(c); known != std::string_view::npos) {
    text += meanings[known];
    return i + 2;
  }
  const bool octal = c >= '0' && c <= '7';
  const size_t digits = octal ? 3 : c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  const size_t begin = i + (octal ? 1 : 2);
  uint32_t code = 0;
  const char* first = body.data() + begin;
  const char* last = body.data() + std::min(begin + digits, body.size());
  const char* stop = std::from_chars(first, last, code, octal ? 8 : 16).ptr;
  if (digits == 0 || (!octal && stop != first + digits)) {
    text += '\\';
    return i + 1;
  }
  append_utf8(text, code);
  return static_cast<size_t>(stop - body.data());
}

class Tokenizer {
 public:
  Tokenizer(std::string_view source, size_t from) : source_(source), at_(from) {}

  Tokens run() {
    tokens_.list.reserve((source_.size() - at_) / 2 + 1);
    if (at_ == 0 && source_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (skip_blanks()) next();
    push(Token::Kind::end, at_);
    match_brackets();
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
  bool at_end() const { return at_ >= source_.size(); }

  /// Moves to the next token's first byte; false at the end. Comments and continued lines count as blank.
  bool skip_blanks() {
    for (; !at_end(); ++at_) {
      const char c = peek();
      if (c == '\n' || c == '\r') {
        first_ = true;
        indent_ = 0;
      } else if (c == ' ' || c == '\f') {
        ++indent_;
      } else if (c == '\t') {
        indent_ = (indent_ / 8 + 1) * 8;
      } else if (c == '#') {
        at_ = std::min(source_.find_first_of("\r\n", at_), source_.size()) - 1;
      } else if (c == '\\' && (peek(1) == '\n' || peek(1) == '\r')) {
        at_ += peek(1) == '\r' && peek(2) == '\n' ? 2 : 1;
      } else {
        return true;
      }
    }
    return false;
  }

  Token& push(Token::Kind kind, size_t end) {
    const size_t begin = at_;
    at_ = end;
    Token& token = tokens_.list.emplace_back();
    token.kind = kind;
    token.span = {static_cast<int32_t>(begin), static_cast<int32_t>(end)};
    token.spelling = source_.substr(begin, end - begin);
    token.first = first_;
    token.indent = indent_;
    first_ = false;
    return token;
  }

  void push_error(size_t end, Message reason, Hint hint) {
    Token& token = push(Token::Kind::error, end);
    token.problem = static_cast<int>(tokens_.problems.size());
    tokens_.problems.push_back({token.span, std::move(reason), std::nullopt, {std::move(hint)}});
  }

  void next() {
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '"' || c == '\'') return string(at_, {});
    const size_t end = name_end(at_);
    if (end > at_) return name(end);
    if (const Word symbol = Word::symbol(source_.substr(at_)))
      push(Token::Kind::symbol, at_ + symbol.spelling().size()).word = symbol;
    else
      stray();
  }

  size_t name_end(size_t at) const {
    while (at < source_.size()) {
      if (in_name[static_cast<unsigned char>(source_[at])]) {
        ++at;
        continue;
      }
      if (static_cast<unsigned char>(source_[at]) < 0x80) break;
      const CodePoint code = decode(source_, at);
      if (!code.valid || !is_letter_beyond_ascii(code.value)) break;
      at += static_cast<size_t>(code.bytes);
    }
    return at;
  }

  void name(size_t end) {
    const bool quote = end < source_.size() && (source_[end] == '"' || source_[end] == '\'');
    if (quote && end - at_ <= 2) {
      std::string prefix(source_.substr(at_, end - at_));
      for (char& c : prefix) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      if (std::find(std::begin(string_prefixes), std::end(string_prefixes), prefix) != std::end(string_prefixes))
        return string(end, prefix);
    }
    Token& token = push(Token::Kind::name, end);
    token.word = Word::reserved(token.spelling);
  }

  void number() {
    const std::string_view rest = source_.substr(at_);
    const auto digits_end = [&](size_t i) {
      while (i < rest.size() && (is_digit(rest[i]) || rest[i] == '_')) ++i;
      return i;
    };
    const bool based =
        rest.size() > 1 && rest[0] == '0' && std::string_view("xXoObB").find(rest[1]) != std::string_view::npos;
    size_t end = digits_end(0);
    bool real = false;
    if (!based) {
      if (end < rest.size() && rest[end] == '.') {
        real = true;
        end = digits_end(end + 1);
      }
      if (end < rest.size() && (rest[end] == 'e' || rest[end] == 'E')) {
        const size_t sign = end + 1 < rest.size() && (rest[end + 1] == '+' || rest[end + 1] == '-') ? 1 : 0;
        if (end + 1 + sign < rest.size() && is_digit(rest[end + 1 + sign])) {
          real = true;
          end = digits_end(end + 1 + sign);
        }
      }
    }
    const size_t stop = name_end(at_ + end) - at_;  // letters that are stuck to it belong to the mistake
    const std::string_view spelling = rest.substr(0, stop);
    const bool imaginary = !based && stop == end + 1 && (rest[end] == 'j' || rest[end] == 'J');
    if (imaginary || (real && stop == end)) {
      const std::string_view digits = rest.substr(0, end);
      if (const auto value = parse_real(without_underscores(digits)); value && underscores_are_inside(digits)) {
        push(Token::Kind::real, at_ + stop).real = *value;
      } else {
        bad_number(stop);
      }
    } else {
      whole_number(spelling, based);
    }
  }

  void whole_number(std::string_view spelling, bool based) {
    int base = 10;
    if (based) base = (spelling[1] | 0x20) == 'x' ? 16 : (spelling[1] | 0x20) == 'o' ? 8 : 2;
    std::string kept;
    std::string_view digits = based ? spelling.substr(2) : spelling;
    if (digits.find('_') != std::string_view::npos) digits = kept = without_underscores(digits);
    int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    const bool all = end == digits.data() + digits.size() && !digits.empty();
    const bool leading_zero = !based && spelling[0] == '0' && digits.find_first_not_of('0') != std::string::npos;
    const std::string_view counted = based && spelling.size() > 2 && spelling[2] == '_' ? spelling.substr(3) : spelling;
    if (!all || leading_zero || !underscores_are_inside(counted)) {
      bad_number(spelling.size());
    } else if (error != std::errc{}) {
      push_error(at_ + spelling.size(), {Msg::lang_integer_range, {spelling}},
                 {{Msg::hint_lang_integer_range, {}}, {}});
    } else {
      push(Token::Kind::integer, at_ + spelling.size()).integer = value;
    }
  }

  void bad_number(size_t length) {
    push_error(at_ + length, {Msg::lang_number, {source_.substr(at_, length)}}, {{Msg::hint_lang_number, {}}, {}});
  }

  static std::string without_underscores(std::string_view text) {
    std::string result(text);
    result.erase(std::remove(result.begin(), result.end(), '_'), result.end());
    return result;
  }

  /// One underscore at a time, with a digit on both sides.
  static bool underscores_are_inside(std::string_view text) {
    const auto digit = [&](size_t i) {
      return i < text.size() &&
             (is_digit(text[i]) || (text[i] >= 'a' && text[i] <= 'f') || (text[i] >= 'A' && text[i] <= 'F'));
    };
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '_' && (i == 0 || !digit(i - 1) || !digit(i + 1))) return false;
    }
    return true;
  }

  /// Behind the field that opens at `opener`, or behind that brace where nothing closes it: then the next quote ends
  /// the string.
  size_t behind_field(size_t opener, bool triple) {
    const size_t end = field_end(source_, opener, triple);
    if (end != std::string_view::npos) return end;
    fieldless_ = triple ? source_.size() : source_.find_first_of("\r\n", opener);
    return opener + 1;
  }

  /// A string whose quote is at `quote`, after its prefix.
  void string(size_t quote, std::string_view prefix) {
    const bool triple = source_.substr(quote).starts_with(source_[quote] == '"' ? "\"\"\"" : "'''");
    const std::string_view mark = source_.substr(quote, triple ? 3 : 1);
    const size_t begin = quote + mark.size();
    bool& hopeless = never_closed_[source_[quote] == '"' ? 1 : 0];
    const bool formatted = prefix.find('f') != std::string_view::npos;
    size_t end = triple && hopeless ? source_.size() : begin;
    while (end < source_.size() && !source_.substr(end).starts_with(mark)) {
      if (!triple && (source_[end] == '\n' || source_[end] == '\r')) break;
      if (formatted && source_[end] == '{' && end >= fieldless_) {
        end = source_.substr(end).starts_with("{{") ? end + 2 : behind_field(end, triple);
        continue;
      }
      const bool crlf = source_.substr(end).starts_with("\\\r\n");
      end = std::min(source_.size(), end + (crlf ? 3u : source_[end] == '\\' ? 2u : 1u));
    }
    if (end >= source_.size() || !source_.substr(end).starts_with(mark)) {
      if (triple) hopeless = true;
      const size_t line_end = std::min(source_.find_first_of("\r\n", quote), source_.size());
      const Fix fix{{static_cast<int32_t>(line_end), static_cast<int32_t>(line_end)}, std::string(mark)};
      push_error(line_end, {Msg::lang_string, {mark}}, {{Msg::hint_lang_string, {mark}}, fix});
      tokens_.problems.back().span.end = static_cast<int32_t>(begin);
      return;
    }
    const size_t after = end + mark.size();
    const auto other = std::find_if(source_.begin() + static_cast<std::ptrdiff_t>(begin),
                                    source_.begin() + static_cast<std::ptrdiff_t>(end),
                                    [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    if (const auto at = static_cast<size_t>(other - source_.begin()); at < end && prefix.find('b') != prefix.npos) {
      const std::string_view character = source_.substr(at, static_cast<size_t>(decode(source_, at).bytes));
      push_error(after, {Msg::lang_bytes, {excerpt(character)}}, {{Msg::hint_lang_bytes, {}}, {}});
      tokens_.problems.back().span = {static_cast<int32_t>(at), static_cast<int32_t>(at + character.size())};
      return;
    }
    push(Token::Kind::string, after).formatted = formatted;
  }

  /// A byte or character that no token begins with.
  void stray() {
    const CodePoint code = decode(source_, at_);
    const size_t end = at_ + static_cast<size_t>(code.bytes);
    const std::string_view spelling = source_.substr(at_, end - at_);
    const Fix remove{{static_cast<int32_t>(at_), static_cast<int32_t>(end)}, ""};
    if (!code.valid) {
      push_error(end, {Msg::lang_byte, {static_cast<int64_t>(at_)}}, {{Msg::hint_lang_byte, {}}, remove});
    } else if (const std::string_view ascii = lookalike(code.value); !ascii.empty()) {
      const Message reason = ascii == " " ? Message{Msg::lang_character, {visible(code.value, spelling)}}
                                          : Message{Msg::lang_lookalike, {spelling, ascii}};
      push_error(end, reason, {{Msg::hint_lang_lookalike, {}}, {}});
    } else if (code.value == '\\') {
      push_error(end, {Msg::lang_backslash, {}}, {{Msg::hint_lang_backslash, {}}, remove});
    } else {
      push_error(end, {Msg::lang_character, {visible(code.value, spelling)}}, {{Msg::hint_lang_character, {}}, remove});
    }
  }

  /// A character that cannot be seen is named by its number.
  static std::string visible(char32_t character, std::string_view spelling) {
    const bool seen = (character > 0x20 && character < 0x7F) ||
                      (character > 0xA0 && !(character >= 0x2000 && character <= 0x200F) &&
                       !(character >= 0x2028 && character <= 0x206F) && character != 0x3000 && character != 0xFEFF &&
                       !(character >= 0xE0000 && character <= 0xE0FFF));
    if (seen) return std::string(spelling);
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string name = "U+";
    for (int shift = character > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4) name += digits[character >> shift & 0xF];
    return name;
  }

  /// Pairs brackets of the same shape. A closer skips openers of other shapes above its own: those stay open.
  void match_brackets() {
    std::vector<int> open;
    int count[3] = {0, 0, 0};  // open ones by shape, so that a closer without opener costs nothing
    const auto shape = [](Word one) { return one == "(" || one == ")" ? 0 : one == "[" || one == "]" ? 1 : 2; };
    for (size_t i = 0; i < tokens_.list.size(); ++i) {
      Token& token = tokens_.list[i];
      if (token.kind != Token::Kind::symbol) continue;
      if (is_opener(token.word)) {
        open.push_back(static_cast<int>(i));
        ++count[shape(token.word)];
      } else if (is_closer(token.word) && count[shape(token.word)] > 0) {
        while (closer_of(tokens_.list[static_cast<size_t>(open.back())].word) != token.word) {
          --count[shape(tokens_.list[static_cast<size_t>(open.back())].word)];
          open.pop_back();
        }
        token.mate = open.back();
        tokens_.list[static_cast<size_t>(open.back())].mate = static_cast<int>(i);
        --count[shape(token.word)];
        open.pop_back();
      }
    }
  }

  std::string_view source_;
  size_t at_;
  bool first_ = true;
  int indent_ = 0;
  size_t fieldless_ = 0;  ///< up to here no more fields are looked for: one is not closed
  bool never_closed_[2] = {false,
                           false};  ///< no triple ' or " closes from here on: looked for once, not from every line
  Tokens tokens_;
};

}  // namespace

std::string_view Token::replacement() const {
  const CodePoint code = kind == Kind::error ? decode(spelling, 0) : CodePoint{};
  return code.valid ? lookalike(code.value) : std::string_view();
}

Tokens tokenize(std::string_view source, size_t from) { return Tokenizer(source, from).run(); }

std::string unescaped(std::string_view contents, bool raw) {
  std::string text;
  for (size_t i = 0; i < contents.size();) {
    if (contents[i] == '\\' && !raw && i + 1 < contents.size()) {
      i = escape(contents, i, text);
    } else {
      const CodePoint code = decode(contents, i);
      append_utf8(text, code.valid ? code.value : 0xFFFD);
      i += static_cast<size_t>(code.bytes);
    }
  }
  return text;
}

size_t field_end(std::string_view source, size_t opener, bool lines) {
  int depth = 0;
  bool format = false;  // behind the colon quotes are characters like others
  for (size_t at = opener; at < source.size(); ++at) {
    const char c = source[at];
    if (!lines && (c == '\n' || c == '\r')) return std::string_view::npos;
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (depth == 0) return c == '}' ? at + 1 : std::string_view::npos;
    if (depth == 1 && c == ':') format = true;
    if ((c != '"' && c != '\'') || (format && depth == 1)) continue;
    for (++at; at < source.size() && source[at] != c; ++at) {
      if (!lines && source[at] == '\n') return std::string_view::npos;
      if (source[at] == '\\') ++at;
    }
  }
  return std::string_view::npos;
}

size_t logical_line_end(const Tokens& tokens, size_t first) {
  const auto& list = tokens.list;
  bool loose = false;
  size_t i = first;
  for (; i + 1 < list.size(); ++i) {
    const Token& next = list[i];
    if (i > first && next.first && (!loose || (next.indent <= list[first].indent && !is_closer(next.word)))) break;
    if (!is_opener(next.word)) continue;
    if (next.mate < 0) loose = true;
    if (next.mate > 0) i = static_cast<size_t>(next.mate);
  }
  return i;
}

}  // namespace stridescope
