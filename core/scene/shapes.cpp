// Under the view verdict: which shapes would have needed no copy, and which need one.
#include "layout/shapes.h"

#include "scene/figures.h"

namespace stridescope {
namespace {

/// More would not fit into the widest picture.
constexpr int most_listed = 24;

}  // namespace

Unit draw_shapes(Pen& pen, const Picture& picture, const Area& area) {
  const ViewAttempt& attempt = *picture.op->attempt;
  const Shapes shapes(slowest_left(attempt.tensor->layout, attempt.order));
  const int64_t all = shapes.views() + shapes.copies();
  const Style label{.size = px(12), .role = Role::text_muted, .mono = false};
  constexpr Unit size = px(12), gap = px(18), leading = px(20);

  struct Row {
    Wanted wanted;
    Role role;
    std::string words;
  };
  const Row rows[] = {
      {Wanted::views, Role::text, picture.say(Msg::verdict_views, {shapes.views(), all, max_shape_rank})},
      {Wanted::copies, Role::text_muted, picture.say(Msg::verdict_copies, {shapes.copies(), all})}};
  Unit column = 0;  // the words stand before the shapes, or above them where it is narrow
  for (const Row& row : rows) column = std::max(column, text_width(row.words, label.size) + gap);
  const bool beside = column + px(280) <= area.width;

  Unit y = area.y;
  for (const Row& row : rows) {
    const auto listed = shapes.nearest(slowest_left(attempt.sizes, attempt.order), row.wanted, most_listed);
    const int64_t there = row.wanted == Wanted::views ? shapes.views() : shapes.copies();
    if (there == 0) continue;
    pen.text({area.x, y + px(13)}, row.words, label, area.width);
    if (!beside) y += leading;
    Unit x = area.x + (beside ? column : 0);
    const Style style{.size = size, .role = row.role};
    for (size_t k = 0; k < listed.size(); ++k) {
      const std::string text = to_string(slowest_left(listed[k].sizes, attempt.order));
      const bool last = static_cast<int64_t>(k) + 1 == there;
      if (x + text_width(text, size) + (last ? 0 : gap + text_width("…", size)) > area.right()) {
        pen.text({x, y + px(13)}, "…", style);
        break;
      }
      x += pen.text({x, y + px(13)}, text, style) + gap;
      if (k + 1 == listed.size() && !last) pen.text({x, y + px(13)}, "…", style);
    }
    y += leading + (beside ? 0 : px(4));
  }
  return y - area.y;
}

}  // namespace stridescope
