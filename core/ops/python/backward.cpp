// The way back through the graph, and what leaves get.
#include "ops/python/backward.h"

#include <algorithm>

#include "layout/contiguity.h"
#include "ops/torch/nn/modules.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Where a leaf's gradient may keep the memory that it has: laid out as the leaf, or packed where that has gaps.
/// Source: AccumulateGrad's obeys_layout_contract
bool is_laid_out_as(const Layout& gradient, const Layout& leaf) {
  if (!is_non_overlapping_and_dense(leaf)) return is_contiguous(gradient);
  for (int d = 0; d < leaf.rank(); ++d)
    if (leaf.sizes[d] == 1 ? gradient.strides[d] == 0 : gradient.strides[d] != leaf.strides[d]) return false;
  return true;
}

}  // namespace

void Interpreter::Backward::count(const FnPtr& root) {
  std::vector<const GradFn*> left{root.get()};
  while (!left.empty()) {
    const GradFn* const fn = left.back();
    left.pop_back();
    if (!counted_.emplace(fn->number, fn).second) continue;
    for (const GradFn::Edge& edge : fn->edges)
      edge.fn ? left.push_back(edge.fn.get()) : void(++leaves_[edge.input->object].waits);
  }
}

void Interpreter::Backward::find_needed() {
  for (const auto& [number, fn] : counted_)
    for (const GradFn::Edge& edge : fn->edges) {
      const bool needed =
          edge.fn ? needed_.count(edge.fn->number) || captures(*edge.fn) : is_wanted(edge.input->object);
      if (needed) needed_.insert(number);
    }
}

bool Interpreter::Backward::is_wanted(int object) const {
  return wanted.empty() ||
         std::any_of(wanted.begin(), wanted.end(), [&](const TensorRef& one) { return one->id == object; });
}

bool Interpreter::Backward::captures(const GradFn& fn) const {
  return !accumulates && is_wanted(fn.result->object) && current(fn);
}

bool Interpreter::Backward::current(const GradFn& fn) const {
  return interpreter.numbering_.objects[static_cast<size_t>(fn.result->object)]->tensor->grad_fn.get() == &fn;
}

bool Interpreter::Backward::add(std::optional<Gradient>& sum, Gradient more) {
  if (!sum) return sum = std::move(more), true;
  // Source: InputBuffer::accumulate
  const Tensor& first = *sum->tensor->tensor;
  const bool in_place = !creates_graph && !sum->lent && !first.is_view && is_non_overlapping_and_dense(first.layout);
  const auto both = call(in_place ? "_add_to" : "_sum", {Value{sum->tensor}, Value{more.tensor}});
  if (!both) return false;
  sum = Gradient{*both, sum->made_up || more.made_up, false};
  return true;
}

/// Source: PyTorch's validate_outputs
bool Interpreter::Backward::fits(const GradFn& fn, const GradFn::Edge& edge, int place, const TensorRef& gradient) {
  const Dims& given = gradient->tensor->layout.sizes;
  if (is_expandable(edge.input->layout, given)) return true;
  if (fn.way.empty()) return interpreter.settled(limit(Msg::not_modelled, {"PyTorch", "backward()"}), at.span);
  return interpreter.settled(
      python_error("RuntimeError",
                   "Function " + way_back_text(fn.way) + " returned an invalid gradient at index " +
                       std::to_string(place) + " - got " + list_text(given) + " but expected shape compatible with " +
                       list_text(edge.input->layout.sizes),
                   Msg::op_backward),
      at.span);
}

bool Interpreter::Backward::hand_on(const GradFn::Edge& edge, Gradient gradient) {
  const Tensor& input = *edge.input;
  const Layout& own = gradient.tensor->tensor->layout;
  if (own.sizes != input.layout.sizes || gradient.tensor->tensor->dtype != input.dtype) {
    const auto fitted = call("_fit", {Value{gradient.tensor}, seen_again(edge.input)});
    if (!fitted) return false;
    gradient = {*fitted, gradient.made_up, false};
  }
  if (!edge.fn) return add(leaves_[input.object].gradient, std::move(gradient));
  const auto found = ready_.find(edge.fn->number);
  std::optional<Gradient> sum = found == ready_.end() ? std::nullopt : std::optional(found->second.gradient);
  if (!add(sum, std::move(gradient))) return false;
  ready_[edge.fn->number] = {edge.fn, *std::move(sum)};
  return true;
}

std::string Interpreter::Backward::name_of(int object) const {
  const auto is = [&](const Value& value) {
    const TensorPtr tensor = tensor_of(value);
    return tensor && tensor->object == object;
  };
  for (const auto& [name, value] : interpreter.all_variables()) {
    if (is(value)) return name;
    if (is_module_value(value))
      for (const auto& [path, held] : state_in(std::get<Object>(value.held), name + "."))
        if (is(held)) return path;
    const auto parts = named_parts(value);
    for (size_t i = 0; i < parts.size(); ++i)
      if (is(parts[i])) return part_name(name, value, i);
  }
  return {};
}

bool Interpreter::Backward::accumulate(int id, const Gradient& gradient) {
  if (!accumulates) return captured[id] = gradient, true;
  TensorObject& object = *interpreter.numbering_.objects[static_cast<size_t>(id)];
  const Tensor& leaf = *object.tensor;
  if (!leaf.requires_grad) return true;  // no more
  // A view made where no gradient is followed may get another object, where its base was written since.
  if (object.grad && leaf.is_view && leaf.seen_in != Gradients::followed && leaf.base_tensor &&
      leaf.base_tensor->requires_grad)
    return interpreter.settled(limit(Msg::not_modelled, {"PyTorch", "backward()"}), at.span);
  const std::string name = name_of(id);
  const auto tell = [&](Msg how) {
    constexpr size_t most_told = 8;
    reached.insert(reached.end(), {object.grad->tensor, object.tensor});
    if (!name.empty() && told.size() < most_told)
      told.push_back({how, {name + ".grad", to_string(object.grad->tensor->layout), name, to_string(leaf.layout)}});
  };
  if (object.grad) {
    const Result sum = run(creates_graph ? "_sum" : "_add_to", {Value{object.grad}, Value{gradient.tensor}}, {});
    if (sum && creates_graph) object.grad = std::get<TensorRef>(sum->held);
    if (sum) tell(Msg::grad_added);
    return sum.has_value();
  }
  const bool dense = is_non_overlapping_and_dense(leaf.layout);
  const bool keeps = !creates_graph && !gradient.made_up && !gradient.lent &&
                     is_laid_out_as(gradient.tensor->tensor->layout, leaf.layout);
  const auto made = call(keeps   ? "_kept"
                         : dense ? "_laid_out"
                                 : "_packed",
                         {Value{gradient.tensor}, seen_again(object.tensor)});
  if (!made) return false;
  // How often the library writes into it on the way is not modelled.
  if (keeps || gradient.made_up) *(*made)->tensor->version = unknown_version;
  object.grad = *made;
  tell(dense ? Msg::grad_laid_out : Msg::grad_packed);
  return true;
}

/// Source: PyTorch's Engine::evaluate_function
bool Interpreter::Backward::pass(const FnPtr& fn, Gradient gradient) {
  const TensorRef object = interpreter.numbering_.objects[static_cast<size_t>(fn->result->object)];
  const bool needed = needed_.count(fn->number) > 0, captured_here = captures(*fn);
  if (!needed && !captured_here) return true;
  if (needed && captured_here) captured[object->id] = gradient;
  if (!hook(fn->hooks, gradient)) return false;
  if (!needed) return captured[object->id] = gradient, true;
  if (object->retains_grad && current(*fn) && !retain(*object, gradient)) return false;
  if (fn->of_own) {
    const FnPtr& own = fn->edges[0].fn;
    joined_[own->number][fn->output] = gradient;
    ready_[own->number] = {own, std::move(gradient)};
    return true;
  }
  const auto led = fn->is_own ? led_by_program(*fn) : led_back(fn, gradient);
  if (!led) return false;
  if (!keeps_graph) free(*fn);
  std::map<const TensorObject*, int> times;
  std::vector<std::pair<const GradFn::Edge*, TensorRef>> given;
  int place = -1;
  bool fitting = true;
  const auto gather = [&](const auto& self, const Value& argument, const Value& back) -> void {
    if (const TensorPtr input = tensor_of(argument)) {
      place += fn->is_own || is_floating(input->dtype) || is_complex(input->dtype);
      const auto edge = std::find_if(fn->edges.begin(), fn->edges.end(), [&](const GradFn::Edge& one) {
        return one.input->object == input->object && input->requires_grad;
      });
      if (const auto* one = std::get_if<TensorRef>(&back.held); one && edge != fn->edges.end()) {
        fitting = fitting && fits(*fn, *edge, place, *one);
        given.emplace_back(&*edge, *one);
        ++times[one->get()];
      }
      return;
    }
    const auto parts = parts_of(argument), backs = parts_of(back);
    for (size_t i = 0; i < parts.size() && i < backs.size(); ++i) self(self, parts[i], backs[i]);
  };
  for (size_t k = 0; k < fn->arguments.size() && k < led->gradients.size(); ++k)
    gather(gather, fn->arguments[k], led->gradients[k]);
  if (!fitting) return false;
  for (const auto& [edge, one] : given) {
    const bool lent =
        times[one.get()] > 1 || (one == gradient.tensor && gradient.lent) || led->lent.count(one.get()) > 0;
    if (!hand_on(*edge, {one, gradient.made_up || !led->laid_out, lent})) return false;
  }
  // What no rule leads back is not known.
  for (const GradFn::Edge& edge : fn->edges) {
    if (!led->gradients.empty() || fn->is_own) break;
    const auto made = call("_none_like", {seen_again(edge.input)});
    if (!made) return false;
    const Contents& held = *(*made)->tensor->storage->contents;
    (*made)->tensor->storage->contents = unknown_contents(dtype_of(held), cells(held));
    if (!hand_on(edge, {*made, true, false})) return false;
  }
  for (const GradFn::Edge& edge : fn->edges)
    if (!edge.fn && !settle_leaf(edge.input->object)) return false;
  return true;
}

bool Interpreter::Backward::settle_leaf(int object) {
  Leaf& leaf = leaves_[object];
  return --leaf.waits > 0 || !leaf.gradient || !is_wanted(object) ||
         settle(object, *std::exchange(leaf.gradient, std::nullopt));
}

bool Interpreter::Backward::settle(int object, Gradient gradient) {
  const TensorRef leaf = interpreter.numbering_.objects[static_cast<size_t>(object)];
  return hook(leaf->hooks, gradient) && accumulate(object, gradient) && (!accumulates || hook_after(leaf));
}

bool Interpreter::Backward::retain(TensorObject& object, const Gradient& gradient) {
  const auto made = object.grad ? call("_sum", {Value{object.grad}, Value{gradient.tensor}})
                                : call("_packed", {Value{gradient.tensor}, seen_again(object.tensor)});
  if (made) object.grad = *made;
  return made.has_value();
}

bool Interpreter::Backward::lead_back(const std::vector<Value>& roots, const std::vector<Value>& gradients) {
  for (size_t i = 0; i < roots.size(); ++i) {
    const TensorPtr tensor = is_of_torch(roots[i]) ? tensor_of(roots[i]) : nullptr;
    if (!tensor || !tensor->requires_grad || (!tensor->is_leaf && !tensor->grad_fn) || is_none(gradients[i]))
      return interpreter.settled(
          python_error("RuntimeError",
                       "element " + std::to_string(i) + " of tensors does not require grad and does not have a grad_fn",
                       Msg::no_way_back),
          at.span);
  }
  return true;
}

bool Interpreter::Backward::run_all(const std::vector<Value>& roots, const std::vector<Value>& gradients) {
  for (const Value& root : roots) {
    const TensorPtr tensor = tensor_of(root);
    tensor->grad_fn ? count(tensor->grad_fn) : void(++leaves_[tensor->object].waits);
  }
  find_needed();
  std::vector<int> leaf_roots;
  for (size_t i = 0; i < roots.size(); ++i) {
    const TensorPtr tensor = tensor_of(roots[i]);
    const GradFn::Edge edge{tensor, tensor->grad_fn};
    if (!hand_on(edge, {std::get<TensorRef>(gradients[i].held), false, true})) return false;
    if (!tensor->grad_fn) leaf_roots.push_back(tensor->object);
  }
  for (const int object : leaf_roots)
    if (!settle_leaf(object)) return false;
  while (!ready_.empty()) {
    auto [fn, gradient] = std::move(ready_.begin()->second);
    ready_.erase(ready_.begin());
    if (!pass(fn, std::move(gradient))) return false;
  }
  // What waits for functions to which nothing came.
  for (auto& [object, leaf] : leaves_)
    if (leaf.gradient && is_wanted(object) && !settle(object, *std::exchange(leaf.gradient, std::nullopt)))
      return false;
  return true;
}

/// _engine_run_backward(tensors, gradients, keep_graph, inputs, accumulate, allow_unused, create_graph)
Interpreter::Result Interpreter::run_backward(const std::vector<Value>& given, const Expr& at) {
  Backward backward(*this, at, std::get<bool>(given[2].held), std::get<bool>(given[4].held),
                    std::get<bool>(given[6].held));
  const std::vector<Value> roots(parts_of(given[0]).begin(), parts_of(given[0]).end()),
      gradients(parts_of(given[1]).begin(), parts_of(given[1]).end());
  if (!backward.lead_back(roots, gradients)) return std::nullopt;
  for (const Value& input : parts_of(given[3])) {
    const auto* tensor = is_of_torch(input) ? std::get_if<TensorRef>(&input.held) : nullptr;
    if (!tensor) return fail(limit(Msg::not_modelled, {"PyTorch", "backward()"}), at.span);
    if (!(*tensor)->tensor->requires_grad)
      return fail(
          python_error("RuntimeError", "One of the differentiated Tensors does not require grad", Msg::no_way_back),
          at.span);
    // What accumulates into what is no leaf is not modelled.
    if (!(*tensor)->tensor->is_leaf && backward.accumulates)
      return fail(limit(Msg::not_modelled, {"PyTorch", "backward(inputs=)"}), at.span);
    backward.wanted.push_back(*tensor);
  }
  const Gradients mode =
      std::exchange(settings_.gradients, backward.creates_graph ? Gradients::followed : Gradients::ignored);
  const size_t before = step_->applied.size();
  const bool done = backward.run_all(roots, gradients);
  settings_.gradients = mode;
  if (!done) return std::nullopt;
  step_->applied.resize(before);
  Applied& applied = add_applied(at.span);
  applied.relation = Relation::write;
  if (backward.told.empty()) backward.told.push_back(Message(Msg::op_backward));
  applied.why.lines = std::move(backward.told);
  applied.inputs = std::move(backward.reached);
  if (backward.accumulates) return Value{};
  std::vector<Value> found;
  for (const TensorRef& input : backward.wanted) {
    const auto one = backward.captured.find(input->id);
    if (one != backward.captured.end() && one->second.made_up)
      return fail(limit(Msg::not_modelled, {"PyTorch", "torch.autograd.grad"}), at.span);
    if (one == backward.captured.end() && !std::get<bool>(given[5].held))
      return fail(python_error("RuntimeError",
                               "One of the differentiated Tensors appears to not have been used in the graph. Set "
                               "allow_unused=True if this is the desired behavior.",
                               Msg::no_way_back),
                  at.span);
    found.push_back(one == backward.captured.end() ? Value{} : Value{one->second.tensor});
  }
  return list_of(std::move(found), Sequence::Kind::tuple);
}

}  // namespace stridescope
