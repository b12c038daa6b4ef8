// The same elements under other sizes: view, reshape, flatten and their kin.
#include "ops/rows.h"
#include "ops/torch.h"

namespace stridescope {

int64_t bytes_of(const Tensor& tensor) { return *numel(tensor.layout.sizes) * itemsize(tensor.dtype); }

Dims resolved_sizes(Call& call, const Tensor& tensor, const Dims& requested) {
  const int64_t count = *numel(tensor.layout.sizes);
  const Resolved resolved = resolve_sizes(requested, count);
  if (const Dims* sizes = std::get_if<Dims>(&resolved)) return *sizes;
  const Unfitting problem = std::get<Unfitting>(resolved);
  switch (problem.kind) {
    case Unfitting::Kind::second_unknown: call.fail("RuntimeError", "only one dimension can be inferred", Msg::view_two_unknown, {list_text(requested)}); break;
    case Unfitting::Kind::negative:
      call.fail("RuntimeError", "invalid shape dimension " + std::to_string(requested[problem.dim]), Msg::view_negative_size, {requested[problem.dim], problem.dim});
      break;
    case Unfitting::Kind::ambiguous:
      call.fail("RuntimeError", "cannot reshape tensor of 0 elements into shape " + list_text(requested) +
                                    " because the unspecified dimension size -1 can be any value and is ambiguous", Msg::view_ambiguous, {list_text(requested)});
      break;
    case Unfitting::Kind::mismatch:
      call.fail("RuntimeError", "shape '" + list_text(requested) + "' is invalid for input of size " + std::to_string(count), Msg::view_numel,
                {list_text(requested), count, list_text(tensor.layout.sizes)});
      break;
  }
  return {};
}

namespace {

/// Which old dimensions each new one is made of would repeat the strides; two lines suffice: what stayed, what came.
void explain_view(Call& call, const Tensor& tensor, const Layout& layout) {
  call.why(Msg::view_headline, {to_string(tensor.layout), to_string(layout)});
  for (const Joint& joint : joints(tensor.layout))
    if (joint.welded())
      call.why(Msg::view_weld, {{joint.outer, call.axis(tensor, joint.outer)}, {joint.inner, call.axis(tensor, joint.inner)}, joint.stride,
                                tensor.layout.strides[joint.inner], tensor.layout.sizes[joint.inner]});
    else
      call.why(Msg::view_crack_kept, {{joint.outer, call.axis(tensor, joint.outer)}, {joint.inner, call.axis(tensor, joint.inner)}, joint.stride, joint.needed});
}

void explain_crack(Call& call, const Tensor& tensor, const Crack& crack, const Dims& sizes) {
  const Joint& joint = crack.joint;
  call.why(Msg::view_crack, {{joint.outer, call.axis(tensor, joint.outer)}, {joint.inner, call.axis(tensor, joint.inner)}, joint.stride, joint.needed,
                             tensor.layout.strides[joint.inner], tensor.layout.sizes[joint.inner], crack.new_dim, sizes[crack.new_dim]});
}

}  // namespace

Value view_as_sizes(Call& call, const Dims& requested) {
  const Tensor tensor = call.self();
  const Dims sizes = resolved_sizes(call, tensor, requested);
  if (call.failed()) return {};
  call.attempt(tensor, requested, sizes);
  const Viewed viewed = view(tensor.layout, sizes);
  if (const Layout* layout = as_layout(viewed)) {
    explain_view(call, tensor, *layout);
    return call.view(*layout);
  }
  const Crack crack = *as_crack(viewed);
  const Joint& joint = crack.joint;
  explain_crack(call, tensor, crack, sizes);
  call.fail("RuntimeError",
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
            Msg::view_fails, {{joint.outer, call.axis(joint.outer)}, {joint.inner, call.axis(joint.inner)}, joint.stride, joint.needed, tensor.layout.strides[joint.inner],
                              tensor.layout.sizes[joint.inner], crack.new_dim, sizes[crack.new_dim]});
  return {};
}

Value reshape_to_sizes(Call& call, const Dims& requested) {
  const Tensor tensor = call.self();
  const Dims sizes = resolved_sizes(call, tensor, requested);
  if (call.failed()) return {};
  call.attempt(tensor, requested, sizes);
  const Viewed viewed = view(tensor.layout, sizes);
  if (const Layout* layout = as_layout(viewed)) {
    explain_view(call, tensor, *layout);
    return call.view(*layout);
  }
  call.why(Msg::reshape_copies, {bytes_of(tensor), *numel(sizes), itemsize(tensor.dtype)});
  explain_crack(call, tensor, *as_crack(viewed), sizes);
  return call.fresh(tensor.dtype, contiguous(sizes), gather(elements_of(tensor), tensor.dtype), Relation::copy);
}

std::span<const Op> torch_shape_rows() {
  static const Op rows[] = {
      {Library::torch, "x.view(*shape: int)", Msg::op_view,
       "new dimensions may split old ones, and join d and d+1 only where strides[d] == strides[d+1] * sizes[d+1]",
       "x = torch.arange(24).view(4, 6)\ny = x.view(2, 2, 6)", [](Call& call) {
         const Dims shape = call.ints("shape");
         return call.failed() ? Value{} : view_as_sizes(call, shape);
       }},
      {Library::torch, "x.reshape(*shape: int)\ntorch.reshape(input: tensor, shape: ints)", Msg::op_reshape, "view(shape) where that is possible, else contiguous().view(shape)",
       "x = torch.arange(6).view(2, 3).t()\ny = x.reshape(6)", [](Call& call) {
         const Dims shape = call.ints("shape");
         return call.failed() ? Value{} : reshape_to_sizes(call, shape);
       }},
  };
  return rows;
}

}  // namespace stridescope
