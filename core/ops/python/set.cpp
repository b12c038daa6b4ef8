#include "ops/python/set.h"

#include <algorithm>

#include "ops/python/dictionary.h"

namespace stridescope {

std::optional<Diagnostic> too_many_in_set(size_t size) {
  if (size <= max_items) return std::nullopt;
  return limit(Msg::too_many_items, {static_cast<int64_t>(max_items)});
}

KeyMark mark_of_wanted(const Value& item) {
  const Set* set = set_in(item);
  return key_mark(set ? Value{Set{set->items, true}} : item);
}

Value set_of(bool fixed) { return {Set{std::make_shared<SetItems>(), fixed}}; }

const Set* set_in(const Value& value) { return std::get_if<Set>(&value.held); }

std::vector<Value> items_in_order(const SetItems& items) {
  std::vector<Value> row;
  for (const size_t place : items.order()) row.push_back(items.items[place]);
  return row;
}

bool is_unordered(const Value& value) { return set_in(value) && !set_in(value)->items->has_order(); }

Diagnostic order_unknown() {
  Diagnostic problem = limit(Msg::set_order);
  problem.hints.push_back({{Msg::hint_set_order, {}}, std::nullopt});
  return problem;
}

std::optional<Diagnostic> resized(const Value& value, size_t items) {
  const bool set = set_in(value), walked = set || std::holds_alternative<Dictionary>(value.held);
  if (!walked || parts_of(value).size() == items) return std::nullopt;
  return python_error("RuntimeError",
                      set ? "Set changed size during iteration" : "dictionary changed size during iteration",
                      set ? Msg::set_changed : Msg::dictionary_changed);
}

/// What sorts_alike() goes by: "s" of a string, "(ss)" of a tuple of two; empty of what it does not know.
static std::string form_of(const Value& value) {
  if (std::holds_alternative<std::string>(value.held)) return "s";
  if (std::holds_alternative<int64_t>(value.held) || std::holds_alternative<Float>(value.held)) return "n";
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (!sequence || sequence->kind != Sequence::Kind::tuple) return "";
  std::string forms = "(";
  for (const Value& item : *sequence->items) {
    const std::string form = form_of(item);
    if (form.empty()) return "";
    forms += form;
  }
  return forms + ")";
}

bool sorts_alike(const SetItems& items) {
  const std::string form = items.size() == 0 ? "" : form_of(items.items[0]);
  return !form.empty() &&
         std::all_of(items.items.begin(), items.items.end(), [&](const Value& item) { return form_of(item) == form; });
}

std::optional<Diagnostic> add_item(const Set& set, const Value& item) {
  KeyMark mark = key_mark(item);
  if (mark.problem) return std::move(mark.problem);
  if (mark.identified && holds_object(item, set.items.get())) return limit(Msg::holds_itself);
  if (set.items->size() == max_items && !set.items->has(mark)) return too_many_in_set(max_items + 1);
  set.items->add(mark, item);
  return std::nullopt;
}

std::optional<Diagnostic> add_items(const Set& set, const Value& other) {
  if (const Set* given = set_in(other)) {
    size_t size = set.items->size();
    for (size_t i = 0; i < given->items->size(); ++i) {
      if (holds_object(given->items->items[i], set.items.get())) return limit(Msg::holds_itself);
      size += set.items->holds(*given->items, i) ? 0 : 1;
    }
    if (auto problem = too_many_in_set(size)) return problem;
    set.items->merge(*given->items);
    return std::nullopt;
  }
  const auto items = python_items(other);
  if (!items) return not_iterable(other);
  if (const Dictionary* dictionary = dictionary_in(other); dictionary && !dictionary->items->ordered)
    set.items->make_room(items->size());
  for (const Value& item : *items)
    if (auto problem = add_item(set, item)) return problem;
  return std::nullopt;
}

bool is_set_operator(std::string_view op) { return op == "|" || op == "&" || op == "-" || op == "^"; }

bool is_within(const SetItems& a, const SetItems& b, bool proper) {
  bool within = proper ? a.size() < b.size() : a.size() <= b.size();
  for (size_t i = 0; within && i < a.size(); ++i) within = b.holds(a, i);
  return within;
}

bool same_items(const SetItems& a, const SetItems& b) { return a.size() == b.size() && is_within(a, b, false); }

Outcome has_item(const Set& set, const Value& item) {
  KeyMark mark = mark_of_wanted(item);
  if (mark.problem) return *std::move(mark.problem);
  return Value{set.items->has(mark)};
}

bool is_set_like(const Value& value) {
  const auto* dictionary = std::get_if<Dictionary>(&value.held);
  return set_in(value) ||
         (dictionary && (dictionary->view == Dictionary::View::keys || dictionary->view == Dictionary::View::items));
}

}  // namespace stridescope
