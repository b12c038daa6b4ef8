// Statements like x += 1: what is changed in place, and what a name is bound to anew.
#include "ops/members.h"
#include "ops/names.h"
#include "ops/numpy/numpy.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"
#include "ops/python/set.h"

namespace stridescope {

/// x @= y of NumPy's: the product is written into x.  Source: array_inplace_matrix_multiply in numpy/_core/src
Interpreter::Result Interpreter::multiply_in_place(const Value& target, const Value& operand, const Expr& at) {
  const Tensor array = *tensor_of(target);
  const auto refused = [&](const char* type, const Slots& text, Message reason) {
    return fail(python_error(type, text, std::move(reason)), at.span);
  };
  if (!array.writeable) return refused("ValueError", "output array is read-only", {Msg::np_read_only_memory});
  const Result product = binary("@", target, operand, at);
  const TensorPtr other = tensor_of(operand), made = product ? tensor_of(*product) : nullptr;
  const bool no_loop = !product && error_->raised && error_->reason.id == Msg::not_defined_for;
  if (other && other->layout.rank() == 1 && array.layout.rank() > 0 && !no_loop)
    return refused("ValueError",
                   "inplace matrix multiplication requires the first operand to have at least one and the second at "
                   "least two dimensions.",
                   {Msg::np_too_few_axes, {1, 2}});
  // What is written is an operand, too, that must have the axes of the others.
  if (const size_t asked = !product && error_->raised && error_->reason.id == Msg::np_cannot_broadcast
                               ? error_->raised->text.find(" and requested shape")
                               : std::string::npos;
      asked != std::string::npos) {
    const std::string own = shape_text(array.layout.sizes);
    error_->raised->text.insert(asked, own + "->" + own + " ");
  }
  if (!product) return product;
  if (!made) return fail(limit(Msg::not_modelled, {"NumPy", title(at.span)}), at.span);
  if (!can_cast(made->dtype, array.numbers(), Casting::same_kind))
    return refused("UFuncTypeError",
                   {"Cannot cast ufunc 'matmul' output from dtype('", name(made->dtype), "') to dtype('",
                    dtype_text(array), "') with casting rule 'same_kind'"},
                   {Msg::np_cannot_cast, {name(made->dtype), dtype_text(array)}});
  if (made->layout.rank() == array.layout.rank() && made->layout.sizes != array.layout.sizes &&
      made->layout.sizes.back() != array.layout.sizes.back())
    return refused("ValueError",
                   {"matmul: Output operand 0 has a mismatch in its core dimension ", array.layout.rank() > 1 ? 1 : 0,
                    ", with gufunc signature (n?,k),(k,m?)->(n?,m?) (size ", array.layout.sizes.back(),
                    " is different from ", made->layout.sizes.back(), ")"},
                   {Msg::last_sizes_differ, {to_string(array.layout.sizes), to_string(made->layout.sizes)}});
  if (made->layout.rank() > array.layout.rank())
    return refused("ValueError",
                   "output operand requires a reduction along dimension -1, but the reduction is not enabled. The "
                   "dimension size of 1 does not match the expected output shape.",
                   {Msg::last_sizes_differ, {to_string(array.layout.sizes), to_string(made->layout.sizes)}});
  if (made->layout.sizes != array.layout.sizes)
    return fail(limit(Msg::not_modelled, {"NumPy", title(at.span)}), at.span);
  const Result done = invoke(find_forms(Library::numpy, Form::Kind::store, "[]"),
                             {{target, Value{Ellipsis{}}, *product}, {}, {}, {}}, at.span);
  return done ? Result(target) : std::nullopt;
}

Interpreter::Result Interpreter::augment(const Statement& statement) {
  const Expr& target = *statement.targets[0];
  const bool part = target.kind == Expr::Kind::subscript;
  // x[key] += v reads, changes and writes back; key and owner are evaluated once.
  const Result owner = part ? eval(*target.children[0]) : Value{};
  const Result key = owner && part ? eval(*target.children[1]) : owner;
  const Result old = !key ? std::nullopt : part ? subscript(*owner, *key, target, *target.children[1]) : eval(target);
  const Result operand = old ? eval(*statement.value) : std::nullopt;
  if (!operand) return std::nullopt;
  Expr at;
  at.span = statement.span;
  if (const std::string name = special_in_place(statement.text); has_special(*old, name)) {
    const Result changed = special(*old, name, {*operand}, at);
    if (!changed || !assign(target, *changed)) return std::nullopt;
    if (target.kind == Expr::Kind::name) step_->targets.push_back(target.text);
    step_->value = frozen(*changed);
    return changed;
  }
  if (dictionary_in(*old) && statement.text == "|") return update(*old, *operand, statement.span);
  const Set* const set = set_in(*old);
  if (set && !set->fixed && set_in(*operand) && is_set_operator(statement.text)) {
    if (!settled(change_set(statement.text, *set, *operand), statement.span) || !assign(target, *old))
      return std::nullopt;
    if (target.kind == Expr::Kind::name) step_->targets.push_back(target.text);
    step_->value = frozen(*old);
    return old;
  }
  // A tensor and an array have nothing in place of each other: the name is bound to what the operator gives.
  const bool mixed = tensor_of(*old) && tensor_of(*operand) && library_of(*old) != library_of(*operand);
  const auto in_place = tensor_of(*old) && !mixed ? find_forms(library_of(*old), Form::Kind::in_place, statement.text)
                                                  : std::span<const Form* const>();
  const bool grows = statement.text == "+" || (statement.text == "*" && as_integer(*operand));
  const bool items = !is_array(*operand) || (statement.text == "+" && is_of_torch(*operand));
  if (type_name(*old) == "list" && grows && items) {
    if (!augment_list(*old, statement.text, *operand, statement.span) || !assign(target, *old)) return std::nullopt;
    if (target.kind == Expr::Kind::name) step_->targets.push_back(target.text);
    step_->value = frozen(*old);
    return old;
  }
  if (const TensorPtr array = tensor_of(*old);
      array && array->library == Library::numpy && statement.text == "@" && !mixed)
    return multiply_in_place(*old, *operand, at);
  const Result result = in_place.empty() ? binary(statement.text, *old, *operand, at)
                                         : invoke(in_place, {{*old, *operand}, {}}, statement.span);
  if (result && in_place.empty() && !bounded(*result, statement.span)) return std::nullopt;
  if (!result && error_->raised) {
    // The words name the operator as it is written.
    std::string& text = error_->raised->text;
    const std::string op = statement.text + (statement.text == "**" ? " or pow()" : ""),
                      words = "unsupported operand type(s) for ";
    if (text.starts_with(words + op + ":")) text.replace(words.size(), op.size(), statement.text + "=");
  }
  if (!result) return std::nullopt;
  if (part && is_array(*owner))
    return invoke(
        find_forms(library_of(*owner), Form::Kind::store, "[]"),
        {{*owner, *key, *result}, {}, {}, {written(*target.children[0]), written(*target.children[1]), assigned_}},
        target.span);
  if (const Dictionary* dictionary = part ? dictionary_in(*owner) : nullptr) {
    auto problem = store(*dictionary, *key, *result);
    return problem ? fail(*std::move(problem), target.span) : result;
  }
  if (!assign(target, *result)) return std::nullopt;
  // A name that is bound anew; what becomes of a tensor is told as what changed.
  if (!tensor_of(*old) && target.kind == Expr::Kind::name) {
    step_->targets.push_back(target.text);
    step_->value = frozen(*result);
  }
  return result;
}

}  // namespace stridescope
