// Another recipe for the bytes an array has: another dtype, or the array's own shape, strides and size changed in
// place.
#include <algorithm>

#include "layout/extent.h"
#include "ops/layout_words.h"
#include "ops/numpy/byte_order.h"
#include "ops/rows.h"
#include "ops/without_copy.h"

namespace stridescope {
namespace {

// Other dtypes on the same bytes.

/// The layout of the same bytes as elements of so many bytes, or the call failed.
std::optional<Layout> retyped(Call& call, const Tensor& array, int64_t unit) {
  Layout layout = array.layout;
  const int64_t old_unit = unit_of(array);
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
              Msg::np_view_dtype_stride, {Slot{last, call.axis(array, last)}, stride, old_unit});
    const Parts& parts = call.parts();
    const bool fits = unit > 0 && (unit <= old_unit ? old_unit % unit == 0 : size * old_unit % unit == 0);
    if (fits && call.form().kind == Form::Kind::method)
      call.hint(Msg::hint_pack_first, {".copy()", nbytes(array)}, Fix{{parts.name.begin, parts.name.begin}, "copy()."});
    return std::nullopt;
  }
  if (unit == 0 || (unit < old_unit && old_unit % unit != 0)) {
    call.fail(
        "ValueError", "When changing to a smaller dtype, its size must be a divisor of the size of original dtype",
        unit == 0 ? Message(Msg::np_view_dtype_none, {old_unit}) : Message(Msg::np_view_dtype_bytes, {old_unit, unit}));
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
  size = bytes / unit;
  stride = unit;
  return layout;
}

Value view(Call& call) {
  const TensorRef source = receiver(call);
  const Tensor& array = *source->tensor;
  const auto is_class = [](const Value& value) {
    const auto* symbol = std::get_if<Symbol>(&value.held);
    return symbol && symbol->path == "numpy.ndarray";
  };
  const auto written = [&](const char* parameter) { return !(call.argument(parameter) == Span{}); };
  if (written("type") && !is_class(call.value("type"))) {
    const std::string type = type_name(call.value("type"));
    call.about("type").fail("ValueError", "Type must be a sub-type of ndarray type", Msg::np_wants_subtype, {type});
    call.hint(Msg::np_hint_reshape);
    return {};
  }
  const bool scalar = std::holds_alternative<NumpyScalar>(call.first().held);
  if (!written("dtype") || is_class(call.value("dtype")))
    return scalar ? call.first() : numpy_view(call, array, array.layout);
  if (!scalar && is_empty_dtype(call.value("dtype"))) return retyped(call, array, 0), Value{};
  const Tensor read = read_as(array, asked_dtype(call));  // None is the default dtype
  if (scalar && read.structure) return call.refuse(Msg::np_structures_not_modelled, {"np.generic.view"});
  const auto layout = call.failed() ? std::nullopt : retyped(call, array, unit_of(read));
  if (!layout) return {};
  if (scalar) return numpy_scalar(call, read);
  const Value result = numpy_view(call, read, *layout);
  call.why(Msg::np_view_dtype, {dtype_text(array), dtype_text(read), unit_of(array), unit_of(read)});
  if (array.numbers() == read.numbers() && is_swapped(array) != is_swapped(read))
    call.why(Msg::np_bytes_weighed, {unit_of(array)});
  return result;
}

/// x.getfield: what lies at an offset into each element, as another dtype that is not larger.
Value getfield(Call& call) {
  const TensorRef source = receiver(call);
  const auto wanted = dtype_argument(call);
  const int64_t offset = call.integer("offset");
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const DType dtype = wanted.value_or(DType::float64);
  const int64_t unit = itemsize(dtype), own = unit_of(array);
  if (offset > INT32_MAX || offset < INT32_MIN)
    return call.about("offset").fail("OverflowError",
                                     {"signed integer is ", offset > 0 ? "greater than maximum" : "less than minimum"},
                                     Msg::np_getfield_outside, {name(dtype), unit, offset, own});
  const auto outside = [&](const char* parameter, const char* text) {
    return call.about(parameter).fail("ValueError", text, Msg::np_getfield_outside, {name(dtype), unit, offset, own});
  };
  if (unit > own) return outside("dtype", "new type is larger than original type");
  if (offset < 0) return outside("offset", "offset is negative");
  if (offset > own - unit) return outside("offset", "new type plus offset is larger than original type");
  Tensor read = array;
  read.dtype = dtype;
  const auto start = checked_add(read.layout.storage_offset, offset);
  if (!start) return call.refuse(Msg::beyond_int64);
  read.layout.storage_offset = *start;
  if (std::holds_alternative<NumpyScalar>(call.first().held)) return numpy_scalar(call, read);
  const Value result = numpy_view(call, read, read.layout);
  call.why(Msg::np_getfield, {offset, unit, own, name(dtype)});
  return result;
}

// Changing an array in place.

Value set_shape(Call& call) {
  const TensorRef source = receiver(call);
  const Dims requested = call.given("sizes") ? numpy_shape(call, call.value("sizes")) : Dims{};
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const auto sizes = requested == array.layout.sizes ? requested : numpy_sizes(call, array, requested);
  if (!sizes) return {};
  call.attempt(array, requested, *sizes);
  const Viewed viewed = reshape_without_copy(array.layout, *sizes, Order::c, unit_of(array), requested == *sizes);
  if (const Layout* layout = as_layout(viewed)) {
    explain_set(call, *layout, unit_of(array));
    if (requested != array.layout.sizes && count_of(array) > 0) explain_strides(call, array, *layout);
    return call.change(*layout);
  }
  const Joint& joint = as_crack(viewed)->joint;
  const auto nearest = explain_shapes(call, array.layout, *sizes);
  call.fail("AttributeError",
            "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the desired shape.",
            Msg::np_crack,
            {Slot{joint.outer, call.axis(array, joint.outer)}, Slot{joint.inner, call.axis(array, joint.inner)},
             joint.stride, joint.needed, array.layout.sizes[joint.inner], array.layout.strides[joint.inner]});
  if (const Parts& parts = call.parts(); parts.list.end > 0) {
    const std::string name = call.written(parts.receiver);
    const std::string copied =
        name + " = " + name + ".reshape" +
        (requested.size() == 1 ? "(" + std::to_string(requested[0]) + ")" : to_string(requested));
    const bool plain = name.find_first_of(".[(") == std::string::npos;
    call.hint(Msg::hint_np_bind_copy, {copied, nbytes(array)},
              plain ? std::optional(Fix{{parts.receiver.begin, parts.list.end}, copied}) : std::nullopt);
  }
  offer_shape(call, nearest);
  return {};
}

Value set_strides(Call& call) {
  const TensorRef source = receiver(call);
  const Dims strides = numpy_shape(call, call.value("strides"));
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (strides.size() != array.layout.rank())
    return call.fail("ValueError", {"strides must be  same length as shape (", array.layout.rank(), ")"},
                     Msg::np_strides_count, {array.layout.rank(), strides.size()});
  const Layout layout{array.layout.sizes, strides, array.layout.storage_offset};
  if (!is_valid(layout)) return call.refuse(Msg::beyond_int64);
  // What may be reached is what the base reaches, or without one the array itself.
  const TensorPtr base = tensor_of(call.base_of(array));
  const Tensor& bounds = base ? *base : array;
  const auto allowed = extent(bounds.layout), reached = extent(layout);
  const int64_t here = array.layout.storage_offset, first = allowed ? allowed->lowest : bounds.layout.storage_offset;
  const int64_t held = allowed ? allowed->highest + unit_of(bounds) - first : 0,
                end = first + (held > 0 ? held : nbytes(array));
  // Without elements it is the place that must lie inside.
  const int64_t lowest = reached ? reached->lowest : here, past = reached ? reached->highest + unit_of(array) : here;
  if (lowest < first || past > end)
    return call.fail("ValueError", "strides is not compatible with available memory", Msg::np_outside_memory,
                     {lowest, past - 1, end});
  explain_set(call, layout, unit_of(array));
  Tensor changed = array;
  changed.told_unaligned = false;
  source->tensor = std::make_shared<const Tensor>(std::move(changed));
  return call.change(layout);
}

Value set_dtype(Call& call) {
  const TensorRef source = receiver(call);
  if (is_empty_dtype(call.value("dtype"))) return retyped(call, *source->tensor, 0), Value{};
  const Tensor read = read_as(*source->tensor, asked_dtype(call));
  const auto layout = call.failed() ? std::nullopt : retyped(call, *source->tensor, unit_of(read));
  if (!layout) return {};
  Tensor changed = read;
  changed.told_unaligned = false;
  call.why(Msg::np_view_dtype,
           {dtype_text(*source->tensor), dtype_text(read), unit_of(*source->tensor), unit_of(read)});
  explain_set(call, *layout, unit_of(read));
  source->tensor = std::make_shared<const Tensor>(std::move(changed));
  return call.change(*layout);
}

Value resize_function(Call& call) {
  const TensorRef source = receiver(call);
  if (const TensorPtr rows = tensor_of(call.value("new_shape"));
      rows && rows->layout.rank() > 1 && count_of(*rows) != rows->layout.sizes[0] && rows->layout.sizes[0] > 0) {
    // Each row is asked whether it is below 0.
    return call.about("new_shape")
        .fail("ValueError",
              count_of(*rows) > 0
                  ? "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
                  : "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is "
                    "not empty.",
              Msg::truth_of_many, {to_string(rows->layout.sizes)});
  }
  if (const TensorPtr number = tensor_of(call.value("new_shape")); number && number->layout.rank() == 0)
    return call.about("new_shape").fail_parser("iteration over a 0-d array", Msg::not_iterable, {"ndarray"});
  const Dims sizes = numpy_shape(call, call.value("new_shape"));
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; }))
    return call.fail("ValueError", "all elements of `new_shape` must be non-negative", Msg::np_negative_size,
                     {to_string(sizes)});
  const Layout wanted = owned_layout(call, sizes, unit_of(array));  // fails where the result would be too big
  if (call.failed()) return {};
  const int64_t count = *numel(sizes), have = count_of(array);
  if (have == 0 || count == 0) return call.fresh(array, wanted, zero_contents(array, count), Relation::copy);
  call.why(Msg::np_resize_repeats, {count, have});
  // Joined copies seen under the new shape.
  const int64_t rounds = (count + have - 1) / have, whole = rounds * have;
  if (rounds > 1 && array.layout.sizes.full()) return call.refuse(Msg::np_too_many_axes, {max_rank});
  Layout over = array.layout;  // read once more for each step along an axis of stride 0
  if (rounds > 1) over = insert_dim(over, 0, 0), over.sizes[0] = rounds;
  const Value joined = numpy_gathered(call, array, owned_layout(call, {whole}, unit_of(array)), over);
  if (whole != count) call.why(Msg::np_resize_keeps, {whole * unit_of(array), count * unit_of(array)});
  const Value result = call.view(made_or(joined, array), contiguous(sizes, unit_of(array)));
  call.relation(Relation::copy);
  return result;
}

Value resize_method(Call& call) {
  const Value& refcheck = call.value("refcheck");
  if (refuse_array_with_axes(call, "refcheck")) return {};
  if (!as_integer(refcheck))
    return call.about("refcheck")
        .fail_parser({"'", attribute_type(refcheck), "' object cannot be interpreted as an integer"},
                     Msg::np_not_an_integer, {type_name(refcheck)});
  const TensorRef source = receiver(call);
  const Tensor array = *source->tensor;
  const auto* written = std::get_if<Sequence>(&call.value("new_shape").held);
  // One argument is the shape; an array is referenced once more as it.
  const Value* alone =
      written && written->items->size() == 1 && call.one_by_one("new_shape") ? &written->items->front() : nullptr;
  const bool nothing =
      !call.given("new_shape") || (written && written->items->empty() && call.argument("new_shape") == Span{});
  if (nothing || (alone && std::holds_alternative<None>(alone->held)))
    return call.why(Msg::op_np_resize_method), Value{};
  const Value& shape = alone && tensor_of(*alone) ? *alone : call.value("new_shape");
  const auto* itself = std::get_if<TensorRef>(&shape.held);
  const Dims sizes = numpy_shape(call, shape);
  if (call.failed()) return {};
  const bool packed = is_contiguous(array.layout, unit_of(array)),
             fortran = !packed && is_f_contiguous(array.layout, unit_of(array));
  if (!packed && !fortran)
    return call.fail("ValueError", "resize only works on single-segment arrays", Msg::np_resize_segment,
                     {to_string(array.layout.strides)});
  // NumPy does not look at sizes behind a 0, and keeps them as they are.
  const auto negative = [](int64_t size) { return size < 0; };
  const auto zero = std::find(sizes.begin(), sizes.end(), 0);
  if (zero != sizes.end() && std::none_of(sizes.begin(), zero, negative) && std::any_of(zero, sizes.end(), negative)) {
    if (array.is_view && tensor_of(call.value("x")) && count_of(array) != 0)
      return call.fail("ValueError", "cannot resize this array: it does not own its data", Msg::np_resize_owner,
                       {count_of(array), 0});
    return call.about("new_shape").refuse(Msg::np_resize_below_0, {to_string(sizes)});
  }
  if (std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; }))
    return call.fail("ValueError", "negative dimensions not allowed", Msg::np_negative_size, {to_string(sizes)});
  owned_layout(call, sizes, array.dtype);  // fails where the result would be too big
  if (call.failed()) return call.retell("MemoryError", ""), Value{};
  // A scalar's array is resized, and forgotten.
  if (!tensor_of(call.value("x"))) return call.why(Msg::op_np_resize_method), Value{};
  const int64_t unit = unit_of(array), count = *numel(sizes), have = count_of(array);
  if (count != have && array.is_view)
    return call.fail("ValueError", "cannot resize this array: it does not own its data", Msg::np_resize_owner,
                     {have, count});
  if (count != have && call.truth("refcheck") && (is_referenced(call, source) || (itself && *itself == source)))
    return call.fail("ValueError",
                     "cannot resize an array that references or is referenced\nby another array in this way.\n"
                     "Use the np.resize function or refcheck=False",
                     Msg::np_resize_referenced);
  if (count < have && has_views(call, source))
    return call.refuse(Msg::not_modelled, {"NumPy", "x.resize(.., refcheck=False)"});
  if (count != have) {
    // New elements are zeros.
    const ContentsPtr zeros = constant_contents(integer_scalar(0, array.dtype), count);
    const int64_t kept = std::min(count, have);
    const Layout line{{kept}, {unit}, 0};
    ContentsPtr contents = patch(zeros, {nullptr, line, array.dtype}, {array.storage->contents, line, array.dtype});
    if (!contents) return call.refuse(Msg::np_too_costly);
    call.replace_storage(call.self(), std::move(contents), count * unit);
  }
  Layout layout = fortran ? stridescope::fortran(sizes, unit) : contiguous(sizes, unit);
  layout.storage_offset = array.layout.storage_offset;
  explain_set(call, layout, unit_of(array));
  call.change(layout);
  call.relation(count == have ? Relation::same : Relation::write);
  return {};
}

}  // namespace

std::span<const Op> numpy_recipe_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "x.getfield(dtype, offset: int | bool = 0)", Msg::op_np_getfield,
       "offset' = offset + the bytes left out; strides stay", "x = np.arange(3)\ny = x.getfield(np.int16, 2)",
       getfield},
      {Library::numpy, "x.view(dtype=None, type=None)", Msg::op_np_view,
       "sizes[last] * itemsize stays; the last axis must be contiguous where the item size changes",
       "x = np.arange(4)\ny = x.view(np.int32)", view, Op::Structured::arrays},
      {Library::numpy, "x.shape = sizes", Msg::op_np_set_shape, "reshape in place, never with a copy",
       "x = np.arange(6)\nx.shape = (2, 3)", set_shape, Op::Structured::arrays},
      {Library::numpy, "x.strides = strides", Msg::op_np_set_strides, "",
       "x = np.arange(6).reshape(2, 3)\nx.strides = (8, 16)", set_strides, Op::Structured::arrays},
      {Library::numpy, "x.dtype = dtype", Msg::op_np_set_dtype, "", "x = np.arange(6)\nx.dtype = np.int32", set_dtype,
       Op::Structured::arrays},
      {Library::numpy, "np.resize(a, new_shape)", Msg::op_np_resize,
       "the elements over and over until the new shape is full", "x = np.arange(3)\ny = np.resize(x, (2, 4))",
       resize_function, Op::Structured::arrays},
      {Library::numpy, "x.resize(*new_shape=None, refcheck=True)", Msg::op_np_resize_method,
       "in place; new elements are 0", "x = np.arange(6)\nx.resize(2, 3)", resize_method},
  };
  return rows;
}

}  // namespace stridescope
