// The handle at the grid's corner. Dragged, the grid becomes another rectangle of the same area, its rows refilled:
// only sizes that divide the elements can be reached, and each is shown as it would be, a view or a copy.
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>  // after imgui.h

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/interface.h"

namespace stridescope {
namespace {

using nlohmann::json;
using Rectangle = Interface::Corner::Rectangle;

/// Of the grid as it stands: of many dimensions those that run across, one beside the other.
double columns_of(const Dims& sizes) {
  double columns = 1;
  for (int d = sizes.size() - 1; d >= 0; d -= 2) columns *= static_cast<double>(sizes[d]);
  return columns;
}

/// The rectangles, narrowest first.
std::vector<Rectangle> rectangles(const Model& model) {
  std::vector<Rectangle> list;
  const json all = json::parse(shapes(model.trace, model.looked(), 2), nullptr, false);
  if (!all.is_object()) return list;
  for (const auto& [which, word, label] :
       {std::tuple("views", "view", Msg::label_as_view), {"copies", "reshape", Msg::label_as_copy}})
    for (const json& shape : all[which]["shapes"]) {
      const auto rows = shape[0].get<std::string>(), columns = shape[1].get<std::string>();
      list.push_back({std::string(word) + " " + rows + " " + columns, model.say(label, {rows + " \xC3\x97 " + columns}),
                      std::strtod(columns.c_str(), nullptr)});
    }
  std::sort(list.begin(), list.end(), [](const Rectangle& a, const Rectangle& b) { return a.columns < b.columns; });
  return list;
}

int nearest(const std::vector<Rectangle>& list, double logarithm) {
  int best = -1;
  double least = INFINITY;
  for (size_t i = 0; i < list.size(); ++i)
    if (const double far = std::abs(std::log(list[i].columns) - logarithm); far < least)
      least = far, best = static_cast<int>(i);
  return best;
}

}  // namespace

void draw_badge(Interface& ui, ImVec2 low, const Box& room, const std::string& text, Face face) {
  const auto [font, size] = ui.fonts.at(face, ui.px(13));
  const float width = font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x + ui.px(16), height = ui.px(26);
  low.x = std::max(std::min(low.x, room.right - width - ui.px(4)), room.left);
  low.y = std::max(std::min(low.y, room.bottom - height - ui.px(4)), room.top);
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(low, {low.x + width, low.y + height}, ui.colour(Role::background), ui.px(6));
  list.AddRect(low, {low.x + width, low.y + height}, ui.colour(Role::minimap_window), ui.px(6));
  list.AddText(font, size, {low.x + ui.px(8), low.y + ui.px(5)}, ui.colour(Role::text), text.c_str());
}

void draw_corner(Interface& ui) {
  Model& model = ui.model;
  Interface::Corner& corner = ui.corner;
  const TensorPtr tensor = subject_tensor(model);
  const Rect box =
      model.subject.elements < 2 ? Rect{} : place(model.scene, {Target::Kind::tensor, model.subject.object});
  if (!tensor || box.width == 0) return;
  if (corner.about != model.pictures && !corner.dragged) corner = {.about = model.pictures};

  const auto pixels = [&](Unit units) { return static_cast<float>(units) / 100 * ui.stage_scale; };
  const float side = ui.px(18), wide = pixels(box.width), high = pixels(box.height);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const ImVec2 moved = corner.dragged ? ImVec2(mouse.x - corner.from.x, mouse.y - corner.from.y) : ImVec2();
  const float edge = ImGui::GetWindowPos().x + ImGui::GetWindowWidth();
  const float lowest = ui.stage_origin.y + pixels(model.scene.height) - side;
  const ImVec2 low(std::min(ui.stage_origin.x + pixels(box.x + box.width) + moved.x, edge - side),
                   std::min(ui.stage_origin.y + pixels(box.y + box.height) + moved.y, lowest));
  const ImVec2 before = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(low);
  // A child window of its own lies above the picture.
  ImGui::BeginChild("corner room", {side, side}, false,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::InvisibleButton("corner", {side, side});
  const bool focused = ui.control("corner", Focus::Kind::slider);
  const bool held = ImGui::IsItemActive(), pointed = ImGui::IsItemHovered();
  if (pointed || held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNWSE);
  if (pointed && !held) ImGui::SetTooltip("%s", model.say(Msg::label_corner, {to_string(tensor->layout)}).c_str());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 hook[] = {{low.x + side - ui.px(4), low.y + ui.px(4)},
                         {low.x + side - ui.px(4), low.y + side - ui.px(4)},
                         {low.x + ui.px(4), low.y + side - ui.px(4)}};
  list.AddPolyline(hook, 3, ui.colour(pointed || held || focused ? Role::minimap_window : Role::text_muted), 0,
                   ui.px(2));
  const bool taken = ImGui::IsItemActivated();
  ImGui::EndChild();

  const auto list_once = [&] {
    if (!corner.list.empty()) return;
    corner.list = rectangles(model);
    corner.start = corner.chosen = nearest(corner.list, std::log(columns_of(tensor->layout.sizes)));
  };
  if (taken) corner = {.about = model.pictures, .dragged = true, .from = mouse};
  bool write = false, leave = false;
  if (corner.dragged) {
    list_once();
    // As many times wider as it is pulled out, or as many times lower as it is pulled down: whichever is more.
    const double wider = std::log(std::max(wide + moved.x, 4.0f) / wide),
                 higher = std::log(std::max(high + moved.y, 4.0f) / high);
    corner.chosen = nearest(corner.list, std::log(columns_of(tensor->layout.sizes)) +
                                             (std::abs(wider) >= std::abs(higher) ? wider : -higher));
    leave = ui.take(GLFW_KEY_ESCAPE);
    write = !held && !leave;
  } else if (focused) {
    const auto go = [&](int by) {
      list_once();
      corner.chosen = std::clamp(corner.chosen + by, 0, std::max(static_cast<int>(corner.list.size()) - 1, 0));
    };
    if (ui.take(GLFW_KEY_RIGHT) || ui.take(GLFW_KEY_UP)) go(1);
    if (ui.take(GLFW_KEY_LEFT) || ui.take(GLFW_KEY_DOWN)) go(-1);
    write = corner.tried() && ui.take(GLFW_KEY_ENTER);
    leave = corner.tried() && ui.take(GLFW_KEY_ESCAPE);
  }
  const Rectangle* tried = corner.tried();
  if (tried) {
    const ImVec2 room = ImGui::GetWindowPos();
    draw_badge(ui, {low.x + side + ui.px(6), low.y + side + ui.px(2)},
               {room.x, room.y, edge, room.y + ImGui::GetWindowHeight()}, tried->text, Face::sans_bold);
  }
  const std::string gesture = tried && write ? tried->gesture : "";
  if (write || leave) {
    corner = {.about = model.pictures};
    ImGui::ClearActiveID();
  }
  if (!gesture.empty()) do_gesture(ui, gesture);
  ImGui::SetCursorScreenPos(before);
}

const Scene* tried_picture(Interface& ui) {
  const Rectangle* rectangle = ui.corner.tried();
  const std::string& gesture = rectangle ? rectangle->gesture : ui.hand.tried;
  if (gesture.empty()) return nullptr;
  Interface::Trial& trial = ui.trial;
  const Model& model = ui.model;
  if (trial.gesture != gesture || trial.about != model.pictures) {
    const json answer = json::parse(rewritten(model.trace, model.looked(), gesture), nullptr, false);
    if (!answer.contains("code")) return nullptr;
    ViewState view = model.document.view;
    view.step = answer["step"].get<int>();
    view.op = -1;
    view.head = 0;
    view.hover = {};
    trial = {gesture, model.pictures, draw(evaluate(answer["code"].get<std::string>()), view)};
  }
  return &trial.scene;
}

}  // namespace stridescope
