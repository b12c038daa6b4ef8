// One array taken apart along an axis: views.
#include <algorithm>
#include <cmath>

#include "ops/numpy/numpy.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// A number of sections, whole or not; nothing of what says where to cut.
std::optional<double> section_count(const Value& where) {
  const TensorPtr array = tensor_of(where);
  return array && array->layout.rank() > 0 ? std::nullopt : as_real(where);
}

Value split_at(Call& call, const Tensor& array, const Value& where, int axis) {
  const auto* list = std::get_if<Sequence>(&call.first().held);
  const int64_t size = list ? static_cast<int64_t>(list->items->size()) : array.layout.sizes[axis];
  std::vector<int64_t> points{0};
  if (const auto number = section_count(where); number && std::abs(*number) < 9e15) {
    const auto sections = static_cast<int64_t>(*number);
    if (sections <= 0)
      return call.about("indices_or_sections")
          .fail("ValueError", "number sections must be larger than 0.", Msg::np_split_sections, {sections});
    if (sections > static_cast<int64_t>(max_items))
      return call.refuse(Msg::too_many_items, {static_cast<int64_t>(max_items)});
    for (int64_t i = 0; i < sections; ++i)
      points.push_back(points.back() + size / sections + (i < size % sections ? 1 : 0));
  } else {
    const TensorPtr none = tensor_of(where);
    const auto places = none && none->layout.rank() == 1 && count_of(*none) == 0 ? std::optional(std::vector<int64_t>{})
                                                                                 : integer_list(call, where);
    if (!places) return {};
    points.insert(points.end(), places->begin(), places->end());
    points.push_back(size);
  }
  call.why(Msg::np_split_headline, {static_cast<int64_t>(points.size()) - 1, Slot{axis, call.axis(array, axis)}, size});
  std::vector<Value> items;
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    SliceRange range = slice_range(points[i], points[i + 1], 1, array.layout.sizes[axis]);
    if (range.count <= 0) range = {0, 1, 0};
    const Layout part = *slice(array.layout, axis, range.start, 1, range.count);
    if (points.size() <= 9)
      call.why(Msg::np_piece, {static_cast<int64_t>(i), range.start, range.start + range.count, part.storage_offset});
    items.push_back(call.view(array, part));
  }
  call.why(Msg::np_split_view);
  return call.tuple(std::move(items), Sequence::Kind::list);
}

Value split_along(Call& call, const Tensor& array, int64_t wanted, bool equal) {
  const Value& where = call.value("indices_or_sections");
  const int rank = array.layout.rank();
  // What has no shape is only asked for its length, and for its axis when it is cut.
  if (std::holds_alternative<Sequence>(call.first().held) && (wanted >= rank || wanted < -rank)) {
    if (section_count(where).value_or(1) < 1)
      return call.about("indices_or_sections")
          .fail("ValueError", "number sections must be larger than 0.", Msg::np_split_sections, {to_string(where)});
    return numpy_axis(call, wanted, rank, "axis1: "), Value{};
  }
  if (wanted >= rank || wanted < -rank)
    return call.fail("IndexError", "tuple index out of range", Msg::np_axis_out_of_range, {wanted, rank});
  const int axis = static_cast<int>(wanted < 0 ? wanted + rank : wanted);
  const auto sections = equal ? section_count(where) : std::nullopt;
  if (sections == 0)
    return call.about("indices_or_sections")
        .fail("ZeroDivisionError", as_integer(where) ? "integer modulo by zero" : "float modulo by zero",
              Msg::np_split_sections, {to_string(where)});
  if (sections && std::fmod(static_cast<double>(array.layout.sizes[axis]), *sections) != 0)
    return call.about("indices_or_sections")
        .fail("ValueError", "array split does not result in an equal division", Msg::np_split_unequal,
              {array.layout.sizes[axis], to_string(where)});
  return split_at(call, array, where, axis);
}

/// Whether len() of it fails, so that it is taken for a number of sections.
bool has_no_length(const Value& where) {
  const TensorPtr array = tensor_of(where);
  return array ? array->layout.rank() == 0 : !std::holds_alternative<Sequence>(where.held);
}

Value split(Call& call, bool equal) {
  // Only equal sections ask for the shape; what has none is as long as its len().
  const Value& where = call.value("indices_or_sections");
  const bool sections = has_no_length(where);
  const Value& given = call.value("ary");
  const bool number = std::holds_alternative<int64_t>(given.held) || std::holds_alternative<Float>(given.held) ||
                      std::holds_alternative<bool>(given.held);
  if ((!equal || !sections) && number)
    return call.about("ary").fail_parser({"object of type '", type_name(given), "' has no len()"}, Msg::np_array_needed,
                                         {type_name(given)});
  const TensorRef source = equal && sections ? receiver_with(call, "shape") : receiver(call);
  const int64_t axis = call.integer("axis");
  return call.failed() ? Value{} : split_along(call, *source->tensor, axis, equal);
}

/// hsplit, vsplit, dsplit.
Value split_by_name(Call& call, std::string_view which, int least, int axis) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const int rank = source->tensor->layout.rank();
  const bool sections = has_no_length(call.value("indices_or_sections"));
  if (rank >= least && (sections || which == "hsplit")) receiver_with(call, which == "hsplit" ? "ndim" : "shape");
  if (call.failed()) return {};
  if (rank < least)
    return call.fail("ValueError", {which, " only works on arrays of ", least, " or more dimensions"},
                     Msg::np_too_few_axes, {rank, least});
  return split_along(call, *source->tensor, which == "hsplit" && rank == 1 ? 0 : axis, true);
}

Value unstack(Call& call) {
  const TensorRef source = receiver_with(call, "ndim");
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int rank = array.layout.rank();
  if (rank == 0) return call.fail("ValueError", "Input array must be at least 1-d.", Msg::np_too_few_axes, {0, 1});
  const Dims axes = normalized_axes(call, "axis", rank, "source: ", "repeated axis in `source` argument");
  if (call.failed()) return {};
  if (axes.size() != 1)
    return call.about("axis").fail("ValueError",
                                   "`source` and `destination` arguments must have the same number of elements",
                                   Msg::items_needed, {1, axes.size()});
  const int axis = static_cast<int>(axes[0]);
  if (array.layout.sizes[axis] > static_cast<int64_t>(max_items))
    return call.refuse(Msg::too_many_items, {static_cast<int64_t>(max_items)});
  call.why(Msg::np_split_headline,
           {array.layout.sizes[axis], Slot{axis, call.axis(array, axis)}, array.layout.sizes[axis]});
  std::vector<Value> items;
  for (int64_t i = 0; i < array.layout.sizes[axis]; ++i) {
    Tensor part = array;
    part.layout = select(array.layout, axis, i);
    items.push_back(rank == 1 ? numpy_scalar(call, part) : call.view(array, part.layout));
  }
  call.why(rank == 1 ? Msg::np_unstack_scalars : Msg::np_split_view);
  return call.tuple(std::move(items));
}

}  // namespace

std::span<const Op> numpy_split_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.split(ary, indices_or_sections, axis=0)", Msg::op_np_split, "slices along the axis: views",
       "x = np.arange(10)\na, b = np.split(x, 2)", [](Call& call) { return split(call, true); },
       Op::Structured::arrays},
      {Library::numpy, "np.array_split(ary, indices_or_sections, axis=0)", Msg::op_np_array_split,
       "exactly that many slices, the first ones longer by 1", "x = np.arange(10)\na, b, c = np.array_split(x, 3)",
       [](Call& call) { return split(call, false); }, Op::Structured::arrays},
      {Library::numpy, "np.hsplit(ary, indices_or_sections)", Msg::op_np_hsplit, "np.split along axis 1",
       "x = np.arange(12).reshape(3, 4)\na, b = np.hsplit(x, 2)",
       [](Call& call) { return split_by_name(call, "hsplit", 1, 1); }, Op::Structured::arrays},
      {Library::numpy, "np.vsplit(ary, indices_or_sections)", Msg::op_np_vsplit, "np.split along axis 0",
       "x = np.arange(12).reshape(4, 3)\na, b = np.vsplit(x, 2)",
       [](Call& call) { return split_by_name(call, "vsplit", 2, 0); }, Op::Structured::arrays},
      {Library::numpy, "np.dsplit(ary, indices_or_sections)", Msg::op_np_dsplit, "np.split along axis 2",
       "x = np.arange(8).reshape(2, 2, 2)\na, b = np.dsplit(x, 2)",
       [](Call& call) { return split_by_name(call, "dsplit", 3, 2); }, Op::Structured::arrays},
      {Library::numpy, "np.unstack(x, /, *, axis=0)", Msg::op_np_unstack, "x[i] along the axis, one for each i",
       "x = np.arange(6).reshape(2, 3)\na, b = np.unstack(x)", unstack, Op::Structured::arrays},
  };
  return rows;
}

}  // namespace stridescope
