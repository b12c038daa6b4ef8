// Operators that make a value of others: Python's own where no array takes part, else rows of the table.
#include <algorithm>

#include "ops/members.h"
#include "ops/numpy/numpy.h"
#include "ops/python/builtin_numbers.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"
#include "ops/python/set.h"

namespace stridescope {
namespace {

/// What Python says where an array stands on the left of a tensor.
Diagnostic array_refused(std::string_view op, const Value& a, const Value& b) {
  if (op == "+")
    return python_error("TypeError",
                        "Concatenation operation is not implemented for NumPy arrays, use np.concatenate() instead. "
                        "Please do not rely on this error; it may not be given on all Python implementations.",
                        Msg::np_left_of_tensor, {op});
  return python_error("TypeError",
                      {"unsupported operand type(s) for ", op, (op == "**" ? " or pow()" : ""), ": '",
                       attribute_type(a), "' and '", attribute_type(b), "'"},
                      Msg::np_left_of_tensor, {op});
}

}  // namespace

Interpreter::Result Interpreter::eval_unary(const Expr& expr) {
  const Result operand = eval(*expr.children[0]);
  return operand ? unary(expr.text, *operand, expr) : std::nullopt;
}

Interpreter::Result Interpreter::unary(std::string_view op, const Value& operand, const Expr& at) {
  if (op == "not") {
    const Result holds = truth_of(operand, at);
    return holds ? Result(Value{!std::get<bool>(holds->held)}) : std::nullopt;
  }
  if (op == "-" && has_special(operand, "__neg__")) return special(operand, "__neg__", {}, at);
  if (!is_array(operand)) return settle(python_unary(op, operand), at.span);
  return invoke(find_forms(library_of(operand), Form::Kind::prefix, op), {{operand}, {}}, at.span);
}

Interpreter::Result Interpreter::eval_binary(const Expr& expr) {
  const Result a = eval(*expr.children[0]);
  const Result b = a ? eval(*expr.children[1]) : std::nullopt;
  return b ? binary(expr.text, *a, *b, expr) : std::nullopt;
}

Interpreter::Result Interpreter::binary(std::string_view op, const Value& a, const Value& b, const Expr& at) {
  if (std::holds_alternative<Object>(a.held) || std::holds_alternative<Object>(b.held)) {
    const bool array = is_of(a, Library::numpy) || std::holds_alternative<NumpyScalar>(a.held);
    if (array) return fail(limit(Msg::not_modelled, {"NumPy", title(at.span)}), at.span);
    if (auto own = special_binary(op, a, b, at)) return *std::move(own);
  }
  if (const auto* format = std::get_if<std::string>(&a.held); format && op == "%") return interpolate(*format, b, at);
  if (op == "%" && is_bytes(a)) {
    const auto& bytes = *std::get<Sequence>(a.held).items;
    const auto marks = [](const Value& byte) { return std::get<int64_t>(byte.held) == '%'; };
    if (std::any_of(bytes.begin(), bytes.end(), marks))
      return fail(limit(Msg::not_modelled, {"Python", "bytes % " + type_name(b)}), at.span);
    if (interpolate("", b, at)) return a;
    error_->raised->text = "not all arguments converted during bytes formatting";
    return std::nullopt;
  }
  const auto is_view = [](const Value& value) { return is_set_like(value) && !set_in(value); };
  const auto items = [](const Value& value) { return type_name(value).ends_with("dict_items"); };
  if (is_set_operator(op) &&
      (((is_view(a) || is_view(b)) && (is_array(a) || is_array(b))) || (op == "^" && items(a) && items(b))))
    return fail(limit(Msg::not_modelled, {"Python", type_name(a) + " " + std::string(op) + " " + type_name(b)}),
                at.span);
  if ((set_in(a) && is_of(b, Library::torch)) || (is_of(a, Library::torch) && set_in(b)))
    return fail(python_error("TypeError",
                             {"unsupported operand type(s) for ", op, (op == "**" ? " or pow()" : ""), ": '",
                              attribute_type(a), "' and '", attribute_type(b), "'"},
                             Msg::operands_do_not_fit, {op, type_name(a), type_name(b)}),
                at.span);
  if (auto made = set_binary(op, a, b)) return settle(*std::move(made), at.span);
  if (op == "|" && dictionary_in(a) && dictionary_in(b)) return union_of(a, b, at.span);
  // NumPy's scalars have every operator of an array but this one.
  const bool products = op == "@" && !tensor_of(a) && !tensor_of(b);
  if (products || (!is_array(a) && !is_array(b))) return settle(python_binary(op, a, b), at.span);
  // A sequence is repeated by NumPy's whole numbers, and by a tensor of one, as by Python's.
  const auto repeats = [](const Value& value, const Value& count) {
    const auto* scalar = std::get_if<NumpyScalar>(&count.held);
    const TensorPtr tensor = tensor_of(count);
    const bool one = scalar || (tensor && tensor->library == Library::torch && numel(tensor->layout.sizes) == 1);
    const DType dtype = scalar ? scalar->dtype() : tensor ? tensor->dtype : DType::float32;
    return one && (std::holds_alternative<Sequence>(value.held) || std::holds_alternative<std::string>(value.held)) &&
           (is_integer(dtype) || dtype == DType::boolean);
  };
  if (op == "+" && std::holds_alternative<std::string>(a.held) && std::holds_alternative<NumpyScalar>(b.held))
    return fail(python_error("TypeError", {"can only concatenate str (not \"numpy.", type_name(b), "\") to str"},
                             Msg::operands_do_not_fit, {"+", "str", type_name(b)}),
                at.span);
  if (op == "*" && repeats(a, b)) return settle(python_binary(op, a, Value{*as_integer(b)}), at.span);
  if (op == "*" && repeats(b, a)) return settle(python_binary(op, Value{*as_integer(a)}, b), at.span);
  const auto is_list = [](const Value& value) { return std::holds_alternative<Sequence>(value.held); };
  const auto is_scalar = [](const Value& value) { return std::holds_alternative<NumpyScalar>(value.held); };
  if (op == "*" && ((is_list(a) && is_scalar(b)) || (is_scalar(a) && is_list(b))))
    return fail(python_error("TypeError",
                             {"can't multiply sequence by non-int of type 'numpy.", type_name(is_list(a) ? b : a), "'"},
                             Msg::operands_do_not_fit, {"*", type_name(a), type_name(b)}),
                at.span);
  if (are_mixed(a, b) && is_of(b, Library::torch)) {
    if (op != "/") return fail(array_refused(op, a, b), at.span);
    const Result inverse = invoke(find_forms(Library::torch, Form::Kind::method, "reciprocal"), {{b}, {}}, at.span);
    return inverse ? binary("*", *inverse, a, at) : std::nullopt;
  }
  const Library library = are_mixed(a, b) ? Library::numpy : library_of(a, b);
  return invoke(find_forms(library, Form::Kind::binary, op), {{a, b}, {}}, at.span);
}

/// divmod(a, b): NumPy has a ufunc for it, a tensor no such method.
Interpreter::Result Interpreter::divided(const Value& a, const Value& b, const Expr& at) {
  if (are_mixed(a, b)) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (is_of(a, Library::torch) || is_of(b, Library::torch))
    return fail(python_error("TypeError",
                             {"unsupported operand type(s) for divmod(): '", attribute_type(a), "' and '",
                              attribute_type(b), "'"},
                             Msg::operands_do_not_fit, {"divmod", type_name(a), type_name(b)}),
                at.span);
  return invoke(find_forms(Library::numpy, Form::Kind::function, "numpy.divmod"), {{a, b}, {}}, at.span);
}

/// pow(a, b) is a ** b; with a third argument it is one of whole numbers.
Interpreter::Result Interpreter::power(const std::vector<Value>& arguments, const Expr& at) {
  if (arguments.size() == 2 || std::holds_alternative<None>(arguments[2].held))
    return binary("**", arguments[0], arguments[1], at);
  if (std::none_of(arguments.begin(), arguments.end(), has_dtype)) return settle(modular_power(arguments), at.span);
  return fail(python_error("TypeError",
                           {"unsupported operand type(s) for ** or pow(): '", attribute_type(arguments[0]), "', '",
                            attribute_type(arguments[1]), "', '", attribute_type(arguments[2]), "'"},
                           Msg::operands_do_not_fit, {"pow", type_name(arguments[0]), type_name(arguments[2])}),
              at.span);
}

Interpreter::Result Interpreter::eval_logic(const Expr& expr) {
  Result left = eval(*expr.children[0]);
  const Result holds = left ? truth_of(*left, *expr.children[0]) : std::nullopt;
  if (!holds) return std::nullopt;
  return std::get<bool>(holds->held) == (expr.text == "and") ? eval(*expr.children[1]) : left;
}

}  // namespace stridescope
