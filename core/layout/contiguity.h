// Packed layouts and the question whether a layout is packed.
//
// A layout is packed in an order of its dimensions, fastest first, when each stride is the product of the sizes of
// all faster dimensions times the unit. The orders in use: C (last dimension fastest, PyTorch's contiguous), Fortran
// (first dimension fastest) and PyTorch's channels_last for images (N, C, H, W) and volumes (N, C, D, H, W), where C is
// fastest.
#pragma once
#include <limits>
#include <vector>

#include "layout/layout.h"

namespace stridescope {

/// An order of dimensions, fastest first.
constexpr Dims c_order(int rank) {
  Dims order;
  for (int d = rank - 1; d >= 0; --d) order.push_back(d);
  return order;
}
constexpr Dims fortran_order(int rank) {
  Dims order;
  for (int d = 0; d < rank; ++d) order.push_back(d);
  return order;
}
/// C, W, H, N or C, W, H, D, N.  @pre rank is 4 (channels_last) or 5 (channels_last_3d)
constexpr Dims channels_last_order(int rank) { return rank == 4 ? Dims{1, 3, 2, 0} : Dims{1, 4, 3, 2, 0}; }

/// What a dimension of size 0 does to the strides of the slower ones.
enum class Zero : uint8_t { counts_as_one, counts };

/// The strides of `sizes` packed in `order` from `unit` on. Where the product of all sizes (0 as 1) and unit leaves
/// int64_t the strides behind are the largest there are: such a layout is not valid.
constexpr Dims packed_strides(const Dims& sizes, const Dims& order, int64_t unit = 1, Zero zero = Zero::counts_as_one) {
  Dims strides = Dims::filled(sizes.size(), 0);
  int64_t stride = unit;
  for (int64_t d : order) {
    const int dim = static_cast<int>(d);
    strides[dim] = stride;
    if (sizes[dim] != 0 || zero == Zero::counts)
      stride = checked_mul(stride, sizes[dim]).value_or(std::numeric_limits<int64_t>::max());
  }
  return strides;
}

/// The layout of a fresh tensor, or of a C-ordered array in bytes. "(2, 0, 3):(3, 3, 1)+0": a size of 0 counts as 1.
constexpr Layout contiguous(const Dims& sizes, int64_t unit = 1) {
  return {sizes, packed_strides(sizes, c_order(sizes.size()), unit), 0};
}
/// The layout of a fresh Fortran-ordered array.
constexpr Layout fortran(const Dims& sizes, int64_t unit = 1) {
  return {sizes, packed_strides(sizes, fortran_order(sizes.size()), unit), 0};
}
/// The layout PyTorch makes for memory_format=channels_last or channels_last_3d. A size of 0 counts as it is:
/// "(2, 3, 0, 5):(0, 1, 15, 3)+0".  @pre rank is 4 or 5
constexpr Layout channels_last(const Dims& sizes) {
  return {sizes, packed_strides(sizes, channels_last_order(sizes.size()), 1, Zero::counts), 0};
}

/// One comparison of the walk that decides whether a layout is packed.
struct Comparison {
  int dim = 0;
  int64_t size = 0;
  int64_t stride = 0;
  int64_t expected = 0;  ///< unit times the sizes of the faster dimensions
  bool skipped = false;  ///< a size of 1 is never stepped over, so its stride is not looked at

  constexpr bool holds() const { return skipped || stride == expected; }
};

/// Compares each dimension's stride with the packed one, in `order`, and hands each Comparison to `visit`.
/// @post returns whether all of them hold
template <typename Visit>
constexpr bool compare_with_packed(const Layout& layout, const Dims& order, int64_t unit, Visit visit) {
  bool packed = true;
  int64_t expected = unit;
  for (int64_t d : order) {
    const int dim = static_cast<int>(d);
    const int64_t size = layout.sizes[dim];
    const Comparison comparison{dim, size, layout.strides[dim], expected, size == 1};
    packed = packed && comparison.holds();
    visit(comparison);
    // Saturating: a stride can not be that large in a valid layout of more than one element along it.
    if (!comparison.skipped) expected = checked_mul(expected, size).value_or(std::numeric_limits<int64_t>::max());
  }
  return packed;
}
constexpr bool is_packed(const Layout& layout, const Dims& order, int64_t unit = 1) {
  return compare_with_packed(layout, order, unit, [](const Comparison&) {});
}
/// The same walk as a list, every dimension in it, for an explanation that shows its work.
std::vector<Comparison> contiguity_walk(const Layout& layout, const Dims& order, int64_t unit = 1);

/// PyTorch's is_contiguous(), NumPy's C_CONTIGUOUS: reading in row-major order walks the storage in unit steps.
/// A layout without elements is contiguous whatever its strides.
constexpr bool is_contiguous(const Layout& layout, int64_t unit = 1) {
  return numel(layout.sizes) == 0 || is_packed(layout, c_order(layout.rank()), unit);
}
/// NumPy's F_CONTIGUOUS.
constexpr bool is_f_contiguous(const Layout& layout, int64_t unit = 1) {
  return numel(layout.sizes) == 0 || is_packed(layout, fortran_order(layout.rank()), unit);
}
/// PyTorch's is_contiguous(memory_format=channels_last) for rank 4 and channels_last_3d for rank 5; false for any
/// other rank. Being empty is no excuse here: "(0, 3, 4, 5):(60, 20, 5, 1)+0" is not channels_last.
constexpr bool is_channels_last(const Layout& layout) {
  return (layout.rank() == 4 || layout.rank() == 5) && is_packed(layout, channels_last_order(layout.rank()));
}

/// Whether PyTorch takes the layout for channels_last where only the strides can tell (`to(memory_format=)`, cat). It
/// is stricter than is_channels_last where sizes of 1 leave a doubt: then the answer is no. Rank 4 and 5 only.
constexpr bool suggests_channels_last(const Layout& layout) {
  if (layout.rank() != 4 && layout.rank() != 5) return false;
  const Dims& strides = layout.strides;
  if (strides[1] == 0) return false;
  int64_t least = 0;
  for (int64_t d : channels_last_order(layout.rank())) {
    const int dim = static_cast<int>(d);
    if (layout.sizes[dim] == 0 || strides[dim] < least) return false;
    if (dim == 0 && least == strides[1]) return false;
    least = strides[dim] * layout.sizes[dim];
  }
  return true;
}

/// The dimensions stably sorted by insertion: `before(a, b)` > 0 moves b in front of a, < 0 ends b's way forward,
/// 0 leaves the pair undecided and looks further ahead. (Both libraries sort dimensions so; an undecided pair makes
/// the relation intransitive, hence the exact procedure matters.)
template <typename Compare>
constexpr Dims insertion_sorted(Dims order, Compare compare) {
  for (int i = 1; i < order.size(); ++i) {
    int moving = i;
    for (int ahead = i - 1; ahead >= 0; --ahead) {
      const int verdict = compare(static_cast<int>(order[ahead]), static_cast<int>(order[moving]));
      if (verdict < 0) break;
      if (verdict == 0) continue;
      const int64_t swapped = order[ahead];
      order[ahead] = order[moving];
      order[moving] = swapped;
      moving = ahead;
    }
  }
  return order;
}

/// PyTorch's "non overlapping and dense": in some order of its dimensions the layout is packed from 1 on, so its
/// elements fill a stretch of storage, each cell once.
constexpr bool is_non_overlapping_and_dense(const Layout& layout) {
  if (is_contiguous(layout)) return true;
  Dims order;
  for (int d = 0; d < layout.rank(); ++d)
    if (layout.sizes[d] >= 2) order.push_back(d);
  order = insertion_sorted(order, [&](int a, int b) { return layout.strides[a] > layout.strides[b] ? 1 : -1; });
  return is_packed(layout, order);
}

/// The strides of PyTorch's clone(), flip(), zeros_like(): those of the layout where it is non-overlapping and dense,
/// else packed in the order of its strides. A stride of 0 leaves a pair undecided, of equal strides the larger size
/// goes outside. "(2, 2, 3):(2, 12, 4)+0" gives (1, 6, 2).
constexpr Dims preserved_strides(const Layout& layout) {
  if (is_non_overlapping_and_dense(layout)) return layout.strides;
  const auto compare = [&](int a, int b) {
    const int64_t left = layout.strides[a], right = layout.strides[b];
    if (left == 0 || right == 0) return 0;
    if (left != right) return left < right ? -1 : 1;
    return layout.sizes[a] > layout.sizes[b] ? 1 : 0;
  };
  return packed_strides(layout.sizes, insertion_sorted(c_order(layout.rank()), compare));
}

/// The dimensions by |stride|, the longest first and equal ones in their order: how NumPy sorts axes.
constexpr Dims slowest_first(const Layout& layout) {
  const auto magnitude = [&](int d) { return layout.strides[d] < 0 ? -layout.strides[d] : layout.strides[d]; };
  return insertion_sorted(fortran_order(layout.rank()),
                          [&](int a, int b) { return magnitude(a) < magnitude(b) ? 1 : -1; });
}

/// The strides of `sizes` packed with the dimensions in that order, the first of them slowest.
/// @pre  the product of all sizes and unit is inside int64_t
constexpr Dims packed_slowest_first(const Dims& sizes, const Dims& order, int64_t unit) {
  Dims fastest_first;
  for (int i = order.size() - 1; i >= 0; --i) fastest_first.push_back(order[i]);
  return packed_strides(sizes, fastest_first, unit);
}

/// The strides of a NumPy copy with order='K': C or Fortran where the array is that already, else packed in the order
/// of |stride|, slowest first and stable. Signs are not kept.
/// @pre  the product of all sizes and unit is inside int64_t
constexpr Dims k_order_strides(const Layout& layout, int64_t unit) {
  const int rank = layout.rank();
  if (rank <= 1 || is_contiguous(layout, unit)) return packed_strides(layout.sizes, c_order(rank), unit);
  if (is_f_contiguous(layout, unit)) return packed_strides(layout.sizes, fortran_order(rank), unit);
  return packed_slowest_first(layout.sizes, slowest_first(layout), unit);
}

}  // namespace stridescope
