// Scenes as PNG and PDF, drawn by Cairo with whatever monospace face is there; with the faces that the pictures name
// (JetBrains Mono, Inter) exactly as the SVG. Both carry their document (see render/carried.h).
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stridescope.h"

namespace stridescope {

/// Told before each picture how many of how many are made; whether to go on.
using Progress = std::function<bool(int made, int all)>;
inline constexpr auto without_end = [](int, int) { return true; };

/// The bytes of a PNG, or why there are none (too big, no memory).
/// @param scale    pixels of the image for each pixel of the scene; > 0
/// @param carried  of carried(), or empty
std::variant<std::string, Message> png(const Scene& scene, ThemeId theme, double scale, std::string_view carried);

/// The bytes of a PDF with a page a scene, each of the scene's size (a pixel is 3/4 of a point), its text as text; or
/// why there are none.  @pre !pages.empty()
/// @post empty where `progress` ended it
std::variant<std::string, Message> pdf(const std::vector<Scene>& pages, ThemeId theme, std::string_view carried,
                                       const Progress& progress = without_end);

}  // namespace stridescope
