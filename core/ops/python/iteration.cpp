// Going through values: unpacking, comprehensions, functions that walk over an argument.
#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "ops/numpy/numpy.h"
#include "ops/python/dictionary.h"
#include "ops/python/exceptions.h"
#include "ops/python/generators.h"
#include "ops/python/interpreter.h"
#include "ops/python/set.h"
#include "ops/python/text.h"

namespace stridescope {

std::optional<std::vector<Value>> Interpreter::items_of(const Value& value, Span span) {
  if (is_unordered(value)) return fail(order_unknown(), span), std::nullopt;
  if (!drain(value, span)) return std::nullopt;
  if (auto items = python_items(value)) {
    if (!walks(items->size(), span)) return std::nullopt;
    use_up(value);
    return items;
  }
  if (is_flat(value)) {
    const Elements elements = elements_of(*std::get<Facet>(value.held).tensor);
    const int64_t count = *numel(elements.layout.sizes);
    if (count > max_iterations - iterations_)
      return fail(limit(Msg::too_many_iterations, {max_iterations}), span), std::nullopt;
    iterations_ += static_cast<int>(count);
    std::vector<Value> scalars;
    for (int64_t i = 0; i < count; ++i) scalars.push_back({scalar_at(elements, i)});
    return scalars;
  }
  if (is_broadcast(value)) {
    const Tensor& tensor = *std::get<Facet>(value.held).tensor;
    std::vector<Elements> columns;
    for (const StructureField& field : tensor.structure->fields)
      columns.push_back(elements_of(seen_field(tensor, field)));
    const int64_t count = *numel(tensor.layout.sizes), first = std::exchange(*tensor.version, count);
    if (count - first > max_iterations - iterations_)
      return fail(limit(Msg::too_many_iterations, {max_iterations}), span), std::nullopt;
    iterations_ += static_cast<int>(count - first);
    std::vector<Value> tuples;
    for (int64_t i = first; i < count; ++i) {
      std::vector<Value> scalars;
      for (const Elements& column : columns) scalars.push_back({scalar_at(column, i)});
      tuples.push_back(list_of(std::move(scalars), Sequence::Kind::tuple));
    }
    return tuples;
  }
  if (const auto* facet = std::get_if<Facet>(&value.held))
    if (const auto list = find_forms(facet->tensor->library, Form::Kind::method, facet->name + ".tolist");
        !list.empty()) {
      if (const int rank = facet->tensor->layout.rank(); facet->name == "data" && rank != 1)
        return fail(rank == 0 ? python_error("TypeError", "invalid indexing of 0-dim memory", Msg::np_memory_part, {0})
                              : python_error("NotImplementedError", "multi-dimensional sub-views are not implemented",
                                             Msg::np_memory_part, {rank}),
                    span),
               std::nullopt;
      const Result numbers = invoke(list, {{value}, {}}, span);
      return numbers ? python_items(*numbers) : std::nullopt;
    }
  if (has_special(value, "__iter__") || has_special(value, "__getitem__")) {
    const Result iterator = walked(value, span);
    return iterator ? items_of(*iterator, span) : std::nullopt;
  }
  const TensorPtr tensor = tensor_of(value);
  if (!tensor) return fail(not_iterable(value), span), std::nullopt;
  if (tensor->is_element) {
    std::vector<Value> parts;
    for (size_t i = 0; i < tensor->structure->fields.size(); ++i) {
      Result part = row_of(value, static_cast<int64_t>(i), span);
      if (!part) return std::nullopt;
      parts.push_back(std::move(*part));
    }
    return parts;
  }
  if (tensor->layout.rank() == 0) {
    fail(python_error("TypeError",
                      tensor->library == Library::torch ? "iteration over a 0-d tensor" : "iteration over a 0-d array",
                      tensor->library == Library::torch ? Msg::scalar_has_no_length : Msg::np_scalar_has_no_length),
         span);
    return std::nullopt;
  }
  if (tensor->layout.sizes[0] > max_iterations - iterations_) {
    fail(limit(Msg::too_many_iterations, {max_iterations}), span);
    return std::nullopt;
  }
  iterations_ += static_cast<int>(tensor->layout.sizes[0]);
  if (tensor->library == Library::torch) {
    const Result rows = invoke(find_forms(Library::torch, Form::Kind::method, "unbind"), {{value}, {}}, span);
    return rows ? python_items(*rows) : std::nullopt;
  }
  std::vector<Value> items;
  for (int64_t i = 0; i < tensor->layout.sizes[0]; ++i) {
    Result row = row_of(value, i, span);
    if (!row) return std::nullopt;
    items.push_back(std::move(*row));
  }
  return items;
}

/// What is gone through in the place of a value: of an object what its __iter__ gives, which may be an object with a
/// __next__, else what its __getitem__ gives for 0, 1 and so on. They end with an exception. An object without any of
/// them is what it is.
Interpreter::Result Interpreter::walked(const Value& value, Span span, bool may_be_object) {
  Expr at;
  at.span = span;
  const bool counts = !has_special(value, "__iter__");
  if (counts && !has_special(value, "__getitem__")) return value;
  const Result asked = counts ? Result(value) : special(value, "__iter__", {}, at);
  const auto* items = asked ? std::get_if<Sequence>(&asked->held) : nullptr;
  if (!asked || (items && is_iterator(items->kind))) return asked;
  const std::string_view method = counts ? "__getitem__" : "__next__", end = counts ? "IndexError" : "StopIteration";
  if (!has_special(*asked, method))
    return fail(python_error("TypeError", {"iter() returned non-iterator of type '", attribute_type(*asked), "'"},
                             Msg::argument_has_type, {"__iter__()", "iterator", type_name(*asked)}),
                span);
  if (may_be_object && !counts) return asked;
  const auto place = std::make_shared<int64_t>(0);
  return iterator_over(
      Sequence::Kind::iterator,
      [=, this, object = *asked](Span asks, Value& item) {
        Expr here;
        here.span = asks;
        const size_t applied = step_->applied.size();
        const std::vector<Value> given(counts ? 1 : 0, Value{(*place)++});
        if (Result made = special(object, method, given, here)) {
          item = *std::move(made);
          return Next::item;
        }
        if (!error_->raised || !catches(end, error_->raised->type)) return Next::failure;
        error_.reset();
        step_->applied.resize(applied);
        return Next::none;
      },
      counts ? "iterator" : std::string(type_name(*asked)));
}

/// As NumPy gives it to who goes through an array.
Interpreter::Result Interpreter::row_of(const Value& array, int64_t row, Span span) {
  return invoke(find_forms(Library::numpy, Form::Kind::subscript, "[]"), {{array, Value{row}}, {}}, span);
}

std::optional<bool> Interpreter::holds(std::string_view op, const Value& a, const Value& b, const Expr& at) {
  const Result compared = compare(op, a, b, at);
  const Result truth = compared ? truth_of(*compared, at) : std::nullopt;
  return truth ? std::optional(std::get<bool>(truth->held)) : std::nullopt;
}

Interpreter::Result Interpreter::total_of(const std::vector<Value>& arguments, const Expr& at) {
  const auto items = items_of(arguments[0], at.span);
  Value total = arguments.size() > 1 ? arguments[1] : Value{int64_t{0}};
  if (items && std::holds_alternative<std::string>(total.held))
    return fail(python_error("TypeError", "sum() can't sum strings [use ''.join(seq) instead]",
                             Msg::operands_do_not_fit, {"+", "str", "str"}),
                at.span);
  for (size_t i = 0; items && i < items->size(); ++i) {
    Result next = binary("+", total, (*items)[i], at);
    if (!next) return std::nullopt;
    total = std::move(*next);
  }
  return items ? Result(total) : std::nullopt;
}

std::optional<std::vector<Value>> Interpreter::keys_of(const std::vector<Value>& items, const Value& key,
                                                       const Expr& at) {
  if (std::holds_alternative<None>(key.held)) return items;
  std::vector<Value> keys;
  size_t left = max_nested_items;
  for (const Value& item : items) {
    Result made = call(key, {{item}, {}, {}, {}, {}}, at);
    if (!made || !fits(*made, left, at.span)) return std::nullopt;
    keys.push_back(std::move(*made));
  }
  return keys;
}

/// What is put in order by what `key` makes of it, or by itself.
std::optional<std::vector<Value>> Interpreter::sortable(const Value& value, const Value& key, Span span) {
  const Set* set = set_in(value);
  return set && is_none(key) && sorts_alike(*set->items) ? items_in_order(*set->items) : items_of(value, span);
}

Interpreter::Result Interpreter::best_of(std::string_view name, const std::vector<Value>& arguments, const Value& key,
                                         const Value* fallback, const Expr& at) {
  if (fallback && arguments.size() > 1)
    return fail(
        python_error("TypeError", {"Cannot specify a default for ", name, "() with multiple positional arguments"},
                     Msg::unexpected_argument, {name, "default", name}),
        at.span);
  const auto items = arguments.size() == 1 ? sortable(arguments[0], key, at.span) : std::optional(arguments);
  if (!items) return std::nullopt;
  if (items->empty() && fallback) return *fallback;
  if (items->empty())
    return fail(python_error("ValueError", {name, "() iterable argument is empty"}, Msg::nothing_to_choose), at.span);
  const auto is_number = [](const Value& one) {
    return std::holds_alternative<int64_t>(one.held) || std::holds_alternative<Float>(one.held);
  };
  if (is_none(key) && std::all_of(items->begin(), items->end(), is_number) &&
      std::any_of(items->begin(), items->end(), holds_unknown))
    return Value{Float::unknown()};
  const auto keys = keys_of(*items, key, at);
  size_t best = 0;
  for (size_t i = 1; keys && i < items->size(); ++i) {
    const auto better = holds(name == "max" ? ">" : "<", (*keys)[i], (*keys)[best], at);
    if (!better) return std::nullopt;
    if (*better) best = i;
  }
  return keys ? Result((*items)[best]) : std::nullopt;
}

/// Sorts places by what `less` says of two, asking in the order in which CPython does for fewer than 64: the run that
/// they begin with, which is turned round where it falls, then each of the others put at its place. False: it had no
/// answer. Source: CPython 3.12, Objects/listobject.c, count_run and binarysort
template <typename Less>
static bool put_in_order(std::vector<size_t>& places, Less less) {
  const auto begin = places.begin();
  bool falls = false;
  auto end = begin + (places.empty() ? 0 : 1);
  for (; end != places.end(); ++end) {
    const auto before = less(*end, *(end - 1));
    if (!before) return false;
    if (end == begin + 1) falls = *before;
    if (*before != falls) break;
  }
  if (falls) std::reverse(begin, end);
  for (; end != places.end(); ++end) {
    auto left = begin, right = end;
    while (left != right) {
      const auto middle = left + (right - left) / 2;
      const auto before = less(*end, *middle);
      if (!before) return false;
      *before ? right = middle : left = middle + 1;
    }
    std::rotate(left, end, end + 1);
  }
  return true;
}

Interpreter::Result Interpreter::sorted(const std::vector<Value>& arguments, const Value& key, const Expr& at) {
  const auto items = sortable(arguments[0], key, at.span);
  const Result wanted = items && arguments.size() > 1 ? truth_of(arguments[1], at) : Result(Value{false});
  const auto keys = items && wanted ? keys_of(*items, key, at) : std::nullopt;
  if (!keys) return std::nullopt;
  std::vector<size_t> order(items->size());
  std::iota(order.begin(), order.end(), size_t{0});
  // Each is compared as often as the number of items has binary digits, and comparing is slower than going through.
  if (!walks(4 * order.size() * static_cast<size_t>(std::bit_width(order.size())), at.span)) return std::nullopt;
  // Equal items keep their order backwards too.
  const bool backwards = std::get<bool>(wanted->held);
  if (backwards) std::reverse(order.begin(), order.end());
  const auto less = [&](size_t a, size_t b) { return holds("<", (*keys)[a], (*keys)[b], at); };
  if (!put_in_order(order, less)) return std::nullopt;
  if (backwards) std::reverse(order.begin(), order.end());
  std::vector<Value> list;
  for (const size_t i : order) list.push_back((*items)[i]);
  return list_of(std::move(list));
}

/// All at once: what it gives is mostly gone through where it is made.
Interpreter::Result Interpreter::map(const std::vector<Value>& arguments, const Expr& at) {
  std::vector<std::vector<Value>> rows;
  for (size_t k = 1; k < arguments.size(); ++k) {
    auto items = items_of(arguments[k], at.span);
    if (!items) return std::nullopt;
    rows.resize(k == 1 ? items->size() : std::min(rows.size(), items->size()));
    if (rows.size() * k > max_gathered_items)
      return fail(limit(Msg::too_many_nested, {static_cast<int64_t>(max_nested_items)}), at.span);
    for (size_t i = 0; i < rows.size(); ++i) rows[i].push_back(std::move((*items)[i]));
  }
  std::vector<Value> made;
  size_t left = max_nested_items;
  for (std::vector<Value>& row : rows) {
    Result one = call(arguments[0], {std::move(row), {}, {}, {}, {}}, at);
    if (!one || !fits(*one, left, at.span)) return std::nullopt;
    made.push_back(std::move(*one));
  }
  return list_of(std::move(made), Sequence::Kind::map);
}

Interpreter::Result Interpreter::filter(const std::vector<Value>& arguments, const Expr& at) {
  const auto items = items_of(arguments[1], at.span);
  const auto keys = items ? keys_of(*items, arguments[0], at) : std::nullopt;
  if (!keys) return std::nullopt;
  std::vector<Value> left;
  for (size_t i = 0; i < keys->size(); ++i) {
    const Result wanted = truth_of((*keys)[i], at);
    if (!wanted) return std::nullopt;
    if (std::get<bool>(wanted->held)) left.push_back((*items)[i]);
  }
  return list_of(std::move(left), Sequence::Kind::filter);
}

Interpreter::Result Interpreter::eval_comprehension(const Expr& expr) {
  // It would not see the names of the class.
  if (class_) return fail(limit(Msg::not_modelled, {"Python", title(expr.span)}), expr.span);
  std::vector<Value> items;
  const bool braces = expr.text == "{", pairs = braces && expr.children.size() > 1;
  const Value whole = pairs ? dictionary_of() : braces ? set_of() : Value{};
  may_grow_ |= braces;
  const size_t outside = locals_.size();
  size_t left = max_nested_items;
  const bool done = run_loops(expr, 0, [&] {
    Result item = eval(*expr.children[0]);
    const Result value = item && pairs ? eval(*expr.children[1]) : item;
    if (!value || !fits(*value, left, expr.span)) return false;
    if (!braces) return items.push_back(std::move(*item)), true;
    return settled(
        pairs ? store(std::get<Dictionary>(whole.held), *item, *value) : add_item(std::get<Set>(whole.held), *item),
        expr.span);
  });
  locals_.resize(outside);
  if (!done) return std::nullopt;
  return braces ? whole
                : list_of(std::move(items), expr.text == "(" ? Sequence::Kind::generator : Sequence::Kind::list);
}

Interpreter::Result Interpreter::any_all(bool any, const Expr& generator) {
  if (class_) return fail(limit(Msg::not_modelled, {"Python", title(generator.span)}), generator.span);
  bool decided = false;
  const size_t outside = locals_.size();
  const bool done = run_loops(generator, 0, [&] {
    const Result item = eval(*generator.children[0]);
    const Result holds = item ? truth_of(*item, *generator.children[0]) : std::nullopt;
    decided = holds && std::get<bool>(holds->held) == any;
    return holds && !decided;
  });
  locals_.resize(outside);
  return done || decided ? Result(Value{decided == any}) : std::nullopt;
}

/// Gives the names of a comprehension their values.
bool Interpreter::bind_local(const Expr& target, const Value& value) {
  if (target.kind == Expr::Kind::name) return locals_.emplace_back(target.text, value), true;
  const auto parts = parts_for(target, value);
  for (size_t i = 0; parts && i < parts->size(); ++i) {
    const Expr& child = *target.children[i];
    if (!bind_local(child.kind == Expr::Kind::starred ? *child.children[0] : child, (*parts)[i])) return false;
  }
  return parts.has_value();
}

bool Interpreter::run_loops(const Expr& expr, size_t loop, const std::function<bool()>& inside) {
  if (loop == expr.loops().size()) return inside();
  const Comprehension& part = expr.loops()[loop];
  const Span at = part.iterable->span;
  const Result given = eval_iterable(*part.iterable);
  const Result iterable = given ? walked(*given, at) : std::nullopt;
  if (!iterable) return false;
  const size_t outside = locals_.size();
  const auto round = [&](const Value& row) {
    if (++iterations_ > max_iterations)
      return fail(limit(Msg::too_many_iterations, {max_iterations}), expr.span).has_value();
    locals_.resize(outside);
    if (!bind_local(*part.target, row)) return false;
    bool wanted = true;
    for (const ExprPtr condition : part.conditions) {
      const Result value = eval(*condition);
      const Result holds = value ? truth_of(*value, *condition) : std::nullopt;
      if (!holds) return false;
      wanted = wanted && std::get<bool>(holds->held);
    }
    return !wanted || run_loops(expr, loop + 1, inside);
  };
  if (source_of(*iterable)) {
    Value row;
    Next answer = next_item(*iterable, at, row);
    for (; answer == Next::item; answer = next_item(*iterable, at, row))
      if (!round(row)) return false;
    return answer == Next::none;
  }
  const auto rows = items_of(*iterable, at);
  if (!rows) return false;
  for (const Value& row : *rows)
    if (!settled(resized(*iterable, rows->size()), at) || !round(row)) return false;
  return settled(resized(*iterable, rows->size()), at);
}

}  // namespace stridescope
