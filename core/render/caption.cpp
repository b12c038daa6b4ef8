#include <algorithm>

#include "render/formats.h"
#include "scene/pen.h"

namespace stridescope {

std::string alt_text(const Scene& scene) {
  return scene.title + (scene.description.empty() ? "" : ". " + scene.description);
}

void describe(Scene& scene, std::string_view words) { scene.description = printable(words); }

void add_caption(Scene& scene, std::string_view caption) {
  constexpr Unit leading = px(20), below = px(16);
  const Unit margin = scene.width < px(560) ? px(16) : px(32);
  scene.title = printable(caption);
  Pen pen(scene);
  const Unit height = pen.paragraph({margin, scene.height + px(8)}, scene.title, {.size = px(14), .mono = false},
                                    scene.width - 2 * margin, leading, 12);
  scene.height += height - leading + px(8) + below;
  std::get_if<Rect>(&scene.items.front().shape)->height = scene.height;  // the ground
}

}  // namespace stridescope
