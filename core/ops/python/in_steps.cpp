// Rows that a library makes of its other ones: what they say is run as a program of its own, of which nobody sees a
// line.
#include <algorithm>
#include <utility>

#include "ops/lapack.h"
#include "ops/numpy/numpy.h"
#include "ops/python/interpreter.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Whether the program has made some of it, which sees the names of the program.
bool is_of_program(const Value& value) {
  if (std::holds_alternative<FunctionPtr>(value.held) || std::holds_alternative<ClassPtr>(value.held) ||
      std::holds_alternative<Object>(value.held))
    return true;
  const auto parts = parts_of(value);
  return std::any_of(parts.begin(), parts.end(), is_of_program);
}

Value unknown_scalar(Call& call, DType dtype) {
  return numpy_scalar(call, *tensor_of(call.fresh(dtype, {}, lapack_contents(call, dtype, 1))));
}

}  // namespace

Value Interpreter::in_steps(Call& call, const std::vector<std::optional<Value>>& given, Applied& applied) {
  const Op& op = *call.form().op;
  std::string_view steps = op.steps;
  const bool unknown = steps.starts_with('?');
  if (unknown) steps.remove_prefix(1);
  const bool named = steps.starts_with('*');
  if (named) steps.remove_prefix(1);
  const auto& parameters = first_form(op).parameters;
  for (const auto& value : given)
    if (value && is_of_program(*value))
      return call.refuse(Msg::not_modelled,
                         {op.library == Library::torch ? "PyTorch" : "NumPy", call.written(applied.span)});
  std::string names, source;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const std::string own(parameters[k].name);
    names += (names.empty() ? "" : ", ") + own;
    if (k < given.size() && !given[k] && call.form().parameters[k].fallback.starts_with('('))
      source += own + " = " + std::string(call.form().parameters[k].fallback) + "\n";
  }
  if (steps.find("named[") != std::string_view::npos) {  // dtypes as PyTorch's messages call them
    source += "named = {";
    for (int k = 0; k <= static_cast<int>(DType::complex128); ++k) {
      const auto dtype = static_cast<DType>(k);
      source += "'torch." + std::string(name(dtype)) + "': '" + std::string(scalar_type_name(dtype)) + "', ";
    }
    source += "}\n";
  }
  source += "def f(" + names + "):\n" + std::string(steps) + "\nf = f(" + names + ")";
  const Program program = parse(source);
  std::optional<Diagnostic> why;
  std::string last;
  const Interpreter* running = nullptr;
  Interpreter inner(source, [&](Step step) {
    if (running->calls() == 0) return;
    if (step.error) why = std::move(step.error);
    if (!step.applied.empty() && step.applied.back().op) last = first_form(*step.applied.back().op).name;
  });
  running = &inner;
  for (size_t k = 0; k < parameters.size(); ++k)
    inner.bind_name(std::string(parameters[k].name), k < given.size() && given[k] ? *given[k] : Value{});
  inner.bind_name("called", Value{std::string(call.name())});
  const int storages = numbering_.storages;
  std::swap(inner.numbering_, numbering_);
  inner.settings_ = settings_;
  inner.depth_ = depth_;
  Flow flow(program);
  inner.run(flow);
  std::swap(inner.numbering_, numbering_);
  settings_ = inner.settings_;
  made_.insert(inner.made_.begin(), inner.made_.end());
  if (inner.error_) {
    applied.error = why ? *std::move(why) : *std::move(inner.error_);
    if (applied.error->raised && applied.error->raised->type == "NotImplementedError")
      applied.error =
          limit(Msg::not_modelled, {op.library == Library::torch ? "PyTorch" : "NumPy", call.written(applied.span)});
    applied.error->span = applied.span;
    applied.error->hints.clear();
    return {};
  }
  Value result = *inner.find("f");
  call.why(Msg::made_in_steps, {call.name(), last});
  std::vector<TensorPtr> made;
  collect_tensors(result, made);
  for (const TensorPtr& tensor : made)
    if (unknown && tensor->storage->id >= storages) {
      const Contents& held = *tensor->storage->contents;
      tensor->storage->contents = lapack_contents(call, dtype_of(held), cells(held));
      Tensor followed = *tensor;
      if (followed.library == Library::torch) follow_gradients(call, followed, applied.inputs);
      numbering_.objects[static_cast<size_t>(tensor->object)]->tensor = std::make_shared<const Tensor>(followed);
    }
  if (auto* scalar = std::get_if<NumpyScalar>(&result.held); unknown && scalar)
    result = unknown_scalar(call, scalar->dtype());
  if (auto* several = std::get_if<Sequence>(&result.held); unknown && several) {
    std::vector<Value> items = *several->items;
    for (Value& item : items)
      if (auto* scalar = std::get_if<NumpyScalar>(&item.held)) item = unknown_scalar(call, scalar->dtype());
    result = call.tuple(std::move(items));
  }
  if (auto* items = std::get_if<Sequence>(&result.held); named && items)
    result = call.tuple(*items->items, Sequence::Kind::ranked);
  if (const TensorPtr tensor = first_tensor(result)) {
    const auto is_it = [&](const TensorPtr& input) { return input->object == tensor->object; };
    const auto found = made_.find(tensor->storage->id);
    call.relation(std::any_of(applied.inputs.begin(), applied.inputs.end(), is_it) ? Relation::same
                  : tensor->storage->id < storages                                 ? Relation::view
                  : found == made_.end()                                           ? Relation::fresh
                                                                                   : found->second);
  }
  return result;
}

}  // namespace stridescope
