#include "app/interface.h"

#include <GLFW/glfw3.h>
#include <imgui_internal.h>  // after imgui.h

#include <algorithm>
#include <cmath>
#include <vector>

namespace stridescope {
namespace {

constexpr float transport_height = 56;
constexpr double least_part = 0.12;  // of the window that a panel can be made

void heading(Interface& ui, Msg label, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string text = ui.model.say(label);
  const auto [font, size] = ui.fonts.at(Face::sans_bold, ui.px(12));
  ImGui::GetWindowDrawList()->AddText(font, size, {at.x + ui.px(16), at.y + ui.px(10)}, ui.colour(Role::text_muted),
                                      text.c_str());
  ImGui::Dummy({width, ui.px(32)});
}

/// A line between panels that can be dragged, or moved by the arrows; its two keys move it to lower and higher parts.
/// @param at     where it is
/// @param whole  the length that `part` is of, from `origin`
void splitter(Interface& ui, const char* name, ImVec2 at, float length, bool upright, float origin, float whole,
              double& part) {
  const float wide = ui.px(8);
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(upright ? ImVec2(at.x - wide / 2, at.y) : ImVec2(at.x, at.y - wide / 2));
  // A child window of its own lies above the panels at both sides.
  ImGui::BeginChild((std::string(name) + " room").c_str(), upright ? ImVec2(wide, length) : ImVec2(length, wide), false,
                    ImGuiWindowFlags_NoBackground);
  ImGui::InvisibleButton(name, ImGui::GetContentRegionAvail());
  const bool focused = ui.control(name, Focus::Kind::slider);
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  double moved = part;
  if (ImGui::IsItemActive())
    moved = ((upright ? ImGui::GetIO().MousePos.x : ImGui::GetIO().MousePos.y) - origin) / whole;
  if (focused && ui.take(upright ? GLFW_KEY_LEFT : GLFW_KEY_UP)) moved -= 0.02;
  if (focused && ui.take(upright ? GLFW_KEY_RIGHT : GLFW_KEY_DOWN)) moved += 0.02;
  part = std::clamp(moved, least_part, 0.7);
  ImGui::EndChild();
  draw_rule(ui, at, length, upright);
  ImGui::SetCursorScreenPos(cursor);
}

struct Panel {
  const char* name;
  Msg label;
  void (*draw)(Interface&);
  double* part;  ///< of the height; null where it takes the rest
  float height = 0;
};

/// The panels beside the picture, one above the other.
void draw_column(Interface& ui, float width, float height) {
  Settings& settings = ui.model.settings;
  std::vector<Panel> panels;
  if (settings.show_code) panels.push_back({"code panel", Msg::label_code, draw_code, &settings.code});
  if (settings.show_steps) panels.push_back({"steps panel", Msg::label_steps, draw_steps, &settings.steps});
  if (settings.show_words) panels.push_back({"words panel", Msg::plain_text, draw_words, nullptr});
  float rest = height;
  for (size_t i = 0; i < panels.size(); ++i) {
    const auto after = static_cast<float>(panels.size() - 1 - i);
    const float most = rest - after * height * static_cast<float>(least_part);
    panels[i].height =
        i + 1 == panels.size() ? rest : std::floor(std::min(height * static_cast<float>(*panels[i].part), most));
    rest -= panels[i].height;
  }
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  float top = corner.y;
  for (const Panel& panel : panels) {
    ImGui::SetCursorScreenPos({corner.x, top});
    ImGui::BeginChild(panel.name, {width, panel.height}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    if (panel.label != Msg::plain_text) heading(ui, panel.label, width);
    panel.draw(ui);
    ImGui::EndChild();
    top += panel.height;
  }
  top = corner.y;
  for (size_t i = 0; i + 1 < panels.size(); ++i) {
    const float origin = top;
    top += panels[i].height;
    splitter(ui, i == 0 ? "upper splitter" : "lower splitter", {corner.x, top}, width, false, origin, height,
             *panels[i].part);
  }
}

}  // namespace

void Interface::push(Face face, float nominal) { ImGui::PushFont(fonts.at(face, px(nominal)).font); }

void Interface::place(const std::string& name) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  controls[name] = {low.x, low.y, high.x, high.y};
}

bool Interface::control(const std::string& name, Focus::Kind kind) {
  place(name);
  const bool on = focus.note(kind, colour(Role::minimap_window), std::max(px(2), 1.0f));
  if (on) focused = name;
  return on;
}

bool Interface::take(int key, int modifiers) {
  return std::erase_if(keys, [&](const KeyPress& press) { return press.key == key && press.modifiers == modifiers; }) >
         0;
}

bool begin_choice(Interface& ui, const char* name, Msg label, const std::string& word, float width) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float middle = low.y + ImGui::GetFrameHeight() / 2, right = low.x + ui.px(width) - ui.px(14);
  ImGui::SetNextItemWidth(ui.px(width));
  const bool open = ImGui::BeginCombo(("##" + std::string(name)).c_str(), word.c_str(), ImGuiComboFlags_NoArrowButton);
  if (open) return true;
  ui.control(name);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", ui.model.say(label).c_str());
  const ImVec2 chevron[] = {
      {right - ui.px(4), middle - ui.px(2)}, {right, middle + ui.px(2)}, {right + ui.px(4), middle - ui.px(2)}};
  ImGui::GetWindowDrawList()->AddPolyline(chevron, 3, ui.colour(Role::text_muted), 0, ui.px(1.5f));
  return false;
}

void draw_window(Interface& ui) {
  Model& model = ui.model;
  Settings& settings = model.settings;
  ui.hover = {};
  ui.controls.clear();
  ui.focused.clear();
  ui.words_drawn = 0;
  ui.hand.tried.clear();
  ui.focus.answer(ui.keys);
  refresh(model);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin("main", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground);
  ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);  // ui.focus goes to all controls, ImGui only to some
  ui.push(Face::sans, 14);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
  if (!model.picture_only) draw_bar(ui);
  draw_notices(ui);

  const ImVec2 low = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const bool column = !model.picture_only && (settings.show_code || settings.show_steps || settings.show_words);
  const float widest = std::max(room.x - ui.px(360), room.x / 2);
  const float left =
      column
          ? std::floor(std::clamp(room.x * static_cast<float>(settings.left), std::min(ui.px(240), room.x / 2), widest))
          : 0;
  if (column) {
    ImGui::BeginChild("left", {left, room.y}, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_column(ui, left, room.y);
    ImGui::EndChild();
    ImGui::SameLine(0, 0);
  }
  ImGui::BeginChild("right", {room.x - left, room.y}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  if (settings.show_view && !model.picture_only) draw_view_bar(ui);
  ImGui::BeginChild("upper", {0, ImGui::GetContentRegionAvail().y - ui.px(transport_height)}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_stage(ui);
  ImGui::EndChild();
  draw_transport(ui);
  ImGui::EndChild();
  if (column)
    splitter(ui, "splitter", {low.x + left - ui.hairline(), low.y}, room.y, true, low.x, room.x, settings.left);
  ImGui::PopStyleVar();
  draw_dialogs(ui);
  ImGui::PopFont();
  ImGui::PopItemFlag();
  ImGui::End();
  answer_keys(ui);
  ui.focus.end_frame();
  model.document.view.hover = ui.hover;
}

}  // namespace stridescope
