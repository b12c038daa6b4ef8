// Python's itertools. What its functions give is made all at once, as with map and zip: it is mostly gone through where
// it is made.
#include <algorithm>

#include "ops/members.h"
#include "ops/python/interpreter.h"
#include "ops/python/standard_library.h"

namespace stridescope {
namespace {

using Values = std::vector<Value>;

/// An iterator of that name.
Value iterator_of(Values items, std::string_view name) {
  return Value{Sequence{Sequence::Kind::iterator, std::make_shared<Values>(std::move(items)),
                        std::make_shared<const std::string>(name)}};
}

/// The items at those places, each of the list that is next in turn.
Values rows_at(const Places& places, const std::vector<Values>& lists) {
  Values rows;
  for (const std::vector<size_t>& each : places) {
    Values row;
    for (size_t k = 0; k < each.size(); ++k) row.push_back(lists[k % lists.size()][each[k]]);
    rows.push_back(as_tuple(std::move(row)));
  }
  return rows;
}

Values zipped(const std::vector<Values>& lists, const Value& fill) {
  size_t longest = 0;
  for (const Values& list : lists) longest = std::max(longest, list.size());
  Values rows;
  for (size_t i = 0; i < longest; ++i) {
    Values row;
    for (const Values& list : lists) row.push_back(i < list.size() ? list[i] : fill);
    rows.push_back(as_tuple(std::move(row)));
  }
  return rows;
}

/// So many items a row, each beginning `step` items behind the one before; the last may be shorter where `short_too`.
Values rows_of_items(const Values& items, size_t size, size_t step, bool short_too) {
  Values rows;
  for (size_t i = 0; i < items.size() && (short_too || size <= items.size() - i); i += step) {
    const auto from = items.begin() + static_cast<std::ptrdiff_t>(i);
    rows.push_back(as_tuple(Values(from, from + static_cast<std::ptrdiff_t>(std::min(size, items.size() - i)))));
  }
  return rows;
}

}  // namespace

Interpreter::Result Interpreter::iterate(std::string_view name, Values values, const Value* option, const Expr& at) {
  const std::string whole = "itertools." + std::string(name);
  const auto too_many = [&] { return fail(limit(Msg::too_many_items, {static_cast<int64_t>(max_items)}), at.span); };
  const auto not_modelled = [&] { return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span); };
  const auto count_of = [&](size_t k) { return k < values.size() ? as_integer(values[k]) : std::nullopt; };
  if (name == "islice") return sliced(values, at);
  if (name == "count" || name == "cycle" || (name == "repeat" && values.size() == 1)) return endless(name, values, at);
  if (name == "chain" && std::any_of(values.begin(), values.end(), [](const Value& one) { return source_of(one); }))
    return chained(values, at);
  if (name == "repeat") {
    const auto times = count_of(1);
    if (!times) return not_modelled();
    if (*times > static_cast<int64_t>(max_items)) return too_many();
    return iterator_of(Values(static_cast<size_t>(std::max<int64_t>(*times, 0)), values[0]), whole);
  }
  // What is gone through: one list, or as many as there are.
  const bool calls = name == "starmap" || name == "takewhile" || name == "dropwhile" || name == "filterfalse";
  const bool several = name == "product" || name == "zip_longest" || name == "chain" || name == "compress";
  std::vector<Values> lists;
  size_t gathered = 0;
  const auto gather = [&](const Value& value) {
    auto items = items_of(value, at.span);
    if (!items) return false;
    gathered += items->size();
    if (gathered > max_gathered_items)
      return fail(limit(Msg::too_many_nested, {static_cast<int64_t>(max_nested_items)}), at.span).has_value();
    return lists.push_back(*std::move(items)), true;
  };
  for (size_t k = calls ? 1 : 0; k < (several ? values.size() : calls ? 2 : 1); ++k)
    if (!gather(values[k])) return std::nullopt;
  if (calls) return called(name, values[0], lists[0], at);
  if (name == "accumulate") return accumulated(lists[0], values.size() > 1 ? values[1] : Value{}, option, at);
  if (name == "groupby") return grouped(lists[0], values.size() > 1 ? values[1] : Value{}, at);
  if (name == "zip_longest") return iterator_of(zipped(lists, option ? *option : Value{}), whole);
  if (name == "pairwise") return iterator_of(rows_of_items(lists[0], 2, 1, false), whole);
  Values made;
  if (name == "chain.from_iterable") {
    const Values outer = std::exchange(lists, {})[0];
    for (const Value& one : outer)
      if (!gather(one)) return std::nullopt;
  }
  if (name.starts_with("chain")) {
    for (const Values& list : lists) made.insert(made.end(), list.begin(), list.end());
    return iterator_of(std::move(made), "itertools.chain");
  }
  if (name == "compress") {
    for (size_t i = 0; i < std::min(lists[0].size(), lists[1].size()); ++i) {
      const Result wanted = truth_of(lists[1][i], at);
      if (!wanted) return std::nullopt;
      if (std::get<bool>(wanted->held)) made.push_back(lists[0][i]);
    }
    return iterator_of(std::move(made), whole);
  }
  // The others are given a number: how often the lists are taken, or how many items go together.
  const bool all = name == "permutations" && (values.size() < 2 || std::holds_alternative<None>(values[1].held));
  const auto number = name == "product" ? (option ? as_integer(*option) : std::optional<int64_t>(1))
                      : all             ? std::optional(static_cast<int64_t>(lists[0].size()))
                                        : count_of(1);
  if (!number) return not_modelled();
  const int64_t least = name == "batched" ? 1 : 0;
  if (*number < least)
    return fail(python_error("ValueError",
                             name == "batched"   ? "n must be at least one"
                             : name == "product" ? "repeat argument cannot be negative"
                                                 : "r must be non-negative",
                             Msg::at_least,
                             {name == "batched"   ? "n"
                              : name == "product" ? "repeat"
                                                  : "r",
                              least}),
                at.span);
  // More than these are as many as these.
  const auto size = static_cast<size_t>(std::min(*number, static_cast<int64_t>(max_nested_items) + 1));
  if (name == "batched") return iterator_of(rows_of_items(lists[0], size, size, true), whole);
  std::vector<size_t> sizes;
  for (size_t k = 0; name == "product" && k < size * lists.size(); ++k) {
    sizes.push_back(lists[k % lists.size()].size());
    if (sizes.size() > max_items) return too_many();
  }
  const auto places = name == "product" ? product_of(sizes)
                                        : picked_of(lists[0].size(), size,
                                                    name == "permutations"   ? Picked::permutations
                                                    : name == "combinations" ? Picked::combinations
                                                                             : Picked::with_replacement);
  if (!places) return fail(limit(Msg::too_many_nested, {static_cast<int64_t>(max_nested_items)}), at.span);
  return iterator_of(rows_at(*places, lists), whole);
}

/// islice(iterable, stop), islice(iterable, start, stop, step): an iterator has what is behind it left.
Interpreter::Result Interpreter::sliced(const Values& values, const Expr& at) {
  std::optional<int64_t> bounds[3];
  for (size_t k = 1; k < values.size(); ++k) {
    const size_t place = values.size() == 2 ? 1 : k - 1;
    if (std::holds_alternative<None>(values[k].held)) continue;
    bounds[place] = as_integer(values[k]);
    if (bounds[place] && *bounds[place] >= (place == 2 ? 1 : 0)) continue;
    const char* const words = place == 2 ? "Step for islice() must be a positive integer or None."
                              : values.size() == 2
                                  ? "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
                                  : "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
    return fail(python_error("ValueError", words, Msg::at_least,
                             {place == 2   ? "step"
                              : place == 1 ? "stop"
                                           : "start",
                              place == 2 ? 1 : 0}),
                at.span);
  }
  if (source_of(values[0])) return sliced_lazily(values[0], bounds, at);
  const auto seen = python_items(values[0]);
  const auto items = seen ? seen : items_of(values[0], at.span);
  if (!items) return std::nullopt;
  const auto size = static_cast<int64_t>(items->size());
  const int64_t start = bounds[0].value_or(0), stop = std::min(bounds[1].value_or(size), size);
  Values made;
  for (int64_t i = start; i < stop; i += std::min(bounds[2].value_or(1), size))
    made.push_back((*items)[static_cast<size_t>(i)]);
  use_up(values[0], static_cast<size_t>(std::max(stop, std::min(start, size))));
  return iterator_of(std::move(made), "itertools.islice");
}

Interpreter::Result Interpreter::called(std::string_view name, const Value& function, const Values& items,
                                        const Expr& at) {
  Values made;
  bool dropping = name == "dropwhile";
  for (const Value& item : items) {
    if (name == "starmap") {
      auto given = items_of(item, at.span);
      Result one = given ? call(function, {.positional = *std::move(given)}, at) : std::nullopt;
      if (!one) return std::nullopt;
      made.push_back(*std::move(one));
      continue;
    }
    bool holds = false;
    if (name != "dropwhile" || dropping) {
      const bool asked = !std::holds_alternative<None>(function.held);
      const Result answer = asked ? call(function, {.positional = {item}}, at) : Result(item);
      const Result truth = answer ? truth_of(*answer, at) : std::nullopt;
      if (!truth) return std::nullopt;
      holds = std::get<bool>(truth->held);
    }
    if (name == "takewhile" && !holds) break;
    dropping = dropping && holds;
    if (name == "takewhile" || (name == "dropwhile" ? !dropping : !holds)) made.push_back(item);
  }
  return iterator_of(std::move(made), "itertools." + std::string(name));
}

Interpreter::Result Interpreter::accumulated(const Values& items, const Value& function, const Value* initial,
                                             const Expr& at) {
  Values totals;
  if (initial && !std::holds_alternative<None>(initial->held)) totals.push_back(*initial);
  for (const Value& item : items) {
    Result next = totals.empty() ? Result(item)
                  : std::holds_alternative<None>(function.held)
                      ? binary("+", totals.back(), item, at)
                      : call(function, {.positional = {totals.back(), item}}, at);
    if (!next) return std::nullopt;
    totals.push_back(*std::move(next));
  }
  return iterator_of(std::move(totals), "itertools.accumulate");
}

Interpreter::Result Interpreter::grouped(const Values& items, const Value& key, const Expr& at) {
  const auto keys = keys_of(items, key, at);
  if (!keys) return std::nullopt;
  Values groups;
  for (size_t from = 0, i = 0; i < items.size(); from = i) {
    for (++i; i < items.size(); ++i) {
      const auto same = holds("==", (*keys)[from], (*keys)[i], at);
      if (!same) return std::nullopt;
      if (!*same) break;
    }
    const auto begin = items.begin();
    Values group(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(i));
    groups.push_back(as_tuple({(*keys)[from], iterator_of(std::move(group), "itertools._grouper")}));
  }
  return iterator_of(std::move(groups), "itertools.groupby");
}

}  // namespace stridescope
