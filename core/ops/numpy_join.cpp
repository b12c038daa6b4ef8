// Arrays made of several, or of one several times (copies), and one array taken apart (views).
#include <algorithm>

#include "ops/numpy.h"
#include "ops/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// np.concatenate along an axis of arrays whose sizes have been checked.
Value joined(Call& call, const std::vector<Tensor>& arrays, int axis, std::optional<DType> wanted = {}) {
  DType dtype = arrays.front().dtype;
  Dims sizes = arrays.front().layout.sizes;
  std::vector<Layout> layouts;
  sizes[axis] = 0;
  for (const Tensor& array : arrays) {
    dtype = numpy_promoted(dtype, array.dtype);
    const auto sum = checked_add(sizes[axis], array.layout.sizes[axis]);
    if (!sum) return call.refuse(Msg::beyond_int64);
    sizes[axis] = *sum;
    layouts.push_back(array.layout);
  }
  dtype = wanted.value_or(dtype);
  const int64_t unit = itemsize(dtype);
  Layout target = owned_layout(call, sizes, dtype);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  if (count > 0) target.strides = packed_slowest_first(sizes, joined_order(layouts), unit);
  ContentsPtr contents = constant_contents(integer_scalar(0, dtype), count);
  Layout place = target;
  call.why(Msg::np_join_headline, {static_cast<int64_t>(arrays.size()), axis, shape_text(sizes), count * unit});
  for (const Tensor& array : arrays) {
    place.sizes = array.layout.sizes;
    if (count_of(array) > 0 && contents) contents = patch(contents, {nullptr, place, dtype}, elements_of(array));
    place.storage_offset += array.layout.sizes[axis] * target.strides[axis];
  }
  if (target.strides != contiguous(sizes, unit).strides && count > 0) call.why(Msg::np_join_order, {shape_text(target.strides)});
  return call.fresh(dtype, target, std::move(contents), Relation::copy);
}

std::vector<Tensor> tensors_of(const std::vector<TensorRef>& refs) {
  std::vector<Tensor> tensors;
  for (const TensorRef& ref : refs) tensors.push_back(*ref->tensor);
  return tensors;
}

Value concatenated(Call& call, const std::vector<Tensor>& arrays, int64_t wanted, std::optional<DType> dtype = {}) {
  if (arrays.empty()) return call.fail("ValueError", "need at least one array to concatenate", Msg::np_no_arrays);
  const Layout& first = arrays.front().layout;
  if (first.rank() == 0) return call.fail("ValueError", "zero-dimensional arrays cannot be concatenated", Msg::np_join_scalars);
  const int axis = numpy_axis(call, wanted, first.rank());
  if (call.failed()) return {};
  for (size_t i = 1; i < arrays.size(); ++i) {
    const Layout& other = arrays[i].layout;
    const auto number = static_cast<int64_t>(i);
    if (other.rank() != first.rank())
      return call.fail("ValueError", "all the input arrays must have same number of dimensions, but the array at index 0 has " + std::to_string(first.rank()) + " dimension(s) and the array at index " +
                                         std::to_string(i) + " has " + std::to_string(other.rank()) + " dimension(s)", Msg::np_join_ranks, {first.rank(), number, other.rank()});
    for (int d = 0; d < first.rank(); ++d)
      if (d != axis && other.sizes[d] != first.sizes[d])
        return call.fail("ValueError", "all the input array dimensions except for the concatenation axis must match exactly, but along dimension " + std::to_string(d) +
                                           ", the array at index 0 has size " + std::to_string(first.sizes[d]) + " and the array at index " + std::to_string(i) + " has size " + std::to_string(other.sizes[d]),
                         Msg::np_join_sizes, {d, first.sizes[d], number, other.sizes[d]});
  }
  return joined(call, arrays, axis, dtype);
}

/// Every array as one axis of its elements in C order.
std::vector<Tensor> raveled(Call& call, const std::vector<Tensor>& arrays) {
  std::vector<Tensor> flat;
  for (const Tensor& array : arrays)
    if (const Value line = numpy_reshape(call, array, {-1}, NumpyOrder::c); !call.failed()) flat.push_back(*tensor_of(line));
  return flat;
}

Value concatenate(Call& call) {
  std::vector<Tensor> arrays = tensors_of(as_arrays(call, call.value("arrays")));
  if (call.failed()) return {};
  const auto dtype = call.given("dtype") ? numpy_dtype(call.value("dtype")) : std::nullopt;
  if (std::holds_alternative<None>(call.value("axis").held)) {
    arrays = raveled(call, arrays);
    return call.failed() ? Value{} : concatenated(call, arrays, 0, dtype);
  }
  const int64_t axis = call.integer("axis");
  return call.failed() ? Value{} : concatenated(call, arrays, axis, dtype);
}

Value stack(Call& call) {
  std::vector<Tensor> arrays = tensors_of(as_arrays(call, call.value("arrays")));
  const int64_t wanted = call.integer("axis");
  if (call.failed()) return {};
  if (arrays.empty()) return call.fail("ValueError", "need at least one array to stack", Msg::np_no_arrays);
  for (const Tensor& array : arrays)
    if (array.layout.sizes != arrays.front().layout.sizes)
      return call.fail("ValueError", "all input arrays must have the same shape", Msg::np_stack_shapes, {shape_text(arrays.front().layout.sizes), shape_text(array.layout.sizes)});
  const int axis = numpy_axis(call, wanted, arrays.front().layout.rank() + 1);
  if (call.failed()) return {};
  if (arrays.front().layout.sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank});
  for (Tensor& array : arrays) array.layout = insert_dim(array.layout, axis, 0);
  return joined(call, arrays, axis);
}

/// vstack, hstack, dstack, column_stack: at least so many dimensions, then concatenate.
Value stack_along(Call& call, int least, int axis) {
  std::vector<Tensor> arrays = tensors_of(as_arrays(call, call.value("tup")));
  if (call.failed()) return {};
  for (Tensor& array : arrays) {
    Layout& layout = array.layout;
    const bool column = call.name() == "numpy.column_stack";
    if (layout.rank() == 0) layout = {Dims::filled(least, 1), Dims::filled(least, unit_of(array)), layout.storage_offset};
    if (layout.rank() == 1 && least > 1) layout = insert_dim(layout, column ? 1 : 0, 0);
    if (layout.rank() == 2 && least > 2) layout = insert_dim(layout, 2, 0);
  }
  const bool lines = call.name() == "numpy.hstack" && !arrays.empty() && arrays.front().layout.rank() == 1;
  return concatenated(call, arrays, lines ? 0 : axis);
}

Value append(Call& call) {
  std::vector<Tensor> arrays;
  for (const char* parameter : {"arr", "values"}) {
    const TensorRef array = as_array(call, call.value(parameter));
    if (call.failed()) return {};
    arrays.push_back(*array->tensor);
  }
  if (call.given("axis")) return concatenated(call, arrays, call.integer("axis"));
  arrays = raveled(call, arrays);
  return call.failed() ? Value{} : concatenated(call, arrays, 0);
}

// Repeating.

/// PyArray_Repeat along an axis.
Value repeated(Call& call, const Tensor& array, const Value& repeats, int axis) {
  const Layout& layout = array.layout;
  const int64_t size = layout.sizes[axis], unit = unit_of(array);
  const auto counts = integer_list(call, repeats);
  if (!counts) return {};
  const bool same = counts->size() == 1;
  if (!same && static_cast<int64_t>(counts->size()) != size)
    return call.about("repeats").fail("ValueError", "operands could not be broadcast together with shape (" + std::to_string(size) + ",) (" + std::to_string(counts->size()) + ",)", Msg::np_repeat_counts,
                     {static_cast<int64_t>(counts->size()), size});
  if (!same && std::any_of(counts->begin(), counts->end(), [](int64_t n) { return n < 0; }))
    return call.about("repeats").fail("ValueError", "repeats may not contain negative values.", Msg::np_negative_size, {to_string(repeats)});
  Dims sizes = layout.sizes;
  std::optional<int64_t> total = 0;
  if (same) total = checked_mul(counts->front(), size);
  else for (const int64_t n : *counts) total = total ? checked_add(*total, n) : total;
  if (!total) return call.refuse(Msg::beyond_int64);
  sizes[axis] = *total;
  const Layout target = owned_layout(call, sizes, array.dtype);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  call.why(Msg::np_repeat_headline, {count, count * unit, {axis, call.axis(array, axis)}});
  Elements from = elements_of(array);
  if (count == 0) return call.fresh(array.dtype, target, constant_contents(integer_scalar(0, array.dtype), 0), Relation::copy);
  if (same) {
    // Each element of the axis is read over and over: a further axis of stride 0.
    from.layout.sizes.insert(axis + 1, counts->front());
    from.layout.strides.insert(axis + 1, 0);
    return call.fresh(array.dtype, target, gather(from, array.dtype), Relation::copy);
  }
  if (*total > small_cells) return call.refuse(Msg::too_costly);
  std::vector<Scalar> positions;
  for (size_t i = 0; i < counts->size(); ++i) positions.insert(positions.end(), static_cast<size_t>((*counts)[i]), Scalar{DType::int64, static_cast<int64_t>(i)});
  from.layout.sizes = sizes;
  from.layout.strides[axis] = 0;
  IndexedDim dim{{literal_contents(positions, DType::int64), {sizes, Dims::filled(sizes.size(), 0), 0}, DType::int64}, size, layout.strides[axis]};
  dim.index.layout.strides[axis] = 8;
  return call.fresh(array.dtype, target, gather_indexed(from, {dim}, array.dtype), Relation::copy);
}

Value repeat(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  Tensor array = *source->tensor;
  int axis = 0;
  if (call.given("axis")) {
    axis = numpy_axis(call, call.integer("axis"), array.layout.rank());
  } else {
    const auto flat = raveled(call, {array});
    if (!call.failed()) array = flat.front();
  }
  return call.failed() ? Value{} : repeated(call, array, call.value("repeats"), axis);
}

Value tile(Call& call) {
  const TensorRef source = receiver(call);
  const auto list = integer_list(call, call.value("reps"));
  if (call.failed()) return {};
  std::vector<int64_t> reps = *list;
  const Tensor& array = *source->tensor;
  const int wanted = static_cast<int>(reps.size());
  if (wanted > max_rank) return call.refuse(Msg::too_many_dims, {max_rank});
  Layout layout = array.layout;
  while (layout.rank() < wanted) layout = insert_dim(layout, 0, unit_of(array));
  if (std::all_of(reps.begin(), reps.end(), [](int64_t n) { return n == 1; })) {
    const Value copied = numpy_copy(call, array, NumpyOrder::keep);
    if (call.failed() || layout.rank() == array.layout.rank()) return copied;
    Layout shown = tensor_of(copied)->layout;
    while (shown.rank() < wanted) shown = insert_dim(shown, 0, unit_of(array));
    const Value result = call.view(*tensor_of(copied), shown);
    call.relation(Relation::copy);
    return result;
  }
  while (static_cast<int>(reps.size()) < layout.rank()) reps.insert(reps.begin(), 1);
  Dims sizes;
  Elements from = elements_of(array);
  from.layout = {{}, {}, layout.storage_offset};
  for (int d = 0; d < layout.rank(); ++d) {
    const auto size = checked_mul(layout.sizes[d], reps[static_cast<size_t>(d)]);
    if (!size) return call.refuse(Msg::beyond_int64);
    sizes.push_back(*size);
  }
  Tensor shown = array;
  shown.layout = layout;
  if (count_of(array) == 0) return numpy_reshape(call, shown, sizes, NumpyOrder::c);
  const Layout target = owned_layout(call, sizes, array.dtype);
  if (call.failed()) return {};
  if (2 * layout.rank() > max_rank) return call.refuse(Msg::too_many_dims, {max_rank});
  // Each axis is read reps times over: an outer axis of stride 0 before it.
  for (int d = 0; d < layout.rank(); ++d) {
    from.layout.sizes.push_back(reps[static_cast<size_t>(d)]);
    from.layout.strides.push_back(0);
    from.layout.sizes.push_back(layout.sizes[d]);
    from.layout.strides.push_back(layout.strides[d]);
  }
  const int64_t count = *numel(sizes);
  call.why(Msg::np_tile_headline, {shape_text(sizes), count * unit_of(array)});
  const Value copied = call.fresh(array.dtype, target, gather(from, array.dtype), Relation::copy);
  if (call.failed()) return {};
  const Value result = call.view(*tensor_of(copied), contiguous(sizes, unit_of(array)));
  call.relation(Relation::copy);
  return result;
}

/// The elements of `from` moved on by `shift` along an axis, those past its end coming in at its start.
Elements rolled(const Elements& from, int axis, int64_t shift) {
  const int64_t size = from.layout.sizes[axis], unit = itemsize(from.dtype);
  const Layout packed = contiguous(from.layout.sizes, unit);
  const auto part = [&](Layout layout, int64_t start, int64_t count) { return *slice(layout, axis, start, 1, count); };
  ContentsPtr contents = constant_contents(integer_scalar(0, from.dtype), *numel(packed.sizes));
  contents = patch(contents, {nullptr, part(packed, shift, size - shift), from.dtype}, {from.contents, part(from.layout, 0, size - shift), from.dtype});
  if (contents) contents = patch(contents, {nullptr, part(packed, 0, shift), from.dtype}, {from.contents, part(from.layout, size - shift, shift), from.dtype});
  return {contents, packed, from.dtype};
}

Value roll(Call& call) {
  const TensorRef source = receiver(call);
  const auto shifts = integer_list(call, call.value("shift"));
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const bool flat = !call.given("axis");
  Elements elements = elements_of(array);
  if (flat) {
    // Of the raveled array: its elements in C order.
    elements.contents = gather(elements, array.dtype);
    elements.layout = {{count_of(array)}, {unit_of(array)}, 0};
    if (!elements.contents) return call.refuse(Msg::too_costly);
  }
  const int rank = elements.layout.rank();
  std::vector<int64_t> axes{0};
  if (!flat) {
    const auto list = integer_list(call, call.value("axis"));
    if (!list) return {};
    axes.clear();
    for (const int64_t axis : *list) axes.push_back(numpy_axis(call, axis, rank));
    if (call.failed()) return {};
  }
  const bool shift_list = std::holds_alternative<Sequence>(call.value("shift").held), axis_list = !flat && std::holds_alternative<Sequence>(call.value("axis").held);
  if (shifts->size() != axes.size() && shifts->size() != 1 && axes.size() != 1)
    return call.fail("ValueError", "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape " + (shift_list ? "(" + std::to_string(shifts->size()) + ",)" : "()") +
                                       " and arg 1 with shape " + (axis_list ? "(" + std::to_string(axes.size()) + ",)" : "()") + ".",
                     Msg::np_roll_counts, {static_cast<int64_t>(shifts->size()), static_cast<int64_t>(axes.size())});
  std::vector<int64_t> total(static_cast<size_t>(rank), 0);
  for (size_t i = 0; i < std::max(shifts->size(), axes.size()); ++i) {
    const auto axis = static_cast<size_t>(axes[axes.size() == 1 ? 0 : i]);
    const int64_t size = std::max<int64_t>(elements.layout.sizes[static_cast<int>(axis)], 1);
    total[axis] = (((total[axis] + (*shifts)[shifts->size() == 1 ? 0 : i] % size) % size) + size) % size;
  }
  call.why(Msg::np_roll_headline, {count_of(array), nbytes(array)});
  for (int d = 0; d < rank && elements.contents; ++d)
    if (total[static_cast<size_t>(d)] != 0) {
      call.why(flat ? Msg::np_roll_flat : Msg::np_roll_axis, {total[static_cast<size_t>(d)], d});
      elements = rolled(elements, d, total[static_cast<size_t>(d)]);
    }
  if (!elements.contents) return call.refuse(Msg::too_costly);
  if (flat) {
    const Value line = numpy_fresh(call, elements.layout.sizes, array.dtype, gather(elements, array.dtype), Relation::copy);
    if (call.failed()) return {};
    // Reshaped to the array's own sizes; to the sizes it has already, it keeps its strides.
    const Layout own = tensor_of(line)->layout;
    const Value result = call.view(*tensor_of(line), own.sizes == array.layout.sizes ? own : contiguous(array.layout.sizes, unit_of(array)));
    call.relation(Relation::copy);
    return result;
  }
  // Laid out as a copy of the array would be.
  Tensor moved = array;
  moved.storage = std::make_shared<Storage>(*array.storage);
  moved.storage->contents = elements.contents;
  moved.layout = elements.layout;
  return call.copy(moved, {array.layout.sizes, strides_like(array, NumpyOrder::keep, unit_of(array)), 0}, array.dtype);
}

// Taking apart.

Value split_at(Call& call, const Tensor& array, const Value& where, int axis) {
  const int64_t size = array.layout.sizes[axis];
  std::vector<int64_t> points{0};
  if (as_integer(where) && !std::holds_alternative<Sequence>(where.held)) {
    const int64_t sections = *as_integer(where);
    if (sections <= 0) return call.about("indices_or_sections").fail("ValueError", "number sections must be larger than 0.", Msg::np_split_sections, {sections});
    if (sections > static_cast<int64_t>(max_items)) return call.refuse(Msg::too_many_items, {static_cast<int64_t>(max_items)});
    for (int64_t i = 0; i < sections; ++i) points.push_back(points.back() + size / sections + (i < size % sections ? 1 : 0));
  } else {
    const auto list = integer_list(call, where);
    if (!list) return {};
    points.insert(points.end(), list->begin(), list->end());
    points.push_back(size);
  }
  call.why(Msg::np_split_headline, {static_cast<int64_t>(points.size()) - 1, {axis, call.axis(array, axis)}, size});
  std::vector<Value> items;
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    SliceRange range = slice_range(points[i], points[i + 1], 1, size);
    if (range.count <= 0) range = {0, 1, 0};
    items.push_back(call.view(array, *slice(array.layout, axis, range.start, 1, range.count)));
  }
  call.why(Msg::np_split_view);
  return call.failed() ? Value{} : call.tuple(std::move(items), Sequence::Kind::list);
}

Value split_along(Call& call, const Tensor& array, int64_t wanted, bool equal) {
  const Value& where = call.value("indices_or_sections");
  const int rank = array.layout.rank();
  if (wanted >= rank || wanted < -rank) return call.fail("IndexError", "tuple index out of range", Msg::np_axis_out_of_range, {wanted, rank});
  const int axis = static_cast<int>(wanted < 0 ? wanted + rank : wanted);
  const auto sections = std::holds_alternative<Sequence>(where.held) ? std::nullopt : as_integer(where);
  if (equal && sections == 0) return call.about("indices_or_sections").fail("ZeroDivisionError", "integer modulo by zero", Msg::division_by_zero);
  if (equal && sections && array.layout.sizes[axis] % *sections != 0)
    return call.about("indices_or_sections").fail("ValueError", "array split does not result in an equal division", Msg::np_split_unequal, {array.layout.sizes[axis], *sections});
  return split_at(call, array, where, axis);
}

Value split(Call& call, bool equal) {
  const TensorRef source = receiver(call);
  const int64_t axis = call.integer("axis");
  return call.failed() ? Value{} : split_along(call, *source->tensor, axis, equal);
}

/// hsplit, vsplit, dsplit.
Value split_by_name(Call& call, std::string_view which, int least, int axis) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const int rank = source->tensor->layout.rank();
  if (rank < least)
    return call.fail("ValueError", std::string(which) + " only works on arrays of " + std::to_string(least) + " or more dimensions", Msg::np_too_few_axes, {rank, least});
  return split_along(call, *source->tensor, which == "hsplit" && rank == 1 ? 0 : axis, true);
}

Value meshgrid(Call& call) {
  const auto arrays = as_arrays(call, call.value("xi"));
  const std::string indexing = call.text("indexing");
  const bool copies = call.boolean("copy"), sparse = call.boolean("sparse");
  if (call.failed()) return {};
  if (indexing != "xy" && indexing != "ij") return call.about("indexing").fail("ValueError", "Valid values for `indexing` are 'xy' and 'ij'.", Msg::np_indexing, {indexing});
  const int rank = static_cast<int>(arrays.size());
  if (rank > max_rank) return call.refuse(Msg::too_many_dims, {max_rank});
  std::vector<Tensor> grids;
  Dims common;
  for (int k = 0; k < rank; ++k) {
    const int axis = indexing == "xy" && rank > 1 && k < 2 ? 1 - k : k;
    Dims sizes = Dims::filled(rank, 1);
    sizes[axis] = count_of(*arrays[static_cast<size_t>(k)]->tensor);
    const Value seen = numpy_reshape(call, *arrays[static_cast<size_t>(k)]->tensor, sizes, NumpyOrder::c);
    if (call.failed()) return {};
    grids.push_back(*tensor_of(seen));
  }
  if (!sparse)
    for (const Tensor& grid : grids) common = *broadcast_sizes({common, grid.layout.sizes});
  std::vector<Value> items;
  for (Tensor& grid : grids) {
    if (!sparse) grid.layout = broadcast_to(grid.layout, common);
    if (copies) {
      items.push_back(numpy_copy(call, grid, NumpyOrder::c));
    } else {
      // The reshaped view's own base: the array given.
      items.push_back(call.make(grid, Relation::view));
    }
    if (call.failed()) return {};
  }
  call.why(copies ? Msg::np_meshgrid_copies : Msg::np_meshgrid_views, {rank});
  return call.tuple(std::move(items));
}

}  // namespace

std::span<const Op> numpy_join_rows() {
  static const Op rows[] = {
      {Library::numpy, "np.concatenate(arrays, axis=0, out=None, *, dtype=None, casting='same_kind')\nnp.concat(arrays, axis=0, out=None, *, dtype=None, casting='same_kind')", Msg::op_np_concatenate,
       "sizes[axis] add up; the axes keep the order of |strides| the arrays agree on", "x = np.arange(6).reshape(2, 3)\ny = np.concatenate([x, x], axis=1)", concatenate},
      {Library::numpy, "np.stack(arrays, axis: int = 0)", Msg::op_np_stack, "a new axis, one place for each array", "x = np.arange(6).reshape(2, 3)\ny = np.stack([x, x])", stack},
      {Library::numpy, "np.vstack(tup)\nnp.row_stack(tup)", Msg::op_np_vstack, "at least 2 axes, joined along axis 0", "y = np.vstack([np.arange(3), np.arange(3)])", [](Call& call) { return stack_along(call, 2, 0); }},
      {Library::numpy, "np.hstack(tup)", Msg::op_np_hstack, "joined along axis 1, one-dimensional arrays along axis 0", "y = np.hstack([np.arange(3), np.arange(3)])", [](Call& call) { return stack_along(call, 1, 1); }},
      {Library::numpy, "np.dstack(tup)", Msg::op_np_dstack, "at least 3 axes, joined along axis 2", "y = np.dstack([np.arange(3), np.arange(3)])", [](Call& call) { return stack_along(call, 3, 2); }},
      {Library::numpy, "np.column_stack(tup)", Msg::op_np_column_stack, "one-dimensional arrays become columns", "y = np.column_stack([np.arange(3), np.arange(3)])",
       [](Call& call) { return stack_along(call, 2, 1); }},
      {Library::numpy, "np.append(arr, values, axis=None)", Msg::op_np_append, "np.concatenate, of raveled arrays without an axis", "y = np.append(np.arange(3), [7, 8])", append},
      {Library::numpy, "x.repeat(repeats, axis=None)\nnp.repeat(x, repeats, axis=None)", Msg::op_np_repeat, "each element repeats times over", "x = np.arange(6).reshape(2, 3)\ny = x.repeat(2, axis=0)", repeat},
      {Library::numpy, "np.tile(A, reps)", Msg::op_np_tile, "the whole array reps times over along each axis", "x = np.arange(3)\ny = np.tile(x, (2, 2))", tile},
      {Library::numpy, "np.roll(a, shift, axis=None)", Msg::op_np_roll, "element i comes to (i + shift) mod size", "x = np.arange(6).reshape(2, 3)\ny = np.roll(x, 1, axis=1)", roll},
      {Library::numpy, "np.split(ary, indices_or_sections, axis: int = 0)", Msg::op_np_split, "slices along the axis: views", "x = np.arange(10)\na, b = np.split(x, 2)", [](Call& call) { return split(call, true); }},
      {Library::numpy, "np.array_split(ary, indices_or_sections, axis: int = 0)", Msg::op_np_array_split, "exactly that many slices, the first ones longer by 1", "x = np.arange(10)\na, b, c = np.array_split(x, 3)",
       [](Call& call) { return split(call, false); }},
      {Library::numpy, "np.hsplit(ary, indices_or_sections)", Msg::op_np_hsplit, "np.split along axis 1", "x = np.arange(12).reshape(3, 4)\na, b = np.hsplit(x, 2)", [](Call& call) { return split_by_name(call, "hsplit", 1, 1); }},
      {Library::numpy, "np.vsplit(ary, indices_or_sections)", Msg::op_np_vsplit, "np.split along axis 0", "x = np.arange(12).reshape(4, 3)\na, b = np.vsplit(x, 2)", [](Call& call) { return split_by_name(call, "vsplit", 2, 0); }},
      {Library::numpy, "np.dsplit(ary, indices_or_sections)", Msg::op_np_dsplit, "np.split along axis 2", "x = np.arange(8).reshape(2, 2, 2)\na, b = np.dsplit(x, 2)", [](Call& call) { return split_by_name(call, "dsplit", 3, 2); }},
      {Library::numpy, "np.meshgrid(*xi=(), copy: bool = True, sparse: bool = False, indexing='xy')", Msg::op_np_meshgrid, "argument k along axis k ('ij'), the first two exchanged ('xy')",
       "x, y = np.meshgrid(np.arange(3), np.arange(2))", meshgrid},
  };
  return rows;
}

}  // namespace stridescope
