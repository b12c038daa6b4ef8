// What a function that gives a view shows, copied: PyTorch's _copy functions, which compilers put in place of views.
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {

Value packed_copy(Call& call, const Value& view) {
  if (call.failed()) return {};
  call.unsay(0);
  if (const auto* pieces = std::get_if<Sequence>(&view.held)) {
    std::vector<Value> copies;
    for (const Value& piece : *pieces->items) copies.push_back(packed_copy(call, piece));
    call.unsay(0);
    call.why(Msg::copied_pieces, {static_cast<int64_t>(copies.size())});
    call.relation(Relation::copy);
    return call.tuple(std::move(copies));
  }
  const TensorPtr seen = tensor_of(view);
  call.why(Msg::view_copied, {to_string(seen->layout)});
  return call.copy(*seen, contiguous(seen->layout.sizes), seen->dtype);
}

namespace {

/// The row of the function without "_copy" gives the view, with the same arguments.
Value copied_view(Call& call) {
  constexpr std::string_view end = "_copy";
  const std::string view(call.name().substr(0, call.name().size() - end.size()));
  auto forms = find_forms(Library::torch, Form::Kind::function, view);
  if (forms.empty()) forms = find_forms(Library::torch, Form::Kind::method, view.substr(view.rfind('.') + 1));
  return packed_copy(call, forms.front()->op->apply(call));
}

/// Sizes that no view can have are no reason to fail: the elements are packed anyway.
Value view_copy_row(Call& call) {
  const Tensor tensor = call.self();
  const Dims sizes = resolved_sizes(call, tensor, call.ints("size"));
  if (call.failed()) return {};
  call.why(Msg::view_copied, {to_string(tensor.layout)});
  return call.fresh(tensor.dtype, contiguous(sizes), gather(elements_of(tensor), tensor.dtype), Relation::copy);
}

}  // namespace

std::span<const Op> torch_view_copy_rows() {
#define X "x = torch.arange(6).view(2, 3)\n"
  static constexpr Op rows[] = {
      {Library::torch, "torch.view_copy(input: tensor, size: ints)", Msg::op_view_copy,
       "y[i] = x.flatten()[i] under sizes; packed, in a storage of its own", X "y = torch.view_copy(x, (3, 2))",
       view_copy_row},
      {Library::torch, "torch.view_copy(input: tensor, dtype: dtype)", Msg::op_view_copy,
       "the same bytes; packed, in a storage of its own", X "y = torch.view_copy(x, torch.int32)",
       [](Call& call) {
         return packed_copy(call, find_forms(Library::torch, Form::Kind::method, "view").back()->op->apply(call));
       }},
      {Library::torch, "torch.alias_copy(input: tensor)", Msg::op_view_copy, "packed, in a storage of its own",
       X "y = torch.alias_copy(x.t())", [](Call& call) { return packed_copy(call, call.first()); }},
      {Library::torch, "torch.detach_copy(input: tensor)", Msg::op_view_copy, "packed, in a storage of its own",
       X "y = torch.detach_copy(x.t())", copied_view},
      {Library::torch, "torch.select_copy(input: tensor, dim: int, index: int)", Msg::op_view_copy,
       "y = x[.., index, ..]; packed, in a storage of its own", X "y = torch.select_copy(x, 1, 0)", copied_view},
      {Library::torch,
       "torch.slice_copy(input: tensor, dim: int = 0, start: int = None, end: int = None, step: int = 1)",
       Msg::op_view_copy, "y = x[start:end:step] along dim; packed, in a storage of its own",
       X "y = torch.slice_copy(x, 1, 0, 3, 2)", [](Call& call) { return packed_copy(call, slice_row(call)); }},
      {Library::torch, "torch.unfold_copy(input: tensor, dimension: int, size: int, step: int)", Msg::op_view_copy,
       "windows along a dimension; packed, in a storage of its own", X "y = torch.unfold_copy(x, 1, 2, 1)",
       copied_view},
      {Library::torch, "torch.diagonal_copy(input: tensor, offset: int = 0, dim1: int = 0, dim2: int = 1)",
       Msg::op_view_copy, "y[i] = x[i, i + offset]; packed, in a storage of its own", X "y = torch.diagonal_copy(x)",
       copied_view},
      {Library::torch, "torch.permute_copy(input: tensor, dims: ints)", Msg::op_view_copy,
       "sizes'[k] = sizes[dims[k]]; packed, in a storage of its own", X "y = torch.permute_copy(x, (1, 0))",
       copied_view},
      {Library::torch, "torch.transpose_copy(input: tensor, dim0: int, dim1: int)", Msg::op_view_copy,
       "exchanges dim0 and dim1; packed, in a storage of its own", X "y = torch.transpose_copy(x, 0, 1)", copied_view},
      {Library::torch, "torch.t_copy(input: tensor)", Msg::op_view_copy,
       "sizes' = reversed(sizes); packed, in a storage of its own", X "y = torch.t_copy(x)", copied_view},
      {Library::torch, "torch.unsqueeze_copy(input: tensor, dim: int)", Msg::op_view_copy,
       "a new size 1 at dim; packed, in a storage of its own", X "y = torch.unsqueeze_copy(x, 1)", copied_view},
      {Library::torch, "torch.squeeze_copy(input: tensor, dim: int | ints)\ntorch.squeeze_copy(input: tensor)",
       Msg::op_view_copy, "drops dimensions of size 1; packed, in a storage of its own",
       X "y = torch.squeeze_copy(x[:1])", copied_view},
      {Library::torch, "torch.expand_copy(input: tensor, size: ints, *, implicit: bool = False)", Msg::op_view_copy,
       "repeats along sizes of 1 and new ones; packed, in a storage of its own",
       X "y = torch.expand_copy(x, (2, 2, 3))", copied_view},
      {Library::torch, "torch.as_strided_copy(input: tensor, size: ints, stride: ints, storage_offset: int = None)",
       Msg::op_view_copy, "read through that recipe; packed, in a storage of its own",
       X "y = torch.as_strided_copy(x, (2, 2), (1, 2))", copied_view},
      {Library::torch,
       "torch.split_copy(input: tensor, split_size: int, dim: int = 0)\n"
       "torch.split_with_sizes_copy(input: tensor, split_sizes: ints, dim: int = 0)",
       Msg::op_view_copy, "narrow(dim, start, length) for each piece, each packed in a storage of its own",
       X "a, b = torch.split_copy(x, 1)",
       [](Call& call) {
         return packed_copy(call, find_forms(Library::torch, Form::Kind::method, "split").front()->op->apply(call));
       }},
      {Library::torch, "torch.unbind_copy(input: tensor, dim: int = 0)", Msg::op_view_copy,
       "select(dim, i) for each i, each packed in a storage of its own", X "a, b = torch.unbind_copy(x)", copied_view},
      {Library::torch, "torch.view_as_real_copy(input: tensor)", Msg::op_view_copy,
       "sizes' = sizes + (2,); packed, in a storage of its own",
       "x = torch.zeros(3, dtype=torch.complex64)\ny = torch.view_as_real_copy(x)", copied_view},
      {Library::torch, "torch.view_as_complex_copy(input: tensor)", Msg::op_view_copy,
       "the last dimension becomes one number; packed, in a storage of its own",
       "x = torch.arange(6.).view(3, 2)\ny = torch.view_as_complex_copy(x)", copied_view},
  };
#undef X
  return rows;
}

}  // namespace stridescope
