#include "scene/pen.h"

#include <algorithm>

namespace stridescope {

Unit Pen::text(Point at, std::string_view text, const Style& style, Unit width, Target target) {
  Text item{at,
            style.size,
            style.anchor,
            style.mono,
            style.bold,
            style.vertical,
            shortened(printable(text), style.size, width)};
  if (item.text.empty()) return 0;
  const Unit taken = text_width(item.text, style.size);
  put(std::move(item), style.role, 0, target).shade = style.shade;
  return taken;
}

Unit Pen::paragraph(Point at, std::string_view text, const Style& style, Unit width, Unit leading, int most) {
  Unit height = 0;
  for (const std::string& line : wrapped(printable(text), style.size, width, most)) {
    this->text({at.x, at.y + height}, line, style, width);
    height += leading;
  }
  return height;
}

void Pen::arrow(Point from, Point to, Role role, Unit stroke, Target target) {
  const auto sign = [](Unit d) { return d > 0 ? 1 : d < 0 ? -1 : 0; };
  const Unit along_x = px(5) * sign(to.x - from.x), along_y = px(5) * sign(to.y - from.y);
  const Unit across_x = along_y * 4 / 5, across_y = along_x * 4 / 5;
  line({from, to}, role, stroke, target);
  line({{to.x - along_x - across_x, to.y - along_y - across_y},
        to,
        {to.x - along_x + across_x, to.y - along_y + across_y}},
       role, stroke, target);
}

Item& Pen::arc(Point from, Point to, Unit bulge, Role role, Unit stroke, Target target) {
  // A cubic whose control points stand 4/3 of the bulge away from its ends, so that it reaches `bulge` in the middle.
  constexpr int64_t steps = 18;
  const int64_t control = int64_t{bulge} * 4 / 3;
  std::vector<Point> points;
  points.reserve(steps + 1);
  for (int64_t t = 0; t <= steps; ++t) {
    const int64_t s = steps - t, cube = steps * steps * steps;
    const int64_t begin = s * s * s + 3 * s * s * t, end = t * t * t + 3 * s * t * t;  // weights of the ends' x
    points.push_back({static_cast<Unit>((from.x * begin + to.x * end) / cube),
                      from.y + static_cast<Unit>((control * (3 * s * s * t + 3 * s * t * t)) / cube)});
  }
  return line(std::move(points), role, stroke, target);
}

Point Pen::above_text(Point from, Point to, size_t first) const {
  constexpr Unit gap = px(4);
  const auto x_at = [&](Unit y) {
    return static_cast<Unit>(from.x + int64_t{to.x - from.x} * (y - from.y) / (to.y - from.y));
  };
  Unit lowest = to.y;
  for (size_t i = first; i < scene_.items.size(); ++i) {
    if (!std::holds_alternative<Text>(scene_.items[i].shape)) continue;
    const Rect box = bounds(scene_.items[i]);
    const Unit top = box.y - gap, bottom = std::min(box.y + box.height, to.y);
    if (top <= from.y || top >= lowest) continue;
    const auto [left, right] = std::minmax({x_at(top), x_at(bottom)});
    if (right >= box.x - gap && left <= box.x + box.width + gap) lowest = top;
  }
  return {x_at(lowest), lowest};
}

void Pen::assign(size_t first, uint8_t figure) {
  for (size_t i = first; i < scene_.items.size(); ++i) scene_.items[i].figure = figure;
}

Unit Pen::right_since(size_t first) const {
  Unit right = 0;
  for (size_t k = first; k < scene_.items.size(); ++k) {
    const Rect box = bounds(scene_.items[k]);
    right = std::max(right, box.x + box.width);
  }
  return right;
}

}  // namespace stridescope
