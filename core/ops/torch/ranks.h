// The elements of a line by their rank, and which of equal ones comes first: that is decided by how PyTorch looks for
// them, and what is here takes the same steps on every platform. NaN counts as the largest.
#pragma once
#include <vector>

#include "ops/dtype.h"

namespace stridescope {

/// An element of a line, and where it stood.
struct Ranked {
  Scalar value;
  int64_t place = 0;
};
using Ranks = std::vector<Ranked>;

bool is_above(const Scalar& a, const Scalar& b);

/// topk: the `k` largest, or smallest, come first; where they shall be `sorted`, in that order.
/// @pre k is at most the length of the line
void put_first(Ranks& line, int64_t k, bool largest, bool sorted);
/// mode: the smallest comes first.
void put_in_order(Ranks& line);
/// kthvalue: the one with `k` others before it in ascending order.  @pre there is one
Ranked kth_of(Ranks line, int64_t k);

}  // namespace stridescope
