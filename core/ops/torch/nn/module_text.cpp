#include "ops/torch/nn/modules.h"

#include <algorithm>
#include <set>

#include "ops/op.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/text.h"

namespace stridescope {
namespace {

constexpr ModuleClass classes[] = {
#define MODULE(name, parameters, arguments, applies, tensors, shown) {name, applies, tensors, shown},
#include "ops/torch/nn/modules.inc"
    {"Rearrange", "einops.rearrange(x, pattern)", "", ""},
    {"Reduce", "einops.reduce(x, pattern, reduction)", "", ""},
};

/// A value as it is printed of a module: strings bare.
std::string shown_value(const Value& value, bool as_repr) {
  const auto* text = std::get_if<std::string>(&value.held);
  if (std::holds_alternative<TensorRef>(value.held)) return "True";
  if (!as_repr && std::holds_alternative<NumpyScalar>(value.held)) return python_str(value).value_or(to_string(value));
  return text && !as_repr ? *text : to_string(value);
}

/// Whether it is the default that the signature writes, or a tuple of nothing else.
bool is_default(const Value& value, std::string_view fallback) {
  if (const auto* list = std::get_if<Sequence>(&value.held))
    return std::all_of(list->items->begin(), list->items->end(),
                       [&](const Value& one) { return to_string(one) == fallback; });
  return shown_value(value, true) == fallback;
}

/// Each line but the first moved by two places.
std::string indented(const std::string& text) {
  std::string result;
  for (const char c : text) (result += c) += c == '\n' ? "  " : "";
  return result;
}

/// As einops prints a layer: "'b c -> c b', c=3".
std::string layer_text(const Object& module) {
  std::string out = to_string(held_by(module, "pattern"), std::string::npos);
  if (const Value& reduction = held_by(module, "reduction"); !is_none(reduction)) out += ", " + to_string(reduction);
  const Dictionary& sizes = *dictionary_in(held_by(module, "axes_lengths"));
  for (size_t i = 0; i < sizes.items->keys.size(); ++i)
    out += ", " + std::get<std::string>(sizes.items->keys[i].held) + "=" + to_string(sizes.items->values[i]);
  return out;
}

std::string text_of(const Object& module, const ModuleClass& row) {
  if (is_layer(row)) return layer_text(module);
  const Form& form = *find_forms(Library::torch, Form::Kind::function, class_path_of(row)).front();
  std::string out;
  for (const std::string_view entry : words(row.shown, ' ')) {
    const size_t equals = entry.find('=');
    const std::string_view name = entry.substr(0, equals);
    const Value& held = held_by(module, name);
    const Value value = name == "bias" && std::holds_alternative<None>(held.held) ? Value{false} : held;
    if (!attribute_of(module, name)) continue;
    const auto parameter = std::find_if(form.parameters.begin(), form.parameters.end(),
                                        [&](const Parameter& one) { return one.name == name; });
    if (entry.ends_with('?') && parameter != form.parameters.end() && is_default(value, parameter->fallback)) continue;
    if (name == "size" && !std::holds_alternative<None>(held_by(module, "scale_factor").held)) continue;
    if (!out.empty()) out += ", ";
    if (equals != std::string_view::npos) out += std::string(name) + "=";
    out += shown_value(value, entry.ends_with('!'));
  }
  return out;
}

}  // namespace

std::span<const ModuleClass> module_classes() { return classes; }

bool is_layer(const ModuleClass& row) { return row.applies.starts_with("einops."); }

std::string class_path_of(const ModuleClass& row) {
  return (is_layer(row) ? "einops.layers.torch." : "torch.nn.") + std::string(row.name);
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

const Value& held_by(const Object& module, std::string_view name) {
  static const Value none;
  const Value* found = attribute_of(module, name);
  return found ? *found : none;
}

bool is_set(const Object& module, std::string_view flag) {
  const auto* truth = std::get_if<bool>(&held_by(module, flag).held);
  return truth && *truth;
}

Applies applied_by(const ModuleClass& row) {
  std::string_view text = row.applies;
  const size_t open = text.find('(');
  if (open == std::string_view::npos) return {};
  Applies result;
  result.method = text.starts_with("x.");
  const bool whole = text.starts_with("torch.");
  result.function = std::string(result.method || whole ? "" : "torch.nn.functional.");
  result.function += text.substr(whole ? 0 : 2, open - (whole ? 0 : 2));
  text = text.substr(open + 1, text.size() - open - 2);
  result.arguments = words(text, ',');
  if (!result.method) result.arguments.erase(result.arguments.begin());
  return result;
}

std::string extra_text(const Object& module) {
  const Class& type = built_in(*module.type);
  return type.row ? text_of(module, *type.row) : "";
}

std::string module_text(const Object& module, const Texts& told) {
  const Class& type = built_in(*module.type);
  const auto own = told.find(module.attributes.get());
  const std::string extra = own == told.end() ? extra_text(module) : own->second;
  std::vector<std::pair<std::string, std::string>> parts;  // each written once: nested lists are written often enough
  for (size_t i = 0; i < module.attributes->keys.size(); ++i) {
    if (kept_as(*module.attributes, i) != Kept::module) continue;
    const Value& part = module.attributes->values[i];
    const auto* inner = std::get_if<Object>(&part.held);
    const bool known = inner && (!writes_itself(*inner) || told.contains(inner->attributes.get()));
    parts.emplace_back(attribute_name(*module.attributes, i),
                       known ? module_text(*inner, told) : to_string(part, std::string::npos));
  }
  std::string out = std::string(short_name(*module.type)) + "(";
  if (parts.empty() && extra.find('\n') == extra.npos) return out + extra + ")";
  const bool alike = type.row && type.row->name == "ModuleList";
  if (!extra.empty() && !alike) out += "\n  " + indented(extra);
  for (size_t i = 0; i < parts.size(); ++i) {
    const size_t first = i;
    while (alike && i + 1 < parts.size() && parts[i + 1].second == parts[first].second) ++i;
    out += "\n  (" + parts[first].first;
    if (i > first) out += "-" + parts[i].first;
    out += "): " + (i > first ? std::to_string(i - first + 1) + " x " : std::string()) + indented(parts[first].second);
  }
  return out + "\n)";
}

bool is_module_value(const Value& value) {
  const auto* object = std::get_if<Object>(&value.held);
  return object && !object->from && is_module_class(*object->type);
}

bool is_list_of_modules(const Class& type) {
  const ModuleClass* row = built_in(type).row;
  return row && (row->name == "Sequential" || row->name == "ModuleList");
}

bool is_dictionary_of_modules(const Class& type) {
  const ModuleClass* row = built_in(type).row;
  return row && row->name == "ModuleDict";
}

NamedValues children_of(const Object& module) {
  const DictionaryItems& held = *module.attributes;
  NamedValues result;
  for (size_t i = 0; i < held.keys.size(); ++i)
    if (kept_as(held, i) == Kept::module && is_module_value(held.values[i]))
      result.emplace_back(attribute_name(held, i), held.values[i]);
  return result;
}

NamedValues distinct(NamedValues named) {
  std::set<const void*> seen;
  std::erase_if(named, [&](const auto& one) {
    const auto* tensor = std::get_if<TensorRef>(&one.second.held);
    return !seen.insert(tensor ? tensor->get() : object_of(one.second)).second;
  });
  return named;
}

namespace {

void add_modules(const Value& module, const std::string& name, std::set<const void*>& seen, NamedValues& found) {
  if (!seen.insert(object_of(module)).second) return;
  found.emplace_back(name, module);
  for (const auto& [own, part] : children_of(std::get<Object>(module.held)))
    add_modules(part, name + (name.empty() ? "" : ".") + own, seen, found);
}

/// Tensors that the module itself keeps as one of those, by the letters of `Kept`.
void add_registered(const Object& module, const std::string& prefix, std::string_view wanted, NamedValues& found) {
  const DictionaryItems& held = *module.attributes;
  for (size_t i = 0; i < held.keys.size(); ++i)
    if (wanted.find(static_cast<char>(kept_as(held, i))) != wanted.npos && tensor_of(held.values[i]))
      found.emplace_back(prefix + attribute_name(held, i), held.values[i]);
}

}  // namespace

NamedValues modules_in(const Object& module, const std::string& prefix) {
  std::set<const void*> seen;
  NamedValues found;
  add_modules(Value{module}, prefix, seen, found);
  return found;
}

NamedValues registered_in(const Object& module, bool buffers, const std::string& prefix, bool recurse) {
  NamedValues found;
  for (const auto& [name, one] : recurse ? modules_in(module, prefix) : NamedValues{{prefix, Value{module}}})
    add_registered(std::get<Object>(one.held), name.empty() ? "" : name + ".", buffers ? "bt" : "p", found);
  return distinct(std::move(found));
}

NamedValues own_state(const Object& module, const std::string& prefix) {
  NamedValues found;
  for (const char* const kept : {"p", "b"}) add_registered(module, prefix, kept, found);
  return found;
}

NamedValues state_in(const Object& module, const std::string& prefix) {
  NamedValues found = own_state(module, prefix);
  for (const auto& [name, part] : children_of(module))
    for (auto& one : state_in(std::get<Object>(part.held), prefix + name + ".")) found.push_back(std::move(one));
  return found;
}

}  // namespace stridescope
