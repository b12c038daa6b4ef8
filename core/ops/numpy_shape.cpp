// The same elements under another shape or dtype.
#include <algorithm>

#include "layout/extent.h"
#include "ops/layout_words.h"
#include "ops/numpy.h"
#include "ops/rows.h"
#include "ops/without_copy.h"

namespace stridescope {
namespace {

Value reshape(Call& call, const Value& shape) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  if (std::holds_alternative<None>(shape.held)) return numpy_reshape(call, *source->tensor, {-1}, NumpyOrder::c);
  const NumpyOrder order = numpy_order(call, "order", NumpyOrder::c);
  const Dims sizes = numpy_shape(call, shape);
  if (call.failed()) return {};
  if (call.given("copy") && call.boolean("copy")) {
    const Value copied = numpy_copy(call, *source->tensor, order);
    const size_t said = call.said();
    const Value result = call.failed() ? Value{} : numpy_reshape(call, *tensor_of(copied), sizes, order);
    call.unsay(said);
    call.relation(Relation::copy);
    return result;
  }
  return numpy_reshape(call, *source->tensor, sizes, order, !std::holds_alternative<bool>(call.value("copy").held));
}

/// A one-dimensional copy of the elements read in `order`.
Value flat_copy(Call& call, const Tensor& array, NumpyOrder wanted) {
  const Layout& layout = array.layout;
  const int64_t count = count_of(array), unit = unit_of(array);
  owned_layout(call, {count}, array.dtype);
  if (call.failed()) return {};
  Dims axes = fortran_order(layout.rank());
  if (wanted == NumpyOrder::keep)
    axes = iteration_order({layout});
  else if (resolved_order(array, wanted) == Order::fortran)
    axes = c_order(layout.rank());
  Elements read = elements_of(array);
  read.layout = permute(read.layout, axes);
  call.why(Msg::np_flat_copy, {count, count * unit});
  return call.fresh(array.dtype, owned_layout(call, {count}, array.dtype), gather(read, array.dtype), Relation::copy);
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
  if (order != NumpyOrder::keep) explain_packed(call, array, order == NumpyOrder::c ? c_order(rank) : fortran_order(rank));
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
  const auto scalar_axis = rank == 0 ? as_integer(call.value("axis")) : std::nullopt;
  if (scalar_axis == 0 || scalar_axis == -1) return numpy_same(call, source, Msg::np_nothing_to_squeeze);
  if (call.given("axis")) {
    drop = numpy_axes(call, call.value("axis"), rank, "duplicate value in 'axis'");
    if (call.failed()) return {};
    for (const int64_t axis : drop)
      if (const int d = static_cast<int>(axis); array.layout.sizes[d] != 1)
        return call.fail("ValueError", "cannot select an axis to squeeze out which has size not equal to one",
                         Msg::np_squeeze_size, {{d, call.axis(array, d)}, array.layout.sizes[d]});
  } else {
    for (int d = 0; d < rank; ++d)
      if (array.layout.sizes[d] == 1) drop.push_back(d);
  }
  if (drop.empty()) return numpy_same(call, source, Msg::np_nothing_to_squeeze);
  Layout layout = array.layout;
  for (int d = rank - 1; d >= 0; --d)
    if (std::find(drop.begin(), drop.end(), d) != drop.end()) layout = stridescope::squeeze(layout, d);
  const Value result = numpy_view(call, array, layout);
  for (const int64_t axis : drop)
    call.why(Msg::np_axis_dropped,
             {{axis, call.axis(array, static_cast<int>(axis))}, array.layout.strides[static_cast<int>(axis)]});
  return result;
}

Value expand_dims(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const auto list = integer_list(call, call.value("axis"));
  if (!list) return {};
  const int rank = array.layout.rank() + static_cast<int>(list->size());
  if (rank > max_rank) return call.refuse(Msg::np_too_many_axes, {max_rank});
  const Dims places = numpy_axes(call, call.value("axis"), rank, "repeated axis");
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

// Other dtypes on the same bytes.

/// The layout of the same bytes as elements of `dtype`, or the call failed.
std::optional<Layout> retyped(Call& call, const Tensor& array, DType dtype) {
  Layout layout = array.layout;
  const int64_t old_unit = unit_of(array), unit = itemsize(dtype);
  if (old_unit == unit) return layout;
  if (layout.rank() == 0) {
    call.fail("ValueError", "Changing the dtype of a 0d array is only supported if the itemsize is unchanged",
              Msg::np_view_dtype_0d, {old_unit, unit});
    return std::nullopt;
  }
  int64_t& size = layout.sizes[layout.rank() - 1];
  int64_t& stride = layout.strides[layout.rank() - 1];
  const int last = layout.rank() - 1;
  if (size != 1 && numel(layout.sizes) != 0 && stride != old_unit) {
    call.fail("ValueError", "To change to a dtype of a different size, the last axis must be contiguous",
              Msg::np_view_dtype_stride, {{last, call.axis(array, last)}, stride, old_unit});
    const Parts& parts = call.parts();
    const bool fits = unit <= old_unit ? old_unit % unit == 0 : size * old_unit % unit == 0;
    if (fits && call.form().kind == Form::Kind::method)
      call.hint(Msg::hint_pack_first, {".copy()", nbytes(array)}, Fix{{parts.name.begin, parts.name.begin}, "copy()."});
    return std::nullopt;
  }
  const int64_t bytes = size * old_unit;
  if (unit > old_unit && bytes % unit != 0) {
    call.fail("ValueError",
              "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis "
              "of the array.",
              Msg::np_view_dtype_bytes, {bytes, unit});
    return std::nullopt;
  }
  if (old_unit % unit != 0 && unit % old_unit != 0) {
    call.fail("ValueError",
              "When changing to a smaller dtype, its size must be a divisor of the size of original dtype",
              Msg::np_view_dtype_bytes, {old_unit, unit});
    return std::nullopt;
  }
  size = bytes / unit;
  stride = unit;
  return layout;
}

Value view(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (!call.given("dtype")) return numpy_view(call, array, array.layout);
  const auto dtype = numpy_dtype(call.value("dtype"));
  if (!dtype)
    return call.fail("TypeError", {"data type ", to_string(call.value("dtype")), " not understood"},
                     Msg::np_dtype_unknown, {to_string(call.value("dtype"))});
  const auto layout = retyped(call, array, *dtype);
  if (!layout) return {};
  Tensor read = array;
  read.dtype = *dtype;
  const Value result = numpy_view(call, read, *layout);
  call.why(Msg::np_view_dtype, {name(array.dtype), name(*dtype), unit_of(array), itemsize(*dtype)});
  return result;
}

// Changing an array in place.

Value set_shape(Call& call) {
  const TensorRef source = receiver(call);
  const Dims requested = numpy_shape(call, call.value("sizes"));
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const auto sizes = requested == array.layout.sizes ? requested : numpy_sizes(call, array, requested);
  if (!sizes) return {};
  call.attempt(array, requested, *sizes);
  const Viewed viewed = reshape_without_copy(array.layout, *sizes, Order::c, unit_of(array), requested == *sizes);
  if (const Layout* layout = as_layout(viewed)) {
    explain_set(call, *layout, array.dtype);
    if (requested != array.layout.sizes && count_of(array) > 0) explain_strides(call, array, *layout);
    return call.change(*layout);
  }
  const Joint& joint = as_crack(viewed)->joint;
  explain_shapes(call, array.layout, *sizes);
  call.fail("AttributeError",
            "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the desired shape.",
            Msg::np_crack,
            {{joint.outer, call.axis(array, joint.outer)},
             {joint.inner, call.axis(array, joint.inner)},
             joint.stride,
             joint.needed,
             array.layout.sizes[joint.inner],
             array.layout.strides[joint.inner]});
  if (const Parts& parts = call.parts(); parts.list.end > 0) {
    const std::string name = call.written(parts.receiver);
    const std::string copied =
        name + " = " + name + ".reshape" +
        (requested.size() == 1 ? "(" + std::to_string(requested[0]) + ")" : to_string(requested));
    const bool plain = name.find_first_of(".[(") == std::string::npos;
    call.hint(Msg::hint_np_bind_copy, {copied, nbytes(array)},
              plain ? std::optional(Fix{{parts.receiver.begin, parts.list.end}, copied}) : std::nullopt);
  }
  offer_nearest_shape(call, array, *sizes);
  return {};
}

Value set_strides(Call& call) {
  const TensorRef source = receiver(call);
  const Dims strides = numpy_shape(call, call.value("strides"));
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (strides.size() != array.layout.rank())
    return call.fail("ValueError",
                     {"strides must be  same length as shape (", array.layout.rank(), ")"},
                     Msg::np_strides_count, {array.layout.rank(), strides.size()});
  const Layout layout{array.layout.sizes, strides, array.layout.storage_offset};
  if (!is_valid(layout)) return call.refuse(Msg::beyond_int64);
  // What may be reached is what the base reaches, or without one the array itself.
  const TensorPtr base = tensor_of(call.base_of(array));
  const Tensor& bounds = base ? *base : array;
  const auto allowed = extent(bounds.layout), reached = extent(layout);
  const int64_t first = allowed ? allowed->lowest : array.layout.storage_offset;
  const int64_t end = allowed ? allowed->highest + unit_of(bounds) : array.layout.storage_offset;
  if (reached && (reached->lowest < first || reached->highest + unit_of(array) > end))
    return call.fail("ValueError", "strides is not compatible with available memory", Msg::np_outside_memory,
                     {reached->lowest, reached->highest + unit_of(array) - 1, end});
  explain_set(call, layout, array.dtype);
  return call.change(layout);
}

Value set_dtype(Call& call) {
  const TensorRef source = receiver(call);
  const auto dtype = numpy_dtype(call.value("dtype"));
  if (call.failed()) return {};
  if (!dtype)
    return call.fail("TypeError", {"data type ", to_string(call.value("dtype")), " not understood"},
                     Msg::np_dtype_unknown, {to_string(call.value("dtype"))});
  const auto layout = retyped(call, *source->tensor, *dtype);
  if (!layout) return {};
  Tensor changed = *source->tensor;
  changed.dtype = *dtype;
  call.why(Msg::np_view_dtype, {name(source->tensor->dtype), name(*dtype), unit_of(*source->tensor), itemsize(*dtype)});
  explain_set(call, *layout, *dtype);
  source->tensor = std::make_shared<const Tensor>(std::move(changed));
  return call.change(*layout);
}

/// The elements of `array` in C order, over and over, until `count` of them are there.
ContentsPtr repeated(const Tensor& array, int64_t count) {
  const int64_t have = count_of(array), unit = unit_of(array);
  const ContentsPtr flat = gather(elements_of(array), array.dtype);
  if (!flat || count == have) return flat;
  const int64_t rounds = (count + have - 1) / have;
  const ContentsPtr over = gather({flat, {{rounds, have}, {0, unit}, 0}, array.dtype}, array.dtype);
  return over && rounds * have != count ? gather({over, {{count}, {unit}, 0}, array.dtype}, array.dtype) : over;
}

Value resize_function(Call& call) {
  const TensorRef source = receiver(call);
  const Dims sizes = numpy_shape(call, call.value("new_shape"));
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; }))
    return call.fail("ValueError", "all elements of `new_shape` must be non-negative", Msg::np_negative_size,
                     {to_string(sizes)});
  owned_layout(call, sizes, array.dtype);  // fails where the result would be too big
  if (call.failed()) return {};
  const int64_t count = *numel(sizes), have = count_of(array);
  if (have == 0 || count == 0)
    return numpy_fresh(call, sizes, array.dtype, constant_contents(integer_scalar(0, array.dtype), count),
                       Relation::copy);
  call.why(Msg::np_resize_repeats, {count, have});
  // Joined copies seen under the new shape.
  const int64_t whole = (count + have - 1) / have * have;
  const Value joined = numpy_fresh(call, {whole}, array.dtype, repeated(array, whole), Relation::copy);
  if (whole != count) call.why(Msg::np_resize_keeps, {whole * unit_of(array), count * unit_of(array)});
  if (call.failed()) return {};
  const Value result = call.view(*tensor_of(joined), contiguous(sizes, unit_of(array)));
  call.relation(Relation::copy);
  return result;
}

Value resize_method(Call& call) {
  if (!tensor_of(call.value("x"))) return call.refuse(Msg::np_wants_arrays, {type_name(call.value("x"))});
  const TensorRef source = receiver(call);
  const Dims sizes = numpy_shape(call, call.value("new_shape"));
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; }))
    return call.fail("ValueError", "negative dimensions not allowed", Msg::np_negative_size, {to_string(sizes)});
  owned_layout(call, sizes, array.dtype);  // fails where the result would be too big
  if (call.failed()) return {};
  const int64_t unit = unit_of(array), count = *numel(sizes), have = count_of(array);
  if (!is_contiguous(array.layout, unit) && !is_f_contiguous(array.layout, unit))
    return call.fail("ValueError", "resize only works on single-segment arrays", Msg::np_resize_segment,
                     {to_string(array.layout.strides)});
  if (count != have && array.is_view)
    return call.fail("ValueError", "cannot resize this array: it does not own its data", Msg::np_resize_owner,
                     {have, count});
  if (count != have) {
    // New elements are zeros.
    const ContentsPtr zeros = constant_contents(integer_scalar(0, array.dtype), count);
    const int64_t kept = std::min(count, have);
    const Layout line{{kept}, {unit}, 0};
    ContentsPtr contents = patch(zeros, {nullptr, line, array.dtype}, {array.storage->contents, line, array.dtype});
    if (!contents) return call.refuse(Msg::np_too_costly);
    array.storage->contents = std::move(contents);
    array.storage->nbytes = count * unit;
  }
  Layout layout = contiguous(sizes, unit);
  layout.storage_offset = array.layout.storage_offset;
  explain_set(call, layout, array.dtype);
  call.change(layout);
  call.relation(count == have ? Relation::same : Relation::write);
  return {};
}

}  // namespace

std::span<const Op> numpy_shape_rows() {
  static const Op rows[] = {
      {Library::numpy, "x.reshape(*shape, order='C', copy=None)", Msg::op_np_reshape,
       "a view where axes only split, or join with strides[d] == sizes[d+1] * strides[d+1]; else a copy",
       "x = np.arange(12).reshape(3, 4)",
       [](Call& call) -> Value {
         const auto* shape = std::get_if<Sequence>(&call.value("shape").held);
         if (shape && shape->items->size() == 1 && shape->kind == Sequence::Kind::tuple) {
           const Value& only = shape->items->front();
           if (std::holds_alternative<None>(only.held)) return reshape(call, only);
         }
         return reshape(call, call.value("shape"));
       }},
      {Library::numpy, "np.reshape(a, shape, order='C', *, copy=None)", Msg::op_np_reshape,
       "a view where axes only split, or join with strides[d] == sizes[d+1] * strides[d+1]; else a copy",
       "x = np.arange(12)\ny = np.reshape(x, (3, 4))", [](Call& call) { return reshape(call, call.value("shape")); }},
      {Library::numpy, "x.ravel(order='C')\nnp.ravel(x, order='C')", Msg::op_np_ravel,
       "a view where the elements already lie in that order without gaps, else a copy",
       "x = np.arange(6).reshape(2, 3)\ny = x.T.ravel()", ravel},
      {Library::numpy, "x.flatten(order='C')", Msg::op_np_flatten, "always a copy",
       "x = np.arange(6).reshape(2, 3)\ny = x.flatten()",
       [](Call& call) {
         const TensorRef source = receiver(call);
         const NumpyOrder order = numpy_order(call, "order", NumpyOrder::c);
         return call.failed() ? Value{} : flat_copy(call, *source->tensor, order);
       }},
      {Library::numpy, "x.squeeze(axis=None)\nnp.squeeze(x, axis=None)", Msg::op_np_squeeze, "drops axes of size 1",
       "x = np.zeros((1, 3, 1))\ny = x.squeeze()", squeeze},
      {Library::numpy, "np.expand_dims(a, axis)", Msg::op_np_expand_dims,
       "the new axis has stride size * stride of its right neighbour, itemsize at the end",
       "x = np.arange(6).reshape(2, 3)\ny = np.expand_dims(x, 1)", expand_dims},
      {Library::numpy, "np.atleast_1d(*arys: any = ())", Msg::op_np_atleast_1d, "", "x = np.atleast_1d(3)",
       [](Call& call) { return at_least(call, 1); }},
      {Library::numpy, "np.atleast_2d(*arys: any = ())", Msg::op_np_atleast_2d, "", "x = np.atleast_2d(np.arange(3))",
       [](Call& call) { return at_least(call, 2); }},
      {Library::numpy, "np.atleast_3d(*arys: any = ())", Msg::op_np_atleast_3d, "", "x = np.atleast_3d(np.arange(3))",
       [](Call& call) { return at_least(call, 3); }},
      {Library::numpy, "x.view(dtype=None)", Msg::op_np_view,
       "sizes[last] * itemsize stays; the last axis must be contiguous where the item size changes",
       "x = np.arange(4)\ny = x.view(np.int32)", view},
      {Library::numpy, "x.shape = sizes", Msg::op_np_set_shape, "reshape in place, never with a copy",
       "x = np.arange(6)\nx.shape = (2, 3)", set_shape},
      {Library::numpy, "x.strides = strides", Msg::op_np_set_strides, "",
       "x = np.arange(6).reshape(2, 3)\nx.strides = (8, 16)", set_strides},
      {Library::numpy, "x.dtype = dtype", Msg::op_np_set_dtype, "", "x = np.arange(6)\nx.dtype = np.int32", set_dtype},
      {Library::numpy, "np.resize(a, new_shape)", Msg::op_np_resize,
       "the elements over and over until the new shape is full", "x = np.arange(3)\ny = np.resize(x, (2, 4))",
       resize_function},
      {Library::numpy, "x.resize(*new_shape, refcheck=True)", Msg::op_np_resize_method, "in place; new elements are 0",
       "x = np.arange(6)\nx.resize(2, 3)", resize_method},
  };
  return rows;
}

}  // namespace stridescope
