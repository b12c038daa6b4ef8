// Comparisons: `is`, `in`, and the six that order. Python's own where no array takes part, else rows of the table.
#include <algorithm>
#include <cmath>

#include "ops/members.h"
#include "ops/numpy/byte_order.h"
#include "ops/numpy/strings.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/generators.h"
#include "ops/python/interpreter.h"
#include "ops/python/set.h"

namespace stridescope {
namespace {

bool asks_equal(std::string_view op) { return op == "==" || op == "!="; }

/// As Python compares what is no array.
Outcome python_compare(std::string_view op, const Value& a, const Value& b) {
  return asks_equal(op) ? Outcome(Value{python_equal(a, b) == (op == "==")}) : python_order(op, a, b);
}

/// Whether an object is in it, as one of many, whose class says what it equals.
bool holds_equal(const Value& value) {
  const auto parts = std::holds_alternative<Object>(value.held) ? std::span<const Value>() : parts_of(value);
  return std::any_of(parts.begin(), parts.end(),
                     [](const Value& part) { return compares_itself(part) || holds_equal(part); });
}

/// Whether Python compares both item by item, and an item is a tensor.
bool are_lists_of_tensors(const Value& a, const Value& b) {
  const auto *left = std::get_if<Sequence>(&a.held), *right = std::get_if<Sequence>(&b.held);
  return left && right && (first_tensor(a) || first_tensor(b)) &&
         (left->kind == right->kind || (is_tuple(left->kind) && is_tuple(right->kind))) &&
         left->kind < Sequence::Kind::range;
}

/// None or a word, which an array compares with each of its elements.
bool is_plain(const Value& value) {
  return std::holds_alternative<None>(value.held) || std::holds_alternative<std::string>(value.held);
}

/// Whether NumPy asks element by element whether it equals `other`, None or a word.
bool asks_each(const Value& array, const Value& other) {
  return is_plain(other) &&
         (is_flat(array) || (is_of(array, Library::numpy) &&
                             (tensor_of(array)->layout.rank() > 0 || std::holds_alternative<None>(other.held))));
}

/// A view of a dictionary's, or a dictionary of tensors: views are compared as sets, of tensors `==` asks for a truth.
bool is_left_out(const Value& value) {
  return std::holds_alternative<Dictionary>(value.held) && (!dictionary_in(value) || first_tensor(value));
}

/// Whether they are one object, as far as values tell: what is made anew whenever it is asked for is none.
bool are_same(const Value& a, const Value& b) {
  if (is_dtype_object(a) != is_dtype_object(b) || a.held.index() != b.held.index()) return false;
  if (const auto* facet = std::get_if<Facet>(&a.held);
      facet && (facet->name == "flags" || facet->name == "data") && facet->tensor != std::get<Facet>(b.held).tensor)
    return false;
  if (const auto* scalar = std::get_if<NumpyScalar>(&a.held);
      scalar && scalar->dtype() != std::get<NumpyScalar>(b.held).dtype())
    return false;
  const auto *own = dictionary_in(a), *other = dictionary_in(b);
  if (own && other) return own->items == other->items;
  if (const Set* one = set_in(a), *same = set_in(b); one && same) return one->items == same->items;
  const auto *left = std::get_if<Sequence>(&a.held), *right = std::get_if<Sequence>(&b.held);
  if (left && (left->kind != right->kind || left->kind == Sequence::Kind::list || left->kind == Sequence::Kind::size))
    return left->kind == right->kind && left->items == right->items;
  return python_equal(a, b);
}

/// A dtype compared with whatever names one: x.dtype == 'int64', == float. None is the one taken where none is named.
/// One is less than another where it can be cast to it. Nothing where one of them names none.
std::optional<bool> compare_dtypes(std::string_view op, const Value& a, const Value& b) {
  const auto named = [](const Value& value) {
    return std::holds_alternative<None>(value.held) ? DType::float64 : numpy_dtype(value);
  };
  if (const StructurePtr one = read_structure(a).structure, other = read_structure(b).structure;
      (one || other) && asks_equal(op))
    return (one && other && same_structure(*one, *other)) == (op == "==");
  const auto left = named(a), right = named(b);
  if (!left || !right) return std::nullopt;
  if (left == right) return op.ends_with('=') && op != "!=";
  if (asks_equal(op)) return op == "!=";
  const bool below = op.starts_with('<');
  return can_cast(below ? *left : *right, below ? *right : *left, Casting::safe);
}

}  // namespace

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
  const auto answer = [](std::optional<bool> holds, bool wanted) {
    return holds ? Result(Value{*holds == wanted}) : std::nullopt;
  };
  if (op == "is" || op == "is not") return compare_is(op, a, b, at);
  if (op == "in" || op == "not in") return answer(contains(op, b, a, at), op == "in");
  if (!is_of(a, Library::numpy))
    if (auto own = special_binary(op, a, b, at)) return *std::move(own);
  if (holds_equal(a) || holds_equal(b)) return compare_not_modelled(op, a, b, at);
  if (are_mixed(a, b)) return compare_mixed(op, a, b, at);
  if (asks_equal(op) && are_lists_of_tensors(a, b))
    return answer(are_items_equal(std::get<Sequence>(a.held), std::get<Sequence>(b.held), at), op == "==");
  if (is_set_like(a) && is_set_like(b))
    if (const auto compared = compare_sets(op, a, b)) return Value{*compared};
  if (a.held.index() == b.held.index() && is_left_out(a) && is_left_out(b)) return compare_not_modelled(op, a, b, at);
  if (is_array(a) || is_array(b) || is_flat(a) || is_flat(b)) return compare_arrays(op, a, b, at);
  if (is_dtype(a) || is_dtype(b)) {
    if (const auto holds = compare_dtypes(op, a, b)) return Value{*holds};
    if (read_structure(a).structure || read_structure(b).structure) return compare_not_modelled(op, a, b, at);
  }
  return settle(python_compare(op, a, b), at.span);
}

Interpreter::Result Interpreter::compare_not_modelled(std::string_view op, const Value& a, const Value& b,
                                                      const Expr& at) {
  return fail(limit(Msg::not_modelled, {"Python", type_name(a) + " " + std::string(op) + " " + type_name(b)}), at.span);
}

Interpreter::Result Interpreter::compare_is(std::string_view op, const Value& a, const Value& b, const Expr& at) {
  if (!device_name(a).empty() && device_name(a) == device_name(b))
    return fail(limit(Msg::not_modelled, {"Python", "device " + std::string(op) + " device"}), at.span);
  const bool same = are_same(a, b);
  if (a.of_numpy || b.of_numpy) return compare_not_modelled(op, a, b, at);
  // Whether two equal scalars are one is not kept, but of truth values, of which there are two; nor whether Python
  // makes a tuple that is written twice once.
  const auto* scalar = std::get_if<NumpyScalar>(&a.held);
  const auto *left = std::get_if<Sequence>(&a.held), *right = std::get_if<Sequence>(&b.held);
  if (same &&
      ((scalar && scalar->dtype() != DType::boolean) || (left && left->items != right->items && !left->items->empty())))
    return compare_not_modelled(op, a, b, at);
  return Value{same == (op == "is")};
}

Interpreter::Result Interpreter::compare_mixed(std::string_view op, const Value& a, const Value& b, const Expr& at) {
  // An array does not compare itself with a tensor; with `==` a tensor takes one, `!=` is left to Python.
  const bool torch_first = is_of(a, Library::torch);
  if (op == "==")
    return invoke(find_forms(Library::torch, Form::Kind::binary, op), {{torch_first ? a : b, torch_first ? b : a}, {}},
                  at.span);
  if (op == "!=") return Value{true};
  return fail(python_error("TypeError",
                           {"'", op, "' not supported between instances of '", attribute_type(a), "' and '",
                            attribute_type(b), "'"},
                           Msg::operands_do_not_fit, {op, type_name(a), type_name(b)}),
              at.span);
}

std::optional<bool> Interpreter::are_items_equal(const Sequence& left, const Sequence& right, const Expr& at) {
  const bool alike = left.items->size() == right.items->size();
  if (!alike && left.kind == Sequence::Kind::list) return false;
  for (size_t i = 0; i < std::min(left.items->size(), right.items->size()); ++i) {
    const auto same = is_item((*right.items)[i], (*left.items)[i], at);
    if (!same || !*same) return same;
  }
  return alike;
}

Interpreter::Result Interpreter::compare_arrays(std::string_view op, const Value& a, const Value& b, const Expr& at) {
  const auto has_structure = [](const Value& value) {
    const TensorPtr tensor = tensor_of(value);
    return tensor && tensor->structure && !tensor->structure->is_swapped();
  };
  if (has_structure(a) || has_structure(b))
    return invoke(find_forms(Library::numpy, Form::Kind::binary, op), {{a, b}, {}}, at.span);
  const bool flat = is_flat(a) || is_flat(b);
  if (asks_equal(op) && (asks_each(a, b) || asks_each(b, a))) {
    // None and words equal an element as little as a NaN does.
    const Value nothing{std::nan("")};
    return invoke(find_forms(Library::numpy, Form::Kind::binary, op),
                  {{is_plain(a) ? nothing : a, is_plain(b) ? nothing : b}, {}}, at.span);
  }
  const auto is_text = [](const Value& value) { return std::holds_alternative<std::string>(value.held); };
  if (!asks_equal(op) && library_of(is_array(a) ? a : b) == Library::numpy &&
      ((is_array(a) && is_text(b)) || (is_array(b) && is_text(a)))) {
    // A string leaves it to the array, which is then asked the other way round.
    const std::string_view turned = op == "<" ? ">" : op == "<=" ? ">=" : op == ">" ? "<" : "<=";
    return invoke(find_forms(Library::numpy, Form::Kind::binary, is_array(a) ? op : turned),
                  {{is_array(a) ? a : b, is_array(a) ? b : a}, {}}, at.span);
  }
  const auto unlike = [](const Value& array, const Value& other) {
    return is_of(array, Library::torch) && (std::holds_alternative<Sequence>(other.held) ||
                                            std::holds_alternative<Dictionary>(other.held) || set_in(other));
  };
  if (unlike(a, b) || unlike(b, a))
    return asks_equal(op) ? Result(Value{op == "!="}) : settle(python_order(op, a, b), at.span);
  if (asks_equal(op) && flat && (is_of(a, Library::torch) || is_of(b, Library::torch))) return Value{op == "!="};
  if (flat) return invoke(find_forms(Library::numpy, Form::Kind::binary, op), {{a, b}, {}}, at.span);
  if (!is_plain(a) && !is_plain(b))
    return invoke(find_forms(library_of(a, b), Form::Kind::binary, op), {{a, b}, {}}, at.span);
  return settle(python_compare(op, a, b), at.span);
}

std::optional<bool> Interpreter::contains(std::string_view op, const Value& whole, const Value& part, const Expr& at) {
  const auto truth_in = [](const Result& holds) {
    return holds ? std::optional(std::get<bool>(holds->held)) : std::nullopt;
  };
  if (has_special(whole, "__contains__")) {
    const Result found = special(whole, "__contains__", {part}, at);
    return truth_in(found ? truth_of(*found, at) : std::nullopt);
  }
  if (tensor_of(whole)) return array_contains(whole, part, at);
  if (const auto* text = std::get_if<std::string>(&whole.held)) {
    if (const auto* word = std::get_if<std::string>(&part.held)) return text->find(*word) != std::string::npos;
    fail(python_error("TypeError", {"'in <string>' requires string as left operand, not ", type_name(part)},
                      Msg::operands_do_not_fit, {op, type_name(part), "str"}),
         at.span);
    return std::nullopt;
  }
  if (const auto* dictionary = std::get_if<Dictionary>(&whole.held);
      dictionary && (dictionary_in(whole) || dictionary->view == Dictionary::View::keys)) {
    KeyMark mark = key_mark(part);
    if (!mark.problem) return key_place(*dictionary, mark.text) < dictionary->items->marks.size();
    fail(*std::move(mark.problem), at.span);
    return std::nullopt;
  }
  if (const Set* set = set_in(whole)) {
    const Result found = settle(has_item(*set, part), at.span);
    return found ? std::optional(std::get<bool>(found->held)) : std::nullopt;
  }
  return items_contain(op, whole, part, at);
}

/// (array == part).any()
std::optional<bool> Interpreter::array_contains(const Value& array, const Value& part, const Expr& at) {
  const TensorPtr tensor = tensor_of(array);
  const bool torch = tensor->library == Library::torch;
  const bool number = std::holds_alternative<NumpyScalar>(part.held) || (!tensor_of(part) && as_real(part)) ||
                      std::holds_alternative<ComplexFloat>(part.held);
  if (torch && !is_of(part, Library::torch) && !number) {
    fail(python_error("RuntimeError",
                      {"Tensor.__contains__ only supports Tensor or scalar, but you passed in a <class '",
                       attribute_type(part), "'>."},
                      Msg::torch_contains, {type_name(part)}),
         at.span);
    return std::nullopt;
  }
  if (is_array(part) || std::holds_alternative<Sequence>(part.held) || is_string_array(array)) {
    const Result equal = torch ? compare("==", part, array, at) : compare("==", array, part, at);
    const Result any = equal && tensor_of(*equal)
                           ? invoke(find_forms(library_of(*equal), Form::Kind::method, "any"), {{*equal}, {}}, at.span)
                           : equal;
    const Result found = any ? settle(truth(*any), at.span) : std::nullopt;
    return found ? std::optional(std::get<bool>(found->held)) : std::nullopt;
  }
  const auto count = numel(tensor->layout.sizes);
  if (*count > max_iterations) {
    fail(limit(Msg::too_many_iterations, {max_iterations}), at.span);
    return std::nullopt;
  }
  const Tensor numbers = native(*tensor);
  if (numbers.structure) return fail(limit(Msg::np_structures_not_modelled, {"in"}), at.span), std::nullopt;
  const auto wanted = as_real(part);
  bool found = false;
  for (int64_t i = 0; wanted && i < *count; ++i) found = found || as_real(element(elements_of(numbers), i)) == *wanted;
  return found;
}

std::optional<bool> Interpreter::items_contain(std::string_view op, const Value& whole, const Value& part,
                                               const Expr& at) {
  const auto* walked = std::get_if<Sequence>(&whole.held);
  const bool iterator = walked && is_iterator(walked->kind), bytes = is_bytes(whole);
  if (source_of(whole)) {
    Value item;
    for (Next answer; (answer = next_item(whole, at.span, item)) != Next::none;) {
      const auto same = answer == Next::failure ? std::nullopt : is_item(part, item, at);
      if (!same || *same) return same;
    }
    return false;
  }
  const auto items = iterator ? python_items(whole) : items_of(whole, at.span);
  if (!items && error_->raised && error_->reason.id == Msg::not_iterable)
    error_->raised->text = "argument of type '" + type_name(whole) + "' is not iterable";
  if (!items) return std::nullopt;
  if (bytes && is_bytes(part)) {
    const auto& wanted = *std::get<Sequence>(part.held).items;
    return wanted.empty() ||
           std::search(items->begin(), items->end(), wanted.begin(), wanted.end(), python_equal) != items->end();
  }
  if (bytes && !is_array(part)) {
    const auto byte = as_integer(part);
    if (!byte || *byte < 0 || *byte > 255) {
      const std::string text = byte ? "byte must be in range(0, 256)"
                                    : "a bytes-like object is required, not '" + attribute_type(part) + "'";
      fail(byte ? python_error("ValueError", text, Msg::number_overflows, {*byte, "uint8"})
                : python_error("TypeError", text, Msg::operands_do_not_fit, {op, type_name(part), "bytes"}),
           at.span);
      return std::nullopt;
    }
  }
  for (const Value& item : *items) {
    const auto same = is_item(part, item, at);
    use_up(whole, 1);
    if (!same || *same) return same;
  }
  return false;
}

}  // namespace stridescope
