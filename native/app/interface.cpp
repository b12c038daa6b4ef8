#include "app/interface.h"

#include <imgui_stdlib.h>  // after imgui.h

#include <algorithm>
#include <cmath>

namespace stridescope {
namespace {

constexpr float bar_height = 48, transport_height = 56;

void bar(Interface& ui, const char* name, float height) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(8)});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ui.colour(Role::panel));
  ImGui::BeginChild(name, {0, height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

/// A choice among a few words; the words are always those of the choice itself.
template <class Value>
void choice(Interface& ui, const char* name, Msg label, Value& value, std::initializer_list<std::pair<Value, std::string>> words) {
  const auto chosen = std::find_if(words.begin(), words.end(), [&](const auto& word) { return word.first == value; });
  if (!begin_choice(ui, name, label, chosen == words.end() ? "" : chosen->second, 96)) return;
  for (const auto& [each, word] : words) {
    ui.fonts.need(word);
    if (ImGui::Selectable(word.c_str(), each == value)) value = each;
    ui.control(std::string(name) + " " + word);
  }
  ImGui::EndCombo();
}

void draw_bar(Interface& ui) {
  Model& model = ui.model;
  ViewState& view = model.document.view;
  bar(ui, "bar", ui.px(bar_height));
  ImGui::AlignTextToFramePadding();
  ui.push(Face::sans_bold, 15);
  ImGui::TextUnformatted("Stridescope");
  ImGui::PopFont();
  ImGui::SameLine(0, ui.px(24));
  if (ImGui::Button(model.say(Msg::app_open).c_str())) model.prompt = FilePrompt{FilePrompt::Kind::open, model.file};
  ui.control("open");
  ImGui::SameLine();
  if (ImGui::Button(model.say(Msg::app_save).c_str())) save_file(model);
  ui.control("save");

  const float right = ImGui::GetWindowWidth() - ui.px(20) - 2 * ui.px(96) - ui.px(8);
  ImGui::SameLine(0, ui.px(16));
  const std::string name = (model.file.empty() ? model.say(Msg::app_unnamed) : model.file) + (model.unsaved() ? " *" : "");
  ui.fonts.need(name);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec4 clip(at.x, at.y, ImGui::GetWindowPos().x + right - ui.px(12), at.y + ui.px(40));
  ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x, at.y + ImGui::GetStyle().FramePadding.y}, ui.colour(Role::text_muted), name.c_str(), nullptr, 0, &clip);

  ImGui::SameLine(right);
  choice<Language>(ui, "language", Msg::label_language, view.language, {{Language::english, "English"}, {Language::chinese, "中文"}});
  ImGui::SameLine();
  choice<ThemeId>(ui, "theme", Msg::label_theme, view.theme, {{ThemeId::light, model.say(Msg::label_theme_light)}, {ThemeId::dark, model.say(Msg::label_theme_dark)}});
  const ImVec2 corner = ImGui::GetWindowPos();
  draw_rule(ui, {corner.x, corner.y + ui.px(bar_height) - ui.hairline()}, ImGui::GetWindowWidth(), false);
  ImGui::EndChild();
}

/// One thing that the person should know, with a way to put it away.
template <class PutAway>
void notice(Interface& ui, const char* name, const Line& reason, const Line& hint, PutAway put_away) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ui.colour(Role::bad_fill));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(6)});
  ImGui::BeginChild(name, {0, ui.px(hint.empty() ? 34 : 60)}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  const ImVec2 start = ImGui::GetCursorPos();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(2)});
  draw_line(ui, reason, Role::text, Face::sans_bold);
  if (!hint.empty()) draw_line(ui, hint, Role::text);
  ImGui::PopStyleVar();
  ImGui::SetCursorPos({ImGui::GetWindowWidth() - ui.px(100), start.y});
  if (ImGui::SmallButton(ui.model.say(Msg::label_close).c_str())) put_away();
  ui.control(name);
  ImGui::EndChild();
}

void draw_notices(Interface& ui) {
  Model& model = ui.model;
  if (model.problem)
    notice(ui, "problem", words(model.problem->reason, model.language()), words(model.problem->hint, model.language()), [&] { model.problem.reset(); });
  if (const auto note = ui.fonts.note(); note && !ui.note_read)
    notice(ui, "note", words(*note, model.language()), {}, [&] { ui.note_read = true; });
}

/// A dialog in the middle of the window; Escape puts it away.
template <class Content, class PutAway>
void dialog(Interface& ui, const char* name, bool wanted, Content content, PutAway put_away) {
  if (wanted && !ImGui::IsPopupOpen(name)) ImGui::OpenPopup(name);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(ui.px(480), size.x), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(16)});
  bool open = true;
  if (ImGui::BeginPopupModal(name, nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
    open = content() && wanted && !ui.escape;
    if (!open) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (!open && wanted) put_away();
  }
  ImGui::PopStyleVar();
}

void draw_dialogs(Interface& ui) {
  Model& model = ui.model;
  dialog(ui, "prompt", model.prompt.has_value(), [&] {
    if (!model.prompt) return false;
    const bool opening = model.prompt->kind == FilePrompt::Kind::open;
    const std::string verb = model.say(opening ? Msg::app_open : Msg::app_save);
    ImGui::TextUnformatted(model.say(Msg::app_file).c_str());
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-1);
    ui.fonts.need(model.prompt->name);
    bool go = ImGui::InputText("##name", &model.prompt->name, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    go |= ImGui::Button(verb.c_str());
    ui.control("prompt go");
    ImGui::SameLine();
    if (ImGui::Button(model.say(Msg::app_cancel).c_str())) return false;
    ui.control("prompt cancel");
    if (!go || model.prompt->name.empty()) return true;
    const std::string name = model.prompt->name;
    if (opening)
      intend(model, {Intention::Kind::open, name});
    else
      save_file_as(model, name);
    return false;
  }, [&] { model.prompt.reset(); });

  dialog(ui, "unsaved", model.intention.has_value() && !model.prompt, [&] {
    if (!model.intention) return false;
    const Intention intention = *model.intention;
    ImGui::TextWrapped("%s", model.say(Msg::app_unsaved, {model.file.empty() ? model.say(Msg::app_unnamed) : model.file}).c_str());
    const bool save = ImGui::Button(model.say(Msg::app_save).c_str());
    ui.control("unsaved save");
    ImGui::SameLine();
    const bool discard = ImGui::Button(model.say(Msg::app_discard).c_str());
    ui.control("unsaved discard");
    ImGui::SameLine();
    const bool cancel = ImGui::Button(model.say(Msg::app_cancel).c_str());
    ui.control("unsaved cancel");
    if (save) save_file(model);
    if (discard || (save && !model.unsaved())) carry_out(model, intention);
    return !save && !discard && !cancel;
  }, [&] { model.intention.reset(); });
}

void heading(Interface& ui, Msg label, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string text = ui.model.say(label);
  const auto [font, size] = ui.fonts.at(Face::sans_bold, ui.px(12));
  ImGui::GetWindowDrawList()->AddText(font, size, {at.x + ui.px(16), at.y + ui.px(10)}, ui.colour(Role::text_muted), text.c_str());
  ImGui::Dummy({width, ui.px(32)});
}

}  // namespace

void Interface::push(Face face, float nominal) { ImGui::PushFont(fonts.at(face, px(nominal)).font); }

void Interface::control(const std::string& name) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  controls[name] = {low.x, low.y, high.x, high.y};
}

bool begin_choice(Interface& ui, const char* name, Msg label, const std::string& word, float width) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float middle = low.y + ImGui::GetFrameHeight() / 2, right = low.x + ui.px(width) - ui.px(14);
  ImGui::SetNextItemWidth(ui.px(width));
  const bool open = ImGui::BeginCombo(("##" + std::string(name)).c_str(), word.c_str(), ImGuiComboFlags_NoArrowButton);
  if (open) return true;
  ui.control(name);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", ui.model.say(label).c_str());
  const ImVec2 chevron[] = {{right - ui.px(4), middle - ui.px(2)}, {right, middle + ui.px(2)}, {right + ui.px(4), middle - ui.px(2)}};
  ImGui::GetWindowDrawList()->AddPolyline(chevron, 3, ui.colour(Role::text_muted), 0, ui.px(1.5f));
  return false;
}

void draw_window(Interface& ui) {
  Model& model = ui.model;
  ui.hover = {};
  ui.controls.clear();
  refresh(model);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin("main", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
  ui.push(Face::sans, 14);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), 0});
  draw_bar(ui);
  draw_notices(ui);

  const ImVec2 low = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float left = std::floor(std::clamp(room.x * 0.3125f, std::min(ui.px(320), room.x / 2), ui.px(560)));
  const float code = std::floor(room.y * 0.32f), steps = code;
  ImGui::BeginChild("left", {left, room.y}, false, ImGuiWindowFlags_NoScrollbar);
  const auto panel = [&](const char* name, Msg label, float height, void (*draw)(Interface&)) {
    ImGui::BeginChild(name, {left, height}, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    heading(ui, label, left);
    draw(ui);
    ImGui::EndChild();
  };
  panel("code panel", Msg::label_code, code, draw_code);
  panel("steps panel", Msg::label_steps, steps, draw_steps);
  panel("why panel", Msg::label_why, room.y - code - steps, draw_explanation);
  ImGui::EndChild();
  ImGui::SameLine(0, 0);
  ImGui::BeginChild("right", {room.x - left, room.y}, false, ImGuiWindowFlags_NoScrollbar);
  ImGui::BeginChild("upper", {0, room.y - ui.px(transport_height)});
  draw_stage(ui);
  ImGui::EndChild();
  draw_transport(ui);
  ImGui::EndChild();

  draw_rule(ui, {low.x + left - ui.hairline(), low.y}, room.y, true);
  draw_rule(ui, {low.x, low.y + code}, left, false);
  draw_rule(ui, {low.x, low.y + code + steps}, left, false);
  ImGui::PopStyleVar();
  draw_dialogs(ui);
  ImGui::PopFont();
  ImGui::End();
  model.document.view.hover = ui.hover;
}

}  // namespace stridescope
