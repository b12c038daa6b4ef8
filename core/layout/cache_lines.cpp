#include "layout/cache_lines.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "layout/access_path.h"
#include "layout/extent.h"
#include "layout/floor.h"
#include "layout/stretches.h"

namespace stridescope {
namespace {

/// How many of some cells stand at place 0, 1 .. of their line.
class Phases {
 public:
  explicit Phases(int64_t per_line, int64_t cell) : counts_(static_cast<size_t>(per_line)) {
    counts_[static_cast<size_t>(floor_mod(cell, per_line))] = 1;
  }

  /// Each cell and its copies at `stride`, 2*stride .. (times-1)*stride.
  Phases repeated(int64_t times, int64_t stride) const {
    // After `period` copies the places come again: of n copies, n / period full rounds and n % period more.
    const int64_t per_line = size(), step = floor_mod(stride, per_line);
    const int64_t period = per_line / std::gcd(per_line, step);
    const int64_t rounds = times / period, rest = times % period;
    Phases result = *this;
    std::fill(result.counts_.begin(), result.counts_.end(), 0);
    for (int64_t place = 0; place < per_line; ++place) {
      const int64_t count = (*this)[place];
      if (count == 0) continue;
      for (int64_t k = 0; k < std::min(period, times); ++k)
        result[(place + k * step) % per_line] += count * (rounds + (k < rest ? 1 : 0));
    }
    return result;
  }

  /// The sum of `count * value(place)`; nothing beyond int64_t.
  template <class ValueAt>
  std::optional<int64_t> sum(ValueAt value) const {
    std::optional<int64_t> total = 0;
    for (int64_t place = 0; place < size() && total; ++place) {
      const auto part = (*this)[place] == 0 ? 0 : checked_mul((*this)[place], value(place));
      total = checked_add(total, part);
    }
    return total;
  }

 private:
  int64_t size() const { return static_cast<int64_t>(counts_.size()); }
  int64_t& operator[](int64_t place) { return counts_[static_cast<size_t>(place)]; }
  const int64_t& operator[](int64_t place) const { return counts_[static_cast<size_t>(place)]; }

  std::vector<int64_t> counts_;
};

std::optional<int64_t> counted(const Layout& layout, int64_t per_line) {
  const AccessPath path(layout);
  if (path.size() > max_counted_cells) return std::nullopt;
  std::vector<int64_t> lines;
  lines.reserve(static_cast<size_t>(path.size()));
  for (int64_t k = 0; k < path.size(); ++k) lines.push_back(floor_div(path.offset(k), per_line));
  std::sort(lines.begin(), lines.end());
  return std::unique(lines.begin(), lines.end()) - lines.begin();
}

}  // namespace

std::optional<int64_t> lines_touched(const Layout& layout, int64_t per_line) {
  const auto count = numel(layout.sizes);
  if (*count == 0) return count;
  const auto reach = extent(layout);
  const Stretches all = stretches(layout);

  // Steps that pass over less than a line leave none out: the first `inner` stretches make one run of lines.
  int inner = 0;
  int64_t run = 1;  // cells from the first to the last
  for (; inner < all.count && all[inner].stride - (run - 1) <= per_line; ++inner)
    run += (all[inner].size - 1) * all[inner].stride;
  // The rest repeats that run, one after the other where they nest.
  int64_t reached = run - 1;
  for (int k = inner; k < all.count; ++k) {
    if (all[k].stride <= reached) return counted(layout, per_line);
    reached += (all[k].size - 1) * all[k].stride;
  }

  // All lines of all runs, less one for each run that begins in the line where the one before it ends.
  Phases starts(per_line, reach->lowest);
  int64_t shared = 0;
  for (int k = all.count - 1; k >= inner; --k) {
    int64_t within = 0;  // from the first to the last run of one repetition of stretch k
    for (int j = inner; j < k; ++j) within += (all[j].size - 1) * all[j].stride;
    const int64_t hop = all[k].stride - within;
    const auto meet = starts.repeated(all[k].size - 1, all[k].stride).sum([&](int64_t place) -> int64_t {
      const int64_t last = (place + within) % per_line;
      return (last + run - 1) / per_line == (last + hop) / per_line ? 1 : 0;
    });
    if (!meet) return std::nullopt;
    shared += *meet;
    starts = starts.repeated(all[k].size, all[k].stride);
  }
  const auto lines = starts.sum([&](int64_t place) { return (place + run - 1) / per_line + 1; });
  return lines ? std::optional(*lines - shared) : std::nullopt;
}

int64_t lines_fetched(const Layout& layout, int64_t per_line) {
  const AccessPath path(layout);
  if (path.size() == 0) return 0;
  int64_t fetched = 1;
  Phases starts(per_line, layout.storage_offset);  // where dimensions d, d+1 .. are at 0
  for (int d = 0; d < layout.rank(); ++d) {
    int64_t within = 0;  // from there to the element before dimension d advances
    for (int k = d + 1; k < layout.rank(); ++k) within += (layout.sizes[k] - 1) * layout.strides[k];
    const int64_t hop = path.hop(d);
    if (layout.sizes[d] > 1)
      fetched += *starts.repeated(layout.sizes[d] - 1, layout.strides[d]).sum([&](int64_t place) -> int64_t {
        return floor_div(floor_mod(place + within, per_line) + hop, per_line) != 0 ? 1 : 0;
      });
    starts = starts.repeated(layout.sizes[d], layout.strides[d]);
  }
  return fetched;
}

}  // namespace stridescope
