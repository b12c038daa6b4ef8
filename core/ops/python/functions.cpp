// Functions that the program defines: how arguments meet their parameters, and the lines that a call runs.
#include <algorithm>
#include <utility>

#include "ops/explanation.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"
#include "ops/python/written.h"

namespace stridescope {
namespace {

/// "f(x, heads=4)", as it was defined.
std::string shown(const Function& function, std::string_view source) {
  std::string text = function.name + "(";
  auto kind = FunctionParameter::Kind::usual;
  for (const FunctionParameter& one : *function.parameters) {
    if (text.back() != '(') text += ", ";
    if (kind == FunctionParameter::Kind::positional_only && one.kind != kind) text += "/, ";
    if (one.kind == FunctionParameter::Kind::keyword_only && kind < FunctionParameter::Kind::rest) text += "*, ";
    kind = one.kind;
    text += (kind == FunctionParameter::Kind::rest       ? "*"
             : kind == FunctionParameter::Kind::keywords ? "**"
                                                         : "") +
            one.name;
    if (!one.fallback) continue;
    const Span span = one.fallback->span;
    text +=
        "=" + std::string(source.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin)));
  }
  return text + (kind == FunctionParameter::Kind::positional_only ? ", /)" : ")");
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool last = i + 1 == names.size();
    text += (i == 0 ? "'" : !last ? ", '" : i == 1 ? " and '" : ", and '") + names[i] + "'";
  }
  return text;
}

/// What each parameter of a function is worth in one call, or Python's TypeError.
class Fitted {
 public:
  Fitted(const Function& function, std::string_view source)
      : function_(function), parameters_(*function.parameters), source_(source), values_(parameters_.size()) {}

  std::optional<Diagnostic> fit(const Arguments& arguments) {
    const size_t given = arguments.positional.size(),
                 places = count(FunctionParameter::Kind::positional_only) + count(FunctionParameter::Kind::usual);
    std::copy_n(arguments.positional.begin(), std::min(given, places), values_.begin());
    if (count(FunctionParameter::Kind::rest) > 0) {
      const auto left = arguments.positional.begin() + static_cast<std::ptrdiff_t>(std::min(given, places));
      values_[places] = list_of({left, arguments.positional.end()}, Sequence::Kind::tuple);
    }
    for (const auto& [name, value] : arguments.named)
      if (auto problem = by_name(name, value, arguments)) return problem;
    if (takes_keywords()) values_.back() = keywords_;
    if (given > places && count(FunctionParameter::Kind::rest) == 0) return too_many(given, places);
    for (const bool by_keyword : {false, true})
      if (auto problem = missing(by_keyword)) return problem;
    return std::nullopt;
  }

  std::vector<std::pair<std::string, Value>> bindings() && {
    std::vector<std::pair<std::string, Value>> bound;
    for (size_t i = 0; i < values_.size(); ++i) bound.emplace_back(parameters_[i].name, *std::move(values_[i]));
    return bound;
  }

 private:
  size_t count(FunctionParameter::Kind kind) const {
    const auto is = [&](const FunctionParameter& one) { return one.kind == kind; };
    return static_cast<size_t>(std::count_if(parameters_.begin(), parameters_.end(), is));
  }

  bool takes_keywords() const { return count(FunctionParameter::Kind::keywords) > 0; }

  std::optional<Diagnostic> by_name(const std::string& name, const Value& value, const Arguments& arguments) {
    const auto takes = [&](const FunctionParameter& one) {
      return one.name == name &&
             (one.kind == FunctionParameter::Kind::usual || one.kind == FunctionParameter::Kind::keyword_only);
    };
    const auto found = std::find_if(parameters_.begin(), parameters_.end(), takes);
    if (found == parameters_.end() && takes_keywords())
      return store(std::get<Dictionary>(keywords_.held), Value{name}, value);
    if (found == parameters_.end()) return unknown(name, arguments);
    std::optional<Value>& slot = values_[static_cast<size_t>(found - parameters_.begin())];
    if (slot)
      return python_error("TypeError", {function_.name, "() got multiple values for argument '", name, "'"},
                          Msg::argument_twice, {function_.name, name});
    slot = value;
    return std::nullopt;
  }

  std::optional<Diagnostic> unknown(const std::string& name, const Arguments& arguments) {
    std::string by_place;
    for (const FunctionParameter& one : parameters_) {
      const auto given = [&](const auto& argument) { return argument.first == one.name; };
      if (one.kind == FunctionParameter::Kind::positional_only &&
          std::any_of(arguments.named.begin(), arguments.named.end(), given))
        by_place += (by_place.empty() ? "" : ", ") + one.name;
    }
    if (!by_place.empty())
      return python_error(
          "TypeError",
          {function_.name, "() got some positional-only arguments passed as keyword arguments: '", by_place, "'"},
          Msg::only_by_place, {function_.name, by_place, shown(function_, source_)});
    Diagnostic problem =
        python_error("TypeError", {function_.name, "() got an unexpected keyword argument '", name, "'"},
                     Msg::unexpected_argument, {function_.name, name, shown(function_, source_)});
    problem.raised->parser = true;  // Python may name one that is near
    return problem;
  }

  std::optional<Diagnostic> too_many(size_t given, size_t places) {
    size_t least = 0, by_keyword = 0;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      least += i < places && !parameters_[i].fallback ? 1 : 0;
      by_keyword += parameters_[i].kind == FunctionParameter::Kind::keyword_only && values_[i] ? 1 : 0;
    }
    const bool range = least < places;
    const std::string takes = (range ? "from " + std::to_string(least) + " to " : "") + std::to_string(places);
    const std::string keywords = by_keyword == 0 ? ""
                                                 : std::string(" positional argument") + (given == 1 ? "" : "s") +
                                                       " (and " + std::to_string(by_keyword) +
                                                       " keyword-only argument" + (by_keyword == 1 ? ")" : "s)");
    return python_error("TypeError",
                        {function_.name, "() takes ", takes, " positional argument", range || places != 1 ? "s" : "",
                         " but ", given, keywords, given == 1 && by_keyword == 0 ? " was given" : " were given"},
                        Msg::too_many_arguments, {function_.name, places, given, shown(function_, source_)});
  }

  /// Defaults are taken for what was not given.
  std::optional<Diagnostic> missing(bool by_keyword) {
    std::vector<std::string> names;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (values_[i] || (parameters_[i].kind == FunctionParameter::Kind::keyword_only) != by_keyword) continue;
      if (parameters_[i].fallback)
        values_[i] = (*function_.fallbacks)[i];
      else
        names.push_back(parameters_[i].name);
    }
    if (names.empty()) return std::nullopt;
    return python_error(
        "TypeError",
        {function_.name, "() missing ", names.size(), " required ", by_keyword ? "keyword-only" : "positional",
         " argument", names.size() == 1 ? ": " : "s: ", listed(names)},
        Msg::missing_argument, {function_.name, names.front(), shown(function_, source_)});
  }

  const Function& function_;
  const std::vector<FunctionParameter>& parameters_;
  std::string_view source_;
  std::vector<std::optional<Value>> values_;
  Value keywords_ = dictionary_of();  ///< what no other parameter takes
};

/// `@property`, `@staticmethod` and `@classmethod`, of a function in a class.
std::optional<Function::Kind> kind_of_method(const Expr& decorator) {
  if (decorator.kind != Expr::Kind::name) return std::nullopt;
  if (decorator.text == "property") return Function::Kind::property;
  if (decorator.text == "classmethod") return Function::Kind::class_method;
  return decorator.text == "staticmethod" ? std::optional(Function::Kind::static_method) : std::nullopt;
}

/// The first line of a function that is not read; null where all are.
const Statement* unread_line(const Statement& header) {
  for (const Statement* line = &header + 1; line <= &header + header.body; ++line) {
    if (line->kind == Statement::Kind::error) return line;
    if (is_function(*line)) line += line->body;
  }
  return nullptr;
}

}  // namespace

std::string Interpreter::qualified(const std::string& name) const {
  if (class_) return class_->name + "." + name;
  return (calls_.empty() ? "" : calls_.back().function->name + ".<locals>.") + name;
}

/// A function object, and in it what its defaults are worth now; or what its decorators make of it.
Interpreter::Result Interpreter::define(const Statement& statement, const Expr* lambda) {
  if (lambda && !class_ && !locals_.empty())  // it would see what its names hold when it is called
    return fail(limit(Msg::not_modelled, {"Python", "[lambda: .. for ..]"}), lambda->span);
  Function function{&statement, lambda, lambda ? &lambda->parameters() : &statement.parameters, {}, {}, scope_};
  function.name = qualified(lambda ? "<lambda>" : statement.targets[0]->text);
  function.owner = class_;
  std::vector<Value> decorators;
  for (size_t i = 0; !lambda && i < statement.decorators.size(); ++i) {
    if (const auto kind = i == 0 && class_ ? kind_of_method(*statement.decorators[i]) : std::nullopt) {
      function.kind = *kind;
      continue;
    }
    const Result decorator = eval(*statement.decorators[i]);
    if (!decorator && !error_->raised) error_->hints = {{{Msg::hint_lang_decorator, {}}, {}}};
    if (!decorator) return std::nullopt;
    decorators.push_back(*decorator);
  }
  std::vector<Value> fallbacks;
  for (const FunctionParameter& parameter : *function.parameters) {
    const Result value = parameter.fallback ? eval(*parameter.fallback) : Value{};
    if (!value) return std::nullopt;
    fallbacks.push_back(*value);
  }
  function.fallbacks = std::make_shared<const std::vector<Value>>(std::move(fallbacks));
  scope().kept = true;
  Result made = Value{std::make_shared<const Function>(std::move(function))};
  const size_t first = statement.decorators.size() - decorators.size();  // what its class makes of it is no call
  for (size_t i = decorators.size(); made && i-- > 0;)
    made = decorate(*made, decorators[i], *statement.decorators[first + i]);
  return made;
}

/// What a decorator makes of a function, or of what one below it has made: it is called with it. Inside a context the
/// function is run in it.
Interpreter::Result Interpreter::decorate(const Value& made, const Value& decorator, const Expr& at) {
  const auto* symbol = std::get_if<Symbol>(&decorator.held);
  if (!symbol) return call(decorator, {.positional = {made}}, at);
  const std::string_view path = symbol->path;
  const std::string_view context = path.ends_with("()") ? path.substr(0, path.size() - 2) : path;
  const auto* function = std::get_if<FunctionPtr>(&made.held);
  if (!function || !gradients_in(context, settings_.gradients) || context == "torch.set_grad_enabled") {
    fail(limit(Msg::not_modelled, {"Python", "@" + title(at.span)}), at.span);
    error_->hints = {{{Msg::hint_lang_decorator, {}}, {}}};
    return std::nullopt;
  }
  Function inside = **function;
  inside.contexts.emplace(inside.contexts.begin(), context);
  return Value{std::make_shared<const Function>(std::move(inside))};
}

Interpreter::Result Interpreter::call_function(const FunctionPtr& function, const Arguments& arguments,
                                               const Expr& at) {
  const Statement& statement = *function->statement;
  const WrittenLibrary* const own = library_of(*function);
  // A function of the program's would run in the midst of lines that are not.
  if (!own && runs_written())
    return fail(python_error("RuntimeError", {not_modelled_here}, Msg::function_handed), at.span);
  Fitted fitted(*function, own ? own->source : source_);
  if (auto problem = fitted.fit(arguments)) return fail(*std::move(problem), at.span);
  auto bindings = std::move(fitted).bindings();
  std::vector<Value> given;
  for (const auto& [name, value] : bindings) {
    given.push_back(value);
    may_grow_ |= std::holds_alternative<Dictionary>(value.held);
  }
  if (!bounded(list_of(std::move(given)), at.span)) return std::nullopt;
  if (is_class(statement)) {
    const auto* object = std::get_if<Object>(&bindings.front().second.held);
    return object ? fill_fields(*object, bindings, at)
                  : fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  }
  if (const Statement* unread = function->lambda ? nullptr : unread_line(statement)) {
    const Slot line(unread->line, {Target::Kind::line, -1, unread->line});
    fail(limit(Msg::call_unread, {function->name, line}), at.span);
    error_->hints = {{{Msg::hint_call_given_up, {line}}, {}}};
    return std::nullopt;
  }
  if (calls_.size() >= max_calls_deep) return fail(limit(Msg::calls_too_deep, {max_calls_deep}), at.span);
  if (operations_ >= most_operations(own ? max_operations : max_operations_repeated) ||
      written_operations_ >= max_operations_written) {
    fail(limit(Msg::too_many_rounds, {max_operations_repeated}), at.span);
    error_->hints = {{{Msg::hint_too_many_rounds, {}}, {}}};
    return std::nullopt;
  }
  Applied applied;
  applied.span = at.span;
  applied.title = title(at.span);
  // What an object holds, a module its weights, is not what the call is about.
  const auto collect = [&](const Value& value) {
    if (!std::holds_alternative<Object>(value.held)) collect_tensors(value, applied.inputs);
  };
  for (const Value& value : arguments.positional) collect(value);
  for (const auto& [name, value] : arguments.named) collect(value);
  std::vector<ContentsPtr> before;
  for (const TensorPtr& input : applied.inputs) before.push_back(input->storage->contents);
  const int storages = numbering_.storages;

  Step* const step = step_;
  Flow* const flow = flow_;
  const Written assigned = assigned_;
  const Gradients gradients = settings_.gradients;
  const ClassPtr type = std::exchange(class_, nullptr);
  const int names = std::exchange(scope_, static_cast<int>(scopes_.size()));
  const size_t first_block = std::exchange(first_block_, blocks_.size());
  auto locals = std::exchange(locals_, {});
  scopes_.push_back({function, function->scope, std::move(bindings)});
  calls_.push_back({function});
  for (const std::string& context : function->contexts)
    settings_.gradients = *gradients_in(context, settings_.gradients);
  std::optional<Diagnostic> reason;
  if (own)
    run_written(*function, *own, applied, reason);
  else
    function->lambda ? run_lambda(*function) : run_body(*function);
  Activation ended = std::move(calls_.back());
  calls_.pop_back();
  for (; blocks_.size() > first_block_; blocks_.pop_back()) {
    settings_.gradients = blocks_.back().gradients;
    unbind(blocks_.back().name);
  }
  if (!scope().kept) scope() = {};
  step_ = step;
  flow_ = flow;
  assigned_ = assigned;
  class_ = type;
  if (!function->contexts.empty()) settings_.gradients = gradients;
  scope_ = names;
  first_block_ = first_block;
  locals_ = std::move(locals);
  error_ = std::move(ended.error);
  if (error_) {
    if (own) {
      Diagnostic problem = reason.value_or(*error_);
      problem.raised = error_->raised;
      if (problem.raised && problem.raised->text == not_modelled_here)
        problem = problem.reason.id == Msg::function_handed
                      ? limit(Msg::function_handed)
                      : limit(Msg::not_modelled, {own->where == WrittenIn::numpy ? "NumPy" : "PyTorch", applied.title});
      // Of what a parser of PyTorch's says only the type is known.
      if (problem.raised && problem.raised->type == "TypeError") problem.raised->parser = true;
      problem.hints.clear();
      problem.span = at.span;
      applied.error = std::move(problem);
      complete_hints(applied, source_);
      problem = *applied.error;
      step_->applied.push_back(std::move(applied));
      return fail(std::move(problem), at.span);
    }
    const bool raised = error_->raised.has_value();
    const auto latest = std::find(recorded_.rbegin(), recorded_.rend(), ended.ended_by);
    const Slot line(ended.ended_by->line, {Target::Kind::step, -1, recorded_.rend() - latest - 1});
    Diagnostic problem =
        limit(raised ? Msg::raised_in_call : Msg::call_given_up, {raised ? applied.title : function->name, line});
    problem.raised = error_->raised;
    if (!raised) problem.hints = {{{Msg::hint_call_given_up, {line}}, {}}};
    problem.span = at.span;
    applied.error = problem;
    step_->applied.push_back(std::move(applied));
    return fail(std::move(problem), at.span);
  }
  bool written = false;
  for (size_t i = 0; i < before.size(); ++i) written |= applied.inputs[i]->storage->contents != before[i];
  const Relation known = applied.relation;  // of a function of the library's
  if (applied.why.lines.empty()) explain_call(applied, *function, ended.returned, storages, written);
  if (known != Relation::none) applied.relation = known;
  applied.result = frozen(ended.returned);
  complete_reasons(applied);
  step_->applied.push_back(std::move(applied));
  return std::move(ended.returned);
}

/// The lines of a `def`, and before them a step that shows what its parameters are worth.
void Interpreter::run_body(const Function& function) {
  const Statement& header = *function.statement;
  Step step = step_of(header);
  step.round = ++runs_[&header];
  std::vector<Value> values;
  for (const auto& [name, value] : scopes_.back().bindings) {
    step.targets.push_back(name);
    values.push_back(value);
  }
  step.unpack = values.size() > 1;
  if (!values.empty()) step.value = frozen(values.size() == 1 ? values[0] : list_of(values, Sequence::Kind::tuple));
  record(std::move(step));
  Flow flow(*flow_, header);
  run(flow);
  Activation& call = calls_.back();
  if (call.error) {
    lose_changes(header);
  } else if (const auto& raised = flow.uncaught()) {
    call.error = Diagnostic{.raised = raised->what};
    call.ended_by = raised->by;
  } else if (!flow.returned()) {
    call.returned = Value{};
  }
}

void Interpreter::run_lambda(const Function& function) {
  Step step = step_of(*function.statement);
  const Expr& body = *function.lambda->children[0];
  step.span = body.span;
  step.text = title(body.span);
  step.round = ++runs_[function.statement];
  step_ = &step;
  assigned_ = {};
  const Result value = eval(body);
  Activation& call = calls_.back();
  if (value) {
    step.value = frozen(*value);
    call.returned = *value;
  } else {
    step.error = call.error = error_;
    call.ended_by = step.statement;
  }
  record(std::move(step));
}

/// What a call gives is to what was there before it, and in which words.
void Interpreter::explain_call(Applied& applied, const Function& function, const Value& returned, int storages,
                               bool written) {
  const TensorPtr tensor = first_tensor(returned);
  const auto given = [&](const TensorPtr& input) { return input->object == tensor->object; };
  const auto say = [&](Msg message, const Slots& slots) { applied.why.lines.push_back({message, slots}); };
  if (!tensor) {
    if (written) applied.relation = Relation::write;
    if (written) say(Msg::call_writes, {function.name});
    say(Msg::call_value, {function.name, to_string(returned, 60)});
  } else if (std::any_of(applied.inputs.begin(), applied.inputs.end(), given)) {
    applied.relation = written ? Relation::write : Relation::same;
    if (written) say(Msg::call_writes, {function.name});
    say(Msg::call_same, {function.name});
  } else if (tensor->storage->id < storages) {
    applied.relation = Relation::view;
    say(Msg::call_view, {function.name});
  } else {
    const auto made = made_.find(tensor->storage->id);
    applied.relation = made == made_.end() ? Relation::fresh : made->second;
    say(Msg::call_new, {function.name});
  }
  if (!function.lambda && !library_of(function)) say(Msg::call_lines, {});
}

}  // namespace stridescope
