// Scene -> JSON.
//
//   { "format": 1, "width", "height", "title", "description", "document": what a picture carries, "items": [ITEM..] }
// ITEM  { "shape": "rect",  "x", "y", "width", "height", "radius" }
//       { "shape": "line",  "points": [x, y, x, y ..], "closed", "filled" }
//       { "shape": "text",  "x", "y", "size", "anchor": "start"|"middle"|"end", "mono", "bold", "vertical", "text" }
//       { "shape": "image", "x", "y", "width", "height", "columns", "rows", "shades": [0..255 ..] }
//       each with "role", "color": "#rrggbb", "opacity" (left out where 1), "stroke" (left out where it is filled),
//       "dashed" and "target" (left out where there is none).
#include "render/digits.h"
#include "render/formats.h"
#include "render/json.h"
#include "render/roles.h"

namespace stridescope {
namespace {

void put(Json& json, std::string_view name, Unit length) { json.key(name).raw(number(length)); }

void put(Json& json, const Rect& rect) {
  put(json, "x", rect.x);
  put(json, "y", rect.y);
  put(json, "width", rect.width);
  put(json, "height", rect.height);
}

void put(Json& json, const Polyline& line) {
  json.put("shape", "line").key("points").array();
  for (const Point& point : line.points) json.raw(number(point.x)).raw(number(point.y));
  json.end().put("closed", line.closed).put("filled", line.filled);
}

void put(Json& json, const Text& text) {
  static constexpr const char* anchors[] = {"start", "middle", "end"};
  json.put("shape", "text");
  put(json, "x", text.at.x);
  put(json, "y", text.at.y);
  put(json, "size", text.size);
  json.put("anchor", anchors[static_cast<int>(text.anchor)])
      .put("mono", text.mono)
      .put("bold", text.bold)
      .put("vertical", text.vertical)
      .put("text", text.text);
}

void put(Json& json, const Image& image) {
  json.put("shape", "image");
  put(json, image.frame);
  json.put("columns", image.columns).put("rows", image.rows).key("shades").array();
  for (const uint8_t shade : image.shades) json.value(static_cast<int>(shade));
  json.end();
}

void put(Json& json, const Item& item, ThemeId theme) {
  json.object();
  bool stroked = item.stroke != 0;
  switch (item.shape.index()) {
    case 0:
      json.put("shape", "rect");
      put(json, *std::get_if<Rect>(&item.shape));
      put(json, "radius", std::get_if<Rect>(&item.shape)->radius);
      break;
    case 1:
      put(json, *std::get_if<Polyline>(&item.shape));
      stroked = !std::get_if<Polyline>(&item.shape)->filled;
      break;
    case 2: put(json, *std::get_if<Text>(&item.shape)); break;
    default: put(json, *std::get_if<Image>(&item.shape)); break;
  }
  const Color ink = color(theme, item.role, item.shade);
  json.put("role", name_of(item.role)).put("color", "#" + hex(ink));
  if (ink.a != 255) put(json, "opacity", ink.a * 100 / 255);
  if (stroked) put(json, "stroke", item.stroke);
  if (item.dashed) json.put("dashed", true);
  if (item.target != Target{}) json.put("target", to_string(item.target));
  json.end();
}

}  // namespace

std::string scene_json(const Scene& scene, ThemeId theme, std::string_view carried) {
  Json json;
  json.object().put("format", 1);
  put(json, "width", scene.width);
  put(json, "height", scene.height);
  json.put("title", scene.title).put("description", scene.description).put("document", carried).key("items").array();
  for (const Item& item : scene.items) put(json, item, theme);
  json.end().end();
  return std::move(json).text();
}

}  // namespace stridescope
