// The program as text, editable, with what became of each line beside it.
#include "app/interface.h"

#include <GLFW/glfw3.h>
#include <imgui_stdlib.h>  // after imgui.h

#include <algorithm>
#include <cmath>
#include <utility>

namespace stridescope {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
    lines.push_back(text.substr(0, end));
  lines.push_back(text);
  return lines;
}

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
struct Change {
  size_t at;
  std::string_view inserted;
};
Change change(std::string_view before, std::string_view after) {
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

/// Draws behind and beside the lines of the text.
struct Page {
  Interface& ui;
  const std::vector<std::string_view>& lines;
  ImVec2 text;  ///< top left corner of the first letter
  float line_height;
  float left, right;  ///< of the panel
  ImFont* font;
  float size;

  /// Where the letter at a byte of the text begins.
  float caret(std::string_view source, int at) const {
    const std::string_view before = source.substr(0, static_cast<size_t>(at));
    return text.x + width(before.substr(before.rfind('\n') + 1));
  }
  float top(int line) const { return text.y + static_cast<float>(line - 1) * line_height; }
  float width(std::string_view piece) const {
    return font->CalcTextSizeA(size, FLT_MAX, 0, piece.data(), piece.data() + piece.size()).x;
  }

  void ground(int line, Role role) const {
    ImGui::GetWindowDrawList()->AddRectFilled({left, top(line)}, {right, top(line) + line_height}, ui.colour(role));
  }

  /// The bytes of `span` that lie on its first line.
  Box box(const Span& span) const {
    const std::string_view source = ui.model.trace.source;
    const auto begin = std::min(static_cast<size_t>(span.begin), source.size());
    const size_t line_begin = begin == 0 ? 0 : source.rfind('\n', begin - 1) + 1;
    const int line = line_of(ui.model, span);
    if (line > static_cast<int>(lines.size())) return {};
    const std::string_view on = lines[static_cast<size_t>(line) - 1];
    const size_t first = std::min(begin - line_begin, on.size());
    const size_t last = std::min(static_cast<size_t>(span.end) - line_begin, on.size());
    const float from = text.x + width(on.substr(0, first));
    return {from, top(line), std::max(text.x + width(on.substr(0, last)), from + size / 2), top(line) + line_height};
  }

  /// A wave under it.
  void wave(const Box& about) const {
    const float y = about.bottom - ui.px(2), step = ui.px(3), height = ui.px(1.5f);
    std::vector<ImVec2> points;
    for (float x = about.left; x <= about.right; x += step)
      points.emplace_back(x, y + (points.size() % 2 ? height : -height));
    ImGui::GetWindowDrawList()->AddPolyline(points.data(), static_cast<int>(points.size()), ui.colour(Role::bad), 0,
                                            ui.px(1));
  }

  /// What became of a line, at the right: in full, or as one word, or not at all, by the room there is.
  /// @return where the word is
  Box outcome(const Step& step) const {
    const int line =
        1 + static_cast<int>(std::count(ui.model.trace.source.begin(),
                                        ui.model.trace.source.begin() + std::max(0, step.span.end - 1), '\n'));
    if (line > static_cast<int>(lines.size())) return {};
    const Mark mark = mark_of(ui.model, step);
    const auto [small, small_size] = ui.fonts.at(Face::mono, ui.px(11));
    const auto [bold, bold_size] = ui.fonts.at(Face::sans_bold, ui.px(11));
    ui.fonts.need(mark.word);
    const auto measure = [](ImFont* face, float em, const std::string& word) {
      return face->CalcTextSizeA(em, FLT_MAX, 0, word.c_str()).x;
    };
    const float free = right - ui.px(12) - (text.x + width(lines[static_cast<size_t>(line) - 1]) + ui.px(20));
    const float mark_width = measure(bold, bold_size, mark.word);
    if (mark_width > free) return {};
    const float baseline = top(line) + font->Ascent * size / font->FontSize;
    const auto write = [&](ImFont* face, float em, Role role, float x, const std::string& word) {
      ImGui::GetWindowDrawList()->AddText(face, em,
                                          {std::round(x), std::round(baseline - face->Ascent * em / face->FontSize)},
                                          ui.colour(role), word.c_str());
    };
    write(bold, bold_size, mark.role, right - ui.px(12) - mark_width, mark.word);
    const TensorPtr tensor = tensor_of(step.value);
    const std::string layout = tensor && !step.error ? to_string(tensor->layout) : "";
    const float layout_width = measure(small, small_size, layout) + ui.px(10);
    if (mark_width + layout_width <= free)
      write(small, small_size, Role::text_muted, right - ui.px(12) - mark_width - layout_width, layout);
    return {right - ui.px(12) - mark_width, top(line), right, top(line) + line_height};
  }
};

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
  const Page page{ui,          lines,    {start.x + gutter, start.y + above},
                  line_height, window.x, window.x + ImGui::GetWindowWidth(),
                  font,        size};
  float widest = 0;
  for (const std::string_view line : lines) widest = std::max(widest, page.width(line));

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const int shown = model.step();
  if (shown >= 0) {
    const Step& step = model.trace.steps[static_cast<size_t>(shown)];
    page.ground(step.line, Role::panel);
    list.AddRectFilled({page.left, page.top(step.line)}, {page.left + ui.px(3), page.top(step.line) + line_height},
                       ui.colour(Role::minimap_window));
  }
  const auto [small, small_size] = ui.fonts.at(Face::mono, ui.px(12));
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    const float width = small->CalcTextSizeA(small_size, FLT_MAX, 0, number.c_str()).x;
    list.AddText(small, small_size,
                 {std::round(start.x + ui.px(32) - width), std::round(page.top(static_cast<int>(i) + 1) + ui.px(1.5f))},
                 ui.colour(Role::text_muted), number.c_str());
  }
  std::map<const Diagnostic*, Box> marks;
  for (const Step& step : model.trace.steps) {
    const Box mark = page.outcome(step);
    if (step.error) marks[&*step.error] = mark;
  }
  std::vector<MarkedProblem> marked;
  for (const Diagnostic* problem : problems(model)) {
    const Box about = page.box(problem->span);
    page.wave(about);
    marked.push_back({problem, {page.left, about.top, page.right, about.bottom}, about, marks[problem]});
  }

  draw_problem_below(ui, marked);  // before an edit makes another trace

  ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
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
  if (std::exchange(ui.code_wanted, false)) ImGui::SetKeyboardFocusHere();
  ImGui::InputTextMultiline(
      "##text", &source, area,
      ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCharFilter | ImGuiInputTextFlags_NoUndoRedo,
      edit, &editing);
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
  if (cursor_line > 0)
    chosen |= ui.advice.draw(ui, page.caret(source, editing.cursor), page.top(cursor_line), page.top(cursor_line + 1));
  if (chosen && ui.advice.offers()) {
    ui.cursor_wanted = ui.advice.accept(source);
    ui.code_wanted = true;
  }
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
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
