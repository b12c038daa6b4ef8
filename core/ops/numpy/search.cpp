// Where elements are, in what order, and what stays of them: nonzero, sort, trace, clip.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/fold.h"
#include "ops/numpy/ufunc.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {

bool comes_before(const Scalar& a, const Scalar& b) {
  if (is_complex(a.dtype)) {
    // Without NaN, with one behind the point, with one before it, with both; among each by what is a number.
    const auto rank = [](const Scalar& one) { return 2 * std::isnan(one.real) + std::isnan(one.imaginary); };
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return a.real < b.real || ((a.real == b.real || std::isnan(a.real)) && a.imaginary < b.imaginary);
  }
  if (std::isnan(a.real) || std::isnan(b.real)) return std::isnan(b.real) && !std::isnan(a.real);
  const Scalar pair[] = {a, b};
  return is_true(reckon(Arithmetic::less, pair));
}

bool few_enough(Call& call, const Tensor& array) {
  if (count_of(array) > most_sorted) call.refuse(Msg::too_many_indices, {count_of(array), most_sorted});
  return call.quick(elements_of(array), count_of(array));
}

std::vector<Scalar> in_order(const Tensor& array, int axis, bool places) {
  const Dims& sizes = array.layout.sizes;
  const int64_t count = count_of(array), step = contiguous(sizes).strides[axis], size = sizes[axis];
  const Elements elements = elements_of(array);
  std::vector<Scalar> result(static_cast<size_t>(count));
  for (int64_t first = 0; first < count; ++first) {
    if (first / step % size != 0) continue;
    std::vector<Scalar> line;
    for (int64_t k = 0; k < size; ++k) line.push_back(element(elements, first + k * step));
    std::vector<size_t> order(line.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return comes_before(line[a], line[b]); });
    for (size_t k = 0; k < order.size(); ++k)
      result[static_cast<size_t>(first + static_cast<int64_t>(k) * step)] =
          places ? integer_scalar(static_cast<int64_t>(order[k]), DType::int64) : line[order[k]];
  }
  return result;
}

namespace {

/// The row-major numbers of the elements that are not 0.
std::vector<int64_t> places_of(const Tensor& array) {
  std::vector<int64_t> places;
  const Elements elements = elements_of(array);
  for (int64_t i = 0; i < count_of(array); ++i)
    if (is_true(element(elements, i))) places.push_back(i);
  return places;
}

/// A table with the indices of those elements, one in a row, or the other way round one in a column.
Value table_of(Call& call, const Tensor& array, bool columns) {
  if (!few_enough(call, array)) return {};
  const std::vector<int64_t> places = places_of(array);
  const auto found = static_cast<int64_t>(places.size());
  const int rank = array.layout.rank();
  std::vector<Scalar> values(places.size() * static_cast<size_t>(rank));
  for (size_t k = 0; k < places.size(); ++k) {
    const Dims index = index_at(array.layout.sizes, places[k]);
    for (int d = 0; d < rank; ++d) {
      const size_t at =
          columns ? static_cast<size_t>(d) * places.size() + k : k * static_cast<size_t>(rank) + static_cast<size_t>(d);
      values[at] = integer_scalar(index[d], DType::int64);
    }
  }
  call.why(Msg::nonzero_headline, {found, rank});
  const Dims sizes = columns ? Dims{rank, found} : Dims{found, rank};
  return numpy_fresh(call, sizes, DType::int64, literal_contents(values, DType::int64));
}

Value argwhere(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  // A number is looked at as one element along an axis, which its index then goes without.
  Tensor array = *source->tensor;
  const bool number = array.layout.rank() == 0;
  if (number) array.layout = insert_dim(array.layout, 0, unit_of(array));
  const Value table = table_of(call, array, true);
  if (call.failed()) return {};
  Layout layout = transpose(tensor_of(table)->layout, 0, 1);
  if (number) layout.sizes[1] = 0;
  const Value view = call.view(*tensor_of(table), layout);
  call.relation(Relation::fresh);
  return view;
}

Value flatnonzero(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Value columns = numpy_nonzero(call, raveled(call, {*source->tensor}).front());
  return call.failed() ? Value{} : std::get<Sequence>(columns.held).items->front();
}

/// Whether two neighbours along the axis are equal.  @pre they are in order
bool has_equal_neighbours(const std::vector<Scalar>& sorted, const Dims& sizes, int axis) {
  const int64_t step = contiguous(sizes).strides[axis];
  for (int64_t i = 0; i < static_cast<int64_t>(sorted.size()); ++i) {
    if (i / step % sizes[axis] == 0) continue;
    if (!comes_before(sorted[static_cast<size_t>(i - step)], sorted[static_cast<size_t>(i)])) return true;
  }
  return false;
}

Value sort_row(Call& call) {
  const bool method = call.form().kind == Form::Kind::method, places = call.name().ends_with("argsort");
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const bool flat = !call.given("axis") && !(method && !places);
  const int64_t asked = flat ? 0 : places ? axis_argument(call) : call.integer("axis");
  if (call.failed()) return {};
  if (call.given("kind") && !std::holds_alternative<std::string>(call.value("kind").held))
    return call.about("kind").fail("TypeError", {"sort kind must be str, not ", type_name(call.value("kind"))},
                                   Msg::argument_has_type, {"kind", "str", type_name(call.value("kind"))});
  if (call.given("order"))
    return call.about("order").fail("ValueError", "Cannot specify order when the array has no fields.",
                                    Msg::np_order_without_fields, {name(source->tensor->dtype)});
  if (call.given("stable") && call.given("kind"))
    return call.about("stable").fail(
        "ValueError", "`kind` and `stable` parameters can't be provided at the same time. Use only one of them.",
        Msg::one_of_both, {"kind", "stable"});
  Tensor array = *source->tensor;
  if (places && array.layout.rank() == 0) array.layout = insert_dim(array.layout, 0, unit_of(array));
  int axis = 0;
  if (flat) {
    array = raveled(call, {array}).front();
  } else {
    axis = numpy_axis(call, asked, array.layout.rank());
  }
  if (call.failed()) return {};
  const DType dtype = places ? DType::int64 : array.dtype;
  const bool stable = call.given("stable") || call.given("kind");
  bool known = call.reckons(folding(count_of(array))) && is_known(*array.storage->contents);
  call.why(Msg::sort_headline, {array.layout.sizes[axis], Slot{axis, call.axis(array, axis)}});
  // Where equal elements end depends on the processor, unless a stable order is asked for.
  if (known && places && !stable && has_equal_neighbours(in_order(array, axis, false), array.layout.sizes, axis)) {
    known = false;
    call.why(Msg::np_equal_places);
  }
  const ContentsPtr contents =
      known ? literal_contents(in_order(array, axis, places), dtype) : unknown_contents(dtype, count_of(array));
  if (places) return numpy_fresh(call, array.layout.sizes, dtype, contents);
  if (method) {
    if (!numpy_writeable(call, array, "sort array is read-only")) return {};
    call.write(array, {contents, contiguous(array.layout.sizes, unit_of(array)), dtype});
    return {};
  }
  // A copy that keeps the order of the axes, sorted in place.
  const Value copy = numpy_copy(call, array, NumpyOrder::keep);
  if (call.failed()) return {};
  call.write(*tensor_of(copy), {contents, contiguous(array.layout.sizes, unit_of(array)), dtype});
  call.relation(Relation::copy);
  return copy;
}

Value trace(Call& call) {
  const TensorRef source = receiver(call);
  const bool last_two = call.name().starts_with("numpy.linalg.");
  const int64_t shift = call.integer("offset"), first = last_two ? -2 : call.integer("axis1"),
                second = last_two ? -1 : call.integer("axis2");
  const auto wanted = dtype_argument(call);
  if (call.failed()) return {};
  Tensor array = *source->tensor;
  const int rank = array.layout.rank();
  if (rank < 2)
    return call.fail("ValueError", "diag requires an array of at least two dimensions",
                     last_two ? Message(Msg::matrix_rank, {rank}) : Message(Msg::np_too_few_axes, {rank, 2}));
  const int row = numpy_axis(call, first, rank, "axis1: ", "axis1"),
            column = call.failed() ? 0 : numpy_axis(call, second, rank, "axis2: ", "axis2");
  if (call.failed()) return {};
  if (row == column)
    return call.about("axis2").fail("ValueError", "axis1 and axis2 cannot be the same", Msg::diagonal_same_dims,
                                    {first, second});
  const int64_t reach = std::max(array.layout.sizes[row], array.layout.sizes[column]) + 1;
  array.layout = diagonal(array.layout, std::clamp(shift, -reach, reach), row, column);
  const int last = array.layout.rank() - 1;
  const Rows rows = rows_along(array, {last}, false);
  const bool small = is_whole(array.dtype);
  const DType dtype = wanted.value_or(!small ? array.dtype : is_unsigned(array.dtype) ? DType::uint64 : DType::int64);
  const ContentsPtr sums =
      fold_rows(call, rows, dtype, [&](int64_t k) { return converted(total(rows, k, dtype, false), dtype); });
  Dims sizes = array.layout.sizes;
  sizes[last] = 1;
  auto [layout, contents] = laid_out(sums, sizes, iteration_order({array.layout}), dtype);
  layout.sizes.pop_back();
  layout.strides.pop_back();
  call.why(Msg::np_reduce_headline, {rows.each, to_string(layout.sizes), "0", rows.count, 1});
  return scalar_if_0d(call, call.fresh(dtype, layout, std::move(contents)));
}

/// minimum(maximum(a, min), max)
/// The array with its axes in the order in which all operands are gone through at once.
Value laid_out_by(Call& call, const Value& result, const std::vector<TensorRef>& arrays) {
  const TensorPtr array = tensor_of(result);
  if (!array || count_of(*array) == 0) return result;
  std::vector<const Tensor*> operands;
  for (const TensorRef& one : arrays) operands.push_back(&*one->tensor);
  const Dims order = result_order(operands, array->layout.sizes, array->dtype, false, false);
  const Layout layout{array->layout.sizes, packed_slowest_first(array->layout.sizes, order, unit_of(*array)), 0};
  if (layout == array->layout) return result;
  Elements from = elements_of(*array);
  from.layout = permute(from.layout, order);
  return call.fresh(array->dtype, layout, gather(from, array->dtype));
}

Value clipped(Call& call) {
  const bool old = call.form().parameters[1].name == "a_min";
  const char *least = old ? "a_min" : "min", *most = old ? "a_max" : "max";
  Operand value = operand(call, call.first());
  if (call.failed()) return {};
  value.weak = false;  // a number becomes an array first
  // A bound of Python's that is no bound for the dtype is left out.
  const auto binds = [&](const char* bound) {
    const auto* number = std::get_if<int64_t>(&call.value(bound).held);
    const DType dtype = value.array->tensor->dtype;
    if (!number || !is_integer(dtype) || value.weak) return call.given(bound);
    const int bits = itemsize(dtype) * 8 - (is_unsigned(dtype) ? 0 : 1);
    const int64_t highest = bits > 62 ? INT64_MAX : (int64_t{1} << bits) - 1;
    if (bound == least) return *number > (is_unsigned(dtype) ? 0 : -highest - 1);
    return dtype == DType::uint64 || *number < highest;
  };
  const bool low = binds(least), high = binds(most);
  if (!low && !high) return apply_unary(call, unary_ufunc("positive"), {value.array, false, {}});
  Value result = call.first();
  // Both bounds are seen at once.
  std::vector<Dims> shapes{value.array->tensor->layout.sizes};
  std::vector<TensorRef> arrays{value.array};
  std::vector<Operand> operands{value};
  for (const char* bound : {least, most}) {
    if (!(bound == least ? low : high)) continue;
    const Operand one = operand(call, call.value(bound));
    if (call.failed()) return {};
    shapes.push_back(one.array->tensor->layout.sizes);
    arrays.push_back(one.array);
    operands.push_back(one);
  }
  if (!broadcast_sizes(shapes)) return refuse_shapes(call, shapes);
  UfuncTarget target;
  if (low && high) target.dtype = common_dtype(operands);
  for (const char* bound : {least, most}) {
    if (!(bound == least ? low : high) || call.failed()) continue;
    result = apply_binary(call, binary_ufunc(bound == least ? "maximum" : "minimum"), value,
                          operand(call, call.value(bound)), target);
    if (!call.failed()) value = operand(call, result);
  }
  return call.failed() || !low || !high ? result : laid_out_by(call, result, arrays);
}

/// What is clipped is known before anything is written, so `out` may be the array itself.
Value clip(Call& call) {
  const TensorRef out = ufunc_out(call);
  const Value result = call.failed() ? Value{} : clipped(call);
  if (call.failed() || !out) return result;
  const TensorRef made = as_array(call, result);
  const Dims &own = out->tensor->layout.sizes, &needed = made->tensor->layout.sizes;
  const DType from = made->tensor->dtype, to = out->tensor->dtype;
  if (!can_cast(from, to, Casting::same_kind))
    return call.about("out").fail("UFuncTypeError",
                                  {"Cannot cast ufunc 'clip' output from dtype('", name(from), "') to dtype('",
                                   name(to), "') with casting rule 'same_kind'"},
                                  Msg::np_cannot_cast, {name(from), name(to)});
  const auto both = broadcast_sizes({needed, own});
  if (!both || !(*both == own)) return call.about("out").refuse(Msg::np_out_unknown);
  return written_out(call, out, elements_of(*made->tensor));
}

}  // namespace

Value numpy_nonzero(Call& call, const Tensor& array) {
  if (array.layout.rank() == 0)
    return call.fail("ValueError",
                     {"Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.",
                      array.dtype == DType::boolean ? " If the context of this error is of the form "
                                                      "`arr[nonzero(cond)]`, just use `arr[cond]`."
                                                    : ""},
                     Msg::np_too_few_axes, {0, 1});
  const Value made = table_of(call, array, false);
  if (call.failed()) return {};
  const Tensor& table = *tensor_of(made);
  std::vector<Value> columns;
  for (int d = 0; d < array.layout.rank(); ++d)
    columns.push_back(call.view(
        table,
        {{table.layout.sizes[0]}, {array.layout.rank() * int64_t{8}}, table.layout.sizes[0] > 0 ? d * int64_t{8} : 0}));
  call.why(Msg::nonzero_columns);
  call.relation(Relation::fresh);
  return call.tuple(std::move(columns));
}

std::span<const Op> numpy_search_rows() {
#define SORT "axis=-1, kind=None, order=None, *, stable=None)"
  static constexpr Op rows[] = {
      {Library::numpy, "x.nonzero()\nnp.nonzero(a)", Msg::op_nonzero, "an array of indices for each axis",
       "x = np.arange(6).reshape(2, 3)\ny = np.nonzero(x > 2)",
       [](Call& call) {
         const TensorRef source = receiver(call);
         return call.failed() ? Value{} : numpy_nonzero(call, *source->tensor);
       },
       Op::Structured::ordered},
      {Library::numpy, "np.argwhere(a)", Msg::op_nonzero, "the index of every element that is not 0, a row each",
       "x = np.arange(6).reshape(2, 3)\ny = np.argwhere(x > 2)", argwhere, Op::Structured::ordered},
      {Library::numpy, "np.flatnonzero(a)", Msg::op_nonzero, "np.nonzero(np.ravel(a))[0]",
       "y = np.flatnonzero(np.arange(4) % 2)", flatnonzero, Op::Structured::ordered},
      {Library::numpy, "np.sort(a, " SORT "\nx.sort(" SORT "\nnp.argsort(a, " SORT "\nx.argsort(" SORT, Msg::op_sort,
       "along the axis in order: a copy, or in place, or where each stood", "x = np.array([3, 1, 2])\ny = np.sort(x)",
       sort_row, Op::Structured::ordered},
      {Library::numpy,
       "np.trace(a, offset=0, axis1=0, axis2=1, dtype=None)\nx.trace(offset=0, axis1=0, axis2=1, dtype=None)",
       Msg::op_np_reduce, "the diagonal added up", "x = np.arange(9).reshape(3, 3)\ny = np.trace(x)", trace},
      {Library::numpy, "np.linalg.trace(x, /, *, offset=0, dtype=None)", Msg::op_np_reduce,
       "the diagonals of the last two axes added up", "x = np.arange(9).reshape(3, 3)\ny = np.linalg.trace(x)", trace},
      {Library::numpy,
       "np.clip(a, a_min, a_max, out=None)\nnp.clip(a, *, min=None, max=None, out=None)\n"
       "x.clip(min=None, max=None, out=None)",
       Msg::op_np_binary, "minimum(maximum(a, min), max)", "x = np.arange(6)\ny = np.clip(x, 1, 4)", clip},
  };
#undef SORT
  return rows;
}

}  // namespace stridescope
