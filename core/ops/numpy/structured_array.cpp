// Arrays of structures made of Python's values: nested lists whose innermost items are tuples.
#include <algorithm>

#include "layout/checked.h"
#include "ops/numpy/byte_order.h"
#include "ops/numpy/strings.h"
#include "ops/torch/torch.h"

namespace stridescope {
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
    const TensorPtr one = tensor_of(value);
    if (structure.is_raw() && one && !one->structure)  // its first bytes
      return void(call_.refuse(Msg::np_structure_value, {type_name(value)}));
    if (structure.is_raw() && !one && !is_bytes(value))
      return void(call_.fail_parser({"a bytes-like object is required, not '", type_name(value), "'"},
                                    Msg::argument_has_type, {"value", "bytes", type_name(value)}));
    if (structure.is_swapped()) return number(structure.number, value, at, true);
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
    if (one && one->structure) return copied(structure, *one, at);
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
    const bool swapped = field.structure && field.structure->is_swapped();
    if (field.structure && field.sizes.empty()) return element(*field.structure, value, at);
    if (field.structure && !swapped) return parts(field, value, 0, lists_in(value), at);
    if (field.sizes.empty()) return number(field.dtype, value, at);
    const DType dtype = swapped ? field.structure->number : field.dtype;
    auto array = numbers(value, dtype, field.sizes.size());
    if (!array) return;
    // Where it has more axes, they are of one element.
    const auto fits = fitted(call_, array->layout, field.sizes);
    if (!fits) return;
    array->layout = *fits;
    const Elements elements = broadcast_elements(*array, field.sizes);
    if (!call_.few(elements, *numel(field.sizes))) return;
    for (int64_t i = 0; i < *numel(field.sizes); ++i)
      put(converted(stridescope::element(elements, i), dtype), at + static_cast<size_t>(i * field.unit()), swapped);
  }

  /// What a field of numbers is given: of an array its own, in the machine's byte order; all else is read as `dtype`,
  /// lists no deeper than `most`.
  std::optional<Tensor> numbers(const Value& value, DType dtype, int most) {
    const TensorPtr given = tensor_of(value);
    if (given && is_swapped(*given)) return native(*given);
    if (given && given->structure) return call_.refuse(Msg::np_structure_value, {type_name(value)}), std::nullopt;
    const TensorRef array = as_array(call_, value, has_dtype(value) ? std::nullopt : std::optional(dtype), most);
    return array ? std::optional(*array->tensor) : std::nullopt;
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

  /// `swapped`: its bytes in the other order.
  void number(DType dtype, const Value& value, size_t at, bool swapped = false) {
    if (is_unknown(value)) return void(known = false);
    if (const auto* scalar = std::get_if<NumpyScalar>(&value.held))
      return put(stored_scalar(call_, scalar->value(), dtype), at, swapped);
    if (!tensor_of(value) && (as_real(value) || std::holds_alternative<ComplexFloat>(value.held)))
      return put(stored_scalar(call_, value, dtype), at, swapped);
    if (std::holds_alternative<Sequence>(value.held)) {
      if (dtype == DType::boolean) return put({dtype, parts_of(value).empty() ? 0 : 1}, at, swapped);
      Tensor place;
      place.dtype = dtype;
      return numpy_store(call_, place, value);  // which is refused
    }
    const auto array = numbers(value, dtype, 0);
    if (!array) return;
    const Elements elements = elements_of(*array);
    if (count_of(*array) != 1) {
      call_.fail("ValueError", "setting an array element with a sequence.", Msg::np_element_with_sequence,
                 {to_string(elements.layout.sizes)});
    } else if (!is_known(*elements.contents)) {
      known = false;
    } else {
      put(converted(stridescope::element(elements, 0), dtype), at, swapped);
    }
  }

  void put(const Scalar& value, size_t at, bool swapped = false) {
    if (call_.failed()) return;
    const ElementBytes all = swapped ? turned_bytes(value) : to_bytes(value);
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
  if (structure->is_swapped()) {
    const TensorRef numbers = as_array(call, value, structure->number, most, before);
    return numbers ? as_swapped(call, *numbers->tensor, structure) : nullptr;
  }
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

}  // namespace stridescope
