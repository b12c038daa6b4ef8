// The read path: storage offset against read order. A contiguous tensor is one straight diagonal, a permuted one a
// sawtooth, an expanded one flat runs. A long path shows the reads around the head; a band below shows the whole of it,
// one bar from lowest to highest offset for every few pixels.
#include <algorithm>

#include "layout/read_extent.h"
#include "scene/figures.h"

namespace stridescope {
namespace {

class Path {
 public:
  Path(Pen& pen, const Picture& picture, const Reading& reading, const Area& area)
      : pen_(pen), picture_(picture), reading_(reading), path_(reading.path()), area_(area) {}

  Unit draw() {
    const Style heading = heading_style(picture_, reading_);
    const Style light{.size = px(11), .role = Role::text_muted, .mono = false, .anchor = Anchor::end};
    const Unit taken =
        pen_.text({area_.x, area_.y + px(11)}, picture_.say(Msg::path_heading), heading, area_.width, whole());
    choose_window();
    const std::string caption = shown_ < path_.size()
                                    ? picture_.say(Msg::path_window, {first_, first_ + shown_ - 1, path_.size()})
                                    : picture_.say(picture_.view.bytes ? Msg::path_axes_bytes
                                                   : reading_.span > 1 ? Msg::path_axes_cells
                                                                       : Msg::path_axes);
    if (text_width(caption, light.size) <= area_.width - taken - px(16))
      pen_.text({area_.right(), area_.y + px(11)}, caption, light, INT32_MAX, whole());
    draw_axes();
    draw_ideal();
    draw_before();
    draw_reads();
    draw_head();
    Unit bottom = plot_.y + plot_.height + px(20);
    if (shown_ < path_.size()) bottom += draw_overview(bottom + px(4));
    bottom += draw_facts(bottom);
    return bottom - area_.y;
  }

 private:
  Target whole() const { return {Target::Kind::tensor, reading_.tensor->object, -1}; }
  int64_t head() const { return picture_.head; }
  int64_t scale() const { return picture_.view.bytes ? reading_.cell_bytes : 1; }

  /// Which reads are shown, which offsets they reach, and where the plot lies.
  void choose_window() {
    const Unit rough = area_.width - px(60);
    shown_ = path_.size();
    if (shown_ > std::min<int64_t>(rough / px(1.5), 240))
      shown_ = std::min<int64_t>(path_.size(), std::max<int64_t>(rough / px(6), 16));
    first_ = shown_ < path_.size() ? window_start(head(), shown_, path_.size(), picture_.pan) : 0;
    offsets_.reserve(static_cast<size_t>(shown_));
    for (int64_t k = 0; k < shown_; ++k) offsets_.push_back(path_.offset(first_ + k));
    if (picture_.has_other_path())
      for (int64_t k = first_; k < std::min(first_ + shown_, picture_.input->count); ++k)
        before_.push_back(picture_.input->cell_of(k));
    const auto [low, high] = std::minmax_element(offsets_.begin(), offsets_.end());
    low_ = *low, high_ = *high;
    for (int64_t offset : before_) low_ = std::min(low_, offset), high_ = std::max(high_, offset);
    Unit gutter = px(16);
    for (int64_t offset : {reading_.lowest, reading_.highest, low_, high_})
      gutter = std::max(gutter, text_width(std::to_string(offset * scale()), px(10)) + px(10));
    gutter = std::min(gutter, area_.width / 3);
    collect_facts(area_.x + gutter);
    const Unit overview = shown_ < path_.size() ? px(34) : 0;
    const Unit below = px(8) + facts_height_;
    const Unit limit = area_.height > 0 ? area_.height - px(22) - px(20) - overview - below : px(190);
    plot_ = {area_.x + gutter, area_.y + px(26), area_.width - gutter - px(8),
             std::max(std::min(limit, px(190)), px(40))};
  }

  Unit x_of(int64_t read) const {
    return shown_ < 2 ? plot_.x + plot_.width / 2
                      : plot_.x + static_cast<Unit>((read - first_) * plot_.width / (shown_ - 1));
  }
  Unit y_of(int64_t offset) const { return plot_.y + plot_.height - part(offset - low_, high_ - low_, plot_.height); }
  /// value/range of `length`, for ranges of any size.
  static Unit part(int64_t value, int64_t range, Unit length) {
    if (range <= 0) return length / 2;
    while (range > int64_t{1} << 40) value >>= 4, range >>= 4;
    return static_cast<Unit>(value * length / range);
  }
  /// 1, 2 or 5 times a power of ten, so that at most `most` steps go into `range`.
  static int64_t tick(int64_t range, int64_t most) {
    for (int64_t power = 1;; power *= 10) {
      for (int64_t factor : {1, 2, 5})
        if (range / (power * factor) <= most) return power * factor;
      if (power > INT64_MAX / 100) return power * 5;
    }
  }

  void draw_axes() {
    const Style style{.size = px(10), .role = Role::text_muted};
    const int64_t step = tick(high_ - low_, plot_.height / px(24));
    const auto row = [&](int64_t offset) {
      const Unit y = y_of(offset);
      pen_.line({{plot_.x, y}, {plot_.x + plot_.width, y}}, Role::grid_line, px(1));
      Style end = style;
      end.anchor = Anchor::end;
      pen_.text({plot_.x - px(8), y + px(3.5)}, std::to_string(offset * scale()), end, plot_.x - px(8) - area_.x);
    };
    for (int64_t offset = (low_ + step - 1) / step * step;; offset += step) {
      row(offset);
      if (offset > high_ - step) break;
    }
    const Unit widest = text_width(std::to_string(first_ + shown_), style.size) + px(12);
    const int64_t read_step = tick(shown_ - 1, std::max<int64_t>(std::min<int64_t>(plot_.width / widest, 8), 1));
    for (int64_t read = (first_ + read_step - 1) / read_step * read_step; read < first_ + shown_; read += read_step) {
      Style mid = style;
      mid.anchor = Anchor::middle;
      const std::string label = std::to_string(read);
      const Unit half = text_width(label, style.size) / 2;
      pen_.text({std::clamp(x_of(read), area_.x + half, area_.right() - half), plot_.y + plot_.height + px(16)}, label,
                mid, INT32_MAX, reading_.element_target(read));
    }
  }

  /// The walk of a contiguous tensor that starts where this one does.
  void draw_ideal() {
    const int64_t start = offsets_.front(), reads = std::min(shown_ - 1, (high_ - start) / reading_.span);
    if (reads < 1) return;
    const Unit end = y_of(start + reads * reading_.span);
    pen_.line({{x_of(first_), y_of(start)}, {x_of(first_ + reads), end}}, Role::path_ideal, px(1.5)).dashed = true;
  }

  /// The walk of the tensor that the operation was applied to.
  void draw_before() {
    std::vector<Point> points;
    for (size_t k = 0; k < before_.size(); ++k)
      points.push_back({x_of(first_ + static_cast<int64_t>(k)), y_of(before_[k])});
    if (points.size() < 2) return;
    const Target target{Target::Kind::tensor, picture_.input->tensor->object, -1};
    pen_.line(std::move(points), Role::hop_ahead, px(4), target);
  }

  Point point(int64_t read) const { return {x_of(read), y_of(offsets_[static_cast<size_t>(read - first_)])}; }

  void draw_reads() {
    const int lit_axis = picture_.lit_axis(reading_);
    for (int64_t read = first_; read + 1 < first_ + shown_; ++read) {
      const Point from = point(read), to = point(read + 1);
      const int dim = path_.advancing(read);
      const Role role = dim == lit_axis ? axis_role(reading_, dim) : to.y > from.y ? Role::hop_back : Role::path_line;
      pen_.line({from, to}, role, dim == lit_axis ? px(3) : px(1.8), reading_.element_target(read));
    }
    const Unit spacing = shown_ > 1 ? plot_.width / static_cast<Unit>(shown_ - 1) : plot_.width;
    const Unit radius = spacing >= px(10) ? px(3.2) : spacing >= px(5) ? px(2) : 0;
    for (int64_t read = first_; read < first_ + shown_; ++read) {
      const Target target = reading_.element_target(read);
      if (radius > 0) dot(point(read), radius, Role::path_point, target);
      if (picture_.lit(reading_, target))
        pen_.outline(around(point(read), px(5.5)), Role::cell_linked, px(2.5), target);
    }
  }

  static Rect around(Point at, Unit radius) { return {at.x - radius, at.y - radius, 2 * radius, 2 * radius, radius}; }
  void dot(Point at, Unit radius, Role role, Target target) { pen_.rect(around(at, radius), role, target); }

  void draw_head() {
    Point at = point(head());
    if (picture_.glide > 0 && head() + 1 < first_ + shown_) {
      const Point next = point(head() + 1);
      at = {picture_.gliding(at.x, next.x), picture_.gliding(at.y, next.y)};
    }
    dot(at, px(6), Role::head, reading_.element_target(head()));
  }

  Unit draw_overview(Unit y) {
    const Area band{plot_.x, y, plot_.width, px(20)};
    const int64_t bars = std::min<int64_t>(band.width / px(4), path_.size());
    const int64_t range = reading_.highest - reading_.lowest;
    pen_.rect({band.x, band.y, band.width, band.height, px(2)}, Role::panel, whole());
    for (int64_t k = 0; k < bars; ++k) {
      const int64_t each = path_.size() / bars, more = path_.size() % bars;
      const int64_t begin = each * k + more * k / bars, end = each * (k + 1) + more * (k + 1) / bars;
      const Extent reach = read_extent(reading_.layout, begin, end - 1);
      const Unit x = band.x + static_cast<Unit>(k * band.width / bars),
                 next = band.x + static_cast<Unit>((k + 1) * band.width / bars);
      const Unit low = part(reach.lowest - reading_.lowest, range, band.height - px(2)),
                 high = part(reach.highest - reading_.lowest, range, band.height - px(2));
      pen_.rect({x, band.y + band.height - px(2) - high, next - x, high - low + px(2)}, Role::path_ideal,
                reading_.element_target(begin));
    }
    const Unit from = band.x + part(first_, path_.size(), band.width),
               to = band.x + part(first_ + shown_, path_.size(), band.width);
    const Unit x = std::min(from, band.x + band.width - px(6));
    pen_.outline({x, band.y - px(2), std::max(to - x, px(6)), band.height + px(4), px(3)}, Role::minimap_window, px(2));
    return px(30);
  }

  /// What is counted along the path, in lines below the plot that begin at `left`.
  void collect_facts(Unit left) {
    const PathStatistics statistics = path_.statistics(reading_.span);
    Unit x = left, line = leading;
    const auto add = [&](std::string text, Role role, const Target& about) {
      const Unit width = text_width(text, px(11));  // which is more than most letters take
      if (x > left && x + width > area_.right()) x = left, line += leading;
      facts_.push_back({std::move(text), role, about, {x, line}});
      x += width + px(5);
    };
    const auto write = [&](Msg id, const std::string& number, Role role) {
      add(picture_.say(id, {number}), role, whole());
    };
    const Msg unit = picture_.view.bytes ? Msg::path_travel_bytes : Msg::path_travel;
    const auto travel = checked_mul(statistics.travel, scale());
    if (travel) write(unit, std::to_string(*travel), Role::text_muted);
    write(Msg::path_back, std::to_string(statistics.backward),
          statistics.backward > 0 ? Role::hop_back : Role::text_muted);
    write(Msg::path_repeats, std::to_string(statistics.repeats), Role::text_muted);
    write(Msg::path_longest_run, std::to_string(statistics.longest_run), Role::text_muted);
    if (picture_.has_other_path() && picture_.input->count > 0) {
      const PathStatistics before = picture_.input->path().statistics(picture_.input->span);
      const auto way = checked_mul(before.travel, picture_.view.bytes ? picture_.input->cell_bytes : 1);
      x = left, line += leading;
      add(picture_.say(Msg::path_before,
                       {picture_.input->name, picture_.say(unit, {way ? std::to_string(*way) : "?"}), before.backward}),
          Role::text_muted, {Target::Kind::tensor, picture_.input->tensor->object, -1});
    }
    facts_height_ = line;
  }

  Unit draw_facts(Unit y) {
    for (const auto& [text, role, about, at] : facts_)
      pen_.text({at.x, y + at.y - px(2)}, text, {.size = px(11), .role = role, .mono = false}, area_.right() - at.x,
                about);
    return facts_height_ + px(2);
  }

  struct Fact {
    std::string text;
    Role role;
    Target about;
    Point at;  ///< from the edge of the picture and from where they begin
  };
  static constexpr Unit leading = px(16);

  Pen& pen_;
  const Picture& picture_;
  const Reading& reading_;
  const AccessPath path_;
  const Area area_;
  Rect plot_;
  std::vector<Fact> facts_;
  Unit facts_height_ = 0;
  int64_t first_ = 0, shown_ = 0;  ///< reads of the window
  int64_t low_ = 0, high_ = 0;     ///< offsets they reach
  std::vector<int64_t> offsets_;
  std::vector<int64_t> before_;  ///< of the tensor that the operation was applied to, as far as it has reads here
};

}  // namespace

Unit draw_path(Pen& pen, const Picture& picture, const Reading& reading, const Area& area) {
  return Path(pen, picture, reading, area).draw();
}

}  // namespace stridescope
