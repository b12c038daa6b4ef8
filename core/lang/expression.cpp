#include <algorithm>
#include <array>

#include "lang/parser.h"

namespace stridescope {
namespace {

constexpr int not_level = 3, compare_level = 4, unary_level = 11;

/// How tightly an operator between two operands binds; 0 of what is none. Of `not in` it is the first word.
constexpr int level_of(Word op) {
  struct Level {
    int level;
    Word operators[9];
  };
  constexpr Level levels[] = {
      {1, {"or"}},       {2, {"and"}},    {compare_level, {"==", "!=", "<", "<=", ">", ">=", "is", "in", "not"}},
      {5, {"|"}},        {6, {"^"}},      {7, {"&"}},
      {8, {"<<", ">>"}}, {9, {"+", "-"}}, {10, {"*", "/", "//", "%", "@"}}};
  for (const auto& [level, operators] : levels)
    for (const Word one : operators)
      if (one && one == op) return level;
  return 0;
}

/// The same by the number of the word.
constexpr auto operator_levels = [] {
  std::array<int8_t, word_count + 1> levels{};
  for (size_t i = 0; i < word_count; ++i)
    levels[i + 1] = static_cast<int8_t>(level_of(Word::reserved(word_spellings[i])));
  return levels;
}();

}  // namespace

Expr::More& Expr::more() {
  if (!more_) more_ = std::make_unique<More>();
  return *more_;
}

const Expr::More& Expr::rest() const {
  static const More none;
  return more_ ? *more_ : none;
}

bool Parser::accept(Word word) {
  if (!at(word)) return false;
  ++position_;
  return true;
}

Span Parser::from(size_t first) const {
  const size_t last = std::max(first + 1, position_) - 1;
  return {tokens_.list[first].span.begin, tokens_.list[last].span.end};
}

ExprPtr Parser::make(Expr::Kind kind, size_t first) {
  Expr& expr = nodes_.emplace_back();
  expr.kind = kind;
  expr.span = from(first);
  return &expr;
}

ExprPtr Parser::finish(ExprPtr expr, size_t first) {
  expr->span = from(first);
  measure(*expr);
  if (expr->height > max_height) return fail_depth();
  return expr;
}

void Parser::measure(Expr& expr) {
  visit_parts(expr, [&](const Expr& part) {
    if (expr.height <= part.height) expr.height = static_cast<int16_t>(part.height + 1);
  });
}

ExprPtr Parser::element() {
  if (!at("*")) return expression();
  const size_t first = position_++;
  ExprPtr items = bitwise_or();
  if (!items) return nullptr;
  ExprPtr result = make(Expr::Kind::starred, first);
  result->children.push_back(items);
  return finish(result, first);
}

ExprPtr Parser::named() {
  const size_t first = position_;
  ExprPtr target = expression();
  if (!target || !at(":=")) return target;
  if (target->kind != Expr::Kind::name || target->span.begin != tokens_.list[position_ - 1].span.begin)
    return fail_target(*target, Msg::hint_lang_walrus_target);
  if (iterables_ > 0) return fail(token().span, {Msg::lang_walrus_iterable, {}}, {Msg::hint_lang_walrus_iterable, {}});
  ++position_;
  ExprPtr value = expression();
  if (!value) return nullptr;
  named_.push_back(target);
  ExprPtr result = make(Expr::Kind::named, first);
  result->children.push_back(target);
  result->children.push_back(value);
  return finish(result, first);
}

/// Of what stands alone, without a comma.
ExprPtr Parser::unstarred(ExprPtr one) {
  if (one && one->kind == Expr::Kind::starred)
    return fail(one->span, {Msg::lang_star, {"*"}}, {Msg::hint_lang_star, {}});
  return one;
}

ExprPtr Parser::expressions() {
  const size_t first = position_;
  ExprPtr one = element();
  if (!one || !at(",")) return unstarred(one);
  ExprPtr tuple = make(Expr::Kind::tuple, first);
  tuple->children.push_back(one);
  while (accept(",")) {
    if (at_end() || at("=") || at(";") || at("]")) break;
    ExprPtr next = element();
    if (!next) return nullptr;
    tuple->children.push_back(next);
  }
  return finish(tuple, first);
}

ExprPtr Parser::targets() {
  const size_t first = position_;
  const auto target = [&] { return at("*") ? element() : bitwise_or(); };
  ExprPtr one = target();
  if (!one || !at(",")) return unstarred(one);
  ExprPtr tuple = make(Expr::Kind::tuple, first);
  tuple->children.push_back(one);
  while (accept(",") && !at("in")) {
    ExprPtr next = target();
    if (!next) return nullptr;
    tuple->children.push_back(next);
  }
  return finish(tuple, first);
}

ExprPtr Parser::expression() {
  if (at("lambda")) return lambda();
  const size_t first = position_;
  ExprPtr value = binary(1);
  if (!value || !at("if")) return value;
  // Inside a comprehension `if` is its condition; there binary() is called instead.
  const Nested nested(*this);
  if (nested.too_deep()) return fail_depth();
  const Span place = token().span;
  ++position_;
  ExprPtr condition = binary(1);
  if (!condition) return nullptr;
  if (!accept("else")) {
    if (token().kind == Token::Kind::error) return unexpected(Wanted::continuation);
    return fail(place, {Msg::lang_else, {}}, {Msg::hint_lang_else, {}});
  }
  ExprPtr otherwise = expression();
  if (!otherwise) return nullptr;
  ExprPtr result = make(Expr::Kind::conditional, first);
  result->children.push_back(value);
  result->children.push_back(condition);
  result->children.push_back(otherwise);
  return finish(result, first);
}

ExprPtr Parser::bitwise_or() { return binary(compare_level + 1); }

ExprPtr Parser::binary(int level) {
  const size_t first = position_;
  ExprPtr left = operand(level);
  const auto follows = [&] { return at("not") && !at("in", 1) ? 0 : operator_levels[token().word.number()]; };
  while (left) {
    const int next = follows();
    if (next == 0 || next < level) break;
    if (next != compare_level) {
      const std::string_view op = token().spelling;
      ++position_;
      ExprPtr right = binary(next + 1);
      if (!right) return nullptr;
      left = both(left, op, right, first);
    } else {
      ExprPtr chain = make(Expr::Kind::compare, first);
      chain->children.push_back(left);
      while (follows() == compare_level) {
        std::string spelling(token().spelling);
        ++position_;
        if (spelling == "not") ++position_, spelling += " in";
        if (spelling == "is" && accept("not")) spelling += " not";
        ExprPtr right = bitwise_or();
        if (!right) return nullptr;
        chain->more().operators.push_back(std::move(spelling));
        chain->children.push_back(right);
      }
      left = finish(chain, first);
    }
  }
  return left;
}

ExprPtr Parser::both(ExprPtr left, std::string_view op, ExprPtr right, size_t first) {
  ExprPtr result = make(Expr::Kind::binary, first);
  result->text = op;
  result->children.push_back(left);
  result->children.push_back(right);
  return finish(result, first);
}

ExprPtr Parser::operand(int level) {
  const Nested nested(*this);
  if (nested.too_deep()) return fail_depth();
  const size_t first = position_;
  const bool negation = level <= not_level && at("not");
  if (negation || at("-") || at("+") || at("~")) {
    ExprPtr result = make(Expr::Kind::unary, first);
    result->text = token().spelling;
    ++position_;
    ExprPtr value = binary(negation ? not_level : unary_level);
    if (!value) return nullptr;
    result->children.push_back(value);
    return finish(result, first);
  }
  ExprPtr base = postfix();
  if (!base || !accept("**")) return base;
  ExprPtr exponent = binary(unary_level);
  if (!exponent) return nullptr;
  return both(base, "**", exponent, first);
}

ExprPtr Parser::postfix() {
  const size_t first = position_;
  ExprPtr value = atom();
  while (value) {
    if (at("(")) {
      value = call(value, first);
    } else if (at("[")) {
      value = subscript(value, first);
    } else if (at(".")) {
      ++position_;
      if (token().kind != Token::Kind::name) {
        if (token().kind == Token::Kind::error) return unexpected(Wanted::value);
        return fail(tokens_.list[position_ - 1].span, {Msg::lang_member, {}}, {Msg::hint_lang_member, {}});
      }
      ExprPtr member = make(Expr::Kind::attribute, first);
      member->text = token().spelling;
      member->part = token().span;
      ++position_;
      member->children.push_back(value);
      value = finish(member, first);
    } else {
      break;
    }
  }
  return value;
}

ExprPtr Parser::atom() {
  const size_t first = position_;
  const Token& next = token();
  if (at("(")) return bracketed(Expr::Kind::tuple);
  if (at("[")) return bracketed(Expr::Kind::list);
  if (at("{")) return braces();
  if (next.kind == Token::Kind::string) return strings();
  Expr::Kind kind = Expr::Kind::none;
  if (next.kind == Token::Kind::integer) {
    kind = Expr::Kind::integer;
  } else if (next.kind == Token::Kind::real) {
    kind = Expr::Kind::real;
  } else if (at("True") || at("False")) {
    kind = Expr::Kind::boolean;
  } else if (at("...")) {
    kind = Expr::Kind::ellipsis;
  } else if (next.kind == Token::Kind::name && !at("None")) {
    if (next.word) return unexpected(Wanted::value);
    kind = Expr::Kind::name;
  } else if (!at("None")) {
    return unexpected(Wanted::value);
  }
  ExprPtr result = make(kind, first);
  if (kind == Expr::Kind::real)
    result->real = next.real;
  else
    result->integer = kind == Expr::Kind::boolean ? (at("True") ? 1 : 0) : next.integer;
  if (kind == Expr::Kind::name || kind == Expr::Kind::real) result->text = next.spelling;
  ++position_;
  result->span = from(first);
  return result;
}

ExprPtr Parser::call(ExprPtr function, size_t first) {
  if (token().mate < 0) return fail_unclosed(position_);
  const size_t list = position_;
  open_.push_back(position_);
  ++position_;
  ExprPtr result = make(Expr::Kind::call, first);
  result->children.push_back(function);
  while (!at(")")) {
    if (!argument(*result)) return nullptr;
    if (!accept(",")) break;
  }
  if (!close(")")) return nullptr;
  result->part = from(list);
  return finish(result, first);
}

bool Parser::argument(Expr& call) {
  const size_t first = position_;
  Argument argument;
  if (at("*") || at("**")) {
    argument.stars = at("*") ? 1 : 2;
    ++position_;
  } else if (token().kind == Token::Kind::name && at("=", 1)) {
    if (token().word) return unexpected(Wanted::value);
    argument.name = token().spelling;
    const auto same = [&](const Argument& other) { return other.name == argument.name; };
    if (std::any_of(call.arguments.begin(), call.arguments.end(), same)) {
      return fail(token().span, {Msg::lang_argument_twice, {argument.name}}, {Msg::hint_lang_argument_twice, {}});
    }
    position_ += 2;
  }
  const size_t begin = position_;
  argument.value = argument.name.empty() && argument.stars == 0 ? named() : expression();
  if (!argument.value) return false;
  if (at("for") && argument.name.empty() && argument.stars == 0) {
    argument.value = comprehension(argument.value, "(", begin);
    if (!argument.value) return false;
  }
  argument.span = from(first);
  if (argument.name.empty() && argument.stars < 2 && !at("=")) {
    const auto named = std::find_if(call.arguments.begin(), call.arguments.end(), [&](const Argument& other) {
      return other.stars == 2 || (!other.name.empty() && argument.stars == 0);
    });
    if (named != call.arguments.end()) {
      const std::string before = named->stars == 2 ? "**" : named->name + "=";
      return fail(argument.span, {Msg::lang_argument_order, {}}, {Msg::hint_lang_argument_order, {before}});
    }
  }
  if (call.arguments.empty()) call.arguments.reserve(3);  // few calls have more
  call.arguments.push_back(std::move(argument));
  return true;
}

ExprPtr Parser::subscript(ExprPtr object, size_t first) {
  if (token().mate < 0) return fail_unclosed(position_);
  open_.push_back(position_);
  ++position_;
  const size_t begin = position_;
  ExprPtr keys = key();
  if (!keys) return nullptr;
  if (at(",") || keys->kind == Expr::Kind::starred) {
    ExprPtr tuple = make(Expr::Kind::tuple, begin);
    tuple->children.push_back(keys);
    while (accept(",")) {
      if (at("]")) break;
      ExprPtr next = key();
      if (!next) return nullptr;
      tuple->children.push_back(next);
    }
    keys = finish(tuple, begin);
    if (!keys) return nullptr;
  }
  if (!close("]")) return nullptr;
  ExprPtr result = make(Expr::Kind::subscript, first);
  result->children.push_back(object);
  result->children.push_back(keys);
  return finish(result, first);
}

/// One key of a subscript: a value or a slice.
ExprPtr Parser::key() {
  const size_t first = position_;
  ExprPtr parts[3] = {};
  size_t colons = 0;
  for (;; ++colons) {
    const bool left_out = at(":") || (colons > 0 && (at("]") || at(",")));
    if (!left_out && !(parts[colons] = colons == 0 ? named_element() : expression())) return nullptr;
    const bool alone = parts[0] && (parts[0]->kind == Expr::Kind::starred || is_bare_named(*parts[0]));
    if (colons == 2 || alone || !accept(":")) break;
  }
  if (colons == 0) return parts[0];
  ExprPtr slice = make(Expr::Kind::slice, first);
  for (ExprPtr& part : parts) slice->children.push_back(part);
  return finish(slice, first);
}

bool Parser::close(Word closer) {
  if (!accept(closer)) return unexpected(Wanted::continuation);
  open_.pop_back();
  return true;
}

}  // namespace stridescope
