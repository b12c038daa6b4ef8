// Python's built-in functions that course code uses.
#include <algorithm>
#include <cmath>
#include <complex>

#include "lang/number.h"
#include "layout/checked.h"
#include "ops/call.h"
#include "ops/number.h"
#include "ops/python.h"

namespace stridescope {
namespace {

using Values = std::vector<Value>;

Diagnostic not_iterable(const Value& value) {
  return python_error("TypeError", {"'", type_name(value), "' object is not iterable"}, Msg::not_iterable,
                      {type_name(value)});
}

Outcome len(const Values& arguments) {
  const Value& value = arguments[0];
  if (const TensorPtr tensor = tensor_of(value)) {
    if (tensor->layout.rank() > 0) return Value{tensor->layout.sizes[0]};
    return python_error("TypeError",
                        tensor->library == Library::torch ? "len() of a 0-d tensor" : "len() of unsized object",
                        Msg::scalar_has_no_length);
  }
  if (const auto* facet = std::get_if<Facet>(&value.held); facet && facet->name.ends_with("storage"))
    return Value{facet->tensor->storage_nbytes() / (facet->name == "storage" ? itemsize(facet->tensor->dtype) : 1)};
  const auto items = python_items(value);
  if (!items)
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

/// int(tensor) and float(tensor) are for one element.
std::optional<Diagnostic> not_one_element(const Values& arguments) {
  const TensorPtr tensor = tensor_of(arguments[0]);
  if (!tensor || numel(tensor->layout.sizes) == 1) return std::nullopt;
  const bool torch = tensor->library == Library::torch;
  return python_error(torch ? "ValueError" : "TypeError",
                      torch ? "only one element tensors can be converted to Python scalars"
                            : "only length-1 arrays can be converted to Python scalars",
                      Msg::item_needs_one, {numel(tensor->layout.sizes).value_or(-1)});
}

/// A number as text, with a sign and blanks around it: "7", " -2.5 ", "1e3", "inf", "nan".
std::optional<double> read_number(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const double sign = text.starts_with('-') ? -1 : 1;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const auto size = text == "inf"   ? std::optional(double{INFINITY})
                    : text == "nan" ? std::optional(std::nan(""))
                                    : parse_real(text);
  return size ? std::optional(sign * *size) : std::nullopt;
}

/// A complex element is no real number, as its library says it; PyTorch asks whether it has an imaginary part.  @pre a
/// tensor has one element
std::optional<Diagnostic> not_real(const Value& value, std::string_view function, std::string_view torch_type) {
  const TensorPtr tensor = tensor_of(value);
  if (!tensor || !is_complex(tensor->dtype)) return std::nullopt;
  if (tensor->library == Library::torch && element(elements_of(*tensor), 0).imaginary == 0) return std::nullopt;
  const Message reason(Msg::argument_has_type, {"x", function, "complex"});
  if (tensor->library == Library::torch)
    return python_error("RuntimeError", {"value cannot be converted to type ", torch_type, " without overflow"},
                        reason);
  if (function == "float") return std::nullopt;  // NumPy gives the real part
  return python_error("TypeError",
                      "int() argument must be a string, a bytes-like object or a real number, not 'complex'", reason);
}

Outcome to_integer(const Values& arguments) {
  if (arguments.empty()) return Value{int64_t{0}};
  if (auto problem = not_one_element(arguments)) return std::move(*problem);
  if (const auto* real = std::get_if<double>(&arguments[0].held)) {
    if (!(std::abs(*real) < 9.2e18)) return limit(Msg::beyond_int64);
    return Value{static_cast<int64_t>(*real)};
  }
  if (const std::string* text = std::get_if<std::string>(&arguments[0].held)) {
    const auto number = read_number(*text);
    if (!number || text->find_first_of(".eEin") != std::string::npos)
      return python_error("ValueError", {"invalid literal for int() with base 10: '", *text, "'"},
                          Msg::argument_has_type, {"x", "int", "str"});
    if (!(std::abs(*number) < 9007199254740992.0)) return limit(Msg::beyond_int64);
    return Value{static_cast<int64_t>(*number)};
  }
  if (auto problem = not_real(arguments[0], "int", "int64_t")) return std::move(*problem);
  if (const auto number = as_integer(arguments[0])) return Value{*number};
  if (const auto number = as_real(arguments[0]); number && std::abs(*number) < 9.2e18)
    return Value{static_cast<int64_t>(*number)};
  return python_error(
      "TypeError",
      {"int() argument must be a string, a bytes-like object or a real number, not '", type_name(arguments[0]), "'"},
      Msg::argument_has_type, {"x", "int", type_name(arguments[0])});
}

Outcome to_real(const Values& arguments) {
  if (arguments.empty()) return Value{0.0};
  if (auto problem = not_one_element(arguments)) return std::move(*problem);
  if (auto problem = not_real(arguments[0], "float", "double")) return std::move(*problem);
  if (const auto number = as_real(arguments[0])) return Value{*number};
  if (const auto* text = std::get_if<std::string>(&arguments[0].held)) {
    if (const auto number = read_number(*text)) return Value{*number};
    return python_error("ValueError", {"could not convert string to float: '", *text, "'"}, Msg::argument_has_type,
                        {"x", "float", "str"});
  }
  return python_error("TypeError",
                      {"float() argument must be a string or a real number, not '", type_name(arguments[0]), "'"},
                      Msg::argument_has_type, {"x", "float", type_name(arguments[0])});
}

Outcome to_truth(const Values& arguments) { return arguments.empty() ? Outcome(Value{false}) : truth(arguments[0]); }

Outcome to_text(const Values& arguments) {
  if (arguments.empty()) return Value{std::string()};
  if (const auto* text = std::get_if<std::string>(&arguments[0].held)) return Value{*text};
  return Value{to_string(arguments[0])};
}

/// The element of a tensor or NumPy scalar where it is complex, as Python's number; any other value as it is.
Value one_number(const Value& value) {
  const TensorPtr tensor = tensor_of(value);
  const auto* scalar = std::get_if<NumpyScalar>(&value.held);
  if (!(tensor && is_complex(tensor->dtype)) && !(scalar && is_complex(scalar->value.dtype))) return value;
  const Scalar one = tensor ? element(elements_of(*tensor), 0) : scalar->value;
  return Value{std::complex<double>(one.real, one.imaginary)};
}

/// complex(a, b)
Outcome to_complex(const Values& arguments) {
  std::complex<double> parts[2] = {};
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (auto problem = not_one_element({arguments[i]})) return std::move(*problem);
    const Value own = one_number(arguments[i]);
    if (const auto* number = std::get_if<std::complex<double>>(&own.held))
      parts[i] = *number;
    else if (const auto real = as_real(own))
      parts[i] = *real;
    else
      return python_error("TypeError",
                          "complex() first argument must be a string or a number, not '" + type_name(own) + "'",
                          Msg::argument_has_type, {"x", "complex", type_name(own)});
  }
  return Value{parts[0] + std::complex<double>(0, 1) * parts[1]};
}

Outcome absolute(const Values& arguments) {
  if (const auto* number = std::get_if<std::complex<double>>(&arguments[0].held)) return Value{std::abs(*number)};
  if (!std::holds_alternative<double>(arguments[0].held) && !std::holds_alternative<int64_t>(arguments[0].held) &&
      !std::holds_alternative<bool>(arguments[0].held))
    return python_error("TypeError", {"bad operand type for abs(): '", type_name(arguments[0]), "'"},
                        Msg::operand_does_not_fit, {"abs", type_name(arguments[0])});
  return python_unary(*as_real(arguments[0]) < 0 ? "-" : "+", arguments[0]);
}

/// The multiple of 10^-digits that is nearest to x, of two the even one.  @pre digits <= 22, x finite
double nearest_decimal(double x, int digits) {
  const double scale = std::pow(10.0, std::abs(digits));
  if (digits < 0) return std::nearbyint(x / scale) * scale;
  const double scaled = x * scale, lost = std::fma(x, scale, -scaled);
  double whole = std::nearbyint(scaled);
  const double beyond = scaled - whole + lost;  // what rounding the product has hidden decides next to a tie
  if (beyond > 0.5) whole += 1;
  if (beyond < -0.5) whole -= 1;
  return std::isfinite(scaled) ? whole / scale : x;
}

/// round(x) is an integer; round(x, digits) keeps the type.
Outcome rounded(const Values& arguments) {
  const Value& x = arguments[0];
  const bool digits = arguments.size() > 1 && !std::holds_alternative<None>(arguments[1].held);
  const auto* scalar = std::get_if<NumpyScalar>(&x.held);
  const bool real = std::holds_alternative<double>(x.held),
             whole = std::holds_alternative<int64_t>(x.held) || std::holds_alternative<bool>(x.held);
  if (!real && !whole && !(scalar && scalar->value.dtype != DType::boolean && !is_complex(scalar->value.dtype))) {
    const TensorPtr tensor = tensor_of(x);
    const bool numpy = scalar || (tensor && tensor->library == Library::numpy);
    const std::string type = (numpy ? "numpy." : "") + type_name(x);
    return python_error("TypeError", {"type ", type, " doesn't define __round__ method"}, Msg::operand_does_not_fit,
                        {"round", type});
  }
  const auto places = digits ? as_integer(arguments[1]) : 0;
  if (!places)
    return python_error("TypeError", {"'", type_name(arguments[1]), "' object cannot be interpreted as an integer"},
                        Msg::argument_has_type, {"ndigits", "int", type_name(arguments[1])});
  if (const auto number = as_integer(x); number && (whole || (scalar && !digits))) {
    if (*places >= 0) return Value{*number};
    const auto scale = *places < -18 ? std::nullopt : std::optional(static_cast<int64_t>(std::pow(10.0, -*places)));
    if (!scale) return Value{int64_t{0}};
    const int64_t rest = (*number % *scale + *scale) % *scale, low = *number - rest, half = *scale / 2;
    const bool up = rest > half || (rest == half && low / *scale % 2 != 0);
    return Value{up ? low + *scale : low};
  }
  const double number = *as_real(x);
  if (!digits && number != number)
    return python_error("ValueError", "cannot convert float NaN to integer", Msg::beyond_int64);
  if (!digits && std::isinf(number))
    return python_error("OverflowError", "cannot convert float infinity to integer", Msg::beyond_int64);
  if (!digits && !(std::abs(number) < 9.2e18)) return limit(Msg::beyond_int64);
  if (!digits) return Value{static_cast<int64_t>(std::nearbyint(number))};
  const double result = !std::isfinite(number) || *places > 22 ? number
                        : *places < -308                       ? 0.0
                                                               : nearest_decimal(number, static_cast<int>(*places));
  return scalar ? Value{NumpyScalar{converted(real_scalar(result, DType::float64), scalar->value.dtype)}}
                : Value{result};
}

Outcome range(const Values& arguments) {
  int64_t bounds[3] = {0, 0, 1};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto number = as_integer(arguments[i]);
    if (!number || std::holds_alternative<double>(arguments[i].held))
      return python_error("TypeError", {"'", type_name(arguments[i]), "' object cannot be interpreted as an integer"},
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
  const auto items = python_items(arguments[0]);
  if (!items) return not_iterable(arguments[0]);
  Values rows;
  const auto start = arguments.size() > 1 ? as_integer(arguments[1]) : 0;
  if (!start)
    return python_error("TypeError", {"'", type_name(arguments[1]), "' object cannot be interpreted as an integer"},
                        Msg::argument_has_type, {"start", "int", type_name(arguments[1])});
  for (size_t i = 0; i < items->size(); ++i) {
    const auto place = checked_add(*start, static_cast<int64_t>(i));
    if (!place) return limit(Msg::beyond_int64);
    rows.push_back(list_of({Value{*place}, (*items)[i]}, Sequence::Kind::tuple));
  }
  return list_of(std::move(rows));
}

Outcome reversed(const Values& arguments) {
  auto items = python_items(arguments[0]);
  if (!items)
    return python_error("TypeError", {"'", type_name(arguments[0]), "' object is not reversible"}, Msg::not_iterable,
                        {type_name(arguments[0])});
  std::reverse(items->begin(), items->end());
  return list_of(std::move(*items));
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

/// Objects are numbered; CPython's addresses are as arbitrary, but equal for one object and different for two.
Outcome id(const Values& arguments) {
  const auto* object = std::get_if<TensorRef>(&arguments[0].held);
  return Value{object ? 0x7f0000000000 + 0x50 * int64_t{(*object)->id}
                      : int64_t{0x7e0000000000} + static_cast<int64_t>(arguments[0].held.index()) * 0x20};
}

/// A type is the name that programs write for it; a NumPy scalar's, and one without a name, is a class that is no
/// dtype.
Outcome type(const Values& arguments) {
  const std::string own = type_name(arguments[0]);
  const bool scalar = std::holds_alternative<NumpyScalar>(arguments[0].held), torch = own == "Tensor" || own == "Size";
  const std::string module = scalar             ? "class.numpy."
                             : own == "ndarray" ? "numpy."
                             : torch            ? "torch."
                                                : std::string(find_builtin(own) ? "" : "class.");
  return Value{Symbol{module + own, nullptr}};
}

/// Whether a NumPy scalar of that dtype is an instance of a class of many: numpy.integer, numpy.floating.
bool is_kind(DType dtype, std::string_view path) {
  const bool whole = is_integer(dtype), natural = is_unsigned(dtype);
  if (path == "numpy.generic") return true;
  if (path == "numpy.number") return dtype != DType::boolean;
  if (path == "numpy.integer") return whole;
  if (path == "numpy.signedinteger") return whole && !natural;
  if (path == "numpy.unsignedinteger") return whole && natural;
  if (path == "numpy.floating") return is_floating(dtype);
  if (path == "numpy.complexfloating") return is_complex(dtype);
  return path == "numpy.inexact" && (is_floating(dtype) || is_complex(dtype));
}

Outcome isinstance(const Values& arguments) {
  if (const auto* several = std::get_if<Sequence>(&arguments[1].held);
      several && several->kind != Sequence::Kind::list) {
    for (const Value& type : *several->items) {
      Outcome one = isinstance({arguments[0], type});
      if (one.problem || std::get<bool>(one.value.held)) return one;
    }
    return Value{false};
  }
  const auto* type_of = std::get_if<Symbol>(&arguments[1].held);
  if (!type_of || type_of->self)
    return python_error("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union",
                        Msg::argument_has_type, {"classinfo", "type", type_name(arguments[1])});
  std::string own = std::get<Symbol>(type({arguments[0]}).value.held).path;
  if (own.starts_with("class.")) own.erase(0, 6);
  const auto is_also = [&](std::string_view derived, std::string_view base) {
    return own == derived && type_of->path == base;
  };
  const auto* scalar = std::get_if<NumpyScalar>(&arguments[0].held);
  return Value{(scalar && is_kind(scalar->value.dtype, type_of->path)) || own == type_of->path ||
               is_also("bool", "int") || is_also("torch.Size", "tuple") || is_also("numpy.float64", "float") ||
               is_also("numpy.complex128", "complex")};
}

Outcome slice(const Values& arguments) {
  const auto part = [&](size_t i) {
    return i < arguments.size() ? std::make_shared<const Value>(arguments[i]) : nullptr;
  };
  return arguments.size() == 1 ? Value{SliceValue{nullptr, part(0), nullptr}}
                               : Value{SliceValue{part(0), part(1), part(2)}};
}

Outcome print(const Values&) { return Value{}; }

/// In alphabetical order; those without a function apply operators, so the interpreter runs them (iteration.cpp).
constexpr Builtin builtins[] = {
    {"abs", absolute, 1, 1},
    {"all", any_all<false>, 1, 1},
    {"any", any_all<true>, 1, 1},
    {"bool", to_truth, 0, 1},
    {"complex", to_complex, 0, 2},
    {"enumerate", enumerate, 1, 2, "start"},
    {"float", to_real, 0, 1},
    {"id", id, 1, 1},
    {"int", to_integer, 0, 1},
    {"isinstance", isinstance, 2, 2},
    {"len", len, 1, 1},
    {"list", sequence<Sequence::Kind::list>, 0, 1},
    {"max", nullptr, 1, max_items},
    {"min", nullptr, 1, max_items},
    {"print", print, 0, max_items},
    {"range", range, 1, 3},
    {"reversed", reversed, 1, 1},
    {"round", rounded, 1, 2, "ndigits"},
    {"slice", slice, 1, 3},
    {"sorted", nullptr, 1, 1, "reverse"},
    {"str", to_text, 0, 1},
    {"sum", nullptr, 1, 2, "start"},
    {"tuple", sequence<Sequence::Kind::tuple>, 0, 1},
    {"type", type, 1, 1},
    {"zip", zip, 0, max_items},
};

}  // namespace

std::optional<Diagnostic> wrong_count(const Builtin& function, size_t given) {
  if (given >= function.least && given <= function.most) return std::nullopt;
  const auto count = static_cast<int64_t>(given);
  const Message reason(Msg::builtin_argument_count, {function.name, count});
  // CPython's functions of one argument count in words of their own.
  for (const std::string_view name : {"abs", "all", "any", "id", "len"})
    if (function.name == name)
      return python_error("TypeError", {name, "() takes exactly one argument (", count, " given)"}, reason);
  const bool few = given < function.least;
  const auto bound = static_cast<int64_t>(few ? function.least : function.most);
  if (function.name == "sum")
    return python_error("TypeError",
                        few ? Pieces{"sum() takes at least 1 positional argument (0 given)"}
                            : Pieces{"sum() takes at most 2 arguments (", count, " given)"},
                        reason);
  const std::string_view kind = function.least == function.most ? "" : few ? "at least " : "at most ";
  return python_error(
      "TypeError",
      {function.name, " expected ", kind, bound, bound == 1 ? " argument, got " : " arguments, got ", count}, reason);
}

const Builtin* find_builtin(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(builtins), std::end(builtins), [&](const Builtin& one) { return one.name == name; });
  return found == std::end(builtins) ? nullptr : found;
}

std::vector<std::string_view> builtin_names() {
  std::vector<std::string_view> names;
  for (const Builtin& one : builtins) names.push_back(one.name);
  return names;
}

}  // namespace stridescope
