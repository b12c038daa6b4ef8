// Named tuples: classes whose objects are tuples, made by collections.namedtuple or from the typed names of a class.
#include <algorithm>

#include "lang/utf8.h"
#include "lang/word.h"
#include "ops/members.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"
#include "ops/python/parameters.h"

namespace stridescope {
namespace {

bool is_identifier(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// The text, if it is one whose letters are ASCII: which others may stand in a name Python looks up.
const std::string* plain_text(const Value& value) {
  const auto* text = std::get_if<std::string>(&value.held);
  return text && is_ascii(*text) ? text : nullptr;
}

/// "a b, c" or a list of strings; nothing of anything else.
std::optional<std::vector<std::string>> names_in(const Value& value) {
  std::vector<std::string> names;
  if (const std::string* text = plain_text(value)) {
    std::string_view rest = *text;
    while (true) {
      const size_t begin = std::min(rest.find_first_not_of(", \t\n"), rest.size());
      rest.remove_prefix(begin);
      if (rest.empty()) return names;
      names.emplace_back(rest.substr(0, rest.find_first_of(", \t\n")));
      rest.remove_prefix(names.back().size());
    }
  }
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (!sequence || (sequence->kind != Sequence::Kind::list && !is_tuple(sequence->kind))) return std::nullopt;
  for (const Value& one : *sequence->items) {
    const std::string* name = plain_text(one);
    if (!name) return std::nullopt;
    names.push_back(*name);
  }
  return names;
}

/// What Python says of names that no field can have.
std::optional<Diagnostic> misnamed(const std::string& type, const std::vector<std::string>& fields) {
  const auto refuse = [](const Slots& text, const std::string& name) {
    return python_error("ValueError", text, Msg::field_name, {name});
  };
  std::vector<std::string> names{type};
  names.insert(names.end(), fields.begin(), fields.end());
  for (const std::string& name : names) {
    if (!is_identifier(name))
      return refuse({"Type names and field names must be valid identifiers: ", quoted(name)}, name);
    if (Word::reserved(name)) return refuse({"Type names and field names cannot be a keyword: ", quoted(name)}, name);
  }
  for (auto name = fields.begin(); name != fields.end(); ++name) {
    if (name->starts_with('_')) return refuse({"Field names cannot start with an underscore: ", quoted(*name)}, *name);
    if (std::find(fields.begin(), name, *name) != name)
      return refuse({"Encountered duplicate field name: ", quoted(*name)}, *name);
  }
  return std::nullopt;
}

std::shared_ptr<Class> class_with(std::string name, const std::vector<std::string>& names,
                                  const std::vector<Value>& defaults) {
  const auto fields = std::make_shared<Fields>();
  fields->parameters.push_back({"_cls", FunctionParameter::Kind::usual, nullptr});
  fields->defaults.emplace_back();
  const size_t required = names.size() - defaults.size();
  for (size_t i = 0; i < names.size(); ++i) {
    fields->names += (i > 0 ? " " : "") + names[i];
    fields->parameters.push_back({names[i], FunctionParameter::Kind::usual, nullptr});
    if (i >= required) fields->parameters.back().fallback = &fields->places.emplace_back();
    fields->defaults.push_back(i < required ? Value{} : defaults[i - required]);
  }
  auto type = std::make_shared<Class>(Class{std::move(name), tuple_class()});
  type->fields = fields;
  return type;
}

Value made_of(const ClassPtr& type, std::vector<Value> items) {
  Value made = as_tuple(std::move(items));
  auto& sequence = std::get<Sequence>(made.held);
  sequence.kind = Sequence::Kind::ranked;
  sequence.shown = std::make_shared<const std::string>(short_name(*type));
  sequence.type = type;
  return made;
}

Value names_of(const Fields& fields) {
  std::vector<Value> names;
  for (size_t i = 1; i < fields.parameters.size(); ++i) names.push_back(Value{fields.parameters[i].name});
  return list_of(std::move(names), Sequence::Kind::tuple);
}

}  // namespace

/// namedtuple('Shape', 'n c h w', defaults=[..])
Interpreter::Result Interpreter::named_tuple(const Arguments& arguments, const Expr& at) {
  const Value *type = nullptr, *fields = nullptr, *defaults = nullptr;
  if (!arguments.positional.empty()) type = &arguments.positional[0];
  if (arguments.positional.size() > 1) fields = &arguments.positional[1];
  bool usual = arguments.positional.size() <= 2;
  for (const auto& [word, value] : arguments.named) {
    const Value*& place = word == "typename" ? type : word == "field_names" ? fields : defaults;
    usual &= !place && (&place != &defaults || word == "defaults");
    place = &value;
  }
  const std::string* name = type ? plain_text(*type) : nullptr;
  const auto names = fields ? names_in(*fields) : std::nullopt;
  if (!usual || !name || !names) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  const bool none = !defaults || is_none(*defaults);
  const auto worth = none ? std::optional(std::vector<Value>()) : items_of(*defaults, at.span);
  if (!worth) return std::nullopt;
  if (auto problem = misnamed(*name, *names)) return fail(*std::move(problem), at.span);
  if (worth->size() > names->size())
    return fail(python_error("TypeError", "Got more default values than field names", Msg::field_defaults,
                             {worth->size(), names->size()}),
                at.span);
  return Value{ClassPtr(class_with(*name, *names, *worth))};
}

/// Whether it stands for typing.NamedTuple.
bool Interpreter::is_named_tuple(const Expr& base) const {
  const bool part =
      base.kind == Expr::Kind::attribute && base.text == "NamedTuple" && base.children[0]->kind == Expr::Kind::name;
  if (!part && base.kind != Expr::Kind::name) return false;
  const std::string& owner = part ? base.children[0]->text : base.text;
  const Scope::Failure* const failed = find(owner) ? nullptr : failure_of(owner);
  return failed && failed->module == "typing" && (part || owner == "NamedTuple");
}

/// class Shape(NamedTuple): a line for each field, its type and perhaps its default.
Interpreter::Result Interpreter::named_tuple_of(const Statement& header) {
  std::vector<std::string> names;
  std::vector<Value> defaults;
  const auto refuse = [&](Span span) { return fail(limit(Msg::not_modelled, {"Python", title(span)}), span); };
  if (!header.decorators.empty()) return refuse(header.decorators.front()->span);
  for (const Statement* line = &header + 1; line <= &header + header.body; ++line) {
    flow_->note(*line);
    const bool says = line->kind == Statement::Kind::expression && line->value->kind == Expr::Kind::string;
    if (says) continue;
    if (line->type == Span{} || line->targets[0]->kind != Expr::Kind::name) return refuse(line->span);
    names.push_back(line->targets[0]->text);
    const Result fallback = line->value ? eval(*line->value) : Value{};
    if (!fallback) return std::nullopt;
    if (line->value) defaults.push_back(*fallback);
    if (!line->value && !defaults.empty()) {
      const std::string &name = names.back(), &last = names[names.size() - 2];
      return fail(
          python_error("TypeError", {"non-default namedtuple field ", name, " cannot follow default field ", last},
                       Msg::field_order, {name, last}),
          line->span);
    }
  }
  const std::string type = qualified(header.targets[0]->text);
  if (auto problem = misnamed(header.targets[0]->text, names)) return fail(*std::move(problem), header.span);
  return Value{ClassPtr(class_with(type, names, defaults))};
}

/// Shape(1, c=3)
Interpreter::Result Interpreter::make_named_tuple(const ClassPtr& type, const Arguments& arguments, const Expr& at) {
  const auto& fields = type->fields;
  if (!fields) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  Function makes{
      nullptr, nullptr, &fields->parameters, {fields, &fields->defaults}, std::string(short_name(*type)) + ".__new__",
      scope_};
  Arguments given = arguments;
  given.positional.insert(given.positional.begin(), Value{type});
  auto fitted = fit_parameters(makes, given, source_);
  if (auto* problem = std::get_if<Diagnostic>(&fitted)) return fail(std::move(*problem), at.span);
  std::vector<Value> items;
  for (auto& [name, value] : std::get<0>(fitted)) items.push_back(std::move(value));
  items.erase(items.begin());
  return made_of(type, std::move(items));
}

/// Shape._fields, Shape._make; what else a class of tuples has is not modelled.
Interpreter::Result Interpreter::named_tuple_member(const ClassPtr& type, const Expr& at) {
  if (at.text == "__name__") return Value{std::string(short_name(*type))};
  if (type->fields && at.text == "_fields") return names_of(*type->fields);
  if (type->fields && at.text == "_make")
    return Value{Symbol{"namedtuple._make", std::make_shared<const Value>(Value{type})}};
  return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.part);
}

/// Shape._make(items), shape._asdict(), shape._replace(c=3)
Interpreter::Result Interpreter::named_tuple_method(const Symbol& method, const Arguments& arguments, const Expr& at) {
  const std::string_view name = std::string_view(method.path).substr(11);
  const auto refuse = [&] { return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span); };
  if (name == "_make") {
    const ClassPtr& type = std::get<ClassPtr>(method.self->held);
    if (arguments.positional.size() != 1 || !arguments.named.empty()) return refuse();
    auto items = items_of(arguments.positional[0], at.span);
    if (!items) return std::nullopt;
    const size_t wanted = type->fields->parameters.size() - 1, given = items->size();
    if (given != wanted)
      return fail(python_error("TypeError", {"Expected ", wanted, " arguments, got ", given}, Msg::unpack_count,
                               {wanted, given}),
                  at.span);
    return made_of(type, *std::move(items));
  }
  const auto& self = std::get<Sequence>(method.self->held);
  const std::vector<FunctionParameter>& fields = self.type->fields->parameters;
  if (!arguments.positional.empty() || (name == "_asdict" && !arguments.named.empty())) return refuse();
  std::vector<Value> items = *self.items;
  may_grow_ = true;
  const Value dictionary = dictionary_of();
  std::string unknown;
  for (const auto& argument : arguments.named) {
    const std::string& word = argument.first;
    const auto field =
        std::find_if(fields.begin() + 1, fields.end(), [&](const auto& one) { return one.name == word; });
    if (field == fields.end())
      unknown += (unknown.empty() ? "" : ", ") + quoted(word);
    else
      items[static_cast<size_t>(field - fields.begin()) - 1] = argument.second;
  }
  if (!unknown.empty())
    return fail(python_error("TypeError", {"Got unexpected field names: [", unknown, "]"}, Msg::unexpected_argument,
                             {"_replace", arguments.named[0].first, "_replace"}),
                at.span);
  if (name == "_replace") return made_of(self.type, std::move(items));
  bool whole = true;
  for (size_t i = 0; i < items.size(); ++i)
    whole &= settled(store(std::get<Dictionary>(dictionary.held), Value{fields[i + 1].name}, items[i]), at.span);
  return whole ? Result(dictionary) : std::nullopt;
}

}  // namespace stridescope
