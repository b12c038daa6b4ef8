// Functions that a program writes with their way back: torch.autograd.Function; and what the lines of libraries ask of
// the interpreter itself.
#include <algorithm>
#include <set>

#include "ops/files.h"
#include "ops/python/backward.h"
#include "ops/python/classes.h"
#include "ops/python/hooks.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// A name that lasts: steps show it when the program is gone.
std::string_view lasting(std::string name) {
  static std::set<std::string> names;
  return *names.insert(std::move(name)).first;
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

/// Result `output` of a call leads back by the function that stands for it.
void lead_back_by(const std::shared_ptr<GradFn>& fn, TensorObject& result, int64_t output, int number) {
  Tensor now = *result.tensor;
  now.requires_grad = true;
  now.is_leaf = false;
  now.way_back = fn->way;
  now.output = output;
  GradFn& of_result = begin_function(number, now);
  of_result.of_own = true;
  of_result.output = output;
  of_result.edges = {{of_result.result, fn}};
  if (!fn->result) fn->result = of_result.result;
  result.tensor = std::make_shared<const Tensor>(std::move(now));
}

}  // namespace

Interpreter::Result Interpreter::engine(std::string_view name, const std::vector<Value>& given, const Expr& at) {
  name.remove_prefix(engine_prefix.size());
  if (name == "run_backward") return run_backward(given, at);
  if (name == "apply")
    return apply_own(std::get<ClassPtr>(given[0].held), *std::get<Sequence>(given[1].held).items, at);
  if (name == "remove_hook") {
    const auto number = as_integer(given[0]);  // the program may have given its handle another one
    return numbering_.hooks.erase(number.value_or(-1)), Value{};
  }
  if (name != "saved") return asked_of_files(name, given, numbering_);
  // What save_for_backward() was given.
  const auto& calls = numbering_.own_functions;
  const auto found = std::find_if(calls.begin(), calls.end(), [&](const auto& one) {
    return object_of(one.second.context) == object_of(given[0]);
  });
  if (found == calls.end()) return list_of({}, Sequence::Kind::tuple);
  const OwnFunction& own = found->second;
  if (own.freed) return fail(graph_was_freed(), at.span);
  std::vector<Value> items;
  for (const auto& [value, version] : own.saved) {
    items.push_back(value);
    const TensorPtr kept = tensor_of(value);
    if (!kept || !kept->version || *kept->version == version) continue;
    if (*kept->version < 0) return fail(limit(Msg::not_modelled, {"PyTorch", "ctx.saved_tensors"}), at.span);
    const std::string way = kept->is_leaf ? "" : way_back_text(kept->way_back);
    return fail(modified_since(*kept, kept->layout.sizes, version, way, std::string(short_name(*own.type)) + "Backward",
                               "", settings_.detects_anomaly),
                at.span);
  }
  return list_of(std::move(items), Sequence::Kind::tuple);
}

/// Source: THPFunction_apply, _process_backward_mode_ad
Interpreter::Result Interpreter::apply_own(const ClassPtr& type, const std::vector<Value>& given, const Expr& at) {
  const auto not_modelled = [&] { return fail(limit(Msg::not_modelled, {"PyTorch", title(at.span)}), at.span); };
  const std::string_view way = lasting(std::string(short_name(*type)) + "Backward");
  static const ClassPtr base = class_of_library("torch.autograd.FunctionCtx");
  const Object context{std::make_shared<const Class>(Class{"torch.autograd.function." + std::string(way), base}),
                       std::make_shared<DictionaryItems>()};
  std::vector<Value> needs;
  for (const Value& value : given) needs.push_back(Value{requires_gradient(value)});
  keep(context, "needs_input_grad", list_of(needs, Sequence::Kind::tuple));

  const Value self{context}, forward = *class_member(*type, "forward"), set_up = *class_member(*type, "setup_context");
  const auto* const own_set_up = std::get_if<FunctionPtr>(&set_up.held);
  const bool apart = !own_set_up || !library_of(**own_set_up);
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
    if (leads) lead_back_by(fn, *std::get<TensorRef>(results[k].held), static_cast<int64_t>(k), numbering_.functions++);
  }
  if (!fn->result) return made;
  if (const Value* const saved = attribute_of(context, "to_save"))
    for (const Value& value : parts_of(*saved)) {
      const TensorPtr tensor = tensor_of(value);
      own.saved.emplace_back(value, tensor && tensor->version ? *tensor->version : 0);
    }
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
  if (!fn.is_own) return;
  OwnFunction& own = interpreter.numbering_.own_functions.at(fn.number);
  own.freed = true;
  own.saved.clear();
}

}  // namespace stridescope
