// Python's built-in functions that course code uses.
#include <algorithm>
#include <array>
#include <span>

#include "layout/checked.h"
#include "ops/call.h"
#include "ops/members.h"
#include "ops/numpy/nditer.h"
#include "ops/python/builtin_math.h"
#include "ops/python/builtin_numbers.h"
#include "ops/python/builtin_types.h"
#include "ops/python/classes.h"
#include "ops/python/exceptions.h"
#include "ops/python/python.h"
#include "ops/python/set.h"
#include "ops/python/standard_library.h"
#include "ops/python/text.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

using Values = std::vector<Value>;

Outcome len(const Values& arguments) {
  const Value& value = arguments[0];
  if (const auto* structure = std::get_if<StructurePtr>(&value.held))
    return Value{static_cast<int64_t>((*structure)->fields.size())};
  if (const TensorPtr tensor = tensor_of(value)) {
    if (tensor->is_element) return Value{static_cast<int64_t>(tensor->structure->fields.size())};
    if (tensor->layout.rank() > 0) return Value{tensor->layout.sizes[0]};
    return python_error("TypeError",
                        tensor->library == Library::torch ? "len() of a 0-d tensor" : "len() of unsized object",
                        tensor->library == Library::torch ? Msg::scalar_has_no_length : Msg::np_scalar_has_no_length);
  }
  const bool facet_of_array = std::holds_alternative<Facet>(value.held);
  if (facet_of_array && type_name(value) == "dict") return Value{int64_t{6}};
  if (const auto* seen = std::get_if<Facet>(&value.held); seen && seen->name == "data") {
    const Dims& sizes = seen->tensor->layout.sizes;
    if (sizes.empty()) return python_error("TypeError", "0-dim memory has no length", Msg::np_scalar_has_no_length);
    return Value{sizes[0]};
  }
  if (is_flat(value)) return Value{*numel(std::get<Facet>(value.held).tensor->layout.sizes)};
  if (const auto* facet = std::get_if<Facet>(&value.held); facet && facet->name.ends_with("storage"))
    return Value{facet->tensor->storage_nbytes() / (facet->name == "storage" ? itemsize(facet->tensor->dtype) : 1)};
  const auto items = python_items(value);
  const auto* held = std::get_if<Sequence>(&value.held);
  if (const Walk* walk = walk_of(value)) return Value{static_cast<int64_t>(walk->operands.size())};
  if (!items || (held && is_iterator(held->kind)))
    return python_error("TypeError", {"object of type '", type_name(value), "' has no len()"}, Msg::not_iterable,
                        {type_name(value)});
  return Value{static_cast<int64_t>(items->size())};
}

template <Sequence::Kind kind>
Outcome sequence(const Values& arguments) {
  if (arguments.empty()) return list_of({}, kind);
  auto items = python_items(arguments[0]);
  if (!items) return not_iterable(arguments[0]);
  return list_of(std::move(*items), kind);
}

template <bool fixed>
Outcome set(const Values& arguments) {
  const Set* given = arguments.empty() ? nullptr : set_in(arguments[0]);
  if (fixed && given && given->fixed) return arguments[0];
  const Value made = set_of(fixed);
  auto problem = arguments.empty() ? std::nullopt : add_items(std::get<Set>(made.held), arguments[0]);
  return problem ? Outcome(*std::move(problem)) : Outcome(made);
}

Outcome hash(const Values& arguments) { return python_hash(arguments[0]); }

Outcome to_truth(const Values& arguments) { return arguments.empty() ? Outcome(Value{false}) : truth(arguments[0]); }

Outcome to_text(const Values& arguments) {
  if (arguments.empty()) return Value{std::string()};
  return text_or_limit(python_str(arguments[0]), "str", arguments[0]);
}

/// bytes(n) are so many zeros, of whole numbers one each.
Outcome to_bytes(const Values& arguments) {
  std::vector<Value> made;
  if (arguments.empty()) return list_of(std::move(made), Sequence::Kind::bytes);
  const Value& given = arguments[0];
  if (is_bytes(given)) return given;
  if (std::holds_alternative<std::string>(given.held))
    return python_error("TypeError", "string argument without an encoding", Msg::argument_has_type,
                        {"source", "bytes", "str"});
  if (tensor_of(given) || has_dtype(given))
    return limit(Msg::not_modelled, {"Python", "bytes(" + type_name(given) + ")"});
  if (const auto count = as_integer(given)) {
    if (*count < 0) return python_error("ValueError", "negative count", Msg::number_overflows, {*count, "bytes"});
    if (*count > max_listed) return limit(Msg::too_many_items, {max_listed});
    made.assign(static_cast<size_t>(*count), Value{int64_t{0}});
    return list_of(std::move(made), Sequence::Kind::bytes);
  }
  const auto items = python_items(given);
  if (!items)
    return python_error("TypeError", {"cannot convert '", attribute_type(given), "' object to bytes"},
                        Msg::not_iterable, {type_name(given)});
  for (const Value& item : *items) {
    const auto byte = as_integer(item);
    if (!byte)
      return python_error("TypeError", {"'", attribute_type(item), "' object cannot be interpreted as an integer"},
                          Msg::argument_has_type, {"source", "int", type_name(item)});
    if (*byte < 0 || *byte > 255)
      return python_error("ValueError", "bytes must be in range(0, 256)", Msg::number_overflows, {*byte, "uint8"});
    made.push_back({*byte});
  }
  return list_of(std::move(made), Sequence::Kind::bytes);
}

Outcome represented(const Values& arguments) { return text_or_limit(python_repr(arguments[0]), "repr", arguments[0]); }

Outcome formatted(const Values& arguments) {
  if (arguments.size() == 1) return python_format(arguments[0], "");
  if (const auto* spec = std::get_if<std::string>(&arguments[1].held)) return python_format(arguments[0], *spec);
  return python_error("TypeError", {"format() argument 2 must be str, not ", type_name(arguments[1])},
                      Msg::argument_has_type, {"format_spec", "str", type_name(arguments[1])});
}

/// bin, oct, hex: `spec` is the format that they stand for.
template <char base>
Outcome in_base(const Values& arguments) {
  const auto number = as_integer(arguments[0]);
  if (number && !std::holds_alternative<Float>(arguments[0].held))
    return python_format(Value{*number}, std::string("#") + base);
  return python_error("TypeError", {"'", attribute_type(arguments[0]), "' object cannot be interpreted as an integer"},
                      Msg::argument_has_type, {"number", "int", type_name(arguments[0])});
}

Outcome range(const Values& arguments) {
  int64_t bounds[3] = {0, 0, 1};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto number = as_index(arguments[i]);
    if (!number)
      return python_error("TypeError",
                          {"'", attribute_type(arguments[i]), "' object cannot be interpreted as an integer"},
                          Msg::argument_has_type, {"range", "int", type_name(arguments[i])});
    bounds[arguments.size() == 1 ? 1 : i] = *number;
  }
  if (bounds[2] == 0) return python_error("ValueError", "range() arg 3 must not be zero", Msg::slice_step_zero);
  Values items;
  for (std::optional<int64_t> next = bounds[0]; next && (bounds[2] > 0 ? *next < bounds[1] : *next > bounds[1]);
       next = checked_add(*next, bounds[2])) {
    if (items.size() == max_items) return limit(Msg::too_many_items, {static_cast<int64_t>(max_items)});
    items.push_back({*next});
  }
  return range_value(std::move(items), bounds[0], bounds[1], bounds[2]);
}

Outcome zip(const Values& arguments) {
  std::vector<Values> columns;
  size_t shortest = arguments.empty() ? 0 : max_items;
  for (const Value& argument : arguments) {
    auto items = python_items(argument);
    if (!items) return not_iterable(argument);
    shortest = std::min(shortest, items->size());
    columns.push_back(std::move(*items));
    if (columns.size() * shortest > max_gathered_items)
      return limit(Msg::too_many_nested, {static_cast<int64_t>(max_nested_items)});
  }
  Values rows;
  for (size_t i = 0; i < shortest; ++i) {
    Values row;
    for (const Values& column : columns) row.push_back(column[i]);
    rows.push_back(list_of(std::move(row), Sequence::Kind::tuple));
  }
  return list_of(std::move(rows), Sequence::Kind::zip);
}

Outcome enumerate(const Values& arguments) {
  const auto items = python_items(arguments[0]);
  if (!items) return not_iterable(arguments[0]);
  Values rows;
  const auto start = arguments.size() > 1 ? as_integer(arguments[1]) : 0;
  if (!start)
    return python_error("TypeError",
                        {"'", attribute_type(arguments[1]), "' object cannot be interpreted as an integer"},
                        Msg::argument_has_type, {"start", "int", type_name(arguments[1])});
  for (size_t i = 0; i < items->size(); ++i) {
    const auto place = checked_add(*start, static_cast<int64_t>(i));
    if (!place) return limit(Msg::beyond_int64);
    rows.push_back(list_of({Value{*place}, (*items)[i]}, Sequence::Kind::tuple));
  }
  return list_of(std::move(rows), Sequence::Kind::enumerate);
}

/// What an iterator over a dictionary, or over a view of it, is called: "dict_keyiterator".
std::string iterator_type(const Dictionary& dictionary, const char* way = "") {
  constexpr const char* views[] = {"key", "key", "value", "item"};
  if (dictionary.items->ordered) return "odict_iterator";
  return std::string("dict_") + way + views[static_cast<size_t>(dictionary.view)] + "iterator";
}

Outcome reversed(const Values& arguments) {
  if (has_special(arguments[0], "__reversed__") || has_special(arguments[0], "__getitem__"))
    return limit(Msg::not_modelled, {"Python", "reversed(" + type_name(arguments[0]) + ")"});
  auto items = python_items(arguments[0]);
  const auto* held = std::get_if<Sequence>(&arguments[0].held);
  if (!items || set_in(arguments[0]) || (held && is_iterator(held->kind)))
    return python_error("TypeError", {"'", attribute_type(arguments[0]), "' object is not reversible"},
                        Msg::not_iterable, {type_name(arguments[0])});
  std::reverse(items->begin(), items->end());
  const auto* dictionary = std::get_if<Dictionary>(&arguments[0].held);
  if (!dictionary) return list_of(std::move(*items), Sequence::Kind::reversed);
  return Value{Sequence{Sequence::Kind::iterator, std::make_shared<Values>(std::move(*items)),
                        std::make_shared<const std::string>(iterator_type(*dictionary, "reverse"))}};
}

template <bool stop_at>
Outcome any_all(const Values& arguments) {
  const auto items = python_items(arguments[0]);
  if (!items) return not_iterable(arguments[0]);
  for (const Value& item : *items) {
    Outcome holds = truth(item);
    if (holds.problem || std::get<bool>(holds.value.held) == stop_at) return holds;
  }
  return Value{!stop_at};
}

Outcome slice(const Values& arguments) {
  const auto part = [&](size_t i) {
    return i < arguments.size() ? std::make_shared<const Value>(arguments[i]) : nullptr;
  };
  return arguments.size() == 1 ? Value{SliceValue{nullptr, part(0), nullptr}}
                               : Value{SliceValue{part(0), part(1), part(2)}};
}

Outcome divmod(const Values& arguments) {
  const auto number = [](const Value& value) {
    return std::holds_alternative<bool>(value.held) || std::holds_alternative<int64_t>(value.held) ||
           std::holds_alternative<Float>(value.held);
  };
  const Value &a = arguments[0], &b = arguments[1];
  if (!number(a) || !number(b))
    return python_error("TypeError",
                        {"unsupported operand type(s) for divmod(): '", type_name(a), "' and '", type_name(b), "'"},
                        Msg::operands_do_not_fit, {"divmod", type_name(a), type_name(b)});
  const bool real = std::holds_alternative<Float>(a.held) || std::holds_alternative<Float>(b.held);
  if (real && *as_real(b) == 0) return python_error("ZeroDivisionError", "float divmod()", Msg::division_by_zero);
  Outcome quotient = python_binary("//", a, b);
  if (quotient.problem) return quotient;
  return list_of({quotient.value, python_binary("%", a, b).value}, Sequence::Kind::tuple);
}

/// iter(value): an iterator is its own.
Outcome iterator(const Values& arguments) {
  const Value& value = arguments[0];
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (sequence && is_iterator(sequence->kind)) return value;
  const auto items = python_items(value);
  if (!items) return not_iterable(value);
  const auto* dictionary = std::get_if<Dictionary>(&value.held);
  const std::string name =
      set_in(value) ? "set_iterator"
      : !dictionary
          ? sequence && sequence->kind == Sequence::Kind::size ? "tuple_iterator" : type_name(value) + "_iterator"
          : iterator_type(*dictionary);
  return Value{
      Sequence{Sequence::Kind::iterator, std::make_shared<Values>(*items), std::make_shared<const std::string>(name)}};
}

/// next(iterator): its first item, which it has no more then.
Outcome next(const Values& arguments) {
  const auto* sequence = std::get_if<Sequence>(&arguments[0].held);
  if (is_flat(arguments[0])) return limit(Msg::not_modelled, {"NumPy", "next(x.flat)"});  // how far it got is not kept
  if (is_broadcast(arguments[0])) return limit(Msg::not_modelled, {"NumPy", "next(np.broadcast(..))"});
  if (!sequence || !is_iterator(sequence->kind))
    return python_error("TypeError", {"'", attribute_type(arguments[0]), "' object is not an iterator"},
                        Msg::argument_has_type, {"next()", "iterator", type_name(arguments[0])});
  if (sequence->items->empty() && arguments.size() > 1) return arguments[1];
  if (sequence->items->empty()) {
    Diagnostic ended = python_error("StopIteration", "", Msg::iterator_ended);
    ended.raised->bare = true;
    return ended;
  }
  const Value first = sequence->items->front();
  use_up(arguments[0], 1);
  return first;
}

/// In alphabetical order; those without a function apply operators, so the interpreter runs them (iteration.cpp).
constexpr Builtin builtins[] = {
    {"abs", absolute, 1, 1},
    {"all", any_all<false>, 1, 1},
    {"any", any_all<true>, 1, 1},
    {"bin", in_base<'b'>, 1, 1},
    {"bool", to_truth, 0, 1},
    {"bytes", to_bytes, 0, 1},
    {"callable", python_callable, 1, 1},
    {"chr", character, 1, 1},
    {"complex", to_complex, 0, 2},
    {"copy.copy", nullptr, 1, 1},
    {"copy.deepcopy", nullptr, 1, 1},
    {"dataclasses.dataclass", nullptr, 1, 1},
    {"dataclasses.field", nullptr, 0, 0},
    {"dict", nullptr, 0, 1},
    {"divmod", divmod, 2, 2},
    {"enumerate", enumerate, 1, 2, "start"},
    {"filter", nullptr, 2, 2},
    {"float", to_real, 0, 1},
    {"format", formatted, 1, 2},
    {"frozenset", set<true>, 0, 1},
    {"getattr", nullptr, 2, 3},
    {"hasattr", nullptr, 2, 2},
    {"hash", hash, 1, 1},
    {"hex", in_base<'x'>, 1, 1},
    {"id", python_id, 1, 1},
    {"int", to_integer, 0, 2, "base"},
    {"isinstance", python_isinstance, 2, 2},
    {"iter", iterator, 1, 1},
    {"len", len, 1, 1},
    {"list", sequence<Sequence::Kind::list>, 0, 1},
    {"map", nullptr, 2, max_items},
    {"max", nullptr, 1, max_items},
    {"memoryview", python_memoryview, 1, 1},
    {"min", nullptr, 1, max_items},
    {"next", next, 1, 2},
    {"oct", in_base<'o'>, 1, 1},
    {"ord", code_of, 1, 1},
    {"pow", nullptr, 2, 3, "", "base exp mod"},
    {"print", nullptr, 0, max_items},
    {"range", range, 1, 3},
    {"repr", represented, 1, 1},
    {"reversed", reversed, 1, 1},
    {"round", python_round, 1, 2, "ndigits"},
    {"set", set<false>, 0, 1},
    {"setattr", nullptr, 3, 3},
    {"slice", slice, 1, 3},
    {"sorted", nullptr, 1, 1, "reverse"},
    {"str", to_text, 0, 1},
    {"sum", nullptr, 1, 2, "start"},
    {"sys.getsizeof", python_getsizeof, 1, 1},
    {"tuple", sequence<Sequence::Kind::tuple>, 0, 1},
    {"type", python_type, 1, 1},
    {"zip", zip, 0, max_items},
};

}  // namespace

static std::array<std::span<const Builtin>, 3> all_builtins() {
  return {builtins, math_functions(), standard_functions()};
}

bool is_module_of_python(std::string_view path) { return !names_in_module(path).empty(); }

std::vector<std::string_view> names_in_module(std::string_view path) {
  std::vector<std::string_view> names = classes_of_python(path);
  for (const auto& table : all_builtins())
    for (const Builtin& one : table)
      if (one.name.size() > path.size() && one.name.starts_with(path) && one.name[path.size()] == '.')
        names.push_back(one.name.substr(path.size() + 1));
  return names;
}

std::string_view next_word(const Builtin& function, size_t given) {
  std::string_view words = function.words;
  for (size_t k = 0; k < given && !words.empty(); ++k)
    words.remove_prefix(std::min(words.find(' '), words.size() - 1) + 1);
  return words.substr(0, words.find(' '));
}

std::optional<Diagnostic> wrong_count(const Builtin& function, size_t given) {
  if (given >= function.least && given <= function.most) return std::nullopt;
  const auto count = static_cast<int64_t>(given);
  const Message reason(Msg::builtin_argument_count, {function.name, count});
  // CPython's functions of one argument count in words of their own.
  for (const std::string_view name :
       {"abs", "all", "any", "bin", "chr", "hash", "hex", "id", "len", "oct", "ord", "repr"})
    if (function.name == name)
      return python_error("TypeError", {name, "() takes exactly one argument (", count, " given)"}, reason);
  const bool few = given < function.least;
  const auto bound = static_cast<int64_t>(few ? function.least : function.most);
  if (function.name == "sum")
    return python_error("TypeError",
                        few ? Slots{"sum() takes at least 1 positional argument (0 given)"}
                            : Slots{"sum() takes at most 2 arguments (", count, " given)"},
                        reason);
  if (function.name == "pow")
    return python_error(
        "TypeError",
        few ? Slots{"pow() missing required argument '", given == 0 ? "base" : "exp", "' (pos ", count + 1, ")"}
            : Slots{"pow() takes at most 3 arguments (", count, " given)"},
        reason);
  if (function.name == "map") return python_error("TypeError", "map() must have at least two arguments.", reason);
  const std::string_view kind = function.least == function.most ? "" : few ? "at least " : "at most ";
  return python_error(
      "TypeError",
      {function.name, " expected ", kind, bound, bound == 1 ? " argument, got " : " arguments, got ", count}, reason);
}

const Builtin* find_builtin(std::string_view name) {
  for (const auto& table : all_builtins()) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const Builtin& one) { return one.name == name; });
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

std::vector<std::string_view> builtin_names() {
  std::vector<std::string_view> names = classes_of_python("builtins");
  for (const Builtin& one : builtins)
    if (one.name.find('.') == one.name.npos) names.push_back(one.name);
  return names;
}

}  // namespace stridescope
