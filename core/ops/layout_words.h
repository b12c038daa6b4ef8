// What several operations say of a layout in the same words: whether it is packed, which cells its elements share, and
// what storage it keeps alive.
#pragma once
#include "ops/call.h"

namespace stridescope {

/// The walk that decides whether `tensor` is packed in an order of its dimensions, fastest first: one line a dimension
/// with its stride and what it would have to be; nothing after the first mismatch.
void explain_packed(Call& call, const Tensor& tensor, const Dims& order);

/// In row-major order; of a tensor without elements, that this is enough.
void explain_contiguity(Call& call, const Tensor& tensor);

/// Where elements of `tensor` read through `layout` share cells: how many there are of each, and which writes are
/// refused.
void explain_sharing(Call& call, const Tensor& tensor, const Layout& layout);

/// Where `layout` leaves cells of the tensor's storage out: what keeping it costs.
void explain_kept(Call& call, const Tensor& tensor, const Layout& layout);

}  // namespace stridescope
