#include "app/code_page.h"

#include <algorithm>
#include <cmath>

namespace stridescope {
namespace {

Role role_of(Syntax::Kind kind) {
  switch (kind) {
    case Syntax::Kind::word: return Role::axis2;
    case Syntax::Kind::number: return Role::axis0;
    case Syntax::Kind::string: return Role::axis1;
    case Syntax::Kind::comment: return Role::text_muted;
  }
  return Role::text;
}

std::string_view piece(std::string_view text, size_t begin, size_t end) { return text.substr(begin, end - begin); }

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
    lines.push_back(text.substr(0, end));
  lines.push_back(text);
  return lines;
}

float Page::caret(std::string_view source, int at) const {
  const std::string_view before = source.substr(0, static_cast<size_t>(at));
  return text.x + width(before.substr(before.rfind('\n') + 1));
}

Box Page::box(std::string_view source, const Span& span) const {
  const size_t begin = std::min(static_cast<size_t>(span.begin), source.size());
  const size_t line_begin = begin == 0 ? 0 : source.rfind('\n', begin - 1) + 1;
  const size_t end = std::min({static_cast<size_t>(span.end), source.find('\n', begin), source.size()});
  const float y =
      top(1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<long>(begin), '\n')));
  const float from = text.x + width(piece(source, line_begin, begin));
  const float to = text.x + width(piece(source, line_begin, std::max(begin, end)));
  return {from, y, std::max(to, from + size / 2), y + line_height};
}

void Page::ground(int line, Role role) const {
  ImGui::GetWindowDrawList()->AddRectFilled({left, top(line)}, {right, top(line) + line_height}, ui.colour(role));
}

void Page::number(int line) const {
  const auto [small, small_size] = ui.fonts.at(Face::mono, ui.px(12));
  const std::string digits = std::to_string(line);
  const float wide = small->CalcTextSizeA(small_size, FLT_MAX, 0, digits.c_str()).x;
  ImGui::GetWindowDrawList()->AddText(small, small_size,
                                      {std::round(text.x - ui.px(12) - wide), std::round(top(line) + ui.px(1.5f))},
                                      ui.colour(Role::text_muted), digits.c_str());
}

void Page::wave(const Box& about) const {
  const float y = about.bottom - ui.px(2), step = ui.px(3), height = ui.px(1.5f);
  std::vector<ImVec2> points;
  for (float x = about.left; x <= about.right; x += step)
    points.emplace_back(x, y + (points.size() % 2 ? height : -height));
  ImGui::GetWindowDrawList()->AddPolyline(points.data(), static_cast<int>(points.size()), ui.colour(Role::bad), 0,
                                          ui.px(1));
}

void Page::letters(const std::string& source) const {
  Interface::Coloured& coloured = ui.coloured;
  if (coloured.source != source) coloured = {source, syntax(source)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float highest = ImGui::GetWindowPos().y - line_height,
              lowest = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  const Trace& trace = ui.model.trace;
  const auto is_passed = [&](size_t at) {
    return source == trace.source && std::any_of(trace.passed.begin(), trace.passed.end(), [&](const Span& span) {
             return at >= static_cast<size_t>(span.begin) && at < static_cast<size_t>(span.end);
           });
  };
  auto part = coloured.parts.begin();
  size_t begin = 0;
  int number = 0;
  for (const std::string_view line : lines_of(source)) {
    const float y = top(++number);
    const size_t end = begin + line.size();
    float x = text.x;
    const auto write = [&](size_t from, size_t to, Role role) {
      if (from >= to || y < highest || y > lowest) return;
      if (is_passed(to - 1)) role = Role::text_muted;  // blanks before a statement are none of it
      const std::string_view letters = piece(source, from, to);
      list.AddText(font, size, {x, y}, ui.colour(role), letters.data(), letters.data() + letters.size());
      x += width(letters);
    };
    size_t at = begin;
    while (part != coloured.parts.end() && static_cast<size_t>(part->span.begin) < end) {
      const size_t from = std::max(static_cast<size_t>(part->span.begin), at),
                   to = std::min(static_cast<size_t>(part->span.end), end);
      write(at, from, Role::text);
      write(from, to, role_of(part->kind));
      at = to;
      if (static_cast<size_t>(part->span.end) > end) break;  // it goes on in the next line
      ++part;
    }
    write(at, end, Role::text);
    begin = end + 1;
  }
}

void Page::aside(const Span& span, const std::string& word) const {
  const auto [face, em] = ui.fonts.at(Face::sans, ui.px(11));
  ui.fonts.need(word);
  const std::string& source = ui.model.trace.source;
  const Box place =
      box(source,
          {span.begin, static_cast<int>(std::min(source.find('\n', static_cast<size_t>(span.begin)), source.size()))});
  const float x = right - ui.px(12) - face->CalcTextSizeA(em, FLT_MAX, 0, word.c_str()).x;
  const float y = place.top + (font->Ascent * size / font->FontSize) - (face->Ascent * em / face->FontSize);
  if (x < place.right + ui.px(20)) return;
  ImGui::GetWindowDrawList()->AddText(face, em, {std::round(x), std::round(y)}, ui.colour(Role::text_muted),
                                      word.c_str());
}

void Page::cursor(const std::string& source, int at) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (const auto both = brackets_at(source, at))
    for (const Span& bracket : {both->first, both->second}) {
      const Box about = box(source, bracket);
      list.AddRect({about.left - ui.hairline(), about.top}, {about.right + ui.hairline(), about.bottom},
                   ui.colour(Role::text_muted), ui.px(2), 0, ui.hairline());
    }
  const Box here = box(source, {at, at});
  const float x = std::round(here.left);
  list.AddRectFilled({x, here.top}, {x + std::max(ui.hairline(), ui.px(1.5f)), here.bottom}, ui.colour(Role::text));
}

Box Page::outcome(const Step& step, const std::vector<std::string_view>& lines) const {
  const std::string& source = ui.model.trace.source;
  const int line =
      1 + static_cast<int>(std::count(source.begin(), source.begin() + std::max(0, step.span.end - 1), '\n'));
  if (line > static_cast<int>(lines.size())) return {};
  const Mark mark = mark_of(ui.model, step);
  const auto [small, small_size] = ui.fonts.at(Face::mono, ui.px(11));
  const auto [bold, bold_size] = ui.fonts.at(Face::sans_bold, ui.px(11));
  ui.fonts.need(mark.word);
  const auto measure = [](ImFont* face, float em, const std::string& word) {
    return face->CalcTextSizeA(em, FLT_MAX, 0, word.c_str()).x;
  };
  const float edge = right - ui.px(12);
  const float free = edge - (text.x + width(lines[static_cast<size_t>(line) - 1]) + ui.px(20));
  const float mark_width = measure(bold, bold_size, mark.word);
  if (mark.word.empty() || mark_width > free) return {};
  const TensorPtr tensor = ui.model.hidden(step) ? nullptr : tensor_of(step.value);
  std::string layout = tensor && !step.error ? to_string(tensor->layout) : "";
  float layout_width = layout.empty() ? 0 : measure(small, small_size, layout) + ui.px(10);
  if (mark_width + layout_width > free) layout.clear(), layout_width = 0;
  const float begin = edge - mark_width - layout_width;
  const bool lit = tensor && related(ui.model.document.view.hover, {Target::Kind::tensor, tensor->object});
  if (lit)
    ImGui::GetWindowDrawList()->AddRectFilled({begin - ui.px(6), top(line)}, {right, top(line) + line_height},
                                              ui.colour(Role::cell), ui.px(3));
  const float baseline = top(line) + font->Ascent * size / font->FontSize;
  const auto write = [&](ImFont* face, float em, Role role, float x, const std::string& word) {
    ImGui::GetWindowDrawList()->AddText(face, em,
                                        {std::round(x), std::round(baseline - face->Ascent * em / face->FontSize)},
                                        ui.colour(role), word.c_str());
  };
  if (!layout.empty()) write(small, small_size, lit ? Role::text : Role::text_muted, begin, layout);
  write(bold, bold_size, mark.role, edge - mark_width, mark.word);
  return {begin - ui.px(6), top(line), right, top(line) + line_height};
}

}  // namespace stridescope
