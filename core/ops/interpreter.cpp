#include "ops/interpreter.h"

#include <algorithm>

#include "ops/members.h"
#include "ops/suggest.h"

namespace stridescope {
namespace {

/// Expressions nested deeper than this are refused: the tree is walked by recursion.
constexpr int max_depth = 400;
constexpr int max_iterations = 10'000;

/// The library of an operation between two values, one of which is an array.
Library library_of(const Value& a, const Value& b) {
  if (tensor_of(a)) return library_of(a);
  return library_of(is_array(b) ? b : a);
}

void collect_tensors(const Value& value, std::vector<TensorPtr>& tensors) {
  if (const TensorPtr tensor = tensor_of(value)) return tensors.push_back(tensor);
  if (const auto* facet = std::get_if<Facet>(&value.held)) return tensors.push_back(facet->tensor);
  if (const auto* sequence = std::get_if<Sequence>(&value.held))
    for (const Value& item : *sequence->items) collect_tensors(item, tensors);
}

void collect_names(const Expr& target, std::vector<std::string>& names) {
  if (target.kind == Expr::Kind::name) names.push_back(target.text);
  if (target.kind == Expr::Kind::tuple || target.kind == Expr::Kind::list)
    for (const ExprPtr& child : target.children) collect_names(*child, names);
}

}  // namespace

Interpreter::Result Interpreter::fail(Diagnostic problem, Span span) {
  if (error_) return std::nullopt;
  if (problem.span == Span{}) problem.span = span;
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
    if (!blank) text += c;
    else if (!text.empty() && text.back() != ' ') text += ' ';
  }
  return text;
}

// Statements.

void Interpreter::run(const Statement& statement, Step& step) {
  step_ = &step;
  error_.reset();
  const int before = operations_;
  for (const ExprPtr& target : statement.targets)
    if (target && statement.kind == Statement::Kind::assign) collect_names(*target, step.targets);
  if (statement.kind == Statement::Kind::augmented) {
    if (const Result value = augment(statement)) step.value = Value{};
  } else if (const Result value = statement.value ? eval(*statement.value) : Result(Value{})) {
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
      failed_[name] = statement.line;
    }
  } else {
    for (const std::string& name : step.targets) failed_.erase(name);
  }
  locals_.clear();
  depth_ = 0;
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
      bind_name(item.alias, {Symbol{item.alias == item.module.substr(0, dot) ? item.module.substr(0, dot) : item.module, nullptr}});
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
  bindings_.erase(std::remove_if(bindings_.begin(), bindings_.end(), [&](const auto& binding) { return binding.first == name; }), bindings_.end());
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
      if (is_array(*owner)) return invoke(find_forms(library_of(*owner), Form::Kind::store, "[]"), {{*owner, *key, value}, {}}, target.span).has_value();
      return fail(python_error("TypeError", "'" + type_name(*owner) + "' object does not support item assignment", Msg::not_assignable, {type_name(*owner)}), target.span).has_value();
    }
    case Expr::Kind::attribute: {
      const Result owner = eval(*target.children[0]);
      if (!owner) return false;
      const auto setters = is_array(*owner) ? find_forms(library_of(*owner), Form::Kind::setter, target.text) : std::span<const Form* const>();
      const Statement& statement = *step_->statement;
      const bool alone = statement.targets.size() == 1 && statement.targets[0].get() == &target;
      const Span assigned = alone ? statement.value->span : Span{};
      if (!setters.empty()) return invoke(setters, {{*owner, value}, {}, {target.children[0]->span, target.name_span, assigned}}, target.span).has_value();
      return fail(python_error("AttributeError", "attribute '" + target.text + "' of '" + type_name(*owner) + "' objects is not writable", Msg::not_settable, {target.text}),
                  target.name_span).has_value();
    }
    default: return fail(limit(Msg::not_a_target), target.span).has_value();
  }
}

bool Interpreter::unpack(const Expr& target, const Value& value) {
  const auto items = items_of(value, target.span);
  if (!items) return false;
  const size_t wanted = target.children.size();
  if (items->size() != wanted) {
    const auto counts = std::vector<Arg>{static_cast<int64_t>(wanted), static_cast<int64_t>(items->size())};
    const std::string expected = "(expected " + std::to_string(wanted);
    return fail(items->size() > wanted ? python_error("ValueError", "too many values to unpack " + expected + ")", Msg::unpack_count, counts)
                                       : python_error("ValueError", "not enough values to unpack " + expected + ", got " + std::to_string(items->size()) + ")", Msg::unpack_count, counts),
                target.span).has_value();
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
  const Result old = !key ? std::nullopt : part ? subscript(*owner, *key, target) : eval(target);
  const Result operand = old ? eval(*statement.value) : std::nullopt;
  if (!operand) return std::nullopt;
  const auto in_place = tensor_of(*old) ? find_forms(library_of(*old), Form::Kind::in_place, statement.text) : std::span<const Form* const>();
  Expr at;
  at.span = statement.span;
  const Result result = in_place.empty() ? binary(statement.text, *old, *operand, at) : invoke(in_place, {{*old, *operand}, {}}, statement.span);
  if (!result) return std::nullopt;
  if (part && is_array(*owner)) return invoke(find_forms(library_of(*owner), Form::Kind::store, "[]"), {{*owner, *key, *result}, {}}, target.span);
  return assign(target, *result) ? result : std::nullopt;
}

// Expressions.

Interpreter::Result Interpreter::eval(const Expr& expr) {
  if (depth_ >= max_depth) return fail(limit(Msg::nested_too_deep, {max_depth}), expr.span);
  ++depth_;
  const auto evaluated = [&]() -> Result {
    switch (expr.kind) {
      case Expr::Kind::name: return eval_name(expr);
      case Expr::Kind::integer: return Value{expr.integer};
      case Expr::Kind::real: return Value{expr.real};
      case Expr::Kind::string: return Value{expr.text};
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
      case Expr::Kind::comprehension: return eval_comprehension(expr);
    }
    return std::nullopt;
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

Diagnostic Interpreter::unknown_name(const Expr& expr) const {
  Diagnostic problem = python_error("NameError", "name '" + expr.text + "' is not defined", Msg::name_unknown, {expr.text});
  if (const auto failed = failed_.find(expr.text); failed != failed_.end()) {
    problem.reason = {Msg::name_unbound_by_failure, {expr.text, failed->second}};
    return problem;
  }
  std::vector<std::string_view> candidates;
  for (const auto& known : known_without_import) candidates.push_back(known.first);
  for (const auto& binding : bindings_) candidates.push_back(binding.first);
  for (const std::string_view builtin_name : builtin_names()) candidates.push_back(builtin_name);
  if (const auto close = nearest(expr.text, candidates)) problem.hints.push_back({{Msg::did_you_mean, {*close}}, Fix{expr.span, *close}});
  return problem;
}

Interpreter::Result Interpreter::eval_name(const Expr& expr) {
  if (const Value* value = find(expr.text)) return *value;
  for (const auto& [name, path] : known_without_import)
    if (expr.text == name) return Value{Symbol{std::string(path), nullptr}};
  if (find_builtin(expr.text)) return Value{Symbol{expr.text, nullptr}};
  return fail(unknown_name(expr), expr.span);
}

Interpreter::Result Interpreter::eval_call(const Expr& expr) {
  const Result callee = eval(*expr.children[0]);
  if (!callee) return std::nullopt;
  Arguments arguments;
  for (const Argument& argument : expr.arguments) {
    Result value = argument.value ? eval(*argument.value) : std::nullopt;
    if (!value) return argument.value ? std::nullopt : fail(limit(Msg::unreadable), argument.span);
    if (argument.stars == 2) return fail(limit(Msg::double_star_unsupported), argument.span);
    if (argument.stars == 1) {
      auto items = items_of(*value, argument.span);
      if (!items) return std::nullopt;
      for (Value& item : *items) arguments.positional.push_back(std::move(item));
    } else if (!argument.name.empty()) {
      arguments.named.emplace_back(argument.name, std::move(*value));
    } else {
      arguments.positional.push_back(std::move(*value));
    }
  }
  if (const Expr& function = *expr.children[0]; function.kind == Expr::Kind::attribute) arguments.parts = {function.children[0]->span, function.name_span, expr.list_span};
  return call(*callee, arguments, expr);
}

Interpreter::Result Interpreter::call(const Value& callee, const Arguments& arguments, const Expr& at) {
  const auto* symbol = std::get_if<Symbol>(&callee.held);
  if (!symbol) return fail(python_error("TypeError", "'" + type_name(callee) + "' object is not callable", Msg::not_callable, {type_name(callee)}), at.span);
  if (symbol->self) {
    Arguments with_receiver = arguments;
    with_receiver.positional.insert(with_receiver.positional.begin(), *symbol->self);
    return invoke(find_forms(library_of(*symbol->self), Form::Kind::method, symbol->path), with_receiver, at.span);
  }
  const Library library = symbol->path.starts_with("numpy") ? Library::numpy : Library::torch;
  if (const auto overloads = find_forms(library, Form::Kind::function, symbol->path); !overloads.empty()) return invoke(overloads, arguments, at.span);
  if (find_builtin(symbol->path)) return builtin(symbol->path, arguments, at);
  return fail(python_error("TypeError", "'" + type_name(callee) + "' object is not callable", Msg::not_callable, {symbol->path}), at.span);
}

Interpreter::Result Interpreter::builtin(std::string_view name, const Arguments& arguments, const Expr& at) {
  if (!arguments.named.empty() && name != "print")
    return fail(python_error("TypeError", std::string(name) + "() got an unexpected keyword argument '" + arguments.named[0].first + "'", Msg::unexpected_argument,
                             {name, arguments.named[0].first, name}), at.span);
  std::vector<Value> values = arguments.positional;
  // Functions that walk over an argument see a tensor as the list of its rows.
  const bool walks = name == "list" || name == "tuple" || name == "zip" || name == "enumerate" || name == "sum" || name == "reversed" || name == "sorted" || name == "all" ||
                     name == "any" || ((name == "max" || name == "min") && values.size() == 1);
  for (Value& value : values) {
    if (!walks || !tensor_of(value)) continue;
    auto items = items_of(value, at.span);
    if (!items) return std::nullopt;
    value = list_of(std::move(*items));
  }
  if (name == "abs" && values.size() == 1 && is_array(values[0])) {
    const Library library = library_of(values[0]);
    return invoke(find_forms(library, Form::Kind::function, library == Library::torch ? "torch.abs" : "numpy.abs"), {{values[0]}, {}}, at.span);
  }
  if (name == "sum" && !values.empty()) {
    // Through `binary`, so that summing rows of a tensor adds tensors.
    const auto items = items_of(values[0], at.span);
    Value total = values.size() > 1 ? values[1] : Value{int64_t{0}};
    for (size_t i = 0; items && i < items->size(); ++i) {
      Result next = binary("+", total, (*items)[i], at);
      if (!next) return std::nullopt;
      total = std::move(*next);
    }
    return items ? Result(total) : std::nullopt;
  }
  return settle(find_builtin(name)(values), at.span);
}

std::optional<std::vector<Value>> Interpreter::items_of(const Value& value, Span span) {
  if (auto items = python_items(value)) return items;
  const TensorPtr tensor = tensor_of(value);
  if (!tensor) {
    fail(python_error("TypeError", "'" + type_name(value) + "' object is not iterable", Msg::not_iterable, {type_name(value)}), span);
    return std::nullopt;
  }
  if (tensor->layout.rank() == 0) {
    fail(python_error("TypeError", tensor->library == Library::torch ? "iteration over a 0-d tensor" : "iteration over a 0-d array", Msg::scalar_has_no_length), span);
    return std::nullopt;
  }
  if (tensor->layout.sizes[0] > max_iterations - iterations_) {
    fail(limit(Msg::too_many_iterations, {max_iterations}), span);
    return std::nullopt;
  }
  iterations_ += static_cast<int>(tensor->layout.sizes[0]);
  if (tensor->library == Library::torch) {
    const Result rows = invoke(find_forms(Library::torch, Form::Kind::method, "unbind"), {{value}, {}}, span);
    return rows ? python_items(*rows) : std::nullopt;
  }
  std::vector<Value> items;
  for (int64_t i = 0; i < tensor->layout.sizes[0]; ++i) {
    Result row = invoke(find_forms(Library::numpy, Form::Kind::subscript, "[]"), {{value, Value{i}}, {}}, span);
    if (!row) return std::nullopt;
    items.push_back(std::move(*row));
  }
  return items;
}

Interpreter::Result Interpreter::invoke(std::span<const Form* const> overloads, const Arguments& arguments, Span span) {
  if (overloads.empty()) return fail(limit(Msg::operation_unknown, {title(span)}), span);
  if (operations_ >= max_operations) return fail(limit(Msg::too_many_operations, {max_operations}), span);
  ++operations_;
  Applied applied;
  applied.span = span;
  applied.title = title(span);
  for (const Value& value : arguments.positional) collect_tensors(value, applied.inputs);
  for (const auto& [name, value] : arguments.named) collect_tensors(value, applied.inputs);
  std::optional<Bound::Misfit> misfit;
  for (const Form* form : overloads) {
    Bound bound = bind(*form, arguments);
    if (bound.misfit) {
      if (!misfit) misfit = std::move(bound.misfit);
      continue;
    }
    misfit.reset();
    applied.op = form->op;
    const bool member = form->kind == Form::Kind::method || form->kind == Form::Kind::attribute || form->kind == Form::Kind::setter;
    applied.parts = member ? arguments.parts : Parts{};
    Call one(numbering_, *form, std::move(bound.values), {source_, step_->applied}, applied);
    applied.result = form->op->apply(one);
    break;
  }
  if (misfit) {
    applied.op = overloads.front()->op;
    applied.error = python_error("TypeError", misfit->text, misfit->reason.id, misfit->reason.args);
    applied.error->span = span;
    applied.error->raised->parser = true;
  }
  if (applied.error) applied.result = Value{};
  const Value result = std::exchange(applied.result, frozen(applied.result));
  step_->applied.push_back(std::move(applied));
  if (const auto& error = step_->applied.back().error) return fail(*error, span);
  return result;
}

Interpreter::Result Interpreter::eval_subscript(const Expr& expr) {
  const Result owner = eval(*expr.children[0]);
  const Result key = owner ? eval(*expr.children[1]) : std::nullopt;
  return key ? subscript(*owner, *key, expr) : std::nullopt;
}

Interpreter::Result Interpreter::subscript(const Value& owner, const Value& key, const Expr& at) {
  if (is_array(owner)) return invoke(find_forms(library_of(owner), Form::Kind::subscript, "[]"), {{owner, key}, {}}, at.span);
  if (const auto* facet = std::get_if<Facet>(&owner.held)) {
    const auto overloads = find_forms(library_of(owner), Form::Kind::subscript, facet->name + "[]");
    if (!overloads.empty()) return invoke(overloads, {{owner, key}, {}}, at.span);
  }
  if (const auto* symbol = std::get_if<Symbol>(&owner.held)) {
    // np.s_[1:, ::2] is the key itself; np.r_ and np.c_ are rows.
    const auto overloads = find_forms(Library::numpy, Form::Kind::subscript, symbol->path + "[]");
    if (!overloads.empty()) return invoke(overloads, {{owner, key}, {}}, at.span);
  }
  return settle(python_subscript(owner, key), at.span);
}

Interpreter::Result Interpreter::eval_slice(const Expr& expr) {
  SliceValue slice;
  std::shared_ptr<const Value>* parts[] = {&slice.start, &slice.stop, &slice.step};
  for (size_t i = 0; i < 3; ++i) {
    if (!expr.children[i]) continue;
    Result part = eval(*expr.children[i]);
    if (!part) return std::nullopt;
    *parts[i] = std::make_shared<const Value>(std::move(*part));
  }
  return Value{std::move(slice)};
}

Interpreter::Result Interpreter::eval_unary(const Expr& expr) {
  const Result operand = eval(*expr.children[0]);
  if (!operand) return std::nullopt;
  if (expr.text == "not") {
    const Result holds = settle(truth(*operand), expr.span);
    return holds ? Result(Value{!std::get<bool>(holds->held)}) : std::nullopt;
  }
  if (!is_array(*operand)) return settle(python_unary(expr.text, *operand), expr.span);
  return invoke(find_forms(library_of(*operand), Form::Kind::prefix, expr.text), {{*operand}, {}}, expr.span);
}

Interpreter::Result Interpreter::eval_binary(const Expr& expr) {
  const Result a = eval(*expr.children[0]);
  const Result b = a ? eval(*expr.children[1]) : std::nullopt;
  return b ? binary(expr.text, *a, *b, expr) : std::nullopt;
}

Interpreter::Result Interpreter::binary(std::string_view op, const Value& a, const Value& b, const Expr& at) {
  if (!is_array(a) && !is_array(b)) return settle(python_binary(op, a, b), at.span);
  return invoke(find_forms(library_of(a, b), Form::Kind::binary, op), {{a, b}, {}}, at.span);
}

Interpreter::Result Interpreter::eval_logic(const Expr& expr) {
  Result left = eval(*expr.children[0]);
  const Result holds = left ? settle(truth(*left), expr.children[0]->span) : std::nullopt;
  if (!holds) return std::nullopt;
  return std::get<bool>(holds->held) == (expr.text == "and") ? eval(*expr.children[1]) : left;
}

Interpreter::Result Interpreter::eval_compare(const Expr& expr) {
  Result left = eval(*expr.children[0]);
  Result result;
  for (size_t i = 0; left && i < expr.operators.size(); ++i) {
    const Result right = eval(*expr.children[i + 1]);
    result = right ? compare(expr.operators[i], *left, *right, expr) : std::nullopt;
    if (!result || i + 1 == expr.operators.size()) return result;
    const Result holds = settle(truth(*result), expr.span);
    if (!holds) return std::nullopt;
    if (!std::get<bool>(holds->held)) return result;
    left = right;
  }
  return std::nullopt;
}

Interpreter::Result Interpreter::compare(std::string_view op, const Value& a, const Value& b, const Expr& at) {
  if (op == "is" || op == "is not") return Value{python_equal(a, b) == (op == "is")};
  if (op == "in" || op == "not in") {
    if (const TensorPtr tensor = tensor_of(b); tensor && !is_array(a)) {
      // (b == a).any()
      const auto count = numel(tensor->layout.sizes);
      if (!count || *count > max_iterations) return fail(limit(Msg::too_many_iterations, {max_iterations}), at.span);
      const auto wanted = as_real(a);
      bool found = false;
      for (int64_t i = 0; wanted && i < *count; ++i) found = found || as_real(element(elements_of(*tensor), i)) == *wanted;
      return Value{found == (op == "in")};
    }
    const auto items = items_of(b, at.span);
    if (!items) return std::nullopt;
    for (const Value& item : *items) {
      // By identity first, then by ==, which for a tensor is one more tensor.
      Result equal = python_equal(a, item) ? Result(Value{true}) : compare("==", a, item, at);
      equal = equal ? settle(truth(*equal), at.span) : std::nullopt;
      if (!equal) return std::nullopt;
      if (std::get<bool>(equal->held)) return Value{op == "in"};
    }
    return Value{op != "in"};
  }
  const auto plain = [](const Value& value) { return std::holds_alternative<None>(value.held) || std::holds_alternative<std::string>(value.held); };
  if ((is_array(a) || is_array(b)) && !plain(a) && !plain(b)) return invoke(find_forms(library_of(a, b), Form::Kind::binary, op), {{a, b}, {}}, at.span);
  if (op == "==" || op == "!=") return Value{python_equal(a, b) == (op == "==")};
  return settle(python_order(op, a, b), at.span);
}

Interpreter::Result Interpreter::eval_comprehension(const Expr& expr) {
  std::vector<Value> items;
  const size_t outside = locals_.size();
  const bool done = run_loops(expr, 0, items);
  locals_.resize(outside);
  if (!done) return std::nullopt;
  return list_of(std::move(items));
}

bool Interpreter::run_loops(const Expr& expr, size_t loop, std::vector<Value>& items) {
  if (loop == expr.loops.size()) {
    Result item = eval(*expr.children[0]);
    if (item) items.push_back(std::move(*item));
    return item.has_value();
  }
  const Comprehension& part = expr.loops[loop];
  const Result iterable = eval(*part.iterable);
  const auto rows = iterable ? items_of(*iterable, part.iterable->span) : std::nullopt;
  if (!rows) return false;
  const size_t outside = locals_.size();
  for (const Value& row : *rows) {
    if (++iterations_ > max_iterations) return fail(limit(Msg::too_many_iterations, {max_iterations}), expr.span).has_value();
    locals_.resize(outside);
    if (part.targets.size() == 1) {
      locals_.emplace_back(part.targets[0], row);
    } else {
      const auto values = items_of(row, part.iterable->span);
      if (!values) return false;
      if (values->size() != part.targets.size())
        return fail(python_error("ValueError", values->size() > part.targets.size() ? "too many values to unpack (expected " + std::to_string(part.targets.size()) + ")"
                                                                                    : "not enough values to unpack (expected " + std::to_string(part.targets.size()) + ", got " + std::to_string(values->size()) + ")",
                                 Msg::unpack_count, {static_cast<int64_t>(part.targets.size()), static_cast<int64_t>(values->size())}), expr.span).has_value();
      for (size_t i = 0; i < values->size(); ++i) locals_.emplace_back(part.targets[i], (*values)[i]);
    }
    bool wanted = true;
    for (const ExprPtr& condition : part.conditions) {
      const Result value = eval(*condition);
      const Result holds = value ? settle(truth(*value), condition->span) : std::nullopt;
      if (!holds) return false;
      wanted = wanted && std::get<bool>(holds->held);
    }
    if (wanted && !run_loops(expr, loop + 1, items)) return false;
  }
  return true;
}

}  // namespace stridescope
