// What a layout costs where memory is fetched by the line: a cache line holds `per_line` neighbouring cells, line k the
// cells k*per_line .. (k+1)*per_line - 1.
#pragma once
#include "layout/layout.h"

namespace stridescope {

/// The longest line that is counted, in cells.
inline constexpr int64_t max_cells_per_line = 1024;

/// How many different lines hold a cell that is read. In closed form where the runs of lines that the short strides
/// make lie apart, whatever the number of elements; else counted up to max_counted_cells elements (see extent.h), and
/// nothing beyond, nor beyond int64_t.
/// @pre  1 <= per_line <= max_cells_per_line
std::optional<int64_t> lines_touched(const Layout& layout, int64_t per_line);

/// How often a line must be fetched when the elements are read in row-major order and one line is kept at a time: 1 for
/// the first element, and 1 for every hop that ends in another line. In O(rank * per_line^2), whatever the size.
/// @pre  1 <= per_line <= max_cells_per_line; is_valid(layout)
int64_t lines_fetched(const Layout& layout, int64_t per_line);

}  // namespace stridescope
