// What methods of modules change: whether they train, the dtype and the order of their tensors, what is registered.
#include <algorithm>

#include "ops/members.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"
#include "ops/torch/nn/modules.h"
#include "ops/torch/torch.h"

namespace stridescope {

bool Interpreter::train(const Object& module, bool mode, const Expr& at) {
  if (!settled(keep(module, "training", Value{mode}), at.span)) return false;
  for (const auto& [name, part] : distinct(children_of(module))) {
    const Object& inner = std::get<Object>(part.held);
    const FunctionPtr own = class_function(*inner.type, "train");
    const bool done =
        own ? call(taken_from(inner, own), {{Value{mode}}, {}, {}, {}, {}}, at).has_value() : train(inner, mode, at);
    if (!done) return false;
  }
  return true;
}

bool Interpreter::require_gradient(const TensorRef& parameter, bool wanted, const Expr& at) {
  Tensor changed = *parameter->tensor;
  if (!is_floating(changed.dtype) || !changed.is_leaf || changed.inference)
    return invoke(find_forms(Library::torch, Form::Kind::method, "requires_grad_"),
                  {{Value{parameter}, Value{wanted}}, {}, {}, {}, {}}, at.span)
        .has_value();
  changed.requires_grad = wanted;
  parameter->tensor = std::make_shared<const Tensor>(std::move(changed));
  return true;
}

bool Interpreter::zero_gradients(const Object& module, bool to_none, const Expr& at) {
  const auto zero = find_forms(Library::torch, Form::Kind::method, "zero_");
  bool done = true;
  for (const auto& [path, one] : modules_in(module))
    for (const Value& held : parts_of(one)) {
      const auto* parameter = std::get_if<TensorRef>(&held.held);
      if (!parameter || !(*parameter)->parameter || !(*parameter)->grad) continue;
      const Value grad{(*parameter)->grad};
      if (to_none) (*parameter)->grad.reset();
      if (!to_none) done &= invoke(zero, {{grad}, {}, {}, {}, {}}, at.span).has_value();
    }
  return done;
}

/// to(dtype), to(device), to(tensor), with a memory format.
/// @post nothing, and no error: what it was given is not modelled
Interpreter::Result Interpreter::move(const Object& module, const Arguments& arguments, const Expr& at) {
  Conversion wanted;
  std::vector<std::pair<std::string, Value>> given = arguments.named;
  for (const Value& value : arguments.positional) {
    const bool device = std::holds_alternative<std::string>(value.held) || !device_name(value).empty();
    given.emplace_back(device ? "device" : tensor_of(value) ? "tensor" : "dtype", value);
  }
  for (const auto& [name, value] : given) {
    const TensorPtr tensor = name == "tensor" ? tensor_of(value) : nullptr;
    const auto dtype = name == "dtype" && type_name(value) == "torch.dtype" ? as_dtype(value)
                       : tensor                                             ? std::optional(tensor->dtype)
                                                                            : std::nullopt;
    if (name == "non_blocking" || (name != "tensor" && std::holds_alternative<None>(value.held))) continue;
    if (dtype && !wanted.dtype)
      wanted.dtype = constant("torch." + std::string(stridescope::name(*dtype)));
    else if (name == "device" && !wanted.device)
      wanted.device = value;
    else if (name == "memory_format" && type_name(value) == "torch.memory_format" && !wanted.format)
      wanted.format = value;
    else
      return std::nullopt;
    if (dtype && !is_floating(*dtype) && !is_complex(*dtype))
      return fail(python_error("TypeError",
                               {"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=",
                                "torch.", stridescope::name(*dtype)},
                               Msg::argument_has_type, {"dtype", "floating", stridescope::name(*dtype)}),
                  at.span);
  }
  wanted.complex = true;
  return convert(module, wanted, at) ? Result(Value{module}) : std::nullopt;
}

/// Parameters become what they are converted to and stay the objects that they are; buffers are other tensors then.
bool Interpreter::convert(const Object& root, const Conversion& wanted, const Expr& at) {
  const auto to = find_forms(Library::torch, Form::Kind::method, "to");
  for (const auto& [path, one] : modules_in(root)) {
    const Object& module = std::get<Object>(one.held);
    DictionaryItems& held = *module.attributes;
    for (size_t i = 0; i < held.keys.size(); ++i) {
      const TensorPtr before = kept_as(held, i) == Kept::plain ? nullptr : tensor_of(held.values[i]);
      if (!before) continue;
      const int rank = before->layout.rank();
      const bool typed = is_floating(before->dtype) || (wanted.complex && is_complex(before->dtype));
      Arguments handed{{held.values[i]}, {}, {}, {}, {}};
      if (wanted.dtype && typed) handed.named.emplace_back("dtype", *wanted.dtype);
      if (wanted.device) handed.named.emplace_back("device", *wanted.device);
      if (wanted.format && (rank == 4 || rank == 5)) handed.named.emplace_back("memory_format", *wanted.format);
      if (handed.named.empty()) continue;
      const Gradients mode = std::exchange(settings_.gradients, Gradients::ignored);
      const Result moved = invoke(to, handed, at.span);
      TensorRef& grad = std::get<TensorRef>(held.values[i].held)->grad;
      if (grad) handed.positional = {Value{grad}};
      const Result along = moved && grad ? invoke(to, handed, at.span) : std::nullopt;
      settings_.gradients = mode;
      if (!moved || (grad && !along)) return false;
      if (along) grad = std::get<TensorRef>(along->held);
      const TensorRef& now = std::get<TensorRef>(moved->held);
      if (kept_as(held, i) != Kept::parameter) {
        held.values[i] = *moved;
      } else if (now->tensor->object != before->object) {
        Tensor changed = *now->tensor;
        changed.object = before->object;
        changed.requires_grad = before->requires_grad;
        changed.version = before->version;
        std::get<TensorRef>(held.values[i].held)->tensor = std::make_shared<const Tensor>(std::move(changed));
      }
    }
  }
  return true;
}

/// What a class of modules says of how its state is kept: its _version, which of PyTorch's only those of
/// normalization have changed.
static int64_t version_of(const Object& module) {
  const Value* const own = class_member(*module.type, "_version");
  const auto* number = own ? std::get_if<int64_t>(&own->held) : nullptr;
  if (number) return *number;
  const std::string_view name = short_name(built_in(*module.type));
  return name.find("BatchNorm") != name.npos || name.find("InstanceNorm") != name.npos ? 2 : 1;
}

/// state_dict(): what is detached from each tensor, on the same storage.
Interpreter::Result Interpreter::state_of(const Object& module) {
  const Value state = dictionary_of();
  const Dictionary& made = std::get<Dictionary>(state.held);
  made.items->ordered = true;
  may_grow_ = true;
  for (const auto& [name, value] : state_in(module)) {
    Tensor detached = *tensor_of(value);
    detached.object = static_cast<int>(numbering_.objects.size());
    detached.is_view = false;
    detached.base = -1;
    detached.base_tensor.reset();
    detached.requires_grad = false;
    detached.is_leaf = true;
    const auto object = std::make_shared<TensorObject>();
    object->id = detached.object;
    object->tensor = std::make_shared<const Tensor>(std::move(detached));
    numbering_.objects.push_back(object);
    if (auto problem = store(made, Value{name}, Value{object})) return fail(*std::move(problem), {});
  }
  const Value metadata = dictionary_of();
  std::get<Dictionary>(metadata.held).items->ordered = true;
  for (const auto& [path, one] : modules_in(module)) {
    const Value told = dictionary_of();
    store(std::get<Dictionary>(told.held), Value{std::string("version")},
          Value{version_of(std::get<Object>(one.held))});
    if (auto problem = store(std::get<Dictionary>(metadata.held), Value{path}, told))
      return fail(*std::move(problem), {});
  }
  made.items->metadata = std::make_shared<const Value>(metadata);
  return state;
}

/// What does not fit of a state that is loaded: names, and sentences.
struct Interpreter::Misfits {
  std::vector<std::string> missing, unexpected, sentences;
};

/// Copies what a dictionary holds for a module, its names behind `prefix`, into the tensors of the module.
/// @post false and no error: what it holds is not modelled
bool Interpreter::load(const Object& module, const Dictionary& state, const std::string& prefix, Misfits& misfits,
                       const Expr& at) {
  const DictionaryItems& given = *state.items;
  const NamedValues own = own_state(module, prefix);
  for (const auto& [name, value] : own) {
    const size_t place = key_place(state, key_mark(Value{name}).text);
    if (place == given.keys.size() && name.ends_with("num_batches_tracked")) return false;  // older ones have none
    if (place == given.keys.size()) {
      misfits.missing.push_back(name);
      continue;
    }
    const TensorPtr target = tensor_of(value), source = tensor_of(given.values[place]);
    if (!is_of_torch(given.values[place]) || (target->layout.rank() == 0 && source->layout.rank() == 1)) return false;
    const Dims &held = target->layout.sizes, &sizes = source->layout.sizes;
    if (!(held == sizes)) {
      const auto shown = [](const Dims& dims) { return to_string(tuple_of(dims, Sequence::Kind::size)); };
      misfits.sentences.push_back("size mismatch for " + name + ": copying a param with shape " + shown(sizes) +
                                  " from checkpoint, the shape in current model is " + shown(held) + ".");
      continue;
    }
    const Gradients mode = std::exchange(settings_.gradients, Gradients::ignored);
    const Result copied = invoke(find_forms(Library::torch, Form::Kind::method, "copy_"),
                                 {{value, given.values[place]}, {}, {}, {}, {}}, at.span);
    settings_.gradients = mode;
    if (!copied) return error_.reset(), false;  // PyTorch goes on and tells of all that it could not copy
  }
  for (const Value& key : given.keys) {
    const auto* word = std::get_if<std::string>(&key.held);
    if (!word) return false;
    if (!word->starts_with(prefix)) continue;
    const std::string rest = word->substr(prefix.size());
    const size_t dot = rest.find('.'), place = attribute_place(*module.attributes, rest.substr(0, dot));
    const bool part = place < module.attributes->keys.size() && kept_as(*module.attributes, place) == Kept::module;
    const auto named = [&](const auto& one) { return one.first == *word; };
    if (dot == rest.npos ? std::none_of(own.begin(), own.end(), named) : !part) misfits.unexpected.push_back(*word);
  }
  const auto parts = children_of(module);
  return std::all_of(parts.begin(), parts.end(), [&](const auto& one) {
    return load(std::get<Object>(one.second.held), state, prefix + one.first + ".", misfits, at);
  });
}

Interpreter::Result Interpreter::load_state(const Object& module, const Value& state, bool strict, const Expr& at) {
  const Dictionary* const dictionary = dictionary_in(state);
  Misfits misfits;
  if (!dictionary || !load(module, *dictionary, "", misfits, at)) return std::nullopt;
  const auto add = [&](const std::vector<std::string>& names, const std::string& which) {
    std::string listed;
    for (const std::string& name : names) listed += (listed.empty() ? "\"" : ", \"") + name + "\"";
    if (strict && !names.empty())
      misfits.sentences.insert(misfits.sentences.begin(), which + " key(s) in state_dict: " + listed + ". ");
  };
  add(misfits.unexpected, "Unexpected");
  add(misfits.missing, "Missing");
  std::string text = "Error(s) in loading state_dict for " + std::string(short_name(*module.type)) + ":";
  for (const std::string& sentence : misfits.sentences) text += "\n\t" + sentence;
  if (!misfits.sentences.empty()) {
    const std::string& first = misfits.sentences.front();
    return fail(
        python_error("RuntimeError", {text}, Msg::state_unfit, {first.substr(0, first.find_last_not_of(". ") + 1)}),
        at.span);
  }
  const auto list = [](const std::vector<std::string>& names) {
    std::vector<Value> items;
    for (const std::string& name : names) items.push_back(Value{name});
    return list_of(std::move(items));
  };
  return Value{
      Sequence{Sequence::Kind::ranked,
               std::make_shared<const std::vector<Value>>(std::vector{list(misfits.missing), list(misfits.unexpected)}),
               std::make_shared<const std::string>("_IncompatibleKeys")}};
}

/// register_buffer, register_parameter and add_module.
bool Interpreter::enroll(const Object& module, const std::string& name, const Value& value, Kept kept, const Expr& at) {
  const bool part = kept == Kept::module, parameter = kept == Kept::parameter;
  const std::string_view word = part ? "module" : parameter ? "parameter" : "buffer";
  const bool fits = std::holds_alternative<None>(value.held) || (part        ? is_module_value(value)
                                                                 : parameter ? is_parameter(value)
                                                                             : is_of_torch(value));
  const auto type = torch_typename(value);
  const Message reason{Msg::module_keeps, {name, word, type_name(value)}}, no_name{Msg::module_name, {name}};
  const auto wrong = [&] {
    return !type  ? limit(Msg::not_modelled, {"PyTorch", title(at.span)})
           : part ? python_error("TypeError", {*type, " is not a Module subclass"}, reason)
                  : python_error(
                        "TypeError",
                        {"cannot assign '", *type, "' object to ", word, " '", name,
                         parameter ? "' (torch.nn.Parameter or None required)" : "' (torch Tensor or None required)"},
                        reason);
  };
  const size_t place = attribute_place(*module.attributes, name);
  const bool there = place < module.attributes->keys.size();
  const Kept before = there ? kept_as(*module.attributes, place) : kept;
  if (!part && !has_begun(module)) return fail(before_begin(module, word), at.span).has_value();
  const bool same = before == kept || (kept == Kept::buffer && before == Kept::passing) ||
                    (kept == Kept::passing && before == Kept::buffer);
  std::optional<Diagnostic> problem;
  if (part && std::holds_alternative<None>(value.held) && is_list_of_modules(*module.type))
    problem = limit(Msg::not_modelled, {"PyTorch", title(at.span)});
  else if (part && !fits)
    problem = wrong();
  else if (!part && name.find('.') != name.npos)
    problem = python_error("KeyError", {quoted(std::string(word) + " name can't contain \".\"")}, no_name);
  else if (!part && name.empty())
    problem = python_error("KeyError", {quoted(std::string(word) + " name can't be empty string \"\"")}, no_name);
  else if (there ? !same : taken_name(module, name).has_value())
    problem =
        there ? python_error("KeyError", {quoted("attribute '" + name + "' already exists")}, Msg::module_has, {name})
              : taken_name(module, name);
  else if (name.find('.') != name.npos)
    problem = python_error("KeyError", {quoted("module name can't contain \".\", got: " + name)}, no_name);
  else if (name.empty())
    problem = python_error("KeyError", {quoted("module name can't be empty string \"\"")}, no_name);
  else if (!fits)
    problem = wrong();
  else
    problem = keep(module, name, value, kept);
  may_grow_ = true;
  return settled(std::move(problem), at.span);
}

/// get_submodule("block.0"), get_parameter("fc.weight"), get_buffer("mask").
Interpreter::Result Interpreter::registered_at(const Object& root, std::string_view name, const std::string& path,
                                               const Expr& at) {
  const auto missing = [&](const Slots& text) {
    return fail(
        python_error("AttributeError", text, Msg::attribute_unknown, {std::string(short_name(*root.type)), path}),
        at.span);
  };
  const bool module = name == "get_submodule";
  Value found{root};
  const auto steps = words(path, '.');
  for (size_t i = 0; i < steps.size(); ++i) {
    const Object& owner = std::get<Object>(found.held);
    const std::string step(steps[i]), type(short_name(*owner.type));
    const Value* const next = attribute_of(owner, step);
    const bool last = i + 1 == steps.size() && !module;
    if (!next && (class_member(*owner.type, step) || has_method(*owner.type, step) || has_besides(*owner.type, step)))
      return std::nullopt;
    if (!next) return missing({type, " has no attribute `", step, "`"});
    if (!last && !is_module_value(*next)) return missing({"`", step, "` is not an nn.Module"});
    const Kept kept = kept_as(*owner.attributes, attribute_place(*owner.attributes, step));
    if (last && name == "get_parameter" && !is_parameter(*next))
      return missing({"`", step, "` is not an nn.Parameter"});
    if (last && name == "get_buffer" && kept != Kept::buffer && kept != Kept::passing)
      return missing({"`", step, "` is not a buffer"});
    found = Value(*next);
  }
  return found;
}

}  // namespace stridescope
