// What several operations say of a layout in the same words: whether it is packed, and where its strides come from.
#pragma once
#include "layout/view.h"
#include "ops/call.h"

namespace stridescope {

/// The walk that decides whether `tensor` is packed in an order of its dimensions, fastest first: one line a dimension
/// with its stride and what it would have to be; nothing after the first mismatch.
void explain_packed(Call& call, const Tensor& tensor, const Dims& order);

/// In row-major order; of a tensor of PyTorch's without elements, that this is enough.
void explain_contiguity(Call& call, const Tensor& tensor);

/// Where the strides of `layout`, the same elements under other sizes, come from: of each new dimension that is stepped
/// over, the length of the next one or the stride of an old one.
void explain_strides(Call& call, const Tensor& tensor, const Layout& layout);

/// "2, 3": numbers inside a sentence or a call.
std::string listed(const Dims& numbers);

/// Whether one of the new dimensions spans the joint: reads its outer dimension as the continuation of its inner one.
bool is_spanned(const Layout& layout, const Joint& joint, const Dims& sizes);

}  // namespace stridescope
