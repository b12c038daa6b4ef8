// Each line of a dimension as shares of a whole: softmax, its logarithm, and the logarithm of the whole.
#include <algorithm>
#include <cmath>
#include <complex>

#include "ops/fold.h"
#include "ops/members.h"
#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/reduction.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// What F.softmax takes where no dim is given.
int implied_dim(int rank) { return rank == 0 || rank == 1 || rank == 3 ? 0 : 1; }

/// Python's F.softmax asks what it is given for its dim(), then for its softmax().
bool answers_itself(Call& call, std::string_view function) {
  const Value& given = call.first();
  if (const TensorPtr tensor = tensor_of(given); tensor && tensor->library == Library::torch) return true;
  const bool negated = function == "softmin";
  const std::string type = attribute_type(given), member(!call.given("dim") ? "dim" : negated ? "softmax" : function);
  if (negated && call.given("dim") && !as_real(given))
    return call.about(given).fail_parser({"bad operand type for unary -: '", type, "'"}, Msg::argument_has_type,
                                         {"input", "tensor", type}),
           false;
  call.about(given).fail("AttributeError", {"'", type, "' object has no attribute '", member, "'"},
                         Msg::attribute_unknown, {type, member});
  return false;
}

}  // namespace

Value shares_along(Call& call, const Tensor& tensor, int d, DType dtype, bool logarithm) {
  const int rank = tensor.layout.rank();
  const int64_t count = *numel(tensor.layout.sizes);
  if (!is_floating(dtype) && count > 0) {
    const bool last = rank == 0 || d == rank - 1;
    const std::string kernel = !last       ? "softmax_kernel_impl"
                               : logarithm ? "log_softmax_lastdim_kernel_impl"
                                           : "softmax_lastdim_kernel_impl";
    return no_kernel(call, kernel, dtype);
  }
  const Layout packed = fresh_layout(call, tensor.layout.sizes, dtype);
  if (call.failed()) return {};
  const auto explain = [&] {
    call.why(logarithm ? Msg::log_softmax_headline : Msg::softmax_headline,
             {rank == 0 ? 1 : packed.sizes[d], Slot{d, call.axis(tensor, d)}});
    if (dtype != tensor.dtype) call.why(Msg::reduce_dtype, {name(tensor.dtype), name(dtype)});
  };
  if (count > most_folded || !is_quick(elements_of(tensor), count)) {
    explain();
    return call.fresh(dtype, packed, call.unreckoned(dtype, count, INT64_MAX));
  }
  const int64_t size = rank == 0 ? 1 : packed.sizes[d], step = rank == 0 ? 1 : packed.strides[d];
  const Elements elements = elements_of(tensor);
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(as_real(converted(element(elements, i), dtype)));
  std::vector<Scalar> results(numbers.size());
  // Of other dimensions than the last the powers stand in the result until they are divided by their sum as it was
  // before.
  const DType kept = rank > 0 && d != rank - 1 ? dtype : working_dtype(dtype);
  // A line that lies packed is summed in the lanes of a vector, a logarithm's in float32 unless it is wider.
  const size_t lanes = rank > 0 && d != rank - 1 ? 1 : dtype == DType::float64 ? 4 : 8;
  const auto held = [&](double value) { return real_scalar(value, working_dtype(dtype)).real; };
  for (int64_t first = 0; first < count; ++first) {
    if (first / step % size != 0) continue;
    const auto at = [&](int64_t k) { return static_cast<size_t>(first + k * step); };
    // Less the largest, so that no power is too large.
    double most = -INFINITY, sum = 0;
    for (int64_t k = 0; k < size; ++k) most = std::max(most, numbers[at(k)]);
    const auto power = [&](int64_t k) { return real_scalar(std::exp(numbers[at(k)] - most), kept).real; };
    std::vector<double> lane(lanes);
    for (int64_t k = 0; k < size; ++k) {
      double& summed = lane[static_cast<size_t>(k) % lanes];
      const double sums = summed + held(std::exp(numbers[at(k)] - most));
      summed = logarithm ? held(sums) : sums;
    }
    for (const double summed : lane) sum = logarithm ? held(sum + summed) : sum + summed;
    // Of a line that lies packed the logarithm's sum is kept as what the elements are.
    const auto stored = [&](double value) { return lanes > 1 ? real_scalar(value, dtype).real : held(value); };
    for (int64_t k = 0; k < size; ++k) {
      const double above = numbers[at(k)] - most, share = power(k) / sum;
      results[at(k)] = real_scalar(logarithm ? above - stored(std::log(stored(sum))) : share, dtype);
    }
  }
  explain();
  return call.fresh(dtype, packed, literal_contents(results, dtype));
}

namespace {

Value softmax_row(Call& call) {
  if (!answers_itself(call, call.name().substr(call.name().rfind('.') + 1))) return {};
  const bool negated = call.name().ends_with("softmin");
  const TensorPtr source = tensor_of(negated ? on_the_way(call, "neg", {&call.first()}) : call.first());
  if (!source) return {};
  const Tensor tensor = *source;
  const int d = call.given("dim") ? call.dim("dim") : implied_dim(tensor.layout.rank());
  const DType dtype = call.dtype("dtype").value_or(tensor.dtype);
  return call.failed() ? Value{} : shares_along(call, tensor, d, dtype, call.name().ends_with("log_softmax"));
}

/// Less the largest, so that no power is too large; what is infinite is not taken off.
Value logsumexp_row(Call& call) {
  const Tensor tensor = call.self();
  const DType dtype = is_whole(tensor.dtype) ? call.default_dtype() : tensor.dtype;
  const auto dims = reduced_dims(call);
  const bool keep = kept_dims(call);
  // Of no dims all are summed up, and none is taken from what is taken off.
  const Dims ones = Dims::filled(tensor.layout.rank(), 1);
  if (const auto* named = std::get_if<Sequence>(&call.value("dim").held);
      named && named->items->empty() && !keep && !ones.empty() && *numel(tensor.layout.sizes) > 0)
    return call.about("dim").fail("RuntimeError",
                                  {"output with shape [] doesn't match the broadcast shape ", list_text(ones)},
                                  Msg::write_value_shape, {to_string(ones), "()"});
  if (!dims) return {};
  const Rows rows = rows_along(tensor, *dims, keep);
  return reduced(call, rows, dtype, [&](int64_t row) {
    double most = -INFINITY;
    for (int64_t k = 0; k < rows.each; ++k) {
      const double value = converted(rows.at(row, k), DType::complex128).real;
      most = std::isnan(most) || std::isnan(value) ? NAN : std::max(most, value);
    }
    if (std::isinf(most)) most = 0;
    std::complex<double> sum = 0;
    for (int64_t k = 0; k < rows.each; ++k) {
      const Scalar one = converted(rows.at(row, k), DType::complex128);
      sum += one.imaginary == 0 ? std::exp(one.real - most) : std::exp(std::complex(one.real - most, one.imaginary));
    }
    if (!is_complex(dtype)) return real_scalar(std::log(sum.real()) + most, dtype);
    const auto result = std::log(sum) + most;
    return converted({DType::complex128, 0, result.real(), result.imag()}, dtype);
  });
}

}  // namespace

std::span<const Op> torch_softmax_rows() {
#define ROW(name, law)                                                                                            \
  {Library::torch,                                                                                                \
   "x." name "(dim: int, dtype: dtype = None)\ntorch." name "(input: tensor, dim: int, dtype: dtype = None)",     \
   Msg::op_softmax,                                                                                               \
   law,                                                                                                           \
   "x = torch.arange(6.).view(2, 3)\ny = x." name "(1)",                                                          \
   softmax_row},                                                                                                  \
  {                                                                                                               \
    Library::torch,                                                                                               \
        "torch.nn.functional." name "(input: any, dim: int = None, _stacklevel: any = 3, dtype: dtype = None)",   \
        Msg::op_softmax, law,                                                                                     \
        "import torch.nn.functional as F\nx = torch.arange(6.).view(2, 3)\ny = F." name "(x, dim=1)", softmax_row \
  }
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.nn.functional.softmin(input: any, dim: int = None, _stacklevel: any = 3, dtype: "
       "dtype = None)",
       Msg::op_softmax, "y[i] = exp(-x[i]) / sum of exp(-x) along dim; packed",
       "import torch.nn.functional as F\nx = torch.arange(6.).view(2, 3)\ny = F.softmin(x, dim=1)", softmax_row},
      ROW("softmax", "y[i] = exp(x[i]) / sum of exp(x) along dim; packed"),
      ROW("log_softmax", "y[i] = x[i] - log(sum of exp(x) along dim); packed"),
      {Library::torch,
       "x.logsumexp(dim: int | ints, keepdim: bool = False)\n"
       "torch.logsumexp(input: tensor, dim: int | ints, keepdim: bool = False)",
       Msg::op_logsumexp, "log(sum of exp(x) along dim)", "x = torch.arange(6.).view(2, 3)\ny = x.logsumexp(1)",
       logsumexp_row}};
#undef ROW
  return rows;
}

}  // namespace stridescope
