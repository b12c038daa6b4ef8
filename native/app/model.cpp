#include "app/model.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stridescope {
namespace {

constexpr double reads_per_second = 2;  // at speed 1
constexpr double text_step = 1.125;

constexpr const char* first_program =
    "import torch\n"
    "\n"
    "x = torch.arange(12).view(2, 3, 2)\n"
    "y = x.permute(0, 2, 1)\n"
    "z = y.view(-1)\n"
    "z = y.reshape(-1)\n";

}  // namespace

Model first_model() {
  Model model;
  model.settings = load_settings();
  model.document.view.language = model.settings.language;
  model.document.view.theme = model.settings.theme;
  model.saved = model.document.source = first_program;
  model.document.view.step = 1;
  return model;
}

int Model::step() const {
  const int count = static_cast<int>(trace.steps.size());
  const int wanted = document.view.step;
  return wanted < 0 || wanted >= count ? count - 1 : wanted;
}

const Step* Model::shown() const { return step() < 0 ? nullptr : &trace.steps[static_cast<size_t>(step())]; }

ViewState Model::looked() const {
  ViewState view = document.view;
  view.ask = asks();
  return view;
}

void refresh(Model& model) {
  const bool evaluate_again = model.fresh || model.document.source != model.evaluated;
  if (evaluate_again) {
    if (!model.fresh) model.history.note({model.evaluated, model.evaluated_step}, model.document.source);
    model.fresh = false;
    model.evaluated = model.document.source;
    model.trace = evaluate(model.evaluated);
    ++model.programs;
  }
  model.evaluated_step = model.document.view.step;
  if (!evaluate_again && model.looked() == model.drawn) return;
  model.subject = subject(model.trace, model.looked());
  model.document.view.head =
      std::clamp<int64_t>(model.document.view.head, 0, std::max<int64_t>(model.subject.elements - 1, 0));
  model.drawn = model.looked();
  model.scene = draw(model.trace, *model.drawn);
  ++model.pictures;
  model.settings.language = model.language();
  model.settings.theme = model.theme();
}

void rewrite_program(Model& model, std::string source, int step) {
  model.playing = false;
  model.document.source = std::move(source);
  model.document.view.step = step;
  model.document.view.op = -1;
  model.document.view.phase = 0;
}

void undo(Model& model) {
  refresh(model);
  if (const auto moment = model.history.undo({model.document.source, model.document.view.step})) {
    rewrite_program(model, moment->source, moment->step);
    model.fresh = true;  // not a change of its own
  }
}

void redo(Model& model) {
  refresh(model);
  if (const auto moment = model.history.redo({model.document.source, model.document.view.step})) {
    rewrite_program(model, moment->source, moment->step);
    model.fresh = true;
  }
}

void choose_step(Model& model, int step) {
  model.playing = false;
  ViewState& view = model.document.view;
  view.step = std::clamp(step, 0, std::max(static_cast<int>(model.trace.steps.size()) - 1, 0));
  view.op = -1;
  view.phase = 0;
}

void choose_operation(Model& model, int op) {
  model.playing = false;
  model.document.view.op = op;
  model.document.view.phase = 0;
}

void choose_line(Model& model, int line) {
  const auto line_of = [&](int step) { return model.trace.steps[static_cast<size_t>(step)].line; };
  int wanted = -1;
  for (const int step : beside(model.trace, model.step()))
    if (line_of(step) <= line) wanted = step;
  if (wanted >= 0 && wanted != model.step()) choose_step(model, wanted);
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
  const int64_t last = model.subject.elements - 1;
  if (model.loops && view.head == last) {  // read for as long as any other before the first comes again
    if (whole >= 1)
      move_head(model, 0);
    else
      view.phase = phase;
    return;
  }
  if (whole >= static_cast<double>(last - view.head)) {
    move_head(model, last);
    model.playing = model.loops;
    return;
  }
  view.head += static_cast<int64_t>(whole);
  view.phase = phase - whole;
}

void apply(Model& model, const Fix& fix) {
  if (model.document.source != model.evaluated) return;  // the span is of another text
  std::string source = model.document.source;
  source.replace(static_cast<size_t>(fix.span.begin), static_cast<size_t>(fix.span.end - fix.span.begin),
                 fix.replacement);
  rewrite_program(model, std::move(source), model.document.view.step);
}

std::vector<const Diagnostic*> problems(const Model& model) {
  std::vector<const Diagnostic*> list;
  for (const Diagnostic& diagnostic : model.trace.diagnostics) list.push_back(&diagnostic);
  for (const int number : beside(model.trace, model.step()))
    if (const Step& step = model.trace.steps[static_cast<size_t>(number)]; step.error && !model.hidden(step))
      list.push_back(&*step.error);
  return list;
}

int line_of(const Model& model, const Span& span) {
  const std::string& source = model.trace.source;
  const auto begin = std::min(static_cast<size_t>(span.begin), source.size());
  return 1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
}

const Fix* fix_on(const Model& model, int line) {
  for (const Diagnostic* problem : problems(model)) {
    const int last = line_of(model, {std::max(problem->span.begin, problem->span.end - 1), problem->span.end});
    if (line < line_of(model, problem->span) || line > last) continue;
    for (const Hint& hint : problem->hints)
      if (hint.fix) return &*hint.fix;
  }
  return nullptr;
}

void size_text(Model& model, int direction) {
  double& text = model.settings.text;
  text = direction == 0 ? 1 : std::clamp(text * std::pow(text_step, direction), least_text, most_text);
  if (std::abs(text - 1) < 0.01) text = 1;
}

void zoom(Model& model, int steps) {
  int& zoom = model.document.view.zoom;
  zoom = steps == 0 ? 0 : std::clamp(zoom + steps, -max_zoom, max_zoom);
}

void walk_on(Model& model, const Dims& sizes, int level, int64_t by) {
  const int dim = sizes.size() - 1 - level;
  if (dim < 0 || model.subject.elements == 0) return;
  int64_t inner = 1;
  for (int d = sizes.size() - 1; d > dim; --d) inner *= sizes[d];
  const int64_t head = model.document.view.head, index = head / inner % sizes[dim];
  model.playing = false;
  move_head(model, head + (std::clamp<int64_t>(index + by, 0, sizes[dim] - 1) - index) * inner);
}

}  // namespace stridescope
