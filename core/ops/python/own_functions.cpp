// Functions of the program's that autograd calls: those of torch.autograd.Function, and hooks.
#include <algorithm>
#include <set>

#include "ops/python/backward.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Where a context keeps which call it is of, by a name that no program writes.
constexpr std::string_view number_of_call = "number of call";

/// A name that lasts: steps show it when the program is gone.
std::string_view lasting(std::string name) {
  static std::set<std::string> names;
  return *names.insert(std::move(name)).first;
}

bool is_tuple_itself(const Value& value) {
  const auto* several = std::get_if<Sequence>(&value.held);
  return several && several->kind == Sequence::Kind::tuple;
}

std::vector<Value> as_tuple(const Value& value) {
  return is_tuple_itself(value) ? *std::get<Sequence>(value.held).items : std::vector<Value>{value};
}

/// Whether what a context keeps by the name of what it was called with has that very tensor.
bool is_marked(const Object& context, std::string_view name, const Value& tensor) {
  const Value* const marked = attribute_of(context, name);
  const auto parts = marked ? parts_of(*marked) : std::span<const Value>();
  return std::any_of(parts.begin(), parts.end(), [&](const Value& one) {
    const auto* ref = std::get_if<TensorRef>(&one.held);
    return ref && *ref == std::get<TensorRef>(tensor.held);
  });
}

bool requires_gradient(const Value& value) {
  const TensorPtr tensor = is_of_torch(value) ? tensor_of(value) : nullptr;
  return tensor && tensor->requires_grad;
}

/// What errors call a hook.
std::string hook_name(const Value& hook) {
  if (const auto* function = std::get_if<FunctionPtr>(&hook.held))
    return (*function)->name.substr((*function)->name.rfind('.') + 1);
  const auto* symbol = std::get_if<Symbol>(&hook.held);
  return symbol ? symbol->path.substr(symbol->path.rfind('.') + 1) : "<unknown>";
}

/// The hooks of a module, or nothing.
std::vector<Value> hooks_of(const Object& module, std::string_view which) {
  const Value* const kept = attribute_of(module, which);
  return kept ? *std::get<Sequence>(kept->held).items : std::vector<Value>();
}

}  // namespace

void add_module_hook(const Object& module, std::string_view which, int64_t number, bool first) {
  std::vector<Value> numbers = hooks_of(module, which);
  numbers.insert(first ? numbers.begin() : numbers.end(), Value{number});
  keep(module, which, list_of(std::move(numbers), Sequence::Kind::tuple));
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
  const auto hooked = [&](const Value& number) -> std::optional<Hook> {
    const auto found = numbering_.hooks.find(std::get<int64_t>(number.held));
    return found == numbering_.hooks.end() ? std::nullopt : std::optional(found->second);
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
  for (const Value& number : hooks_of(module, hooks_before)) {
    const auto one = hooked(number);
    if (!one) continue;
    std::vector<Value> given{self, handed()};
    if (one->with_named) given.push_back(named());
    const Result made = run_hook(one->function, std::move(given));
    if (!made) return std::nullopt;
    if (is_none(*made)) continue;
    std::vector<Value> changed = as_tuple(*made);
    if (one->with_named) {
      const Dictionary* const names = changed.size() == 2 ? dictionary_in(changed[1]) : nullptr;
      if (!names || !is_tuple_itself(*made))
        return fail(python_error("RuntimeError",
                                 "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got " +
                                     to_string(*made) + ".",
                                 Msg::op_module_hook),
                    at.span);
      arguments = {as_tuple(changed[0]), {}, {}, {}, {}};
      for (size_t i = 0; i < names->items->keys.size(); ++i)
        arguments.named.emplace_back(std::get<std::string>(names->items->keys[i].held), names->items->values[i]);
      arguments.named_written.resize(arguments.named.size());
    } else {
      arguments.positional = std::move(changed);
      arguments.written.clear();
    }
  }
  // Gradients that come back to what the module made, and go on from what it was given, pass through functions here.
  const auto living = [&](std::string_view which) {
    std::vector<Value> functions;
    for (const Value& number : hooks_of(module, which))
      if (const auto one = hooked(number)) functions.push_back(one->function);
    return functions;
  };
  const std::vector<Value> back = living(hooks_back), before_back = living(hooks_before_back);
  const auto written = [&](std::string_view name, std::vector<Value> given) {
    const size_t before = step_->applied.size();
    Result result =
        call(*written_name(name, written_library(WrittenIn::backward)), {std::move(given), {}, {}, {}, {}}, at);
    step_->applied.resize(before);
    return result;
  };
  Result watch;
  if (!back.empty() || !before_back.empty()) {
    watch = written("_Watch", {self, list_of(back), list_of(before_back)});
    const Result seen = watch ? written("_through", {*watch, Value{false}, handed()}) : std::nullopt;
    if (!seen) return std::nullopt;
    arguments.positional = as_tuple(*seen);
  }
  const Value* const own = class_member(*module.type, "forward");
  const auto* function = own ? std::get_if<FunctionPtr>(&own->held) : nullptr;
  if (own && !function) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  Result made = function ? call(taken_from(module, *function), arguments, at) : forward(module, arguments, at, path);
  for (const Value& number : made ? hooks_of(module, hooks_after) : std::vector<Value>()) {
    const auto one = hooked(number);
    if (!one) continue;
    std::vector<Value> given{self, handed()};
    if (one->with_named) given.push_back(named());
    given.push_back(*made);
    const Result other = run_hook(one->function, std::move(given));
    if (!other) return std::nullopt;
    if (!is_none(*other)) made = other;
  }
  if (!made || !watch || (!is_of_torch(*made) && !is_tuple_itself(*made))) return made;
  return written("_through", {*watch, Value{true}, *made});
}

Interpreter::Result Interpreter::engine(std::string_view name, const std::vector<Value>& given, const Expr& at) {
  name.remove_prefix(engine_prefix.size());
  if (name == "run_backward") return run_backward(given, at);
  if (name == "apply")
    return apply_own(std::get<ClassPtr>(given[0].held), *std::get<Sequence>(given[1].held).items, at);
  if (name == "remove_hook") return numbering_.hooks.erase(std::get<int64_t>(given[0].held)), Value{};
  // What save_for_backward() was given.
  const Value* const number = attribute_of(std::get<Object>(given[0].held), number_of_call);
  if (!number) return list_of({}, Sequence::Kind::tuple);
  OwnFunction& own = numbering_.own_functions.at(static_cast<int>(std::get<int64_t>(number->held)));
  if (own.freed) return fail(graph_was_freed(), at.span);
  std::vector<Value> items;
  for (const auto& [value, version] : own.saved) {
    items.push_back(value);
    const TensorPtr kept = tensor_of(value);
    if (!kept || !kept->version || *kept->version == version) continue;
    if (*kept->version < 0) return fail(limit(Msg::not_modelled, {"PyTorch", "ctx.saved_tensors"}), at.span);
    const std::string way = kept->is_leaf ? "" : way_back_text(kept->way_back);
    return fail(modified_since(*kept, kept->layout.sizes, version, way, own.type->name + "Backward", "",
                               settings_.detects_anomaly),
                at.span);
  }
  return list_of(std::move(items), Sequence::Kind::tuple);
}

/// Source: THPFunction_apply, _process_backward_mode_ad
Interpreter::Result Interpreter::apply_own(const ClassPtr& type, const std::vector<Value>& given, const Expr& at) {
  const auto not_modelled = [&] { return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span); };
  const std::string_view way = lasting(std::string(short_name(*type)) + "Backward");
  static const ClassPtr base = class_of_library("torch.autograd._Context");
  const Object context{std::make_shared<const Class>(Class{"torch.autograd.function." + std::string(way), base}),
                       std::make_shared<DictionaryItems>()};
  std::vector<Value> needs;
  for (const Value& value : given) needs.push_back(Value{requires_gradient(value)});
  keep(context, "needs_input_grad", list_of(needs, Sequence::Kind::tuple));

  const Value self{context}, forward = *class_member(*type, "forward"), set_up = *class_member(*type, "setup_context");
  const bool apart = library_of(*std::get<FunctionPtr>(set_up.held)) == nullptr;
  std::vector<Value> handed = given;
  if (!apart) handed.insert(handed.begin(), self);
  const Gradients mode = settings_.gradients;
  if (mode == Gradients::followed) settings_.gradients = Gradients::ignored;
  Result made = call(forward, {std::move(handed), {}, {}, {}, {}}, at);
  if (made && apart && !call(set_up, {{self, list_of(given, Sequence::Kind::tuple), *made}, {}, {}, {}, {}}, at))
    made.reset();
  settings_.gradients = mode;
  if (!made) return std::nullopt;
  if (attribute_of(context, "dirty_tensors")) return not_modelled();
  if (mode != Gradients::followed || std::none_of(given.begin(), given.end(), requires_gradient)) return made;

  std::vector<Value> results = as_tuple(*made);
  const auto fn = std::make_shared<GradFn>();
  fn->number = numbering_.functions++;
  fn->way = way;
  fn->is_own = true;
  std::set<int> seen;
  for (const Value& value : given) {
    fn->arguments.push_back(frozen(value));
    const TensorPtr input = requires_gradient(value) ? tensor_of(value) : nullptr;
    if (input && seen.insert(input->object).second)
      fn->edges.push_back({without_function(input), input->is_leaf ? nullptr : input->grad_fn});
  }
  OwnFunction own{type, self, {}};
  for (size_t k = 0; k < results.size(); ++k) {
    const auto* ref = is_of_torch(results[k]) ? std::get_if<TensorRef>(&results[k].held) : nullptr;
    const TensorPtr before = ref ? (*ref)->tensor : nullptr;
    const bool leads = before && (is_floating(before->dtype) || is_complex(before->dtype)) &&
                       !is_marked(context, "non_differentiable", results[k]);
    const auto is_given = [&](const Value& one) {
      const auto* other = std::get_if<TensorRef>(&one.held);
      return ref && other && *other == *ref;
    };
    own.results.push_back(before ? without_function(before) : nullptr);
    if (!leads && before && before->requires_grad) return not_modelled();
    // What was handed over comes back as a view of it.
    if (before && std::any_of(given.begin(), given.end(), is_given)) {
      settings_.gradients = Gradients::ignored;
      Result view = invoke(find_forms(Library::torch, Form::Kind::method, "view_as"),
                           {{results[k], results[k]}, {}, {}, {}, {}}, at.span);
      settings_.gradients = mode;
      if (!view) return std::nullopt;
      results[k] = *std::move(view);
    }
    if (!leads) continue;
    TensorObject& object = *std::get<TensorRef>(results[k].held);
    Tensor now = *object.tensor;
    now.requires_grad = true;
    now.is_leaf = false;
    now.way_back = way;
    now.output = static_cast<int64_t>(k);
    GradFn& of_result = begin_function(numbering_.functions++, now);
    of_result.of_own = true;
    of_result.output = static_cast<int64_t>(k);
    of_result.edges = {{of_result.result, fn}};
    if (!fn->result) fn->result = of_result.result;
    object.tensor = std::make_shared<const Tensor>(std::move(now));
  }
  if (!fn->result) return made;
  if (const Value* const saved = attribute_of(context, "to_save"))
    for (const Value& value : parts_of(*saved)) {
      const TensorPtr tensor = tensor_of(value);
      own.saved.emplace_back(value, tensor && tensor->version ? *tensor->version : 0);
    }
  keep(context, number_of_call, Value{int64_t{fn->number}});
  numbering_.own_functions.emplace(fn->number, std::move(own));
  return is_tuple_itself(*made) ? list_of(std::move(results), Sequence::Kind::tuple) : results[0];
}

/// Source: BackwardCFunction.apply, PyNode::apply
std::optional<Interpreter::Backward::LedBack> Interpreter::Backward::led_by_program(const GradFn& fn) {
  const OwnFunction own = interpreter.numbering_.own_functions.at(fn.number);
  const std::string name(fn.way);
  const auto fails = [&](const std::string& text) {
    interpreter.fail(python_error("RuntimeError", text, Msg::op_own_function), at.span);
    return std::nullopt;
  };
  std::map<int64_t, Gradient> joined = std::move(joined_[fn.number]);
  const Value* const flag = attribute_of(std::get<Object>(own.context.held), "materialize_grads");
  const bool materializes = !flag || !std::holds_alternative<bool>(flag->held) || std::get<bool>(flag->held);
  std::vector<Value> given{own.context};
  std::map<const TensorObject*, long> uses;
  for (size_t k = 0; k < own.results.size(); ++k) {
    const auto come = joined.find(static_cast<int64_t>(k));
    if (come != joined.end() && come->second.made_up)
      return interpreter.fail(limit(Msg::not_modelled, {"PyTorch", "backward()"}), at.span), std::nullopt;
    if (come == joined.end() && own.results[k] && materializes) {
      const auto zeros = call("_zeros_for", {seen_again(own.results[k])});
      if (!zeros) return std::nullopt;
      joined[static_cast<int64_t>(k)] = {*zeros};
    }
    const auto found = joined.find(static_cast<int64_t>(k));
    given.push_back(found == joined.end() ? Value{} : Value{found->second.tensor});
  }
  for (const auto& [k, one] : joined) uses[one.tensor.get()] = one.tensor.use_count();
  const Value backward = *class_member(*own.type, "backward");  // its lines may change the class
  const Result made = interpreter.call(backward, {std::move(given), {}, {}, {}, {}}, at);
  if (!made) return std::nullopt;
  LedBack led{as_tuple(*made), true};
  const size_t expected = fn.arguments.size();
  const auto extra = led.gradients.begin() + static_cast<std::ptrdiff_t>(std::min(expected, led.gradients.size()));
  if (std::all_of(extra, led.gradients.end(), is_none)) led.gradients.erase(extra, led.gradients.end());
  if (led.gradients.size() != expected)
    return fails("function " + name + " returned an incorrect number of gradients (expected " +
                 std::to_string(expected) + ", got " + std::to_string(led.gradients.size()) + ")");
  for (size_t i = 0; i < expected; ++i) {
    const Value& one = led.gradients[i];
    if (is_none(one)) continue;
    if (!is_of_torch(fn.arguments[i]))
      return fails("function " + name + " returned a gradient different than None at position " +
                   std::to_string(i + 1) + ", but the corresponding forward input was not a Variable");
    if (!is_of_torch(one)) return fails("expected Variable or None (got " + attribute_type(one) + ")");
    const TensorRef& ref = std::get<TensorRef>(one.held);
    const auto came = uses.find(ref.get());
    const auto before =
        std::find_if(joined.begin(), joined.end(), [&](const auto& each) { return each.second.tensor == ref; });
    const bool was_lent = before != joined.end() && before->second.lent;
    // Beside this value the numbering has it.
    if (was_lent || ref.use_count() > (came == uses.end() ? 2 : came->second + 1)) led.lent.insert(ref.get());
  }
  return led;
}

void Interpreter::Backward::free(GradFn& fn) {
  fn.freed = true;
  if (fn.is_own) interpreter.numbering_.own_functions.at(fn.number).freed = true;
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
