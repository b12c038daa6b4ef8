// A program run into a trace: limits, steps, and what each step left behind.
#include <algorithm>
#include <map>
#include <utility>

#include "lang/utf8.h"
#include "layout/access_path.h"
#include "ops/contents.h"
#include "ops/lent_memory.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"
#include "ops/python/set.h"
#include "ops/trace.h"

namespace stridescope {
namespace {

/// The most tensors a step lists by name, and the most elements compared to tell whether a write changed a tensor.
constexpr size_t max_names = 2048;
constexpr int64_t max_compared = 1 << 16;
/// The most steps that all comparing of a program takes.
constexpr int64_t max_comparing = 1 << 22;

/// Adds every live tensor, those that a sequence, a dictionary or an object holds included, and what lends memory.
void note_names(const Interpreter& interpreter, Step& step) {
  std::vector<Named>& names = step.names;
  interpreter.visit_names([&](const Interpreter::Binding& binding) {
    const auto& [name, value] = binding;
    if (names.size() + step.memories.size() >= max_names) return;
    if (const TensorRef kept = memory_kept(value)) step.memories.push_back({name, kept->tensor});
    if (is_memory(value)) step.memories.push_back({name, std::get<Facet>(value.held).tensor});
    const auto note = [&](const std::string& called, const Value& held) {
      const auto* object = std::get_if<TensorRef>(&held.held);
      if (object) names.push_back({called, (*object)->tensor});
      if (object && (*object)->grad) names.push_back({called + ".grad", (*object)->grad->tensor});
    };
    note(name, value);
    const auto* dictionary = std::get_if<Dictionary>(&value.held);
    if (dictionary && dictionary->view != Dictionary::View::whole) return;
    // What is in an iterator has no name yet, what is in a set none at all.
    if (set_in(value)) return;
    const auto* sequence = std::get_if<Sequence>(&value.held);
    if (sequence && is_iterator(sequence->kind)) return;
    const auto parts = named_parts(value);
    for (size_t i = 0; i < parts.size() && names.size() < max_names; ++i)
      if (tensor_of(parts[i])) note(part_name(name, value, i), parts[i]);
  });
}

/// Where in Step::contents, which are in order, a storage is, or would be.
template <class Contents>
auto place_of(Contents& contents, int storage) {
  return std::lower_bound(contents.begin(), contents.end(), storage,
                          [](const Held& held, int id) { return held.storage < id; });
}

void note(const TensorPtr& tensor, std::vector<Held>& contents) {
  if (!tensor) return;
  const Storage& storage = *tensor->storage;
  const auto place = place_of(contents, storage.id);
  if (place == contents.end() || place->storage != storage.id)
    contents.insert(place, {storage.id, storage.contents, storage.drawn});
}

void note(const Value& value, std::vector<Held>& contents) {
  note(tensor_of(value), contents);
  if (const auto* facet = std::get_if<Facet>(&value.held)) note(facet->tensor, contents);
  for (const Value& part : parts_of(value)) note(part, contents);
}

/// What every storage that the step tells of holds now.
void note_contents(Step& step) {
  for (const Named& named : step.names) note(named.tensor, step.contents);
  for (const Named& named : step.memories) note(named.tensor, step.contents);
  note(step.value, step.contents);
  for (const auto& [name, value] : step.named_inside) note(value, step.contents);
  for (const Applied& applied : step.applied) {
    note(applied.result, step.contents);
    for (const TensorPtr& input : applied.inputs) note(input, step.contents);
  }
}

bool same_value(const Scalar& a, const Scalar& b) { return to_bytes(a) == to_bytes(b); }

/// Whether elements of a name's tensor differ between `old`, when its storage held `before`, and `now`, which may lie
/// in another one. Tensors too large to compare count as changed where a write reached their storage.
/// @param left  steps that may still be taken
bool elements_changed(const Tensor& old, const Tensor& now, const ContentsPtr& before, int64_t& left) {
  if (before == now.storage->contents && old.dtype == now.dtype) return false;
  const Elements current = copied_elements(now, *in_bytes(now));
  const int64_t count = numel(current.layout.sizes).value_or(INT64_MAX);
  if (count > max_compared) return true;
  Elements then = copied_elements(old, *in_bytes(old.storage == now.storage ? now : old));
  then.contents = before;
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
    const std::string_view owner = std::string_view(old.name).substr(0, old.name.find('['));
    if (std::find(step.targets.begin(), step.targets.end(), owner) != step.targets.end() || step.names_inside(owner))
      continue;
    const auto same_name = [&](const Named& named) { return named.name == old.name; };
    const auto now = std::find_if(next, step.names.end(), same_name);
    if (now == step.names.end()) continue;  // one name too many
    next = now + 1;
    const bool metadata = !(old.tensor->layout == now->tensor->layout);
    // The elements seen differ where the recipe does and where the storage does.
    const bool values = metadata || is_complex(old.tensor->dtype) != is_complex(now->tensor->dtype) ||
                        elements_changed(*old.tensor, *now->tensor, before.contents_of(*old.tensor->storage), left);
    if (values) result.push_back({old.name, values, metadata});
  }
  return result;
}

/// The parser's own words on a statement, where it has any.
std::optional<Diagnostic> syntax_problem(const Program& program, Span span) {
  for (const Diagnostic& problem : program.diagnostics)
    if (problem.span.begin >= span.begin && problem.span.begin <= span.end) return problem;
  return std::nullopt;
}

/// Writes the steps of a trace as they end.
class Recorder {
 public:
  explicit Recorder(Trace& trace) : trace_(trace) {}

  /// @pre the statement of the step is the last one that `interpreter` ran
  /// @param told  whether it is one of the trace's
  void record(Step&& step, const Interpreter& interpreter, bool told) {
    if (step.statement->kind == Statement::Kind::import_) {
      trace_.diagnostics.push_back(*std::move(step.error));
      return;
    }
    // What the parser said about it is more to the point than that the evaluator could not go on.
    if (step.statement->kind == Statement::Kind::error || (step.error && !step.error->raised))
      if (auto problem = syntax_problem(trace_.program, step.statement->span)) step.error = std::move(problem);
    step.gradients = interpreter.settings().gradients;
    const auto depth = static_cast<size_t>(interpreter.calls());
    if (!told) return pass(*step.statement, depth);
    const int number = static_cast<int>(trace_.steps.size());
    latest_.resize(depth + 1, -1);
    calls_.resize(depth + 1);
    if (is_call(step)) {
      latest_[depth] = -1;
      calls_[depth - 1].push_back(number);
    }
    step.inside = around(latest_[depth], *step.statement);
    const Step* const before = latest_[depth] >= 0 ? &step_at(latest_[depth]) : nullptr;
    step.names.reserve(before ? before->names.size() + 1 : 1);
    note_names(interpreter, step);
    if (before) step.changed = changes(*before, step, comparing_left_);
    step.contents.reserve(before ? before->contents.size() + 1 : 1);
    note_contents(step);
    for (const int call : std::exchange(calls_[depth], {})) step_at(call).inside = number;
    latest_[depth] = number;
    trace_.steps.push_back(std::move(step));
  }

  /// Of each call, how many there were.
  void count_calls(const Interpreter& interpreter) {
    for (Step& step : trace_.steps)
      if (is_call(step)) step.rounds = interpreter.runs(*step.statement);
  }

 private:
  /// Of a statement in a call that is no step: what comes next is in no round or block that it begins anew, nor in the
  /// round before, and what it called is inside what called it.
  void pass(const Statement& header, size_t depth) {
    if (depth >= latest_.size()) return;
    std::vector<int> called = std::exchange(calls_[depth], {});
    calls_[depth - 1].insert(calls_[depth - 1].end(), called.begin(), called.end());
    int& at = latest_[depth];
    const auto within = [&](const Step& step) {
      return step.statement >= &header && step.statement <= &header + header.body && !is_call(step);
    };
    while (at >= 0 && within(step_at(at))) at = step_at(at).inside;
  }

  Step& step_at(int number) { return trace_.steps[static_cast<size_t>(number)]; }

  /// The header that began the round or the call which a statement is in that runs next behind step `at` of it.
  int around(int at, const Statement& statement) {
    while (at >= 0) {
      const Step& step = step_at(at);
      const Statement& header = *step.statement;
      if (step.round > 0 && &statement > &header && &statement <= &header + header.body) return at;
      at = is_call(step) ? -1 : step.inside;
    }
    return -1;
  }

  Trace& trace_;
  std::vector<int> latest_;              ///< step of the program, of the call in it, of the call in that, ..; -1 none
  std::vector<std::vector<int>> calls_;  ///< that the statement which runs there has made
  int64_t comparing_left_ = max_comparing;
};

}  // namespace

/// What is said of a storage in Step::contents, which are in order; null where nothing is.
static const Held* held_in(const std::vector<Held>& contents, int storage) {
  const auto found = place_of(contents, storage);
  return found != contents.end() && found->storage == storage ? &*found : nullptr;
}

const ContentsPtr& Step::contents_of(const Storage& storage) const {
  const Held* held = held_in(contents, storage.id);
  return held ? held->contents : storage.contents;
}

const Named* Step::named(const Tensor& tensor) const {
  const Named* part = nullptr;
  for (const Named& one : names) {
    if (one.tensor->object != tensor.object) continue;
    if (one.name.find_first_of(".[") == std::string::npos) return &one;
    if (!part) part = &one;
  }
  return part;
}

const Named* Step::memory_named(const Tensor& memory) const {
  const auto found = std::find_if(memories.begin(), memories.end(), [&](const Named& one) {
    return memory.object < 0 ? one.tensor.get() == &memory : one.tensor->object == memory.object;
  });
  return found == memories.end() ? nullptr : &*found;
}

bool Step::names_inside(std::string_view name) const {
  return std::any_of(named_inside.begin(), named_inside.end(), [&](const auto& one) { return one.first == name; });
}

bool Step::is_drawn(const Storage& storage) const {
  const Held* held = held_in(contents, storage.id);
  return held ? held->drawn : storage.drawn;
}

Scalar value_at(const Step& step, const Tensor& tensor, int64_t element_number) {
  const int64_t unit =
      tensor.library == Library::torch ? itemsize(tensor.dtype) : 1;  // what its layout counts in, in bytes
  return read_at(*step.contents_of(*tensor.storage), unit * offset_at(tensor.layout, element_number), tensor.dtype);
}

int64_t number_of(const Trace& trace, const Storage& storage) {
  // What belongs to no array (a generator, finfo) has a number below 0.
  std::vector<bool> before(static_cast<size_t>(std::max(storage.id, 0)));
  for (const Step& step : trace.steps)
    for (const Held& held : step.contents) {
      if (held.storage >= storage.id) break;
      if (held.storage >= 0) before[static_cast<size_t>(held.storage)] = true;
    }
  return std::count(before.begin(), before.end(), true);
}

bool is_within(const Trace& trace, int step, int other) {
  while (step >= 0 && step != other) step = trace.steps[static_cast<size_t>(step)].inside;
  return step == other;
}

bool in_a_call(const Trace& trace, const Step& step) {
  const Step* at = &step;
  while (!is_call(*at) && at->inside >= 0) at = &trace.steps[static_cast<size_t>(at->inside)];
  return is_call(*at);
}

static std::string_view piece(const Trace& trace, Span span) {
  return std::string_view(trace.output)
      .substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin));
}

std::vector<Writing> writings(const Trace& trace) {
  std::vector<Writing> all;
  for (size_t step = 0; step < trace.steps.size(); ++step)
    for (const Span& span : trace.steps[step].wrote) all.push_back({piece(trace, span), static_cast<int>(step)});
  std::sort(all.begin(), all.end(), [](const Writing& a, const Writing& b) { return a.text.data() < b.text.data(); });
  return all;
}

std::string written_by(const Trace& trace, const Step& step) {
  std::string text;
  for (const Span& span : step.wrote) text += piece(trace, span);
  return text;
}

std::string written_line(const Trace& trace, const Step& step, size_t limit) {
  std::string text = written_by(trace, step);
  if (text.ends_with('\n')) text.pop_back();
  const size_t end = text.find('\n');
  if (end == std::string::npos) return excerpt(text, limit);
  return excerpt(std::string_view(text).substr(0, end), limit) + " …";
}

std::vector<int> beside(const Trace& trace, int chosen) {
  const auto outside = [&](int step) { return trace.steps[static_cast<size_t>(step)].inside; };
  // The chosen step and what it is inside, the outermost last.
  std::vector<int> around;
  for (int at = chosen; at >= 0 && at < static_cast<int>(trace.steps.size()); at = outside(at)) around.push_back(at);
  // How much of that another step is inside.
  const auto shared = [&](int step) {
    auto found = around.end();
    for (; step >= 0 && found == around.end(); step = outside(step))
      found = std::find(around.begin(), around.end(), step);
    return around.end() - found;
  };
  std::map<int32_t, int> shown;  // by where they begin
  for (int step = 0; step < static_cast<int>(trace.steps.size()); ++step) {
    const auto [entry, first] = shown.try_emplace(trace.steps[static_cast<size_t>(step)].span.begin, step);
    if (!first && shared(step) >= shared(entry->second)) entry->second = step;
  }
  std::vector<int> steps;
  for (const auto& [begin, step] : shown) steps.push_back(step);
  return steps;
}

/// Runs the program.
/// @return the calls that lead to the first line that failed and is no step
static std::vector<ToldCall> run(Trace& trace, std::vector<ToldCall> told) {
  const ReadBudget budget;
  trace.steps.clear();
  trace.diagnostics.clear();
  trace.steps.reserve(trace.program.statements.size());
  Recorder recorder(trace);
  Interpreter interpreter(
      trace.source, [&](Step&& step, bool is_step) { recorder.record(std::move(step), interpreter, is_step); },
      std::move(told));
  const SettingsInUse in_use(interpreter.settings());
  Flow flow(trace.program);
  interpreter.run(flow);
  recorder.count_calls(interpreter);
  trace.output = std::move(interpreter).output();
  trace.passed = flow.passed();
  if (const auto& stopped = interpreter.stopped()) {
    trace.diagnostics.push_back(*stopped);
    for (const Statement& statement : trace.program.statements)
      if (statement.span.begin >= stopped->span.begin) trace.passed.push_back(statement.span);
  }
  return interpreter.untold_failure();
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
  // Where what failed is no step it is run once more, for now it is known which calls lead there.
  if (const std::vector<ToldCall> untold = run(trace, {}); !untold.empty()) run(trace, untold);
  return trace;
}

}  // namespace stridescope
