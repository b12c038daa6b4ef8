#include "layout/extent.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "layout/stretches.h"

namespace stridescope {
namespace {

/// Fewer stretches that touch the same cells: {0 .. n-1}*s and {0 .. m-1}*k*s together are a single run of
/// n + k*(m-1) steps of s as long as k <= n, the windows then leave no gap.
Stretches joined(const Stretches& all) {
  Stretches result;
  for (int k = 0; k < all.count; ++k) {
    bool absorbed = false;
    for (int j = 0; j < result.count && !absorbed; ++j) {
      const int64_t apart = all[k].stride / result[j].stride;
      if (all[k].stride % result[j].stride != 0 || apart > result[j].size) continue;
      result[j].size += apart * (all[k].size - 1);
      absorbed = true;
    }
    if (!absorbed) result.insert(all[k]);
  }
  return result;
}

/// The cells one by one, a sorted set that doubles along each stretch.
std::optional<int64_t> counted(const Stretches& all, int64_t most) {
  std::vector<int64_t> cells{0}, moved, merged;
  for (int k = 0; k < all.count; ++k) {
    for (int64_t done = 1; done < all[k].size;) {
      const int64_t more = std::min(done, all[k].size - done);
      moved.clear();
      merged.clear();
      for (int64_t cell : cells) moved.push_back(cell + more * all[k].stride);
      std::set_union(cells.begin(), cells.end(), moved.begin(), moved.end(), std::back_inserter(merged));
      if (static_cast<int64_t>(merged.size()) > most) return std::nullopt;
      cells.swap(merged);
      done += more;
    }
  }
  return static_cast<int64_t>(cells.size());
}

}  // namespace

std::optional<int64_t> distinct_cells(const Layout& layout, int64_t most_counted) {
  if (numel(layout.sizes) == 0) return 0;
  const Stretches runs = joined(stretches(layout));
  if (!runs.nest()) return counted(runs, most_counted);
  int64_t cells = 1;
  for (int k = 0; k < runs.count; ++k) cells *= runs[k].size;
  return cells;
}

Answer is_unique(const Layout& layout) {
  const auto elements = numel(layout.sizes);
  if (const auto cells = distinct_cells(layout)) return cells == elements ? Answer::yes : Answer::no;
  const Stretches all = stretches(layout);
  int64_t apart = 0, reach = 0;
  for (int k = 0; k < all.count; ++k) {
    apart = std::gcd(apart, all[k].stride);
    reach += (all[k].size - 1) * all[k].stride;
  }
  return elements && *elements - 1 <= reach / apart ? Answer::unknown : Answer::no;
}

}  // namespace stridescope
