#include "scene/reading.h"

#include <algorithm>

#include "layout/extent.h"

namespace stridescope {
namespace {

/// Walks the dimensions by descending stride and keeps, at each, only the indices from which the rest can still be
/// made up by smaller strides: one or two where strides nest.
class Search {
 public:
  Search(const Layout& layout, int64_t cell, int most) : rest_(cell - layout.storage_offset), most_(static_cast<size_t>(most)) {
    int64_t weight = 1;
    for (int d = layout.rank() - 1; d >= 0; --d) {
      if (layout.sizes[d] > 1) dims_.push_back({layout.sizes[d], layout.strides[d], weight, 0, 0});
      weight *= layout.sizes[d];
    }
    const auto magnitude = [](const Dim& dim) { return dim.stride < 0 ? -dim.stride : dim.stride; };
    std::stable_sort(dims_.begin(), dims_.end(), [&](const Dim& a, const Dim& b) { return magnitude(a) > magnitude(b); });
    int64_t low = 0, high = 0;
    for (auto dim = dims_.rbegin(); dim != dims_.rend(); ++dim) {
      dim->low = low, dim->high = high;
      (dim->stride < 0 ? low : high) += (dim->size - 1) * dim->stride;
    }
    low_ = low, high_ = high;
  }

  std::vector<int64_t> run() {
    if (rest_ >= low_ && rest_ <= high_) descend(0, rest_, 0);
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  struct Dim {
    int64_t size, stride, weight;
    int64_t low, high;  ///< what the dimensions after this one can add
  };

  void descend(size_t d, int64_t rest, int64_t element) {
    if (++visits_ > 200 * most_ + 1000 || found_.size() >= most_) return;
    if (d == dims_.size()) {
      if (rest == 0) found_.push_back(element);
      return;
    }
    const Dim& dim = dims_[d];
    int64_t first = 0, last = dim.size - 1;
    if (dim.stride != 0) {
      const auto floor_div = [](int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); };
      const int64_t a = rest - dim.high, b = rest - dim.low;  // a <= index * stride <= b
      first = std::max<int64_t>(0, dim.stride > 0 ? -floor_div(-a, dim.stride) : -floor_div(-b, dim.stride));
      last = std::min(last, dim.stride > 0 ? floor_div(b, dim.stride) : floor_div(a, dim.stride));
    }
    for (int64_t i = first; i <= last && found_.size() < most_ && visits_ <= 200 * most_ + 1000; ++i) descend(d + 1, rest - i * dim.stride, element + i * dim.weight);
  }

  std::vector<Dim> dims_;
  int64_t rest_, low_ = 0, high_ = 0;
  size_t most_, visits_ = 0;
  std::vector<int64_t> found_;
};

}  // namespace

std::optional<Reading> read_through(const TensorPtr& tensor, std::string name, const Step& step) {
  Reading reading{.tensor = tensor, .name = std::move(name)};
  const Storage& storage = *tensor->storage;
  if (const auto layout = in_cells(*tensor)) {
    reading.layout = *layout;
    reading.cell_bytes = itemsize(storage.dtype);
  } else if (const auto bytes = in_bytes(*tensor)) {
    reading.layout = *bytes;
    reading.span = itemsize(tensor->dtype);
  } else {
    return std::nullopt;
  }
  const auto count = numel(reading.layout.sizes);
  if (!count) return std::nullopt;
  reading.count = *count;
  reading.cells = storage.nbytes / reading.cell_bytes;
  reading.contents = step.contents_of(storage).get();
  if (*count == 0) return reading;
  const auto reach = extent(reading.layout);
  if (!reach) return std::nullopt;
  reading.lowest = reach->lowest;
  reading.highest = reach->highest;
  return reading;
}

std::vector<int64_t> readers(const Layout& layout, int64_t cell, int most) {
  if (numel(layout.sizes).value_or(0) == 0) return {};
  return Search(layout, cell, most).run();
}

std::string cell_label(const Reading& reading, int64_t cell) {
  if (cell < 0 || cell >= reading.cells || !reading.contents) return "?";
  const Storage& storage = *reading.tensor->storage;
  return label(read(storage, *reading.contents, cell * reading.cell_bytes, reading.span == 1 ? storage.dtype : DType::uint8));
}

std::string element_label(const Reading& reading, int64_t element) {
  const int64_t cell = reading.cell_of(element);
  if (!reading.inside(cell) || !reading.contents) return "?";
  return label(read(*reading.tensor->storage, *reading.contents, cell * reading.cell_bytes, reading.tensor->dtype));
}

}  // namespace stridescope
