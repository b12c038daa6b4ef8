// Functions that a library writes in Python: their lines run, and none of them is a step of the program's.
#include <algorithm>
#include <utility>

#include "ops/lapack.h"
#include "ops/numpy/numpy.h"
#include "ops/python/interpreter.h"
#include "ops/python/written.h"
#include "ops/torch/grad_fn.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

Value unvalued_scalar(Call& call, DType dtype) {
  return numpy_scalar(call, *tensor_of(call.fresh(dtype, {}, lapack_contents(call, dtype, 1))));
}

/// The function that a tensor leads back by is that one, or none that is known, unless it is one of the program's own.
void lead_back(TensorObject& object, std::string_view way) {
  if (object.tensor->way_back == way || (object.tensor->grad_fn && object.tensor->grad_fn->of_own)) return;
  Tensor changed = *object.tensor;
  changed.way_back = way;
  object.tensor = std::make_shared<const Tensor>(std::move(changed));
}

}  // namespace

/// All that the lines do is one operation, about which is said what is said of the one that made what it gives.
/// `reason` is why it failed, if it did.
void Interpreter::run_written(const Function& function, const WrittenLibrary& library, Applied& applied,
                              std::optional<Diagnostic>& reason) {
  std::vector<Applied> done;
  Flow flow(library.program);
  const auto record = [&](Step&& step, bool) {
    std::move(step.applied.begin(), step.applied.end(), std::back_inserter(done));
    if (step.error) reason = step.error;
  };
  const Telling outside = tell({library.source, record, &flow});
  calls_.back().outside = outside;
  const int operations = std::exchange(operations_, 0), storages = numbering_.storages;
  const size_t objects = numbering_.objects.size();
  function.lambda ? run_lambda(function) : run_body(function);
  written_operations_ += operations_;
  operations_ = operations + 1;
  // Which of the library's functions lead back from what it made, our lines do not tell.
  for (size_t i = objects; i < numbering_.objects.size(); ++i) lead_back(*numbering_.objects[i], {});
  tell(outside);
  if (const ClassPtr owner = function.owner.lock())
    if (const auto forms = find_forms(Library::torch, Form::Kind::function, owner->name); !forms.empty())
      applied.op = forms.front()->op;
  const TensorPtr made = first_tensor(calls_.back().returned);
  // Lines that give nothing may have written.
  if (!made && !done.empty() && done.back().relation == Relation::write) {
    applied.relation = Relation::write;
    applied.why = done.back().why;
    if (reason || !applied.why.lines.empty()) applied.inputs = done.back().inputs;
    return;
  }
  const auto last = std::find_if(done.rbegin(), done.rend(), [&](const Applied& one) {
    const TensorPtr own = first_tensor(one.result);
    return made && own && own->object == made->object;
  });
  if (last == done.rend()) return;
  // What was made on the way is new to the program, whatever the last step made of it: but for a copy of what it has.
  const auto is_own = [&](const TensorPtr& tensor) { return tensor->storage->id >= storages; };
  const bool copies =
      last->relation == Relation::copy && !std::all_of(last->inputs.begin(), last->inputs.end(), is_own);
  applied.relation = is_own(made) && !copies ? Relation::fresh : last->relation;
  if (applied.relation == last->relation) applied.why = last->why;
}

/// Who is told from now on.
/// @return who was
Telling Interpreter::tell(Telling other) {
  return {std::exchange(source_, other.source), std::exchange(record_, std::move(other.record)),
          std::exchange(flow_, other.flow)};
}

int Interpreter::calls() const {
  return static_cast<int>(std::count_if(calls_.begin(), calls_.end(), [](auto& call) { return !call.outside; }));
}

/// Of the calls under way the first that the program's own lines have not made, or the last.
size_t Interpreter::first_of_program() const {
  size_t first = calls_.size() - 1;
  while (first > 0 && calls_[first - 1].outside) --first;
  return first;
}

/// Lines of the program's, in the call that has begun. Where a library's lines make that call they are steps before the
/// one that calls the library.
void Interpreter::run_own(const std::function<void()>& lines) {
  const size_t first = first_of_program();
  if (first == calls_.size() - 1) return lines();
  const Telling library = tell(*calls_[first].outside);
  lines();
  tell(library);
}

/// A row: its function is called with what the call was given, and what it tells is told of the row.
Value Interpreter::run_row(const Function& function, Call& call, std::span<const Bound::Given> bound,
                           Applied& applied) {
  Arguments arguments;
  const Form& form = call.form();
  const auto& parameters = first_form(*form.op).parameters;
  // A form may have fewer parameters than the first, and another tuple where nothing is given.
  for (size_t k = 0; k < std::min(parameters.size(), form.parameters.size()); ++k) {
    std::optional<Value> value = k < bound.size() ? bound[k].value : std::nullopt;
    if (const std::string_view fallback = form.parameters[k].fallback; !value && fallback.starts_with('('))
      value = written_default(*parse(fallback).statements[0].value);
    if (value) arguments.named.emplace_back(parameters[k].name, *std::move(value));
  }
  const auto& own = *function.parameters;
  if (std::any_of(own.begin(), own.end(), [](const FunctionParameter& one) { return one.name == "called"; }))
    arguments.named.emplace_back("called", Value{std::string(call.name())});
  arguments.named_written.resize(arguments.named.size());
  Expr at;
  at.span = at.part = applied.span;
  const int storages = numbering_.storages;
  const size_t before = step_->applied.size(), objects = numbering_.objects.size();
  const bool single = is_decorated(function, "one_function"), unvalued = is_decorated(function, "unvalued");
  const Gradients mode = settings_.gradients;
  if (single) settings_.gradients = Gradients::ignored;
  const Result given = call_function(std::make_shared<const Function>(function), arguments, at);
  settings_.gradients = mode;
  operations_ = std::max(operations_ - 1, 0);  // the row is counted already
  Applied ran;
  if (step_->applied.size() > before) ran = std::move(step_->applied.back());
  step_->applied.resize(before);
  if (ran.relation == Relation::write)  // what was written, or in the way, comes first
    applied.inputs.insert(applied.inputs.begin(), ran.inputs.begin(), ran.inputs.end());
  if (!given) {
    applied.error = *error_;
    return {};
  }
  Value result = *given;
  applied.relation = ran.relation;
  call.why(form.op->summary);
  // Of what is new the steps on the way tell nothing that the program could see.
  if (ran.relation != Relation::fresh && ran.relation != Relation::copy)
    applied.why.lines.insert(applied.why.lines.end(), ran.why.lines.begin(), ran.why.lines.end());
  for (size_t i = objects; i < numbering_.objects.size(); ++i)
    if (const Tensor& tensor = *numbering_.objects[i]->tensor; !tensor.is_leaf) {
      if (tensor.grad_fn) tensor.grad_fn->in_cpp = is_decorated(function, "in_cpp");
      lead_back(*numbering_.objects[i], way_back(call, tensor));
    }
  std::vector<TensorPtr> made;
  collect_tensors(result, made);
  for (const TensorPtr& tensor : made)
    if ((unvalued || single) && tensor->storage->id >= storages) {
      const Contents& held = *tensor->storage->contents;
      if (unvalued) tensor->storage->contents = lapack_contents(call, dtype_of(held), cells(held));
      Tensor followed = *tensor;
      if (followed.library == Library::torch) follow_gradients(call, followed, applied.inputs);
      numbering_.objects[static_cast<size_t>(tensor->object)]->tensor = std::make_shared<const Tensor>(followed);
    }
  if (unvalued &&
      std::any_of(made.begin(), made.end(), [](const TensorPtr& one) { return !is_known(*one->storage->contents); }))
    call.why(Msg::unknown_values);
  if (const auto* several = std::get_if<Sequence>(&result.held);
      several && (unvalued || is_decorated(function, "with_names"))) {
    std::vector<Value> items = *several->items;
    for (Value& item : items)
      if (const auto* scalar = std::get_if<NumpyScalar>(&item.held); unvalued && scalar)
        item = unvalued_scalar(call, scalar->dtype());
    result =
        call.tuple(std::move(items), is_decorated(function, "with_names") ? Sequence::Kind::ranked : several->kind);
  }
  return result;
}

}  // namespace stridescope
