// The same elements under another shape.
#include <algorithm>

#include "ops/layout_words.h"
#include "ops/numpy/numpy.h"
#include "ops/rows.h"
#include "ops/without_copy.h"

namespace stridescope {
namespace {

/// Whether copy= is no string, or the call failed.
bool copy_allowed(Call& call) {
  if (std::holds_alternative<std::string>(call.value("copy").held))
    call.about("copy").fail("ValueError", "strings are not allowed for 'copy' keyword. Use True/False/None instead.",
                            Msg::argument_has_type, {"copy", "bool", "str"});
  return !call.failed();
}

Value reshaped(Call& call, const Value& shape) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const NumpyOrder order = numpy_order(call, "order", NumpyOrder::c);
  if (call.failed()) return {};
  if (std::holds_alternative<None>(shape.held)) {
    if (call.form().kind != Form::Kind::method)
      return call.fail_parser("reshape() missing 1 required positional argument: 'shape'", Msg::missing_argument,
                              {call.name(), "shape", call.form().text});
    return numpy_view(call, *source->tensor, source->tensor->layout);
  }
  const Dims sizes = numpy_shape(call, shape);
  if (call.failed()) return {};
  if (!copy_allowed(call)) return {};
  if (call.given("copy") && call.truth("copy")) {
    const Value copied = numpy_copy(call, *source->tensor, order);
    if (call.failed()) return {};
    const size_t said = call.said();
    const Tensor& made = *tensor_of(copied);
    // Strides are made anew even for the sizes that there are.
    const bool fortran_order = resolved_order(made, order) == Order::fortran;
    const Value result =
        sizes != made.layout.sizes || order == NumpyOrder::keep
            ? numpy_reshape(call, made, sizes, order)
            : call.view(made, fortran_order ? fortran(sizes, unit_of(made)) : contiguous(sizes, unit_of(made)));
    call.unsay(said);
    call.relation(Relation::copy);
    return result;
  }
  if (call.failed()) return {};
  return numpy_reshape(call, *source->tensor, sizes, order, !call.given("copy"));
}

/// Of a scalar a scalar, where the shape is ().
Value reshape(Call& call, const Value& shape) {
  const Value result = reshaped(call, shape);
  return !call.failed() && std::holds_alternative<NumpyScalar>(call.first().held) ? scalar_if_0d(call, result) : result;
}

/// A one-dimensional copy of the elements read in `order`.
Value flat_copy(Call& call, const Tensor& array, NumpyOrder wanted) {
  const Layout& layout = array.layout;
  const int64_t count = count_of(array), unit = unit_of(array);
  Dims axes = fortran_order(layout.rank());
  if (wanted == NumpyOrder::keep)
    axes = iteration_order({layout});
  else if (resolved_order(array, wanted) == Order::fortran)
    axes = c_order(layout.rank());
  const Elements read = copied_elements(array, permute(layout, axes));
  call.why(Msg::np_flat_copy, {count, count * unit});
  return call.fresh(array, owned_layout(call, {count}, unit), gather(read, read.dtype), Relation::copy);
}

Value ravel(Call& call) {
  const TensorRef source = receiver(call);
  NumpyOrder order = numpy_order(call, "order", NumpyOrder::c);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int64_t unit = unit_of(array);
  const bool c = is_contiguous(array.layout, unit), f = is_f_contiguous(array.layout, unit);
  if (order == NumpyOrder::any)
    order = resolved_order(array, order) == Order::fortran ? NumpyOrder::fortran : NumpyOrder::c;
  if (order == NumpyOrder::keep && (c || f)) order = c ? NumpyOrder::c : NumpyOrder::fortran;
  if ((order == NumpyOrder::c && c) || (order == NumpyOrder::fortran && f))
    return numpy_reshape(call, array, {-1}, order);
  if (order == NumpyOrder::keep) {
    // Any order of the axes in which the array fills a stretch of memory will do; sizes of 1 do not count.
    const Dims axes = slowest_first(array.layout);
    int64_t stride = unit;
    int k = axes.size() - 1;
    for (; k >= 0; --k) {
      const int d = static_cast<int>(axes[k]);
      if (array.layout.sizes[d] == 1) continue;
      if (array.layout.strides[d] != stride) break;
      stride *= array.layout.sizes[d];
    }
    if (k < 0) {
      const Value result = numpy_view(call, array, {{count_of(array)}, {unit}, array.layout.storage_offset});
      call.why(Msg::np_ravel_packs);
      return result;
    }
  }
  const Value result = flat_copy(call, array, order);
  const bool reshaped =
      order == NumpyOrder::c && as_layout(reshape_without_copy(array.layout, {count_of(array)}, Order::c, unit));
  call.why(order == NumpyOrder::fortran ? Msg::np_not_f_order
           : order == NumpyOrder::c     ? Msg::np_not_c_order
                                        : Msg::np_no_order,
           {to_string(array.layout.strides)});
  const int rank = array.layout.rank();
  if (order != NumpyOrder::keep)
    explain_packed(call, array, order == NumpyOrder::c ? c_order(rank) : fortran_order(rank));
  if (reshaped) call.why(Msg::np_ravel_reshape_would_view);
  return result;
}

// Sizes of 1.

Value squeeze(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int rank = array.layout.rank();
  Dims drop;
  if (std::holds_alternative<bool>(call.value("axis").held))
    return call.about("axis").fail_parser("an integer is required for the axis", Msg::np_not_an_integer, {"bool"});
  if (const auto* axes = std::get_if<Sequence>(&call.value("axis").held)) {
    if (axes->kind == Sequence::Kind::list || axes->kind == Sequence::Kind::range)
      return call.about("axis").fail_parser(
          {"'", attribute_type(call.value("axis")), "' object cannot be interpreted as an integer"},
          Msg::np_not_an_integer, {type_name(call.value("axis"))});
    for (const Value& axis : *axes->items)
      if (std::holds_alternative<bool>(axis.held))
        return call.about(axis).fail_parser("integers are required for the axis tuple elements", Msg::np_not_an_integer,
                                            {"bool"});
  }
  if (refuse_array_with_axes(call, "axis")) return {};
  const auto scalar_axis = rank == 0 ? as_integer(call.value("axis")) : std::nullopt;
  const auto itself = [&] {
    const Value result = numpy_same(call, source, Msg::np_nothing_to_squeeze);
    return std::holds_alternative<NumpyScalar>(call.first().held) ? scalar_if_0d(call, result) : result;
  };
  if (scalar_axis == 0 || scalar_axis == -1) return itself();
  if (call.given("axis")) {
    drop = numpy_axes(call, call.value("axis"), rank, "duplicate value in 'axis'");
    if (call.failed()) return {};
    for (const int64_t axis : drop)
      if (const int d = static_cast<int>(axis); array.layout.sizes[d] != 1)
        return call.fail("ValueError", "cannot select an axis to squeeze out which has size not equal to one",
                         Msg::np_squeeze_size, {Slot{d, call.axis(array, d)}, array.layout.sizes[d]});
  } else {
    for (int d = 0; d < rank; ++d)
      if (array.layout.sizes[d] == 1) drop.push_back(d);
  }
  if (drop.empty()) return itself();
  Layout layout = array.layout;
  for (int d = rank - 1; d >= 0; --d)
    if (std::find(drop.begin(), drop.end(), d) != drop.end()) layout = stridescope::squeeze(layout, d);
  const Value result = numpy_view(call, array, layout);
  for (const int64_t axis : drop)
    call.why(Msg::np_axis_dropped,
             {Slot{axis, call.axis(array, static_cast<int>(axis))}, array.layout.strides[static_cast<int>(axis)]});
  return result;
}

Value expand_dims(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (refuse_array_with_axes(call, "axis")) return {};
  const auto* listed = std::get_if<Sequence>(&call.value("axis").held);
  if (listed && listed->kind == Sequence::Kind::range)
    return call.about("axis").fail_parser("'range' object cannot be interpreted as an integer", Msg::np_not_an_integer,
                                          {"range"});
  const int64_t more = listed ? static_cast<int64_t>(listed->items->size()) : 1;
  if (array.layout.rank() + more > max_rank) return too_many_axes(call, array.layout.rank() + more);
  const int rank = array.layout.rank() + static_cast<int>(more);
  const Dims places = normalized_axes(call, "axis", rank, "", "repeated axis");
  if (call.failed()) return {};
  Dims sizes;
  for (int d = 0, next = 0; d < rank; ++d)
    sizes.push_back(std::find(places.begin(), places.end(), d) != places.end() ? 1 : array.layout.sizes[next++]);
  const size_t said = call.said();
  const Value result = numpy_reshape(call, array, sizes, NumpyOrder::c);
  call.unsay(said + 1);
  if (!call.failed())
    for (const int64_t place : places)
      call.why(Msg::np_axis_added, {place, tensor_of(result)->layout.strides[static_cast<int>(place)]});
  return result;
}

Value at_least(Call& call, int least) {
  const auto* args = std::get_if<Sequence>(&call.value("arys").held);
  std::vector<Value> results;
  const auto one = [&](const Value& value) -> Value {
    const TensorRef source = as_array(call, value);
    if (call.failed()) return {};
    const Tensor& array = *source->tensor;
    const int rank = array.layout.rank();
    if (rank >= least) return numpy_same(call, source, Msg::np_enough_axes, {rank});
    if (rank == 0) return numpy_reshape(call, array, Dims::filled(least, 1), NumpyOrder::c);
    // As indexing with newaxis does: stride 0.
    Layout layout = array.layout;
    if (least == 2) layout = insert_dim(layout, 0, 0);
    if (least == 3 && rank == 1) layout = insert_dim(insert_dim(layout, 0, 0), 2, 0);
    if (least == 3 && rank == 2) layout = insert_dim(layout, 2, 0);
    const Value result = numpy_view(call, array, layout);
    call.why(Msg::np_leading_ones, {least});
    return result;
  };
  if (args->items->size() == 1) return one(args->items->front());
  for (const Value& item : *args->items) {
    results.push_back(one(item));
    if (call.failed()) return {};
  }
  return call.tuple(std::move(results));
}

}  // namespace

std::span<const Op> numpy_shape_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "x.reshape(*shape=None, order='C', copy=None)", Msg::op_np_reshape,
       "a view where axes only split, or join with strides[d] == sizes[d+1] * strides[d+1]; else a copy",
       "x = np.arange(12).reshape(3, 4)",
       [](Call& call) -> Value {
         const auto* shape = std::get_if<Sequence>(&call.value("shape").held);
         if (shape && shape->items->size() == 1 && call.one_by_one("shape")) {
           const Value& only = shape->items->front();
           const TensorPtr sizes = tensor_of(only);
           if (std::holds_alternative<None>(only.held) || (sizes && sizes->layout.rank() > 0))
             return reshape(call, only);
         }
         if (call.given("shape")) return reshape(call, call.value("shape"));
         // The keywords are read before the shape is missed.
         numpy_order(call, "order", NumpyOrder::c);
         copy_allowed(call);
         return call.fail_parser("reshape() takes exactly 1 argument (0 given)", Msg::missing_argument,
                                 {call.name(), "shape", call.form().text});
       },
       Op::Structured::arrays},
      {Library::numpy, "np.reshape(a, /, shape, order='C', *, copy=None)\nnp.reshape(a, /, *, newshape, order='C')",
       Msg::op_np_reshape,
       "a view where axes only split, or join with strides[d] == sizes[d+1] * strides[d+1]; else a copy",
       "x = np.arange(12)\ny = np.reshape(x, (3, 4))", [](Call& call) { return reshape(call, call.value("shape")); },
       Op::Structured::arrays},
      {Library::numpy, "x.ravel(order='C')\nnp.ravel(a, order='C')", Msg::op_np_ravel,
       "a view where the elements already lie in that order without gaps, else a copy",
       "x = np.arange(6).reshape(2, 3)\ny = x.T.ravel()", ravel, Op::Structured::arrays},
      {Library::numpy, "x.flatten(order='C')", Msg::op_np_flatten, "always a copy",
       "x = np.arange(6).reshape(2, 3)\ny = x.flatten()",
       [](Call& call) {
         const TensorRef source = receiver(call);
         const NumpyOrder order = numpy_order(call, "order", NumpyOrder::c);
         return call.failed() ? Value{} : flat_copy(call, *source->tensor, order);
       },
       Op::Structured::arrays},
      {Library::numpy, "x.squeeze(axis=None)\nnp.squeeze(a, axis=None)", Msg::op_np_squeeze, "drops axes of size 1",
       "x = np.zeros((1, 3, 1))\ny = x.squeeze()", squeeze, Op::Structured::arrays},
      {Library::numpy, "np.expand_dims(a, axis)", Msg::op_np_expand_dims,
       "the new axis has stride size * stride of its right neighbour, itemsize at the end",
       "x = np.arange(6).reshape(2, 3)\ny = np.expand_dims(x, 1)", expand_dims, Op::Structured::arrays},
      {Library::numpy, "np.atleast_1d(*arys: any = ())", Msg::op_np_atleast_1d, "", "x = np.atleast_1d(3)",
       [](Call& call) { return at_least(call, 1); }, Op::Structured::arrays},
      {Library::numpy, "np.atleast_2d(*arys: any = ())", Msg::op_np_atleast_2d, "", "x = np.atleast_2d(np.arange(3))",
       [](Call& call) { return at_least(call, 2); }, Op::Structured::arrays},
      {Library::numpy, "np.atleast_3d(*arys: any = ())", Msg::op_np_atleast_3d, "", "x = np.atleast_3d(np.arange(3))",
       [](Call& call) { return at_least(call, 3); }, Op::Structured::arrays},
  };
  return rows;
}

}  // namespace stridescope
