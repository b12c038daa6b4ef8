// The version counter: how often a tensor, or another on the same elements that autograd knows of, was written in
// place.
#include <algorithm>

#include "ops/rows.h"
#include "ops/torch/grad_fn.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// How often PyTorch writes into a new tensor before it hands it out: of functions that are made of others.
int64_t writes_on_the_way(Call& call) {
  if (call.form().op->library != Library::torch) return 0;  // NumPy gave a tensor
  const std::string_view name = call.name(), word = name.substr(name.rfind('.') + 1);
  if (word == "one_hot") return 2;
  if (name.starts_with("copy.")) return 1;  // made empty, and handed a storage
  if (word == "isclose")
    return (call.boolean("equal_nan") && is_floating(call.self().dtype) ? 1 : 0) +
           (call.real("rtol") != 0 || call.real("atol") != 0 ? 1 : 0);
  if (word == "isfinite") return is_complex(call.self().dtype) ? 1 : 0;
  if (word == "pad" && call.given("mode") && call.text("mode") == "circular") {
    const Dims widths = call.ints("pad");
    return 1 + std::count_if(widths.begin(), widths.end(), [](int64_t width) { return width > 0; });
  }
  // A row by a matrix is a matrix of one row, which is then squeezed in place.
  const char* const factor = word == "matmul" || name == "@" ? "other" : word == "linear" ? "weight" : nullptr;
  if (!factor || (word == "linear" && call.given("bias"))) return 0;
  const TensorPtr matrix = tensor_of(call.value(factor));
  return call.self().layout.rank() == 1 && matrix && matrix->layout.rank() == 2 ? 1 : 0;
}

/// Whether the call gives its tensor other sizes or strides and writes no element.
bool is_laid_anew(const Call& call) {
  constexpr std::string_view names = " as_strided_ squeeze_ swapaxes_ swapdims_ t_ transpose_ unsqueeze_ ";
  const std::string_view word = call.name().substr(call.name().rfind('.') + 1);
  return names.find(' ' + std::string(word) + ' ') != names.npos;
}

}  // namespace

std::shared_ptr<int64_t> new_version(Call& call, std::span<const TensorPtr> inputs) {
  // What is made of a tensor of inference mode outside of it is written where autograd looks.
  const bool unknown =
      call.settings().gradients != Gradients::inference &&
      std::any_of(inputs.begin(), inputs.end(), [](const TensorPtr& input) { return input->inference; });
  return std::make_shared<int64_t>(unknown ? unknown_version : writes_on_the_way(call));
}

void count_write(Call& call, std::span<const TensorPtr> inputs) {
  const TensorPtr self = tensor_of(call.first());
  if (call.failed() || !self || !self->version || !is_written(call)) return;
  // An index of False writes nothing, and sizes that stay are none that were given anew.
  const auto* all = call.form().kind == Form::Kind::store ? std::get_if<bool>(&call.value("key").held) : nullptr;
  const bool resized = call.name().find("resize_") != std::string_view::npos;
  const bool passed = call.name().ends_with("dropout");  // what trains is not modelled in place
  if (passed || (all && !*all) || (resized && inputs.front()->layout.sizes == self->layout.sizes)) return;
  ++*self->version;
  if (!self->requires_grad || self->is_leaf) return;
  const bool followed = call.settings().gradients == Gradients::followed;
  const TensorRef& own = call.object_of(*self);
  Tensor written = *own->tensor;
  const bool through = self->is_view && !(followed && is_laid_anew(call));
  if (!through) written.seen_version = *written.version;
  if (followed) written.way_back = way_back(call, written);
  if (followed) note_grad_fn(call, written, inputs);
  if (!through) own->tensor = std::make_shared<const Tensor>(written);
  if (!followed || !self->is_view) return;
  // The base is made of what was written, or is what it was; all views are some of that, from when they are next used
  // (see_again).
  const TensorRef& base = call.object_of(*self->base_tensor);
  Tensor whole = *base->tensor;
  if (through)
    note_written_through(call, whole, written);
  else
    whole.seen_version = *whole.version;
  base->tensor = std::make_shared<const Tensor>(std::move(whole));
}

std::span<const Op> torch_version_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x._version", Msg::op_version, "one more for each write in place, views and detach() included",
       "x = torch.arange(6)\nx[0] = 7\nx._version",
       [](Call& call) -> Value {
         const Tensor& tensor = call.self();
         if (tensor.inference)
           return call.fail("RuntimeError", "Inference tensors do not track version counter.", Msg::inference_tensor);
         if (*tensor.version < 0) return call.refuse(Msg::not_modelled, {"PyTorch", call.written(call.span())});
         call.why(Msg::version_counts, {*tensor.version});
         return {*tensor.version};
       }},
  };
  return rows;
}

}  // namespace stridescope
