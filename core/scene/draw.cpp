#include <algorithm>

#include "scene/figures.h"
#include "stridescope.h"

namespace stridescope {
namespace {

constexpr Unit narrowest = px(320), widest = px(2560);

}  // namespace

Scene draw(const Trace& trace, const ViewState& view) {
  Scene scene;
  scene.width = std::clamp(view.width, narrowest, widest);
  Pen pen(scene);
  pen.rect({0, 0, scene.width, 0}, Role::background);
  const Unit margin = scene.width < px(560) ? px(16) : px(32);
  Area area{margin, px(24), scene.width - 2 * margin, 0};
  const auto finish = [&](Unit bottom) {
    scene.height = bottom;
    std::get_if<Rect>(&scene.items.front().shape)->height = bottom;
    return std::move(scene);
  };
  if (trace.steps.empty()) {
    const Style style{.size = px(14), .role = Role::text_muted, .mono = false};
    scene.title = plain({Msg::scene_empty, {}}, view.language);
    return finish(area.y + px(16) + pen.paragraph({area.x, area.y + px(16)}, scene.title, style, area.width, px(20), 8) + margin);
  }
  const Picture picture = compose_picture(trace, view);
  scene.title = printable(picture.step.text);
  area.y += draw_header(pen, picture, area) + px(20);
  if (picture.subject && picture.subject->count > 0) {
    if (view.figures & figure_grid) area.y += draw_grid(pen, picture, *picture.subject, area) + px(20);
    if (view.figures & figure_strip) area.y += draw_strip(pen, picture, *picture.subject, area) + px(16);
    area.y += draw_readout(pen, picture, area);
  }
  return finish(area.y + px(20));
}

}  // namespace stridescope
