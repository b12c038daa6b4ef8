#include "ops/torch/modules.h"

#include <algorithm>

#include "ops/classes.h"
#include "ops/op.h"

namespace stridescope {
namespace {

constexpr ModuleClass classes[] = {
#define MODULE(name, parameters, arguments, applies, tensors, shown) {name, applies, tensors, shown},
#include "ops/torch/modules.inc"
};

/// A value as it is printed of a module: strings bare.
std::string shown_value(const Value& value, bool as_repr) {
  const auto* text = std::get_if<std::string>(&value.held);
  if (std::holds_alternative<TensorRef>(value.held)) return "True";
  return text && !as_repr ? *text : to_string(value);
}

/// Whether it is the default that the signature writes, or a tuple of nothing else.
bool is_default(const Value& value, std::string_view fallback) {
  if (const auto* list = std::get_if<Sequence>(&value.held))
    return std::all_of(list->items->begin(), list->items->end(),
                       [&](const Value& one) { return to_string(one) == fallback; });
  return shown_value(value, true) == fallback;
}

void write_module(const Module& module, size_t indent, std::string& out) {
  out += module.name + "(";
  const auto parts = children_of(module);
  const std::string own(indent + 2, ' ');
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto text = [&](const Value& one) {
      std::string result;
      if (const auto* inner = std::get_if<ModulePtr>(&one.held))
        write_module(**inner, indent + 2, result);
      else
        result = to_string(one);
      return result;
    };
    const std::string one = text(parts[i].second);
    size_t same = 1;
    while (module.name == "ModuleList" && i + same < parts.size() && text(parts[i + same].second) == one) ++same;
    out += "\n" + own + "(" + std::string(parts[i].first);
    if (same > 1) out += "-" + std::string(parts[i + same - 1].first);
    out += "): " + (same > 1 ? std::to_string(same) + " x " : std::string()) + one;
    i += same - 1;
  }
  if (!parts.empty()) return void(out += "\n" + std::string(indent, ' ') + ")");
  const Form& form = *find_forms(Library::torch, Form::Kind::function, "torch.nn." + module.name).front();
  bool first = true;
  for (const std::string_view entry : words(class_named(module.name).shown, ' ')) {
    const size_t equals = entry.find('=');
    const std::string_view name = entry.substr(0, equals);
    const Value& value = name == "bias" && std::holds_alternative<None>(held_by(module, name).held)
                             ? Value{false}
                             : held_by(module, name);
    if (!module.find(name)) continue;
    const auto parameter = std::find_if(form.parameters.begin(), form.parameters.end(),
                                        [&](const Parameter& one) { return one.name == name; });
    if (entry.ends_with('?') && parameter != form.parameters.end() && is_default(value, parameter->fallback)) continue;
    if (name == "size" && !std::holds_alternative<None>(held_by(module, "scale_factor").held)) continue;
    if (!first) out += ", ";
    first = false;
    if (equals != std::string_view::npos) out += std::string(name) + "=";
    out += shown_value(value, entry.ends_with('!'));
  }
  out += ")";
}

}  // namespace

const ModuleClass& class_named(std::string_view name) {
  return *std::find_if(std::begin(classes), std::end(classes),
                       [&](const ModuleClass& one) { return one.name == name; });
}

bool is_module_class(std::string_view path) {
  return std::any_of(std::begin(classes), std::end(classes), [&](const ModuleClass& one) {
    return path.starts_with("torch.nn.") && path.substr(9) == one.name;
  });
}

std::vector<std::string_view> words(std::string_view text, char separator) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    const std::string_view word = text.substr(0, end);
    if (const size_t first = word.find_first_not_of(' '); first != std::string_view::npos)
      result.push_back(word.substr(first));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

const Value& held_by(const Module& module, std::string_view name) {
  static const Value none;
  const Value* found = module.find(name);
  return found ? *found : none;
}

Applies applied_by(const Module& module) {
  std::string_view text = class_named(module.name).applies;
  const size_t open = text.find('(');
  if (open == std::string_view::npos) return {};
  Applies result;
  result.method = text.starts_with("x.");
  result.function = (result.method ? "" : "torch.nn.functional.") + std::string(text.substr(2, open - 2));
  text = text.substr(open + 1, text.size() - open - 2);
  result.arguments = words(text, ',');
  if (!result.method) result.arguments.erase(result.arguments.begin());
  return result;
}

std::string module_text(const Module& module) {
  std::string text;
  write_module(module, 0, text);
  return text;
}

bool is_module_method(std::string_view name) {
  constexpr std::string_view names =
      " eval train to float double half bfloat16 cpu parameters named_parameters "
      "state_dict children named_children modules requires_grad_ zero_grad forward ";
  return names.find(" " + std::string(name) + " ") != std::string_view::npos;
}

bool is_module_value(const Value& value) {
  const auto* object = std::get_if<Object>(&value.held);
  return object ? !object->from && derives(*object->type, *module_class())
                : std::holds_alternative<ModulePtr>(value.held);
}

std::vector<std::pair<std::string_view, Value>> children_of(const Module& module) {
  std::vector<std::pair<std::string_view, Value>> result;
  for (size_t i = 0; i < module.names.size(); ++i)
    if (is_module_value(module.values[i])) result.emplace_back(module.names[i], module.values[i]);
  return result;
}

void set_training(const Value& value, bool training) {
  if (!is_module_value(value)) return;
  const auto* object = std::get_if<Object>(&value.held);
  const auto* module = std::get_if<ModulePtr>(&value.held);
  std::vector<Value>& values = object ? object->attributes->values : (*module)->values;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string& name = object ? std::get<std::string>(object->attributes->keys[i].held) : (*module)->names[i];
    if (name == "training") values[i] = Value{training};
    set_training(values[i], training);
  }
}

std::vector<NamedTensor> tensors_of(const Module& module, bool parameters_only) {
  std::vector<NamedTensor> result;
  for (size_t i = 0; i < module.names.size(); ++i) {
    const std::string& name = module.names[i];
    if (const auto* tensor = std::get_if<TensorRef>(&module.values[i].held)) {
      const bool kept = name.starts_with("running_") || name.starts_with("num_batches");
      if (!kept || !parameters_only) result.push_back({name, *tensor});
    } else if (const auto* part = std::get_if<ModulePtr>(&module.values[i].held)) {
      for (NamedTensor& one : tensors_of(**part, parameters_only))
        result.push_back({name + "." + one.name, one.tensor});
    }
  }
  return result;
}

}  // namespace stridescope
