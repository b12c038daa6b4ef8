// The composition: which figures a step has, and how they share the room. Side by side where it is wide, below each
// other where it is narrow; where the host has a fixed height, figures share what is left.
#include <algorithm>

#include "layout/contiguity.h"
#include "scene/figures.h"
#include "scene/grid_plan.h"
#include "stridescope.h"

namespace stridescope {
namespace {

/// The height of a room in which a strip has hops as high as it can, of one where they are low, and the least for a
/// grid.
constexpr Unit full_strip = px(215), small_strip = px(170), least_grid = px(160);
constexpr Unit beside_grids = px(36), least_path = px(240);
constexpr Unit narrowest_picture = px(320), widest_picture = px(2560), side_by_side = px(700);

/// A view was attempted on dimensions that can be compared, and it failed or the answer is worth seeing: the tensor
/// was not contiguous, or nothing else is asked for.
bool has_verdict(const Picture& picture) {
  if (!(picture.view.figures & figure_verdict) || !picture.op || !picture.op->attempt) return false;
  const ViewAttempt& attempt = *picture.op->attempt;
  const Layout& layout = attempt.tensor->layout;
  const auto count = numel(layout.sizes);
  if (*count == 0 || layout.rank() == 0 || numel(attempt.sizes) != count) return false;
  const bool packed = is_contiguous(slowest_left(layout, attempt.order), attempt.tensor->unit());
  return picture.op->error || picture.view.figures == figure_verdict || !packed;
}

/// What the picture shows, in a few sentences for those who cannot see it.
std::string description(const Picture& picture) {
  std::string text;
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) text += (text.empty() ? "" : " ") + printable(sentence);
  };
  if (picture.view.ask) add(picture.say(Msg::ask_question));
  if (const Diagnostic* error = picture.error()) {
    add(plain(error->reason, picture.view.language));
    if (error->raised) add(error->raised->type + ": " + error->raised->text);
  } else if (picture.op) {
    for (const Message& line : picture.op->why.lines) add(plain(line, picture.view.language));
  }
  if (picture.subject) add(picture.subject->name + ": " + to_string(picture.subject->tensor->layout));
  return text;
}

class Composer {
 public:
  Composer(Scene& scene, const Picture& picture, const Area& area)
      : pen_(scene),
        picture_(picture),
        area_(area),
        figures_(picture.view.figures),
        words_(picture.view.words || !picture.subject) {}

  /// @return the bottom of all that is drawn
  Unit compose() {
    add(draw_header(pen_, picture_, area_), px(18));
    if (picture_.view.ask) add(sentence(Msg::ask_question), px(18));
    const Diagnostic* error = picture_.error();
    if (has_verdict(picture_)) {
      add(part(figure_verdict, [&] { return draw_verdict(pen_, picture_, area_); }), px(12));
      if (!error && words_) add(reasons(), px(12));
    }
    if (error && words_) add(draw_error(pen_, picture_, area_), has_verdict(picture_) ? px(12) : px(20));
    if (has_verdict(picture_) && has_room_for_shapes())
      add(part(figure_verdict, [&] { return draw_shapes(pen_, picture_, area_); }), px(20));
    if (!picture_.subject) return area_.y + (error || picture_.view.ask ? 0 : sentence(undrawable()));
    const Reading& subject = *picture_.subject;
    const bool readable = subject.count > 0;
    share_height();
    if (area_.height >= 0 && (figures_ & (figure_grid | figure_path)) != 0) draw_grid_and_path(subject, readable);
    area_.height = strip_height_;
    if ((figures_ & figure_strip) && strip_height_ >= 0) {
      const size_t first = pen_.items();
      Rect from, to;
      if (picture_.source) add(draw_strip(pen_, picture_, *picture_.source, area_, from), px(20));
      add(draw_strip(pen_, picture_, subject, area_, to), px(16));
      if (picture_.in_order) draw_flight(from, to, first);
      pen_.assign(first, figure_strip);
    }
    if (readable && (figures_ & ~figure_verdict)) add(draw_readout(pen_, picture_, area_), 0);
    return area_.y;
  }

 private:
  /// Divides what is left of a fixed height: strips get what they need, small where the room is small, and the grid
  /// and path the rest. A negative height means that there is no room at all.
  void share_height() {
    if (picture_.view.height <= 0) return;
    const bool upper = figures_ & (figure_grid | figure_path);
    Unit left = height_left();
    strip_height_ = left - (upper ? px(330) : 0) >= strips(full_strip) ? full_strip : small_strip;
    if (left < strips(strip_height_))
      strip_height_ = -1;
    else
      left -= strips(strip_height_);
    left -= px(22);
    area_.height = left + px(22) >= least_grid ? left : -1;
    if (upper && left > 0) area_.height = std::max(area_.height, room_for_all(left));
  }

  /// The height in which a small tensor is seen whole and its cells say something, where that is little more than the
  /// `height` there is: the picture is scrolled then. Else -1.
  Unit room_for_all(Unit height) {
    const Reading& subject = *picture_.subject;
    const Dims& sizes = subject.layout.sizes;
    const int rank = sizes.size();
    if (rank == 0 || subject.count == 0 || subject.count > 256 || !is_alone()) return -1;
    if (rank < 4 && area_.height > 0 && shows_all(height)) return -1;
    const Unit around = rank > 4 ? px(156) : rank == 4 ? px(126) : rank == 3 ? px(118) : px(64);
    const Unit need = around + GridPlan::least_height(sizes);
    return need <= height + px(300) && (rank >= 4 || shows_all(need)) ? need : -1;
  }

  /// The subject's grid is the only one.
  bool is_alone() const { return !picture_.input && picture_.aliases.empty(); }
  /// Whether the subject's grid is whole and its cells say something in so much height.
  bool shows_all(Unit height) { return clarity(grids_width(height), height).says_all(); }
  Clarity clarity(Unit width, Unit height) {
    return grid_clarity(pen_, picture_, *picture_.subject, {area_.x, area_.y, width, height});
  }

  /// The shapes are told beside the picture, too: where the room is small they leave it to the others.
  bool has_room_for_shapes() {
    const bool all = words_ || picture_.view.height <= 0 || (figures_ & ~figure_verdict) == 0;
    return all || height_left() - px(76) >= strips(small_strip) + least_grid;
  }

  /// Of a fixed height, without the readout's.
  Unit height_left() const {
    const bool readable = picture_.subject->count > 0;
    const Unit readout = readable ? (area_.width < side_by_side ? px(94) : px(34)) : 0;
    return picture_.view.height - px(20) - area_.y - readout;
  }

  /// What the strips take, each below its heading, in a room of this height.
  Unit strips(Unit room) {
    if (!(figures_ & figure_strip)) return 0;
    const Area area{area_.x, area_.y, area_.width, room};
    Unit height = strip_height(pen_, picture_, *picture_.subject, area) + px(16);
    if (picture_.source) height += strip_height(pen_, picture_, *picture_.source, area) + px(20);
    return height;
  }

  /// What `draw` draws is part of a figure.
  template <class Draw>
  Unit part(Figure figure, Draw draw) {
    const size_t first = pen_.items();
    const Unit height = draw();
    pen_.assign(first, figure);
    return height;
  }

  void add(Unit height, Unit gap) { area_.y += height + gap; }

  /// Where the element under the head was copied from, and the cell on its way while the head glides.
  void draw_flight(const Rect& from, const Rect& to, size_t first) {
    constexpr Unit ruler = px(20);
    const Point start{from.x + from.width / 2, from.y + from.height + ruler}, end{to.x + to.width / 2, to.y};
    const Point below = pen_.above_text(start, {end.x, end.y - px(60)}, first);
    pen_.line({start, below}, Role::cell_linked, px(1.5)).dashed = true;
    if (picture_.glide == 0) return;
    const Rect cell{picture_.gliding(from.x, to.x), picture_.gliding(from.y, to.y), from.width, from.height,
                    from.radius};
    const Reading& copy = *picture_.subject;
    const uint8_t shade = picture_.shade(copy, copy.cell_of(picture_.head), picture_.head);
    pen_.rect(cell, Role::cell).shade = shade;
    pen_.outline(cell, Role::cell_linked, px(2));
    pen_.text({cell.x + cell.width / 2, cell.y + cell.height / 2 + px(4)},
              with_fewer_decimals(element_label(copy, picture_.head), 5),
              {.size = px(11), .role = Role::cell_text, .anchor = Anchor::middle, .shade = shade}, cell.width - px(2));
  }

  /// Why the view is possible, in the operation's own words.
  Unit reasons() {
    Unit height = 0;
    for (const Message& line : picture_.op->why.lines)
      if (line.id != Msg::shapes_that_view && line.id != Msg::no_shape_views)  // they are drawn
        height += pen_.paragraph({area_.x, area_.y + height + px(12)}, plain(line, picture_.view.language),
                                 {.size = px(13), .mono = false}, area_.width, px(20), 3);
    return height;
  }

  Msg undrawable() const {
    const Value& value = picture_.op ? picture_.op->result : picture_.step.value;
    return tensor_of(value) ? Msg::scene_too_far : Msg::scene_no_tensor;
  }
  Unit sentence(Msg id) {
    return pen_.paragraph({area_.x, area_.y + px(12)}, picture_.say(id),
                          {.size = px(13), .role = Role::text_muted, .mono = false}, area_.width, px(20), 3);
  }

  /// Of the grids, beside which the path stands where there is room: all of it where it stands below them, or nowhere.
  /// A single grid gets more where more is seen of its tensor then.
  Unit grids_width(Unit height) {
    const Reading& subject = *picture_.subject;
    const Unit all = area_.width, shared = all - beside_grids;
    if (!(figures_ & figure_grid) || !(figures_ & figure_path) || subject.count == 0) return all;
    const bool wide = all >= side_by_side, narrow_grid = is_alone() && subject.layout.rank() <= 3;
    Unit best = shared * (narrow_grid ? 11 : 13) / 20;
    if (!is_alone()) return wide ? best : all;
    Clarity seen = clarity(best, height);
    for (const Unit width : {shared * 13 / 20, shared - least_path}) {
      if (seen.says_most || width <= best) continue;
      if (const Clarity then = clarity(width, height); then > seen) best = width, seen = then;
    }
    const bool whole = seen.says_all();
    if (!wide) return height > 0 && whole && shared - best >= least_path ? best : all;
    return height == 0 && !whole && clarity(all, height).says_all() ? all : best;
  }

  void draw_grid_and_path(const Reading& subject, bool readable) {
    const bool grid = figures_ & figure_grid, path = (figures_ & figure_path) && readable;
    const Unit left = grids_width(area_.height), right = area_.width - left - beside_grids;
    if (right > 0) {
      const Unit a = draw_grids(subject, {area_.x, area_.y, left, area_.height});
      const Unit b = draw_path(subject, {area_.right() - right, area_.y, right, area_.height});
      add(std::max(a, b), px(22));
      return;
    }
    const Unit whole = area_.height;
    if (grid && path && whole > 0) {
      const Unit half = std::max((whole - px(22)) / 2, px(175));
      // All of a tensor rather than a path below a part of it.
      area_.height = is_alone() && !shows_all(half) && shows_all(whole) ? whole : half;
    }
    const Unit top = area_.y;
    if (grid) add(draw_grids(subject, area_), px(22));
    if (path && (whole == 0 || top + whole - area_.y >= px(170))) add(draw_path(subject, area_), px(22));
  }

  Unit draw_path(const Reading& subject, const Area& area) {
    return part(figure_path, [&] { return stridescope::draw_path(pen_, picture_, subject, area); });
  }

  /// The subject, before it what the operation was applied to, after it other names on its storage: side by side as
  /// far as there is room, then below each other. Those that find none are named.
  Unit draw_grids(const Reading& subject, const Area& area) {
    constexpr Unit gap = px(28), leading = px(16), least_width = px(220), least_height = px(175), least_half = px(100);
    std::vector<const Reading*> grids;
    if (picture_.input) grids.push_back(&*picture_.input);
    grids.push_back(&subject);
    for (const Reading& alias : picture_.aliases) grids.push_back(&alias);
    const size_t most = std::min<size_t>(grids.size(), picture_.input ? 5 : 4);

    const auto fitting = [](Unit room, Unit least, Unit between) {
      return static_cast<size_t>(std::max((room + between) / (least + between), 1));
    };
    const auto share = [](Unit room, size_t parts, Unit between) {
      return (room + between) / static_cast<Unit>(parts) - between;
    };
    size_t columns = std::min(fitting(area.width, least_width, gap), most);
    const auto rows_of = [&](size_t beside) { return (most + beside - 1) / beside; };
    size_t most_rows = area.height > 0 ? fitting(area.height, least_height, leading) : most;
    // Two that say something rather below each other than empty side by side.
    const auto legible = [&](size_t beside) {
      const Unit height = area.height > 0 ? share(area.height, rows_of(beside), leading) : 0;
      const Area room{area.x, area.y, share(area.width, beside, gap), height};
      return std::count_if(grids.begin(), grids.begin() + static_cast<std::ptrdiff_t>(most),
                           [&](const Reading* grid) { return grid_clarity(pen_, picture_, *grid, room).letters; });
    };
    const bool halves = area.height <= 0 || share(area.height, 2, leading) >= least_half;
    if (most == 2 && columns == 2 && halves && legible(1) > legible(2)) columns = 1, most_rows = 2;
    const size_t rows = std::min(rows_of(columns), most_rows), drawn = std::min(rows * columns, most);
    const Unit note = drawn < grids.size() ? px(20) : 0;
    const Unit width = share(area.width, columns, gap),
               height = area.height > 0 ? share(area.height - note, rows, leading) : 0;
    const size_t begin = pen_.items();
    Unit y = area.y;
    for (size_t row = 0; row < rows; ++row) {
      Unit x = area.x, lowest = 0;
      // Where fewer stand in the last row, one that would be empty takes the room that is left there.
      const size_t end = std::min((row + 1) * columns, drawn);
      const Unit wide = share(area.width, end - row * columns, gap);
      for (size_t k = row * columns; k < end; ++k) {
        const size_t first = pen_.items();
        Area room{x, y, width, height};
        if (wide > width && !grid_clarity(pen_, picture_, *grids[k], room).letters) room.width = wide;
        lowest = std::max(lowest, draw_grid(pen_, picture_, *grids[k], room));
        x = std::max(pen_.right_since(first), x + std::min(width, least_width)) + gap;
      }
      y += lowest + leading;
    }
    if (note > 0) {
      std::string names;
      for (size_t k = drawn; k < grids.size(); ++k) names += (names.empty() ? "" : ", ") + grids[k]->name;
      pen_.text({area.x, y + px(4)}, picture_.say(Msg::grids_more, {names}),
                {.size = px(11), .role = Role::text_muted, .mono = false}, area.width);
      y += note;
    }
    pen_.assign(begin, figure_grid);
    return y - leading - area.y;
  }

  Pen pen_;
  const Picture& picture_;
  Area area_;  ///< what is left: `y` moves down with every figure
  const uint8_t figures_;
  const bool words_;
  Unit strip_height_ = 0;
};

}  // namespace

Scene draw(const Trace& trace, const ViewState& view) {
  Scene scene;
  scene.width = std::clamp(view.width, narrowest_picture, widest_picture);
  Pen pen(scene);
  pen.rect({0, 0, scene.width, 0}, Role::background);
  const Unit margin = scene.width < px(560) ? px(16) : px(32);
  const Area area{margin, px(24), scene.width - 2 * margin, 0};
  Unit bottom = area.y;
  if (trace.steps.empty()) {
    const Style style{.size = px(14), .role = Role::text_muted, .mono = false};
    const Message message =
        trace.diagnostics.empty() ? Message{Msg::scene_empty, {}} : trace.diagnostics.front().reason;
    scene.title = printable(plain(message, view.language));
    bottom += px(16) + pen.paragraph({area.x, area.y + px(16)}, scene.title, style, area.width, px(20), 8);
  } else {
    const Picture picture = compose_picture(trace, view);
    scene.title = printable(picture.step.text);
    scene.description = description(picture);
    bottom = Composer(scene, picture, area).compose();
  }
  scene.height = bottom + px(20);
  std::get_if<Rect>(&scene.items.front().shape)->height = scene.height;
  return scene;
}

const Fix* fix_at(const Trace& trace, const ViewState& view, const Target& target) {
  if (target.kind != Target::Kind::fix || trace.steps.empty()) return nullptr;
  const Diagnostic* error = compose_picture(trace, view).error();
  if (!error || target.index >= static_cast<int64_t>(error->hints.size())) return nullptr;
  const auto& fix = error->hints[static_cast<size_t>(target.index)].fix;
  return fix ? &*fix : nullptr;
}

Subject subject(const Trace& trace, const ViewState& view) {
  if (trace.steps.empty()) return {};
  const Picture picture = compose_picture(trace, view);
  if (!picture.subject) return {};
  return {picture.subject->tensor->object, picture.subject->count};
}

std::optional<Cells> cells_of(const Trace& trace, const ViewState& view, const TensorPtr& tensor) {
  if (trace.steps.empty()) return {};
  Picture picture = compose_picture(trace, view);
  auto reading = read_through(tensor, "", picture.step);
  if (!reading) return {};
  for (const Reading* drawn : picture.readings())
    if (drawn->tensor->storage == tensor->storage && drawn->cell_bytes < reading->cell_bytes)
      reading->count_in(drawn->cell_bytes, drawn->cell_dtype);
  return Cells{reading->cells, reading->cell_bytes, reading->uncovered()};
}

}  // namespace stridescope
