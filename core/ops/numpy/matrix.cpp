// Linear algebra: what LAPACK makes of matrices, which NumPy copies from its columns into rows. How LAPACK rounds is
// not modelled, so values are not known; where an error, or what comes of it, hangs on them, ops/elimination.h says
// what is sure.
#include <algorithm>

#include "ops/elimination.h"
#include "ops/fold.h"
#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

int64_t rows_in(const Tensor& array) { return array.layout.sizes[array.layout.rank() - 2]; }
int64_t columns_in(const Tensor& array) { return array.layout.sizes.back(); }
Dims stacked(const Tensor& array, const Dims& matrix) {
  Dims sizes = array.layout.sizes;
  sizes.pop_back();
  sizes.pop_back();
  for (const int64_t size : matrix) sizes.push_back(size);
  return sizes;
}

/// Of an array that holds no stack of matrices, or of what is not square. False: the call failed.
bool is_stack(Call& call, const Value& given, const Tensor& array, bool square, bool alone = false) {
  const int rank = array.layout.rank();
  if (rank < 2 || (alone && rank > 2))
    call.about(given).fail(
        "LinAlgError",
        {rank, "-dimensional array given. Array must be ", alone ? "two-dimensional" : "at least two-dimensional"},
        Msg::matrix_rank, {rank});
  else if (square && rows_in(array) != columns_in(array))
    call.about(given).fail("LinAlgError", "Last 2 dimensions of the array must be square", Msg::matrix_not_square,
                           {rows_in(array), columns_in(array)});
  return !call.failed();
}

/// The dtype that LAPACK works in: of whole numbers float64. Nothing, and the call failed, where it has none.
std::optional<DType> lapack_dtype(Call& call, std::initializer_list<const Tensor*> arrays) {
  DType dtype = DType::float32;
  for (const Tensor* array : arrays) {
    if (array->dtype == DType::float16)
      return call.fail("TypeError", {"array type ", name(array->dtype), " is unsupported in linalg"},
                       Msg::function_refuses, {"linalg", name(array->dtype)}),
             std::nullopt;
    dtype = numpy_promoted(dtype, is_whole(array->dtype) ? DType::float64 : array->dtype);
  }
  return dtype;
}
DType size_of_pairs(DType dtype) {
  return dtype == DType::complex64 ? DType::float32 : dtype == DType::complex128 ? DType::float64 : dtype;
}

/// A new array in C order, whose values are not known, or are stand-ins.
Value from_lapack(Call& call, const Dims& sizes, DType dtype) {
  const int64_t count = *numel(sizes);
  const bool stand_ins = call.given_known() && call.drawn() && is_floating(dtype);
  if (stand_ins) call.why(Msg::stand_ins);
  return numpy_fresh(
      call, sizes, dtype,
      stand_ins ? random_contents(Distribution::uniform, call.seed(), dtype, count) : unknown_contents(dtype, count));
}

/// The headline of `count` arrays, of the shapes in `list`; and how matrices among them come to be in C order.
void explain_arrays(Call& call, size_t count, const std::string& list, bool matrices) {
  call.why(Msg::np_matrix_results, {count, list});
  if (matrices) call.why(Msg::np_matrix_rows);
}

/// One result, with its headline; of one matrix a number is a scalar.
Value one_array(Call& call, const Dims& sizes, DType dtype) {
  explain_arrays(call, 1, shape_text(sizes), sizes.size() > 1);
  return scalar_if_0d(call, from_lapack(call, sizes, dtype));
}

struct Part {
  Dims sizes;
  DType dtype;
};

/// Several under their names.
Value named_arrays(Call& call, std::initializer_list<Part> parts) {
  std::string shapes;
  for (const Part& part : parts) shapes += (shapes.empty() ? "" : ", ") + shape_text(part.sizes);
  explain_arrays(call, parts.size(), shapes, parts.begin()->sizes.size() > 1);
  std::vector<Value> made;
  for (const Part& part : parts) made.push_back(scalar_if_0d(call, from_lapack(call, part.sizes, part.dtype)));
  return call.tuple(std::move(made), Sequence::Kind::ranked);
}

/// Whether matrices are as an algorithm needs them; fails with `text` where one is not, and where that cannot be told.
template <typename Judge>
bool sure(Call& call, const Tensor& array, Judge judge, const char* text, Msg reason) {
  if (checked_mul(count_of(array), columns_in(array)).value_or(INT64_MAX) > most_products)
    return call.drawn() || (call.refuse(Msg::lapack_decides), false);
  Elements elements = elements_of(array);
  const Verdict found = judge(elements);
  if (found.kind == Verdict::Kind::yes) return true;
  if (found.kind == Verdict::Kind::open || call.drawn()) return call.refuse(Msg::lapack_decides), false;
  return call.fail("LinAlgError", text, reason, {found.element}), false;
}
bool sure_invertible(Call& call, const Tensor& array) {
  return sure(call, array, invertible, "Singular matrix", Msg::matrix_singular);
}

Value inverse(Call& call) {
  const TensorRef array = as_array(call, call.value("a"));
  if (call.failed() || !is_stack(call, call.value("a"), *array->tensor, true)) return {};
  const auto dtype = lapack_dtype(call, {array->tensor.get()});
  if (!dtype || !sure_invertible(call, *array->tensor)) return {};
  return one_array(call, array->tensor->layout.sizes, *dtype);
}

Value determinant(Call& call) {
  const TensorRef array = as_array(call, call.value("a"));
  if (call.failed() || !is_stack(call, call.value("a"), *array->tensor, true)) return {};
  const auto dtype = lapack_dtype(call, {array->tensor.get()});
  if (!dtype) return {};
  const Dims each = stacked(*array->tensor, {});
  if (call.name().ends_with(".det")) return one_array(call, each, *dtype);
  return named_arrays(call, {{each, *dtype}, {each, size_of_pairs(*dtype)}});
}

Value cholesky_factor(Call& call) {
  const TensorRef array = as_array(call, call.value("a"));
  const bool upper = call.truth("upper");
  if (call.failed() || !is_stack(call, call.value("a"), *array->tensor, true)) return {};
  const auto dtype = lapack_dtype(call, {array->tensor.get()});
  if (!dtype || !sure(
                    call, *array->tensor, [&](const Elements& all) { return positive_definite(all, upper); },
                    "Matrix is not positive definite", Msg::matrix_not_positive))
    return {};
  return one_array(call, array->tensor->layout.sizes, *dtype);
}

/// Where all eigenvalues are real, NumPy hands out the real parts of what it made.
Value eigen(Call& call) {
  const TensorRef array = as_array(call, call.value("a"));
  if (call.failed() || !is_stack(call, call.value("a"), *array->tensor, true)) return {};
  const auto dtype = lapack_dtype(call, {array->tensor.get()});
  if (!dtype) return {};
  const Tensor& matrices = *array->tensor;
  const bool pairs = is_complex(*dtype);
  if (checked_mul(count_of(matrices), columns_in(matrices)).value_or(INT64_MAX) > most_products ||
      !all_finite(elements_of(matrices)))
    return call.refuse(Msg::lapack_decides);
  const Verdict real = pairs ? Verdict{Verdict::Kind::no} : real_eigenvalues(elements_of(matrices));
  if (real.kind == Verdict::Kind::open || (!pairs && call.drawn())) return call.refuse(Msg::lapack_decides);
  const DType complex = pairs ? *dtype : complex_of(*dtype);
  const Dims line = stacked(matrices, {columns_in(matrices)});
  const bool values_only = call.name().ends_with("vals");
  if (real.kind == Verdict::Kind::no) {
    if (values_only) return one_array(call, line, complex);
    return named_arrays(call, {{line, complex}, {matrices.layout.sizes, complex}});
  }
  if (*dtype == DType::float32) {  // which NumPy copies, for LAPACK worked in float64
    if (values_only) return one_array(call, line, *dtype);
    return named_arrays(call, {{line, *dtype}, {matrices.layout.sizes, *dtype}});
  }
  call.why(Msg::np_eigen_real, {itemsize(complex)});
  const auto real_part = [&](const Dims& sizes) -> Value {
    const Value made = from_lapack(call, sizes, complex);
    if (call.failed()) return {};
    const Tensor part = complex_part(*tensor_of(made), 0);
    return call.view(part, part.layout);
  };
  const Value values = real_part(line);
  if (values_only || call.failed()) return values;
  const Value vectors = real_part(matrices.layout.sizes);
  return call.tuple({values, vectors}, Sequence::Kind::ranked);
}

Value symmetric_eigen(Call& call) {
  const std::string* half = std::get_if<std::string>(&call.value("UPLO").held);
  if (!half) return call.about("UPLO").refuse(Msg::not_modelled, {"NumPy", "UPLO=" + to_string(call.value("UPLO"))});
  if (*half != "L" && *half != "U" && *half != "l" && *half != "u")
    return call.about("UPLO").fail("ValueError", "UPLO argument must be 'L' or 'U'", Msg::matrix_mode, {*half, "L, U"});
  const TensorRef array = as_array(call, call.value("a"));
  if (call.failed() || !is_stack(call, call.value("a"), *array->tensor, true)) return {};
  const auto dtype = lapack_dtype(call, {array->tensor.get()});
  if (!dtype) return {};
  const Dims line = stacked(*array->tensor, {columns_in(*array->tensor)});
  if (call.name().find("vals") != std::string_view::npos) return one_array(call, line, size_of_pairs(*dtype));
  return named_arrays(call, {{line, size_of_pairs(*dtype)}, {array->tensor->layout.sizes, *dtype}});
}

Value qr_factors(Call& call) {
  const std::string* mode = std::get_if<std::string>(&call.value("mode").held);
  if (!mode || *mode == "raw" || *mode == "f" || *mode == "full" || *mode == "e" || *mode == "economic")
    return call.about("mode").refuse(Msg::not_modelled, {"NumPy", "mode=" + to_string(call.value("mode"))});
  if (*mode != "reduced" && *mode != "complete" && *mode != "r")
    return call.about("mode").fail("ValueError", {"Unrecognized mode '", *mode, "'"}, Msg::matrix_mode,
                                   {*mode, "reduced, complete, r, raw"});
  const TensorRef array = as_array(call, call.value("a"));
  if (call.failed() || !is_stack(call, call.value("a"), *array->tensor, false)) return {};
  const auto dtype = lapack_dtype(call, {array->tensor.get()});
  if (!dtype) return {};
  const int64_t m = rows_in(*array->tensor), n = columns_in(*array->tensor),
                k = *mode == "complete" ? m : std::min(m, n);
  const Dims q = stacked(*array->tensor, {m, k}), r = stacked(*array->tensor, {k, n});
  if (*mode == "r") return one_array(call, r, *dtype);
  return named_arrays(call, {{q, *dtype}, {r, *dtype}});
}

Value singular_values(Call& call) {
  const bool values_only = call.name().ends_with("svdvals") || !call.truth("compute_uv"),
             full = !values_only && call.truth("full_matrices");
  if (!call.name().ends_with("svdvals") && call.truth("hermitian"))
    return call.about("hermitian").refuse(Msg::not_modelled, {"NumPy", "hermitian=True"});
  const TensorRef array = as_array(call, call.value("a"));
  if (call.failed() || !is_stack(call, call.value("a"), *array->tensor, false)) return {};
  const auto dtype = lapack_dtype(call, {array->tensor.get()});
  if (!dtype) return {};
  // What is not finite may keep the steps from ending: an error.
  if (call.given_known() && (count_of(*array->tensor) > most_products || !all_finite(elements_of(*array->tensor))))
    return call.refuse(Msg::lapack_decides);
  const int64_t m = rows_in(*array->tensor), n = columns_in(*array->tensor), least = std::min(m, n);
  const Dims line = stacked(*array->tensor, {least});
  if (values_only) return one_array(call, line, size_of_pairs(*dtype));
  return named_arrays(call, {{stacked(*array->tensor, {m, full ? m : least}), *dtype},
                             {line, size_of_pairs(*dtype)},
                             {stacked(*array->tensor, {full ? n : least, n}), *dtype}});
}

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
  const int64_t n = columns_in(left);
  if (right.layout.rank() == 0)
    return call.about("b").fail("ValueError",
                                "solve: Input operand 1 does not have enough dimensions (has 0, gufunc core with "
                                "signature (m,m),(m,n)->(m,n) requires 2)",
                                Msg::matrix_rank, {0});
  const int64_t equations = vector ? right.layout.sizes[0] : rows_in(right);
  if (equations != n)
    return misfit_of(call, vector ? "solve1" : "solve", vector ? "(m,m),(m)->(m)" : "(m,m),(m,n)->(m,n)", equations, n);
  auto sizes = vector ? std::optional(stacked(left, {})) : broadcast_sizes({stacked(left, {}), stacked(right, {})});
  if (!sizes) return call.about("b").refuse(Msg::not_modelled, {"NumPy", call.written(call.span())});
  if (!sure_invertible(call, left)) return {};
  sizes->push_back(n);
  if (!vector) sizes->push_back(columns_in(right));
  return one_array(call, *sizes, *dtype);
}

/// Whether a matrix has as many independent rows, or columns, as it can have, and that is sure.
bool of_full_rank(Call& call, const Tensor& array) {
  const int64_t m = rows_in(array), n = columns_in(array), least = std::min(m, n);
  if (!call.given_known() ||
      checked_mul(checked_mul(m, n).value_or(INT64_MAX), least).value_or(INT64_MAX) > most_products)
    return call.drawn();
  const Elements elements = elements_of(array);
  std::vector<Scalar> products;
  for (int64_t i = 0; i < least; ++i)
    for (int64_t j = 0; j < least; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < std::max(m, n); ++k)
        sum += as_real(element(elements, m > n ? k * n + i : i * n + k)) *
               as_real(element(elements, m > n ? k * n + j : j * n + k));
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
  const int64_t m = rows_in(left), n = columns_in(left);
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

Value pseudo_inverse(Call& call) {
  const TensorRef array = as_array(call, call.value("a"));
  if (call.failed() || !is_stack(call, call.value("a"), *array->tensor, false)) return {};
  const auto dtype = lapack_dtype(call, {array->tensor.get()});
  if (!dtype) return {};
  if (count_of(*array->tensor) == 0 ||
      (call.given_known() && (count_of(*array->tensor) > most_products || !all_finite(elements_of(*array->tensor)))))
    return call.refuse(Msg::lapack_decides);
  return one_array(call, stacked(*array->tensor, {columns_in(*array->tensor), rows_in(*array->tensor)}), *dtype);
}

}  // namespace

std::span<const Op> numpy_matrix_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.linalg.inv(a)", Msg::op_inverse, "a @ y = 1 on the diagonal, 0 elsewhere",
       "x = np.eye(3)\ny = np.linalg.inv(x)", inverse},
      {Library::numpy, "np.linalg.det(a)\nnp.linalg.slogdet(a)", Msg::op_determinant,
       "one number for each matrix; (sign, logabsdet): det = sign * exp(logabsdet)",
       "x = np.eye(3)\ny = np.linalg.det(x)", determinant},
      {Library::numpy, "np.linalg.cholesky(a, /, *, upper: any = False)", Msg::op_cholesky,
       "y @ y.conj().mT = a, and y is 0 above the diagonal", "x = np.eye(3)\ny = np.linalg.cholesky(x)",
       cholesky_factor},
      {Library::numpy, "np.linalg.eig(a)\nnp.linalg.eigvals(a)", Msg::op_eigen,
       "a @ v = v * w: (eigenvalues, eigenvectors)", "x = np.diag([2., 3.])\nw, v = np.linalg.eig(x)", eigen},
      {Library::numpy, "np.linalg.eigh(a, UPLO='L')\nnp.linalg.eigvalsh(a, UPLO='L')", Msg::op_eigen,
       "a @ v = v * w of a symmetric a, of which one half is read", "x = np.eye(3)\nw, v = np.linalg.eigh(x)",
       symmetric_eigen},
      {Library::numpy, "np.linalg.qr(a, mode='reduced')", Msg::op_qr,
       "a = Q @ R: the columns of Q are orthonormal, R is 0 below the diagonal",
       "x = np.ones((4, 3))\nq, r = np.linalg.qr(x)", qr_factors},
      {Library::numpy,
       "np.linalg.svd(a, full_matrices: any = True, compute_uv: any = True, hermitian: any = False)\n"
       "np.linalg.svdvals(x, /)",
       Msg::op_svd, "a = U @ diag(S) @ Vh", "x = np.ones((4, 3))\nu, s, vh = np.linalg.svd(x)", singular_values},
      {Library::numpy, "np.linalg.solve(a, b)", Msg::op_solve, "a @ y = b",
       "x = np.eye(3)\ny = np.linalg.solve(x, np.ones(3))", solution},
      {Library::numpy, "np.linalg.lstsq(a, b, rcond=None)", Msg::op_least_squares,
       "(x, residuals, rank, s): x makes |a @ x - b| smallest",
       "x = np.array([[1., 0], [1, 1], [1, 2]])\ny, rest, rank, s = np.linalg.lstsq(x, np.ones(3))", least_squares},
      {Library::numpy, "np.linalg.pinv(a)", Msg::op_pseudo_inverse,
       "the inverse where there is one; shape (.., columns, rows)", "x = np.ones((4, 3))\ny = np.linalg.pinv(x)",
       pseudo_inverse},
  };
  return rows;
}

}  // namespace stridescope
