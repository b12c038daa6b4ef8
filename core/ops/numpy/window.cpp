// Views whose axes are made of strides: diagonals, as_strided, sliding windows.
#include <algorithm>
#include <cmath>

#include "layout/extent.h"
#include "ops/layout_words.h"
#include "ops/numpy/numpy.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

Value diagonal_of(Call& call, const Tensor& array, int64_t shift, int64_t first, int64_t second) {
  const int rank = array.layout.rank();
  if (rank < 2)
    return call.fail("ValueError", "diag requires an array of at least two dimensions", Msg::np_too_few_axes,
                     {rank, 2});
  const int rows = numpy_axis(call, first, rank, "axis1: ", "axis1");
  const int columns = numpy_axis(call, second, rank, "axis2: ", "axis2");
  if (call.failed()) return {};
  if (rows == columns)
    return call.about("axis2").fail("ValueError", "axis1 and axis2 cannot be the same", Msg::np_axis_repeated, {rows});
  const int64_t bounded = std::clamp(shift, -array.layout.sizes[rows] - 1, array.layout.sizes[columns] + 1);
  Layout layout = diagonal(array.layout, bounded, rows, columns);
  // NumPy moves the pointer for a diagonal of exactly 0 elements, too.
  if (diagonal_size(array.layout, bounded, rows, columns) == 0)
    layout.storage_offset +=
        bounded < 0 ? -bounded * array.layout.strides[rows] : bounded * array.layout.strides[columns];
  const Value result = numpy_readonly_view(call, array, layout);
  call.why(Msg::np_diagonal, {Slot{rows, call.axis(array, rows)}, Slot{columns, call.axis(array, columns)},
                              array.layout.strides[rows], array.layout.strides[columns], layout.strides.back()});
  call.why(Msg::np_diagonal_readonly);
  return result;
}

Value diag(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (array.layout.rank() != 1 && array.layout.rank() != 2)
    return call.fail("ValueError", "Input must be 1- or 2-d.", Msg::np_axes_wanted, {array.layout.rank(), "1–2"});
  const int64_t shift = call.integer("k");
  if (call.failed()) return {};
  if (array.layout.rank() == 2) return diagonal_of(call, array, shift, 0, 1);
  const auto side = checked_add(array.layout.sizes[0], std::abs(shift));
  if (!side) return call.refuse(Msg::beyond_int64);
  const Layout square = owned_layout(call, {*side, *side}, unit_of(array));
  if (call.failed()) return {};
  const Value made = call.fresh(array, square, zero_contents(array, *numel({*side, *side})), Relation::copy);
  Tensor line = *tensor_of(made);
  line.layout = diagonal(line.layout, shift, 0, 1);
  const size_t said = call.said();
  if (array.layout.sizes[0] > 0) numpy_assign(call, line, nameless(array), Casting::unsafe);
  call.unsay(said);
  call.why(Msg::np_diag_matrix, {*side, array.layout.sizes[0]});
  call.relation(Relation::copy);
  return made;
}

/// What as_strided makes: a view whose base is a DummyArray.
Value dummy_view(Call& call, const Tensor& array, const Layout& layout, bool writeable) {
  if (!is_valid(layout)) return call.refuse(Msg::beyond_int64);
  const auto reached = extent(layout);
  if (reached && (reached->lowest < 0 || *checked_add(reached->highest, unit_of(array)) > array.storage->nbytes))
    return call.refuse(Msg::np_outside_memory,
                       {reached->lowest, reached->highest + unit_of(array) - 1, array.storage->nbytes});
  explain_view(call, array, layout);
  Tensor result = array;
  result.layout = layout;
  result.is_view = true;
  result.base = -1;
  result.base_tensor = std::make_shared<const Tensor>(array);
  result.base_facet = "DummyArray";
  result.writeable = array.writeable && !array.write_warns && writeable;
  result.write_warns = false;
  return call.make(std::move(result), Relation::view);
}

Value as_strided(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  // Each is made a tuple first, a text as well.
  Value shape = call.value("shape"), wanted = call.value("strides");
  for (const auto& [parameter, given] : {std::pair{"shape", &shape}, std::pair{"strides", &wanted}}) {
    const TensorPtr number = tensor_of(*given);
    if (number && number->layout.rank() == 0)
      return call.about(parameter).fail_parser("iteration over a 0-d array", Msg::not_iterable, {type_name(*given)});
    if (number || !call.given(parameter) || std::holds_alternative<Sequence>(given->held)) continue;
    auto items = python_items(*given);
    if (!items)
      return call.about(parameter).fail_parser({"'", attribute_type(*given), "' object is not iterable"},
                                               Msg::not_iterable, {type_name(*given)});
    *given = call.tuple(std::move(*items));
  }
  // The shape is read whole, then lengths are compared, then strides are read.
  const Dims sizes = call.given("shape") ? numpy_shape(call, shape) : array.layout.sizes;
  for (const int64_t size : sizes)
    if (size < 0)
      call.about("shape").fail("ValueError", "negative dimensions are not allowed", Msg::np_negative_size,
                               {to_string(sizes)});
  if (call.failed()) return {};
  // The array interface of a C-contiguous array has no strides: the new ones are those of the new shape.
  const bool packed = is_contiguous(array.layout, unit_of(array));
  const auto* listed = std::get_if<Sequence>(&wanted.held);
  const TensorPtr table = tensor_of(wanted);
  const int64_t count = listed                            ? static_cast<int64_t>(listed->items->size())
                        : table                           ? table->layout.sizes[0]
                        : call.given("strides") || packed ? sizes.size()
                                                          : array.layout.rank();
  if (count != sizes.size())
    return call.about("strides").fail("ValueError", "mismatch in length of strides and shape", Msg::np_strides_count,
                                      {sizes.size(), count});
  const Dims strides = call.given("strides") ? numpy_shape(call, wanted)
                       : packed              ? contiguous(sizes, unit_of(array)).strides
                                             : array.layout.strides;
  call.truth("subok");
  if (call.failed()) return {};
  const Value result = dummy_view(call, array, {sizes, strides, array.layout.storage_offset},
                                  !call.given("writeable") || call.truth("writeable"));
  call.why(Msg::np_as_strided);
  return result;
}

Value sliding_window_view(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  // It becomes an array first, of whatever numbers: which are no sizes shows when the view is made.
  const Value& given = call.value("window_shape");
  std::vector<Value> items{given};
  const TensorPtr line = tensor_of(given);
  if (line && line->layout.rank() == 1 && count_of(*line) <= max_rank) {
    items.clear();
    for (int64_t i = 0; i < count_of(*line); ++i) items.push_back({scalar_at(elements_of(*line), i)});
  } else if (line && line->layout.rank() > 0) {  // rows, or more numbers than any array has axes
    items.assign(static_cast<size_t>(std::min<int64_t>(line->layout.sizes[0], max_rank + 1)), given);
  } else if (auto several = line ? std::nullopt : python_items(given)) {
    items = std::move(*several);
  }
  std::vector<double> window;
  const Value* no_size = nullptr;
  const auto is_row = [](const Value& item) {
    const TensorPtr row = tensor_of(item);
    return std::holds_alternative<Sequence>(item.held) || (row && row->layout.rank() > 0);
  };
  if (std::any_of(items.begin(), items.end(), is_row)) as_array(call, given);
  if (call.failed()) return {};
  for (const Value& item : items) {
    const auto number = is_row(item) ? std::optional(0.0) : as_real(item);
    if (std::holds_alternative<std::string>(item.held))
      return call.about(item).fail("UFuncTypeError",
                                   "ufunc 'less' did not contain a loop with signature matching types (<class "
                                   "'numpy.dtypes.StrDType'>, <class 'numpy.dtypes._PyLongDType'>) -> None",
                                   Msg::np_not_an_integer, {"str"});
    if (!number)
      return call.about(item).fail_parser({"'", attribute_type(item), "' object cannot be interpreted as an integer"},
                                          Msg::np_not_an_integer, {type_name(item)});
    window.push_back(*number);
    if (!no_size && (!as_integer(item) || std::holds_alternative<bool>(item.held))) no_size = &item;
  }
  const Tensor& array = *source->tensor;
  const int rank = array.layout.rank();
  const auto count = line && line->layout.rank() > 0 ? line->layout.sizes[0] : static_cast<int64_t>(window.size());
  if (std::any_of(window.begin(), window.end(), [](double size) { return size < 0; }))
    return call.about("window_shape")
        .fail("ValueError", "`window_shape` cannot contain negative values", Msg::np_negative_size,
              {static_cast<int64_t>(*std::min_element(window.begin(), window.end()))});
  std::vector<int64_t> axes;
  if (!call.given("axis")) {
    for (int d = 0; d < rank; ++d) axes.push_back(d);
    if (count != rank)
      return call.about("window_shape")
          .fail("ValueError",
                {"Since axis is `None`, must provide window_shape for all dimensions of `x`; got ", count,
                 " window_shape elements and `x.ndim` is ", rank, "."},
                Msg::np_window_count, {count, rank});
  } else {
    const auto list = integer_list(call, call.value("axis"));
    if (!list) return {};
    for (const int64_t axis : *list) axes.push_back(numpy_axis(call, axis, rank));
    if (call.failed()) return {};
    if (static_cast<size_t>(count) != axes.size())
      return call.about("window_shape")
          .fail("ValueError",
                {"Must provide matching length window_shape and axis; got ", count, " window_shape elements and ",
                 axes.size(), " axes elements."},
                Msg::np_window_count, {count, static_cast<int64_t>(axes.size())});
  }
  if (rank + static_cast<int>(axes.size()) > max_rank)
    return call.fail("ValueError",
                     {"number of dimensions must be within [0, 64], got ", rank + static_cast<int>(axes.size())},
                     Msg::np_too_many_axes, {max_rank});
  if (std::any_of(items.begin(), items.end(), is_row))
    return call.about("window_shape").refuse(Msg::not_modelled, {"NumPy", "window_shape=" + to_string(given)});
  Layout layout = array.layout;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int d = static_cast<int>(axes[i]);
    if (std::isnan(window[i])) break;  // no size; and no size is less
    if (static_cast<double>(layout.sizes[d]) < window[i])
      return call.about("window_shape")
          .fail("ValueError", "window shape cannot be larger than input array shape", Msg::np_window_too_large,
                {to_string(items[i]), Slot{d, call.axis(array, d)}, layout.sizes[d]});
    const auto size = static_cast<int64_t>(window[i]);
    layout.sizes.push_back(size);
    layout.strides.push_back(layout.strides[d]);
    layout.sizes[d] -= size - 1;
  }
  if (no_size)
    return call.about("window_shape")
        .fail_parser({"'", attribute_type(*no_size), "' object cannot be interpreted as an integer"},
                     Msg::np_not_an_integer, {type_name(*no_size)});
  const Value result = dummy_view(call, array, layout, call.truth("writeable"));
  for (size_t i = 0; i < axes.size(); ++i) {
    const int d = static_cast<int>(axes[i]);
    call.why(Msg::np_window, {Slot{d, call.axis(array, d)}, array.layout.sizes[d], layout.sizes[d],
                              layout.sizes[rank + static_cast<int>(i)], array.layout.strides[d]});
  }
  if (!call.truth("writeable")) call.why(Msg::np_broadcast_readonly);
  return result;
}

}  // namespace

std::span<const Op> numpy_window_rows() {
  static constexpr Op rows[] = {
      {Library::numpy,
       "x.diagonal(offset: int | bool = 0, axis1: int | bool = 0, axis2: int | bool = 1)\n"
       "np.diagonal(a, offset: int | bool = 0, axis1: int | bool = 0, axis2: int | bool = 1)",
       Msg::op_np_diagonal, "the last axis has stride strides[axis1] + strides[axis2]",
       "x = np.arange(12).reshape(3, 4)\ny = x.diagonal(1)",
       [](Call& call) {
         const TensorRef source = receiver(call);
         const int64_t shift = call.integer("offset"), first = call.integer("axis1"), second = call.integer("axis2");
         return call.failed() ? Value{} : diagonal_of(call, *source->tensor, shift, first, second);
       },
       Op::Structured::arrays},
      {Library::numpy, "np.linalg.diagonal(x, /, *, offset: int | bool = 0)", Msg::op_np_diagonal,
       "the last axis has stride strides[-2] + strides[-1]",
       "x = np.arange(12).reshape(3, 4)\ny = np.linalg.diagonal(x)",
       [](Call& call) {
         const TensorRef source = receiver(call);
         const int64_t shift = call.integer("offset");
         if (call.failed()) return Value{};
         if (const int rank = source->tensor->layout.rank(); rank < 2)
           return call.fail("ValueError", "diag requires an array of at least two dimensions", Msg::matrix_rank,
                            {rank});
         return diagonal_of(call, *source->tensor, shift, -2, -1);
       },
       Op::Structured::arrays},
      {Library::numpy, "np.diag(v, k=0)", Msg::op_np_diag, "", "x = np.arange(12).reshape(3, 4)\ny = np.diag(x)", diag,
       Op::Structured::arrays},
      {Library::numpy, "np.lib.stride_tricks.as_strided(x, shape=None, strides=None, subok=False, writeable=True)",
       Msg::op_np_as_strided, "strides in bytes as given; nothing is checked",
       "x = np.arange(6)\ny = np.lib.stride_tricks.as_strided(x, (4, 3), (8, 8))", as_strided, Op::Structured::arrays},
      {Library::numpy,
       "np.lib.stride_tricks.sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False)",
       Msg::op_np_sliding_window_view, "sizes'[k] = sizes[k] - window + 1;  the window's axis has the stride of axis k",
       "x = np.arange(6)\ny = np.lib.stride_tricks.sliding_window_view(x, 3)", sliding_window_view,
       Op::Structured::arrays},
  };
  return rows;
}

}  // namespace stridescope
