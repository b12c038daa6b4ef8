// What sequences have in them: the items that iterating gives, and sequence[key].
#include <algorithm>
#include <charconv>

#include "layout/checked.h"
#include "ops/call.h"
#include "ops/numpy/nditer.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/python.h"
#include "ops/python/set.h"
#include "ops/torch/nn/modules.h"

namespace stridescope {
namespace {

/// The items that a slice took of a range, as a range of their own: its bounds are reckoned from those of the whole.
Outcome part_of_range(const std::string& whole, const SliceRange& taken, std::vector<Value> items) {
  int64_t bounds[] = {0, 0, 1};
  const char *at = whole.data() + std::string_view("range(").size(), *end = whole.data() + whole.size();
  for (int64_t& bound : bounds) at = std::min(std::from_chars(at, end, bound).ptr + 2, end);
  const auto [first, last, step] = bounds;
  const auto place = [&, from = first, by = step](int64_t i) {
    const auto way = checked_mul(i, by);
    return way ? checked_add(from, *way) : std::nullopt;
  };
  const auto start = place(taken.start), stop = place(taken.stop), wide = checked_mul(step, taken.step);
  if (!start || !stop || !wide) return limit(Msg::beyond_int64);
  return range_value(std::move(items), *start, *stop, *wide);
}

}  // namespace

std::optional<std::vector<Value>> python_items(const Value& value) {
  if (const auto* sequence = std::get_if<Sequence>(&value.held)) return *sequence->items;
  if (const auto* dictionary = std::get_if<Dictionary>(&value.held)) {
    const DictionaryItems& held = *dictionary->items;
    if (dictionary->view == Dictionary::View::values) return held.values;
    if (dictionary->view != Dictionary::View::items) return held.keys;
    std::vector<Value> pairs;
    for (size_t i = 0; i < held.keys.size(); ++i)
      pairs.push_back(list_of({held.keys[i], held.values[i]}, Sequence::Kind::tuple));
    return pairs;
  }
  if (const Set* set = set_in(value)) return items_in_order(*set->items);
  if (const auto* module = std::get_if<Object>(&value.held)) {
    const bool names = is_dictionary_of_modules(*module->type);
    std::vector<Value> items;
    for (auto& [name, part] : children_of(*module)) items.push_back(names ? Value{name} : std::move(part));
    return names || is_list_of_modules(*module->type) ? std::optional(std::move(items)) : std::nullopt;
  }
  if (const auto* text = std::get_if<std::string>(&value.held)) {
    std::vector<Value> characters;
    for (size_t i = 0; i < text->size();) {
      size_t end = i + 1;
      while (end < text->size() && (static_cast<unsigned char>((*text)[end]) & 0xC0) == 0x80) ++end;
      characters.push_back({text->substr(i, end - i)});
      i = end;
    }
    return characters;
  }
  return std::nullopt;
}

std::optional<std::string> walked_elsewhere(const Value& value) {
  const std::string type = type_name(value);
  const bool elsewhere = type == "memoryview" || type == "dict" || type == "broadcast";
  return elsewhere ? std::optional("iter(" + type + ")") : std::nullopt;
}

Diagnostic not_iterable(const Value& value) {
  if (const auto walked = walked_elsewhere(value)) return limit(Msg::not_modelled, {"Python", *walked});
  return python_error("TypeError", {"'", attribute_type(value), "' object is not iterable"}, Msg::not_iterable,
                      {type_name(value)});
}

Outcome python_subscript(const Value& sequence, const Value& key) {
  if (const Dictionary* dictionary = dictionary_in(sequence)) return item_of(*dictionary, key);
  const auto items = python_items(sequence);
  const auto* held = std::get_if<Sequence>(&sequence.held);
  if (walk_of(sequence)) return nditer_operand(sequence, key);
  constexpr std::string_view generic = " dict frozenset list set tuple type ";  // list[int]
  const auto* symbol = std::get_if<Symbol>(&sequence.held);
  if (symbol && !symbol->self && generic.find(" " + symbol->path + " ") != generic.npos)
    return limit(Msg::not_modelled, {"Python", symbol->path + "[..]"});
  if (!items || std::holds_alternative<Dictionary>(sequence.held) || set_in(sequence) ||
      (held && is_iterator(held->kind)))
    return python_error("TypeError", {"'", attribute_type(sequence), "' object is not subscriptable"},
                        Msg::not_subscriptable, {type_name(sequence)});
  const auto size = static_cast<int64_t>(items->size());
  const bool text = std::holds_alternative<std::string>(sequence.held),
             range = held && held->kind == Sequence::Kind::range;
  const bool bytes = held && held->kind == Sequence::Kind::bytes;
  const bool c_array = held && held->kind == Sequence::Kind::c_array;
  const std::string kind = text                                 ? "string"
                           : range                              ? "range object"
                           : bytes                              ? "byte"
                           : held->kind == Sequence::Kind::list ? "list"
                                                                : "tuple";
  if (const auto* slice = std::get_if<SliceValue>(&key.held)) {
    const auto [taken, problem] = range_of(*slice, size);
    if (problem) return *problem;
    std::vector<Value> chosen;
    for (int64_t i = 0; i < taken.count; ++i)
      chosen.push_back((*items)[static_cast<size_t>(taken.start + i * taken.step)]);
    if (range) return part_of_range(*held->shown, taken, std::move(chosen));
    if (!text) return list_of(std::move(chosen), c_array ? Sequence::Kind::list : held->kind);
    std::string result;
    for (const Value& character : chosen) result += std::get<std::string>(character.held);
    return Value{result};
  }
  if (const TensorPtr tensor = tensor_of(key);
      tensor &&
      (!(is_integer(tensor->dtype) || (tensor->dtype == DType::boolean && tensor->library == Library::torch)) ||
       numel(tensor->layout.sizes) != 1 || (tensor->library == Library::numpy && tensor->layout.rank() > 0)))
    return python_error("TypeError",
                        tensor->library == Library::torch
                            ? "only integer tensors of a single element can be converted to an index"
                            : "only integer scalar arrays can be converted to a scalar index",
                        Msg::slice_needs_integers, {type_name(key)});
  const auto index = as_integer(key);
  if (c_array && !index)
    return python_error("TypeError", "indices must be integers", Msg::slice_needs_integers, {type_name(key)});
  if (c_array && (*index < -size || *index >= size))
    return python_error("IndexError", "invalid index", Msg::sequence_index_out_of_range, {*index, size});
  if (!index)
    return python_error("TypeError", {kind, " indices must be integers or slices, not ", type_name(key)},
                        Msg::slice_needs_integers, {type_name(key)});
  if (*index < -size || *index >= size)
    return python_error("IndexError", {bytes ? "" : kind + " ", "index out of range"}, Msg::sequence_index_out_of_range,
                        {*index, size});
  return (*items)[static_cast<size_t>(*index < 0 ? *index + size : *index)];
}

}  // namespace stridescope
