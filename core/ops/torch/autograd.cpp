// What PyTorch looks at around an operation of any kind: the device asked for, and whether gradients are followed.
#include <algorithm>

#include "ops/members.h"
#include "ops/python/python.h"
#include "ops/torch/grad_fn.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Whether a slice tells to its end what size it has, and so stands for the very tensor.
bool is_whole_slice(const SliceValue& slice, const Dims& sizes, int dim) {
  const auto part = [](const std::shared_ptr<const Value>& one, int64_t fallback) {
    return one && !is_none(*one) ? as_index(*one).value_or(-1) : fallback;
  };
  return dim < sizes.size() && part(slice.start, 0) == 0 && part(slice.step, 1) == 1 &&
         part(slice.stop, -1) == sizes[dim];
}

/// Whether the key picks a view of what has those sizes: the write then goes through another tensor.
bool picks_view(const Value& key, const Dims& sizes) {
  const auto* sequence = std::get_if<Sequence>(&key.held);
  int dim = 0;
  const auto is_part = [&](const Value& entry) {
    const auto* slice = std::get_if<SliceValue>(&entry.held);
    if (std::holds_alternative<Ellipsis>(entry.held) && sequence)
      dim += sizes.size() + 1 - static_cast<int>(sequence->items->size());
    return std::holds_alternative<int64_t>(entry.held) || (slice && !is_whole_slice(*slice, sizes, dim++)) ||
           std::holds_alternative<None>(entry.held) || std::holds_alternative<bool>(entry.held) ||
           (tensor_of(entry) && tensor_of(entry)->layout.rank() == 0);
  };
  return sequence && sequence->kind == Sequence::Kind::tuple
             ? std::any_of(sequence->items->begin(), sequence->items->end(), is_part)
             : is_part(key);
}

bool requires_gradient(const TensorPtr& tensor) { return tensor->requires_grad; }

/// Whether a list of numbers or a tensor alone picks: neither how far it reaches nor the sizes of what is written are
/// looked at before who writes.
bool picks_by_index(const Value& key, const Value& written, int rank) {
  const auto* sequence = std::get_if<Sequence>(&key.held);
  if (const TensorPtr given = tensor_of(written); given ? given->library != Library::torch : !as_real(written))
    return false;
  const auto is_number = [](const Value& one) { return std::holds_alternative<int64_t>(one.held); };
  if (const TensorPtr index = tensor_of(key)) return index->library == Library::torch && index->layout.rank() > 0;
  if (!sequence) return false;
  if (sequence->kind == Sequence::Kind::list)
    return std::all_of(sequence->items->begin(), sequence->items->end(), is_number);
  // Beside it slices without a step, which fit whatever they are.
  const auto is_picking = [&](const Value& part) { return picks_by_index(part, written, 0); };
  const auto fits = [&](const Value& part) {
    const auto* slice = std::get_if<SliceValue>(&part.held);
    return is_none(part) || (slice && (!slice->step || is_none(*slice->step))) || is_picking(part);
  };
  return std::count_if(sequence->items->begin(), sequence->items->end(),
                       [](const Value& part) { return !is_none(part); }) <= rank &&
         std::all_of(sequence->items->begin(), sequence->items->end(), fits) &&
         std::any_of(sequence->items->begin(), sequence->items->end(), is_picking);
}

/// What was made in inference mode stays as it is outside.
bool allows_beyond_inference(Call& call, bool written) {
  if (written)
    call.fail("RuntimeError",
              "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a "
              "normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.",
              Msg::inference_tensor);
  else if (call.name() == "requires_grad_" && call.boolean("requires_grad"))
    call.fail("RuntimeError", "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.",
              Msg::inference_tensor);
  return !call.failed();
}

/// How PyTorch says what was written: the view itself, or what it is a view of, or another view of that.
std::string_view modified(bool itself) {
  return itself ? "is being modified inplace" : "its base or another view of its base has been modified inplace";
}

/// Of a write through a view that was made where gradients are not followed, or, where it is not written `itself`, of a
/// use of it behind a write.
void refuse_other_mode(Call& call, const Tensor& view, bool further, bool itself = true) {
  const bool inference = view.seen_in == Gradients::inference;
  const std::string_view block = inference ? "inference_mode" : "no_grad", made = inference ? "inference" : "no_grad";
  // The library then names the step back of the view's view.
  if (further || view.seen_further)
    return void(call.refuse(Msg::not_modelled, {"PyTorch", "torch." + std::string(block) + "(): view of a view"}));
  call.fail(
      "RuntimeError",
      {"A view was created in ", made, " mode and ", modified(itself), " ",
       inference ? "in normal mode" : "with grad mode enabled",
       ". Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by "
       "moving both the view and the inplace either both inside the ",
       block,
       " block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be "
       "tracked)."},
      itself ? Message(Msg::view_of_other_mode, {"torch." + std::string(block) + "()"}) : Message(Msg::view_behind));
}

/// The function that leads back from one of several views; null where the operation gives no such.
const char* gives_several(const Call& call) {
  const std::string_view name = call.name().substr(call.name().rfind('.') + 1);
  if (name == "unbind") return "UnbindBackward0";
  if (name == "chunk") return "SplitBackward0";
  const bool sized = name == "split" && std::holds_alternative<Sequence>(call.value("split_size").held);
  return name == "split_with_sizes" || sized ? "SplitWithSizesBackward0" : name == "split" ? "SplitBackward0" : nullptr;
}

/// Of a write through one of several views that a function gave, or of a use of it behind a write; where `key` is one,
/// of a write through what that picks of it.
/// Source: PyTorch, handle_view_on_rebase of its autograd
void refuse_one_of_several(Call& call, const Tensor& view, const Value* key, bool itself = true) {
  const bool led_back = *view.one_of;
  // The library names the last of the functions.
  std::string made = view.output >= 0 ? view.one_of : way_back_text(view.way_back);
  int64_t output = std::max<int64_t>(view.output, 0);
  if (key) made = way_of_key(*key, view.layout.sizes), output = 0;
  if (led_back && made.empty())
    return void(call.refuse(Msg::not_modelled, {"PyTorch", "torch.unbind(): view of a view"}));
  const std::string begins = led_back ? "Output " + std::to_string(output) + " of " + made + " is a view and "
                                      : "A view was created in no_grad mode and ";
  call.fail(
      "RuntimeError",
      {begins, modified(itself), led_back ? "" : " with grad mode enabled",
       ". This view is the output of a function that returns multiple views. Such functions do not allow the output "
       "views to be modified inplace. You should replace the inplace operation by an out-of-place one."},
      itself ? Msg::view_of_several : Msg::view_behind);
  call.hint(Msg::hint_out_of_place);
}

/// Fails where what the call reads is a view that no way leads back from any more: of several, or made where gradients
/// are not followed, and the memory was written since by another name.
bool refuse_behind(Call& call, std::span<const TensorPtr> inputs) {
  for (const TensorPtr& input : inputs) {
    if (!input->is_view || !input->requires_grad || !input->version || *input->version == input->seen_version) continue;
    if (input->seen_in != Gradients::followed)
      refuse_other_mode(call, *input, false, false);
    else if (input->one_of)
      refuse_one_of_several(call, *input, nullptr, false);
    if (!call.failed()) continue;
    call.unsay(0);  // nothing was made
    return true;
  }
  return false;
}

/// Fails where a way back would keep what was made in inference mode.
bool refuse_kept(Call& call, std::span<const TensorPtr> inputs) {
  if (std::none_of(inputs.begin(), inputs.end(), [](const TensorPtr& input) { return input->inference; })) return false;
  const std::string_view name = call.name(), word = name.substr(name.rfind('.') + 1);
  const auto is_among = [&](std::string_view words) { return words.find(" " + std::string(word) + " ") != words.npos; };
  if (is_among(" + - [] add sub cat concat concatenate stack hstack vstack where ")) return false;
  call.unsay(0);  // nothing was made
  if (!is_among(" * / @ mul div matmul mm bmm mv dot maximum minimum "))
    return call.refuse(Msg::not_modelled, {"PyTorch", "torch.inference_mode(): " + std::string(name)}), true;
  call.fail(
      "RuntimeError",
      "Inference tensors cannot be saved for backward. To work around you can make a clone to get a normal tensor "
      "and use it in autograd.",
      Msg::inference_tensor);
  return true;
}

bool needs_gradient(DType dtype) { return is_floating(dtype) || is_complex(dtype); }

}  // namespace

bool is_itself(const Value& key, const Dims& sizes) {
  const auto* slice = std::get_if<SliceValue>(&key.held);
  return std::holds_alternative<Ellipsis>(key.held) || (slice && is_whole_slice(*slice, sizes, 0));
}

bool is_written(const Call& call) {
  const std::string_view name = call.name();
  const Form::Kind kind = call.form().kind;
  const bool method =
      kind == Form::Kind::method && name.ends_with('_') && name != "requires_grad_" && name != "detach_";
  if (method || kind == Form::Kind::in_place || kind == Form::Kind::store) return true;
  if (name.starts_with("torch.nn.utils.")) return false;  // these write gradients
  if (kind != Form::Kind::function || name.ends_with('_')) return kind == Form::Kind::function;
  const Outcome in_place = truth(call.value("inplace"));
  return !in_place.problem && std::get<bool>(in_place.value.held);
}

std::optional<std::string> torch_named_dim(std::span<const Form* const> overloads, const Arguments& arguments) {
  if (overloads.front()->op->library != Library::torch) return std::nullopt;
  std::string name = overloads.front()->name.substr(overloads.front()->name.rfind('.') + 1);
  const auto is_among = [&](std::string_view words) {
    return (" " + std::string(words) + " ").find(" " + name + " ") != std::string::npos;
  };
  const bool looks_up = is_among(
      "softmax log_softmax squeeze stride unbind cumsum cumprod concat cat concatenate select sum mean prod max min "
      "size logcumsumexp var std var_mean std_mean mode kthvalue cumsum_ cumprod_ cummax cummin logsumexp median "
      "nanmedian "
      "index_fill index_fill_ transpose");
  if (!looks_up &&
      !is_among(
          "squeeze_ any all gather sort argsort index_select index_add index_copy index_copy_ scatter scatter_add"))
    return std::nullopt;
  if (is_among("gather index_select select") && arguments.positional.size() + arguments.named.size() < 3)
    return std::nullopt;
  if (is_among("index_add index_copy index_copy_ index_fill index_fill_ scatter scatter_add") &&
      arguments.positional.size() + arguments.named.size() < 4)
    return std::nullopt;
  // Nor is there a form that takes both.
  if (name == "argsort" && std::any_of(arguments.named.begin(), arguments.named.end(),
                                       [](const auto& argument) { return argument.first == "stable"; }))
    return std::nullopt;
  // A dtype goes by its name there.
  if (is_among("softmax log_softmax cumsum cumprod") && arguments.positional.size() > 2 &&
      !overloads.front()->name.starts_with("torch.nn."))
    return std::nullopt;
  // A list is no index, whatever the dim is called.
  if (is_among("gather index_select index_add index_copy index_copy_ index_fill index_fill_ scatter scatter_add") &&
      arguments.positional.size() > 2 && !tensor_of(arguments.positional[2]))
    return std::nullopt;
  const bool joins = name.starts_with("c") && (name.ends_with("cat") || name.ends_with("catenate"));
  if (joins && !arguments.positional.empty() && !passes(arguments.positional.front(), "tensors")) return std::nullopt;
  for (const auto& argument : arguments.named) {
    const auto takes = [&](const Form* form) {
      return std::any_of(form->parameters.begin(), form->parameters.end(), [&](const Parameter& parameter) {
        return parameter.name == argument.first || argument.first == "axis" || argument.first == "keepdims";
      });
    };
    if (std::none_of(overloads.begin(), overloads.end(), takes)) return std::nullopt;
  }
  // Nor does any form take more.
  const auto holds_all = [&](const Form* form) {
    const bool variadic = std::any_of(form->parameters.begin(), form->parameters.end(),
                                      [](const Parameter& one) { return one.variadic; });
    return variadic || form->parameters.size() >= arguments.positional.size() + arguments.named.size();
  };
  if (std::none_of(overloads.begin(), overloads.end(), holds_all)) return std::nullopt;
  const Value* given = nullptr;
  for (const auto& [word, value] : arguments.named)
    if (word == "dim" || word == "axis") given = &value;
  for (const Form* form : overloads)
    for (size_t p = 0; p < form->parameters.size() && p < arguments.positional.size(); ++p)
      if (form->parameters[p].name == "dim" && !form->parameters[p].keyword_only) given = &arguments.positional[p];
  const auto is_name = [](const Value& value) {
    return std::holds_alternative<std::string>(value.held) || std::holds_alternative<None>(value.held);
  };
  // Both are names, and the second is looked up first.
  if (name == "transpose") {
    if (arguments.positional.size() != 3 || !is_name(arguments.positional[1]) || !is_name(arguments.positional[2]))
      return std::nullopt;
    given = &arguments.positional[2];
  }
  // A second name is none.
  for (size_t p = 1; p < arguments.positional.size(); ++p)
    if (name != "transpose" && &arguments.positional[p] != given &&
        std::holds_alternative<std::string>(arguments.positional[p].held))
      return std::nullopt;
  if (!given || (!std::holds_alternative<std::string>(given->held) && !std::holds_alternative<None>(given->held)))
    return std::nullopt;
  // An index must be a tensor before anything is looked up.
  const auto is_list = [](const auto& argument) { return std::holds_alternative<Sequence>(argument.second.held); };
  if (name == "index_select" && std::any_of(arguments.named.begin(), arguments.named.end(), is_list))
    return std::nullopt;
  if (name == "cat" && !arguments.positional.empty() &&
      std::get<Sequence>(arguments.positional.front().held).items->empty())
    return "expected a non-empty list of Tensors";
  if (name.back() == '_') name.pop_back();
  if (!looks_up)
    return name +
           ": You passed a dimname (string) to this op in place of a dimension index but it does not yet support this "
           "behavior. Please pass a dimension index to work around this.";
  const auto* word = std::get_if<std::string>(&given->held);
  if (!word) return "Please look up dimensions by name, got: name = None.";
  TensorPtr tensor = arguments.positional.empty() ? nullptr : first_tensor(arguments.positional.front());
  for (const auto& argument : arguments.named)
    if (!tensor) tensor = first_tensor(argument.second);
  if (!tensor) return std::nullopt;
  std::string names;
  for (int d = 0; d < tensor->layout.rank(); ++d) names += d > 0 ? ", None" : "None";
  return "Name '" + *word + "' not found in Tensor[" + names + "].";
}

namespace {

void refuse_leaf(Call& call, const Tensor& self, bool view) {
  const bool of_leaf = view && (self.is_view ? *call.object_of(*self.base_tensor)->tensor : self).is_leaf;
  call.fail(
      "RuntimeError",
      {of_leaf ? "a view of a" : "a", " leaf Variable that requires grad is being used in an in-place operation."},
      Msg::leaf_in_place);
  call.hint(Msg::hint_detach_write);
}

/// Of a view that a function of the program's has given.
void refuse_own(Call& call, const Tensor& self, bool through) {
  if (through) return void(call.refuse(Msg::not_modelled, {"PyTorch", "torch.autograd.Function: x[..] = .."}));
  call.fail(
      "RuntimeError",
      {"Output ", self.output, " of ", way_back_text(self.way_back), " is a view and is being modified inplace. This ",
       "view was created inside a custom Function (or because an input was returned as-is) and the autograd logic ",
       "to handle view+inplace would override the custom backward associated with the custom Function, leading to ",
       "incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the custom ",
       "Function."},
      Msg::view_of_own_function);
  call.hint(Msg::hint_out_of_place);
}

/// Of a write of a leaf, or of a view that may not be written.
/// @param through  whether a key picks a view of it, which is written
void refuse_write(Call& call, const Tensor& self, bool through) {
  const bool view = through || self.is_view;
  const TensorPtr input = tensor_of(call.first());
  if (self.is_view && self.grad_fn && self.grad_fn->of_own)
    refuse_own(call, self, through);
  else if (view && self.seen_in != Gradients::followed)
    refuse_other_mode(call, self, through);
  else if (!view || !self.one_of)
    refuse_leaf(call, self, view);
  else if (!through || !refuse_behind(call, {&input, 1}))
    refuse_one_of_several(call, self, through ? &call.value("key") : nullptr);
}

/// The tensors that a call asks for the function that leads back from them.
/// Source: the callers of Variable::grad_fn in PyTorch's autograd
std::vector<TensorPtr> asked_for_their_way(const Call& call) {
  const std::string_view name = call.name();
  std::vector<TensorPtr> asked;
  const auto add = [&](const Value& value) {
    for (const Value& part : tensor_of(value) ? std::span(&value, 1) : parts_of(value))
      if (const TensorPtr& tensor = tensor_of(part); tensor && tensor->library == Library::torch)
        asked.push_back(tensor);
  };
  if (name == "torch.autograd.backward" || name == "torch.autograd.grad") {
    for (const char* parameter : {"tensors", "outputs", "inputs"})
      if (call.given(parameter)) add(call.value(parameter));
  } else if (name == "is_leaf" || name == "retain_grad" || name == "grad_fn" || name == "register_hook" ||
             name == "backward") {
    add(call.first());
  }
  // What begins the way back is held against its gradient first.
  const TensorPtr given = tensor_of(call.value("gradient"));
  if (name == "backward" && !asked.empty() &&
      !(given ? given->layout.sizes == asked[0]->layout.sizes : numel(asked[0]->layout.sizes) == 1))
    asked.clear();
  return asked;
}

}  // namespace

bool torch_allows(Call& call, std::span<const TensorPtr> inputs) {
  if (!call.lists_fit()) return false;
  if (call.given("device") && call.name() != "to" && call.name() != "torch.asarray" &&
      !call.name().starts_with("torch.cuda.") && !is_processor(call, call.value("device")))
    return false;
  if (refuse_behind(call, asked_for_their_way(call))) return false;
  const TensorPtr& self = tensor_of(call.first());
  if (!self || self->library != Library::torch) return true;
  const Gradients mode = call.settings().gradients;
  // What begins a weight does so where no gradient is followed.
  const bool written = is_written(call) && !call.name().starts_with("torch.nn.init."),
             store = call.form().kind == Form::Kind::store;
  if (self->inference && mode != Gradients::inference && !allows_beyond_inference(call, written)) return false;
  if (self->requires_grad && call.name().find("resize_") != std::string_view::npos)
    return call.fail("RuntimeError", "cannot resize variables that require grad", Msg::leaf_in_place), false;
  const auto* all = store ? std::get_if<bool>(&call.value("key").held) : nullptr;
  if (!written || mode != Gradients::followed || (all && !*all) ||
      std::none_of(inputs.begin(), inputs.end(), requires_gradient))
    return true;
  const bool through = store && picks_view(call.value("key"), self->layout.sizes), view = through || self->is_view;
  const bool lost = view && (self->seen_in != Gradients::followed || self->one_of);
  const bool of_leaf = view && (self->is_view ? *call.object_of(*self->base_tensor)->tensor : *self).is_leaf;
  if (!lost && (!self->requires_grad || (!of_leaf && !self->is_leaf)))
    return !needs_gradient(self->dtype) || !refuse_behind(call, inputs);
  if (store && !picks_by_index(call.value("key"), call.value("value"), self->layout.rank()))
    return call.only_check(), true;  // what is written is spread before
  refuse_write(call, *self, through);
  return false;
}

void follow_gradients(Call& call, Tensor& made, std::span<const TensorPtr> inputs) {
  const std::string_view name = call.name();
  const bool asked = name != "requires_grad_" && call.given("requires_grad") && call.boolean("requires_grad");
  if (asked && !needs_gradient(made.dtype))
    return void(call.about("requires_grad")
                    .fail("RuntimeError", "Only Tensors of floating point and complex dtype can require gradients",
                          Msg::floats_needed, {stridescope::name(made.dtype)}));
  const auto apart = [word = name.substr(name.rfind('.') + 1)] {
    return word.ends_with("_like") || word.starts_with("new_") || word == "detach" || word == "data" ||
           word == "tensor";
  };
  const Gradients mode = call.settings().gradients;
  const auto is_viewed = [&](const TensorPtr& input) { return input->object == call.viewed(); };
  auto viewed = std::find_if(inputs.begin(), inputs.end(), is_viewed);
  if (viewed == inputs.end())
    viewed = std::find_if(inputs.begin(), inputs.end(),
                          [&](const TensorPtr& input) { return input->storage == made.storage; });
  const bool view = made.is_view && viewed != inputs.end();
  made.seen_further = view && mode == Gradients::followed && (*viewed)->seen_in != mode;
  made.seen_in = made.seen_further ? (*viewed)->seen_in : view ? mode : Gradients::followed;
  const char* const several = view ? gives_several(call) : nullptr;
  if (!view || mode != Gradients::followed)
    made.one_of = nullptr;
  else if (several)
    made.one_of = (*viewed)->requires_grad ? several : "", made.output = call.made();
  else
    made.output = -1;
  if (view) made.seen_version = made.version ? *made.version : 0;
  made.inference = viewed == inputs.end() ? mode == Gradients::inference : (*viewed)->inference;
  if (view && made.inference) made.is_view = false, made.base = -1, made.base_tensor.reset();  // it has no views
  if (view) inputs = inputs.subspan(static_cast<size_t>(viewed - inputs.begin()), 1);  // no other is led back to
  const bool follows = needs_gradient(made.dtype) && (mode == Gradients::followed || view) &&
                       std::any_of(inputs.begin(), inputs.end(), requires_gradient) && !apart();
  if (follows && mode == Gradients::followed && (refuse_behind(call, inputs) || refuse_kept(call, inputs))) return;
  made.requires_grad = asked || follows;
  made.is_leaf = !follows || mode != Gradients::followed;
  made.way_back = made.is_leaf ? std::string_view() : way_back(call, made);
  made.grad_fn.reset();
  if (!made.requires_grad || made.is_leaf) return;
  note_grad_fn(call, made, inputs);
  const Tensor* const hidden = made.is_view && !view ? made.base_tensor.get() : nullptr;
  if (hidden && hidden->grad_fn && is_contiguous(hidden->layout) && is_contiguous(made.layout))
    hidden->grad_fn->seen_as = made.layout.sizes;
}

void follow_written(Call& call, std::span<const TensorPtr> inputs) {
  const TensorPtr self = tensor_of(call.first());
  if (call.only_checks() && !call.failed())
    return refuse_write(call, *self, picks_view(call.value("key"), self->layout.sizes));
  if (call.failed() || !self || self->library != Library::torch || self->requires_grad || !is_written(call) ||
      call.settings().gradients != Gradients::followed)
    return;
  const bool follows = std::any_of(inputs.begin(), inputs.end(), requires_gradient);
  if (!follows || !needs_gradient(self->dtype)) return;
  call.follow_views();
}

}  // namespace stridescope
