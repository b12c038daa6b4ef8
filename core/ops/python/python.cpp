#include "ops/python/python.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "layout/checked.h"
#include "layout/floor.h"
#include "ops/arithmetic.h"
#include "ops/call.h"
#include "ops/lent_memory.h"
#include "ops/numpy/byte_order.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/set.h"

namespace stridescope {
namespace {

bool is_number(const Value& value) { return value.held.index() >= 1 && value.held.index() <= 3; }
bool is_real(const Value& value) { return std::holds_alternative<Float>(value.held); }
/// The most bytes of strings that repeating a sequence may make.
constexpr size_t max_item_bytes = 1 << 18;

const Sequence* sequence_of(const Value& value) { return std::get_if<Sequence>(&value.held); }
const std::string* string_of(const Value& value) { return std::get_if<std::string>(&value.held); }
/// A list, a tuple or bytes: what + and * take.
bool is_joinable(const Value& value) {
  const Sequence* sequence = sequence_of(value);
  return sequence && (sequence->kind < Sequence::Kind::range || sequence->kind == Sequence::Kind::bytes);
}

/// A torch.Size is a tuple; nothing else is like another kind.
bool same_kind(const Value& a, const Value& b) {
  const auto kind = [](const Value& value) {
    const Sequence::Kind own = sequence_of(value)->kind;
    return is_tuple(own) ? Sequence::Kind::tuple : own;
  };
  return kind(a) == kind(b);
}

Outcome checked(std::optional<int64_t> result) {
  if (!result) return limit(Msg::beyond_int64);
  return Value{*result};
}

std::optional<int64_t> exact_power(int64_t base, int64_t exponent) {
  std::optional<int64_t> result = 1;
  for (std::optional<int64_t> square = base; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) {
      if (!square) return std::nullopt;
      result = checked_mul(*result, *square);
      if (!result) return std::nullopt;
    }
    if (exponent > 1 && square) square = checked_mul(*square, *square);
  }
  return result;
}

Outcome of_reals(std::string_view op, double a, double b) {
  if ((op == "/" || op == "//" || op == "%") && b == 0)
    return python_error("ZeroDivisionError",
                        op == "/"    ? "float division by zero"
                        : op == "//" ? "float floor division by zero"
                                     : "float modulo by zero",
                        Msg::division_by_zero);
  if (op == "**" && a == 0 && b < 0)
    return python_error("ZeroDivisionError", "0.0 cannot be raised to a negative power", Msg::division_by_zero);
  if (op == "**" && a < 0 && b != std::trunc(b)) return Value{std::pow(std::complex<double>(a), b)};
  if (op == "+") return Value{a + b};
  if (op == "-") return Value{a - b};
  if (op == "*") return Value{a * b};
  if (op == "/") return Value{a / b};
  if (op == "**") return Value{std::pow(a, b)};
  const Scalar pair[] = {real_scalar(a, DType::float64), real_scalar(b, DType::float64)};
  return Value{reckon(op == "//" ? Arithmetic::floor_divide : Arithmetic::remainder, pair).real};
}

Outcome integers(std::string_view op, int64_t a, int64_t b) {
  const bool divides = op == "/" || op == "//" || op == "%";
  if (divides && b == 0)
    return python_error("ZeroDivisionError",
                        op == "/"    ? "division by zero"
                        : op == "//" ? "integer division or modulo by zero"
                                     : "integer modulo by zero",
                        Msg::division_by_zero);
  if (op == "+") return checked(checked_add(a, b));
  if (op == "-") return checked(b == INT64_MIN ? std::nullopt : checked_add(a, -b));
  if (op == "*") return checked(checked_mul(a, b));
  if (op == "/") return Value{static_cast<double>(a) / static_cast<double>(b)};
  if (op == "//" && b == -1) return checked(checked_mul(a, -1));
  if (op == "%" && b == -1) return Value{int64_t{0}};
  if (op == "//") return Value{floor_div(a, b)};
  if (op == "%") return Value{floor_mod(a, b)};
  if (op == "**")
    return b < 0 ? of_reals(op, static_cast<double>(a), static_cast<double>(b)) : checked(exact_power(a, b));
  if (op == "&") return Value{a & b};
  if (op == "|") return Value{a | b};
  if (op == "^") return Value{a ^ b};
  if (b < 0) return python_error("ValueError", "negative shift count", Msg::plain_text, {"negative shift count"});
  if (op == ">>") return Value{a >> std::min<int64_t>(b, 63)};
  return checked(a == 0 ? std::optional<int64_t>(0) : b < 63 ? checked_mul(a, int64_t{1} << b) : std::nullopt);
}

/// A number as a complex one, where it or the other number of an operation is complex.
std::optional<std::complex<double>> as_complex(const Value& value) {
  if (const auto* number = std::get_if<ComplexFloat>(&value.held)) return *number;
  return is_number(value) ? as_real(value) : std::nullopt;
}

/// Nothing where Python has no such operation between complex numbers.
std::optional<Outcome> of_complexes(std::string_view op, std::complex<double> a, std::complex<double> b) {
  if (op == "+") return Value{a + b};
  if (op == "-") return Value{a - b};
  if (op == "*") return Value{a * b};
  if (op == "**") return Value{std::pow(a, b)};
  if (op != "/") return std::nullopt;
  if (b == 0.0) return python_error("ZeroDivisionError", "complex division by zero", Msg::division_by_zero);
  return Value{a / b};
}

Outcome repeated(const Value& value, int64_t times) {
  times = std::max<int64_t>(times, 0);
  const std::string* text = string_of(value);
  const size_t length = text ? text->size() : sequence_of(value)->items->size();
  if (length > 0 && static_cast<uint64_t>(times) > max_items / length)
    return limit(Msg::too_many_items, {static_cast<int64_t>(max_items)});
  // Every item is a string of its own, so long ones count by their bytes.
  size_t bytes = 0;
  for (size_t i = 0; !text && i < length; ++i)
    if (const std::string* item = string_of((*sequence_of(value)->items)[i])) bytes += item->size();
  if (bytes * static_cast<size_t>(times) > max_item_bytes)
    return limit(Msg::too_many_items, {static_cast<int64_t>(max_items)});
  if (text) {
    std::string result;
    for (int64_t i = 0; i < times && length > 0; ++i) result += *text;
    return Value{result};
  }
  std::vector<Value> items;
  for (int64_t i = 0; i < times && length > 0; ++i)
    items.insert(items.end(), sequence_of(value)->items->begin(), sequence_of(value)->items->end());
  return list_of(std::move(items), sequence_of(value)->kind);
}

Outcome joined(const Sequence& a, const Sequence& b) {
  if (a.items->size() + b.items->size() > max_items)
    return limit(Msg::too_many_items, {static_cast<int64_t>(max_items)});
  std::vector<Value> items = *a.items;
  items.insert(items.end(), b.items->begin(), b.items->end());
  return list_of(std::move(items), is_tuple(a.kind) ? Sequence::Kind::tuple : a.kind);
}

Diagnostic unsupported(std::string_view op, const Value& a, const Value& b) {
  const std::string left = type_name(a), right = type_name(b);
  const auto error = [&](const Slots& text) {
    return python_error("TypeError", text, Msg::operands_do_not_fit, {op, left, right});
  };
  const auto is_row = [](const Value& value) { return is_joinable(value) || string_of(value); };
  const std::string kind = left == "Size" ? "tuple" : left;
  if (op == "+" && left == "bytes") return error({"can't concat ", right, " to bytes"});
  if (op == "+" && is_row(a)) return error({"can only concatenate ", kind, " (not \"", right, "\") to ", kind});
  if (op == "*" && (is_row(a) || is_row(b)))
    return error({"can't multiply sequence by non-int of type '", is_row(a) ? right : left, "'"});
  return error(
      {"unsupported operand type(s) for ", op, (op == "**" ? " or pow()" : ""), ": '", left, "' and '", right, "'"});
}

}  // namespace

Diagnostic python_error(const char* type, const Slots& text, Msg reason, const Slots& slots) {
  return python_error(type, text, Message(reason, slots));
}
Diagnostic python_error(const char* type, const Slots& text, Message reason) {
  return {{}, std::move(reason), Diagnostic::Raised{type, text.str()}, {}};
}

Diagnostic limit(Msg reason, const Slots& slots) { return {{}, {reason, slots}, {}, {}}; }

Value python_value(const Scalar& value) {
  if (value.dtype == DType::boolean) return Value{value.integer != 0};
  if (is_integer(value.dtype)) return Value{value.integer};
  if (is_complex(value.dtype)) return Value{std::complex<double>(value.real, value.imaginary)};
  return Value{value.real};
}

Value list_of(std::vector<Value> items, Sequence::Kind kind) {
  // A part of what has names, or more of it, has none.
  if (kind == Sequence::Kind::ranked) kind = Sequence::Kind::tuple;
  return {Sequence{kind, std::make_shared<std::vector<Value>>(std::move(items))}};
}

Value range_value(std::vector<Value> items, int64_t start, int64_t stop, int64_t step) {
  std::string shown = "range(" + std::to_string(start) + ", " + std::to_string(stop);
  if (step != 1) shown += ", " + std::to_string(step);
  return {Sequence{Sequence::Kind::range, std::make_shared<const std::vector<Value>>(std::move(items)),
                   std::make_shared<const std::string>(shown + ")")}};
}

Outcome python_binary(std::string_view op, const Value& a, const Value& b) {
  if (op == "@") return unsupported(op, a, b);
  if (is_number(a) && is_number(b)) {
    const bool bits = op == "&" || op == "|" || op == "^";
    if (const auto* one = std::get_if<bool>(&a.held), *other = std::get_if<bool>(&b.held); bits && one && other)
      return Value{op == "&" ? *one && *other : op == "|" ? *one || *other : *one != *other};
    if (!is_real(a) && !is_real(b)) return integers(op, *as_integer(a), *as_integer(b));
    if (bits || op == "<<" || op == ">>") return unsupported(op, a, b);
    // Divided by what is not known: that it is 0 is not to be expected.
    const bool divides = op == "/" || op == "//" || op == "%";
    const bool by_zero = divides && !is_unknown(b) && *as_real(b) == 0;
    if (!by_zero && op != "**" && (is_unknown(a) || is_unknown(b))) return Value{Float::unknown()};
    return of_reals(op, by_zero ? 1 : *as_real(a), *as_real(b));
  }
  if (const auto left = as_complex(a), right = as_complex(b); left && right && !(is_number(a) && is_number(b)))
    if (auto result = of_complexes(op, *left, *right)) return *std::move(result);
  const bool repeats_a = (is_joinable(a) || string_of(a)) && is_number(b) && !is_real(b);
  const bool repeats_b = (is_joinable(b) || string_of(b)) && is_number(a) && !is_real(a);
  if (op == "*" && repeats_a) return repeated(a, *as_integer(b));
  if (op == "*" && repeats_b) return repeated(b, *as_integer(a));
  if (op == "+" && string_of(a) && string_of(b)) {
    if (string_of(a)->size() + string_of(b)->size() > max_items)
      return limit(Msg::too_many_items, {static_cast<int64_t>(max_items)});
    return Value{*string_of(a) + *string_of(b)};
  }
  if (op == "+" && is_joinable(a) && is_joinable(b) && same_kind(a, b)) return joined(*sequence_of(a), *sequence_of(b));
  return unsupported(op, a, b);
}

Outcome python_unary(std::string_view op, const Value& a) {
  if (is_real(a) && (op == "+" || (op == "-" && is_unknown(a)))) return a;
  if (is_real(a) && op == "-") return Value{-std::get<Float>(a.held)};
  if (const auto* number = std::get_if<ComplexFloat>(&a.held); number && op != "~")
    return op == "-" ? Value{-*number} : a;
  if (is_number(a) && !is_real(a)) {
    const int64_t number = *as_integer(a);
    if (op == "-") return checked(checked_mul(number, -1));
    return Value{op == "~" ? ~number : number};
  }
  return python_error("TypeError", {"bad operand type for unary ", op, ": '", type_name(a), "'"},
                      Msg::operand_does_not_fit, {op, type_name(a)});
}

bool is_callable(const Value& value) {
  return std::holds_alternative<FunctionPtr>(value.held) || std::holds_alternative<Symbol>(value.held) ||
         std::holds_alternative<ClassPtr>(value.held) || std::holds_alternative<Object>(value.held);
}

std::string_view class_path(std::string_view path) { return path.substr(path.starts_with("class.") ? 6 : 0); }

/// Of a function of NumPy's that has several names, the same for each; any other path as it is.
static std::string_view one_of_its_names(std::string_view path) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"numpy.abs", "numpy.absolute"},           {"numpy.bitwise_invert", "numpy.invert"},
      {"numpy.bitwise_not", "numpy.invert"},     {"numpy.concat", "numpy.concatenate"},
      {"numpy.conj", "numpy.conjugate"},         {"numpy.mod", "numpy.remainder"},
      {"numpy.permute_dims", "numpy.transpose"}, {"numpy.true_divide", "numpy.divide"}};
  for (const auto& [name, own] : names)
    if (path == name) return own;
  return path;
}

/// A memory view and bytes: item by item, as numbers.
static bool shows_bytes(const Tensor& shown, const Sequence& bytes) {
  const Elements items = elements_of(shown);
  const auto count = static_cast<int64_t>(bytes.items->size());
  if (items.layout.sizes != Dims{count} || shown.structure) return false;
  for (int64_t i = 0; i < count; ++i)
    if (!python_equal(python_value(element(items, i)), (*bytes.items)[static_cast<size_t>(i)])) return false;
  return true;
}

bool python_equal(const Value& a, const Value& b) {
  if (is_bytes(a) && is_memory(b)) return python_equal(b, a);
  if (is_memory(a) && is_bytes(b)) return shows_bytes(*std::get<Facet>(a.held).tensor, std::get<Sequence>(b.held));
  const auto *own_scalar = std::get_if<NumpyScalar>(&a.held), *other_scalar = std::get_if<NumpyScalar>(&b.held);
  if (own_scalar || other_scalar)
    return python_equal(own_scalar ? python_value(own_scalar->value()) : a,
                        other_scalar ? python_value(other_scalar->value()) : b);
  if (is_number(a) && is_number(b)) {
    if (!is_real(a) && !is_real(b)) return *as_integer(a) == *as_integer(b);
    return *as_real(a) == *as_real(b);
  }
  if (const auto left = as_complex(a), right = as_complex(b); left && right) return *left == *right;
  if (string_of(a) && string_of(b)) return *string_of(a) == *string_of(b);
  if (const Sequence* left = sequence_of(a), *right = sequence_of(b); left && right)
    return (left->kind == right->kind || (is_tuple(left->kind) && is_tuple(right->kind))) &&
           (left->kind < Sequence::Kind::c_array || left->items == right->items) &&
           std::equal(left->items->begin(), left->items->end(), right->items->begin(), right->items->end(),
                      python_equal);
  if (const auto* left = std::get_if<SliceValue>(&a.held), *right = std::get_if<SliceValue>(&b.held); left && right) {
    const auto same = [](const std::shared_ptr<const Value>& p, const std::shared_ptr<const Value>& q) {
      return p && q ? python_equal(*p, *q) : p == q;
    };
    return same(left->start, right->start) && same(left->stop, right->stop) && same(left->step, right->step);
  }
  if (const auto* left = std::get_if<Symbol>(&a.held), *right = std::get_if<Symbol>(&b.held); left && right) {
    // Of two methods only their names are compared, which suffices where one is taken from one tensor.
    if (is_partial(a) || is_partial(b)) return left->self == right->self;
    const std::string_view own = class_path(left->path), other = class_path(right->path);
    return own == other || one_of_its_names(own) == one_of_its_names(other) ||
           (own.find('.') != own.npos && other.find('.') != other.npos &&
            own.starts_with("torch.") == other.starts_with("torch.") && as_dtype(a) && as_dtype(a) == as_dtype(b));
  }
  if (const auto* left = std::get_if<Facet>(&a.held), *right = std::get_if<Facet>(&b.held); left && right) {
    if (left->name != right->name) return false;
    if (left->name == "flags") return flags_text(*left->tensor) == flags_text(*right->tensor);
    if (left->name == "untyped_storage") return left->tensor->shares_storage(*right->tensor);
    if (left->name == "data") {
      const Elements own = elements_of(*left->tensor), other = elements_of(*right->tensor);
      const int64_t count = numel(own.layout.sizes).value_or(0);
      bool equal = own.layout.sizes == other.layout.sizes && (left->tensor == right->tensor || count <= small_cells);
      for (int64_t i = 0; equal && left->tensor != right->tensor && i < count; ++i) {
        const Scalar pair[] = {element(own, i), converted(element(other, i), own.dtype)};
        equal = is_true(reckon(Arithmetic::equal, pair));
      }
      return equal;
    }
    return left->tensor == right->tensor;
  }
  if (const auto* left = std::get_if<Dictionary>(&a.held), *right = std::get_if<Dictionary>(&b.held); left && right)
    return left->view == Dictionary::View::whole && right->view == Dictionary::View::whole && same_items(*left, *right);
  if (const Set* left = set_in(a), *right = set_in(b); left && right) return same_items(*left->items, *right->items);
  if (const auto* left = std::get_if<TensorRef>(&a.held), *right = std::get_if<TensorRef>(&b.held); left && right)
    return (*left)->id == (*right)->id;
  if (const auto* left = std::get_if<FunctionPtr>(&a.held), *right = std::get_if<FunctionPtr>(&b.held); left && right)
    return *left == *right;
  if (const auto* left = std::get_if<ClassPtr>(&a.held), *right = std::get_if<ClassPtr>(&b.held); left && right)
    return *left == *right;
  if (const auto* left = std::get_if<StructurePtr>(&a.held), *right = std::get_if<StructurePtr>(&b.held); left && right)
    return same_structure(**left, **right);
  if (std::holds_alternative<Object>(a.held)) return object_of(a) == object_of(b);
  return a.held.index() == b.held.index() &&
         (std::holds_alternative<None>(a.held) || std::holds_alternative<Ellipsis>(a.held));
}

Outcome python_order(std::string_view op, const Value& a, const Value& b) {
  const auto decide = [&](auto left, auto right) {
    return Value{op == "<" ? left < right : op == "<=" ? left <= right : op == ">" ? left > right : left >= right};
  };
  if (is_number(a) && is_number(b)) {
    if (!is_real(a) && !is_real(b)) return decide(*as_integer(a), *as_integer(b));
    return decide(*as_real(a), *as_real(b));
  }
  if (string_of(a) && string_of(b)) return decide(*string_of(a), *string_of(b));
  if (const Sequence* left = sequence_of(a), *right = sequence_of(b);
      is_joinable(a) && is_joinable(b) && same_kind(a, b)) {
    const size_t shared = std::min(left->items->size(), right->items->size());
    for (size_t i = 0; i < shared; ++i)
      if (!python_equal((*left->items)[i], (*right->items)[i]))
        return python_order(op, (*left->items)[i], (*right->items)[i]);
    return decide(left->items->size(), right->items->size());
  }
  if (const Set* left = set_in(a), *right = set_in(b); left && right) {
    const bool below = op[0] == '<', proper = op.size() == 1;
    return Value{is_within(*(below ? left : right)->items, *(below ? right : left)->items, proper)};
  }
  if (!device_name(a).empty() && !device_name(b).empty())
    return python_error("TypeError", "comparison not implemented", Msg::operands_do_not_fit,
                        {op, type_name(a), type_name(b)});
  return python_error("TypeError",
                      {"'", op, "' not supported between instances of '", type_name(a), "' and '", type_name(b), "'"},
                      Msg::operands_do_not_fit, {op, type_name(a), type_name(b)});
}

Outcome truth(const Value& value) {
  if (has_special(value, "__bool__") || has_special(value, "__len__"))
    return limit(Msg::not_modelled, {"Python", "bool(" + type_name(value) + ")"});
  if (std::holds_alternative<Object>(value.held))
    if (const auto modules = python_items(value)) return Value{!modules->empty()};
  if (const auto number = as_complex(value)) return Value{*number != 0.0};
  if (std::holds_alternative<None>(value.held)) return Value{false};
  if (const std::string* text = string_of(value)) return Value{!text->empty()};
  if (const auto* dictionary = std::get_if<Dictionary>(&value.held)) return Value{!dictionary->items->keys.empty()};
  if (const Set* set = set_in(value)) return Value{set->items->size() > 0};
  if (const Sequence* sequence = sequence_of(value))
    return Value{!sequence->items->empty() || is_iterator(sequence->kind)};
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held)) return Value{is_true(scalar->value())};
  if (const TensorPtr tensor = tensor_of(value)) {
    if (tensor->numbers() == DType::structured && numel(tensor->layout.sizes) == 1)
      return limit(Msg::not_modelled, {"NumPy", "bool of " + dtype_text(*tensor)});
    if (numel(tensor->layout.sizes) == 1) return Value{is_true(element(elements_of(native(*tensor)), 0))};
    const bool torch = tensor->library == Library::torch, empty = numel(tensor->layout.sizes) == 0;
    return python_error(
        torch ? "RuntimeError" : "ValueError",
        torch ? (empty ? "Boolean value of Tensor with no values is ambiguous"
                       : "Boolean value of Tensor with more than one value is ambiguous")
              : (empty ? "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array "
                         "is not empty."
                       : "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"),
        Msg::truth_of_many, {to_string(tensor->layout.sizes)});
  }
  return Value{true};
}

}  // namespace stridescope
