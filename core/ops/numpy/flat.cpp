// x.flat: the elements one after the other in C order, read and written by their number.
#include "layout/lookup.h"
#include "ops/numpy/numpy.h"
#include "ops/python/python.h"
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

/// The element numbers that a key of x.flat names, and the sizes of what reading them gives.
struct FlatKey {
  std::vector<int64_t> places;
  Dims sizes;           ///< of a single element none
  bool single = false;  ///< one number, not an array of one
};

/// The numbers that an array or a list names, cut to integers, or that a mask does.
std::optional<FlatKey> flat_array_key(Call& call, const Value& key, int64_t count) {
  const auto* list = std::get_if<Sequence>(&key.held);
  const bool numbers = list && list->kind == Sequence::Kind::list;
  const TensorRef array = numbers || std::holds_alternative<TensorRef>(key.held) ? as_array(call, key) : nullptr;
  if (call.failed()) return std::nullopt;
  const bool mask = array && !numbers && array->tensor->dtype == DType::boolean;
  if (!array || !(numbers || mask || is_integer(array->tensor->dtype)))
    return call.about(key).fail("IndexError", "unsupported iterator index", Msg::np_flat_key, {type_name(key)}),
           std::nullopt;
  const Elements elements = elements_of(*array->tensor);
  const Dims& sizes = elements.layout.sizes;
  if (mask && sizes.size() != 1)
    return call.about(key).fail("ValueError", "boolean index array should have 1 dimension", Msg::np_axes_wanted,
                                {sizes.size(), 1}),
           std::nullopt;
  if (mask && sizes[0] > count)
    return call.about(key).fail("ValueError", "too many boolean indices", Msg::np_mask_size, {0, count, sizes[0]}),
           std::nullopt;
  if (!call.few(elements, *numel(sizes))) return std::nullopt;
  FlatKey result{{}, sizes, sizes.empty()};
  for (int64_t i = 0; i < *numel(sizes); ++i)
    if (const Scalar one = element(elements, i); !mask || is_true(one))
      result.places.push_back(mask ? i : converted(one, DType::int64).integer);
  if (mask) result.sizes = {static_cast<int64_t>(result.places.size())};
  return result;
}

std::optional<FlatKey> flat_key(Call& call, const Value& written, int64_t count, bool writes) {
  FlatKey result;
  const auto* tuple = std::get_if<Sequence>(&written.held);
  const bool packed = tuple && is_tuple(tuple->kind) && tuple->items->size() == 1 &&
                      !std::holds_alternative<Ellipsis>(tuple->items->front().held);
  const Value& key = packed ? tuple->items->front() : written;
  std::string_view where = writes ? "size " : "axis 0 with size ";
  if (const auto* truth = std::get_if<bool>(&key.held)) {
    // True is the first element, False none.
    result.places.assign(*truth ? 1 : 0, 0);
    result.single = *truth;
    if (!*truth) result.sizes = {0};
  } else if (const auto* slice = std::get_if<SliceValue>(&key.held);
             slice || std::holds_alternative<Ellipsis>(key.held)) {
    std::optional<int64_t> parts[3];
    for (int i = 0; slice && i < 3; ++i) {
      const auto& part = i == 0 ? slice->start : i == 1 ? slice->stop : slice->step;
      if (!part || std::holds_alternative<None>(part->held)) continue;
      parts[i] = as_index(*part);
      if (!parts[i])
        return call.about(key).fail_parser("slice indices must be integers or None or have an __index__ method",
                                           Msg::np_slice_parts, {type_name(*part)}),
               std::nullopt;
    }
    if (parts[2] == 0)
      return call.about(key).fail("ValueError", "slice step cannot be zero", Msg::slice_step_zero), std::nullopt;
    const SliceRange range = slice_range(parts[0], parts[1], parts[2].value_or(1), count);
    if (range.count > small_cells) return call.refuse(Msg::too_many_items, {small_cells}), std::nullopt;
    for (int64_t k = 0; k < range.count; ++k) result.places.push_back(range.start + k * range.step);
    result.sizes = {static_cast<int64_t>(result.places.size())};
  } else if (const TensorPtr array = tensor_of(key); !has_dtype(key) && as_integer(key)) {
    result.places = {*as_integer(key)};
    result.single = true;
  } else if (const auto* scalar = std::get_if<NumpyScalar>(&key.held);
             (scalar && is_integer(scalar->dtype())) ||
             (array && array->layout.rank() == 0 && is_integer(array->dtype))) {
    result.places = {*as_integer(key)};
    result.single = true;
  } else {
    const auto found = flat_array_key(call, key, count);
    if (!found) return std::nullopt;
    result = *found;
    where = "size ";
  }
  for (int64_t& place : result.places) {
    if (place < -count || place >= count)
      return call.about(key).fail("IndexError", {"index ", place, " is out of bounds for ", where, count},
                                  Msg::np_index_out_of_bounds, {place, 0, count}),
             std::nullopt;
    if (place < 0) place += count;
  }
  return result;
}

/// The element at a place, or a copy of those that a slice, a list or an array names.
Value flat_item(Call& call) {
  const Value& key = call.value("key");
  const TensorRef& walked = flat_array(call);
  if (const auto* tuple = std::get_if<Sequence>(&key.held); tuple && is_tuple(tuple->kind) && tuple->items->empty())
    return call.same(walked);
  const Tensor array = *walked->tensor;
  const auto found = flat_key(call, key, count_of(array), false);
  if (!found) return {};
  if (found->single) return Value{scalar_at(elements_of(array), found->places.front())};
  std::vector<Scalar> values;
  for (const int64_t place : found->places) values.push_back(element(elements_of(array), place));
  return numpy_fresh(call, found->sizes, array.dtype, literal_contents(values, array.dtype), Relation::copy);
}

/// Elements in C order become those of the value, over and over.
Value set_places(Call& call, const Tensor& array, const std::vector<int64_t>& places, bool single,
                 const Value& given_value) {
  if (!numpy_writeable(call, array, "underlying array is read-only")) return {};
  if (single) {
    Tensor target = array;
    target.layout = {{}, {}, offset(array.layout, index_at(array.layout.sizes, places.front()))};
    numpy_store(call, target, given_value);
    call.retell("ValueError", "Error setting single item of array.");
    return {};
  }
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

Value numpy_set_flat(Call& call, const Tensor& array, const Value& key, const Value& value) {
  const auto found = flat_key(call, key, count_of(array), true);
  return found ? set_places(call, array, found->places, found->single, value) : Value{};
}

std::span<const Op> numpy_flat_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "x.flat", Msg::op_np_flat, "the elements in C order, one after the other",
       "x = np.arange(6).reshape(2, 3).T\nx.flat[1]", flat_row},
      {Library::numpy, "x.flat[key]", Msg::op_np_flat, "element number key in C order",
       "x = np.arange(6).reshape(2, 3).T\nx.flat[1]", flat_item},
      {Library::numpy, "x.flat[key] = value", Msg::op_np_set_flat, "element number key in C order becomes value",
       "x = np.arange(6).reshape(2, 3).T\nx.flat[1] = 7",
       [](Call& call) -> Value {
         return numpy_set_flat(call, *flat_array(call)->tensor, call.value("key"), call.value("value"));
       }},
      {Library::numpy, "x.flat = value", Msg::op_np_set_flat,
       "the elements in C order become those of value, over and over",
       "x = np.arange(6).reshape(2, 3)\nx.flat = [1, 2]",
       [](Call& call) -> Value {
         const TensorRef array = receiver(call);
         const int64_t count = count_of(*array->tensor);
         if (!numpy_writeable(call, *array->tensor, "array is read-only")) return {};
         if (count > small_cells) return call.refuse(Msg::too_many_items, {small_cells});
         std::vector<int64_t> places;
         for (int64_t k = 0; k < count; ++k) places.push_back(k);
         return set_places(call, *array->tensor, places, false, call.value("value"));
       }},
      {Library::numpy, "x.flat.base", Msg::op_np_base, "the array itself", "x = np.arange(6)\nx.flat.base is x",
       [](Call& call) { return call.same(flat_array(call)); }},
      {Library::numpy, "x.flat.copy()", Msg::op_np_flat, "flatten()",
       "x = np.arange(6).reshape(2, 3).T\ny = x.flat.copy()", flat_copy},
  };
  return rows;
}

}  // namespace stridescope
