// The rows of the operation table, grouped by idea; each group is a file.
#pragma once
#include <span>

#include "ops/op.h"

namespace stridescope {

std::span<const Op> torch_create_rows();  ///< arange, zeros, tensor, ..
std::span<const Op> torch_shape_rows();   ///< view, reshape, flatten, ..
std::span<const Op> torch_dims_rows();    ///< permute, expand, squeeze, ..

}  // namespace stridescope
