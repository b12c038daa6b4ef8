// One array several times over, or its elements moved round: copies.
#include <algorithm>
#include <cmath>

#include "ops/numpy/numpy.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// int(text) of what NumPy reads as repeats; the call fails for a text that is none, as for those that are not
/// modelled.
void refuse_repeats(Call& call, const char* parameter, const std::string& text) {
  if (!text.empty() && text.find_first_not_of("0123456789+-_ ") == std::string::npos)
    call.about(parameter).refuse(Msg::not_modelled, {"NumPy", std::string(parameter) + "=" + quoted(text)});
  else
    call.about(parameter).fail("ValueError", {"invalid literal for int() with base 10: ", quoted(text)},
                               Msg::np_not_an_integer, {"str"});
}

/// PyArray_Repeat along an axis.
Value repeated(Call& call, const Tensor& array, const Value& repeats, int axis) {
  const Layout& layout = array.layout;
  const int64_t size = layout.sizes[axis], unit = unit_of(array);
  // Real numbers are cut off; those in an array are refused before.
  const auto* listed = std::get_if<Sequence>(&repeats.held);
  std::vector<Value> whole = listed ? *listed->items : std::vector<Value>{repeats};
  for (const Value& item : whole)
    if (const auto* text = std::get_if<std::string>(&item.held)) return refuse_repeats(call, "repeats", *text), Value{};
  for (Value& item : whole)
    if (const auto* scalar = std::get_if<NumpyScalar>(&item.held); scalar && is_floating(scalar->dtype()))
      item = Value{converted(scalar->value(), DType::int64).integer};
  for (Value& item : whole)
    if (std::holds_alternative<Float>(item.held)) item = Value{stored_scalar(call, item, DType::int64).integer};
  const auto counts =
      tensor_of(repeats) ? integer_list(call, repeats) : integer_list(call, call.tuple(std::move(whole)));
  if (call.failed()) return {};
  const bool same = counts->size() == 1;
  if (!same && static_cast<int64_t>(counts->size()) != size)
    return call.about("repeats").fail(
        "ValueError", {"operands could not be broadcast together with shape (", size, ",) (", counts->size(), ",)"},
        Msg::np_repeat_counts, {static_cast<int64_t>(counts->size()), size});
  if (!same && std::any_of(counts->begin(), counts->end(), [](int64_t n) { return n < 0; }))
    return call.about("repeats").fail("ValueError", "repeats may not contain negative values.", Msg::np_negative_size,
                                      {to_string(repeats)});
  Dims sizes = layout.sizes;
  std::optional<int64_t> total = 0;
  if (same)
    total = checked_mul(counts->front(), size);
  else
    for (const int64_t n : *counts) total = checked_add(total, n);
  if (!total) return call.refuse(Msg::beyond_int64);
  sizes[axis] = *total;
  const Layout target = owned_layout(call, sizes, unit);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  call.why(Msg::np_repeat_headline, {count, count * unit, Slot{axis, call.axis(array, axis)}});
  if (count == 0) return numpy_gathered(call, array, target, layout);
  Layout from = layout;
  if (same) {
    call.why(Msg::np_repeat_axis, {Slot{axis, call.axis(array, axis)}, size, counts->front(), *total});
    // Each element of the axis is read over and over: a further axis of stride 0.
    from.sizes.insert(axis + 1, counts->front());
    from.strides.insert(axis + 1, 0);
    return numpy_gathered(call, array, target, from);
  }
  if (*total > small_cells) return call.refuse(Msg::np_too_costly);
  std::vector<Scalar> positions;
  for (size_t i = 0; i < counts->size(); ++i)
    positions.insert(positions.end(), static_cast<size_t>((*counts)[i]), Scalar{DType::int64, static_cast<int64_t>(i)});
  from.sizes = sizes;
  from.strides[axis] = 0;
  IndexedDim dim{{literal_contents(positions, DType::int64), {sizes, Dims::filled(sizes.size(), 0), 0}, DType::int64},
                 size,
                 layout.strides[axis]};
  dim.index.layout.strides[axis] = 8;
  return numpy_gathered(call, array, target, from, {std::move(dim)});
}

Value repeat(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  Tensor array = *source->tensor;
  int axis = 0;
  const Value& repeats = call.value("repeats");
  const TensorPtr given = tensor_of(repeats);
  const auto* listed = std::get_if<Sequence>(&repeats.held);
  const bool nested =
      listed && std::any_of(listed->items->begin(), listed->items->end(), [](const Value& item) {
        return std::holds_alternative<Sequence>(item.held) || (tensor_of(item) && tensor_of(item)->layout.rank() > 0);
      });
  if (nested || (given && given->layout.rank() > 1))
    return call.about("repeats").fail("ValueError", "object too deep for desired array",
                                      given ? Message(Msg::np_convolve_rank, {given->layout.rank()})
                                            : Message(Msg::argument_has_type, {"repeats", "1-d", to_string(repeats)}));
  if (given && !check_cast(call, *given, DType::int64, Casting::safe)) return {};
  if (call.given("axis")) {
    if (array.layout.rank() == 0) array.layout = insert_dim(array.layout, 0, unit_of(array));
    axis = numpy_axis(call, axis_argument(call), array.layout.rank());
  } else {
    array = raveled(call, {array}).front();
  }
  return call.failed() ? Value{} : repeated(call, array, call.value("repeats"), axis);
}

/// How many counts there are, when all are equal to 1, be they fractions: nothing is reckoned with them then.
std::optional<size_t> only_ones(const Value& reps) {
  const auto is_one = [](const Value& item) { return python_equal(item, Value{int64_t{1}}); };
  if (const auto* listed = std::get_if<Sequence>(&reps.held))
    return std::all_of(listed->items->begin(), listed->items->end(), is_one) ? std::optional(listed->items->size())
                                                                             : std::nullopt;
  if (const auto* text = std::get_if<std::string>(&reps.held); text && text->empty()) return 0;
  const TensorPtr array = tensor_of(reps);
  if (!array || array->layout.rank() != 1 || count_of(*array) > small_cells) return std::nullopt;
  for (int64_t i = 0; i < count_of(*array); ++i)
    if (!is_one(python_value(element(elements_of(*array), i)))) return std::nullopt;
  return static_cast<size_t>(count_of(*array));
}

Value tile(Call& call) {
  const TensorRef source = receiver(call);
  // Whether a count is 1 is asked of the first row.
  if (const TensorPtr given = tensor_of(call.value("reps"));
      given && given->layout.rank() > 1 && count_of(*given) > given->layout.sizes[0])
    return call.about("reps").fail(
        "ValueError", "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()",
        Msg::truth_of_many, {to_string(given->layout.sizes)});
  // A text is a row of letters, and the first that is reached repeats.
  if (const Value& given = call.value("reps"); !call.failed() && !tensor_of(given) && count_of(*source->tensor) > 0)
    for (const Value& item : python_items(given).value_or(std::vector<Value>{}))
      if (const auto* text = std::get_if<std::string>(&item.held)) return refuse_repeats(call, "reps", *text), Value{};
  const auto ones = only_ones(call.value("reps"));
  const auto list = ones ? std::vector<int64_t>(*ones, 1) : integer_list(call, call.value("reps"));
  if (call.failed()) return {};
  std::vector<int64_t> reps = *list;
  const Tensor& array = *source->tensor;
  const int wanted = static_cast<int>(reps.size());
  if (wanted > max_rank)
    return call.fail("ValueError", "ndmin bigger than allowable number of dimensions NPY_MAXDIMS (=64)",
                     Msg::np_too_many_axes, {max_rank});
  Layout layout = array.layout;
  layout = with_leading_axes(layout, wanted, unit_of(array));
  if (std::all_of(reps.begin(), reps.end(), [](int64_t n) { return n == 1; })) {
    // What was no array is made one first, and the result is a view of that.
    const bool made = !tensor_of(call.value("A"));
    const Value copied = made ? Value{source} : numpy_copy(call, array, NumpyOrder::keep);
    if (made && layout.rank() == array.layout.rank())
      layout = with_leading_axes(array.layout, array.layout.rank(), unit_of(array));
    if (call.failed() || (!made && layout.rank() == array.layout.rank())) return copied;
    Layout shown = tensor_of(copied)->layout;
    shown = with_leading_axes(shown, wanted, unit_of(array));
    const Value result = call.view(*tensor_of(copied), shown);
    call.relation(Relation::copy);
    return result;
  }
  while (static_cast<int>(reps.size()) < layout.rank()) reps.insert(reps.begin(), 1);
  Dims sizes;
  Layout from{{}, {}, layout.storage_offset};
  for (int d = 0; d < layout.rank(); ++d) {
    const auto size = checked_mul(layout.sizes[d], reps[static_cast<size_t>(d)]);
    if (!size) return call.refuse(Msg::beyond_int64);
    sizes.push_back(*size);
  }
  Tensor shown = array;
  shown.layout = layout;
  if (count_of(array) == 0) return numpy_reshape(call, shown, sizes, NumpyOrder::c);
  const Layout target = owned_layout(call, sizes, unit_of(array));
  if (call.failed()) return {};
  if (2 * layout.rank() > max_rank) return call.refuse(Msg::np_too_many_axes, {max_rank});
  // Each axis is read reps times over: an outer axis of stride 0 before it.
  for (int d = 0; d < layout.rank(); ++d) {
    from.sizes.push_back(reps[static_cast<size_t>(d)]);
    from.strides.push_back(0);
    from.sizes.push_back(layout.sizes[d]);
    from.strides.push_back(layout.strides[d]);
  }
  const int64_t count = *numel(sizes);
  call.why(Msg::np_tile_headline, {to_string(sizes), count * unit_of(array)});
  for (int d = 0; d < sizes.size(); ++d) {
    const int own = d - sizes.size() + array.layout.rank();
    if (own < 0)
      call.why(Msg::np_repeat_new, {d, sizes[d]});
    else if (reps[static_cast<size_t>(d)] != 1)
      call.why(Msg::np_repeat_axis,
               {Slot{d, call.axis(array, own)}, array.layout.sizes[own], reps[static_cast<size_t>(d)], sizes[d]});
  }
  // The last axis that is repeated leaves a table, which is seen under the new shape; an empty array that has it
  // already keeps its strides, all 0.
  Dims last{0, 0};
  int64_t rest = count_of(array), all = rest;
  for (int d = 0; d < layout.rank(); ++d) {
    if (const int64_t n = reps[static_cast<size_t>(d)]; n != 1) {
      all = all / rest * n * rest;
      last = {all / rest, rest};
    }
    rest /= layout.sizes[d];
  }
  const Value copied = numpy_gathered(call, array, owned_layout(call, last, unit_of(array)), from);
  if (call.failed()) return {};
  const Layout shown_as = count == 0 && last == sizes ? target : contiguous(sizes, unit_of(array));
  const Value result = call.view(*tensor_of(copied), shown_as);
  call.relation(Relation::copy);
  return result;
}

/// The elements of `from` moved on by `shift` along an axis, those past its end coming in at its start.
Elements rolled(const Elements& from, int axis, int64_t shift) {
  const int64_t size = from.layout.sizes[axis], unit = itemsize(from.dtype);
  const Layout packed = contiguous(from.layout.sizes, unit);
  const auto part = [&](Layout layout, int64_t start, int64_t count) { return *slice(layout, axis, start, 1, count); };
  ContentsPtr contents = constant_contents(integer_scalar(0, from.dtype), *numel(packed.sizes));
  contents = patch(contents, {nullptr, part(packed, shift, size - shift), from.dtype},
                   {from.contents, part(from.layout, 0, size - shift), from.dtype});
  if (contents)
    contents = patch(contents, {nullptr, part(packed, 0, shift), from.dtype},
                     {from.contents, part(from.layout, size - shift, shift), from.dtype});
  return {contents, packed, from.dtype};
}

Value roll(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const bool flat = !call.given("axis");
  Tensor moved = array;
  if (flat) moved.layout.sizes = {count_of(array)};
  const int rank = moved.layout.sizes.size();
  const Dims axes = flat ? Dims{0} : normalized_axes(call, "axis", rank, "", "");
  const TensorRef shift = as_array(call, call.value("shift"));
  if (call.failed()) return {};
  const Dims& own = shift->tensor->layout.sizes;
  if (own.size() == 1 && own[0] != axes.size() && own[0] != 1 && axes.size() != 1)
    return call.fail(
        "ValueError",
        {"shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape (",
         own[0], ",) and arg 1 with shape (", axes.size(), ",)."},
        Msg::np_roll_counts, {own[0], axes.size()});
  if (own.size() > 1) {
    if (own.back() != axes.size() && own.back() != 1 && axes.size() != 1)
      return call.fail(
          "ValueError",
          {"shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape ",
           to_string(own), " and arg 1 with shape (", axes.size(), ",)."},
          Msg::np_roll_counts, {own.back(), axes.size()});
    return call.fail("ValueError", "'shift' and 'axis' should be scalars or 1D sequences", Msg::np_not_an_integer,
                     {"list"});
  }
  if (!call.few(*shift->tensor)) return {};
  std::vector<int64_t> shifts;
  for (int64_t i = 0; i < count_of(*shift->tensor); ++i)
    shifts.push_back(converted(element(elements_of(*shift->tensor), i), DType::int64).integer);
  if (rank == 0)
    return call.fail("ValueError", "not enough values to unpack (expected 2, got 0)", Msg::np_roll_no_axes);
  std::vector<int64_t> total(static_cast<size_t>(rank), 0);
  const size_t pairs = shifts.size() == 1 ? static_cast<size_t>(axes.size()) : shifts.size();
  for (size_t i = 0; i < pairs; ++i) {
    const auto axis = static_cast<size_t>(axes[axes.size() == 1 ? 0 : static_cast<int>(i)]);
    const int64_t size = std::max<int64_t>(moved.layout.sizes[static_cast<int>(axis)], 1);
    total[axis] = (((total[axis] + shifts[shifts.size() == 1 ? 0 : i] % size) % size) + size) % size;
  }
  call.why(Msg::np_roll_headline, {count_of(array), nbytes(array)});
  // Packed in C order first, and then moved along one axis after the other.
  Elements elements = copied_elements(array, array.layout);
  elements.contents = gather(elements, elements.dtype);
  moved.layout = contiguous(moved.layout.sizes, unit_of(array));
  elements.layout = copied_elements(moved, moved.layout).layout;
  for (int d = 0; d < rank && elements.contents; ++d)
    if (total[static_cast<size_t>(d)] != 0) {
      call.why(flat ? Msg::np_roll_flat : Msg::np_roll_axis, {total[static_cast<size_t>(d)], d});
      elements = rolled(elements, d, total[static_cast<size_t>(d)]);
    }
  if (!elements.contents) return call.refuse(Msg::np_too_costly);
  moved.storage = std::make_shared<Storage>(*array.storage);
  moved.storage->contents = elements.contents;
  if (flat) {
    const Value line =
        numpy_gathered(call, moved, owned_layout(call, moved.layout.sizes, unit_of(array)), moved.layout);
    if (call.failed()) return {};
    // Reshaped to the array's own sizes; to the sizes it has already, it keeps its strides.
    const Layout shape = tensor_of(line)->layout;
    const Value result = call.view(
        *tensor_of(line), shape.sizes == array.layout.sizes ? shape : contiguous(array.layout.sizes, unit_of(array)));
    call.relation(Relation::copy);
    return result;
  }
  // Laid out as a copy of the array would be.
  return call.copy(moved, {array.layout.sizes, strides_like(array, NumpyOrder::keep, unit_of(array)), 0}, array.dtype);
}

}  // namespace

std::span<const Op> numpy_repeat_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "x.repeat(repeats, axis=None)\nnp.repeat(a, repeats, axis=None)", Msg::op_np_repeat,
       "each element repeats times over", "x = np.arange(6).reshape(2, 3)\ny = x.repeat(2, axis=0)", repeat,
       Op::Structured::elements},
      {Library::numpy, "np.tile(A, reps)", Msg::op_np_tile, "the whole array reps times over along each axis",
       "x = np.arange(3)\ny = np.tile(x, (2, 2))", tile, Op::Structured::elements},
      {Library::numpy, "np.roll(a, shift, axis=None)", Msg::op_np_roll, "element i comes to (i + shift) mod size",
       "x = np.arange(6).reshape(2, 3)\ny = np.roll(x, 1, axis=1)", roll, Op::Structured::elements},
  };
  return rows;
}

}  // namespace stridescope
