// The view operations as pure geometry: a layout in, the layout that reads the same storage in another way out.
// Arguments are valid here; what the libraries say about bad ones is the operation table's business.
#pragma once
#include "layout/layout.h"

namespace stridescope {

/// The same cells with the dimensions in another order.
/// @pre  `dims` is a permutation of 0 .. rank-1
/// @post offset(result, i) == offset(layout, j) where j[dims[k]] == i[k]
constexpr Layout permute(const Layout& layout, const Dims& dims) {
  Layout result{{}, {}, layout.storage_offset};
  for (int64_t d : dims) {
    result.sizes.push_back(layout.sizes[static_cast<int>(d)]);
    result.strides.push_back(layout.strides[static_cast<int>(d)]);
  }
  return result;
}

/// The permutation that puts dimension source[k] at destination[k] and keeps the others in order (movedim).
/// @pre  each list holds distinct dimensions of 0 .. rank-1, as many in both
/// @post result[destination[k]] == source[k]
constexpr Dims moved_dims(int rank, const Dims& source, const Dims& destination) {
  Dims result = Dims::filled(rank, -1);
  Dims rest = Dims::filled(rank, 1);
  for (int k = 0; k < source.size(); ++k) {
    result[static_cast<int>(destination[k])] = source[k];
    rest[static_cast<int>(source[k])] = 0;
  }
  int next = 0;
  for (int d = 0; d < rank; ++d) {
    if (result[d] >= 0) continue;
    while (rest[next] == 0) ++next;
    result[d] = next++;
  }
  return result;
}

/// Dimensions `a` and `b` exchanged.  @pre 0 <= a, b < rank
/// @post offset(result, i) == offset(layout, i with entries a and b exchanged)
constexpr Layout transpose(Layout layout, int a, int b) {
  const int64_t size = layout.sizes[a], stride = layout.strides[a];
  layout.sizes[a] = layout.sizes[b];
  layout.strides[a] = layout.strides[b];
  layout.sizes[b] = size;
  layout.strides[b] = stride;
  return layout;
}

/// Dimension `d` fixed at `index` and dropped.  @pre 0 <= d < rank, 0 <= index < sizes[d]
/// @post offset(result, i) == offset(layout, i with `index` put in at d)
constexpr Layout select(Layout layout, int d, int64_t index) {
  layout.storage_offset += index * layout.strides[d];
  layout.sizes.erase(d);
  layout.strides.erase(d);
  return layout;
}

/// `count` elements of dimension `d`, from `start` on, `step` apart. Nothing where the new stride leaves int64_t (the
/// step may be any number where count is 1).
/// @pre  0 <= d < rank, 0 <= start <= sizes[d], count >= 0, every start + k*step with k < count is inside sizes[d]
/// @post offset(result, i) == offset(layout, i with start + step*i[d] at d)
/// @post the storage offset moves by start*stride even where count is 0, the stride becomes step*stride even where
///       count is 1 (PyTorch's rule; NumPy takes start 0 and step 1 for an empty slice)
constexpr std::optional<Layout> slice(Layout layout, int d, int64_t start, int64_t step, int64_t count) {
  const auto stride = checked_mul(layout.strides[d], step);
  if (!stride) return std::nullopt;
  layout.storage_offset += start * layout.strides[d];
  layout.sizes[d] = count;
  layout.strides[d] = *stride;
  return layout;
}

/// A dimension of size 1 and stride `stride` put in before `d`.  @pre 0 <= d <= rank < max_rank
/// @post offset(result, i) == offset(layout, i without entry d)
constexpr Layout insert_dim(Layout layout, int d, int64_t stride) {
  layout.sizes.insert(d, 1);
  layout.strides.insert(d, stride);
  return layout;
}

/// PyTorch's unsqueeze: the new stride is size*stride of the dimension now to its right, and 1 at the end.
constexpr Layout unsqueeze(const Layout& layout, int d) {
  return insert_dim(layout, d, d < layout.rank() ? layout.sizes[d] * layout.strides[d] : 1);
}

/// Dimension `d` dropped.  @pre sizes[d] == 1
/// @post offset(result, i) == offset(layout, i with 0 put in at d)
constexpr Layout squeeze(const Layout& layout, int d) { return select(layout, d, 0); }

/// Every dimension of size 1 dropped.
constexpr Layout squeeze(Layout layout) {
  for (int d = layout.rank() - 1; d >= 0; --d)
    if (layout.sizes[d] == 1) layout = squeeze(layout, d);
  return layout;
}

/// Whether `layout` can be read as having `sizes`: aligned at the right, each size is kept or grows from 1.
constexpr bool is_expandable(const Layout& layout, const Dims& sizes) {
  const int extra = sizes.size() - layout.rank();
  if (extra < 0) return false;
  for (int d = 0; d < layout.rank(); ++d)
    if (layout.sizes[d] != 1 && layout.sizes[d] != sizes[d + extra]) return false;
  return true;
}

/// PyTorch's expand: a size that grows from 1 gets stride 0, a size kept keeps its stride; a new leading dimension of
/// size 1 gets size*stride of its right neighbour, and all strides are 0 where there was no dimension at all.
/// @pre  is_expandable(layout, sizes)
/// @post offset(result, i) == offset(layout, j) where j is the end of i with 0 for each dimension that grew
constexpr Layout expand(const Layout& layout, const Dims& sizes) {
  Layout result{sizes, Dims::filled(sizes.size(), 0), layout.storage_offset};
  if (layout.rank() == 0) return result;
  const int extra = sizes.size() - layout.rank();
  for (int d = sizes.size() - 1; d >= 0; --d) {
    const bool kept = (d < extra ? 1 : layout.sizes[d - extra]) == sizes[d];
    const int64_t stride = d < extra ? result.sizes[d + 1] * result.strides[d + 1] : layout.strides[d - extra];
    if (kept) result.strides[d] = stride;
  }
  return result;
}

/// NumPy's broadcast_to: every dimension of size 1 and every new one gets stride 0, also where it stays 1.
/// @pre  is_expandable(layout, sizes)
/// @post as expand
constexpr Layout broadcast_to(const Layout& layout, const Dims& sizes) {
  Layout result{sizes, Dims::filled(sizes.size(), 0), layout.storage_offset};
  const int extra = sizes.size() - layout.rank();
  for (int d = extra; d < sizes.size(); ++d)
    if (layout.sizes[d - extra] != 1) result.strides[d] = layout.strides[d - extra];
  return result;
}

/// Dimension `d` read from its end to its start; unchanged where it has no elements.  @pre 0 <= d < rank
/// @post offset(result, i) == offset(layout, i with sizes[d]-1-i[d] at d)
constexpr Layout flip(Layout layout, int d) {
  if (layout.sizes[d] == 0) return layout;
  layout.storage_offset += (layout.sizes[d] - 1) * layout.strides[d];
  layout.strides[d] = -layout.strides[d];
  return layout;
}

/// Windows of `size` elements along `d`, `step` apart, as a new last dimension. A scalar has windows of at most 1.
/// Nothing where the new stride leaves int64_t.
/// @pre  0 <= d < rank (or both 0), 0 <= size <= sizes[d], step > 0, rank < max_rank
/// @post offset(result, i) == offset(layout, i without its last entry, with i[d]*step + i.back() at d)
constexpr std::optional<Layout> unfold(Layout layout, int d, int64_t size, int64_t step) {
  const bool scalar = layout.rank() == 0;
  const int64_t stride = scalar ? 1 : layout.strides[d];
  if (!scalar) {
    const auto between = checked_mul(stride, step);
    if (!between) return std::nullopt;
    layout.sizes[d] = (layout.sizes[d] - size) / step + 1;
    layout.strides[d] = *between;
  }
  layout.sizes.push_back(size);
  layout.strides.push_back(stride);
  return layout;
}

/// The length of the diagonal that starts `shift` columns (negative: -shift rows) from the corner of dimensions `row`
/// and `column`; negative by as much as it misses the matrix.
constexpr int64_t diagonal_size(const Layout& layout, int64_t shift, int row, int column) {
  const int64_t rows = layout.sizes[row] + (shift < 0 ? shift : 0);
  const int64_t columns = layout.sizes[column] - (shift > 0 ? shift : 0);
  return rows < columns ? rows : columns;
}

/// That diagonal as a new last dimension in place of the two. An empty one does not move the storage offset (PyTorch's
/// rule; NumPy moves it where diagonal_size is exactly 0).
/// @pre  row != column, both in 0 .. rank-1
/// @post offset(result, i) == offset(layout, j), j being i without its last entry k, with k (+ -shift) at row and
///       k (+ shift) at column put in
constexpr Layout diagonal(Layout layout, int64_t shift, int row, int column) {
  const int64_t size = diagonal_size(layout, shift, row, column);
  const int64_t stride = layout.strides[row] + layout.strides[column];
  if (size > 0) layout.storage_offset += shift < 0 ? -shift * layout.strides[row] : shift * layout.strides[column];
  const int first = row < column ? row : column, second = row < column ? column : row;
  for (int d : {second, first}) {
    layout.sizes.erase(d);
    layout.strides.erase(d);
  }
  layout.sizes.push_back(size > 0 ? size : 0);
  layout.strides.push_back(stride);
  return layout;
}

}  // namespace stridescope
