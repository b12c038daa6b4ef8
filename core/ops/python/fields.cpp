// Dataclasses: classes whose lines name fields, for which Python writes __init__, __repr__ and __eq__.
#include <algorithm>

#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"
#include "ops/python/text.h"

namespace stridescope {
namespace {

/// Whether Python takes it for one that all objects would share.
bool is_mutable(const Value& value) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  const TensorPtr tensor = tensor_of(value);
  return (sequence && sequence->kind == Sequence::Kind::list) || std::holds_alternative<Dictionary>(value.held) ||
         std::holds_alternative<Set>(value.held) || (tensor && tensor->library == Library::numpy) ||
         (compares_itself(value) && !is_frozen(value));
}

/// What field(..) says of a field: nothing, its default, or None and what makes one for each object; null of any other
/// value.
const Value* said_of_field(const Value& value) {
  const auto* symbol = std::get_if<Symbol>(&value.held);
  return symbol && symbol->path == "dataclasses.Field" ? symbol->self.get() : nullptr;
}

/// What a dataclass writes anew where a class above it has it already.
constexpr std::string_view written_anew[] = {"__repr__", "__eq__"};

}  // namespace

const Fields* fields_of(const Class& type) {
  return type.fields ? type.fields.get() : type.base ? fields_of(*type.base) : nullptr;
}

const Value* field_of(const Object& object, std::string_view name) {
  if (const Value* const own = attribute_of(object, name)) return own;
  const Value* const shared = class_member(*object.type, name);
  return shared && !std::holds_alternative<FunctionPtr>(shared->held) ? shared : nullptr;
}

bool compares_itself(const Value& value) {
  const auto* object = std::get_if<Object>(&value.held);
  return object && (class_member(*object->type, "__eq__") || fields_of(*object->type));
}

bool is_frozen(const Value& value) {
  const auto* object = std::get_if<Object>(&value.held);
  const Fields* const fields = object ? fields_of(*object->type) : nullptr;
  return fields && fields->frozen;
}

std::optional<std::vector<Value>> frozen_fields(const Value& value) {
  if (!is_frozen(value)) return std::nullopt;
  const auto& object = std::get<Object>(value.held);
  const std::vector<FunctionParameter>& fields = fields_of(*object.type)->parameters;
  std::vector<Value> values;
  for (size_t i = 1; i < fields.size(); ++i) {
    const Value* const one = field_of(object, fields[i].name);
    if (!one) return std::nullopt;
    values.push_back(*one);
  }
  return values;
}

/// What `@dataclass(..)` says of whether it is frozen; nothing where it says more than is known here.
static std::optional<bool> says_frozen(const Expr& decorator) {
  bool frozen = false;
  for (const Argument& argument : decorator.arguments) {
    const bool on = argument.value && argument.value->kind == Expr::Kind::boolean && argument.value->integer == 1;
    const bool usual = argument.name == "eq" || argument.name == "repr" || argument.name == "init";
    const bool known = argument.name == "frozen" && argument.value->kind == Expr::Kind::boolean;
    if (!known && !(usual && on)) return std::nullopt;
    frozen |= known && on;
  }
  return frozen;
}

/// `@dataclass` or `@dataclass(frozen=True)`, the only decorator of a class that is read.
bool Interpreter::makes_fields(const Expr& decorator) {
  const bool called = decorator.kind == Expr::Kind::call && says_frozen(decorator);
  const Result value = eval(called ? *decorator.children[0] : decorator);
  if (!value && error_->raised) return false;
  const auto* symbol = value ? std::get_if<Symbol>(&value->held) : nullptr;
  if (symbol && symbol->path == "dataclasses.dataclass") return true;
  fail(limit(Msg::not_modelled, {"Python", "@" + title(decorator.span)}), decorator.span);
  error_->hints = {{{Msg::hint_lang_decorator, {}}, {}}};
  return false;
}

/// field(default=..) or field(default_factory=..)
Interpreter::Result Interpreter::field_said(const Arguments& arguments, const Expr& at) {
  const Value *fallback = nullptr, *factory = nullptr;
  bool usual = arguments.positional.empty();
  for (const auto& [word, value] : arguments.named) {
    if (word == "default") fallback = &value;
    if (word == "default_factory") factory = &value;
    const auto* on = std::get_if<bool>(&value.held);
    usual &= fallback == &value || factory == &value || word == "metadata" ||
             ((word == "init" || word == "repr" || word == "compare") && on && *on);
  }
  if (fallback && factory)
    return fail(python_error("ValueError", "cannot specify both default and default_factory", Msg::field_twice),
                at.span);
  if (!usual || (factory && !is_callable(*factory)))
    return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  std::vector<Value> said;
  if (factory) said = {Value{}, *factory};
  if (fallback) said = {*fallback};
  return Value{Symbol{"dataclasses.Field", std::make_shared<const Value>(list_of(said, Sequence::Kind::tuple))}};
}

/// Gives a class the fields that its lines and the dataclasses above it name, and the __init__ that takes them.
bool Interpreter::add_fields(const std::shared_ptr<Class>& type, const Statement& header) {
  const Span place = header.decorators.front()->span;
  const auto fields = std::make_shared<Fields>();
  fields->frozen = says_frozen(*header.decorators.front()).value_or(false);
  const auto add = [&](const std::string& name, Span written, const Value* fallback) {
    auto& list = fields->parameters;
    auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
    if (found == list.end()) {
      found = list.insert(list.end(), FunctionParameter{name, FunctionParameter::Kind::usual, nullptr});
      fields->defaults.emplace_back();
    }
    found->fallback = fallback ? &fields->places.emplace_back() : nullptr;
    if (fallback) found->fallback->span = written;
    fields->defaults[static_cast<size_t>(found - list.begin())] = fallback ? *fallback : Value{};
  };
  add("self", {}, nullptr);
  const Fields* const above = fields_of(*type->base);
  if (above && above->frozen != fields->frozen)
    return fail(python_error("TypeError",
                             fields->frozen ? "cannot inherit frozen dataclass from a non-frozen one"
                                            : "cannot inherit non-frozen dataclass from a frozen one",
                             Msg::field_frozen_above, {type->name, type->base->name}),
                place)
        .has_value();
  if (above)
    for (size_t i = 1; i < above->parameters.size(); ++i) {
      const FunctionParameter& one = above->parameters[i];
      add(one.name, one.fallback ? one.fallback->span : Span{}, one.fallback ? &above->defaults[i] : nullptr);
    }
  const auto refuse = [&](Span span) {
    return fail(limit(Msg::not_modelled, {"Python", title(span)}), span).has_value();
  };
  const auto own = [&](std::string_view name) {
    return attribute_place(*type->members, name) < type->members->keys.size();
  };
  const bool hashes = own("__hash__") || own("__eq__") || own("__setattr__");
  if (is_module_class(*type) || header.decorators.size() > 1 || (fields->frozen && hashes)) return refuse(place);
  for (const std::string_view name : written_anew)
    if (!own(name) && class_member(*type, name)) return refuse(place);
  for (const Statement* line = &header + 1; line <= &header + header.body; ++line) {
    if (is_function(*line)) {
      line += line->body;
      continue;
    }
    if (line->type == Span{} || line->targets[0]->kind != Expr::Kind::name) continue;
    const std::string said = title(line->type);
    for (const std::string_view other : {"ClassVar", "InitVar", "KW_ONLY"})
      if (said.find(other) != said.npos) return refuse(line->span);
    const std::string& name = line->targets[0]->text;
    const Value* fallback = class_member(*type, name);
    // What field(..) says takes its place; without a default of its own the class has no such attribute.
    const Value written = fallback ? *fallback : Value{};
    if (const Value* const parts = said_of_field(written)) {
      const bool has_default = parts_of(*parts).size() == 1;
      if (has_default && !settled(keep({type, type->members}, name, parts_of(*parts)[0]), line->span)) return false;
      if (!has_default) removed_at(Dictionary{type->members}, attribute_place(*type->members, name));
      fallback = has_default ? class_member(*type, name) : parts_of(*parts).empty() ? nullptr : &written;
    }
    if (fallback && is_mutable(*fallback)) {
      const std::string kind = torch_typename(*fallback).value_or(type_name(*fallback));
      return fail(python_error(
                      "ValueError",
                      {"mutable default <class '", kind, "'> for field ", name, " is not allowed: use default_factory"},
                      Msg::field_shared, {name, kind}),
                  line->span)
          .has_value();
    }
    add(name, line->value ? line->value->span : Span{}, fallback);
  }
  for (size_t i = 0; i < type->members->keys.size(); ++i)
    if (said_of_field(type->members->values[i]))
      return fail(python_error("TypeError",
                               {quoted(attribute_name(*type->members, i)), " is a field but has no type annotation"},
                               Msg::field_untyped, {attribute_name(*type->members, i)}),
                  place)
          .has_value();
  const FunctionParameter* last = nullptr;
  for (size_t i = 1; i < fields->parameters.size() && !own("__init__"); ++i) {
    const FunctionParameter& one = fields->parameters[i];
    if (last && !one.fallback)
      return fail(python_error("TypeError",
                               {"non-default argument '", one.name, "' follows default argument '", last->name, "'"},
                               Msg::field_order, {one.name, last->name}),
                  place)
          .has_value();
    if (one.fallback) last = &one;
  }
  type->fields = fields;
  if (own("__init__")) return true;
  Function begins{&header, nullptr, &fields->parameters, {fields, &fields->defaults}, type->name + ".__init__", scope_};
  begins.owner = type;
  const Object itself{type, type->members};
  return settled(keep(itself, "__init__", Value{std::make_shared<const Function>(std::move(begins))}), header.span);
}

/// What that __init__ does: the object keeps each field, self apart; then its own __post_init__.
Interpreter::Result Interpreter::fill_fields(const Object& object,
                                             const std::vector<std::pair<std::string, Value>>& fields, const Expr& at) {
  may_grow_ = true;
  for (size_t i = 1; i < fields.size(); ++i) {
    const Value* const said = said_of_field(fields[i].second);
    const Result worth = said ? call(parts_of(*said)[1], {}, at) : Result(fields[i].second);
    if (!worth || !settled(keep(object, fields[i].first, *worth), at.span)) return std::nullopt;
  }
  if (const FunctionPtr rest = class_function(*object.type, "__post_init__"))
    if (!call(taken_from(object, rest), {}, at)) return std::nullopt;
  add_applied(at.span);
  return Value{};
}

/// a == b, of objects of one dataclass: this field's == and that one's and so on, as far as they hold.
Interpreter::Result Interpreter::fields_equal(const Fields& fields, const Value& a, const Value& b, const Expr& at) {
  Value answer{true};
  for (size_t i = 1; i < fields.parameters.size(); ++i) {
    const Result holds = truth_of(answer, at);
    if (!holds) return std::nullopt;
    if (!std::get<bool>(holds->held)) break;
    const std::string& name = fields.parameters[i].name;
    const Value* const left = field_of(std::get<Object>(a.held), name);
    const Value* const right = field_of(std::get<Object>(b.held), name);
    if (!left || !right) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
    const Result same = compare("==", *left, *right, at);
    if (!same) return std::nullopt;
    answer = *same;
  }
  return answer;
}

/// "Config(width=8, name='a')"; the object itself where a field has no text that is known here.
Interpreter::Result Interpreter::fields_in_words(const Object& object, const Fields& fields, const Expr& at) {
  std::string text = object.type->name + "(";
  for (size_t i = 1; i < fields.parameters.size(); ++i) {
    const std::string& name = fields.parameters[i].name;
    const Value* const value = field_of(object, name);
    const Result worth = value ? worded(*value, true, at) : Result(Value{});
    if (!worth) return std::nullopt;
    const bool is_text = value && std::holds_alternative<std::string>(value->held);
    const auto* done = is_text ? nullptr : std::get_if<std::string>(&worth->held);
    const auto words = done ? std::optional(*done) : value ? python_repr(*value) : std::nullopt;
    if (!words) return Value{object};
    text += (i > 1 ? ", " : "") + name + "=" + *words;
  }
  return Value{text + ")"};
}

}  // namespace stridescope
