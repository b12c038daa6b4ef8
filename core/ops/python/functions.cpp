// Functions that the program defines, and the lines that a call runs.
#include <algorithm>
#include <utility>

#include "ops/explanation.h"
#include "ops/files.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"
#include "ops/python/parameters.h"
#include "ops/python/written.h"

namespace stridescope {
namespace {

/// `@property`, `@staticmethod` and `@classmethod`, of a function in a class.
std::optional<Function::Kind> kind_of_method(const Expr& decorator) {
  if (decorator.kind != Expr::Kind::name) return std::nullopt;
  if (decorator.text == "property") return Function::Kind::property;
  if (decorator.text == "classmethod") return Function::Kind::class_method;
  return decorator.text == "staticmethod" ? std::optional(Function::Kind::static_method) : std::nullopt;
}

/// `@x.setter` and its like where x is a property: x; else null.
FunctionPtr extended_property(const Expr& decorator, const Value* named) {
  const auto* function = named ? std::get_if<FunctionPtr>(&named->held) : nullptr;
  const bool extends = decorator.text == "setter" || decorator.text == "getter" || decorator.text == "deleter";
  return extends && function && (*function)->kind == Function::Kind::property ? *function : nullptr;
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
  for (const Outside& one : statement.outside) {
    const bool given = std::any_of(function.parameters->begin(), function.parameters->end(),
                                   [&](const FunctionParameter& parameter) { return parameter.name == one.name; });
    if (!lambda && (given || (!one.global && owner_of(one.name) == 0)))  // no program for Python
      return fail(limit(Msg::lang_forget, {one.global ? "global" : "nonlocal"}), statement.targets[0]->span);
  }
  std::vector<Value> decorators;
  FunctionPtr property;  // that it is the setter of
  for (size_t i = 0; !lambda && i < statement.decorators.size(); ++i) {
    const Expr& one = *statement.decorators[i];
    if (i == 0 && class_ && one.kind == Expr::Kind::attribute && one.children[0]->kind == Expr::Kind::name)
      property = extended_property(one, find(one.children[0]->text));
    if (property && one.text != "setter")
      return fail(limit(Msg::not_modelled, {"Python", "@" + title(one.span)}), one.span);
    if (property && i == 0) continue;
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
  if (property) {
    Function extended = *property;
    extended.setter = std::make_shared<const Function>(std::move(function));
    function = std::move(extended);
  }
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
  if (const auto* own = std::get_if<FunctionPtr>(&made.held); own && path.starts_with("functools.")) {
    Function changed = **own;
    const bool keeps = path == "functools.cache" || path == "functools.lru_cache";
    if (keeps) changed.given_before = std::make_shared<DictionaryItems>();
    if (path == "functools.wraps" && symbol->self) changed.name = std::get<FunctionPtr>(symbol->self->held)->name;
    if (keeps || (path == "functools.wraps" && symbol->self))
      return Value{std::make_shared<const Function>(std::move(changed))};
  }
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
  if (function->given_before) return call_again(*function, arguments, at);
  const Statement& statement = *function->statement;
  const WrittenLibrary* const own = library_of(*function);
  auto fitted = fit_parameters(*function, arguments, own ? own->source : source_);
  if (auto* problem = std::get_if<Diagnostic>(&fitted)) return fail(std::move(*problem), at.span);
  auto bindings = std::get<0>(std::move(fitted));
  std::vector<Value> given;
  for (const auto& [name, value] : bindings) {
    given.push_back(value);
    may_grow_ |= std::holds_alternative<Dictionary>(value.held);
  }
  if (!bounded(list_of(std::move(given)), at.span)) return std::nullopt;
  if (!function->lambda && is_class(statement)) {
    const auto* object = std::get_if<Object>(&bindings.front().second.held);
    return object ? fill_fields(*object, bindings, at)
                  : fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  }
  const auto not_run = [&](Diagnostic problem) {
    lose_called(*function, arguments, told_line());
    return fail(std::move(problem), at.span);
  };
  const auto is_unread = [](const Statement& line) { return line.kind == Statement::Kind::error; };
  if (const Statement* unread = function->lambda ? nullptr : own_line(statement, is_unread)) {
    const Slot line(unread->line, {Target::Kind::line, -1, unread->line});
    not_run(limit(Msg::call_unread, {function->name, line}));
    error_->hints = {{{Msg::hint_call_given_up, {line}}, {}}};
    return std::nullopt;
  }
  if (calls_.size() >= max_calls_deep) return not_run(limit(Msg::calls_too_deep, {max_calls_deep}));
  if ((own ? is_spent() : is_call_spent()) || written_operations_ >= max_operations_written)
    return not_run(too_many_rounds());
  if (!function->lambda && is_generator(statement)) return make_generator(function, std::move(bindings), at.span);
  Applied applied;
  applied.span = at.span;
  applied.title = title(at.span);
  // What an object holds, a module its weights, is not what the call is about.
  const auto collect = [&](const Value& value) {
    if (!std::holds_alternative<Object>(value.held)) collect_tensors(value, applied.inputs);
  };
  for (const Value& value : arguments.positional) collect(value);
  for (const auto& [name, value] : arguments.named) collect(value);
  const BeforeCall before = before_call(applied);

  const Gradients gradients = settings_.gradients;
  Caller caller = enter_call(function, static_cast<int>(scopes_.size()));
  scopes_.push_back({function, function->scope, std::move(bindings)});
  for (const std::string& context : function->contexts)
    settings_.gradients = *gradients_in(context, settings_.gradients);
  std::optional<Diagnostic> reason;
  if (own)
    run_written(*function, *own, applied, reason);
  else
    run_own([&] { function->lambda ? run_lambda(*function) : run_body(*function); });
  Activation ended = end_call(std::move(caller));
  if (!function->contexts.empty()) settings_.gradients = gradients;
  error_ = ended.error;
  if (error_) {
    if (!error_->raised) lose_called(*function, arguments, told_line());
    if (own) {
      Diagnostic problem = reason.value_or(*error_);
      problem.raised = error_->raised;
      if (problem.raised && problem.raised->text == not_modelled_here && !runs_written())
        problem = limit(Msg::not_modelled, {own->where == WrittenIn::numpy ? "NumPy" : "PyTorch", applied.title});
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
    return fail_call(ended, std::move(applied));
  }
  const Relation known = applied.relation;  // of a function of the library's
  if (applied.why.lines.empty()) explain_call(applied, *function, ended.returned, before);
  if (known != Relation::none) applied.relation = known;
  applied.result = frozen(ended.returned);
  complete_reasons(applied);
  step_->applied.push_back(std::move(applied));
  return std::move(ended.returned);
}

Caller Interpreter::enter_call(const FunctionPtr& function, int scope) {
  const int operations = calls_.empty() ? std::exchange(operations_, 0) : 0;
  calls_.push_back({.function = function, .called_by = step_, .number = numbered_calls_++});
  return {flow_,
          assigned_,
          std::exchange(class_, nullptr),
          std::exchange(scope_, scope),
          std::exchange(first_block_, blocks_.size()),
          std::exchange(locals_, {}),
          operations};
}

Activation Interpreter::leave_call(Caller caller) {
  Activation ended = std::move(calls_.back());
  calls_.pop_back();
  if (calls_.empty()) {
    called_operations_ += std::max(operations_, 1);
    operations_ = caller.operations + (library_of(*ended.function) ? 1 : 0);
  }
  step_ = ended.called_by;
  flow_ = caller.flow;
  assigned_ = caller.assigned;
  class_ = std::move(caller.type);
  scope_ = caller.scope;
  first_block_ = caller.first_block;
  locals_ = std::move(caller.locals);
  return ended;
}

/// Its blocks and its names go, too.
Activation Interpreter::end_call(Caller caller) {
  flow_ = caller.flow;  // its own has come to its end
  const auto error = calls_.back().error;
  if (blocks_.size() > first_block_)
    run_own([&] {
      while (blocks_.size() > first_block_) leave_block(error && error->raised ? &*error->raised : nullptr);
    });
  if (!scope().kept) scope() = {};
  return leave_call(std::move(caller));
}

/// What raised in a call, or what of it is not known, ends the statement that calls.
Interpreter::Result Interpreter::fail_call(const Activation& ended, Applied&& applied) {
  const Span span = applied.span;
  const bool raised = ended.error->raised.has_value();
  const auto latest = std::find(recorded_.rbegin(), recorded_.rend(), ended.ended_by);
  const int number = ended.ended_by->line;
  const Slot line(number, ended.untold ? Target{Target::Kind::line, -1, number}
                                       : Target{Target::Kind::step, -1, recorded_.rend() - latest - 1});
  note_untold(ended);
  const std::string& called = raised && !runs_written() ? applied.title : ended.function->name;
  Diagnostic problem = limit(raised ? Msg::raised_in_call : Msg::call_given_up, {called, line});
  problem.raised = ended.error->raised;
  if (!raised) problem.hints = {{{Msg::hint_call_given_up, {line}}, {}}};
  problem.span = span;
  applied.error = problem;
  step_->applied.push_back(std::move(applied));
  return fail(std::move(problem), span);
}

/// The way to what failed is that to what failed in it first: only what a call ended by is none of its own.
void Interpreter::note_untold(const Activation& ended) {
  const auto leads = [&](const ToldCall& one) { return one.call == ended.number; };
  if (std::none_of(failure_.begin(), failure_.end(), leads)) {
    failure_.clear();
    const auto add = [&](const Activation& call) {
      failure_.push_back({call.number, call.lines - told_before_failure});
    };
    std::for_each(calls_.begin(), calls_.end(), add);
    add(ended);
    if (!ended.untold) failure_.clear();
  }
  if (calls_.empty() && untold_failure_.empty()) untold_failure_ = failure_;
}

/// The header of a `def`: what its parameters are worth where a call of it begins.
void Interpreter::record_call(const Function& function) {
  const Statement& header = *function.statement;
  Step step = step_of(header);
  step.round = ++runs_[&header];
  std::vector<Value> values;
  const auto is_parameter = [&](const Binding& binding) {
    return std::any_of(function.parameters->begin(), function.parameters->end(),
                       [&](const FunctionParameter& one) { return one.name == binding.first; });
  };
  for (const Binding& binding : scope().bindings) {
    if (!is_parameter(binding)) continue;
    step.targets.push_back(binding.first);
    values.push_back(binding.second);
  }
  step.unpack = values.size() > 1;
  if (!values.empty()) step.value = frozen(values.size() == 1 ? values[0] : list_of(values, Sequence::Kind::tuple));
  record(std::move(step));
}

/// The lines of a `def`.
void Interpreter::run_body(const Function& function) {
  const Statement& header = *function.statement;
  record_call(function);
  Flow flow(*flow_, header);
  run(flow);
  Activation& call = calls_.back();
  if (call.error) {
    if (!library_of(function)) lose_changes(header);
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

BeforeCall Interpreter::before_call(const Applied& applied) const {
  BeforeCall before{numbering_.storages, untold_, {}};
  for (const TensorPtr& input : applied.inputs) before.contents.push_back(input->storage->contents);
  return before;
}

/// What a call gives is to what was there before it, and in which words.
void Interpreter::explain_call(Applied& applied, const Function& function, const Value& returned,
                               const BeforeCall& before) {
  bool written = false;
  for (size_t i = 0; i < before.contents.size(); ++i)
    written |= applied.inputs[i]->storage->contents != before.contents[i];
  // Of a file its bytes are none of the values that are given.
  const TensorPtr tensor = bytes_of_file(returned) ? nullptr : first_tensor(returned);
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
  } else if (tensor->storage->id < before.storages) {
    applied.relation = Relation::view;
    say(Msg::call_view, {function.name});
  } else {
    const auto made = made_.find(tensor->storage->id);
    applied.relation = made == made_.end() ? Relation::fresh : made->second;
    say(Msg::call_new, {function.name});
  }
  if (function.lambda || library_of(function)) return;
  const int untold = untold_ - before.untold;
  if (untold == 0) return say(Msg::call_lines, {});
  say(Msg::call_lines_untold, {untold, max_steps_called, max_steps_called_in_all});
}

}  // namespace stridescope
