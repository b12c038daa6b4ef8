#include "ops/last_writer.h"

#include <algorithm>
#include <limits>

namespace stridescope {
namespace {
constexpr int64_t unreached = std::numeric_limits<int64_t>::min();
}

LastWriter::LastWriter(const Layout& region) : first_(region.storage_offset) {
  // By stride, the longest first.
  const auto add = [&](const Dim& dim) {
    const auto shorter = [&](const Dim& other) { return other.stride < dim.stride; };
    dims_.insert(std::find_if(dims_.begin(), dims_.end(), shorter), dim);
  };
  int64_t weight = 1;
  for (int d = region.rank() - 1; d >= 0; --d) {
    const int64_t size = region.sizes[d], stride = region.strides[d];
    if (stride == 0) {
      position_ += (size - 1) * weight;
    } else if (size > 1 && stride < 0) {
      add({size, -stride, 0, -weight});
      first_ += (size - 1) * stride;
      position_ += (size - 1) * weight;
    } else if (size > 1) {
      add({size, stride, 0, weight});
    }
    weight *= size;
  }
  // Dims that go on where the next one ends are one.
  for (size_t d = dims_.size(); d-- > 1;) {
    Dim &outer = dims_[d - 1], &inner = dims_[d];
    const bool goes_on = outer.stride / inner.size == inner.stride && outer.stride % inner.size == 0;
    if (!goes_on || outer.weight != inner.size * inner.weight) continue;
    outer = {outer.size * inner.size, inner.stride, 0, inner.weight};
    dims_.erase(dims_.begin() + static_cast<std::ptrdiff_t>(d));
  }
  int64_t reach = 0;
  for (size_t d = dims_.size(); d-- > 0;) {
    const int64_t candidates = std::min(dims_[d].size, reach / dims_[d].stride + 1);
    constexpr int64_t most = int64_t{1} << 20;  // so many are too many
    steps_ = std::min(most, std::max(steps_ + 1, steps_ * std::min(candidates, most)));
    reach += (dims_[d].size - 1) * dims_[d].stride;
    dims_[d].reach = reach;
  }
}

int64_t LastWriter::last_at(int64_t place) const {
  const int64_t found = search(0, place - first_);
  return found == unreached ? -1 : position_ + found;
}

int64_t LastWriter::search(size_t d, int64_t rest) const {
  int64_t gained = 0;
  for (; d < dims_.size(); ++d) {
    const Dim& dim = dims_[d];
    if (rest < 0 || rest > dim.reach) return unreached;
    const int64_t below = d + 1 < dims_.size() ? dims_[d + 1].reach : 0;
    const int64_t highest = std::min(dim.size - 1, rest / dim.stride);
    const int64_t lowest = rest > below ? (rest - below + dim.stride - 1) / dim.stride : 0;
    if (lowest != highest) {
      int64_t best = unreached;
      for (int64_t i = lowest; i <= highest; ++i) {
        const int64_t found = search(d + 1, rest - i * dim.stride);
        if (found != unreached) best = std::max(best, gained + i * dim.weight + found);
      }
      return best;
    }
    gained += lowest * dim.weight;
    rest -= lowest * dim.stride;
  }
  return rest == 0 ? gained : unreached;
}

}  // namespace stridescope
