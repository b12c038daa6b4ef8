// Where the cells of a tensor of any rank stand on paper, and which of them are shown.
//
// Going from the last dimension outwards, dimensions run across and down in turn: the last two make a table, the next
// two place tables beside and below each other, and so on with growing gaps. What does not fit becomes smaller, then
// loses its labels, then becomes an image of a few pixels a cell, and at last a window in every dimension. Cells of
// another size than that are asked for as steps of zoom.
#pragma once
#include <array>

#include "layout/layout.h"
#include "scene/scene.h"

namespace stridescope {

class GridPlan {
 public:
  static constexpr Unit caption_room = px(18);  ///< below every table of a tensor of rank 3 and more
  static constexpr Unit mark_room = px(16);     ///< at both ends of a table that goes on beyond the window

  struct Axis {
    int64_t first = 0, shown = 1;  ///< indices in the window
    Unit pitch = 0;                ///< from one index to the next
    Unit extent = 0;               ///< of all that are shown
  };
  struct Cell {
    Unit width = 0, height = 0;
    Unit letters = 0;  ///< size of its label; 0: too small for one
  };

  /// Chooses the largest cells with which all of `sizes` fits into `room`, else a window around `head`; then makes the
  /// cells larger or smaller by `zoom` steps, with what fits of them.
  /// @param longest  characters of the longest label
  /// @param middle  what the window has in its middle while the head is in it; empty for nothing
  /// @param large_cells  whether few cells may become larger than usual, to fill a large window
  /// @pre  numel(sizes) > 0, head is an index
  GridPlan(const Dims& sizes, const Dims& head, size_t longest, Point room, bool large_cells, int zoom = 0,
           const Dims& middle = {});

  /// Of cells that are just large enough for labels, where all of `sizes` is shown.  @pre numel(sizes) <= 256
  static Unit least_height(const Dims& sizes);

  int rank() const { return sizes_.size(); }
  /// 0 for the last dimension, 1 for the one before ..
  int level(int d) const { return rank() - 1 - d; }
  bool across(int d) const { return level(d) % 2 == 0; }
  bool in_table(int d) const { return level(d) < 2; }
  const Axis& axis(int d) const { return axes_[static_cast<size_t>(d)]; }
  bool cut(int d) const { return axis(d).shown < sizes_[d]; }
  /// Whether a dimension goes on beyond the window.
  bool cut() const;
  /// How many places of each dimension are shown, all of them together; more of one than make it a row count no more.
  int64_t places() const;
  /// Whether no room would show more of it: all with labels, or of a large tensor as many places, or all as pixels.
  bool says_most() const;
  const Cell& cell() const { return cell_; }
  /// Cells are pixels of images, one image a table.
  bool pixels() const { return pixels_; }
  /// Width and height of it all, without the captions below the last tables.
  Point total() const { return total_; }

  bool shows(const Dims& index) const;
  /// Upper left corner of an element's cell.  @pre shows(index)
  Point corner(const Dims& index) const;
  /// Calls `visit(index)` for every index of the window over dimensions 0 .. outer-1; the others stay at their first.
  template <class Visit>
  void each(int outer, Visit visit) const {
    Dims index;
    for (int d = 0; d < rank(); ++d) index.push_back(axis(d).first);
    for (;;) {
      visit(index);
      int d = outer - 1;
      for (; d >= 0; --d) {
        if (++index[d] < axis(d).first + axis(d).shown) break;
        index[d] = axis(d).first;
      }
      if (d < 0) return;
    }
  }

 private:
  void choose(size_t longest, bool large_cells);
  void zoom(size_t longest, int steps);
  /// Sets pitches and extents for the windows chosen.  @return false where they go beyond any screen
  bool arrange(const Cell& cell);
  bool fits_whole(const Cell& cell);
  void window(const Cell& cell);
  int64_t most_places() const;
  Axis& axis(int d) { return axes_[static_cast<size_t>(d)]; }

  Dims sizes_, head_, middle_;
  Point room_, total_;
  std::array<Axis, max_rank> axes_{};
  Cell cell_;
  bool pixels_ = false;
};

}  // namespace stridescope
