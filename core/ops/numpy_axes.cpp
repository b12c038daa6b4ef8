// The same bytes with axes in another order, reversed, repeated or picked out: views all of them.
#include <algorithm>

#include "layout/extent.h"
#include "ops/layout_words.h"
#include "ops/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// The view with axes in the order `axes`, and where each comes from.
Value permuted(Call& call, const Tensor& array, const Dims& axes) {
  const Value result = numpy_view(call, array, permute(array.layout, axes));
  for (int k = 0; k < axes.size(); ++k)
    if (const int d = static_cast<int>(axes[k]); d != k)
      call.why(Msg::np_axis_moves, {{d, call.axis(array, d)}, array.layout.sizes[d], array.layout.strides[d], k});
  return result;
}

Value reversed_axes(Call& call, const Tensor& array) { return permuted(call, array, c_order(array.layout.rank())); }

Value transpose_to(Call& call, const Value& wanted) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const auto* sequence = std::get_if<Sequence>(&wanted.held);
  const bool none = std::holds_alternative<None>(wanted.held) || (sequence && sequence->items->size() == 1 && std::holds_alternative<None>(sequence->items->front().held));
  if (none || (sequence && sequence->items->empty() && call.form().kind == Form::Kind::method)) return reversed_axes(call, array);
  const auto axes = integer_list(call, wanted);
  if (!axes) return {};
  const int rank = array.layout.rank();
  if (static_cast<int64_t>(axes->size()) != rank)
    return call.about("axes").fail("ValueError", "axes don't match array", Msg::np_axes_count, {rank, static_cast<int64_t>(axes->size())});
  Dims order;
  for (const int64_t axis : *axes) {
    const int d = numpy_axis(call, axis, rank);
    if (call.failed()) return {};
    if (std::find(order.begin(), order.end(), d) != order.end()) return call.about("axes").fail("ValueError", "repeated axis in transpose", Msg::np_axis_repeated, {d});
    order.push_back(d);
  }
  return permuted(call, array, order);
}

Value swapaxes(Call& call) {
  const TensorRef source = receiver(call);
  const int64_t a = call.integer("axis1"), b = call.integer("axis2");
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int first = numpy_axis(call, a, array.layout.rank(), "axis1: ", "axis1");
  const int second = numpy_axis(call, b, array.layout.rank(), "axis2: ", "axis2");
  if (call.failed()) return {};
  Dims axes = fortran_order(array.layout.rank());
  std::swap(axes[first], axes[second]);
  return permuted(call, array, axes);
}

Value moveaxis(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int rank = array.layout.rank();
  const auto normalized = [&](std::string_view parameter) {
    Dims axes;
    const auto list = integer_list(call, call.value(parameter));
    if (!list) return axes;
    for (const int64_t axis : *list) {
      const int d = numpy_axis(call, axis, rank, std::string(parameter) + ": ", parameter);
      if (call.failed()) return axes;
      if (std::find(axes.begin(), axes.end(), d) != axes.end()) {
        call.about(parameter).fail("ValueError", "repeated axis in `" + std::string(parameter) + "` argument", Msg::np_axis_repeated, {d});
        return axes;
      }
      axes.push_back(d);
    }
    return axes;
  };
  const Dims from = normalized("source");
  const Dims to = normalized("destination");
  if (call.failed()) return {};
  if (from.size() != to.size())
    return call.about("destination").fail("ValueError", "`source` and `destination` arguments must have the same number of elements", Msg::np_move_counts, {from.size(), to.size()});
  return permuted(call, array, moved_dims(rank, from, to));
}

Value rollaxis(Call& call) {
  const TensorRef source = receiver(call);
  const int64_t wanted = call.integer("axis"), start = call.integer("start");
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int rank = array.layout.rank();
  const int axis = numpy_axis(call, wanted, rank);
  if (call.failed()) return {};
  int64_t place = start < 0 ? start + rank : start;
  if (place < 0 || place > rank)
    return call.about("start").fail("AxisError", "'start' arg requires " + std::to_string(-rank) + " <= start < " + std::to_string(rank + 1) + ", but " + std::to_string(place) + " was passed in",
                     Msg::np_roll_start, {start, -rank, rank});
  if (axis < place) --place;
  if (axis == place) return numpy_view(call, array, array.layout);
  Dims axes = fortran_order(rank);
  axes.erase(axis);
  axes.insert(static_cast<int>(place), axis);
  return permuted(call, array, axes);
}

// Reversing.

Value flipped(Call& call, const Tensor& array, const Dims& axes) {
  Layout layout = array.layout;
  for (const int64_t axis : axes) layout = flip(layout, static_cast<int>(axis));
  const Value result = numpy_view(call, array, layout);
  for (const int64_t axis : axes) {
    const int d = static_cast<int>(axis);
    if (array.layout.sizes[d] > 0) call.why(Msg::np_axis_reversed, {{d, call.axis(array, d)}, array.layout.strides[d], -array.layout.strides[d], (array.layout.sizes[d] - 1) * array.layout.strides[d]});
  }
  return array.layout.rank() == 0 ? numpy_scalar(call, array) : result;
}

Value flip_axes(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const Dims axes = call.given("axis") ? numpy_axes(call, call.value("axis"), array.layout.rank(), "repeated axis") : fortran_order(array.layout.rank());
  return call.failed() ? Value{} : flipped(call, array, axes);
}

Value flip_one(Call& call, int axis) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  if (source->tensor->layout.rank() <= axis)
    return call.fail("ValueError", "Input must be >= " + std::to_string(axis + 1) + "-d.", Msg::np_too_few_axes, {source->tensor->layout.rank(), axis + 1});
  return flipped(call, *source->tensor, {axis});
}

Value rot90(Call& call) {
  const TensorRef source = receiver(call);
  const int64_t turns = call.integer("k");
  const auto axes = call.given("axes") ? integer_list(call, call.value("axes")) : std::vector<int64_t>{0, 1};
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int rank = array.layout.rank();
  if (axes->size() != 2) return call.about("axes").fail("ValueError", "len(axes) must be 2.", Msg::np_two_axes);
  const int64_t a = (*axes)[0], b = (*axes)[1];
  if (a == b || std::abs(a - b) == rank) return call.about("axes").fail("ValueError", "Axes must be different.", Msg::np_two_axes);
  if (a >= rank || a < -rank || b >= rank || b < -rank) {
    const std::string text = "(" + std::to_string(a) + ", " + std::to_string(b) + ")";
    return call.about("axes").fail("ValueError", "Axes=" + text + " out of range for array of ndim=" + std::to_string(rank) + ".", Msg::np_axis_out_of_range, {text, rank});
  }
  const int from = static_cast<int>(a < 0 ? a + rank : a), to = static_cast<int>(b < 0 ? b + rank : b);
  const int64_t quarter = ((turns % 4) + 4) % 4;
  Layout layout = array.layout;
  if (quarter == 2) layout = flip(flip(layout, from), to);
  if (quarter == 1) layout = transpose(flip(layout, to), from, to);
  if (quarter == 3) layout = flip(transpose(layout, from, to), to);
  const Value result = numpy_view(call, array, layout);
  call.why(Msg::np_quarters, {quarter, from, to});
  return result;
}

// Broadcasting.

bool check_broadcast(Call& call, const Tensor& array, const Dims& sizes) {
  const Layout& layout = array.layout;
  if (sizes.empty() && layout.rank() > 0)
    return call.fail("ValueError", "cannot broadcast a non-scalar to a scalar array", Msg::np_cannot_broadcast_into, {shape_text(layout.sizes), "()"}), false;
  for (const int64_t size : sizes)
    if (size < 0) return call.fail("ValueError", "all elements of broadcast shape must be non-negative", Msg::np_negative_size, {to_string(sizes)}), false;
  if (layout.rank() > sizes.size())
    return call.fail("ValueError", "input operand has more dimensions than allowed by the axis remapping", Msg::np_cannot_broadcast_into, {shape_text(layout.sizes), shape_text(sizes)}), false;
  if (is_expandable(layout, sizes)) return true;
  call.fail("ValueError", "operands could not be broadcast together with remapped shapes [original->remapped]: " + shape_text(layout.sizes) + "  and requested shape " + shape_text(sizes),
            Msg::np_cannot_broadcast_into, {shape_text(layout.sizes), shape_text(sizes)});
  return false;
}

void explain_broadcast(Call& call, const Tensor& array, const Dims& sizes) {
  const int extra = sizes.size() - array.layout.rank();
  for (int d = 0; d < sizes.size(); ++d)
    if (d < extra) call.why(Msg::np_broadcast_new_axis, {d, sizes[d]});
    else if (array.layout.sizes[d - extra] == 1 && sizes[d] != 1) call.why(Msg::np_broadcast_stretch, {{d - extra, call.axis(array, d - extra)}, sizes[d]});
}

Value broadcast_one(Call& call) {
  const TensorRef source = receiver(call);
  const Dims sizes = numpy_shape(call, call.value("shape"));
  if (call.failed() || !check_broadcast(call, *source->tensor, sizes)) return {};
  const Value result = numpy_readonly_view(call, *source->tensor, broadcast_to(source->tensor->layout, sizes));
  explain_broadcast(call, *source->tensor, sizes);
  if (const TensorPtr seen = tensor_of(result)) explain_sharing(call, *seen, seen->layout);
  call.why(Msg::np_broadcast_readonly);
  return result;
}

/// The shapes' common sizes; the first pair that does not fit is named as NumPy does.
std::optional<Dims> common_sizes(Call& call, const std::vector<Dims>& shapes) {
  Dims result;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const auto joined = broadcast_sizes({result, shapes[i]});
    if (joined) {
      result = *joined;
      continue;
    }
    // The first argument that set the size in question.
    size_t culprit = 0;
    for (size_t j = i; j-- > 0;)
      if (!broadcast_sizes({shapes[j], shapes[i]})) culprit = j;
    call.fail("ValueError", "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg " + std::to_string(culprit) + " with shape " + to_string(shapes[culprit]) +
                                " and arg " + std::to_string(i) + " with shape " + to_string(shapes[i]) + ".", Msg::np_cannot_broadcast, {shape_text(shapes[culprit]), shape_text(shapes[i])});
    return std::nullopt;
  }
  return result;
}

std::vector<Dims> shapes_of(const std::vector<TensorRef>& arrays) {
  std::vector<Dims> shapes;
  for (const TensorRef& array : arrays) shapes.push_back(array->tensor->layout.sizes);
  return shapes;
}

Value broadcast_arrays(Call& call) {
  const auto arrays = as_arrays(call, call.value("args"));
  if (call.failed()) return {};
  const auto sizes = common_sizes(call, shapes_of(arrays));
  if (!sizes) return {};
  call.why(Msg::np_broadcast_common, {shape_text(*sizes)});
  std::vector<Value> items;
  for (const TensorRef& array : arrays) {
    // Arrays of that shape already come back themselves.
    if (std::all_of(arrays.begin(), arrays.end(), [&](const TensorRef& one) { return one->tensor->layout.sizes == *sizes; })) items.push_back({array});
    else items.push_back(call.view(*array->tensor, broadcast_to(array->tensor->layout, *sizes)));
  }
  return call.tuple(std::move(items));
}

// Diagonals and windows.

Value diagonal_of(Call& call, const Tensor& array, int64_t shift, int64_t first, int64_t second) {
  const int rank = array.layout.rank();
  if (rank < 2) return call.fail("ValueError", "diag requires an array of at least two dimensions", Msg::np_too_few_axes, {rank, 2});
  const int rows = numpy_axis(call, first, rank, "axis1: ", "axis1");
  const int columns = numpy_axis(call, second, rank, "axis2: ", "axis2");
  if (call.failed()) return {};
  if (rows == columns) return call.about("axis2").fail("ValueError", "axis1 and axis2 cannot be the same", Msg::np_axis_repeated, {rows});
  const int64_t bounded = std::clamp(shift, -array.layout.sizes[rows] - 1, array.layout.sizes[columns] + 1);
  Layout layout = diagonal(array.layout, bounded, rows, columns);
  // NumPy moves the pointer for a diagonal of exactly 0 elements, too.
  if (diagonal_size(array.layout, bounded, rows, columns) == 0)
    layout.storage_offset += bounded < 0 ? -bounded * array.layout.strides[rows] : bounded * array.layout.strides[columns];
  const Value result = numpy_readonly_view(call, array, layout);
  call.why(Msg::np_diagonal, {{rows, call.axis(array, rows)}, {columns, call.axis(array, columns)}, array.layout.strides[rows], array.layout.strides[columns], layout.strides.back()});
  call.why(Msg::np_diagonal_readonly);
  return result;
}

Value diag(Call& call) {
  const TensorRef source = receiver(call);
  const int64_t shift = call.integer("k");
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (array.layout.rank() == 2) return diagonal_of(call, array, shift, 0, 1);
  if (array.layout.rank() != 1) return call.fail("ValueError", "Input must be 1- or 2-d.", Msg::np_one_or_two_axes, {array.layout.rank()});
  const auto side = checked_add(array.layout.sizes[0], std::abs(shift));
  if (!side) return call.refuse(Msg::beyond_int64);
  const Layout square = owned_layout(call, {*side, *side}, array.dtype);
  if (call.failed()) return {};
  const auto cells = numel({*side, *side});
  const Value made = call.fresh(array.dtype, square, constant_contents(integer_scalar(0, array.dtype), *cells), Relation::copy);
  if (call.failed()) return {};
  Tensor line = *tensor_of(made);
  line.layout = diagonal(line.layout, shift, 0, 1);
  call.why(Msg::np_diag_matrix, {*side, array.layout.sizes[0]});
  if (array.layout.sizes[0] > 0) call.write(line, elements_of(array));
  call.relation(Relation::copy);
  return made;
}

/// What as_strided makes: a view whose base is a DummyArray.
Value dummy_view(Call& call, const Tensor& array, const Layout& layout, bool writeable) {
  if (!is_valid(layout)) return call.refuse(Msg::beyond_int64);
  const auto reached = extent(layout);
  if (reached && (reached->lowest < 0 || *checked_add(reached->highest, unit_of(array)) > array.storage->nbytes))
    return call.refuse(Msg::np_outside_memory, {reached->lowest, reached->highest + unit_of(array) - 1, array.storage->nbytes});
  call.why(Msg::np_view_headline, {shape_text(layout.sizes), shape_text(layout.strides), layout.storage_offset});
  Tensor result = array;
  result.layout = layout;
  result.is_view = true;
  result.base = -1;
  result.base_tensor = std::make_shared<const Tensor>(array);
  result.dummy_base = true;
  result.writeable = array.writeable && writeable;
  return call.make(std::move(result), Relation::view);
}

Value as_strided(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const Dims sizes = call.given("shape") ? numpy_shape(call, call.value("shape")) : array.layout.sizes;
  const Dims strides = call.given("strides") ? numpy_shape(call, call.value("strides")) : array.layout.strides;
  if (call.failed()) return {};
  if (sizes.size() != strides.size())
    return call.about("strides").fail("ValueError", "mismatch in length of strides and shape", Msg::np_strides_count, {sizes.size(), strides.size()});
  for (const int64_t size : sizes)
    if (size < 0) return call.about("shape").fail("ValueError", "negative dimensions are not allowed", Msg::np_negative_size, {to_string(sizes)});
  const Value result = dummy_view(call, array, {sizes, strides, array.layout.storage_offset}, !call.given("writeable") || call.boolean("writeable"));
  call.why(Msg::np_as_strided);
  if (const TensorPtr seen = tensor_of(result)) explain_sharing(call, *seen, seen->layout);
  return result;
}

Value sliding_window_view(Call& call) {
  const TensorRef source = receiver(call);
  const auto window = integer_list(call, call.value("window_shape"));
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int rank = array.layout.rank();
  const auto count = static_cast<int64_t>(window->size());
  if (std::any_of(window->begin(), window->end(), [](int64_t size) { return size < 0; }))
    return call.about("window_shape").fail("ValueError", "`window_shape` cannot contain negative values", Msg::np_negative_size, {to_string(call.value("window_shape"))});
  std::vector<int64_t> axes;
  if (!call.given("axis")) {
    for (int d = 0; d < rank; ++d) axes.push_back(d);
    if (count != rank)
      return call.about("window_shape").fail("ValueError", "Since axis is `None`, must provide window_shape for all dimensions of `x`; got " + std::to_string(count) + " window_shape elements and `x.ndim` is " +
                                         std::to_string(rank) + ".", Msg::np_window_count, {count, rank});
  } else {
    const auto list = integer_list(call, call.value("axis"));
    if (!list) return {};
    for (const int64_t axis : *list) axes.push_back(numpy_axis(call, axis, rank));
    if (call.failed()) return {};
    if (static_cast<size_t>(count) != axes.size())
      return call.about("window_shape").fail("ValueError", "Must provide matching length window_shape and axis; got " + std::to_string(count) + " window_shape elements and " + std::to_string(axes.size()) + " axes elements.",
                       Msg::np_window_count, {count, static_cast<int64_t>(axes.size())});
  }
  if (rank + static_cast<int>(axes.size()) > max_rank) return call.refuse(Msg::too_many_dims, {max_rank});
  Layout layout = array.layout;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int d = static_cast<int>(axes[i]);
    if (layout.sizes[d] < (*window)[i])
      return call.about("window_shape").fail("ValueError", "window shape cannot be larger than input array shape", Msg::np_window_too_large, {(*window)[i], {d, call.axis(array, d)}, layout.sizes[d]});
    layout.sizes.push_back((*window)[i]);
    layout.strides.push_back(layout.strides[d]);
    layout.sizes[d] -= (*window)[i] - 1;
  }
  const Value result = dummy_view(call, array, layout, call.boolean("writeable"));
  for (size_t i = 0; i < axes.size(); ++i) {
    const int d = static_cast<int>(axes[i]);
    call.why(Msg::np_window, {{d, call.axis(array, d)}, array.layout.sizes[d], layout.sizes[d], (*window)[i], array.layout.strides[d]});
  }
  if (const TensorPtr seen = tensor_of(result)) explain_sharing(call, *seen, seen->layout);
  if (!call.boolean("writeable")) call.why(Msg::np_broadcast_readonly);
  return result;
}

}  // namespace

std::span<const Op> numpy_axes_rows() {
  static const Op rows[] = {
      {Library::numpy, "x.transpose(*axes=())", Msg::op_np_transpose, "sizes'[k] = sizes[axes[k]];  strides'[k] = strides[axes[k]]",
       "x = np.arange(24).reshape(2, 3, 4)\ny = x.transpose(2, 0, 1)", [](Call& call) { return transpose_to(call, call.value("axes")); }},
      {Library::numpy, "np.transpose(a, axes=None)\nnp.permute_dims(a, axes=None)", Msg::op_np_transpose, "sizes'[k] = sizes[axes[k]];  strides'[k] = strides[axes[k]]",
       "x = np.arange(24).reshape(2, 3, 4)\ny = np.transpose(x, (1, 0, 2))", [](Call& call) { return transpose_to(call, call.value("axes")); }},
      {Library::numpy, "x.T", Msg::op_np_T, "sizes and strides in reverse order", "x = np.arange(6).reshape(2, 3)\ny = x.T",
       [](Call& call) {
         const TensorRef source = receiver(call);
         if (std::holds_alternative<NumpyScalar>(call.value("x").held)) return call.value("x");
         return call.failed() ? Value{} : reversed_axes(call, *source->tensor);
       }},
      {Library::numpy, "x.mT\nnp.matrix_transpose(x)", Msg::op_np_mT, "the last two axes exchanged", "x = np.arange(24).reshape(2, 3, 4)\ny = x.mT",
       [](Call& call) -> Value {
         const TensorRef source = receiver(call);
         if (call.failed()) return {};
         const int rank = source->tensor->layout.rank();
         if (rank < 2) return call.fail("ValueError", call.form().kind == Form::Kind::attribute ? "matrix transpose with ndim < 2 is undefined"
                                                          : "Input array must be at least 2-dimensional, but it is " + std::to_string(rank), Msg::np_too_few_axes, {rank, 2});
         Dims axes = fortran_order(rank);
         std::swap(axes[rank - 1], axes[rank - 2]);
         return permuted(call, *source->tensor, axes);
       }},
      {Library::numpy, "x.swapaxes(axis1: int, axis2: int)\nnp.swapaxes(x, axis1: int, axis2: int)", Msg::op_np_swapaxes, "axes axis1 and axis2 exchange size and stride",
       "x = np.arange(24).reshape(2, 3, 4)\ny = x.swapaxes(0, 2)", swapaxes},
      {Library::numpy, "np.moveaxis(a, source, destination)", Msg::op_np_moveaxis, "axis source[k] comes to destination[k], the others keep their order",
       "x = np.arange(24).reshape(2, 3, 4)\ny = np.moveaxis(x, 0, -1)", moveaxis},
      {Library::numpy, "np.rollaxis(a, axis: int, start: int = 0)", Msg::op_np_rollaxis, "axis comes before start, the others keep their order",
       "x = np.arange(24).reshape(2, 3, 4)\ny = np.rollaxis(x, 2)", rollaxis},
      {Library::numpy, "np.flip(m, axis=None)", Msg::op_np_flip, "stride' = -stride;  offset' = offset + (size - 1) * stride", "x = np.arange(6).reshape(2, 3)\ny = np.flip(x, 1)", flip_axes},
      {Library::numpy, "np.flipud(m)", Msg::op_np_flipud, "np.flip(m, 0)", "x = np.arange(6).reshape(2, 3)\ny = np.flipud(x)", [](Call& call) { return flip_one(call, 0); }},
      {Library::numpy, "np.fliplr(m)", Msg::op_np_fliplr, "np.flip(m, 1)", "x = np.arange(6).reshape(2, 3)\ny = np.fliplr(x)", [](Call& call) { return flip_one(call, 1); }},
      {Library::numpy, "np.rot90(m, k: int = 1, axes=None)", Msg::op_np_rot90, "a flip and a transpose a quarter", "x = np.arange(6).reshape(2, 3)\ny = np.rot90(x)", rot90},
      {Library::numpy, "np.broadcast_to(array, shape, subok=False)", Msg::op_np_broadcast_to, "stride 0 for every new axis and every axis of size 1",
       "x = np.arange(3)\ny = np.broadcast_to(x, (4, 3))", broadcast_one},
      {Library::numpy, "np.broadcast_arrays(*args=())", Msg::op_np_broadcast_arrays, "each array seen under the common shape", "x, y = np.broadcast_arrays(np.arange(3), np.zeros((2, 1)))", broadcast_arrays},
      {Library::numpy, "np.broadcast_shapes(*args=())", Msg::op_np_broadcast_shapes, "from the right, equal sizes or a 1 in either", "shape = np.broadcast_shapes((3, 1), (2,))",
       [](Call& call) -> Value {
         std::vector<Dims> shapes;
         const auto* args = std::get_if<Sequence>(&call.value("args").held);
         // A lone tuple is one shape, not a list of them.
         const bool lone = args && std::all_of(args->items->begin(), args->items->end(), [](const Value& item) { return as_integer(item).has_value(); });
         if (lone && !args->items->empty()) shapes.push_back(numpy_shape(call, call.value("args")));
         else if (args) for (const Value& item : *args->items) shapes.push_back(numpy_shape(call, item));
         if (call.failed()) return {};
         const auto sizes = common_sizes(call, shapes);
         if (!sizes) return {};
         call.why(Msg::np_broadcast_common, {shape_text(*sizes)});
         return tuple_of(*sizes);
       }},
      {Library::numpy, "x.diagonal(offset: int = 0, axis1: int = 0, axis2: int = 1)\nnp.diagonal(a, offset: int = 0, axis1: int = 0, axis2: int = 1)", Msg::op_np_diagonal,
       "the last axis has stride strides[axis1] + strides[axis2]", "x = np.arange(12).reshape(3, 4)\ny = x.diagonal(1)",
       [](Call& call) {
         const TensorRef source = receiver(call);
         const int64_t shift = call.integer("offset"), first = call.integer("axis1"), second = call.integer("axis2");
         return call.failed() ? Value{} : diagonal_of(call, *source->tensor, shift, first, second);
       }},
      {Library::numpy, "np.diag(v, k: int = 0)", Msg::op_np_diag, "", "x = np.arange(12).reshape(3, 4)\ny = np.diag(x)", diag},
      {Library::numpy, "np.lib.stride_tricks.as_strided(x, shape=None, strides=None, subok=False, writeable=True)", Msg::op_np_as_strided, "strides in bytes as given; nothing is checked",
       "x = np.arange(6)\ny = np.lib.stride_tricks.as_strided(x, (4, 3), (8, 8))", as_strided},
      {Library::numpy, "np.lib.stride_tricks.sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False)", Msg::op_np_sliding_window_view,
       "sizes'[k] = sizes[k] - window + 1;  the window's axis has the stride of axis k", "x = np.arange(6)\ny = np.lib.stride_tricks.sliding_window_view(x, 3)", sliding_window_view},
  };
  return rows;
}

}  // namespace stridescope
