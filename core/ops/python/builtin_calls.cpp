// Calls of Python's built-in functions: those that ask objects or apply operators, and what the others are handed.
#include <algorithm>
#include <span>

#include "ops/members.h"
#include "ops/python/classes.h"
#include "ops/python/interpreter.h"
#include "ops/python/set.h"
#include "ops/python/standard_library.h"
#include "ops/python/text.h"

namespace stridescope {

/// How many items of an iterator a function has gone through: any and all stop where they know.
static size_t steps_taken(std::string_view name, const Value& value) {
  if (name != "any" && name != "all") return SIZE_MAX;
  const auto items = parts_of(value);
  const auto decides = [&](const Value& item) {
    const Outcome holds = truth(item);
    return holds.problem || std::get<bool>(holds.value.held) == (name == "any");
  };
  return static_cast<size_t>(std::find_if(items.begin(), items.end(), decides) - items.begin()) + 1;
}

/// Whether it goes through what it is handed, all at once.
static bool goes_through(std::string_view name) {
  constexpr std::string_view others[] = {"all",
                                         "any",
                                         "ascii",
                                         "bool",
                                         "callable",
                                         "copy.copy",
                                         "copy.deepcopy",
                                         "enumerate",
                                         "filter",
                                         "format",
                                         "functools.partial",
                                         "functools.reduce",
                                         "getattr",
                                         "hasattr",
                                         "hash",
                                         "id",
                                         "isinstance",
                                         "issubclass",
                                         "iter",
                                         "itertools.chain",
                                         "itertools.cycle",
                                         "itertools.islice",
                                         "itertools.repeat",
                                         "len",
                                         "map",
                                         "next",
                                         "print",
                                         "repr",
                                         "reversed",
                                         "str",
                                         "sys.getsizeof",
                                         "type",
                                         "zip"};
  if (name.starts_with("operator.")) return name == "operator.contains";
  return std::find(std::begin(others), std::end(others), name) == std::end(others);
}

/// Whether it goes through those of its arguments that are objects as their classes say.
static bool walks_through(std::string_view name, const std::vector<Value>& values) {
  if (name == "max" || name == "min") return values.size() == 1;
  constexpr std::string_view names = " all any enumerate filter frozenset iter list map set sorted sum tuple zip ";
  return names.find(" " + std::string(name) + " ") != names.npos;
}

/// id() of a list, a dictionary, a set or an object.
Value Interpreter::number_of(const Value& object) {
  const auto same = [&](const Value& one) { return object_of(one) == object_of(object); };
  const auto found = std::find_if(identified_.begin(), identified_.end(), same);
  const int64_t place = found - identified_.begin();
  if (found == identified_.end()) identified_.push_back(object);
  return Value{0x7d0000000000 + 0x40 * place};
}

Interpreter::Result Interpreter::builtin(const Builtin& function, const Arguments& arguments, const Expr& at) {
  const std::string_view name = function.name;
  std::vector<Value> values = arguments.positional;
  for (size_t i = name == "map" || name == "filter" ? 1 : 0; i < values.size() && walks_through(name, values); ++i) {
    Result iterator = walked(values[i], at.span, name == "iter");
    if (!iterator || (name == "iter" && has_special(*iterator, "__next__"))) return iterator;
    values[i] = *std::move(iterator);
  }
  for (const Value& value : values)
    if (source_of(value) && goes_through(name) && !drain(value, at.span)) return std::nullopt;
  if (name == "dataclasses.dataclass") return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (name == "dataclasses.field") return field_said(arguments, at);
  if (is_standard_function(function)) return standard_call(function, arguments, at);
  if (name == "copy.copy" || name == "copy.deepcopy") {
    for (const auto& [word, value] : arguments.named)
      if (word == "x" && values.empty()) values.push_back(value);
    if (values.size() != 1 || arguments.positional.size() + arguments.named.size() != 1)
      return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
    return name == "copy.copy" ? shallow_copy(values[0], at) : deep_copy(values[0], at);
  }
  // By the names of parameters, in their order.
  auto named = std::span(arguments.named);
  for (; !named.empty() && named[0].first == next_word(function, values.size()); named = named.subspan(1))
    values.push_back(named[0].second);
  if (name == "pow" && !named.empty()) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (auto problem = wrong_count(function, values.size())) return fail(*std::move(problem), at.span);
  if (name == "dict") return make_dictionary(arguments, at);
  if (name == "print") return print(values, arguments, at);
  if (name == "id" && object_of(values[0])) return number_of(values[0]);
  const bool makes_set = name == "set" || name == "frozenset";
  if (makes_set && !arguments.named.empty())
    return fail(python_error("TypeError", {name, "() takes no keyword arguments"}, Msg::unexpected_argument,
                             {name, arguments.named[0].first, name}),
                at.span);
  may_grow_ |= makes_set;
  Value key;
  const Value* fallback = nullptr;  // of what has no item
  for (const auto& [word, value] : named) {
    const bool chooses = name == "max" || name == "min";
    if (word == "key" && (chooses || name == "sorted")) {
      key = value;
      continue;
    }
    if (word == "strict" && name == "zip") return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
    if (word == "default" && chooses) {
      fallback = &value;
      continue;
    }
    if (function.last.empty() || word != function.last || values.size() > 1)
      return fail(python_error("TypeError", {name, "() got an unexpected keyword argument '", word, "'"},
                               Msg::unexpected_argument, {name, word, name}),
                  at.span);
    values.push_back(value);
  }
  if (name == "memoryview" && is_bytes(values[0])) {
    const Result array =
        invoke(find_forms(Library::numpy, Form::Kind::function, "numpy.frombuffer"),
               {{values[0], {Symbol{"numpy.uint8", nullptr}}}, {}, {}, arguments.written, {}}, at.span);
    return array ? Result(Value{Facet{"data", tensor_of(*array)}}) : std::nullopt;
  }
  // The memory of an array, or of a view of it, in C order; of one whole number without axes so many zeros.
  if (name == "bytes" && values.size() == 1 && named.empty()) {
    if (has_special(values[0], "__bytes__")) return special(values[0], "__bytes__", {}, at);
    const auto* seen = std::get_if<Facet>(&values[0].held);
    const TensorPtr array = seen && seen->name == "data" ? seen->tensor : tensor_of(values[0]);
    const bool counts = !seen && array && array->layout.rank() == 0 && is_integer(array->dtype);
    if (array && array->library == Library::numpy && !array->is_element && !counts)
      return invoke(find_forms(Library::numpy, Form::Kind::method, seen ? "data.tobytes" : "tobytes"),
                    {values, {}, {}, arguments.written, {}}, at.span);
  }
  const bool told = !values.empty() && std::holds_alternative<Object>(values[0].held);
  if (told && name == "len" && has_special(values[0], "__len__")) return length_of(values[0], at);
  if (told && name == "bool") return truth_of(values[0], at);
  if (name == "str" || name == "repr" || (name == "format" && values.size() == 1))
    for (Value& value : values) {
      const Result text = worded(value, name == "repr", at);
      if (!text) return std::nullopt;
      if (!std::holds_alternative<std::string>(value.held) && std::holds_alternative<std::string>(text->held))
        return text;
      value = *text;
    }
  if ((name == "str" || name == "repr" || name == "ascii" || name == "format") && !values.empty() &&
      !words_are_known(values[0]))
    return settle(text_or_limit(std::nullopt, name, values[0]), at.span);
  if (name == "abs" && is_array(values[0])) {
    const Library library = library_of(values[0]);
    return invoke(find_forms(library, Form::Kind::function, library == Library::torch ? "torch.abs" : "numpy.abs"),
                  {{values[0]}, {}}, at.span);
  }
  if (const TensorPtr tensor = tensor_of(values.empty() ? Value{} : values[0]);
      name == "reversed" && tensor && tensor->library == Library::torch) {
    // Tensor.__reversed__ is a flip, a copy.
    if (tensor->layout.rank() == 0) return values[0];
    return invoke(find_forms(Library::torch, Form::Kind::method, "flip"), {{values[0], Value{int64_t{0}}}, {}},
                  at.span);
  }
  if (name == "next" && has_special(values[0], "__next__")) {
    const size_t applied = step_->applied.size();
    Result item = special(values[0], "__next__", {}, at);
    if (item || values.size() == 1 || !error_->raised || error_->raised->type != "StopIteration") return item;
    error_.reset();
    step_->applied.resize(applied);
    return values[1];
  }
  // One item of an iterator after the other: others may ask it in between.
  const bool one_by_one = name == "enumerate" || name == "zip" || name == "map" || name == "filter";
  const auto asked = [&](const Value& value) {
    const auto* sequence = one_by_one ? std::get_if<Sequence>(&value.held) : nullptr;
    return source_of(value) || (sequence && is_iterator(sequence->kind));
  };
  if (std::any_of(values.begin(), values.end(), asked)) {
    if (name == "all" || name == "any") return decided(name == "any", values[0], at);
    if (one_by_one) return lazily(name, values, at);
    if (name == "next" && !drain(values[0], at.span, 1)) return std::nullopt;
  }
  // Functions that walk over an argument see a tensor as the list of its rows.
  const bool walks = name == "list" || name == "tuple" || name == "zip" || name == "enumerate" || name == "reversed" ||
                     name == "all" || name == "any" || name == "iter" || makes_set;
  for (Value& value : values) {
    const auto* facet = std::get_if<Facet>(&value.held);
    const bool walked = tensor_of(value) || is_flat(value) || is_broadcast(value) ||
                        (facet && (facet->name.ends_with("storage") || facet->name == "data"));
    const bool ordered = name == "list" || name == "tuple" || name == "zip" || name == "enumerate" || name == "iter";
    if (ordered && is_unordered(value)) return fail(order_unknown(), at.span);
    if (!walks || !walked) continue;
    auto items = items_of(value, at.span);
    if (!items) return std::nullopt;
    value = list_of(std::move(*items), name == "iter" ? Sequence::Kind::tuple : Sequence::Kind::list);
  }
  if (name == "divmod" && (has_dtype(values[0]) || has_dtype(values[1]))) return divided(values[0], values[1], at);
  if (function.function) {
    const Result result = settle(function.function(values), at.span);
    const bool stops = name == "any" || name == "all";  // at what has no truth, too
    if (walks && (result || stops) && name != "iter")
      for (const Value& value : values) use_up(value, steps_taken(name, value));
    return result;
  }
  return name == "sum"            ? total_of(values, at)
         : name == "sorted"       ? sorted(values, key, at)
         : name == "map"          ? map(values, at)
         : name == "filter"       ? filter(values, at)
         : name == "pow"          ? power(values, at)
         : name.ends_with("attr") ? member_of(name, values, at)
                                  : best_of(name, values, key, fallback, at);
}

}  // namespace stridescope
