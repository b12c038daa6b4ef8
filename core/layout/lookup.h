// The way back: from an offset to the element that reads it, and from two layouts to an offset both read.
#pragma once
#include <vector>

#include "layout/extent.h"

namespace stridescope {

/// Which element reads an offset.
struct Found {
  Answer answer = Answer::no;
  Dims index;  ///< where answer is yes
};

/// The last element in row-major order that reads `offset`. Exact wherever the strides nest (O(rank)) and for every
/// other layout unless the search meets more than `max_visits` partial indices.
Found index_of(const Layout& layout, int64_t offset, int64_t max_visits = 20'000);

/// The elements that read `offset` by their row-major numbers, ascending: the first `most` of them, or fewer where the
/// search meets more than `max_visits` partial indices.
std::vector<int64_t> readers(const Layout& layout, int64_t offset, int most, int64_t max_visits = 20'000);

/// Whether some element of `a` and some element of `b` cover a common offset, each element covering `unit` offsets from
/// its own on: 1 in elements, the item size in bytes (as np.shares_memory). Unknown only where the search meets more
/// than `max_visits` partial indices, or the two together are larger than it can hold
/// (more than 64 dimensions that move, offsets apart beyond int64_t).
/// @pre  unit_a >= 1, unit_b >= 1
Answer shares_offset(const Layout& a, int64_t unit_a, const Layout& b, int64_t unit_b, int64_t max_visits = 1'000'000);

}  // namespace stridescope
