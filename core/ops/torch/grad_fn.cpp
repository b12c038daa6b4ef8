#include "ops/torch/grad_fn.h"

#include <algorithm>

#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// The tensor as it is, but for the function that made it, so that no chain of functions hangs on it.
TensorPtr without_function(const TensorPtr& tensor) {
  if (!tensor->grad_fn && !(tensor->base_tensor && tensor->base_tensor->grad_fn)) return tensor;
  Tensor changed = *tensor;
  changed.grad_fn.reset();
  if (changed.base_tensor) changed.base_tensor = without_function(changed.base_tensor);
  return std::make_shared<const Tensor>(std::move(changed));
}

/// An argument as it is now. @pre it is frozen: nobody else has its tensors
void let_go(const Value& value) {
  if (const auto* ref = std::get_if<TensorRef>(&value.held)) {
    (*ref)->tensor = without_function((*ref)->tensor);
    (*ref)->grad.reset();
  }
  for (const Value& part : parts_of(value)) let_go(part);
}

/// What a sign does, by its name.
std::string_view word_of(std::string_view name, Form::Kind kind) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"+", "add"}, {"-", "sub"}, {"*", "mul"}, {"/", "div"}, {"@", "matmul"}, {"**", "pow"}, {"[]", "index"}};
  if (kind == Form::Kind::prefix) return name == "-" ? "neg" : "";
  if (kind == Form::Kind::store) return "store";
  for (const auto& [sign, word] : signs)
    if (name == sign) return word;
  return name.substr(name.rfind('.') + 1);
}

/// The rule by which a call leads back; one that nobody wrote where there is none.
std::string rule_of(const Call& call) {
  const std::string_view name = call.name();
  const std::string_view word = word_of(name, call.form().kind);
  // These have names of others.
  const bool apart = name == "torch.nn.functional.unfold" || (name.starts_with("torch.linalg.") && word != "matmul");
  if (apart || word.empty()) return {};
  if (word == "div" && !tensor_of(call.first())) return "rdiv";
  return std::string(word.ends_with('_') ? word.substr(0, word.size() - 1) : word);
}

}  // namespace

GradFn::~GradFn() {
  std::vector<Edge> left = std::move(edges);
  while (!left.empty()) {
    const std::shared_ptr<GradFn> fn = std::move(left.back().fn);
    left.pop_back();
    if (fn && fn.use_count() == 1) std::move(fn->edges.begin(), fn->edges.end(), std::back_inserter(left));
    if (fn && fn.use_count() == 1) fn->edges.clear();
  }
}

void note_written_elsewhere(Call& call, Tensor& seen, std::span<const TensorPtr> inputs) {
  std::vector<TensorPtr> all(inputs.begin(), inputs.end());
  all.push_back(std::make_shared<const Tensor>(seen));
  note_grad_fn(call, seen, all);
  seen.grad_fn->rule.clear();
  seen.grad_fn->versions.clear();  // it kept nothing
}

void note_grad_fn(Call& call, Tensor& made, std::span<const TensorPtr> inputs) {
  const auto fn = std::make_shared<GradFn>();
  fn->number = call.next_function();
  fn->way = made.way_back;
  fn->rule = rule_of(call);
  fn->written = is_written(call);
  fn->output = call.made();
  for (const Value& value : call.arguments()) {
    fn->arguments.push_back(frozen(value));
    let_go(fn->arguments.back());
  }
  for (const TensorPtr& input : inputs) {
    if (input->library != Library::torch) continue;
    const TensorPtr kept = without_function(input);
    const bool again = std::any_of(fn->versions.begin(), fn->versions.end(),
                                   [&](const auto& one) { return one.first->object == input->object; });
    if (again) continue;
    fn->versions.emplace_back(kept, input->version ? *input->version : 0);
    if (input->requires_grad) fn->edges.push_back({kept, input->is_leaf ? nullptr : input->grad_fn});
  }
  made.grad_fn.reset();
  fn->result = std::make_shared<const Tensor>(made);
  fn->result_version = made.version ? *made.version : 0;
  made.grad_fn = fn;
}

}  // namespace stridescope
