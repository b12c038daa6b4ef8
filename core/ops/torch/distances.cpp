// How far two tensors lie apart, and whether they point the same way: along a dimension, or as a whole.
#include <algorithm>
#include <cmath>

#include "ops/number.h"
#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/reduction.h"

namespace stridescope {
namespace {

/// The norm of that order of what has fractions: along the dimensions `along`, where those are `named`.
Value norm_of(Call& call, const Tensor& tensor, const Dims& along, bool named, bool keep, const Value& order) {
  if (is_whole(tensor.dtype))
    return call.fail("RuntimeError",
                     {"norm(): input dtype should be either floating point or complex. Got ",
                      scalar_type_name(tensor.dtype), " instead."},
                     Msg::floats_needed, {name(tensor.dtype)});
  if (!has_norm(call, tensor, along, named, order)) return {};
  const double p = *as_real(order);
  const Rows rows = rows_along(tensor, along, keep);
  const DType dtype = real_of(tensor.dtype);
  return reduced(call, rows, dtype,
                 [&](int64_t row) { return real_scalar(length_of(rows, row, p, working_dtype(dtype)), dtype); });
}

/// The norms of x1 - x2 + eps along the last dimension.
Value pairwise_row(Call& call) {
  const Value less = on_the_way(call, "sub", {&call.value("x1"), &call.value("x2")}), eps{call.real("eps")};
  const TensorPtr apart = tensor_of(call.failed() ? Value{} : on_the_way(call, "add", {&less, &eps}));
  if (!apart) return {};
  const int rank = apart->layout.rank();
  return norm_of(call, *apart, rank == 0 ? Dims{} : Dims{rank - 1}, true, call.boolean("keepdim"), {call.real("p")});
}

/// The norm of input - other, all of it.
Value dist_row(Call& call) {
  const Value order = parsed_number(number_in(call.value("p")));
  const TensorPtr apart = tensor_of(on_the_way(call, "sub", {&call.first(), &call.value("other")}));
  if (!apart) return {};
  if (!as_real(order))
    return call.about("p").refuse(Msg::not_modelled, {"PyTorch", "dist(p=" + to_string(order) + ")"});
  return norm_of(call, *apart, all_dims(*apart), false, false, order);
}

/// The elements of a row over their length, or over eps where that is shorter; each step in the tensor's own dtype.
std::vector<double> direction(const Rows& rows, int64_t row, DType dtype, double eps) {
  std::vector<double> values;
  double squares = 0;
  for (int64_t k = 0; k < rows.each; ++k) {
    values.push_back(as_real(converted(rows.at(row, k), dtype)));
    squares += values.back() * values.back();
  }
  const auto kept = [&](double value) { return rounded_to(dtype, value); };
  const double length = kept(std::sqrt(in_range(working_dtype(dtype), squares))), least = kept(eps);
  for (double& value : values) value = kept(value / (length >= least || std::isnan(length) ? length : least));
  return values;
}

/// The sum of the products of two directions along a dimension.
Value cosine_row(Call& call) {
  const Tensor first = *call.tensor("x1")->tensor, second = *call.tensor("x2")->tensor;
  TypeVote vote{call};
  vote.add(call.value("x1")), vote.add(call.value("x2"));
  const DType common = vote.result();
  if (!is_floating(common))
    return call.fail("RuntimeError",
                     {"expected common dtype to be floating point, yet common dtype is ", scalar_type_name(common)},
                     Msg::function_refuses, {"cosine_similarity", name(common)});
  const auto sizes = broadcast_sizes(call, first.layout.sizes, second.layout.sizes);
  if (!sizes) return {};
  const int rank = sizes->size(), d = call.wrap(call.integer("dim"), rank);
  if (call.failed()) return {};
  const auto rows_of = [&](Tensor x) {
    x.layout = expand(x.layout, *sizes);
    return rows_along(x, rank == 0 ? Dims{} : Dims{d}, false);
  };
  Rows a = rows_of(first);
  const Rows b = rows_of(second);
  a.unknown |= b.unknown;
  const auto own = [&](const Tensor& x) { return is_whole(x.dtype) ? common : x.dtype; };
  const double eps = call.real("eps");
  return reduced(call, a, common, [&](int64_t row) {
    const std::vector<double> u = direction(a, row, own(first), eps), v = direction(b, row, own(second), eps);
    double sum = 0;
    for (size_t k = 0; k < u.size(); ++k) sum += rounded_to(common, u[k] * v[k]);
    return real_scalar(sum, common);
  });
}

}  // namespace

std::span<const Op> torch_distance_rows() {
#define COSINE "cosine_similarity(x1: tensor, x2: tensor, dim: int = 1, eps: float = 1e-08)"
#define PAIRWISE "pairwise_distance(x1: tensor, x2: tensor, p: float = 2, eps: float = 1e-06, keepdim: bool = False)"
  static constexpr Op rows[] = {
      {Library::torch, "torch.nn.functional." COSINE "\ntorch." COSINE, Msg::op_cosine,
       "sum of x1 / |x1| * x2 / |x2| along dim, each length at least eps",
       "import torch.nn.functional as F\nx = torch.arange(6.).view(2, 3)\ny = F.cosine_similarity(x, x.flip(1))",
       cosine_row},
      {Library::torch, "torch.nn.functional." PAIRWISE "\ntorch." PAIRWISE, Msg::op_distance,
       "(sum of |x1 - x2 + eps| ** p) ** (1 / p) along the last dimension",
       "import torch.nn.functional as F\nx = torch.arange(6.).view(2, 3)\ny = F.pairwise_distance(x, x.flip(0))",
       pairwise_row},
      {Library::torch, "x.dist(other: tensor, p: number = 2)\ntorch.dist(input: tensor, other: tensor, p: number = 2)",
       Msg::op_distance, "(sum of |x - other| ** p) ** (1 / p)", "x = torch.arange(6.)\ny = x.dist(x.flip(0))",
       dist_row},
  };
#undef PAIRWISE
#undef COSINE
  return rows;
}

}  // namespace stridescope
