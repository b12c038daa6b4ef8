#include "ops/python/interpreter.h"
#include "ops/explanation.h"
#include "ops/python/exceptions.h"

#include <algorithm>

#include "ops/members.h"
#include "ops/names.h"
#include "ops/python/text.h"
#include "ops/python/written.h"
#include "ops/suggest.h"

namespace stridescope {
namespace {

/// Expressions nested deeper than this are refused: the tree is walked by recursion.
constexpr int max_deep = 400;
/// How many parts of values are counted in a program.
constexpr size_t max_walked = size_t{1} << 25;
/// What an item costs that a function goes through, against one that is only counted.
constexpr size_t walk_cost = 16;

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

}  // namespace

Interpreter::Result Interpreter::fail(Diagnostic problem, Span span) {
  if (problem.span == Span{}) problem.span = span;
  if (problem.raised && problem.hints.empty()) complete_python_hints(problem);
  error_ = std::move(problem);
  return std::nullopt;
}

bool Interpreter::settled(std::optional<Diagnostic> problem, Span span) {
  if (problem) fail(*std::move(problem), span);
  return !problem;
}

Interpreter::Result Interpreter::settle(Outcome outcome, Span span) {
  if (outcome.problem) return fail(std::move(*outcome.problem), span);
  return std::move(outcome.value);
}

bool Interpreter::runs_written() const { return !calls_.empty() && library_of(*calls_.back().function); }

Diagnostic Interpreter::too_many_rounds() const {
  const bool called = called_operations_ >= max_operations_called || !calls_.empty();
  Diagnostic problem = !called ? limit(Msg::too_many_rounds, {max_operations_repeated})
                               : limit(Msg::too_many_called, {max_operations_called});
  problem.hints = {{{Msg::hint_too_many_rounds, {}}, {}}};
  return problem;
}

bool Interpreter::is_spent() const {
  if (calls_.empty()) return operations_ >= max_operations;
  const WrittenLibrary* const own = library_of(*calls_.back().function);
  return own ? operations_ >= own->most_operations : called_operations_ + operations_ >= max_operations_called;
}

bool Interpreter::is_loop_spent() const {
  return calls_.empty() ? looped_operations_ >= max_operations_repeated : is_spent();
}

bool Interpreter::is_call_spent() const { return is_spent() || called_operations_ >= max_operations_called; }

int Interpreter::told_line(const Statement* line) const {
  if (line && !runs_written()) return line->line;
  const Step* teller = step_;
  for (auto call = calls_.rbegin(); call != calls_.rend() && library_of(*call->function); ++call)
    teller = call->called_by;
  return teller->line;
}

int Interpreter::runs(const Statement& statement) const {
  const auto found = runs_.find(&statement);
  return found == runs_.end() ? 0 : found->second;
}

std::string Interpreter::title(Span span) const {
  std::string text(source_.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin)));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), both_blank), text.end());
  return text;
}

// Names.

/// Where what runs gives the name a value: among its own, unless it says that the name is one of those around it.
Scope& Interpreter::home(std::string_view name) {
  return scope().says_outside(name) ? scopes_[static_cast<size_t>(owner_of(name))] : scope();
}

void Interpreter::bind_name(const std::string& name, Value value) {
  std::vector<Binding>& bindings = home(name).bindings;
  for (auto& [bound, old] : bindings)
    if (bound == name) return void(old = std::move(value));
  bindings.emplace_back(name, std::move(value));
}

void Interpreter::unbind(const std::string& name) {
  std::erase_if(home(name).bindings, [&](const Binding& binding) { return binding.first == name; });
}

const Value* Interpreter::find(std::string_view name) const {
  for (auto local = locals_.rbegin(); local != locals_.rend(); ++local)
    if (local->first == name) return &local->second;
  for (int at = scope_; at >= 0; at = around(at, name)) {
    for (const auto& [bound, value] : scope(at).bindings)
      if (bound == name) return &value;
    if (scope(at).owns(name)) return nullptr;
  }
  return nullptr;
}

/// Where a name is looked for that is none of that scope.
int Interpreter::around(int at, std::string_view name) const {
  const Outside* const said = scope(at).says_outside(name);
  return said && said->global ? 0 : scope(at).outer;
}

const Outside* Scope::says_outside(std::string_view name) const {
  if (!function || function->lambda) return nullptr;
  const std::vector<Outside>& said = function->statement->outside;
  const auto found = std::find_if(said.begin(), said.end(), [&](const Outside& one) { return one.name == name; });
  return found == said.end() ? nullptr : &*found;
}

bool Scope::owns(std::string_view name) const {
  if (!function) return false;
  const auto called = [&](const FunctionParameter& one) { return one.name == name; };
  const std::vector<std::string>& names = function->statement->binds;
  return std::any_of(function->parameters->begin(), function->parameters->end(), called) ||
         (!function->lambda && std::find(names.begin(), names.end(), name) != names.end());
}

/// Whatever any statement that is under way has a name for.
std::vector<Interpreter::Binding> Interpreter::all_variables() const {
  std::vector<Binding> all;
  for (const Scope& scope : scopes_) all.insert(all.end(), scope.bindings.begin(), scope.bindings.end());
  return all;
}

// Expressions.

Interpreter::Result Interpreter::eval(const Expr& expr) {
  if (depth_ >= max_deep) return fail(limit(Msg::nested_too_deep, {max_deep}), expr.span);
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
      case Expr::Kind::dictionary: return eval_dictionary(expr);
      case Expr::Kind::set: return eval_set(expr);
      case Expr::Kind::named: return eval_named(expr);
      case Expr::Kind::attribute: return eval_attribute(expr);
      case Expr::Kind::call: return eval_call(expr);
      case Expr::Kind::subscript: return eval_subscript(expr);
      case Expr::Kind::slice: return eval_slice(expr);
      case Expr::Kind::unary: return eval_unary(expr);
      case Expr::Kind::binary: return expr.text == "and" || expr.text == "or" ? eval_logic(expr) : eval_binary(expr);
      case Expr::Kind::compare: return eval_compare(expr);
      case Expr::Kind::conditional: {
        const Result condition = eval(*expr.children[1]);
        const Result holds = condition ? truth_of(*condition, *expr.children[1]) : std::nullopt;
        if (!holds) return std::nullopt;
        return eval(*expr.children[std::get<bool>(holds->held) ? 0 : 2]);
      }
      case Expr::Kind::lambda: return define(*step_->statement, &expr);
      default: break;  // a comprehension: fields stand in f-strings alone
    }
    return eval_comprehension(expr);
  };
  Result result = evaluated();
  --depth_;
  // Behind a name stands what was looked at when it was made, unless that may have grown since.
  const bool seen = expr.kind == Expr::Kind::name && !may_grow_;
  if (result && !seen && !bounded(*result, expr.span)) return std::nullopt;
  return result;
}

bool Interpreter::bounded(const Value& value, Span span) {
  size_t left = max_nested_items;
  return fits(value, left, span);
}

bool Interpreter::walks(size_t items, Span span) {
  walked_ += items * walk_cost;
  if (walked_ <= max_walked) return true;
  return fail(limit(Msg::too_many_iterations, {max_iterations}), span).has_value();
}

bool Interpreter::fits(const Value& value, size_t& left, Span span) {
  const size_t before = left;
  bool deep = false;
  const auto count = [&](const auto& self, const Value& one, int around) -> bool {
    if (is_bytes(one)) return true;  // bytes hold nothing, and never change
    const auto parts = parts_of(one);
    deep |= around > max_deep;
    if (parts.size() > left || deep) return false;
    left -= parts.size();
    return std::all_of(parts.begin(), parts.end(), [&](const Value& part) { return self(self, part, around + 1); });
  };
  const bool few = count(count, value, 0);
  walked_ += before - left;
  if (walked_ > max_walked) return fail(limit(Msg::too_many_iterations, {max_iterations}), span).has_value();
  if (deep) return fail(limit(Msg::nested_too_deep, {max_deep}), span).has_value();
  if (!few) return fail(limit(Msg::too_many_nested, {max_nested_items}), span).has_value();
  return true;
}

Interpreter::Result Interpreter::eval_children(const Expr& expr, Sequence::Kind kind) {
  std::vector<Value> items;
  size_t left = max_nested_items;
  for (const ExprPtr child : expr.children) {
    const bool starred = child->kind == Expr::Kind::starred;
    Result item = eval(starred ? *child->children[0] : *child);
    if (!item) return std::nullopt;
    if (!starred) {
      if (!fits(*item, left, child->span)) return std::nullopt;
      items.push_back(std::move(*item));
      continue;
    }
    auto several = items_of(*item, child->span);
    if (!several && error_->reason.id == Msg::not_iterable)
      error_->raised->text = "Value after * must be an iterable, not " + attribute_type(*item);
    if (!several) return std::nullopt;
    if (items.size() + several->size() > max_items)
      return fail(limit(Msg::too_many_items, {static_cast<int64_t>(max_items)}), child->span);
    std::move(several->begin(), several->end(), std::back_inserter(items));
  }
  return list_of(std::move(items), kind);
}

Interpreter::Result Interpreter::eval_fstring(const Expr& expr, bool seen) {
  std::string text;
  for (const ExprPtr part : expr.children) {
    if (part->kind == Expr::Kind::string) {
      text += part->text;
      continue;
    }
    Result value = eval(*part->children[0]);
    const Result spec = !value              ? std::nullopt
                        : part->children[1] ? eval_fstring(*part->children[1])
                                            : Value{std::string()};
    if (!spec) return std::nullopt;
    const auto& form = std::get<std::string>(spec->held);
    value = write_field(*value, part->text, form, *part);
    if (!value && (seen || error_->raised)) return std::nullopt;
    if (!value) step_->wrote_unknown = true;
    text += value ? std::get<std::string>(value->held) : std::string(unknown_text);
    error_.reset();
    if (text.size() > max_text) return fail(limit(Msg::too_many_items, {static_cast<int64_t>(max_text)}), expr.span);
  }
  return Value{std::move(text)};
}

/// The scope that a name is of, whether it is bound there or not.
int Interpreter::owner_of(std::string_view name) const {
  int owner = scope_;
  while (owner > 0 && !scope(owner).owns(name)) owner = around(owner, name);
  return std::max(owner, 0);
}

/// Why a name has no value, where a line that would have given it one failed; else null.
const Scope::Failure* Interpreter::failure_of(std::string_view name) const {
  const auto& failed = scope(owner_of(name)).failed;
  const auto found = failed.find(name);
  return found == failed.end() ? nullptr : &found->second;
}

Diagnostic Interpreter::unknown_name(const Expr& expr) const {
  const int owner = owner_of(expr.text);
  Diagnostic problem =
      owner == 0 ? python_error("NameError", {"name '", expr.text, "' is not defined"}, Msg::name_unknown, {expr.text})
                 : python_error(
                       owner == scope_ ? "UnboundLocalError" : "NameError",
                       {owner == scope_ ? "cannot access local variable '" : "cannot access free variable '", expr.text,
                        "' where it is not associated with a value", owner == scope_ ? "" : " in enclosing scope"},
                       Msg::local_unbound, {expr.text});
  if (const Scope::Failure* failed = failure_of(expr.text)) {
    if (!failed->module.empty()) return limit(Msg::module_unknown, {failed->module});
    const Slot line(failed->line, {Target::Kind::line, -1, failed->line});
    const Slot first(failed->first, {Target::Kind::line, -1, failed->first});
    problem.reason = {failed->lost ? Msg::name_lost : Msg::name_unbound_by_failure, {expr.text, line, first}};
    if (failed->raised) return problem;
    problem.raised.reset();
    problem.hints.push_back({{Msg::hint_name_failed, {first}}, {}});
    return problem;
  }
  if (owner > 0) return problem;
  problem = missing_attribute("builtins", expr.text, expr.text, std::move(problem));
  if (!problem.raised) return problem;
  std::vector<std::string_view> candidates;
  for (const auto& known : known_without_import) candidates.push_back(known.first);
  visit_names([&](const Binding& binding) { candidates.push_back(binding.first); });
  for (const std::string_view builtin_name : builtin_names()) candidates.push_back(builtin_name);
  if (const auto close = nearest(expr.text, candidates))
    problem.hints.push_back({{Msg::did_you_mean, {*close}}, Fix{expr.span, *close}});
  return problem;
}

Interpreter::Result Interpreter::eval_name(const Expr& expr) {
  if (const Value* value = find(expr.text)) return *value;
  if (runs_written())
    if (auto value = written_name(expr.text, *library_of(*calls_.back().function))) return *std::move(value);
  const int owner = owner_of(expr.text);
  if (owner > 0 || failure_of(expr.text)) return fail(unknown_name(expr), expr.span);
  for (auto path = starred_.rbegin(); path != starred_.rend() && !runs_written(); ++path)
    if (gives_by_star(*path, expr.text)) return module_member(*path, expr.text, expr);
  for (const auto& [name, path] : known_without_import)
    if (expr.text == name) return Value{Symbol{std::string(path), nullptr}};
  if (expr.text == "__name__") return Value{std::string("__main__")};
  if (expr.text == "Ellipsis") return Value{Ellipsis{}};
  if (find_builtin(expr.text)) return Value{Symbol{expr.text, nullptr}};
  if (expr.text[0] != '_')
    if (ClassPtr type = class_of_library("builtins." + expr.text)) return Value{std::move(type)};
  if (is_exception(expr.text)) return Value{Symbol{"class." + expr.text, nullptr}};
  return fail(unknown_name(expr), expr.span);
}

}  // namespace stridescope
