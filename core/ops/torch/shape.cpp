// The same elements under other sizes: view, reshape, flatten and their kin.
#include <algorithm>

#include "lang/syntax.h"
#include "layout/checked.h"
#include "ops/layout_words.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"
#include "ops/without_copy.h"

namespace stridescope {

int64_t bytes_of(const Tensor& tensor) {
  return checked_mul(*numel(tensor.layout.sizes), itemsize(tensor.dtype)).value_or(INT64_MAX);
}

Dims resolved_sizes(Call& call, const Tensor& tensor, const Dims& requested) {
  const int64_t count = *numel(tensor.layout.sizes);
  const Resolved resolved = resolve_sizes(requested, count);
  if (const Dims* sizes = std::get_if<Dims>(&resolved)) return *sizes;
  const Unfitting problem = std::get<Unfitting>(resolved);
  switch (problem.kind) {
    case Unfitting::Kind::second_unknown:
      call.fail("RuntimeError", "only one dimension can be inferred", Msg::view_two_unknown, {list_text(requested)});
      break;
    case Unfitting::Kind::negative:
      call.about(call.given("size") ? "size" : "shape", problem.dim)
          .fail("RuntimeError", {"invalid shape dimension ", requested[problem.dim]}, Msg::view_negative_size,
                {requested[problem.dim], problem.dim});
      break;
    case Unfitting::Kind::ambiguous:
      call.fail("RuntimeError",
                {"cannot reshape tensor of 0 elements into shape ", list_text(requested),
                 " because the unspecified dimension size -1 can be any value and is ambiguous"},
                Msg::view_ambiguous, {list_text(requested)});
      break;
    default:  // mismatch
      call.fail("RuntimeError", {"shape '", list_text(requested), "' is invalid for input of size ", count},
                Msg::view_numel, {list_text(requested), count, list_text(tensor.layout.sizes)});
      offer_fitting_sizes(call, requested, count);
      break;
  }
  return {};
}

namespace {

/// A tensor that serves to word a message about `sizes`.
Tensor with_sizes(Tensor tensor, const Dims& sizes) {
  tensor.layout = contiguous(sizes);
  return tensor;
}

void explain_view(Call& call, const Tensor& tensor, const Layout& layout) {
  call.why(Msg::view_headline, {to_string(tensor.layout), to_string(layout)});
  if (numel(layout.sizes) == 0) return;
  for (const Joint& joint : joints(tensor.layout))
    if (is_spanned(tensor.layout, joint, layout.sizes))
      call.why(Msg::view_weld,
               {Slot{joint.outer, call.axis(tensor, joint.outer)}, Slot{joint.inner, call.axis(tensor, joint.inner)},
                joint.stride, tensor.layout.strides[joint.inner], tensor.layout.sizes[joint.inner]});
    else if (!joint.welded())
      call.why(Msg::view_crack_kept, {Slot{joint.outer, call.axis(tensor, joint.outer)},
                                      Slot{joint.inner, call.axis(tensor, joint.inner)}, joint.stride, joint.needed});
  explain_strides(call, tensor, layout);
}

constexpr const char* not_viewed =
    "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
    "contiguous subspaces). Use .reshape(...) instead.";

/// The two dimensions that do not join, what their strides are and should be, and the new one that needs them joined.
Message cracked(Msg words, Call& call, const Tensor& tensor, const Crack& crack, const Dims& sizes) {
  const Joint& joint = crack.joint;
  return {words,
          {Slot{joint.outer, call.axis(tensor, joint.outer)}, Slot{joint.inner, call.axis(tensor, joint.inner)},
           joint.stride, joint.needed, tensor.layout.strides[joint.inner], tensor.layout.sizes[joint.inner],
           crack.new_dim, sizes[crack.new_dim]}};
}

}  // namespace

void hint_contiguous(Call& call, const char* parameter, const Tensor& tensor, Msg hint) {
  const Span given = call.argument(parameter);
  call.hint(
      hint, {bytes_of(tensor)},
      takes_suffix(call.written(given)) ? std::optional(Fix{{given.end, given.end}, ".contiguous()"}) : std::nullopt);
}

Value fail_as_line(Call& call, const char* parameter, const Tensor& tensor, Msg reason) {
  call.about(parameter).fail("RuntimeError", not_viewed, reason, {to_string(tensor.layout)});
  call.attempt(tensor, {-1}, {*numel(tensor.layout.sizes)});
  hint_contiguous(call, parameter, tensor, Msg::hint_contiguous_first);
  return {};
}

Value view_as_sizes(Call& call, const Tensor& tensor, const Dims& requested) {
  const Dims sizes = resolved_sizes(call, tensor, requested);
  if (call.failed()) return {};
  call.attempt(tensor, requested, sizes);
  const Viewed viewed = view(tensor.layout, sizes);
  if (const Layout* layout = as_layout(viewed)) {
    explain_view(call, tensor, *layout);
    return call.view(tensor, *layout);
  }
  const Crack crack = *as_crack(viewed);
  const auto nearest = explain_shapes(call, tensor.layout, sizes);
  call.fail("RuntimeError", not_viewed, cracked(Msg::view_fails, call, tensor, crack, sizes));
  const Span name = call.parts().name;
  call.hint(Msg::hint_reshape, {bytes_of(tensor)}, Fix{name, call.name() == "view_as" ? "reshape_as" : "reshape"});
  call.hint(Msg::hint_contiguous, {bytes_of(tensor)}, Fix{{name.begin, name.begin}, "contiguous()."});
  offer_without_copy(call, tensor, sizes, nearest);
  return {};
}

Value reshape_to_sizes(Call& call, const Dims& requested) {
  const Tensor& tensor = call.self();
  const Dims sizes = resolved_sizes(call, tensor, requested);
  if (call.failed()) return {};
  call.attempt(tensor, requested, sizes);
  const Viewed viewed = view(tensor.layout, sizes);
  if (const Layout* layout = as_layout(viewed)) {
    explain_view(call, tensor, *layout);
    return call.view(*layout);
  }
  call.why(Msg::reshape_copies, {bytes_of(tensor), *numel(sizes), itemsize(tensor.dtype)});
  call.why(cracked(Msg::view_crack, call, tensor, *as_crack(viewed), sizes));
  explain_shapes(call, tensor.layout, sizes);
  explain_without_copy(call, tensor, sizes);
  return call.fresh(tensor.dtype, contiguous(sizes), gather(elements_of(tensor), tensor.dtype), Relation::copy);
}

namespace {

Value flatten_row(Call& call) {
  const Layout& layout = call.self().layout;
  const int from = call.dim("start_dim"), to = call.failed() ? 0 : call.dim("end_dim");
  if (call.failed()) return {};
  if (from > to)
    return call.about("end_dim").fail("RuntimeError", "flatten() has invalid args: start_dim cannot come after end_dim",
                                      Msg::flatten_order, {from, to});
  if (layout.rank() == 0) return reshape_to_sizes(call, {1});
  if (from == to) {
    call.why(Msg::flatten_same, {from});
    return call.same();
  }
  Dims sizes;
  for (int d = 0; d < layout.rank(); ++d)
    if (d <= from || d > to)
      sizes.push_back(layout.sizes[d]);
    else
      sizes[from] *= layout.sizes[d];
  return reshape_to_sizes(call, sizes);
}

/// contiguous().view(-1): copies whatever is not contiguous, also where flatten() would find a view.
Value ravel_row(Call& call) {
  const Tensor& tensor = call.self();
  const Dims sizes{*numel(tensor.layout.sizes)};
  call.attempt(tensor, {-1}, sizes);
  if (is_contiguous(tensor.layout)) {
    call.why(Msg::ravel_view, {to_string(tensor.layout)});
    explain_contiguity(call, tensor);
    return call.view(*as_layout(view(tensor.layout, sizes)));
  }
  call.why(Msg::ravel_copies, {bytes_of(tensor), sizes[0]});
  explain_contiguity(call, tensor);
  if (as_layout(view(tensor.layout, sizes))) {
    call.why(Msg::ravel_flatten_would_view);
  } else {
    explain_shapes(call, tensor.layout, sizes);
    explain_without_copy(call, tensor, sizes);
  }
  const Value copy = call.fresh(tensor.dtype, contiguous(tensor.layout.sizes),
                                gather(elements_of(tensor), tensor.dtype), Relation::copy);
  if (call.failed()) return {};
  const Value result = call.view(*tensor_of(copy), contiguous(sizes));
  call.relation(Relation::copy);
  return result;
}

Value unflatten_row(Call& call) {
  const Tensor tensor = call.self();
  // What Python calls false stands for no sizes; a list of pairs names the dimensions.
  if (const TensorPtr asked = tensor_of(call.value("sizes"));
      asked && call.form().kind == Form::Kind::method && numel(asked->layout.sizes) != 1)
    return call.fail("RuntimeError",
                     {"Boolean value of Tensor with ",
                      (numel(asked->layout.sizes) == 0 ? "no values" : "more than one value"), " is ambiguous"},
                     Msg::item_needs_one, {*numel(asked->layout.sizes)});
  if (const auto* list = std::get_if<Sequence>(&call.value("sizes").held); list && !list->items->empty())
    for (const Value& pair : *list->items) {
      const auto* items = std::get_if<Sequence>(&pair.held);
      if (!items) break;
      const auto got = static_cast<int64_t>(items->items->size());
      if (got != 2)
        return call.fail("ValueError",
                         {(got < 2 ? "not enough values to unpack (expected 2, got " + std::to_string(got) + ")"
                                   : "too many values to unpack (expected 2)")},
                         Msg::argument_has_type, {"sizes", "ints", "list"});
    }
  const Value& written = call.value("sizes");
  const auto* word = std::get_if<std::string>(&written.held);
  const bool none =
      !call.given("sizes") || (word && word->empty()) ||
      (tensor_of(written) ? !is_true(element(elements_of(*tensor_of(written)), 0)) : as_integer(written) == 0);
  if (!none && !passes(written, "ints")) return call.wrong_type("sizes", "tuple of ints");
  const Dims parts = none ? Dims{} : call.ints("sizes");
  if (call.failed()) return {};
  // The method looks at the sizes first, the function at the dimension.
  const bool method = call.form().kind == Form::Kind::method;
  if (!(method && parts.empty()) && !passes(call.value("dim"), "int")) return call.wrong_type("dim", "int");
  const int d = method && parts.empty() ? 0 : call.dim("dim");
  if (call.failed()) return {};
  if (parts.empty())
    return call.about("sizes").fail("RuntimeError", "unflatten: sizes must be non-empty", Msg::unflatten_empty);
  if (tensor.layout.rank() == 0) call.wrap(d, 0, true);
  if (call.failed()) return {};
  const int64_t size = tensor.layout.sizes[d];
  const Resolved resolved = resolve_sizes(parts, size);
  if (const Unfitting* problem = std::get_if<Unfitting>(&resolved)) {
    switch (problem->kind) {
      case Unfitting::Kind::mismatch:
        return call.about("sizes").fail(
            "RuntimeError",
            {"unflatten: Provided sizes ", list_text(parts), " don't multiply up to the size of dim ", d, " (", size,
             ") in the input tensor"},
            Msg::unflatten_mismatch, {list_text(parts), Slot{d, call.axis(d)}, size});
      case Unfitting::Kind::second_unknown:
        return call.about("sizes").fail("RuntimeError",
                                        "unflatten got an unexpected error:\nonly one dimension can be inferred",
                                        Msg::view_two_unknown, {list_text(parts)});
      default: return resolved_sizes(call, with_sizes(tensor, {size}), parts), Value{};
    }
  }
  const Dims& split = std::get<Dims>(resolved);
  if (tensor.layout.rank() - 1 + split.size() > max_rank) return call.refuse(Msg::too_many_dims, {max_rank});
  Dims sizes = tensor.layout.sizes;
  sizes.erase(d);
  for (int k = 0; k < split.size(); ++k) sizes.insert(d + k, split[k]);
  return view_as_sizes(call, tensor, sizes);
}

/// The same bytes as elements of another type.
Value view_dtype_row(Call& call) {
  const Tensor tensor = call.self();
  const DType dtype = call.dtype("dtype").value_or(tensor.dtype);
  const Layout& layout = tensor.layout;
  const int64_t old_size = itemsize(tensor.dtype), new_size = itemsize(dtype);
  const std::string as = " to view " + std::string(scalar_type_name(tensor.dtype)) + " as " +
                         std::string(scalar_type_name(dtype)) + " (different element sizes)";
  const auto refuse = [&](const std::string& what, int64_t got) {
    call.fail("RuntimeError", {what, as, ", but got ", got}, Msg::view_dtype_fails,
              {what.substr(0, what.find(' ')), got, old_size, new_size});
    // Packed from 0 on, only the last size can still be in the way.
    if (new_size > old_size && layout.sizes[layout.rank() - 1] % (new_size / old_size) != 0) return Value{};
    const Span name = call.parts().name;
    const std::string packed = is_contiguous(layout) ? "clone()" : "contiguous()";
    call.hint(Msg::hint_pack_first, {"." + packed, bytes_of(tensor)}, Fix{{name.begin, name.begin}, packed + "."});
    return Value{};
  };
  if (tensor.lens.conjugate || tensor.lens.negative)
    return call.fail("RuntimeError",
                     {"torch.Tensor.view is not supported for ",
                      (tensor.lens.conjugate ? "conjugate view tensors" : "tensors with negative bit set"),
                      " when converting to a different dtype."},
                     Msg::conjugate_unresolved);
  Tensor result = tensor;
  result.dtype = dtype;
  if (old_size != new_size) {
    if (layout.rank() == 0) return call.fail("RuntimeError", {"self.dim() cannot be 0", as}, Msg::needs_rank, {1, 0});
    const int last = layout.rank() - 1;
    const int64_t ratio = old_size > new_size ? old_size / new_size : new_size / old_size;
    const std::string divisible = " must be divisible by " + std::to_string(ratio);
    // The bytes stay where they are, so that no number becomes too large.
    const auto scaled = [&](int64_t items) { return old_size < new_size ? items / ratio : items * ratio; };
    if (old_size < new_size && layout.sizes[last] % ratio != 0)
      return refuse("self.size(-1)" + divisible, layout.sizes[last]);
    if (old_size < new_size && layout.storage_offset % ratio != 0)
      return refuse("self.storage_offset()" + divisible, layout.storage_offset);
    if (layout.strides[last] != 1) return refuse("self.stride(-1) must be 1", layout.strides[last]);
    for (int d = 0; d < last; ++d) {
      int64_t& stride = result.layout.strides[d];
      if (old_size < new_size && stride % ratio != 0)
        return refuse("self.stride(" + std::to_string(d) + ")" + divisible, stride);
      stride = scaled(stride);
    }
    result.layout.sizes[last] = scaled(layout.sizes[last]);
    result.layout.storage_offset = scaled(layout.storage_offset);
  }
  call.why(Msg::view_dtype_headline, {name(tensor.dtype), name(dtype), to_string(result.layout)});
  if (old_size != new_size)
    call.why(Msg::view_dtype_sizes, {Slot{layout.rank() - 1, call.axis(layout.rank() - 1)}, layout.sizes.back(),
                                     old_size, result.layout.sizes.back(), new_size});
  // Autograd does not call this one a view.
  result.is_view = false;
  result.base = -1;
  return call.make(std::move(result), Relation::view);
}

Value to_sizes_of(Call& call, bool copies) {
  const Dims sizes = call.tensor("other")->tensor->layout.sizes;
  return copies ? reshape_to_sizes(call, sizes) : view_as_sizes(call, call.self(), sizes);
}

}  // namespace

std::span<const Op> torch_shape_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x.view(*size: int)", Msg::op_view,
       "new dimensions may split old ones, and join d and d+1 only where strides[d] == strides[d+1] * sizes[d+1]",
       "x = torch.arange(24).view(4, 6)\ny = x.view(2, 2, 6)",
       [](Call& call) { return view_as_sizes(call, call.self(), call.ints("size")); }},
      {Library::torch, "x.view(dtype: dtype)", Msg::op_view_dtype,
       "the same bytes; the last dimension must be packed where the item size changes",
       "x = torch.arange(6, dtype=torch.int32)\ny = x.view(torch.int64)", view_dtype_row},
      {Library::torch, "x.view_as(other: tensor)", Msg::op_view, "view(other.size())",
       "x = torch.arange(6)\ny = x.view_as(torch.zeros(2, 3))", [](Call& call) { return to_sizes_of(call, false); }},
      {Library::torch, "x.reshape(*shape: int)\ntorch.reshape(input: tensor, shape: ints)", Msg::op_reshape,
       "view(shape) where that is possible, else contiguous().view(shape)",
       "x = torch.arange(6).view(2, 3).t()\ny = x.reshape(6)",
       [](Call& call) { return reshape_to_sizes(call, call.ints("shape")); }},
      {Library::torch, "x.reshape_as(other: tensor)", Msg::op_reshape, "reshape(other.size())",
       "x = torch.arange(6)\ny = x.reshape_as(torch.zeros(2, 3))", [](Call& call) { return to_sizes_of(call, true); }},
      {Library::torch,
       "x.flatten(start_dim: int = 0, end_dim: int = -1)\nx.flatten(start_dim: int, end_dim: int, out_dim: str = "
       "None)\n"
       "torch.flatten(input: tensor, start_dim: int = 0, end_dim: int = -1)\n"
       "torch.flatten(input: tensor, start_dim: int, end_dim: int, out_dim: str = None)",
       Msg::op_flatten,
       "reshape with dimensions start_dim .. end_dim made one; the tensor itself where they are one already",
       "x = torch.arange(24).view(2, 3, 4)\ny = x.flatten(1)", flatten_row},
      {Library::torch, "x.unflatten(dim: any, sizes: any)\ntorch.unflatten(input: tensor, dim: int, sizes: ints)",
       Msg::op_unflatten, "dimension dim split into sizes; always a view",
       "x = torch.arange(12).view(2, 6)\ny = x.unflatten(1, (2, 3))", unflatten_row},
      {Library::torch, "x.ravel()\ntorch.ravel(input: tensor)", Msg::op_ravel, "contiguous().view(-1)",
       "x = torch.arange(6).view(2, 3)\ny = x.ravel()", ravel_row},
  };
  return rows;
}

}  // namespace stridescope
