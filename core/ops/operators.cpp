// Operators between values: Python's own where no array takes part, else rows of the table.
#include <algorithm>
#include <cmath>

#include "ops/dictionary.h"
#include "ops/interpreter.h"
#include "ops/members.h"
#include "ops/numpy/numpy.h"

namespace stridescope {
namespace {

/// The library of an operation between two values, one of which is an array.
Library library_of(const Value& a, const Value& b) {
  if (tensor_of(a)) return library_of(a);
  return library_of(is_array(b) ? b : a);
}

}  // namespace

Interpreter::Result Interpreter::eval_unary(const Expr& expr) {
  const Result operand = eval(*expr.children[0]);
  if (!operand) return std::nullopt;
  if (expr.text == "not") {
    const Result holds = settle(truth(*operand), expr.span);
    return holds ? Result(Value{!std::get<bool>(holds->held)}) : std::nullopt;
  }
  if (!is_array(*operand)) return settle(python_unary(expr.text, *operand), expr.span);
  return invoke(find_forms(library_of(*operand), Form::Kind::prefix, expr.text), {{*operand}, {}}, expr.span);
}

Interpreter::Result Interpreter::eval_binary(const Expr& expr) {
  const Result a = eval(*expr.children[0]);
  const Result b = a ? eval(*expr.children[1]) : std::nullopt;
  return b ? binary(expr.text, *a, *b, expr) : std::nullopt;
}

Interpreter::Result Interpreter::binary(std::string_view op, const Value& a, const Value& b, const Expr& at) {
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
  if (!is_array(a) && !is_array(b)) return settle(python_binary(op, a, b), at.span);
  // A sequence is repeated by NumPy's whole numbers, and by a tensor of one, as by Python's.
  const auto repeats = [](const Value& value, const Value& count) {
    const auto* scalar = std::get_if<NumpyScalar>(&count.held);
    const TensorPtr tensor = tensor_of(count);
    const bool one = scalar || (tensor && tensor->library == Library::torch && numel(tensor->layout.sizes) == 1);
    const DType dtype = scalar ? scalar->value.dtype : tensor ? tensor->dtype : DType::float32;
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
  return invoke(find_forms(library_of(a, b), Form::Kind::binary, op), {{a, b}, {}}, at.span);
}

Interpreter::Result Interpreter::eval_logic(const Expr& expr) {
  Result left = eval(*expr.children[0]);
  const Result holds = left ? settle(truth(*left), expr.children[0]->span) : std::nullopt;
  if (!holds) return std::nullopt;
  return std::get<bool>(holds->held) == (expr.text == "and") ? eval(*expr.children[1]) : left;
}

Interpreter::Result Interpreter::eval_compare(const Expr& expr) {
  Result left = eval(*expr.children[0]);
  Result result;
  for (size_t i = 0; left; ++i) {
    const Result right = eval(*expr.children[i + 1]);
    result = right ? compare(expr.operators[i], *left, *right, expr) : std::nullopt;
    if (!result || i + 1 == expr.operators.size()) return result;
    const Result holds = settle(truth(*result), expr.span);
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
    const bool alike = a.held.index() == b.held.index() && (lists  ? left->items == right->items
                                                            : both ? own_items->items == other_items->items
                                                                   : python_equal(a, b));
    const bool own = flags && (flags->name == "flags" || flags->name == "data");
    if (is_dtype_object(a) != is_dtype_object(b)) return Value{op == "is not"};
    return Value{(alike && (!own || flags->tensor == std::get<Facet>(b.held).tensor)) == (op == "is")};
  }
  if (op == "in" || op == "not in") {
    if (const TensorPtr tensor = tensor_of(b); tensor && !is_array(a)) {
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
    const auto items = items_of(b, at.span);
    if (!items && error_->raised && error_->reason.id == Msg::not_iterable)
      error_->raised->text = "argument of type '" + type_name(b) + "' is not iterable";
    if (!items) return std::nullopt;
    if (type_name(a) == "bytes" && type_name(b) == "bytes") {
      const auto& part = *std::get<Sequence>(a.held).items;
      const bool found = part.empty() || std::search(items->begin(), items->end(), part.begin(), part.end(),
                                                     python_equal) != items->end();
      return Value{found == (op == "in")};
    }
    for (const Value& item : *items) {
      const auto same = is_item(a, item, at);
      if (!same) return std::nullopt;
      if (*same) return Value{op == "in"};
    }
    return Value{op != "in"};
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
