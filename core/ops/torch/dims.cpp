// The same cells with dimensions in another order, dropped, added or repeated.
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// The new order in words and as a layout; in place where the name ends with '_'.
Value reordered(Call& call, const Dims& dims) {
  call.why(Msg::permute_headline, {to_string(dims)});
  for (int k = 0; k < dims.size(); ++k)
    if (const int d = static_cast<int>(dims[k]); d != k)
      call.why(Msg::permute_moves, {Slot{d, call.axis(d)}, call.self().layout.sizes[d], call.self().layout.strides[d], k});
  const Layout layout = permute(call.self().layout, dims);
  return call.name().ends_with('_') ? call.change(layout) : call.view(layout);
}

Dims exchanged(int rank, int a, int b) {
  Dims dims;
  for (int d = 0; d < rank; ++d) dims.push_back(d == a ? b : d == b ? a : d);
  return dims;
}

Dims reversed(int rank) {
  Dims dims;
  for (int d = rank - 1; d >= 0; --d) dims.push_back(d);
  return dims;
}

Value permute_row(Call& call) {
  const Dims given = call.ints("dims");
  const int rank = call.self().layout.rank();
  if (given.size() != rank)
    return call.fail("RuntimeError",
                     {"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
                      "desired ordering of dimensions i.e. input.dim() = ",
                      rank, " is not equal to len(dims) = ", given.size()},
                     Msg::permute_count, {rank, given.size()});
  Dims dims;
  for (int k = 0; k < rank; ++k) {
    // Each is looked at alone and compared with those before it, before the next is looked at.
    dims.push_back(call.wrap(given[k], rank, false, "dims", k));
    for (int j = 0; j < k && !call.failed(); ++j)
      if (dims[k] == dims[j])
        call.about("dims", k).fail("RuntimeError", "permute(): duplicate dims are not allowed.", Msg::permute_duplicate,
                                   {Slot{dims[k], call.axis(static_cast<int>(dims[k]))}, j, k});
    if (call.failed()) return {};
  }
  return reordered(call, dims);
}

Value transpose_row(Call& call) {
  const int a = call.dim("dim0"), b = call.failed() ? 0 : call.dim("dim1");
  return call.failed() ? Value{} : reordered(call, exchanged(call.self().layout.rank(), a, b));
}

Value t_row(Call& call) {
  const int rank = call.self().layout.rank();
  if (rank <= 2) return reordered(call, reversed(rank));
  const std::string name = call.name().ends_with('_') ? "t_" : "t";
  call.fail("RuntimeError", {name, "() expects a tensor with <= 2 dimensions, but self is ", rank, "D"}, Msg::t_rank,
            {rank});
  call.hint(Msg::hint_use_instead, {"permute"});
  return {};
}

/// The conjugate of a complex result: what the H forms add to a transpose.
Value conjugated(Call& call, const Value& value) {
  const TensorPtr tensor = tensor_of(value);
  if (!tensor || !is_complex(tensor->dtype)) return value;
  Tensor result = *tensor;
  result.lens.conjugate = !result.lens.conjugate;
  call.why(Msg::conj_headline);
  return call.view(result, result.layout);
}

/// mT, mH and adjoint(): the last two dimensions exchanged.
Value matrix_transpose(Call& call) {
  const int rank = call.self().layout.rank();
  const std::string name = call.name() == "mT" ? "tensor.mT" : call.name() == "mH" ? "tensor.mH" : "tensor.adjoint()";
  if (rank == 1)
    return call.fail("RuntimeError", {name, " is only supported on matrices or batches of matrices. Got 1-D tensor."},
                     Msg::matrix_rank, {1});
  const bool plain = call.name() == "mT" || !is_complex(call.self().dtype);
  if (rank == 0 && plain) {
    call.why(Msg::same_nothing_to_do, {to_string(call.self().layout)});
    return call.same();
  }
  const Value result = rank == 0 ? call.same() : reordered(call, exchanged(rank, rank - 2, rank - 1));
  return plain ? result : conjugated(call, result);
}

Value h_row(Call& call) {
  const int rank = call.self().layout.rank();
  if (rank == 2) return conjugated(call, reordered(call, reversed(2)));
  if (rank == 0 && is_complex(call.self().dtype)) return conjugated(call, call.same());
  if (rank == 0) {
    call.why(Msg::same_nothing_to_do, {to_string(call.self().layout)});
    return call.same();
  }
  return call.fail("RuntimeError",
                   {"tensor.H is only supported on matrices (2-D tensors). Got ", rank, "-D tensor.",
                    (rank > 2 ? " For batches of matrices, consider using tensor.mH" : "")},
                   Msg::matrix_rank, {rank});
}

/// Fails where two of `dims` are equal.
bool repeated_dim(Call& call, const Dims& dims, const Dims& written, const char* which) {
  for (int k = 0; k < dims.size(); ++k)
    for (int j = 0; j < k; ++j)
      if (dims[j] == dims[k])
        return call.about(which, k).fail("RuntimeError",
                                         {"movedim: repeated dim in `", which, "` (", list_text(written), ")"},
                                         Msg::permute_duplicate, {dims[k], j, k}),
               true;
  return false;
}

Value movedim_row(Call& call) {
  const bool numbers = std::holds_alternative<Sequence>(call.value("source").held),
             others = std::holds_alternative<Sequence>(call.value("destination").held);
  if (numbers != others) return call.wrong_type("destination", numbers ? "tuple of ints" : "int");
  const Dims from = call.ints("source"), to = call.ints("destination");
  if (from.size() != to.size())
    return call.about("destination")
        .fail("RuntimeError",
              {"movedim: Invalid source or destination dims: source (", list_text(from),
               " dims) should contain the same number of dims as destination (", list_text(to), " dims)"},
              Msg::movedim_count, {from.size(), to.size()});
  const Dims source = call.dims("source"), destination = call.failed() ? Dims{} : call.dims("destination");
  if (call.failed() || repeated_dim(call, source, from, "source") || repeated_dim(call, destination, to, "destination"))
    return {};
  const int rank = call.self().layout.rank();
  return reordered(call, rank == 0 ? Dims{} : moved_dims(rank, source, destination));
}

Value squeeze_row(Call& call) {
  const Layout& layout = call.self().layout;
  const Dims wanted = call.given("dim") ? distinct_dims(call, "dim") : Dims{};
  if (call.failed()) return {};
  const auto named = [&](int d) {
    for (int64_t w : wanted)
      if (w == d) return true;
    return !call.given("dim");
  };
  Layout result = layout;
  for (int d = layout.rank() - 1; d >= 0; --d)
    if (layout.sizes[d] == 1 && named(d)) result = squeeze(result, d);
  if (result.rank() < layout.rank())
    call.why(Msg::squeeze_headline, {layout.rank() - result.rank(), to_string(result)});
  else
    call.why(Msg::squeeze_nothing, {to_string(result)});
  for (int d = 0; d < layout.rank(); ++d) {
    if (layout.sizes[d] == 1 && named(d))
      call.why(Msg::squeeze_drops, {Slot{d, call.axis(d)}, layout.strides[d]});
    else if (call.given("dim") && named(d))
      call.why(Msg::squeeze_keeps, {Slot{d, call.axis(d)}, layout.sizes[d]});
  }
  return call.name().ends_with('_') ? call.change(result) : call.view(result);
}

Value unsqueeze_row(Call& call) {
  const Layout& layout = call.self().layout;
  const int d = call.wrap(call.integer("dim"), layout.rank() + 1);
  if (call.failed()) return {};
  if (layout.sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank});
  const Layout result = unsqueeze(layout, d);
  if (d < layout.rank())
    call.why(Msg::unsqueeze_inside, {d, layout.sizes[d], layout.strides[d], result.strides[d]});
  else
    call.why(Msg::unsqueeze_end, {d});
  return call.name().ends_with('_') ? call.change(result) : call.view(result);
}

/// At least so many dimensions: the tensor itself where it has them.
Value at_least(Call& call, const TensorRef& source, int wanted) {
  const Tensor& tensor = *source->tensor;
  const int rank = tensor.layout.rank();
  if (rank >= wanted) {
    call.why(Msg::same_nothing_to_do, {to_string(tensor.layout)});
    return call.same(source);
  }
  Layout layout = tensor.layout;
  if (rank == 0) layout = *as_layout(view(layout, Dims::filled(wanted, 1)));
  if (rank == 1) layout = unsqueeze(layout, 0);
  if (rank >= 1 && wanted == 3) layout = unsqueeze(layout, 2);
  call.why(Msg::atleast_headline, {wanted, to_string(layout)});
  return call.view(tensor, layout);
}

/// One tensor, or each of several.
Value atleast_row(Call& call) {
  const int wanted = call.name()[call.name().size() - 2] - '0';
  const auto& items = *std::get<Sequence>(call.value("tensors").held).items;
  if (items.size() == 1 && call.one_by_one("tensors") && std::holds_alternative<TensorRef>(items[0].held))
    return at_least(call, std::get<TensorRef>(items[0].held), wanted);
  std::vector<Value> results;
  for (const TensorRef& tensor : call.tensors("tensors")) results.push_back(at_least(call, tensor, wanted));
  return call.tuple(std::move(results));
}

}  // namespace

std::span<const Op> torch_dims_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "x.permute(*dims: int)\ntorch.permute(input: tensor, dims: ints)", Msg::op_permute,
       "sizes'[k] = sizes[dims[k]];  strides'[k] = strides[dims[k]]",
       "x = torch.arange(24).view(2, 3, 4)\ny = x.permute(2, 0, 1)", permute_row},
      {Library::torch,
       "x.transpose(dim0: int, dim1: int)\ntorch.transpose(input: tensor, dim0: int, dim1: int)\nx.swapaxes(axis0: "
       "int, axis1: int)\ntorch.swapaxes(input: tensor, axis0: int, axis1: int)\n"
       "x.swapdims(dim0: int, dim1: int)\ntorch.swapdims(input: tensor, dim0: int, dim1: int)",
       Msg::op_transpose, "exchanges entries dim0 and dim1 of sizes and of strides",
       "x = torch.arange(24).view(2, 3, 4)\ny = x.transpose(0, 2)", transpose_row},
      {Library::torch,
       "x.transpose_(dim0: int, dim1: int)\nx.swapaxes_(axis0: int, axis1: int)\nx.swapdims_(dim0: int, dim1: int)",
       Msg::op_transpose_in_place, "exchanges entries dim0 and dim1 of sizes and of strides",
       "x = torch.arange(6).view(2, 3)\nx.transpose_(0, 1)", transpose_row},
      {Library::torch, "x.t()\ntorch.t(input: tensor)", Msg::op_t,
       "sizes' = reversed(sizes);  strides' = reversed(strides);  at most 2 dimensions",
       "x = torch.arange(6).view(2, 3)\ny = x.t()", t_row},
      {Library::torch, "x.t_()", Msg::op_transpose_in_place, "sizes' = reversed(sizes);  strides' = reversed(strides)",
       "x = torch.arange(6).view(2, 3)\nx.t_()", t_row},
      {Library::torch, "x.T", Msg::op_upper_t, "sizes' = reversed(sizes);  strides' = reversed(strides)",
       "x = torch.arange(24).view(2, 3, 4)\ny = x.T",
       [](Call& call) { return reordered(call, reversed(call.self().layout.rank())); }},
      {Library::torch, "x.mT\nx.mH\nx.adjoint()\ntorch.adjoint(input: tensor)", Msg::op_matrix_transpose,
       "exchanges the last two dimensions", "x = torch.arange(24).view(2, 3, 4)\ny = x.mT", matrix_transpose},
      {Library::torch, "x.H", Msg::op_h, "exchanges the two dimensions", "x = torch.arange(6).view(2, 3)\ny = x.H",
       h_row},
      {Library::torch,
       "x.movedim(source: int | ints, destination: int | ints)\ntorch.movedim(input: tensor, source: int | ints, "
       "destination: int | ints)\n"
       "x.moveaxis(source: int | ints, destination: int | ints)\ntorch.moveaxis(input: tensor, source: int | ints, "
       "destination: int | ints)",
       Msg::op_movedim, "dimension source[k] goes to place destination[k], the others keep their order",
       "x = torch.arange(24).view(2, 3, 4)\ny = x.movedim(0, -1)", movedim_row},
      {Library::torch,
       "x.squeeze(dim: int | ints)\nx.squeeze(*dim: int)\nx.squeeze()\ntorch.squeeze(input: tensor, dim: int | "
       "ints)\ntorch.squeeze(input: tensor)",
       Msg::op_squeeze, "drops dimensions of size 1; their strides never mattered",
       "x = torch.arange(6).view(1, 2, 1, 3)\ny = x.squeeze()", squeeze_row},
      {Library::torch, "x.squeeze_(dim: int | ints)\nx.squeeze_(*dim: int)\nx.squeeze_()", Msg::op_squeeze,
       "drops dimensions of size 1", "x = torch.arange(6).view(1, 6)\nx.squeeze_()", squeeze_row},
      {Library::torch, "x.unsqueeze(dim: int)\ntorch.unsqueeze(input: tensor, dim: int)", Msg::op_unsqueeze,
       "a new size 1 at dim; its stride is sizes[dim] * strides[dim], or 1 at the end",
       "x = torch.arange(6).view(2, 3)\ny = x.unsqueeze(1)", unsqueeze_row},
      {Library::torch,
       "torch.atleast_1d(*tensors: tensor = ())\ntorch.atleast_2d(*tensors: tensor = ())\ntorch.atleast_3d(*tensors: "
       "tensor = ())",
       Msg::op_atleast, "sizes of 1 put in front, for 3 also behind", "x = torch.arange(3)\ny = torch.atleast_2d(x)",
       atleast_row},
      {Library::torch, "x.unsqueeze_(dim: int)", Msg::op_unsqueeze, "a new size 1 at dim",
       "x = torch.arange(6)\nx.unsqueeze_(0)", unsqueeze_row},
  };
  return rows;
}

}  // namespace stridescope
