// Slices picked along an axis: where a condition holds, by indices of each row, all but some.
#include <algorithm>

#include "ops/numpy/key.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

using Places = std::vector<Scalar>;

/// The places where a condition of one axis is not 0.
std::optional<Places> true_places(Call& call, const Tensor& condition) {
  const int64_t count = count_of(condition);
  const Elements elements = elements_of(condition);
  if (!call.few(elements, count)) return std::nullopt;
  Places places;
  for (int64_t i = 0; i < count; ++i)
    if (is_true(element(elements, i))) places.push_back({DType::int64, i});
  return places;
}

/// A copy in C or Fortran order of the slices at those places, all inside the axis.
Value slices_at(Call& call, const Tensor& array, int axis, const Places& places, Order order = Order::c) {
  Dims sizes = array.layout.sizes;
  sizes[axis] = static_cast<int64_t>(places.size());
  const Layout target = owned_layout(call, sizes, unit_of(array), order);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  call.why(Msg::np_picked_headline,
           {count, count * unit_of(array), Slot{axis, call.axis(array, axis)}, to_string(sizes)});
  Dims slowest;
  for (int d = 0; d < sizes.size(); ++d) slowest.push_back(order == Order::c ? d : sizes.size() - 1 - d);
  Dims along = Dims::filled(sizes.size(), 0);
  along[axis] = 8;
  IndexedDim dim{{literal_contents(places, DType::int64), permute({sizes, along, 0}, slowest), DType::int64},
                 array.layout.sizes[axis],
                 array.layout.strides[axis]};
  Layout from = array.layout;
  from.sizes = sizes;
  from.strides[axis] = 0;
  return numpy_gathered(call, array, target, permute(from, slowest), {std::move(dim)});
}

/// Whether all places lie in the axis; else the call fails with the first that does not.
bool all_inside(Call& call, const Places& places, int axis, int64_t size) {
  if (size == 0 && !places.empty())
    return call.fail("IndexError", "cannot do a non-empty take from an empty axes.", Msg::np_index_out_of_bounds,
                     {places.front().integer, axis, size}),
           false;
  for (const Scalar& place : places)
    if (place.integer >= size)
      return call.fail("IndexError",
                       {"index ", place.integer, " is out of bounds for axis ", axis, " with size ", size},
                       Msg::np_index_out_of_bounds, {place.integer, axis, size}),
             false;
  return true;
}

/// The array, its elements in one axis where none is named, with the axis.
Tensor with_axis(Call& call, const TensorRef& source, int64_t asked, int& axis) {
  Tensor array = *source->tensor;
  if (array.layout.rank() == 0) array.layout = insert_dim(array.layout, 0, unit_of(array));
  axis = call.given("axis") ? numpy_axis(call, asked, array.layout.rank()) : 0;
  return call.given("axis") || array.layout.rank() == 1 || call.failed() ? array : raveled(call, {array}).front();
}

Value compress(Call& call, const Value& given) {
  const TensorRef source = as_array(call, given), condition = as_array(call, call.value("condition"));
  const int64_t asked = call.failed() || !call.given("axis") ? 0 : axis_argument(call);
  if (call.failed()) return {};
  if (condition->tensor->layout.rank() != 1)
    return call.about("condition")
        .fail("ValueError", "condition must be a 1-d array", Msg::np_condition_axes,
              {condition->tensor->layout.rank()});
  if (call.given("out")) return call.about("out").refuse(Msg::np_reduce_option, {"out"});
  int axis = 0;
  const size_t said = call.said();
  const Tensor array = with_axis(call, source, asked, axis);
  call.unsay(said);
  const auto places = call.failed() ? std::nullopt : true_places(call, *condition->tensor);
  Dims others = array.layout.sizes;
  if (places) others[axis] = 1;
  if (!places || (numel(others) != 0 && !all_inside(call, *places, axis, array.layout.sizes[axis]))) return {};
  return slices_at(call, array, axis, *places);
}

/// The elements, both raveled, where the condition holds.
Value extract(Call& call) {
  const TensorRef condition = as_array(call, call.value("condition")), source = as_array(call, call.value("arr"));
  if (call.failed()) return {};
  const size_t said = call.said();
  const Tensor array = raveled(call, {*source->tensor}).front();
  call.unsay(said);
  const auto places = call.failed() ? std::nullopt : true_places(call, *condition->tensor);
  if (!places || !all_inside(call, *places, 0, count_of(array))) return {};
  return slices_at(call, array, 0, *places);
}

/// The numbers from 0 on as an index array along one axis of several.
Entry counted_along(Call& call, int axis, int rank, int64_t size) {
  Entry entry;
  entry.kind = Entry::Kind::array;
  Dims sizes = Dims::filled(rank, 1);
  sizes[axis] = size;
  entry.array =
      std::get<TensorRef>(numpy_fresh(call, sizes, DType::int64, integer_range(0, 1, DType::int64, size)).held);
  return entry;
}

/// The indices as an array of integers; null, and the call failed, where they are none.
TensorRef index_array(Call& call) {
  const Value& given = call.value("indices");
  if (!has_dtype(given))
    return call.about("indices").fail("AttributeError", {"'", type_name(given), "' object has no attribute 'dtype'"},
                                      Msg::np_array_needed, {type_name(given)}),
           nullptr;
  const TensorRef indices = as_array(call, given);
  if (call.failed() || is_integer(indices->tensor->dtype)) return indices;
  return call.about("indices").fail("IndexError", "`indices` must be an integer array", Msg::np_not_an_integer,
                                    {name(indices->tensor->dtype)}),
         nullptr;
}

/// An index array for each axis: all but that of the indices count along theirs. None where the call failed.
std::vector<Entry> along_axis(Call& call, const Tensor& array, int axis) {
  const int rank = array.layout.rank();
  std::vector<Entry> entries;
  Entry picked;
  picked.kind = Entry::Kind::array;
  picked.array = index_array(call);
  if (call.failed()) return entries;
  const Tensor& indices = *picked.array->tensor;
  if (indices.layout.rank() != rank)
    return call.about("indices").fail("ValueError", "`indices` and `arr` must have the same number of dimensions",
                                      Msg::np_along_rank, {indices.layout.rank(), rank}),
           entries;
  for (int d = 0; d < rank; ++d)
    entries.push_back(d == axis ? picked : counted_along(call, d, rank, array.layout.sizes[d]));
  return entries;
}

/// Without an axis the indices have but one. False: the call failed.
bool check_line(Call& call) {
  const Value& given = call.value("indices");
  if (!has_dtype(given))
    return call.about("indices").fail("AttributeError", {"'", type_name(given), "' object has no attribute 'ndim'"},
                                      Msg::np_array_needed, {type_name(given)}),
           false;
  const TensorPtr indices = tensor_of(given);
  const int rank = indices ? indices->layout.rank() : 0;
  if (rank == 1) return true;
  return call.about("indices").fail("ValueError", "when axis=None, `indices` must have a single dimension.",
                                    Msg::np_along_rank, {rank, 1}),
         false;
}

/// What indexing by those arrays gives.
Value take_along_axis(Call& call) {
  const bool raveled_first = !call.given("axis");
  if (raveled_first && !check_line(call)) return {};
  const TensorRef source = receiver_with(call, raveled_first ? "flat" : "ndim");
  if (call.failed()) return {};
  const size_t said = call.said();
  const Tensor array =
      raveled_first ? made_or(numpy_fresh(call, {count_of(*source->tensor)}, source->tensor->dtype,
                                          gather(elements_of(*source->tensor), source->tensor->dtype), Relation::copy),
                              *source->tensor)
                    : *source->tensor;
  const int axis = raveled_first ? 0 : numpy_axis(call, call.integer("axis"), array.layout.rank());
  const std::vector<Entry> entries = call.failed() ? std::vector<Entry>{} : along_axis(call, array, axis);
  const auto viewed = call.failed() ? std::nullopt : basic_view(call, array, entries);
  call.unsay(said);
  return viewed && !call.failed() ? read_fancy(call, array, entries, *viewed) : Value{};
}

/// The same written to.
Value put_along_axis(Call& call) {
  const bool raveled_first = !call.given("axis");
  if (raveled_first && !check_line(call)) return {};
  const TensorRef source = receiver_with(call, raveled_first ? "flat" : "ndim");
  if (call.failed()) return {};
  const Tensor array = *source->tensor;
  if (raveled_first)
    return index_array(call) ? numpy_set_flat(call, array, call.value("indices"), call.value("values")) : Value{};
  const int axis = numpy_axis(call, call.integer("axis"), array.layout.rank());
  const size_t said = call.said();
  const std::vector<Entry> entries = call.failed() ? std::vector<Entry>{} : along_axis(call, array, axis);
  if (call.failed() || !numpy_writeable(call, array)) return {};
  const auto viewed = basic_view(call, array, entries);
  call.unsay(said);
  if (viewed && !call.failed()) write_fancy(call, array, entries, *viewed, call.value("values"));
  return {};
}

/// The places that obj= names along an axis of `size`; nothing, and the call failed, where it may not. `indexed`: what
/// stays is read by a mask.
std::optional<std::vector<bool>> deleted(Call& call, const Value& given, int axis, int64_t size, bool& indexed) {
  std::vector<bool> result(static_cast<size_t>(size), false);
  if (const auto* slice = std::get_if<SliceValue>(&given.held)) {
    std::optional<int64_t> parts[3];
    for (int k = 0; k < 3; ++k) {
      const auto& part = k == 0 ? slice->start : k == 1 ? slice->stop : slice->step;
      if (part && !std::holds_alternative<None>(part->held) && !(parts[k] = as_index(*part)))
        return call.about("obj").fail_parser("slice indices must be integers or None or have an __index__ method",
                                             Msg::np_slice_parts, {type_name(*part)}),
               std::nullopt;
    }
    if (parts[2] == 0)
      return call.about("obj").fail("ValueError", "slice step cannot be zero", Msg::slice_step_zero), std::nullopt;
    const SliceRange range = slice_range(parts[0], parts[1], parts[2].value_or(1), size);
    for (int64_t k = 0; k < range.count; ++k) result[static_cast<size_t>(range.start + k * range.step)] = true;
    return result;
  }
  const auto* list = std::get_if<Sequence>(&given.held);
  const auto is_object = [](const Value& one) {
    return std::holds_alternative<None>(one.held) || std::holds_alternative<std::string>(one.held);
  };
  if (is_object(given) || (list && std::any_of(list->items->begin(), list->items->end(), is_object)))
    return call.about("obj").fail("IndexError", "arrays used as indices must be of integer (or boolean) type",
                                  Msg::np_not_an_integer, {type_name(list ? list->items->front() : given)}),
           std::nullopt;
  const TensorRef array =
      as_array(call, given, list && list->items->empty() ? std::optional(DType::int64) : std::nullopt);
  if (call.failed()) return std::nullopt;
  const Elements elements = elements_of(*array->tensor);
  const int64_t count = count_of(*array->tensor);
  if (array->tensor->dtype == DType::boolean) {
    if (const Dims& sizes = array->tensor->layout.sizes; sizes != Dims{size})
      return call.about("obj").fail("ValueError",
                                    {"boolean array argument obj to delete must be one dimensional and match the axis "
                                     "length of ",
                                     size},
                                    Msg::np_delete_mask, {to_string(sizes), size, axis}),
             std::nullopt;
    for (int64_t i = 0; i < size; ++i) result[static_cast<size_t>(i)] = is_true(element(elements, i));
    indexed = true;
    return result;
  }
  indexed = count != 1;
  if (!is_integer(array->tensor->dtype))
    return call.about("obj").fail("IndexError", "arrays used as indices must be of integer (or boolean) type",
                                  Msg::np_index_type, {name(array->tensor->dtype)}),
           std::nullopt;
  if (!call.about("obj").few(elements, count)) return std::nullopt;
  Elements walked = elements;
  walked.layout = as_checked(elements.layout);  // keep[obj] = False
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = element(walked, i).integer;
    if (place < -size || place >= size)
      return call.about("obj").fail(
                 "IndexError",
                 {"index ", place, " is out of bounds for axis ", count == 1 ? axis : 0, " with size ", size},
                 Msg::np_index_out_of_bounds, {place, axis, size}),
             std::nullopt;
    result[static_cast<size_t>(place < 0 ? place + size : place)] = true;
  }
  return result;
}

/// A copy without some slices: in the array's order, or, where a list names several, as an index makes it.
Value delete_row(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  int axis = 0;
  const size_t said = call.said();
  const int64_t asked = call.given("axis") ? call.integer("axis") : 0;  // True is 1 here
  if (call.failed()) return {};
  if (source->tensor->layout.rank() == 0 && call.given("axis")) return numpy_axis(call, asked, 0), Value{};
  const Tensor array = with_axis(call, source, asked, axis);
  if (call.failed()) return {};
  if (array.layout.sizes[axis] > small_cells) return call.refuse(Msg::np_too_costly);
  const Value& obj = call.value("obj");
  bool indexed = false;
  const auto gone = deleted(call, obj, axis, array.layout.sizes[axis], indexed);
  call.unsay(said);
  if (!gone) return {};
  Places places;
  for (size_t k = 0; k < gone->size(); ++k)
    if (!(*gone)[k]) places.push_back({DType::int64, static_cast<int64_t>(k)});
  if (indexed) {
    std::vector<Entry> entries(static_cast<size_t>(axis) + 1);
    for (Entry& entry : entries) entry.kind = Entry::Kind::slice;
    Entry& kept = entries.back();
    kept.kind = Entry::Kind::array;
    kept.array = std::get<TensorRef>(
        numpy_fresh(call, {static_cast<int64_t>(places.size())}, DType::int64, literal_contents(places, DType::int64))
            .held);
    entries.emplace_back().kind = Entry::Kind::ellipsis;
    const auto viewed = basic_view(call, array, entries);
    call.unsay(said);
    return viewed ? read_fancy(call, array, entries, *viewed) : Value{};
  }
  const bool fortran = is_f_contiguous(array.layout, unit_of(array)) && !is_contiguous(array.layout, unit_of(array));
  return slices_at(call, array, axis, places, fortran ? Order::fortran : Order::c);
}

/// Along each axis from the first to the last slice that holds something else.
Value trim_zeros(Call& call) {
  const Value& given = call.first();
  const bool nothing = std::holds_alternative<None>(given.held);
  const TensorRef source = nothing ? nullptr : receiver(call);
  if (call.failed()) return {};
  const int rank = nothing ? 0 : source->tensor->layout.rank();
  const auto* ends = std::get_if<std::string>(&call.value("trim").held);
  const auto has = [&](char end) {
    return ends && ends->find_first_of({end, static_cast<char>(end - 32)}) != ends->npos;
  };
  const bool front = has('f'), back = has('b');
  if (!ends)
    return call.about("trim").fail("AttributeError",
                                   {"'", attribute_type(call.value("trim")), "' object has no attribute 'lower'"},
                                   Msg::attribute_unknown, {type_name(call.value("trim")), "lower"});
  if (static_cast<int>(ends->size()) != (front ? 1 : 0) + (back ? 1 : 0) || ends->empty())
    return call.about("trim").fail("ValueError", {"unexpected character(s) in `trim`: ", to_string(call.value("trim"))},
                                   Msg::np_trim_ends, {*ends});
  if (rank == 0 && !has_dtype(given))
    return call.about("filt").fail_parser({"'", attribute_type(given), "' object is not subscriptable"},
                                          Msg::not_subscriptable, {type_name(given)});
  const Tensor& array = *source->tensor;
  const int only = call.given("axis") && rank != 1 ? numpy_axis(call, call.integer("axis"), rank) : -1;
  if (call.failed()) return {};
  if (rank == 0) return Value{scalar_at(elements_of(array), 0)};
  if (rank > 1 && !tensor_of(given))
    return call.about("filt").fail_parser({type_name(given), " indices must be integers or slices, not tuple"},
                                          Msg::np_array_needed, {type_name(given)});
  if (!call.few(array)) return {};
  const Elements elements = elements_of(array);
  Dims first = Dims::filled(rank, INT64_MAX), last = Dims::filled(rank, -1);
  for (int64_t i = 0; i < count_of(array); ++i) {
    if (!is_true(element(elements, i))) continue;
    const Dims index = index_at(array.layout.sizes, i);
    for (int d = 0; d < rank; ++d) {
      first[d] = std::min(first[d], index[d]);
      last[d] = std::max(last[d], index[d]);
    }
  }
  Layout layout = array.layout;
  for (int d = 0; d < rank; ++d) {
    if (only >= 0 && d != only) continue;
    const bool none = last[d] < 0;
    const int64_t from = none || !front ? 0 : first[d], until = none ? 0 : back ? last[d] + 1 : layout.sizes[d];
    layout = *slice(layout, d, from, 1, until - from);
  }
  if (tensor_of(given)) return numpy_view(call, array, layout);
  // A list is cut itself.
  const int64_t from = layout.storage_offset / unit_of(array);
  const auto place = [](int64_t at) { return std::make_shared<const Value>(Value{at}); };
  call.relation(Relation::none);
  return python_subscript(given, Value{SliceValue{place(from), place(from + layout.sizes[0]), nullptr}}).value;
}

}  // namespace

std::span<const Op> numpy_pick_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "x.compress(condition, axis=None, out=None)", Msg::op_np_compress,
       "the slices along the axis where the condition holds; of everything as raveled",
       "x = np.arange(6).reshape(2, 3)\ny = x.compress([True, False, True], axis=1)",
       [](Call& call) { return compress(call, call.first()); }, Op::Structured::arrays},
      {Library::numpy, "np.compress(condition, a, axis=None, out=None)", Msg::op_np_compress,
       "the slices along the axis where the condition holds; of everything as raveled",
       "x = np.arange(6).reshape(2, 3)\ny = np.compress([True, False, True], x, axis=1)",
       [](Call& call) { return compress(call, call.value("a")); }, Op::Structured::arrays},
      {Library::numpy, "np.extract(condition, arr)", Msg::op_np_compress, "arr.ravel()[condition.ravel()]",
       "x = np.arange(6).reshape(2, 3)\ny = np.extract(x > 2, x)", extract, Op::Structured::arrays},
      {Library::numpy, "np.take_along_axis(arr, indices, axis)", Msg::op_np_take_along,
       "y[i, .., k, ..] = arr[i, .., indices[i, .., k, ..], ..]",
       "x = np.array([[3, 1, 2], [4, 6, 5]])\ny = np.take_along_axis(x, np.argsort(x, axis=1), axis=1)",
       take_along_axis, Op::Structured::arrays},
      {Library::numpy, "np.put_along_axis(arr, indices, values, axis)", Msg::op_np_put_along,
       "arr[i, .., indices[i, .., k, ..], ..] = values[i, .., k, ..]",
       "x = np.zeros((2, 3))\nnp.put_along_axis(x, np.array([[1], [2]]), 9, axis=1)", put_along_axis},
      {Library::numpy, "np.delete(arr, obj, axis=None)", Msg::op_np_delete,
       "the slices along the axis that obj does not name; of everything as raveled",
       "x = np.arange(6).reshape(2, 3)\ny = np.delete(x, 1, axis=1)", delete_row, Op::Structured::arrays},
      {Library::numpy, "np.trim_zeros(filt, trim='fb', axis=None)", Msg::op_np_trim_zeros,
       "a slice along every axis, or one of them", "x = np.array([0, 0, 1, 2, 0])\ny = np.trim_zeros(x)", trim_zeros},
  };
  return rows;
}

}  // namespace stridescope
