// Equations with matrices: solved, as far as they can be; powers, and ranks.
#include <algorithm>

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
  if (!sizes) return call.about("b").refuse(Msg::not_modelled, {"NumPy", call.written(call.span())});
  if (numel(*sizes) != 0 && !sure_invertible(call, left)) return {};
  sizes->push_back(n);
  if (!vector) sizes->push_back(matrix_columns(right));
  return one_array(call, *sizes, *dtype);
}

/// Whether a matrix of real numbers has as many independent rows, or columns, as it can have, and that is sure.
bool of_full_rank(Call& call, const Tensor& array) {
  const int64_t m = matrix_rows(array), n = matrix_columns(array), least = std::min(m, n);
  if (is_complex(array.dtype)) return false;
  if (!call.given_known() ||
      checked_mul(checked_mul(m, n).value_or(INT64_MAX), least).value_or(INT64_MAX) > most_products)
    return call.drawn();
  if (!call.quick(elements_of(array), m * n)) return false;
  std::vector<double> cells;
  for (int64_t i = 0; i < m * n; ++i) cells.push_back(as_real(element(elements_of(array), i)));
  const auto at = [&](int64_t i) { return cells[static_cast<size_t>(i)]; };
  std::vector<Scalar> products;
  for (int64_t i = 0; i < least; ++i)
    for (int64_t j = 0; j < least; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < std::max(m, n); ++k)
        sum += m > n ? at(k * n + i) * at(k * n + j) : at(i * n + k) * at(j * n + k);
      products.push_back(real_scalar(sum, DType::float64));
    }
  const Layout square = contiguous({least, least}, itemsize(DType::float64));
  return invertible({literal_contents(products, DType::float64), square, DType::float64}).kind == Verdict::Kind::yes;
}

Value least_squares(Call& call) {
  if (call.given("rcond") && !as_real(call.value("rcond")))
    return call.about("rcond").refuse(Msg::not_modelled, {"NumPy", "rcond=" + to_string(call.value("rcond"))});
  const TensorRef a = as_array(call, call.value("a")), b = as_array(call, call.value("b"));
  if (call.failed() || !is_stack(call, call.value("a"), *a->tensor, false, true)) return {};
  const Tensor& left = *a->tensor;
  const bool vector = b->tensor->layout.rank() == 1;
  if (!vector && !is_stack(call, call.value("b"), *b->tensor, false, true)) return {};
  const int64_t m = matrix_rows(left), n = matrix_columns(left);
  if (b->tensor->layout.sizes[0] != m)
    return call.about("b").fail("LinAlgError", "Incompatible dimensions", Msg::matrix_equation,
                                {m, b->tensor->layout.sizes[0]});
  const auto dtype = lapack_dtype(call, {&left, b->tensor.get()});
  if (!dtype) return {};
  if (call.given("rcond") || is_complex(*dtype) || m == 0 || n == 0 || !of_full_rank(call, left))
    return call.refuse(Msg::lapack_decides);
  const Dims columns = vector ? Dims{} : Dims{b->tensor->layout.sizes[1]};
  Dims sizes{n};
  for (const int64_t size : columns) sizes.push_back(size);
  const Dims residuals = m <= n ? Dims{0} : vector ? Dims{1} : columns;
  explain_arrays(call, 3, shape_text(sizes) + ", " + shape_text(residuals) + ", " + shape_text({std::min(m, n)}),
                 !vector);
  const Value x = from_lapack(call, sizes, *dtype), rest = from_lapack(call, residuals, *dtype);
  const Value values = from_lapack(call, {std::min(m, n)}, *dtype);
  if (call.failed()) return {};
  return call.tuple({x, rest, Value{NumpyScalar{integer_scalar(std::min(m, n), DType::int32)}}, values});
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
    const Value inverse = from_lapack(call, given.layout.sizes, *dtype);
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
  const TensorRef array = as_array(call, call.value("A"));
  if (call.failed()) return {};
  const Tensor& given = *array->tensor;
  if (given.layout.rank() < 2) return call.refuse(Msg::not_modelled, {"NumPy", call.written(call.span())});
  if (!lapack_dtype(call, {&given}) || !check_finite(call, given)) return {};
  if (count_of(given) == 0) return call.refuse(Msg::lapack_decides);
  if (given.layout.rank() == 2 && of_full_rank(call, given)) {
    const int64_t rank = std::min(matrix_rows(given), matrix_columns(given));
    call.why(Msg::np_full_rank, {rank});
    return Value{NumpyScalar{integer_scalar(rank, DType::int64)}};
  }
  return one_array(call, stacked(given, {}), DType::int64);
}

Value pseudo_inverse(Call& call) {
  const auto stack = stack_given(call, false);
  if (!stack || !check_finite(call, stack->array)) return {};
  if (count_of(stack->array) == 0) return call.refuse(Msg::lapack_decides);
  return one_array(call, stacked(stack->array, {matrix_columns(stack->array), matrix_rows(stack->array)}),
                   stack->dtype);
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
      {Library::numpy, "np.linalg.matrix_rank(A)", Msg::op_matrix_rank, "how many singular values are not about 0",
       "x = np.ones((2, 4, 3))\ny = np.linalg.matrix_rank(x)", rank_of_matrix},
      {Library::numpy, "np.linalg.pinv(a)", Msg::op_pseudo_inverse,
       "the inverse where there is one; shape (.., columns, rows)", "x = np.ones((4, 3))\ny = np.linalg.pinv(x)",
       pseudo_inverse},
  };
  return rows;
}

}  // namespace stridescope
