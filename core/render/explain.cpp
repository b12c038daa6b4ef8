// Trace -> text for a terminal: each line of the program, what it made, and why, indented below it.
#include <algorithm>

#include "render/notations.h"
#include "stridescope.h"

namespace stridescope {
namespace {

class Explainer {
 public:
  Explainer(const Trace& trace, Language language, bool notations)
      : trace_(trace), language_(language), notations_(notations) {}

  void whole(const Diagnostic& diagnostic) { problem(diagnostic); }

  void step(const Step& step) {
    if (!text_.empty()) text_ += '\n';
    text_ += std::to_string(step.line) + ": " + step.text + '\n';
    if (const std::string bound = bound_text(step); !bound.empty())
      line(bound);
    else if (const TensorPtr tensor = tensor_of(step.value))
      line(to_string(tensor->layout) + "  " + mark(relation(step)));
    else if (!step.error && !std::holds_alternative<None>(step.value.held))
      line(to_string(step.value));
    const std::string written = written_by(trace_, step);
    for (size_t at = 0; at < written.size();) {
      const size_t end = std::min(written.find('\n', at), written.size());
      line((end > at ? "| " : "|") + written.substr(at, end - at));
      at = end + 1;
    }
    if (const auto decided = decision(step)) line(plain(*decided, language_));
    for (const Applied& applied : step.applied) {
      if (step.applied.size() > 1 && !applied.why.lines.empty()) line(applied.title);
      for (const Message& why : applied.why.lines) line(plain(why, language_));
    }
    if (step.error) problem(*step.error);
    const bool unknown = step.error && !step.error->raised;  // the line was not run
    for (const Change& change : step.changed)
      line(plain({unknown ? Msg::label_maybe_written : Msg::label_changed, {change.name}}, language_));
    if (const TensorPtr tensor = notations_ ? shown_tensor(step) : nullptr)
      for (const Notation& notation : notations(*tensor)) {
        const std::string system(notation.system);
        line(system + std::string(8 - system.size(), ' ') +
             (notation.why_not ? "-  " + plain(*notation.why_not, language_) : notation.text));
      }
  }

  std::string text() && { return std::move(text_); }

 private:
  void line(const std::string& content) { text_ += "  " + content + '\n'; }

  void problem(const Diagnostic& diagnostic) {
    if (const auto& raised = diagnostic.raised) {
      if (raised->text.empty())
        line(raised->type);
      else
        line(raised->type + ": " + raised->text);
    }
    line(plain(diagnostic.reason, language_));
    for (const Hint& hint : diagnostic.hints) line("> " + plain(hint.message, language_));
  }

  std::string mark(Relation made) const {
    switch (made) {
      case Relation::fresh: return plain({Msg::label_mark_new, {}}, language_);
      case Relation::view: return plain({Msg::label_mark_view, {}}, language_);
      case Relation::copy: return plain({Msg::label_mark_copy, {}}, language_);
      case Relation::write: return plain({Msg::label_mark_write, {}}, language_);
      default: return plain({Msg::label_mark_same, {}}, language_);
    }
  }

  const Trace& trace_;
  Language language_;
  bool notations_;
  std::string text_;
};

}  // namespace

std::string explain(const Trace& trace, Language language, bool notations) {
  Explainer writer(trace, language, notations);
  for (const Diagnostic& diagnostic : trace.diagnostics) writer.whole(diagnostic);
  for (const Step& step : trace.steps) writer.step(step);
  return std::move(writer).text();
}

}  // namespace stridescope
