// Which element of a region was written to a place last: membership in a layout, with overlaps.
#pragma once
#include <cstdint>
#include <vector>

#include "layout/layout.h"

namespace stridescope {

class LastWriter {
 public:
  /// @pre  numel(region.sizes) > 0, every offset inside int64_t
  explicit LastWriter(const Layout& region);

  /// The greatest row-major position of the region whose offset is `place`; -1 where none is.
  int64_t last_at(int64_t place) const;
  /// How many candidates one search may have to try: the rank where strides nest (of what goes on in one stretch one
  /// less), more where elements overlap.
  int64_t steps() const { return steps_; }

 private:
  struct Dim {
    int64_t size, stride, reach;  ///< stride > 0; reach of this and all smaller strides
    int64_t weight;               ///< what one step of it adds to the row-major position; < 0 where the stride was
  };
  /// The greatest gain of row-major position with which dims d.. make up `rest` of offset; the lowest int64 if none.
  int64_t search(size_t d, int64_t rest) const;

  std::vector<Dim> dims_;  ///< by descending stride, without those that do not move
  int64_t first_ = 0;      ///< the lowest offset
  int64_t position_ = 0;   ///< row-major position of the element there, with unmoving dims at their last index
  int64_t steps_ = 1;
};

}  // namespace stridescope
