// The bar at the top: menus with their keys, the file's name, language and theme; and what the person should know.
#include "app/interface.h"

#include <GLFW/glfw3.h>
#include <imgui_internal.h>  // after imgui.h

#include <algorithm>

namespace stridescope {
namespace {

constexpr float bar_height = 48;
constexpr int ctrl = GLFW_MOD_CONTROL, shift = GLFW_MOD_SHIFT;

/// Everything that a menu and a key can both do.
struct Action {
  const char* name;
  Msg label;
  const char* keys;
  int key, modifiers;
  void (*act)(Interface&);
  bool (*enabled)(const Model&) = [](const Model&) { return true; };
};

void ask_for(Model& model, FilePrompt::Kind kind, const std::string& name) { model.prompt = FilePrompt{kind, name}; }

void fix(Interface& ui) {
  const Step* step = ui.model.shown();
  const int line = ui.written_line > 0 || !step ? ui.written_line : step->line;
  if (const Fix* found = fix_on(ui.model, line)) apply(ui.model, Fix(*found));
}

/// Puts it on the clipboard, and says what it is.
void copy(Interface& ui, const std::string& text, Msg what) {
  ImGui::SetClipboardText(text.c_str());
  ui.model.news = Message{Msg::app_copied, {ui.model.say(what)}};
}

void paste_link(Interface& ui) {
  const char* text = ImGui::GetClipboardText();
  intend(ui.model, {Intention::Kind::link, text ? text : ""});
}

constexpr auto has_picture = [](const Model& model) { return !model.trace.steps.empty(); };

constexpr Action file_menu[] = {
    {"open", Msg::app_open, "Ctrl+O", GLFW_KEY_O, ctrl,
     [](Interface& ui) { ask_for(ui.model, FilePrompt::Kind::open, ui.model.file); }},
    {"examples", Msg::label_examples, "F1", GLFW_KEY_F1, 0, [](Interface& ui) { ui.model.finding = ""; }},
    {"save", Msg::app_save, "Ctrl+S", GLFW_KEY_S, ctrl, [](Interface& ui) { save_file(ui.model); }},
    {"save as", Msg::app_save_as, "Ctrl+Shift+S", GLFW_KEY_S, ctrl | shift,
     [](Interface& ui) { ask_for(ui.model, FilePrompt::Kind::save, ui.model.file); }},
    {"copy link", Msg::label_copy_link, "Ctrl+Shift+C", GLFW_KEY_C, ctrl | shift,
     [](Interface& ui) { copy(ui, link_of(ui.model), Msg::app_link); }},
    {"open link", Msg::app_open_link, "Ctrl+Shift+V", GLFW_KEY_V, ctrl | shift, paste_link},
    {"save picture", Msg::app_save_picture, "Ctrl+E", GLFW_KEY_E, ctrl,
     [](Interface& ui) { ask_for(ui.model, FilePrompt::Kind::picture, proposed_name(ui.model, ".svg")); }, has_picture},
    {"quit", Msg::app_quit, "Ctrl+Q", GLFW_KEY_Q, ctrl,
     [](Interface& ui) {
       intend(ui.model, {Intention::Kind::close, ""});
     }},
};
constexpr Action copy_menu[] = {
    {"copy code", Msg::label_copy_code, "", 0, 0,
     [](Interface& ui) { copy(ui, ui.model.document.source, Msg::label_code); }},
    {"copy python", Msg::label_copy_python, "", 0, 0,
     [](Interface& ui) { copy(ui, assertions(ui.model.trace), Msg::label_code); }},
};
constexpr Action edit_menu[] = {
    {"undo", Msg::label_undo, "Ctrl+Z", GLFW_KEY_Z, ctrl, [](Interface& ui) { undo(ui.model); },
     [](const Model& model) { return model.history.can_undo(); }},
    {"redo", Msg::label_redo, "Ctrl+Shift+Z", GLFW_KEY_Z, ctrl | shift, [](Interface& ui) { redo(ui.model); },
     [](const Model& model) { return model.history.can_redo(); }},
    {"fix", Msg::app_fix, "Ctrl+.", GLFW_KEY_PERIOD, ctrl, fix,
     [](const Model& model) { return !problems(model).empty(); }},
};
constexpr Action view_menu[] = {
    {"larger", Msg::app_larger, "Ctrl++", GLFW_KEY_EQUAL, ctrl, [](Interface& ui) { size_text(ui.model, 1); }},
    {"smaller", Msg::app_smaller, "Ctrl+-", GLFW_KEY_MINUS, ctrl, [](Interface& ui) { size_text(ui.model, -1); }},
    {"usual size", Msg::app_usual_size, "Ctrl+0", GLFW_KEY_0, ctrl, [](Interface& ui) { size_text(ui.model, 0); }},
    {"picture only", Msg::app_picture_only, "F11", GLFW_KEY_F11, 0,
     [](Interface& ui) { ui.model.picture_only = !ui.model.picture_only; }},
};

template <size_t n>
void items(Interface& ui, const Action (&menu)[n]) {
  for (const Action& action : menu) {
    if (ImGui::MenuItem(ui.model.say(action.label).c_str(), action.keys, false, action.enabled(ui.model)))
      action.act(ui);
    ui.control(action.name);
  }
}

/// A button with a menu below it.
template <class Items>
void menu(Interface& ui, const char* name, Msg label, Items draw) {
  const std::string popup = std::string(name) + " menu";
  if (ImGui::Button(ui.model.say(label).c_str())) ImGui::OpenPopup(popup.c_str());
  ui.control(name);
  ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + ui.px(2)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(16), ui.px(8)});
  if (ImGui::BeginPopup(popup.c_str())) {
    draw();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  ImGui::SameLine(0, ui.px(4));
}

void recent_files(Interface& ui) {
  Model& model = ui.model;
  if (model.settings.recent.empty()) return;
  ImGui::Separator();
  ImGui::TextDisabled("%s", model.say(Msg::app_open_recent).c_str());
  for (size_t i = 0; i < model.settings.recent.size(); ++i) {
    const std::string file = model.settings.recent[i];
    ui.fonts.need(file);
    constexpr size_t most = 48;  // letters that a menu has room for
    size_t cut = file.size() > most ? file.size() - most : 0;
    while (cut > 0 && cut < file.size() && (file[cut] & 0xC0) == 0x80) ++cut;
    const std::string shown = (cut > 0 ? "\xE2\x80\xA6" : "") + file.substr(cut);
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::MenuItem(shown.c_str())) intend(model, {Intention::Kind::open, file});
    ui.control("recent " + std::to_string(i));
    ImGui::PopID();
  }
}

void toggle(Interface& ui, const char* name, const std::string& label, bool& on) {
  if (ImGui::MenuItem(label.c_str(), nullptr, on)) on = !on;
  ui.control(name);
}

/// One thing that the person should know, with a way to put it away.
template <class PutAway>
void notice(Interface& ui, const char* name, Role ground, const Line& reason, const Line& hint, PutAway put_away) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ui.colour(ground));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(6)});
  ImGui::BeginChild((std::string(name) + " notice").c_str(), {0, ui.px(hint.empty() ? 36 : 58)}, false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  const ImVec2 start = ImGui::GetCursorPos();
  const std::string close = ui.model.say(Msg::label_close);
  const float button = ImGui::CalcTextSize(close.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(2)});
  ImGui::BeginChild("text", {ImGui::GetContentRegionAvail().x - button - ui.px(16), 0});
  draw_line(ui, reason, Role::text, Face::sans_bold);
  if (!hint.empty()) draw_line(ui, hint, Role::text);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::SetCursorPos({ImGui::GetWindowWidth() - button - ui.px(20), start.y});
  if (ImGui::SmallButton(close.c_str())) put_away();
  ui.control(name);
  ImGui::EndChild();
}

}  // namespace

void draw_bar(Interface& ui) {
  Model& model = ui.model;
  ViewState& view = model.document.view;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(8)});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ui.colour(Role::panel));
  ImGui::BeginChild(
      "bar", {0, ui.px(bar_height)}, false,
      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::AlignTextToFramePadding();
  ui.push(Face::sans_bold, 15);
  ImGui::TextUnformatted("Stridescope");
  ImGui::PopFont();
  ImGui::SameLine(0, ui.px(20));
  menu(ui, "file", Msg::app_file, [&] {
    items(ui, file_menu);
    recent_files(ui);
  });
  menu(ui, "edit", Msg::app_edit, [&] {
    items(ui, edit_menu);
    ImGui::Separator();
    items(ui, copy_menu);
  });
  menu(ui, "view", Msg::app_view, [&] {
    items(ui, view_menu);
    ImGui::Separator();
    const auto panel = [&](const char* name, Msg label, bool& on) {
      toggle(ui, name, model.say(Msg::app_panel, {model.say(label)}), on);
    };
    panel("show code", Msg::label_code, model.settings.show_code);
    panel("show steps", Msg::label_steps, model.settings.show_steps);
    panel("show words", Msg::label_why, model.settings.show_words);
    panel("show view", Msg::app_view, model.settings.show_view);
    ImGui::Separator();
    const auto figure = [&](const char* name, Msg label, Figure which) {
      bool on = (view.figures & which) != 0;
      toggle(ui, name, model.say(label), on);
      view.figures = static_cast<uint8_t>(on ? view.figures | which : view.figures & ~which);
    };
    figure("before", Msg::label_figure_before, figure_before);
    figure("sharing", Msg::label_figure_sharing, figure_sharing);
    ImGui::Separator();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ui.px(300));
    ImGui::TextDisabled("%s", model.say(Msg::label_keys).c_str());
    ImGui::PopTextWrapPos();
  });

  const float right = ImGui::GetWindowWidth() - ui.px(20) - 2 * ui.px(96) - ui.px(8);
  ImGui::SameLine(0, ui.px(16));
  const std::string name = model.name() + (model.unsaved() ? " *" : "");
  ui.fonts.need(name);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec4 clip(at.x, at.y, ImGui::GetWindowPos().x + right - ui.px(12), at.y + ui.px(40));
  ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                                      {at.x, at.y + ImGui::GetStyle().FramePadding.y}, ui.colour(Role::text_muted),
                                      name.c_str(), nullptr, 0, &clip);

  ImGui::SameLine(right);
  choice<Language>(ui, "language", Msg::label_language, 96, view.language,
                   {{Language::english, "English"}, {Language::chinese, "中文"}});
  ImGui::SameLine(0, ui.px(8));
  choice<ThemeId>(ui, "theme", Msg::label_theme, 96, view.theme,
                  {{ThemeId::light, model.say(Msg::label_theme_light)},
                   {ThemeId::dark, model.say(Msg::label_theme_dark)},
                   {ThemeId::print, model.say(Msg::label_print)}});
  const ImVec2 corner = ImGui::GetWindowPos();
  draw_rule(ui, {corner.x, corner.y + ui.px(bar_height) - ui.hairline()}, ImGui::GetWindowWidth(), false);
  ImGui::EndChild();
}

void draw_notices(Interface& ui) {
  Model& model = ui.model;
  const Language language = model.language();
  if (model.problem)
    notice(ui, "problem", Role::bad_fill, reason_of(*model.problem, language), words(model.problem->hint, language),
           [&] { model.problem.reset(); });
  if (model.news) notice(ui, "news", Role::good_fill, words(*model.news, language), {}, [&] { model.news.reset(); });
  if (const auto note = ui.fonts.note(); note && !ui.note_read)
    notice(ui, "note", Role::bad_fill, words(*note, language), {}, [&] { ui.note_read = true; });
}

void answer_keys(Interface& ui) {
  Model& model = ui.model;
  if (model.asking() || ui.hand.poked >= 0) return ui.keys.clear();
  if (const int open = ImGui::GetCurrentContext()->OpenPopupStack.Size; open > 0) {
    if (ui.take(GLFW_KEY_ESCAPE)) ImGui::ClosePopupToLevel(open - 1, true);
    return ui.keys.clear();
  }
  answer_box(ui);
  const auto obey = [&](const auto& menu) {
    for (const Action& action : menu)
      if (ui.take(action.key, action.modifiers) && action.enabled(model)) action.act(ui);
  };
  obey(file_menu);
  obey(edit_menu);
  obey(view_menu);
  if (ui.take(GLFW_KEY_Y, ctrl)) redo(model);
  if (ui.take(GLFW_KEY_EQUAL, ctrl | shift) || ui.take(GLFW_KEY_KP_ADD, ctrl)) size_text(model, 1);
  if (ui.take(GLFW_KEY_KP_SUBTRACT, ctrl)) size_text(model, -1);
  if (ui.take(GLFW_KEY_ESCAPE)) {
    model.picture_only = false;
    ui.focus.leave();
  }
  if (!ImGui::GetIO().WantTextInput) {
    const int64_t head = model.document.view.head, last = model.subject.elements - 1;
    if (ui.take(GLFW_KEY_SPACE)) play_or_pause(model);
    if (ui.take(GLFW_KEY_ENTER) && model.subject.elements > 0) ui.hand.poked = head, ui.hand.value.clear();
    if (ui.take(GLFW_KEY_LEFT)) move_head(model, head - 1);
    if (ui.take(GLFW_KEY_RIGHT)) move_head(model, head + 1);
    if (ui.take(GLFW_KEY_HOME)) move_head(model, 0);
    if (ui.take(GLFW_KEY_END)) move_head(model, last);
    const int64_t page = std::max<int64_t>(model.subject.elements / 10, 1);
    if (ui.take(GLFW_KEY_PAGE_UP)) move_head(model, head + std::min(page, last - head));
    if (ui.take(GLFW_KEY_PAGE_DOWN)) move_head(model, head - page);
    if (ui.take(GLFW_KEY_EQUAL) || ui.take(GLFW_KEY_EQUAL, shift) || ui.take(GLFW_KEY_KP_ADD)) zoom(model, 1);
    if (ui.take(GLFW_KEY_MINUS) || ui.take(GLFW_KEY_KP_SUBTRACT)) zoom(model, -1);
    if (ui.take(GLFW_KEY_0) || ui.take(GLFW_KEY_KP_0)) zoom(model, 0);
    if (ui.take(GLFW_KEY_UP)) choose_step(model, model.step() - 1);
    if (ui.take(GLFW_KEY_DOWN)) choose_step(model, model.step() + 1);
  }
  ui.keys.clear();
}

}  // namespace stridescope
