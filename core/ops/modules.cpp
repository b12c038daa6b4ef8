// Modules of torch.nn as values of a program: called, looked into, changed.
#include <algorithm>

#include "ops/interpreter.h"
#include "ops/members.h"
#include "ops/names.h"
#include "ops/torch/modules.h"

namespace stridescope {
namespace {

/// Whether it is an object of one of the program's classes, or made of some.
bool holds_program_class(const Value& value) {
  const auto* module = std::get_if<ModulePtr>(&value.held);
  if (!module) return true;
  const auto parts = children_of(**module);
  return std::any_of(parts.begin(), parts.end(), [](const auto& part) { return holds_program_class(part.second); });
}

Value pair_of_name(const std::string& name, Value value) {
  return list_of({Value{name}, std::move(value)}, Sequence::Kind::tuple);
}

bool takes_images(const Module& module) { return module.name.starts_with("BatchNorm"); }

bool holds_modules(const Module& module) { return module.name == "Sequential" || module.name == "ModuleList"; }

/// What some class of torch.nn has that is not modelled.
bool has_besides(const Module& module, std::string_view name) {
  const bool grows = name == "extend" || name == "insert" || name == "pop";
  return name.starts_with('_') || (grows && holds_modules(module)) || name.starts_with("reset_") ||
         name == "from_pretrained";
}

bool is_true_flag(const Module& module, std::string_view name) {
  const Value* value = module.find(name);
  const auto* truth = value ? std::get_if<bool>(&value->held) : nullptr;
  return truth && *truth;
}

}  // namespace

Interpreter::Result Interpreter::call_module(const ModulePtr& module, const Arguments& arguments, const Expr& at,
                                             const std::string& path) {
  std::vector<Value> given = arguments.positional;
  for (const auto& [name, value] : arguments.named)
    if (name == "input") given.push_back(value);
  const std::string forward = module->name + ".forward()";
  if (module->name == "ModuleList" || (module->name == "Identity" && given.size() != 1))
    return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span);
  if (given.empty())
    return fail(python_error("TypeError", {forward, " missing 1 required positional argument: 'input'"},
                             Msg::missing_argument, {module->name, "input", "m(input)"}),
                at.span);
  if (given.size() > 1 || given.size() != arguments.positional.size() + arguments.named.size())
    return fail(
        python_error(
            "TypeError",
            {forward, " takes 2 positional arguments but ", static_cast<int64_t>(given.size() + 1), " were given"},
            Msg::too_many_arguments, {module->name, 1, static_cast<int64_t>(given.size()), "m(input)"}),
        at.span);
  Value x = given[0];
  if (module->name == "Sequential") {
    for (const auto& [name, part] : children_of(*module)) {
      const auto* own = std::get_if<ModulePtr>(&part.held);
      Arguments handed{{x}, {}, {}, {}, {}};
      Result next = own ? call_module(*own, handed, at, path + "[" + std::string(name) + "]")
                        : call_object(part, std::move(handed), at);
      if (!next) return std::nullopt;
      x = std::move(*next);
    }
    return x;
  }
  bool counts = false;
  if (takes_images(*module)) {
    const TensorPtr image = tensor_of(x);
    const int64_t dims = module->name[module->name.size() - 2] - '0', rank = image ? image->layout.rank() : dims + 2;
    if (rank != dims + 2 && !(dims == 1 && rank == 2))
      return fail(python_error("ValueError",
                               {"expected ", dims == 1 ? std::string("2D or 3") : std::to_string(dims + 2),
                                "D input (got ", rank, "D input)"},
                               Msg::product_rank, {dims + 2, rank}),
                  at.span);
    counts = is_true_flag(*module, "training") && is_true_flag(*module, "track_running_stats");
    const auto add = find_forms(Library::torch, Form::Kind::method, "add_");
    if (counts && !invoke(add, {{*module->find("num_batches_tracked"), Value{int64_t{1}}}, {}, {}, {}, {}}, at.span))
      return std::nullopt;
  }
  const Applies applies = applied_by(*module);
  if (applies.function.empty()) return x;
  Arguments handed{{x}, {}, {}, {}, {}};
  if (!arguments.written.empty()) handed.written.push_back(arguments.written[0]);
  for (const std::string_view name : applies.arguments) {
    Value value = *module->find(name);
    // Without statistics of its own a batch norm takes those of the batch.
    if (name == "training" && takes_images(*module) && !is_true_flag(*module, "track_running_stats"))
      value = Value{true};
    if (applies.method)
      handed.positional.push_back(std::move(value));
    else
      handed.named.emplace_back(name, std::move(value));
  }
  const auto overloads =
      find_forms(Library::torch, applies.method ? Form::Kind::method : Form::Kind::function, applies.function);
  const size_t done = step_->applied.size();
  Result result = invoke(overloads, handed, at.span);
  // Of several modules each says which it is: "net(x) [1] ReLU".
  if (!path.empty() && step_->applied.size() > done) step_->applied.back().title += " " + path + " " + module->name;
  return result;
}

Interpreter::Result Interpreter::module_method(const ModulePtr& module, std::string_view name,
                                               const Arguments& arguments, const Expr& at) {
  const auto parts = children_of(*module);
  const bool foreign =
      std::any_of(parts.begin(), parts.end(), [](const auto& part) { return holds_program_class(part.second); });
  if (foreign && name != "append" && name != "eval" && name != "train" && name != "children" &&
      name != "named_children" && name != "forward")
    return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span);
  if (name == "forward") return call_module(module, arguments, at);
  if (name == "append") {
    const bool fits = arguments.positional.size() == 1 && arguments.named.empty() &&
                      is_module_value(arguments.positional[0]) && !holds_object(arguments.positional[0], module.get());
    if (!fits) return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span);
    may_grow_ = true;
    module->names.push_back(std::to_string(parts.size()));
    module->values.push_back(arguments.positional[0]);
    return Value{module};
  }
  const auto all = [&](bool parameters_only) { return tensors_of(*module, parameters_only); };
  std::vector<Value> listed;
  const bool named = name.starts_with("named_");
  if (name == "parameters" || name == "named_parameters") {
    for (const NamedTensor& one : all(true))
      listed.push_back(named ? pair_of_name(one.name, {one.tensor}) : Value{one.tensor});
    return list_of(std::move(listed), Sequence::Kind::zip);
  }
  if (name == "children" || name == "named_children") {
    for (const auto& [own, part] : children_of(*module))
      listed.push_back(named ? pair_of_name(std::string(own), part) : part);
    return list_of(std::move(listed), Sequence::Kind::zip);
  }
  if (name == "modules" || name == "state_dict" || name == "requires_grad_")
    return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span);
  if (name == "zero_grad") return Value{};
  if (name == "eval" || name == "train") {
    const auto* mode_given = arguments.positional.empty() ? nullptr : std::get_if<bool>(&arguments.positional[0].held);
    const bool mode = !mode_given || *mode_given;
    set_training(Value{module}, name == "train" && mode);
    return Value{module};
  }
  // What moves a tensor's elements gives the same parameter another storage.
  if (name == "cpu") return Value{module};
  Arguments handed = arguments;
  if (name != "to") handed.positional = {*constant("torch." + std::string(name))};
  const bool formats = std::any_of(handed.named.begin(), handed.named.end(),
                                   [](const auto& one) { return one.first == "memory_format"; });
  handed.positional.insert(handed.positional.begin(), Value{});
  handed.written.clear();
  handed.parts = {};
  for (const NamedTensor& one : all(false)) {
    const Tensor before = *one.tensor->tensor;
    const int rank = before.layout.rank();
    if (!is_floating(before.dtype) || (formats && handed.positional.size() == 1 && rank != 4 && rank != 5)) continue;
    handed.positional[0] = Value{one.tensor};
    const Result moved = invoke(find_forms(Library::torch, Form::Kind::method, "to"), handed, at.span);
    const TensorPtr now = moved ? tensor_of(*moved) : nullptr;
    if (!now) return std::nullopt;
    if (now->object == before.object) continue;
    Tensor changed = *now;
    changed.object = before.object;
    changed.requires_grad = before.requires_grad;
    changed.is_leaf = true;
    one.tensor->tensor = std::make_shared<const Tensor>(std::move(changed));
  }
  return Value{module};
}

Interpreter::Result Interpreter::module_attribute(const ModulePtr& module, const Expr& at) {
  if (const Value* own = module->find(at.text)) return *own;
  if (has_besides(*module, at.text)) return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.name_span);
  if (is_module_method(at.text) || (at.text == "append" && holds_modules(*module)))
    return Value{Symbol{"module." + at.text, std::make_shared<const Value>(Value{module})}};
  return fail(
      missing_attribute("torch.nn.Module", at.text, title(at.span),
                        python_error("AttributeError", {"'", module->name, "' object has no attribute '", at.text, "'"},
                                     Msg::attribute_unknown, {module->name, at.text})),
      at.name_span);
}

bool Interpreter::set_module_attribute(const ModulePtr& module, const Expr& target, const Value& value) {
  const Value* own = module->find(target.text);
  const TensorPtr tensor = tensor_of(value);
  const bool parameter = own && tensor_of(*own) && tensor && tensor->requires_grad && tensor->is_leaf;
  if (!parameter) return fail(limit(Msg::not_modelled, {"PyTorch", title(target.span)}), target.span).has_value();
  module->values[static_cast<size_t>(own - module->values.data())] = value;
  return true;
}

Interpreter::Result Interpreter::module_part(const ModulePtr& module, const Value& key, const Expr& at) {
  const auto parts = children_of(*module);
  const auto size = static_cast<int64_t>(parts.size());
  const auto number = as_integer(key);
  if (!holds_modules(*module))
    return fail(python_error("TypeError", {"'", module->name, "' object is not subscriptable"}, Msg::not_subscriptable,
                             {module->name}),
                at.span);
  if (!number) return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span);
  if (*number < -size || *number >= size)
    return fail(python_error("IndexError", {"index ", *number, " is out of range"}, Msg::index_out_of_range,
                             {*number, 0, size}),
                at.span);
  return parts[static_cast<size_t>(*number < 0 ? *number + size : *number)].second;
}

}  // namespace stridescope
