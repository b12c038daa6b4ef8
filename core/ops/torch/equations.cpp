// Equations with matrices: solved, and inverses where there is none; powers, and ranks.
#include <algorithm>

#include "ops/rows.h"
#include "ops/torch/lapack.h"
#include "ops/torch/product.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Whether both sides of AX = B, or XA = B, have as many equations. False: the call failed.
bool check_equation(Call& call, std::string_view which, const Tensor& a, const Tensor& b, bool left) {
  const int64_t n = matrix_columns(a), other = left ? matrix_rows(b) : matrix_columns(b);
  if (n != other)
    call.about("B").fail("RuntimeError",
                         {which, ": Incompatible shapes of A and B for the equation ", left ? "AX = B" : "XA = B", " (",
                          matrix_rows(a), "x", n, " and ", matrix_rows(b), "x", matrix_columns(b), ")"},
                         Msg::matrix_equation, {n, other});
  return n == other;
}

Value solve_row(Call& call) {
  const Tensor& a = call.self();
  const Tensor b = *call.tensor("B")->tensor;
  const bool left = call.boolean("left");
  constexpr std::string_view which = "linalg.solve";
  if (is_whole(a.dtype))
    return call.about("A").fail(
        "RuntimeError",
        {which, ": Expected a floating point or complex tensor as input. Got ", scalar_type_name(a.dtype)},
        Msg::floats_needed, {name(a.dtype)});
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
  if (!check_matrices(call, a, "A", "A", {.which = which}) ||
      !check_matrices(call, right, "B", "B", {.which = which, .square = false}))
    return {};
  if (!check_equation(call, which, a, right, left)) return {};
  const auto batch = broadcast_sizes(call, stacked(right, {}), stacked(a, {}));
  if (!batch) return {};
  if (!left && vectors)
    return call.about("B").fail(
        "RuntimeError",
        {which,
         ": Vector broadcasting of the left hand side is not supported for left=False. In this case linalg.solve "
         "is equivalent to B / A.squeeze(-1)"},
        Msg::matrix_equation, {matrix_columns(a), matrix_columns(right)});
  const bool tells = call.name().ends_with("_ex");
  if (!has_routine(call, "lu_cpu", a.dtype)) return {};
  if ((!tells || call.boolean("check_errors")) && !as_needed(call, a, invertible, [&](const Verdict& found) {
        call.fail("_LinAlgError",
                  {tells ? "torch.linalg.solve_ex: " : "torch.linalg.solve: ", batch_text(a, found),
                   "The solver failed because the input matrix is singular."},
                  Msg::matrix_singular, {found.element});
        call.hint(Msg::hint_matrix_singular, {"torch.linalg.pinv", "torch.linalg.lstsq"});
      }))
    return {};
  Dims sizes = *batch;
  sizes.push_back(matrix_rows(right));
  if (!vectors) sizes.push_back(matrix_columns(right));
  const Layout layout = left ? by_columns(sizes) : contiguous(sizes);
  if (tells) return named_results(call, {{a.dtype, layout}, {DType::int32, contiguous(stacked(a, {}))}});
  const Value made = one_result(call, a.dtype, layout);
  if (vectors && sizes.size() > 1 && !is_contiguous(layout)) call.why(Msg::matrix_of_vectors, {to_string(sizes)});
  return made;
}

/// A triangle needs no elimination, and none is looked at: a 0 on its diagonal gives infinities.
Value triangular_row(Call& call) {
  const Tensor& a = call.self();
  const Tensor& b = *call.tensor("B")->tensor;
  constexpr std::string_view which = "linalg.solve_triangular";
  if (!check_matrices(call, a, "input", "A", {.which = which, .floating = false}) ||
      !check_matrices(call, b, "B", "B", {.which = which, .square = false, .floating = false}) ||
      !check_equation(call, which, a, b, call.boolean("left")))
    return {};
  const auto batch = broadcast_sizes(call, stacked(b, {}), stacked(a, {}));
  if (!batch) return {};
  if (a.dtype != b.dtype) return call.about("B").refuse(Msg::not_modelled, {"PyTorch", call.written(call.span())});
  if (!has_routine(call, "triangular_solve_cpu", a.dtype)) return {};
  Dims sizes = *batch;
  sizes.push_back(matrix_rows(b));
  sizes.push_back(matrix_columns(b));
  return one_result(call, a.dtype, by_columns(sizes));
}

/// What the older functions ask of both sides, and the layout of what they give. Nothing: the call failed.
std::optional<Layout> solved_layout(Call& call, const Tensor& b, const Tensor& a, const char* letter,
                                    const std::string& before) {
  for (const Tensor* one : {&b, &a})
    if (const int rank = one->layout.rank(); rank < 2)
      return call.fail("RuntimeError",
                       {before, before.empty() ? "" : "Expected ", one == &b ? "b" : letter,
                        before.empty() ? " should have at least 2 dimensions, but has "
                                       : " to have at least 2 dimensions, but it has ",
                        rank, " dimensions instead"},
                       Msg::needs_rank, {2, rank}),
             std::nullopt;
  if (a.dtype != b.dtype)
    return call.fail("RuntimeError",
                     {"Expected b and A to have the same dtype, but found b of type ", scalar_type_name(b.dtype),
                      " and A of type ", scalar_type_name(a.dtype), " instead."},
                     Msg::dtypes_differ, {name(a.dtype), name(b.dtype)}),
           std::nullopt;
  const int64_t rows = matrix_rows(a), columns = matrix_columns(a), n = matrix_rows(b);
  if (rows != columns)
    return call.fail("RuntimeError",
                     {"A must be batches of square matrices, but they are ", rows, " by ", columns, " matrices"},
                     Msg::matrix_not_square, {rows, columns}),
           std::nullopt;
  if (n != columns)
    return call.fail(
               "RuntimeError",
               {"Incompatible matrix sizes for ", before.empty() ? "cholesky_solve" : "triangular_solve",
                ": each A matrix is ", rows, " by ", rows, " but each b matrix is ", n, " by ", matrix_columns(b)},
               Msg::matrix_equation, {columns, n}),
           std::nullopt;
  auto sizes = broadcast_sizes(call, stacked(b, {}), stacked(a, {}));
  if (!sizes) return std::nullopt;
  sizes->push_back(n);
  sizes->push_back(matrix_columns(b));
  return by_columns(*sizes);
}

Value cholesky_solve_row(Call& call) {
  const Tensor& b = call.self();
  const auto layout = solved_layout(call, b, *call.tensor("input2")->tensor, "u", "");
  return layout && has_routine(call, "cholesky_solve_cpu", b.dtype) ? one_result(call, b.dtype, *layout) : Value{};
}

/// The solution, and a copy of what it was solved by.
Value older_triangular_row(Call& call) {
  const Tensor &b = call.self(), &a = *call.tensor("A")->tensor;
  const auto layout = solved_layout(call, b, a, "A", "torch.triangular_solve: ");
  if (!layout || !has_routine(call, "triangular_solve_cpu", b.dtype)) return {};
  Dims sizes = layout->sizes;
  sizes[sizes.size() - 1] = matrix_rows(a);
  return named_results(call, {{b.dtype, *layout}, {b.dtype, by_columns(sizes)}});
}

Value lu_solve_row(Call& call) {
  const bool older = call.name().find("linalg") == std::string_view::npos;
  const Tensor &lu = *call.tensor(older ? "LU_data" : "LU")->tensor, &b = *call.tensor(older ? "input" : "B")->tensor,
               &pivots = *call.tensor(older ? "LU_pivots" : "pivots")->tensor;
  constexpr std::string_view whole = "torch.linalg.lu_solve", which = whole.substr(6);
  const bool left = older || call.boolean("left");
  const char* const factors = older ? "LU_data" : "LU";
  if (is_whole(lu.dtype))
    return call.about(factors).fail(
        "RuntimeError",
        {whole, ": Expected a floating point or complex tensor as input. Got ", scalar_type_name(lu.dtype)},
        Msg::floats_needed, {name(lu.dtype)});
  if (lu.dtype != b.dtype)
    return call.fail("RuntimeError",
                     {which, ": Expected LU and B to have the same dtype, but found LU of type ",
                      scalar_type_name(lu.dtype), " and B of type ", scalar_type_name(b.dtype), " instead"},
                     Msg::dtypes_differ, {name(lu.dtype), name(b.dtype)});
  if (pivots.dtype != DType::int32)
    return call.about(older ? "LU_pivots" : "pivots")
        .fail("RuntimeError", {which, ": pivots should be a Tensor of scalar type torch.int32"}, Msg::argument_has_type,
              {older ? "LU_pivots" : "pivots", "int32", name(pivots.dtype)});
  if (!check_matrices(call, lu, factors, "A", {.which = whole}) ||
      !check_matrices(call, b, older ? "input" : "B", "B", {.which = which, .square = false}) ||
      !check_equation(call, which, lu, b, left))
    return {};
  auto sizes = broadcast_sizes(call, stacked(b, {}), stacked(lu, {}));
  if (!sizes || !has_routine(call, "linalg.lu_solve_cpu", lu.dtype)) return {};
  sizes->push_back(matrix_rows(b));
  sizes->push_back(matrix_columns(b));
  return one_result(call, b.dtype, left ? by_columns(*sizes) : contiguous(*sizes));
}

Value power_row(Call& call) {
  const Tensor& given = call.self();
  int64_t power = call.integer("n");
  if (call.failed() || !check_matrices(call, given, "input", "A", {.which = "linalg.matrix_power", .floating = false}))
    return {};
  if (power == INT64_MIN) return call.refuse(Msg::beyond_int64);
  call.why(Msg::matrix_power, {power, matrix_columns(given)});
  const size_t said = call.said();
  if (power == 0)
    return call.fresh(given.dtype, contiguous(given.layout.sizes), identity_contents(given.layout.sizes, given.dtype));
  Value base{call.self_ref()};
  if (power < 0) {
    const Checked asked{.which = "linalg.inv", .half = false};
    if (!check_matrices(call, given, "input", "A", asked) || !check_invertible(call, given, asked.which)) return {};
    const Value inverse = reckoned_by_lapack(call, given.dtype, by_columns(given.layout.sizes));
    if (power == -1 || call.failed()) return inverse;
    base = inverse;
    power = -power;
  }
  if (power == 1) return call.copy(given, contiguous(given.layout.sizes), given.dtype);
  const auto times = [&](const Value& a, const Value& b) -> Value {
    if (call.failed()) return {};
    call.unsay(said);  // of what is made on the way
    return matmul(call, *tensor_of(a), *tensor_of(b));
  };
  return power_of(base, power, times);
}

Value matrix_rank_row(Call& call) {
  const Tensor& tensor = call.self();
  if (is_whole(tensor.dtype) || itemsize(tensor.dtype) == 2)
    return call.fail("RuntimeError", "This function doesn't handle types other than float and double",
                     Msg::function_refuses, {"matrix_rank", name(tensor.dtype)});
  if (!check_matrices(call, tensor, "input", "input", {.which = "torch.linalg.matrix_rank", .square = false}) ||
      !check_finite(call, tensor))
    return {};
  return one_result(call, DType::int64, contiguous(stacked(tensor, {})));
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
  return one_result(call, tensor.dtype, contiguous(stacked(tensor, {matrix_columns(tensor), matrix_rows(tensor)})));
}

}  // namespace

std::span<const Op> torch_equation_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "torch.linalg.solve(A: tensor, B: tensor, *, left: bool = True)", Msg::op_solve, "A @ y = B",
       "x = torch.eye(3)\ny = torch.linalg.solve(x, torch.ones(3, 2))", solve_row},
      {Library::torch, "torch.linalg.solve_ex(A: tensor, B: tensor, *, left: bool = True, check_errors: bool = False)",
       Msg::op_solve, "(result, info): A @ result = B, info is 0 where there is one",
       "x = torch.eye(3)\ny, info = torch.linalg.solve_ex(x, torch.ones(3, 2))", solve_row},
      {Library::torch,
       "torch.cholesky_solve(input: tensor, input2: tensor, upper: bool = False)\nx.cholesky_solve(input2: tensor, "
       "upper: "
       "bool = False)",
       Msg::op_solve, "L @ L.mH @ y = x", "x = torch.ones(3, 2)\ny = torch.cholesky_solve(x, torch.eye(3))",
       cholesky_solve_row},
      {Library::torch,
       "torch.triangular_solve(input: tensor, A: tensor, upper: bool = True, transpose: bool = False, unitriangular: "
       "bool "
       "= False)\nx.triangular_solve(A: tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = "
       "False)",
       Msg::op_solve, "(solution, cloned_coefficient): A @ solution = x",
       "x = torch.ones(3, 2)\ny = torch.triangular_solve(x, torch.eye(3)).solution", older_triangular_row},
      {Library::torch,
       "torch.linalg.lu_solve(LU: tensor, pivots: tensor, B: tensor, *, left: bool = True, adjoint: bool = False)",
       Msg::op_solve, "A @ y = B, of A's LU and pivots",
       "x = torch.eye(3)\nlu, pivots = torch.linalg.lu_factor(x)\ny = torch.linalg.lu_solve(lu, pivots, torch.ones(3, "
       "2))",
       lu_solve_row},
      {Library::torch,
       "torch.lu_solve(input: tensor, LU_data: tensor, LU_pivots: tensor)\nx.lu_solve(LU_data: tensor, LU_pivots: "
       "tensor)",
       Msg::op_solve, "A @ y = B, of A's LU and pivots",
       "x = torch.eye(3)\nlu, pivots = torch.linalg.lu_factor(x)\ny = torch.lu_solve(torch.ones(3, 2), lu, pivots)",
       lu_solve_row},
      {Library::torch,
       "torch.linalg.solve_triangular(input: tensor, B: tensor, *, upper: bool, left: bool = True, unitriangular: "
       "bool = False)",
       Msg::op_solve, "A @ y = B, A being 0 on one side of its diagonal",
       "x = torch.eye(3)\ny = torch.linalg.solve_triangular(x, torch.ones(3, 2), upper=True)", triangular_row},
      {Library::torch,
       "torch.linalg.matrix_power(input: tensor, n: int)\ntorch.matrix_power(input: tensor, n: int)\nx.matrix_power(n: "
       "int)",
       Msg::op_matrix_power, "x @ x @ .. n times; of its inverse where n < 0",
       "x = torch.tensor([[1, 1], [1, 0]])\ny = torch.linalg.matrix_power(x, 8)", power_row},
      {Library::torch, "torch.linalg.matrix_rank(input: tensor)", Msg::op_matrix_rank,
       "how many singular values are not about 0", "x = torch.ones(4, 3)\ny = torch.linalg.matrix_rank(x)",
       matrix_rank_row},
      {Library::torch, "torch.linalg.pinv(input: tensor)\ntorch.pinverse(input: tensor)\nx.pinverse()",
       Msg::op_pseudo_inverse, "the inverse where there is one; sizes (.., columns, rows)",
       "x = torch.ones(4, 3)\ny = torch.linalg.pinv(x)", pseudo_inverse_row},
  };
  return rows;
}

}  // namespace stridescope
