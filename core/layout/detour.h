// Where no view has the sizes asked for: other orders of operations that need no copy, and what they do differently.
//
// If strides for the requested sizes existed, view would have found them. So whatever else gives these sizes without a
// copy reads the same cells in another order; whoever takes it must know from where on the order differs.
#pragma once
#include <vector>

#include "layout/layout.h"

namespace stridescope {

/// permute(before), view(viewed), permute(after): the requested sizes without a copy. One of the two permutations is
/// the identity.
struct Detour {
  Dims before;    ///< of the layout's dimensions
  Dims viewed;    ///< the sizes that are asked of view
  Dims after;     ///< of the new dimensions
  Layout layout;  ///< what comes of it
  friend bool operator==(const Detour&, const Detour&) = default;
};

/// The detours that exchange two dimensions, or put the dimensions in memory order, before the view; and those that
/// view first and then exchange two of the new dimensions or turn their order round. At most one of each kind, the one
/// that moves the fewest and the leftmost dimensions, and none twice.
/// @pre  numel(sizes) == numel(layout.sizes) > 0
/// @post each layout has the requested sizes and the same cells
std::vector<Detour> detours(const Layout& layout, const Dims& sizes);

/// Whether both read the same cells, each of them equally often. By comparing what is left when dimensions are sorted
/// by stride, turned to go forward and joined where they weld; so "no" can be said of layouts that interleave in some
/// other way, but "yes" is always true.
/// @pre  both have elements
bool same_cells(const Layout& a, const Layout& b);

/// The number of the first element, in row-major order, that the two read from different places; numel where there is
/// none.  @pre numel(a.sizes) == numel(b.sizes) > 0
int64_t first_difference(const Layout& a, const Layout& b);

}  // namespace stridescope
