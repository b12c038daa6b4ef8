// Statements: what they bind, write, ask and forget, and which of the lines behind them run.
#include <algorithm>

#include "ops/exceptions.h"
#include "ops/interpreter.h"
#include "ops/members.h"
#include "ops/names.h"
#include "ops/text.h"

namespace stridescope {
namespace {

constexpr std::string_view contexts_known[] = {"torch.no_grad", "torch.enable_grad", "torch.inference_mode",
                                               "numpy.errstate"};

Value exception_of(const Diagnostic::Raised& raised) {
  return {Caught{raised.type, raised.text, !raised.parser, raised.bare}};
}

void collect_names(const Expr& target, std::vector<std::string>& names) {
  if (target.kind == Expr::Kind::name) names.push_back(target.text);
  if (target.kind == Expr::Kind::tuple || target.kind == Expr::Kind::list)
    for (const ExprPtr& child : target.children) collect_names(*child, names);
}

}  // namespace

void Interpreter::run(const Statement& statement, Step& step, Flow& flow) {
  leave_blocks(statement);
  if (statement.kind == Statement::Kind::error) return lose(statement);
  step_ = &step;
  error_.reset();
  assigned_ = statement.value ? written(*statement.value) : Written{};
  const int before = operations_;
  for (const ExprPtr& target : statement.targets)
    if (statement.kind == Statement::Kind::assign || statement.kind == Statement::Kind::clause)
      collect_names(*target, step.targets);
  if (statement.kind == Statement::Kind::augmented) {
    augment(statement);
  } else if (statement.kind == Statement::Kind::assert_) {
    check(statement);
  } else if (statement.kind == Statement::Kind::raise_) {
    raise(statement);
  } else if (statement.kind == Statement::Kind::del) {
    forget(statement);
  } else if (statement.kind == Statement::Kind::clause) {
    if (const Result entered = enter(statement, flow)) step.value = frozen(*entered);
  } else if (const Result value = eval(*statement.value)) {
    step.value = frozen(*value);
    for (const ExprPtr& target : statement.targets) {
      step.unpack |= target->kind == Expr::Kind::tuple || target->kind == Expr::Kind::list;
      if (!assign(*target, *value)) break;
    }
    // A statement that only writes or sets has no value of its own.
    if (!statement.targets.empty() && step.targets.empty()) step.value = Value{};
  }
  operations_ = std::max(operations_, before + 1);
  if (error_) {
    step.value = Value{};
    step.error = error_;
  }
  const bool caught = error_ && error_->raised && flow.raise(*error_->raised);
  if (error_ && !caught) {
    for (const std::string& name : step.targets) {
      unbind(name);
      failed_[name] = {statement.line, error_->raised.has_value()};
    }
  } else if (!error_) {
    for (const std::string& name : step.targets) failed_.erase(name);
  }
  locals_.clear();
  depth_ = 0;
}

/// The names of a block that is not run: what it may give a value to, or write into, is not known any more.
void Interpreter::lose(const Statement& block) {
  std::vector<std::string> names = block.binds;
  for (const std::string& changed : block.changes) {
    const Value* value = find(changed);
    if (!value) continue;
    const TensorPtr tensor = tensor_of(*value);
    if (!std::holds_alternative<Symbol>(value->held)) names.push_back(changed);
    for (const auto& [name, other] : bindings_)
      if (const TensorPtr alias = tensor_of(other); tensor && alias && alias->storage == tensor->storage)
        names.push_back(name);
  }
  for (const std::string& name : names) {
    unbind(name);
    failed_[name] = {block.line, false};
  }
}

std::optional<Diagnostic> Interpreter::import(const Statement& statement) {
  for (const Statement::Import& item : statement.imports) {
    const bool known = is_module(item.module) || item.module == "math";
    if (!known) {
      Diagnostic problem = limit(Msg::module_unknown, {item.module});
      problem.span = item.span;
      return problem;
    }
    if (item.member == "*") continue;
    if (item.member.empty()) {
      // `import numpy.lib` binds numpy; with an alias the module itself.
      const size_t dot = item.module.find('.');
      bind_name(item.alias,
                {Symbol{item.alias == item.module.substr(0, dot) ? item.module.substr(0, dot) : item.module, nullptr}});
      continue;
    }
    Expr at;
    at.span = at.name_span = item.span;
    error_.reset();
    const Result member = module_member(item.module, item.member, at);
    if (!member) return error_;
    bind_name(item.alias, *member);
  }
  return std::nullopt;
}

bool Interpreter::assign(const Expr& target, const Value& value) {
  switch (target.kind) {
    case Expr::Kind::name: return bind_name(target.text, value), true;
    case Expr::Kind::tuple:
    case Expr::Kind::list: return unpack(target, value);
    case Expr::Kind::subscript: {
      const Result owner = eval(*target.children[0]);
      const Result key = owner ? eval(*target.children[1]) : std::nullopt;
      if (!key) return false;
      if (is_array(*owner))
        return invoke(find_forms(library_of(*owner), Form::Kind::store, "[]"),
                      {{*owner, *key, value},
                       {},
                       {},
                       {written(*target.children[0]), written(*target.children[1]), assigned_}},
                      target.span)
            .has_value();
      if (const auto* facet = std::get_if<Facet>(&owner->held))
        if (const auto stores = find_forms(facet->tensor->library, Form::Kind::store, facet->name + "[]");
            !stores.empty())
          return invoke(stores,
                        {{*owner, *key, value},
                         {},
                         {},
                         {written(*target.children[0]), written(*target.children[1]), assigned_}},
                        target.span)
              .has_value();
      return fail(python_error("TypeError", {"'", type_name(*owner), "' object does not support item assignment"},
                               Msg::not_assignable, {type_name(*owner)}),
                  target.span)
          .has_value();
    }
    default: {  // an attribute: the parser lets nothing else be a target
      const Result owner = eval(*target.children[0]);
      if (!owner) return false;
      const auto* facet = std::get_if<Facet>(&owner->held);
      const auto setters = facet
                               ? find_forms(facet->tensor->library, Form::Kind::setter, facet->name + "." + target.text)
                           : tensor_of(*owner) ? find_forms(library_of(*owner), Form::Kind::setter, target.text)
                                               : std::span<const Form* const>();
      const Statement& statement = *step_->statement;
      const bool alone = statement.targets.size() == 1 && statement.targets[0].get() == &target;
      const Parts parts{target.children[0]->span, target.name_span, alone ? statement.value->span : Span{}};
      if (!setters.empty())
        return invoke(setters, {{*owner, value}, {}, parts, {written(*target.children[0]), assigned_}}, target.span)
            .has_value();
      if (const auto* tensor = std::get_if<TensorRef>(&owner->held);
          tensor && (*tensor)->tensor->library == Library::torch && !library_has("torch.Tensor", target.text))
        return attributes_[{(*tensor)->id, target.text}] = value, true;
      return fail(unsettable(*owner, target.text), target.name_span).has_value();
    }
  }
}

bool Interpreter::unpack(const Expr& target, const Value& value) {
  const auto items = items_of(value, target.span);
  if (!items) return false;
  const size_t wanted = target.children.size();
  if (items->size() != wanted) {
    const Message reason(Msg::unpack_count, {static_cast<int64_t>(wanted), static_cast<int64_t>(items->size())});
    const std::string expected = "(expected " + std::to_string(wanted);
    return fail(items->size() > wanted
                    ? python_error("ValueError", {"too many values to unpack ", expected, ")"}, reason)
                    : python_error("ValueError",
                                   {"not enough values to unpack ", expected, ", got ", items->size(), ")"}, reason),
                target.span)
        .has_value();
  }
  for (size_t i = 0; i < wanted; ++i)
    if (!assign(*target.children[i], (*items)[i])) return false;
  return true;
}

Interpreter::Result Interpreter::augment(const Statement& statement) {
  const Expr& target = *statement.targets[0];
  const bool part = target.kind == Expr::Kind::subscript;
  // x[key] += v reads, changes and writes back; key and owner are evaluated once.
  const Result owner = part ? eval(*target.children[0]) : Value{};
  const Result key = owner && part ? eval(*target.children[1]) : owner;
  const Result old = !key ? std::nullopt : part ? subscript(*owner, *key, target, *target.children[1]) : eval(target);
  const Result operand = old ? eval(*statement.value) : std::nullopt;
  if (!operand) return std::nullopt;
  const auto in_place = tensor_of(*old) ? find_forms(library_of(*old), Form::Kind::in_place, statement.text)
                                        : std::span<const Form* const>();
  Expr at;
  at.span = statement.span;
  const Result result = in_place.empty() ? binary(statement.text, *old, *operand, at)
                                         : invoke(in_place, {{*old, *operand}, {}}, statement.span);
  if (!result) return std::nullopt;
  if (part && is_array(*owner))
    return invoke(
        find_forms(library_of(*owner), Form::Kind::store, "[]"),
        {{*owner, *key, *result}, {}, {}, {written(*target.children[0]), written(*target.children[1]), assigned_}},
        target.span);
  return assign(target, *result) ? result : std::nullopt;
}

Interpreter::Result Interpreter::check(const Statement& statement) {
  const Result condition = eval(*statement.value);
  const Result holds = condition ? settle(truth(*condition), statement.value->span) : std::nullopt;
  if (!holds || std::get<bool>(holds->held)) return holds;
  Value said{std::string()};
  if (!statement.targets.empty()) {
    const auto condition_ends = static_cast<std::ptrdiff_t>(step_->applied.size());
    const Result message = eval(*statement.targets[0]);
    // What was done for the message is not what the statement is about.
    std::rotate(step_->applied.begin(), step_->applied.begin() + condition_ends, step_->applied.end());
    const Result text =
        message ? settle(text_or_limit(python_str(*message), "str", *message), statement.targets[0]->span) : message;
    if (!text) return std::nullopt;
    said = *text;
  }
  Diagnostic problem = python_error("AssertionError", {std::get<std::string>(said.held)}, Msg::assertion_fails,
                                    {title(statement.value->span), to_string(*condition)});
  problem.raised->bare = statement.targets.empty();
  return fail(std::move(problem), statement.value->span);
}

/// `raise`: of a class what it makes without a text, of nothing what the nearest `except` around it took.
Interpreter::Result Interpreter::raise(const Statement& statement) {
  const auto around = std::find_if(blocks_.rbegin(), blocks_.rend(), [](const Block& block) {
    return std::holds_alternative<Caught>(block.caught.held);
  });
  if (!statement.value && around == blocks_.rend())
    return fail(python_error("RuntimeError", "No active exception to reraise", Msg::nothing_to_raise), statement.span);
  const auto exception = [&](const Expr* at, const Value& value, std::string_view otherwise) -> Result {
    const auto* symbol = std::get_if<Symbol>(&value.held);
    const std::string_view type = symbol ? class_path(symbol->path) : std::string_view();
    if (std::holds_alternative<Caught>(value.held)) return value;
    if (is_exception(type)) return Value{Caught{std::string(type), "", true, true}};
    return fail(python_error("TypeError", {"exception", otherwise, " must derive from BaseException"},
                             Msg::raises_nothing, {title(at->span)}),
                at->span);
  };
  const Result given = statement.value ? eval(*statement.value) : around->caught;
  const Result cause = given && !statement.targets.empty() ? eval(*statement.targets[0]) : Value{};
  const Result raised = given && cause ? exception(statement.value.get(), *given, "s") : std::nullopt;
  if (!raised) return std::nullopt;
  if (!std::holds_alternative<None>(cause->held) && !exception(statement.targets[0].get(), *cause, " causes"))
    return std::nullopt;
  const Caught& caught = std::get<Caught>(raised->held);
  Diagnostic problem;
  problem.reason = {Msg::raised_by_program, {}};
  problem.raised = Diagnostic::Raised{caught.type, caught.text, !caught.worded, caught.bare};
  return fail(std::move(problem), statement.span);
}

Interpreter::Result Interpreter::enter(const Statement& header, Flow& flow) {
  const bool loop = is_loop(header);
  if (loop && operations_ >= max_operations_in_loops) {
    fail(limit(Msg::too_many_rounds, {max_operations_in_loops}), header.value->span);
    error_->hints = {{{Msg::hint_too_many_rounds, {}}, {}}};
    lose_clauses(flow.give_up());
    return std::nullopt;
  }
  const Result entered = loop                      ? round(header, flow)
                         : header.text == "with"   ? contexts(header)
                         : header.text == "except" ? caught(header, flow.raised())
                                                   : condition(header);
  const bool* holds = entered ? std::get_if<bool>(&entered->held) : nullptr;
  if (!entered)
    flow.choose(std::nullopt);
  else if (!loop)
    flow.choose(!holds || *holds);
  // Where Python fails too, no block has run.
  if (!entered && !error_->raised) lose_clauses(header);
  return entered;
}

/// Nothing is known of what the lines of a header would have done, nor of those that go on with it.
void Interpreter::lose_clauses(const Statement& header) {
  for (const Statement* clause = &header;; clause += clause->body + 1) {
    lose(*clause);
    if (clause->rest == 0) return;
  }
}

Interpreter::Result Interpreter::condition(const Statement& header) {
  const Result value = eval(*header.value);
  return value ? settle(truth(*value), header.value->span) : std::nullopt;
}

/// Whether the `except` takes what was raised, which its block then knows by name.
Interpreter::Result Interpreter::caught(const Statement& header, const Diagnostic::Raised& raised) {
  const Result wanted = header.value ? eval(*header.value) : Value{Symbol{"class.BaseException", nullptr}};
  if (!wanted) return std::nullopt;
  const auto* several = std::get_if<Sequence>(&wanted->held);
  const bool tuple = several != nullptr && is_tuple(several->kind);
  bool takes = false;
  for (const Value& one : tuple ? *several->items : std::vector<Value>{*wanted}) {
    const auto* symbol = std::get_if<Symbol>(&one.held);
    const std::string name(symbol ? class_path(symbol->path) : "");
    if (!is_exception(name))
      return fail(python_error("TypeError", "catching classes that do not inherit from BaseException is not allowed",
                               Msg::argument_has_type, {"except", "type", to_string(one)}),
                  header.value->span);
    takes |= catches(name, raised.type);
  }
  if (!takes) return Value{false};
  const Value caught = exception_of(raised);
  Block& block = open_block(header);
  block.caught = caught;
  if (!header.targets.empty()) bind_name(block.name = header.targets[0]->text, caught);
  return caught;
}

/// The contexts of a `with`: what they change is so until its block ends.
Interpreter::Result Interpreter::contexts(const Statement& header) {
  const bool several = header.value->kind == Expr::Kind::tuple;
  const size_t count = several ? header.value->children.size() : 1;
  Gradients gradients = gradients_;
  open_block(header);
  for (size_t i = 0; i < count; ++i) {
    const Expr& at = several ? *header.value->children[i] : *header.value;
    const Result value = eval(at);
    if (!value && error_->raised) return std::nullopt;
    const auto* symbol = value ? std::get_if<Symbol>(&value->held) : nullptr;
    const std::string_view path = symbol ? std::string_view(symbol->path) : std::string_view();
    if (value && !path.ends_with("()") && !std::holds_alternative<Facet>(value->held)) {
      const bool not_called =
          std::find(std::begin(contexts_known), std::end(contexts_known), path) != std::end(contexts_known);
      const std::string type = not_called ? "type" : attribute_type(*value);
      fail(python_error("TypeError", {"'", type, "' object does not support the context manager protocol"},
                        Msg::no_context, {type}),
           at.span);
      if (not_called) error_->hints = {{{Msg::hint_call_it, {}}, Fix{{at.span.end, at.span.end}, "()"}}};
      return std::nullopt;
    }
    if (!path.ends_with("()")) {  // another than we know
      if (value) fail(limit(Msg::not_modelled, {"Python", "with " + title(at.span)}), at.span);
      error_->hints = {{{Msg::hint_lang_with, {}}, header.unwrapped}};
      return std::nullopt;
    }
    // Inference mode lasts, whatever else is said inside it.
    if (gradients == Gradients::inference || path == "numpy.errstate()") continue;
    gradients = path == "torch.no_grad()"       ? Gradients::ignored
                : path == "torch.enable_grad()" ? Gradients::followed
                                                : Gradients::inference;
    gradients_ = gradients;
  }
  for (const ExprPtr& target : header.targets) bind_name(target->text, Value{});
  return Value{};
}

Interpreter::Block& Interpreter::open_block(const Statement& header) {
  blocks_.push_back({&header, &header + header.body, gradients_});
  return blocks_.back();
}

/// The blocks that the statement is outside of end: an exception's name is forgotten.
void Interpreter::leave_blocks(const Statement& statement) {
  const auto outside = [&](const Block& block) { return &statement < block.first || &statement > block.last; };
  for (; !blocks_.empty() && outside(blocks_.back()); blocks_.pop_back()) {
    gradients_ = blocks_.back().gradients;
    unbind(blocks_.back().name);
  }
}

Interpreter::Result Interpreter::forget(const Statement& statement) {
  for (const ExprPtr& target : statement.targets) {
    const auto bound = [&](const auto& binding) { return binding.first == target->text; };
    if (std::none_of(bindings_.begin(), bindings_.end(), bound)) return fail(unknown_name(*target), target->span);
    unbind(target->text);
  }
  return Value{};
}

}  // namespace stridescope
