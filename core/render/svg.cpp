// Scene -> SVG. Presentation attributes only, integers printed by hand, nothing referred to from outside: the same
// scene is the same bytes on every platform, and strict content policies have nothing to object to.
#include <array>
#include <string>

#include "render/digits.h"
#include "render/markup.h"
#include "render/png.h"
#include "render/roles.h"
#include "render/svg_parts.h"
#include "render/themed_svg.h"
#include "stridescope.h"

namespace stridescope {
namespace {

/// Where there is space between letters, none are joined: "a >= b" stays what was written.
constexpr const char* no_ligatures = "0.001";
constexpr const char* mono_face = "'JetBrains Mono','DejaVu Sans Mono',monospace";
constexpr const char* sans_face = "Inter,'DejaVu Sans',sans-serif";

std::string attribute(const char* name, std::string_view value) {
  return ' ' + std::string(name) + "=\"" + std::string(value) + '"';
}
std::string attribute(const char* name, Unit value) { return attribute(name, number(value)); }

/// What an item is painted with: a colour, or a reference to one that the page around it defines.
struct Ink {
  std::string value;
  uint8_t opacity = 255;
};

/// ` fill="#rrggbb"`, with an opacity where the colour has one.
std::string paint(const char* property, const Ink& ink) {
  std::string out = attribute(property, ink.value);
  if (ink.opacity != 255)
    out += attribute((std::string(property) + "-opacity").c_str(), number(ink.opacity * 100 / 255));
  return out;
}

std::string strokes(const Item& item, const Ink& ink) {
  std::string out = paint("stroke", ink);
  if (item.stroke != px(1)) out += attribute("stroke-width", item.stroke);
  if (item.dashed) out += attribute("stroke-dasharray", "3 4");
  return out;
}

std::string element(const Rect& rect, const Item& item, const Ink& ink) {
  std::string out = "<rect" + attribute("x", rect.x) + attribute("y", rect.y) + attribute("width", rect.width) +
                    attribute("height", rect.height);
  if (rect.radius > 0) out += attribute("rx", rect.radius);
  out += item.stroke == 0 ? paint("fill", ink) : attribute("fill", "none") + strokes(item, ink);
  return out + "/>";
}

std::string element(const Polyline& line, const Item& item, const Ink& ink) {
  std::string path;
  for (const Point& point : line.points) path += (path.empty() ? "M" : "L") + number(point.x) + ' ' + number(point.y);
  if (line.closed) path += 'Z';
  return "<path" + attribute("d", path) +
         (line.filled ? paint("fill", ink) : attribute("fill", "none") + strokes(item, ink)) + "/>";
}

std::string element(const Text& text, const Item&, const Ink& ink) {
  std::string out = "<text";
  if (text.vertical)
    out += attribute("transform", "translate(" + number(text.at.x) + ' ' + number(text.at.y) + ") rotate(-90)");
  else
    out += attribute("x", text.at.x) + attribute("y", text.at.y);
  out += attribute("font-size", text.size) + paint("fill", ink);
  if (!text.mono) out += attribute("font-family", sans_face);
  if (text.bold) out += attribute("font-weight", "600");
  if (text.anchor != Anchor::start) out += attribute("text-anchor", text.anchor == Anchor::middle ? "middle" : "end");
  // Blanks in a row are drawn as one unless the element itself says otherwise (browsers do not look at its ancestors).
  if (text.text.find("  ") != std::string::npos) out += attribute("xml:space", "preserve");
  return out + ">" + escaped(text.text) + "</text>";
}

std::string base64(std::string_view bytes) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](size_t k) { return i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0u; };
    const uint32_t group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (int k = 0; k < 4; ++k)
      out += i + static_cast<size_t>(k) > bytes.size() ? '=' : letters[group >> (18 - 6 * k) & 63];
  }
  return out;
}

std::string element(const Image& image, const Item&, const std::array<Color, 256>& palette) {
  return "<image" + attribute("x", image.frame.x) + attribute("y", image.frame.y) +
         attribute("width", image.frame.width) + attribute("height", image.frame.height) +
         attribute("preserveAspectRatio", "none") + attribute("image-rendering", "pixelated") +
         attribute("href", "data:image/png;base64," + base64(png(image, palette))) + "/>";
}

/// The elements of a scene in draw order. `ink_of` is asked for the Ink of every item; `theme` colours the rasters.
template <class InkOf>
std::vector<std::string> elements(const Scene& scene, ThemeId theme, InkOf ink_of) {
  std::array<Color, 256> cells;
  for (size_t shade = 0; shade < cells.size(); ++shade)
    cells[shade] = color(theme, Role::cell, static_cast<uint8_t>(shade));
  std::vector<std::string> list;
  list.reserve(scene.items.size());
  for (const Item& item : scene.items) {
    const Ink ink = ink_of(item);
    switch (item.shape.index()) {
      case 0: list.push_back(element(*std::get_if<Rect>(&item.shape), item, ink)); break;
      case 1: list.push_back(element(*std::get_if<Polyline>(&item.shape), item, ink)); break;
      case 2: list.push_back(element(*std::get_if<Text>(&item.shape), item, ink)); break;
      default: list.push_back(element(*std::get_if<Image>(&item.shape), item, cells)); break;
    }
  }
  return list;
}

std::string lines(const std::vector<std::string>& elements) {
  std::string text;
  for (const std::string& element : elements) (text += element) += '\n';
  return text;
}

std::string property_name(Role role, uint8_t shade) {
  return "--r" + std::to_string(static_cast<int>(role)) + (shaded(role) ? "s" + std::to_string(shade) : "");
}

}  // namespace

std::string salt(std::string_view content) {  // FNV-1a
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : content) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  std::string out;
  for (int i = 0; i < 10; ++i, hash /= 36) out += "0123456789abcdefghijklmnopqrstuvwxyz"[hash % 36];
  return out;
}

std::vector<std::string> svg_elements(const Scene& scene, ThemeId theme) {
  return elements(scene, theme, [&](const Item& item) {
    const Color paint = color(theme, item.role, item.shade);
    return Ink{"#" + hex(paint), paint.a};
  });
}

std::string svg_document(const Scene& scene, std::string_view body, std::string_view carried) {
  const std::string width = number(scene.width), height = number(scene.height);
  const std::string id = salt(std::string(body) + scene.title + scene.description);
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
                     attribute("height", height) + attribute("viewBox", "0 0 " + width + ' ' + height) +
                     attribute("role", "img") + attribute("aria-labelledby", "t-" + id + " d-" + id) +
                     attribute("font-family", mono_face) + attribute("letter-spacing", no_ligatures) +
                     attribute("stroke-linecap", "round") + attribute("stroke-linejoin", "round");
  if (!carried.empty()) text += attribute("data-stridescope", escaped(carried));
  text += ">\n<title" + attribute("id", "t-" + id) + ">" + escaped(scene.title) + "</title>\n<desc" +
          attribute("id", "d-" + id) + ">" + escaped(scene.description) + "</desc>\n";
  return (text += body) += "</svg>\n";
}

std::string svg(const Scene& scene, ThemeId theme, std::string_view carried) {
  return svg_document(scene, lines(svg_elements(scene, theme)), carried);
}

std::string svg(const Scene& scene, ThemeSheet& sheet) {
  return svg_document(scene,
                      lines(elements(scene, ThemeId::light,
                                     [&](const Item& item) { return Ink{sheet.reference(item.role, item.shade)}; })),
                      "");
}

std::string ThemeSheet::reference(Role role, uint8_t shade) {
  used_.emplace(role, shaded(role) ? shade : uint8_t{0});
  return "var(" + property_name(role, shade) + ")";
}

std::string ThemeSheet::css() const {
  const auto values = [&](ThemeId theme) {
    std::string text;
    for (const auto& [role, shade] : used_) {
      const Color value = color(theme, role, shade);
      text += property_name(role, shade) + ":#" + hex(value);
      if (value.a != 255) (text += "0123456789abcdef"[value.a >> 4]) += "0123456789abcdef"[value.a & 15];
      text += ';';
    }
    return text;
  };
  return ":root{" + values(ThemeId::light) + "}\n@media (prefers-color-scheme:dark){:root{" + values(ThemeId::dark) +
         "}}\n";
}

}  // namespace stridescope
