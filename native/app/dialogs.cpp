// Questions in the middle of the window; Escape puts them away.
#include "app/interface.h"

#include <GLFW/glfw3.h>
#include <imgui_internal.h>  // after imgui.h
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace stridescope {
namespace {

/// Whether a list of choices is open above the dialog that is being drawn.
bool choosing_above() {
  return ImGui::GetCurrentContext()->OpenPopupStack.Size > ImGui::GetCurrentContext()->BeginPopupStack.Size;
}

template <class Content, class PutAway>
void dialog(Interface& ui, const char* name, bool wanted, Content content, PutAway put_away) {
  if (wanted && !ImGui::IsPopupOpen(name)) ImGui::OpenPopup(name);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(ui.px(480), size.x), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(16)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(12)});
  if (ImGui::BeginPopupModal(name, nullptr,
                             ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                 ImGuiWindowFlags_NoSavedSettings)) {
    if (choosing_above() && ui.take(GLFW_KEY_ESCAPE))
      ImGui::ClosePopupToLevel(ImGui::GetCurrentContext()->BeginPopupStack.Size, true);
    const bool open = content() && wanted && !ui.take(GLFW_KEY_ESCAPE);
    if (!open) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (!open && wanted) put_away();
  }
  ImGui::PopStyleVar(2);
}

/// A button of a row of them.
bool answer(Interface& ui, const char* name, Msg label) {
  const bool pressed = ImGui::Button(ui.model.say(label).c_str());
  ui.control(name);
  ImGui::SameLine();
  return pressed;
}

/// A sentence and answers to choose from.  @return which was chosen; -1 while none is
int question(Interface& ui, const Message& sentence, std::initializer_list<std::pair<const char*, Msg>> answers) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(12)});
  draw_line(ui, words(sentence, ui.model.language()), Role::text);
  int chosen = -1, number = 0;
  for (const auto& [name, label] : answers) {
    if (answer(ui, name, label)) chosen = number;
    ++number;
  }
  ImGui::NewLine();
  ImGui::PopStyleVar();
  return chosen;
}

void carry_out(Model& model, const FilePrompt& prompt) {
  switch (prompt.kind) {
    case FilePrompt::Kind::open: return intend(model, {Intention::Kind::open, prompt.name});
    case FilePrompt::Kind::save: return save_file_as(model, prompt.name);
    case FilePrompt::Kind::picture: return save_picture(model, prompt.name, prompt.all_steps);
  }
}

/// Format, steps and size of a picture, in rows of two.
void picture_options(Interface& ui, FilePrompt& prompt) {
  Model& model = ui.model;
  Settings& settings = model.settings;
  const float half = std::floor((ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2),
              nominal = half / ui.scale;
  const float second = ImGui::GetCursorPosX() + half + ImGui::GetStyle().ItemSpacing.x;
  float top = 0;
  const auto cell = [&](Msg label, bool right, auto widget) {
    if (right) ImGui::SetCursorPos({second, top});
    top = ImGui::GetCursorPosY();
    ImGui::BeginGroup();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(4)});
    ImGui::TextDisabled("%s", model.say(label).c_str());
    ImGui::SetNextItemWidth(half);
    widget(label);
    ImGui::PopStyleVar();
    ImGui::EndGroup();
  };
  const auto format = picture_format(prompt.name);
  auto chosen = format;
  cell(Msg::app_format, false, [&](Msg label) {
    choice<std::optional<Format>>(ui, "format", label, nominal, chosen,
                                  {{Format::svg, "SVG"}, {Format::png, "PNG"}, {Format::pdf, "PDF"}});
  });
  if (chosen && chosen != format)
    prompt.name = std::filesystem::path(prompt.name).replace_extension(name_of(*chosen)).string();
  cell(Msg::label_steps, true, [&](Msg label) {
    choice<bool>(ui, "picture steps", label, nominal, prompt.all_steps,
                 {{false, model.say(Msg::app_this_step)}, {true, model.say(Msg::app_all_steps)}});
  });
  cell(Msg::app_width, false, [&](Msg) {
    ImGui::InputInt("##width", &settings.picture_width, 0);
    ui.control("picture width", Focus::Kind::text);
  });
  if (format == Format::png)
    cell(Msg::app_png_scale, true, [&](Msg) {
      ImGui::InputDouble("##scale", &settings.picture_scale, 0, 0, "%g");
      ui.control("picture scale", Focus::Kind::text);
    });
  settings.picture_width = std::clamp(settings.picture_width, least_picture_width, most_picture_width);
  settings.picture_scale =
      std::clamp(std::round(settings.picture_scale * 100) / 100, least_picture_scale, most_picture_scale);
}

/// How far the pictures are, until they are written or not wanted any more.  @return whether the dialog stays
bool wait_for_pictures(Interface& ui) {
  Model& model = ui.model;
  const int made = model.saving->made(), all = std::max(model.saving->all(), 1);
  draw_line(ui, words({Msg::app_saving, {made, all}}, model.language()), Role::text);
  const ImVec2 low = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, ui.px(4));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, {low.x + size.x, low.y + size.y}, ui.colour(Role::rule), size.y / 2);
  list.AddRectFilled(low, {low.x + size.x * static_cast<float>(made) / static_cast<float>(all), low.y + size.y},
                     ui.colour(Role::minimap_window), size.y / 2);
  ImGui::Dummy(size);
  if (answer(ui, "saving cancel", Msg::app_cancel)) return false;
  ImGui::NewLine();
  const auto before = std::exchange(model.problem, {});
  if (!end_saving(model)) {
    model.problem = before;
    return true;
  }
  model.prompt->problem = std::exchange(model.problem, before);
  return model.prompt->problem.has_value();
}

}  // namespace

void draw_dialogs(Interface& ui) {
  Model& model = ui.model;
  dialog(
      ui, "prompt", model.prompt.has_value(),
      [&] {
        if (!model.prompt) return false;
        FilePrompt& prompt = *model.prompt;
        if (model.saving) return wait_for_pictures(ui);
        ImGui::TextUnformatted(model.say(Msg::app_file_name).c_str());
        if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(-1);
        ui.fonts.need(prompt.name);
        bool go = ImGui::InputText("##name", &prompt.name,
                                   ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
        ui.control("prompt name", Focus::Kind::text);
        if (prompt.kind == FilePrompt::Kind::picture) picture_options(ui, prompt);
        if (prompt.problem) {
          draw_line(ui, reason_of(*prompt.problem, model.language()), Role::bad);
          draw_line(ui, words(prompt.problem->hint, model.language()), Role::text);
        } else if (std::error_code unknown; prompt.kind != FilePrompt::Kind::open && prompt.name != model.file &&
                                            std::filesystem::is_regular_file(prompt.name, unknown)) {
          draw_line(ui, words({Msg::app_replaces, {}}, model.language()), Role::hop_back);
        }
        go |= answer(ui, "prompt go", prompt.kind == FilePrompt::Kind::open ? Msg::app_open : Msg::app_save);
        if (answer(ui, "prompt cancel", Msg::app_cancel)) return false;
        ImGui::NewLine();
        go |= !choosing_above() && (ui.take(GLFW_KEY_ENTER) || ui.take(GLFW_KEY_KP_ENTER));  // that no button has taken
        if (!go || prompt.name.empty()) return true;
        const auto before = std::exchange(model.problem, {});
        carry_out(model, prompt);
        prompt.problem = model.problem ? std::exchange(model.problem, before) : std::nullopt;
        return prompt.problem || model.saving;
      },
      [&] {
        model.prompt.reset();
        model.saving.reset();
      });

  dialog(
      ui, "examples", model.finding.has_value(), [&] { return model.finding && draw_examples(ui); },
      [&] { model.finding.reset(); });

  Interface::Hand& hand = ui.hand;
  const TensorPtr poked = hand.poked >= 0 ? subject_tensor(model) : nullptr;
  dialog(
      ui, "poke", poked && hand.poked < model.subject.elements,
      [&] {
        if (!poked || hand.poked >= model.subject.elements) return false;
        std::string index, gesture = "write";
        for (const int64_t i : index_at(poked->layout.sizes, hand.poked)) {
          index += (index.empty() ? "" : ", ") + std::to_string(i);
          gesture += " " + std::to_string(i);
        }
        ImGui::TextUnformatted(model.say(Msg::label_poke, {"[" + index + "]"}).c_str());
        if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(-1);
        ui.fonts.need(hand.value);
        bool go = ImGui::InputText("##value", &hand.value, ImGuiInputTextFlags_EnterReturnsTrue);
        ui.control("poke value", Focus::Kind::text);
        go |= answer(ui, "poke go", Msg::label_write_line);
        if (answer(ui, "poke cancel", Msg::app_cancel)) return false;
        ImGui::NewLine();
        if (!go || hand.value.empty()) return true;
        do_gesture(ui, gesture + " = " + hand.value);
        if (!hand.refused.empty()) model.news = Message{Msg::plain_text, {hand.refused}};
        return false;
      },
      [&] { hand.poked = -1; });

  dialog(
      ui, "unsaved", model.intention && !model.prompt,
      [&] {
        if (!model.intention) return false;
        const Intention intention = *model.intention;
        const int chosen = question(ui, {Msg::app_unsaved, {model.name()}},
                                    {{"unsaved save", Msg::app_save},
                                     {"unsaved discard", Msg::app_discard},
                                     {"unsaved cancel", Msg::app_cancel}});
        if (chosen == 0) save_file(model);
        if (chosen == 1 || (chosen == 0 && !model.unsaved())) carry_out(model, intention);
        return chosen < 0;
      },
      [&] { model.intention.reset(); });

  dialog(
      ui, "theirs", model.theirs && !model.intention && !model.prompt,
      [&] {
        if (!model.theirs) return false;
        const int chosen = question(ui, {Msg::app_changed_outside, {model.name()}},
                                    {{"theirs take", Msg::app_take_theirs}, {"theirs keep", Msg::app_keep_mine}});
        if (chosen == 0) take_theirs(model);
        return chosen < 0;
      },
      [&] { keep_mine(model); });

  dialog(
      ui, "recovered", model.recovered.has_value(),
      [&] {
        if (!model.recovered) return false;
        const std::string& file = model.recovered->file;
        const int chosen =
            question(ui, {Msg::app_recovered, {file.empty() ? model.say(Msg::app_unnamed) : file}},
                     {{"recovered take", Msg::app_bring_back}, {"recovered discard", Msg::app_throw_away}});
        if (chosen >= 0) bring_back(model, chosen == 0);
        return chosen < 0;
      },
      [&] { model.recovered.reset(); });
}

}  // namespace stridescope
