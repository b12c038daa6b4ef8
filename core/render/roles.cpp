#include "render/roles.h"

#include <array>

namespace stridescope {

std::string_view name_of(Role role) {
  static constexpr std::array<std::string_view, 40> names{
      "background", "panel",      "rule",        "grid_line", "text",          "text_muted",     "text_strong",
      "cell",       "cell_text",  "cell_unused", "hatch",     "cell_focus",    "cell_linked",    "axis0",
      "axis1",      "axis2",      "axis3",       "axis4",     "axis5",         "axis6",          "axis7",
      "axis_fill",  "head",       "hop_forward", "hop_back",  "hop_ahead",     "hop_back_ahead", "path_line",
      "path_point", "path_ideal", "good",        "bad",       "neutral",       "good_fill",      "bad_fill",
      "weld",       "crack",      "changed",     "minimap",   "minimap_window"};
  static_assert(names[static_cast<size_t>(Role::minimap_window)] == "minimap_window");
  return names[static_cast<size_t>(role)];
}

}  // namespace stridescope
