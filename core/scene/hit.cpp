#include <algorithm>
#include <variant>

#include "scene/scene.h"

namespace stridescope {
namespace {

bool inside(const Rect& rect, Point at, Unit slack) {
  return at.x >= rect.x - slack && at.y >= rect.y - slack && at.x <= rect.x + rect.width + slack &&
         at.y <= rect.y + rect.height + slack;
}

bool near_segment(Point a, Point b, Point at, int64_t slack) {
  const int64_t dx = b.x - a.x, dy = b.y - a.y, px_ = at.x - a.x, py = at.y - a.y;
  const int64_t length2 = dx * dx + dy * dy, along = std::clamp<int64_t>(px_ * dx + py * dy, 0, length2);
  const int64_t ex = length2 == 0 ? px_ : px_ - dx * along / length2,
                ey = length2 == 0 ? py : py - dy * along / length2;
  return ex * ex + ey * ey <= slack * slack;
}

/// Even-odd rule.
bool inside(const std::vector<Point>& corners, Point at) {
  bool within = false;
  for (size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const Point a = corners[i], b = corners[j];
    if ((a.y > at.y) == (b.y > at.y)) continue;
    const int64_t x = a.x + (int64_t{b.x} - a.x) * (at.y - a.y) / (b.y - a.y);
    if (at.x < x) within = !within;
  }
  return within;
}

bool touches(const Item& item, Point at) {
  const Unit slack = item.stroke / 2 + px(2);  // a thin line can still be pointed at
  if (const auto* rect = std::get_if<Rect>(&item.shape)) return inside(*rect, at, item.stroke / 2);
  if (const auto* image = std::get_if<Image>(&item.shape)) return inside(image->frame, at, 0);
  if (const auto* line = std::get_if<Polyline>(&item.shape)) {
    if (line->filled) return !line->points.empty() && inside(line->points, at);
    for (size_t i = 1; i < line->points.size(); ++i)
      if (near_segment(line->points[i - 1], line->points[i], at, slack)) return true;
    return line->closed && line->points.size() > 2 &&
           near_segment(line->points.back(), line->points.front(), at, slack);
  }
  return inside(bounds(item), at, 0);
}

}  // namespace

Rect bounds(const Item& item) {
  const Unit edge = (item.stroke + 1) / 2;
  if (const auto* rect = std::get_if<Rect>(&item.shape))
    return {rect->x - edge, rect->y - edge, rect->width + 2 * edge, rect->height + 2 * edge, rect->radius};
  if (const auto* image = std::get_if<Image>(&item.shape)) return image->frame;
  if (const auto* line = std::get_if<Polyline>(&item.shape)) {
    if (line->points.empty()) return {};
    Point low = line->points.front(), high = low;
    for (const Point& point : line->points) {
      low = {std::min(low.x, point.x), std::min(low.y, point.y)};
      high = {std::max(high.x, point.x), std::max(high.y, point.y)};
    }
    return {low.x - edge, low.y - edge, high.x - low.x + 2 * edge, high.y - low.y + 2 * edge};
  }
  const Text& text = *std::get_if<Text>(&item.shape);
  const Unit width = text_width(text.text, text.size), ascent = text.size * 3 / 4, descent = text.size / 4;
  const Unit before = text.anchor == Anchor::start ? 0 : text.anchor == Anchor::middle ? width / 2 : width;
  if (text.vertical) return {text.at.x - ascent, text.at.y - (width - before), ascent + descent, width};
  return {text.at.x - before, text.at.y - ascent, width, ascent + descent};
}

Rect around(const Rect& a, const Rect& b) {
  const Unit left = std::min(a.x, b.x), top = std::min(a.y, b.y);
  return {left, top, std::max(a.x + a.width, b.x + b.width) - left, std::max(a.y + a.height, b.y + b.height) - top};
}

Rect place(const Scene& scene, const Target& target) {
  Rect box;
  for (const Item& item : scene.items) {
    if (item.role != Role::cell || item.target.owner != target.owner) continue;
    const bool cell = item.target.kind == Target::Kind::element, table = item.target.kind == Target::Kind::tensor;
    if (target.kind == Target::Kind::tensor ? !cell && !table : item.target != target) continue;
    box = box.width == 0 ? bounds(item) : around(box, bounds(item));
  }
  return box;
}

std::vector<Rect> changed_places(const Scene& scene) {
  std::vector<Rect> places;
  for (const Item& item : scene.items) {
    const bool cell = item.target.kind == Target::Kind::element || item.target.kind == Target::Kind::cell;
    if (cell && item.role == Role::changed && std::holds_alternative<Rect>(item.shape)) places.push_back(bounds(item));
  }
  return places;
}

Target hit(const Scene& scene, Point at) {
  for (auto item = scene.items.rbegin(); item != scene.items.rend(); ++item)
    if (item->target.kind != Target::Kind::none && touches(*item, at)) return item->target;
  return {};
}

}  // namespace stridescope
