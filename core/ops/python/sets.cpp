// Sets in a program: how they are written and called, and values that are given a name where they stand.
#include <algorithm>

#include "ops/members.h"
#include "ops/python/interpreter.h"
#include "ops/python/set.h"

namespace stridescope {
namespace {

/// Whether Python's compiler knows the value: a literal, and what operators and tuples make of such.
bool is_constant(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::real:
    case Expr::Kind::string:
    case Expr::Kind::boolean:
    case Expr::Kind::none:
    case Expr::Kind::ellipsis: return true;
    case Expr::Kind::binary:
      if (expr.text == "and" || expr.text == "or") return false;
      break;
    case Expr::Kind::unary:
    case Expr::Kind::tuple: break;
    default: return false;
  }
  return std::all_of(expr.children.begin(), expr.children.end(),
                     [](const ExprPtr child) { return is_constant(*child); });
}

bool is_constant_set(const Expr& expr) {
  return expr.kind == Expr::Kind::set && std::all_of(expr.children.begin(), expr.children.end(),
                                                     [](const ExprPtr child) { return is_constant(*child); });
}

/// The frozenset that the compiler makes of constants, anew from the first that it made of them. A display of several
/// puts its items into the set as those of another.  Source: merge_consts_recursive in Python/compile.c
std::shared_ptr<SetItems> constant_set(const Set& first) {
  auto items = std::make_shared<SetItems>();
  for (const size_t i : first.items->order()) items->add(*first.items, i);
  return items;
}

}  // namespace

Interpreter::Result Interpreter::eval_set(const Expr& expr) {
  may_grow_ = true;
  const Value made = set_of();
  const Set& set = std::get<Set>(made.held);
  for (const ExprPtr child : expr.children) {
    const bool starred = child->kind == Expr::Kind::starred;
    const Result item = eval(starred ? *child->children[0] : *child);
    if (!item) return std::nullopt;
    if (!starred) {
      if (!settled(add_item(set, *item), child->span)) return std::nullopt;
      continue;
    }
    const bool walked = tensor_of(*item) || is_flat(*item) || source_of(*item);
    const auto items = walked ? items_of(*item, child->span) : std::optional<std::vector<Value>>();
    if (walked && !items) return std::nullopt;
    if (!settled(add_items(set, walked ? list_of(*items) : *item), child->span)) return std::nullopt;
    use_up(*item);
  }
  constexpr size_t fewest = 3;
  if (expr.children.size() < fewest || !is_constant_set(expr)) return made;
  return settle(call_set("copy", Value{Set{constant_set(set), false}}, {}), expr.span);
}

Interpreter::Result Interpreter::eval_iterable(const Expr& expr) {
  if (!is_constant_set(expr)) return eval(without_bar(expr));
  const Value made = set_of(true);
  for (const ExprPtr child : expr.children) {
    const Result item = eval(*child);
    if (!item || !settled(add_item(std::get<Set>(made.held), *item), child->span)) return std::nullopt;
  }
  return Value{Set{constant_set(std::get<Set>(made.held)), true}};
}

/// Arrays that are gone through give their rows.
Interpreter::Result Interpreter::call_set_method(const Symbol& method, const Arguments& arguments, const Expr& at) {
  const std::string_view name = std::string_view(method.path).substr(4);
  if (!arguments.named.empty())
    return fail(python_error("TypeError", {type_name(*method.self), ".", name, "() takes no keyword arguments"},
                             Msg::unexpected_argument, {name, arguments.named[0].first, name}),
                at.span);
  std::vector<Value> given = arguments.positional;
  const bool items = name != "add" && name != "remove" && name != "discard";
  for (Value& value : given) {
    const auto* facet = std::get_if<Facet>(&value.held);
    if (!items || !(tensor_of(value) || facet || has_special(value, "__iter__"))) continue;
    auto rows = items_of(value, at.span);
    if (!rows) return std::nullopt;
    value = list_of(std::move(*rows));
  }
  for (const Value& value : given) {
    const auto* text = std::get_if<std::string>(&value.held);
    if (!walks(text ? text->size() : parts_of(value).size(), at.span)) return std::nullopt;
  }
  Result called = settle(call_set(name, *method.self, given), at.span);
  for (const Value& value : arguments.positional)
    if (items) use_up(value);
  return called;
}

/// name := value
Interpreter::Result Interpreter::eval_named(const Expr& expr) {
  const std::string& name = expr.children[0]->text;
  if (class_) return fail(limit(Msg::not_modelled, {"Python", title(expr.span)}), expr.span);
  Result value = eval(*expr.children[1]);
  if (!value) return value;
  bind_name(name, *value);
  std::erase_if(step_->named_inside, [&](const auto& one) { return one.first == name; });
  step_->named_inside.emplace_back(name, frozen(*value));
  return value;
}

}  // namespace stridescope
