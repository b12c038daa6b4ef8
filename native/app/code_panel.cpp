// The program as text, editable, with what became of each line beside it.
#include "app/code_page.h"

#include <GLFW/glfw3.h>
#include <imgui_stdlib.h>  // after imgui.h

#include <algorithm>
#include <utility>

namespace stridescope {
namespace {

struct Editing {
  const std::string* wanted = nullptr;  ///< where not null: the text, replaced by other means than typing
  int cursor_wanted = -1;               ///< where not -1: byte that the cursor is put at
  bool no_new_line = false;             ///< Enter means something else
  int line = -1;                        ///< that the cursor is on, counted from 1
  int cursor = -1;                      ///< byte that it is before
};

int edit(ImGuiInputTextCallbackData* data) {
  auto& editing = *static_cast<Editing*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) return data->EventChar == '\n' && editing.no_new_line;
  if (editing.wanted) {
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, editing.wanted->c_str(), editing.wanted->c_str() + editing.wanted->size());
  }
  if (editing.cursor_wanted >= 0)
    data->CursorPos = data->SelectionStart = data->SelectionEnd = std::min(editing.cursor_wanted, data->BufTextLen);
  editing.cursor = data->CursorPos;
  editing.line = 1 + static_cast<int>(std::count(data->Buf, data->Buf + data->CursorPos, '\n'));
  return 0;
}

/// Where a text differs from what it was, and by what.
struct TextChange {
  size_t at;
  std::string_view inserted;
};
TextChange change(std::string_view before, std::string_view after) {
  const size_t shorter = std::min(before.size(), after.size());
  size_t head = 0, tail = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  return {head, after.substr(head, after.size() - head - tail)};
}

/// What was pasted out of a terminal or a notebook becomes the program it stands for; undo gives back what was pasted.
void understand_pasted(Model& model, const std::string& before) {
  const auto [at, inserted] = change(before, model.document.source);
  const auto program = program_of(inserted, model.language());
  if (!program || *program == inserted) return;
  std::string source = model.document.source;
  source.replace(at, inserted.size(), *program);
  refresh(model);  // so that what was pasted is a moment of its own
  rewrite_program(model, std::move(source), -1);
  model.news = Message{Msg::label_turned_into_program, {}};
}

bool pastes(const std::vector<KeyPress>& keys) {
  return std::any_of(keys.begin(), keys.end(), [](const KeyPress& press) {
    return (press.key == GLFW_KEY_V && press.modifiers == GLFW_MOD_CONTROL) ||
           (press.key == GLFW_KEY_INSERT && press.modifiers == GLFW_MOD_SHIFT);
  });
}

/// The keys that are for the names on offer.  @return whether one was chosen
bool answer_offer(Interface& ui, Editing& editing) {
  if (!ui.advice.offers()) return false;
  int by = 0;
  if (ui.take(GLFW_KEY_DOWN)) by = 1;
  if (ui.take(GLFW_KEY_UP)) by = -1;
  if (by != 0) {
    ui.advice.choose(by);
    editing.cursor_wanted = ui.cursor;  // which the arrow has moved
  }
  editing.no_new_line = ui.take(GLFW_KEY_ENTER) || ui.take(GLFW_KEY_KP_ENTER);
  if (ui.take(GLFW_KEY_ESCAPE)) {
    ui.advice.leave();
    ui.code_wanted = true;  // which Escape leaves
    ui.cursor_wanted = ui.cursor;
  }
  return editing.no_new_line;
}

/// Keeps what is between two places of a line, from `low` to `high`, in sight.
void follow(float low, float high, float margin) {
  const float seen = ImGui::GetWindowPos().x, wide = ImGui::GetWindowWidth();
  if (low < seen + margin) ImGui::SetScrollX(std::max(ImGui::GetScrollX() - (seen + margin - low), 0.0f));
  if (high > seen + wide - margin) ImGui::SetScrollX(ImGui::GetScrollX() + high - (seen + wide - margin));
}

}  // namespace

void draw_code(Interface& ui) {
  Model& model = ui.model;
  std::string& source = model.document.source;
  ui.fonts.need(source);
  ImGui::BeginChild("code", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  const auto lines = lines_of(model.trace.source);
  const auto [font, size] = ui.fonts.at(Face::mono, ui.px(14));
  ui.push(Face::mono, 14);

  const ImVec2 window = ImGui::GetWindowPos(), start = ImGui::GetCursorScreenPos(),
               room = ImGui::GetContentRegionAvail();
  const float gutter = ui.px(44), above = ui.px(8), line_height = ImGui::GetFontSize();
  const Page page{
      ui, {start.x + gutter, start.y + above}, line_height, window.x, window.x + ImGui::GetWindowWidth(), font, size};
  float widest = 0;
  for (const std::string_view line : lines) widest = std::max(widest, page.width(line));

  if (const Step* step = model.shown()) {
    page.ground(step->line, Role::panel);
    ImGui::GetWindowDrawList()->AddRectFilled({page.left, page.top(step->line)},
                                              {page.left + ui.px(3), page.top(step->line) + line_height},
                                              ui.colour(Role::minimap_window));
  }
  for (const Step& step : model.trace.steps)
    if (model.document.view.hover == Target{Target::Kind::step, -1, &step - model.trace.steps.data()})
      page.ground(step.line, Role::panel);
  for (size_t i = 0; i < lines.size(); ++i) page.number(static_cast<int>(i) + 1);
  // A line is about its tensor where it is said what it came to, and at its number.
  const bool on_text =
      ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  std::map<const Diagnostic*, Box> marks;
  for (const int number : beside(model.trace, model.step())) {
    const Step& step = model.trace.steps[static_cast<size_t>(number)];
    const Target self{Target::Kind::step, -1, number};
    const Box mark = page.outcome(step, lines);
    if (mark_of(model, step).word.empty()) page.aside(step.span, round_of(model, step));
    if (step.error) marks[&*step.error] = mark;
    const float y = page.top(step.line);
    const TensorPtr tensor = model.hidden(step) ? nullptr : tensor_of(step.value);
    const Target about = tensor ? Target{Target::Kind::tensor, tensor->object} : self;
    if (on_text && (ImGui::IsMouseHoveringRect({mark.left, mark.top}, {mark.right, mark.bottom}) ||
                    ImGui::IsMouseHoveringRect({page.left, y}, {page.text.x - ui.px(4), y + line_height})))
      ui.hover = about;
  }
  for (const Span& span : model.trace.passed) page.aside(span, model.say(Msg::label_not_run));
  std::vector<MarkedProblem> marked;
  for (const Diagnostic* problem : problems(model)) {
    const Box about = page.box(model.trace.source, problem->span);
    page.wave(about);
    marked.push_back({problem, {page.left, about.top, page.right, about.bottom}, about, marks[problem]});
  }

  draw_problem_below(ui, marked);  // before an edit makes another trace

  ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
  ImGui::PushStyleColor(ImGuiCol_Text, 0);  // its letters are drawn by the page, in colours
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, above});
  ImGui::SetCursorScreenPos({start.x + gutter, start.y});
  const ImVec2 area(std::max(room.x - gutter, widest + ui.px(40)),
                    std::max(room.y, above * 2 + line_height * static_cast<float>(lines.size() + 1)));
  // While it is edited the widget has a text of its own, which a change made elsewhere has to reach.
  Editing editing;
  const bool pasting = pastes(ui.keys);
  bool chosen = answer_offer(ui, editing);
  const std::string before = source;
  if (source != ui.edited) editing.wanted = &before;
  if (ui.cursor_wanted >= 0) editing.cursor_wanted = ui.cursor_wanted;
  // While the button is held that a name was clicked with, newer versions of ImGui give the keyboard to nobody.
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) && std::exchange(ui.code_wanted, false)) ImGui::SetKeyboardFocusHere();
  ImGui::InputTextMultiline("##text", &source, area,
                            ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCharFilter |
                                ImGuiInputTextFlags_NoUndoRedo | ImGuiInputTextFlags_NoHorizontalScroll,
                            edit, &editing);
  ImGui::PopStyleColor(2);
  if (ImGui::IsItemDeactivated()) source = before;  // ImGui's Escape would take back all that was typed
  ui.edited = source;
  const int cursor_line = editing.wanted ? -1 : editing.line;
  ui.control("code", Focus::Kind::text);
  const bool moved = editing.cursor != ui.cursor, typed = source != before;
  ui.cursor = editing.cursor;
  if (editing.cursor >= 0) ui.cursor_wanted = -1;  // it is there
  if (typed && pasting) understand_pasted(model, before);
  if (editing.cursor < 0 || editing.wanted || (moved && !typed)) ui.advice.leave();
  if (typed && !pasting && editing.cursor >= 0) ui.advice.typed(source, editing.cursor, model.language());
  page.letters(source);
  if (editing.cursor >= 0 && editing.cursor <= static_cast<int>(source.size())) {
    page.cursor(source, editing.cursor);
    const float x = page.caret(source, editing.cursor);
    if (moved) follow(x - (x - page.text.x < ui.px(40) ? gutter : 0), x, ui.px(24));
  }
  if (cursor_line > 0)
    chosen |= ui.advice.draw(ui, page.caret(source, editing.cursor), page.top(cursor_line), page.top(cursor_line + 1));
  if (chosen && ui.advice.offers()) {
    ui.cursor_wanted = ui.advice.accept(source);
    ui.code_wanted = true;
  }
  ImGui::PopStyleVar(2);
  ImGui::PopFont();

  if (cursor_line > 0 && cursor_line != ui.written_line) {
    refresh(model);
    choose_line(model, cursor_line);
    const float y = above + static_cast<float>(cursor_line - 1) * line_height, seen = ImGui::GetScrollY();
    if (y < seen) ImGui::SetScrollY(y);
    if (y + line_height > seen + ImGui::GetWindowHeight())
      ImGui::SetScrollY(y + 2 * line_height - ImGui::GetWindowHeight());
  }
  ui.written_line = cursor_line;
  ImGui::EndChild();
}

}  // namespace stridescope
