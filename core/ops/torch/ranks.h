// The elements of a line by their rank, and which of equal ones comes first: that is decided by how PyTorch looks for
// them, and what is here takes the same steps on every platform. NaN counts as the largest.
#pragma once
#include <functional>
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
/// unique: places in the order of what stands there, which `before` tells of two.
/// @pre the order is strict and weak, or they are at most `most_in_any_order`
void put_in_order(std::vector<int64_t>& places, const std::function<bool(int64_t, int64_t)>& before);
/// So few are put in order one after the other, and equal ones keep theirs. With more, a sort that is told
/// contradictions runs out of the line.
inline constexpr int64_t most_in_any_order = 16;
/// kthvalue: the one with `k` others before it in ascending order.  @pre there is one
Ranked kth_of(Ranks line, int64_t k);

}  // namespace stridescope
