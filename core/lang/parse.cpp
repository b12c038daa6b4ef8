#include <algorithm>

#include "lang/parser.h"

namespace stridescope {
namespace {

constexpr std::string_view python_words[] = {"False",  "None",   "True",    "and",      "as",       "assert", "async",
                                             "await",  "break",  "class",   "continue", "def",      "del",    "elif",
                                             "else",   "except", "finally", "for",      "from",     "global", "if",
                                             "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
                                             "pass",   "raise",  "return",  "try",      "while",    "with",   "yield"};
constexpr std::string_view block_headers[] = {"for",   "while", "if",   "elif", "else",   "def",
                                              "async", "class", "with", "try",  "except", "finally"};
constexpr std::string_view block_continuations[] = {"elif", "else", "except", "finally"};
constexpr std::string_view augmented[] = {
    "+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", "<<=", ">>="};

template <size_t n>
bool contains(const std::string_view (&words)[n], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace

bool is_python_word(std::string_view word) { return contains(python_words, word); }

Program parse(std::string_view source) { return Parser(source).run(); }

Program Parser::run() {
  const size_t end = tokens_.list.size() - 1;
  // A program pasted with blanks before every line has them as its margin.
  base_indent_ = tokens_.list[0].indent;
  for (size_t line = 0; line < end; line = logical_line_end(tokens_, line)) {
    base_indent_ = std::min(base_indent_, tokens_.list[line].indent);
  }
  int line = 1;
  size_t counted = 0;
  while (position_ < end) {
    const size_t before = program_.statements.size();
    logical_line();
    for (size_t i = before; i < program_.statements.size(); ++i) {
      Statement& statement = program_.statements[i];
      for (const size_t begin = static_cast<size_t>(statement.span.begin); counted < begin; ++counted) {
        const bool crlf = source_.substr(counted).starts_with("\r\n");
        line += source_[counted] == '\n' || (source_[counted] == '\r' && !crlf) ? 1 : 0;
      }
      statement.line = line;
    }
  }
  return std::move(program_);
}

void Parser::logical_line() {
  line_begin_ = position_;
  line_end_ = logical_line_end(tokens_, position_);
  const int indent = token().indent;
  while (!at_end()) {
    const size_t first = statement_begin_ = position_;
    Statement result;
    failure_.reset();
    open_.clear();
    bool read = false;
    if (first == line_begin_ && indent > base_indent_) {
      const int32_t begin = token().span.begin;
      int32_t blanks = begin;
      while (blanks > 0 &&
             (source_[static_cast<size_t>(blanks) - 1] == ' ' || source_[static_cast<size_t>(blanks) - 1] == '\t'))
        --blanks;
      fail(token().span, {Msg::lang_indent, {}}, {Msg::hint_lang_indent, {}},
           Fix{{blanks, begin}, std::string(static_cast<size_t>(base_indent_), ' ')});
      const std::string_view margin = source_.substr(static_cast<size_t>(blanks), static_cast<size_t>(begin - blanks));
      if (margin.find('\t') != std::string_view::npos) failure_->hints.push_back({{Msg::hint_lang_tab, {}}, {}});
    } else if (!unsupported_statement()) {
      read = statement(result);
    }
    if (read && !at_end() && !at(";")) read = unexpected(Wanted::continuation);
    if (!read) {
      // On with the next line: the one the failing token begins, where an open bracket had joined it to this one.
      const Token& failing = token();
      const bool resume =
          !open_.empty() && !at_end() && failing.first && failing.indent <= indent && !is_closer(failing.spelling);
      if (resume && failure_->span.begin >= failing.span.begin) {
        failure_.reset();
        fail_unclosed(open_.back());
      }
      if (!resume) position_ = line_end_;
      const std::string_view header = tokens_.list[first].spelling;
      const size_t below = position_;
      if (contains(block_headers, header)) skip_block(header, indent);
      if (failure_->reason.id == Msg::lang_with) offer_without_header(first, below);
      result = Statement{};
      result.kind = Statement::Kind::error;
      result.diagnostic = static_cast<int>(program_.diagnostics.size());
      program_.diagnostics.push_back(std::move(*failure_));
    }
    result.span = from(first);
    program_.statements.push_back(std::move(result));
    if (!read) return;
    accept(";");
  }
}

/// Takes what is indented under an unsupported header, and the clauses that go on with it.
void Parser::skip_block(std::string_view header, int indent) {
  const size_t end = tokens_.list.size() - 1;
  while (position_ < end) {
    const Token& next = tokens_.list[position_];
    const bool clause =
        next.indent == indent && contains(block_continuations, next.spelling) && header != "def" && header != "class";
    if (next.indent <= indent && !clause) return;
    position_ = logical_line_end(tokens_, position_);
  }
}

/// A fix that leaves the lines of a block as they are, only further left.
/// @param below  the token after the header's line; the block's last is before position_
void Parser::offer_without_header(size_t header, size_t below) {
  size_t body = header;
  while (body < below && tokens_.list[body].spelling != ":")
    body = std::max(body + 1, static_cast<size_t>(tokens_.list[body].mate + 1));
  if (++body >= position_) return;
  const auto begin_of = [&](size_t token) { return static_cast<size_t>(tokens_.list[token].span.begin); };
  const size_t margin =
      begin_of(body) - (tokens_.list[body].first ? source_.find_last_of("\r\n", begin_of(body)) + 1 : begin_of(body));
  const size_t left = begin_of(header) - (source_.find_last_of("\r\n", begin_of(header)) + 1);
  const Span whole{tokens_.list[header].span.begin, tokens_.list[position_ - 1].span.end};
  std::string lines;
  for (size_t at = begin_of(body), end = static_cast<size_t>(whole.end); at < end;) {
    const size_t next = std::min(source_.find('\n', at), end - 1) + 1;
    lines += source_.substr(at, next - at);
    at = next;
    for (size_t blank = left; blank < margin && at < end && (source_[at] == ' ' || source_[at] == '\t'); ++blank) ++at;
  }
  failure_->hints.front().fix = Fix{whole, std::move(lines)};
}

bool Parser::statement(Statement& result) {
  const size_t first = position_;
  if (at("import") || at("from")) return import_statement(result);
  if (at("pass")) {
    result.kind = Statement::Kind::pass;
    ++position_;
    return true;
  }
  result.value = expressions();
  if (!result.value) return false;
  if (token().kind == Token::Kind::symbol && contains(augmented, token().spelling)) {
    result.kind = Statement::Kind::augmented;
    result.text = token().spelling.substr(0, token().spelling.size() - 1);
    const bool several = result.value->kind == Expr::Kind::tuple || result.value->kind == Expr::Kind::list;
    if (several || !check_target(*result.value)) {
      return fail_target(*result.value);
    }
    ++position_;
    result.targets.push_back(std::move(result.value));
    result.value = expressions();
    return result.value != nullptr;
  }
  result.kind = at("=") ? Statement::Kind::assign : Statement::Kind::expression;
  while (at("=")) {
    if (!check_target(*result.value)) return false;
    ++position_;
    result.targets.push_back(std::move(result.value));
    result.value = expressions();
    if (!result.value) return false;
  }
  if (at(":") && position_ > first)
    return fail(token().span, {Msg::lang_annotation, {}}, {Msg::hint_lang_annotation, {}});
  return true;
}

/// Whether a value can be given to it; lists of targets become tuples.
bool Parser::check_target(Expr& target) {
  switch (target.kind) {
    case Expr::Kind::name:
    case Expr::Kind::attribute:
    case Expr::Kind::subscript: return true;
    case Expr::Kind::list:
    case Expr::Kind::tuple:
      target.kind = Expr::Kind::tuple;
      return std::all_of(target.children.begin(), target.children.end(),
                         [&](const ExprPtr& child) { return check_target(*child); });
    default: return fail_target(target);
  }
}

Failed Parser::fail_target(const Expr& target) {
  const auto begin = static_cast<size_t>(target.span.begin), end = static_cast<size_t>(target.span.end);
  return fail(target.span, {Msg::lang_target, {source_.substr(begin, end - begin)}}, {Msg::hint_lang_target, {}});
}

bool Parser::plain_name(std::string& name, std::string_view after) {
  if (token().kind == Token::Kind::error) return unexpected(Wanted::value);
  if (token().kind != Token::Kind::name) {
    return fail(tokens_.list[position_ - 1].span, {Msg::lang_name, {after}}, {Msg::hint_lang_name, {after}});
  }
  if (is_python_word(token().spelling)) {
    return fail(token().span, {Msg::lang_word, {token().spelling}}, {Msg::hint_lang_word, {token().spelling}});
  }
  name = token().spelling;
  ++position_;
  return true;
}

bool Parser::dotted_name(std::string& name, std::string_view after) {
  do {
    std::string part;
    if (!plain_name(part, name.empty() ? after : ".")) return false;
    name += (name.empty() ? "" : ".") + part;
  } while (accept("."));
  return true;
}

bool Parser::import_statement(Statement& result) {
  result.kind = Statement::Kind::import_;
  const bool members = accept("from");
  if (!members) accept("import");
  std::string module;
  bool parentheses = false;
  if (members) {
    if (!dotted_name(module, "from")) return false;
    if (!accept("import")) {
      return fail(tokens_.list[position_ - 1].span, {Msg::lang_import, {module}}, {Msg::hint_lang_import, {}});
    }
    if (at("(") && token().mate < 0) return fail_unclosed(position_);
    parentheses = at("(");
    if (parentheses) open_.push_back(position_);
    accept("(");
  }
  do {
    if (parentheses && at(")")) break;
    const size_t first = position_;
    Statement::Import import;
    import.module = module;
    if (members && accept("*")) {
      import.member = "*";
    } else if (!(members ? plain_name(import.member, "import") : dotted_name(import.module, "import"))) {
      return false;
    }
    import.alias = members ? import.member : import.module.substr(0, import.module.find('.'));
    if (accept("as") && !plain_name(import.alias, "as")) return false;
    import.span = from(first);
    result.imports.push_back(std::move(import));
  } while (accept(","));
  return !parentheses || close(")");
}

}  // namespace stridescope
