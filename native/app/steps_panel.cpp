// What each statement did, and why the chosen one did it.
#include <algorithm>

#include "app/interface.h"

namespace stridescope {
namespace {

/// What stands under a statement: the layout it made, the value it asked for, or what was raised; and which round it
/// begins.
std::string outcome(const Model& model, const Step& step) {
  if (step.error) return step.error->raised ? step.error->raised->type : "";
  const TensorPtr tensor = tensor_of(step.value);
  const bool nothing = std::holds_alternative<None>(step.value.held);
  const std::string bound = bound_text(step);
  const std::string value = !bound.empty()        ? bound
                            : tensor              ? to_string(tensor->layout)
                            : !step.wrote.empty() ? written_line(model.trace, step, 80)
                            : nothing             ? ""
                                                  : to_string(step.value);
  const std::string round = round_of(model, step);
  return round.empty() ? value : value + "   " + round;
}

std::string changes(const Model& model, const Step& step) {
  std::string names;
  for (const Change& change : step.changed) names += (names.empty() ? "" : ", ") + change.name;
  return names.empty() ? "" : model.say(Msg::label_changed, {names});
}

/// Text up to `right`; of what is longer the beginning, and "…".
void text_at(Interface& ui, ImVec2 at, Face face, float nominal, Role role, std::string text, float right) {
  ui.fonts.need(text + "…");
  const auto [font, size] = ui.fonts.at(face, ui.px(nominal));
  const auto fitting = [&, font = font, size = size](float room) {
    const char* rest = nullptr;
    font->CalcTextSizeA(size, room, 0, text.data(), text.data() + text.size(), &rest);
    return static_cast<size_t>(rest - text.data());
  };
  const float room = right - at.x;
  if (fitting(room) < text.size())
    text = text.substr(0, fitting(room - font->CalcTextSizeA(size, FLT_MAX, 0, "…").x)) + "…";
  const ImVec4 clip(at.x, at.y - ui.px(4), right, at.y + ui.px(40));
  ImGui::GetWindowDrawList()->AddText(font, size, at, ui.colour(role), text.data(), text.data() + text.size(), 0,
                                      &clip);
}

void draw_step(Interface& ui, int number) {
  Model& model = ui.model;
  const Step& step = model.trace.steps[static_cast<size_t>(number)];
  const bool chosen = number == model.step();
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ui.px(44));
  const ImVec2 high(low.x + size.x, low.y + size.y);
  ImGui::PushID(number);
  if (ImGui::InvisibleButton("step", size)) choose_step(model, number);
  ui.control("step " + std::to_string(number));
  ImGui::PopID();
  const Target self{Target::Kind::step, -1, number};
  if (ImGui::IsItemHovered()) ui.hover = self;

  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (chosen || ImGui::IsItemHovered() || model.document.view.hover == self)
    list.AddRectFilled(low, high, ui.colour(Role::panel));
  if (chosen) list.AddRectFilled(low, {low.x + ui.px(3), high.y}, ui.colour(Role::minimap_window));

  const Mark mark = mark_of(model, step);
  const auto [bold, bold_size] = ui.fonts.at(Face::sans_bold, ui.px(11));
  const float mark_x = high.x - ui.px(16) - bold->CalcTextSizeA(bold_size, FLT_MAX, 0, mark.word.c_str()).x;
  text_at(ui, {low.x + ui.px(16), low.y + ui.px(6)}, Face::mono, 12, Role::text_muted, std::to_string(step.line),
          high.x);
  const std::string first_line = step.text.substr(0, step.text.find('\n'));
  text_at(ui, {low.x + ui.px(44), low.y + ui.px(4)}, Face::mono, 13, Role::text, first_line, high.x - ui.px(16));
  const bool hidden = model.hidden(step);
  const std::string changed = hidden ? "" : changes(model, step), result = hidden ? "" : outcome(model, step);
  text_at(ui, {low.x + ui.px(44), low.y + ui.px(24)}, Face::mono, 11,
          step.error && !hidden ? Role::bad : Role::text_muted,
          changed.empty()  ? result
          : result.empty() ? changed
                           : result + "   " + changed,
          mark_x - ui.px(8));
  text_at(ui, {mark_x, low.y + ui.px(24)}, Face::sans_bold, 11, mark.role, mark.word, high.x);
  if (chosen && ui.shown_step != number) ImGui::SetScrollHereY(0.5f);
}

/// The title of one operation of several, which shows it in the picture.
/// @return whether it was pressed
bool operation(Interface& ui, int number, const std::string& title, bool chosen) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  ImGui::Dummy({0, ui.px(2)});
  draw_line(ui, {{title, true, {}}}, chosen ? Role::text : Role::text_muted);
  const ImVec2 next = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(low);
  const std::string name = "operation " + std::to_string(number);
  const bool pressed = ImGui::InvisibleButton(name.c_str(), {ImGui::GetContentRegionAvail().x, next.y - low.y});
  ui.control(name);
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (chosen || ImGui::IsItemHovered())
    ImGui::GetWindowDrawList()->AddRectFilled({low.x - ui.px(10), low.y + ui.px(3)}, {low.x - ui.px(7), next.y},
                                              ui.colour(chosen ? Role::minimap_window : Role::rule));
  ImGui::SetCursorScreenPos(next);
  return pressed;
}

/// Where it is long, without what another that is explained says: "… .flatten()".
std::string short_title(const std::string& title, const Step& step) {
  constexpr size_t room = 36;
  size_t said = 0;
  for (const Applied& other : step.applied) {
    const size_t size = other.title.size();
    if (!other.why.lines.empty() && size > said && size < title.size() && title.starts_with(other.title) &&
        (title[size] == '.' || title[size] == '['))
      said = size;
  }
  return title.size() > room && said > 0 ? "… " + title.substr(said) : title;
}

/// The operations in the order in which they are told: the last first, for the picture shows that one. What only says
/// which calls one of the program's comes to, as a pattern of einops does, stands before these.
std::vector<int> in_order(const Step& step) {
  std::vector<int> told;
  for (int number = 0; number < static_cast<int>(step.applied.size()); ++number) {
    const Applied& applied = step.applied[static_cast<size_t>(number)];
    if (applied.why.lines.empty()) continue;
    const auto whole = std::find_if(told.begin(), told.end(), [&](int before) {
      const Applied& other = step.applied[static_cast<size_t>(before)];
      return other.relation == Relation::none && !other.error && other.span == applied.span &&
             step.text.find(other.title) != std::string::npos;
    });
    told.insert(whole == told.end() ? told.begin() : whole + 1, number);
  }
  return told;
}

/// The line that a byte is in, without the blanks around it.
std::string line_at(const std::string& source, size_t byte) {
  const size_t newline = byte == 0 ? std::string::npos : source.find_last_of('\n', byte - 1);
  const size_t begin = source.find_first_not_of(" \t", newline == std::string::npos ? 0 : newline + 1);
  if (begin == std::string::npos) return "";
  const std::string line = source.substr(begin, source.find_first_of("\r\n", begin) - begin);
  return line.substr(0, line.find_last_not_of(" \t") + 1);
}

}  // namespace

Mark mark_of(const Model& model, const Step& step) {
  if (model.hidden(step)) return {"?", Role::text_muted};
  if (step.error) return {model.say(Msg::label_mark_error), Role::bad};
  switch (relation(step)) {
    case Relation::none: return {};
    case Relation::fresh: return {model.say(Msg::label_mark_new), Role::text_muted};
    case Relation::view: return {model.say(Msg::label_mark_view), Role::good};
    case Relation::copy: return {model.say(Msg::label_mark_copy), Role::hop_back};
    case Relation::same: return {model.say(Msg::label_mark_same), Role::good};
    case Relation::write: return {model.say(Msg::label_mark_write), Role::changed};
  }
  return {};
}

std::string round_of(const Model& model, const Step& step) {
  if (step.round == 0) return step.rounds > 0 ? model.say(Msg::label_rounds_over, {step.rounds}) : "";
  if (is_call(step)) return model.say(Msg::label_call, {step.round, step.rounds});
  return step.rounds > 0 ? model.say(Msg::label_round, {step.round, step.rounds})
                         : model.say(Msg::label_round_number, {step.round});
}

void draw_steps(Interface& ui) {
  ImGui::BeginChild("steps");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  for (int number = 0; number < static_cast<int>(ui.model.trace.steps.size()); ++number) draw_step(ui, number);
  ui.shown_step = ui.model.step();
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

/// What the step prints, as a terminal shows it, in lines as wide as there is room.
static void draw_output(Interface& ui, const Step& step) {
  const std::string text = written_by(ui.model.trace, step);
  if (text.empty()) return;
  draw_line(ui, {{ui.model.say(Msg::label_output), false, {}}}, Role::text_muted, Face::sans_bold);
  ui.fonts.need(text);
  const auto [font, size] = ui.fonts.at(Face::mono, ui.px(12));
  const float width = ImGui::GetContentRegionAvail().x;
  const char *begin = text.data(), *end = begin + text.size() - (text.ends_with('\n') ? 1 : 0);
  ImGui::GetWindowDrawList()->AddText(font, size, ImGui::GetCursorScreenPos(), ui.colour(Role::text), begin, end, width);
  ImGui::Dummy({width, font->CalcTextSizeA(size, FLT_MAX, width, begin, end).y + ui.px(8)});
}

void draw_explanation(Interface& ui) {
  Model& model = ui.model;
  draw_question(ui);
  for (const Diagnostic& diagnostic : model.trace.diagnostics) {
    const std::string line = line_at(model.document.source, static_cast<size_t>(diagnostic.span.begin));
    if (!line.empty()) draw_line(ui, {{line, true, {}}}, Role::text_muted);
    draw_problem(ui, diagnostic, "fix ");
  }
  const Step* step = model.shown();
  if (!step || model.asks()) return;
  if (!model.trace.diagnostics.empty() && step->applied.size() < 2)
    draw_line(ui, {{step->text, true, {}}}, Role::text_muted);
  if (step->error) draw_problem(ui, *step->error, "fix ");
  const std::string value = tensor_of(step->value) ? "" : to_string(step->value);
  if (!value.empty() && step->text.ends_with("." + value))
    draw_line(ui, words({Msg::label_uncalled, {value}}, model.language()), Role::text, Face::sans_bold);
  if (const auto decided = decision(*step))
    draw_line(ui, words(*decided, model.language()), Role::text, Face::sans_bold);
  draw_output(ui, *step);
  const int count = static_cast<int>(step->applied.size()), wanted = model.document.view.op;
  const int shown = wanted < 0 || wanted >= count ? count - 1 : wanted;
  std::optional<int> chosen;
  for (const int number : in_order(*step)) {
    const Applied& applied = step->applied[static_cast<size_t>(number)];
    if (count > 1 && operation(ui, number, short_title(applied.title, *step), number == shown)) chosen = number;
    const size_t said = applied.attempt && applied.error ? 1 : 0;  // why a view fails is the problem's first line
    for (size_t i = said; i < applied.why.lines.size(); ++i)
      draw_line(ui, words(applied.why.lines[i], model.language()), Role::text,
                i == 0 && !applied.error ? Face::sans_bold : Face::sans);
  }
  if (chosen) choose_operation(model, *chosen);
}

}  // namespace stridescope
