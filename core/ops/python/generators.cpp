// Generators: calls that go on where they were left, each time that somebody asks them for an item; and how iterators
// are asked.
#include <algorithm>
#include <utility>

#include "ops/explanation.h"
#include "ops/python/interpreter.h"
#include "ops/python/written.h"

namespace stridescope {

/// A call that waits at a `yield`, or before its first line.
struct Suspended {
  FunctionPtr function;
  int scope;                          ///< its names
  std::string title;                  ///< the code that asks it for an item
  Flow flow;
  std::list<Block> blocks = {};       ///< that it is inside
  std::vector<Value> delegates = {};  ///< the iterator that a `yield from` goes through, if it does
  bool runs = false;
};

Interpreter::Result Interpreter::make_generator(const FunctionPtr& function, std::vector<Binding> bindings, Span span) {
  // What stands in `finally` would run when nobody holds it any more, and what decorators turn off when it is asked.
  const Statement* const last =
      own_line(*function->statement, [](const Statement& line) { return is_clause(line, "finally"); });
  if (last || !function->contexts.empty()) return fail(limit(Msg::not_modelled, {"Python", title(span)}), span);
  const Flow& outside = runs_written() ? *calls_[first_of_program()].outside->flow : *flow_;
  const auto call = std::make_shared<Suspended>(Suspended{
      function, static_cast<int>(scopes_.size()), "next(" + title(span) + ")", Flow(outside, *function->statement)});
  scopes_.push_back({function, function->scope, std::move(bindings)});
  const Value generator = iterator_over(
      Sequence::Kind::generator, [this, call](Span asks, Value& item) { return resume(*call, asks, item); },
      function->name);
  Applied& applied = add_applied(span);
  applied.result = frozen(generator);
  applied.why.lines.push_back({Msg::generator_made, {function->name}});
  return generator;
}

/// Runs the lines of a generator up to the next `yield`.
Next Interpreter::resume(Suspended& generator, Span span, Value& item) {
  const FunctionPtr function = generator.function;
  const auto refuse = [&](Diagnostic problem) { return fail(std::move(problem), span), Next::failure; };
  if (generator.runs)
    return refuse(python_error("ValueError", "generator already executing", Msg::generator_runs, {function->name}));
  if (calls_.size() >= max_calls_deep) return refuse(limit(Msg::calls_too_deep, {max_calls_deep}));
  if (is_call_spent()) return refuse(too_many_rounds());
  Applied applied;
  applied.span = span;
  applied.title = generator.title;
  for (const Binding& binding : scope(generator.scope).bindings)
    if (!std::holds_alternative<Object>(binding.second.held)) collect_tensors(binding.second, applied.inputs);
  const BeforeCall before = before_call(applied);

  const Statement& header = *function->statement;
  Caller caller = enter_call(function, generator.scope);
  calls_.back().generator = &generator;
  generator.runs = true;
  blocks_.splice(blocks_.end(), generator.blocks);
  ++operations_;
  run_own([&] {
    record_call(*function);
    run(generator.flow);
  });
  generator.runs = false;
  Activation& call = calls_.back();
  if (call.given) {
    generator.blocks.splice(generator.blocks.end(), blocks_,
                            std::next(blocks_.begin(), static_cast<std::ptrdiff_t>(first_block_)), blocks_.end());
    item = *std::move(leave_call(std::move(caller)).given);
    explain_call(applied, *function, item, before);
    applied.result = frozen(item);
    complete_reasons(applied);
    step_->applied.push_back(std::move(applied));
    return Next::item;
  }
  if (call.error) {
    lose_changes(header);
  } else if (const auto& raised = generator.flow.uncaught()) {
    call.error = Diagnostic{.raised = raised->what};
    call.ended_by = raised->by;
    if (raised->what.type == "StopIteration")
      call.error->raised = Diagnostic::Raised{"RuntimeError", "generator raised StopIteration"};
  }
  const Activation ended = end_call(std::move(caller));
  if (!ended.error) return Next::none;
  fail_call(ended, std::move(applied));
  return Next::failure;
}

/// `yield`. One of all that something gives comes again while that has more.
/// @return whether it has come to something, rather than to the end of what it goes through
bool Interpreter::give(const Statement& statement, Step& step) {
  Suspended& generator = *calls_.back().generator;
  Result given;
  if (statement.text.empty()) {
    given = statement.value ? eval(*statement.value) : Value{};
  } else {
    const bool begins = generator.delegates.empty();
    if (begins) {
      const Result whole = eval_iterable(*statement.value);
      const Result iterator = whole ? iterator_through(*whole, statement.value->span) : std::nullopt;
      if (!iterator) return true;
      generator.delegates = {*iterator};
    }
    Value item;
    const Next answer = next_item(generator.delegates.front(), statement.value->span, item);
    if (answer != Next::item) generator.delegates.clear();
    if (answer != Next::item) return begins || answer == Next::failure;
    flow_->again();
    given = item;
  }
  if (!given) return true;
  step.value = frozen(*given);
  calls_.back().given = *std::move(given);
  return true;
}

bool Interpreter::pull(const Value& iterator, Span span) {
  ItemSource* const source = source_of(iterator);
  if (!source) return true;
  const auto kept = std::get<Sequence>(iterator.held).source;  // whatever its lines do to the names for it
  Value item;
  const Next answer = source->next(span, item);
  kept->over |= answer != Next::item;
  if (answer == Next::item)
    const_cast<std::vector<Value>&>(*std::get<Sequence>(iterator.held).items).push_back(std::move(item));
  return answer != Next::failure;
}

bool Interpreter::drain(const Value& iterator, Span span, size_t most) {
  size_t left = max_nested_items;
  while (source_of(iterator) && std::get<Sequence>(iterator.held).items->size() < most) {
    const size_t before = std::get<Sequence>(iterator.held).items->size();
    if (++iterations_ > max_iterations)
      return fail(limit(Msg::too_many_iterations, {max_iterations}), span).has_value();
    if (!pull(iterator, span)) return false;
    const std::vector<Value>& items = *std::get<Sequence>(iterator.held).items;
    if (items.size() > max_items)
      return fail(limit(Msg::too_many_items, {static_cast<int64_t>(max_items)}), span).has_value();
    if (items.size() > before && !fits(items.back(), left, span)) return false;
  }
  return true;
}

Interpreter::Result Interpreter::iterator_through(const Value& value, Span span) {
  const Result iterator = walked(value, span);
  const auto* sequence = iterator ? std::get_if<Sequence>(&iterator->held) : nullptr;
  if (!iterator || (sequence && is_iterator(sequence->kind))) return iterator;
  auto items = items_of(*iterator, span);
  return items ? Result(list_of(*std::move(items), Sequence::Kind::iterator)) : std::nullopt;
}

Next Interpreter::next_item(const Value& iterator, Span span, Value& item) {
  if (!drain(iterator, span, 1)) return Next::failure;
  const std::vector<Value>& items = *std::get<Sequence>(iterator.held).items;
  if (items.empty()) return Next::none;
  item = items.front();
  use_up(iterator, 1);
  return Next::item;
}

/// What a target of several names is given, one value each.
std::optional<std::vector<Value>> Interpreter::parts_for(const Expr& target, const Value& value) {
  const auto star = std::find_if(target.children.begin(), target.children.end(),
                                 [](const ExprPtr child) { return child->kind == Expr::Kind::starred; });
  const bool starred = star != target.children.end();
  // Python asks for one more than it wants, to see that there is none.
  const Result through = walked(value, target.span);
  if (!through) return std::nullopt;
  const bool asks = !starred && source_of(*through);
  if (asks && !drain(*through, target.span, target.children.size() + 1)) return std::nullopt;
  auto items = asks ? python_items(*through) : items_of(*through, target.span);
  if (asks) use_up(*through);
  if (!items && error_->reason.id == Msg::not_iterable)
    error_->raised->text = "cannot unpack non-iterable " + attribute_type(value) + " object";
  if (!items) return std::nullopt;
  const size_t wanted = target.children.size() - (starred ? 1 : 0), given = items->size();
  if (starred ? given < wanted : given != wanted) {
    const Message reason(Msg::unpack_count, {static_cast<int64_t>(wanted), static_cast<int64_t>(given)});
    const std::string expected = (starred ? "(expected at least " : "(expected ") + std::to_string(wanted);
    fail(given > wanted
             ? python_error("ValueError", {"too many values to unpack ", expected, ")"}, reason)
             : python_error("ValueError", {"not enough values to unpack ", expected, ", got ", given, ")"}, reason),
         target.span);
    return std::nullopt;
  }
  if (!starred) return items;
  const auto first = items->begin() + (star - target.children.begin());
  const auto last = first + static_cast<std::ptrdiff_t>(given - wanted);
  Value rest = list_of({first, last});
  items->insert(items->erase(first, last), std::move(rest));
  return items;
}

}  // namespace stridescope
