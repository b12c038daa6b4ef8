// PyTorch's rules that several rows share.
#pragma once
#include <optional>
#include <string>

#include "layout/transform.h"
#include "layout/view.h"
#include "ops/call.h"

namespace stridescope {

/// A packed tensor of those sizes; fails where a size is negative or the number of bytes leaves int64_t.
Layout fresh_layout(Call& call, const Dims& sizes, DType dtype, MemoryFormat format = MemoryFormat::contiguous);

/// The requested sizes with -1 resolved, or the call failed in torch's words.
Dims resolved_sizes(Call& call, const Tensor& tensor, const Dims& requested);

/// The receiver under other sizes without moving elements; where that cannot be, fails as view() does, with the pair
/// of dimensions, the numbers and what would work.
Value view_as_sizes(Call& call, const Dims& requested);
/// The same, but copies where no view can be.
Value reshape_to_sizes(Call& call, const Dims& requested);

/// The contiguity walk in words, one line a dimension from right to left; nothing after the first mismatch.
void explain_contiguity(Call& call, const Tensor& tensor);

/// numel(tensor) * item size.
int64_t bytes_of(const Tensor& tensor);

}  // namespace stridescope
