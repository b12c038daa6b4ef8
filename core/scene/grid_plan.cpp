#include "scene/grid_plan.h"

#include <algorithm>

#include "scene/picture.h"

namespace stridescope {

namespace {

/// So many places of a dimension show that it goes on.
constexpr int64_t goes_on = 2;
/// The most cells of a tensor that is seen whole, other than as pixels.
constexpr int64_t most_cells = 1500;

GridPlan::Cell with_letters(int size, int letters, size_t longest) {
  const Unit wide = static_cast<Unit>(longest) * px(letters) * 6 / 10 + beside_label(longest);
  return {std::max(px(size), wide), px(size), px(letters)};
}

/// From one index of a dimension to the next, beside what the inner ones take.
Unit gap(int level, Unit cell) {
  if (level < 2) return cell >= px(20) ? px(3) : cell >= px(9) ? px(1) : 0;
  return px(8) + px(8) * (level / 2) + (level % 2 == 0 ? 0 : GridPlan::caption_room);
}

}  // namespace

Unit GridPlan::least_height(const Dims& sizes) {
  constexpr Unit cell = px(20);
  Unit height = cell;
  for (int level = 1; level < sizes.size(); level += 2) {
    const Unit between = gap(level, cell);
    height = static_cast<Unit>(sizes[sizes.size() - 1 - level]) * (height + between) - between;
  }
  return height;
}

GridPlan::GridPlan(const Dims& sizes, const Dims& head, size_t longest, Point room, bool large_cells, int steps,
                   const Dims& middle)
    : sizes_(sizes), head_(head), middle_(middle), room_(room) {
  choose(longest, large_cells);
  if (steps != 0) zoom(longest, steps);
}

void GridPlan::choose(size_t longest, bool large_cells) {
  constexpr std::array<std::array<int, 2>, 3> large{{{64, 19}, {56, 17}, {48, 15}}};
  constexpr std::array<std::array<int, 2>, 6> labelled{{{40, 14}, {36, 13}, {32, 12}, {28, 11}, {24, 10}, {20, 10}}};
  for (const auto& [size, letters] : large)
    if (large_cells && fits_whole(with_letters(size, letters, longest)) && total_.x <= room_.x / 2 &&
        total_.y <= room_.y / 4 * 3)
      return;
  for (const auto& [size, letters] : labelled)
    if (fits_whole(with_letters(size, letters, longest))) return;
  for (int size : {28, 24, 20, 16, 12, 9})
    if (fits_whole({px(size), px(size), 0})) return;
  pixels_ = *numel(sizes_) >= 1000;  // fewer are better seen through a window
  for (int size : {8, 7, 6, 5, 4, 3, 2, 1})
    if (pixels_ && fits_whole({px(size), px(size), 0})) return;
  pixels_ = false;
  // Smaller cells where more places are seen of a dimension that would show only one or two.
  size_t best = 2, last = best;
  int64_t most = 0;
  for (size_t k = best; k < labelled.size() && most < most_places(); ++k) {
    window(with_letters(labelled[k][0], labelled[k][1], longest));
    if (places() > most) best = k, most = places();
    last = k;
  }
  if (best != last) window(with_letters(labelled[best][0], labelled[best][1], longest));
}

bool GridPlan::says_most() const {
  const bool large = *numel(sizes_) > most_cells;
  if (cell_.letters == 0) return large && pixels_;
  return !cut() || (large && places() == most_places());
}

bool GridPlan::cut() const {
  bool any = false;
  for (int d = 0; d < rank(); ++d) any |= cut(d);
  return any;
}

int64_t GridPlan::places() const {
  int64_t places = 0;
  for (int d = 0; d < rank(); ++d) places += std::min(axis(d).shown, goes_on);
  return places;
}

int64_t GridPlan::most_places() const {
  int64_t places = 0;
  for (const int64_t size : sizes_) places += std::min(size, goes_on);
  return places;
}

void GridPlan::zoom(size_t longest, int steps) {
  const int best = cell_.height / px(1);
  // More pixels than a million would be slower to draw than a frame takes.
  const int size = std::clamp(zoomed(cell_.height, steps) / px(1), std::min(best, 2), std::max(best, 96));
  const int64_t shown = int64_t{room_.x / px(size)} * (room_.y / px(size));
  pixels_ = size < 9 || (size < 24 && shown > 1500);
  const int letters = 10 + std::clamp((size - 24) / 4, 0, 12);
  window(size < 20 ? Cell{px(size), px(size), 0} : with_letters(size, letters, longest));
}

bool GridPlan::arrange(const Cell& cell) {
  cell_ = cell;
  total_ = {cell.width, cell.height};
  for (int d = rank() - 1; d >= 0; --d) {
    Unit& extent = across(d) ? total_.x : total_.y;
    const Unit between = pixels_ && in_table(d) ? 0 : gap(level(d), cell.height);
    axis(d).pitch = extent + between;
    if (axis(d).shown > px(10'000) / axis(d).pitch) return false;
    extent = static_cast<Unit>(axis(d).shown) * axis(d).pitch - between;
    if (in_table(d) && cut(d)) extent += 2 * mark_room;
    axis(d).extent = extent;
  }
  return true;
}

bool GridPlan::fits_whole(const Cell& cell) {
  if (*numel(sizes_) > (cell.height >= px(9) ? most_cells : 1 << 20)) return false;
  int64_t tables = 1;
  for (int d = 0; d < rank(); ++d) {
    axis(d) = {.first = 0, .shown = sizes_[d]};
    if (!in_table(d)) tables *= sizes_[d];
  }
  return tables <= 256 && arrange(cell) && total_.x <= room_.x && total_.y <= room_.y;
}

/// Shares the room among the dimensions of one direction: the same number of indices each, then more for the inner.
void GridPlan::window(const Cell& cell) {
  for (Axis& axis : axes_) axis.shown = 1;
  for (bool direction : {true, false}) {
    const Unit room = direction ? room_.x : room_.y;
    const auto fits = [&] { return arrange(cell) && (direction ? total_.x : total_.y) <= room; };
    for (int64_t most = 24; most >= 1; --most) {
      int64_t cells = direction ? cell.width : cell.height;  // without anything between them
      for (int d = 0; d < rank(); ++d) {
        if (across(d) != direction) continue;
        axis(d).shown = std::min(sizes_[d], most);
        cells = cells > room ? cells : cells * axis(d).shown;
      }
      if (cells <= room && fits()) break;
    }
    for (int d = rank() - 1; d >= 0; --d)
      while (across(d) == direction && cut(d)) {
        ++axis(d).shown;
        if (fits()) continue;
        --axis(d).shown;
        break;
      }
  }
  arrange(cell);
  for (int d = 0; d < rank(); ++d)
    axis(d).first = window_start(head_[d], axis(d).shown, sizes_[d], middle_.empty() ? -1 : middle_[d]);
}

bool GridPlan::shows(const Dims& index) const {
  for (int d = 0; d < rank(); ++d)
    if (index[d] < axis(d).first || index[d] >= axis(d).first + axis(d).shown) return false;
  return true;
}

Point GridPlan::corner(const Dims& index) const {
  Point at;
  for (int d = 0; d < rank(); ++d) {
    Unit& coordinate = across(d) ? at.x : at.y;
    coordinate += static_cast<Unit>(index[d] - axis(d).first) * axis(d).pitch;
    if (in_table(d) && cut(d)) coordinate += mark_room;
  }
  return at;
}

}  // namespace stridescope
