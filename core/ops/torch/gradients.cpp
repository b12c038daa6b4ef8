// Gradients: what leads them back (ops/python/backward.cpp), and where they are.
#include "ops/python/classes.h"
#include "ops/python/hooks.h"
#include "ops/python/written.h"
#include "ops/rows.h"
#include "ops/torch/grad_fn.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

Value grad_row(Call& call) {
  const TensorObject& object = *call.self_ref();
  if (call.settings().grads_unknown && call.self().requires_grad)
    return call.refuse(Msg::not_modelled, {"PyTorch", "x.grad"});
  return object.grad ? call.same(object.grad) : Value{};
}

/// The function that a tensor was made by, an object of a class of its name.
Value grad_fn_row(Call& call) {
  const Tensor& self = call.self();
  if (!self.requires_grad || self.is_leaf) return {};
  if (!self.grad_fn || self.way_back.empty() || (self.is_view && *self.version != self.seen_version))
    return call.refuse(Msg::not_modelled, {"PyTorch", "x.grad_fn"});
  if (!self.grad_fn->seen) {
    const std::string name = way_back_text(self.way_back);
    const auto type = std::make_shared<Class>(Class{"torch.autograd." + name, object_class()});
    if (const auto own = written_name("_name", written_library(WrittenIn::backward)))
      keep({type, type->members}, "name", *own);
    Object made{type, std::make_shared<DictionaryItems>()};
    keep(made, "_name", Value{way_back_name(self.way_back)});
    self.grad_fn->seen = std::make_shared<const Object>(std::move(made));
  }
  return Value{*self.grad_fn->seen};
}

/// What PyTorch calls a dtype where it names the type of C++; empty where that is not known.
std::string_view type_in_c(DType dtype) {
  switch (dtype) {
    case DType::float32: return "float";
    case DType::float64: return "double";
    case DType::float16: return "c10::Half";
    case DType::bfloat16: return "c10::BFloat16";
    default: return {};
  }
}

/// Source: THPVariable_set_grad
Value set_grad_row(Call& call) {
  TensorObject& object = *call.self_ref();
  const Value& given = call.value("grad");
  if (is_none(given)) return object.grad.reset(), Value{};
  const auto* grad = std::get_if<TensorRef>(&given.held);
  const Tensor& self = call.self();
  if (!grad || (*grad)->tensor->library != Library::torch)
    return call.fail("TypeError",
                     {"assigned grad expected to be a Tensor or None but got grad of type ", type_name(given)},
                     Msg::grad_assigned);
  if ((*grad)->id == object.id)
    return call.fail("RuntimeError", "can't assign Variable as its own grad", Msg::grad_assigned);
  const Tensor& given_one = *(*grad)->tensor;
  if (!(given_one.layout.sizes == self.layout.sizes))
    return call.fail(
        "RuntimeError",
        {"attempting to assign a gradient of size '", list_text(given_one.layout.sizes), "' to a tensor of size '",
         list_text(self.layout.sizes), "'. Please ensure that the gradient and the tensor are the same size"},
        Msg::grad_assigned);
  if (given_one.dtype != self.dtype) {
    const auto own = type_in_c(self.dtype), other = type_in_c(given_one.dtype);
    if (own.empty() || other.empty()) return call.refuse(Msg::not_modelled, {"PyTorch", "x.grad = .."});
    return call.fail("RuntimeError",
                     {"attempting to assign a gradient with dtype '", other, "' to a tensor with dtype '", own,
                      "'. Please ensure that the gradient and the tensor have the same dtype"},
                     Msg::grad_assigned);
  }
  object.grad = *grad;
  return {};
}

Value retain_grad_row(Call& call) {
  if (!call.self().requires_grad)
    return call.fail("RuntimeError", "can't retain_grad on Tensor that has requires_grad=False", Msg::no_way_back);
  call.self_ref()->retains_grad |= !call.self().is_leaf;
  return {};
}

/// Source: torch.Tensor.register_hook, torch.Tensor.register_post_accumulate_grad_hook
Value register_hook_row(Call& call) {
  TensorObject& object = *call.self_ref();
  const Tensor& self = call.self();
  const bool after = call.name().find("accumulate") != std::string_view::npos;
  if (!self.requires_grad)
    return call.fail("RuntimeError", "cannot register a hook on a tensor that doesn't require gradient",
                     Msg::no_way_back);
  if (after && !self.is_leaf)
    return call.fail("RuntimeError", "post accumulate grad hooks cannot be registered on non-leaf tensors",
                     Msg::hook_of_leaf);
  if (!self.is_leaf && (!self.grad_fn || is_behind(self)))
    return call.refuse(Msg::not_modelled, {"PyTorch", "x.register_hook"});
  const int64_t number = call.add_hook({call.value("hook")});
  (after ? object.after_hooks : self.is_leaf ? object.hooks : self.grad_fn->hooks).push_back(number);
  return hook_handle(number);
}

}  // namespace

std::span<const Op> torch_gradient_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.autograd.backward(tensors: any, grad_tensors: any = None, retain_graph: any = None, create_graph: any = "
       "False, *, inputs: any = None)\n"
       "x.backward(gradient: any = None, retain_graph: any = None, create_graph: any = False, inputs: any = None)",
       Msg::op_backward,
       "each leaf's grad has the leaf's strides where its cells are dense, else it is packed; a second one is added "
       "in place",
       "x = torch.ones(3, requires_grad=True)\ny = (x * 2).sum()\ny.backward()", nullptr},
      {Library::torch,
       "torch.autograd.grad(outputs: any, inputs: any, grad_outputs: any = None, retain_graph: any = None, "
       "create_graph: any = False, allow_unused: any = None, is_grads_batched: any = False, materialize_grads: any = "
       "False)",
       Msg::op_backward, "a tuple of gradients, as the last call on the way left them: of a sum one cell, stride 0",
       "x = torch.ones(3, requires_grad=True)\ny = torch.autograd.grad(x.sum(), x)", nullptr},
      {Library::torch, "x.grad", Msg::op_grad, "a tensor of x's sizes and dtype on a storage of its own",
       "x = torch.ones(3, requires_grad=True)\nx.sum().backward()\nx.grad", grad_row},
      {Library::torch, "x.grad = grad", Msg::op_grad, "that very tensor, or None",
       "x = torch.ones(2, requires_grad=True)\nx.grad = None", set_grad_row},
      {Library::torch, "x.grad_fn", Msg::op_grad_fn, "None of a leaf",
       "x = torch.ones(2, requires_grad=True)\ny = x * 2\ny.grad_fn", grad_fn_row},
      {Library::torch, "x.retain_grad()", Msg::op_retain_grad, "of a leaf nothing new",
       "x = torch.ones(2, requires_grad=True)\ny = x * 2\ny.retain_grad()", retain_grad_row},
      {Library::torch, "x.retains_grad", Msg::op_retain_grad, "whether retain_grad() asked for it",
       "x = torch.ones(2)\nx.retains_grad", [](Call& call) { return Value{call.self_ref()->retains_grad}; }},
      {Library::torch, "x.register_hook(hook: any)", Msg::op_register_hook,
       "hook(g) is called with x's gradient; what it gives takes the gradient's place, unless it is None",
       "x = torch.ones(3, requires_grad=True)\nx.register_hook(lambda g: 2 * g)", register_hook_row},
      {Library::torch, "x.register_post_accumulate_grad_hook(hook: any)", Msg::op_register_hook,
       "hook(x) is called when x.grad is there",
       "x = torch.ones(3, requires_grad=True)\nx.register_post_accumulate_grad_hook(lambda x: print(x.grad))",
       register_hook_row},
      {Library::torch, "torch.autograd.Function()", Msg::op_own_function,
       "y = F.apply(x): forward(ctx, x) makes y, no gradient is followed in it; backward(ctx, g) makes x's of y's",
       "class Double(torch.autograd.Function):\n  @staticmethod\n  def forward(ctx, x):\n    return 2 * x\n  "
       "@staticmethod\n  def backward(ctx, g):\n    return 2 * g\nx = torch.ones(3, requires_grad=True)\ny = "
       "Double.apply(x)",
       nullptr},
      {Library::torch,
       "torch.nn.utils.clip_grad_norm_(parameters: any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: "
       "bool = False, foreach: any = None)",
       Msg::op_clip_grad, "grad *= min(max_norm / norm, 1), in place; gives the norm of all of them",
       "x = torch.ones(4, requires_grad=True)\n(x * x).sum().backward()\ny = torch.nn.utils.clip_grad_norm_(x, 1.0)",
       nullptr},
      {Library::torch, "torch.nn.utils.clip_grad_value_(parameters: any, clip_value: float, foreach: any = None)",
       Msg::op_clip_grad, "grad = clamp(grad, -clip_value, clip_value), in place",
       "x = torch.ones(4, requires_grad=True)\n(x * x).sum().backward()\ntorch.nn.utils.clip_grad_value_(x, 1.0)",
       nullptr},
#define OPTIMIZER(name, parameters, law)                                           \
  {Library::torch,                                                                 \
   "torch.optim." name "(params: any, " parameters ")",                            \
   Msg::op_optimizer,                                                              \
   law,                                                                            \
   "x = torch.ones(3, requires_grad=True)\ny = torch.optim." name "([x], lr=0.5)", \
   nullptr}
#define ADAM(decay)                                                                                 \
  "lr: number = 0.001, betas: any = (0.9, 0.999), eps: float = 1e-08, weight_decay: float = " decay \
  ", amsgrad: bool = False"
      OPTIMIZER(
          "SGD",
          "lr: number = 0.001, momentum: float = 0, dampening: float = 0, weight_decay: float = 0, nesterov: bool "
          "= False",
          "x -= lr * x.grad, in place; with momentum m: b = m * b + x.grad in the gradient's place"),
      OPTIMIZER("Adam", ADAM("0"),
                "x -= lr * m / (sqrt(v) + eps), in place; m and v are averages of x.grad and its square"),
      OPTIMIZER("AdamW", ADAM("0.01"), "as Adam, behind x *= 1 - lr * weight_decay"),
      OPTIMIZER(
          "RMSprop",
          "lr: number = 0.01, alpha: float = 0.99, eps: float = 1e-08, weight_decay: float = 0, momentum: float = 0",
          "x -= lr * x.grad / (sqrt(v) + eps), in place; v is an average of the gradient's square"),
#undef ADAM
#undef OPTIMIZER
  };
  return rows;
}

}  // namespace stridescope
