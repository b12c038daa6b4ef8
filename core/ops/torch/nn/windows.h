// Windows that slide over the last dimensions of an image.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "layout/layout.h"

namespace stridescope {

/// One entry a dimension, three of them; those that an image has not come first and hold one place.
struct Windows {
  using Three = std::array<int64_t, 3>;
  Three size{1, 1, 1}, kernel{1, 1, 1}, stride{1, 1, 1}, dilation{1, 1, 1}, padding{}, count{1, 1, 1};

  /// Sets one of them from a list of at most three.
  static void set(Three& three, const Dims& list) {
    for (int k = 0; k < list.size(); ++k) three[static_cast<size_t>(3 - list.size() + k)] = list[k];
  }
  static int64_t cells(const Three& three) { return three[0] * three[1] * three[2]; }
  /// Calls visit(place) for every one of `three`, row by row.
  template <typename Visit>
  static void each(const Three& three, Visit visit) {
    Three at{};
    for (at[0] = 0; at[0] < three[0]; ++at[0])
      for (at[1] = 0; at[1] < three[1]; ++at[1])
        for (at[2] = 0; at[2] < three[2]; ++at[2]) visit(at);
  }
  /// Which cell of the image lies under a place of the kernel; -1 where that is beside the image.
  int64_t under(const Three& window, const Three& place) const {
    int64_t cell = 0;
    for (size_t k = 0; k < 3; ++k) {
      const int64_t at = window[k] * stride[k] - padding[k] + place[k] * dilation[k];
      if (at < 0 || at >= size[k]) return -1;
      cell = cell * size[k] + at;
    }
    return cell;
  }
  /// What PyTorch begins the search for the largest with: as if the image went on, the first place of the kernel that
  /// is not in front of it.
  int64_t first_under(const Three& window) const {
    int64_t cell = 0;
    for (size_t k = 0; k < 3; ++k) {
      int64_t at = window[k] * stride[k] - padding[k];
      if (at < 0) at += (-at + dilation[k] - 1) / dilation[k] * dilation[k];
      cell = cell * size[k] + at;
    }
    return cell;
  }
  /// The other way round: which cell of an image of size `from` reaches this cell by that place of the kernel.
  int64_t reaching(const Three& cell_at, const Three& place) const {
    int64_t cell = 0;
    for (size_t k = 0; k < 3; ++k) {
      const int64_t step = cell_at[k] + padding[k] - place[k] * dilation[k];
      if (step < 0 || step % stride[k] != 0 || step / stride[k] >= size[k]) return -1;
      cell = cell * size[k] + step / stride[k];
    }
    return cell;
  }
};

/// Goes through images one after the other, and calls visit(first element, window) for every window of each.
template <typename Visit>
void each_window(const std::vector<double>& x, const Windows::Three& size, const Windows::Three& count, Visit visit) {
  const int64_t cells = Windows::cells(size), images = cells == 0 ? 0 : static_cast<int64_t>(x.size()) / cells;
  for (int64_t n = 0; n < images; ++n)
    Windows::each(count, [&](const Windows::Three& window) { visit(n * cells, window); });
}

}  // namespace stridescope
