// A program run into a trace: limits, steps, and what each step left behind.
#include <algorithm>
#include <map>

#include "lang/utf8.h"
#include "layout/access_path.h"
#include "ops/interpreter.h"
#include "ops/trace.h"

namespace stridescope {
namespace {

/// The most tensors a step lists by name, and the most elements compared to tell whether a write changed a tensor.
constexpr size_t max_names = 2048;
constexpr int64_t max_compared = 1 << 16;
/// The most steps that all comparing of a program takes.
constexpr int64_t max_comparing = 1 << 22;

/// Every live tensor, members of tuples as "p[0]".
std::vector<Named> live_tensors(const Interpreter& interpreter) {
  std::vector<Named> names;
  names.reserve(std::min(interpreter.bindings().size(), max_names));
  for (const auto& [name, value] : interpreter.bindings()) {
    if (names.size() >= max_names) break;
    if (const TensorPtr tensor = tensor_of(value)) names.push_back({name, tensor});
    const auto* sequence = std::get_if<Sequence>(&value.held);
    for (size_t i = 0; sequence && i < sequence->items->size() && names.size() < max_names; ++i)
      if (const TensorPtr tensor = tensor_of((*sequence->items)[i]))
        names.push_back({name + "[" + std::to_string(i) + "]", tensor});
  }
  return names;
}

using Snapshot = std::vector<std::pair<int, ContentsPtr>>;  // Step::contents, before it is in order

void note(const TensorPtr& tensor, Snapshot& contents) {
  if (tensor) contents.emplace_back(tensor->storage->id, tensor->storage->contents);
}

void note(const Value& value, Snapshot& contents) {
  note(tensor_of(value), contents);
  if (const auto* facet = std::get_if<Facet>(&value.held)) note(facet->tensor, contents);
  if (const auto* sequence = std::get_if<Sequence>(&value.held))
    for (const Value& item : *sequence->items) note(item, contents);
}

/// What every storage that the step tells of holds now.
void note_contents(Step& step) {
  Snapshot left;
  left.reserve(step.names.size() + 2 * step.applied.size() + 1);
  for (const Named& named : step.names) note(named.tensor, left);
  note(step.value, left);
  for (const Applied& applied : step.applied) {
    note(applied.result, left);
    for (const TensorPtr& input : applied.inputs) note(input, left);
  }
  const auto by_id = [](const auto& a, const auto& b) { return a.first < b.first; };
  const auto same_id = [](const auto& a, const auto& b) { return a.first == b.first; };
  std::sort(left.begin(), left.end(), by_id);
  left.erase(std::unique(left.begin(), left.end(), same_id), left.end());
  step.contents = std::move(left);
}

bool same_value(const Scalar& a, const Scalar& b) { return to_bytes(a) == to_bytes(b); }

/// Whether elements of a tensor differ between `old`, when its storage held `before`, and `now`. Tensors too large to
/// compare count as changed where a write reached their storage.
/// @param left  steps that may still be taken
bool elements_changed(const Tensor& old, const Tensor& now, const ContentsPtr& before, int64_t& left) {
  if (before == now.storage->contents && old.dtype == now.dtype) return false;
  const int64_t count = *numel(now.layout.sizes);
  if (count > max_compared) return true;
  const Elements current = elements_of(now);
  const Elements then{before, current.layout, old.dtype, old.lens};
  if (!current.contents || !then.contents || count > left / (cost(current) + cost(then))) return true;
  left -= count * (cost(current) + cost(then));
  const auto differ = [](const Scalar& a, const Scalar& b) {
    if (a.dtype == b.dtype) return !same_value(a, b);
    return !same_value(converted(a, DType::float64), converted(b, DType::float64));
  };
  for (int64_t i = 0; i < count; ++i)
    if (differ(element(current, i), element(then, i))) return true;
  return false;
}

/// What the names of `before` show differently after `step`.
std::vector<Change> changes(const Step& before, const Step& step, int64_t& left) {
  std::vector<Change> result;
  auto next = step.names.begin();  // names stay in order, so each is looked for where the one before was found
  for (const Named& old : before.names) {
    if (std::find(step.targets.begin(), step.targets.end(), old.name.substr(0, old.name.find('['))) !=
        step.targets.end())
      continue;
    const auto same_name = [&](const Named& named) { return named.name == old.name; };
    const auto now = std::find_if(next, step.names.end(), same_name);
    if (now == step.names.end()) continue;  // one name too many
    next = now + 1;
    Change change{old.name};
    change.metadata = !(old.tensor->layout == now->tensor->layout);
    // The elements seen differ where the recipe does and where the storage does.
    change.values = change.metadata || is_complex(old.tensor->dtype) != is_complex(now->tensor->dtype) ||
                    elements_changed(*old.tensor, *now->tensor, before.contents_of(*now->tensor->storage), left);
    if (change.values) result.push_back(std::move(change));
  }
  return result;
}

/// The step that began the round which a statement is in that runs next, of the innermost loop around it.
int round_of(const Trace& trace, const Statement& statement) {
  int at = static_cast<int>(trace.steps.size()) - 1;
  while (at >= 0) {
    const Step& step = trace.steps[static_cast<size_t>(at)];
    const Statement& header = *step.statement;
    if (step.round > 0 && &statement > &header && &statement <= &header + header.body) return at;
    at = step.loop;
  }
  return -1;
}

/// The parser's own words on a statement, where it has any.
std::optional<Diagnostic> syntax_problem(const Program& program, Span span) {
  for (const Diagnostic& problem : program.diagnostics)
    if (problem.span.begin >= span.begin && problem.span.begin <= span.end) return problem;
  return std::nullopt;
}

}  // namespace

const ContentsPtr& Step::contents_of(const Storage& storage) const {
  const auto found = std::lower_bound(contents.begin(), contents.end(), storage.id,
                                      [](const auto& entry, int id) { return entry.first < id; });
  return found != contents.end() && found->first == storage.id ? found->second : storage.contents;
}

Scalar value_at(const Step& step, const Tensor& tensor, int64_t element_number) {
  const int64_t unit =
      tensor.library == Library::torch ? itemsize(tensor.dtype) : 1;  // what its layout counts in, in bytes
  return read_at(*step.contents_of(*tensor.storage), unit * offset_at(tensor.layout, element_number), tensor.dtype);
}

std::vector<int> beside(const Trace& trace, int chosen) {
  const auto round = [&](int step) { return trace.steps[static_cast<size_t>(step)].loop; };
  // The rounds that the chosen step is in or begins.
  std::vector<int> around;
  for (int at = chosen; at >= 0 && at < static_cast<int>(trace.steps.size()); at = round(at)) around.push_back(at);
  // How far into them another step is.
  const auto shared = [&](int step) {
    while (step >= 0 && std::find(around.begin(), around.end(), step) == around.end()) step = round(step);
    return step;
  };
  std::map<const Statement*, int> shown;
  for (int step = 0; step < static_cast<int>(trace.steps.size()); ++step) {
    const auto [entry, first] = shown.try_emplace(trace.steps[static_cast<size_t>(step)].statement, step);
    if (!first && shared(step) >= shared(entry->second)) entry->second = step;
  }
  std::vector<int> steps;
  for (const auto& [statement, step] : shown) steps.push_back(step);
  return steps;
}

Trace evaluate(std::string source) {
  Trace trace;
  trace.source = std::move(source);
  if (trace.source.size() > static_cast<size_t>(max_source_bytes)) {
    trace.diagnostics.push_back(
        limit(Msg::source_too_long, {static_cast<int64_t>(trace.source.size()), max_source_bytes}));
    return trace;
  }
  if (const size_t valid = valid_prefix(trace.source); valid < trace.source.size()) {
    trace.diagnostics.push_back(limit(Msg::source_not_utf8));
    trace.diagnostics.back().span = {static_cast<int32_t>(valid), static_cast<int32_t>(valid) + 1};
    return trace;
  }
  trace.program = parse(trace.source);
  trace.steps.reserve(trace.program.statements.size());
  Interpreter interpreter(trace.source);
  Flow flow(trace.program);
  int64_t comparing_left = max_comparing;
  while (const Statement* next = flow.next()) {
    const Statement& statement = *next;
    if (does_nothing(statement)) continue;
    if (statement.kind == Statement::Kind::import_) {
      if (auto problem = interpreter.import(statement)) trace.diagnostics.push_back(std::move(*problem));
      continue;
    }
    if (interpreter.operations() >= max_operations) {
      trace.diagnostics.push_back(limit(Msg::too_many_operations, {max_operations}));
      trace.diagnostics.back().span = statement.span;
      break;
    }
    Step step;
    step.statement = &statement;
    step.span = statement.span;
    step.line = statement.line;
    step.text = trace.source.substr(static_cast<size_t>(statement.span.begin),
                                    static_cast<size_t>(statement.span.end - statement.span.begin));
    step.loop = round_of(trace, statement);
    interpreter.run(statement, step, flow);
    step.gradients = interpreter.gradients();
    // What the parser said about it is more to the point than that the evaluator could not go on.
    if (statement.kind == Statement::Kind::error || (step.error && !step.error->raised))
      if (auto problem = syntax_problem(trace.program, statement.span)) step.error = std::move(problem);
    step.names = live_tensors(interpreter);
    if (!trace.steps.empty()) step.changed = changes(trace.steps.back(), step, comparing_left);
    note_contents(step);
    trace.steps.push_back(std::move(step));
  }
  trace.passed = flow.passed();
  return trace;
}

}  // namespace stridescope
