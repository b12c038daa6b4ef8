#include "lang/syntax.h"

#include <algorithm>

#include "lang/parser.h"
#include "lang/token.h"

namespace stridescope {
namespace {

std::optional<Syntax::Kind> kind_of(const Token& token) {
  switch (token.kind) {
    case Token::Kind::name:
      if (token.word) return Syntax::Kind::word;
      break;
    case Token::Kind::integer:
    case Token::Kind::real: return Syntax::Kind::number;
    case Token::Kind::string: return Syntax::Kind::string;
    case Token::Kind::error:  // one that nothing closes, while it is being written
      if (token.spelling.find_first_of("'\"") < 3) return Syntax::Kind::string;
      break;
    default: break;  // symbol, end
  }
  return {};
}

}  // namespace

std::vector<Syntax> syntax(std::string_view source) {
  std::vector<Syntax> parts;
  size_t told = 0;  // bytes before this have been seen
  for (const Token& token : tokenize(source).list) {
    const auto begin = static_cast<size_t>(token.span.begin);
    // Between tokens are blanks and comments.
    for (size_t at; (at = source.substr(0, begin).find('#', told)) != std::string_view::npos;) {
      told = std::min(source.find_first_of("\r\n", at), begin);
      parts.push_back({Syntax::Kind::comment, {static_cast<int32_t>(at), static_cast<int32_t>(told)}});
    }
    told = std::max(told, static_cast<size_t>(token.span.end));
    if (const auto kind = kind_of(token)) parts.push_back({*kind, token.span});
  }
  return parts;
}

bool takes_suffix(std::string_view expression) {
  int depth = 0;
  return !expression.empty() && std::all_of(expression.begin(), expression.end(), [&](char c) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
    return depth > 0 || letter || c == ')' || c == ']' || c == '.';
  });
}

std::optional<std::pair<Span, Span>> brackets_at(std::string_view source, int position) {
  const Tokens tokens = tokenize(source);
  std::optional<std::pair<Span, Span>> after;
  for (const Token& token : tokens.list) {
    if (token.mate < 0) continue;
    const std::pair both{token.span, tokens.list[static_cast<size_t>(token.mate)].span};
    if (token.span.end == position) return both;
    if (token.span.begin == position) after = both;
  }
  return after;
}

}  // namespace stridescope
