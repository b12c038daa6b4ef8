// Linear algebra: what LAPACK makes of matrices. It writes them column by column, and PyTorch keeps what it wrote: so
// their strides are (1, rows), which few expect of a new tensor. How LAPACK rounds is not modelled, so values are not
// known; where an error hangs on them, ops/elimination.h says what is sure.
#include <algorithm>

#include "ops/elimination.h"
#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/reduction.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// The function's name as its messages begin: "linalg.inv".
struct Checked {
  std::string which;
  bool square = true, floating = true, half = true;
};

/// What PyTorch asks of the matrices in `tensor`, in its order. False: the call failed.
bool check_matrices(Call& call, const Tensor& tensor, const char* parameter, const char* letter, const Checked& asked) {
  const Dims& sizes = tensor.layout.sizes;
  const int rank = sizes.size();
  const std::string_view dtype = scalar_type_name(tensor.dtype);
  if (rank < 2)
    call.about(parameter).fail("RuntimeError",
                               {asked.which, ": The input tensor ", letter, " must have at least 2 dimensions."},
                               Msg::needs_rank, {2, rank});
  else if (asked.square && sizes[rank - 2] != sizes[rank - 1])
    call.about(parameter).fail("RuntimeError",
                               {asked.which, ": A must be batches of square matrices, but they are ", sizes[rank - 2],
                                " by ", sizes[rank - 1], " matrices"},
                               Msg::matrix_not_square, {sizes[rank - 2], sizes[rank - 1]});
  else if (asked.floating && is_whole(tensor.dtype))
    call.about(parameter).fail("RuntimeError",
                               {asked.which, ": Expected a floating point or complex tensor as input. Got ", dtype},
                               Msg::mean_needs_floats, {name(tensor.dtype)});
  else if (!asked.half && itemsize(tensor.dtype) == 2)
    call.about(parameter).fail("RuntimeError", {asked.which, ": Low precision dtypes not supported. Got ", dtype},
                               Msg::function_refuses, {asked.which, name(tensor.dtype)});
  return !call.failed();
}

/// Whether the routine is there for the dtype, or the call failed.
bool has_routine(Call& call, const char* kernel, DType dtype) {
  const bool there = itemsize(dtype) >= 4 && !is_whole(dtype);
  if (!there) no_kernel(call, kernel, dtype);
  return there;
}

/// Sizes of the batch, and behind them others.
Dims of_batch(const Tensor& tensor, const Dims& matrix) {
  Dims sizes = tensor.layout.sizes;
  sizes.pop_back();
  sizes.pop_back();
  for (const int64_t size : matrix) sizes.push_back(size);
  return sizes;
}
int64_t rows_of_matrix(const Tensor& tensor) { return tensor.layout.sizes[tensor.layout.rank() - 2]; }
int64_t columns_of_matrix(const Tensor& tensor) { return tensor.layout.sizes.back(); }

/// Matrices, each with its columns side by side in memory; batched_matrix_contiguous_strides in PyTorch.
Layout by_columns(const Dims& sizes) {
  Layout layout = contiguous(sizes);
  const int rank = sizes.size();
  if (rank < 2) return layout;
  layout.strides[rank - 2] = 1;
  layout.strides[rank - 1] = std::max<int64_t>(sizes[rank - 2], 1);
  return layout;
}

/// What was reckoned by LAPACK.
Value reckoned_by_lapack(Call& call, DType dtype, const Layout& layout) {
  const int64_t count = *numel(layout.sizes);
  if (!call.given_known() || !call.drawn() || !is_floating(dtype))
    return call.fresh(dtype, layout, unknown_contents(dtype, count));
  call.why(Msg::stand_ins);
  return call.fresh(dtype, layout, random_contents(Distribution::uniform, call.seed(), dtype, count));
}

/// One result, with its headline.
Value one_result(Call& call, DType dtype, const Layout& layout) {
  call.why(Msg::fresh_headline, {*numel(layout.sizes), name(dtype), to_string(layout)});
  if (!is_contiguous(layout)) call.why(Msg::matrix_columns, {layout.strides.back()});
  return reckoned_by_lapack(call, dtype, layout);
}

struct Factor {
  DType dtype;
  Layout layout;
};

/// Several under their names.
Value named_results(Call& call, std::initializer_list<Factor> factors) {
  std::string list;
  const Factor* columns = nullptr;
  for (const Factor& factor : factors) {
    list += (list.empty() ? "" : ", ") + to_string(factor.layout);
    if (!columns && !is_contiguous(factor.layout)) columns = &factor;
  }
  call.why(Msg::matrix_factors, {factors.size(), list});
  if (columns) call.why(Msg::matrix_columns, {columns->layout.strides.back()});
  std::vector<Value> made;
  for (const Factor& factor : factors) {
    const size_t said = call.said();
    made.push_back(reckoned_by_lapack(call, factor.dtype, factor.layout));
    if (made.size() < factors.size()) call.unsay(said);
  }
  return call.tuple(std::move(made), Sequence::Kind::ranked);
}

/// Whether matrices are as an algorithm needs them, found out by reckoning; fails by `fail` where one is not, and where
/// that cannot be told. False: the call failed.
template <typename Judge, typename Fail>
bool as_needed(Call& call, const Tensor& tensor, Judge judge, Fail fail) {
  const int64_t n = columns_of_matrix(tensor), count = *numel(tensor.layout.sizes);
  if (checked_mul(count, n).value_or(INT64_MAX) > most_products)
    return call.drawn() || (call.refuse(Msg::lapack_decides), false);  // a random matrix is as good as any
  const Verdict found = judge(elements_of(tensor));
  if (found.kind == Verdict::Kind::yes) return true;
  if (found.kind == Verdict::Kind::open || call.drawn()) return call.refuse(Msg::lapack_decides), false;
  const std::string batch =
      tensor.layout.rank() > 2 ? "(Batch element " + std::to_string(found.matrix) + "): " : std::string();
  return fail(batch, found.element), false;
}

bool check_invertible(Call& call, const Tensor& tensor, const std::string& which) {
  return as_needed(call, tensor, invertible, [&](const std::string& batch, int64_t element) {
    call.fail("_LinAlgError",
              {which, ": ", batch, "The diagonal element ", element,
               " is zero, the inversion could not be completed because the input matrix is singular."},
              Msg::matrix_singular, {element});
  });
}

Value inverse_row(Call& call) {
  const Tensor& tensor = call.self();
  const Checked asked{"linalg.inv", true, true, false};
  if (!check_matrices(call, tensor, "input", "A", asked) || !check_invertible(call, tensor, asked.which)) return {};
  return one_result(call, tensor.dtype, by_columns(tensor.layout.sizes));
}

Value determinant_row(Call& call) {
  const Tensor& tensor = call.self();
  const bool logarithm = call.name().ends_with("logdet");
  const Checked asked{logarithm ? "logdet" : "linalg.det", true, true, !logarithm};
  if (!check_matrices(call, tensor, "input", "A", asked) || !has_routine(call, "lu_cpu", tensor.dtype)) return {};
  return one_result(call, tensor.dtype, contiguous(of_batch(tensor, {})));
}

Value log_determinant_row(Call& call) {
  const Tensor& tensor = call.self();
  if (!check_matrices(call, tensor, "input", "A", {"linalg.slogdet", true, true, false})) return {};
  const Layout each = contiguous(of_batch(tensor, {}));
  return named_results(call, {{tensor.dtype, each}, {size_dtype(tensor.dtype), each}});
}

Value cholesky_row(Call& call) {
  const Tensor& tensor = call.self();
  const std::string which = call.name().find("linalg") == std::string_view::npos ? "cholesky" : "linalg.cholesky";
  if (!check_matrices(call, tensor, "input", "A", {which, true, which != "cholesky"}) ||
      !has_routine(call, "cholesky_cpu", tensor.dtype))
    return {};
  const bool upper = call.boolean("upper");
  if (!as_needed(
          call, tensor, [&](const Elements& all) { return positive_definite(all, upper); },
          [&](const std::string& batch, int64_t element) {
            call.fail("_LinAlgError",
                      {which, ": ", batch,
                       "The factorization could not be completed because the input is not positive-definite (the "
                       "leading minor of order ",
                       element, " is not positive-definite)."},
                      Msg::matrix_not_positive, {element});
          }))
    return {};
  // The older function hands back what has no elements as it would make any tensor.
  const bool older = which == "cholesky" && *numel(tensor.layout.sizes) == 0;
  return one_result(call, tensor.dtype, older ? contiguous(tensor.layout.sizes) : by_columns(tensor.layout.sizes));
}

/// What is not finite ends most of these with an error that tells of the algorithm. False: the call failed.
bool check_finite(Call& call, const Tensor& tensor) {
  if (!call.given_known() || *numel(tensor.layout.sizes) > most_products) return true;
  if (!all_finite(elements_of(tensor))) call.refuse(Msg::lapack_decides);
  return !call.failed();
}

Value eigen_row(Call& call) {
  const Tensor& tensor = call.self();
  const bool values_only = call.name().find("vals") != std::string_view::npos;
  const DType dtype = is_complex(tensor.dtype) ? tensor.dtype : complex_of(tensor.dtype);
  if (is_whole(tensor.dtype))
    return call.fail("RuntimeError", {"Unknown Complex ScalarType for ", scalar_type_name(tensor.dtype)},
                     Msg::mean_needs_floats, {name(tensor.dtype)});
  if (!check_matrices(call, tensor, "input", "A", {values_only ? "linalg.eigvals" : "linalg.eig"}) ||
      !has_routine(call, "linalg_eig_out_cpu", tensor.dtype) || !check_finite(call, tensor))
    return {};
  const Layout line = contiguous(of_batch(tensor, {columns_of_matrix(tensor)}));
  if (values_only) return one_result(call, dtype, line);
  return named_results(call, {{dtype, line}, {dtype, by_columns(tensor.layout.sizes)}});
}

Value symmetric_eigen_row(Call& call) {
  const Tensor& tensor = call.self();
  const bool values_only = call.name().find("vals") != std::string_view::npos;
  if (!check_matrices(call, tensor, "input", "A", {"linalg.eigh", true, false})) return {};
  const std::string& half = call.text("UPLO");
  if (half != "L" && half != "U" && half != "l" && half != "u")
    return call.about("UPLO").fail("RuntimeError", {"Expected UPLO argument to be 'L' or 'U', but got ", half},
                                   Msg::matrix_mode, {half, "L, U"});
  if (!has_routine(call, "linalg_eigh_cpu", tensor.dtype) || !check_finite(call, tensor)) return {};
  const Layout line = contiguous(of_batch(tensor, {columns_of_matrix(tensor)}));
  const DType real = size_dtype(tensor.dtype);
  if (values_only) return one_result(call, real, line);
  return named_results(call, {{real, line}, {tensor.dtype, by_columns(tensor.layout.sizes)}});
}

Value qr_row(Call& call) {
  const Tensor& tensor = call.self();
  if (!check_matrices(call, tensor, "A", "A", {"linalg.qr", false})) return {};
  const bool older = call.name().find("linalg") == std::string_view::npos;
  const std::string mode = older ? (call.boolean("mode") ? "reduced" : "complete") : call.text("mode");
  if (mode != "reduced" && mode != "complete" && mode != "r")
    return call.about("mode").fail(
        "RuntimeError",
        {"qr received unrecognized mode '", mode, "' but expected one of 'reduced' (default), 'r', or 'complete'"},
        Msg::matrix_mode, {mode, "reduced, complete, r"});
  if (!has_routine(call, "geqrf_cpu", tensor.dtype)) return {};
  const int64_t m = rows_of_matrix(tensor), n = columns_of_matrix(tensor), k = mode == "complete" ? m : std::min(m, n);
  const Layout q = mode == "r" ? contiguous(Dims{0}) : by_columns(of_batch(tensor, {m, k}));
  return named_results(call, {{tensor.dtype, q}, {tensor.dtype, by_columns(of_batch(tensor, {k, n}))}});
}

Value svd_row(Call& call) {
  const Tensor& tensor = call.self();
  const bool values_only = call.name().ends_with("svdvals");
  if (!check_matrices(call, tensor, "A", "A", {"linalg.svd", false}) ||
      !has_routine(call, "linalg_svd_cpu", tensor.dtype) || !check_finite(call, tensor))
    return {};
  const int64_t m = rows_of_matrix(tensor), n = columns_of_matrix(tensor), least = std::min(m, n);
  const DType real = size_dtype(tensor.dtype);
  const Layout line = contiguous(of_batch(tensor, {least}));
  if (values_only) return one_result(call, real, line);
  const bool full = call.boolean("full_matrices");
  return named_results(call, {{tensor.dtype, by_columns(of_batch(tensor, {m, full ? m : least}))},
                              {real, line},
                              {tensor.dtype, by_columns(of_batch(tensor, {full ? n : least, n}))}});
}

Value solve_row(Call& call) {
  const Tensor& a = call.self();
  const Tensor b = *call.tensor("B")->tensor;
  const bool left = call.boolean("left");
  const std::string which = "linalg.solve";
  if (is_whole(a.dtype))
    return call.about("A").fail(
        "RuntimeError",
        {which, ": Expected a floating point or complex tensor as input. Got ", scalar_type_name(a.dtype)},
        Msg::mean_needs_floats, {name(a.dtype)});
  if (a.dtype != b.dtype)
    return call.about("B").fail("RuntimeError",
                                {which, ": Expected A and B to have the same dtype, but found A of type ",
                                 scalar_type_name(a.dtype), " and B of type ", scalar_type_name(b.dtype), " instead"},
                                Msg::dtypes_differ, {name(a.dtype), name(b.dtype)});
  Dims in_front = a.layout.sizes;
  if (!in_front.empty()) in_front.pop_back();
  const bool vectors = b.layout.rank() == 1 || (a.layout.rank() - 1 == b.layout.rank() && b.layout.sizes == in_front);
  Tensor right = b;
  if (vectors) right.layout = insert_dim(b.layout, b.layout.rank(), 1);
  if (!check_matrices(call, a, "A", "A", {which}) || !check_matrices(call, right, "B", "B", {which, false})) return {};
  const int64_t n = columns_of_matrix(a), other = left ? rows_of_matrix(right) : columns_of_matrix(right);
  if (n != other)
    return call.about("B").fail(
        "RuntimeError",
        {which, ": Incompatible shapes of A and B for the equation ", left ? "AX = B" : "XA = B", " (",
         rows_of_matrix(a), "x", n, " and ", rows_of_matrix(right), "x", columns_of_matrix(right), ")"},
        Msg::matrix_equation, {n, other});
  const auto batch = broadcast_sizes(call, of_batch(right, {}), of_batch(a, {}));
  if (!batch) return {};
  if (!left && vectors)
    return call.about("B").fail(
        "RuntimeError",
        {which,
         ": Vector broadcasting of the left hand side is not supported for left=False. In this case linalg.solve "
         "is equivalent to B / A.squeeze(-1)"},
        Msg::matrix_equation, {n, other});
  if (!has_routine(call, "lu_cpu", a.dtype) ||
      !as_needed(call, a, invertible, [&](const std::string& element, int64_t) {
        call.fail("_LinAlgError",
                  {"torch.linalg.solve: ", element, "The solver failed because the input matrix is singular."},
                  Msg::matrix_singular, {invertible(elements_of(a)).element});
      }))
    return {};
  Dims sizes = *batch;
  sizes.push_back(rows_of_matrix(right));
  if (!vectors) sizes.push_back(columns_of_matrix(right));
  const Layout layout = left ? by_columns(sizes) : contiguous(sizes);
  const Value made = one_result(call, a.dtype, layout);
  if (vectors && sizes.size() > 1 && !is_contiguous(layout)) call.why(Msg::matrix_of_vectors, {to_string(sizes)});
  return made;
}

Value pseudo_inverse_row(Call& call) {
  const Tensor& tensor = call.self();
  if (tensor.layout.rank() < 2 ||
      !(is_complex(tensor.dtype) || tensor.dtype == DType::float32 || tensor.dtype == DType::float64)) {
    const std::string text =
        "linalg.pinv(" + std::string(scalar_type_name(tensor.dtype)) + "{" + list_text(tensor.layout.sizes) +
        "}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types";
    return tensor.layout.rank() < 2
               ? call.fail("RuntimeError", {text}, Msg::needs_rank, {2, tensor.layout.rank()})
               : call.fail("RuntimeError", {text}, Msg::function_refuses, {"pinv", name(tensor.dtype)});
  }
  if (!check_finite(call, tensor)) return {};
  return one_result(call, tensor.dtype,
                    contiguous(of_batch(tensor, {columns_of_matrix(tensor), rows_of_matrix(tensor)})));
}

Value lu_row(Call& call) {
  const Tensor& tensor = call.self();
  if (tensor.layout.rank() < 2)
    return call.fail("RuntimeError",
                     {"linalg.lu: Expected tensor with 2 or more dimensions. Got size: ",
                      list_text(tensor.layout.sizes), " instead"},
                     Msg::needs_rank, {2, tensor.layout.rank()});
  if (!has_routine(call, "lu_cpu", tensor.dtype)) return {};
  const int64_t m = rows_of_matrix(tensor), n = columns_of_matrix(tensor), k = std::min(m, n);
  const auto packed = [&](int64_t rows, int64_t columns) -> Factor {
    return {tensor.dtype, contiguous(of_batch(tensor, {rows, columns}))};
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
      {Library::torch, "torch.linalg.solve(A: tensor, B: tensor, *, left: bool = True)", Msg::op_solve, "A @ y = B",
       "x = torch.eye(3)\ny = torch.linalg.solve(x, torch.ones(3, 2))", solve_row},
      {Library::torch, "torch.linalg.pinv(input: tensor)\ntorch.pinverse(input: tensor)\nx.pinverse()",
       Msg::op_pseudo_inverse, "the inverse where there is one; sizes (.., columns, rows)",
       "x = torch.ones(4, 3)\ny = torch.linalg.pinv(x)", pseudo_inverse_row},
      {Library::torch, "torch.linalg.lu(A: tensor)", Msg::op_lu, "A = P @ L @ U",
       "x = torch.ones(4, 3)\np, l, u = torch.linalg.lu(x)", lu_row},
  };
  return rows;
}

}  // namespace stridescope
