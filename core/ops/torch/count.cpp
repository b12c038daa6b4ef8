// How often each number occurs: bincount.
#include <algorithm>

#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

Value bincount_row(Call& call) {
  const Tensor tensor = call.self();
  int64_t length = call.integer("minlength");
  if (!is_integer(tensor.dtype) || (is_unsigned(tensor.dtype) && itemsize(tensor.dtype) > 1))
    return no_kernel(call, "bincount_cpu", tensor.dtype);
  if (length < 0)
    return call.about("minlength").fail("RuntimeError", "minlength should be >= 0", Msg::np_negative_size, {length});
  const int64_t count = *numel(tensor.layout.sizes);
  if (count > most_folded) return call.refuse(Msg::too_many_summed, {count, most_folded});
  const Elements elements = elements_of(tensor);
  if (!call.quick(elements, count)) return {};
  bool fits = tensor.layout.rank() == 1;
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < count && fits; ++i) {
    numbers.push_back(element(elements, i).integer);
    fits = numbers.back() >= 0;
    length = std::max(length, numbers.back() == INT64_MAX ? INT64_MAX : numbers.back() + 1);
  }
  if (!fits)
    return call.about_receiver().fail("RuntimeError", "bincount only supports 1-d non-negative integral inputs.",
                                      Msg::bincount_input, {to_string(tensor.layout.sizes)});
  const TensorPtr weights = count > 0 ? tensor_of(call.value("weights")) : nullptr;
  if (weights && weights->layout.sizes != tensor.layout.sizes)
    return call.about("weights").fail("RuntimeError", "weights should be 1-d and have the same length as input",
                                      Msg::bincount_weights, {to_string(weights->layout.sizes), count});
  if (length > most_folded) return call.refuse(Msg::too_many_summed, {length, most_folded});
  const DType dtype = !weights ? DType::int64 : weights->dtype == DType::float32 ? DType::float32 : DType::float64;
  std::vector<Scalar> sums(static_cast<size_t>(length), Scalar{dtype});
  for (int64_t i = 0; i < count; ++i) {
    Scalar& sum = sums[static_cast<size_t>(numbers[static_cast<size_t>(i)])];
    if (weights)
      sum = real_scalar(sum.real + converted(element(elements_of(*weights), i), DType::float64).real, dtype);
    else
      ++sum.integer;
  }
  call.why(Msg::bincount_headline, {length});
  return call.fresh(dtype, contiguous({length}), literal_contents(sums, dtype));
}

}  // namespace

std::span<const Op> torch_count_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.bincount(input: tensor, weights: tensor = None, minlength: int = 0)\n"
       "x.bincount(weights: tensor = None, minlength: int = 0)",
       Msg::op_bincount, "y[n] = how often n occurs in x, or the sum of the weights there",
       "y = torch.bincount(torch.tensor([0, 1, 1, 3]))", bincount_row},
  };
  return rows;
}

}  // namespace stridescope
