// How long vectors are: the norms of everything or of each line of a dimension, and what is divided by them.
#include <algorithm>
#include <cmath>

#include "ops/number.h"
#include "ops/rows.h"
#include "ops/torch/lapack.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/nn/moments.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/reduction.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// What torch.linalg.norm asks of its dims. False: the call failed.
bool check_dims(Call& call, const Dims& dims, bool word) {
  const int rank = call.self().layout.rank();
  if (call.given("dim") && dims.size() != 1 && dims.size() != 2)
    return call.about("dim").fail("RuntimeError",
                                  {"linalg.norm: If dim is specified, it ", word ? "mut" : "must",
                                   " be of length 1 or 2. Got ", list_text(dims)},
                                  Msg::norm_dims, {dims.size()}),
           false;
  if (!call.given("dim") && call.given("p") && rank != 1 && rank != 2)
    return call.about("p").fail(
               "RuntimeError",
               {"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ", rank, "D."},
               Msg::norm_dims, {rank}),
           false;
  return true;
}

/// That norms are of what has fractions; `which` begins the message. False: the call failed.
bool check_elements(Call& call, const Tensor& tensor, const std::string& which) {
  if (!is_whole(tensor.dtype)) return true;
  return call.fail(
             "RuntimeError",
             {which, "Expected a floating point or complex tensor as input. Got ", scalar_type_name(tensor.dtype)},
             Msg::floats_needed, {name(tensor.dtype)}),
         false;
}

bool is_pair(const Value& value) { return std::holds_alternative<ComplexFloat>(value.held); }

Value refuse_pair(Call& call, const Value& order, const std::string& which) {
  return call.about("p").fail("RuntimeError", {which, "Expected a non-complex scalar as the order of norm."},
                              Msg::argument_has_type, {"p", "float", type_name(order)});
}

/// What PyTorch asks of the matrices in a tensor and of their dims; `half`: whether the norm takes half precision.
/// False: the call failed.
bool check_matrix(Call& call, const Tensor& tensor, bool half) {
  const std::string which = "linalg.matrix_norm: ";
  if (tensor.layout.rank() < 2)
    return call.about_receiver().fail("RuntimeError", {which, "The input tensor A must have at least 2 dimensions."},
                                      Msg::needs_rank, {2, tensor.layout.rank()}),
           false;
  if (!check_elements(call, tensor, which)) return false;
  if (!half && itemsize(tensor.dtype) == 2)
    return call.fail("RuntimeError",
                     {which, "Low precision dtypes not supported. Got ", scalar_type_name(tensor.dtype)},
                     Msg::function_refuses, {"norm", name(tensor.dtype)}),
           false;
  const Dims written = call.given("dim") ? call.ints("dim") : all_dims(tensor);
  if (written.size() != 2) {
    std::string list;
    for (const int64_t dim : written) list += (list.empty() ? "" : " ") + std::to_string(dim);
    return call.about("dim").fail("RuntimeError", {which, "dim must be a 2-tuple. Got ", list}, Msg::norm_dims,
                                  {written.size()}),
           false;
  }
  const Dims dims = call.given("dim") ? call.dims("dim") : written;
  if (!call.failed() && dims[0] == dims[1])
    call.about("dim").fail("RuntimeError", {which, "dims must be different. Got (", dims[0], ", ", dims[1], ")"},
                           Msg::dim_repeated, {dims[0]});
  return !call.failed();
}

/// Of a matrix, what the columns' absolute values sum up to at most, or at least; of the rows' where the order is
/// infinite.
Value extreme_sum(Call& call, const Tensor& tensor, double order) {
  const bool most = order > 0, keep = kept_dims(call);
  const auto named = reduced_dims(call);
  if (!named) return {};
  const int summed = static_cast<int>((*named)[std::isinf(order) ? 1 : 0]),
            compared = static_cast<int>((*named)[std::isinf(order) ? 0 : 1]);
  const int64_t columns = tensor.layout.sizes[compared], rows_each = tensor.layout.sizes[summed];
  if (columns == 0)
    return call.fail("IndexError",
                     {most ? "amax" : "amin", "(): Expected reduction dim ",
                      !keep && summed < compared ? compared - 1 : compared, " to have non-zero size."},
                     Msg::reduce_nothing, {Slot{compared, call.axis(compared)}});
  const Rows rows = rows_along(tensor, *named, keep);
  const DType dtype = real_of(tensor.dtype);
  // A row of both goes through the last dimension first.
  const int64_t step = compared < summed ? rows_each : 1, next = compared < summed ? 1 : columns;
  return reduced(call, rows, dtype, [&](int64_t row) {
    double found = most ? -INFINITY : INFINITY;
    for (int64_t i = 0; i < columns && !std::isnan(found); ++i) {
      double sum = 0;
      for (int64_t k = 0; k < rows_each; ++k) {
        const Scalar one = converted(rows.at(row, i * step + k * next), DType::complex128);
        sum += std::hypot(one.real, one.imaginary);
      }
      found = std::isnan(sum) ? sum : most ? std::max(found, sum) : std::min(found, sum);
    }
    return real_scalar(found, dtype);
  });
}

/// Of a matrix, what its singular values come to, which LAPACK reckons. Where the dims are kept, they are put back
/// where they were.
Value singular_norm(Call& call, const Tensor& tensor) {
  const auto named = reduced_dims(call);
  if (!named) return {};
  const Value norms = one_result(call, real_of(tensor.dtype), contiguous(rows_along(tensor, *named, false).sizes));
  if (call.failed() || !kept_dims(call)) return norms;
  const Tensor hidden = *tensor_of(norms);
  Layout seen{Dims::filled(tensor.layout.rank(), 1), Dims::filled(tensor.layout.rank(), 1), 0};
  for (int d = 0, next = 0; d < seen.rank(); ++d) {
    if (d == (*named)[0] || d == (*named)[1]) continue;
    seen.sizes[d] = hidden.layout.sizes[next], seen.strides[d] = hidden.layout.strides[next];
    ++next;
  }
  call.why(Msg::hidden_base);
  const Value kept = call.view(hidden, seen);
  call.relation(Relation::fresh);
  return kept;
}

Value length_row(Call& call) {
  const Tensor tensor = call.self();
  const Value order = parsed_number(number_in(call.value("p")));
  const auto* word = std::get_if<std::string>(&order.held);
  const auto times = as_real(order);
  if (call.given("p") && !word && !is_pair(order) && (!times || tensor_of(order)))
    return call.wrong_type("p", "Number");
  const bool linear = call.name().ends_with("linalg.norm");
  const Dims written = call.given("dim") ? call.ints("dim") : Dims{};
  if (call.failed() || (linear && !check_dims(call, written, word != nullptr))) return {};
  const int axes = call.given("dim") ? written.size() : tensor.layout.rank();
  const bool nuclear = word && *word == "nuc", frobenius = word && *word == "fro",
             unknown = word && !nuclear && !frobenius;
  const bool matrix = nuclear || unknown ||
                      (linear ? call.given("p") && (word || axes == 2) : frobenius && call.given("dim") && axes > 2);
  const std::string which = matrix ? "linalg.matrix_norm: " : "linalg.vector_norm: ";
  // Of a matrix PyTorch looks at what the order is first, of a line at the dtype.
  const bool odd = matrix && times && std::abs(*times) != 1 && std::abs(*times) != 2 && !std::isinf(*times);
  if (unknown || odd)
    return call.about("p").fail(
        "RuntimeError",
        {which, "Order ",
         unknown ? *word
                 : to_string(std::holds_alternative<bool>(order.held) ? Value{as_integer(order).value_or(0)} : order),
         " not supported."},
        Msg::norm_order, {unknown ? *word : to_string(order)});
  if (!matrix && !check_elements(call, tensor, which)) return {};
  if (is_pair(order)) return refuse_pair(call, order, which);
  if (matrix && !check_matrix(call, tensor, !nuclear && !(times && std::abs(*times) == 2))) return {};
  if (matrix && times && std::abs(*times) == 2) {
    const auto both = reduced_dims(call);
    if (!both) return {};
    for (const int64_t d : *both)
      if (tensor.layout.sizes[static_cast<int>(d)] == 0)
        return call.fail("IndexError",
                         {*times > 0 ? "amax" : "amin", "(): Expected reduction dim -1 to have non-zero size."},
                         Msg::reduce_nothing, {Slot{d, call.axis(static_cast<int>(d))}});
  }
  // Of a matrix a number names another norm than of its elements in a line.
  if (matrix && times && std::abs(*times) != 2) return extreme_sum(call, tensor, *times);
  const auto number = word || !call.given("p") ? std::optional(2.0) : times;
  if (!number || (word ? !frobenius : matrix)) return singular_norm(call, tensor);
  const auto dims = reduced_dims(call);
  if (!dims) return {};
  const Rows rows = rows_along(tensor, *dims, kept_dims(call));
  if (!has_norm(call, tensor, *dims, !written.empty(), times ? order : Value{*number})) return {};
  const DType dtype = real_of(tensor.dtype);
  return reduced(call, rows, dtype,
                 [&](int64_t row) { return real_scalar(length_of(rows, row, *number, working_dtype(dtype)), dtype); });
}

/// x over the norm of each line of some dimensions, of a kind of elements that takes part as they lie.
Value normalize_row(Call& call) {
  const Tensor x = call.self();
  const Value& order = call.value("p");
  const auto number = call.given("p") ? as_real(order) : std::optional(2.0);
  if (!number && !is_pair(order)) return call.about("p").refuse(Msg::not_modelled, {"PyTorch", call.name()});
  const std::string which = "linalg.vector_norm: ";
  if (!check_elements(call, x, which)) return {};
  if (is_pair(order)) return refuse_pair(call, order, which);
  const Value least = number_in(call.value("eps"));
  if (tensor_of(least) || !as_real(least)) return call.about("eps").refuse(Msg::not_modelled, {"PyTorch", call.name()});
  const double p = *number, eps = *as_real(least);
  // A tensor is a list of no integers.
  Dims dims = call.given("dim") && !tensor_of(call.value("dim")) ? distinct_dims(call, "dim") : all_dims(x);
  if (call.failed()) return {};
  const Dims& sizes = x.layout.sizes;
  if (dims.empty() || sizes.empty()) dims = all_dims(x);
  const Dims rows = contiguous(sizes).strides;
  Layout divisor = x.layout;
  int64_t size = 1;
  for (const int64_t d : dims) {
    divisor.strides[static_cast<int>(d)] = 0;
    size = times({size, sizes[static_cast<int>(d)]});
  }
  if (size == 0 && dims.size() != 1) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (!has_norm(call, x, dims, true, call.given("p") ? order : Value{p})) return {};
  const Layout layout{sizes, iterator_strides(sizes, std::vector<Layout>{x.layout, divisor}, true), 0};
  if (dims.size() == 1)
    call.why(Msg::normalize_headline, {size, Slot{dims[0], call.axis(static_cast<int>(dims[0]))}, to_string(sizes)});
  else
    call.why(Msg::normalize_headline, {size, to_string(dims), to_string(sizes)});
  if (!is_contiguous(layout)) call.why(Msg::elementwise_layout, {to_string(layout.strides)});
  return reckoned(call, x.dtype, layout, *numel(sizes), [&] {
    std::vector<double> values = doubles_of(call, x);
    const Precision rounded{x.dtype};
    // The first element of the line that element i is in.
    const auto line = [&](size_t i) {
      const int64_t at = static_cast<int64_t>(i);
      int64_t first = at;
      for (const int64_t d : dims) {
        const int k = static_cast<int>(d);
        first -= at / rows[k] % sizes[k] * rows[k];
      }
      return static_cast<size_t>(first);
    };
    std::vector<double> norms(values.size(), std::isinf(p) && p < 0 ? INFINITY : 0);
    for (size_t i = 0; i < values.size(); ++i) {
      const double one = std::abs(values[i]);
      double& norm = norms[line(i)];
      if (!std::isinf(p))
        norm += p == 0 ? (one != 0 ? 1 : 0) : rounded(std::pow(one, p));
      else if (!(p > 0 ? one <= norm : one >= norm))
        norm = std::isnan(norm) ? norm : one;
    }
    const auto kept = [&](double value) { return rounded_to(x.dtype, value); };
    for (size_t i = 0; i < values.size(); ++i) {
      const double norm = norms[line(i)];
      values[i] /= std::max(kept(std::isinf(p) || p == 0 ? norm : std::pow(norm, 1 / p)), kept(eps));
    }
    return values;
  });
}

}  // namespace

/// A number, or those of a list of them.
static std::vector<int64_t> integers_in(const Value& value) {
  std::vector<int64_t> all;
  if (const auto one = as_integer(value)) return {*one};
  for (const Value& part : parts_of(value))
    if (const auto one = as_integer(part)) all.push_back(*one);
  return all;
}

bool has_norm(Call& call, const Tensor& tensor, const Dims& along, bool named, const Value& order) {
  const double p = *as_real(order);
  const auto whole = as_integer(order);
  if (p >= 0 && !std::isinf(p)) return true;
  const auto written = named && call.given("dim") ? integers_in(call.value("dim")) : std::vector<int64_t>();
  for (int k = 0; k < along.size(); ++k) {
    const int64_t d = along[k];
    if (tensor.layout.sizes[static_cast<int>(d)] != 0) continue;
    const int64_t shown = static_cast<size_t>(k) < written.size() ? written[static_cast<size_t>(k)] : d;
    const std::string which = named ? "the dimension " + std::to_string(shown) + "because this dimension is empty and"
                                    : "an empty tensor because";
    return call.fail("RuntimeError",
                     {"linalg.vector_norm cannot compute the ", whole ? std::to_string(*whole) : general(p),
                      " norm on ", which, " the operation does not have an identity"},
                     Msg::reduce_nothing, {d}),
           false;
  }
  return true;
}

std::span<const Op> torch_length_rows() {
#define KEPT "dim: int | ints = None, keepdim: bool = False)"
  static constexpr Op rows[] = {
      {Library::torch,
       "x.norm(p: any = 'fro', " KEPT "\ntorch.norm(input: tensor, p: any = 'fro', " KEPT
       "\ntorch.linalg.norm(input: tensor, ord: any = None, " KEPT
       "\ntorch.linalg.vector_norm(input: tensor, ord: number = 2, " KEPT,
       Msg::op_length, "(sum of |x[i]| ** p) ** (1 / p), the root of the sum of squares unless p is given",
       "x = torch.arange(6.)\ny = x.norm()", length_row},
      {Library::torch,
       "torch.nn.functional.normalize(input: tensor, p: number | str | None = 2.0, dim: int | ints | None = "
       "1, eps: float | tensor = 1e-12)",
       Msg::op_norm, "y = x / max(norm of its line, eps)",
       "import torch.nn.functional as F\nx = torch.arange(16.).view(1, 2, 2, 4)\ny = F.normalize(x, dim=-1)",
       normalize_row},
  };
#undef KEPT
  return rows;
}

}  // namespace stridescope
