#include "app/advice.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "app/interface.h"

namespace stridescope {
namespace {

using nlohmann::json;

constexpr size_t most_names = 10;

Span span_of(const json& pair) { return {pair[0].get<int>(), pair[1].get<int>()}; }

std::string_view piece(std::string_view text, Span span) {
  const auto begin = std::min(static_cast<size_t>(span.begin), text.size());
  return text.substr(begin, static_cast<size_t>(span.end) - begin);
}

}  // namespace

void Advice::typed(const std::string& source, int cursor, Language language) {
  leave();
  if (const json help = json::parse(signature_help(source, cursor, language), nullptr, false);
      help.is_object() && !help["forms"].empty()) {
    const json& forms = help["forms"];
    const json& form = forms[std::min(help["active"].get<size_t>(), forms.size() - 1)];
    form_ = Form{form["signature"].get<std::string>(), form["summary"].get<std::string>(), {}};
    if (!form["parameter"].is_null()) form_->now = span_of(form["parameters"][form["parameter"].get<size_t>()]["span"]);
  }
  const char before = cursor > 0 ? source[static_cast<size_t>(cursor) - 1] : ' ';
  if (!std::isalnum(static_cast<unsigned char>(before)) && before != '_' && before != '.') return;
  const json found = json::parse(complete(source, cursor, language), nullptr, false);
  if (!found.is_object()) return;
  replaced_ = span_of(found["replaced"]);
  for (const json& item : found["items"]) {
    const auto kind = item["kind"].get<std::string>();
    names_.push_back({item["text"].get<std::string>(), item["detail"].get<std::string>(),
                      item["summary"].get<std::string>(), kind == "method" || kind == "function"});
  }
  // A name that is there already needs no help, and Enter is to begin a new line.
  const auto word = piece(source, replaced_);
  if (std::any_of(names_.begin(), names_.end(), [&](const Name& name) { return name.text == word; })) names_.clear();
}

void Advice::choose(int by) {
  const int count = static_cast<int>(names_.size());
  chosen_ = (chosen_ + by + count) % count;
}

int Advice::accept(std::string& source) {
  const Name name = names_[static_cast<size_t>(chosen_)];
  const auto begin = static_cast<size_t>(replaced_.begin),
             end = std::min(static_cast<size_t>(replaced_.end), source.size());
  const bool brackets = name.called && source.compare(end, 1, "(") != 0;
  source.replace(begin, end - begin, name.text + (brackets ? "()" : ""));
  leave();
  return static_cast<int>(begin + name.text.size() + (brackets ? 1 : 0));
}

bool Advice::draw(Interface& ui, float left, float top, float bottom) {
  if (!offers() && !form_) return false;
  const ImVec2 room = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(440), room.x);
  const bool below = offers() ? bottom + ui.px(260) <= room.y || top < ui.px(260) : top < ui.px(90);
  ImGui::SetNextWindowPos({std::min(left, room.x - width), below ? bottom + ui.px(2) : top - ui.px(2)},
                          ImGuiCond_Always, {0, below ? 0.0f : 1.0f});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(6)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(ui.px(1), 1.0f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(4)});
  ImGui::Begin("advice", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  ui.push(Face::sans, 14);
  const bool clicked = offers() && draw_names(ui);
  if (!offers()) draw_form(ui);
  ImGui::PopFont();
  const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ui.controls["advice"] = {low.x, low.y, low.x + size.x, low.y + size.y};
  ImGui::End();
  ImGui::PopStyleVar(4);
  return clicked;
}

/// As many as there is room for, the chosen one among them, and what it does.
bool Advice::draw_names(Interface& ui) {
  bool clicked = false;
  const size_t chosen = static_cast<size_t>(chosen_), first = chosen < most_names ? 0 : chosen - most_names + 1;
  ui.push(Face::mono, 13);
  for (size_t i = first; i < std::min(names_.size(), first + most_names); ++i) {
    const Name& name = names_[i];
    ui.fonts.need(name.detail);
    ImGui::Selectable((name.text + "##" + std::to_string(i)).c_str(), i == chosen);
    // As soon as it is pressed: the code loses the keyboard by that.
    if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(0)) chosen_ = static_cast<int>(i), clicked = true;
    ui.place("name " + name.text);
    if (name.detail.empty()) continue;
    ImGui::SameLine(std::max(ui.px(180), ImGui::CalcTextSize(name.text.c_str()).x + ui.px(24)));
    ImGui::TextDisabled("%s", name.detail.c_str());
  }
  ImGui::PopFont();
  if (const std::string& summary = names_[static_cast<size_t>(chosen_)].summary; !summary.empty()) {
    draw_rule(ui, ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail().x, false);
    ImGui::Dummy({0, ui.px(2)});
    draw_line(ui, {{summary, false, {}}}, Role::text_muted);
  }
  return clicked;
}

void Advice::draw_form(Interface& ui) const {
  const auto& [signature, summary, now] = *form_;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_line(ui, {{signature, true, {}}}, Role::text);
  if (now.end > now.begin) {  // a line under the argument, where the signature has not been wrapped
    const auto [font, size] = ui.fonts.at(Face::mono, ui.px(13));
    const auto width = [&face = font, &height = size](std::string_view text) {
      return face->CalcTextSizeA(height, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
    };
    const float from = at.x + width(piece(signature, {0, now.begin})), to = from + width(piece(signature, now));
    if (to <= at.x + ImGui::GetContentRegionAvail().x)
      ImGui::GetWindowDrawList()->AddLine({from, at.y + ui.px(19)}, {to, at.y + ui.px(19)},
                                          ui.colour(Role::minimap_window), ui.px(2));
  }
  if (!summary.empty()) draw_line(ui, {{summary, false, {}}}, Role::text_muted);
}

}  // namespace stridescope
