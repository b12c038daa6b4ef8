#include "app/model.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stridescope {
namespace {

constexpr double reads_per_second = 2;  // at speed 1

}  // namespace

int Model::step() const {
  const int count = static_cast<int>(trace.steps.size());
  const int wanted = document.view.step;
  return wanted < 0 || wanted >= count ? count - 1 : wanted;
}

const Applied* Model::applied() const {
  if (step() < 0) return nullptr;
  const auto& all = trace.steps[static_cast<size_t>(step())].applied;
  if (all.empty()) return nullptr;
  const auto wanted = static_cast<size_t>(document.view.op);
  return wanted < all.size() ? &all[wanted] : &all.back();
}

void refresh(Model& model) {
  const bool evaluate_again = model.document.source != model.evaluated;
  if (evaluate_again) {
    model.evaluated = model.document.source;
    model.trace = evaluate(model.evaluated);
  }
  if (!evaluate_again && model.document.view == model.drawn) return;
  model.subject = subject(model.trace, model.document.view);
  model.document.view.head = std::clamp<int64_t>(model.document.view.head, 0, std::max<int64_t>(model.subject.elements - 1, 0));
  model.drawn = model.document.view;
  model.scene = draw(model.trace, model.drawn);
  ++model.pictures;
}

void open_file(Model& model, const std::string& file) {
  auto read = read_program(file);
  if (auto* problem = std::get_if<FileProblem>(&read)) {
    model.problem = std::move(*problem);
    return;
  }
  auto& text = std::get<std::string>(read);
  if (const Trace trace = evaluate(text); !trace.diagnostics.empty() && trace.diagnostics.front().reason.id == Msg::source_not_utf8) {
    model.problem = FileProblem{{Msg::app_not_utf8, {file}}, {Msg::hint_file_binary, {}}};
    return;
  }
  model.problem.reset();
  model.file = file;
  model.saved = model.document.source = std::move(text);
  ++model.texts;
  model.playing = false;
  ViewState view;
  view.theme = model.theme();
  view.language = model.language();
  view.width = model.document.view.width;
  view.height = model.document.view.height;
  model.document.view = view;
}

void save_file(Model& model) {
  if (model.file.empty())
    model.prompt = FilePrompt{FilePrompt::Kind::save, ""};
  else
    save_file_as(model, model.file);
}

void save_file_as(Model& model, const std::string& file) {
  model.problem = write_whole(file, model.document.source);
  if (model.problem) return;
  model.file = file;
  model.saved = model.document.source;
}

void intend(Model& model, const Intention& intention) {
  if (model.unsaved())
    model.intention = intention;
  else
    carry_out(model, intention);
}

void carry_out(Model& model, const Intention& intention) {
  switch (intention.kind) {
    case Intention::Kind::open: return open_file(model, intention.file);
    case Intention::Kind::close: model.closing = true;
  }
}

void choose_step(Model& model, int step) {
  model.playing = false;
  ViewState& view = model.document.view;
  view.step = std::clamp(step, 0, std::max(static_cast<int>(model.trace.steps.size()) - 1, 0));
  view.op = -1;
  view.phase = 0;
}

void choose_line(Model& model, int line) {
  const auto& steps = model.trace.steps;
  const auto after = std::find_if(steps.begin(), steps.end(), [&](const Step& step) { return step.line > line; });
  const int step = static_cast<int>(after - steps.begin()) - 1;
  if (step >= 0 && step != model.step()) choose_step(model, step);
}

void move_head(Model& model, int64_t element) {
  model.document.view.head = std::clamp<int64_t>(element, 0, std::max<int64_t>(model.subject.elements - 1, 0));
  model.document.view.phase = 0;
}

void play_or_pause(Model& model) {
  model.playing = !model.playing && model.subject.elements > 1;
  if (model.playing && model.document.view.head >= model.subject.elements - 1) move_head(model, 0);
}

void advance(Model& model, double seconds) {
  if (!model.playing) return;
  ViewState& view = model.document.view;
  const double phase = view.phase + seconds * reads_per_second * model.speed;
  const double whole = std::floor(phase);
  if (whole >= static_cast<double>(model.subject.elements - 1 - view.head)) {
    move_head(model, model.subject.elements - 1);
    model.playing = false;
    return;
  }
  view.head += static_cast<int64_t>(whole);
  view.phase = phase - whole;
}

void apply(Model& model, const Fix& fix) {
  if (model.document.source != model.evaluated) return;  // the span is of another text
  model.playing = false;
  ++model.texts;
  model.document.source.replace(static_cast<size_t>(fix.span.begin), static_cast<size_t>(fix.span.end - fix.span.begin), fix.replacement);
}

}  // namespace stridescope
