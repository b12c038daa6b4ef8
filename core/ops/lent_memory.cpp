#include "ops/lent_memory.h"

#include "ops/files.h"
#include "ops/python/classes.h"

namespace stridescope {

bool is_memory(const Value& value) {
  const auto* facet = std::get_if<Facet>(&value.held);
  return facet && facet->name == "data";
}

TensorPtr first_shown(const Value& value) {
  return is_memory(value) ? std::get<Facet>(value.held).tensor : first_tensor(value);
}

TensorPtr memory_seen(const Call& call, const Value& memory) {
  const TensorPtr& shown = std::get<Facet>(memory.held).tensor;
  return shown->object < 0 ? shown : call.object_of(*shown)->tensor;
}

TensorRef memory_kept(const Value& value) {
  const auto* object = std::get_if<Object>(&value.held);
  const Class* type = object && !object->from ? object->type.get() : nullptr;
  while (type && type->name != "builtins._Memory" && type->name != "builtins._Bytes" && type->name != "_io.BytesIO")
    type = type->base.get();
  const size_t place = type ? attribute_place(*object->attributes, "_memory") : SIZE_MAX;
  if (!type || place >= object->attributes->values.size()) return nullptr;
  const auto* kept = std::get_if<TensorRef>(&object->attributes->values[place].held);
  if (!kept) return nullptr;
  (*kept)->lender = object->type;
  (*kept)->lent_by = object->attributes;
  return *kept;
}

TensorPtr lent_memory(const Call& call, const Value& value) {
  if (is_memory(value)) return memory_seen(call, value);
  if (const TensorRef kept = memory_kept(value)) return bytes_of_file(value) ? nullptr : kept->tensor;
  const TensorPtr array = tensor_of(value);
  return array && array->library == Library::numpy ? array : nullptr;
}

Value as_lender(const Call& call, const TensorRef& array) {
  if (const Tensor& seen = *array->tensor; seen.is_view && !seen.base_tensor)
    if (auto bytes = call.bytes_in(*seen.storage)) return *std::move(bytes);
  if (auto attributes = array->lent_by.lock()) return {Object{array->lender, std::move(attributes)}};
  return {array};
}

}  // namespace stridescope
