// Guess first: the question that stands over the explanation, and what is said to a guess.
#include "app/interface.h"

#include <GLFW/glfw3.h>
#include <imgui_stdlib.h>  // after imgui.h

#include <nlohmann/json.hpp>

namespace stridescope {
namespace {

using nlohmann::json;

constexpr struct {
  const char* name;  ///< as judged() has it
  Msg word;
} guessable[] = {{"view", Msg::label_ask_view},  {"copy", Msg::label_ask_copy},   {"same", Msg::label_ask_same},
                 {"new", Msg::label_ask_new},    {"write", Msg::label_ask_write}, {"none", Msg::label_ask_none},
                 {"error", Msg::label_ask_error}};

class Question {
 public:
  Question(Interface& ui, const json& all) : ui_(ui), model_(ui.model), judged_(all), asks_(model_.asks()) {}

  /// @return whether the guess is to be judged
  bool draw() {
    const auto input = judged_["input"].get<std::string>();
    line(input.empty() ? model_.say(Msg::label_ask_kind_alone) : model_.say(Msg::label_ask_kind, {input}), Role::text);
    ImGui::BeginDisabled(!asks_);
    choose_kind();
    const std::string strides = model_.say(Msg::label_strides);
    Guess& guess = ui_.guessing.guess;
    lists_ = asks_ && guess.kind != "none" && guess.kind != "error";  // those have no sizes
    ImGui::BeginDisabled(!lists_);
    bool done = list("sizes", model_.say(Msg::label_sizes), "(2, 3)", guess.sizes);
    done |= list("strides", judged_["bytes"] ? model_.say(Msg::label_ask_bytes, {strides}) : strides, "(3, 1)",
                 guess.strides);
    ImGui::EndDisabled();
    ImGui::EndDisabled();
    return done;
  }

 private:
  void line(const std::string& text, Role role) { draw_line(ui_, {{text, false, {}}}, role); }

  void choose_kind() {
    std::string& chosen = ui_.guessing.guess.kind;
    float used = 0;
    for (const auto& [name, label] : guessable) {
      const std::string word = model_.say(label);
      const float width = ImGui::GetFrameHeight() + ImGui::CalcTextSize(word.c_str()).x + ui_.px(22);
      if (used > 0 && used + width <= ImGui::GetContentRegionAvail().x)
        ImGui::SameLine(0, ui_.px(14));
      else
        used = 0;
      used += width;
      if (ImGui::RadioButton((word + "##" + name).c_str(), chosen == name)) chosen = name;
      if (asks_) ui_.control(std::string("guess ") + name);
    }
    verdict("kind", false);
  }

  /// A list of numbers that is written.  @return whether Enter was pressed in it
  bool list(const char* name, const std::string& label, const char* example, std::string& text) {
    const float start = ImGui::GetCursorPosX();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label.c_str());
    ImGui::SameLine(start + ui_.px(110));
    ImGui::SetNextItemWidth(ui_.px(120));
    ui_.fonts.need(text);
    const bool done = ImGui::InputTextWithHint(("##" + std::string(name)).c_str(), asks_ ? example : "", &text,
                                               ImGuiInputTextFlags_EnterReturnsTrue);
    if (lists_) ui_.control(std::string("guess ") + name, Focus::Kind::text);
    verdict(name, true);
    return done;
  }

  /// What is said to a part, once it is said: a mark and a word, the truth where the guess was another.
  void verdict(const char* part, bool beside) {
    const json& said = judged_[part];
    if (asks_ || !said.is_object()) return;
    const bool right = said["right"];
    std::string truth = said["truth"];
    for (const auto& [name, label] : guessable)
      if (truth == name) truth = model_.say(label);
    if (beside) ImGui::SameLine(0, ui_.px(10));
    ui_.fonts.need("\xE2\x9C\x93\xE2\x9C\x97");
    line(right ? "\xE2\x9C\x93 " + model_.say(Msg::label_ask_right)
               : "\xE2\x9C\x97 " + model_.say(Msg::label_ask_truth, {truth}),
         right ? Role::good : Role::bad);
  }

  Interface& ui_;
  Model& model_;
  const json& judged_;
  const bool asks_;
  bool lists_ = false;
};

}  // namespace

void draw_question(Interface& ui) {
  Model& model = ui.model;
  bool& on = model.document.view.ask;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), ui.px(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(4)});
  if (ImGui::Checkbox(model.say(Msg::label_ask).c_str(), &on)) model.answered = {}, ui.guessing = {};
  ui.control("ask");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", model.say(Msg::label_ask_hint).c_str());
  if (on && model.shown()) {
    if (model.asks() && ui.guessing.about != model.question()) ui.guessing = {model.question(), {}};
    const json all = json::parse(judged(model.trace, model.document.view, ui.guessing.guess), nullptr, false);
    const bool asks = model.asks(), last = model.step() + 1 == static_cast<int>(model.trace.steps.size());
    bool done = Question(ui, all).draw();
    ImGui::Dummy({0, ui.px(2)});
    done |= ImGui::Button(model.say(asks   ? Msg::label_ask_check
                                    : last ? Msg::label_raw_reset
                                           : Msg::label_ask_next)
                              .c_str());
    ui.control(asks ? "check" : "next");
    if (done && asks) {
      model.answered = model.question();
      ui.take(GLFW_KEY_ENTER);
    } else if (done) {
      model.answered = {};
      ui.guessing = {};
      choose_step(model, last ? 0 : model.step() + 1);
    }
    ImGui::Dummy({0, ui.px(6)});
  }
  ImGui::PopStyleVar(2);
}

}  // namespace stridescope
