// The storage strip. Long storages are shown through a window that follows the head (window_start()); a minimap below
// shows where the window is.
#include <algorithm>
#include <array>

#include "layout/cache_lines.h"
#include "layout/warp.h"
#include "scene/figures.h"

namespace stridescope {
namespace {

constexpr int most_readers = 100;  ///< a count beyond is shown as "99+"

struct Hop {
  int64_t read = 0;  ///< from element `read` to `read` + 1
  int64_t from = 0, to = 0;
};

class Strip {
 public:
  Strip(Pen& pen, const Picture& picture, const Reading& reading, const Area& area)
      : pen_(pen),
        picture_(picture),
        reading_(reading),
        covered_(reading.covered()),
        area_(area),
        head_(picture.head_of(reading)),
        goes_back_(reading.path().statistics().backward > 0),
        per_line_(picture.view.line % reading.cell_bytes == 0 ? picture.view.line / reading.cell_bytes : 0),
        banks_(picture.view.coloring == Coloring::bank && head_ >= 0) {}

  /// The cell the head is on.
  Rect head_cell() const {
    const int64_t cell = place();
    return {middle_or_end(cell) - (pitch_ - gap_) / 2, cells_top_, pitch_ - gap_, cell_height_, px(2)};
  }

  /// How high it is, drawn or not.
  Unit height() { return bare() ? heading : height_above_map() + (windowed() ? minimap_height : 0); }

  Unit draw() {
    const Unit above_map = height_above_map();
    draw_heading();
    if (bare()) return heading;
    collect_hops();
    for (int64_t cell = first_; cell < first_ + shown_; ++cell) draw_cell(cell);
    draw_ruler();
    if (per_line_ > 0) draw_lines();
    if (banks_) draw_warp();
    draw_hops();
    if (head_ >= 0) draw_head();
    return above_map + (windowed() ? draw_minimap(area_.y + above_map) : 0);
  }

 private:
  Unit height_above_map() {
    choose_heights();
    choose_window();
    return cells_top_ + cell_height_ + below_cells() + (goes_back_ ? below_ : 0) - area_.y;
  }
  /// The ruler and what stands under it before the hops back.
  Unit below_cells() const { return below_lines() + (banks_ ? warp_height : 0); }
  Unit below_lines() const { return ruler_height + (per_line_ > 0 ? lines_height : 0); }

  static constexpr Unit lines_height = px(22), warp_height = px(37);
  static constexpr Unit heading = px(18), ruler_height = px(20), minimap_height = px(20), edge = px(20);

  /// The cell around which the window lies.
  int64_t place() const { return reading_.count > 0 ? reading_.cell_of(std::max<int64_t>(head_, 0)) : 0; }
  /// Of a storage without cells the heading says all.
  bool bare() const { return reading_.cells <= 0; }
  bool windowed() const { return shown_ < reading_.cells; }
  bool in_window(int64_t cell) const { return cell >= first_ && cell < first_ + shown_; }
  Unit left(int64_t cell) const { return left_ + static_cast<Unit>(cell - first_) * pitch_; }
  /// Of the cells of an element that begins at `cell`, as far as they are in the window.
  Unit middle(int64_t cell) const {
    const Unit end = left(std::min(cell + reading_.span, first_ + shown_));
    return left(cell) + (end - left(cell) - gap_) / 2;
  }
  /// Where an element is, or the end of the window beyond which it lies.
  Unit middle_or_end(int64_t cell) const {
    if (cell < first_) return left_ - edge / 2;
    if (cell >= first_ + shown_) return left_ + static_cast<Unit>(shown_) * pitch_ + edge / 2;
    return middle(cell);
  }

  void choose_heights() {
    const bool tight = area_.height > 0 && area_.height < px(215);
    cell_height_ = tight ? px(28) : px(40);
    above_ = tight ? px(20) : px(34);
    below_ = tight ? px(28) : px(44);
    cells_top_ = area_.y + heading + px(14) + above_ + px(6);
  }

  void choose_window() {
    const Unit room = area_.width;
    size_t longest = 1;
    const size_t decimals = room / px(50) < reading_.cells ? 5 : 7;
    const auto measure = [&](int64_t cell) {
      if (cell < 0 || cell >= reading_.cells) return;
      const auto by = picture_.view.labels == Labels::value ? std::vector<int64_t>{} : reading_.readers_of(cell, 1);
      const std::string text = picture_.cell_text(reading_, cell, by.empty() ? -1 : by[0]);
      longest = std::max(longest, with_fewer_decimals(text, decimals).size());
    };
    const int64_t at = place();
    const int64_t around = std::clamp<int64_t>(at / 16 * 16, 0, std::max<int64_t>(reading_.cells - 1, 0));
    for (int64_t k = 0; k < 16; ++k) measure(around + k);
    measure(0), measure(reading_.cells / 2), measure(reading_.cells - 1);
    const Unit legible =
        std::clamp(static_cast<Unit>(longest) * px(6) + beside_label(longest) + px(3), px(19), px(104));
    const Unit least = std::clamp(zoomed(legible, picture_.view.zoom), px(6), std::max(room / 4, px(104)));
    const int64_t fitting = std::max<int64_t>(room / least, 1);
    if (reading_.cells <= fitting) {
      shown_ = std::max<int64_t>(reading_.cells, 0);
      const Unit most = zoomed(std::max(legible, px(61)), picture_.view.zoom);
      pitch_ = shown_ > 0 ? std::min(most, room / static_cast<Unit>(shown_)) : most;
      pitch_ = std::max(pitch_ / 100 * 100, px(4));
      left_ = area_.x;
    } else {
      shown_ = std::max<int64_t>((room - 2 * edge) / least, 1);
      pitch_ = (room - 2 * edge) / static_cast<Unit>(shown_) / 100 * 100;
      left_ = area_.x + (room - pitch_ * static_cast<Unit>(shown_)) / 2;
      const auto inside = [&](int64_t cell) { return std::clamp<int64_t>(cell, 0, reading_.cells - 1); };
      const int64_t pan = picture_.pan_of(reading_);
      first_ = window_start(inside(at), shown_, reading_.cells, pan < 0 ? -1 : inside(reading_.cell_of(pan)));
    }
    gap_ = pitch_ >= px(16) ? px(2) : px(1);
    letters_ = decimals;
    const Unit inside = pitch_ - gap_ - std::min(beside_label(longest), px(8));
    label_size_ = px(10);
    for (Unit size : {px(14), px(13), px(12), px(11)})
      if (static_cast<Unit>(longest) * size * 6 / 10 <= inside) {
        label_size_ = size;
        break;
      }
  }

  void collect_hops() {
    if (reading_.count < 2) return;
    constexpr int64_t all = 48, near = 14;
    const int64_t begin = reading_.count <= all ? 0 : std::max<int64_t>(head_ - near, 0);
    const int64_t end = reading_.count <= all ? reading_.count - 1 : std::min(head_ + near, reading_.count - 1);
    for (int64_t k = begin; k < end; ++k) {
      const Hop hop{k, reading_.cell_of(k), reading_.cell_of(k + 1)};
      if (hop.from == hop.to || (!in_window(hop.from) && !in_window(hop.to))) continue;
      hops_.push_back(hop);
    }
  }

  void draw_heading() {
    const Unit y = area_.y + px(11);
    const bool source = picture_.source && reading_.tensor == picture_.source->tensor,
               copied = picture_.source && !source;
    const Msg id = source ? Msg::strip_copied_from : copied ? Msg::strip_copied_to : Msg::strip_heading;
    Unit x = area_.x +
             pen_.text({area_.x, y}, picture_.say(id, {reading_.name}), heading_style(picture_, reading_), area_.width,
                       whole_target()) +
             px(16);
    const Style light{.size = px(11), .role = Role::text_muted, .mono = false};
    const Storage& storage = *reading_.tensor->storage;
    const int64_t unread = reading_.count > 0 ? reading_.uncovered().value_or(0) : 0;
    const Msg unreachable = storage.structure ? Msg::strip_cells_unreachable : Msg::strip_unreachable;
    if (unread > 0)
      x += pen_.text({x, y}, picture_.say(unreachable, {unread, reading_.cells, reading_.name}), light,
                     area_.right() - x, whole_target()) +
           px(16);
    const bool numbers = !storage.structure || storage.structure->is_swapped();
    const std::string facts =
        !numbers
            ? picture_.say(storage.structure->is_string() ? Msg::strip_strings : Msg::strip_structures,
                           {number_of(picture_.trace, storage), storage.cells(), storage.item_bytes(), storage.nbytes})
            : picture_.say(Msg::strip_facts,
                           {number_of(picture_.trace, storage), storage.structure ? storage.cells() : reading_.cells,
                            storage.structure ? to_string(*storage.structure) : std::string(name(reading_.cell_dtype)),
                            storage.nbytes});
    const std::string note = reading_.unknown ? picture_.say(Msg::strip_unknown, {})
                             : reading_.drawn ? picture_.say(Msg::strip_stand_ins, {})
                                              : "";
    Style end = light;
    end.anchor = Anchor::end;
    // That numbers are not those of the library matters more than how many there are.
    for (const std::string& text : {note.empty() ? facts : facts + "; " + note, note})
      if (!text.empty() && text_width(text, light.size) <= area_.right() - x) {
        pen_.text({area_.right(), y}, text, end, INT32_MAX, whole_target());
        break;
      }
  }

  Target whole_target() const { return {Target::Kind::tensor, reading_.tensor->object, -1}; }

  /// Whether a cell and the next are both of one element and of no other.
  bool goes_on(int64_t cell) const {
    if (reading_.span == 1) return false;
    const std::vector<int64_t> by = reading_.readers_of(cell, 2);
    return by.size() == 1 && by == reading_.readers_of(cell + 1, 2);
  }

  void draw_cell(int64_t cell) {
    const bool parts = reading_.span > 1;
    const Rect rect{left(cell), cells_top_, pitch_ - (goes_on(cell) ? 0 : gap_), cell_height_, parts ? 0 : px(2)};
    const Target target = reading_.cell_target(cell);
    const std::vector<int64_t> by = reading_.readers_of(cell, most_readers);
    if (!by.empty()) read_.push_back(cell);
    const bool unread = by.empty() && index_of(covered_, cell, search_limit).answer != Answer::unknown;
    const int64_t element = by.empty() ? -1 : by.front();
    const std::string label = with_fewer_decimals(picture_.cell_text(reading_, cell, element), letters_);
    const Unit baseline = cells_top_ + cell_height_ / 2 + label_size_ * 35 / 100;
    Style style{.size = label_size_, .anchor = Anchor::middle};
    if (unread) {
      pen_.rect(rect, Role::cell_unused, target);
      hatch(rect, std::min(text_width(label, label_size_) + px(6), rect.width - px(2)), target);
      style.role = Role::text_muted;
    } else {
      const uint8_t shade = picture_.shade(reading_, cell, element);
      pen_.rect(rect, Role::cell, target).shade = shade;
      style.role = Role::cell_text;
      style.shade = shade;
    }
    const bool counted = by.size() > 1 && cell_height_ >= px(36);
    pen_.text({rect.x + rect.width / 2, baseline - (counted ? px(5) : 0)}, label, style, rect.width - px(2), target);
    if (counted) {
      style.size = px(9);
      const std::string count = by.size() < most_readers ? "×" + std::to_string(by.size()) : "99+";
      pen_.text({rect.x + rect.width / 2, cells_top_ + cell_height_ - px(5)}, count, style, rect.width - px(2), target);
    }
    if (picture_.changed(reading_, cell)) {
      const Rect inner{rect.x + px(1), rect.y + px(1), rect.width - px(2), rect.height - px(2), px(2)};
      pen_.outline(inner, Role::changed, px(2), target);
      pen_.shape({{inner.x, inner.y}, {inner.x + px(8), inner.y}, {inner.x, inner.y + px(8)}}, Role::changed, target);
    }
    if (picture_.lit(reading_, target)) pen_.outline(rect, Role::cell_linked, px(2.5), target);
  }

  /// Diagonal lines across a cell that nothing reads.
  void hatch(const Rect& rect, Unit label, const Target& target) {
    for (Unit k = px(8); k < rect.width + rect.height; k += px(8)) {  // x + y == k inside the rect
      const Point high{std::min(k, rect.width), std::max(k - rect.width, 0)},
          low{std::max(k - rect.height, 0), std::min(k, rect.height)};
      pen_.line({{rect.x + low.x, rect.y + low.y}, {rect.x + high.x, rect.y + high.y}}, Role::hatch, px(1), target);
    }
    // The label stands on a clear patch.
    pen_.rect({rect.x + (rect.width - label) / 2, rect.y + rect.height / 2 - px(8), label, px(16), px(2)},
              Role::cell_unused, target);
  }

  void draw_ruler() {
    const int64_t scale = picture_.view.bytes ? reading_.cell_bytes : 1;
    const Unit top = cells_top_ + cell_height_ + px(3);
    for (int64_t cell = first_; cell <= first_ + shown_; ++cell)
      pen_.line({{left(cell) - gap_ / 2, top}, {left(cell) - gap_ / 2, top + px(3)}}, Role::rule, px(1));
    const Unit widest = text_width(std::to_string((first_ + shown_ - 1) * scale), px(10)) + px(8);
    int64_t step = 1;
    for (int64_t factors : {2, 5, 10, 20, 50, 100, 200, 500})
      if (widest > pitch_ * static_cast<Unit>(step)) step = factors;
    for (int64_t cell = (first_ + step - 1) / step * step; cell < first_ + shown_; cell += step) {
      const Unit at = left(cell) + (pitch_ - gap_) / 2, half = widest / 2;
      if (at - half < area_.x - px(8) || at + half > area_.right() + px(8)) continue;
      pen_.text({at, top + px(14)}, std::to_string(cell * scale),
                {.size = px(10), .role = Role::text_muted, .anchor = Anchor::middle}, INT32_MAX,
                reading_.cell_target(cell));
    }
  }

  /// A bar under the cells of each block of `per_block` cells, strong where `cells`, in order, have one in it.
  void draw_bars(Unit top, int64_t per_block, const std::vector<int64_t>& cells) {
    for (int64_t cell = first_; cell < first_ + shown_; cell = (cell / per_block + 1) * per_block) {
      const int64_t end = std::min((cell / per_block + 1) * per_block, first_ + shown_);
      const auto read = std::lower_bound(cells.begin(), cells.end(), cell / per_block * per_block);
      const Rect bar{left(cell), top, left(end) - left(cell) - gap_, px(4), px(2)};
      if (read != cells.end() && *read < end)
        pen_.rect(bar, Role::path_line, whole_target());
      else
        pen_.outline({bar.x + px(0.5), bar.y + px(0.5), bar.width - px(1), bar.height - px(1), px(1.5)}, Role::rule,
                     px(1), whole_target());
    }
  }

  /// The cache lines that the tensor reads, and what they cost.
  void draw_lines() {
    const Unit top = cells_top_ + cell_height_ + ruler_height;
    draw_bars(top, per_line_, read_);
    if (reading_.count == 0) return;
    const int64_t lines = (reading_.cells + per_line_ - 1) / per_line_;
    const auto touched = reading_.counted_quickly() ? lines_touched(covered_, per_line_) : std::nullopt;
    pen_.text({area_.x, top + px(17)},
              picture_.say(Msg::strip_lines, {touched ? std::to_string(*touched) : "?", lines, picture_.view.line,
                                              lines_fetched(covered_, per_line_)}),
              {.size = px(11), .role = Role::text_muted, .mono = false}, area_.width, whole_target());
  }

  /// The sectors that the warp of the head reads, and what it costs beside one that reads neighbours.
  void draw_warp() {
    const Unit top = cells_top_ + cell_height_ + below_lines();
    const int64_t bytes = reading_.cell_bytes * reading_.span;
    const Warp warp = warp_at(reading_.layout, head_, reading_.cell_bytes, bytes),
               best = warp_at(contiguous(Dims{warp.lanes}), 0, bytes, bytes);
    std::vector<int64_t> cells;
    for (int64_t k = 0; k < warp.lanes; ++k)
      for (int64_t part = 0; part < reading_.span; ++part) cells.push_back(reading_.cell_of(warp.first + k) + part);
    std::sort(cells.begin(), cells.end());
    draw_bars(top, sector_bytes / reading_.cell_bytes, cells);
    const Style style{.size = px(11), .role = Role::text_muted, .mono = false};
    const int64_t last = warp.first + warp.lanes - 1;
    pen_.text({area_.x, top + px(17)},
              picture_.say(Msg::strip_warp, {warp.first, last, warp.sectors, sector_bytes, best.sectors}), style,
              area_.width, whole_target());
    pen_.text({area_.x, top + px(32)}, picture_.say(Msg::strip_banks, {warp.passes, bank_count, best.passes}), style,
              area_.width, whole_target());
  }

  void draw_hops() {
    const int lit_axis = picture_.lit_axis(reading_);
    for (const Hop& hop : hops_) {
      const bool back = hop.to < hop.from, ahead = hop.read >= head_;
      const int dim = reading_.path().advancing(hop.read);
      const bool lit = dim == lit_axis;
      const Unit from = middle_or_end(hop.from), to = middle_or_end(hop.to);
      const Unit reach = std::min(back ? below_ - px(16) : above_, px(10) + (from < to ? to - from : from - to) / 7);
      const Unit y = back ? cells_top_ + cell_height_ + below_cells() : cells_top_ - px(5);
      const Role role = lit    ? axis_role(reading_, dim)
                        : back ? (ahead ? Role::hop_back_ahead : Role::hop_back)
                               : (ahead ? Role::hop_ahead : Role::hop_forward);
      pen_.arc({from, y}, {to, y}, back ? reach : -reach, role,
               lit     ? px(3)
               : ahead ? px(1.4)
                       : px(2),
               reading_.axis_target(dim));
      if (back)
        write_length(hop, (from + to) / 2, y + reach + px(12), dim);
      else if (hop.read == head_ && hop.to - hop.from != 1)
        write_length(hop, (from + to) / 2, y - reach - px(4), dim);
    }
  }

  /// The length of a hop where no other stands.
  void write_length(const Hop& hop, Unit x, Unit baseline, int dim) {
    const int64_t length = (hop.to - hop.from) * (picture_.view.bytes ? reading_.cell_bytes : 1);
    const std::string text = length < 0 ? "−" + std::to_string(-length) : "+" + std::to_string(length);
    const Unit half = text_width(text, px(11)) / 2 + px(3);
    const Rect box{std::clamp(x, area_.x + half, area_.right() - half) - half, baseline - px(9), 2 * half, px(12)};
    for (const Rect& other : written_)
      if (box.x < other.x + other.width && other.x < box.x + box.width && box.y < other.y + other.height &&
          other.y < box.y + box.height)
        return;
    written_.push_back(box);
    pen_.text({box.x + half, baseline}, text,
              {.size = px(11), .role = length < 0 ? Role::hop_back : Role::text_muted, .anchor = Anchor::middle},
              INT32_MAX, reading_.axis_target(dim));
  }

  void draw_head() {
    const int64_t element = head_, cell = reading_.cell_of(element),
                  next = element + 1 < reading_.count ? reading_.cell_of(element + 1) : cell;
    const Unit x = picture_.gliding(middle_or_end(cell), middle_or_end(next));
    const Unit top = area_.y + heading + px(2);
    const Target target = reading_.element_target(element);
    pen_.shape({{x - px(7), top}, {x + px(7), top}, {x, top + px(12)}}, Role::head, target);
    pen_.line({{x, top + px(12)}, {x, cells_top_ - px(4)}}, Role::head, px(2), target);
    const Unit half = middle(cell) - left(cell) + px(2);
    const Unit from = std::max(x - half, area_.x - px(2)), to = std::min(x + half, area_.right() + px(2));
    pen_.outline({from, cells_top_ - px(2), to - from, cell_height_ + px(4), px(4)}, Role::cell_focus, px(2.5),
                 reading_.cell_target(cell));
  }

  Unit draw_minimap(Unit y) {
    const auto place = [&](int64_t cell) {  // of a cell's left end on the map
      int64_t part = std::clamp<int64_t>(cell, 0, reading_.cells), whole = reading_.cells;
      while (whole > int64_t{1} << 32) part >>= 8, whole >>= 8;
      return area_.x + static_cast<Unit>(part * area_.width / std::max<int64_t>(whole, 1));
    };
    const Unit top = y + px(8), height = px(6);
    const Style dots{.size = px(12), .role = Role::text_muted, .anchor = Anchor::middle};
    const Unit dots_y = cells_top_ + cell_height_ / 2 + px(3);
    if (first_ > 0) pen_.text({area_.x + edge / 2, dots_y}, "…", dots);
    if (first_ + shown_ < reading_.cells) pen_.text({area_.right() - edge / 2, dots_y}, "…", dots);
    pen_.rect({area_.x, top, area_.width, height, px(3)}, Role::minimap);
    constexpr int64_t parts = 48;
    if (reading_.count > 0) {
      const int64_t from = reading_.lowest, to = reading_.highest;
      for (int64_t k = 0; k < parts; ++k) {
        const int64_t cells = to - from + 1, begin = from + cells / parts * k + cells % parts * k / parts,
                      end = from + cells / parts * (k + 1) + cells % parts * (k + 1) / parts;
        const Unit x = place(begin), next = place(end);
        if (next > x)
          pen_.rect({x, top, next - x, height}, Role::cell, reading_.cell_target(begin)).shade =
              shade_of(begin, reading_.cells - 1);
      }
    }
    const Unit x = std::min(place(first_), area_.right() - px(6)), width = std::max(place(first_ + shown_) - x, px(6));
    pen_.outline({x, top - px(3), width, height + px(6), px(3)}, Role::minimap_window, px(2));
    return minimap_height;
  }

  Pen& pen_;
  const Picture& picture_;
  const Reading& reading_;
  const Layout covered_;
  const Area area_;
  const int64_t head_;             ///< the element the head is on, or -1
  int64_t first_ = 0, shown_ = 0;  ///< cells of the window
  size_t letters_ = 0;             ///< most characters of a decimal number
  Unit left_ = 0, pitch_ = 0, gap_ = 0, label_size_ = 0;
  Unit cells_top_ = 0, cell_height_ = 0, above_ = 0, below_ = 0;
  const bool goes_back_;       ///< somewhere on its path, so that the height does not change while the head walks
  const int64_t per_line_;     ///< cells of a cache line; 0 where none are marked
  const bool banks_;           ///< whether the cells are coloured by bank and a warp reads some
  std::vector<int64_t> read_;  ///< the window's cells that the tensor reads, in order
  std::vector<Hop> hops_;
  std::vector<Rect> written_;
};

}  // namespace

Unit strip_height(Pen& pen, const Picture& picture, const Reading& reading, const Area& area) {
  return Strip(pen, picture, reading, area).height();
}

Unit draw_strip(Pen& pen, const Picture& picture, const Reading& reading, const Area& area, Rect& head) {
  Strip strip(pen, picture, reading, area);
  const Unit height = strip.draw();
  head = strip.head_cell();
  return height;
}

}  // namespace stridescope
