// Blocks that are run, and the clauses that go on with them: if, elif, else; for and while, else; try, except, else,
// finally; with; def; class. What of them runs is told while it runs (flow.h).
#include <algorithm>

#include "lang/parser.h"

namespace stridescope {
namespace {

/// Whether a clause of the word `next` may stand behind one of the word `before`, in what began with `first`.
bool goes_on(std::string_view first, std::string_view before, bool catches_all, std::string_view next) {
  if (before == "if" || before == "elif") return next == "elif" || next == "else";
  if (before == "for" || before == "while") return next == "else";
  if (before == "try") return next == "except" || next == "finally";
  if (before == "except") return (next == "except" && !catches_all) || next == "else" || next == "finally";
  return first == "try" && before == "else" && next == "finally";
}

}  // namespace

/// What begins with `if`, `for`, `while`, `try`, `with`, `def` or `class`: each header is a statement, and those of its
/// block follow.
void Parser::clauses() {
  const size_t end = tokens_.list.size() - 1;
  const int indent = token().indent;
  const std::string_view first_word = at("@") ? decorated(indent) : token().spelling;
  std::vector<size_t> headers;
  const Nested nested(*this);
  for (std::string_view word = first_word; !word.empty();) {
    headers.push_back(program_.statements.size());
    line_begin_ = statement_begin_ = position_;
    line_end_ = logical_line_end(tokens_, position_);
    const size_t first = position_;
    failure_.reset();
    open_.clear();
    named_.clear();
    Statement header;
    if (nested.too_deep() ? !fail_depth() : !decorators(header) || !clause(header, word)) {
      unread(first, indent);
      break;
    }
    header.span = from(line_begin_);
    take_named(header);
    const bool catches_all = !header.value;
    program_.statements.push_back(std::move(header));
    const size_t body = position_;
    const int loops_around = loops_, functions_around = functions_;
    if (word == "for" || word == "while") ++loops_;
    if (word == "def") loops_ = 0, ++functions_;
    if (word == "class") loops_ = functions_ = 0;
    if (!at_end()) {
      simple_statements();
    } else {
      const int outer = base_indent_;
      base_indent_ = tokens_.list[position_].indent;
      while (position_ < end && tokens_.list[position_].indent > indent) logical_line();
      base_indent_ = outer;
    }
    loops_ = loops_around;
    functions_ = functions_around;
    Statement& done = program_.statements[headers.back()];
    if (word == "def")
      note_locals(headers.back(), body);
    else
      note_effects(first, done);
    if (word == "with") done.unwrapped = Fix{from(first), lines_of_block(first, body)};
    const Token& next = tokens_.list[position_];
    const bool more =
        position_ < end && next.first && next.indent == indent && goes_on(first_word, word, catches_all, next.spelling);
    word = more ? next.spelling : "";
  }
  const auto after = [&](size_t k) { return k < headers.size() ? headers[k] : program_.statements.size(); };
  const bool finally = is_clause(program_.statements[headers.back()], "finally");
  const size_t last = after(headers.size() - (finally ? 1 : 0));
  for (size_t k = 0; k < headers.size(); ++k) {
    Statement& header = program_.statements[headers[k]];
    if (header.kind != Statement::Kind::clause) continue;
    header.body = static_cast<int>(after(k + 1) - headers[k] - 1);
    header.rest = static_cast<int>(std::max(last, after(k + 1)) - after(k + 1));
  }
}

/// The lines that begin with `@`, up to that of their function or class.
bool Parser::decorators(Statement& header) {
  while (accept("@")) {
    header.decorators.push_back(named());
    if (!header.decorators.back()) return false;
    if (!at_end()) return unexpected(Wanted::continuation);
    line_begin_ = position_;
    line_end_ = logical_line_end(tokens_, position_);
  }
  return true;
}

/// The header of a clause, which a statement must follow or an indented line.
bool Parser::clause(Statement& header, std::string_view word) {
  const size_t first = position_++;
  header.kind = Statement::Kind::clause;
  header.text = word;
  if (word == "for" && !loop_targets(header)) return false;
  if (word == "def" && !function(header)) return false;
  if (word == "class" && !class_header(header)) return false;
  const bool asks =
      word == "if" || word == "elif" || word == "while" || word == "with" || (word == "except" && !at(":"));
  const bool decides = word == "if" || word == "elif" || word == "while";
  if (asks && !(header.value = decides ? named() : expression())) return false;
  if (word == "except" && header.value && !named_as(header)) return false;
  if (word == "with" && !contexts(header)) return false;
  if (!at(":")) {
    const int32_t end = tokens_.list[position_ - 1].span.end;
    const auto fix = at_end() ? std::optional(Fix{{end, end}, ":"}) : std::nullopt;
    return fail(at_end() ? tokens_.list[position_ - 1].span : token().span, {Msg::lang_colon, {word}},
                {Msg::hint_lang_colon, {word}}, fix);
  }
  ++position_;
  const int indent = tokens_.list[first].indent;
  const Token& next = tokens_.list[position_];
  if (at_end() && (position_ + 1 == tokens_.list.size() || next.indent <= indent))
    return fail(tokens_.list[first].span, {Msg::lang_no_block, {word}}, {Msg::hint_lang_no_block, {word}});
  if (word != "try") return true;
  const size_t end = tokens_.list.size() - 1;
  size_t below = line_end_;
  while (at_end() && below < end && tokens_.list[below].indent > indent) below = logical_line_end(tokens_, below);
  const Token& handler = tokens_.list[below];
  const bool handled = handler.indent == indent && goes_on(word, word, false, handler.spelling);
  return handled || fail(tokens_.list[first].span, {Msg::lang_no_handler, {}}, {Msg::hint_lang_no_handler, {}});
}

/// `targets in iterable`, of a `for`.
bool Parser::loop_targets(Statement& header) {
  const Span place = tokens_.list[position_ - 1].span;
  ExprPtr target = targets();
  if (!target || !check_target(*target)) return false;
  header.targets.push_back(target);
  if (!accept("in")) {
    if (token().kind == Token::Kind::error) return unexpected(Wanted::continuation);
    return fail(place, {Msg::lang_comprehension, {}}, {Msg::hint_lang_for, {}});
  }
  header.value = expressions();
  return header.value != nullptr;
}

/// `as name`, if it is there.
bool Parser::named_as(Statement& header) {
  if (!accept("as")) return true;
  const size_t first = position_;
  std::string name;
  if (!plain_name(name, "as")) return false;
  header.targets.push_back(make(Expr::Kind::name, first));
  header.targets.back()->text = std::move(name);
  return true;
}

/// What stands behind the first context of a `with`: its name, and others that become a tuple with it.
bool Parser::contexts(Statement& header) {
  const size_t first = position_ - 1;
  std::vector<ExprPtr> others;
  if (!named_as(header)) return false;
  while (accept(",")) {
    others.push_back(expression());
    if (!others.back() || !named_as(header)) return false;
  }
  if (others.empty()) return true;
  ExprPtr all = make(Expr::Kind::tuple, first);
  all->children.push_back(header.value);
  for (ExprPtr& other : others) all->children.push_back(other);
  header.value = finish(all, first);
  return header.value != nullptr;
}

}  // namespace stridescope
