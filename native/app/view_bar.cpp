// What the cells say, by what they are coloured, what the rulers count and which cache lines are marked.
#include <cmath>
#include <cstdio>

#include "app/interface.h"

namespace stridescope {
namespace {

/// Puts what is `width` wide beside what was drawn last, or below where there is no room.
void flow(Interface& ui, float width, bool& first) {
  const float margin = ui.px(16);
  if (!first) {
    ImGui::SameLine(0, ui.px(12));
    if (ImGui::GetContentRegionAvail().x < width + margin) ImGui::NewLine(), first = true;
  }
  if (first) ImGui::SetCursorPosX(margin);
  first = false;
}

void caption(Interface& ui, const std::string& text) {
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, ui.colour(Role::text_muted));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  ImGui::SameLine(0, ui.px(6));
}

template <class Value>
void captioned(Interface& ui, bool& first, const char* name, Msg label, Value& value,
               const std::vector<std::pair<Value, std::string>>& words) {
  const std::string text = ui.model.say(label);
  float widest = 0;
  for (const auto& [each, word] : words) widest = std::max(widest, ImGui::CalcTextSize(word.c_str()).x);
  const float width = widest / ui.scale + 34;
  flow(ui, ImGui::CalcTextSize(text.c_str()).x + ui.px(6 + width), first);
  caption(ui, text);
  choice<Value>(ui, name, label, width, value, words);
}

/// How large cells are: smaller, as fits best, larger.
void zoom_group(Interface& ui, bool& first) {
  Model& model = ui.model;
  const std::string text = model.say(Msg::label_zoom);
  const float side = ImGui::GetFrameHeight(), middle = ui.px(56);
  flow(ui, ImGui::CalcTextSize(text.c_str()).x + ui.px(14) + middle + 2 * side, first);
  caption(ui, text);
  const auto button = [&](const char* name, const char* sign, Msg hint, float width, int steps) {
    if (ImGui::Button((std::string(sign) + "##" + name).c_str(), {width, 0})) zoom(model, steps);
    ui.control(name);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", model.say(hint).c_str());
  };
  char times[16];
  std::snprintf(times, sizeof times, "%.2g\xC3\x97", std::exp2(model.document.view.zoom / 2.0));
  ui.fonts.need("\xE2\x88\x92\xC3\x97");
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  button("zoom out", "\xE2\x88\x92", Msg::label_zoom_out, side, -1);
  ImGui::SameLine(0, ui.px(4));
  button("zoom fit", times, Msg::label_zoom_reset, middle, 0);
  ImGui::SameLine(0, ui.px(4));
  button("zoom in", "+", Msg::label_zoom_in, side, 1);
  ImGui::PopStyleVar();
}

}  // namespace

void draw_view_bar(Interface& ui) {
  Model& model = ui.model;
  ViewState& view = model.document.view;
  const auto say = [&](Msg label) { return model.say(label); };
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(6)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, {ui.px(6), 0});
  ImGui::Dummy({0, ui.px(2)});
  bool first = true;
  captioned<Labels>(ui, first, "labels", Msg::label_labels, view.labels,
                    {{Labels::value, say(Msg::label_labels_value)},
                     {Labels::index, say(Msg::label_labels_index)},
                     {Labels::offset, say(Msg::label_labels_offset)},
                     {Labels::order, say(Msg::label_labels_order)}});
  captioned<Coloring>(ui, first, "colour", Msg::label_colour, view.coloring,
                      {{Coloring::position, say(Msg::label_colour_position)},
                       {Coloring::row, say(Msg::label_colour_row)},
                       {Coloring::order, say(Msg::label_colour_order)},
                       {Coloring::axis, say(Msg::label_colour_axis)},
                       {Coloring::times, say(Msg::label_colour_times)},
                       {Coloring::line, say(Msg::label_colour_line)},
                       {Coloring::bank, say(Msg::label_colour_bank)}});
  captioned<bool>(ui, first, "unit", Msg::label_unit, view.bytes,
                  {{false, say(Msg::label_unit_elements)}, {true, say(Msg::label_unit_bytes)}});
  std::vector<std::pair<int, std::string>> lines{{0, say(Msg::label_line_none)}};
  for (const int bytes : {32, 64, 128}) lines.emplace_back(bytes, model.say(Msg::label_line_bytes, {bytes}));
  if (view.line != 0 && view.line != 32 && view.line != 64 && view.line != 128)
    lines.emplace_back(view.line, model.say(Msg::label_line_bytes, {view.line}));
  captioned<int>(ui, first, "line", Msg::label_line, view.line, lines);
  zoom_group(ui, first);
  ImGui::Dummy({0, 0});
  ImGui::PopStyleVar(3);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_rule(ui, at, ImGui::GetContentRegionAvail().x, false);
  ImGui::Dummy({0, ui.hairline()});
}

}  // namespace stridescope
