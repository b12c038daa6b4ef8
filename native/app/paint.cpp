#include "app/paint.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace stridescope {
namespace {

/// As the SVG has it: 3 px on, 4 px off, round ends.
constexpr float dash_on = 3, dash_off = 4;

class Brush {
 public:
  Brush(const Canvas& canvas, ThemeId theme) : to_(canvas), theme_(theme) {}

  void draw(const Item& item) {
    const ImU32 colour = packed(color(theme_, item.role, item.shade));
    switch (item.shape.index()) {
      case 0: return draw(*std::get_if<Rect>(&item.shape), item, colour);
      case 1: return draw(*std::get_if<Polyline>(&item.shape), item, colour);
      case 2: return draw(*std::get_if<Text>(&item.shape), colour);
      case 3: return draw(*std::get_if<Image>(&item.shape));
    }
  }

 private:
  float length(Unit units) const { return static_cast<float>(units) / 100 * to_.scale; }
  ImVec2 place(Point at) const { return {to_.origin.x + length(at.x), to_.origin.y + length(at.y)}; }

  void draw(const Rect& rect, const Item& item, ImU32 colour) {
    const ImVec2 low = place({rect.x, rect.y}), high = place({rect.x + rect.width, rect.y + rect.height});
    const float radius = length(std::min({rect.radius, rect.width / 2, rect.height / 2}));
    if (item.stroke == 0) return to_.list.AddRectFilled(low, high, colour, radius);
    to_.list.PathRect(low, high, radius);
    if (item.dashed) {
      const std::vector<ImVec2> corners(to_.list._Path.begin(), to_.list._Path.end());
      to_.list.PathClear();
      return stroke(corners, true, item, colour);
    }
    to_.list.PathStroke(colour, ImDrawFlags_Closed, length(item.stroke));
  }

  void draw(const Polyline& line, const Item& item, ImU32 colour) {
    std::vector<ImVec2> points;
    for (const Point& point : line.points) points.push_back(place(point));
    if (!line.filled) return stroke(points, line.closed, item, colour);
    float area = 0;  // ImGui smooths the edges of clockwise shapes
    for (size_t i = 0; i < points.size(); ++i) {
      const ImVec2 &a = points[i], &b = points[(i + 1) % points.size()];
      area += a.x * b.y - b.x * a.y;
    }
    if (area < 0) std::reverse(points.begin(), points.end());
    to_.list.AddConvexPolyFilled(points.data(), static_cast<int>(points.size()), colour);
  }

  /// ImGui spikes at sharp turns, so a line is drawn in pieces that have none.
  void stroke(std::vector<ImVec2> points, bool closed, const Item& item, ImU32 colour) {
    const float width = length(item.stroke);
    points.erase(std::unique(points.begin(), points.end(), [](ImVec2 a, ImVec2 b) { return a.x == b.x && a.y == b.y; }),
                 points.end());
    if (closed && points.size() > 1) points.push_back(points.front());
    if (item.dashed) return dashes(points, width, colour);
    for (size_t first = 0, last = 1; last < points.size(); ++last)
      if (last + 1 == points.size() || turns_sharply(points[last - 1], points[last], points[last + 1])) {
        to_.list.AddPolyline(&points[first], static_cast<int>(last - first + 1), colour, 0, width);
        first = last;
      }
  }

  static bool turns_sharply(ImVec2 a, ImVec2 b, ImVec2 c) {
    const float ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
    return ux * vx + uy * vy < 0.5f * std::hypot(ux, uy) * std::hypot(vx, vy);
  }

  void dashes(const std::vector<ImVec2>& points, float width, ImU32 colour) {
    const float on = dash_on * to_.scale, period = (dash_on + dash_off) * to_.scale;
    float before = 0;  // length of the segments before this one
    for (size_t i = 1; i < points.size(); ++i) {
      const ImVec2 from = points[i - 1], to = points[i];
      const float size = std::hypot(to.x - from.x, to.y - from.y);
      const auto at = [&](float along) {
        const float part = std::clamp(along / size, 0.0f, 1.0f);
        return ImVec2(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
      };
      for (float start = std::floor(before / period) * period - before; start < size; start += period)
        if (start + on > 0) to_.list.AddLine(at(start - width / 2), at(start + on + width / 2), colour, width);
      before += size;
    }
  }

  void draw(const Text& text, ImU32 colour) {
    const Face face =
        text.mono ? (text.bold ? Face::mono_bold : Face::mono) : (text.bold ? Face::sans_bold : Face::sans);
    const float em = length(text.size);
    const auto [font, size] = to_.fonts.at(face, em);
    const ImVec2 anchor = place(text.at);
    const char* end = text.text.data() + text.text.size();
    const float width = text.mono ? length(text_width(text.text, text.size))
                                  : font->CalcTextSizeA(size, FLT_MAX, 0, text.text.data(), end).x;
    const float before = text.anchor == Anchor::start ? 0 : text.anchor == Anchor::middle ? width / 2 : width;
    const ImVec2 corner(anchor.x - before, anchor.y - font->Ascent * size / font->FontSize);
    const int first = to_.list.VtxBuffer.Size;
    letters(text, font, size, corner, colour);
    if (text.vertical)
      for (int i = first; i < to_.list.VtxBuffer.Size; ++i) {
        ImVec2& at = to_.list.VtxBuffer[i].pos;
        at = {anchor.x + (at.y - anchor.y), anchor.y - (at.x - anchor.x)};
      }
  }

  /// One by one, because the advances of a hinted face are whole pixels and core's are 0.6 em; and letters that are
  /// scrolled out of sight are drawn as well, like everything else.
  void letters(const Text& text, ImFont* font, float size, ImVec2 corner, ImU32 colour) {
    float x = corner.x;
    for (size_t at = 0, next; at < text.text.size(); at = next) {
      next = at + 1;
      while (next < text.text.size() && (text.text[next] & 0xC0) == 0x80) ++next;
      const ImWchar letter = character(&text.text[at], next - at);
      if (text.mono) x = corner.x + length(text_width(std::string_view(text.text).substr(0, at), text.size));
      font->RenderChar(&to_.list, size, {std::round(x), std::round(corner.y)}, colour, letter);
      x += font->GetCharAdvance(letter) * size / font->FontSize;
    }
  }

  /// @pre  `bytes` is one character of valid UTF-8
  static ImWchar character(const char* bytes, size_t count) {
    uint32_t code = static_cast<uint8_t>(*bytes);
    if (count > 1) code &= 0x7Fu >> count;
    for (size_t i = 1; i < count; ++i) code = code << 6 | (static_cast<uint8_t>(bytes[i]) & 0x3Fu);
    return code <= IM_UNICODE_CODEPOINT_MAX ? static_cast<ImWchar>(code) : IM_UNICODE_CODEPOINT_INVALID;
  }

  void draw(const Image& image) {
    const Rect& frame = image.frame;
    to_.list.AddImage(to_.rasters[images_++], place({frame.x, frame.y}),
                      place({frame.x + frame.width, frame.y + frame.height}));
  }

  const Canvas& to_;
  ThemeId theme_;
  size_t images_ = 0;
};

/// ImGui smooths an edge from full to no opacity across where it truly is: halfway between the two.
Box extent(const ImDrawList& list, int first, const Canvas& canvas) {
  if (first == list.VtxBuffer.Size) return {};
  Box opaque{FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX}, all = opaque;
  for (int i = first; i < list.VtxBuffer.Size; ++i) {
    const auto& [at, uv, colour] = list.VtxBuffer[i];
    const float x = (at.x - canvas.origin.x) / canvas.scale, y = (at.y - canvas.origin.y) / canvas.scale;
    const auto extend = [&](Box& to) {
      to = {std::min(to.left, x), std::min(to.top, y), std::max(to.right, x), std::max(to.bottom, y)};
    };
    extend(all);
    if ((colour & IM_COL32_A_MASK) != 0) extend(opaque);
  }
  const auto halfway = [](float a, float b) { return (a + b) / 2; };
  return {halfway(opaque.left, all.left), halfway(opaque.top, all.top), halfway(opaque.right, all.right),
          halfway(opaque.bottom, all.bottom)};
}

}  // namespace

void Rasters::load(const Scene& scene, ThemeId theme) {
  std::vector<Raster> wanted;
  for (const Item& item : scene.items) {
    const auto* image = std::get_if<Image>(&item.shape);
    if (!image) continue;
    std::array<ImU32, 256> colours{};
    for (size_t shade = 0; shade < colours.size(); ++shade)
      colours[shade] = packed(color(theme, item.role, static_cast<uint8_t>(shade)));
    wanted.push_back({0, image->columns, {}});
    std::vector<ImU32>& pixels = wanted.back().pixels;
    pixels.reserve(image->shades.size());
    for (const uint8_t shade : image->shades) pixels.push_back(colours[shade]);
  }
  const auto same = [](const Raster& a, const Raster& b) { return a.columns == b.columns && a.pixels == b.pixels; };
  if (std::equal(wanted.begin(), wanted.end(), rasters_.begin(), rasters_.end(), same)) return;
  GLint bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  for (Raster& raster : wanted) {
    glGenTextures(1, &raster.texture);
    glBindTexture(GL_TEXTURE_2D, raster.texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    const auto rows = raster.columns > 0 ? raster.pixels.size() / static_cast<size_t>(raster.columns) : 0;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, raster.columns, static_cast<GLsizei>(rows), 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 raster.pixels.data());
  }
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
  clear();
  rasters_ = std::move(wanted);
}

void Rasters::clear() {
  for (const Raster& raster : rasters_) glDeleteTextures(1, &raster.texture);
  rasters_.clear();
}

ImTextureID Rasters::operator[](size_t image) const { return (ImTextureID)(intptr_t)rasters_[image].texture; }

void paint(const Scene& scene, ThemeId theme, const Canvas& canvas, std::vector<Box>* extents) {
  Brush brush(canvas, theme);
  if (extents) extents->clear();
  for (const Item& item : scene.items) {
    const int first = canvas.list.VtxBuffer.Size;
    brush.draw(item);
    if (extents) extents->push_back(extent(canvas.list, first, canvas));
  }
}

ImU32 packed(Color color) { return IM_COL32(color.r, color.g, color.b, color.a); }

}  // namespace stridescope
