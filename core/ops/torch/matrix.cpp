// Matrices taken apart: inverses and determinants, and products of triangles and bases.
#include <algorithm>

#include "ops/rows.h"
#include "ops/torch/lapack.h"
#include "ops/torch/reduction.h"

namespace stridescope {
namespace {

Value inverse_row(Call& call) {
  const Tensor& tensor = call.self();
  const Checked asked{.which = "linalg.inv", .half = false};
  if (!check_matrices(call, tensor, "input", "A", asked)) return {};
  const bool tells = call.name().ends_with("_ex");
  if ((!tells || call.boolean("check_errors")) &&
      !check_invertible(call, tensor, tells ? "linalg.inv_ex" : asked.which))
    return {};
  const Layout layout = by_columns(tensor.layout.sizes);
  if (!tells) return one_result(call, tensor.dtype, layout);
  return named_results(call, {{tensor.dtype, layout}, {DType::int32, contiguous(stacked(tensor, {}))}});
}

Value exponential_row(Call& call) {
  const Tensor& tensor = call.self();
  if (!check_matrices(call, tensor, "input", "A", {.which = "linalg.matrix_exp"})) return {};
  return one_result(call, tensor.dtype, contiguous(tensor.layout.sizes));
}

Value cholesky_inverse_row(Call& call) {
  const Tensor& tensor = call.self();
  if (!check_matrices(call, tensor, "input", "A", {.which = "cholesky_inverse", .floating = false}) ||
      !has_routine(call, "cholesky_inverse_out_cpu", tensor.dtype))
    return {};
  // Of the half that is read the diagonal decides.
  Tensor diagonals = tensor;
  const int last = tensor.layout.rank() - 1;
  diagonals.layout = diagonal(tensor.layout, 0, last - 1, last);
  const int64_t n = matrix_columns(tensor), count = *numel(diagonals.layout.sizes);
  if (call.given_known() && count <= most_folded) {
    if (!call.quick(elements_of(diagonals), count)) return {};
    for (int64_t i = 0; i < count; ++i)
      if (!is_true(element(elements_of(diagonals), i)))
        return call.fail(
            "_LinAlgError",
            {"cholesky_inverse: ", batch_text(tensor, {Verdict::Kind::no, i / n, 0}), "The diagonal element ",
             i % n + 1, " is zero, the inversion could not be completed because the input matrix is singular."},
            Msg::matrix_singular, {i % n + 1});
  } else if (!call.drawn()) {
    return call.refuse(Msg::lapack_decides);
  }
  return one_result(call, tensor.dtype, by_columns(tensor.layout.sizes));
}

/// L and U in one, and which rows were exchanged.
Value lu_factor_row(Call& call) {
  const Tensor& tensor = call.self();
  const bool tells = call.name().ends_with("_ex");
  const std::string_view which = tells ? "linalg.lu_factor_ex" : "linalg.lu_factor";
  if (tensor.layout.rank() < 2)
    return call.fail("RuntimeError",
                     {"torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: ",
                      list_text(tensor.layout.sizes), " instead"},
                     Msg::needs_rank, {2, tensor.layout.rank()});
  if (!has_routine(call, "lu_cpu", tensor.dtype)) return {};
  if (!call.boolean("pivot"))
    return call.about("pivot").fail("RuntimeError",
                                    "linalg.lu_factor: LU without pivoting is not implemented on the CPU",
                                    Msg::matrix_mode, {"pivot=False", "pivot=True"});
  const int64_t m = matrix_rows(tensor), n = matrix_columns(tensor);
  if (!tells || call.boolean("check_errors")) {
    // Of more columns the first decide which rows are exchanged.
    Tensor square = tensor;
    if (m < n) square.layout = part(tensor.layout, tensor.layout.rank() - 1, 0, m);
    if (m > n && !call.drawn()) return call.refuse(Msg::lapack_decides);
    if (m <= n && !as_needed(call, square, invertible, [&](const Verdict& found) {
          call.fail(
              "RuntimeError",
              {"torch.", which, ": ", batch_text(tensor, found), "U[", found.element, ",", found.element,
               "] is zero and using it on lu_solve would result in a division by zero. If you still want to "
               "perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"},
              Msg::matrix_singular, {found.element});
        }))
      return {};
  }
  const Factor both{tensor.dtype, by_columns(tensor.layout.sizes)},
      pivots{DType::int32, contiguous(stacked(tensor, {std::min(m, n)}))};
  if (!tells) return named_results(call, {both, pivots});
  return named_results(call, {both, pivots, {DType::int32, contiguous(stacked(tensor, {}))}});
}

Value determinant_row(Call& call) {
  const Tensor& tensor = call.self();
  const bool logarithm = call.name().ends_with("logdet");
  const Checked asked{.which = logarithm ? "logdet" : "linalg.det", .half = !logarithm};
  if (!check_matrices(call, tensor, "input", "A", asked) || !has_routine(call, "lu_cpu", tensor.dtype)) return {};
  return one_result(call, tensor.dtype, contiguous(stacked(tensor, {})));
}

Value log_determinant_row(Call& call) {
  const Tensor& tensor = call.self();
  if (!check_matrices(call, tensor, "input", "A", {.which = "linalg.slogdet", .half = false})) return {};
  const Layout each = contiguous(stacked(tensor, {}));
  return named_results(call, {{tensor.dtype, each}, {real_of(tensor.dtype), each}});
}

Value cholesky_row(Call& call) {
  const Tensor& tensor = call.self();
  const std::string_view which = call.name().find("linalg") == std::string_view::npos ? "cholesky" : "linalg.cholesky";
  if (!check_matrices(call, tensor, "input", "A", {.which = which, .floating = which != "cholesky"}) ||
      !has_routine(call, "cholesky_cpu", tensor.dtype))
    return {};
  const bool upper = call.boolean("upper"), tells = call.name().ends_with("_ex");
  const auto judge = [&](const Elements& stack) { return positive_definite(stack, upper); };
  if ((!tells || call.boolean("check_errors")) && !as_needed(call, tensor, judge, [&](const Verdict& found) {
        call.fail("_LinAlgError",
                  {which, tells ? "_ex: " : ": ", batch_text(tensor, found),
                   "The factorization could not be completed because the input is not positive-definite (the leading "
                   "minor of order ",
                   found.element, " is not positive-definite)."},
                  Msg::matrix_not_positive, {found.element});
      }))
    return {};
  if (tells)
    return named_results(
        call, {{tensor.dtype, by_columns(tensor.layout.sizes)}, {DType::int32, contiguous(stacked(tensor, {}))}});
  // The older function hands back what has no elements as it would make any tensor.
  const bool older = which == "cholesky" && *numel(tensor.layout.sizes) == 0;
  return one_result(call, tensor.dtype, older ? contiguous(tensor.layout.sizes) : by_columns(tensor.layout.sizes));
}

Value eigen_row(Call& call) {
  const Tensor& tensor = call.self();
  const bool values_only = call.name().find("vals") != std::string_view::npos;
  const DType dtype = is_complex(tensor.dtype) ? tensor.dtype : complex_of(tensor.dtype);
  if (is_whole(tensor.dtype))
    return call.fail("RuntimeError", {"Unknown Complex ScalarType for ", scalar_type_name(tensor.dtype)},
                     Msg::floats_needed, {name(tensor.dtype)});
  const int64_t count = *numel(tensor.layout.sizes);
  if (!values_only && call.given_known() && count <= most_products) {  // looked at before the sizes are
    if (!call.quick(elements_of(tensor), count)) return {};
    if (!all_finite(elements_of(tensor)))
      return call.fail("RuntimeError", "torch.linalg.eig: input tensor should not contain infs or NaNs.",
                       Msg::matrix_not_finite);
  }
  if (!check_matrices(call, tensor, "input", "A", {.which = values_only ? "linalg.eigvals" : "linalg.eig"}) ||
      !has_routine(call, "linalg_eig_out_cpu", tensor.dtype) || !check_finite(call, tensor))
    return {};
  const Layout line = contiguous(stacked(tensor, {matrix_columns(tensor)}));
  if (values_only) return one_result(call, dtype, line);
  return named_results(call, {{dtype, line}, {dtype, by_columns(tensor.layout.sizes)}});
}

Value symmetric_eigen_row(Call& call) {
  const Tensor& tensor = call.self();
  const bool values_only = call.name().find("vals") != std::string_view::npos;
  if (!check_matrices(call, tensor, "input", "A", {.which = "linalg.eigh", .floating = false})) return {};
  const std::string& half = call.text("UPLO");
  if (half != "L" && half != "U" && half != "l" && half != "u")
    return call.about("UPLO").fail("RuntimeError", {"Expected UPLO argument to be 'L' or 'U', but got ", half},
                                   Msg::matrix_mode, {half, "L, U"});
  if (!has_routine(call, "linalg_eigh_cpu", tensor.dtype) || !check_finite(call, tensor)) return {};
  const Layout line = contiguous(stacked(tensor, {matrix_columns(tensor)}));
  const DType real = real_of(tensor.dtype);
  if (values_only) return one_result(call, real, line);
  return named_results(call, {{real, line}, {tensor.dtype, by_columns(tensor.layout.sizes)}});
}

Value qr_row(Call& call) {
  const Tensor& tensor = call.self();
  if (!check_matrices(call, tensor, "A", "A", {.which = "linalg.qr", .square = false})) return {};
  const bool older = call.name().find("linalg") == std::string_view::npos;
  const std::string mode = older ? (call.boolean("mode") ? "reduced" : "complete") : call.text("mode");
  if (mode != "reduced" && mode != "complete" && mode != "r")
    return call.about("mode").fail(
        "RuntimeError",
        {"qr received unrecognized mode '", mode, "' but expected one of 'reduced' (default), 'r', or 'complete'"},
        Msg::matrix_mode, {mode, "reduced, complete, r"});
  if (!has_routine(call, "geqrf_cpu", tensor.dtype)) return {};
  const int64_t m = matrix_rows(tensor), n = matrix_columns(tensor), k = mode == "complete" ? m : std::min(m, n);
  const Layout q = mode == "r" ? contiguous(Dims{0}) : by_columns(stacked(tensor, {m, k}));
  return named_results(call, {{tensor.dtype, q}, {tensor.dtype, by_columns(stacked(tensor, {k, n}))}});
}

Value svd_row(Call& call) {
  const Tensor& tensor = call.self();
  const bool values_only = call.name().ends_with("svdvals");
  if (!check_matrices(call, tensor, "A", "A", {.which = "linalg.svd", .square = false}) ||
      !has_routine(call, "linalg_svd_cpu", tensor.dtype) || !check_finite(call, tensor))
    return {};
  const int64_t m = matrix_rows(tensor), n = matrix_columns(tensor), least = std::min(m, n);
  const DType real = real_of(tensor.dtype);
  const Layout line = contiguous(stacked(tensor, {least}));
  if (values_only) return one_result(call, real, line);
  const bool full = call.boolean("full_matrices");
  return named_results(call, {{tensor.dtype, by_columns(stacked(tensor, {m, full ? m : least}))},
                              {real, line},
                              {tensor.dtype, by_columns(stacked(tensor, {full ? n : least, n}))}});
}

Value lu_row(Call& call) {
  const Tensor& tensor = call.self();
  if (tensor.layout.rank() < 2)
    return call.fail("RuntimeError",
                     {"linalg.lu: Expected tensor with 2 or more dimensions. Got size: ",
                      list_text(tensor.layout.sizes), " instead"},
                     Msg::needs_rank, {2, tensor.layout.rank()});
  if (!has_routine(call, "lu_cpu", tensor.dtype)) return {};
  const int64_t m = matrix_rows(tensor), n = matrix_columns(tensor), k = std::min(m, n);
  const auto packed = [&](int64_t rows, int64_t columns) -> Factor {
    return {tensor.dtype, contiguous(stacked(tensor, {rows, columns}))};
  };
  return named_results(call, {packed(m, m), packed(m, k), packed(k, n)});
}

}  // namespace

std::span<const Op> torch_matrix_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x.inverse()\ntorch.inverse(input: tensor)\ntorch.linalg.inv(A: tensor)", Msg::op_inverse,
       "x @ y = 1 on the diagonal, 0 elsewhere; strides (.., 1, rows)", "x = torch.eye(3)\ny = torch.linalg.inv(x)",
       inverse_row},
      {Library::torch,
       "x.det()\ntorch.det(input: tensor)\ntorch.linalg.det(A: tensor)\nx.logdet()\ntorch.logdet(input: tensor)",
       Msg::op_determinant, "one number for each matrix; logdet gives its logarithm",
       "x = torch.eye(3)\ny = torch.linalg.det(x)", determinant_row},
      {Library::torch, "x.slogdet()\ntorch.slogdet(input: tensor)\ntorch.linalg.slogdet(A: tensor)",
       Msg::op_determinant, "(sign, logabsdet): det = sign * exp(logabsdet)",
       "x = torch.eye(3)\nsign, logabsdet = torch.linalg.slogdet(x)", log_determinant_row},
      {Library::torch,
       "x.cholesky(upper: bool = False)\ntorch.cholesky(input: tensor, upper: bool = False)\n"
       "torch.linalg.cholesky(input: tensor, *, upper: bool = False)",
       Msg::op_cholesky, "y @ y.mH = x, and y is 0 above the diagonal",
       "x = torch.eye(3)\ny = torch.linalg.cholesky(x)", cholesky_row},
      {Library::torch, "torch.linalg.eig(input: tensor)\ntorch.linalg.eigvals(input: tensor)", Msg::op_eigen,
       "A @ V = V * L, both complex: (eigenvalues, eigenvectors)",
       "x = torch.eye(3)\nvalues, vectors = torch.linalg.eig(x)", eigen_row},
      {Library::torch,
       "torch.linalg.eigh(input: tensor, UPLO: str = 'L')\ntorch.linalg.eigvalsh(input: tensor, UPLO: str = 'L')",
       Msg::op_eigen, "A @ V = V * L of a symmetric A, of which one half is read",
       "x = torch.eye(3)\nvalues, vectors = torch.linalg.eigh(x)", symmetric_eigen_row},
      {Library::torch,
       "torch.linalg.qr(A: tensor, mode: str = 'reduced')\ntorch.qr(input: tensor, some: bool = True)\n"
       "x.qr(some: bool = True)",
       Msg::op_qr, "A = Q @ R: the columns of Q are orthonormal, R is 0 below the diagonal",
       "x = torch.ones(4, 3)\nq, r = torch.linalg.qr(x)", qr_row},
      {Library::torch, "torch.linalg.svd(A: tensor, full_matrices: bool = True)\ntorch.linalg.svdvals(A: tensor)",
       Msg::op_svd, "A = U @ diag(S) @ Vh", "x = torch.ones(4, 3)\nu, s, vh = torch.linalg.svd(x)", svd_row},
      {Library::torch, "torch.linalg.inv_ex(A: tensor, *, check_errors: bool = False)", Msg::op_inverse,
       "(inverse, info): info is 0 where there is one", "x = torch.eye(3)\ny, info = torch.linalg.inv_ex(x)",
       inverse_row},
      {Library::torch, "torch.linalg.cholesky_ex(input: tensor, *, upper: bool = False, check_errors: bool = False)",
       Msg::op_cholesky, "(L, info): info is 0 where x is positive definite",
       "x = torch.eye(3)\ny, info = torch.linalg.cholesky_ex(x)", cholesky_row},
      {Library::torch, "torch.linalg.matrix_exp(input: tensor)\ntorch.matrix_exp(input: tensor)\nx.matrix_exp()",
       Msg::op_matrix_power, "1 + x + x @ x / 2 + x @ x @ x / 6 + ..; packed",
       "x = torch.eye(3)\ny = torch.linalg.matrix_exp(x)", exponential_row},
      {Library::torch,
       "torch.cholesky_inverse(input: tensor, upper: bool = False)\nx.cholesky_inverse(upper: bool = False)",
       Msg::op_inverse, "inv(x @ x.mH), x being 0 above its diagonal",
       "x = torch.eye(3)\ny = torch.cholesky_inverse(x)", cholesky_inverse_row},
      {Library::torch, "torch.linalg.lu_factor(A: tensor, *, pivot: bool = True)", Msg::op_lu,
       "(LU, pivots): L and U in one matrix", "x = torch.eye(3)\nlu, pivots = torch.linalg.lu_factor(x)",
       lu_factor_row},
      {Library::torch, "torch.linalg.lu_factor_ex(A: tensor, *, pivot: bool = True, check_errors: bool = False)",
       Msg::op_lu, "(LU, pivots, info)", "x = torch.eye(3)\nlu, pivots, info = torch.linalg.lu_factor_ex(x)",
       lu_factor_row},
      {Library::torch, "torch.linalg.lu(A: tensor)", Msg::op_lu, "A = P @ L @ U",
       "x = torch.ones(4, 3)\np, l, u = torch.linalg.lu(x)", lu_row},
  };
  return rows;
}

}  // namespace stridescope
