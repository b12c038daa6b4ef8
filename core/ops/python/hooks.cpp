// Hooks: functions of the program's that are called around a module's forward, and when gradients come to a tensor.
#include "ops/python/hooks.h"

#include <algorithm>

#include "ops/python/backward.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// What errors call a hook.
std::string hook_name(const Value& hook) {
  if (const auto* function = std::get_if<FunctionPtr>(&hook.held))
    return (*function)->name.substr((*function)->name.rfind('.') + 1);
  const auto* symbol = std::get_if<Symbol>(&hook.held);
  return symbol ? symbol->path.substr(symbol->path.rfind('.') + 1) : "<unknown>";
}

/// Those of a module that were not removed.
std::vector<Hook> hooks_of(const Numbering& numbering, const Object& module, WhichHooks which) {
  std::vector<Hook> hooks;
  const auto own = numbering.module_hooks.find(module.attributes.get());
  if (own == numbering.module_hooks.end()) return hooks;
  for (const int64_t number : own->second.*which)
    if (const auto found = numbering.hooks.find(number); found != numbering.hooks.end()) hooks.push_back(found->second);
  return hooks;
}

std::vector<Value> functions_of(const std::vector<Hook>& hooks) {
  std::vector<Value> functions;
  for (const Hook& one : hooks) functions.push_back(one.function);
  return functions;
}

/// What a hook gives that is handed names, too: positional arguments and a dictionary of the others.
std::optional<Diagnostic> replace_all(Arguments& arguments, const Value& made) {
  const std::vector<Value> both = as_tuple(made);
  const Dictionary* const names = is_tuple_itself(made) && both.size() == 2 ? dictionary_in(both[1]) : nullptr;
  if (!is_tuple_itself(made) || both.size() != 2)
    return python_error(
        "RuntimeError",
        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got " + to_string(made) + ".",
        Msg::op_module_hook);
  const auto is_text = [](const Value& key) { return std::holds_alternative<std::string>(key.held); };
  if (!names || !is_tuple_itself(both[0]) ||
      !std::all_of(names->items->keys.begin(), names->items->keys.end(), is_text))
    return limit(Msg::not_modelled, {"PyTorch", "register_forward_pre_hook(.., with_kwargs=True)"});
  arguments = {as_tuple(both[0]), {}, {}, {}, {}};
  for (size_t i = 0; i < names->items->keys.size(); ++i)
    arguments.named.emplace_back(std::get<std::string>(names->items->keys[i].held), names->items->values[i]);
  arguments.named_written.resize(arguments.named.size());
  return std::nullopt;
}

}  // namespace

bool is_tuple_itself(const Value& value) {
  const auto* several = std::get_if<Sequence>(&value.held);
  return several && several->kind == Sequence::Kind::tuple;
}

std::vector<Value> as_tuple(const Value& value) {
  return is_tuple_itself(value) ? *std::get<Sequence>(value.held).items : std::vector<Value>{value};
}

Value hook_handle(int64_t number) {
  const ClassPtr type = class_of_library("torch.utils.hooks.RemovableHandle");
  const Object handle{type, std::make_shared<DictionaryItems>()};
  keep(handle, "id", Value{number});
  return Value{handle};
}

void add_module_hook(Numbering& numbering, const Object& module, WhichHooks which, int64_t number, bool first) {
  ModuleHooks& own = numbering.module_hooks[module.attributes.get()];
  own.module = module.attributes;
  std::vector<int64_t>& numbers = own.*which;
  numbers.insert(first ? numbers.begin() : numbers.end(), number);
}

bool has_hooks(const Object& module, const Numbering& numbering) {
  constexpr WhichHooks all[] = {&ModuleHooks::before, &ModuleHooks::after, &ModuleHooks::before_back,
                                &ModuleHooks::back};
  return std::any_of(std::begin(all), std::end(all),
                     [&](WhichHooks which) { return !hooks_of(numbering, module, which).empty(); });
}

/// Source: torch.nn.Module._call_impl
Interpreter::Result Interpreter::call_module(const Object& module, Arguments arguments, const Expr& at,
                                             const std::string& path) {
  const Value self{module};
  const auto named = [&] {
    const Value names = dictionary_of();
    for (const auto& [name, value] : arguments.named) store(std::get<Dictionary>(names.held), Value{name}, value);
    return names;
  };
  const auto handed = [&] { return list_of(arguments.positional, Sequence::Kind::tuple); };
  // Of a hook that only looks nothing is told but its lines.
  const auto run_hook = [&](const Value& hook, std::vector<Value> given) {
    const size_t before = step_->applied.size();
    Result result = call(hook, {std::move(given), {}, {}, {}, {}}, at);
    const auto is_write = [](const Applied& one) { return one.relation == Relation::write; };
    if (result && is_none(*result) &&
        std::none_of(step_->applied.begin() + static_cast<std::ptrdiff_t>(before), step_->applied.end(), is_write))
      step_->applied.resize(before);
    return result;
  };
  for (const Hook& one : hooks_of(numbering_, module, &ModuleHooks::before)) {
    std::vector<Value> given{self, handed()};
    if (one.with_named) given.push_back(named());
    const Result made = run_hook(one.function, std::move(given));
    if (!made) return std::nullopt;
    if (is_none(*made)) continue;
    const auto problem = one.with_named ? replace_all(arguments, *made) : std::nullopt;
    if (problem) return fail(*problem, at.span);
    if (!one.with_named) arguments.positional = as_tuple(*made), arguments.written.clear();
  }
  // Gradients that come back to what the module made, and go on from what it was given, pass through functions here.
  const auto back = functions_of(hooks_of(numbering_, module, &ModuleHooks::back)),
             before_back = functions_of(hooks_of(numbering_, module, &ModuleHooks::before_back));
  const auto written = [&](std::string_view name, std::vector<Value> given) {
    const size_t before = step_->applied.size();
    Result result =
        call(*written_name(name, written_library(WrittenIn::backward)), {std::move(given), {}, {}, {}, {}}, at);
    step_->applied.resize(before);
    return result;
  };
  Result watch;
  if (!back.empty() || !before_back.empty()) {
    watch = written("BackwardHook", {self, list_of(back), list_of(before_back)});
    const Result seen = watch ? written("_through", {*watch, Value{false}, handed()}) : std::nullopt;
    if (!seen) return std::nullopt;
    arguments.positional = as_tuple(*seen);
  }
  const Value* const own = class_member(*module.type, "forward");
  const auto* function = own ? std::get_if<FunctionPtr>(&own->held) : nullptr;
  if (own && !function) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  Result made = function ? call(taken_from(module, *function), arguments, at) : forward(module, arguments, at, path);
  for (const Hook& one : made ? hooks_of(numbering_, module, &ModuleHooks::after) : std::vector<Hook>()) {
    std::vector<Value> given{self, handed()};
    if (one.with_named) given.push_back(named());
    given.push_back(*made);
    const Result other = run_hook(one.function, std::move(given));
    if (!other) return std::nullopt;
    if (!is_none(*other)) made = other;
  }
  if (!made || !watch || (!is_of_torch(*made) && !is_tuple_itself(*made))) return made;
  return written("_through", {*watch, Value{true}, *made});
}

/// Source: PyFunctionTensorPreHook, check_variable_result
bool Interpreter::Backward::hook(const std::vector<int64_t>& hooks, Gradient& gradient) {
  const std::vector<int64_t> numbers = hooks;  // one may add others
  for (const int64_t number : numbers) {
    const auto found = interpreter.numbering_.hooks.find(number);
    if (found == interpreter.numbering_.hooks.end()) continue;
    if (gradient.made_up) return interpreter.settled(limit(Msg::not_modelled, {"PyTorch", "x.register_hook"}), at.span);
    const Value function = found->second.function;
    const long uses = gradient.tensor.use_count();
    Result given = interpreter.call(function, {{Value{gradient.tensor}}, {}, {}, {}, {}}, at);
    if (!given) return false;
    if (is_none(*given)) {
      gradient.lent |= gradient.tensor.use_count() > uses;
      continue;
    }
    const auto fails = [&](const char* type, const std::string& text) {
      return interpreter.settled(python_error(type, text, Msg::op_register_hook), at.span);
    };
    const TensorPtr made = is_of_torch(*given) ? tensor_of(*given) : nullptr;
    const Tensor& was = *gradient.tensor->tensor;
    if (!made) return fails("TypeError", "expected Variable, but hook returned '" + attribute_type(*given) + "'");
    const auto type = [](const Tensor& one) { return "torch." + std::string(scalar_type_name(one.dtype)) + "Tensor"; };
    if (made->dtype != was.dtype)
      return fails("RuntimeError", "hook '" + hook_name(function) + "' has changed the type of value (was " +
                                       type(was) + " got " + type(*made) + ")");
    if (!(made->layout.sizes == was.layout.sizes))
      return fails("RuntimeError", "hook '" + hook_name(function) + "' has changed the size of value");
    TensorRef now = std::get<TensorRef>(given->held);
    given.reset();
    const bool same = now == gradient.tensor;
    gradient.lent = (same && gradient.lent) || now.use_count() > (same ? uses + 1 : 2);
    gradient.tensor = std::move(now);
  }
  return true;
}

bool Interpreter::Backward::hook_after(const TensorRef& leaf) {
  const std::vector<int64_t> numbers = leaf->after_hooks;
  for (const int64_t number : numbers) {
    const auto found = interpreter.numbering_.hooks.find(number);
    if (found == interpreter.numbering_.hooks.end()) continue;
    const Value function = found->second.function;  // which may remove itself
    const Result given = interpreter.call(function, {{Value{leaf}}, {}, {}, {}, {}}, at);
    if (!given) return false;
    if (!is_none(*given))
      return interpreter.settled(
          python_error("TypeError", "expected Variable, but hook returned '" + attribute_type(*given) + "'",
                       Msg::op_register_hook),
          at.span);
  }
  return true;
}

}  // namespace stridescope
