#include "layout/lookup.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "layout/floor.h"
#include "layout/sorted_dims.h"
#include "layout/stretches.h"

namespace stridescope {
namespace {

/// The x in 0 .. modulus-1 with a*x = 1 (mod modulus).  @pre gcd(a, modulus) == 1, modulus >= 1
int64_t inverse(int64_t a, int64_t modulus) {
  int64_t x = 0, next_x = 1, rest = modulus, next = floor_mod(a, modulus);
  while (next != 0) {
    const int64_t quotient = rest / next;
    x = std::exchange(next_x, x - quotient * next_x);
    rest = std::exchange(next, rest - quotient * next);
  }
  return floor_mod(x, modulus);
}

/// Looks for the indices whose sum of index*stride is a given target, dimension by dimension in a given order. What the
/// dimensions still to come can reach bounds each index, and their strides' common divisor leaves only one index in
/// so many.
class IndexSearch {
 public:
  enum class Direction : uint8_t { ascending, descending };

  /// @pre  the sum of (size-1)*|stride| is inside int64_t; layout and order outlive the search
  IndexSearch(const Layout& layout, const Dims& order, Direction direction, int64_t max_visits)
      : layout_(layout), order_(order), direction_(direction), visits_left_(max_visits) {
    for (int k = order.size() - 1; k >= 0; --k) {
      const auto next = static_cast<size_t>(k + 1), here = static_cast<size_t>(k);
      const int64_t stride = stride_at(k), far = (size_at(k) - 1) * stride;
      lowest_[here] = lowest_[next] + std::min<int64_t>(far, 0);
      highest_[here] = highest_[next] + std::max<int64_t>(far, 0);
      divisor_[here] = size_at(k) > 1 ? std::gcd(divisor_[next], stride) : divisor_[next];
    }
  }

  /// Hands each index found to `take` until that returns false or the visits are used up.
  /// @return whether it went through all that there are
  template <typename Take>
  bool run(int64_t target, Take take) {
    Dims index = Dims::filled(layout_.rank(), 0);
    visit(0, target, index, take);
    return visits_left_ >= 0;
  }

 private:
  int dim_at(int k) const { return static_cast<int>(order_[k]); }
  int64_t size_at(int k) const { return layout_.sizes[dim_at(k)]; }
  int64_t stride_at(int k) const { return layout_.strides[dim_at(k)]; }

  enum class Outcome : uint8_t { none, some, enough };

  template <typename Take>
  Outcome visit(int k, int64_t target, Dims& index, Take& take) {
    const auto here = static_cast<size_t>(k), next = here + 1;
    if (target < lowest_[here] || target > highest_[here]) return Outcome::none;
    if (--visits_left_ < 0) return Outcome::enough;
    if (k == order_.size()) return take(index) ? Outcome::some : Outcome::enough;
    const int64_t stride = stride_at(k);
    int64_t first = 0, last = size_at(k) - 1, step = 1;
    if (last > 0 && stride != 0) {
      const int64_t divisor = divisor_[here];
      if (target % divisor != 0) return Outcome::none;
      // target - i*stride must lie in what the later dimensions reach ..
      const int64_t low = target - highest_[next], high = target - lowest_[next];
      first = std::max(first, -floor_div(stride > 0 ? -low : -high, stride));
      last = std::min(last, floor_div(stride > 0 ? high : low, stride));
      // .. and be a multiple of their common divisor.
      if (divisor_[next] != 0) {
        step = divisor_[next] / divisor;
        const auto product = static_cast<__int128>(floor_mod(target / divisor, step)) * inverse(stride / divisor, step);
        const int64_t residue = static_cast<int64_t>(product % step);
        first += floor_mod(residue - first, step);
        last -= floor_mod(last - residue, step);
      }
    }
    const bool up = direction_ == Direction::ascending;
    Outcome all = Outcome::none;
    for (int64_t i = up ? first : last; i >= first && i <= last; i += up ? step : -step) {
      index[dim_at(k)] = i;
      const Outcome one = visit(k + 1, target - i * stride, index, take);
      if (one == Outcome::enough) return one;
      if (one == Outcome::some)
        all = one;
      else if (stride == 0)
        break;  // a dimension that does not move finds nothing new
    }
    return all;
  }

  const Layout& layout_;
  const Dims& order_;
  Direction direction_;
  int64_t visits_left_;
  // Of the dimensions from position k of the order on: the sums they reach and the common divisor of their strides.
  std::array<int64_t, max_rank + 1> lowest_{}, highest_{}, divisor_{};
};

Dims left_to_right(int rank) {
  return sorted_dims(rank, [](int, int) { return false; });
}

Dims longest_stride_first(const Layout& layout) {
  const Dims& strides = layout.strides;
  return sorted_dims(layout.rank(), [&](int a, int b) { return std::abs(strides[a]) > std::abs(strides[b]); });
}

/// An order in which a search meets indices in row-major order. Where strides nest, the dimensions that move have one
/// index at most and those that do not follow from left to right, so going by stride finds it without a second try.
Dims search_order(const Layout& layout) {
  return stretches(layout).nest() ? longest_stride_first(layout) : left_to_right(layout.rank());
}

bool reaches(const Layout& layout, int64_t offset) {
  const auto reach = extent(layout);
  return reach && reach->lowest <= offset && offset <= reach->highest;
}

}  // namespace

Found index_of(const Layout& layout, int64_t offset, int64_t max_visits) {
  Found found;
  if (!reaches(layout, offset)) return found;
  const Dims order = search_order(layout);
  IndexSearch search(layout, order, IndexSearch::Direction::descending, max_visits);
  const bool complete = search.run(offset - layout.storage_offset, [&](const Dims& index) {
    found = {Answer::yes, index};
    return false;
  });
  if (!complete) found.answer = Answer::unknown;
  return found;
}

std::vector<int64_t> readers(const Layout& layout, int64_t offset, int most, int64_t max_visits) {
  std::vector<int64_t> found;
  if (most <= 0 || !reaches(layout, offset)) return found;
  const Dims order = search_order(layout);
  IndexSearch search(layout, order, IndexSearch::Direction::ascending, max_visits);
  search.run(offset - layout.storage_offset, [&](const Dims& index) {
    int64_t position = 0;
    for (int d = 0; d < layout.rank(); ++d) position = position * layout.sizes[d] + index[d];
    found.push_back(position);
    return static_cast<int>(found.size()) < most;
  });
  return found;
}

Answer shares_offset(const Layout& a, int64_t unit_a, const Layout& b, int64_t unit_b, int64_t max_visits) {
  const auto reach_a = extent(a), reach_b = extent(b);
  if (!reach_a || !reach_b) return Answer::no;
  const auto ends_before = [](const Extent& first, int64_t unit, const Extent& second) {
    const auto last = checked_add(first.highest, unit - 1);
    return last && *last < second.lowest;
  };
  if (ends_before(*reach_a, unit_a, *reach_b) || ends_before(*reach_b, unit_b, *reach_a)) return Answer::no;
  // An element of `a` meets one of `b` where i*strides_a - j*strides_b + (a place inside the one) - (a place inside the
  // other) makes up for the storage offsets: one search over all those dimensions together.
  Layout both;
  std::optional<int64_t> range = 0;
  const auto add = [&](int64_t size, int64_t stride) {
    if (size == 1 || stride == 0 || !range) return;
    const auto far = checked_mul(size - 1, std::abs(stride));
    range = both.sizes.full() ? std::nullopt : checked_add(range, far);
    if (!range) return;
    both.sizes.push_back(size);
    both.strides.push_back(stride);
  };
  for (int d = 0; d < a.rank(); ++d) add(a.sizes[d], a.strides[d]);
  for (int d = 0; d < b.rank(); ++d) add(b.sizes[d], -b.strides[d]);
  add(unit_a, 1);
  add(unit_b, -1);
  const auto apart = checked_add(b.storage_offset, -a.storage_offset);
  if (!range || !apart) return Answer::unknown;
  const Dims order = longest_stride_first(both);
  IndexSearch search(both, order, IndexSearch::Direction::ascending, max_visits);
  bool met = false;
  const bool complete = search.run(*apart, [&](const Dims&) { return !(met = true); });
  return met ? Answer::yes : complete ? Answer::no : Answer::unknown;
}

}  // namespace stridescope
