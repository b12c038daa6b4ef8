// A picture as finished geometry. Everything about *what* is drawn is decided before this point and everything about
// *how it looks* is in the theme, so a renderer is a loop and a switch with no decision in it.
//
// Coordinates are integers of 1/100 px, y down. Text is measured here (every glyph of the monospace face is 0.6 em
// wide, a CJK glyph 1 em), so no host is asked and the same bytes come out everywhere.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "explain/target.h"

namespace stridescope {

using Unit = int32_t;  ///< 1/100 px
constexpr Unit px(double pixels) { return static_cast<Unit>(pixels * 100 + (pixels < 0 ? -0.5 : 0.5)); }

struct Point {
  Unit x = 0, y = 0;
  friend constexpr bool operator==(const Point&, const Point&) = default;
};

/// A colour, written once for all renderers: red, green, blue and alpha, 0..255.
struct Color {
  uint8_t r = 0, g = 0, b = 0, a = 255;
  friend constexpr bool operator==(const Color&, const Color&) = default;
};

/// What an item is, from which the theme makes how it looks.
enum class Role : uint8_t {
  background,
  panel,
  rule,
  grid_line,
  text,
  text_muted,
  text_strong,
  cell,       ///< filled by `shade`: 0 palest .. 255 deepest (storage position)
  cell_text,  ///< dark on pale, pale on deep: chosen by `shade`
  cell_unused,
  hatch,
  cell_focus,
  cell_linked,
  axis0,
  axis1,
  axis2,
  axis3,
  axis4,
  axis5,
  axis6,
  axis7,  ///< line and text of a dimension; beyond 8 they repeat
  axis_fill,
  head,
  hop_forward,
  hop_back,
  hop_ahead,
  hop_back_ahead,
  path_line,
  path_point,
  path_ideal,
  good,
  bad,
  neutral,
  good_fill,
  bad_fill,
  weld,
  crack,
  changed,
  minimap,
  minimap_window,
};

struct Rect {
  Unit x = 0, y = 0, width = 0, height = 0;
  Unit radius = 0;
};
/// Straight segments (curves are tessellated before). Filled when `filled`, else stroked.
struct Polyline {
  std::vector<Point> points;
  bool closed = false;
  bool filled = false;
};
enum class Anchor : uint8_t { start, middle, end };
struct Text {
  Point at;  ///< on the baseline
  Unit size = 0;
  Anchor anchor = Anchor::start;
  bool mono = true;
  bool bold = false;
  bool vertical = false;  ///< reads upwards
  std::string text;       ///< UTF-8, no control characters
};
/// Cells too small to draw one by one: a raster whose pixels are shades (see Role::cell), row by row.
struct Image {
  Rect frame;
  int32_t columns = 0, rows = 0;
  std::vector<uint8_t> shades;
};

struct Item {
  std::variant<Rect, Polyline, Text, Image> shape;
  Role role = Role::text;
  uint8_t shade = 0;  ///< for Role::cell and Role::cell_text
  Unit stroke = 0;    ///< line width; 0 fills a Rect, and a Rect with a stroke is an outline
  bool dashed = false;
  Target target;       ///< what it is about; hit testing returns it
  uint8_t figure = 0;  ///< the Figure (view_state.h) that it is part of; 0 for what stands around them
};

struct Scene {
  Unit width = 0, height = 0;
  std::vector<Item> items;  ///< in draw order
  std::string title;        ///< one line: the operation
  std::string description;  ///< a sentence that says what the picture shows, for those who cannot see it
};

/// The box an item fills, its stroke and the height of its letters included.
Rect bounds(const Item& item);
/// The smallest Rect that holds both.
Rect around(const Rect& a, const Rect& b);

/// The topmost item with a target at a point; none elsewhere. A thin line counts as a little wider than it is; the
/// inside of an outlined Rect counts as the Rect.
Target hit(const Scene& scene, Point at);

/// Where a cell is drawn: of an element in the logical grid, of a storage in the strip; of a tensor the box around all
/// of its elements that are shown. Empty where there is none.
Rect place(const Scene& scene, const Target& target);
/// The cells of grids and strip whose values the step changed.
std::vector<Rect> changed_places(const Scene& scene);

/// Width of `text` set at `size`, in units.
Unit text_width(std::string_view text, Unit size);

}  // namespace stridescope
