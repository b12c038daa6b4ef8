#include "app/style.h"

namespace stridescope {
namespace {

ImVec4 as_imgui(Color color) { return ImGui::ColorConvertU32ToFloat4(packed(color)); }

ImVec4 mixed(ImVec4 from, ImVec4 to, float part) {
  return {from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part, from.z + (to.z - from.z) * part, 1};
}

}  // namespace

void set_style(ThemeId theme, float scale) {
  const auto of = [&](Role role) { return as_imgui(color(theme, role, 0)); };
  const ImVec4 ground = of(Role::background), panel = of(Role::panel), rule = of(Role::rule), ink = of(Role::text);
  const ImVec4 muted = of(Role::text_muted), accent = of(Role::minimap_window), clear(0, 0, 0, 0);
  const ImVec4 pressed = mixed(panel, accent, 0.3f), touched = mixed(panel, accent, 0.15f);

  ImGuiStyle style;
  for (int i = 0; i < ImGuiCol_COUNT; ++i) style.Colors[i] = clear;
  const std::pair<ImGuiCol, ImVec4> colours[] = {
      {ImGuiCol_Text, ink},
      {ImGuiCol_TextDisabled, muted},
      {ImGuiCol_WindowBg, ground},
      {ImGuiCol_PopupBg, ground},
      {ImGuiCol_Border, rule},
      {ImGuiCol_CheckMark, accent},
      {ImGuiCol_FrameBg, panel},
      {ImGuiCol_FrameBgHovered, touched},
      {ImGuiCol_FrameBgActive, touched},
      {ImGuiCol_TitleBg, panel},
      {ImGuiCol_TitleBgActive, panel},
      {ImGuiCol_ScrollbarGrab, rule},
      {ImGuiCol_ScrollbarGrabHovered, muted},
      {ImGuiCol_ScrollbarGrabActive, muted},
      {ImGuiCol_Button, panel},
      {ImGuiCol_ButtonHovered, touched},
      {ImGuiCol_ButtonActive, pressed},
      {ImGuiCol_Header, touched},
      {ImGuiCol_HeaderHovered, touched},
      {ImGuiCol_HeaderActive, pressed},
      {ImGuiCol_TextSelectedBg, mixed(ground, accent, 0.3f)},
      {ImGuiCol_NavHighlight, accent},
      {ImGuiCol_ModalWindowDimBg, {0, 0, 0, 0.4f}},
  };
  for (const auto& [which, colour] : colours) style.Colors[which] = colour;
  style.WindowPadding = {0, 0};
  style.WindowRounding = style.ChildRounding = 0;
  style.WindowBorderSize = style.ChildBorderSize = 0;
  style.PopupRounding = style.FrameRounding = style.ScrollbarRounding = style.GrabRounding = 6;
  style.PopupBorderSize = style.FrameBorderSize = 1;
  style.FramePadding = {12, 6};
  style.ItemSpacing = {8, 8};
  style.ScrollbarSize = 10;
  style.AntiAliasedLinesUseTex = false;  // its lines are two pixels wider, transparently
  style.ScaleAllSizes(scale);
  ImGui::GetStyle() = style;
}

}  // namespace stridescope
