// Triangles and diagonals of matrices: ones, what stays of others, and index arrays of their places.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/arithmetic.h"
#include "ops/numpy/numpy.h"
#include "ops/numpy/ufunc.h"
#include "ops/python/python.h"
#include "ops/rows.h"
#include "ops/triangle.h"

namespace stridescope {
namespace {

constexpr int64_t most_places = 1 << 16;

/// The diagonal, `k` less `less`, up to which np.tri() with so many columns has ones. Rows are held against
/// np.arange(-k, columns - k), so that one element of any shape and a fraction will do.
int64_t last_diagonal(Call& call, int64_t columns, int64_t less) {
  const Value& k = call.value("k");
  const TensorPtr one = tensor_of(k);
  const auto* scalar = std::get_if<NumpyScalar>(&k.held);
  const bool truth = one ? one->library == Library::numpy && one->dtype == DType::boolean
                         : scalar && scalar->dtype() == DType::boolean;
  if (truth && less == 0)
    return call.about("k").fail_parser(
               "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the "
               "logical_not "
               "function instead.",
               Msg::not_defined_for, {"negative", name(DType::boolean)}),
           0;
  if (one && count_of(*one) != 1) call.truth("k");
  if (call.failed()) return 0;
  const Value number = one ? python_value(element(elements_of(*one), 0)) : k;
  const DType dtype = one ? one->dtype : scalar ? scalar->dtype() : DType::int64;
  if (const auto whole = as_integer(number)) {
    if (!is_unsigned(dtype) && *whole < std::max<int64_t>(columns, 0) - INT64_MAX + less)
      return call.about("k").fail("OverflowError", "Python int too large to convert to C long", Msg::beyond_int64), 0;
    if (!is_unsigned(dtype)) return *whole - less;
    // The other side of 0 is a large number.
    const uint64_t all = ~uint64_t{0} >> (64 - 8 * itemsize(dtype)),
                   from = (static_cast<uint64_t>(less) - static_cast<uint64_t>(*whole)) & all;
    if (from < all / 2 && from + static_cast<uint64_t>(columns) <= all) return -static_cast<int64_t>(from);
    return call.about("k").refuse(Msg::not_modelled, {"NumPy", "k of " + std::string(name(dtype))}), 0;
  }
  const auto real = as_real(number);
  if (!real) return call.integer("k");
  if (!(std::abs(*real) < 1e15)) return call.about("k").refuse(Msg::beyond_int64), 0;
  // Start and step of that range are cut off towards 0: all are 0 then where k is between 0 and 1.
  const double last = *real - static_cast<double>(less);
  return last > 0 && last < 1 ? columns : static_cast<int64_t>(last);
}

/// A number of rows or columns: a whole number, or one element of any shape; other fractions are not modelled.
int64_t length_argument(Call& call, const char* parameter) {
  const Value& given = call.value(parameter);
  const TensorPtr one = tensor_of(given);
  if (one && count_of(*one) != 1) return call.truth(parameter), 0;
  const auto real = as_real(one ? Value{scalar_at(elements_of(*one), 0)} : given);
  if (!real) return call.integer(parameter);
  if (!(std::abs(*real) < 0x1p62)) return call.about(parameter).refuse(Msg::beyond_int64), 0;
  return static_cast<int64_t>(std::ceil(*real));  // arange() counts up to it
}

Value tri(Call& call) {
  const int64_t rows = length_argument(call, "N"), columns = call.given("M") ? length_argument(call, "M") : rows;
  const DType dtype = dtype_argument(call).value_or(DType::float64);
  const int64_t last = call.failed() ? 0 : last_diagonal(call, columns, 0);
  if (call.failed()) return {};
  const Dims sizes{std::max<int64_t>(rows, 0), std::max<int64_t>(columns, 0)};
  const Layout layout = owned_layout(call, sizes, dtype);
  if (call.failed()) return {};
  const Elements ones{constant_contents(integer_scalar(1, dtype), 1), {sizes, Dims::filled(2, 0), 0}, dtype};
  call.why(Msg::np_tri, {last});
  return call.fresh(dtype, layout, triangle_of(ones, last, true));
}

/// np.where(np.tri(..), m, 0): laid out as where() lays it out. triu() takes what tril() with k - 1 leaves out.
Value triangle(Call& call) {
  const bool lower = call.name().ends_with("tril");
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int own = array.layout.rank();
  if (own == 0)
    return call.fail_parser("tri() missing 1 required positional argument: 'N'", Msg::np_too_few_axes, {0, 1});
  const int64_t columns = array.layout.sizes.back(), rows = own > 1 ? array.layout.sizes[own - 2] : columns;
  const int64_t shift = last_diagonal(call, columns, lower ? 0 : 1) + (lower ? 0 : 1);
  if (call.failed()) return {};
  const Dims mask_sizes{rows, columns};
  const Dims sizes = own > 1 ? array.layout.sizes : mask_sizes;
  owned_layout(call, sizes, array.dtype);
  if (call.failed()) return {};
  const Elements from = broadcast_elements(array, sizes);
  ContentsPtr part = triangle_of(from, shift, lower);
  if (!part) return call.refuse(Msg::np_too_costly);
  const Dims order = iteration_order({broadcast_to(contiguous(mask_sizes), sizes), from.layout});
  auto [layout, contents] = laid_out(part, sizes, order, array.dtype);
  call.why(Msg::triangle_headline, {lower ? "≤" : "≥", shift});
  return call.fresh(array.dtype, layout, std::move(contents), Relation::copy);
}

/// np.tril_indices, np.triu_indices: where np.tri() has ones, or zeros, as index arrays of rows and columns.
Value places_in_triangle(Call& call, int64_t rows, int64_t columns) {
  const bool lower = call.name().starts_with("numpy.tril");
  const int64_t shift = last_diagonal(call, columns, lower ? 0 : 1) + (lower ? 0 : 1);
  if (call.failed()) return {};
  const int64_t places = numel(Dims{rows, columns}).value_or(most_places + 1);
  if (places > most_places) return call.refuse(Msg::np_too_costly);
  std::vector<Scalar> of_rows, of_columns;
  for (int64_t place = 0; place < places; ++place) {
    const int64_t row = place / columns, column = place % columns;
    if (lower ? column - row > shift : column - row < shift) continue;
    of_rows.push_back({DType::int64, row});
    of_columns.push_back({DType::int64, column});
  }
  const auto count = static_cast<int64_t>(of_rows.size());
  std::vector<Value> found;
  for (const auto& indices : {of_rows, of_columns})
    found.push_back(numpy_fresh(call, {count}, DType::int64, literal_contents(indices, DType::int64)));
  call.why(Msg::np_triangle_places, {count, lower ? "≤" : "≥", shift});
  return call.tuple(std::move(found));
}

Value triangle_indices(Call& call) {
  const int64_t rows = std::max<int64_t>(length_argument(call, "n"), 0),
                columns = call.given("m") ? std::max<int64_t>(length_argument(call, "m"), 0) : rows;
  return call.failed() ? Value{} : places_in_triangle(call, rows, columns);
}

Value triangle_indices_from(Call& call) {
  const TensorRef source = receiver_with(call, "ndim");
  if (call.failed()) return {};
  const Dims& sizes = source->tensor->layout.sizes;
  if (sizes.size() != 2)
    return call.fail("ValueError", "input array must be 2-d", Msg::product_rank, {2, sizes.size()});
  return places_in_triangle(call, sizes[0], sizes[1]);
}

/// The same index array for each of so many axes.
Value places_on_diagonal(Call& call, int64_t count, int64_t axes, DType dtype = DType::int64) {
  if (axes > static_cast<int64_t>(max_items))
    return call.refuse(Msg::too_many_items, {static_cast<int64_t>(max_items)});
  const Value line = numpy_fresh(call, {count}, dtype, integer_range(0, 1, dtype, count));
  if (call.failed()) return {};
  call.why(Msg::np_arange_headline, {count, "0", "1", name(dtype)});
  return call.tuple(std::vector<Value>(static_cast<size_t>(std::max<int64_t>(axes, 0)), line));
}

/// np.mask_indices of np.tril or np.triu: where they leave ones, the columns of one table.
Value mask_indices(Call& call) {
  const int64_t count = call.integer("n");
  if (!call.failed() && count < 0)
    return call.about("n").fail("ValueError", "negative dimensions are not allowed", Msg::np_negative_size, {count});
  if (is_truth(call.value("n")))
    return call.about("n").fail_parser("an integer is required", Msg::np_not_an_integer, {"bool"});
  const auto* function = std::get_if<Symbol>(&call.value("mask_func").held);
  const bool lower = function && function->path == "numpy.tril";
  if (const Value& given = call.value("mask_func");
      !call.failed() &&
      (has_dtype(given) || as_real(given) || std::holds_alternative<None>(given.held) ||
       std::holds_alternative<std::string>(given.held) || std::holds_alternative<Sequence>(given.held)))
    return call.about("mask_func")
        .fail_parser({"'", attribute_type(given), "' object is not callable"}, Msg::not_callable, {type_name(given)});
  if (!call.failed() && (!lower && !(function && function->path == "numpy.triu")))
    return call.about("mask_func")
        .refuse(Msg::not_modelled, {"NumPy", "np.mask_indices(.., " + to_string(call.value("mask_func"), 40) + ")"});
  const int64_t shift = last_diagonal(call, count, lower ? 0 : 1) + (lower ? 0 : 1);
  if (call.failed()) return {};
  if (count > most_places || count * count > most_places) return call.refuse(Msg::np_too_costly);
  std::vector<Scalar> truths;
  for (int64_t i = 0; i < count * count; ++i) {
    const int64_t over = i % count - i / count;
    truths.push_back({DType::boolean, lower ? over <= shift : over >= shift});
  }
  const Value mask = numpy_fresh(call, {count, count}, DType::boolean, literal_contents(truths, DType::boolean));
  return call.failed() ? Value{} : numpy_nonzero(call, *tensor_of(mask));
}

/// np.diagflat: the raveled elements on one diagonal of a matrix that has just room for them.
Value diagflat(Call& call) {
  const TensorRef source = receiver(call);
  const int64_t shift = call.integer("k");
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int64_t count = count_of(array);
  if (std::max(shift, -shift) > most_places || count > most_places) return call.refuse(Msg::np_too_costly);
  const int64_t size = count + std::max(shift, -shift);
  if (size * size > most_places) return call.refuse(Msg::np_too_costly);
  const Elements elements = elements_of(array);
  std::vector<Scalar> values(static_cast<size_t>(size * size), Scalar{array.dtype});
  for (int64_t i = 0; i < count; ++i)
    values[static_cast<size_t>((i + std::max<int64_t>(-shift, 0)) * size + i + std::max<int64_t>(shift, 0))] =
        element(elements, i);
  call.why(Msg::np_diagflat, {count, shift, to_string(Dims{size, size})});
  return numpy_fresh(call, {size, size}, array.dtype, literal_contents(values, array.dtype));
}

/// np.vander: products of a row, one after the other.
Value vander(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (array.layout.rank() != 1)
    return call.about("x").fail("ValueError", "x must be a one-dimensional array or sequence.", Msg::np_vander_axes,
                                {array.layout.rank()});
  const int64_t count = count_of(array), powers = call.given("N") ? call.integer("N") : count;
  const bool increasing = call.truth("increasing");
  if (call.failed()) return {};
  if (const std::string type = type_name(call.value("N")); type.starts_with("bool"))
    return call.about("N").fail_parser("an integer is required", Msg::np_not_an_integer, {type});
  if (powers < 0)
    return call.about("N").fail("ValueError", "negative dimensions are not allowed", Msg::np_negative_size, {powers});
  const DType dtype = numpy_promoted(array.dtype, DType::int64);
  if (numel(Dims{count, powers}).value_or(most_places + 1) > most_places) return call.refuse(Msg::np_too_costly);
  const Elements elements = elements_of(array);
  std::vector<Scalar> values;
  for (int64_t i = 0; powers > 0 && i < count; ++i) {
    std::vector<Scalar> row;
    const Scalar one = converted(element(elements, i), dtype);
    for (int64_t k = 0; k < powers; ++k)
      row.push_back(k == 0   ? integer_scalar(1, dtype)
                    : k == 1 ? one
                             : reckon(Arithmetic::multiply, std::array{row.back(), one}));
    if (!increasing) std::reverse(row.begin(), row.end());
    values.insert(values.end(), row.begin(), row.end());
  }
  call.why(Msg::np_vander, {count, powers});
  return numpy_fresh(call, {count, powers}, dtype, literal_contents(values, dtype));
}

Value diagonal_indices(Call& call) {
  const int64_t count = std::max<int64_t>(length_argument(call, "n"), 0);
  if (call.failed()) return {};
  const Value& axes = call.value("ndim");
  const DType dtype = as_integer(call.value("n")) ? DType::int64 : DType::float64;  // as arange() counts
  if (tensor_of(axes)) {  // which multiplies the tuple as an array
    const Value line = numpy_fresh(call, {1, count}, dtype, integer_range(0, 1, dtype, count));
    const Operand left = operand(call, line), right = operand(call, axes);
    return call.failed() ? Value{} : apply_binary(call, binary_ufunc("multiply"), left, right);
  }
  if (!as_integer(axes))
    return call.about("ndim").fail("TypeError", {"can't multiply sequence by non-int of type '", type_name(axes), "'"},
                                   Msg::np_not_an_integer, {type_name(axes)});
  return places_on_diagonal(call, count, *as_integer(axes), dtype);
}

Value diagonal_indices_from(Call& call) {
  const TensorRef source = receiver_with(call, "ndim");
  if (call.failed()) return {};
  const Dims& sizes = source->tensor->layout.sizes;
  if (sizes.size() < 2)
    return call.fail("ValueError", "input array must be at least 2-d", Msg::np_too_few_axes, {sizes.size(), 2});
  if (std::any_of(sizes.begin(), sizes.end(), [&](int64_t size) { return size != sizes[0]; }))
    return call.fail("ValueError", "All dimensions of input must be of equal length", Msg::np_diag_unequal,
                     {to_string(sizes)});
  return places_on_diagonal(call, sizes[0], sizes.size());
}

}  // namespace

std::span<const Op> numpy_triangle_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.tri(N, M=None, k=0, dtype=float, *, like=None)", Msg::op_np_tri, "1 where column - row <= k",
       "x = np.tri(3)", tri},
      {Library::numpy, "np.tril(m, k=0)\nnp.triu(m, k=0)", Msg::op_triangle, "zeros above, or below, diagonal k",
       "x = np.ones((3, 3))\ny = np.tril(x)", triangle},
      {Library::numpy, "np.tril_indices(n, k=0, m=None)\nnp.triu_indices(n, k=0, m=None)", Msg::op_np_triangle_places,
       "row by row; column - row <= k, or >= k", "x = np.arange(9).reshape(3, 3)\ny = x[np.tril_indices(3)]",
       triangle_indices},
      {Library::numpy, "np.tril_indices_from(arr, k=0)\nnp.triu_indices_from(arr, k=0)", Msg::op_np_triangle_places,
       "row by row; column - row <= k, or >= k", "x = np.arange(6).reshape(2, 3)\ny = np.triu_indices_from(x)",
       triangle_indices_from},
      {Library::numpy, "np.diag_indices(n, ndim=2)", Msg::op_np_diag_places, "(np.arange(n),) * ndim",
       "x = np.zeros((3, 3))\nx[np.diag_indices(3)] = 1", diagonal_indices},
      {Library::numpy, "np.diag_indices_from(arr)", Msg::op_np_diag_places, "(np.arange(n),) * arr.ndim",
       "x = np.zeros((3, 3))\nx[np.diag_indices_from(x)] = 1", diagonal_indices_from},
      {Library::numpy, "np.mask_indices(n, mask_func, k=0)", Msg::op_np_triangle_places,
       "np.nonzero(mask_func(np.ones((n, n)), k)) of np.tril or np.triu", "rows, columns = np.mask_indices(3, np.triu)",
       mask_indices},
      {Library::numpy, "np.diagflat(v, k=0)", Msg::op_np_diagflat, "y[i, i + k] = v.ravel()[i]; i - k where k < 0",
       "y = np.diagflat([[1, 2], [3, 4]])", diagflat},
      {Library::numpy, "np.vander(x, N=None, increasing=False)", Msg::op_np_vander,
       "y[i, j] = x[i] ** (N - 1 - j); x[i] ** j where they increase", "y = np.vander([1, 2, 3])", vander},
  };
  return rows;
}

}  // namespace stridescope
