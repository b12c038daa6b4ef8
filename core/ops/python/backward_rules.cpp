// By which rule each function leads back, and whether it still has what it needs for that.
#include <algorithm>

#include "layout/contiguity.h"
#include "layout/transform.h"
#include "ops/python/backward.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// What the library holds of a tensor that a rule is given: nothing, something that it made of it, or itself.
enum class Saved : uint8_t { nothing, made_of_it, itself };

Saved saved_for(const FunctionParameter& parameter, const GradFn& fn) {
  if (parameter.name.starts_with('_')) return Saved::nothing;
  if (!parameter.fallback || parameter.fallback->kind != Expr::Kind::integer) return Saved::itself;
  if (parameter.fallback->integer == 0) return Saved::made_of_it;
  // Bits: for the gradients of which arguments.
  for (size_t i = 0; i < fn.arguments.size(); ++i) {
    const TensorPtr input = tensor_of(fn.arguments[i]);
    if (input && input->requires_grad && (parameter.fallback->integer >> i & 1)) return Saved::itself;
  }
  return Saved::nothing;
}

/// The version that a tensor had when the function was called.
int64_t version_then(const GradFn& fn, const Tensor& tensor) {
  const auto is = [&](const auto& one) { return one.first->object == tensor.object; };
  const auto then = std::find_if(fn.versions.begin(), fn.versions.end(), is);
  return then == fn.versions.end() ? fn.result_version : then->second;
}

/// Whether it is a list of tensors. Of a single one nothing is kept, for it is reckoned with none.
bool holds_several(const Value& value) {
  std::vector<TensorPtr> tensors;
  collect_tensors(value, tensors);
  return tensors.size() > 1;
}

/// Whether a key picks by lists, of which tensors of indices are kept.
bool holds_indices(const Value& key) {
  const auto* sequence = std::get_if<Sequence>(&key.held);
  const auto picks = [](const Value& part) { return tensor_of(part) || holds_indices(part); };
  return sequence && (sequence->kind != Sequence::Kind::tuple ||
                      std::any_of(sequence->items->begin(), sequence->items->end(), picks));
}

/// The first of a list that was written since; null where none was.
TensorPtr first_written(const GradFn& fn, const Value& value) {
  std::vector<TensorPtr> tensors;
  collect_tensors(value, tensors);
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const TensorPtr& one) {
    return one->version && *one->version != version_then(fn, *one);
  });
  return found == tensors.end() ? nullptr : *found;
}

/// An argument with what its memory holds now, which PyTorch sees where no version tells that it was written.
Value as_it_is(const GradFn& fn, const Value& argument) {
  const TensorPtr tensor = tensor_of(argument);
  const auto is = [&](const auto& one) { return one.first == tensor->storage.get(); };
  const auto live = tensor ? std::find_if(fn.live.begin(), fn.live.end(), is) : fn.live.end();
  if (live == fn.live.end()) return argument;
  Tensor now = *tensor;
  now.storage = live->second;
  return seen_again(std::make_shared<const Tensor>(std::move(now)));
}

/// Whether the way back of a convolution gives what is packed row by row: neither image nor weight suggests channels
/// last. Of one dimension PyTorch makes two, of which the images are made contiguous.
/// Source: _convolution_backward, determine_backend_memory_format
bool goes_by_rows(const std::vector<Value>& arguments) {
  const TensorPtr image = tensor_of(arguments[0]), weight = tensor_of(arguments[1]);
  Layout images = image->layout, kernels = weight->layout;
  if (images.rank() < kernels.rank()) images = unsqueeze(images, 0);
  if (kernels.rank() == 3) {
    images = unsqueeze(is_contiguous(images) ? images : contiguous(images.sizes), 2);
    kernels = unsqueeze(kernels, 2);
  }
  return !suggests_channels_last(images) && !suggests_channels_last(kernels);
}

}  // namespace

Diagnostic modified_since(const Tensor& kept, const Dims& sizes, int64_t version, const std::string& made_by,
                          std::string_view keeper, const std::string& called, bool anomaly) {
  const std::string type(scalar_type_name(kept.dtype)), versions = std::to_string(*kept.version);
  std::string text =
      "one of the variables needed for gradient computation has been modified by an inplace operation: [torch." + type +
      "Tensor " + list_text(sizes) + "]";
  if (!made_by.empty())
    text += ", which is output " + std::to_string(std::max<int64_t>(kept.output, 0)) + " of " + way_back_name(made_by) +
            ",";
  text += " is at version " + versions + "; expected version " + std::to_string(version) + " instead. Hint: ";
  text += anomaly
              ? "the backtrace further above shows the operation that failed to compute its gradient. The variable in "
                "question was changed in there or anywhere later. Good luck!"
              : "enable anomaly detection to find the operation that failed to compute its gradient, with "
                "torch.autograd.set_detect_anomaly(True).";
  return python_error(
      "RuntimeError", text, Msg::saved_was_written,
      {way_back_text(keeper), called.empty() ? to_string(kept.layout) : called, *kept.version - version});
}

Diagnostic graph_was_freed() {
  return python_error(
      "RuntimeError",
      "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
      "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
      "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
      "saved "
      "tensors after calling backward.",
      Msg::graph_was_freed);
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

bool Interpreter::Backward::refuse_again() { return interpreter.settled(graph_was_freed(), at.span); }

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
    Saved how = !result && k > fn.arguments.size() ? Saved::nothing : saved_for(parameter, fn);
    if (how == Saved::nothing) continue;
    if (fn.written && k == 1 && !result) how = Saved::made_of_it;  // a copy of what was there before
    const Value given = result ? seen_again(fn.result) : fn.arguments[k - 1];
    TensorPtr kept = tensor_of(given);
    // A number that is multiplied with is a tensor there.
    const bool list = !kept && holds_several(given);
    const bool number = !kept && how == Saved::itself && !fn.in_cpp && parameter.fallback &&
                        parameter.fallback->kind == Expr::Kind::integer &&
                        (std::holds_alternative<int64_t>(given.held) || std::holds_alternative<Float>(given.held));
    const bool indices = !kept && !list && (fn.rule == "index" || fn.rule == "store") && holds_indices(given);
    if (!kept && !number && !list && !indices) continue;
    if (fn.freed) return refuse_again();
    if (list && how == Saved::itself) kept = first_written(fn, given);
    if (list && kept && fn.rule != "linalg_multi_dot") return limits();  // others keep what they made of each
    if (!kept || !kept->version || how == Saved::made_of_it || is_decorated(*written, "seen_through")) continue;
    const int64_t version = result ? fn.result_version : version_then(fn, *kept);
    const Tensor& now = *interpreter.numbering_.objects[static_cast<size_t>(kept->object)]->tensor;
    if (!result && kept->requires_grad && !kept->is_leaf && !now.requires_grad)
      return interpreter.settled(
          python_error("RuntimeError",
                       "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not "
                       "supported, please use out-of-place `.detach()` instead",
                       Msg::saved_was_detached, {way_back_text(fn.way), name_of(kept->object)}),
          at.span);
    if (*kept->version == version) continue;
    if (*kept->version < 0) return limits();  // the error tells which it is
    // What a write through a view made is that view, as long as nothing else has been made of it.
    const bool viewed = result ? fn.written && now.is_view && now.seen_version <= version : is_behind(now);
    const std::string way = viewed        ? std::string(way_of_view)
                            : result      ? way_back_text(fn.way)
                            : now.is_leaf ? ""
                                          : way_back_text(now.way_back);
    if (way.empty() && !now.is_leaf) return limits();  // the error names it
    Applied& told_of = interpreter.add_applied(at.span);
    told_of.relation = Relation::write;
    told_of.inputs = {interpreter.numbering_.objects[static_cast<size_t>(kept->object)]->tensor};
    return interpreter.settled(modified_since(*kept, result ? kept->layout.sizes : now.layout.sizes, version, way,
                                              fn.way, name_of(kept->object), interpreter.settings_.detects_anomaly),
                               at.span);
  }
  return true;
}

/// Source: CopySlices::apply
std::optional<Interpreter::Backward::LedBack> Interpreter::Backward::led_through(const GradFn& fn,
                                                                                 const Gradient& gradient) {
  if (fn.freed) return refuse_again(), std::nullopt;
  const Result slices =
      run("_slice_of", {Value{gradient.tensor}, seen_again(fn.result), seen_again(fn.through->result)});
  if (!slices) return std::nullopt;
  const std::vector<Value>& parts = *std::get<Sequence>(slices->held).items;  // the whole, the part, a copy of that
  auto led = led_back(fn.through, {std::get<TensorRef>(parts[2].held), gradient.made_up, false});
  if (!led || led->gradients.empty()) return led;
  if (!run("_put_slice", {parts[1], led->gradients[0]})) return std::nullopt;
  led->gradients[0] = parts[0];
  return led;
}

Value Interpreter::Backward::followed(const FnPtr& fn, const Value& kept) const {
  const TensorPtr tensor = tensor_of(kept);
  if (!creates_graph) return kept;
  if (!tensor) {
    const auto* several = std::get_if<Sequence>(&kept.held);
    if (!several) return kept;
    std::vector<Value> items;
    for (const Value& item : *several->items) items.push_back(followed(fn, item));
    return list_of(std::move(items), several->kind);
  }
  Tensor changed = *tensor;
  if (tensor->object == fn->result->object) changed.grad_fn = fn;
  for (const GradFn::Edge& edge : fn->edges)
    if (edge.input->object == tensor->object && edge.fn) changed.grad_fn = edge.fn;
  return seen_again(std::make_shared<const Tensor>(std::move(changed)));
}

std::optional<Interpreter::Backward::LedBack> Interpreter::Backward::led_back(const FnPtr& node, Gradient gradient) {
  const GradFn& fn = *node;
  if (fn.seen_as && *fn.seen_as != gradient.tensor->tensor->layout.sizes) {
    const auto seen = call("_seen_as", {Value{gradient.tensor}, tuple_of(*fn.seen_as)});
    if (!seen) return std::nullopt;
    gradient.tensor = *seen;
  }
  if (fn.through) return led_through(fn, gradient);
  const auto function = written_name("back_" + fn.rule, library_);
  const Function* written = function && !fn.rule.empty() ? std::get<FunctionPtr>(function->held).get() : nullptr;
  const auto is_odd = [](const Value& value) {
    const TensorPtr tensor = tensor_of(value);
    return tensor && is_complex(tensor->dtype);
  };
  if (is_complex(fn.result->dtype) || std::any_of(fn.arguments.begin(), fn.arguments.end(), is_odd)) written = nullptr;
  if (!is_intact(fn, written)) return std::nullopt;
  if (!written) return LedBack();
  const auto is_itself = [&](size_t k) {
    return saved_for((*written->parameters)[k], fn) == Saved::itself && !(fn.written && k == 1);
  };
  std::vector<Value> given{Value{gradient.tensor}};
  std::vector<std::pair<std::string, Value>> named;
  for (size_t k = 1; k < written->parameters->size(); ++k) {
    const std::string& name = (*written->parameters)[k].name;
    if (name == "result")
      named.emplace_back(name, followed(node, seen_again(fn.result)));
    else if (name == "k")
      named.emplace_back(name, Value{fn.output});
    else if (k <= fn.arguments.size() && given.size() == k)
      given.push_back(followed(node, is_itself(k) ? as_it_is(fn, fn.arguments[k - 1]) : fn.arguments[k - 1]));
  }
  Result made = run("back_" + fn.rule, std::move(given), std::move(named));
  if (!made) {  // what our lines raise is none of the library's errors, but for that it has no way back itself
    const auto& raised = interpreter.error_->raised;
    const TensorPtr x = tensor_of(fn.arguments[0]), y = fn.arguments.size() > 1 ? tensor_of(fn.arguments[1]) : nullptr;
    const bool mixed = raised && raised->text.starts_with("Found dtype ") && x && y;
    if (mixed || (raised && raised->text.find("derivative for ") != std::string::npos)) {
      interpreter.error_->reason =
          mixed ? Message(Msg::dtypes_differ, {stridescope::name(x->dtype), stridescope::name(y->dtype)})
                : Message(Msg::no_derivative, {fn.rule});
      return std::nullopt;
    }
    interpreter.error_.reset();
    return LedBack();
  }
  if (is_none(*made)) return LedBack();
  const auto* several = std::get_if<Sequence>(&made->held);
  return LedBack{several ? *several->items : std::vector<Value>{*std::move(made)},
                 !is_decorated(*written, "layout_by_rows") || goes_by_rows(fn.arguments)};
}

}  // namespace stridescope
