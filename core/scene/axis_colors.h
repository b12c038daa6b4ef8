// Which colour a dimension has. It keeps the one it came with through permute, slice and expand, so that it can be
// followed by eye; a dimension that is new gets one that the others do not have.
#pragma once
#include <map>

#include "ops/trace.h"

namespace stridescope {

class AxisColors {
 public:
  /// Follows every tensor of the trace up to and with step `last`.
  AxisColors(const Trace& trace, int last);
  /// A number per dimension; those of a tensor that no operation made are 0, 1, 2 ..
  Dims of(const Tensor& tensor) const;

 private:
  std::map<int, Dims> by_object_;
};

/// The colours of `to`'s dimensions where those of `from` are `colors`: equal stride and size first, then, unless
/// dimensions were `regrouped` (view, reshape), equal stride (a shorter slice) and equal place (a step, an expansion).
/// @post  no two dimensions have the same colour
Dims inherited_colors(const Layout& from, const Dims& colors, const Layout& to, bool regrouped);

}  // namespace stridescope
