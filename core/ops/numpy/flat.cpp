// x.flat: the elements one after the other in C order, read and written by their number.
#include "layout/lookup.h"
#include "ops/numpy/numpy.h"
#include "ops/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// The array that x.flat walks over, as it is now.
const TensorRef& flat_array(Call& call) { return call.object_of(*std::get<Facet>(call.value("x").held).tensor); }

Value flat_row(Call& call) {
  const TensorRef array = receiver(call);
  call.why(Msg::np_flat, {count_of(*array->tensor), to_string(array->tensor->layout.sizes)});
  call.relation(Relation::none);
  return {Facet{"flat", std::make_shared<const Tensor>(*array->tensor)}};
}

Value flat_copy(Call& call) {
  const Tensor& array = *flat_array(call)->tensor;
  return numpy_fresh(call, {count_of(array)}, array.dtype, gather(elements_of(array), array.dtype), Relation::copy);
}

/// The element numbers that a key of x.flat names; the call fails where there is no such element.
std::optional<std::vector<int64_t>> flat_places(Call& call, const Value& key, int64_t count, bool writes) {
  std::vector<int64_t> places;
  const auto add = [&](int64_t place) {
    if (place < -count || place >= count) {
      const std::string_view where = writes ? "size " : "axis 0 with size ";
      call.about("key").fail("IndexError", {"index ", place, " is out of bounds for ", where, count},
                             Msg::np_index_out_of_bounds, {place, 0, count});
    }
    places.push_back(place < 0 ? place + count : place);
  };
  const auto* slice = std::get_if<SliceValue>(&key.held);
  const auto* list = std::get_if<Sequence>(&key.held);
  const auto part = [](const std::shared_ptr<const Value>& value) { return value ? as_integer(*value) : std::nullopt; };
  if (slice || std::holds_alternative<Ellipsis>(key.held)) {
    const int64_t step = slice ? part(slice->step).value_or(1) : 1;
    if (step == 0)
      return call.about("key").fail("ValueError", "slice step cannot be zero", Msg::slice_step_zero), std::nullopt;
    const SliceRange range =
        slice ? slice_range(part(slice->start), part(slice->stop), step, count) : slice_range({}, {}, 1, count);
    if (range.count > small_cells) return call.refuse(Msg::too_many_items, {small_cells}), std::nullopt;
    for (int64_t k = 0; k < range.count; ++k) add(range.start + k * range.step);
  } else if (const auto number = std::holds_alternative<bool>(key.held) ? std::nullopt : as_integer(key)) {
    add(*number);
  } else if (const auto numbers = list && !is_tuple(list->kind) ? integer_list(call, key) : std::nullopt) {
    for (const int64_t place : *numbers) add(place);
  } else if (!call.failed()) {
    call.refuse(Msg::np_flat_key, {type_name(key)});
  }
  if (call.failed()) return std::nullopt;
  return places;
}

/// The element at a place, or a copy of those that a slice or a list names.
Value flat_item(Call& call) {
  const Value& key = call.value("key");
  const Tensor array = *flat_array(call)->tensor;
  const auto places = flat_places(call, key, count_of(array), false);
  if (!places) return {};
  std::vector<Scalar> values;
  for (const int64_t place : *places) values.push_back(element(elements_of(array), place));
  if (as_integer(key)) return Value{NumpyScalar{values.front()}};
  return numpy_fresh(call, {static_cast<int64_t>(places->size())}, array.dtype, literal_contents(values, array.dtype),
                     Relation::copy);
}

/// Elements in C order become those of the value, over and over.
Value set_flat(Call& call, const Tensor& array, const std::vector<int64_t>& places) {
  if (!numpy_writeable(call, array, "underlying array is read-only")) return {};
  const Value& given_value = call.value("value");
  const auto* number = std::get_if<int64_t>(&given_value.held);
  if (number && places.size() == 1 && is_integer(array.dtype) && as_integer(call.value("key")) &&
      integer_scalar(*number, array.dtype).integer != *number)
    return call.about("value").fail("ValueError", "Error setting single item of array.", Msg::np_number_out_of_bounds,
                                    {*number, name(array.dtype)});
  const TensorRef value =
      as_array(call, given_value, tensor_of(given_value) ? std::nullopt : std::optional(array.dtype));
  if (call.failed()) return {};
  const Tensor& given = *value->tensor;
  const int64_t have = count_of(given);
  if (have == 0) return {};
  const Elements from = elements_of(given);
  std::vector<std::pair<int64_t, Scalar>> writes;
  int64_t next = 0;
  for (const int64_t place : places)
    writes.emplace_back(offset(array.layout, index_at(array.layout.sizes, place)),
                        converted(element(from, next++ % have), array.dtype));
  call.why(Msg::np_flat_writes, {static_cast<int64_t>(writes.size())});
  call.relation(Relation::write);
  ContentsPtr written = scatter(array.storage->contents, array.dtype, writes);
  if (!written) return call.refuse(Msg::np_too_costly);
  array.storage->contents = std::move(written);
  return {};
}

}  // namespace

std::span<const Op> numpy_flat_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "x.flat", Msg::op_np_flat, "the elements in C order, one after the other",
       "x = np.arange(6).reshape(2, 3).T\nx.flat[1]", flat_row},
      {Library::numpy, "x.flat[key]", Msg::op_np_flat, "element number key in C order",
       "x = np.arange(6).reshape(2, 3).T\nx.flat[1]", flat_item},
      {Library::numpy, "x.flat[key] = value", Msg::op_np_set_flat, "element number key in C order becomes value",
       "x = np.arange(6).reshape(2, 3).T\nx.flat[1] = 7",
       [](Call& call) -> Value {
         const Tensor array = *flat_array(call)->tensor;
         const auto places = flat_places(call, call.value("key"), count_of(array), true);
         return places ? set_flat(call, array, *places) : Value{};
       }},
      {Library::numpy, "x.flat = value", Msg::op_np_set_flat,
       "the elements in C order become those of value, over and over",
       "x = np.arange(6).reshape(2, 3)\nx.flat = [1, 2]",
       [](Call& call) -> Value {
         const TensorRef array = receiver(call);
         const int64_t count = count_of(*array->tensor);
         if (count > small_cells) return call.refuse(Msg::too_many_items, {small_cells});
         std::vector<int64_t> places;
         for (int64_t k = 0; k < count; ++k) places.push_back(k);
         return set_flat(call, *array->tensor, places);
       }},
      {Library::numpy, "x.flat.base", Msg::op_np_base, "the array itself", "x = np.arange(6)\nx.flat.base is x",
       [](Call& call) { return call.same(flat_array(call)); }},
      {Library::numpy, "x.flat.copy()", Msg::op_np_flat, "flatten()",
       "x = np.arange(6).reshape(2, 3).T\ny = x.flat.copy()", flat_copy},
  };
  return rows;
}

}  // namespace stridescope
