#include "ops/classes.h"

#include <algorithm>

#include "ops/dictionary.h"
#include "ops/interpreter.h"
#include "ops/members.h"
#include "ops/names.h"
#include "ops/suggest.h"
#include "ops/torch/modules.h"

namespace stridescope {
namespace {

const Value* own_member(const DictionaryItems& items, std::string_view name) {
  for (size_t i = 0; i < items.keys.size(); ++i)
    if (std::get<std::string>(items.keys[i].held) == name) return &items.values[i];
  return nullptr;
}

bool is_module_class(const Class& type) { return &root_of(type) == module_class().get(); }

bool is_special(std::string_view name) { return name.size() > 4 && name.starts_with("__") && name.ends_with("__"); }

/// Methods that a module has of its own.
constexpr std::string_view module_methods[] = {"cpu", "eval", "register_buffer", "to", "train"};

bool has_method(const Class& type, std::string_view name) {
  return name == "__init__" || (is_module_class(type) && std::find(std::begin(module_methods), std::end(module_methods),
                                                                   name) != std::end(module_methods));
}

/// Whether a module would take `now` where it holds `before` (null: nothing): what it has registered keeps its kind,
/// and which tensors are parameters is not told from others that gradients end at.
bool takes(const Value* before, const Value& now) {
  const TensorPtr held = before ? tensor_of(*before) : nullptr, given = tensor_of(now);
  if (std::holds_alternative<None>(now.held)) return true;
  if (held) return given && (!held->is_leaf || !held->requires_grad || (given->is_leaf && given->requires_grad));
  return !before || !is_module_value(*before) || is_module_value(now);
}

/// A method as it is taken from an object or a class, which is its first argument.
Value taken_from(Value self, const FunctionPtr& function) {
  auto method = std::make_shared<Function>(*function);
  method->self = std::make_shared<const Value>(std::move(self));
  return Value{FunctionPtr(std::move(method))};
}

Value taken_from(const Object& object, const FunctionPtr& function) {
  const bool of_class = function->kind == Function::Kind::class_method;
  return taken_from(of_class ? Value{object.type} : Value{Object{object.type, object.attributes}}, function);
}

}  // namespace

const ClassPtr& object_class() {
  static const ClassPtr object = std::make_shared<const Class>(Class{"object", nullptr, {}});
  return object;
}

const ClassPtr& module_class() {
  static const ClassPtr module = std::make_shared<const Class>(Class{"torch.nn.Module", nullptr, {}});
  return module;
}

const Class& root_of(const Class& type) { return type.base ? root_of(*type.base) : type; }

bool derives(const Class& type, const Class& base) {
  return &type == &base || (type.base && derives(*type.base, base));
}

const Value* class_member(const Class& type, std::string_view name) {
  const Value* const own = own_member(type.members, name);
  return own || !type.base ? own : class_member(*type.base, name);
}

std::string_view short_name(const Class& type) { return std::string_view(type.name).substr(type.name.rfind('.') + 1); }

/// A class and what its lines give it, one after the other; their names are seen by those below, not by its functions.
Interpreter::Result Interpreter::define_class(const Statement& header) {
  const std::string& name = header.targets[0]->text;
  const bool plain =
      !header.value || (header.value->kind == Expr::Kind::name && header.value->text == "object" && !find("object"));
  const Result base = plain ? Value{object_class()} : eval(*header.value);
  if (!base) return std::nullopt;
  const auto* above = std::get_if<ClassPtr>(&base->held);
  const auto not_modelled = [&](Span span) { return fail(limit(Msg::not_modelled, {"Python", title(span)}), span); };
  if (!above) return not_modelled(header.value->span);
  const auto type = std::make_shared<Class>(Class{qualified(name), *above, {}});
  const size_t outside = locals_.size();
  const Statement* const last = &header + header.body;
  bool made = true;
  for (const Statement* line = &header + 1; made && line <= last; ++line) {
    const Expr* const target = line->targets.empty() ? nullptr : line->targets[0].get();
    const bool gives = line->kind == Statement::Kind::assign && line->targets.size() == 1,
               described = line->kind == Statement::Kind::expression &&
                           (line->value->kind == Expr::Kind::string || line->value->kind == Expr::Kind::ellipsis);
    flow_->note(*line);
    if (described || line->kind == Statement::Kind::pass) continue;
    if (!(is_function(*line) || gives) || target->kind != Expr::Kind::name) {
      made = not_modelled(line->span).has_value();
      break;
    }
    if (is_special(target->text) && target->text != "__init__" && target->text != "__call__") {
      made = not_modelled(target->span).has_value();
      break;
    }
    class_ = type;
    const Result value = is_function(*line) ? define(*line, nullptr) : eval(*line->value);
    class_.reset();
    made = value.has_value();
    if (!made) break;
    locals_.emplace_back(target->text, *value);
    auto problem =
        store(Dictionary{std::shared_ptr<DictionaryItems>(type, &type->members)}, Value{target->text}, *value);
    if (problem) made = fail(*std::move(problem), line->span).has_value();
    if (is_function(*line)) line += line->body;
  }
  locals_.resize(outside);
  return made ? Result(Value{ClassPtr(type)}) : std::nullopt;
}

/// Class.name
Interpreter::Result Interpreter::class_attribute(const ClassPtr& type, const Expr& at) {
  const Value* const member = class_member(*type, at.text);
  const auto* function = member ? std::get_if<FunctionPtr>(&member->held) : nullptr;
  if (function && (*function)->kind == Function::Kind::class_method) return taken_from(Value{type}, *function);
  if (member && !(function && (*function)->kind == Function::Kind::property)) return *member;
  if (at.text == "__name__") return Value{std::string(short_name(*type))};
  const std::string name(short_name(*type));
  Diagnostic problem = python_error("AttributeError", {"type object '", name, "' has no attribute '", at.text, "'"},
                                    Msg::attribute_unknown, {name, at.text});
  if (member || is_special(at.text) || has_method(*type, at.text) ||
      (is_module_class(*type) && library_has("torch.nn.Module", at.text)))
    problem = limit(Msg::not_modelled, {"Python", name + "." + at.text});
  return fail(std::move(problem), at.name_span);
}

/// object.name: what it has itself, and what its class has.
Interpreter::Result Interpreter::object_attribute(const Value& owner, const Expr& at) {
  const Object& object = std::get<Object>(owner.held);
  const Value* const member = class_member(object.from ? *object.from : *object.type, at.text);
  const auto* function = member ? std::get_if<FunctionPtr>(&member->held) : nullptr;
  const bool property = function && (*function)->kind == Function::Kind::property;
  if (property) {
    Result value = call(taken_from(object, *function), {}, at);
    // nn.Module takes it for a missing attribute, and says so of the property.
    if (!value && error_->raised && error_->raised->type == "AttributeError" && is_module_class(*object.type))
      error_->raised->text = "'" + type_name(owner) + "' object has no attribute '" + at.text + "'";
    return value;
  }
  const Value* const own = object.from ? nullptr : own_member(*object.attributes, at.text);
  if (own) return *own;
  if (function && (*function)->kind != Function::Kind::static_method && !(*function)->self)
    return taken_from(object, *function);
  if (member) return *member;
  if (at.text == "__class__" && !object.from) return Value{object.type};
  if (has_method(*object.type, at.text))
    return Value{Symbol{"object." + at.text, std::make_shared<const Value>(owner)}};
  const std::string type = type_name(owner);
  // Before super().__init__() a module has nothing of its own.
  const bool modules =
      is_module_class(*object.type) && at.text != "training" && library_has("torch.nn.Module", at.text);
  Diagnostic problem = python_error("AttributeError", {"'", type, "' object has no attribute '", at.text, "'"},
                                    Msg::attribute_unknown, {type, at.text});
  if (is_special(at.text) || modules)
    problem = limit(Msg::not_modelled, {modules ? "PyTorch" : "Python", title(at.span)});
  std::vector<std::string> known;
  for (const Member& one : members(owner)) known.push_back(one.name);
  const std::vector<std::string_view> names(known.begin(), known.end());
  if (const auto close = problem.raised ? nearest(at.text, names) : std::nullopt)
    problem.hints.push_back({{Msg::did_you_mean, {*close}}, Fix{at.name_span, *close}});
  return fail(std::move(problem), at.name_span);
}

/// object.name = value
bool Interpreter::set_attribute(const Value& owner, const Value& value, const Expr& at) {
  const auto* object = std::get_if<Object>(&owner.held);
  if (!object || object->from)
    return fail(limit(Msg::not_modelled, {"Python", title(at.span) + " = .."}), at.span).has_value();
  const Value* const member = class_member(*object->type, at.text);
  const auto* function = member ? std::get_if<FunctionPtr>(&member->held) : nullptr;
  if (function && (*function)->kind == Function::Kind::property)
    return fail(python_error("AttributeError",
                             {"property '", at.text, "' of '", short_name(*object->type), "' object has no setter"},
                             Msg::not_settable, {at.text}),
                at.name_span)
        .has_value();
  may_grow_ = true;
  const bool module = is_module_class(*object->type), begun = own_member(*object->attributes, "training");
  if (module && !begun && is_module_value(value))
    return fail(python_error("AttributeError", "cannot assign module before Module.__init__() call",
                             Msg::module_not_begun, {std::string(short_name(*object->type))}),
                at.span)
        .has_value();
  const TensorPtr tensor = tensor_of(value);
  const bool fits =
      !module || (begun ? takes(own_member(*object->attributes, at.text), value) : !tensor || !tensor->requires_grad);
  const bool stored = fits && !is_special(at.text) && !store(Dictionary{object->attributes}, Value{at.text}, value);
  return stored || fail(limit(Msg::not_modelled, {"Python", title(at.span) + " = .."}), at.span).has_value();
}

/// Class(..): a new object, and what its __init__ does with it.
Interpreter::Result Interpreter::construct(const ClassPtr& type, Arguments arguments, const Expr& at) {
  Value made{Object{type, std::make_shared<DictionaryItems>()}};
  const Value* const begin = class_member(*type, "__init__");
  const auto* function = begin ? std::get_if<FunctionPtr>(&begin->held) : nullptr;
  if (begin && !function) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (!function) {
    const size_t given = arguments.positional.size() + arguments.named.size();
    const std::string name(short_name(*type));
    if (given > 0 && !is_module_class(*type))
      return fail(python_error("TypeError", {name, "() takes no arguments"}, Msg::too_many_arguments,
                               {name, 0, given, name + "()"}),
                  at.span);
    return object_method("__init__", made, arguments, at) ? Result(made) : std::nullopt;
  }
  const Result given = call(taken_from(std::get<Object>(made.held), *function), std::move(arguments), at);
  if (!given) return std::nullopt;
  if (!std::holds_alternative<None>(given->held))
    return fail(python_error("TypeError", {"__init__() should return None, not '", type_name(*given), "'"},
                             Msg::argument_has_type, {"__init__()", "None", type_name(*given)}),
                at.span);
  Applied& applied = step_->applied.back();
  applied.result = frozen(made);
  applied.why.lines = {{Msg::object_made, {std::string(short_name(*type))}}, {Msg::call_lines, {}}};
  return made;
}

/// object(..): of a module its forward.
Interpreter::Result Interpreter::call_object(const Value& owner, Arguments arguments, const Expr& at) {
  const Object& object = std::get<Object>(owner.held);
  const std::string type = type_name(owner);
  const bool module = is_module_class(*object.type) && !object.from;
  const Value* const special = object.from ? nullptr : class_member(*object.type, "__call__");
  const Value* const called = special || !module ? special : class_member(*object.type, "forward");
  const auto* function = called ? std::get_if<FunctionPtr>(&called->held) : nullptr;
  if (!special && module && !own_member(*object.attributes, "training"))
    return fail(python_error("AttributeError", {"'", type, "' object has no attribute '_backward_hooks'"},
                             Msg::module_not_begun, {type}),
                at.span);
  if (function) return call(taken_from(object, *function), std::move(arguments), at);
  if (called) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (module)
    return fail(
        python_error("NotImplementedError", {"Module [", type, "] is missing the required \"forward\" function"},
                     Msg::attribute_unknown, {type, "forward"}),
        at.span);
  return fail(python_error("TypeError", {"'", type, "' object is not callable"}, Msg::not_callable, {type}), at.span);
}

/// Methods that no class of the program has defined.
Interpreter::Result Interpreter::object_method(std::string_view name, const Value& self, const Arguments& arguments,
                                               const Expr& at) {
  const Object& object = std::get<Object>(self.held);
  const Dictionary attributes{object.attributes};
  const auto& given = arguments.positional;
  const auto not_modelled = [&] { return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span); };
  const auto set = [&](const std::string& key, const Value& value) { return !store(attributes, Value{key}, value); };
  if (name == "__init__") {
    const bool module = is_module_class(*object.type);
    const std::string begin = module ? std::string(short_name(*object.type)) + ".__init__()" : "object.__init__()";
    const Slots reason{begin, 0, given.size() + arguments.named.size(), "__init__()"};
    if (module && !arguments.named.empty())
      return fail(
          python_error("TypeError", {begin, " got an unexpected keyword argument '", arguments.named[0].first, "'"},
                       Msg::too_many_arguments, reason),
          at.span);
    if (module && !given.empty())
      return fail(
          python_error("TypeError", {begin, " takes 1 positional argument but ", given.size() + 1, " were given"},
                       Msg::too_many_arguments, reason),
          at.span);
    if (!given.empty() || !arguments.named.empty())
      return fail(python_error("TypeError", {begin, " takes exactly one argument (the instance to initialize)"},
                               Msg::too_many_arguments, reason),
                  at.span);
    if (module) set("training", Value{true});
    return Value{};
  }
  if (!arguments.named.empty()) return not_modelled();
  if (!own_member(*object.attributes, "training")) return not_modelled();
  if (name == "register_buffer") {
    const auto* key = given.size() == 2 ? std::get_if<std::string>(&given[0].held) : nullptr;
    const bool fits = key && !key->empty() && key->find('.') == key->npos && tensor_of(given[1]) &&
                      tensor_of(given[1])->library == Library::torch && !own_member(*object.attributes, *key) &&
                      !class_member(*object.type, *key) && !library_has("torch.nn.Module", *key);
    may_grow_ = true;
    return fits && set(*key, given[1]) ? Result(Value{}) : not_modelled();
  }
  if (name == "cpu" || name == "to") {  // everything is there
    const auto* device = given.size() == 1 ? std::get_if<std::string>(&given[0].held) : nullptr;
    const bool there = name == "cpu"
                           ? given.empty()
                           : given.size() == 1 && (device ? *device == "cpu" : device_name(given[0]) == "cpu");
    return there ? Result(Value{Object{object.type, object.attributes}}) : not_modelled();
  }
  // train(mode) and eval(), of the modules in it, too.
  const bool* const mode = given.empty() ? nullptr : std::get_if<bool>(&given[0].held);
  if (given.size() > (name == "train" ? 1U : 0U) || (!given.empty() && !mode)) return not_modelled();
  const Value turned{Object{object.type, object.attributes}};
  set_training(turned, name == "train" && (!mode || *mode));
  return turned;
}

/// super(): what the first argument of the method that runs is to the class above the one that it was defined in.
Interpreter::Result Interpreter::super_of(const Expr& expr) {
  const FunctionPtr function = calls_.empty() ? nullptr : calls_.back().function;
  const ClassPtr owner = function ? function->owner.lock() : nullptr;
  const Value* const self =
      owner && !function->parameters->empty() ? find(function->parameters->front().name) : nullptr;
  const auto* object = self ? std::get_if<Object>(&self->held) : nullptr;
  bool usual = object && owner->base && (expr.arguments.empty() || expr.arguments.size() == 2);
  if (usual && !expr.arguments.empty()) {  // super(Class, self)
    const Expr &type = *expr.arguments[0].value, &first = *expr.arguments[1].value;
    const Value* const named = type.kind == Expr::Kind::name ? find(type.text) : nullptr;
    const auto* given = named ? std::get_if<ClassPtr>(&named->held) : nullptr;
    usual = given && *given == owner && first.kind == Expr::Kind::name && find(first.text) == self;
  }
  if (!usual) return fail(limit(Msg::not_modelled, {"Python", title(expr.span)}), expr.span);
  return Value{Object{object->type, object->attributes, owner->base}};
}

}  // namespace stridescope
