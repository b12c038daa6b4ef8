// Headers of blocks: which lines run, and what is so inside them alone. The rounds of loops are in loops.cpp.
#include <algorithm>

#include "ops/members.h"
#include "ops/names.h"
#include "ops/numpy/nditer.h"
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
  if (loop && is_loop_spent()) {
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
  std::vector<Value> given(header.targets.size());  // to the names behind `as`
  size_t named = 0;
  for (size_t i = 0; i < count; ++i) {
    const Expr* const next = i + 1 < count ? header.value->children[i + 1] : nullptr;
    const bool has_name = named < given.size() && (!next || header.targets[named]->span.end <= next->span.begin);
    if (has_name) ++named;
    const Expr& at = several ? *header.value->children[i] : *header.value;
    const Result value = eval(at);
    if (!value && error_->raised) return std::nullopt;
    const bool walks = value && walk_of(*value);
    if (walks && !several) {  // nothing is buffered, so its end only closes it
      blocks_.back().array = *value;
      for (const ExprPtr target : header.targets) bind_name(target->text, *value);
      return value;
    }
    const bool enters = value && has_special(*value, "__enter__");
    if (enters && has_special(*value, "__exit__")) {
      const Result entered = special(*value, "__enter__", {}, at);
      if (!entered) return std::nullopt;
      if (has_name) given[named - 1] = *entered;
      blocks_.back().items.push_back(*value);
      continue;
    }
    const auto* symbol = value ? std::get_if<Symbol>(&value->held) : nullptr;
    const std::string_view path = symbol ? std::string_view(symbol->path) : std::string_view();
    const bool context =
        walks || (value && (std::holds_alternative<Facet>(value->held) || !device_name(*value).empty()));
    if (value && !path.ends_with("()") && !context) {
      const bool not_called = gradients_in(path, settings_.gradients).has_value();
      const std::string type = not_called ? "type" : attribute_type(*value);
      fail(python_error("TypeError",
                        {"'", type, "' object does not support the context manager protocol",
                         enters ? " (missed __exit__ method)" : ""},
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
    if (path != "numpy.printoptions()") continue;
    const TextOptions before = std::exchange(settings_.numpy_texts, settings_.asked_texts);
    if (!blocks_.back().texts) blocks_.back().texts = before;
  }
  for (size_t i = 0; i < header.targets.size(); ++i) bind_name(header.targets[i]->text, given[i]);
  return Value{};
}

Block& Interpreter::open_block(const Statement& header) {
  blocks_.push_back({&header, &header + header.body, settings_.gradients});
  return blocks_.back();
}

/// The blocks that the statement is outside of end: an exception's name is forgotten.
void Interpreter::leave_blocks(const Statement& statement) {
  const auto outside = [&](const Block& block) { return &statement < block.first || &statement > block.last; };
  while (blocks_.size() > first_block_ && outside(blocks_.back()))
    leave_block(flow_->is_asked() ? &flow_->raised() : nullptr);
}

/// Its last block ends: the objects of a `with` are told that it does, and why.
void Interpreter::leave_block(const Diagnostic::Raised* raised) {
  const Block block = std::move(blocks_.back());
  if (!raised && block.failed) raised = &*block.failed;
  for (size_t i = is_clause(*block.first, "with") ? block.items.size() : 0; i-- > 0;) {
    std::vector<Value> why(3);
    if (raised) why = {Value{Symbol{"class." + raised->type, nullptr}}, exception_of(*raised), Value{}};
    Step aside = step_of(*block.first);
    Step* const step = std::exchange(step_, &aside);
    const auto error = std::exchange(error_, std::nullopt);
    const Result answer = special(block.items[i], "__exit__", why, *block.first->value);
    const Result swallows = answer && raised ? truth_of(*answer, *block.first->value) : Value{false};
    if (!answer || !swallows || std::get<bool>(swallows->held)) {  // then other lines run than we have gone on to
      Diagnostic problem = limit(Msg::not_modelled, {"Python", "with " + title(block.first->value->span)});
      problem.span = block.first->value->span;
      if (calls_.empty())
        stopped_ = std::move(problem);
      else
        calls_.back().error = std::move(problem), calls_.back().ended_by = block.first;
    }
    error_ = error;
    step_ = step;
  }
  settings_.gradients = block.gradients;
  if (block.texts) settings_.numpy_texts = *block.texts;
  unbind(block.name);
  if (Walk* walk = is_clause(*block.first, "with") ? walk_of(block.array) : nullptr) walk->close();
  blocks_.pop_back();
}

}  // namespace stridescope
