#include <algorithm>
#include <utility>

#include "lang/parser.h"

namespace stridescope {
namespace {

constexpr std::string_view block_headers[] = {"for",   "while", "if",  "elif",   "else",    "def",  "async",
                                              "class", "with",  "try", "except", "finally", "match"};
constexpr Word augmented[] = {"+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", "<<=", ">>="};

template <typename One, size_t n>
bool contains(const One (&words)[n], One word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace

bool is_augmented(Word word) { return contains(augmented, word); }

Program parse(std::string_view source) { return Parser(source).run(); }

Program Parser::run() {
  const size_t end = tokens_.list.size() - 1;
  // A program pasted with blanks before every line has them as its margin.
  base_indent_ = tokens_.list[0].indent;
  for (size_t line = 0; line < end; line = logical_line_end(tokens_, line)) {
    base_indent_ = std::min(base_indent_, tokens_.list[line].indent);
  }
  const auto begins = [](const Token& one) { return one.first; };
  program_.statements.reserve(static_cast<size_t>(std::count_if(tokens_.list.begin(), tokens_.list.end(), begins)));
  int line = 1;
  size_t counted = 0;
  while (position_ < end) {
    const size_t before = program_.statements.size();
    logical_line();
    for (size_t i = before; i < program_.statements.size(); ++i) {
      Statement& statement = program_.statements[i];
      for (const size_t begin = static_cast<size_t>(statement.span.begin); counted < begin; ++counted) {
        const char c = source_[counted];
        line += c == '\n' || (c == '\r' && source_[counted + 1] != '\n') ? 1 : 0;
      }
      statement.line = line;
    }
  }
  return std::move(program_);
}

void Parser::logical_line() {
  line_begin_ = position_;
  line_end_ = logical_line_end(tokens_, position_);
  const std::string_view below = at("@") ? decorated(token().indent) : "";
  const bool header = at("if") || at("for") || at("while") || at("with") || at("try") || at("def") || at("class") ||
                      below == "def" || below == "class";
  if (header && token().indent == base_indent_)
    clauses();
  else
    simple_statements();
}

/// Those of a logical line, or what is left of it behind the colon of a header.
void Parser::simple_statements() {
  const int indent = tokens_.list[line_begin_].indent;
  while (!at_end()) {
    const size_t first = statement_begin_ = position_;
    Statement result;
    failure_.reset();
    open_.clear();
    named_.clear();
    bool read = false;
    if (first == line_begin_ && indent != base_indent_) {
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
    if (!read) return unread(first, indent);
    result.span = from(first);
    take_named(result);
    program_.statements.push_back(std::move(result));
    accept(";");
  }
}

void Parser::take_named(Statement& statement) {
  for (const ExprPtr name : named_) statement.named.push_back(name->text);
}

/// A statement that failure_ says of why it is not read, and the block that it begins.
void Parser::unread(size_t first, int indent) {
  // On with the next line: the one the failing token begins, where an open bracket had joined it to this one.
  const Token& failing = token();
  const bool resume =
      !open_.empty() && !at_end() && failing.first && failing.indent <= indent && !is_closer(failing.word);
  if (resume && failure_->span.begin >= failing.span.begin) {
    failure_.reset();
    fail_unclosed(open_.back());
  }
  if (!resume) position_ = line_end_;
  const bool with_decorators = tokens_.list[first].spelling == "@";
  const std::string_view header = tokens_.list[with_decorators ? line_begin_ : first].spelling;
  if (header == "@") skip_decorated(indent);
  if (contains(block_headers, header)) skip_block(header, indent);
  Statement result;
  result.kind = Statement::Kind::error;
  result.diagnostic = static_cast<int>(program_.diagnostics.size());
  program_.diagnostics.push_back(std::move(*failure_));
  result.span = from(first);
  if (header == "@" || contains(block_headers, header)) result.text = header;
  note_effects(first, result);
  program_.statements.push_back(std::move(result));
}

bool Parser::statement(Statement& result) {
  const size_t first = position_;
  if (at("import") || at("from")) return import_statement(result);
  if (at("pass")) {
    result.kind = Statement::Kind::pass;
    ++position_;
    return true;
  }
  if (at("break") || at("continue")) {
    result.kind = Statement::Kind::jump;
    result.text = token().spelling;
    ++position_;
    return true;
  }
  if (at("return")) return returning(result);
  if (at("yield")) return yielding(result);
  if (at("raise")) return raising(result);
  if (at("assert")) return assertion(result);
  if (at("del")) return forgetting(result);
  if (at("global") || at("nonlocal")) return outside(result);
  result.value = expressions();
  if (!result.value) return false;
  if (at(":") && position_ > first) {
    if (!annotation(*result.value, result.type)) return false;
    if (!at("=")) {
      result.kind = Statement::Kind::pass;
      result.targets.push_back(std::exchange(result.value, nullptr));
      return true;
    }
  }
  if (is_augmented(token().word)) {
    result.kind = Statement::Kind::augmented;
    result.text = token().spelling.substr(0, token().spelling.size() - 1);
    const bool several = result.value->kind == Expr::Kind::tuple || result.value->kind == Expr::Kind::list;
    if (several || !check_target(*result.value)) {
      return fail_target(*result.value);
    }
    ++position_;
    result.targets.push_back(result.value);
    result.value = expressions();
    return result.value != nullptr;
  }
  result.kind = at("=") ? Statement::Kind::assign : Statement::Kind::expression;
  while (at("=")) {
    if (!check_target(*result.value)) return false;
    ++position_;
    result.targets.push_back(result.value);
    result.value = expressions();
    if (!result.value) return false;
  }
  return true;
}

/// `: type` behind a name, which may be given a value then: read, and only where it stands is kept.
bool Parser::annotation(Expr& target, Span& type) {
  const Span colon = token().span;
  ++position_;
  const bool single =
      target.kind == Expr::Kind::name || target.kind == Expr::Kind::attribute || target.kind == Expr::Kind::subscript;
  if (!single) return fail(colon, {Msg::lang_annotation, {}}, {Msg::hint_lang_annotation, {}});
  const ExprPtr said = expression();
  if (said) type = said->span;
  return said != nullptr;
}

bool Parser::returning(Statement& result) {
  result.kind = Statement::Kind::return_;
  accept("return");
  if (at_end() || at(";")) return true;
  result.value = expressions();
  return result.value != nullptr;
}

bool Parser::yielding(Statement& result) {
  result.kind = Statement::Kind::yield_;
  accept("yield");
  if (accept("from")) result.text = "from";
  if (result.text.empty() && (at_end() || at(";"))) return true;
  result.value = result.text.empty() ? expressions() : expression();
  return result.value != nullptr;
}

bool Parser::raising(Statement& result) {
  result.kind = Statement::Kind::raise_;
  accept("raise");
  if (at_end() || at(";")) return true;
  result.value = expression();
  if (!result.value || !accept("from")) return result.value != nullptr;
  result.targets.push_back(expression());
  return result.targets[0] != nullptr;
}

bool Parser::assertion(Statement& result) {
  result.kind = Statement::Kind::assert_;
  accept("assert");
  result.value = expression();
  if (!result.value || !accept(",")) return result.value != nullptr;
  result.targets.push_back(expression());
  return result.targets[0] != nullptr;
}

bool Parser::forgetting(Statement& result) {
  result.kind = Statement::Kind::del;
  do {
    ++position_;
    result.targets.push_back(binary(1));
    if (!result.targets.back()) return false;
    const Expr& target = *result.targets.back();
    if (target.kind != Expr::Kind::name && target.kind != Expr::Kind::subscript && target.kind != Expr::Kind::attribute)
      return fail(target.span, {Msg::lang_forget, {"del"}}, {Msg::hint_lang_forget, {}});
  } while (at(","));
  return true;
}

/// `global` and `nonlocal`, before all other lines of a function: behind one that uses the name they are none of
/// Python.
bool Parser::outside(Statement& result) {
  result.kind = Statement::Kind::outside;
  result.text = token().spelling;
  const Span span = token().span;
  const std::vector<Statement>& before = program_.statements;
  size_t header = before.size();
  while (header > 0 && (before[header - 1].kind == Statement::Kind::outside ||
                        (before[header - 1].kind == Statement::Kind::expression &&
                         before[header - 1].value->kind == Expr::Kind::string)))
    --header;
  const bool open = header > 0 && is_function(before[header - 1]) && before[header - 1].body == 0;  // its own lines
  if (!open) return fail(span, {Msg::lang_forget, {result.text}}, {Msg::hint_lang_global, {}});
  do {
    ++position_;
    result.targets.push_back(binary(1));
    if (!result.targets.back()) return false;
    const Expr& name = *result.targets.back();
    if (name.kind != Expr::Kind::name)
      return fail(name.span, {Msg::lang_forget, {result.text}}, {Msg::hint_lang_forget, {}});
  } while (at(","));
  return true;
}

/// Whether a value can be given to it; lists of targets become tuples.
bool Parser::check_target(Expr& target) {
  switch (target.kind) {
    case Expr::Kind::name:
    case Expr::Kind::attribute:
    case Expr::Kind::subscript: return true;
    case Expr::Kind::list:
    case Expr::Kind::tuple: {
      target.kind = Expr::Kind::tuple;
      bool starred = false;
      for (const ExprPtr child : target.children) {
        const bool takes_rest = child->kind == Expr::Kind::starred;
        if (takes_rest && starred) return fail(child->span, {Msg::lang_two_stars, {}}, {Msg::hint_lang_two_stars, {}});
        starred |= takes_rest;
        if (!check_target(takes_rest ? *child->children[0] : *child)) return false;
      }
      return true;
    }
    default: return fail_target(target);
  }
}

Failed Parser::fail_target(const Expr& target, Msg hint) {
  const auto begin = static_cast<size_t>(target.span.begin), end = static_cast<size_t>(target.span.end);
  return fail(target.span, {Msg::lang_target, {source_.substr(begin, end - begin)}}, {hint, {}});
}

bool Parser::plain_name(std::string& name, std::string_view after) {
  if (token().kind == Token::Kind::error) return unexpected(Wanted::value);
  if (token().kind != Token::Kind::name) {
    return fail(tokens_.list[position_ - 1].span, {Msg::lang_name, {after}}, {Msg::hint_lang_name, {after}});
  }
  if (token().word) {
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
