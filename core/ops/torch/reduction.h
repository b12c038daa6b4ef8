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
/// keepdim, where there is one.
bool kept_dims(Call& call);

}  // namespace stridescope
