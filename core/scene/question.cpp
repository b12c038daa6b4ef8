#include "scene/question.h"

#include <algorithm>

namespace stridescope {

Step question_of(const Step& step, const Step* before, const Applied* op) {
  Step question{.statement = step.statement,
                .span = step.span,
                .line = step.line,
                .text = step.text,
                .targets = step.targets,
                .unpack = step.unpack};
  if (before) question.names = before->names;
  if (!op) {
    if (!step.error) question.value = step.value;  // a bare name is the tensor itself
  } else {
    question.applied.assign(step.applied.data(), op);
    question.applied.push_back({.span = op->span, .parts = op->parts, .op = op->op, .title = op->title});
    question.applied.back().inputs = op->inputs;
    if (op != &step.applied.back()) question.text = op->title;
  }

  const bool writes = std::any_of(step.applied.begin(), step.applied.end(),
                                  [](const Applied& applied) { return applied.relation == Relation::write; });
  for (Held held : step.contents) {
    const Held* known = before ? before->contents.data() : nullptr;
    const Held* end = before ? known + before->contents.size() : nullptr;
    known = std::find_if(known, end, [&](const Held& entry) { return entry.storage == held.storage; });
    if (known != end)
      held = *known;
    else if (writes)
      held.contents = nullptr;
    question.contents.push_back(std::move(held));
  }
  return question;
}

}  // namespace stridescope
