// The logical grid: the cells of a plan, with an arrow, its size and its stride for every dimension.
#include <algorithm>
#include <array>
#include <optional>

#include "scene/figures.h"
#include "scene/grid_plan.h"

namespace stridescope {
namespace {

class Grid {
 public:
  Grid(Pen& pen, const Picture& picture, const Reading& reading, const Area& area)
      : pen_(pen),
        picture_(picture),
        reading_(reading),
        sizes_(reading.layout.sizes),
        rank_(sizes_.size()),
        area_(area) {
    if (reading.count > 0) head_ = index_at(sizes_, std::max<int64_t>(picture.head_of(reading), 0));
    if (const int64_t pan = picture.pan_of(reading); pan >= 0) middle_ = index_at(sizes_, pan);
  }

  Clarity clarity() {
    if (reading_.count == 0) return {true, true, 0, true};
    choose();
    return seen();
  }

  Unit draw() {
    pen_.text({area_.x, area_.y + px(11)}, picture_.say(Msg::grid_heading, {reading_.name}),
              heading_style(picture_, reading_), area_.width, whole());
    if (reading_.count == 0) return draw_empty();
    choose();
    origin_ = {area_.x + left_gutter_, area_.y + top_};
    if (plan_->pixels())
      draw_images();
    else
      draw_cells();
    draw_captions();
    const Unit below = draw_arrows();
    draw_head();
    return below + draw_legend(area_.y + below);
  }

 private:
  static constexpr Unit line_height = px(14), arrow_room = px(30), side_room = px(22);

  int level(int d) const { return rank_ - 1 - d; }
  bool across(int d) const { return level(d) % 2 == 0; }
  Target whole() const { return {Target::Kind::tensor, reading_.tensor->object, -1}; }

  std::string size_words(int d) const {
    if (!plan_ || !plan_->cut(d)) return picture_.say(Msg::axis_size, {sizes_[d]});
    const GridPlan::Axis& axis = plan_->axis(d);
    if (axis.shown == 1) return picture_.say(Msg::grid_window_of_one, {axis.first, sizes_[d]});
    return picture_.say(Msg::grid_window, {axis.first, axis.first + axis.shown - 1, sizes_[d]});
  }
  std::string stride_words(int d) const {
    return picture_.stride_words(*reading_.tensor, reading_.tensor->layout.strides[d]);
  }
  std::string words(int d) const {
    return axis_name(*reading_.tensor, d) + "  " + size_words(d) + "  " + stride_words(d);
  }

  Unit draw_empty() {
    Unit y = area_.y + px(28);
    pen_.outline({area_.x + px(0.5), y, std::min(area_.width, px(260)) - px(1), px(56), px(4)}, Role::rule, px(1),
                 whole())
        .dashed = true;
    pen_.paragraph({area_.x + px(14), y + px(24)}, picture_.say(Msg::scene_no_elements),
                   {.size = px(12), .role = Role::text_muted, .mono = false}, std::min(area_.width, px(260)) - px(28),
                   px(16), 2);
    y += px(64);
    return y - area_.y + draw_legend(y);
  }

  void choose() {
    choose_arrows();
    choose_plan();
    if (!stacked_) return;
    // "0..4 of 24" may be wider than "size 24", which leaves less room for the cells.
    ranges_ = std::any_of(arrows_.begin(), arrows_.end(), [&](int d) { return !across(d) && plan_->cut(d); });
    if (ranges_) {
      choose_arrows();
      choose_plan();
    }
    // Names that stand upright leave the most.
    const Clarity before = seen();
    for (bool upright : {true, false}) {
      if (before.says_most || seen() > before) return;
      upright_ = upright;
      choose_arrows();
      choose_plan();
    }
  }
  Clarity seen() const { return {plan_->cell().letters > 0, !plan_->cut(), plan_->places(), plan_->says_most()}; }

  /// Which dimensions get an arrow; the others are named below the grid.
  void choose_arrows() {
    std::array<int, 2> room{3, 3};
    arrows_.clear();
    left_gutter_ = 0, bottom_ = px(6);
    Unit widest_sum = 0;
    for (int d = rank_ - 1; d >= 0; --d) {
      int& left = room[across(d) ? 0 : 1];
      if (left == 0) continue;
      --left;
      arrows_.push_back(d);
      if (!across(d)) widest_sum += stacked_width(d) + side_room;
    }
    stacked_ = !upright_ && widest_sum <= area_.width * 2 / 5;
    for (int d : arrows_)
      if (!across(d))
        left_gutter_ += stacked_ ? stacked_width(d) + side_room : px(32);
      else if (level(d) > 0)
        bottom_ += arrow_room;
    if (rank_ > 2) bottom_ += GridPlan::caption_room;
  }

  /// Width of "dim 1 / size 2 / stride 1" written in three lines.
  Unit stacked_width(int d) const {
    const std::string range = picture_.say(Msg::grid_window, {sizes_[d], sizes_[d], sizes_[d]}),
                      one = picture_.say(Msg::grid_window_of_one, {sizes_[d], sizes_[d]});
    Unit width =
        std::max(text_width(stride_words(d), px(11)), text_width(picture_.say(Msg::axis_size, {sizes_[d]}), px(11)));
    if (ranges_ && sizes_[d] > 2) width = std::max(width, text_width(range, px(11)));
    if (ranges_ && sizes_[d] > 1) width = std::max(width, text_width(one, px(11)));
    return std::max(width, text_width(axis_name(*reading_.tensor, d), px(11)));
  }

  void choose_plan() {
    const Unit width = area_.width - left_gutter_;
    const bool all_named = stacked_ && arrows_.size() == static_cast<size_t>(rank_);
    const Unit legend = all_named ? 0 : px(20);
    const Unit height = (area_.height > 0 ? area_.height : px(520)) - top_ - bottom_ - legend;
    const bool alone = !picture_.input && picture_.aliases.empty();  // else the cells of all should be of one size
    // Rather fewer decimals, or T and F, than cells that say nothing.
    for (letters_ = 5; letters_ >= 4; --letters_) {
      const size_t longest = longest_label();
      plan_.emplace(sizes_, head_, longest, Point{width, height}, alone && area_.height > 0, picture_.view.zoom,
                    middle_);
      if (plan_->cell().letters > 0 || (longest < letters_ && reading_.tensor->dtype != DType::boolean)) break;
    }
  }

  std::string label(int64_t element) const {
    std::string text = with_fewer_decimals(picture_.element_text(reading_, element), letters_);
    if (letters_ < 5 && (text == "True" || text == "False")) text.resize(1);
    return text;
  }

  size_t longest_label() const {
    size_t longest = 1;
    const int64_t head = element_at(head_) / 16 * 16;
    const auto measure = [&](int64_t element) {
      if (element >= reading_.count) return;
      longest = std::max(longest, label(element).size());
    };
    for (int64_t k = 0; k < 24; ++k) measure(head + k), measure(k);
    measure(reading_.count / 2), measure(reading_.count - 1);
    // A short complex number would fill its cell where no blank is beside it.
    if (is_complex(reading_.tensor->dtype) && longest < 6) ++longest;
    // Of few structures there is room for all.
    const bool few = reading_.tensor->structure && rank_ <= 2 && (rank_ == 0 || sizes_[rank_ - 1] <= 2);
    return std::min<size_t>(longest, few ? 26 : 13);
  }

  Point corner(const Dims& index) const {
    const Point at = plan_->corner(index);
    return {origin_.x + at.x, origin_.y + at.y};
  }
  int64_t element_at(const Dims& index) const {
    int64_t element = 0;
    for (int d = 0; d < rank_; ++d) element = element * sizes_[d] + index[d];
    return element;
  }

  void draw_cells() {
    plan_->each(rank_, [&](const Dims& index) {
      const int64_t element = element_at(index), cell = offset(reading_.layout, index);
      const Target target = reading_.element_target(element);
      const Point at = corner(index);
      const Rect rect{at.x, at.y, plan_->cell().width, plan_->cell().height,
                      plan_->cell().height >= px(20) ? px(3) : px(1)};
      const uint8_t shade = picture_.shade(reading_, cell, element);
      pen_.rect(rect, Role::cell, target).shade = shade;
      if (plan_->cell().letters > 0)
        pen_.text({at.x + plan_->cell().width / 2, at.y + plan_->cell().height / 2 + plan_->cell().letters * 35 / 100},
                  label(element),
                  {.size = plan_->cell().letters, .role = Role::cell_text, .anchor = Anchor::middle, .shade = shade},
                  plan_->cell().width - px(2), target);
      if (picture_.changed(reading_, cell, reading_.span)) {
        pen_.outline({rect.x + px(1), rect.y + px(1), rect.width - px(2), rect.height - px(2), px(2)}, Role::changed,
                     px(2), target);
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
      const GridPlan::Axis& axis = plan_->axis(d);
      if (!plan_->cut(d)) continue;
      plan_->each(std::max(rank_ - 2, 0), [&](const Dims& index) {
        const Point at = corner(index);
        const Unit middle = across(d) ? at.y + (rank_ > 1 ? inner(rank_ - 2) : plan_->cell().height) / 2 + px(2)
                                      : at.x + inner(rank_ - 1) / 2;
        const Unit before = (across(d) ? at.x : at.y) - GridPlan::mark_room / 2,
                   after = (across(d) ? at.x : at.y) + inner(d) + GridPlan::mark_room / 2;
        const auto mark = [&](Unit place) {
          if (across(d))
            pen_.text({place, middle}, "…", style);
          else
            pen_.text({middle, place + px(4)}, "⋮", style);
        };
        if (axis.first > 0) mark(before);
        if (axis.first + axis.shown < sizes_[d]) mark(after);
      });
    }
  }
  /// Extent of the cells of a table's row or column, without the room for marks.
  Unit inner(int d) const {
    const GridPlan::Axis& axis = plan_->axis(d);
    return plan_->cut(d) ? axis.extent - 2 * GridPlan::mark_room : axis.extent;
  }

  void draw_images() {
    const int columns_dim = rank_ - 1, rows_dim = rank_ - 2;
    const int64_t columns = plan_->axis(columns_dim).shown, rows = rank_ > 1 ? plan_->axis(rows_dim).shown : 1;
    const int64_t right = reading_.layout.strides[columns_dim],
                  down = rank_ > 1 ? reading_.layout.strides[rows_dim] : 0;
    const int64_t skipped = sizes_[columns_dim] - columns, last = std::max<int64_t>(reading_.cells - 1, 0);
    const Coloring coloring = picture_.view.coloring;
    const bool by_position = coloring == Coloring::position || coloring == Coloring::times;
    plan_->each(std::max(rows_dim, 0), [&](const Dims& index) {
      const Point at = corner(index);
      Image image{{at.x, at.y, static_cast<Unit>(columns) * plan_->cell().width,
                   static_cast<Unit>(rows) * plan_->cell().height},
                  static_cast<int32_t>(columns),
                  static_cast<int32_t>(rows),
                  {}};
      image.shades.resize(static_cast<size_t>(columns * rows));
      uint8_t* pixel = image.shades.data();
      int64_t element = element_at(index), row = offset(reading_.layout, index);
      for (int64_t r = 0; r < rows; ++r, row += down, element += skipped + columns) {
        if (by_position || coloring == Coloring::order) {
          Shades shades = by_position ? Shades(row, right, last) : Shades(element, 1, reading_.count - 1);
          shades.fill({pixel, static_cast<size_t>(columns)});
          pixel += columns;
        } else {
          for (int64_t c = 0; c < columns; ++c) *pixel++ = picture_.shade(reading_, row + c * right, element + c);
        }
      }
      pen_.image(std::move(image), whole());
    });
    draw_marks();
  }

  /// "[0, :, :]" under every table.
  void draw_captions() {
    if (rank_ < 3) return;
    const Unit row_end = plan_->axis(rank_ - 2).extent, width = plan_->axis(rank_ - 1).extent;
    plan_->each(rank_ - 2, [&](const Dims& index) {
      std::string text = "[";
      for (int d = 0; d + 2 < rank_; ++d) text += std::to_string(index[d]) + ", ";
      text += ":, :]";
      const Unit room = width + px(12);
      Unit size = px(12);
      if (text_width(text, size) > room) size = px(10);
      // Beside the last table stands the grid's corner.
      if (text_width(text, size) > width) std::erase(text, ' ');
      if (text_width(text, size) > room) return;
      Point at = origin_;
      for (int d = 0; d + 2 < rank_; ++d) {
        const GridPlan::Axis& axis = plan_->axis(d);
        (across(d) ? at.x : at.y) += static_cast<Unit>(index[d] - axis.first) * axis.pitch;
      }
      pen_.text(
          {at.x + width / 2, at.y + row_end + px(14)}, text,
          {.size = size, .role = rank_ == 3 ? axis_role(reading_, 0) : Role::text_muted, .anchor = Anchor::middle},
          room, whole());
    });
  }

  /// @return the height of the figure so far
  Unit draw_arrows() {
    const int lit = picture_.lit_axis(reading_);
    const Unit captions = rank_ > 2 ? GridPlan::caption_room : 0;
    Unit x = origin_.x - px(12), y = origin_.y + plan_->total().y + captions;
    for (int d : arrows_) {
      const GridPlan::Axis& axis = plan_->axis(d);
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
          } else if (text_width(name, up.size) <= axis.extent)
            pen_.text({x - px(8), middle}, name, up, INT32_MAX, target);
          x -= px(32);
        }
      }
    }
    return std::max(y, origin_.y + (stacked_ && left_gutter_ > 0 ? 3 * line_height : 0)) - area_.y;
  }

  void draw_head() {
    if (picture_.head_of(reading_) < 0 || !plan_->shows(head_)) return;
    Point at = corner(head_);
    const int64_t next = element_at(head_) + 1;
    if (picture_.glide > 0 && next < reading_.count && reading_.tensor == picture_.subject->tensor) {
      const Dims there = index_at(sizes_, next);
      if (plan_->shows(there)) at = {picture_.gliding(at.x, corner(there).x), picture_.gliding(at.y, corner(there).y)};
    }
    const Unit margin = plan_->cell().height >= px(20) ? px(2) : px(3);
    pen_.outline(
        {at.x - margin, at.y - margin, plan_->cell().width + 2 * margin, plan_->cell().height + 2 * margin, px(5)},
        Role::cell_focus, px(2.5), reading_.element_target(element_at(head_)));
  }

  /// Dimensions that have no arrow, or an arrow without room for its numbers.  @return height
  Unit draw_legend(Unit top) {
    if (std::all_of(named_.begin(), named_.begin() + rank_, [](bool named) { return named; })) return 0;
    const int lines = area_.height > 0 ? 1 : 3;
    Unit x = area_.x, y = top + (rank_ > 2 ? px(14) : px(14) + bottom_);  // not right at the corner of the cells
    int line = 1;
    int64_t unnamed = std::count(named_.begin(), named_.begin() + rank_, false);
    for (int d = 0; d < rank_; ++d) {
      if (named_[static_cast<size_t>(d)]) continue;
      const std::string text = words(d);
      const Unit width = text_width(text, px(11)), more = unnamed > 1 ? px(90) : 0;
      if (x > area_.x && x + width + (line == lines ? more : 0) > area_.right()) {
        if (line == lines) {
          pen_.text({x, y}, picture_.say(Msg::grid_more_axes, {unnamed}),
                    {.size = px(11), .role = Role::text_muted, .mono = false}, area_.right() - x);
          break;
        }
        ++line, x = area_.x, y += px(16);
      }
      pen_.text({x, y}, text, {.size = px(11), .role = axis_role(reading_, d)}, area_.right() - x,
                reading_.axis_target(d));
      x += width + px(18), --unnamed;
    }
    return y + px(4) - top;
  }

  Pen& pen_;
  const Picture& picture_;
  const Reading& reading_;
  const Dims& sizes_;
  const int rank_;
  const Area area_;
  Dims head_, middle_;
  std::optional<const GridPlan> plan_;  ///< none where there is no element
  size_t letters_ = 5;                  ///< of a decimal number, at most
  std::vector<int> arrows_;             ///< dimensions drawn with an arrow, the innermost first
  bool stacked_ = true;                 ///< names of the dimensions that run down stand in three lines, not upright
  bool upright_ = false;                ///< they are to stand upright
  bool ranges_ = false;                 ///< they have room for what a window shows of one
  std::array<bool, max_rank> named_{};  ///< size and stride stand at the arrow
  Unit left_gutter_ = 0, top_ = px(52), bottom_ = 0;
  Point origin_;
};

}  // namespace

Clarity grid_clarity(Pen& pen, const Picture& picture, const Reading& reading, const Area& area) {
  return Grid(pen, picture, reading, area).clarity();
}

Unit draw_grid(Pen& pen, const Picture& picture, const Reading& reading, const Area& area) {
  return Grid(pen, picture, reading, area).draw();
}

}  // namespace stridescope
