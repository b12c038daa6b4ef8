// What changes a list: its methods and what is written into it. Every name of a list sees what is done to it.
#include <algorithm>

#include "ops/python/interpreter.h"
#include "ops/python/text.h"

namespace stridescope {
namespace {

using Items = std::vector<Value>;

/// The vector of a list, which was made as one that can change (list_of()).  @pre it is a list
Items& items_in(const Value& list) { return const_cast<Items&>(*std::get<Sequence>(list.held).items); }

/// How many arguments a method takes, and how CPython says that they are others.
struct Takes {
  std::string_view name;
  size_t least, most;
};
constexpr Takes list_methods[] = {{"append", 1, 1}, {"clear", 0, 0},   {"copy", 0, 0},   {"count", 1, 1},
                                  {"extend", 1, 1}, {"index", 1, 3},   {"insert", 2, 2}, {"pop", 0, 1},
                                  {"remove", 1, 1}, {"reverse", 0, 0}, {"sort", 0, 0}};

std::optional<Diagnostic> wrong_arguments(const Takes& takes, std::string_view owner, const Arguments& arguments) {
  const std::string whole = std::string(owner) + "." + std::string(takes.name) + "()";
  const size_t given = arguments.positional.size();
  const auto error = [&](const Slots& text) {
    return python_error("TypeError", text, Msg::builtin_argument_count, {whole, given});
  };
  if (takes.name == "sort") {
    if (given > 0) return error("sort() takes no positional arguments");
    for (const auto& [name, value] : arguments.named)
      if (name != "key" && name != "reverse") return error({"sort() got an unexpected keyword argument '", name, "'"});
    return std::nullopt;
  }
  if (!arguments.named.empty()) return error({whole, " takes no keyword arguments"});
  if (given >= takes.least && given <= takes.most) return std::nullopt;
  if (takes.most == 0) return error({whole, " takes no arguments (", given, " given)"});
  if (takes.least == 1 && takes.most == 1) return error({whole, " takes exactly one argument (", given, " given)"});
  const bool exact = takes.least == takes.most, few = given < takes.least;
  const size_t bound = few ? takes.least : takes.most;
  return error({takes.name, " expected ",
                exact ? ""
                : few ? "at least "
                      : "at most ",
                bound, bound == 1 ? " argument, got " : " arguments, got ", given});
}

}  // namespace

SliceRange slice_range(std::optional<int64_t> start, std::optional<int64_t> stop, int64_t step, int64_t size) {
  const auto clamp = [&](int64_t place, int64_t low, int64_t high) {
    return std::clamp(place < 0 ? place + size : place, low, high);
  };
  SliceRange range{.step = step};
  if (step > 0) {
    range.start = start ? clamp(*start, 0, size) : 0;
    const int64_t end = range.stop = stop ? clamp(*stop, 0, size) : size;
    range.count = end > range.start ? (end - range.start - 1) / step + 1 : 0;
  } else {
    range.start = start ? clamp(*start, -1, size - 1) : size - 1;
    const int64_t end = range.stop = stop ? clamp(*stop, -1, size - 1) : -1;
    // -(step + 1) + 1 would leave int64_t for the lowest step; the quotient by it is 0 anyway.
    range.count = end < range.start ? (range.start - end - 1) / (step == INT64_MIN ? INT64_MAX : -step) + 1 : 0;
  }
  return range;
}

SliceOutcome range_of(const SliceValue& slice, int64_t size) {
  std::optional<int64_t> parts[3];
  const std::shared_ptr<const Value>* written[] = {&slice.start, &slice.stop, &slice.step};
  for (int i = 0; i < 3; ++i) {
    if (!*written[i] || std::holds_alternative<None>((*written[i])->held)) continue;
    parts[i] = as_index(**written[i]);
    if (!parts[i])
      return {{},
              python_error("TypeError", "slice indices must be integers or None or have an __index__ method",
                           Msg::slice_needs_integers, {type_name(**written[i])})};
  }
  if (parts[2] == 0) return {{}, python_error("ValueError", "slice step cannot be zero", Msg::slice_step_zero)};
  return {slice_range(parts[0], parts[1], parts[2].value_or(1), size), std::nullopt};
}

bool has_list_method(const Value& value, std::string_view name) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (!sequence || sequence->kind > Sequence::Kind::ranked) return false;
  if (sequence->kind != Sequence::Kind::list) return name == "index" || name == "count";
  return std::any_of(std::begin(list_methods), std::end(list_methods),
                     [&](const Takes& one) { return one.name == name; });
}

bool Interpreter::put_items(const Value& list, size_t from, size_t until, Items put, Span span) {
  Items& items = items_in(list);
  may_grow_ = true;
  for (const Block& block : blocks_)
    if (const auto* walked = std::get_if<Sequence>(&block.array.held); walked && walked->items.get() == &items)
      return fail(limit(Msg::list_changed_in_loop), span).has_value();
  if (items.size() - (until - from) + put.size() > max_items)
    return fail(limit(Msg::too_many_items, {static_cast<int64_t>(max_items)}), span).has_value();
  const Value whole = list_of(put, Sequence::Kind::tuple);
  if (!bounded(list_of({list, whole}), span)) return false;
  if (holds_object(whole, &items)) return fail(limit(Msg::list_in_itself), span).has_value();
  const auto place = items.erase(items.begin() + static_cast<std::ptrdiff_t>(from),
                                 items.begin() + static_cast<std::ptrdiff_t>(until));
  items.insert(place, std::make_move_iterator(put.begin()), std::make_move_iterator(put.end()));
  return true;
}

std::optional<bool> Interpreter::is_item(const Value& value, const Value& item, const Expr& at) {
  const bool same =
      std::holds_alternative<Object>(value.held) ? object_of(value) == object_of(item) : python_equal(value, item);
  return same ? std::optional(true) : holds("==", item, value, at);
}

std::optional<size_t> Interpreter::place_of(const Value& value, const Items& items, int64_t from, int64_t until,
                                            const Expr& at) {
  const auto size = static_cast<int64_t>(items.size());
  for (int64_t i = from; i < std::min(until, size); ++i) {
    const auto same = is_item(value, items[static_cast<size_t>(i)], at);
    if (!same) return std::nullopt;
    if (*same) return static_cast<size_t>(i);
  }
  return items.size();
}

Interpreter::Result Interpreter::list_method(const Value& self, std::string_view name, const Arguments& arguments,
                                             const Expr& at) {
  const auto* takes = std::find_if(std::begin(list_methods), std::end(list_methods),
                                   [&](const Takes& one) { return one.name == name; });
  const std::string_view owner = std::get<Sequence>(self.held).kind == Sequence::Kind::list ? "list" : "tuple";
  if (auto problem = wrong_arguments(*takes, owner, arguments)) return fail(*std::move(problem), at.span);
  const std::vector<Value>& given = arguments.positional;
  const Items items = *std::get<Sequence>(self.held).items;  // as it is before
  const auto size = static_cast<int64_t>(items.size());
  const auto number = [&](const Value& value) -> std::optional<int64_t> {
    const auto whole = as_integer(value);
    if (!whole)
      fail(python_error("TypeError", {"'", attribute_type(value), "' object cannot be interpreted as an integer"},
                        Msg::argument_has_type, {"index", "int", type_name(value)}),
           at.span);
    return whole;
  };
  const auto put = [&](int64_t from, int64_t until, Items made) -> Result {
    if (!put_items(self, static_cast<size_t>(from), static_cast<size_t>(until), std::move(made), at.span))
      return std::nullopt;
    return Value{};
  };
  if (name == "append") {
    const Result put_there = put(size, size, {given[0]});
    return keeps(put_there.has_value(), given[0], *at.children[0]) ? put_there : std::nullopt;
  }
  if (name == "clear") return put(0, size, {});
  if (name == "copy") return list_of(items);
  if (name == "reverse") return put(0, size, {items.rbegin(), items.rend()});
  if (name == "extend") {
    auto more = items_of(given[0], at.span);
    return more ? put(size, size, *std::move(more)) : std::nullopt;
  }
  if (name == "insert") {
    const auto asked = number(given[0]);
    if (!asked) return std::nullopt;
    const int64_t place = std::clamp(*asked < 0 ? *asked + size : *asked, int64_t{0}, size);
    return put(place, place, {given[1]});
  }
  if (name == "pop") {
    const auto asked = given.empty() ? int64_t{-1} : number(given[0]);
    if (!asked) return std::nullopt;
    const int64_t place = *asked < 0 ? *asked + size : *asked;
    if (place < 0 || place >= size)
      return fail(python_error("IndexError", size == 0 ? "pop from empty list" : "pop index out of range",
                               Msg::sequence_index_out_of_range, {*asked, size}),
                  at.span);
    return put(place, place + 1, {}) ? Result(items[static_cast<size_t>(place)]) : std::nullopt;
  }
  if (name == "sort") {
    std::vector<Value> wanted{self};
    Value key;
    for (const auto& [word, value] : arguments.named)
      if (word == "reverse")
        wanted.push_back(value);
      else
        key = value;
    const Result ordered = sorted(wanted, key, at);
    return ordered ? put(0, size, *std::get<Sequence>(ordered->held).items) : std::nullopt;
  }
  if (name == "count") {
    int64_t count = 0;
    for (const Value& item : items) {
      const auto same = is_item(given[0], item, at);
      if (!same) return std::nullopt;
      count += *same;
    }
    return Value{count};
  }
  int64_t bounds[] = {0, size};  // of index
  for (size_t i = 1; i < given.size(); ++i) {
    const auto asked = as_integer(given[i]);
    if (!asked)
      return fail(python_error("TypeError", "slice indices must be integers or have an __index__ method",
                               Msg::slice_needs_integers, {type_name(given[i])}),
                  at.span);
    bounds[i - 1] = *asked < 0 ? std::max(*asked + size, int64_t{0}) : *asked;
  }
  const auto place = place_of(given[0], items, bounds[0], bounds[1], at);
  if (!place) return std::nullopt;
  const bool found = *place < items.size();
  if (name == "remove" && found) return put(static_cast<int64_t>(*place), static_cast<int64_t>(*place) + 1, {});
  if (found) return Value{static_cast<int64_t>(*place)};
  if (name == "remove" || owner == "tuple")
    return fail(python_error("ValueError", {owner, ".", name, "(x): x not in ", owner}, Msg::not_in_list,
                             {to_string(given[0], 40)}),
                at.span);
  const auto text = python_repr(given[0]);
  if (!text) return settle(text_or_limit(text, "repr", given[0]), at.span);
  return fail(python_error("ValueError", {*text, " is not in list"}, Msg::not_in_list, {to_string(given[0], 40)}),
              at.span);
}

std::optional<SliceRange> Interpreter::places_named(const Value& list, const Value& key, Span span) {
  const auto size = static_cast<int64_t>(items_in(list).size());
  const auto refuse = [&](Diagnostic problem) {
    fail(std::move(problem), span);
    return std::nullopt;
  };
  if (const auto* slice = std::get_if<SliceValue>(&key.held)) {
    auto [range, problem] = range_of(*slice, size);
    if (problem) return refuse(*std::move(problem));
    return range;
  }
  const auto asked = as_integer(key);
  if (!asked)
    return refuse(python_error("TypeError", {"list indices must be integers or slices, not ", type_name(key)},
                               Msg::slice_needs_integers, {type_name(key)}));
  const int64_t place = *asked < 0 ? *asked + size : *asked;
  if (place < 0 || place >= size)
    return refuse(python_error("IndexError", "list assignment index out of range", Msg::sequence_index_out_of_range,
                               {*asked, size}));
  return SliceRange{.start = place, .step = 1, .count = 1};
}

bool Interpreter::assign_item(const Value& list, const Value& key, const Value& value, Span span) {
  const auto range = places_named(list, key, span);
  if (!range) return false;
  const auto from = static_cast<size_t>(range->start), count = static_cast<size_t>(range->count);
  const auto* slice = std::get_if<SliceValue>(&key.held);
  if (!slice) return put_items(list, from, from + 1, {value}, span);
  auto put = python_items(value) || tensor_of(value) ? items_of(value, span) : std::nullopt;
  if (!put && error_) return false;
  if (!put)
    return fail(python_error("TypeError", "must assign iterable to extended slice", Msg::not_iterable,
                             {type_name(value)}),
                span)
        .has_value();
  if (range->step == 1) return put_items(list, from, from + count, *std::move(put), span);
  if (put->size() != count)
    return fail(python_error("ValueError",
                             {"attempt to assign sequence of size ", put->size(), " to extended slice of size ", count},
                             Msg::slice_needs_as_many, {put->size(), count}),
                span)
        .has_value();
  Items made = items_in(list);
  for (int64_t i = 0; i < range->count; ++i)
    made[static_cast<size_t>(range->start + i * range->step)] = (*put)[static_cast<size_t>(i)];
  return put_items(list, 0, made.size(), made, span);
}

bool Interpreter::remove_items(const Value& list, const Value& key, Span span) {
  const auto range = places_named(list, key, span);
  if (!range) return false;
  Items kept;
  const Items& items = items_in(list);
  for (size_t i = 0; i < items.size(); ++i) {
    const int64_t steps = (static_cast<int64_t>(i) - range->start) / range->step;
    const bool named = static_cast<int64_t>(i) == range->start + steps * range->step && steps >= 0;
    if (!named || steps >= range->count) kept.push_back(items[i]);
  }
  return put_items(list, 0, items.size(), std::move(kept), span);
}

bool Interpreter::augment_list(const Value& list, std::string_view op, const Value& operand, Span span) {
  Items more = items_in(list);
  if (op == "+") {
    auto given = items_of(operand, span);
    return given && put_items(list, more.size(), more.size(), *std::move(given), span);
  }
  const int64_t times = std::max(as_integer(operand).value_or(0), int64_t{0});
  if (times > 0 && static_cast<int64_t>(more.size()) > static_cast<int64_t>(max_items) / times)
    return fail(limit(Msg::too_many_items, {static_cast<int64_t>(max_items)}), span).has_value();
  Items made;
  for (int64_t i = 0; i < times && !more.empty(); ++i) made.insert(made.end(), more.begin(), more.end());
  return put_items(list, 0, more.size(), std::move(made), span);
}

}  // namespace stridescope
