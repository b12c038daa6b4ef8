// Equations with matrices: solved, as far as they can be; powers, and ranks.
#include <algorithm>
#include <cmath>

#include "ops/numpy/lapack.h"
#include "ops/numpy/product.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// What a gufunc says of an operand whose size is not another's.
Value misfit_of(Call& call, const char* function, const char* signature, int64_t size, int64_t other) {
  return call.about("b").fail(
      "ValueError",
      {function, ": Input operand 1 has a mismatch in its core dimension 0, with gufunc signature ", signature,
       " (size ", size, " is different from ", other, ")"},
      Msg::matrix_equation, {other, size});
}

Value solution(Call& call) {
  const TensorRef a = as_array(call, call.value("a"));
  if (call.failed() || !is_stack(call, call.value("a"), *a->tensor, true)) return {};
  const TensorRef b = as_array(call, call.value("b"));
  if (call.failed()) return {};
  const Tensor &left = *a->tensor, &right = *b->tensor;
  const auto dtype = lapack_dtype(call, {&left, &right});
  if (!dtype) return {};
  const bool vector = right.layout.rank() == 1;
  const int64_t n = matrix_columns(left);
  if (right.layout.rank() == 0)
    return call.about("b").fail("ValueError",
                                "solve: Input operand 1 does not have enough dimensions (has 0, gufunc core with "
                                "signature (m,m),(m,n)->(m,n) requires 2)",
                                Msg::matrix_rank, {0});
  const int64_t equations = vector ? right.layout.sizes[0] : matrix_rows(right);
  if (equations != n)
    return misfit_of(call, vector ? "solve1" : "solve", vector ? "(m,m),(m)->(m)" : "(m,m),(m,n)->(m,n)", equations, n);
  auto sizes = vector ? std::optional(stacked(left, {})) : broadcast_sizes({stacked(left, {}), stacked(right, {})});
  if (!sizes)
    return refuse_stacks(call, left.layout.sizes, stacked(left, {}), right.layout.sizes, stacked(right, {}),
                         {n, matrix_columns(right)});
  if (numel(*sizes) != 0 && !sure_invertible(call, left)) return {};
  sizes->push_back(n);
  if (!vector) sizes->push_back(matrix_columns(right));
  return one_array(call, *sizes, *dtype, vector ? stack_order({left}) : stack_order({left, right}));
}

/// The rank of one matrix as LAPACK counts it, in double precision; nothing, and no call failed, where it hangs on how
/// that rounds.
std::optional<int64_t> sure_rank(const Tensor& array, double share) {
  const int64_t m = matrix_rows(array), n = matrix_columns(array), count = m * n;
  if (count == 0) return 0;
  const Elements cells = elements_of(array);
  if (checked_mul(count, std::min(m, n)).value_or(INT64_MAX) > most_products || !is_quick(cells, count) ||
      !all_finite(cells))
    return std::nullopt;
  const auto ranks = sure_ranks(cells, is_complex(array.dtype) ? DType::complex128 : DType::float64, share);
  return ranks ? std::optional(ranks->front()) : std::nullopt;
}

/// Which share of the largest singular value one must exceed to count, where nothing else is asked for.
double usual_share(const Tensor& array, double epsilon = 0x1p-52) {
  return epsilon * static_cast<double>(std::max(matrix_rows(array), matrix_columns(array)));
}

Value least_squares(Call& call) {
  const auto asked = as_real(call.value("rcond"));
  const TensorRef several = std::holds_alternative<Sequence>(call.value("rcond").held) || tensor_of(call.value("rcond"))
                                ? as_array(call, call.value("rcond"))
                                : nullptr;
  const bool many = several && count_of(*several->tensor) != 1;
  if (call.failed()) return {};
  if (call.given("rcond") && !many && (!asked || std::isnan(*asked) || several))
    return call.about("rcond").refuse(Msg::not_modelled, {"NumPy", "rcond=" + to_string(call.value("rcond"))});
  const TensorRef a = as_array(call, call.value("a")), b = as_array(call, call.value("b"));
  if (call.failed() || !is_stack(call, call.value("a"), *a->tensor, false, true)) return {};
  const Tensor& left = *a->tensor;
  const bool vector = b->tensor->layout.rank() == 1;
  if (!vector && !is_stack(call, call.value("b"), *b->tensor, false, true)) return {};
  const int64_t m = matrix_rows(left), n = matrix_columns(left), least = std::min(m, n);
  if (b->tensor->layout.sizes[0] != m)
    return call.about("b").fail("LinAlgError", "Incompatible dimensions", Msg::matrix_equation,
                                {m, b->tensor->layout.sizes[0]});
  const auto dtype = lapack_dtype(call, {&left, b->tensor.get()});
  if (!dtype || !check_not_nan(call, left, "SVD did not converge in Linear Least Squares")) return {};
  if (many)
    return call.truth("rcond", {several}), Value{};  // of as many ranks it is asked whether they are that of the matrix
  // gelsd takes what is no share of 1 for the precision of its numbers.
  auto rank = sure_rank(left, !call.given("rcond") ? usual_share(left) : *asked > 0 && *asked < 1 ? *asked : 0x1p-53);
  const int64_t most_work = checked_mul(checked_mul(m, n).value_or(INT64_MAX), least).value_or(INT64_MAX);
  if (!rank && call.drawn() && most_work > most_products) rank = least;
  if (!call.given_known() && !call.drawn()) return call.refuse(Msg::lapack_decides);
  if (!rank && m > n) return call.refuse(Msg::lapack_decides);
  if (!rank && !check_finite(call, left)) return {};
  const DType real = real_of(*dtype);
  const Dims columns = vector ? Dims{} : Dims{b->tensor->layout.sizes[1]};
  Dims sizes{n};
  for (const int64_t size : columns) sizes.push_back(size);
  if (!check_numpy_bytes(call, sizes, itemsize(*dtype))) return {};
  const bool left_over = m > n && rank == n;
  const Dims residuals = !left_over ? Dims{0} : vector ? Dims{1} : columns;
  explain_arrays(call, 3, shape_text(sizes) + ", " + shape_text(residuals) + ", " + shape_text({least}), !vector);
  const Value x = m == 0 ? numpy_fresh(call, sizes, *dtype, constant_contents(integer_scalar(0, *dtype), *numel(sizes)))
                         : from_lapack(call, sizes, *dtype);
  // Of no right sides NumPy makes one, and cuts it off.
  const bool cut = left_over && columns == Dims{0};
  Value rest = from_lapack(call, cut ? Dims{1} : residuals, real);
  if (cut && !call.failed()) rest = call.view(*tensor_of(rest), {{0}, {itemsize(real)}, 0});
  const Value values = from_lapack(call, {least}, real);
  const Value counted = rank ? Value{NumpyScalar{integer_scalar(*rank, DType::int32)}}
                             : scalar_if_0d(call, from_lapack(call, {}, DType::int32));
  if (call.failed()) return {};
  call.relation(Relation::fresh);
  return call.tuple({x, rest, counted, values});
}

Value power(Call& call) {
  const TensorRef array = as_array(call, call.value("a"));
  if (call.failed() || !is_stack(call, call.value("a"), *array->tensor, true)) return {};
  const auto exponent = as_index(call.value("n"));
  if (!exponent)
    return call.about("n").fail("TypeError", "exponent must be an integer", Msg::argument_has_type,
                                {"n", "int", type_name(call.value("n"))});
  int64_t n = *exponent;
  const Tensor& given = *array->tensor;
  if (n == INT64_MIN) return call.refuse(Msg::beyond_int64);
  if (n == 1) return numpy_same(call, array, Msg::np_power_one);
  call.why(Msg::matrix_power, {n, matrix_columns(given)});
  const size_t said = call.said();
  if (n == 0) {
    const Dims& sizes = given.layout.sizes;
    const LaidOut like =
        laid_out(identity_contents(sizes, given.dtype), sizes, joined_order({given.layout}), given.dtype);
    return call.fresh(given.dtype, like.layout, like.contents);
  }
  TensorRef base = array;
  if (n < 0) {
    const auto dtype = lapack_dtype(call, {&given});
    if (!dtype || !sure_invertible(call, given)) return {};
    const Value inverse = from_lapack(call, given.layout.sizes, *dtype, stack_order({given}));
    if (n == -1 || call.failed()) return inverse;
    base = std::get<TensorRef>(inverse.held);
    n = -n;
  }
  const auto times = [&](const TensorRef& a, const TensorRef& b) -> TensorRef {
    if (call.failed()) return base;
    call.unsay(said);  // of what is made on the way
    const Value made = core_product(call, {"matmul", "(n?,k),(k,m?)->(n?,m?)"}, *a->tensor, *b->tensor);
    return call.failed() ? base : std::get<TensorRef>(made.held);
  };
  return {power_of(base, n, times)};
}

Value rank_of_matrix(Call& call) {
  if (call.given("tol") && call.given("rtol"))
    return call.about("rtol").fail("ValueError", "`tol` and `rtol` can't be both set.", Msg::one_of_both,
                                   {"rtol", "tol"});
  const TensorRef array = as_array(call, call.value("A"));
  if (call.failed()) return {};
  const Tensor& given = *array->tensor;
  if (given.layout.rank() < 2) {  // 0 of zeros, else 1
    const int64_t count = count_of(given);
    if (!call.quick(elements_of(given), count)) return {};
    for (int64_t i = 0; i < count; ++i)
      if (is_true(element(elements_of(given), i))) return {int64_t{1}};
    return {int64_t{0}};
  }
  const bool hermitian = call.truth("hermitian"), limited = call.given("tol") || call.given("rtol");
  for (const char* limit : {"tol", "rtol"})
    if (call.given(limit) && (tensor_of(call.value(limit)) || !as_real(call.value(limit))))
      return call.about(limit).refuse(Msg::not_modelled, {"NumPy", std::string(limit) + "="});
  if (call.failed() || !is_stack(call, call.value("A"), given, hermitian)) return {};
  if (!lapack_dtype(call, {&given}) || (!hermitian && !check_not_nan(call, given)) || !check_finite(call, given))
    return {};
  if (std::min(matrix_rows(given), matrix_columns(given)) == 0 && !call.given("tol"))
    return call.fail("ValueError", "zero-size array to reduction operation maximum which has no identity",
                     Msg::nothing_to_choose);
  if (given.layout.rank() == 2 && call.given_known() && !limited) {
    const int64_t least = std::min(matrix_rows(given), matrix_columns(given));
    const bool narrow = real_of(given.dtype) == DType::float32;  // which its singular values are rounded to
    if (const auto rank = sure_rank(given, usual_share(given, narrow ? 0x1p-23 : 0x1p-52)); rank) {
      if (*rank == least) call.why(Msg::np_full_rank, {*rank});
      return Value{NumpyScalar{integer_scalar(*rank, DType::int64)}};
    }
  }
  return one_array(call, stacked(given, {}), DType::int64, stack_order({given}));
}

/// Of an empty matrix the other way round, before it is asked what LAPACK reckons with.
Value pseudo_inverse(Call& call) {
  const TensorRef array = as_array(call, call.value("a"));
  if (call.failed()) return {};
  const Tensor& given = *array->tensor;
  const bool relative = !(call.argument("rtol") == Span{});
  if (relative && call.given("rcond"))
    return call.about("rtol").fail("ValueError", "`rtol` and `rcond` can't be both set.", Msg::one_of_both,
                                   {"rtol", "rcond"});
  if (relative && !call.given("rtol") && is_whole(given.dtype))
    return call.about("rtol").fail("ValueError", {"data type <class 'numpy.", name(given.dtype), "'> not inexact"},
                                   Msg::not_defined_for, {"finfo", name(given.dtype)});
  const int rank = given.layout.rank();
  if (rank < 2 && count_of(given) == 0)
    return call.fail("ValueError", {"not enough values to unpack (expected 2, got ", rank, ")"}, Msg::unpack_count,
                     {2, rank});
  if (rank >= 2 && matrix_rows(given) * matrix_columns(given) == 0)
    return one_array(call, stacked(given, {matrix_columns(given), matrix_rows(given)}), given.dtype);
  const auto stack = stack_given(call, call.truth("hermitian"));
  if (!stack || call.failed()) return {};
  if ((!call.truth("hermitian") && !check_not_nan(call, stack->array)) || !check_finite(call, stack->array)) return {};
  const int64_t rows = matrix_rows(stack->array), columns = matrix_columns(stack->array);
  // What is cut off is reckoned for each matrix of the stack, and written into its singular values.
  const Value& limit = call.value(call.given("rtol") ? "rtol" : "rcond");
  if (const TensorRef cutoff = is_none(limit) ? nullptr : as_array(call, limit)) {
    if (cutoff->tensor->layout.rank() == max_rank)
      return call.about(limit).fail("IndexError",
                                    "number of dimensions must be within [0, 64], indexing result would have 65",
                                    Msg::np_too_many_axes, {max_rank});
    const Dims values = stacked(stack->array, {std::min(rows, columns)});
    std::vector<Dims> shapes{cutoff->tensor->layout.sizes, values};
    for (Dims& shape : shapes) shape.push_back(1);
    shapes[1].erase(values.size() - 1);
    auto sizes = broadcast_sizes(shapes);
    if (!sizes) return refuse_shapes(call.about(limit), shapes);
    (*sizes)[sizes->size() - 1] = values.back();
    if (!(*sizes == values))
      return call.about(limit).fail("ValueError",
                                    {"non-broadcastable output operand with shape ", shape_text(values),
                                     " doesn't match the broadcast shape ", shape_text(*sizes)},
                                    Msg::np_cannot_broadcast_into, {to_string(*sizes), to_string(values)});
  }
  if (call.failed()) return {};
  return one_array(call, stacked(stack->array, {columns, rows}), stack->dtype, stack->order);
}

}  // namespace

std::span<const Op> numpy_equation_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.linalg.solve(a, b)", Msg::op_solve, "a @ y = b",
       "x = np.eye(3)\ny = np.linalg.solve(x, np.ones(3))", solution},
      {Library::numpy, "np.linalg.lstsq(a, b, rcond=None)", Msg::op_least_squares,
       "(x, residuals, rank, s): x makes |a @ x - b| smallest",
       "x = np.array([[1., 0], [1, 1], [1, 2]])\ny, rest, rank, s = np.linalg.lstsq(x, np.ones(3))", least_squares},
      {Library::numpy, "np.linalg.matrix_power(a, n)", Msg::op_matrix_power,
       "a @ a @ .. n times; of its inverse where n < 0",
       "x = np.array([[1, 1], [1, 0]])\ny = np.linalg.matrix_power(x, 8)", power},
      {Library::numpy, "np.linalg.matrix_rank(A, tol=None, hermitian=False, *, rtol=None)", Msg::op_matrix_rank,
       "how many singular values are not about 0", "x = np.ones((2, 4, 3))\ny = np.linalg.matrix_rank(x)",
       rank_of_matrix},
      {Library::numpy, "np.linalg.pinv(a, rcond=None, hermitian=False, *, rtol=None)", Msg::op_pseudo_inverse,
       "the inverse where there is one; shape (.., columns, rows)", "x = np.ones((4, 3))\ny = np.linalg.pinv(x)",
       pseudo_inverse},
  };
  return rows;
}

}  // namespace stridescope
