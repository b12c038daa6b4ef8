// The examples, to be found by their words and opened.
#include "app/interface.h"

#include <imgui_stdlib.h>  // after imgui.h

#include <algorithm>
#include <cctype>
#include <sstream>

#include "app/examples.h"

namespace stridescope {
namespace {

std::string lower(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

/// Whether it has every word.
bool fits(const Example& example, const std::string& looked_for) {
  const std::string text = lower(example.name + " " + example.title + " " + example.intro + " " + example.code);
  std::istringstream words(lower(looked_for));
  for (std::string word; words >> word;)
    if (text.find(word) == std::string::npos) return false;
  return true;
}

/// A title, and two sentences below it.  @return whether it was chosen
bool card(Interface& ui, const Example& example) {
  const ImVec2 low = ImGui::GetCursorScreenPos(), place = ImGui::GetCursorPos();
  const float width = ImGui::GetContentRegionAvail().x, pad = ui.px(8);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  ImGui::SetCursorPos({place.x + pad, place.y + ui.px(6)});
  ImGui::BeginGroup();
  draw_line(ui, {{example.title, false, {}}}, Role::text, Face::sans_bold);
  ImGui::SetCursorPosX(place.x + pad);
  draw_line(ui, {{example.intro, false, {}}}, Role::text_muted);
  ImGui::EndGroup();
  const float height = ImGui::GetCursorScreenPos().y - low.y + ui.px(2);
  ImGui::SetCursorPos(place);
  const bool chosen = ImGui::InvisibleButton(example.name.c_str(), {width, height});
  ui.control("example " + example.name);
  list.ChannelsSetCurrent(0);
  if (ImGui::IsItemHovered())
    list.AddRectFilled(low, {low.x + width, low.y + height}, ui.colour(Role::panel), ui.px(6));
  list.ChannelsMerge();
  return chosen;
}

}  // namespace

bool draw_examples(Interface& ui) {
  Model& model = ui.model;
  std::string& looked_for = *model.finding;
  ImGui::TextUnformatted(model.say(Msg::label_find).c_str());
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const float button =
      ImGui::CalcTextSize(model.say(Msg::label_close).c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(-button - ui.px(8));
  ui.fonts.need(looked_for);
  ImGui::InputText("##find", &looked_for);
  ui.control("find example", Focus::Kind::text);
  ImGui::SameLine(0, ui.px(8));
  const bool closed = ImGui::Button(model.say(Msg::label_close).c_str());
  ui.control("examples close");
  ImGui::BeginChild("list", {0, std::min(ui.px(420), ImGui::GetIO().DisplaySize.y * 0.6f)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(2)});
  std::string topic;
  std::optional<Example> chosen;
  for (const Example& example : examples(model.language())) {
    if (!fits(example, looked_for)) continue;
    if (example.topic != topic) {
      ImGui::Dummy({0, ui.px(topic.empty() ? 0 : 8)});
      topic = example.topic;
      draw_line(ui, {{model.say(title_of_topic(topic)), false, {}}}, Role::minimap_window, Face::sans_bold);
    }
    if (card(ui, example)) chosen = example;
  }
  if (topic.empty()) draw_line(ui, {{model.say(Msg::label_nothing_found), false, {}}}, Role::text_muted);
  ImGui::PopStyleVar();
  ImGui::EndChild();
  if (chosen) intend(model, {Intention::Kind::program, chosen->code});
  return !chosen && !closed;
}

}  // namespace stridescope
