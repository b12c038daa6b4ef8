// Headers of blocks: which lines run, and what is so inside them alone. The rounds of loops are in loops.cpp.
#include <algorithm>

#include "ops/members.h"
#include "ops/names.h"
#include "ops/python/exceptions.h"
#include "ops/python/interpreter.h"

namespace stridescope {
namespace {

Value exception_of(const Diagnostic::Raised& raised) {
  return {Caught{raised.type, raised.text, !raised.parser, raised.bare}};
}

}  // namespace

std::optional<Gradients> gradients_in(std::string_view context, Gradients before) {
  // Inference mode lasts, whatever else is said inside it.
  const auto unless_inference = [&](Gradients now) { return before == Gradients::inference ? before : now; };
  if (context == "torch.no_grad") return unless_inference(Gradients::ignored);
  if (context == "torch.enable_grad") return unless_inference(Gradients::followed);
  if (context == "torch.inference_mode") return Gradients::inference;
  // That has set it before its block is entered.
  constexpr std::string_view others[] = {"numpy.errstate", "numpy.printoptions", "torch.set_grad_enabled",
                                         "torch.autograd.set_detect_anomaly"};
  const bool known = std::find(std::begin(others), std::end(others), context) != std::end(others);
  return known ? std::optional(before) : std::nullopt;
}

Interpreter::Result Interpreter::enter(const Statement& header) {
  if (is_definition(header)) {
    flow_->choose(false);
    const Result defined = is_class(header) ? define_class(header) : define(header, nullptr);
    if (defined) bind_name(header.targets[0]->text, *defined);
    return defined;
  }
  const bool loop = is_loop(header);
  if (loop && operations_ >= most_operations(max_operations_repeated)) {
    fail(too_many_rounds(), header.value->span);
    lose_clauses(flow_->give_up());
    return std::nullopt;
  }
  const int64_t read = unknown_reads();
  Result entered = loop                      ? round(header)
                   : header.text == "with"   ? contexts(header)
                   : header.text == "except" ? caught(header, flow_->raised())
                                             : condition(header);
  if (rests_on_unknown(read, header.value ? header.value->span : header.span)) entered.reset();
  const bool* holds = entered ? std::get_if<bool>(&entered->held) : nullptr;
  if (!entered)
    flow_->choose(std::nullopt);
  else if (!loop)
    flow_->choose(!holds || *holds);
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
  return value ? truth_of(*value, *header.value) : std::nullopt;
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
    if (!is_exception(name) && library_exception(name).empty())
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
  open_block(header);
  for (size_t i = 0; i < count; ++i) {
    const Expr& at = several ? *header.value->children[i] : *header.value;
    const Result value = eval(at);
    if (!value && error_->raised) return std::nullopt;
    const auto* iterator = value ? std::get_if<Sequence>(&value->held) : nullptr;
    const bool walks = iterator && iterator->kind == Sequence::Kind::nditer;
    if (walks && !several) {  // nothing is buffered, so its end does nothing
      for (const ExprPtr target : header.targets) bind_name(target->text, *value);
      return value;
    }
    const auto* symbol = value ? std::get_if<Symbol>(&value->held) : nullptr;
    const std::string_view path = symbol ? std::string_view(symbol->path) : std::string_view();
    const bool context =
        walks || (value && (std::holds_alternative<Facet>(value->held) || !device_name(*value).empty()));
    if (value && !path.ends_with("()") && !context) {
      const bool not_called = gradients_in(path, settings_.gradients).has_value();
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
    settings_.gradients = *gradients_in(path.substr(0, path.size() - 2), settings_.gradients);
  }
  for (const ExprPtr target : header.targets) bind_name(target->text, Value{});
  return Value{};
}

Block& Interpreter::open_block(const Statement& header) {
  blocks_.push_back({&header, &header + header.body, settings_.gradients});
  return blocks_.back();
}

/// The blocks that the statement is outside of end: an exception's name is forgotten.
void Interpreter::leave_blocks(const Statement& statement) {
  const auto outside = [&](const Block& block) { return &statement < block.first || &statement > block.last; };
  for (; blocks_.size() > first_block_ && outside(blocks_.back()); blocks_.pop_back()) {
    settings_.gradients = blocks_.back().gradients;
    unbind(blocks_.back().name);
  }
}

/// The names of a block that is not run: what it may give a value to, or write into, is not known any more.
void Interpreter::lose(const Statement& block) {
  lose_changes(block);
  // What is bound in it and written into may be a part of what the header names.
  const auto bound = [&](const std::string& name) {
    return std::find(block.binds.begin(), block.binds.end(), name) != block.binds.end();
  };
  if (block.value && std::any_of(block.changes.begin(), block.changes.end(), bound))
    lose_named(*block.value, block.line);
  for (const std::string& name : block.binds) {
    unbind(name);
    scope().failed[name] = {block.line, false, block.line};
  }
}

/// A line that is not read. Most often it is being written, so what it would give another value to keeps its own.
void Interpreter::miss(const Statement& line) {
  for (const std::string& name : line.binds)
    if (!find(name)) scope().failed[name] = {line.line, false, line.line};
}

/// Whether a tensor on that storage is the value or in it.
static bool holds_storage(const Value& value, const Storage& storage) {
  std::vector<TensorPtr> tensors;
  collect_tensors(value, tensors);
  return std::any_of(tensors.begin(), tensors.end(),
                     [&](const TensorPtr& one) { return one->storage.get() == &storage; });
}

/// What those names hold is not known any more, because of a line.
void Interpreter::lose_bindings(const std::function<bool(const Binding&)>& lost, int line) {
  for (Scope& scope : scopes_)
    std::erase_if(scope.bindings, [&](const Binding& binding) {
      if (!lost(binding)) return false;
      scope.failed[binding.first] = {line, false, line};
      return true;
    });
}

/// Nor is what shares memory with anything that an expression names.
void Interpreter::lose_named(const Expr& expr, int line) {
  for (const ExprPtr child : expr.children)
    if (child) lose_named(*child, line);
  for (const Argument& argument : expr.arguments)
    if (argument.value) lose_named(*argument.value, line);
  std::vector<TensorPtr> tensors;
  if (const Value* value = expr.kind == Expr::Kind::name ? find(expr.text) : nullptr) collect_tensors(*value, tensors);
  for (const TensorPtr& tensor : tensors)
    lose_bindings([&](const Binding& one) { return holds_storage(one.second, *tensor->storage); }, line);
}

void Interpreter::lose_changes(const Statement& block) {
  for (const std::string& changed : block.changes) {
    const Value* value = find(changed);
    if (!value || std::holds_alternative<Symbol>(value->held)) continue;
    const auto* facet = std::get_if<Facet>(&value->held);  // a memoryview is written through
    const TensorPtr tensor = facet ? facet->tensor : tensor_of(*value);
    const void* const object = object_of(*value);
    const void* const itself = value;
    lose_bindings(
        [&](const Binding& one) {
          return &one.second == itself || (object && holds_object(one.second, object)) ||
                 (tensor && holds_storage(one.second, *tensor->storage));
        },
        block.line);
  }
}

namespace {

/// Whose part, or whose method's result, it is: x of x[0].t(); "" where that has no name.
std::string_view owner_in(const Expr& expr) {
  const bool part = expr.kind == Expr::Kind::attribute || expr.kind == Expr::Kind::subscript ||
                    (expr.kind == Expr::Kind::call && expr.children[0]->kind == Expr::Kind::attribute);
  return part ? owner_in(*expr.children[0]) : expr.kind == Expr::Kind::name ? expr.text : std::string_view();
}

/// Functions that write into what they are given first.
constexpr std::string_view fills[] = {
    "at",      "copyto",  "delattr",        "delitem", "fill_diagonal", "iadd",    "iand",    "iconcat", "ifloordiv",
    "ilshift", "imatmul", "imod",           "imul",    "ior",           "ipow",    "irshift", "isub",    "itruediv",
    "ixor",    "place",   "put_along_axis", "putmask", "setattr",       "setitem", "shuffle"};

/// What the calls in `expr` write into. `is_module`: whether a name is of one, whose functions write into an argument.
/// `parts`: what is written into is nameless, but a part of what these name.
template <class IsModule>
void add_written(const Expr& expr, const IsModule& is_module, std::vector<std::string>& names,
                 std::vector<const Expr*>& parts) {
  if (expr.kind == Expr::Kind::call) {
    const Expr& called = *expr.children[0];
    const auto inplace = [](const Argument& argument) { return argument.name == "inplace"; };
    const bool fill = std::find(std::begin(fills), std::end(fills), called.text) != std::end(fills),
               writes = writes_into(called.text) || std::any_of(expr.arguments.begin(), expr.arguments.end(), inplace),
               method = called.kind == Expr::Kind::attribute && !is_module(owner_in(called));
    if (writes && method) names.emplace_back(owner_in(called));
    if ((fill || (writes && !method)) && !expr.arguments.empty() && expr.arguments[0].value)
      names.emplace_back(owner_in(*expr.arguments[0].value));
  }
  for (const ExprPtr child : expr.children)
    if (child) add_written(*child, is_module, names, parts);
  for (const Argument& argument : expr.arguments) {
    if (!argument.value) continue;
    if (argument.name == "out") names.emplace_back(owner_in(*argument.value));
    if (argument.name == "out" && argument.value->kind != Expr::Kind::name) parts.push_back(argument.value);
    if (argument.name == "op_flags") parts.push_back(&expr);  // of np.nditer
    add_written(*argument.value, is_module, names, parts);
  }
}

}  // namespace

/// What a line that cannot be run here would write into is not known below it, nor what a module makes once it sets
/// what is made by default.
void Interpreter::lose_written(const Statement& line) {
  Statement lost;
  lost.line = line.line;
  std::vector<const Expr*> parts;
  for (const ExprPtr target : line.targets)
    if (target->kind != Expr::Kind::name || line.kind == Statement::Kind::augmented) {
      lost.changes.emplace_back(owner_in(*target));
      if (lost.changes.back().empty()) parts.push_back(target);
    }
  const auto is_module = [&](std::string_view name) {
    const Value* value = find(name);
    return !value || std::holds_alternative<Symbol>(value->held);  // torch is known without its import
  };
  if (line.value) add_written(*line.value, is_module, lost.changes, parts);
  if (line.value && line.value->kind == Expr::Kind::call && line.value->children[0]->text == "add") {
    const std::string_view owner = owner_in(*line.value->children[0]);
    const Value* value = find(owner);
    if (value && std::holds_alternative<Set>(value->held)) lost.changes.emplace_back(owner);
  }
  for (const Expr* part : parts) lose_named(*part, line.line);
  lose_changes(lost);
  if (!line.value || line.value->kind != Expr::Kind::call) return;
  const std::string_view function = line.value->children[0]->text;
  if (function == "backward") settings_.grads_unknown = true;
  if (!function.starts_with("set_default_")) return;
  const std::string module(owner_in(*line.value->children[0]));
  unbind(module);
  scope().failed[module] = {line.line, false, line.line};
}

}  // namespace stridescope
