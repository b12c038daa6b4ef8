// What stands in brackets of its own: lists, tuples, sets, dictionaries, and what goes through something else.
#include <algorithm>

#include "lang/parser.h"

namespace stridescope {
namespace {

/// Whether a target is made of names alone.
bool binds_names(const Expr& target) {
  if (target.kind != Expr::Kind::tuple && target.kind != Expr::Kind::starred) return target.kind == Expr::Kind::name;
  return std::all_of(target.children.begin(), target.children.end(),
                     [](const ExprPtr child) { return binds_names(*child); });
}

}  // namespace

/// A list, a tuple, a generator or one value in brackets.
ExprPtr Parser::bracketed(Expr::Kind kind) {
  const size_t first = position_;
  const std::string_view opener = token().spelling;
  const Word closer = closer_of(token().word);
  if (token().mate < 0) return fail_unclosed(first);
  open_.push_back(first);
  ++position_;
  ExprPtr result = make(kind, first);
  bool comma = false;
  while (!at(closer)) {
    ExprPtr one = named_element();
    if (!one) return nullptr;
    if (result->children.empty() && at("for")) {
      if (!(one = unstarred(one))) return nullptr;
      result = comprehension(one, opener, first);
      if (!result || !close(closer)) return nullptr;
      return finish(result, first);
    }
    result->children.push_back(one);
    comma = accept(",");
    if (!comma) break;
  }
  if (!close(closer)) return nullptr;
  if (kind == Expr::Kind::tuple && result->children.size() == 1 && !comma) {
    ExprPtr inner = unstarred(result->children[0]);
    if (inner) inner->span = from(first);
    return inner;
  }
  return finish(result, first);
}

/// A dictionary or a set.
ExprPtr Parser::braces() {
  const size_t first = position_;
  if (token().mate < 0) return fail_unclosed(first);
  open_.push_back(first);
  ++position_;
  ExprPtr result = make(Expr::Kind::set, first);
  while (!at("}") && !at("**")) {
    ExprPtr one = named_element();
    if (!one) return nullptr;
    const bool begins = result->children.empty(), plain = one->kind != Expr::Kind::starred;
    result->children.push_back(one);
    if (begins && plain && !is_bare_named(*one) && at(":")) return dictionary(result, first);
    if (begins && at("for")) {
      result = unstarred(one) ? comprehension(one, "{", first) : nullptr;
      return result && close("}") ? finish(result, first) : nullptr;
    }
    if (!accept(",")) break;
  }
  if (result->children.empty()) return dictionary(result, first);
  return close("}") ? finish(result, first) : nullptr;
}

/// Behind its first key, where it has one.
ExprPtr Parser::dictionary(ExprPtr result, size_t first) {
  result->kind = Expr::Kind::dictionary;
  for (ExprPtr key = result->children.empty() ? nullptr : result->children[0]; !at("}"); key = nullptr) {
    const bool begins = key != nullptr, unpacks = !begins && accept("**");
    if (!begins && !unpacks && !(key = expression())) return nullptr;
    if (!unpacks && (at(",") || at("}") || at("for")))
      return fail(key->span, {Msg::lang_key, {}}, {Msg::hint_lang_key, {}});
    if (!unpacks && !accept(":")) return unexpected(Wanted::continuation);
    ExprPtr value = unpacks ? bitwise_or() : expression();
    if (!value) return nullptr;
    if (begins && at("for")) {
      result = comprehension(key, "{", first, value);
      return result && close("}") ? finish(result, first) : nullptr;
    }
    if (!begins) result->children.push_back(key);
    result->children.push_back(value);
    if (!accept(",")) break;
  }
  return close("}") ? finish(result, first) : nullptr;
}

ExprPtr Parser::comprehension(ExprPtr element, std::string_view bracket, size_t first, ExprPtr value) {
  ExprPtr result = make(Expr::Kind::comprehension, first);
  result->text = bracket;
  result->children.push_back(element);
  if (value) result->children.push_back(value);
  while (at("for")) {
    const Span place = token().span;
    ++position_;
    Comprehension loop;
    const bool named = token().kind == Token::Kind::error || at("*") || at("(") || at("[") ||
                       (token().kind == Token::Kind::name && !at("in"));
    if (named && (!(loop.target = targets()) || !check_target(*loop.target))) return nullptr;
    if (!named || !binds_names(*loop.target) || !accept("in")) {
      if (token().kind == Token::Kind::error) return unexpected(Wanted::continuation);
      return fail(place, {Msg::lang_comprehension, {}}, {Msg::hint_lang_comprehension, {}});
    }
    ++iterables_;
    loop.iterable = binary(1);
    --iterables_;
    if (!loop.iterable) return nullptr;
    while (accept("if")) {
      loop.conditions.push_back(binary(1));
      if (!loop.conditions.back()) return nullptr;
    }
    result->more().loops.push_back(std::move(loop));
  }
  std::vector<std::string> names;
  for (const Comprehension& loop : result->loops()) add_names(*loop.target, names);
  for (const ExprPtr name : named_) {
    const bool inside = name->span.begin >= tokens_.list[first].span.begin;
    if (inside && std::find(names.begin(), names.end(), name->text) != names.end())
      return fail(name->span, {Msg::lang_walrus_rebinds, {name->text}}, {Msg::hint_lang_walrus_rebinds, {}});
  }
  return finish(result, first);
}

}  // namespace stridescope
