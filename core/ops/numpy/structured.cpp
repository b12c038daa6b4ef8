// What is done to arrays whose elements are structures: fields seen and written, elements made of tuples.
#include "ops/numpy/structured.h"

#include <algorithm>

#include "layout/checked.h"
#include "layout/lookup.h"
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
    if (const int rank = array.layout.rank() + field->sizes.size(); rank > max_rank)
      return too_many_axes(call, rank), array;
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
  return array.is_element && part.layout.rank() == 0 && (!part.structure || part.structure->is_string());
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

namespace {

/// The bytes of elements, made from values of Python's.
class Encoder {
 public:
  explicit Encoder(Call& call) : call_(call) {}

  std::vector<Scalar> bytes;
  bool known = true;

  /// What is there of elements in arrays of those sizes.
  ReadBefore before(const Dims& sizes, int64_t itemsize) const {
    ReadBefore before{sizes, {}};
    for (size_t i = 0; known && i < bytes.size(); ++i)
      if (const auto at = static_cast<int64_t>(i); written_[i])
        before.cells.push_back({at / itemsize, at % itemsize, bytes[i]});
    return before;
  }

  /// Nested lists, down to `sizes.size()` deep.
  void lists(const Structure& structure, const Value& value, const Dims& sizes, int depth) {
    if (call_.failed()) return;
    const auto* list = std::get_if<Sequence>(&value.held);
    const bool nested = list && list->kind == Sequence::Kind::list;
    if (depth == sizes.size()) {
      const TensorPtr array = tensor_of(value);
      if (nested || (array && !array->is_element && array->layout.rank() > 0))
        return void(call_.refuse(Msg::np_structure_value, {type_name(value)}));
      const size_t at = bytes.size();
      bytes.resize(at + static_cast<size_t>(structure.itemsize), {DType::uint8});
      written_.resize(bytes.size(), false);
      return element(structure, value, at);
    }
    if (!nested || static_cast<int64_t>(list->items->size()) != sizes[depth])
      return void(call_.refuse(Msg::np_structure_value, {type_name(value)}));
    for (const Value& item : *list->items) lists(structure, item, sizes, depth + 1);
  }

 private:
  void element(const Structure& structure, const Value& value, size_t at) {
    if (const TensorPtr one = tensor_of(value); structure.is_raw() && !(one && one->structure) && !is_bytes(value))
      return void(call_.fail_parser({"a bytes-like object is required, not '", type_name(value), "'"},
                                    Msg::argument_has_type, {"value", "bytes", type_name(value)}));
    if (structure.is_string() || (structure.is_raw() && is_bytes(value))) return string(structure, value, at);
    const auto* tuple = std::get_if<Sequence>(&value.held);
    if (tuple && !is_tuple(tuple->kind)) return void(call_.refuse(Msg::np_structure_value, {type_name(value)}));
    const auto count = static_cast<int64_t>(structure.fields.size());
    if (tuple && static_cast<int64_t>(tuple->items->size()) != count) {
      call_.fail("ValueError",
                 {"could not assign tuple of length ", tuple->items->size(), " to structure with ", count, " fields."},
                 Msg::np_structure_count, {tuple->items->size(), count, names_text(structure)});
      return;
    }
    if (const TensorPtr one = tensor_of(value); one && one->structure) return copied(structure, *one, at);
    for (size_t i = 0; i < structure.fields.size() && !call_.failed(); ++i) {
      const StructureField& field = structure.fields[i];
      part(field, tuple ? (*tuple->items)[i] : value, at + static_cast<size_t>(field.offset));
    }
  }

  void string(const Structure& structure, const Value& value, size_t at) {
    const std::vector<Scalar> made = string_bytes(call_, structure, value);
    for (size_t i = 0; i < made.size(); ++i) place(at + i, made[i]);
  }

  /// An element of another array.
  void copied(const Structure& structure, const Tensor& one, size_t at) {
    if (!one.is_element || !same_structure(structure, *one.structure) || !is_known(*one.storage->contents))
      return void(call_.refuse(Msg::np_structure_value, {type_name({nameless(one)})}));
    for (int64_t i = 0; i < structure.itemsize; ++i)
      place(at + static_cast<size_t>(i),
            read(*one.storage, *one.storage->contents, one.layout.storage_offset + i, DType::uint8));
  }

  void part(const StructureField& field, const Value& value, size_t at) {
    if (field.structure && field.sizes.empty()) return element(*field.structure, value, at);
    if (field.structure) return parts(field, value, 0, lists_in(value), at);
    if (field.sizes.empty()) return number(field.dtype, value, at);
    const TensorRef array = as_array(call_, value, has_dtype(value) ? std::nullopt : std::optional(field.dtype));
    if (!array) return;
    if (!is_expandable(array->tensor->layout, field.sizes)) {
      const std::string from = shape_text(array->tensor->layout.sizes), into = shape_text(field.sizes);
      call_.fail("ValueError", {"could not broadcast input array from shape ", from, " into shape ", into},
                 Msg::np_cannot_broadcast_into, {from, into});
      return;
    }
    const Elements elements = broadcast_elements(*array->tensor, field.sizes);
    if (!call_.few(elements, *numel(field.sizes))) return;
    for (int64_t i = 0; i < *numel(field.sizes); ++i)
      put(converted(stridescope::element(elements, i), field.dtype), at + static_cast<size_t>(i * field.unit()));
  }

  static const Sequence* list_in(const Value& value) {
    const auto* list = std::get_if<Sequence>(&value.held);
    return list && list->kind == Sequence::Kind::list ? list : nullptr;
  }
  /// How deep its first items are nested.
  static int lists_in(const Value& value) {
    const Sequence* list = list_in(value);
    return !list ? 0 : 1 + (list->items->empty() ? 0 : lists_in(list->items->front()));
  }

  /// An array of structures from dimension `d` on. Lists, `deep` ones, are broadcast to it.
  void parts(const StructureField& field, const Value& value, int d, int deep, size_t at) {
    const int left = field.sizes.size() - d;
    if (left == 0 && deep == 0) return element(*field.structure, value, at);
    const Sequence* list = deep == left ? list_in(value) : nullptr;
    const auto size = static_cast<size_t>(left > 0 ? field.sizes[d] : 0);
    if (deep > left || (deep == left && (!list || (list->items->size() != size && list->items->size() != 1))))
      return void(call_.refuse(Msg::np_structure_value, {type_name(value)}));
    const auto stride = static_cast<size_t>(contiguous(field.sizes, field.unit()).strides[d]);
    for (size_t i = 0; i < size && !call_.failed(); ++i)
      parts(field, list ? (*list->items)[list->items->size() == 1 ? 0 : i] : value, d + 1, list ? deep - 1 : deep,
            at + i * stride);
  }

  void number(DType dtype, const Value& value, size_t at) {
    if (is_unknown(value)) return void(known = false);
    if (const auto* scalar = std::get_if<NumpyScalar>(&value.held))
      return put(stored_scalar(call_, scalar->value(), dtype), at);
    if (!tensor_of(value) && (as_real(value) || std::holds_alternative<ComplexFloat>(value.held)))
      return put(stored_scalar(call_, value, dtype), at);
    if (std::holds_alternative<Sequence>(value.held)) {
      if (dtype == DType::boolean) return put({dtype, parts_of(value).empty() ? 0 : 1}, at);
      Tensor place;
      place.dtype = dtype;
      return numpy_store(call_, place, value);  // which is refused
    }
    const TensorRef array = as_array(call_, value, tensor_of(value) ? std::nullopt : std::optional(dtype));
    if (!array) return;
    const Elements elements = elements_of(*array->tensor);
    if (count_of(*array->tensor) != 1) {
      call_.fail("ValueError", "setting an array element with a sequence.", Msg::np_element_with_sequence,
                 {to_string(elements.layout.sizes)});
    } else if (!is_known(*elements.contents)) {
      known = false;
    } else {
      put(converted(stridescope::element(elements, 0), dtype), at);
    }
  }

  void put(const Scalar& value, size_t at) {
    if (call_.failed()) return;
    const ElementBytes all = to_bytes(value);
    for (size_t i = 0; i < static_cast<size_t>(itemsize(value.dtype)); ++i) place(at + i, {DType::uint8, all[i]});
  }

  void place(size_t at, const Scalar& byte) {
    bytes[at] = byte;
    written_[at] = true;
  }

  Call& call_;
  std::vector<bool> written_;
};

}  // namespace

TensorRef structured_array(Call& call, const StructurePtr& structure, const Value& value, int most,
                           ReadBefore* before) {
  if (structure->is_string()) return string_array(call, structure, value, most, before);
  Dims sizes;
  for (const Value* inner = &value;;) {
    const auto* list = std::get_if<Sequence>(&inner->held);
    if (!list || list->kind != Sequence::Kind::list || sizes.full()) break;
    sizes.push_back(static_cast<int64_t>(list->items->size()));
    if (list->items->empty()) break;
    inner = &list->items->front();
  }
  if (!check_depth(call, sizes.size(), most)) return nullptr;
  const auto total = checked_mul(numel(sizes), structure->itemsize);
  if (!total || *total > (int64_t{1} << 20)) return call.refuse(Msg::np_too_costly), nullptr;
  Encoder encoder(call);
  encoder.lists(*structure, value, sizes, 0);
  if (before && call.failed()) *before = encoder.before(sizes, structure->itemsize);
  const Layout layout = owned_layout(call, sizes, structure->itemsize);
  if (call.failed()) return nullptr;
  const Value made = call.fresh(
      of_structure(structure), layout,
      encoder.known ? literal_contents(encoder.bytes, DType::uint8) : unknown_contents(DType::uint8, *total));
  return call.failed() ? nullptr : std::get<TensorRef>(made.held);
}

bool copies_whole(const Tensor& target, const Tensor& source) {
  return target.structure && source.structure && same_structure(*target.structure, *source.structure) &&
         is_gapless(*target.structure);
}

TensorRef structures_for(Call& call, const StructurePtr& structure, const Value& value) {
  const TensorRef source = tensor_of(value) ? as_array(call, value) : structured_array(call, structure, value);
  if (!source || copies_whole(of_structure(structure), *source->tensor)) return source;
  if (structure->is_string()) return as_strings(call, *source->tensor, structure);
  return call.refuse(Msg::np_structures_not_modelled, {"[..] = .."}), nullptr;
}

void store_structure(Call& call, const Tensor& target, const Value& value) {
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
  const size_t said = call.said();
  for (size_t i = 0; i < fields.size() && !call.failed(); ++i) {
    Tensor part = given.structure ? seen_field(given, given.structure->fields[i]) : given;
    part.is_element = false;
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
