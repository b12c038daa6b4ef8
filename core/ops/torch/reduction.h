// What reductions along dimensions share: which dimensions they are asked for, and the tensor of the results.
#pragma once
#include <functional>
#include <optional>

#include "ops/fold.h"
#include "ops/torch/torch.h"

namespace stridescope {

/// The results of the rows in a packed tensor.
Value reduced(Call& call, const Rows& rows, DType dtype, const std::function<Scalar(int64_t)>& fold);
/// The dimensions to reduce, each once; all where none are named. Nothing where the call failed.
std::optional<Dims> reduced_dims(Call& call);
/// Whether a mean can be of that dtype, `asked` for or the elements' own, or the call failed.
bool check_mean(Call& call, DType dtype, bool asked);
/// The sum, or the mean, along those dimensions, as a new tensor. Nothing where the call failed.
Value total_of(Call& call, const Tensor& tensor, bool mean, const Dims& along);
/// Whether elements have a norm of that order along the dimensions `along`, where those are `named`, or the call failed:
/// of no elements there is none of an order below 0 or infinite.  @pre `order` is a real number
bool has_norm(Call& call, const Tensor& tensor, const Dims& along, bool named, const Value& order);
/// keepdim, where there is one.
bool kept_dims(Call& call);

/// softmax, or its logarithm, of each line along dimension `d`, packed. Nothing where the call failed.
Value shares_along(Call& call, const Tensor& tensor, int d, DType dtype, bool logarithm);

}  // namespace stridescope
