// Matrices taken apart: inverses and determinants, and products of triangles and bases.
#include <algorithm>

#include "ops/numpy/lapack.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

Value inverse(Call& call) {
  const auto stack = stack_given(call, true);
  if (!stack || !sure_invertible(call, stack->array)) return {};
  return one_array(call, stack->array.layout.sizes, stack->dtype, stack->order);
}

Value determinant(Call& call) {
  const auto stack = stack_given(call, true);
  if (!stack) return {};
  const Dims each = stacked(stack->array, {});
  if (call.name().ends_with(".det")) return one_array(call, each, stack->dtype, stack->order);
  return named_arrays(call, {{each, stack->dtype}, {each, real_of(stack->dtype)}}, stack->order);
}

Value cholesky_factor(Call& call) {
  const bool upper = call.truth("upper");
  const auto stack = stack_given(call, true);
  const auto judge = [&](const Elements& matrices) { return positive_definite(matrices, upper); };
  if (!stack || !as_needed(call, stack->array, judge, [&](const Verdict& found) {
        call.fail("LinAlgError", "Matrix is not positive definite", Msg::matrix_not_positive, {found.element});
      }))
    return {};
  return one_array(call, stack->array.layout.sizes, stack->dtype, stack->order);
}

/// Where all eigenvalues are real, NumPy hands out the real parts of what it made.
Value eigen(Call& call) {
  const auto stack = stack_given(call, true);
  if (!stack) return {};
  const Tensor& matrices = stack->array;
  const bool pairs = is_complex(stack->dtype);
  const int64_t n = matrix_columns(matrices), count = count_of(matrices);
  if (checked_mul(count, n).value_or(INT64_MAX) > most_products) return call.refuse(Msg::matrix_too_large, {n});
  if (!check_finite(call, matrices)) return {};
  const Verdict real = pairs ? Verdict{Verdict::Kind::no} : real_eigenvalues(elements_of(matrices));
  if (real.kind == Verdict::Kind::open || (!pairs && call.drawn())) return call.refuse(Msg::lapack_decides);
  const DType complex = pairs ? stack->dtype : complex_of(stack->dtype);
  const Dims line = stacked(matrices, {matrix_columns(matrices)});
  const bool values_only = call.name().ends_with("vals");
  if (real.kind == Verdict::Kind::no) {
    if (values_only) return one_array(call, line, complex, stack->order);
    return named_arrays(call, {{line, complex}, {matrices.layout.sizes, complex}}, stack->order);
  }
  if (stack->dtype == DType::float32) {  // which NumPy copies, for LAPACK worked in float64
    if (values_only) return one_array(call, line, stack->dtype, stack->order);
    return named_arrays(call, {{line, stack->dtype}, {matrices.layout.sizes, stack->dtype}}, stack->order);
  }
  call.why(Msg::np_eigen_real, {itemsize(complex)});
  const auto real_part = [&](const Dims& sizes) {
    const Tensor part = complex_part(*tensor_of(from_lapack(call, sizes, complex, stack->order)), 0);
    return call.view(part, part.layout);
  };
  const Value values = real_part(line);
  if (values_only) return values;
  const Value vectors = real_part(matrices.layout.sizes);
  return call.tuple({values, vectors}, Sequence::Kind::ranked);
}

Value symmetric_eigen(Call& call) {
  const std::string* half = std::get_if<std::string>(&call.value("UPLO").held);
  if (!half)
    return call.about("UPLO").fail("AttributeError",
                                   {"'", attribute_type(call.value("UPLO")), "' object has no attribute 'upper'"},
                                   Msg::attribute_unknown, {type_name(call.value("UPLO")), "upper"});
  if (*half != "L" && *half != "U" && *half != "l" && *half != "u")
    return call.about("UPLO").fail("ValueError", "UPLO argument must be 'L' or 'U'", Msg::matrix_mode, {*half, "L, U"});
  const auto stack = stack_given(call, true);
  if (!stack) return {};
  const Dims line = stacked(stack->array, {matrix_columns(stack->array)});
  if (call.name().find("vals") != std::string_view::npos)
    return one_array(call, line, real_of(stack->dtype), stack->order);
  return named_arrays(call, {{line, real_of(stack->dtype)}, {stack->array.layout.sizes, stack->dtype}}, stack->order);
}

Value qr_factors(Call& call) {
  const std::string* mode = std::get_if<std::string>(&call.value("mode").held);
  if (const TensorPtr array = tensor_of(call.value("mode"));
      !mode && array && array->library == Library::numpy && numel(array->layout.sizes) != 1)
    return call.about("mode").fail(
        "ValueError", "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()",
        Msg::truth_of_many, {to_string(array->layout.sizes)});
  if (!mode && !has_dtype(call.value("mode")))
    return call.about("mode").fail("ValueError", {"Unrecognized mode '", to_string(call.value("mode")), "'"},
                                   Msg::matrix_mode, {to_string(call.value("mode")), "reduced, complete, r, raw"});
  if (!mode || *mode == "raw" || *mode == "f" || *mode == "full" || *mode == "e" || *mode == "economic")
    return call.about("mode").refuse(Msg::not_modelled, {"NumPy", "mode=" + to_string(call.value("mode"))});
  if (*mode != "reduced" && *mode != "complete" && *mode != "r")
    return call.about("mode").fail("ValueError", {"Unrecognized mode '", *mode, "'"}, Msg::matrix_mode,
                                   {*mode, "reduced, complete, r, raw"});
  const auto stack = stack_given(call, false);
  if (!stack) return {};
  const int64_t m = matrix_rows(stack->array), n = matrix_columns(stack->array),
                k = *mode == "complete" ? m : std::min(m, n);
  const Dims q = stacked(stack->array, {m, k}), r = stacked(stack->array, {k, n});
  // r is what triu() gives of a copy in the order of a: where its mask and the copy disagree, it is in C order.
  const Layout mask = broadcast_to(contiguous({k, n}), r);
  const Layout copied{r, strides_like(stack->array, NumpyOrder::keep, itemsize(stack->dtype)), 0};
  const Dims order = iteration_order({mask, copied});
  if (*mode == "r") return one_array(call, r, stack->dtype, order);
  explain_arrays(call, 2, shape_text(q) + ", " + shape_text(r), true, stack->order);
  const Value first = from_lapack(call, q, stack->dtype, stack->order);
  return call.tuple({first, from_lapack(call, r, stack->dtype, order)}, Sequence::Kind::ranked);
}

Value singular_values(Call& call) {
  const bool values_only = call.name().ends_with("svdvals") || !call.truth("compute_uv"),
             full = !values_only && call.truth("full_matrices");
  if (!call.name().ends_with("svdvals") && call.truth("hermitian"))
    return call.about("hermitian").refuse(Msg::not_modelled, {"NumPy", "hermitian=True"});
  const auto stack = stack_given(call, false);
  if (!stack || !check_not_nan(call, stack->array) || !check_finite(call, stack->array)) return {};
  const int64_t m = matrix_rows(stack->array), n = matrix_columns(stack->array), least = std::min(m, n);
  const Dims line = stacked(stack->array, {least});
  if (values_only) return one_array(call, line, real_of(stack->dtype), stack->order);
  return named_arrays(call,
                      {{stacked(stack->array, {m, full ? m : least}), stack->dtype},
                       {line, real_of(stack->dtype)},
                       {stacked(stack->array, {full ? n : least, n}), stack->dtype}},
                      stack->order);
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
  };
  return rows;
}

}  // namespace stridescope
