// Blocks that are run, and the clauses that go on with them: if, elif, else; try, except, else, finally; with. What of
// them runs is told while it runs.
#include <algorithm>

#include "lang/parser.h"

namespace stridescope {
namespace {

/// Whether a clause of the word `next` may stand behind one of the word `before`, in what began with `first`.
bool goes_on(std::string_view first, std::string_view before, bool catches_all, std::string_view next) {
  if (before == "if" || before == "elif") return next == "elif" || next == "else";
  if (before == "try") return next == "except" || next == "finally";
  if (before == "except") return (next == "except" && !catches_all) || next == "else" || next == "finally";
  return first == "try" && before == "else" && next == "finally";
}

}  // namespace

/// What begins with `if`, `try` or `with`: each header is a statement, and those of its block follow.
void Parser::clauses() {
  const size_t end = tokens_.list.size() - 1;
  const int indent = token().indent;
  const std::string_view first_word = token().spelling;
  std::vector<size_t> headers;
  const Nested nested(*this);
  for (std::string_view word = first_word; !word.empty();) {
    headers.push_back(program_.statements.size());
    line_begin_ = statement_begin_ = position_;
    line_end_ = logical_line_end(tokens_, position_);
    const size_t first = position_;
    failure_.reset();
    open_.clear();
    Statement header;
    if (nested.too_deep() ? !fail_depth() : !clause(header, word)) {
      unread(first, indent);
      break;
    }
    header.span = from(first);
    const bool catches_all = !header.value;
    program_.statements.push_back(std::move(header));
    const size_t body = position_;
    if (!at_end()) {
      simple_statements();
    } else {
      const int outer = base_indent_;
      base_indent_ = tokens_.list[position_].indent;
      while (position_ < end && tokens_.list[position_].indent > indent) logical_line();
      base_indent_ = outer;
    }
    Statement& done = program_.statements[headers.back()];
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

/// The header of a clause, which a statement must follow or an indented line.
bool Parser::clause(Statement& header, std::string_view word) {
  const size_t first = position_++;
  header.kind = Statement::Kind::clause;
  header.text = word;
  const bool asks = word == "if" || word == "elif" || word == "with" || (word == "except" && !at(":"));
  if (asks && !(header.value = expression())) return false;
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
  all->children.push_back(std::move(header.value));
  for (ExprPtr& other : others) all->children.push_back(std::move(other));
  header.value = finish(std::move(all), first);
  return header.value != nullptr;
}

size_t Flow::behind(size_t header) const { return header + 1 + static_cast<size_t>(statements_[header].body); }

void Flow::pass(size_t from, size_t end, bool passed) {
  std::fill(passed_.begin() + static_cast<std::ptrdiff_t>(from), passed_.begin() + static_cast<std::ptrdiff_t>(end),
            passed);
}

/// Of a `try`: only where its lines raise is an `except` asked, and only where they do not is `else` run.
void Flow::pass_handlers(size_t head, bool raised) {
  const size_t end = behind(head) + static_cast<size_t>(statements_[head].rest);
  for (size_t header = behind(head); header < end; header = behind(header))
    pass(header, behind(header), is_clause(statements_[header], "except") != raised);
}

const Statement* Flow::next() {
  while (at_ < statements_.size() && passed_[at_] && statements_[at_].kind != Statement::Kind::error) ++at_;
  if (at_ == statements_.size()) return nullptr;
  if (is_clause(statements_[at_], "try")) {
    tries_.push_back(at_);
    pass_handlers(at_, false);
  }
  return &statements_[at_++];
}

std::vector<Span> Flow::passed() const {
  std::vector<Span> spans;
  bool before = false;
  for (size_t i = 0; i < statements_.size(); ++i) {
    const bool now = passed_[i] && statements_[i].kind != Statement::Kind::error;
    if (now && before) spans.back().end = statements_[i].span.end;
    if (now && !before) spans.push_back(statements_[i].span);
    before = now;
  }
  return spans;
}

void Flow::choose(std::optional<bool> runs) {
  const Statement& header = statements_[at_ - 1];
  const size_t end = behind(at_ - 1);
  if (!runs || !*runs) pass(at_, end);
  if (!runs || *runs) pass(end, end + static_cast<size_t>(header.rest));
  const bool asked = header.rest > 0 && is_clause(statements_[end], "except");
  if (runs && !*runs && header.text == "except" && !asked) raise();  // nobody has caught it
}

bool Flow::raise() {
  const size_t from = at_ - 1;
  for (size_t k = tries_.size(); k-- > 0;) {
    const size_t head = tries_[k];
    if (from >= behind(head) || statements_[head].rest == 0) continue;
    pass(at_, behind(head));
    // What is inside it and is left ends with its `finally`.
    for (size_t inner = k + 1; inner < tries_.size(); ++inner)
      if (const size_t last = behind(tries_[inner]) + static_cast<size_t>(statements_[tries_[inner]].rest);
          from < last && last < behind(head) && is_clause(statements_[last], "finally"))
        pass(last, behind(last), false);
    pass_handlers(head, true);
    return true;
  }
  return false;
}

}  // namespace stridescope
