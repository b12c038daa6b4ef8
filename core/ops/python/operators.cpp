// Operators between values: Python's own where no array takes part, else rows of the table.
#include <algorithm>
#include <cmath>

#include "ops/members.h"
#include "ops/numpy/numpy.h"
#include "ops/python/builtin_numbers.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"

namespace stridescope {
namespace {

/// The library of an operation between two values, one of which is an array.
Library library_of(const Value& a, const Value& b) {
  if (tensor_of(a)) return library_of(a);
  return library_of(is_array(b) ? b : a);
}

bool is_of(const Value& value, Library library) { return tensor_of(value) && tensor_of(value)->library == library; }

/// Whether one is a tensor and the other an array; NumPy's scalars are numbers to PyTorch.
bool are_mixed(const Value& a, const Value& b) {
  return (is_of(a, Library::torch) && is_of(b, Library::numpy)) ||
         (is_of(a, Library::numpy) && is_of(b, Library::torch));
}

/// Whether an object is in it, as one of many, whose class says what it equals.
bool holds_equal(const Value& value) {
  const auto parts = std::holds_alternative<Object>(value.held) ? std::span<const Value>() : parts_of(value);
  return std::any_of(parts.begin(), parts.end(),
                     [](const Value& part) { return compares_itself(part) || holds_equal(part); });
}

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
  if (!operand) return std::nullopt;
  if (expr.text == "not") {
    const Result holds = truth_of(*operand, expr);
    return holds ? Result(Value{!std::get<bool>(holds->held)}) : std::nullopt;
  }
  if (expr.text == "-" && has_special(*operand, "__neg__")) return special(*operand, "__neg__", {}, expr);
  if (!is_array(*operand)) return settle(python_unary(expr.text, *operand), expr.span);
  return invoke(find_forms(library_of(*operand), Form::Kind::prefix, expr.text), {{*operand}, {}}, expr.span);
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
  if (const auto* format = std::get_if<std::string>(&a.held); format && op == "%")
    return interpolate(*format, b, at.span);
  if (op == "%" && type_name(a) == "bytes") {
    const auto& bytes = *std::get<Sequence>(a.held).items;
    const auto marks = [](const Value& byte) { return std::get<int64_t>(byte.held) == '%'; };
    if (std::any_of(bytes.begin(), bytes.end(), marks))
      return fail(limit(Msg::not_modelled, {"Python", "bytes % " + type_name(b)}), at.span);
    if (interpolate("", b, at.span)) return a;
    error_->raised->text = "not all arguments converted during bytes formatting";
    return std::nullopt;
  }
  const auto is_view = [](const Value& value) {
    return std::holds_alternative<Dictionary>(value.held) && !dictionary_in(value);
  };
  const bool of_sets = op == "&" || op == "|" || op == "^" || op == "-";
  if (of_sets && (is_view(a) || is_view(b)))
    return fail(limit(Msg::not_modelled, {"Python", type_name(a) + " " + std::string(op) + " " + type_name(b)}),
                at.span);
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

Interpreter::Result Interpreter::eval_compare(const Expr& expr) {
  Result left = eval(*expr.children[0]);
  Result result;
  for (size_t i = 0; left; ++i) {
    const Result right = eval(*expr.children[i + 1]);
    result = right ? compare(expr.operators()[i], *left, *right, expr) : std::nullopt;
    if (!result || i + 1 == expr.operators().size()) return result;
    const Result holds = truth_of(*result, expr);
    if (!holds) return std::nullopt;
    if (!std::get<bool>(holds->held)) return result;
    left = right;
  }
  return std::nullopt;
}

Interpreter::Result Interpreter::compare(std::string_view op, const Value& a, const Value& b, const Expr& at) {
  if (op == "is" || op == "is not") {
    const auto* flags = std::get_if<Facet>(&a.held);
    const auto *left = std::get_if<Sequence>(&a.held), *right = std::get_if<Sequence>(&b.held);
    const bool lists = left && right && left->kind == Sequence::Kind::list;
    const auto *own_items = dictionary_in(a), *other_items = dictionary_in(b);
    const bool both = own_items && other_items;
    // Each is made anew when it is asked for.
    const bool sizes = left && right && left->kind == Sequence::Kind::size && !left->items->empty();
    if (!device_name(a).empty() && device_name(a) == device_name(b))
      return fail(limit(Msg::not_modelled, {"Python", "device " + std::string(op) + " device"}), at.span);
    const bool alike = a.held.index() == b.held.index() && (lists || sizes ? left->items == right->items
                                                            : both         ? own_items->items == other_items->items
                                                                           : python_equal(a, b));
    const auto *scalar = std::get_if<NumpyScalar>(&a.held), *other_scalar = std::get_if<NumpyScalar>(&b.held);
    if (scalar && other_scalar && scalar->dtype() == other_scalar->dtype() && scalar->dtype() != DType::boolean &&
        python_equal(a, b))
      return fail(limit(Msg::not_modelled, {"Python", type_name(a) + " " + std::string(op) + " " + type_name(b)}),
                  at.span);
    const bool own = flags && (flags->name == "flags" || flags->name == "data");
    if (is_dtype_object(a) != is_dtype_object(b)) return Value{op == "is not"};
    return Value{(alike && (!own || flags->tensor == std::get<Facet>(b.held).tensor)) == (op == "is")};
  }
  if (op == "in" || op == "not in") {
    if (has_special(b, "__contains__")) {
      const Result found = special(b, "__contains__", {a}, at);
      const Result holds = found ? truth_of(*found, at) : std::nullopt;
      return holds ? Result(Value{std::get<bool>(holds->held) == (op == "in")}) : std::nullopt;
    }
    if (const TensorPtr tensor = tensor_of(b)) {
      const bool torch = is_of(b, Library::torch);
      const bool number = std::holds_alternative<NumpyScalar>(a.held) || (!tensor_of(a) && as_real(a)) ||
                          std::holds_alternative<std::complex<double>>(a.held);
      if (torch && !is_of(a, Library::torch) && !number)
        return fail(python_error("RuntimeError",
                                 {"Tensor.__contains__ only supports Tensor or scalar, but you passed in a <class '",
                                  attribute_type(a), "'>."},
                                 Msg::torch_contains, {type_name(a)}),
                    at.span);
      if (is_array(a) || std::holds_alternative<Sequence>(a.held)) {
        const Result equal = torch ? compare("==", a, b, at) : compare("==", b, a, at);
        const Result any =
            equal && tensor_of(*equal)
                ? invoke(find_forms(library_of(*equal), Form::Kind::method, "any"), {{*equal}, {}}, at.span)
                : equal;
        const Result found = any ? settle(truth(*any), at.span) : std::nullopt;
        return found ? Result(Value{std::get<bool>(found->held) == (op == "in")}) : std::nullopt;
      }
      // (b == a).any()
      const auto count = numel(tensor->layout.sizes);
      if (*count > max_iterations) return fail(limit(Msg::too_many_iterations, {max_iterations}), at.span);
      const auto wanted = as_real(a);
      bool found = false;
      for (int64_t i = 0; wanted && i < *count; ++i)
        found = found || as_real(element(elements_of(*tensor), i)) == *wanted;
      return Value{found == (op == "in")};
    }
    if (const auto* text = std::get_if<std::string>(&b.held)) {
      const auto* word = std::get_if<std::string>(&a.held);
      if (!word)
        return fail(python_error("TypeError", {"'in <string>' requires string as left operand, not ", type_name(a)},
                                 Msg::operands_do_not_fit, {op, type_name(a), "str"}),
                    at.span);
      return Value{(text->find(*word) != std::string::npos) == (op == "in")};
    }
    if (const auto* dictionary = std::get_if<Dictionary>(&b.held);
        dictionary && (dictionary_in(b) || dictionary->view == Dictionary::View::keys)) {
      KeyMark mark = key_mark(a);
      if (mark.problem) return fail(*std::move(mark.problem), at.span);
      return Value{(key_place(*dictionary, mark.text) < dictionary->items->marks.size()) == (op == "in")};
    }
    const auto* walked = std::get_if<Sequence>(&b.held);
    const bool iterator = walked && is_iterator(walked->kind);
    const auto items = iterator ? python_items(b) : items_of(b, at.span);
    if (!items && error_->raised && error_->reason.id == Msg::not_iterable)
      error_->raised->text = "argument of type '" + type_name(b) + "' is not iterable";
    if (!items) return std::nullopt;
    if (type_name(b) == "bytes" && type_name(a) != "bytes" && !is_array(a)) {
      const auto byte = as_integer(a);
      if (!byte)
        return fail(python_error("TypeError", {"a bytes-like object is required, not '", attribute_type(a), "'"},
                                 Msg::operands_do_not_fit, {op, type_name(a), "bytes"}),
                    at.span);
      if (*byte < 0 || *byte > 255)
        return fail(python_error("ValueError", "byte must be in range(0, 256)", Msg::operands_do_not_fit,
                                 {op, type_name(a), "bytes"}),
                    at.span);
    }
    if (type_name(a) == "bytes" && type_name(b) == "bytes") {
      const auto& part = *std::get<Sequence>(a.held).items;
      const bool found = part.empty() || std::search(items->begin(), items->end(), part.begin(), part.end(),
                                                     python_equal) != items->end();
      return Value{found == (op == "in")};
    }
    for (const Value& item : *items) {
      const auto same = is_item(a, item, at);
      use_up(b, 1);
      if (!same) return std::nullopt;
      if (*same) return Value{op == "in"};
    }
    return Value{op != "in"};
  }
  if (!is_of(a, Library::numpy))
    if (auto own = special_binary(op, a, b, at)) return *std::move(own);
  if (holds_equal(a) || holds_equal(b))
    return fail(limit(Msg::not_modelled, {"Python", type_name(a) + " " + std::string(op) + " " + type_name(b)}),
                at.span);
  if (are_mixed(a, b)) {
    // An array does not compare itself with a tensor; with `==` a tensor takes one, `!=` is left to Python.
    if (op == "==")
      return invoke(find_forms(Library::torch, Form::Kind::binary, op),
                    {{is_of(a, Library::torch) ? a : b, is_of(a, Library::torch) ? b : a}, {}}, at.span);
    if (op == "!=") return Value{true};
    return fail(python_error("TypeError",
                             {"'", op, "' not supported between instances of '", attribute_type(a), "' and '",
                              attribute_type(b), "'"},
                             Msg::operands_do_not_fit, {op, type_name(a), type_name(b)}),
                at.span);
  }
  if (const auto* left = std::get_if<Sequence>(&a.held), *right = std::get_if<Sequence>(&b.held);
      left && right && (op == "==" || op == "!=") && (first_tensor(a) || first_tensor(b)) &&
      (left->kind == right->kind || (is_tuple(left->kind) && is_tuple(right->kind))) &&
      left->kind < Sequence::Kind::range) {
    const bool alike = left->items->size() == right->items->size();
    if (!alike && left->kind == Sequence::Kind::list) return Value{op == "!="};
    for (size_t i = 0; i < std::min(left->items->size(), right->items->size()); ++i) {
      const auto same = is_item((*right->items)[i], (*left->items)[i], at);
      if (!same) return std::nullopt;
      if (!*same) return Value{op == "!="};
    }
    return Value{alike == (op == "==")};
  }
  // Views are compared as sets; of tensors in a dictionary `==` asks for a truth.
  const auto left_out = [](const Value& value) {
    return std::holds_alternative<Dictionary>(value.held) && (!dictionary_in(value) || first_tensor(value));
  };
  if (a.held.index() == b.held.index() && left_out(a) && left_out(b))
    return fail(limit(Msg::not_modelled, {"Python", type_name(a) + " " + std::string(op) + " " + type_name(b)}),
                at.span);
  const auto plain = [](const Value& value) {
    return std::holds_alternative<None>(value.held) || std::holds_alternative<std::string>(value.held);
  };
  const auto asks_each = [&](const Value& array, const Value& other) {
    const TensorPtr tensor = tensor_of(array);
    return plain(other) &&
           (is_flat(array) || (tensor && tensor->library == Library::numpy &&
                               (tensor->layout.rank() > 0 || std::holds_alternative<None>(other.held))));
  };
  if ((op == "==" || op == "!=") && (asks_each(a, b) || asks_each(b, a))) {
    // NumPy asks element by element whether it equals None or a word: as little as it equals a NaN.
    const Value nothing{std::nan("")};
    return invoke(find_forms(Library::numpy, Form::Kind::binary, op),
                  {{plain(a) ? nothing : a, plain(b) ? nothing : b}, {}}, at.span);
  }
  const auto is_text = [](const Value& value) { return std::holds_alternative<std::string>(value.held); };
  const bool ordered = op != "==" && op != "!=" && library_of(is_array(a) ? a : b) == Library::numpy;
  if (ordered && ((is_array(a) && is_text(b)) || (is_array(b) && is_text(a)))) {
    // A string leaves it to the array, which is then asked the other way round.
    const std::string_view turned = op == "<" ? ">" : op == "<=" ? ">=" : op == ">" ? "<" : "<=";
    return invoke(find_forms(Library::numpy, Form::Kind::binary, is_array(a) ? op : turned),
                  {{is_array(a) ? a : b, is_array(a) ? b : a}, {}}, at.span);
  }
  const auto unlike = [](const Value& array, const Value& other) {
    return tensor_of(array) && tensor_of(array)->library == Library::torch &&
           (std::holds_alternative<Sequence>(other.held) || std::holds_alternative<Dictionary>(other.held));
  };
  if (unlike(a, b) || unlike(b, a))
    return op == "==" || op == "!=" ? Result(Value{op == "!="}) : settle(python_order(op, a, b), at.span);
  const auto torch = [](const Value& value) { return tensor_of(value) && library_of(value) == Library::torch; };
  if ((op == "==" || op == "!=") && ((is_flat(a) && torch(b)) || (is_flat(b) && torch(a)))) return Value{op == "!="};
  if (is_flat(a) || is_flat(b))
    return invoke(find_forms(Library::numpy, Form::Kind::binary, op), {{a, b}, {}}, at.span);
  if ((is_array(a) || is_array(b)) && !plain(a) && !plain(b))
    return invoke(find_forms(library_of(a, b), Form::Kind::binary, op), {{a, b}, {}}, at.span);
  const bool own = is_dtype_object(a);
  if (own || is_dtype_object(b)) {
    // A dtype is compared with whatever names one: x.dtype == 'int64', == float. None is the one taken where none is
    // named. One is less than another where it can be cast to it.
    const auto named = [](const Value& value) {
      return std::holds_alternative<None>(value.held) ? DType::float64 : numpy_dtype(value);
    };
    if (const auto left = named(a), right = named(b); left && right) {
      if (left == right) return Value{op.ends_with('=') && op != "!="};
      if (op == "==" || op == "!=") return Value{op == "!="};
      const bool below = op.starts_with('<');
      return Value{can_cast(below ? *left : *right, below ? *right : *left, Casting::safe)};
    }
  }
  if (op == "==" || op == "!=") return Value{python_equal(a, b) == (op == "==")};
  return settle(python_order(op, a, b), at.span);
}

}  // namespace stridescope
