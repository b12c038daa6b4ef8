#include "ops/python/dictionary.h"

#include <algorithm>

#include "ops/call.h"
#include "ops/members.h"
#include "ops/python/set.h"
#include "ops/python/text.h"

namespace stridescope {
namespace {

struct Method {
  std::string_view name;
  size_t least, most;
};
constexpr Method methods[] = {{"clear", 0, 0},  {"copy", 0, 0},  {"get", 1, 2},     {"items", 0, 0},
                              {"keys", 0, 0},   {"pop", 1, 2},   {"popitem", 0, 0}, {"setdefault", 1, 2},
                              {"update", 0, 1}, {"values", 0, 0}};

/// update(other): of a dictionary, or of pairs.
std::optional<Diagnostic> update(const Dictionary& self, const Value& other) {
  if (const Dictionary* dictionary = dictionary_in(other)) {
    const DictionaryItems items = *dictionary->items;
    for (size_t i = 0; i < items.keys.size(); ++i)
      if (auto problem = store(self, items.keys[i], items.values[i])) return problem;
    return std::nullopt;
  }
  if (is_unordered(other)) return order_unknown();
  const auto pairs = python_items(other);
  if (!pairs)
    return python_error("TypeError", {"'", attribute_type(other), "' object is not iterable"}, Msg::not_iterable,
                        {type_name(other)});
  for (size_t i = 0; i < pairs->size(); ++i) {
    if (is_unordered((*pairs)[i])) return order_unknown();
    const auto pair = python_items((*pairs)[i]);
    if (!pair && has_dtype((*pairs)[i])) return limit(Msg::not_modelled, {"Python", "dict(tensors)"});
    if (!pair)
      return python_error("TypeError",
                          {"cannot convert dictionary update sequence element #", std::to_string(i), " to a sequence"},
                          Msg::not_iterable, {type_name((*pairs)[i])});
    if (pair->size() != 2)
      return python_error("ValueError",
                          {"dictionary update sequence element #", std::to_string(i), " has length ",
                           std::to_string(pair->size()), "; 2 is required"},
                          Msg::unpack_count, {2, static_cast<int64_t>(pair->size())});
    if (auto problem = store(self, (*pair)[0], (*pair)[1])) return problem;
  }
  return std::nullopt;
}

Diagnostic wrong_number(const Method& method, size_t given) {
  const Message reason(Msg::builtin_argument_count, {method.name, static_cast<int64_t>(given)});
  if (method.most == 0)
    return python_error("TypeError",
                        {"dict.", method.name, "() takes no arguments (", std::to_string(given), " given)"}, reason);
  const bool few = given < method.least;
  const size_t bound = few ? method.least : method.most;
  return python_error("TypeError",
                      {method.name, few ? " expected at least " : " expected at most ", std::to_string(bound),
                       bound == 1 ? " argument, got " : " arguments, got ", std::to_string(given)},
                      reason);
}

}  // namespace

Value dictionary_of() { return {Dictionary{std::make_shared<DictionaryItems>()}}; }

const Dictionary* dictionary_in(const Value& value) {
  const auto* dictionary = std::get_if<Dictionary>(&value.held);
  return dictionary && dictionary->view == Dictionary::View::whole ? dictionary : nullptr;
}

size_t key_place(const Dictionary& dictionary, std::string_view mark) {
  const auto& marks = dictionary.items->marks;
  return static_cast<size_t>(std::find(marks.begin(), marks.end(), mark) - marks.begin());
}

std::optional<Diagnostic> store(const Dictionary& dictionary, const Value& key, const Value& value) {
  KeyMark mark = key_mark(key);
  if (mark.problem) return std::move(mark.problem);
  if (mark.identified) return limit(Msg::key_unread, {to_string(key, 40)});
  DictionaryItems& items = *dictionary.items;
  if (items.fixed)
    return python_error("TypeError", "'mappingproxy' object does not support item assignment", Msg::not_assignable,
                        {"mappingproxy"});
  const size_t place = key_place(dictionary, mark.text);
  if (holds_object(value, &items)) return limit(Msg::holds_itself);
  if (place < items.marks.size()) {
    items.values[place] = value;
    return std::nullopt;
  }
  if (place == max_keys) return limit(Msg::too_many_keys, {static_cast<int64_t>(max_keys)});
  items.marks.push_back(std::move(mark.text));
  items.keys.push_back(key);
  items.values.push_back(value);
  return std::nullopt;
}

std::string key_text(const Value& key) { return python_repr(key).value_or(to_string(key, std::string::npos)); }

Diagnostic missing_key(const Value& key) {
  return python_error("KeyError", key_text(key), Msg::key_missing, {to_string(key, 40)});
}

Outcome item_of(const Dictionary& dictionary, const Value& key) {
  KeyMark mark = key_mark(key);
  if (mark.problem) return *std::move(mark.problem);
  const size_t place = key_place(dictionary, mark.text);
  if (place == dictionary.items->marks.size()) return missing_key(key);
  return dictionary.items->values[place];
}

Value removed_at(const Dictionary& dictionary, size_t place) {
  DictionaryItems& items = *dictionary.items;
  const auto at = static_cast<std::ptrdiff_t>(place);
  Value value = std::move(items.values[place]);
  items.marks.erase(items.marks.begin() + at);
  items.keys.erase(items.keys.begin() + at);
  items.values.erase(items.values.begin() + at);
  return value;
}

bool same_items(const Dictionary& a, const Dictionary& b) {
  if (a.items == b.items) return true;
  const size_t size = a.items->marks.size();
  bool same =
      size == b.items->marks.size() && (!a.items->ordered || !b.items->ordered || a.items->marks == b.items->marks);
  for (size_t i = 0; same && i < size; ++i) {
    const size_t place = key_place(b, a.items->marks[i]);
    same = place < size && python_equal(a.items->values[i], b.items->values[place]);
  }
  return same;
}

bool is_dictionary_method(std::string_view name, bool fixed) {
  constexpr std::string_view reading[] = {"copy", "get", "items", "keys", "values"};
  if (fixed && std::find(std::begin(reading), std::end(reading), name) == std::end(reading)) return false;
  return std::any_of(std::begin(methods), std::end(methods), [&](const Method& one) { return one.name == name; });
}

std::vector<std::string_view> dictionary_methods() {
  std::vector<std::string_view> names;
  for (const Method& one : methods) names.push_back(one.name);
  return names;
}

Outcome call_dictionary(std::string_view name, const Value& self, const std::vector<Value>& arguments) {
  const auto* method =
      std::find_if(std::begin(methods), std::end(methods), [&](const Method& one) { return one.name == name; });
  if (arguments.size() < method->least || arguments.size() > method->most)
    return wrong_number(*method, arguments.size());
  const Dictionary& dictionary = std::get<Dictionary>(self.held);
  DictionaryItems& items = *dictionary.items;
  if (name == "keys") return Value{Dictionary{dictionary.items, Dictionary::View::keys}};
  if (name == "values") return Value{Dictionary{dictionary.items, Dictionary::View::values}};
  if (name == "items") return Value{Dictionary{dictionary.items, Dictionary::View::items}};
  if (name == "copy") {
    auto copied = std::make_shared<DictionaryItems>(items);
    copied->fixed = false;
    return Value{Dictionary{std::move(copied)}};
  }
  if (name == "clear") {
    items = {{}, {}, {}, items.ordered, items.makes};
    return Value{};
  }
  if (name == "popitem") {
    if (items.keys.empty())
      return python_error("KeyError", {items.ordered ? "'" : "'popitem(): ", "dictionary is empty'"},
                          Msg::sequence_index_out_of_range, {-1, 0});
    Value key = items.keys.back();
    Value value = removed_at(dictionary, items.keys.size() - 1);
    return list_of({std::move(key), std::move(value)}, Sequence::Kind::tuple);
  }
  if (name == "update") {
    auto problem = arguments.empty() ? std::nullopt : update(dictionary, arguments[0]);
    return problem ? Outcome(*std::move(problem)) : Outcome(Value{});
  }
  KeyMark mark = key_mark(arguments[0]);
  if (mark.problem) return *std::move(mark.problem);
  const size_t place = key_place(dictionary, mark.text);
  const bool found = place < items.marks.size();
  const Value otherwise = arguments.size() > 1 ? arguments[1] : Value{};
  if (name == "get") return found ? items.values[place] : otherwise;
  if (name == "pop" && found) return removed_at(dictionary, place);
  if (name == "pop") return arguments.size() > 1 ? Outcome(otherwise) : Outcome(missing_key(arguments[0]));
  if (found) return items.values[place];  // setdefault
  auto problem = store(dictionary, arguments[0], otherwise);
  return problem ? Outcome(*std::move(problem)) : Outcome(otherwise);
}

}  // namespace stridescope
