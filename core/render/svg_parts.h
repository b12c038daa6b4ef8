// What an SVG is put together from, for those that put several scenes into one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"
#include "scene/theme.h"

namespace stridescope {

/// An element an item, in draw order.
std::vector<std::string> svg_elements(const Scene& scene, ThemeId theme);

/// A name for content, that no two contents on a page share unless they are the same.
std::string salt(std::string_view content);

/// The document of a scene's size, title and description around `body`, which is markup.
std::string svg_document(const Scene& scene, std::string_view body, std::string_view carried);

}  // namespace stridescope
