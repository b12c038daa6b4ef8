// What is wrong with a line, in words and with a button for each fix: in the explanation, and under the line itself.
#include <algorithm>
#include <functional>
#include <numeric>

#include "app/interface.h"

namespace stridescope {

void draw_problem(Interface& ui, const Diagnostic& problem, const std::string& name) {
  const Language language = ui.model.language();
  if (problem.raised)
    draw_line(ui,
              {{problem.raised->type + (problem.raised->text.empty() ? "" : ": " + problem.raised->text), true, {}}},
              Role::bad);
  draw_line(ui, words(problem.reason, language), Role::text, Face::sans_bold);
  std::optional<Fix> chosen;
  // What gives the elements in another order comes last.
  std::vector<size_t> order(problem.hints.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto reorders = [&](size_t i) { return problem.hints[i].reorders(); };
  const auto others = std::stable_partition(order.begin(), order.end(), std::not_fn(reorders));
  for (const size_t& i : order) {
    const Hint& hint = problem.hints[i];
    if (others != order.end() && &i == &*others) {
      ImGui::Dummy({0, ui.px(6)});
      draw_line(ui, words({Msg::label_reorders, {}}, language), Role::text_muted, Face::sans_bold);
    }
    ImGui::Dummy({0, ui.px(4)});
    ImGui::PushID(static_cast<int>(i));
    if (hint.fix) {
      ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), ui.px(2)});
      if (ImGui::Button(ui.model.say(Msg::app_apply).c_str())) chosen = hint.fix;
      ui.control(name + std::to_string(i));
      ImGui::PopStyleVar();
      ImGui::SameLine();
    }
    draw_line(ui, words(hint.message, language), Role::text);
    ImGui::PopID();
  }
  if (chosen) apply(ui.model, *chosen);
}

void draw_problem_below(Interface& ui, const std::vector<MarkedProblem>& marked) {
  Interface::Below& below = ui.below;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto inside = [&](const Box& box) {
    return mouse.x >= box.left && mouse.x < box.right && mouse.y >= box.top && mouse.y < box.bottom;
  };
  // It stays while the pointer is on its line or on it.
  const bool on_text =
      ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  const auto kept = [&](const MarkedProblem& one) {
    return one.problem->span == below.span && (inside(below.box) || (on_text && inside(one.line)));
  };
  const MarkedProblem* shown = nullptr;
  if (below.shown)
    for (const MarkedProblem& one : marked)
      if (kept(one)) shown = &one;
  for (const MarkedProblem& one : marked)
    if (!shown && on_text && (inside(one.text) || inside(one.mark))) shown = &one;
  below.shown = shown != nullptr && !ui.model.asking();
  if (!below.shown) return;
  if (below.span != shown->problem->span) below.box = {};
  below.span = shown->problem->span;

  const ImVec2 room = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(440), room.x), height = below.box.bottom - below.box.top;
  const bool above = shown->line.bottom + height > room.y && shown->line.top - height >= 0;
  ImGui::SetNextWindowPos(
      {std::min(shown->text.left - ui.px(12), room.x - width), above ? shown->line.top - height : shown->line.bottom});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(ui.px(1), 1.0f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(6));
  ImGui::Begin("problem below", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoScrollWithMouse);
  ui.push(Face::sans, 14);
  draw_problem(ui, *shown->problem, "line fix ");
  ImGui::PopFont();
  const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  below.box = {low.x, low.y, low.x + size.x, low.y + size.y};
  ImGui::End();
  ImGui::PopStyleVar(3);
}

}  // namespace stridescope
