// Python's built-in functions that course code uses.
#include <algorithm>
#include <cmath>
#include <complex>

#include "ops/call.h"
#include "ops/number.h"
#include "ops/python.h"

namespace stridescope {
namespace {

using Values = std::vector<Value>;

Diagnostic not_iterable(const Value& value) { return python_error("TypeError", {"'", type_name(value), "' object is not iterable"}, Msg::not_iterable, {type_name(value)}); }

Diagnostic wrong_count(std::string_view name, size_t got) {
  return python_error("TypeError", {name, "() got ", got, " arguments"}, Msg::builtin_argument_count, {name, static_cast<int64_t>(got)});
}

Outcome len(const Values& arguments) {
  if (arguments.size() != 1) return wrong_count("len", arguments.size());
  const Value& value = arguments[0];
  if (const TensorPtr tensor = tensor_of(value)) {
    if (tensor->layout.rank() > 0) return Value{tensor->layout.sizes[0]};
    return python_error("TypeError", tensor->library == Library::torch ? "len() of a 0-d tensor" : "len() of unsized object", Msg::scalar_has_no_length);
  }
  if (const auto* facet = std::get_if<Facet>(&value.held); facet && facet->name.ends_with("storage"))
    return Value{facet->tensor->storage_nbytes() / (facet->name == "storage" ? itemsize(facet->tensor->dtype) : 1)};
  const auto items = python_items(value);
  if (!items) return python_error("TypeError", {"object of type '", type_name(value), "' has no len()"}, Msg::not_iterable, {type_name(value)});
  return Value{static_cast<int64_t>(items->size())};
}

template <Sequence::Kind kind>
Outcome sequence(const Values& arguments) {
  if (arguments.empty()) return list_of({}, kind);
  if (arguments.size() != 1) return wrong_count(kind == Sequence::Kind::list ? "list" : "tuple", arguments.size());
  auto items = python_items(arguments[0]);
  if (!items) return not_iterable(arguments[0]);
  return list_of(std::move(*items), kind);
}

/// int(tensor) and float(tensor) are for one element.
std::optional<Diagnostic> not_one_element(const Values& arguments) {
  const TensorPtr tensor = tensor_of(arguments[0]);
  if (!tensor || numel(tensor->layout.sizes) == 1) return std::nullopt;
  const bool torch = tensor->library == Library::torch;
  return python_error(torch ? "ValueError" : "TypeError", torch ? "only one element tensors can be converted to Python scalars" : "only length-1 arrays can be converted to Python scalars",
                      Msg::item_needs_one, {numel(tensor->layout.sizes).value_or(-1)});
}

Outcome to_integer(const Values& arguments) {
  if (arguments.empty()) return Value{int64_t{0}};
  if (auto problem = not_one_element(arguments)) return std::move(*problem);
  if (const auto* real = std::get_if<double>(&arguments[0].held)) {
    if (!(std::abs(*real) < 9.2e18)) return limit(Msg::beyond_int64);
    return Value{static_cast<int64_t>(*real)};
  }
  if (const auto number = as_integer(arguments[0])) return Value{*number};
  if (const auto number = as_real(arguments[0]); number && std::abs(*number) < 9.2e18) return Value{static_cast<int64_t>(*number)};
  return python_error("TypeError", {"int() argument must be a string, a bytes-like object or a real number, not '", type_name(arguments[0]), "'"}, Msg::argument_has_type,
                      {"x", "int", type_name(arguments[0])});
}

Outcome to_real(const Values& arguments) {
  if (arguments.empty()) return Value{0.0};
  if (auto problem = not_one_element(arguments)) return std::move(*problem);
  if (const auto number = as_real(arguments[0])) return Value{*number};
  if (const auto* text = std::get_if<std::string>(&arguments[0].held)) {
    if (*text == "inf") return Value{INFINITY};
    if (*text == "-inf") return Value{-INFINITY};
    if (*text == "nan") return Value{std::nan("")};
  }
  return python_error("TypeError", {"float() argument must be a string or a real number, not '", type_name(arguments[0]), "'"}, Msg::argument_has_type,
                      {"x", "float", type_name(arguments[0])});
}

Outcome to_truth(const Values& arguments) { return arguments.empty() ? Outcome(Value{false}) : truth(arguments[0]); }

Outcome to_text(const Values& arguments) {
  if (arguments.empty()) return Value{std::string()};
  if (const auto* text = std::get_if<std::string>(&arguments[0].held)) return Value{*text};
  return Value{to_string(arguments[0])};
}

/// sum, and max and min by keeping the better of two.
Outcome sum(const Values& arguments) {
  if (arguments.empty() || arguments.size() > 2) return wrong_count("sum", arguments.size());
  const auto items = python_items(arguments[0]);
  if (!items) return not_iterable(arguments[0]);
  Value total = arguments.size() > 1 ? arguments[1] : Value{int64_t{0}};
  for (const Value& item : *items) {
    Outcome next = python_binary("+", total, item);
    if (next.problem) return next;
    total = std::move(next.value);
  }
  return total;
}

Outcome extreme(const Values& arguments, std::string_view name, std::string_view better) {
  const auto items = arguments.size() == 1 ? python_items(arguments[0]) : std::optional(arguments);
  if (!items) return not_iterable(arguments[0]);
  if (items->empty()) return python_error("ValueError", {name, "() iterable argument is empty"}, Msg::builtin_argument_count, {name, 0});
  Value best = items->front();
  for (const Value& item : *items) {
    const Outcome wins = python_order(better, item, best);
    if (wins.problem) return wins;
    if (std::get<bool>(wins.value.held)) best = item;
  }
  return best;
}

/// complex(a, b)
Outcome to_complex(const Values& arguments) {
  if (arguments.size() > 2) return wrong_count("complex", arguments.size());
  std::complex<double> parts[2] = {};
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (auto problem = not_one_element({arguments[i]})) return std::move(*problem);
    const Value own = arguments[i];
    if (const auto* number = std::get_if<std::complex<double>>(&own.held)) parts[i] = *number;
    else if (const auto real = as_real(own)) parts[i] = *real;
    else
      return python_error("TypeError", "complex() first argument must be a string or a number, not '" + type_name(own) + "'", Msg::argument_has_type, {"x", "complex", type_name(own)});
  }
  return Value{parts[0] + std::complex<double>(0, 1) * parts[1]};
}

Outcome absolute(const Values& arguments) {
  if (arguments.size() != 1) return wrong_count("abs", arguments.size());
  if (const auto* number = std::get_if<std::complex<double>>(&arguments[0].held)) return Value{std::abs(*number)};
  const Outcome negative = python_order("<", arguments[0], Value{int64_t{0}});
  if (negative.problem) return negative;
  return std::get<bool>(negative.value.held) ? python_unary("-", arguments[0]) : Outcome(arguments[0]);
}

Outcome range(const Values& arguments) {
  int64_t bounds[3] = {0, 0, 1};
  if (arguments.empty() || arguments.size() > 3) return wrong_count("range", arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto number = as_integer(arguments[i]);
    if (!number || std::holds_alternative<double>(arguments[i].held))
      return python_error("TypeError", {"'", type_name(arguments[i]), "' object cannot be interpreted as an integer"}, Msg::argument_has_type, {"range", "int", type_name(arguments[i])});
    bounds[arguments.size() == 1 ? 1 : i] = *number;
  }
  if (bounds[2] == 0) return python_error("ValueError", "range() arg 3 must not be zero", Msg::slice_step_zero);
  Values items;
  for (std::optional<int64_t> next = bounds[0]; next && (bounds[2] > 0 ? *next < bounds[1] : *next > bounds[1]); next = checked_add(*next, bounds[2])) {
    if (items.size() == max_items) return limit(Msg::too_many_items, {static_cast<int64_t>(max_items)});
    items.push_back({*next});
  }
  return list_of(std::move(items));
}

Outcome zip(const Values& arguments) {
  std::vector<Values> columns;
  size_t shortest = arguments.empty() ? 0 : max_items;
  for (const Value& argument : arguments) {
    auto items = python_items(argument);
    if (!items) return not_iterable(argument);
    shortest = std::min(shortest, items->size());
    columns.push_back(std::move(*items));
  }
  Values rows;
  for (size_t i = 0; i < shortest; ++i) {
    Values row;
    for (const Values& column : columns) row.push_back(column[i]);
    rows.push_back(list_of(std::move(row), Sequence::Kind::tuple));
  }
  return list_of(std::move(rows));
}

Outcome enumerate(const Values& arguments) {
  if (arguments.empty()) return wrong_count("enumerate", 0);
  const auto items = python_items(arguments[0]);
  if (!items) return not_iterable(arguments[0]);
  Values rows;
  for (size_t i = 0; i < items->size(); ++i) rows.push_back(list_of({Value{static_cast<int64_t>(i)}, (*items)[i]}, Sequence::Kind::tuple));
  return list_of(std::move(rows));
}

Outcome reversed(const Values& arguments) {
  if (arguments.size() != 1) return wrong_count("reversed", arguments.size());
  auto items = python_items(arguments[0]);
  if (!items) return not_iterable(arguments[0]);
  std::reverse(items->begin(), items->end());
  return list_of(std::move(*items));
}

Outcome sorted(const Values& arguments) {
  if (arguments.size() != 1) return wrong_count("sorted", arguments.size());
  auto items = python_items(arguments[0]);
  if (!items) return not_iterable(arguments[0]);
  std::optional<Outcome> problem;
  std::stable_sort(items->begin(), items->end(), [&](const Value& a, const Value& b) {
    Outcome before = python_order("<", a, b);
    if (!before.problem) return std::get<bool>(before.value.held);
    problem = std::move(before);
    return false;
  });
  return problem ? *problem : Outcome(list_of(std::move(*items)));
}

template <bool stop_at>
Outcome any_all(const Values& arguments) {
  if (arguments.size() != 1) return wrong_count(stop_at ? "any" : "all", arguments.size());
  const auto items = python_items(arguments[0]);
  if (!items) return not_iterable(arguments[0]);
  for (const Value& item : *items) {
    Outcome holds = truth(item);
    if (holds.problem || std::get<bool>(holds.value.held) == stop_at) return holds;
  }
  return Value{!stop_at};
}

/// Objects are numbered; CPython's addresses are as arbitrary, but equal for one object and different for two.
Outcome id(const Values& arguments) {
  if (arguments.size() != 1) return wrong_count("id", arguments.size());
  const auto* object = std::get_if<TensorRef>(&arguments[0].held);
  return Value{object ? 0x7f0000000000 + 0x50 * int64_t{(*object)->id} : int64_t{0x7e0000000000} + static_cast<int64_t>(arguments[0].held.index()) * 0x20};
}

Outcome type(const Values& arguments) {
  if (arguments.size() != 1) return wrong_count("type", arguments.size());
  const bool torch = std::holds_alternative<TensorRef>(arguments[0].held) && tensor_of(arguments[0])->library == Library::torch;
  if (torch) return Value{Symbol{"torch.Tensor", nullptr}};
  if (tensor_of(arguments[0])) return Value{Symbol{"numpy.ndarray", nullptr}};
  const bool scalar = std::holds_alternative<NumpyScalar>(arguments[0].held);
  return Value{Symbol{(scalar ? "class.numpy." : "class.") + type_name(arguments[0]), nullptr}};
}

/// Whether a NumPy scalar of that dtype is an instance of a class: numpy.int64, or numpy.integer, which has many.
bool is_kind(DType dtype, std::string_view path) {
  const bool whole = is_integer(dtype), natural = is_unsigned(dtype);
  if (path == "numpy.generic") return true;
  if (path == "numpy.number") return dtype != DType::boolean;
  if (path == "numpy.integer") return whole;
  if (path == "numpy.signedinteger") return whole && !natural;
  if (path == "numpy.unsignedinteger") return whole && natural;
  if (path == "numpy.floating") return is_floating(dtype);
  if (path == "numpy.complexfloating") return is_complex(dtype);
  if (path == "numpy.inexact") return is_floating(dtype) || is_complex(dtype);
  return as_dtype({Symbol{std::string(path), nullptr}}) == dtype;
}

/// Of one type: torch.Tensor, np.ndarray, or one of Python's own.
Outcome isinstance(const Values& arguments) {
  if (arguments.size() != 2) return wrong_count("isinstance", arguments.size());
  const auto* type = std::get_if<Symbol>(&arguments[1].held);
  if (!type || type->self) return python_error("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union", Msg::not_iterable, {to_string(arguments[1])});
  const std::string own = type_name(arguments[0]);
  if (type->path == "torch.Tensor" || type->path == "numpy.ndarray") return Value{type->path.ends_with("." + own)};
  if (type->path.starts_with("numpy.")) {
    const auto* scalar = std::get_if<NumpyScalar>(&arguments[0].held);
    return Value{scalar && is_kind(scalar->value.dtype, type->path)};
  }
  return Value{type->path == own || (type->path == "int" && own == "bool")};
}

Outcome slice(const Values& arguments) {
  if (arguments.empty() || arguments.size() > 3) return wrong_count("slice", arguments.size());
  const auto part = [&](size_t i) { return i < arguments.size() ? std::make_shared<const Value>(arguments[i]) : nullptr; };
  return arguments.size() == 1 ? Value{SliceValue{nullptr, part(0), nullptr}} : Value{SliceValue{part(0), part(1), part(2)}};
}

Outcome print(const Values&) { return Value{}; }

struct Entry {
  std::string_view name;
  Builtin function;
};

constexpr Entry entries[] = {
    {"abs", absolute}, {"all", any_all<false>}, {"any", any_all<true>}, {"bool", to_truth}, {"complex", to_complex}, {"enumerate", enumerate}, {"float", to_real}, {"id", id},
    {"int", to_integer}, {"isinstance", isinstance}, {"len", len}, {"list", sequence<Sequence::Kind::list>},
    {"max", [](const Values& arguments) { return extreme(arguments, "max", ">"); }}, {"min", [](const Values& arguments) { return extreme(arguments, "min", "<"); }},
    {"print", print}, {"range", range}, {"reversed", reversed}, {"slice", slice}, {"sorted", sorted}, {"str", to_text}, {"sum", sum},
    {"tuple", sequence<Sequence::Kind::tuple>}, {"type", type}, {"zip", zip},
};

}  // namespace

Builtin find_builtin(std::string_view name) {
  const auto* entry = std::find_if(std::begin(entries), std::end(entries), [&](const Entry& e) { return e.name == name; });
  return entry == std::end(entries) ? nullptr : entry->function;
}

std::vector<std::string_view> builtin_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

}  // namespace stridescope
