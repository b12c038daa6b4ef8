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
  if (!check_matrices(call, tensor, "input", "A", asked) || !check_invertible(call, tensor, asked.which)) return {};
  return one_result(call, tensor.dtype, by_columns(tensor.layout.sizes));
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
  const std::string which = call.name().find("linalg") == std::string_view::npos ? "cholesky" : "linalg.cholesky";
  if (!check_matrices(call, tensor, "input", "A", {.which = which, .floating = which != "cholesky"}) ||
      !has_routine(call, "cholesky_cpu", tensor.dtype))
    return {};
  const bool upper = call.boolean("upper");
  const auto judge = [&](const Elements& stack) { return positive_definite(stack, upper); };
  if (!as_needed(call, tensor, judge, [&](const Verdict& found) {
        call.fail("_LinAlgError",
                  {which, ": ", batch_text(tensor, found),
                   "The factorization could not be completed because the input is not positive-definite (the leading "
                   "minor of order ",
                   found.element, " is not positive-definite)."},
                  Msg::matrix_not_positive, {found.element});
      }))
    return {};
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
                     Msg::mean_needs_floats, {name(tensor.dtype)});
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
      {Library::torch, "torch.linalg.lu(A: tensor)", Msg::op_lu, "A = P @ L @ U",
       "x = torch.ones(4, 3)\np, l, u = torch.linalg.lu(x)", lu_row},
  };
  return rows;
}

}  // namespace stridescope
