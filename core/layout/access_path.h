// The path of the read head: the storage offsets of a layout in row-major order, and what the walk costs, all told from
// the layout alone.
//
// Between two elements exactly one dimension advances and all dimensions to its right return to 0, so there are only
// as many kinds of hop as dimensions: dimension d makes (size[d]-1) * product of the sizes to its left hops of
// stride[d] - sum over k > d of (size[k]-1)*stride[k]. For "(2, 3):(1, 2)+0", offsets 0 2 4 1 3 5: four hops of 2 and
// one of 1 - 2*2 = -3.
#pragma once
#include <algorithm>
#include <span>

#include "layout/layout.h"

namespace stridescope {

/// Where the `position`-th element in row-major order lives: offset(layout, index_at(layout.sizes, position)) without
/// making an index.  @pre 0 <= position < numel(layout.sizes)
constexpr int64_t offset_at(const Layout& layout, int64_t position) {
  int64_t place = layout.storage_offset;
  for (int d = layout.rank() - 1; d >= 0 && position > 0; --d) {
    place += position % layout.sizes[d] * layout.strides[d];
    position /= layout.sizes[d];
  }
  return place;
}

struct PathStatistics {
  std::optional<int64_t> travel;  ///< sum of the hops' lengths; nothing beyond int64_t
  int64_t backward = 0;           ///< hops to a lower offset
  int64_t repeats = 0;            ///< hops of length 0: the head reads the cell it is on once more
  int64_t longest_run = 0;        ///< most elements read in a row by hops of exactly one unit
  friend constexpr bool operator==(const PathStatistics&, const PathStatistics&) = default;
};

class AccessPath {
 public:
  /// @pre  is_valid(layout)
  constexpr explicit AccessPath(const Layout& layout) : layout_(layout), size_(*numel(layout.sizes)) {}

  /// Elements next to each other on the path whose offsets are one stride apart.
  struct Run {
    int64_t offset = 0;  ///< of the first
    int64_t stride = 0;
    int64_t count = 0;  ///< > 0
  };
  /// Calls visit(Run) for the elements first .. first + count - 1 in order. A run is as long as the layout allows:
  /// dimensions that continue one another are one. No division but for the first element.
  /// @pre  0 <= first, 0 <= count, first + count <= size()
  template <class Visit>
  constexpr void runs(int64_t first, int64_t count, Visit visit) const {
    if (count == 0) return;
    const Layout joined = merged();
    Dims index = index_at(joined.sizes, first);
    int64_t place = stridescope::offset(joined, index);
    // What the two innermost dimensions need is copied: a visit writes to memory, so members would be read again.
    const int inner = joined.rank() - 1, outer = inner - 1;
    const int64_t columns = joined.sizes[inner], stride = joined.strides[inner];
    const int64_t rows = outer < 0 ? 1 : joined.sizes[outer], row_stride = outer < 0 ? 0 : joined.strides[outer];
    int64_t column = index[inner], row = outer < 0 ? 0 : index[outer];
    for (;;) {
      for (; row < rows; ++row, place += row_stride) {
        const int64_t length = std::min(count, columns - column);
        visit(Run{place, stride, length});
        count -= length;
        if (count == 0) return;
        place -= column * stride;
        column = 0;
      }
      place -= rows * row_stride;
      row = 0;
      for (int d = outer - 1;; --d) {
        place += joined.strides[d];
        if (++index[d] < joined.sizes[d]) break;
        place -= joined.sizes[d] * joined.strides[d];
        index[d] = 0;
      }
    }
  }
  /// The offsets of the elements first .. first + out.size() - 1, in order.  @pre as for runs()
  void offsets(int64_t first, std::span<int64_t> out) const;

  /// The number of elements.
  constexpr int64_t size() const { return size_; }
  constexpr Dims index(int64_t position) const { return index_at(layout_.sizes, position); }
  /// Where the head is at the `position`-th element.  @pre 0 <= position < size()
  constexpr int64_t offset(int64_t position) const { return offset_at(layout_, position); }
  /// The dimension that advances from the `position`-th element to the next.  @pre 0 <= position < size()-1
  constexpr int advancing(int64_t position) const {
    int d = layout_.rank() - 1;
    for (int64_t next = position + 1; next % layout_.sizes[d] == 0; --d) next /= layout_.sizes[d];
    return d;
  }
  /// How far the head moves when dimension `d` advances, forward positive.
  constexpr int64_t hop(int d) const {
    int64_t length = layout_.strides[d];
    for (int k = d + 1; k < layout_.rank(); ++k) length -= (layout_.sizes[k] - 1) * layout_.strides[k];
    return length;
  }
  /// How often dimension `d` advances.  @post the sum over all dimensions is size()-1 where there are elements
  constexpr int64_t hops(int d) const {
    if (size_ == 0) return 0;
    int64_t count = layout_.sizes[d] - 1;
    for (int k = 0; k < d; ++k) count *= layout_.sizes[k];
    return count;
  }

  /// Of the first `reads` elements: what the walk has cost so far. The longest run is not told before the end.
  struct SoFar {
    std::optional<int64_t> travel;
    int64_t backward = 0, repeats = 0;
  };
  /// @pre 1 <= reads <= size()  @post in O(rank); at size() equal to statistics()
  constexpr SoFar so_far(int64_t reads) const {
    SoFar total{.travel = 0};
    int64_t hops_left = reads - 1;  // those of dimension d or of one to its left
    for (int d = layout_.rank() - 1; d >= 0; --d) {
      const int64_t further_out = hops_left / layout_.sizes[d], count = hops_left - further_out, length = hop(d);
      hops_left = further_out;
      const auto way = checked_mul(count, length < 0 ? -length : length);
      total.travel = checked_add(total.travel, way);
      if (length < 0) total.backward += count;
      if (length == 0) total.repeats += count;
    }
    return total;
  }

  /// @post in O(rank), whatever the size
  constexpr PathStatistics statistics(int64_t unit = 1) const {
    PathStatistics total{.travel = 0};
    // Going outwards, all hops are single units as far as `inner` elements; the first other hop ends that. A hop of
    // one unit further out then has such a run at either side of it.
    int64_t inner = size_ == 0 ? 0 : 1;
    bool unbroken = true, joined = false;
    for (int d = layout_.rank() - 1; d >= 0; --d) {
      const int64_t count = hops(d);
      if (count == 0) continue;
      const int64_t length = hop(d);
      const auto way = checked_mul(count, length < 0 ? -length : length);
      total.travel = checked_add(total.travel, way);
      if (length < 0) total.backward += count;
      if (length == 0) total.repeats += count;
      if (length != unit)
        unbroken = false;
      else if (unbroken)
        inner *= layout_.sizes[d];
      else
        joined = true;
    }
    total.longest_run = joined ? 2 * inner : inner;
    return total;
  }

 private:
  /// The same path with dimensions joined where one step of the left is the whole of the right, at least one.
  constexpr Layout merged() const {
    Layout joined{{}, {}, layout_.storage_offset};
    for (int d = 0; d < layout_.rank(); ++d) {
      const int64_t size = layout_.sizes[d], stride = layout_.strides[d];
      if (size == 1) continue;
      const int last = joined.rank() - 1;
      if (last >= 0 && joined.strides[last] == stride * size) {
        joined.sizes[last] *= size;
        joined.strides[last] = stride;
      } else {
        joined.sizes.push_back(size);
        joined.strides.push_back(stride);
      }
    }
    if (joined.rank() == 0) joined = {{1}, {0}, layout_.storage_offset};
    return joined;
  }

  Layout layout_;
  int64_t size_;
};

}  // namespace stridescope
