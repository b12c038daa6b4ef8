// When the elements of a layout can be seen under other sizes without being moved, and if not, where it breaks.
//
// Neighbouring dimensions are welded where stepping once along the outer is the same as walking the inner to its end:
// stride[outer] == stride[inner] * size[inner]; elsewhere there is a crack. Sizes of 1 are never stepped over and drop
// out. New dimensions may cut welded stretches as they like but none may span a crack.
#pragma once
#include <variant>
#include <vector>

#include "layout/contiguity.h"

namespace stridescope {

/// Two neighbouring dimensions of size other than 1.
struct Joint {
  int outer = 0;
  int inner = 0;
  int64_t stride = 0;  ///< of outer
  int64_t needed = 0;  ///< stride[inner] * size[inner]
  constexpr bool welded() const { return stride == needed; }
  friend constexpr bool operator==(const Joint&, const Joint&) = default;
};

/// Why there is no view: `new_dim` of the requested sizes spans a joint that is not welded.
struct Crack {
  Joint joint;
  int new_dim = 0;
  friend constexpr bool operator==(const Crack&, const Crack&) = default;
};

/// The layout under the new sizes, or the first crack in the way.
using Viewed = std::variant<Layout, Crack>;
constexpr const Layout* as_layout(const Viewed& viewed) { return std::get_if<Layout>(&viewed); }
constexpr const Crack* as_crack(const Viewed& viewed) { return std::get_if<Crack>(&viewed); }

/// The joint of `outer` and `inner`, whichever lies left.
constexpr Joint joint(const Layout& layout, int outer, int inner) {
  return {outer, inner, layout.strides[outer], layout.strides[inner] * layout.sizes[inner]};
}

/// All joints from left to right, for the row-major order of reading (the left dimension is the outer one).
std::vector<Joint> joints(const Layout& layout);

/// PyTorch's view: the rule of computeStride, walking from the right. An old dimension of size 1 belongs to the stretch
/// at its right whatever its stride; a new one gets the stride a longer dimension there would have. A scalar views
/// with all strides 1; without elements any sizes do, packed unless they are the old ones.
/// @pre  numel(sizes) == numel(layout.sizes), the product of `sizes` with 0 as 1 is inside int64_t
/// @post a layout reads the same offsets in the same row-major order
constexpr Viewed view(const Layout& layout, const Dims& sizes) {
  Layout result{sizes, Dims::filled(sizes.size(), 1), layout.storage_offset};
  if (layout.rank() == 0) return result;
  if (numel(sizes) == 0) {
    result.strides = sizes == layout.sizes ? layout.strides : contiguous(sizes).strides;
    return result;
  }
  int next = sizes.size() - 1;  // the new dimension to place
  int inner = 0;                // of the stretch, the outermost dimension of size other than 1
  int64_t base = layout.strides.back();
  int64_t have = 1;  // elements of the stretch so far
  for (int d = layout.rank() - 1; d >= 0; --d) {
    have *= layout.sizes[d];
    if (layout.sizes[d] != 1) inner = d;
    if (d > 0 && (layout.sizes[d - 1] == 1 || layout.strides[d - 1] == have * base)) continue;
    int64_t placed = 1;
    for (; next >= 0 && (placed < have || sizes[next] == 1); --next) {
      result.strides[next] = placed * base;
      placed *= sizes[next];
    }
    if (placed != have) {
      while (sizes[next + 1] == 1) ++next;
      return Crack{joint(layout, d - 1, inner), next + 1};
    }
    if (d > 0) base = layout.strides[d - 1];
    have = 1;
  }
  return result;
}

/// The order in which NumPy's reshape reads and fills.
enum class Order : uint8_t { c, fortran };

/// One number a dimension, those of the slowest dimension first: Fortran order is C order turned round.
constexpr Dims slowest_left(const Dims& dims, Order order) {
  Dims result;
  for (int d = 0; d < dims.size(); ++d) result.push_back(dims[order == Order::c ? d : dims.size() - 1 - d]);
  return result;
}
constexpr Layout slowest_left(const Layout& layout, Order order) {
  return {slowest_left(layout.sizes, order), slowest_left(layout.strides, order), layout.storage_offset};
}

/// NumPy's reshape as far as it needs no copy: equal sizes keep every stride, a packed array stays packed, else groups
/// of old and new dimensions of equal product are matched from the left and must be welded inside. Old sizes of 1 drop
/// out; new trailing ones repeat the last stride. Equal sizes that were not `written_out` (one was left open) get their
/// strides anew like any others.
/// @pre  numel(sizes) == numel(layout.sizes), the product of `sizes` (0 as 1) and unit is inside int64_t
/// @post a layout reads the same offsets in the same order
constexpr Viewed reshape_without_copy(const Layout& layout, const Dims& sizes, Order order, int64_t unit,
                                      bool written_out = true) {
  if (written_out && sizes == layout.sizes) return layout;
  const bool by_columns = order == Order::fortran;
  if (by_columns ? is_f_contiguous(layout, unit) : is_contiguous(layout, unit)) {
    Layout packed = by_columns ? fortran(sizes, unit) : contiguous(sizes, unit);
    packed.storage_offset = layout.storage_offset;
    return packed;
  }
  Dims old;  // dimensions of size other than 1
  for (int d = 0; d < layout.rank(); ++d)
    if (layout.sizes[d] != 1) old.push_back(d);
  const auto old_dim = [&](int k) { return static_cast<int>(old[k]); };

  Layout result{sizes, Dims::filled(sizes.size(), unit), layout.storage_offset};
  int new_begin = 0, old_begin = 0;
  while (new_begin < sizes.size() && old_begin < old.size()) {
    int new_end = new_begin + 1, old_end = old_begin + 1;
    int64_t want = sizes[new_begin], have = layout.sizes[old_dim(old_begin)];
    while (want != have) {
      if (want < have)
        want *= sizes[new_end++];
      else
        have *= layout.sizes[old_dim(old_end++)];
    }
    int64_t before = 1;  // elements of the group left of the joint
    for (int k = old_begin; k + 1 < old_end; ++k) {
      const int left = old_dim(k), right = old_dim(k + 1);
      before *= layout.sizes[left];
      const Joint between = by_columns ? joint(layout, right, left) : joint(layout, left, right);
      if (between.welded()) continue;
      int spanning = new_begin;
      for (int64_t placed = sizes[spanning]; placed < before; placed *= sizes[spanning]) ++spanning;
      return Crack{between, spanning};
    }
    if (by_columns) {
      int64_t stride = layout.strides[old_dim(old_begin)];
      for (int d = new_begin; d < new_end; stride *= sizes[d++]) result.strides[d] = stride;
    } else {
      int64_t stride = layout.strides[old_dim(old_end - 1)];
      for (int d = new_end - 1; d >= new_begin; stride *= sizes[d--]) result.strides[d] = stride;
    }
    new_begin = new_end;
    old_begin = old_end;
  }
  const int last = new_begin - 1;
  const int64_t stride = by_columns ? result.strides[last] * sizes[last] : result.strides[last];
  for (int d = new_begin; d < sizes.size(); ++d) result.strides[d] = stride;
  return result;
}

/// Why requested sizes fit no tensor of so many elements.
struct Unfitting {
  enum class Kind : uint8_t {
    second_unknown,  ///< `dim` is a second size left open
    negative,        ///< `dim` is below -1 (PyTorch)
    ambiguous,       ///< 0 elements, and the open size could be anything (PyTorch)
    mismatch,        ///< the product is not the number of elements, or cannot be made so
  };
  Kind kind = Kind::mismatch;
  int dim = -1;
  friend constexpr bool operator==(const Unfitting&, const Unfitting&) = default;
};
using Resolved = std::variant<Dims, Unfitting>;

/// The sizes with the open one (`unknown`, or -1 for none) filled in, if it can be; Kind::ambiguous where every size
/// would do.
constexpr Resolved fill_unknown(Dims sizes, int unknown, int64_t count) {
  std::optional<int64_t> known = 1;
  for (int d = 0; d < sizes.size(); ++d)
    if (d != unknown) known = checked_mul(known, sizes[d]);
  for (int d = 0; d < sizes.size(); ++d)
    if (d != unknown && sizes[d] == 0) known = 0;
  if (!known) return Unfitting{};
  if (unknown < 0) return *known == count ? Resolved(sizes) : Resolved(Unfitting{});
  if (*known == 0) return Unfitting{count == 0 ? Unfitting::Kind::ambiguous : Unfitting::Kind::mismatch, unknown};
  if (count % *known != 0) return Unfitting{};
  sizes[unknown] = count / *known;
  return sizes;
}

/// PyTorch's infer_size: one size may be -1.  @pre count >= 0
constexpr Resolved resolve_sizes(const Dims& sizes, int64_t count) {
  int unknown = -1;
  for (int d = 0; d < sizes.size(); ++d) {
    if (sizes[d] >= 0) continue;
    if (sizes[d] < -1) return Unfitting{Unfitting::Kind::negative, d};
    if (unknown >= 0) return Unfitting{Unfitting::Kind::second_unknown, d};
    unknown = d;
  }
  return fill_unknown(sizes, unknown, count);
}

/// NumPy's rule: one size may be negative, by any amount; with a 0 beside it there is no answer.  @pre count >= 0
constexpr Resolved resolve_shape(const Dims& sizes, int64_t count) {
  int unknown = -1;
  for (int d = 0; d < sizes.size(); ++d) {
    if (sizes[d] >= 0) continue;
    if (unknown >= 0) return Unfitting{Unfitting::Kind::second_unknown, d};
    unknown = d;
  }
  const Resolved resolved = fill_unknown(sizes, unknown, count);
  const Unfitting* unfitting = std::get_if<Unfitting>(&resolved);
  return unfitting ? Resolved(Unfitting{}) : resolved;
}

}  // namespace stridescope
