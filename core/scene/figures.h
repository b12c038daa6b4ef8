// The figures of a picture. Each draws into the room it gets and says how much height it took; where the room has a
// limited height it becomes smaller, and draws nothing where it would be unreadable.
#pragma once
#include <compare>

#include "scene/picture.h"

namespace stridescope {

/// The operation, what came of it, and the layout in notation.
Unit draw_header(Pen& pen, const Picture& picture, const Area& area);

/// Sizes and strides as a picture: rank 2 is a table, more dimensions are tables in rows and columns.
Unit draw_grid(Pen& pen, const Picture& picture, const Reading& reading, const Area& area);

/// How much of it would be seen; what says more is greater.
struct Clarity {
  bool letters = false;  ///< what stands in its cells
  bool whole = false;    ///< all of them
  int64_t places = 0;    ///< of its dimensions
  bool says_most = false;  ///< no other room would show more
  bool says_all() const { return letters && whole; }
  auto operator<=>(const Clarity&) const = default;
};
Clarity grid_clarity(Pen& pen, const Picture& picture, const Reading& reading, const Area& area);

/// Storage position against read order.
Unit draw_path(Pen& pen, const Picture& picture, const Reading& reading, const Area& area);

/// The storage as a row of cells with the read head and its hops. `head`: receives the cell the head is on.
Unit draw_strip(Pen& pen, const Picture& picture, const Reading& reading, const Area& area, Rect& head);
/// As high as it would be.
Unit strip_height(Pen& pen, const Picture& picture, const Reading& reading, const Area& area);

/// Old dimensions, welds and cracks between them, new dimensions below. @pre picture.op->attempt
Unit draw_verdict(Pen& pen, const Picture& picture, const Area& area);

/// Shapes that need no copy and shapes that need one, those nearest to the one asked for. @pre picture.op->attempt
Unit draw_shapes(Pen& pen, const Picture& picture, const Area& area);

/// What was raised, why, and what would work. @pre the step or the operation has an error
Unit draw_error(Pen& pen, const Picture& picture, const Area& area);

/// What the head reads now: "read 5 of 12   y[0, 1, 1] = 0*6 + 1*1 + 1*2 = storage[3]   value 3".
Unit draw_readout(Pen& pen, const Picture& picture, const Area& area);

}  // namespace stridescope
