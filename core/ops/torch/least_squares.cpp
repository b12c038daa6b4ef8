// Equations that have no solution, or many: what comes nearest to one, by one of four drivers of LAPACK.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ops/rows.h"
#include "ops/torch/lapack.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

const std::string which_lstsq = "torch.linalg.lstsq";

/// Whether the two are as they have to be, looked at in PyTorch's order. False: the call failed.
bool check_sides(Call& call, const Tensor& a, const Tensor& b, bool vectors) {
  const int ranks = a.layout.rank() - b.layout.rank();
  if (a.layout.rank() < 2)
    call.about("input").fail("RuntimeError", {which_lstsq, ": input must have at least 2 dimensions."}, Msg::needs_rank,
                             {2, a.layout.rank()});
  else if (b.layout.rank() < 1)
    call.about("b").fail("RuntimeError", {which_lstsq, ": other must have at least 1 dimension."}, Msg::needs_rank,
                         {1, b.layout.rank()});
  else if (a.dtype != b.dtype)
    call.about("b").fail("RuntimeError",
                         {which_lstsq, ": Expected input and other to have the same dtype, but got input's dtype ",
                          scalar_type_name(a.dtype), " and other's dtype ", scalar_type_name(b.dtype)},
                         Msg::dtypes_differ, {name(a.dtype), name(b.dtype)});
  else if (ranks < 0 || ranks > 1)
    call.about("b").fail(
        "RuntimeError",
        {which_lstsq, ": input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1"},
        Msg::least_squares_ranks, {a.layout.rank(), b.layout.rank()});
  else if (const int64_t rows = b.layout.sizes[b.layout.rank() - (vectors ? 1 : 2)]; rows != matrix_rows(a))
    call.about("b").fail("RuntimeError",
                         {which_lstsq, ": input.size(-2) should match other.size(-", vectors ? 1 : 2, ")"},
                         Msg::matrix_equation, {matrix_rows(a), rows});
  return !call.failed();
}

/// Which share of the largest singular value one must exceed to count, as the driver reads rcond. Nothing: it is NaN.
std::optional<double> counted_share(Call& call, const std::string& driver, const Tensor& a) {
  const bool narrow = real_of(a.dtype) == DType::float32;
  const double epsilon = narrow ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  if (!call.given("rcond")) return epsilon * static_cast<double>(std::max(matrix_rows(a), matrix_columns(a)));
  const double asked = call.real("rcond");
  if (std::isnan(asked)) return std::nullopt;
  return asked < 0 || (driver == "gelsd" && (asked == 0 || asked >= 1)) ? epsilon / 2 : asked;
}

/// Whether the driver gives residuals. Nothing: the call failed, or LAPACK does.
std::optional<bool> gives_residuals(Call& call, const std::string& driver, const Tensor& a, int64_t right_sides) {
  const int64_t m = matrix_rows(a), n = matrix_columns(a);
  const bool singular_values = driver == "gelsd" || driver == "gelss";
  if (driver == "gelsy") return false;
  if (singular_values && m <= n) return check_finite(call, a) ? std::optional(false) : std::nullopt;
  if (!singular_values && right_sides == 0) return m > n;
  const auto share = singular_values ? counted_share(call, driver, a) : 0;
  const auto ranks = share ? ranks_of(call, a, a.dtype, *share) : std::nullopt;
  if (!share) call.refuse(Msg::lapack_decides);
  if (!ranks) return std::nullopt;
  const auto full = [&](int64_t rank) { return rank == std::min(m, n); };
  if (singular_values) return std::all_of(ranks->begin(), ranks->end(), full);
  // Of gels they are known only where all is 0, with which it is content, and where each column counts.
  return m > n;
}

/// Of no gradient: only the solution has one.
void keep_apart(const Value& made) {
  const auto* object = std::get_if<TensorRef>(&made.held);
  if (!object || !(*object)->tensor->requires_grad) return;
  Tensor changed = *(*object)->tensor;
  changed.requires_grad = false;
  changed.is_leaf = true;
  (*object)->tensor = std::make_shared<const Tensor>(std::move(changed));
}

Value least_squares_row(Call& call) {
  const Tensor& a = call.self();
  const Tensor& b = *call.tensor("b")->tensor;
  Dims in_front = a.layout.sizes;
  if (!in_front.empty()) in_front.pop_back();
  const bool vectors = b.layout.rank() == 1 || b.layout.sizes == in_front;
  if (!check_sides(call, a, b, vectors)) return {};
  std::string driver = call.given("driver") ? call.text("driver") : "gelsy";
  std::transform(driver.begin(), driver.end(), driver.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  if (constexpr std::array drivers{"gels", "gelsy", "gelsd", "gelss"};
      std::find(drivers.begin(), drivers.end(), driver) == drivers.end())
    return call.about("driver").fail("RuntimeError",
                                     {which_lstsq, ": parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"},
                                     Msg::matrix_mode, {call.text("driver"), "gels, gelsy, gelsd, gelss"});
  const bool real = a.dtype == DType::float32 || a.dtype == DType::float64;
  if (!call.given("rcond") && !real && !is_complex(a.dtype))
    return call.fail("RuntimeError", "This function doesn't handle types other than float and double",
                     Msg::function_refuses, {"lstsq", name(a.dtype)});

  // The sizes of b in front are taken to be as many as those of a, whatever they are.
  const Dims matrices = stacked(a, {});
  Dims sides = b.layout.sizes;
  const int64_t right_sides = vectors ? 1 : sides.back();
  while (sides.size() > matrices.size()) sides.pop_back();
  const auto batch = broadcast_sizes(call, matrices, sides);
  if (!batch) return {};
  Dims copied = *batch, given = b.layout.sizes;
  copied.push_back(matrix_rows(a));
  copied.push_back(right_sides);
  if (vectors) given.push_back(1);
  if (const auto both = broadcast_sizes(call, copied, given); !both)
    return {};
  else if (*both != copied)
    return call.refuse(Msg::not_modelled, {"PyTorch", call.written(call.span())});
  if (!has_routine(call, "linalg_lstsq_cpu", a.dtype)) return {};
  const int64_t m = matrix_rows(a), n = matrix_columns(a), longer = std::max(m, n), least = std::min(m, n);
  const bool singular_values = driver == "gelsd" || driver == "gelss";
  const int64_t solved = numel(*batch).value_or(0);
  if (singular_values && solved == 0 && numel(matrices) != 0) return call.refuse(Msg::lapack_decides);
  if (driver == "gelsd" && right_sides == 0 && least > 0 && solved != 0)
    return call.refuse(Msg::not_modelled, {"PyTorch", call.written(call.span())});
  const auto residuals = gives_residuals(call, driver, a, right_sides);
  if (!residuals) return {};

  const auto sized = [](Dims sizes, std::initializer_list<int64_t> more) {
    for (const int64_t size : more) sizes.push_back(size);
    return sizes;
  };
  const Dims buffer = vectors ? sized(*batch, {longer}) : sized(*batch, {longer, right_sides});
  fresh_layout(call, buffer, a.dtype);  // which may be more than memory is counted in
  if (call.failed()) return {};
  Layout solution = vectors ? contiguous(buffer) : by_columns(buffer);
  solution.sizes[batch->size()] = n;
  const int64_t cells = *numel(buffer);
  const DType lengths = real_of(a.dtype);
  const Dims nothing{0};
  const ContentsPtr written =
      m == 0 ? constant_contents(integer_scalar(0, a.dtype), cells) : lapack_contents(call, a.dtype, cells);
  const Value made = named_results(call, {{a.dtype, solution, written},
                                          {lengths, contiguous(*residuals ? sized(*batch, {right_sides}) : nothing)},
                                          {DType::int64, contiguous(driver == "gels" ? nothing : matrices)},
                                          {lengths, contiguous(singular_values ? sized(matrices, {least}) : nothing)}});
  if (call.failed()) return {};
  call.why(Msg::least_squares_rows, {longer, n, cells});
  call.why(Msg::least_squares_driver, {driver});
  const auto& items = *std::get<Sequence>(made.held).items;
  std::for_each(items.begin() + 1, items.end(), keep_apart);
  return made;
}

}  // namespace

std::span<const Op> torch_least_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "torch.linalg.lstsq(input: tensor, b: tensor, rcond: float = None, *, driver: str = None)",
       Msg::op_least_squares,
       "(solution, residuals, rank, singular_values): solution makes |input @ solution - b| smallest",
       "x = torch.tensor([[1., 0], [1, 1], [1, 2]])\ny = torch.linalg.lstsq(x, torch.ones(3, 2)).solution",
       least_squares_row},
  };
  return rows;
}

}  // namespace stridescope
