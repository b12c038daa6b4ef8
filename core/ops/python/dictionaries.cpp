// Dictionaries in a program: how they are written, called for and unpacked.
#include <algorithm>

#include "ops/members.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"

namespace stridescope {

Interpreter::Result Interpreter::eval_dictionary(const Expr& expr) {
  may_grow_ = true;
  Value made = dictionary_of();
  size_t left = max_nested_items;
  for (size_t i = 0; i < expr.children.size(); i += 2) {
    const ExprPtr key_at = expr.children[i];
    const Expr& value_at = *expr.children[i + 1];
    const Result key = key_at ? eval(*key_at) : Value{};
    const Result value = key ? eval(value_at) : std::nullopt;
    if (!value || !fits(*value, left, value_at.span)) return std::nullopt;
    if (!key_at) {
      if (!dictionary_in(*value))
        return fail(python_error("TypeError", {"'", attribute_type(*value), "' object is not a mapping"},
                                 Msg::not_a_dictionary, {type_name(*value)}),
                    value_at.span);
      if (!update(made, *value, value_at.span)) return std::nullopt;
    } else if (!settled(store(std::get<Dictionary>(made.held), *key, *value), key_at->span)) {
      return std::nullopt;
    }
  }
  return made;
}

/// Arrays that are gone through give their rows.
Interpreter::Result Interpreter::update(const Value& dictionary, const Value& other, Span span) {
  const bool rows = tensor_of(other) || is_flat(other);
  auto items = rows ? items_of(other, span) : std::optional<std::vector<Value>>();
  if (rows && !items) return std::nullopt;
  const Result updated =
      settle(call_dictionary("update", dictionary, {rows ? list_of(*std::move(items)) : other}), span);
  use_up(other);
  return updated;
}

/// dict(pairs, name=value)
Interpreter::Result Interpreter::make_dictionary(const Arguments& arguments, const Expr& at) {
  may_grow_ = true;
  Value made = dictionary_of();
  if (!arguments.positional.empty() && !update(made, arguments.positional[0], at.span)) return std::nullopt;
  for (const auto& [name, value] : arguments.named)
    if (!settled(store(std::get<Dictionary>(made.held), Value{name}, value), at.span)) return std::nullopt;
  return made;
}

/// defaultdict(list, pairs, name=value)
Interpreter::Result Interpreter::default_dictionary(Arguments arguments, const Expr& at) {
  const std::vector<Value>& given = arguments.positional;
  const Value makes = given.empty() ? Value{} : given[0];
  if (!is_none(makes) && !is_callable(makes))
    return fail(python_error("TypeError", "first argument must be callable or None", Msg::argument_has_type,
                             {"default_factory", "function", type_name(makes)}),
                at.span);
  // One that holds something might come to hold the dictionary.
  const auto* method = std::get_if<Symbol>(&makes.held);
  const auto* function = std::get_if<FunctionPtr>(&makes.held);
  const bool holds = std::holds_alternative<Object>(makes.held) || (method && method->self) ||
                     (function && ((*function)->self || (*function)->given_before));
  if (given.size() > 2 || holds) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (!given.empty()) arguments.positional.erase(arguments.positional.begin());
  const Result made = make_dictionary(arguments, at);
  if (made) std::get<Dictionary>(made->held).items->makes = std::make_shared<const Value>(makes);
  return made;
}

/// What it makes for a key that it has not it keeps.
Interpreter::Result Interpreter::default_item(const Dictionary& dictionary, const Value& key, const Expr& at) {
  const KeyMark mark = key_mark(key);
  if (mark.problem) return fail(*mark.problem, at.span);
  const size_t place = key_place(dictionary, mark.text);
  if (place < dictionary.items->values.size()) return dictionary.items->values[place];
  const Result made = call(*dictionary.items->makes, {}, at);
  return made && settled(store(dictionary, key, *made), at.span) ? made : std::nullopt;
}

Interpreter::Result Interpreter::call_dictionary_method(const Symbol& method, const Arguments& arguments,
                                                        const Expr& at) {
  const std::string_view name = std::string_view(method.path).substr(5);
  const bool updates = name == "update";
  if (!updates && !arguments.named.empty())
    return fail(python_error("TypeError", {method.path, "() takes no keyword arguments"}, Msg::unexpected_argument,
                             {name, arguments.named[0].first, name}),
                at.span);
  if (!updates || arguments.positional.size() != 1) {
    Result given = settle(call_dictionary(name, *method.self, arguments.positional), at.span);
    if (!given || !updates) return given;
  } else if (!update(*method.self, arguments.positional[0], at.span)) {
    return std::nullopt;
  }
  for (const auto& [word, value] : arguments.named)
    if (!settled(store(std::get<Dictionary>(method.self->held), Value{word}, value), at.span)) return std::nullopt;
  return Value{};
}

/// a | b. A plain dictionary beside one that is not gives what that is (defaultdict.__ror__, OrderedDict.__ror__).
Interpreter::Result Interpreter::union_of(const Value& a, const Value& b, Span span) {
  const Result made = settle(call_dictionary("copy", a, {}), span);
  const DictionaryItems &own = *dictionary_in(a)->items, &other = *dictionary_in(b)->items;
  if (made && !own.ordered && !own.makes) {
    dictionary_in(*made)->items->makes = other.makes;
    dictionary_in(*made)->items->ordered = other.ordered;
  }
  return made && update(*made, b, span) ? made : std::nullopt;
}

/// f(**given)
bool Interpreter::unpack_named(const Value& given, const Argument& argument, const Value& callee,
                               Arguments& arguments) {
  const auto* function = std::get_if<FunctionPtr>(&callee.held);
  const auto* symbol = std::get_if<Symbol>(&callee.held);
  const auto* type = std::get_if<ClassPtr>(&callee.held);
  const std::string name = (function ? "__main__." + (*function)->name
                            : type   ? class_home(**type)
                            : symbol ? symbol->path
                                     : "") +
                           "()";
  const auto raised = [&](const Slots& text, const Message& reason) {
    return fail(python_error("TypeError", text, reason), argument.span).has_value();
  };
  const Dictionary* dictionary = dictionary_in(given);
  if (!dictionary)
    return raised({name, " argument after ** must be a mapping, not ", attribute_type(given)},
                  {Msg::not_a_dictionary, {type_name(given)}});
  for (size_t i = 0; i < dictionary->items->keys.size(); ++i) {
    const Value& key = dictionary->items->keys[i];
    const auto* word = std::get_if<std::string>(&key.held);
    if (!word && symbol && symbol->path.starts_with("torch."))
      return fail(limit(Msg::not_modelled, {"PyTorch", "**{" + to_string(key, 40) + ": ..}"}), argument.span)
          .has_value();
    if (!word) return raised("keywords must be strings", {Msg::argument_has_type, {"**", "str", type_name(key)}});
    const auto same = [&](const auto& one) { return one.first == *word; };
    if (std::any_of(arguments.named.begin(), arguments.named.end(), same))
      return raised({name, " got multiple values for keyword argument '", *word, "'"},
                    {Msg::argument_twice, {name, *word}});
    arguments.named.emplace_back(*word, dictionary->items->values[i]);
    arguments.named_written.push_back({argument.span, {}, argument.span});
  }
  return true;
}

}  // namespace stridescope
