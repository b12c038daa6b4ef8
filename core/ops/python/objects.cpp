// Objects of classes: how they are made, what they keep, and what a dot or a call gives of them.
#include <algorithm>

#include "ops/lent_memory.h"
#include "ops/members.h"
#include "ops/names.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"
#include "ops/python/written.h"
#include "ops/suggest.h"
#include "ops/torch/nn/modules.h"

namespace stridescope {
namespace {

/// What torch.nn.Module says to another kind of value where it keeps `kept`.
Diagnostic refused(Kept kept, const std::string& name, const Value& value) {
  const auto type = torch_typename(value);
  if (!type) return limit(Msg::not_modelled, {"PyTorch", name + " = .."});
  const bool module = kept == Kept::module, parameter = kept == Kept::parameter;
  const std::string_view as = module      ? "child module"
                              : parameter ? "parameter"
                                          : "buffer",
                         expected = module      ? "torch.nn.Module"
                                    : parameter ? "torch.nn.Parameter"
                                                : "torch.nn.Buffer, torch.Tensor";
  return python_error("TypeError",
                      {"cannot assign '", *type, "' as ", as, " '", name, "' (", expected, " or None expected)"},
                      Msg::module_keeps, {name, as, *type});
}

}  // namespace

bool has_begun(const Object& module) { return attribute_of(module, "training") != nullptr; }

Diagnostic before_begin(const Object& module, std::string_view what) {
  return python_error("AttributeError", {"cannot assign ", what, " before Module.__init__() call"},
                      Msg::module_not_begun, {std::string(short_name(*module.type))});
}

size_t attribute_place(const DictionaryItems& attributes, std::string_view name) {
  const auto& keys = attributes.keys;
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Value& key) { return std::get<std::string>(key.held) == name; });
  return static_cast<size_t>(found - keys.begin());
}

const std::string& attribute_name(const DictionaryItems& attributes, size_t place) {
  return std::get<std::string>(attributes.keys[place].held);
}

Kept kept_as(const DictionaryItems& attributes, size_t place) {
  return static_cast<Kept>(attributes.marks[place].front());
}

const Value* attribute_of(const Object& object, std::string_view name) {
  const size_t place = attribute_place(*object.attributes, name);
  return place < object.attributes->keys.size() ? &object.attributes->values[place] : nullptr;
}

std::optional<Diagnostic> keep(const Object& object, std::string_view name, const Value& value, Kept kept) {
  DictionaryItems& items = *object.attributes;
  if (holds_object(value, &items)) return limit(Msg::holds_itself);
  size_t place = attribute_place(items, name);
  if (place < items.keys.size() && kept_as(items, place) != kept) {
    removed_at(Dictionary{object.attributes}, place);
    place = items.keys.size();
  }
  if (place < items.keys.size()) {
    items.values[place] = value;
    return std::nullopt;
  }
  if (place == max_keys) return limit(Msg::too_many_keys, {static_cast<int64_t>(max_keys)});
  items.marks.push_back(static_cast<char>(kept) + std::string(name));
  items.keys.push_back(Value{std::string(name)});
  items.values.push_back(value);
  return std::nullopt;
}

bool writes_itself(const Object& module) {
  return class_member(*module.type, "__repr__") || class_member(*module.type, "extra_repr");
}

Value taken_from(Value self, const FunctionPtr& function) {
  auto method = std::make_shared<Function>(*function);
  method->self = std::make_shared<const Value>(std::move(self));
  return Value{FunctionPtr(std::move(method))};
}

Value taken_from(const Object& object, const FunctionPtr& function) {
  const bool of_class = function->kind == Function::Kind::class_method;
  FunctionPtr own = function;
  // What a private class of the library has goes by the name of the one that is made from it.
  if (const size_t dot = own->name.find('.'); own->name.starts_with('_') && dot != own->name.npos && library_of(*own)) {
    auto renamed = std::make_shared<Function>(*own);
    renamed->name = std::string(short_name(*object.type)) + own->name.substr(dot);
    own = std::move(renamed);
  }
  return taken_from(of_class ? Value{object.type} : Value{Object{object.type, object.attributes}}, own);
}

/// Whether no object has that method whose own class does not have it.
static bool is_never_given(std::string_view name) {
  constexpr std::string_view methods =
      " __array__ __bool__ __call__ __contains__ __delitem__ __enter__ __exit__ __float__ __getitem__ __getitems__ "
      "__index__ __int__ __iter__ __len__ __next__ __setitem__ ";
  return methods.find(" " + std::string(name) + " ") != methods.npos;
}

/// object.name: what it keeps itself, what its class has, and what a module has registered.
Interpreter::Result Interpreter::object_attribute(const Value& owner, const Expr& at) {
  const Object& object = std::get<Object>(owner.held);
  const bool module = is_module_class(*object.type);
  const bool hidden = at.text.starts_with('_') && !is_special(at.text) && !runs_written() && memory_kept(owner);
  const Value* const member = hidden ? nullptr : class_member(seen_class(object), at.text);
  const auto* function = member ? std::get_if<FunctionPtr>(&member->held) : nullptr;
  if (function && (*function)->kind == Function::Kind::property) {
    Result value = call(taken_from(object, *function), {}, at);
    // nn.Module takes it for a missing attribute, and says so of the property.
    if (!value && error_->raised && error_->raised->type == "AttributeError" && module)
      error_->raised->text = "'" + type_name(owner) + "' object has no attribute '" + at.text + "'";
    return value;
  }
  const size_t place = object.from || hidden ? SIZE_MAX : attribute_place(*object.attributes, at.text);
  const bool own = place < object.attributes->keys.size(),
             registered = own && kept_as(*object.attributes, place) != Kept::plain;
  if (own && !registered) return object.attributes->values[place];
  if (function && (*function)->kind != Function::Kind::static_method && !(*function)->self)
    return taken_from(object, *function);
  if (member) return *member;
  if (at.text == "__class__" && !object.from) return Value{object.type};
  if (has_method(seen_class(object), at.text))
    return Value{Symbol{"object." + at.text, std::make_shared<const Value>(owner)}};
  if (registered) return object.attributes->values[place];
  const std::string type = memory_kept(owner) ? class_home(*object.type) : type_name(owner);
  Diagnostic problem = python_error("AttributeError", {"'", type, "' object has no attribute '", at.text, "'"},
                                    Msg::attribute_unknown, {type, at.text});
  // Before super().__init__() a module has nothing of its own.
  const bool lacks = &built_in(*object.type) == object_class().get() && is_never_given(at.text);
  if ((is_special(at.text) && !lacks) || (has_besides(*object.type, at.text) && at.text != "training"))
    problem = limit(Msg::not_modelled, {module ? "PyTorch" : "Python", title(at.span)});
  std::vector<std::string> known;
  for (const Member& one : members(owner)) known.push_back(one.name);
  const std::vector<std::string_view> names(known.begin(), known.end());
  if (const auto close = problem.raised ? nearest(at.text, names) : std::nullopt)
    problem.hints.push_back({{Msg::did_you_mean, {*close}}, Fix{at.part, *close}});
  return fail(std::move(problem), at.part);
}

std::optional<Diagnostic> taken_name(const Object& module, const std::string& name) {
  if (!class_member(*module.type, name) && !has_method(*module.type, name) && !has_besides(*module.type, name))
    return std::nullopt;
  return python_error("KeyError", {quoted("attribute '" + name + "' already exists")}, Msg::module_has, {name});
}

/// As torch.nn.Module.__setattr__ does it.
static std::optional<Diagnostic> assign_to_module(const Object& module, const std::string& name, const Value& value) {
  const bool part = is_module_value(value), parameter = is_parameter(value),
             none = std::holds_alternative<None>(value.held);
  if (!has_begun(module) && (part || parameter)) return before_begin(module, part ? "module" : "parameters");
  const size_t place = attribute_place(*module.attributes, name);
  const Kept before = place < module.attributes->keys.size() ? kept_as(*module.attributes, place) : Kept::plain;
  Kept kept = before;
  if (parameter || (part && before != Kept::parameter)) kept = parameter ? Kept::parameter : Kept::module;
  const bool buffer = before == Kept::buffer || before == Kept::passing;
  const bool fits = none || parameter || (part && before != Kept::parameter) || before == Kept::plain ||
                    (buffer && is_of_torch(value));
  if (none && before == Kept::module && is_list_of_modules(*module.type))
    return limit(Msg::not_modelled, {"PyTorch", name + " = None"});
  if (!fits) return refused(before, name, value);
  if (parameter && before != kept)
    if (auto problem = taken_name(module, name)) return problem;
  return keep(module, name, value, kept);
}

/// Whether an object of a frozen dataclass refuses that attribute: of that very class any, of one made from it a field.
static bool refuses(const Object& object, std::string_view name) {
  const Fields* const fields = fields_of(*object.type);
  const auto called = [&](const FunctionParameter& one) { return one.name == name; };
  return fields && fields->frozen &&
         (object.type->fields || std::any_of(fields->parameters.begin(), fields->parameters.end(), called));
}

/// object.name = value, Class.name = value
bool Interpreter::set_attribute(const Value& owner, const Value& value, const Expr& at) {
  const auto* object = std::get_if<Object>(&owner.held);
  const auto* type = std::get_if<ClassPtr>(&owner.held);
  if (type && !is_changeable(**type, at.text)) settings_.replaced.insert((*type)->name + "." + at.text);
  const bool lends = memory_kept(owner) && !runs_written();  // an object of C, whose attributes are what they are
  if (type ? !is_changeable(**type, at.text) : !object || object->from || is_special(at.text) || lends)
    return fail(limit(Msg::not_modelled, {"Python", title(at.span) + " = .."}), at.span).has_value();
  const FunctionPtr function = type ? nullptr : class_function(*object->type, at.text);
  const bool property = function && function->kind == Function::Kind::property;
  if (property && function->setter)
    return call(taken_from(*object, function->setter), {.positional = {value}}, at).has_value();
  if (property)
    return fail(python_error("AttributeError",
                             {"property '", at.text, "' of '", short_name(*object->type), "' object has no setter"},
                             Msg::not_settable, {at.text}),
                at.part)
        .has_value();
  if (object && refuses(*object, at.text))
    return fail(python_error("FrozenInstanceError", {"cannot assign to field '", at.text, "'"}, Msg::field_frozen,
                             {at.text}),
                at.part)
        .has_value();
  may_grow_ = true;
  return settled(type                             ? keep({*type, (*type)->members}, at.text, value)
                 : is_module_class(*object->type) ? assign_to_module(*object, at.text, value)
                                                  : keep(*object, at.text, value),
                 at.span);
}

/// `del object.name`, `del Class.name`
bool Interpreter::forget_attribute(const Expr& target) {
  const Result owner = eval(*target.children[0]);
  if (!owner) return false;
  const auto* object = std::get_if<Object>(&owner->held);
  const auto* itself = std::get_if<ClassPtr>(&owner->held);
  const bool known = itself ? is_changeable(**itself, target.text)
                            : object && !object->from && !is_special(target.text) && !memory_kept(*owner) &&
                                  !has_besides(*object->type, target.text);
  if (!known) return fail(limit(Msg::not_modelled, {"Python", "del " + title(target.span)}), target.span).has_value();
  if (object && refuses(*object, target.text))
    return fail(python_error("FrozenInstanceError", {"cannot delete field '", target.text, "'"}, Msg::field_frozen,
                             {target.text}),
                target.part)
        .has_value();
  const Class& seen = itself ? **itself : *object->type;
  const std::string type(short_name(seen));
  const FunctionPtr function = itself ? nullptr : class_function(seen, target.text);
  const bool property = function && function->kind == Function::Kind::property;
  const auto& items = itself ? seen.members : object->attributes;
  const size_t place = attribute_place(*items, target.text);
  if (!property && place < items->keys.size()) {
    removed_at(Dictionary{items}, place);
    return true;
  }
  return fail(python_error("AttributeError",
                           property ? Slots{"property '", target.text, "' of '", type, "' object has no deleter"}
                           : itself ? Slots{"type object '", type, "' has no attribute '", target.text, "'"}
                                    : Slots{"'", type, "' object has no attribute '", target.text, "'"},
                           Msg::attribute_unknown, {type, target.text}),
              target.part)
      .has_value();
}

/// Class(..): a new object, and what its __init__ does with it.
Interpreter::Result Interpreter::construct(const ClassPtr& type, Arguments arguments, const Expr& at) {
  if (type->row && !type->row->written())
    return invoke(find_forms(Library::torch, Form::Kind::function, type->name), arguments, at.span);
  if (derives(*type, *tuple_class())) return make_named_tuple(type, arguments, at);
  const Object made{type, std::make_shared<DictionaryItems>()};
  const Value* const begins = class_member(*type, "__init__");
  if (!begins) return begin(made, arguments, at) ? Result(Value{made}) : std::nullopt;
  const FunctionPtr function = class_function(*type, "__init__");
  if (!function) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  const Result given = call(taken_from(made, function), std::move(arguments), at);
  if (!given) return std::nullopt;
  if (!std::holds_alternative<None>(given->held))
    return fail(python_error("TypeError", {"__init__() should return None, not '", type_name(*given), "'"},
                             Msg::argument_has_type, {"__init__()", "None", type_name(*given)}),
                at.span);
  Applied& applied = step_->applied.back();
  applied.result = frozen(Value{made});
  std::vector<Message> lines{{Msg::object_made, {std::string(short_name(*type))}}};
  if (const TensorRef memory = memory_kept({made})) lines = {{Msg::memory_made, {memory->tensor->storage->nbytes}}};
  if (!is_class(*function->statement) && !library_of(*function)) lines.push_back(applied.why.lines.back());
  applied.why.lines = std::move(lines);
  return Value{made};
}

/// The __init__ that no class of the program has defined.
bool Interpreter::begin(const Object& object, const Arguments& arguments, const Expr& at) {
  const Class& type = built_in(seen_class(object));
  const bool module = is_module_class(type);
  if (module) {
    DictionaryItems& items = *object.attributes;
    for (size_t i = items.keys.size(); i-- > 0;)
      if (kept_as(items, i) != Kept::plain) removed_at(Dictionary{object.attributes}, i);
  }
  if (type.row && !type.row->written()) {
    const Result made = invoke(find_forms(Library::torch, Form::Kind::function, type.name), arguments, at.span);
    if (!made) return false;
    const DictionaryItems& items = *std::get<Object>(made->held).attributes;
    for (size_t i = 0; i < items.keys.size(); ++i)
      if (!settled(keep(object, attribute_name(items, i), items.values[i], kept_as(items, i)), at.span)) return false;
    return true;
  }
  const std::string name(short_name(*object.type)), called = module ? name + ".__init__()" : "object.__init__()";
  const size_t given = arguments.positional.size() + arguments.named.size();
  const bool plain = !module && !object.from;  // where __new__ has the first word
  Slots text{called, " takes exactly one argument (the instance to initialize)"};
  if (module && !arguments.named.empty())
    text = {called, " got an unexpected keyword argument '", arguments.named[0].first, "'"};
  else if (module)
    text = {called, " takes 1 positional argument but ", given + 1, " were given"};
  else if (plain)
    text = {name, "() takes no arguments"};
  if (given > 0)
    return fail(python_error("TypeError", text, Msg::too_many_arguments,
                             {plain ? name : called, 0, given, plain ? name + "()" : "__init__()"}),
                at.span)
        .has_value();
  return !module || !keep(object, "training", Value{true});
}

/// object(..): of a module its forward, whichever class has it.
Interpreter::Result Interpreter::call_object(const Value& owner, Arguments arguments, const Expr& at,
                                             const std::string& path) {
  const Object& object = std::get<Object>(owner.held);
  const std::string type = type_name(owner);
  const bool module = is_module_class(*object.type) && !object.from;
  const Value* const called = object.from ? nullptr : class_member(*object.type, "__call__");
  if (!called && module && !has_begun(object))
    return fail(python_error("AttributeError", {"'", type, "' object has no attribute '_backward_hooks'"},
                             Msg::module_not_begun, {type}),
                at.span);
  if (const auto* function = called ? std::get_if<FunctionPtr>(&called->held) : nullptr)
    return call(taken_from(object, *function), std::move(arguments), at);
  if (called) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (module) return call_module(object, std::move(arguments), at, path);
  return fail(python_error("TypeError", {"'", type, "' object is not callable"}, Msg::not_callable, {type}), at.span);
}

/// Which of so many modules a key names; nothing: error_ says why none.
std::optional<size_t> Interpreter::module_place(size_t count, const Value& key, const Expr& at) {
  const auto number = as_integer(key);
  const auto size = static_cast<int64_t>(count);
  if (number && *number >= -size && *number < size) return static_cast<size_t>(*number < 0 ? *number + size : *number);
  if (number)
    fail(python_error("IndexError", {"index ", *number, " is out of range"}, Msg::index_out_of_range,
                      {*number, 0, size}),
         at.span);
  else
    fail(python_error("TypeError", {"'", attribute_type(key), "' object cannot be interpreted as an integer"},
                      Msg::argument_has_type, {"index", "int", type_name(key)}),
         at.span);
  return std::nullopt;
}

/// object[key]
Interpreter::Result Interpreter::object_part(const Object& object, const Value& key, const Expr& at) {
  const std::string type = type_name(Value{object});
  if (has_special(Value{object}, "__getitem__")) return special(Value{object}, "__getitem__", {key}, at);
  if (is_dictionary_of_modules(*object.type)) {
    const auto* name = std::get_if<std::string>(&key.held);
    for (const auto& [own, part] : children_of(object))
      if (name && own == *name) return part;
    return fail(missing_key(key), at.span);
  }
  if (!is_list_of_modules(*object.type))
    return fail(python_error("TypeError", {"'", type, "' object is not subscriptable"}, Msg::not_subscriptable, {type}),
                at.span);
  const auto parts = children_of(object);
  const auto size = static_cast<int64_t>(parts.size());
  const auto* slice = std::get_if<SliceValue>(&key.held);
  if (slice && object.type->row) {
    const auto [taken, problem] = range_of(*slice, size);
    if (problem) return fail(*problem, at.span);
    const Object made{object.type, std::make_shared<DictionaryItems>()};
    const bool named = object.type->row->name == "Sequential";
    keep(made, "training", Value{true});
    for (int64_t i = 0; i < taken.count; ++i) {
      const auto& [name, part] = parts[static_cast<size_t>(taken.start + i * taken.step)];
      keep(made, named ? name : std::to_string(i), part, Kept::module);
    }
    return Value{made};
  }
  if (slice) return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span);
  const auto found = module_place(parts.size(), key, at);
  if (!found) return std::nullopt;
  // The one looks for a place, the other for a name.
  if (built_in(*object.type).row->name == "ModuleList" && parts[*found].first != std::to_string(*found))
    return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span);
  return parts[*found].second;
}

/// object[key] = value
bool Interpreter::set_part(const Object& object, const Value& key, const Value& value, const Expr& at) {
  if (has_special(Value{object}, "__setitem__"))
    return special(Value{object}, "__setitem__", {key, value}, at).has_value();
  const std::string type = type_name(Value{object});
  const auto* name = std::get_if<std::string>(&key.held);
  if (name && is_dictionary_of_modules(*object.type)) return enroll(object, *name, value, Kept::module, at);
  if (is_dictionary_of_modules(*object.type))
    return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span) + " = .."}), at.span).has_value();
  if (!is_list_of_modules(*object.type))
    return fail(python_error("TypeError", {"'", type, "' object does not support item assignment"}, Msg::not_assignable,
                             {type}),
                at.span)
        .has_value();
  const NamedValues parts = children_of(object);
  const auto found = module_place(parts.size(), key, at);
  if (!found) return false;
  may_grow_ = true;
  return settled(assign_to_module(object, parts[*found].first, value), at.span);
}

}  // namespace stridescope
