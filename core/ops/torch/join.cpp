// Several tensors made one: cat, stack and what is made of them; always copies.
#include <algorithm>
#include <span>

#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// An operand: elements as they are now.
struct Piece {
  Layout layout;  ///< in elements
  DType dtype;
  ContentsPtr contents;
  Lens lens;
};

Piece piece_of(const Tensor& tensor) { return {tensor.layout, tensor.dtype, tensor.storage->contents, tensor.lens}; }

Elements elements_of(const Piece& piece) {
  Layout bytes = piece.layout;
  for (int64_t& stride : bytes.strides) stride *= itemsize(piece.dtype);
  bytes.storage_offset *= itemsize(piece.dtype);
  return {piece.contents, bytes, piece.dtype, piece.lens};
}

/// A 1-d tensor without elements joins anything and adds nothing.
bool is_skipped(const Piece& piece) { return piece.layout.sizes == Dims{0}; }

Dims sizes_without(Dims sizes, int dim) {
  sizes.erase(dim);
  return sizes;
}

/// The parts one after the other along dimension `dim`, in cells laid out as `layout`. Of many each half is put
/// together first, so that an element is looked for in few of them.
ContentsPtr joined_along(std::span<const Elements> parts, int dim, const Layout& layout, DType dtype) {
  constexpr size_t few = 8;
  Layout place = layout;
  for (int64_t& stride : place.strides) stride *= itemsize(dtype);
  ContentsPtr contents = constant_contents(converted({DType::int64}, dtype), *numel(layout.sizes));
  int64_t start = 0;
  const auto put = [&](const Elements& part) {
    const int64_t length = part.layout.sizes[dim];
    contents = patch(contents, {contents, *slice(place, dim, start, 1, length), dtype}, part);
    start += length;
  };
  if (parts.size() <= few) {
    std::for_each(parts.begin(), parts.end(), put);
    return contents;
  }
  const size_t half = parts.size() / 2;
  for (const auto some : {parts.first(half), parts.subspan(half)}) {
    Dims sizes = layout.sizes;
    sizes[dim] = 0;
    for (const Elements& part : some) sizes[dim] += part.layout.sizes[dim];
    put({joined_along(some, dim, contiguous(sizes), dtype), contiguous(sizes, itemsize(dtype)), dtype});
  }
  return contents;
}

/// The pieces one after the other along dimension `written`; `split` of them then made a dimension of its own.
Value joined(Call& call, const std::vector<Piece>& pieces, int64_t written, bool split = false) {
  if (pieces.empty())
    return call.fail("RuntimeError", "torch.cat(): expected a non-empty list of Tensors", Msg::needs_tensors);
  for (size_t i = 0; i < pieces.size(); ++i)
    if (pieces[i].layout.rank() == 0)
      return call.about("tensors", static_cast<int>(i))
          .fail("RuntimeError", {"zero-dimensional tensor (at position ", i, ") cannot be concatenated"},
                Msg::join_scalar, {static_cast<int64_t>(i)});
  DType dtype = pieces[0].dtype;
  const Piece* first = nullptr;
  for (const Piece& piece : pieces) {
    dtype = promoted(dtype, piece.dtype);
    if (!first && !is_skipped(piece)) first = &piece;
  }
  const int rank = first ? first->layout.rank() : 1;
  const int dim = first ? call.wrap(written, rank) : 0;
  if (call.failed()) return {};
  Dims sizes = first ? first->layout.sizes : Dims{0};
  sizes[dim] = 0;
  bool channels = first != nullptr;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    channels = channels && suggests_channels_last(piece.layout);
    if (is_skipped(piece)) continue;
    if (piece.layout.rank() != rank)
      return call.fail("RuntimeError",
                       {"Tensors must have same number of dimensions: got ", rank, " and ", piece.layout.rank()},
                       Msg::join_rank, {rank, piece.layout.rank(), static_cast<int64_t>(i)});
    for (int d = 0; d < rank; ++d)
      if (d != dim && piece.layout.sizes[d] != first->layout.sizes[d])
        return call.fail(
            "RuntimeError",
            {"Sizes of tensors must match except in dimension ", dim, ". Expected size ", first->layout.sizes[d],
             " but got size ", piece.layout.sizes[d], " for tensor number ", i, " in the list."},
            Msg::join_size, {d, first->layout.sizes[d], piece.layout.sizes[d], static_cast<int64_t>(i)});
    const auto total = checked_add(sizes[dim], piece.layout.sizes[dim]);
    if (!total) return call.refuse(Msg::beyond_int64);
    sizes[dim] = *total;
  }
  const Layout packed = fresh_layout(call, sizes, dtype);
  if (call.failed()) return {};
  const Layout layout = channels ? channels_last(sizes) : packed;
  int64_t start = 0;
  Dims apart = pieces[0].layout.sizes;
  if (split) apart.insert(dim, static_cast<int64_t>(pieces.size()));
  call.why(Msg::join_headline, {static_cast<int64_t>(pieces.size()), dim, to_string(split ? apart : sizes)});
  std::vector<Elements> parts;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    if (is_skipped(piece) || numel(piece.layout.sizes) == 0) continue;
    const int64_t length = piece.layout.sizes[dim], number = static_cast<int64_t>(i);
    if (pieces.size() <= 8) {
      if (split && i == 0)
        call.why(Msg::stack_new, {dim, static_cast<int64_t>(pieces.size()), to_string(sizes_without(apart, dim))});
      if (split)
        call.why(Msg::join_index, {number, dim});
      else
        call.why(Msg::join_piece, {start, start + length, dim, number});
    }
    parts.push_back(elements_of(piece));
    start += length;
  }
  ContentsPtr contents = joined_along(parts, dim, layout, dtype);
  Layout result = layout;
  if (split) result = *as_layout(view(layout, apart));
  return call.fresh(dtype, result, std::move(contents), Relation::copy);
}

}  // namespace

Value joined_tensors(Call& call, const std::vector<Tensor>& tensors, int64_t dim) {
  std::vector<Piece> pieces;
  for (const Tensor& tensor : tensors) pieces.push_back(piece_of(tensor));
  return joined(call, pieces, dim);
}

namespace {

std::vector<Piece> pieces_of(Call& call) {
  std::vector<Piece> pieces;
  for (const TensorRef& tensor : call.tensors("tensors")) pieces.push_back(piece_of(*tensor->tensor));
  return pieces;
}

/// Each piece seen with at least `rank` dimensions, as atleast_1d, 2d and 3d do.
Layout at_least(Layout layout, int rank) {
  const int own = layout.rank();
  if (own == 0)
    for (int d = 0; d < rank; ++d) layout = unsqueeze(layout, 0);
  if (own == 1 && rank >= 2) layout = unsqueeze(layout, 0);
  if (own <= 2 && own > 0 && rank == 3) layout = unsqueeze(layout, 2);
  return layout;
}

Value stack_row(Call& call) {
  std::vector<Piece> pieces = pieces_of(call);
  if (call.failed()) return {};
  if (pieces.empty()) return call.fail("RuntimeError", "stack expects a non-empty TensorList", Msg::needs_tensors);
  const int64_t written = call.integer("dim");
  const int dim = call.wrap(written, pieces[0].layout.rank() + 1);
  if (call.failed()) return {};
  const Dims sizes = pieces[0].layout.sizes;
  for (size_t i = 1; i < pieces.size(); ++i)
    if (!(pieces[i].layout.sizes == sizes))
      return call.fail("RuntimeError",
                       {"stack expects each tensor to be equal size, but got ", list_text(sizes), " at entry 0 and ",
                        list_text(pieces[i].layout.sizes), " at entry ", i},
                       Msg::stack_sizes,
                       {to_string(sizes), to_string(pieces[i].layout.sizes), static_cast<int64_t>(i)});
  if (sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank});
  // Along all but the last place the tensors are first joined, then split: a dimension can always be split.
  if (dim < sizes.size()) return joined(call, pieces, dim, true);
  for (Piece& piece : pieces) piece.layout = unsqueeze(piece.layout, dim);
  return joined(call, pieces, dim);
}

Value hstack_row(Call& call) {
  std::vector<Piece> pieces = pieces_of(call);
  if (call.failed()) return {};
  const bool vertical = call.name().ends_with("vstack") || call.name().ends_with("row_stack"),
             deep = call.name().ends_with("dstack"), columns = call.name().ends_with("column_stack");
  if (pieces.empty())
    return call.fail("RuntimeError",
                     {deep       ? "dstack"
                      : columns  ? "column_stack"
                      : vertical ? "vstack"
                                 : "hstack",
                      " expects a non-empty TensorList"},
                     Msg::needs_tensors);
  for (Piece& piece : pieces) {
    // column_stack sees a 1-d tensor as a column, (n, 1).
    if (columns)
      piece.layout = piece.layout.rank() == 0   ? at_least(piece.layout, 2)
                     : piece.layout.rank() == 1 ? unsqueeze(piece.layout, 1)
                                                : piece.layout;
    else
      piece.layout = at_least(piece.layout, vertical ? 2 : deep ? 3 : 1);
  }
  return joined(call, pieces, vertical ? 0 : deep ? 2 : pieces[0].layout.rank() == 1 ? 0 : 1);
}

/// Every combination of one element of each, as rows.
Value cartesian_prod_row(Call& call) {
  const std::vector<TensorRef> tensors = call.tensors("tensors");
  if (call.failed()) return {};
  std::vector<Piece> pieces;
  Dims sizes;
  for (const TensorRef& tensor : tensors) {
    const Dims& own = tensor->tensor->layout.sizes;
    if (own.size() != 1)
      return call.fail("RuntimeError", {"Expect a 1D vector, but got shape ", list_text(own)}, Msg::cartesian_rank,
                       {own.size()});
    if (sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank});
    sizes.push_back(own[0]);
  }
  if (tensors.empty()) return call.fail("RuntimeError", "meshgrid expects a non-empty TensorList", Msg::needs_tensors);
  if (tensors.size() == 1) {
    call.why(Msg::same_nothing_to_do, {to_string(tensors[0]->tensor->layout)});
    return call.same(tensors[0]);
  }
  for (const TensorRef& tensor : tensors)
    if (tensor->tensor->dtype != tensors[0]->tensor->dtype)
      return call.fail("RuntimeError", "meshgrid expects all tensors to have the same dtype", Msg::dtypes_differ,
                       {name(tensors[0]->tensor->dtype), name(tensor->tensor->dtype)});
  const DType dtype = tensors[0]->tensor->dtype;
  const auto rows = numel(sizes);
  if (!rows) return call.refuse(Msg::beyond_int64);
  const Layout layout = fresh_layout(call, {*rows, sizes.size()}, dtype);
  if (call.failed()) return {};
  // Column k is tensor k along dimension k of the grid, stride 0 along the others.
  const int64_t bytes = itemsize(dtype);
  ContentsPtr contents = constant_contents(converted({DType::int64}, dtype), *rows * sizes.size());
  for (int k = 0; k < sizes.size() && *rows > 0; ++k) {
    Layout grid = contiguous(sizes, bytes * sizes.size());
    grid.storage_offset = k * bytes;
    Layout from{sizes, Dims::filled(sizes.size(), 0),
                tensors[static_cast<size_t>(k)]->tensor->layout.storage_offset * bytes};
    from.strides[k] = tensors[static_cast<size_t>(k)]->tensor->layout.strides[0] * bytes;
    contents = patch(contents, {contents, grid, dtype},
                     {tensors[static_cast<size_t>(k)]->tensor->storage->contents, from, dtype,
                      tensors[static_cast<size_t>(k)]->tensor->lens});
  }
  call.why(Msg::cartesian_headline, {*rows, sizes.size()});
  return call.fresh(dtype, layout, std::move(contents), Relation::copy);
}

}  // namespace

std::span<const Op> torch_join_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.cat(tensors: tensors, dim: int = 0)\ntorch.concat(tensors: tensors, dim: int = "
       "0)\ntorch.concatenate(tensors: tensors, dim: int = 0)",
       Msg::op_cat, "sizes'[dim] = sum of sizes[dim]; the other sizes must agree; always a copy",
       "x = torch.arange(6).view(2, 3)\ny = torch.cat([x, x])",
       [](Call& call) {
         const std::vector<Piece> pieces = pieces_of(call);
         return call.failed() ? Value{} : joined(call, pieces, call.integer("dim"));
       }},
      {Library::torch, "torch.stack(tensors: tensors, dim: int = 0)", Msg::op_stack,
       "a new dimension at dim, one place for each tensor; always a copy",
       "x = torch.arange(3)\ny = torch.stack([x, x])", stack_row},
      {Library::torch,
       "torch.hstack(tensors: tensors)\ntorch.vstack(tensors: tensors)\ntorch.row_stack(tensors: "
       "tensors)\ntorch.dstack(tensors: tensors)\ntorch.column_stack(tensors: tensors)",
       Msg::op_hstack, "cat along dimension 1, 0 or 2, after missing dimensions of size 1 are added; always a copy",
       "x = torch.arange(3)\ny = torch.hstack([x, x])", hstack_row},
      {Library::torch, "torch.cartesian_prod(*tensors: any = ())", Msg::op_cartesian_prod,
       "row r holds element i_k of tensor k, the last index fastest; a copy",
       "x = torch.cartesian_prod(torch.arange(3), torch.arange(2))", cartesian_prod_row},
  };
  return rows;
}

}  // namespace stridescope
