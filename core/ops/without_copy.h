// What would need no copy where other sizes do: shapes near those asked for, and other orders of operations, found by
// comparing layouts and spelt in the words of the call at hand.
#pragma once
#include "layout/view.h"
#include "ops/call.h"

namespace stridescope {

/// A line of the explanation: how many shapes are views of the layout, and those nearest to `sizes`, of which the first
/// is returned. `order` is that of reading and filling.
/// @pre  the layout has elements
std::optional<Dims> explain_shapes(Call& call, const Layout& layout, const Dims& sizes, Order order = Order::c);

/// Lines of the explanation of a call that copied: the orders of operations that would not have.
void explain_without_copy(Call& call, const Tensor& tensor, const Dims& sizes);

/// Sizes of so many elements that differ from `requested` in one place, as a hint of a call that failed; none where
/// there are no such sizes.
void offer_fitting_sizes(Call& call, const Dims& requested, int64_t count);

/// A shape that is a view, as a hint of a call that failed: the one that explain_shapes() found nearest.
void offer_shape(Call& call, const std::optional<Dims>& sizes);

/// The same after the orders of operations that would not have failed, as hints with a fix each where the call was
/// written as a method or as an assignment.
void offer_without_copy(Call& call, const Tensor& tensor, const Dims& sizes, const std::optional<Dims>& nearest);

}  // namespace stridescope
