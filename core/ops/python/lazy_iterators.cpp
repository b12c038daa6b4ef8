// Iterators that ask others for no more items than are wanted of them, and those that never end.
#include <algorithm>
#include <utility>

#include "ops/members.h"
#include "ops/python/interpreter.h"

namespace stridescope {

/// One that asks too many others in turn fails.
bool Interpreter::too_deep(const std::vector<Value>& through, const Expr& at) {
  for (const Value& one : through)
    if (const ItemSource* source = source_of(one); source && source->depth >= max_sources_deep)
      return fail(limit(Msg::nested_too_deep, {max_sources_deep}), at.span), true;
  return false;
}

/// any() and all() ask no further than they must.
Interpreter::Result Interpreter::decided(bool any, const Value& iterator, const Expr& at) {
  Value item;
  for (;;) {
    const Next answer = next_item(iterator, at.span, item);
    if (answer == Next::failure) return std::nullopt;
    if (answer == Next::none) return Value{!any};
    const Result holds = truth_of(item, at);
    if (!holds) return std::nullopt;
    if (std::get<bool>(holds->held) == any) return Value{any};
  }
}

/// enumerate, zip, map and filter of what is asked for each item, when the item is wanted.
Interpreter::Result Interpreter::lazily(std::string_view name, const std::vector<Value>& values, const Expr& at) {
  const bool called = name == "map" || name == "filter";
  std::vector<Value> through;
  for (size_t i = called ? 1 : 0; i < (name == "enumerate" ? 1 : values.size()); ++i) {
    Result iterator = iterator_through(values[i], at.span);
    if (!iterator) return std::nullopt;
    through.push_back(*std::move(iterator));
  }
  if (too_deep(through, at)) return std::nullopt;
  const Value function = called ? values[0] : Value{};
  const auto row = [this, through](Span asks, std::vector<Value>& items) {
    for (const Value& one : through) {
      const Next answer = next_item(one, asks, items.emplace_back());
      if (answer != Next::item) return answer;
    }
    return Next::item;
  };
  if (name == "enumerate") {
    std::vector<Value> checked = values;
    checked[0] = list_of({});
    if (!settle(find_builtin(name)->function(checked), at.span)) return std::nullopt;
    const auto from = values.size() > 1 ? as_integer(values[1]) : int64_t{0};
    if (!from) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
    const auto place = std::make_shared<int64_t>(*from);
    return iterator_over(
        Sequence::Kind::enumerate,
        [this, row, place](Span asks, Value& item) {
          std::vector<Value> items{Value{*place}};
          const Next answer = row(asks, items);
          if (answer != Next::item) return answer;
          item = as_tuple(std::move(items));
          const auto following = checked_add(*place, 1);
          if (!following) return fail(limit(Msg::beyond_int64), asks), Next::failure;
          *place = *following;
          return answer;
        },
        "", through);
  }
  if (name == "zip")
    return iterator_over(
        Sequence::Kind::zip,
        [row](Span asks, Value& item) {
          std::vector<Value> items;
          const Next answer = row(asks, items);
          if (answer == Next::item) item = as_tuple(std::move(items));
          return answer;
        },
        "", through);
  const auto apply = [this, function](std::vector<Value> items, Span asks) {
    Expr place;
    place.span = asks;
    return call(function, {std::move(items), {}, {}, {}, {}}, place);
  };
  if (name == "map")
    return iterator_over(
        Sequence::Kind::map,
        [row, apply](Span asks, Value& item) {
          std::vector<Value> items;
          const Next answer = row(asks, items);
          if (answer != Next::item) return answer;
          Result made = apply(std::move(items), asks);
          if (made) item = *std::move(made);
          return made ? Next::item : Next::failure;
        },
        "", through);
  return iterator_over(
      Sequence::Kind::filter,
      [this, row, apply, function](Span asks, Value& item) {
        for (;;) {
          std::vector<Value> items;
          const Next answer = row(asks, items);
          if (answer != Next::item) return answer;
          item = items[0];
          Expr place;
          place.span = asks;
          const Result kept = is_none(function) ? Result(item) : apply(std::move(items), asks);
          const Result wanted = kept ? truth_of(*kept, place) : std::nullopt;
          if (!wanted) return Next::failure;
          if (std::get<bool>(wanted->held)) return Next::item;
        }
      },
      "", through);
}

/// itertools.islice(iterator, start, stop, step): the items between them are asked for, too.
Interpreter::Result Interpreter::sliced_lazily(const Value& iterator, const std::optional<int64_t> (&bounds)[3],
                                               const Expr& at) {
  if (too_deep({iterator}, at)) return std::nullopt;
  struct Place {
    int64_t next, at = 0;
  };
  const int64_t stop = bounds[1].value_or(INT64_MAX), step = bounds[2].value_or(1);
  const auto place = std::make_shared<Place>(Place{bounds[0].value_or(0)});
  return iterator_over(Sequence::Kind::iterator,
                       [=, this](Span asks, Value& item) {
                         const int64_t wanted = std::min(place->next, stop);
                         for (; place->at < wanted; ++place->at)
                           if (const Next answer = next_item(iterator, asks, item); answer != Next::item) return answer;
                         if (place->at >= stop) return Next::none;
                         const Next answer = next_item(iterator, asks, item);
                         ++place->at;
                         place->next += std::min(step, INT64_MAX - place->next);
                         return answer;
                       },
                       "itertools.islice", {iterator});
}

/// itertools.chain(..): the next is gone through where the one before has no more.
Interpreter::Result Interpreter::chained(const std::vector<Value>& values, const Expr& at) {
  if (too_deep(values, at)) return std::nullopt;
  struct Place {
    size_t value = 0;
    Value under_way = {};
  };
  const auto place = std::make_shared<Place>();
  return iterator_over(
      Sequence::Kind::iterator,
      [=, this](Span asks, Value& item) {
        for (; place->value < values.size(); ++place->value) {
          if (is_none(place->under_way)) {
            Result iterator = iterator_through(values[place->value], asks);
            if (!iterator) return Next::failure;
            place->under_way = *std::move(iterator);
          }
          const Next answer = next_item(place->under_way, asks, item);
          if (answer != Next::none) return answer;
          place->under_way = {};
        }
        return Next::none;
      },
      "itertools.chain", values);
}

/// itertools.count, cycle, and repeat without a number.
Interpreter::Result Interpreter::endless(std::string_view name, const std::vector<Value>& values, const Expr& at) {
  if (name == "repeat")
    return iterator_over(
        Sequence::Kind::iterator,
        [=](Span, Value& item) {
          item = values[0];
          return Next::item;
        },
        "itertools.repeat");
  if (name == "count") {
    for (const Value& value : values)
      if (!as_real(value) && !std::holds_alternative<ComplexFloat>(value.held) && !is_array(value))
        return fail(python_error("TypeError", "a number is required", Msg::argument_has_type,
                                 {"count()", "number", type_name(value)}),
                    at.span);
    const auto next = std::make_shared<Value>(values.empty() ? Value{int64_t{0}} : values[0]);
    const Value step = values.size() > 1 ? values[1] : Value{int64_t{1}};
    return iterator_over(
        Sequence::Kind::iterator,
        [=, this](Span asks, Value& item) {
          item = *next;
          Expr place;
          place.span = asks;
          Result following = binary("+", item, step, place);
          if (following) *next = *std::move(following);
          return following ? Next::item : Next::failure;
        },
        "itertools.count");
  }
  if (too_deep({values[0]}, at)) return std::nullopt;
  const Result iterator = iterator_through(values[0], at.span);
  if (!iterator) return std::nullopt;
  struct Round {
    Value first;
    std::vector<Value> seen = {};
    size_t next = 0;
  };
  const auto round = std::make_shared<Round>(Round{*iterator});
  return iterator_over(Sequence::Kind::iterator,
                       [=, this](Span asks, Value& item) {
                         const Next answer = next_item(round->first, asks, item);
                         if (answer == Next::item) round->seen.push_back(item);
                         if (answer != Next::none || round->seen.empty()) return answer;
                         item = round->seen[round->next++ % round->seen.size()];
                         return Next::item;
                       },
                       "itertools.cycle", {values[0]});
}

}  // namespace stridescope
