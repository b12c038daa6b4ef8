// copy.copy and copy.deepcopy: the latter makes values anew, each object once, so that what was one object is one
// again.
#include <map>

#include "ops/lent_memory.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/hooks.h"
#include "ops/python/interpreter.h"
#include "ops/python/set.h"

namespace stridescope {

/// What one call has copied, by what it was; and a copy on each storage that it made anew, by what that was.
struct Interpreter::Copies {
  std::map<const void*, Value> made;
  std::map<const Storage*, Value> storages;
};

/// Methods that were taken from an object, and dtypes of NumPy's: another object, which is equal.
static bool is_made_anew(const Value& value) {
  const auto* function = std::get_if<FunctionPtr>(&value.held);
  const auto* symbol = std::get_if<Symbol>(&value.held);
  return (function && (*function)->self) || (symbol && (symbol->self || symbol->path.starts_with("numpy.dtype.")));
}

/// What Python takes as it is.
static bool is_immutable(const Value& value) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  const bool fixed = sequence && (sequence->kind == Sequence::Kind::tuple || sequence->kind == Sequence::Kind::size ||
                                  sequence->kind == Sequence::Kind::range || sequence->kind == Sequence::Kind::bytes);
  const Set* const set = set_in(value);
  return fixed || (set && set->fixed) ||
         (!sequence && !object_of(value) && !is_partial(value) && !std::holds_alternative<TensorRef>(value.held) &&
          !std::holds_alternative<Dictionary>(value.held) && !std::holds_alternative<Facet>(value.held));
}

Interpreter::Result Interpreter::shallow_copy(const Value& value, const Expr& at) {
  const auto* tensor = std::get_if<TensorRef>(&value.held);
  const auto* sequence = std::get_if<Sequence>(&value.held);
  const auto* object = std::get_if<Object>(&value.held);
  may_grow_ = true;
  if (memory_kept(value)) return deep_copy(value, at);
  if (tensor) return copy_tensor(*tensor, "copy.copy", {}, at);
  if (is_immutable(value) && !is_made_anew(value)) return value;
  if (sequence && sequence->kind == Sequence::Kind::list) return list_of(*sequence->items);
  if (const Dictionary* dictionary = dictionary_in(value); dictionary && !object)
    return Value{Dictionary{std::make_shared<DictionaryItems>(*dictionary->items)}};
  if (set_in(value)) return settle(call_set("copy", value, {}), at.span);
  if (object && !object->from && !is_module_class(*object->type))
    return Value{Object{object->type, std::make_shared<DictionaryItems>(*object->attributes)}};
  return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
}

Interpreter::Result Interpreter::deep_copy(const Value& value, const Expr& at) {
  Copies copies;
  may_grow_ = true;
  return deep_copy(value, copies, at);
}

/// Of NumPy's arrays both are copies. A parameter's storage is packed anew, as its clone().
Interpreter::Result Interpreter::copy_tensor(const TensorRef& tensor, std::string_view function, const Value& memo,
                                             const Expr& at) {
  const Tensor& old = *tensor->tensor;
  const bool deep = function == "copy.deepcopy", torch = old.library == Library::torch;
  if (!torch)
    return invoke(find_forms(Library::numpy, Form::Kind::method, "copy"),
                  {{Value{tensor}, Value{std::string("K")}}, {}, {}, {}, {}}, at.span);
  const bool packs = deep && tensor->parameter;
  const auto forms = packs ? find_forms(Library::torch, Form::Kind::method, "clone")
                           : find_forms(Library::torch, Form::Kind::function, function);
  std::vector<Value> given{Value{tensor}};
  if (deep && !packs) given.push_back(memo);
  const Gradients mode = std::exchange(settings_.gradients, Gradients::ignored);
  const Result made = invoke(forms, {std::move(given), {}, {}, {}, {}}, at.span);
  settings_.gradients = mode;
  if (!made) return std::nullopt;
  const TensorRef& object = std::get<TensorRef>(made->held);
  Tensor changed = *object->tensor;
  changed.requires_grad = old.requires_grad;
  object->tensor = std::make_shared<const Tensor>(std::move(changed));
  object->parameter = tensor->parameter;
  if (deep && !packs && tensor->grad) {
    const Result grad = copy_tensor(tensor->grad, function, {}, at);
    if (!grad) return std::nullopt;
    object->grad = std::get<TensorRef>(grad->held);
  }
  return made;
}

Interpreter::Result Interpreter::deep_copy(const Value& value, Copies& copies, const Expr& at) {
  const auto* tensor = std::get_if<TensorRef>(&value.held);
  const auto* sequence = std::get_if<Sequence>(&value.held);
  const auto* object = std::get_if<Object>(&value.held);
  const Dictionary* const dictionary = dictionary_in(value);
  const bool foreign =
      (sequence && sequence->kind > Sequence::Kind::range && sequence->kind != Sequence::Kind::bytes) ||
      (!dictionary && std::holds_alternative<Dictionary>(value.held)) ||
      (object && (object->from || has_hooks(*object, numbering_))) || std::holds_alternative<Facet>(value.held) ||
      is_partial(value);
  if (foreign || is_made_anew(value)) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  const Set* const set = set_in(value);
  if (!tensor && !sequence && !object && !dictionary && !set) return value;
  const void* const identity = tensor ? tensor->get() : object_of(value);
  if (const auto known = copies.made.find(identity); identity && known != copies.made.end()) return known->second;
  Result made;
  if (tensor) {
    const Storage* const storage = (*tensor)->tensor->storage.get();
    const auto earlier = copies.storages.find(storage);
    made = copy_tensor(*tensor, "copy.deepcopy", earlier == copies.storages.end() ? Value{} : earlier->second, at);
    if (made && !(*tensor)->parameter) copies.storages.emplace(storage, *made);
  } else {
    std::vector<Value> parts;
    for (const Value& part :
         set ? items_in_order(*set->items) : std::vector(parts_of(value).begin(), parts_of(value).end())) {
      Result one = deep_copy(part, copies, at);
      if (!one) return std::nullopt;
      parts.push_back(std::move(*one));
    }
    if (set) {
      const Value anew = set_of(set->fixed);
      if (!settled(add_items(std::get<Set>(anew.held), list_of(std::move(parts))), at.span)) return std::nullopt;
      made = anew;
    } else if (sequence) {
      made = Value{Sequence{sequence->kind, std::make_shared<std::vector<Value>>(std::move(parts)), sequence->shown,
                            nullptr, sequence->type}};
    } else {
      const auto items = std::make_shared<DictionaryItems>(object ? *object->attributes : *dictionary->items);
      items->values = std::move(parts);
      made = object ? Value{Object{object->type, items}} : Value{Dictionary{items}};
    }
  }
  if (made && identity) copies.made.emplace(identity, *made);
  return made;
}

}  // namespace stridescope
