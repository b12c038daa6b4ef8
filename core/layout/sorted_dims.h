// Dimensions put into an order.
#pragma once
#include "layout/dims.h"

namespace stridescope {

/// The dimensions 0 .. rank-1 so that none stands behind one that it comes `before(d, other)`; otherwise from left to
/// right. There are few of them: each is inserted where it belongs.
template <class Before>
Dims sorted_dims(int rank, Before before) {
  Dims order;
  for (int d = 0; d < rank; ++d) {
    int place = d;
    while (place > 0 && before(d, static_cast<int>(order[place - 1]))) --place;
    order.insert(place, d);
  }
  return order;
}

}  // namespace stridescope
