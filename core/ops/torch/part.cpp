// Parts of a tensor: one index of a dimension, a range of it, all of them apart, windows, diagonals, any recipe.
#include <algorithm>

#include "ops/layout_words.h"
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {

Layout part(const Layout& layout, int d, int64_t start, int64_t count) { return *slice(layout, d, start, 1, count); }

Value untracked(Call& call, Tensor tensor) {
  tensor.is_view = false;
  tensor.base = -1;
  tensor.base_tensor.reset();
  if (!call.name().ends_with("detach")) tensor.version.reset();
  return call.make(std::move(tensor), Relation::view);
}

namespace {

Value select_row(Call& call) {
  const Layout& layout = call.self().layout;
  if (layout.rank() == 0)
    return call.about("dim").fail("IndexError", "select() cannot be applied to a 0-dim tensor.",
                                  Msg::scalar_has_no_dims, {call.integer("dim")});
  const int d = call.dim("dim");
  const int64_t index = call.integer("index");
  if (call.failed()) return {};
  const int64_t size = layout.sizes[d];
  if (index < -size || index >= size)
    return call.about("index").fail(
        "IndexError",
        {"select(): index ", index, " out of range for tensor of size ", list_text(layout.sizes), " at dimension ", d},
        Msg::index_out_of_range, {index, Slot{d, call.axis(d)}, size});
  const int64_t place = index < 0 ? index + size : index;
  call.why(Msg::select_headline, {Slot{d, call.axis(d)}, place});
  call.why(Msg::offset_moves, {place, layout.strides[d], place * layout.strides[d], layout.storage_offset,
                               layout.storage_offset + place * layout.strides[d]});
  const Layout result = select(layout, d, place);
  return call.view(result);
}

Value narrow_row(Call& call) {
  const Layout& layout = call.self().layout;
  const int64_t length = call.integer("length");
  const bool copies = call.name().ends_with("copy");
  const TensorPtr place = tensor_of(call.value("start"));
  if (!copies && place && (place->layout.rank() > 0 || !is_integer(place->dtype)))
    return call.about("start").fail("RuntimeError", "start must be an 0-dim integral Tensor.", Msg::argument_has_type,
                                    {"start", "int", name(place->dtype)});
  if (layout.rank() == 0)
    return call.about("dim").fail("RuntimeError", "narrow() cannot be applied to a 0-dim tensor.",
                                  Msg::scalar_has_no_dims, {call.integer("dim")});
  if (length < 0 && !copies)
    return call.about("length").fail("RuntimeError", "narrow(): length must be non-negative.",
                                     Msg::narrow_negative_length, {length});
  if (const int64_t dim = call.integer("dim"); copies && dim >= layout.rank())
    return call.about("dim").fail(
        "RuntimeError",
        "Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, but got false.  (Could this error message "
        "be improved?  If so, please report an enhancement request to PyTorch.)",
        Msg::dim_out_of_range, {dim, layout.rank(), -layout.rank(), layout.rank() - 1});
  const int d = call.dim("dim");
  const int64_t written = call.integer("start");
  if (call.failed()) return {};
  const int64_t size = layout.sizes[d];
  if (written < -size || written > size)
    return call.about("start").fail(
        "IndexError",
        {"start out of range (expected to be in range of [", -size, ", ", size, "], but got ", written, ")"},
        Msg::index_out_of_range, {written, Slot{d, call.axis(d)}, size});
  const int64_t start = written < 0 ? written + size : written;
  if (length < 0 || start > size - length)
    return call.about("length").fail(
        "RuntimeError", {"start (", start, ") + length (", length, ") exceeds dimension size (", size, ")."},
        Msg::narrow_exceeds, {start, length, Slot{d, call.axis(d)}, size});
  call.why(Msg::narrow_headline, {Slot{d, call.axis(d)}, start, start + length});
  call.why(Msg::offset_moves, {start, layout.strides[d], start * layout.strides[d], layout.storage_offset,
                               layout.storage_offset + start * layout.strides[d]});
  const Layout result = part(layout, d, start, length);
  return call.view(result);
}

Value unbind_row(Call& call) {
  const Layout& layout = call.self().layout;
  const int d = call.dim("dim");
  if (!call.failed() && layout.rank() == 0) call.wrap(d, 0, true);
  if (call.failed()) return {};
  if (layout.sizes[d] > max_pieces) return call.refuse(Msg::too_many_pieces, {layout.sizes[d], max_pieces});
  call.why(Msg::pieces_headline, {layout.sizes[d], Slot{d, call.axis(d)}});
  std::vector<Value> pieces;
  for (int64_t i = 0; i < layout.sizes[d]; ++i) pieces.push_back(call.view(select(layout, d, i)));
  call.relation(Relation::view);
  return call.tuple(std::move(pieces));
}

Value unfold_row(Call& call) {
  const Layout& layout = call.self().layout;
  const int d = call.dim("dimension");
  const int64_t size = call.integer("size"), step = call.integer("step");
  if (call.failed()) return {};
  const int64_t most = layout.rank() == 0 ? 1 : layout.sizes[d];
  if (size < 0)
    return call.about("size").fail("RuntimeError", {"size is ", size, " but must be >= 0"}, Msg::unfold_negative,
                                   {size});
  if (size > most)
    return call.about("size").fail("RuntimeError",
                                   {"maximum size for tensor at dimension ", d, " is ", most, " but size is ", size},
                                   Msg::unfold_too_long, {size, Slot{d, call.axis(d)}, most});
  if (step <= 0)
    return call.about("step").fail("RuntimeError", {"step is ", step, " but must be > 0"}, Msg::unfold_step, {step});
  if (layout.sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank});
  const auto windows = unfold(layout, d, size, step);
  if (!windows) return call.refuse(Msg::beyond_int64);
  call.why(Msg::unfold_headline, {size, step, Slot{d, call.axis(d)}, windows->rank() > 1 ? windows->sizes[d] : 1});
  if (step < size) call.why(Msg::unfold_overlaps, {size - step});
  return call.view(*windows);
}

Value diagonal_row(Call& call) {
  const Layout& layout = call.self().layout;
  const int64_t shift = call.integer("offset"), first = call.integer("dim1"), second = call.integer("dim2");
  const int row = call.wrap(first, layout.rank(), false, "dim1"),
            column = call.wrap(second, layout.rank(), false, "dim2");
  if (call.failed()) return {};
  if (row == column)
    return call.about("dim2").fail("RuntimeError", {"diagonal dimensions cannot be identical ", first, ", ", second},
                                   Msg::diagonal_same_dims, {first, second});
  // A shift beyond the matrix gives an empty diagonal whatever its size.
  const int64_t reach = std::max(layout.sizes[row], layout.sizes[column]) + 1;
  const Layout result = diagonal(layout, std::clamp(shift, -reach, reach), row, column);
  call.why(Msg::diagonal_headline, {Slot{row, call.axis(row)}, Slot{column, call.axis(column)}, layout.strides[row],
                                    layout.strides[column], result.strides.back()});
  return call.view(result);
}

Value as_strided_row(Call& call) {
  const Tensor& tensor = call.self();
  const Dims sizes = call.ints("size"), strides = call.ints("stride");
  const int64_t offset = call.given("storage_offset") ? call.integer("storage_offset") : tensor.known_offset();
  const int64_t held = tensor.storage_nbytes();
  if (sizes.size() != strides.size())
    return call.about("stride").fail("RuntimeError", "mismatch in length of strides and shape", Msg::as_strided_count,
                                     {sizes.size(), strides.size()});
  for (int64_t stride : strides)
    if (stride < 0)
      return call.about("stride").fail(
          "RuntimeError",
          {"as_strided: Negative strides are not supported at the moment, got strides: ", list_text(strides)},
          Msg::negative_stride, {stride});
  const bool in_place = call.name().ends_with('_');
  const int bytes = itemsize(tensor.dtype);
  const auto needed = bytes_inside(call, {sizes, strides, offset}, bytes, held, in_place);
  if (!needed) return {};
  if (offset < 0)
    return call.about("storage_offset")
        .fail("RuntimeError", {"Tensor: invalid storage offset ", offset}, Msg::negative_offset, {offset});
  // Nothing overflows where a size is 0, and PyTorch makes a tensor of a negative size.
  const bool nothing = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  for (const int64_t size : sizes)
    if (size < 0 && nothing)
      return call.about("size").refuse(Msg::not_modelled, {"PyTorch", "as_strided(" + list_text(sizes) + ", ..)"});
    else if (size < 0)
      return call.about("size").fail("RuntimeError", "numel: integer multiplication overflow", Msg::negative_size,
                                     {size, list_text(sizes)});
  if (*needed < 0) return call.refuse(Msg::beyond_int64);  // in place PyTorch goes on with what wraps around
  const Layout layout{sizes, strides, offset + tensor.storage_begin() / bytes};
  call.why(Msg::as_strided_headline, {to_string(layout)});
  if (!nothing) call.why(Msg::as_strided_reach, {offset, *needed / bytes - 1, held / bytes});
  return in_place ? call.change(layout) : call.view(layout);
}

Value detach_row(Call& call) {
  call.why(Msg::detach_headline, {to_string(call.self().layout)});
  return untracked(call, call.self());
}

/// The tensor itself as a leaf that requires a gradient, or does not.
Value following(Call& call, bool follows) {
  Tensor changed = call.self();
  changed.requires_grad = follows;
  changed.is_leaf = true;
  call.self_ref()->tensor = std::make_shared<const Tensor>(std::move(changed));
  if (!call.self().is_view) call.follow_base(follows);
  return call.same();
}

Value requires_grad_row(Call& call) {
  const bool setter = call.form().kind == Form::Kind::setter;
  if (!std::holds_alternative<bool>(call.value("requires_grad").held))
    return setter ? call.fail("RuntimeError", "requires_grad must be a bool", Msg::argument_has_type,
                              {"requires_grad", "bool", type_name(call.value("requires_grad"))})
                  : call.wrong_type("requires_grad", "bool");
  const bool follows = call.boolean("requires_grad");
  const Tensor& tensor = call.self();
  if (!tensor.is_leaf && (setter || !follows))
    return call.fail("RuntimeError",
                     {"you can only change requires_grad flags of leaf variables.",
                      follows ? ""
                              : " If you want to use a computed variable in a subgraph that doesn't require "
                                "differentiation use var_no_grad = var.detach()."},
                     Msg::deep_copy_history);
  if (follows && !is_floating(tensor.dtype) && !is_complex(tensor.dtype))
    return call.fail("RuntimeError",
                     {"only Tensors of floating point ", setter ? "and complex " : "", "dtype can require gradients"},
                     Msg::floats_needed, {name(tensor.dtype)});
  call.why(Msg::same_nothing_to_do, {to_string(tensor.layout)});
  return tensor.is_leaf ? following(call, follows) : call.same();
}

bool repeats(const Layout& layout) {
  for (int d = 0; d < layout.rank(); ++d)
    if (layout.strides[d] == 0 && layout.sizes[d] > 1) return true;
  return false;
}

/// Where elements repeat, what is scattered into is a clone without gaps: while this lives, it stands in the input's
/// place.
class ClonedInput {
 public:
  explicit ClonedInput(Call& call) : input_(call.self_ref()), own_(input_->tensor) {
    if (!repeats(own_->layout) || own_->lens != Lens{}) return;
    Tensor clone = *own_;
    clone.layout = {own_->layout.sizes, preserved_strides(own_->layout), 0};
    Elements from = elements_of(*own_);
    from.layout = permute(from.layout, cell_order(clone.layout));
    const int64_t cells = *numel(clone.layout.sizes);
    const auto nbytes = checked_mul(cells, itemsize(clone.dtype));
    if (!nbytes) {
      call.refuse(Msg::beyond_int64);
      return;
    }
    ContentsPtr contents = gather(from, clone.dtype);
    if (!contents) contents = unknown_contents(clone.dtype, cells);
    clone.storage = std::make_shared<Storage>(Storage{-1, *nbytes, clone.dtype, contents});
    input_->tensor = std::make_shared<const Tensor>(std::move(clone));
  }
  ClonedInput(const ClonedInput&) = delete;
  ClonedInput& operator=(const ClonedInput&) = delete;
  ~ClonedInput() { input_->tensor = own_; }
  bool is_clone() const { return input_->tensor != own_; }

 private:
  TensorRef input_;
  TensorPtr own_;
};

/// A clone with its strides, in which the part that `picked` found holds the source.
Value part_scattered(Call& call, const ClonedInput& cloned, const Value& picked) {
  if (call.failed()) return {};
  const Tensor tensor = call.self(), &source = *call.tensor("src")->tensor;
  const Layout region = tensor_of(picked)->layout;
  if (!(source.layout.sizes == region.sizes))
    return call.about("src").fail("RuntimeError",
                                  {"expected src to have a size equal to the slice of self. src size = ",
                                   list_text(source.layout.sizes), ", slice size = ", list_text(region.sizes)},
                                  Msg::scatter_part, {to_string(source.layout.sizes), to_string(region.sizes)});
  if (tensor.lens != Lens{} || tensor.storage_nbytes() % itemsize(tensor.dtype) != 0)
    return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (!check_overlap(call, *tensor_of(picked), nullptr)) return {};
  // The whole storage is copied, gaps included.
  const int64_t bytes = itemsize(tensor.dtype), cells = tensor.storage_nbytes() / bytes;
  const ContentsPtr old =
      gather({tensor.storage->contents, {{cells}, {bytes}, tensor.storage_begin()}, tensor.dtype}, tensor.dtype);
  Layout layout = tensor.layout;
  layout.storage_offset = tensor.known_offset();
  auto place = in_bytes(*tensor_of(picked));
  if (!place) return call.refuse(Msg::beyond_int64);
  if (!old) return call.refuse(Msg::too_costly);
  place->storage_offset = region.storage_offset * bytes - tensor.storage_begin();
  call.unsay(0);
  call.why(Msg::scatter_part_headline, {*numel(region.sizes), to_string(region)});
  call.why(cloned.is_clone() ? Msg::scatter_part_repeats : Msg::scatter_part_storage, {cells, to_string(layout)});
  return call.fresh(tensor.dtype, layout,
                    numel(region.sizes) == 0 ? old : patch(old, {old, *place, tensor.dtype}, elements_of(source)),
                    Relation::copy);
}

}  // namespace

Value slice_row(Call& call) {
  const Layout& layout = call.self().layout;
  if (layout.rank() == 0)
    return call.about_receiver().fail("IndexError", "slice() cannot be applied to a 0-dim tensor.",
                                      Msg::scalar_has_no_dims, {call.integer("dim")});
  const int d = call.dim("dim");
  const int64_t step = call.integer("step");
  if (call.failed()) return {};
  if (step <= 0)
    return call.about("step").fail("RuntimeError", "slice step must be positive", Msg::unfold_step, {step});
  const int64_t size = layout.sizes[d];
  const auto bound = [&](const char* parameter, int64_t other) {
    if (!call.given(parameter)) return other;
    const int64_t given = call.integer(parameter);
    return std::clamp<int64_t>(given < 0 ? given + size : given, 0, size);
  };
  const int64_t start = bound("start", 0), end = std::max(bound("end", size), start);
  const int64_t count = (end - start) / step + ((end - start) % step != 0 ? 1 : 0);
  const auto result = slice(layout, d, start, step, count);
  return result ? call.view(*result) : call.refuse(Msg::beyond_int64);
}

std::span<const Op> torch_part_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x.select(dim: int, index: int)\ntorch.select(input: tensor, dim: int, index: int)",
       Msg::op_select, "drops dim;  offset' = offset + index * strides[dim]",
       "x = torch.arange(12).view(3, 4)\ny = x.select(0, 1)", select_row},
      {Library::torch,
       "x.narrow(dim: int, start: int | tensor, length: int)\ntorch.narrow(input: tensor, dim: int, start: int | "
       "tensor, length: int)",
       Msg::op_narrow, "sizes'[dim] = length;  offset' = offset + start * strides[dim]",
       "x = torch.arange(12).view(3, 4)\ny = x.narrow(1, 1, 2)", narrow_row},
      {Library::torch, "x.unbind(dim: int = 0)\ntorch.unbind(input: tensor, dim: int = 0)", Msg::op_unbind,
       "select(dim, i) for each i", "a, b = torch.arange(6).view(2, 3).unbind()", unbind_row},
      {Library::torch, "x.unfold(dimension: int, size: int, step: int)", Msg::op_unfold,
       "sizes'[d] = (sizes[d] - size) / step + 1;  strides'[d] = strides[d] * step;  a new last dimension (size, "
       "strides[d])",
       "x = torch.arange(6)\ny = x.unfold(0, 3, 1)", unfold_row},
      {Library::torch,
       "x.diagonal(offset: int = 0, dim1: int = 0, dim2: int = 1)\ntorch.diagonal(input: tensor, offset: int = 0, "
       "dim1: int = 0, dim2: int = 1)\n"
       "torch.linalg.diagonal(A: tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1)",
       Msg::op_diagonal, "drops dim1 and dim2; a new last dimension of stride strides[dim1] + strides[dim2]",
       "x = torch.arange(12).view(3, 4)\ny = x.diagonal()", diagonal_row},
      {Library::torch,
       "x.as_strided(size: ints, stride: ints, storage_offset: int = None)\ntorch.as_strided(input: tensor, size: "
       "ints, stride: ints, storage_offset: int = None)\n"
       "x.as_strided_(size: ints, stride: ints, storage_offset: int = None)\n"
       "torch.as_strided_(input: tensor, size: ints, stride: ints, storage_offset: int = None)",
       Msg::op_as_strided, "exactly this recipe, whatever the tensor's own",
       "x = torch.arange(6)\ny = x.as_strided((4, 3), (1, 1))", as_strided_row},
      {Library::torch, "x.detach()\ntorch.detach(input: tensor)\nx.data", Msg::op_detach,
       "the same recipe on the same storage", "x = torch.arange(6)\ny = x.detach()", detach_row},
      {Library::torch, "x.positive()\ntorch.positive(input: tensor)\n+a", Msg::op_positive, "the tensor itself",
       "x = torch.arange(6)\ny = x.positive()",
       [](Call& call) {
         if (call.self().dtype == DType::boolean)
           return call.fail("RuntimeError", "The `+` operator, on a bool tensor is not supported.",
                            Msg::function_refuses, {"+", "bool"});
         call.why(Msg::same_nothing_to_do, {to_string(call.self().layout)});
         return call.same();
       }},
      {Library::torch, "x.requires_grad_(requires_grad: any = True)\nx.requires_grad = requires_grad",
       Msg::op_requires_grad, "the tensor itself, through which gradients are followed from now on",
       "x = torch.arange(6.)\nx.requires_grad_()", requires_grad_row},
      {Library::torch, "x.detach_()\ntorch.detach_(input: tensor)", Msg::op_detach,
       "the tensor itself, no longer known as a view", "x = torch.arange(6)\nx.detach_()",
       [](Call& call) -> Value {
         if (call.self().is_view)
           return call.fail("RuntimeError",
                            "Can't detach views in-place. Use detach() instead. If you are using "
                            "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, "
                            "gradients are views of DDP buckets, and hence detach_() cannot be called on these "
                            "gradients. To fix this error, please refer to the Optimizer.zero_grad() "
                            "function in torch/optim/optimizer.py as the solution.",
                            Msg::detach_view);
         call.why(Msg::same_nothing_to_do, {to_string(call.self().layout)});
         return following(call, false);
       }},
      {Library::torch,
       "x.select_scatter(src: tensor, dim: int, index: int)\n"
       "torch.select_scatter(input: tensor, src: tensor, dim: int, index: int)",
       Msg::op_part_scatter, "y = x.clone(), then y.select(dim, index) = src; strides are kept",
       "x = torch.zeros(2, 3)\ny = x.select_scatter(torch.ones(2), 1, 0)",
       [](Call& call) {
         const ClonedInput cloned(call);
         return part_scattered(call, cloned, select_row(call));
       }},
      {Library::torch,
       "x.slice_scatter(src: tensor, dim: int = 0, start: int = None, end: int = None, step: int = 1)\n"
       "torch.slice_scatter(input: tensor, src: tensor, dim: int = 0, start: int = None, end: int = None, step: int = "
       "1)",
       Msg::op_part_scatter, "y = x.clone(), then y[start:end:step] = src along dim; strides are kept",
       "x = torch.zeros(2, 3)\ny = x.slice_scatter(torch.ones(2, 2), 1, 0, 3, 2)",
       [](Call& call) {
         const ClonedInput cloned(call);
         return part_scattered(call, cloned, slice_row(call));
       }},
      {Library::torch,
       "x.diagonal_scatter(src: tensor, offset: int = 0, dim1: int = 0, dim2: int = 1)\n"
       "torch.diagonal_scatter(input: tensor, src: tensor, offset: int = 0, dim1: int = 0, dim2: int = 1)",
       Msg::op_part_scatter, "y = x.clone(), then y.diagonal() = src; strides are kept",
       "x = torch.zeros(2, 3)\ny = x.diagonal_scatter(torch.ones(2))",
       [](Call& call) {
         const ClonedInput cloned(call);
         return part_scattered(call, cloned, diagonal_row(call));
       }},
      {Library::torch,
       "x.as_strided_scatter(src: tensor, size: ints, stride: ints, storage_offset: int = None)\n"
       "torch.as_strided_scatter(input: tensor, src: tensor, size: ints, stride: ints, storage_offset: int = None)",
       Msg::op_part_scatter, "y = x.clone(), then y.as_strided(size, stride, storage_offset) = src; strides are kept",
       "x = torch.zeros(2, 3)\ny = x.as_strided_scatter(torch.ones(2), (2,), (4,))",
       [](Call& call) {
         // A part without elements may have sizes below 0: no source has them.
         const Dims size = call.ints("size"), &own = call.tensor("src")->tensor->layout.sizes;
         const auto has = [&](auto holds) { return std::any_of(size.begin(), size.end(), holds); };
         if (has([](int64_t one) { return one == 0; }) && has([](int64_t one) { return one < 0; }) &&
             size.size() == call.ints("stride").size())
           return call.about("src").fail("RuntimeError",
                                         {"expected src to have a size equal to the slice of self. src size = ",
                                          list_text(own), ", slice size = ", list_text(size)},
                                         Msg::scatter_part, {to_string(own), to_string(size)});
         const ClonedInput cloned(call);
         return part_scattered(call, cloned, as_strided_row(call));
       }},
      {Library::torch,
       "x.narrow_copy(dim: int, start: int, length: int)\n"
       "torch.narrow_copy(input: tensor, dim: int, start: int, length: int)",
       Msg::op_view_copy, "y = x.narrow(dim, start, length); packed, in a storage of its own",
       "x = torch.arange(6).view(2, 3)\ny = x.narrow_copy(1, 0, 2)",
       [](Call& call) { return packed_copy(call, narrow_row(call)); }},
  };
  return rows;
}

}  // namespace stridescope
