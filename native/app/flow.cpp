#include <algorithm>
#include <cmath>
#include <utility>

#include "app/interface.h"

namespace stridescope {
namespace {

size_t next_character(std::string_view text, size_t i) {
  do ++i;
  while (i < text.size() && (text[i] & 0xC0) == 0x80);
  return i;
}

/// The first piece of `text` that a line may not be broken inside of: a word with the blanks after it, or one
/// character of a script that has no blanks, each with the marks that may not begin a line.  @pre !text.empty()
std::string_view piece_of(std::string_view text) {
  const auto wide = [&](size_t i) { return static_cast<unsigned char>(text[i]) >= 0xE2; };
  const auto closes = [&](size_t i) {
    for (const std::string_view mark :
         {"，", "。", "、", "；", "：", "！", "？", "）", "》", "」", "』", "】", "”", "’", "…"})
      if (text.substr(i).starts_with(mark)) return true;
    return false;
  };
  size_t end = wide(0) ? next_character(text, 0) : 0;
  while (end < text.size() && text[end] != ' ' && !wide(end) && !wide(0)) end = next_character(text, end);
  while (end < text.size() && closes(end)) end = next_character(text, end);
  while (end < text.size() && text[end] == ' ') ++end;
  return text.substr(0, end);
}

}  // namespace

void draw_rule(Interface& ui, ImVec2 from, float length, bool upright) {
  const ImVec2 low(std::floor(from.x), std::floor(from.y));
  const float width = ui.hairline();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  list.AddRectFilled(low, {low.x + (upright ? width : length), low.y + (upright ? length : width)},
                     ui.colour(Role::rule));
  list.PopClipRect();
}

bool related(const Target& a, const Target& b) {
  using Kind = Target::Kind;
  if (a.kind == Kind::none || b.kind == Kind::none) return false;
  const auto part = [](const Target& one) { return one.kind == Kind::axis || one.kind == Kind::element; };
  return a == b || (a.owner == b.owner && ((a.kind == Kind::tensor && part(b)) || (b.kind == Kind::tensor && part(a))));
}

void draw_line(Interface& ui, const Line& line, Role role, Face face) {
  constexpr float em = 14, line_height = 21;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float right = start.x + ImGui::GetContentRegionAvail().x, height = ui.px(line_height);
  const bool bold = face == Face::sans_bold;
  ImVec2 at = start;
  for (const Run& run : line) {
    ui.fonts.need(run.text);
    const auto [font, size] =
        run.code ? ui.fonts.at(bold ? Face::mono_bold : Face::mono, ui.px(em - 1)) : ui.fonts.at(face, ui.px(em));
    const bool pointing = run.target.kind != Target::Kind::none;
    const bool lit = related(run.target, ui.model.document.view.hover);
    bool reachable = !pointing;  // by the keyboard: the first piece of it is
    for (std::string_view rest = run.text; !rest.empty();) {
      std::string_view piece = piece_of(rest);
      const auto width_of = [&] {
        return font->CalcTextSizeA(size, FLT_MAX, 0, piece.data(), piece.data() + piece.size()).x;
      };
      const size_t last = piece.find_last_not_of(' ');
      const std::string_view all = piece;
      piece = piece.substr(0, last == std::string_view::npos ? 0 : last + 1);
      float width = width_of();
      if (at.x + width > right && at.x > start.x) at = {start.x, at.y + height};
      if (at.x + width > right) {  // a word that is wider than the panel: as much of it as fits, and some of it always
        const char* fits = nullptr;
        font->CalcTextSizeA(size, right - at.x, 0, piece.data(), piece.data() + piece.size(), &fits);
        piece = piece.substr(0, std::max(static_cast<size_t>(fits - piece.data()), next_character(piece, 0)));
        width = width_of();
      }
      const ImVec2 low(at.x, at.y), high(at.x + width, at.y + height);
      const bool under = pointing && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(low, high);
      if (under) ui.hover = run.target;
      bool pressed = under && ImGui::IsMouseClicked(0);
      if (lit) list.AddRectFilled(low, high, ui.colour(Role::cell), ui.px(3));
      if (!std::exchange(reachable, true)) {
        const std::string name = "word " + std::to_string(ui.words_drawn++);
        ImGui::SetCursorScreenPos(low);
        pressed |= ImGui::InvisibleButton(name.c_str(), {std::max(width, 1.0f), height});
        if (ui.control(name)) ui.hover = run.target;
      }
      if (pressed && run.target.kind == Target::Kind::step) choose_step(ui.model, static_cast<int>(run.target.index));
      if (pressed && run.target.kind == Target::Kind::line) choose_line(ui.model, static_cast<int>(run.target.index));
      const float baseline = at.y + ui.px(15);
      const ImU32 colour = ui.colour(pointing ? Role::minimap_window : role);
      list.AddText(font, size, {std::round(low.x), std::round(baseline - font->Ascent * size / font->FontSize)}, colour,
                   piece.data(), piece.data() + piece.size());
      if (pointing)
        list.AddLine({low.x, baseline + ui.px(2.5f)}, {high.x, baseline + ui.px(2.5f)}, colour,
                     ui.px(lit ? 2.0f : 1.0f));
      at.x += width;
      const bool whole = piece.size() == all.size() || all[piece.size()] == ' ';
      rest.remove_prefix(whole ? all.size() : piece.size());
      if (whole) at.x += font->CalcTextSizeA(size, FLT_MAX, 0, all.data() + piece.size(), all.data() + all.size()).x;
    }
  }
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({right - start.x, at.y + height - start.y});
}

}  // namespace stridescope
