#include "lang/cursor.h"

#include <algorithm>
#include <utility>

#include "lang/parser.h"

namespace stridescope {
namespace {

class CursorFinder {
 public:
  CursorFinder(std::string_view source, int32_t position)
      : source_(source), position_(position), tokens_(tokenize(source)) {}

  Cursor run() {
    Cursor cursor;
    cursor.word = {position_, position_};
    cursor.statement = position_;
    // The tokens before the cursor, and among them those before the word it is in.
    size_t end = 0;
    while (tokens_.list[end].kind != Token::Kind::end && tokens_.list[end].span.begin < position_) ++end;
    if (end == 0) {
      cursor.place = in_comment(0) ? Cursor::Place::other : Cursor::Place::name;
      return cursor;
    }
    const Token& last = tokens_.list[end - 1];
    const bool touching = last.span.end >= position_;
    const bool word = touching && last.kind == Token::Kind::name;
    const size_t begin = statement_begin(end);
    if (begin < end) cursor.statement = tokens_.list[begin].span.begin;
    const size_t before = word ? end - 1 : end;  // of the word
    cursor.calls = open_calls(begin, before);
    if (word) {
      cursor.word = last.span;
      cursor.typed =
          source_.substr(static_cast<size_t>(last.span.begin), static_cast<size_t>(position_ - last.span.begin));
    } else if (touching ? last.kind != Token::Kind::symbol || last.span.end > position_ : in_comment(last.span.end)) {
      return cursor;
    }
    if (before > begin && is(before - 1, ".")) {
      if (before - 1 == begin || !is_operand(before - 2)) return cursor;
      cursor.place = Cursor::Place::member;
      cursor.owner = {tokens_.list[operand_begin(begin, before - 2)].span.begin, tokens_.list[before - 2].span.end};
    } else if (before == begin || !is_operand(before - 1)) {
      cursor.place = Cursor::Place::name;
    }
    return cursor;
  }

 private:
  bool is(size_t token, Word word) const { return tokens_.list[token].word == word; }
  bool is_name(size_t token) const {
    return tokens_.list[token].kind == Token::Kind::name && !tokens_.list[token].word;
  }
  /// Whether an operand can end with the token.
  bool is_operand(size_t token) const {
    const Token& it = tokens_.list[token];
    if (it.kind == Token::Kind::name)
      return is_name(token) || it.word == "None" || it.word == "True" || it.word == "False";
    return it.kind == Token::Kind::string || it.kind == Token::Kind::integer || it.kind == Token::Kind::real ||
           it.kind == Token::Kind::error || is_closer(it.word);
  }

  /// Whether a comment goes on from somewhere after `from` up to the cursor.  @pre no token lies between
  bool in_comment(int32_t from) const {
    const std::string_view gap = source_.substr(static_cast<size_t>(from), static_cast<size_t>(position_ - from));
    const size_t line = gap.find_last_of("\r\n");
    return gap.find('#', line == std::string_view::npos ? 0 : line) != std::string_view::npos;
  }

  /// The first token of the statement that the cursor is in; `end` where it begins a new one.
  size_t statement_begin(size_t end) const {
    size_t line = 0, line_end = 0;
    while (line_end < end) line = std::exchange(line_end, logical_line_end(tokens_, line_end));
    size_t begin = line;
    int depth = 0;
    for (size_t i = line; i < end; ++i) {
      if (is_opener(tokens_.list[i].word)) ++depth;
      if (is_closer(tokens_.list[i].word) && depth > 0) --depth;
      if (is(i, ";") && depth == 0) begin = i + 1;
    }
    if (line_end > end) return begin;  // it goes on after the cursor
    const auto after = static_cast<size_t>(tokens_.list[end - 1].span.end);
    const std::string_view gap = after < static_cast<size_t>(position_)
                                     ? source_.substr(after, static_cast<size_t>(position_) - after)
                                     : std::string_view();
    const size_t newline = gap.find_last_of("\r\n");
    if (newline == std::string_view::npos || gap.substr(0, newline).find('\\') != std::string_view::npos) return begin;
    const int indent = static_cast<int>(gap.size() - newline) - 1;
    return depth > 0 && indent > tokens_.list[line].indent ? begin : end;
  }

  /// Where the operand that ends with token `last` begins: back over calls, subscripts and dots.
  size_t operand_begin(size_t first, size_t last) const {
    for (size_t at = last;;) {
      if (is_closer(tokens_.list[at].word) && tokens_.list[at].mate >= 0)
        at = static_cast<size_t>(tokens_.list[at].mate);
      if (at <= first) return first;
      const bool bracket = is_opener(tokens_.list[at].word);
      if (bracket && (is_name(at - 1) || is_closer(tokens_.list[at - 1].word)))
        --at;
      else if (!bracket && is(at - 1, ".") && at - 1 > first && is_operand(at - 2))
        at -= 2;
      else
        return at;
    }
  }

  std::vector<OpenCall> open_calls(size_t begin, size_t end) const {
    struct Open {
      size_t token;
      bool call;
      OpenCall made;
      size_t argument;  // its first token
    };
    std::vector<Open> open;
    const auto finish = [&](Open& one, size_t comma) {
      if (comma == one.argument) return;
      const bool named = comma > one.argument + 1 && is_name(one.argument) && is(one.argument + 1, "=");
      if (named)
        one.made.named.push_back(tokens_.list[one.argument].spelling);
      else
        ++one.made.positional;
    };
    for (size_t i = begin; i < end; ++i) {
      const Token& token = tokens_.list[i];
      if (is_opener(token.word)) {
        const bool call = token.word != "{" && i > begin && (is_name(i - 1) || is_closer(tokens_.list[i - 1].word));
        open.push_back({i, call, {}, i + 1});
        open.back().made.subscript = token.word == "[";
        if (call)
          open.back().made.callee = {tokens_.list[operand_begin(begin, i - 1)].span.begin,
                                     tokens_.list[i - 1].span.end};
      } else if (is_closer(token.word)) {
        while (!open.empty() && token.mate >= 0 && open.back().token >= static_cast<size_t>(token.mate))
          open.pop_back();
      } else if (token.word == "," && !open.empty()) {
        finish(open.back(), i);
        open.back().argument = i + 1;
      }
    }
    std::vector<OpenCall> calls;
    for (Open& one : open) {
      if (!one.call) continue;
      if (one.argument + 1 < tokens_.list.size() && is_name(one.argument) && is(one.argument + 1, "=") &&
          one.argument + 1 < end)
        one.made.name = tokens_.list[one.argument].spelling;
      one.made.fresh = one.argument == end;
      calls.push_back(std::move(one.made));
    }
    return calls;
  }

  std::string_view source_;
  int32_t position_;
  Tokens tokens_;
};

}  // namespace

Cursor cursor_at(std::string_view source, int64_t position) {
  return CursorFinder(source,
                      static_cast<int32_t>(std::clamp<int64_t>(position, 0, static_cast<int64_t>(source.size()))))
      .run();
}

}  // namespace stridescope
