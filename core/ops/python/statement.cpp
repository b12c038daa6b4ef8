// Statements: what they bind, write, ask and forget.
#include <algorithm>
#include <utility>

#include "ops/members.h"
#include "ops/names.h"
#include "ops/numpy/nditer.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/exceptions.h"
#include "ops/python/interpreter.h"
#include "ops/python/text.h"
#include "ops/torch/nn/modules.h"

namespace stridescope {

Step Interpreter::step_of(const Statement& statement) const {
  const auto begin = static_cast<size_t>(statement.span.begin), end = static_cast<size_t>(statement.span.end);
  Step step;
  step.statement = &statement;
  step.span = statement.span;
  step.line = statement.line;
  step.text = source_.substr(begin, end - begin);
  return step;
}

void Interpreter::run(Flow& flow) {
  flow_ = &flow;
  while (const Statement* statement = flow.next()) {
    if (does_nothing(*statement) || is_over(*statement)) continue;
    Step step = step_of(*statement);
    if (statement->kind == Statement::Kind::import_) {
      step.error = import(*statement);
      if (step.error) record_(std::move(step), true);
      continue;
    }
    if (operations_ >= max_operations && calls_.empty()) {
      stopped_ = limit(Msg::too_many_operations, {max_operations});
      stopped_->span = statement->span;
      return;
    }
    if (!run(*statement, step)) continue;
    // What a definition does is seen where the function is called.
    if (!is_definition(*statement) || step.error || !step.applied.empty()) record(std::move(step));
    if (!calls_.empty() && calls_.back().given) return;
  }
  while (calls_.empty() && !blocks_.empty()) leave_block();
}

Applied& Interpreter::add_applied(Span span) {
  Applied& added = step_->applied.emplace_back();
  added.span = span;
  added.title = title(span);
  return added;
}

/// Where a statement did no more than `at` says, to put a tensor into a list, a dictionary or an object: which one.
bool Interpreter::keeps(bool done, const Value& value, const Expr& at) {
  const TensorPtr tensor = tensor_of(value);
  if (!done || !tensor || !step_->applied.empty() || runs_written()) return done;
  Applied& applied = add_applied(at.span);
  applied.relation = Relation::same;
  applied.inputs = {tensor};
  applied.why.lines = {Message(Msg::kept_itself, {title(at.children[0]->span), to_string(tensor->layout)})};
  return true;
}

/// Of a call whose lines are no steps any more none below is one either, but for those that lead to what failed.
bool Interpreter::is_told() const {
  if (calls_.empty() || runs_written()) return true;
  const Activation& call = calls_.back();
  return (called_steps_ < max_steps_called && called_steps_in_all_ < max_steps_called_in_all) ||
         std::any_of(told_.begin(), told_.end(), [&](const ToldCall& one) {
           return one.call == call.number && (call.lines == 0 || call.lines >= one.from);
         });
}

void Interpreter::record(Step&& step) {
  const bool told = is_told();
  if (calls_.empty()) {
    called_steps_ = 0;
  } else {
    ++calls_.back().lines;
    calls_.back().untold = !told;
    if (told && !runs_written()) ++called_steps_, ++called_steps_in_all_;
  }
  if (runs_written()) return record_(std::move(step), told);
  if (told) {
    recorded_.push_back(step.statement);
  } else {
    ++untold_;
    Step& teller = *calls_[first_of_program()].called_by;
    teller.wrote.insert(teller.wrote.end(), step.wrote.begin(), step.wrote.end());
    teller.wrote_unknown |= step.wrote_unknown;
  }
  record_(std::move(step), told);
}

bool Interpreter::rests_on_unknown(int64_t read, Span span) {
  if (unknown_reads() == read || (error_ && !error_->raised)) return false;
  fail(limit(Msg::values_unknown), span);
  return true;
}

bool Interpreter::run(const Statement& statement, Step& step) {
  leave_blocks(statement);
  if (stopped_ || (!calls_.empty() && calls_.back().error)) return flow_->abandon(), false;
  if (statement.kind == Statement::Kind::error) return statement.text.empty() ? miss(statement) : lose(statement), true;
  step_ = &step;
  error_.reset();
  assigned_ = statement.value ? written(*statement.value) : Written{};
  const int before = operations_;
  const int64_t read = read_ = unknown_reads();
  for (const ExprPtr target : statement.targets)
    if (statement.kind == Statement::Kind::assign || statement.kind == Statement::Kind::clause)
      add_names(*target, step.targets);
  if (statement.kind == Statement::Kind::augmented) {
    augment(statement);
  } else if (statement.kind == Statement::Kind::assert_) {
    check(statement);
  } else if (statement.kind == Statement::Kind::raise_) {
    raise(statement);
  } else if (statement.kind == Statement::Kind::return_) {
    if (const Result given = give_back(statement)) step.value = frozen(*given);
  } else if (statement.kind == Statement::Kind::yield_) {
    if (!give(statement, step)) return false;
  } else if (statement.kind == Statement::Kind::del) {
    forget(statement);
  } else if (statement.kind == Statement::Kind::clause) {
    if (const Result entered = enter(statement)) step.value = frozen(*entered);
  } else if (const Result value = eval(*statement.value)) {
    step.value = frozen(*value);
    for (const ExprPtr target : statement.targets) {
      step.unpack |= target->kind == Expr::Kind::tuple || target->kind == Expr::Kind::list;
      if (!assign(*target, *value)) break;
    }
    // A statement that only writes or sets has no value of its own.
    if (!statement.targets.empty() && step.targets.empty()) step.value = Value{};
  }
  operations_ = std::max(operations_, before + 1);
  const auto repeats = [](const Block& block) { return is_loop(*block.first); };
  if (calls_.empty() && std::any_of(blocks_.begin(), blocks_.end(), repeats))
    looped_operations_ += std::exchange(operations_, before) - before;
  rests_on_unknown(read, statement.span);
  const std::optional<Diagnostic>& error = step.error = std::exchange(error_, std::nullopt);
  if (error) step.value = Value{};
  // What is refused for its cost keeps its layout, what it writes loses no more than its values.
  constexpr Msg not_run[] = {Msg::not_modelled,
                             Msg::file_not_known,
                             Msg::name_unbound_by_failure,
                             Msg::list_in_itself,
                             Msg::module_unknown,
                             Msg::holds_itself,
                             Msg::np_out_unknown,
                             Msg::np_reduce_option,
                             Msg::np_byteswap_nan,
                             Msg::values_unknown,
                             Msg::set_order,
                             Msg::key_unread,
                             Msg::name_lost,
                             Msg::np_structures_not_modelled};
  if (error && !error->raised)
    lose_written(statement, std::find(std::begin(not_run), std::end(not_run), error->reason.id) != std::end(not_run));
  const bool caught = error && error->raised && flow_->raise(*error->raised);
  for (Block& block : blocks_)
    if (error && !caught && calls_.empty() && !block.failed) block.failed = error->raised;
  for (const auto& [name, value] : step.named_inside) home(name).failed.erase(name);
  if (!error)
    for (const std::string& name : step.targets) home(name).failed.erase(name);
  // In a function a name keeps what it holds, as in Python: nothing is shown below what leaves it.
  if (error && !calls_.empty()) calls_.back().given.reset();
  if (!error || caught || (!calls_.empty() && error->raised)) return true;
  const bool follows = error->reason.id == Msg::name_unbound_by_failure || error->reason.id == Msg::name_lost;
  const Scope::Failure* cause = follows ? failure_of(error->reason.args[0].text) : nullptr;
  const int first = cause ? cause->first : statement.line;
  std::vector<std::string> lost = step.targets;
  lost.insert(lost.end(), statement.named.begin(), statement.named.end());
  Scope::Failure failure{statement.line, error->raised.has_value(), first};
  failure.foreign = cause
                        ? cause->foreign
                        : error->reason.id == Msg::module_unknown && !error->reason.args[0].text.starts_with("torch.");
  if (!error->raised) note_held(statement, failure);
  for (const std::string& name : lost) {
    if (step.names_inside(name)) continue;
    unbind(name);
    home(name).failed[name] = failure;
  }
  if (calls_.empty()) return true;
  calls_.back().error = error;
  calls_.back().ended_by = &statement;
  flow_->abandon();
  return true;
}

/// x.ctypes.shape: it is a copy, and can change, which is not modelled.
static bool is_c_array(const Value& value) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  return sequence && sequence->kind == Sequence::Kind::c_array;
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
      if (const auto* facet = std::get_if<Facet>(&owner->held); facet && facet->name.ends_with("storage"))
        return store_in_storage(*facet, *key, value, target);
      if (const Dictionary* dictionary = dictionary_in(*owner))
        return keeps(settled(store(*dictionary, *key, value), target.span), value, target);
      if (const auto* object = std::get_if<Object>(&owner->held)) return set_part(*object, *key, value, target);
      if (type_name(*owner) == "list") return keeps(assign_item(*owner, *key, value, target.span), value, target);
      if (walk_of(*owner)) return write_operand(*owner, *key, value, target);
      if (is_c_array(*owner))
        return fail(limit(Msg::not_modelled, {"NumPy", title(target.span) + " = .."}), target.span).has_value();
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
      const bool alone = statement.targets.size() == 1 && statement.targets[0] == &target;
      const Parts parts{target.children[0]->span, target.part, alone ? statement.value->span : Span{}};
      if (!setters.empty())
        return invoke(setters, {{*owner, value}, {}, parts, {written(*target.children[0]), assigned_}}, target.span)
            .has_value();
      if (const auto* tensor = std::get_if<TensorRef>(&owner->held);
          tensor && (*tensor)->tensor->library == Library::torch && !library_has("torch.Tensor", target.text))
        return attributes_[{(*tensor)->id, target.text}] = value, true;
      if (std::holds_alternative<Object>(owner->held) || std::holds_alternative<ClassPtr>(owner->held))
        return keeps(set_attribute(*owner, value, target), value, target);
      if (std::holds_alternative<FunctionPtr>(owner->held))
        return fail(limit(Msg::not_modelled, {"Python", title(target.span)}), target.span).has_value();
      if (const auto* module = std::get_if<Symbol>(&owner->held)) {
        if (module->path.starts_with("torch.backends.")) return true;  // how PyTorch runs: nothing here depends on it
        settings_.replaced.insert(std::string(class_path(module->path)) + "." + target.text);
      }
      return fail(unsettable(*owner, target.text), target.part).has_value();
    }
  }
}

bool Interpreter::unpack(const Expr& target, const Value& value) {
  const auto parts = parts_for(target, value);
  for (size_t i = 0; parts && i < parts->size(); ++i) {
    const Expr& child = *target.children[i];
    if (!assign(child.kind == Expr::Kind::starred ? *child.children[0] : child, (*parts)[i])) return false;
  }
  return parts.has_value();
}

/// x.storage()[i] = value, or of a slice: the cells, whatever the tensor's recipe.
bool Interpreter::store_in_storage(const Facet& storage, const Value& key, const Value& value, const Expr& target) {
  const bool place = std::holds_alternative<int64_t>(key.held) || std::holds_alternative<SliceValue>(key.held);
  if (storage.name != "storage" || !place)
    return fail(storage.name != "storage"
                    ? limit(Msg::not_modelled, {"PyTorch", title(target.span) + " = .."})
                    : python_error("RuntimeError",
                                   {"can't index a <class 'torch.storage.TypedStorage'> with <class '",
                                    attribute_type(key), "'>"},
                                   Msg::argument_has_type, {"i", "int", type_name(key)}),
                target.children[1]->span)
        .has_value();
  Tensor cells = storage_line(*storage.tensor, storage.tensor->dtype);
  const Value line{std::make_shared<TensorObject>(TensorObject{-1, std::make_shared<const Tensor>(std::move(cells))})};
  return invoke(find_forms(Library::torch, Form::Kind::store, "[]"),
                {{line, key, value}, {}, {}, {written(*target.children[0]), written(*target.children[1]), assigned_}},
                target.span)
      .has_value();
}

/// it[i] = value of an nditer: what operand i has where it stands.
bool Interpreter::write_operand(const Value& iterator, const Value& key, const Value& value, const Expr& target) {
  const Result operand = settle(nditer_operand(iterator, key), target.span);
  const TensorPtr array = operand ? tensor_of(*operand) : nullptr;
  if (!operand) return false;
  if (array && !array->writeable)
    return fail(python_error("RuntimeError", {"Iterator operand ", as_index(key).value_or(0), " is not writeable"},
                             Msg::np_readonly, {"array"}),
                target.span)
        .has_value();
  const bool one = is_array(value) ? has_dtype(value) && (!tensor_of(value) || tensor_of(value)->layout.rank() == 0)
                                   : as_real(value).has_value();
  if (!array || !one)
    return fail(limit(Msg::not_modelled, {"NumPy", title(target.span) + " = .."}), target.span).has_value();
  return invoke(find_forms(Library::numpy, Form::Kind::store, "[]"),
                {{*operand, Value{Ellipsis{}}, value},
                 {},
                 {},
                 {written(*target.children[0]), written(*target.children[1]), assigned_}},
                target.span)
      .has_value();
}

Interpreter::Result Interpreter::check(const Statement& statement) {
  const Result condition = eval(*statement.value);
  const Result holds = condition ? truth_of(*condition, *statement.value) : std::nullopt;
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
  const Result raised = given && cause ? exception(statement.value, *given, "s") : std::nullopt;
  if (!raised) return std::nullopt;
  if (!std::holds_alternative<None>(cause->held) && !exception(statement.targets[0], *cause, " causes"))
    return std::nullopt;
  const Caught& caught = std::get<Caught>(raised->held);
  Diagnostic problem;
  problem.reason = {!runs_written()                ? Msg::raised_by_program
                    : caught.type == "BufferError" ? Msg::memory_is_lent
                                                   : Msg::raised_by_library,
                    {}};
  problem.raised = Diagnostic::Raised{caught.type, caught.text, !caught.worded, caught.bare};
  return fail(std::move(problem), statement.span);
}

/// `return`: of a value or of None.
Interpreter::Result Interpreter::give_back(const Statement& statement) {
  const Result given = statement.value ? eval(*statement.value) : Value{};
  if (!given) return std::nullopt;
  calls_.back().returned = *given;
  flow_->end();
  return given;
}

/// What is said where no item can be deleted; only of x.flags and x.ctypes it is not known here.
static Diagnostic undeletable(const Value& owner) {
  const std::string type = attribute_type(owner);
  const TensorPtr tensor = tensor_of(owner);
  const Message reason(Msg::not_deletable, {type});
  if (has_special(owner, "__setitem__")) return python_error("AttributeError", "__delitem__", reason);
  const auto* object = std::get_if<Object>(&owner.held);
  if (object && (is_list_of_modules(*object->type) || is_dictionary_of_modules(*object->type)))
    return limit(Msg::not_modelled, {"PyTorch", "del m[..]"});
  if (tensor && tensor->library == Library::numpy)
    return python_error("ValueError", "cannot delete array elements", reason);
  if (tensor) return python_error("TypeError", "Tensor does not support deleting items", reason);
  if (is_flat(owner)) return python_error("TypeError", "Cannot delete iterator elements", reason);
  if (type == "memoryview") return python_error("TypeError", "cannot delete memory", reason);
  const auto* facet = std::get_if<Facet>(&owner.held);
  if (facet || is_c_array(owner))
    return limit(Msg::not_modelled,
                 {facet && facet->tensor->library == Library::torch ? "PyTorch" : "NumPy", "del x." + type});
  const auto* sequence = std::get_if<Sequence>(&owner.held);
  const bool places = object || std::holds_alternative<std::string>(owner.held) ||
                      (std::holds_alternative<Dictionary>(owner.held) && type != "mappingproxy") ||
                      std::holds_alternative<Set>(owner.held) || (sequence && !is_iterator(sequence->kind));
  return python_error("TypeError", {"'", type, "' object ", places ? "doesn't" : "does not", " support item deletion"},
                      reason);
}

/// `del owner[key]`
bool Interpreter::forget_item(const Expr& target) {
  const Result owner = eval(*target.children[0]);
  const Result key = owner ? eval(*target.children[1]) : std::nullopt;
  if (!key) return false;
  if (const Dictionary* items = dictionary_in(*owner); items && !items->items->fixed)
    return settle(call_dictionary("pop", *owner, {*key}), target.span).has_value();
  if (type_name(*owner) == "list") return remove_items(*owner, *key, target.span);
  return has_special(*owner, "__delitem__") ? special(*owner, "__delitem__", {*key}, target).has_value()
                                            : fail(undeletable(*owner), target.span).has_value();
}

Interpreter::Result Interpreter::forget(const Statement& statement) {
  for (const ExprPtr target : statement.targets) {
    if (target->kind != Expr::Kind::name) {
      if (!(target->kind == Expr::Kind::subscript ? forget_item(*target) : forget_attribute(*target)))
        return std::nullopt;
      continue;
    }
    const auto bound = [&](const auto& binding) { return binding.first == target->text; };
    const std::vector<Binding>& known = home(target->text).bindings;
    if (std::none_of(known.begin(), known.end(), bound)) return fail(unknown_name(*target), target->span);
    unbind(target->text);
  }
  return Value{};
}

}  // namespace stridescope
