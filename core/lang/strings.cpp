// Strings: several side by side are one; an f-string's fields are expressions with a format.
#include <utility>

#include "lang/parser.h"

namespace stridescope {
namespace {

constexpr size_t none = std::string_view::npos;

/// What of an f-string lies between its quotes.
Span contents_of(const Token& string) {
  const size_t quote = string.spelling.find_first_of("\"'");
  const std::string_view quoted = string.spelling.substr(quote);
  const int32_t mark = quoted.starts_with("\"\"\"") || quoted.starts_with("'''") ? 3 : 1;
  return {string.span.begin + static_cast<int32_t>(quote) + mark, string.span.end - mark};
}

/// Ends the text so far as a child of its own.
void take_text(Expr& string, Nodes& nodes) {
  string.kind = Expr::Kind::fstring;
  if (string.text.empty()) return;
  Expr& text = nodes.emplace_back();
  text.kind = Expr::Kind::string;
  text.span = string.span;
  text.text = std::exchange(string.text, {});
  string.children.push_back(&text);
}

}  // namespace

ExprPtr Parser::strings() {
  const size_t first = position_;
  ExprPtr result = make(Expr::Kind::string, first);
  while (token().kind == Token::Kind::string) {
    const Token& part = token();
    ++position_;
    const bool raw = part.spelling.substr(0, part.spelling.find_first_of("\"'")).find_first_of("rR") != none;
    const Span inside = contents_of(part);
    if (!part.formatted)
      result->text += unescaped(
          source_.substr(static_cast<size_t>(inside.begin), static_cast<size_t>(inside.end - inside.begin)), raw);
    else if (!parts(inside, raw, false, *result))
      return nullptr;
  }
  if (result->kind == Expr::Kind::fstring) take_text(*result, nodes_);
  return finish(result, first);
}

/// Appends what stands in `place` to an f-string, or to a field's format.
bool Parser::parts(Span place, bool raw, bool format, Expr& string) {
  const auto end = static_cast<size_t>(place.end);
  const std::string_view source = source_.substr(0, end);
  size_t from = static_cast<size_t>(place.begin), at = from;  // of what is not taken yet, and looked at
  string.kind = Expr::Kind::fstring;
  while ((at = source.find_first_of(raw ? "{}" : "{}\\", at)) != none) {
    const char c = source[at];
    if (c == '\\') {  // takes the next character with it, if that is no brace
      at += at + 1 < end && (source[at + 1] == '{' || source[at + 1] == '}') ? 1 : 2;
      continue;
    }
    const bool twice = !format && at + 1 < end && source[at + 1] == c;
    string.text += unescaped(source.substr(from, at + (twice ? 1 : 0) - from), raw);
    if (twice) {
      from = at += 2;
      continue;
    }
    const Span brace{static_cast<int32_t>(at), static_cast<int32_t>(at) + 1};
    if (c == '}') return fail(brace, {Msg::lang_lone_brace, {}}, {Msg::hint_lang_lone_brace, {}}, Fix{brace, "}}"});
    from = at = field_end(source, at, true);
    if (at == none) return fail(brace, {Msg::lang_unclosed, {"{"}}, {Msg::hint_lang_unclosed, {"}"}});
    take_text(string, nodes_);
    if (!field({brace.end, static_cast<int32_t>(at) - 1}, raw, string)) return false;
  }
  string.text += unescaped(source.substr(from), raw);
  return true;
}

/// Appends the field whose braces stand around `place`.
bool Parser::field(Span place, bool raw, Expr& string) {
  const Nested nested(*this);
  if (nested.too_deep()) return fail_depth();
  const std::string_view source = source_.substr(0, static_cast<size_t>(place.end));
  Parser inner(source, static_cast<size_t>(place.begin), *this);
  const auto failed = [&] {
    failure_ = std::move(inner.failure_);
    return false;
  };
  if (inner.at_end())
    return fail({place.begin - 1, place.end + 1}, {Msg::lang_empty_field, {}}, {Msg::hint_lang_empty_field, {}});
  const ExprPtr part = &nodes_.emplace_back();
  part->kind = Expr::Kind::field;
  part->span = place;
  part->children.push_back(inner.expressions());
  part->children.push_back(nullptr);
  if (!part->children[0]) return failed();
  named_.insert(named_.end(), inner.named_.begin(), inner.named_.end());
  const bool named = inner.accept("=");
  if (named) {
    const size_t after = inner.at_end() ? source.size() : static_cast<size_t>(inner.token().span.begin);
    const auto begin = static_cast<size_t>(place.begin);
    string.text = source.substr(begin, after - begin);
    take_text(string, nodes_);
  }
  if (inner.at("!")) {
    const Token& kind = inner.token(1);
    if (kind.spelling != "r" && kind.spelling != "s" && kind.spelling != "a")
      return fail(inner.token().span, {Msg::lang_conversion, {}}, {Msg::hint_lang_conversion, {}});
    part->text = kind.spelling;
    inner.position_ += 2;
  }
  if (inner.token().spelling.starts_with(":")) {  // := is one too
    const ExprPtr format = &nodes_.emplace_back();
    format->span = {inner.token().span.begin + 1, place.end};
    if (!parts(format->span, raw, true, *format)) return false;
    take_text(*format, nodes_);
    measure(*format);
    part->children[1] = format;
  } else if (!inner.at_end()) {
    inner.unexpected(Wanted::continuation);
    return failed();
  }
  if (named && part->text.empty() && !part->children[1]) part->text = "r";
  measure(*part);
  string.children.push_back(part);
  return true;
}

}  // namespace stridescope
