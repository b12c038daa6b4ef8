// SVG inside a page that has a light and a dark theme: colours by name, both themes' values in one style sheet.
#pragma once
#include <set>
#include <string>
#include <utility>

#include "scene/scene.h"

namespace stridescope {

/// The colours that pictures use, as custom properties: "var(--r12)".
class ThemeSheet {
 public:
  /// The value of a presentation attribute.
  std::string reference(Role role, uint8_t shade);
  /// Rules that give every colour asked for its value: the light one, and the dark one where the reader prefers dark.
  std::string css() const;

 private:
  std::set<std::pair<Role, uint8_t>> used_;
};

/// As svg(scene, theme), with its colours by name in `sheet`. A raster (cells too small to draw) has the light theme's.
std::string svg(const Scene& scene, ThemeSheet& sheet);

}  // namespace stridescope
