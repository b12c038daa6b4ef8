// The extent of a stretch of the read path: how far up and down the storage the head gets between two reads.
#pragma once
#include "layout/extent.h"

namespace stridescope {

/// The lowest and highest offset among the elements `first` .. `last` of the row-major order, in O(rank).
///
/// Indices between two given ones share their leading entries; at the first dimension where they differ there are the
/// rest of the first index's part, whole parts, and the beginning of the last index's part. Of each only the ends
/// count.
/// @pre  extent(layout) has a value, 0 <= first <= last < numel(sizes)
Extent read_extent(const Layout& layout, int64_t first, int64_t last);

}  // namespace stridescope
