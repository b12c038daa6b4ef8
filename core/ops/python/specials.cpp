// What Python asks of objects by methods with special names: operators, length, truth, parts, text.
#include <algorithm>

#include "ops/members.h"
#include "ops/python/classes.h"
#include "ops/python/interpreter.h"
#include "ops/python/set.h"
#include "ops/python/text.h"
#include "ops/torch/nn/modules.h"

namespace stridescope {
namespace {

/// The methods behind an operator: of what stands on its left, and on its right.
struct Operator {
  std::string_view sign, left, right;
};
constexpr Operator operators[] = {{"+", "__add__", "__radd__"},
                                  {"-", "__sub__", "__rsub__"},
                                  {"*", "__mul__", "__rmul__"},
                                  {"@", "__matmul__", "__rmatmul__"},
                                  {"/", "__truediv__", "__rtruediv__"},
                                  {"//", "__floordiv__", "__rfloordiv__"},
                                  {"%", "__mod__", "__rmod__"},
                                  {"**", "__pow__", "__rpow__"},
                                  {"&", "__and__", "__rand__"},
                                  {"|", "__or__", "__ror__"},
                                  {"^", "__xor__", "__rxor__"},
                                  {"==", "__eq__", "__eq__"},
                                  {"!=", "__ne__", "__ne__"},
                                  {"<", "__lt__", "__gt__"},
                                  {">", "__gt__", "__lt__"},
                                  {"<=", "__le__", "__ge__"},
                                  {">=", "__ge__", "__le__"}};

/// Those that a class of the program can define beside.
constexpr std::string_view other_methods =
    " __init__ __post_init__ __call__ __len__ __bool__ __getitem__ __setitem__ __contains__ __iter__ __next__ __repr__ "
    "__str__ "
    "__neg__ __delitem__ __sizeof__ __dir__ __bytes__ __enter__ __exit__ ";

/// "__iadd__" of +; of a comparison nothing.
std::string name_in_place(const Operator& one) {
  return one.right.starts_with("__r") ? "__i" + std::string(one.left.substr(2)) : "";
}

const Class* class_of(const Value& value) {
  const auto* object = std::get_if<Object>(&value.held);
  return object && !object->from ? object->type.get() : nullptr;
}

}  // namespace

bool is_special_here(std::string_view name) {
  return other_methods.find(" " + std::string(name) + " ") != other_methods.npos ||
         std::any_of(std::begin(operators), std::end(operators), [&](const Operator& one) {
           return one.left == name || one.right == name || name_in_place(one) == name;
         });
}

std::string special_in_place(std::string_view op) {
  const auto* found =
      std::find_if(std::begin(operators), std::end(operators), [&](const Operator& one) { return one.sign == op; });
  return found == std::end(operators) ? "" : name_in_place(*found);
}

bool has_special(const Value& value, std::string_view name) {
  const Class* const type = class_of(value);
  return type && class_member(*type, name);
}

/// What the special method of an object's class gives.  @pre it has one
Interpreter::Result Interpreter::special(const Value& owner, std::string_view name, std::vector<Value> given,
                                         const Expr& at) {
  const FunctionPtr function = class_function(*class_of(owner), name);
  if (!function || function->kind != Function::Kind::plain || function->self)
    return fail(limit(Msg::not_modelled, {"Python", type_name(owner) + "." + std::string(name)}), at.span);
  return call(taken_from(std::get<Object>(owner.held), function), {std::move(given), {}, {}, {}, {}}, at);
}

/// a op b, where one of them is an object whose class says what that is; nothing at all where none does.
std::optional<Interpreter::Result> Interpreter::special_binary(std::string_view op, const Value& a, const Value& b,
                                                               const Expr& at) {
  const Class *const left = class_of(a), *const right = class_of(b);
  const Fields* const fields = left && left == right && op == "==" ? fields_of(*left) : nullptr;
  if (fields && !has_special(a, "__eq__")) return fields_equal(*fields, a, b, at);
  const auto* found =
      std::find_if(std::begin(operators), std::end(operators), [&](const Operator& one) { return one.sign == op; });
  if ((!left && !right) || found == std::end(operators)) return std::nullopt;
  const bool compares = found->left == "__eq__" || found->left == "__ne__" || op[0] == '<' || op[0] == '>';
  const bool forwards = has_special(a, found->left),
             backwards = has_special(b, found->right) && (compares || left != right);
  const bool first = forwards && backwards && left != right && derives(*right, *left);
  if (forwards && !first) return special(a, found->left, {b}, at);
  if (backwards) return special(b, found->right, {a}, at);
  if (op == "!=")
    if (auto equal = special_binary("==", a, b, at)) {
      const Result holds = *equal ? truth_of(**equal, at) : std::nullopt;
      return holds ? Result(Value{!std::get<bool>(holds->held)}) : std::nullopt;
    }
  const bool list = (left && is_list_of_modules(*left)) || (right && is_list_of_modules(*right));
  if (list && (op == "+" || op == "*")) return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span);
  return std::nullopt;
}

/// len(object) as its class says it.  @pre it does
Interpreter::Result Interpreter::length_of(const Value& object, const Expr& at) {
  const Result length = special(object, "__len__", {}, at);
  if (!length) return std::nullopt;
  const auto* number = std::get_if<int64_t>(&length->held);
  const auto* truth = std::get_if<bool>(&length->held);
  if (!number && !truth)
    return fail(
        python_error("TypeError", {"'", attribute_type(*length), "' object cannot be interpreted as an integer"},
                     Msg::argument_has_type, {"__len__()", "int", type_name(*length)}),
        at.span);
  if (number && *number < 0)
    return fail(python_error("ValueError", "__len__() should return >= 0", Msg::at_least, {"__len__()", 0}), at.span);
  return Value{number ? *number : int64_t{*truth}};
}

/// bool(value)
Interpreter::Result Interpreter::truth_of(const Value& value, const Expr& at) {
  if (has_special(value, "__bool__")) {
    const Result holds = special(value, "__bool__", {}, at);
    if (holds && !std::holds_alternative<bool>(holds->held))
      return fail(python_error("TypeError", {"__bool__ should return bool, returned ", attribute_type(*holds)},
                               Msg::argument_has_type, {"__bool__()", "bool", type_name(*holds)}),
                  at.span);
    return holds;
  }
  if (!has_special(value, "__len__")) return settle(truth(value), at.span);
  const Result length = length_of(value, at);
  return length ? Result(Value{*as_integer(*length) != 0}) : std::nullopt;
}

/// Whether str() and repr() give what they do of tensors and arrays as long as nothing is set.
bool Interpreter::words_are_known(const Value& value) const {
  if (!settings_.texts_differ) return true;
  const std::span<const Value> parts = parts_of(value);
  return !tensor_of(value) && !std::holds_alternative<Dictionary>(value.held) &&
         std::all_of(parts.begin(), parts.end(), [&](const Value& part) { return words_are_known(part); });
}

/// Adds what their classes say of the objects that a list, a tuple, a dictionary or a set shows.
bool Interpreter::tell_objects(const Value& value, Texts& told, const Expr& at) {
  if (std::holds_alternative<Object>(value.held)) {
    const Result text = worded(value, true, at);
    if (!text) return false;
    if (const auto* words = std::get_if<std::string>(&text->held)) told[text_key(value)] = *words;
    return true;
  }
  const bool shows = std::holds_alternative<Sequence>(value.held) || std::holds_alternative<Dictionary>(value.held) ||
                     set_in(value);
  const auto parts = shows ? parts_of(value) : std::span<const Value>();
  return std::all_of(parts.begin(), parts.end(), [&](const Value& part) { return tell_objects(part, told, at); });
}

/// What str() or repr() makes of an object whose class says it, or of what shows such objects, as a string; any other
/// value as it is.
Interpreter::Result Interpreter::worded(const Value& value, bool as_repr, const Expr& at) {
  const Class* const type = class_of(value);
  if (!type) {
    Texts told;
    if (!tell_objects(value, told, at)) return std::nullopt;
    const auto text = told.empty() || !words_are_known(value) ? std::nullopt : python_repr(value, std::move(told));
    return text ? Value{*text} : value;
  }
  const std::string_view name = !as_repr && has_special(value, "__str__") ? "__str__" : "__repr__";
  if (has_special(value, name)) {
    const Result text = special(value, name, {}, at);
    if (text && !std::holds_alternative<std::string>(text->held))
      return fail(python_error("TypeError", {name, " returned non-string (type ", attribute_type(*text), ")"},
                               Msg::argument_has_type, {name, "str", type_name(*text)}),
                  at.span);
    return text;
  }
  if (const Fields* const fields = fields_of(*type)) return fields_in_words(std::get<Object>(value.held), *fields, at);
  if (!is_module_value(value)) return value;
  // Of a module, too, what classes of the program tell of those in it.
  Texts extra;
  for (const auto& [path, one] : modules_in(std::get<Object>(value.held))) {
    if (has_special(one, "__repr__")) return value;
    if (!has_special(one, "extra_repr")) continue;
    const Result text = special(one, "extra_repr", {}, at);
    const auto* words = text ? std::get_if<std::string>(&text->held) : nullptr;
    if (text && !words) return value;
    if (!text) return std::nullopt;
    extra[object_of(one)] = *words;
  }
  return extra.empty() ? value : Value{module_text(std::get<Object>(value.held), extra)};
}

}  // namespace stridescope
