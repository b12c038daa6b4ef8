#include "ops/interpreter.h"
#include "ops/explanation.h"

#include <algorithm>

#include "ops/members.h"
#include "ops/names.h"
#include "ops/suggest.h"
#include "ops/text.h"

namespace stridescope {
namespace {

/// Expressions nested deeper than this are refused: the tree is walked by recursion.
constexpr int max_calls_deep = 400;

/// A string, or bytes where a b stands before its quote.
Value string_value(const Expr& expr, std::string_view source) {
  const std::string_view written = source.substr(static_cast<size_t>(expr.span.begin));
  const std::string_view prefix = written.substr(0, written.find_first_of("'\""));
  if (prefix.find_first_of("bB") == prefix.npos) return Value{expr.text};
  std::vector<Value> bytes;
  for (size_t i = 0; i < expr.text.size(); ++i) {
    const auto code = static_cast<unsigned char>(expr.text[i]);
    // An escape beyond 0x7f is held as two bytes of UTF-8.
    const bool two = code >= 0xc2;
    bytes.push_back(
        {two ? int64_t{(code & 3) << 6 | (static_cast<unsigned char>(expr.text[i + 1]) & 0x3f)} : int64_t{code}});
    i += two ? 1 : 0;
  }
  return list_of(std::move(bytes), Sequence::Kind::bytes);
}

void collect_names(const Expr& target, std::vector<std::string>& names) {
  if (target.kind == Expr::Kind::name) names.push_back(target.text);
  if (target.kind == Expr::Kind::tuple || target.kind == Expr::Kind::list)
    for (const ExprPtr& child : target.children) collect_names(*child, names);
}

}  // namespace

Interpreter::Result Interpreter::fail(Diagnostic problem, Span span) {
  if (problem.span == Span{}) problem.span = span;
  if (problem.raised && problem.hints.empty()) complete_python_hints(problem);
  error_ = std::move(problem);
  return std::nullopt;
}

Interpreter::Result Interpreter::settle(Outcome outcome, Span span) {
  if (outcome.problem) return fail(std::move(*outcome.problem), span);
  return std::move(outcome.value);
}

std::string Interpreter::title(Span span) const {
  std::string text;
  for (const char c : source_.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin))) {
    const bool blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!blank)
      text += c;
    else if (text.back() != ' ')  // the first is no blank
      text += ' ';
  }
  return text;
}

// Statements.

void Interpreter::run(const Statement& statement, Step& step, Flow& flow) {
  if (statement.kind == Statement::Kind::error) return lose(statement);
  step_ = &step;
  error_.reset();
  assigned_ = statement.value ? written(*statement.value) : Written{};
  const int before = operations_;
  for (const ExprPtr& target : statement.targets)
    if (target && statement.kind == Statement::Kind::assign) collect_names(*target, step.targets);
  if (statement.kind == Statement::Kind::augmented) {
    augment(statement);
  } else if (statement.kind == Statement::Kind::assert_) {
    check(statement);
  } else if (statement.kind == Statement::Kind::del) {
    forget(statement);
  } else if (statement.kind == Statement::Kind::if_) {
    if (const Result holds = branch(statement, flow)) step.value = *holds;
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
    for (const std::string& name : step.targets) {
      unbind(name);
      failed_[name] = {statement.line, error_->raised.has_value()};
    }
  } else {
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
    if (tensor || std::holds_alternative<Sequence>(value->held)) names.push_back(changed);
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

void Interpreter::bind_name(const std::string& name, Value value) {
  for (auto& [bound, old] : bindings_)
    if (bound == name) return void(old = std::move(value));
  bindings_.emplace_back(name, std::move(value));
}

void Interpreter::unbind(const std::string& name) {
  bindings_.erase(
      std::remove_if(bindings_.begin(), bindings_.end(), [&](const auto& binding) { return binding.first == name; }),
      bindings_.end());
}

const Value* Interpreter::find(std::string_view name) const {
  for (auto local = locals_.rbegin(); local != locals_.rend(); ++local)
    if (local->first == name) return &local->second;
  for (const auto& [bound, value] : bindings_)
    if (bound == name) return &value;
  return nullptr;
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
    const Result message = eval(*statement.targets[0]);
    const Result text =
        message ? settle(text_or_limit(python_str(*message), "str", *message), statement.targets[0]->span) : message;
    if (!text) return std::nullopt;
    said = *text;
  }
  return fail(python_error("AssertionError", {std::get<std::string>(said.held)}, Msg::assertion_fails,
                           {title(statement.value->span), to_string(*condition)}),
              statement.value->span);
}

Interpreter::Result Interpreter::branch(const Statement& statement, Flow& flow) {
  const Result condition = eval(*statement.value);
  Result holds = condition ? settle(truth(*condition), statement.value->span) : std::nullopt;
  flow.choose(holds ? std::optional(std::get<bool>(holds->held)) : std::nullopt);
  if (holds || error_->raised) return holds;  // where Python fails too, no block has run
  for (const Statement* clause = &statement;; clause += clause->body + 1) {
    lose(*clause);
    if (clause->rest == 0) return holds;
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

// Expressions.

Interpreter::Result Interpreter::eval(const Expr& expr) {
  if (depth_ >= max_calls_deep) return fail(limit(Msg::nested_too_deep, {max_calls_deep}), expr.span);
  ++depth_;
  const auto evaluated = [&]() -> Result {
    switch (expr.kind) {
      case Expr::Kind::name: return eval_name(expr);
      case Expr::Kind::integer: return Value{expr.integer};
      case Expr::Kind::real:
        if ((expr.text.back() | 0x20) == 'j') return Value{std::complex<double>(0, expr.real)};
        return Value{expr.real};
      case Expr::Kind::string: return string_value(expr, source_);
      case Expr::Kind::fstring: return eval_fstring(expr);
      case Expr::Kind::boolean: return Value{expr.integer != 0};
      case Expr::Kind::none: return Value{};
      case Expr::Kind::ellipsis: return Value{Ellipsis{}};
      case Expr::Kind::list: return eval_children(expr, Sequence::Kind::list);
      case Expr::Kind::tuple: return eval_children(expr, Sequence::Kind::tuple);
      case Expr::Kind::attribute: return eval_attribute(expr);
      case Expr::Kind::call: return eval_call(expr);
      case Expr::Kind::subscript: return eval_subscript(expr);
      case Expr::Kind::slice: return eval_slice(expr);
      case Expr::Kind::unary: return eval_unary(expr);
      case Expr::Kind::binary: return expr.text == "and" || expr.text == "or" ? eval_logic(expr) : eval_binary(expr);
      case Expr::Kind::compare: return eval_compare(expr);
      case Expr::Kind::conditional: {
        const Result condition = eval(*expr.children[1]);
        const Result holds = condition ? settle(truth(*condition), expr.children[1]->span) : std::nullopt;
        if (!holds) return std::nullopt;
        return eval(*expr.children[std::get<bool>(holds->held) ? 0 : 2]);
      }
      default: break;  // a comprehension: fields stand in f-strings alone
    }
    return eval_comprehension(expr);
  };
  Result result = evaluated();
  --depth_;
  return result;
}

Interpreter::Result Interpreter::eval_children(const Expr& expr, Sequence::Kind kind) {
  std::vector<Value> items;
  for (const ExprPtr& child : expr.children) {
    Result item = eval(*child);
    if (!item) return std::nullopt;
    items.push_back(std::move(*item));
  }
  return list_of(std::move(items), kind);
}

Interpreter::Result Interpreter::eval_fstring(const Expr& expr, bool seen) {
  std::string text;
  for (const ExprPtr& part : expr.children) {
    if (part->kind == Expr::Kind::string) {
      text += part->text;
      continue;
    }
    Result value = eval(*part->children[0]);
    const Result spec = !value              ? std::nullopt
                        : part->children[1] ? eval_fstring(*part->children[1])
                                            : Value{std::string()};
    if (!spec) return std::nullopt;
    if (part->text == "s") value = settle(text_or_limit(python_str(*value), "str", *value), part->span);
    if (part->text == "r") value = settle(text_or_limit(python_repr(*value), "repr", *value), part->span);
    if (part->text == "a") value = settle(text_or_limit(python_ascii(*value), "ascii", *value), part->span);
    if (value) value = settle(python_format(*value, std::get<std::string>(spec->held)), part->span);
    if (!value && (seen || error_->raised)) return std::nullopt;
    if (value) text += std::get<std::string>(value->held);
    error_.reset();
    if (text.size() > max_items) return fail(limit(Msg::too_many_items, {static_cast<int64_t>(max_items)}), expr.span);
  }
  return Value{std::move(text)};
}

Diagnostic Interpreter::unknown_name(const Expr& expr) const {
  Diagnostic problem =
      python_error("NameError", {"name '", expr.text, "' is not defined"}, Msg::name_unknown, {expr.text});
  if (const auto failed = failed_.find(expr.text); failed != failed_.end()) {
    problem.reason = {Msg::name_unbound_by_failure, {expr.text, failed->second.line}};
    if (failed->second.raised) return problem;
    problem.raised.reset();
    problem.hints.push_back({{Msg::hint_name_failed, {failed->second.line}}, {}});
    return problem;
  }
  problem = missing_attribute("builtins", expr.text, expr.text, std::move(problem));
  if (!problem.raised) return problem;
  std::vector<std::string_view> candidates;
  for (const auto& known : known_without_import) candidates.push_back(known.first);
  for (const auto& binding : bindings_) candidates.push_back(binding.first);
  for (const std::string_view builtin_name : builtin_names()) candidates.push_back(builtin_name);
  if (const auto close = nearest(expr.text, candidates))
    problem.hints.push_back({{Msg::did_you_mean, {*close}}, Fix{expr.span, *close}});
  return problem;
}

Interpreter::Result Interpreter::eval_name(const Expr& expr) {
  if (const Value* value = find(expr.text)) return *value;
  for (const auto& [name, path] : known_without_import)
    if (expr.text == name) return Value{Symbol{std::string(path), nullptr}};
  if (find_builtin(expr.text)) return Value{Symbol{expr.text, nullptr}};
  return fail(unknown_name(expr), expr.span);
}

}  // namespace stridescope
