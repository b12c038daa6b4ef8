// What is done to arrays whose elements are structures: fields seen and written, elements made of tuples.
#include "ops/numpy/structured.h"

#include <algorithm>

#include "layout/checked.h"
#include "ops/numpy/byte_order.h"
#include "ops/numpy/strings.h"
#include "ops/torch/torch.h"

namespace stridescope {

std::string names_text(const Structure& structure) {
  std::string text;
  for (const StructureField& field : structure.fields) {
    if (text.size() > 60) return text + ", …";
    text += (text.empty() ? "" : ", ") + field.name;
  }
  return text;
}

std::optional<std::vector<std::string>> field_list(const Value& key) {
  const auto* list = std::get_if<Sequence>(&key.held);
  if (!list || list->kind != Sequence::Kind::list || list->items->empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const Value& item : *list->items) {
    const auto* name = std::get_if<std::string>(&item.held);
    if (!name) return std::nullopt;
    names.push_back(*name);
  }
  return names;
}

std::string dtype_repr(const Tensor& array) {
  return array.structure ? repr(*array.structure) : "dtype('" + std::string(name(array.dtype)) + "')";
}

Tensor of_structure(StructurePtr structure) {
  Tensor like;
  like.library = Library::numpy;
  like.dtype = DType::structured;
  like.structure = std::move(structure);
  return like;
}

bool is_no_number(const Value& value) {
  const TensorPtr array = tensor_of(value);
  return array ? array->structure != nullptr : holds_strings(value);
}

Value refuse_elements(Call& call, const Structure& structure) {
  return call.refuse(structure.is_string() ? Msg::np_strings_not_modelled : Msg::np_structures_not_modelled,
                     {std::string(call.name())});
}

bool takes_structures(Call& call, std::span<const TensorPtr> inputs) {
  for (const TensorPtr& input : inputs) {
    if (!input->structure) continue;
    if (input->structure->is_swapped()) {
      if (call.form().op->library == Library::torch) return refuse_swapped(call, *input), false;
      continue;
    }
    const bool string = input->structure->is_string();
    const auto needed = string              ? Op::Structured::strings
                        : input->is_element ? Op::Structured::elements
                                            : Op::Structured::arrays;
    if (call.form().op->structured < needed) return refuse_elements(call, *input->structure), false;
  }
  return true;
}

namespace {

/// The part of `array` that a key names; `array` itself, and a failed call, where it has no such field.
std::optional<Tensor> part_of(Call& call, const Tensor& array, const Value& key) {
  if (!array.structure || !array.structure->has_fields()) return std::nullopt;
  const Structure& structure = *array.structure;
  const auto none = [&](const char* type, const Slots& text, const std::string& name) {
    call.about("key").fail(type, text, Msg::np_no_field, {name, names_text(structure)});
    return array;
  };
  if (const auto* name = std::get_if<std::string>(&key.held)) {
    const StructureField* field = structure.field(*name);
    if (!field) return none("ValueError", {"no field of name ", *name}, *name);
    if (array.layout.rank() + field->sizes.size() > max_rank)
      return call.about("key").fail("ValueError", "number of dimensions must be within [0, 64]", Msg::np_too_many_axes,
                                    {max_rank}),
             array;
    return seen_field(array, *field);
  }
  if (const auto names = field_list(key)) {
    for (size_t i = 0; i < names->size(); ++i) {
      const std::string& name = (*names)[i];
      if (!structure.field(name)) return none("KeyError", quoted(name), name);
      if (std::find(names->begin(), names->begin() + static_cast<std::ptrdiff_t>(i), name) !=
          names->begin() + static_cast<std::ptrdiff_t>(i))
        return none("ValueError", {"duplicate field of name ", quoted(name)}, name);
    }
    Tensor seen = array;
    seen.structure = std::make_shared<const Structure>(structure.only(*names));
    return seen;
  }
  if (!array.is_element) return std::nullopt;
  const auto index = as_index(key);
  const auto count = static_cast<int64_t>(structure.fields.size());
  if (!index || tensor_of(key))
    return call.about("key").refuse(Msg::np_structures_not_modelled, {"[" + to_string(key) + "]"}), array;
  const int64_t at = *index < 0 ? *index + count : *index;
  if (at >= 0 && at < count) return seen_field(array, structure.fields[static_cast<size_t>(at)]);
  return none("IndexError", {"invalid index (", at, ")"}, std::to_string(*index));
}

/// Whether it is what NumPy hands out as one of its scalars: a number, or a string, of one element.
bool is_one(const Tensor& array, const Tensor& part) {
  return array.is_element && part.layout.rank() == 0 &&
         (!part.structure || part.structure->is_string() || part.structure->is_swapped());
}

/// What the fields of `seen` are of each element of `array`.
void explain_part(Call& call, const Tensor& array, const Tensor& seen, const Value& key) {
  const int64_t whole = array.structure->itemsize;
  if (field_list(key))
    return call.why(Msg::np_fields_seen, {names_text(*seen.structure), whole, names_text(*array.structure)});
  const int64_t offset = seen.layout.storage_offset - array.layout.storage_offset;
  int64_t bytes = unit_of(seen);
  for (int d = array.layout.rank(); d < seen.layout.rank(); ++d) bytes *= seen.layout.sizes[d];
  call.why(Msg::np_field_seen, {to_string(key), offset, bytes, whole});
  if (const int more = seen.layout.rank() - array.layout.rank(); more > 0)
    call.why(Msg::np_field_axes, {to_string(key), more, to_string(seen.layout.strides)});
}

}  // namespace

std::optional<Value> read_fields(Call& call, const Tensor& array, const Value& key) {
  auto seen = part_of(call, array, key);
  if (!seen) return std::nullopt;
  if (call.failed()) return Value{};
  if (array.is_element) {  // which its views hold on to
    seen->base = array.object;
    seen->base_tensor = std::make_shared<const Tensor>(array);
  }
  const Value part = is_one(array, *seen) ? numpy_scalar(call, *seen) : numpy_view(call, *seen, seen->layout);
  explain_part(call, array, *seen, key);
  return part;
}

Value structured_element(Call& call, const Tensor& array) {
  if (array.structure->is_string()) return string_element(call, array);
  if (array.structure->is_swapped()) return numpy_scalar(call, native(array));
  Tensor one = array;
  one.is_element = true;
  const Value element = numpy_view(call, one, array.layout);
  if (array.structure->is_raw())
    call.why(Msg::np_raw_seen, {array.structure->itemsize});
  else
    call.why(Msg::np_element_seen, {array.structure->itemsize, names_text(*array.structure)});
  return element;
}

bool write_fields(Call& call, const Tensor& array, const Value& key, const Value& value) {
  const auto seen = part_of(call, array, key);
  if (!seen) return false;
  if (call.failed()) return true;
  if (is_one(array, *seen))
    numpy_store(call, *seen, value);
  else
    numpy_assign(call, *seen, value);
  if (!call.failed()) explain_part(call, array, *seen, key);
  return true;
}

bool copies_whole(const Tensor& target, const Tensor& source) {
  return target.structure && source.structure && same_structure(*target.structure, *source.structure) &&
         is_gapless(*target.structure);
}

TensorRef structures_for(Call& call, const StructurePtr& structure, const Value& value, bool by_fields) {
  const TensorRef source = tensor_of(value) ? as_array(call, value) : structured_array(call, structure, value);
  if (!source || copies_whole(of_structure(structure), *source->tensor)) return source;
  if (by_fields && source->tensor->structure && same_structure(*structure, *source->tensor->structure)) return source;
  if (structure->is_string()) return as_strings(call, *source->tensor, structure);
  if (structure->is_swapped()) return as_swapped(call, *source->tensor, structure);
  return call.refuse(Msg::np_structures_not_modelled, {"[..] = .."}), nullptr;
}

void store_structure(Call& call, const Tensor& target, const Value& value) {
  if (target.structure->is_swapped()) return write_swapped(call, target, value, numpy_store);
  if (target.structure->is_string()) {
    const TensorPtr array = tensor_of(value);
    if ((std::holds_alternative<Sequence>(value.held) && !is_bytes(value)) || (array && array->layout.rank() > 0))
      return void(
          call.fail("ValueError", "setting an array element with a sequence", Msg::not_a_number, {type_name(value)}));
    return assign_strings(call, target, value);
  }
  const auto* list = std::get_if<Sequence>(&value.held);
  if (!list || list->kind != Sequence::Kind::list) return assign_structures(call, target, value);
  if (target.layout.rank() > 0) return void(call.refuse(Msg::np_structure_value, {type_name(value)}));
  if (!numpy_writeable(call, target)) return;
  for (const StructureField& field : target.structure->fields) {
    if (call.failed()) return;
    if (field.sizes.empty())
      numpy_store(call, seen_field(target, field), value);
    else
      numpy_assign(call, seen_field(target, field), value);
  }
}

void assign_structures(Call& call, const Tensor& target, const Value& value) {
  if (target.structure->is_string()) return assign_strings(call, target, value);
  if (target.structure->is_swapped()) return write_swapped(call, target, value, numpy_assign);
  if (!numpy_writeable(call, target)) return;
  const auto& fields = target.structure->fields;
  ReadBefore before;
  const TensorRef source = tensor_of(value)
                               ? as_array(call, value)
                               : structured_array(call, target.structure, value, target.layout.rank(), &before);
  if (!source) return write_before(call, target, before);
  Tensor given = *source->tensor;
  if (copies_whole(target, given)) return numpy_assign(call, target, source, Casting::unsafe);
  if (target.structure->is_raw()) return void(refuse_elements(call, *target.structure));
  given.storage = std::make_shared<Storage>(*given.storage);  // as it is before any field is written
  if (given.structure && given.structure->fields.size() != fields.size())
    return void(call.refuse(Msg::np_structures_not_modelled, {"[..] = .."}));
  const auto fits = fitted(call, given.layout, target.layout.sizes);
  if (!fits) return;
  given.layout = *fits;
  const size_t said = call.said();
  for (size_t i = 0; i < fields.size() && !call.failed(); ++i) {
    Tensor part = given.structure ? seen_field(given, given.structure->fields[i]) : given;
    part.is_element = false;
    // What is one number there is all of an array here.
    const bool spreads = !given.structure || given.structure->fields[i].sizes.empty();
    for (int d = 0; spreads && d < fields[i].sizes.size() && !part.layout.sizes.full(); ++d)
      part.layout = insert_dim(part.layout, part.layout.rank(), 0);
    numpy_assign(call, seen_field(target, fields[i]), nameless(part), Casting::unsafe);
  }
  if (call.failed()) return;
  call.unsay(said);
  call.why(Msg::np_structures_written, {count_of(target), nbytes(target), names_text(*target.structure)});
  call.why(Msg::np_write_through,
           {to_string(target.layout.sizes), to_string(target.layout.strides), target.layout.storage_offset});
}

namespace {

Value as_tuple(Call& call, const Storage& storage, const Structure& structure, int64_t byte) {
  if (structure.is_swapped()) return call.number(read_swapped(*storage.contents, byte, structure.number));
  if (!structure.has_fields()) {
    auto text = string_at(*storage.contents, structure, byte);
    return text ? *std::move(text) : call.refuse(Msg::np_string_character);
  }
  std::vector<Value> items;
  for (const StructureField& field : structure.fields) {
    if (!field.sizes.empty()) return call.refuse(Msg::np_structures_not_modelled, {std::string(call.name())});
    const int64_t at = byte + field.offset;
    items.push_back(field.structure ? as_tuple(call, storage, *field.structure, at)
                                    : call.number(read(storage, *storage.contents, at, field.dtype)));
    if (call.failed()) return {};
  }
  return list_of(std::move(items), Sequence::Kind::tuple);
}

Value nested_tuples(Call& call, const Tensor& array, int dim, int64_t byte) {
  if (dim == array.layout.rank()) return as_tuple(call, *array.storage, *array.structure, byte);
  std::vector<Value> items;
  for (int64_t i = 0; i < array.layout.sizes[dim] && !call.failed(); ++i)
    items.push_back(nested_tuples(call, array, dim + 1, byte + i * array.layout.strides[dim]));
  return list_of(std::move(items));
}

}  // namespace

Value structures_as_tuples(Call& call, const Tensor& array) {
  if (!is_known(*array.storage->contents)) return call.refuse(Msg::values_unknown);
  std::optional<int64_t> lists = std::max<int64_t>(static_cast<int64_t>(array.structure->fields.size()), 1);
  for (const int64_t size : array.layout.sizes) lists = checked_mul(lists, std::max<int64_t>(size, 1));
  if (lists.value_or(max_listed + 1) > max_listed) return call.refuse(Msg::too_many_items, {max_listed});
  return nested_tuples(call, array, 0, array.layout.storage_offset);
}

}  // namespace stridescope
