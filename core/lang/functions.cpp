// Functions and classes: the header of a `def` and of a `class`, `lambda`, and parameters.
#include <algorithm>

#include "lang/parser.h"

namespace stridescope {

/// The name behind `def` or `class`, and the bracket where there is one.
bool Parser::defined_name(Statement& header, const char* word) {
  const size_t first = position_;
  std::string name;
  if (!plain_name(name, word)) return false;
  header.targets.push_back(make(Expr::Kind::name, first));
  header.targets.back()->text = std::move(name);
  if (!at("(")) return true;
  if (token().mate < 0) return fail_unclosed(position_);
  open_.push_back(position_++);
  return true;
}

/// Name, parameters and, left out, what it gives.
bool Parser::function(Statement& header) {
  const size_t first = position_;
  if (!defined_name(header, "def")) return false;
  if (position_ == first + 1)
    return fail(from(first), {Msg::lang_parameters, {header.targets.back()->text}}, {Msg::hint_lang_parameters, {}});
  if (!parameters(header.parameters, ")") || !close(")")) return false;
  return !accept("->") || expression() != nullptr;
}

/// Name, and what it is made from.
bool Parser::class_header(Statement& header) {
  const size_t first = position_;
  if (!defined_name(header, "class")) return false;
  if (position_ == first + 1) return true;
  if (!at(")") && !(header.value = named())) return false;
  if (at(",") || at("=")) return fail(from(first), {Msg::lang_class, {}}, {Msg::hint_lang_class, {}});
  return close(")");
}

ExprPtr Parser::lambda() {
  const size_t first = position_++;
  const Nested nested(*this);
  if (nested.too_deep()) return fail_depth();
  ExprPtr function = make(Expr::Kind::lambda, first);
  if (!parameters(function->more().parameters, ":")) return nullptr;
  if (at_end())
    return fail(tokens_.list[position_ - 1].span, {Msg::lang_colon, {"lambda"}}, {Msg::hint_lang_lambda, {}});
  ++position_;
  const size_t outside = named_.size();
  function->children.push_back(expression());
  named_.resize(outside);  // what := gives a value to in it is its own
  return function->children[0] ? finish(function, first) : nullptr;
}

/// Those up to `closer`, which is not taken.
bool Parser::parameters(std::vector<FunctionParameter>& list, Word closer) {
  auto kind = FunctionParameter::Kind::usual;
  while (!at(closer)) {
    if (!parameter(list, kind, closer == ")")) return false;
    if (accept(",") || at(closer)) continue;
    if (!at_end()) return unexpected(Wanted::continuation);
    break;
  }
  return true;
}

/// One, or a mark between them, which says of what `kind` those behind it are.
bool Parser::parameter(std::vector<FunctionParameter>& list, FunctionParameter::Kind& kind, bool annotated) {
  const size_t first = position_;
  const auto misplaced = [&] { return unexpected(Wanted::value); };
  if (kind == FunctionParameter::Kind::keywords) return misplaced();
  if (at("/")) {
    const auto usual = [](const FunctionParameter& one) { return one.kind == FunctionParameter::Kind::usual; };
    if (list.empty() || !std::all_of(list.begin(), list.end(), usual)) return misplaced();
    for (FunctionParameter& before : list) before.kind = FunctionParameter::Kind::positional_only;
    ++position_;
    return true;
  }
  FunctionParameter one;
  one.kind = kind;
  const bool keywords = accept("**");
  if (keywords) one.kind = kind = FunctionParameter::Kind::keywords;
  if (!keywords && at("*")) {
    if (kind == FunctionParameter::Kind::keyword_only) return misplaced();
    ++position_;
    kind = FunctionParameter::Kind::keyword_only;
    if (at(",") && token(1).kind == Token::Kind::name) return true;
    one.kind = FunctionParameter::Kind::rest;
  }
  if (!plain_name(one.name, tokens_.list[position_ - 1].spelling)) return false;
  const auto same = [&](const FunctionParameter& other) { return other.name == one.name; };
  if (std::any_of(list.begin(), list.end(), same))
    return fail(from(first), {Msg::lang_argument_twice, {one.name}}, {Msg::hint_lang_argument_twice, {}});
  if (annotated && accept(":") && !expression()) return false;
  const bool collects = keywords || one.kind == FunctionParameter::Kind::rest;
  if (!collects && accept("=") && !(one.fallback = expression())) return false;
  const bool required = one.kind == FunctionParameter::Kind::usual && !one.fallback;
  if (required && !list.empty() && list.back().fallback)
    return fail(from(first), {Msg::lang_parameter_order, {one.name}}, {Msg::hint_lang_parameter_order, {}});
  list.push_back(std::move(one));
  return true;
}

void add_names(const Expr& target, std::vector<std::string>& names) {
  if (target.kind == Expr::Kind::name) names.push_back(target.text);
  if (target.kind != Expr::Kind::tuple && target.kind != Expr::Kind::list && target.kind != Expr::Kind::starred) return;
  for (const ExprPtr child : target.children) add_names(*child, names);
}

const Statement* own_line(const Statement& header, bool (*is_wanted)(const Statement&)) {
  for (const Statement* line = &header + 1; line <= &header + header.body; ++line) {
    if (is_wanted(*line)) return line;
    if (is_definition(*line)) line += line->body;
  }
  return nullptr;
}

bool is_generator(const Statement& header) {
  return own_line(header, [](const Statement& line) { return line.kind == Statement::Kind::yield_; }) != nullptr;
}

/// Which names are a function's own, and what it may write into. Its statements, from token `body` up to position_, are
/// the last ones read.
void Parser::note_locals(size_t header, size_t body) {
  Statement effects;
  note_effects(body, effects);
  program_.statements[header].changes = std::move(effects.changes);
  // What only describes it does nothing.
  Statement* const described = header + 1 < program_.statements.size() ? &program_.statements[header + 1] : nullptr;
  const bool text = described && described->kind == Statement::Kind::expression;
  if (text && described->value->kind == Expr::Kind::string) described->kind = Statement::Kind::pass;
  std::vector<std::string>& names = program_.statements[header].binds;
  std::vector<Outside>& outside = program_.statements[header].outside;
  for (size_t i = header + 1; i < program_.statements.size(); ++i) {
    const Statement& statement = program_.statements[i];
    for (const Statement::Import& import : statement.imports) names.push_back(import.alias);
    names.insert(names.end(), statement.named.begin(), statement.named.end());
    if (statement.kind == Statement::Kind::error)
      names.insert(names.end(), statement.binds.begin(), statement.binds.end());
    const bool gives = statement.kind == Statement::Kind::assign || statement.kind == Statement::Kind::augmented ||
                       statement.kind == Statement::Kind::clause || statement.kind == Statement::Kind::del;
    if (gives)
      for (const ExprPtr target : statement.targets) add_names(*target, names);
    if (statement.kind == Statement::Kind::outside)
      for (const ExprPtr name : statement.targets) outside.push_back({name->text, statement.text == "global"});
    if (is_function(statement)) i += static_cast<size_t>(statement.body);
  }
  for (const Outside& one : outside) std::erase(names, one.name);
}

}  // namespace stridescope
