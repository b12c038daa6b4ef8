// The logical grid. Going from the last dimension outwards, dimensions run across and down in turn: the last two make
// a table, the next two place tables beside and below each other, and so on with growing gaps.
//
// What does not fit becomes smaller, then loses its labels, then becomes an image of a few pixels a cell, and at last
// a window around the head in every dimension.
#include <algorithm>
#include <array>

#include "scene/figures.h"

namespace stridescope {
namespace {

struct Axis {
  int64_t first = 0, shown = 1;  ///< indices in the window
  Unit pitch = 0;                ///< from one index to the next
  Unit extent = 0;               ///< of all that are shown
  bool cut(int64_t size) const { return shown < size; }
};

struct CellSize {
  Unit width = 0, height = 0, letters = 0;  ///< letters 0: no labels
};

class Grid {
 public:
  Grid(Pen& pen, const Picture& picture, const Reading& reading, const Area& area)
      : pen_(pen), picture_(picture), reading_(reading), sizes_(reading.layout.sizes), rank_(sizes_.size()), area_(area) {
    if (reading.count > 0) head_ = index_at(sizes_, std::max<int64_t>(picture.head_of(reading), 0));
  }

  Unit draw() {
    pen_.text({area_.x, area_.y + px(11)}, picture_.say(Msg::grid_heading, {reading_.name}), heading_style(picture_, reading_), area_.width, whole());
    if (reading_.count == 0) return draw_empty();
    choose_arrows();
    choose_size();
    origin_ = {area_.x + left_gutter_, area_.y + top_};
    if (pixels_) draw_images();
    else draw_cells();
    draw_captions();
    const Unit below = draw_arrows();
    draw_head();
    return below + draw_legend(area_.y + below);
  }

 private:
  static constexpr Unit line_height = px(14), arrow_room = px(30), side_room = px(22), caption_room = px(18);

  int level(int d) const { return rank_ - 1 - d; }
  bool across(int d) const { return level(d) % 2 == 0; }
  Target whole() const { return {Target::Kind::tensor, reading_.tensor->object, -1}; }

  std::string size_words(int d) const {
    const Axis& axis = axes_[static_cast<size_t>(d)];
    return axis.cut(sizes_[d]) && axis.shown > 1 ? picture_.say(Msg::grid_window, {axis.first, axis.first + axis.shown - 1, sizes_[d]})
                                                 : picture_.say(Msg::axis_size, {sizes_[d]});
  }
  std::string stride_words(int d) const { return picture_.say(Msg::axis_stride, {reading_.tensor->layout.strides[d]}); }
  std::string words(int d) const { return axis_name(*reading_.tensor, d) + "  " + size_words(d) + "  " + stride_words(d); }

  Unit draw_empty() {
    Unit y = area_.y + px(28);
    pen_.outline({area_.x + px(0.5), y, std::min(area_.width, px(260)) - px(1), px(56), px(4)}, Role::rule, px(1), whole()).dashed = true;
    pen_.paragraph({area_.x + px(14), y + px(24)}, picture_.say(Msg::scene_no_elements), {.size = px(12), .role = Role::text_muted, .mono = false},
                   std::min(area_.width, px(260)) - px(28), px(16), 2);
    y += px(64);
    return y - area_.y + draw_legend(y);
  }

  /// Which dimensions get an arrow; the others are named below the grid.
  void choose_arrows() {
    std::array<int, 2> room{3, 3};
    Unit widest_sum = 0;
    for (int d = rank_ - 1; d >= 0; --d) {
      int& left = room[across(d) ? 0 : 1];
      if (left == 0) continue;
      --left;
      arrows_.push_back(d);
      if (!across(d)) widest_sum += stacked_width(d) + side_room;
    }
    stacked_ = widest_sum <= area_.width * 2 / 5;
    for (int d : arrows_)
      if (!across(d)) left_gutter_ += stacked_ ? stacked_width(d) + side_room : px(32);
      else if (level(d) > 0) bottom_ += arrow_room;
    if (rank_ > 2) bottom_ += caption_room;
  }

  /// Width of "dim 1 / size 2 / stride 1" written in three lines.
  Unit stacked_width(int d) const {
    const std::string range = picture_.say(Msg::grid_window, {sizes_[d], sizes_[d], sizes_[d]});
    Unit width = std::max(text_width(stride_words(d), px(11)), text_width(picture_.say(Msg::axis_size, {sizes_[d]}), px(11)));
    if (reading_.count > 60 && sizes_[d] > 2) width = std::max(width, text_width(range, px(11)));
    return std::max(width, text_width(axis_name(*reading_.tensor, d), px(11)));
  }

  void choose_size() {
    width_ = area_.width - left_gutter_;
    const bool all_named = stacked_ && arrows_.size() == static_cast<size_t>(rank_);
    const Unit legend = all_named ? 0 : px(20);
    height_ = (area_.height > 0 ? area_.height : px(520)) - top_ - bottom_ - legend;
    const auto longest = longest_label();
    constexpr std::array<std::array<int, 2>, 5> labelled{{{40, 14}, {36, 13}, {32, 12}, {28, 11}, {24, 10}}};
    const auto with_letters = [&](const std::array<int, 2>& size) {
      const Unit letters = px(size[1]), wide = static_cast<Unit>(longest) * letters * 6 / 10 + px(4);
      return CellSize{std::max(px(size[0]), wide), px(size[0]), letters};
    };
    for (const auto& size : labelled)
      if (fits_whole(with_letters(size))) return;
    for (int size : {20, 16, 12, 9})
      if (fits_whole({px(size), px(size), 0})) return;
    for (int size : {8, 7, 6, 5, 4, 3, 2, 1})
      if (reading_.count >= 1000 && fits_whole({px(size), px(size), 0})) {
        pixels_ = true;
        return;
      }
    window(with_letters(labelled[2]));
  }

  std::string label(int64_t cell, int64_t element) const { return with_fewer_decimals(picture_.label(reading_, cell, element), 5); }

  size_t longest_label() const {
    size_t longest = 1;
    const int64_t head = element_at(head_) / 16 * 16;
    const auto measure = [&](int64_t element) {
      if (element < 0 || element >= reading_.count) return;
      longest = std::max(longest, label(reading_.cell_of(element), element).size());
    };
    for (int64_t k = 0; k < 24; ++k) measure(head + k), measure(k);
    measure(reading_.count / 2), measure(reading_.count - 1);
    return std::min<size_t>(longest, 13);
  }

  /// Sets pitches and extents for the windows chosen.  @return false where they go beyond any screen
  bool arrange(const CellSize& cell) {
    cell_ = cell;
    const Unit between = cell.height >= px(20) ? px(3) : cell.height >= px(9) ? px(1) : 0;
    Unit extents[2] = {cell.width, cell.height};
    for (int d = rank_ - 1; d >= 0; --d) {
      Axis& axis = axes_[static_cast<size_t>(d)];
      Unit& extent = extents[across(d) ? 0 : 1];
      const bool table = level(d) < 2;
      Unit gap = table ? between : px(8) + px(8) * (level(d) / 2);
      if (!table && !across(d)) gap += caption_room;
      axis.pitch = extent + gap;
      if (axis.shown > px(10'000) / axis.pitch) return false;
      extent = static_cast<Unit>(axis.shown) * axis.pitch - gap;
      if (table && axis.cut(sizes_[d])) extent += 2 * mark_room;
      axis.extent = extent;
    }
    total_ = {extents[0], extents[1]};
    return true;
  }

  bool fits_whole(const CellSize& cell) {
    if (reading_.count > (cell.height >= px(9) ? 1500 : 400'000)) return false;
    int64_t tables = 1;
    for (int d = 0; d < rank_; ++d) {
      axes_[static_cast<size_t>(d)] = {.first = 0, .shown = sizes_[d]};
      if (level(d) >= 2) tables *= sizes_[d];
    }
    return tables <= 256 && arrange(cell) && total_.x <= width_ && total_.y <= height_;
  }

  /// Shares the room among the dimensions of one direction: the same number of indices each, then more for the inner.
  void window(const CellSize& cell) {
    for (Axis& axis : axes_) axis.shown = 1;
    for (bool direction : {true, false}) {
      const auto fits = [&] { return arrange(cell) && (direction ? total_.x <= width_ : total_.y <= height_); };
      for (int64_t most = 24; most >= 1; --most) {
        for (int d = 0; d < rank_; ++d)
          if (across(d) == direction) axes_[static_cast<size_t>(d)].shown = std::min(sizes_[d], most);
        if (fits()) break;
      }
      for (int d = rank_ - 1; d >= 0; --d) {
        Axis& axis = axes_[static_cast<size_t>(d)];
        while (across(d) == direction && axis.cut(sizes_[d])) {
          ++axis.shown;
          if (fits()) continue;
          --axis.shown;
          break;
        }
      }
    }
    arrange(cell);
    for (int d = 0; d < rank_; ++d) axes_[static_cast<size_t>(d)].first = window_start(head_[d], axes_[static_cast<size_t>(d)].shown, sizes_[d]);
  }

  /// Upper left corner of an element's cell.  @pre the window holds it
  Point corner(const Dims& index) const {
    Point at = origin_;
    for (int d = 0; d < rank_; ++d) {
      const Axis& axis = axes_[static_cast<size_t>(d)];
      Unit& coordinate = across(d) ? at.x : at.y;
      coordinate += static_cast<Unit>(index[d] - axis.first) * axis.pitch;
      if (level(d) < 2 && axis.cut(sizes_[d])) coordinate += mark_room;
    }
    return at;
  }
  bool in_window(const Dims& index) const {
    for (int d = 0; d < rank_; ++d) {
      const Axis& axis = axes_[static_cast<size_t>(d)];
      if (index[d] < axis.first || index[d] >= axis.first + axis.shown) return false;
    }
    return true;
  }

  /// Calls `visit(index)` for every index of the window over dimensions 0 .. outer-1; the others stay at their first.
  template <class Visit>
  void each(int outer, Visit visit) const {
    Dims index;
    for (int d = 0; d < rank_; ++d) index.push_back(axes_[static_cast<size_t>(d)].first);
    for (;;) {
      visit(index);
      int d = outer - 1;
      for (; d >= 0; --d) {
        const Axis& axis = axes_[static_cast<size_t>(d)];
        if (++index[d] < axis.first + axis.shown) break;
        index[d] = axis.first;
      }
      if (d < 0) return;
    }
  }
  int64_t element_at(const Dims& index) const {
    int64_t element = 0;
    for (int d = 0; d < rank_; ++d) element = element * sizes_[d] + index[d];
    return element;
  }

  void draw_cells() {
    each(rank_, [&](const Dims& index) {
      const int64_t element = element_at(index), cell = offset(reading_.layout, index);
      const Target target = reading_.element_target(element);
      const Point at = corner(index);
      const Rect rect{at.x, at.y, cell_.width, cell_.height, cell_.height >= px(20) ? px(3) : px(1)};
      const uint8_t shade = picture_.shade(reading_, cell, element);
      pen_.rect(rect, Role::cell, target).shade = shade;
      if (cell_.letters > 0)
        pen_.text({at.x + cell_.width / 2, at.y + cell_.height / 2 + cell_.letters * 35 / 100}, label(cell, element),
                  {.size = cell_.letters, .role = Role::cell_text, .anchor = Anchor::middle, .shade = shade}, cell_.width - px(2), target);
      if (picture_.changed(reading_, cell)) {
        pen_.outline({rect.x + px(1), rect.y + px(1), rect.width - px(2), rect.height - px(2), px(2)}, Role::changed, px(2), target);
        const Unit fold = std::min(px(8), rect.width / 2);
        pen_.shape({{rect.x, rect.y}, {rect.x + fold, rect.y}, {rect.x, rect.y + fold}}, Role::changed, target);
      }
      if (picture_.lit(reading_, target)) pen_.outline(rect, Role::cell_linked, px(2.5), target);
    });
    draw_marks();
  }

  /// "…" where a table goes on beyond the window.
  void draw_marks() {
    const Style style{.size = px(12), .role = Role::text_muted, .anchor = Anchor::middle};
    for (int d = std::max(rank_ - 2, 0); d < rank_; ++d) {
      const Axis& axis = axes_[static_cast<size_t>(d)];
      if (!axis.cut(sizes_[d])) continue;
      each(std::max(rank_ - 2, 0), [&](const Dims& index) {
        const Point at = corner(index);
        const Unit middle = across(d) ? at.y + (rank_ > 1 ? inner(rank_ - 2) : cell_.height) / 2 + px(2) : at.x + inner(rank_ - 1) / 2;
        const Unit before = (across(d) ? at.x : at.y) - mark_room / 2, after = (across(d) ? at.x : at.y) + inner(d) + mark_room / 2;
        const auto mark = [&](Unit place) {
          if (across(d)) pen_.text({place, middle}, "…", style);
          else pen_.text({middle, place + px(4)}, "⋮", style);
        };
        if (axis.first > 0) mark(before);
        if (axis.first + axis.shown < sizes_[d]) mark(after);
      });
    }
  }
  /// Extent of the cells of a table's row or column, without the room for marks.
  Unit inner(int d) const {
    const Axis& axis = axes_[static_cast<size_t>(d)];
    return axis.cut(sizes_[d]) ? axis.extent - 2 * mark_room : axis.extent;
  }

  void draw_images() {
    const int columns_dim = rank_ - 1, rows_dim = rank_ - 2;
    const int64_t columns = sizes_[columns_dim], rows = rank_ > 1 ? sizes_[rows_dim] : 1;
    const bool by_position = picture_.view.coloring == Coloring::position || picture_.view.coloring == Coloring::times;
    each(std::max(rows_dim, 0), [&](const Dims& index) {
      const Point at = corner(index);
      Image image{{at.x, at.y, static_cast<Unit>(columns) * cell_.width, static_cast<Unit>(rows) * cell_.height},
                  static_cast<int32_t>(columns), static_cast<int32_t>(rows), {}};
      image.shades.reserve(static_cast<size_t>(columns * rows));
      int64_t element = element_at(index), row = offset(reading_.layout, index);
      for (int64_t r = 0; r < rows; ++r, row += rank_ > 1 ? reading_.layout.strides[rows_dim] : 0)
        for (int64_t c = 0, cell = row; c < columns; ++c, ++element, cell += reading_.layout.strides[columns_dim])
          image.shades.push_back(by_position ? shade_of(std::clamp<int64_t>(cell, 0, reading_.cells - 1), reading_.cells - 1)
                                             : picture_.shade(reading_, cell, element));
      pen_.image(std::move(image), whole());
    });
  }

  /// "[0, :, :]" under every table.
  void draw_captions() {
    if (rank_ < 3) return;
    const Unit row_end = axes_[static_cast<size_t>(rank_ - 2)].extent, width = axes_[static_cast<size_t>(rank_ - 1)].extent;
    each(rank_ - 2, [&](const Dims& index) {
      std::string text = "[";
      for (int d = 0; d + 2 < rank_; ++d) text += std::to_string(index[d]) + ", ";
      text += ":, :]";
      const Unit room = width + px(12);
      Unit size = px(12);
      if (text_width(text, size) > room) size = px(10);
      if (text_width(text, size) > room) return;
      Point at = origin_;
      for (int d = 0; d + 2 < rank_; ++d) {
        const Axis& axis = axes_[static_cast<size_t>(d)];
        (across(d) ? at.x : at.y) += static_cast<Unit>(index[d] - axis.first) * axis.pitch;
      }
      pen_.text({at.x + width / 2, at.y + row_end + px(14)}, text,
                {.size = size, .role = rank_ == 3 ? axis_role(reading_, 0) : Role::text_muted, .anchor = Anchor::middle}, room, whole());
    });
  }

  /// @return the height of the figure so far
  Unit draw_arrows() {
    const int lit = picture_.lit_axis(reading_);
    const Unit captions = rank_ > 2 ? caption_room : 0;
    Unit x = origin_.x - px(12), y = origin_.y + total_.y + captions;
    for (int d : arrows_) {
      const Axis& axis = axes_[static_cast<size_t>(d)];
      const Target target = reading_.axis_target(d);
      const Role role = axis_role(reading_, d);
      const Unit stroke = d == lit ? px(4) : px(2);
      const Style style{.size = px(11), .role = role, .bold = d == lit};
      if (across(d)) {
        const bool top = level(d) == 0;
        const Unit line = top ? origin_.y - px(12) : y + px(10);
        pen_.arrow({origin_.x, line}, {origin_.x + axis.extent, line}, role, stroke, target);
        pen_.text({origin_.x, top ? line - px(8) : line + px(16)}, words(d), style, area_.right() - origin_.x, target);
        named_[static_cast<size_t>(d)] = true;
        if (!top) y += arrow_room;
      } else {
        pen_.arrow({x, origin_.y}, {x, origin_.y + axis.extent}, role, stroke, target);
        if (stacked_) {
          named_[static_cast<size_t>(d)] = true;
          Style end = style;
          end.anchor = Anchor::end;
          const Unit middle = origin_.y + std::max(axis.extent, 3 * line_height) / 2;
          Unit baseline = middle - line_height + px(4);
          for (const std::string& line : {axis_name(*reading_.tensor, d), size_words(d), stride_words(d)}) {
            pen_.text({x - px(9), baseline}, line, end, stacked_width(d), target);
            baseline += line_height;
          }
          x -= stacked_width(d) + side_room;
        } else {
          Style up = style;
          up.vertical = true;
          up.anchor = Anchor::middle;
          const std::string all = words(d), name = axis_name(*reading_.tensor, d);
          const Unit middle = origin_.y + axis.extent / 2;
          if (text_width(all, up.size) <= axis.extent) {
            pen_.text({x - px(8), middle}, all, up, INT32_MAX, target);
            named_[static_cast<size_t>(d)] = true;
          } else if (text_width(name, up.size) <= axis.extent) pen_.text({x - px(8), middle}, name, up, INT32_MAX, target);
          x -= px(32);
        }
      }
    }
    return std::max(y, origin_.y + (stacked_ && left_gutter_ > 0 ? 3 * line_height : 0)) - area_.y;
  }

  void draw_head() {
    if (picture_.head_of(reading_) < 0 || !in_window(head_)) return;
    Point at = corner(head_);
    const int64_t next = element_at(head_) + 1;
    if (picture_.glide > 0 && next < reading_.count && reading_.tensor == picture_.subject->tensor) {
      const Dims there = index_at(sizes_, next);
      if (in_window(there)) at = {picture_.gliding(at.x, corner(there).x), picture_.gliding(at.y, corner(there).y)};
    }
    const Unit margin = cell_.height >= px(20) ? px(2) : px(3);
    pen_.outline({at.x - margin, at.y - margin, cell_.width + 2 * margin, cell_.height + 2 * margin, px(5)}, Role::cell_focus, px(2.5),
                 reading_.element_target(element_at(head_)));
  }

  /// Dimensions that have no arrow, or an arrow without room for its numbers.  @return height
  Unit draw_legend(Unit top) {
    if (std::all_of(named_.begin(), named_.begin() + rank_, [](bool named) { return named; })) return 0;
    const int lines = area_.height > 0 ? 1 : 3;
    Unit x = area_.x, y = top + px(14);
    int line = 1;
    for (int d = 0; d < rank_; ++d) {
      if (named_[static_cast<size_t>(d)]) continue;
      const std::string text = words(d);
      const Unit width = text_width(text, px(11)), more = d + 1 < rank_ ? px(90) : 0;
      if (x > area_.x && x + width + (line == lines ? more : 0) > area_.right()) {
        if (line == lines) {
          pen_.text({x, y}, picture_.say(Msg::grid_more_axes, {rank_ - d}), {.size = px(11), .role = Role::text_muted, .mono = false}, area_.right() - x);
          break;
        }
        ++line, x = area_.x, y += px(16);
      }
      pen_.text({x, y}, text, {.size = px(11), .role = axis_role(reading_, d)}, area_.right() - x, reading_.axis_target(d));
      x += width + px(18);
    }
    return y + px(4) - top;
  }

  static constexpr Unit mark_room = px(16);

  Pen& pen_;
  const Picture& picture_;
  const Reading& reading_;
  const Dims& sizes_;
  const int rank_;
  const Area area_;
  Dims head_;
  std::array<Axis, max_rank> axes_{};
  std::vector<int> arrows_;  ///< dimensions drawn with an arrow, the innermost first
  bool stacked_ = true;      ///< names of the dimensions that run down stand in three lines, not upright
  std::array<bool, max_rank> named_{};  ///< size and stride stand at the arrow
  bool pixels_ = false;
  CellSize cell_;
  Unit left_gutter_ = 0, top_ = px(52), bottom_ = px(6), width_ = 0, height_ = 0;
  Point origin_, total_;
};

}  // namespace

Unit draw_grid(Pen& pen, const Picture& picture, const Reading& reading, const Area& area) {
  return Grid(pen, picture, reading, area).draw();
}

}  // namespace stridescope
