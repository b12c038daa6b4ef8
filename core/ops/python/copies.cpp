// copy.deepcopy: values made anew, each object once, so that what was one object is one again.
#include <map>
#include <set>

#include "layout/contiguity.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"

namespace stridescope {

/// What one call has copied, by what it was; and the storages of tensors among that.
struct Interpreter::Copies {
  std::map<const void*, Value> made;
  std::set<const Storage*> storages;
};

Interpreter::Result Interpreter::deep_copy(const Value& value, const Expr& at) {
  Copies copies;
  may_grow_ = true;
  return deep_copy(value, copies, at);
}

/// A tensor that gradients end at, in a storage of its own. PyTorch copies the whole storage of one that is no
/// parameter, so of others than packed ones, and of several on one storage, this is no more than a limit.
Interpreter::Result Interpreter::copy_tensor(const TensorRef& tensor, Copies& copies, const Expr& at) {
  const Tensor& old = *tensor->tensor;
  const Layout& layout = old.layout;
  if (old.library == Library::torch && !old.is_leaf)
    return fail(python_error("RuntimeError",
                             "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol "
                             "at the moment.  If you were attempting to deepcopy a module, this may be because of a "
                             "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001",
                             Msg::leaf_in_place),
                at.span);
  const bool whole = old.storage_nbytes() == *numel(layout.sizes) * itemsize(old.dtype) &&
                     is_non_overlapping_and_dense(layout) && copies.storages.insert(old.storage.get()).second;
  if (old.library != Library::torch || old.inference || old.lens != Lens{} || (!tensor->parameter && !whole))
    return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  const Gradients mode = std::exchange(gradients_, Gradients::ignored);
  const Result made =
      invoke(find_forms(Library::torch, Form::Kind::method, "clone"), {{Value{tensor}}, {}, {}, {}, {}}, at.span);
  gradients_ = mode;
  if (!made) return std::nullopt;
  const TensorRef& object = std::get<TensorRef>(made->held);
  Tensor changed = *object->tensor;
  changed.requires_grad = old.requires_grad;
  object->tensor = std::make_shared<const Tensor>(std::move(changed));
  object->parameter = tensor->parameter;
  return made;
}

Interpreter::Result Interpreter::deep_copy(const Value& value, Copies& copies, const Expr& at) {
  const auto* tensor = std::get_if<TensorRef>(&value.held);
  const auto* sequence = std::get_if<Sequence>(&value.held);
  const auto* object = std::get_if<Object>(&value.held);
  const Dictionary* const dictionary = dictionary_in(value);
  const bool foreign =
      (sequence && sequence->kind > Sequence::Kind::range && sequence->kind != Sequence::Kind::bytes) ||
      (!dictionary && std::holds_alternative<Dictionary>(value.held)) || (object && object->from) ||
      std::holds_alternative<Facet>(value.held);
  const auto* function = std::get_if<FunctionPtr>(&value.held);
  const auto* symbol = std::get_if<Symbol>(&value.held);
  if (foreign || (function && (*function)->self) || (symbol && symbol->self))
    return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (!tensor && !sequence && !object && !dictionary) return value;
  const void* const identity = tensor ? tensor->get() : object_of(value);
  if (const auto known = copies.made.find(identity); identity && known != copies.made.end()) return known->second;
  Result made;
  if (tensor) {
    made = copy_tensor(*tensor, copies, at);
  } else {
    std::vector<Value> parts;
    for (const Value& part : parts_of(value)) {
      Result one = deep_copy(part, copies, at);
      if (!one) return std::nullopt;
      parts.push_back(std::move(*one));
    }
    if (sequence) {
      made = Value{Sequence{sequence->kind, std::make_shared<std::vector<Value>>(std::move(parts)), sequence->shown}};
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
