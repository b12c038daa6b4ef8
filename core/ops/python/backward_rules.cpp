// By which rule each function leads back, and whether it still has what it needs for that.
#include <algorithm>

#include "ops/python/backward.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Of a parameter of a rule whether the tensor it is given was kept, for its values.
bool is_kept(const FunctionParameter& parameter, const GradFn& fn) {
  if (parameter.name.starts_with('_')) return false;
  if (!parameter.fallback || parameter.fallback->kind != Expr::Kind::integer) return true;
  // Bits: for the gradients of which arguments.
  for (size_t i = 0; i < fn.arguments.size() && i < 2; ++i) {
    const TensorPtr input = tensor_of(fn.arguments[i]);
    if (input && input->requires_grad && (parameter.fallback->integer >> i & 1)) return true;
  }
  return false;
}

/// What a tensor was, of which a function had kept the values.
/// @param made_by  the function that its gradient leads back by now; empty of a leaf
Diagnostic modified_since(const Tensor& kept, int64_t version, const std::string& made_by, const GradFn& keeper,
                          const std::string& called, bool anomaly) {
  const std::string type(scalar_type_name(kept.dtype)), versions = std::to_string(*kept.version);
  std::string text =
      "one of the variables needed for gradient computation has been modified by an inplace operation: [torch." + type +
      "Tensor " + list_text(kept.layout.sizes) + "]";
  const char* const space = made_by == "CopySlices" ? "torch::autograd::" : "";
  if (!made_by.empty()) text += ", which is output " + std::to_string(kept.output) + " of " + space + made_by + ",";
  text += " is at version " + versions + "; expected version " + std::to_string(version) + " instead. Hint: ";
  text += anomaly
              ? "the backtrace further above shows the operation that failed to compute its gradient. The variable in "
                "question was changed in there or anywhere later. Good luck!"
              : "enable anomaly detection to find the operation that failed to compute its gradient, with "
                "torch.autograd.set_detect_anomaly(True).";
  return python_error(
      "RuntimeError", text, Msg::saved_was_written,
      {way_back_text(keeper.way), called.empty() ? to_string(kept.layout) : called, *kept.version - version});
}

}  // namespace

Value seen_again(const TensorPtr& tensor) {
  auto object = std::make_shared<TensorObject>();
  object->id = tensor->object;
  object->tensor = tensor;
  return Value{TensorRef(std::move(object))};
}

Interpreter::Result Interpreter::Backward::run(std::string_view written, std::vector<Value> given,
                                               std::vector<std::pair<std::string, Value>> named) {
  const auto function = written_name(written, library_);
  const size_t before = interpreter.step_->applied.size();
  Arguments arguments{std::move(given), std::move(named), {}, {}, {}};
  arguments.named_written.resize(arguments.named.size());
  Result made = interpreter.call_function(std::get<FunctionPtr>(function->held), arguments, at);
  interpreter.step_->applied.resize(before);
  return made;
}

std::optional<TensorRef> Interpreter::Backward::call(std::string_view written, std::vector<Value> given) {
  const Result made = run(written, std::move(given), {});
  return made ? std::optional(std::get<TensorRef>(made->held)) : std::nullopt;
}

bool Interpreter::Backward::is_intact(const GradFn& fn, const Function* written) {
  const auto limits = [&] {
    interpreter.fail(limit(Msg::not_modelled, {"PyTorch", "backward() after a write"}), at.span);
    return false;
  };
  if (!written) {
    const bool changed = std::any_of(fn.versions.begin(), fn.versions.end(), [&](const auto& one) {
      const bool own = fn.written && one.first->object == fn.result->object;
      return !own && one.first->version && *one.first->version != one.second;
    });
    return !changed && !fn.freed && (!fn.result->version || *fn.result->version == fn.result_version) ? true : limits();
  }
  for (size_t k = 1; k < written->parameters->size(); ++k) {
    const FunctionParameter& parameter = (*written->parameters)[k];
    const bool result = parameter.name == "result";
    if (!result && (k > fn.arguments.size() || !is_kept(parameter, fn))) continue;
    const Value given = result ? seen_again(fn.result) : fn.arguments[k - 1];
    const TensorPtr kept = tensor_of(given);
    // A number that is multiplied with is a tensor there.
    const bool number = !kept && parameter.fallback && parameter.fallback->kind == Expr::Kind::integer &&
                        (std::holds_alternative<int64_t>(given.held) || std::holds_alternative<Float>(given.held));
    if (!kept && !number) continue;
    if (fn.freed)
      return interpreter.settled(
          python_error("RuntimeError",
                       "Trying to backward through the graph a second time (or directly access saved tensors after "
                       "they have already been freed). Saved intermediate values of the graph are freed when you "
                       "call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward "
                       "through the graph a second time or if you need to access saved tensors after calling "
                       "backward.",
                       Msg::graph_was_freed),
          at.span);
    if (!kept || !kept->version) continue;
    if (*kept->version < 0) return limits();
    const auto then = std::find_if(fn.versions.begin(), fn.versions.end(),
                                   [&](const auto& one) { return one.first->object == kept->object; });
    const int64_t version = result || then == fn.versions.end() ? fn.result_version : then->second;
    if (*kept->version == version) continue;
    const Tensor& now = *interpreter.numbering_.objects[static_cast<size_t>(kept->object)]->tensor;
    const std::string way = result ? way_back_text(fn.way) : now.is_leaf ? "" : way_back_text(now.way_back);
    if (way.empty() && !now.is_leaf) return limits();  // the error names it
    Applied& told_of = interpreter.add_applied(at.span);
    told_of.relation = Relation::write;
    told_of.inputs = {interpreter.numbering_.objects[static_cast<size_t>(kept->object)]->tensor};
    return interpreter.settled(
        modified_since(*kept, version, way, fn, name_of(kept->object), interpreter.settings_.detects_anomaly), at.span);
  }
  return true;
}

std::optional<std::vector<Value>> Interpreter::Backward::led_back(const GradFn& fn, const Gradient& gradient) {
  const auto function = written_name("back_" + fn.rule, library_);
  const Function* written = function && !fn.rule.empty() ? std::get<FunctionPtr>(function->held).get() : nullptr;
  const auto is_odd = [](const Value& value) {
    const TensorPtr tensor = tensor_of(value);
    return tensor && is_complex(tensor->dtype);
  };
  bool odd = is_complex(fn.result->dtype) || std::any_of(fn.arguments.begin(), fn.arguments.end(), is_odd);
  // What was written over is not there any more.
  if (written && fn.written && written->parameters->size() > 1 && is_kept((*written->parameters)[1], fn) &&
      (*written->parameters)[1].name != "result")
    odd = true;
  if (odd) written = nullptr;
  if (!is_intact(fn, written)) return std::nullopt;
  if (!written) return std::vector<Value>();
  std::vector<Value> given{Value{gradient.tensor}};
  std::vector<std::pair<std::string, Value>> named;
  for (size_t k = 1; k < written->parameters->size(); ++k) {
    const std::string& name = (*written->parameters)[k].name;
    if (name == "result")
      named.emplace_back(name, seen_again(fn.result));
    else if (name == "k")
      named.emplace_back(name, Value{fn.output});
    else if (k <= fn.arguments.size() && given.size() == k)
      given.push_back(fn.arguments[k - 1]);
  }
  Result made = run("back_" + fn.rule, std::move(given), std::move(named));
  if (!made) {  // what our lines raise is none of the library's errors
    interpreter.fail(limit(Msg::not_modelled, {"PyTorch", "backward(): " + way_back_text(fn.way)}), at.span);
    return std::nullopt;
  }
  const auto* several = std::get_if<Sequence>(&made->held);
  if (is_none(*made)) return std::vector<Value>();
  return several ? *several->items : std::vector<Value>{*std::move(made)};
}

}  // namespace stridescope
