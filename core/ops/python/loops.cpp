// The rounds of `for` and `while`.
#include <algorithm>
#include <limits>
#include <utility>

#include "ops/numpy/nditer.h"
#include "ops/python/interpreter.h"
#include "ops/python/set.h"

namespace stridescope {
namespace {

void tensors_in(const Value& value, std::vector<TensorPtr>& tensors) {
  if (const TensorPtr tensor = tensor_of(value)) return tensors.push_back(tensor);
  for (const Value& part : parts_of(value)) tensors_in(part, tensors);
}

/// Which of `tensors` is in a value, if any.
std::optional<Value> shared(const Value& value, const std::vector<TensorPtr>& tensors) {
  if (const TensorPtr tensor = tensor_of(value)) {
    const auto same = [&](const TensorPtr& other) { return other->object == tensor->object; };
    return std::any_of(tensors.begin(), tensors.end(), same) ? std::optional(value) : std::nullopt;
  }
  for (const Value& part : parts_of(value))
    if (auto found = shared(part, tensors)) return found;
  return std::nullopt;
}

/// Of what was done to make the items, what made one of them; in the first round so does what made none.
std::vector<Applied> behind_item(const std::vector<Applied>& applied, const Value& item,
                                 const std::vector<Value>& items, bool first) {
  if (applied.empty()) return {};
  std::vector<TensorPtr> its, all;
  tensors_in(item, its);
  for (const Value& one : items) tensors_in(one, all);
  std::vector<Span> makers;
  for (const Applied& one : applied)
    if (shared(one.result, all)) makers.push_back(one.span);
  std::vector<Applied> behind;
  for (const Applied& one : applied) {
    const auto made = shared(one.result, its);
    if (!made && (!first || std::find(makers.begin(), makers.end(), one.span) != makers.end())) continue;
    behind.push_back(one);
    if (made) behind.back().result = *made;
  }
  return behind;
}

/// A set or a dictionary must have as many items in every round.
bool asks_for_size(const Value& value) {
  return std::holds_alternative<Set>(value.held) || std::holds_alternative<Dictionary>(value.held);
}

/// Whether a loop does not know how many rounds it has: what it goes through is asked for an item each time.
bool is_asked(const Value& walked) {
  const auto* sequence = std::get_if<Sequence>(&walked.held);
  return sequence && is_iterator(sequence->kind);
}

}  // namespace

/// What tqdm(..) stands around, which shows how far a loop has come and gives the same items; else the expression
/// itself.
const Expr& Interpreter::without_bar(const Expr& expr) const {
  if (expr.kind != Expr::Kind::call || expr.arguments.empty()) return expr;
  const Expr& called = *expr.children[0];
  const Argument& first = expr.arguments[0];
  const bool part = called.kind == Expr::Kind::attribute && called.children[0]->kind == Expr::Kind::name;
  if (called.text != "tqdm" || !first.value || !first.name.empty() || first.stars > 0) return expr;
  const std::string& name = part ? called.children[0]->text : called.text;
  const Scope::Failure* const failed = find(name) ? nullptr : failure_of(name);
  return failed && failed->module.starts_with("tqdm") ? *first.value : expr;
}

/// Whether nothing is left to do for a loop whose rounds are over.
bool Interpreter::is_over(const Statement& header) {
  if (!is_clause(header, "for")) return false;
  leave_blocks(header);
  if (blocks_.size() == first_block_ || blocks_.back().first != &header) return false;
  const Block& loop = blocks_.back();
  if (loop.round < loop.rounds || loop.round == 0 || resized(loop.array, static_cast<size_t>(loop.rounds)))
    return false;
  flow_->choose(false);
  return true;
}

Interpreter::Result Interpreter::round(const Statement& header) {
  const bool first = blocks_.size() == first_block_ || blocks_.back().first != &header;
  if (first) open_block(header);
  if (header.text == "for") return round_of_items(header, first);
  const Result holds = condition(header);
  if (!holds) return std::nullopt;
  const bool again = std::get<bool>(holds->held);
  int& rounds = blocks_.back().round;
  (again ? step_->round : step_->rounds) = again ? ++rounds : rounds;
  flow_->choose(again);
  return holds;
}

Interpreter::Result Interpreter::round_of_items(const Statement& header, bool first) {
  Block& loop = blocks_.back();
  const Span at = header.value->span;
  if (!first && is_asked(loop.array)) return round_of_asked(header);
  if (first) {
    const Result given = eval_iterable(*header.value);
    const Result iterable = given ? walked(*given, at) : std::nullopt;
    if (!iterable) return std::nullopt;
    if (source_of(*iterable)) {
      loop.array = *iterable;
      loop.rounds = std::numeric_limits<int>::max();
      return round_of_asked(header);
    }
    // NumPy makes each row when its round comes.
    const TensorPtr array = tensor_of(*iterable);
    const bool rows = array && array->library == Library::numpy && array->layout.rank() > 0;
    auto items = rows ? std::optional(std::vector<Value>()) : items_of(*iterable, at);
    if (!items) return std::nullopt;
    const int64_t count = rows ? array->layout.sizes[0] : static_cast<int64_t>(items->size());
    loop.rounds = static_cast<int>(std::min<int64_t>(count, std::numeric_limits<int>::max()));
    const bool changes = type_name(*iterable) == "list" || std::holds_alternative<Dictionary>(iterable->held) ||
                         std::holds_alternative<Set>(iterable->held);
    loop.array = rows || changes ? *iterable : Value{};
    // More than can be gone through need not be kept.
    items->resize(std::min(items->size(), size_t{max_operations_called}));
    loop.items = *std::move(items);
    loop.applied = step_->applied;
  }
  step_->rounds = loop.rounds;
  if (!settled(resized(loop.array, static_cast<size_t>(loop.rounds)), at)) return std::nullopt;
  if (loop.rounds == 0) {
    step_->targets.clear();
    flow_->choose(false);
    return Value{};
  }
  step_->round = ++loop.round;
  Result item;
  if (loop.items.empty()) {
    item = row_of(loop.array, loop.round - 1, at);
  } else {
    item = loop.items[static_cast<size_t>(loop.round) - 1];
    if (!bounded(*item, at)) return std::nullopt;
    step_->applied = behind_item(loop.applied, *item, loop.items, first);
  }
  const Expr& target = *header.targets[0];
  step_->unpack = target.kind == Expr::Kind::tuple;
  if (!item || !assign(target, *item)) return std::nullopt;
  // Behind its last round Python asks such a one once more.
  flow_->choose(true, loop.round == loop.rounds && !asks_for_size(loop.array));
  return item;
}

/// The next round where it is not known how many there are.
Interpreter::Result Interpreter::round_of_asked(const Statement& header) {
  Block& loop = blocks_.back();
  Value item;
  const Next answer = next_item(loop.array, header.value->span, item);
  if (answer == Next::failure) return std::nullopt;
  if (answer == Next::none) {
    step_->rounds = loop.round;
    step_->targets.clear();
    flow_->choose(false);
    return Value{};
  }
  step_->round = ++loop.round;
  if (const Walk* walk = walk_of(loop.array))
    step_->rounds = loop.round + static_cast<int>(walk->items.size() - walk->place) - 1;
  const Expr& target = *header.targets[0];
  step_->unpack = target.kind == Expr::Kind::tuple;
  if (!assign(target, item)) return std::nullopt;
  flow_->choose(true);
  return item;
}

}  // namespace stridescope
