// out=: what a function would give in a new tensor is written into one that there is.
#include <algorithm>

#include "layout/extent.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Whether only elements of `out` change: it has the result's sizes, and no cell that is another element's. An operand
/// of the function may be `out` itself where each of its elements is read for one element of the result.
bool has_place(const Call& call, const Tensor& out, const Tensor& result, std::span<const TensorPtr> inputs) {
  if (!(out.layout.sizes == result.layout.sizes) || is_unique(out.layout) != Answer::yes) return false;
  return std::all_of(inputs.begin(), inputs.end(), [&](const TensorPtr& input) {
    return input->storage != out.storage || (input->object == out.object && is_pointwise(call.name()));
  });
}

/// torch.empty(0) becomes as long as the result.
bool becomes(const Tensor& out, const Tensor& result) {
  return numel(out.layout.sizes) == 0 && out.storage->nbytes == 0 && !out.is_view && !result.is_view &&
         numel(result.layout.sizes) != 0;
}

}  // namespace

Value written_out(Call& call, const Value& made, const Value& out, std::span<const TensorPtr> inputs) {
  const TensorPtr result = tensor_of(made);
  TensorPtr target = tensor_of(out);
  const std::string function = call.form().name;
  const auto refused = [&] { return call.refuse(Msg::not_modelled, {"PyTorch", function + "(out=)"}); };
  for (const char* parameter : {"input", "other"})  // of numbers there is no such form
    if (function == "torch.where" && !tensor_of(call.value(parameter))) return call.wrong_type(parameter, "Tensor");
  // Those sum and multiply into `out` along a dimension only; these have other forms with it, or leave it as it is.
  const bool whole = (function == "torch.sum" || function == "torch.prod") && !call.given("dim");
  if (!result || !target || whole || function.ends_with("argsort") || function.ends_with("gelu")) return refused();
  const auto follows = [](const TensorPtr& tensor) { return tensor->requires_grad; };
  if (call.settings().gradients == Gradients::followed &&
      (target->requires_grad || std::any_of(inputs.begin(), inputs.end(), follows))) {
    if (inputs.empty() || std::count(function.begin(), function.end(), '.') > 1) return refused();
    return call.fail("RuntimeError",
                     {function.substr(function.find('.') + 1),
                      "(): functions with out=... arguments don't support automatic differentiation, but one of the "
                      "arguments requires grad."},
                     Msg::torch_out_gradient);
  }
  if (target->library != Library::torch || target->dtype != result->dtype || target->lens != result->lens)
    return refused();
  const bool grows = becomes(*target, *result);
  if (!grows && !has_place(call, *target, *result, inputs)) return refused();
  call.unsay(0);
  if (grows) {
    call.replace_storage(*target, result->storage->contents, result->storage->nbytes);
    call.change(std::get<TensorRef>(out.held), result->layout);
    target = tensor_of(out);
  }
  const int64_t count = *numel(target->layout.sizes);
  call.why(Msg::write_headline, {count, count * itemsize(target->dtype), to_string(target->layout)});
  call.why(Msg::torch_out, {function});
  if (grows) call.why(Msg::torch_out_grows, {target->storage->nbytes});
  if (target->is_view) call.why(Msg::write_seen_in_aliases);
  if (!grows) call.write(*target, elements_of(*result));
  call.relation(Relation::write);
  // Once more than what is made anew, but for kron(), which writes through a tensor of its own.
  if (target->version && !function.ends_with("kron")) *target->version += 1 + *result->version;
  return out;
}

}  // namespace stridescope
