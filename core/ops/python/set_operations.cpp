// What sets make of each other: their operators, comparisons and methods.
#include <algorithm>
#include <functional>

#include "ops/call.h"
#include "ops/members.h"
#include "ops/python/dictionary.h"
#include "ops/python/set.h"

namespace stridescope {
namespace {

struct SetMethod {
  std::string_view name;
  size_t least, most;
  bool changes;  ///< which a frozenset has not
};
constexpr SetMethod own_methods[] = {{"add", 1, 1, true},
                                     {"clear", 0, 0, true},
                                     {"copy", 0, 0, false},
                                     {"difference", 0, max_items, false},
                                     {"difference_update", 0, max_items, true},
                                     {"discard", 1, 1, true},
                                     {"intersection", 0, max_items, false},
                                     {"intersection_update", 0, max_items, true},
                                     {"isdisjoint", 1, 1, false},
                                     {"issubset", 1, 1, false},
                                     {"issuperset", 1, 1, false},
                                     {"pop", 0, 0, true},
                                     {"remove", 1, 1, true},
                                     {"symmetric_difference", 1, 1, false},
                                     {"symmetric_difference_update", 1, 1, true},
                                     {"union", 0, max_items, false},
                                     {"update", 0, max_items, true}};

const SetMethod* find_set_method(std::string_view name) {
  const auto* found = std::find_if(std::begin(own_methods), std::end(own_methods),
                                   [&](const SetMethod& one) { return one.name == name; });
  return found == std::end(own_methods) ? nullptr : found;
}

/// The items of a set; of anything else those of a set that is made of it.
struct Others {
  explicit Others(const Value& value) : set(set_in(value) ? std::get<Set>(value.held) : std::get<Set>(set_of().held)) {
    if (!set_in(value)) problem = add_items(set, value);
  }
  const SetItems& items() const { return *set.items; }
  Set set;
  std::optional<Diagnostic> problem = std::nullopt;
};

/// Hands over what Python goes through where the operand is no set, each item as often as it comes, until `take` does
/// not want more.
std::optional<Diagnostic> each_of(const Value& value,
                                  const std::function<bool(const Value& item, const KeyMark& mark)>& take) {
  const auto items = python_items(value);
  if (!items) return not_iterable(value);
  for (const Value& item : *items) {
    KeyMark mark = key_mark(item);
    if (mark.problem) return std::move(mark.problem);
    if (!take(item, mark)) break;
  }
  return std::nullopt;
}

// Each of these does what the function of that name in Objects/setobject.c does, for it decides on the order.

std::optional<Diagnostic> intersection(const SetItems& own, const Value& other, SetItems& made) {
  const Set* set = set_in(other);
  if (set && set->items.get() == &own) return made.merge(own), std::nullopt;
  if (!set)
    return each_of(other, [&](const Value& item, const KeyMark& mark) {
      if (own.has(mark)) made.add(mark, item);
      return true;
    });
  const bool swaps = set->items->size() > own.size();
  const SetItems &walked = swaps ? own : *set->items, &asked = swaps ? *set->items : own;
  for (const size_t i : walked.order())
    if (asked.holds(walked, i)) made.add(walked, i);
  return std::nullopt;
}

std::optional<Diagnostic> take_away(SetItems& own, const Value& other) {
  const auto discard = [&](std::string_view mark, uint64_t hash) {
    if (const size_t place = own.place(mark, hash); place < own.size()) own.remove(place);
    return true;
  };
  if (const Set* set = set_in(other)) {
    if (set->items.get() == &own) return own.clear(), std::nullopt;
    const SetItems& gone = *set->items;
    for (const size_t i : gone.order()) discard(gone.marks[i], gone.hashes[i]);
  } else if (auto problem =
                 each_of(other, [&](const Value&, const KeyMark& mark) { return discard(mark.text, mark.hash); })) {
    return problem;
  }
  own.tidy();
  return std::nullopt;
}

std::optional<Diagnostic> difference(const SetItems& own, const Value& other, SetItems& made) {
  const Set* set = set_in(other);
  const Dictionary* dictionary = dictionary_in(other);
  const bool counted = set || (dictionary && !dictionary->items->ordered);
  const size_t size = set ? set->items->size() : counted ? dictionary->items->keys.size() : 0;
  if (!counted || own.size() / 4 > size) {
    made.merge(own);
    return take_away(made, other);
  }
  for (const size_t i : own.order()) {
    const bool gone =
        set ? set->items->holds(own, i) : key_place(*dictionary, own.marks[i]) < dictionary->items->marks.size();
    if (!gone) made.add(own, i);
  }
  return std::nullopt;
}

/// own ^= {item}
bool exchange(SetItems& own, const Value& item, const KeyMark& mark) {
  const size_t place = own.place(mark.text, mark.hash);
  if (place < own.size())
    own.remove(place);
  else
    own.add(mark, item);
  return own.size() <= max_items;
}

/// own ^= other
std::optional<Diagnostic> exchange_all(SetItems& own, const SetItems& other) {
  for (const size_t i : other.order()) {
    const size_t place = own.place(other.marks[i], other.hashes[i]);
    if (place < own.size())
      own.remove(place);
    else
      own.add(other, i);
    if (own.size() > max_items) break;
  }
  return too_many_in_set(own.size());
}

std::optional<Diagnostic> symmetric_update(SetItems& own, const Value& other) {
  if (const Set* set = set_in(other); set && set->items.get() == &own) return own.clear(), std::nullopt;
  const Dictionary* dictionary = dictionary_in(other);
  if (dictionary && !dictionary->items->ordered) {  // its keys, in their order
    auto problem = each_of(other, [&](const Value& item, const KeyMark& mark) { return exchange(own, item, mark); });
    return problem ? std::move(problem) : too_many_in_set(own.size());
  }
  Others others(other);
  return others.problem ? std::move(others.problem) : exchange_all(own, others.items());
}

std::optional<Diagnostic> symmetric_difference(const SetItems& own, const Value& other, SetItems& made) {
  const Value whole = set_of();
  if (auto problem = add_items(std::get<Set>(whole.held), other)) return problem;
  made = *std::get<Set>(whole.held).items;
  return exchange_all(made, own);
}

Value set_with(SetItems items, bool fixed) { return {Set{std::make_shared<SetItems>(std::move(items)), fixed}}; }

using Operation = std::optional<Diagnostic> (*)(const SetItems& own, const Value& other, SetItems& made);

Outcome made_by(Operation operation, const SetItems& own, const Value& other, bool fixed) {
  SetItems made;
  auto problem = operation(own, other, made);
  return problem ? Outcome(*std::move(problem)) : Outcome(set_with(std::move(made), fixed));
}

/// union, intersection and difference, one operand after another.
Outcome call_of_many(std::string_view name, const Set& self, const std::vector<Value>& others) {
  Value made = set_with({}, self.fixed);
  const Set& own = std::get<Set>(made.held);
  if (name == "union" || others.empty()) {
    own.items->merge(*self.items);
    for (const Value& other : others)
      if (set_in(other) == nullptr || set_in(other)->items != self.items)
        if (auto problem = add_items(own, other)) return *std::move(problem);
    return made;
  }
  Outcome result = made_by(name == "difference" ? difference : intersection, *self.items, others[0], self.fixed);
  for (size_t i = 1; i < others.size() && !result.problem; ++i) {
    const SetItems& left = *std::get<Set>(result.value.held).items;
    if (name == "intersection")
      result = made_by(intersection, left, others[i], self.fixed);
    else if (auto problem = take_away(*std::get<Set>(result.value.held).items, others[i]))
      return *std::move(problem);
  }
  return result;
}

/// isdisjoint, issubset and issuperset.
Outcome ask(std::string_view name, const Set& self, const Value& other) {
  const SetItems& own = *self.items;
  const bool within = name == "issuperset";
  if ((within || name == "isdisjoint") && !set_in(other)) {
    bool holds = true;
    auto problem = each_of(other, [&](const Value&, const KeyMark& mark) { return holds = (own.has(mark)) == within; });
    return problem ? Outcome(*std::move(problem)) : Outcome(Value{holds});
  }
  Others others(other);
  if (others.problem) return *std::move(others.problem);
  if (name == "issubset") return Value{is_within(own, others.items(), false)};
  if (within) return Value{is_within(others.items(), own, false)};
  for (size_t i = 0; i < own.size(); ++i)
    if (others.items().holds(own, i)) return Value{false};
  return Value{true};
}

}  // namespace

/// a op b, one of which is what keys() or items() gives.  Source: Objects/dictobject.c
static Outcome view_binary(std::string_view op, const Value& a, const Value& b) {
  const auto view = [](const Value& value) {
    const auto* dictionary = std::get_if<Dictionary>(&value.held);
    return dictionary && is_set_like(value) ? dictionary : nullptr;
  };
  const Value made = set_of();
  const Set& own = std::get<Set>(made.held);
  const Dictionary* left = view(a);
  std::optional<Diagnostic> problem;
  if (op != "&") {
    const bool keys = left && left->view == Dictionary::View::keys;
    problem = add_items(own, keys ? Value{Dictionary{left->items}} : a);
    if (!problem) problem = change_set(op, own, b);
    return problem ? Outcome(*std::move(problem)) : Outcome(made);
  }
  Value asked = left ? a : b, walked = left ? b : a;
  const auto size = [](const Value& value) { return python_items(value).value_or(std::vector<Value>()).size(); };
  if (set_in(walked) && size(asked) <= size(walked)) return call_set("intersection", walked, {asked});
  if (view(walked) && size(walked) > size(asked)) std::swap(asked, walked);
  const Others others(asked);
  if (others.problem) return *others.problem;
  problem = each_of(walked, [&](const Value& item, const KeyMark& mark) {
    if (others.items().has(mark)) own.items->add(mark, item);
    return true;
  });
  return problem ? Outcome(*std::move(problem)) : Outcome(made);
}

Outcome isdisjoint_of(const Value& view) {
  const Others items(view);
  if (items.problem) return limit(Msg::not_modelled, {"Python", type_name(view) + ".isdisjoint"});  // it looks keys up
  return Value{Symbol{"set.isdisjoint", std::make_shared<const Value>(Value{items.set})}};
}

std::optional<bool> compare_sets(std::string_view op, const Value& a, const Value& b) {
  const Others left(a), right(b);
  if (left.problem || right.problem) return std::nullopt;
  if (op == "==" || op == "!=") return same_items(left.items(), right.items()) == (op == "==");
  const bool below = op[0] == '<';
  return is_within((below ? left : right).items(), (below ? right : left).items(), op.size() == 1);
}

std::optional<Outcome> set_binary(std::string_view op, const Value& a, const Value& b) {
  const Set *left = set_in(a), *right = set_in(b);
  if (!is_set_operator(op)) return std::nullopt;
  if ((!left && is_set_like(a)) || (!right && is_set_like(b))) return view_binary(op, a, b);
  if (!left || !right) return std::nullopt;
  if (op == "|") return call_of_many("union", *left, {b});
  return made_by(op == "&"   ? intersection
                 : op == "-" ? difference
                             : symmetric_difference,
                 *left->items, b, left->fixed);
}

std::optional<Diagnostic> change_set(std::string_view op, const Set& set, const Value& other) {
  SetItems& own = *set.items;
  if (op == "|") return add_items(set, other);
  if (op == "-") return take_away(own, other);
  if (op == "^") return symmetric_update(own, other);
  SetItems made;
  auto problem = intersection(own, other, made);
  if (!problem) own.become(made);
  return problem;
}

bool is_set_method(const Set& set, std::string_view name) {
  const SetMethod* method = find_set_method(name);
  return method && !(method->changes && set.fixed);
}

std::vector<std::string_view> set_methods(const Set& set) {
  std::vector<std::string_view> names;
  for (const SetMethod& one : own_methods)
    if (!(one.changes && set.fixed)) names.push_back(one.name);
  return names;
}

Outcome call_set(std::string_view name, const Value& self, const std::vector<Value>& arguments) {
  const SetMethod& method = *find_set_method(name);
  const Set& set = std::get<Set>(self.held);
  SetItems& items = *set.items;
  const auto given = static_cast<int64_t>(arguments.size());
  if (arguments.size() < method.least || arguments.size() > method.most)
    return python_error(
        "TypeError",
        {type_name(self), ".", name, method.most == 0 ? "() takes no arguments (" : "() takes exactly one argument (",
         given, " given)"},
        Msg::builtin_argument_count, {name, given});
  std::optional<Diagnostic> problem;
  if (name == "add") {
    problem = add_item(set, arguments[0]);
  } else if (name == "clear") {
    items.clear();
  } else if (name == "pop") {
    if (items.size() == 0) return python_error("KeyError", "'pop from an empty set'", Msg::set_empty);
    if (!items.has_order()) return order_unknown();
    const size_t place = items.next_to_pop();
    const Value item = items.items[place];
    items.remove(place);
    return item;
  } else if (name == "remove" || name == "discard") {
    KeyMark mark = mark_of_wanted(arguments[0]);
    if (mark.problem) return *std::move(mark.problem);
    const size_t place = items.place(mark.text, mark.hash);
    if (place < items.size())
      items.remove(place);
    else if (name == "remove")
      return python_error("KeyError", key_text(arguments[0]), Msg::set_lacks, {to_string(arguments[0], 40)});
  } else if (name == "copy" && set.fixed) {
    return self;
  } else if (name.starts_with("is")) {
    return ask(name, set, arguments[0]);
  } else if (name == "symmetric_difference") {
    return made_by(symmetric_difference, items, arguments[0], set.fixed);
  } else if (!method.changes) {
    return call_of_many(name, set, arguments);
  } else if (name == "intersection_update") {
    Outcome made = call_of_many("intersection", set, arguments);
    if (made.problem) return made;
    items.become(*std::get<Set>(made.value.held).items);
  } else {
    const std::string_view op = name == "update" ? "|" : name == "difference_update" ? "-" : "^";
    for (size_t i = 0; i < arguments.size() && !problem; ++i) problem = change_set(op, set, arguments[i]);
  }
  return problem ? Outcome(*std::move(problem)) : Outcome(Value{});
}

}  // namespace stridescope
