#include "frame.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "stridescope.h"

namespace stridescope {
namespace {

int32_t packed(Color color) {
  return static_cast<int32_t>(uint32_t{color.r} << 24 | uint32_t{color.g} << 16 | uint32_t{color.b} << 8 | color.a);
}

/// The length of UTF-8 text in UTF-16 units, which is how JavaScript counts: every sequence has one byte that does not
/// continue another, and those of four bytes (from 0xF0) need two units.
int32_t utf16_length(std::string_view text) {
  int32_t length = 0;
  for (const char character : text) {
    const auto byte = static_cast<uint8_t>(character);
    length += (byte & 0xC0) != 0x80;
    length += byte >= 0xF0;
  }
  return length;
}

struct Flatten {
  Frame& frame;
  ThemeId theme;
  Role role;
  int32_t text_length = 0;
  FrameItem item{};

  void place(const Rect& rect) {
    item.x = rect.x;
    item.y = rect.y;
    item.width = rect.width;
    item.height = rect.height;
    item.radius = rect.radius;
  }
  void operator()(const Rect& rect) { place(rect); }
  void operator()(const Polyline& line) {
    item.first = static_cast<int32_t>(frame.points.size() / 2);
    item.count = static_cast<int32_t>(line.points.size());
    item.closed = line.closed;
    item.filled = line.filled;
    for (const Point& point : line.points) frame.points.insert(frame.points.end(), {point.x, point.y});
  }
  void operator()(const Text& text) {
    item.x = text.at.x;
    item.y = text.at.y;
    item.size = text.size;
    item.anchor = static_cast<int32_t>(text.anchor);
    item.mono = text.mono;
    item.bold = text.bold;
    item.vertical = text.vertical;
    item.first = text_length;
    item.count = utf16_length(text.text);
    text_length += item.count;
    frame.text += text.text;
  }
  void operator()(const Image& image) {
    place(image.frame);
    item.first = static_cast<int32_t>(frame.pixels.size());
    item.count = static_cast<int32_t>(image.shades.size());
    item.columns = image.columns;
    std::array<uint32_t, 256> palette;
    for (size_t shade = 0; shade < palette.size(); ++shade) {
      const Color entry = color(theme, role, static_cast<uint8_t>(shade));  // wasm has the lowest byte first
      palette[shade] = entry.r | uint32_t{entry.g} << 8 | uint32_t{entry.b} << 16 | uint32_t{entry.a} << 24;
    }
    frame.pixels.resize(frame.pixels.size() + image.shades.size());
    uint32_t* pixel = frame.pixels.data() + item.first;
    for (const uint8_t shade : image.shades) *pixel++ = palette[shade];
  }
};

}  // namespace

Frame frame_of(const Scene& scene, ThemeId theme) {
  Frame frame;
  frame.items.reserve(scene.items.size());
  Flatten flatten{frame, theme, Role::text};
  for (const Item& item : scene.items) {
    flatten.role = item.role;
    flatten.item = {};
    flatten.item.shape = static_cast<int32_t>(item.shape.index());
    flatten.item.color = packed(color(theme, item.role, item.shade));
    flatten.item.stroke = item.stroke;
    flatten.item.dashed = item.dashed;
    flatten.item.figure = item.figure;
    flatten.item.role = static_cast<int32_t>(item.role);
    flatten.item.shade = item.shade;
    std::visit(flatten, item.shape);
    frame.items.push_back(flatten.item);
  }
  return frame;
}

std::string frame_fields() {
  std::string json = "{\"fields\":{";
  int words = 0;
#define FRAME_ENTRY(name) json += (words ? ",\"" #name "\":" : "\"" #name "\":") + std::to_string(words), ++words;
  FRAME_FIELDS(FRAME_ENTRY)
#undef FRAME_ENTRY
  json += "},\"words\":" + std::to_string(words) + ",\"shapes\":{\"rect\":0,\"polyline\":1,\"text\":2,\"image\":3}";
  json += ",\"figures\":{\"strip\":" + std::to_string(figure_strip) + ",\"grid\":" + std::to_string(figure_grid) +
          ",\"path\":" + std::to_string(figure_path) + ",\"verdict\":" + std::to_string(figure_verdict) +
          "},\"roles\":[";
  for (int role = 0; role <= static_cast<int>(Role::minimap_window); ++role)
    (json += role ? ",\"" : "\"") += std::string(name_of(static_cast<Role>(role))) + '"';
  return json + "]}";
}

}  // namespace stridescope
