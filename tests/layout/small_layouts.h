// The small domain on which every law is checked: all layouts of rank 3 with sizes 0..3 and strides -3..6.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "layout/notation.h"

namespace stridescope {

inline void PrintTo(const Dims& dims, std::ostream* out) { *out << to_string(dims); }
inline void PrintTo(const Layout& layout, std::ostream* out) { *out << to_string(layout); }

/// Stops at the first layout that fails: its name is in the output, and 64,000 others need not be.
template <typename Check>
void for_each_layout(int rank, int64_t max_size, int64_t min_stride, int64_t max_stride, Check check) {
  Layout layout{Dims::filled(rank, 0), Dims::filled(rank, min_stride), 5};
  for (;;) {
    check(static_cast<const Layout&>(layout));
    ASSERT_FALSE(testing::Test::HasFailure()) << "for " << to_string(layout);
    int d = rank - 1;
    for (; d >= 0; --d) {
      if (++layout.sizes[d] <= max_size) break;
      layout.sizes[d] = 0;
      if (++layout.strides[d] <= max_stride) break;
      layout.strides[d] = min_stride;
    }
    if (d < 0) return;
  }
}

template <typename Check>
void for_each_small_layout(Check check) {
  for_each_layout(3, 3, -3, 6, check);
}

/// Every index into `sizes`, in row-major order.
template <typename Check>
void for_each_index(const Dims& sizes, Check check) {
  const int64_t count = *numel(sizes);
  for (int64_t position = 0; position < count; ++position) check(index_at(sizes, position));
}

template <typename Check>
void for_each_permutation(int rank, Check check) {
  Dims dims;
  for (int d = 0; d < rank; ++d) dims.push_back(d);
  do check(static_cast<const Dims&>(dims));
  while (std::next_permutation(dims.begin(), dims.end()));
}

/// Which block of `size` neighbouring cells a cell is in; block 0 begins at cell 0.
inline int64_t block_of(int64_t cell, int64_t size) {
  int64_t block = cell / size;
  while (block * size > cell) --block;
  return block;
}

/// The offsets a layout reads, in row-major order.
inline std::vector<int64_t> offsets(const Layout& layout) {
  std::vector<int64_t> result;
  for_each_index(layout.sizes, [&](const Dims& index) { result.push_back(offset(layout, index)); });
  return result;
}

/// Calls check(index) for every index into `sizes` in row-major order for as long as it returns true.
/// @post returns whether it always did
template <typename Check>
bool holds_at_each_index(const Dims& sizes, Check check) {
  if (*numel(sizes) == 0) return true;
  Dims index = Dims::filled(sizes.size(), 0);
  for (int d = 0; d >= 0;) {
    if (!check(static_cast<const Dims&>(index))) return false;
    for (d = sizes.size() - 1; d >= 0 && ++index[d] == sizes[d]; --d) index[d] = 0;
  }
  return true;
}

/// Whether `layout` reads the offsets of `walk` in row-major order.
inline bool reads_along(const Layout& layout, const std::vector<int64_t>& walk) {
  size_t at = 0;
  return holds_at_each_index(
             layout.sizes,
             [&](const Dims& index) { return at < walk.size() && offset(layout, index) == walk[at++]; }) &&
         at == walk.size();
}

/// Whether every index i of `result` reads the cell that `layout` reads at source(i).
template <typename Source>
testing::AssertionResult reads(const Layout& result, const Layout& layout, Source source) {
  auto verdict = testing::AssertionSuccess();
  holds_at_each_index(result.sizes, [&](const Dims& index) {
    if (offset(result, index) == offset(layout, source(index))) return true;
    verdict = testing::AssertionFailure() << to_string(result) << " at " << to_string(index) << " is not "
                                          << to_string(layout) << " at " << to_string(source(index));
    return false;
  });
  return verdict;
}

/// `index` with `value` put in before position `d`.
inline Dims with(Dims index, int d, int64_t value) {
  index.insert(d, value);
  return index;
}
/// `index` without position `d`.
inline Dims without(Dims index, int d) {
  index.erase(d);
  return index;
}
/// `index` with position `d` replaced.
inline Dims replaced(Dims index, int d, int64_t value) {
  index[d] = value;
  return index;
}

}  // namespace stridescope
