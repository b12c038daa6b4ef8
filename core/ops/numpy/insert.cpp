// np.insert: a copy with values between the slices along an axis.
#include <algorithm>
#include <numeric>

#include "ops/numpy/key.h"
#include "ops/numpy/structured.h"
#include "ops/python/python.h"
#include "ops/python/text.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// Where values go, before the slices of those numbers.
struct Spots {
  std::vector<Value> numbers;
  bool line =
      true;  ///< of one axis; else one number alone, and the values have an axis of their own for the new slices
};

/// What obj= says; nothing, and the call failed, where it may not.
std::optional<Spots> spots_of(Call& call, const Value& given, int64_t size) {
  Spots spots;
  if (const auto* slice = std::get_if<SliceValue>(&given.held)) {
    const auto [range, problem] = range_of(*slice, size);
    if (problem) {
      const Diagnostic::Raised& raised = *problem->raised;
      call.about("obj").fail(raised.type.c_str(), raised.text, problem->reason);
      return std::nullopt;
    }
    if (range.count > small_cells) return call.refuse(Msg::np_too_costly), std::nullopt;
    for (int64_t k = 0; k < range.count; ++k) spots.numbers.push_back({range.start + k * range.step});
    return spots;
  }
  const auto* list = std::get_if<Sequence>(&given.held);
  const bool none = list && list->items->empty();
  const Value& only = list && list->items->size() == 1 ? list->items->front() : given;
  if (std::holds_alternative<None>(only.held) || std::holds_alternative<std::string>(only.held))
    return call.about("obj").fail_parser({"'<' not supported between instances of '", type_name(only), "' and 'int'"},
                                         Msg::np_not_an_integer, {type_name(only)}),
           std::nullopt;
  const TensorRef array = as_array(call, given, none ? std::optional(DType::int64) : std::nullopt);
  if (!array) return std::nullopt;
  const Tensor& indices = *array->tensor;
  const int64_t count = count_of(indices);
  const bool mask = indices.dtype == DType::boolean;
  if (mask && !has_dtype(given))
    return call.about("obj").fail("AttributeError", {"'", type_name(given), "' object has no attribute 'ndim'"},
                                  Msg::np_array_needed, {type_name(given)}),
           std::nullopt;
  if (mask ? indices.layout.rank() != 1 : indices.layout.rank() > 1)
    return call.about("obj").fail("ValueError",
                                  mask ? "boolean array argument obj to insert must be one dimensional"
                                       : "index array argument obj to insert must be one dimensional or scalar",
                                  Msg::np_axes_wanted, {indices.layout.rank(), mask ? "1" : "0–1"}),
           std::nullopt;
  if (count > small_cells || (is_unsigned(indices.dtype) && (count != 1 || indices.dtype == DType::uint64)))
    return call.about("obj").refuse(Msg::not_modelled, {"NumPy", "np.insert(.., " + to_string(given, 40) + ")"}),
           std::nullopt;
  spots.line = indices.layout.rank() > 0;
  const Elements elements = elements_of(indices);
  for (int64_t k = 0; k < count; ++k) {
    const Scalar one = element(elements, k);
    if (!mask)
      spots.numbers.push_back(python_value(one));
    else if (is_true(one))
      spots.numbers.push_back({k});
  }
  if (count != 1 && !mask && !is_integer(indices.dtype))
    return call.about("obj").fail("IndexError", "arrays used as indices must be of integer (or boolean) type",
                                  Msg::np_not_an_integer, {name(indices.dtype)}),
           std::nullopt;
  return spots;
}

/// The part of an array from a number of its slices on.
Tensor part_of(Tensor array, int axis, int64_t from, int64_t count) {
  array.layout = *slice(array.layout, axis, from, 1, count);
  return array;
}

/// A new array in the order of the other, longer along the axis.
Value longer(Call& call, const Tensor& array, int axis, int64_t more, Order order) {
  Dims sizes = array.layout.sizes;
  sizes[axis] += more;
  const Layout layout = owned_layout(call, sizes, unit_of(array), order);
  if (call.failed()) return {};
  return call.fresh(array, layout, zero_contents(array, *numel(sizes)), Relation::copy);
}

/// One number: the values are seen with as many axes, and are as many slices as they have there.
Value insert_at(Call& call, const Tensor& array, int axis, const Value& place, bool line, Order order) {
  const int64_t size = array.layout.sizes[axis];
  const auto where = as_real(place);
  if (!where)
    return call.about("obj").fail_parser("'<' not supported between instances of 'complex' and 'int'",
                                         Msg::np_not_an_integer, {"complex"});
  if (*where < static_cast<double>(-size) || *where > static_cast<double>(size)) {
    const auto text = python_str(call.value("obj"));
    if (!text) return call.about("obj").refuse(Msg::not_modelled, {"NumPy", "np.insert(..)"});
    return call.about("obj").fail("IndexError",
                                  {"index ", *text, " is out of bounds for axis ", axis, " with size ", size},
                                  Msg::np_index_out_of_bounds, {*text, axis, size});
  }
  const Value& given = call.value("values");
  const TensorRef values = array.structure
                               ? structures_for(call, array.structure, given)
                               : as_array(call, given, has_dtype(given) ? std::nullopt : std::optional(array.dtype));
  if (!values) return {};
  Tensor put = *values->tensor;
  const int rank = std::max(array.layout.rank(), put.layout.rank());
  put.layout = with_leading_axes(put.layout, array.layout.rank(), unit_of(put));
  if (!line) put.layout = permute(put.layout, moved_dims(rank, {0}, {axis}));
  const int64_t more = put.layout.sizes[axis];
  const auto whole = as_integer(place);
  if (!whole)
    return call.about("obj").fail_parser("slice indices must be integers or None or have an __index__ method",
                                         Msg::np_slice_parts, {type_name(place)});
  const int64_t at = *whole < 0 ? *whole + size : *whole;
  const Value made = longer(call, array, axis, more, order);
  if (call.failed()) return {};
  const auto write = [&](int64_t from, int64_t count, const Tensor& source) {
    if (!call.failed())
      numpy_assign(call, part_of(*tensor_of(made), axis, from, count), nameless(source), Casting::unsafe);
  };
  write(0, at, part_of(array, axis, 0, at));
  write(at, more, put);
  write(at + more, size - at, part_of(array, axis, at, size - at));
  return made;
}

/// Several numbers: the values are assigned to an index of all of them.
Value insert_before(Call& call, const Tensor& array, int axis, const std::vector<Value>& places, Order order) {
  const int64_t size = array.layout.sizes[axis], more = static_cast<int64_t>(places.size());
  std::vector<int64_t> indices;
  for (const Value& place : places) {
    const int64_t index = *as_integer(place);
    if (index > INT64_MAX - more) return call.about("obj").refuse(Msg::beyond_int64);
    indices.push_back(index < 0 ? index + size : index);
  }
  if (size > small_cells) return call.refuse(Msg::np_too_costly);
  std::vector<size_t> order_of(indices.size());
  std::iota(order_of.begin(), order_of.end(), size_t{0});
  std::stable_sort(order_of.begin(), order_of.end(), [&](size_t a, size_t b) { return indices[a] < indices[b]; });
  std::vector<bool> old(static_cast<size_t>(size + more), true);
  for (size_t k = 0; k < order_of.size(); ++k) indices[order_of[k]] += static_cast<int64_t>(k);
  for (int64_t& index : indices) {  // one before the array counts from the end of the longer one, where others may be
    const int64_t place = index < 0 ? index + size + more : index;
    if (place < 0 || place >= size + more)
      return call.about("obj").fail("IndexError",
                                    {"index ", index, " is out of bounds for axis 0 with size ", size + more},
                                    Msg::np_index_out_of_bounds, {index, 0, size + more});
    index = place;
    old[static_cast<size_t>(place)] = false;
  }
  const Value made = longer(call, array, axis, more, order);
  if (call.failed()) return {};
  const auto assign = [&](const std::vector<Scalar>& numbers, const Value& values) {
    std::vector<Entry> entries(static_cast<size_t>(axis) + 1);
    for (Entry& entry : entries) entry.kind = Entry::Kind::slice;
    const auto count = static_cast<int64_t>(numbers.size());
    entries.back().kind = Entry::Kind::array;
    entries.back().array =
        std::get<TensorRef>(numpy_fresh(call, {count}, DType::int64, literal_contents(numbers, DType::int64)).held);
    entries.emplace_back().kind = Entry::Kind::ellipsis;
    const Tensor target = *tensor_of(made);
    if (const auto viewed = call.failed() ? std::nullopt : basic_view(call, target, entries))
      write_fancy(call, target, entries, *viewed, values);
  };
  std::vector<Scalar> fresh, kept;
  for (const int64_t index : indices) fresh.push_back({DType::int64, index});
  for (size_t k = 0; k < old.size(); ++k)
    if (old[k]) kept.push_back({DType::int64, static_cast<int64_t>(k)});
  assign(fresh, call.value("values"));
  const auto room = static_cast<int64_t>(kept.size());
  if (room != size && array.layout.rank() == 1 && !call.failed())
    return call.about("obj").fail("ValueError",
                                  {"NumPy boolean array indexing assignment cannot assign ", size,
                                   " input values to the ", room, " output values where the mask is true"},
                                  Msg::np_cannot_broadcast_into, {to_string(Dims{size}), to_string(Dims{room})});
  if (!call.failed()) assign(kept, {nameless(array)});
  return made;
}

Value insert(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  Tensor array = *source->tensor;
  const bool fortran = is_f_contiguous(array.layout, unit_of(array)) && !is_contiguous(array.layout, unit_of(array));
  const size_t said = call.said();
  int axis = 0;
  if (call.given("axis"))
    axis = numpy_axis(call, call.integer("axis"), array.layout.rank());
  else if (array.layout.rank() != 1)
    array = raveled(call, {array}).front();
  if (call.failed()) return {};
  const auto spots = spots_of(call, call.value("obj"), array.layout.sizes[axis]);
  if (!spots) return {};
  const Order order = fortran ? Order::fortran : Order::c;
  const Value made = spots->numbers.size() == 1
                         ? insert_at(call, array, axis, spots->numbers.front(), spots->line, order)
                         : insert_before(call, array, axis, spots->numbers, order);
  if (call.failed()) return {};
  call.unsay(said);
  const Tensor& result = *tensor_of(made);
  call.why(Msg::np_insert_headline,
           {result.layout.sizes[axis] - array.layout.sizes[axis], Slot{axis, call.axis(array, axis)}, nbytes(result),
            to_string(result.layout.sizes)});
  call.relation(Relation::copy);
  return made;
}

}  // namespace

std::span<const Op> numpy_insert_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.insert(arr, obj, values, axis=None)", Msg::op_np_insert,
       "the values before the slices along the axis that obj names; of everything as raveled",
       "x = np.arange(6).reshape(2, 3)\ny = np.insert(x, 1, 9, axis=1)", insert, Op::Structured::elements},
  };
  return rows;
}

}  // namespace stridescope
