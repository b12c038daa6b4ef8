// Elements picked by positions, and diagonals as copies: index_select, gather, take, masked_select, diag.
#include <algorithm>
#include <cmath>

#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/torch.h"
#include "ops/triangle.h"

namespace stridescope {
namespace {

/// The index argument as elements, all inside -0 .. size-1; nothing: the call failed.
std::optional<Elements> checked_index(Call& call, const char* parameter, int64_t size, std::string_view text,
                                      bool negative) {
  const TensorRef index = call.tensor(parameter);
  const DType dtype = index->tensor->dtype;
  const bool wide = dtype == DType::int64, narrow = dtype == DType::int32 && text == "index_select";
  if (!wide && !narrow) {
    const std::string function(text);
    call.about(parameter).fail(
        "RuntimeError",
        text == "take" ? "take(): Expected a long tensor for index, but got " + std::string(scalar_type_name(dtype))
                       : function + "(): Expected dtype int32 or int64 for index",
        Msg::index_places, {name(dtype)});
    return std::nullopt;
  }
  const Elements elements = elements_of(*index->tensor);
  const int64_t count = *numel(elements.layout.sizes);
  if (count > max_indices) {
    call.refuse(Msg::too_many_indices, {count, max_indices});
    return std::nullopt;
  }
  if (!call.quick(elements, count)) return std::nullopt;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = element(elements, i).integer;
    if (place >= (negative ? -size : 0) && place < size) continue;
    if (text == "take")
      call.about(parameter).fail(
          "IndexError", {"out of range: tried to access index ", place, " on a tensor of ", size, " elements."},
          Msg::index_out_of_range, {place, 0, size});
    else if (text == "index_select" && call.self().layout.rank() > 1 &&
             (call.dim("dim") == 1 || numel(call.self().layout.sizes) == 0))
      call.about(parameter).fail("RuntimeError",
                                 {"INDICES element is out of DATA bounds, id=", place, " axis_dim=", size},
                                 Msg::index_out_of_range, {place, 1, size});
    else
      call.about(parameter).fail("IndexError", "index out of range in self", Msg::index_out_of_range,
                                 {place, call.integer("dim"), size});
    return std::nullopt;
  }
  return elements;
}

/// A packed copy of `from`, moved along one dimension by an index of the same sizes.
Value picked(Call& call, const Elements& from, IndexedDim dim, const Dims& sizes) {
  call.headline(Msg::index_copy);
  return call.fresh(from.dtype, contiguous(sizes), gather_indexed(from, {std::move(dim)}, from.dtype), Relation::copy);
}

Value index_select_row(Call& call) {
  const Tensor tensor = call.self();
  const int d = call.dim("dim");
  if (call.failed()) return {};
  const bool scalar = tensor.layout.rank() == 0;
  const TensorRef given = call.tensor("index");
  const Dims& index_sizes = given->tensor->layout.sizes;
  const int64_t count = *numel(index_sizes);
  if (index_sizes.size() > 1)
    return call.about("index").fail("IndexError", "index_select(): Index is supposed to be a vector", Msg::index_vector,
                                    {index_sizes.size()});
  if (scalar && count != 1)
    return call.about("index").fail("RuntimeError",
                                    {"index_select(): Index to scalar can have only 1 value, got ", count, " value(s)"},
                                    Msg::items_needed, {1, count});
  const DType dtype = given->tensor->dtype;
  if ((dtype == DType::int64 || dtype == DType::int32) && tensor.layout.rank() > 1 && count > 0 &&
      tensor.layout.sizes[d] == 0)
    return call.about("dim").fail("RuntimeError", "index_select(): self indexing axis dim should be positive",
                                  Msg::index_out_of_range, {0, Slot{d, call.axis(d)}, 0});
  const auto index = checked_index(call, "index", scalar ? 1 : tensor.layout.sizes[d], "index_select", false);
  if (!index) return {};
  Elements from = elements_of(tensor);
  if (scalar)
    return picked(call, from, {{index->contents, {{}, {}, index->layout.storage_offset}, index->dtype}, 1, 0}, {});
  const int64_t stride = from.layout.strides[d], size = from.layout.sizes[d];
  call.why(Msg::picked_along, {Slot{d, call.axis(d)}, size, tensor.layout.strides[d]});
  from.layout.sizes[d] = count;
  from.layout.strides[d] = 0;
  Layout places{from.layout.sizes, Dims::filled(from.layout.rank(), 0), index->layout.storage_offset};
  places.strides[d] = index->layout.rank() == 0 ? 0 : index->layout.strides[0];
  return picked(call, from, {{index->contents, places, index->dtype}, size, stride}, from.layout.sizes);
}

/// Along dimension d the element that each place of an index counts to; of its sizes.
/// @pre  the index, named by `parameter`, is no larger than the tensor but along d
Value gathered_along(Call& call, const Tensor& tensor, const Elements& index, int d, const char* parameter) {
  const Dims& sizes = index.layout.sizes;
  const int rank = tensor.layout.rank();
  const int64_t count = *numel(sizes);
  if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices});
  if (!call.quick(index, count)) return {};
  Elements from = elements_of(tensor);
  const int64_t stride = rank == 0 ? 0 : from.layout.strides[d], size = rank == 0 ? 1 : from.layout.sizes[d];
  const Dims steps = rank == sizes.size() ? tensor.layout.strides : Dims::filled(sizes.size(), 0);
  for (const int64_t i : lines_in_turn(sizes, d, {contiguous(sizes), {sizes, steps, 0}, index.layout})) {
    const int64_t place = element(index, i).integer;
    if (place < 0 || place >= size)
      return call.about(parameter).fail("RuntimeError",
                                        {"index ", place, " is out of bounds for dimension ", d, " with size ", size},
                                        Msg::index_out_of_range, {place, d, size});
  }
  if (rank > 0) call.why(Msg::picked_along, {Slot{d, call.axis(d)}, size, tensor.layout.strides[d]});
  if (sizes.size() == rank && rank > 0) {
    from.layout.sizes = sizes;
    from.layout.strides[d] = 0;
  } else {
    from.layout = {sizes, Dims::filled(sizes.size(), 0), from.layout.storage_offset};
  }
  return picked(call, from, {index, size, stride}, sizes);
}

Value gather_row(Call& call) {
  const Tensor tensor = call.self();
  const int d = call.dim("dim");
  const TensorRef index_tensor = call.tensor("index");
  if (call.failed()) return {};
  const Dims& sizes = index_tensor->tensor->layout.sizes;
  const int rank = tensor.layout.rank();
  if (*numel(sizes) == 0)  // nothing is looked at
    return call.fresh(tensor.dtype, contiguous(sizes), literal_contents({}, tensor.dtype), Relation::copy);
  if (index_tensor->tensor->dtype != DType::int64)
    return call.about("index").fail("RuntimeError", "gather(): Expected dtype int64 for index", Msg::index_places,
                                    {name(index_tensor->tensor->dtype)});
  // A scalar counts as a vector of one.
  if (std::max(sizes.size(), 1) != std::max(rank, 1))
    return call.about("index").fail("RuntimeError",
                                    "Index tensor must have the same number of dimensions as input tensor",
                                    Msg::gather_rank, {sizes.size(), rank});
  for (int k = 0; k < rank && k < sizes.size(); ++k)
    if (k != d && sizes[k] > tensor.layout.sizes[k])
      return call.about("index").fail(
          "RuntimeError",
          {"Size does not match at dimension ", k, " expected index ", list_text(sizes), " to be no larger than self ",
           list_text(tensor.layout.sizes), " apart from dimension ", d},
          Msg::gather_sizes, {k, sizes[k], tensor.layout.sizes[k]});
  return gathered_along(call, tensor, elements_of(*index_tensor->tensor), d, "index");
}

/// gather() by an index that is broadcast; without a dim of both as one line.
Value take_along_dim_row(Call& call) {
  Tensor tensor = call.self(), index = *call.tensor("indices")->tensor;
  if (!call.given("dim")) {
    for (Tensor* part : {&index, &tensor}) {
      const auto line = view(part->layout, {*numel(part->layout.sizes)});
      if (!as_layout(line))
        return fail_as_line(call, part == &index ? "indices" : "input", *part, Msg::take_along_line);
      part->layout = *as_layout(line);
    }
    if (index.dtype != DType::int64)
      return call.about("indices").fail("RuntimeError", "gather(): Expected dtype int64 for index", Msg::index_places,
                                        {name(index.dtype)});
    return gathered_along(call, tensor, elements_of(index), 0, "indices");
  }
  const int rank = tensor.layout.rank();
  if (index.layout.rank() != rank)
    return call.about("indices").fail(
        "RuntimeError",
        {"torch.take_along_dim(): input and indices should have the same number of "
         "dimensions, but got ",
         rank, " dimensions for input, and ", index.layout.rank(), " dimensions for indices"},
        Msg::gather_rank, {index.layout.rank(), rank});
  if (index.dtype != DType::int64)
    return call.about("indices").fail(
        "RuntimeError",
        {"torch.take_along_dim(): dtype of indices should be Long but got ", scalar_type_name(index.dtype)},
        Msg::index_places, {name(index.dtype)});
  const int d = call.dim("dim");
  if (!call.failed() && rank == 0) call.wrap(d, 0, true);
  if (call.failed()) return {};
  Dims own = tensor.layout.sizes, others = index.layout.sizes;
  std::swap(own[d], others[d]);
  const auto places = broadcast_sizes(call, own, index.layout.sizes);
  const auto elements = places ? broadcast_sizes(call, others, tensor.layout.sizes) : std::nullopt;
  if (!elements) return {};
  index.layout = expand(index.layout, *places);
  tensor.layout = expand(tensor.layout, *elements);
  return gathered_along(call, tensor, elements_of(index), d, "indices");
}

Value take_row(Call& call) {
  const Tensor tensor = call.self();
  const int64_t count = *numel(tensor.layout.sizes);
  const TensorRef given = call.tensor("index");
  if (count == 0 && given->tensor->dtype == DType::int64 && *numel(given->tensor->layout.sizes) > 0)
    return call.fail("IndexError", "take(): tried to take from an empty tensor", Msg::index_out_of_range, {0, 0, 0});
  const auto index = checked_index(call, "index", count, "take", true);
  if (!index) return {};
  const ContentsPtr flat = gather(elements_of(tensor), tensor.dtype);
  const Dims& sizes = index->layout.sizes;
  call.why(Msg::picked_flat, {count, to_string(tensor.layout.sizes)});
  return picked(call, {flat, {sizes, Dims::filled(sizes.size(), 0), 0}, tensor.dtype},
                {*index, count, itemsize(tensor.dtype)}, sizes);
}

Value masked_select_row(Call& call) {
  const Tensor tensor = call.self();
  const TensorRef mask = call.tensor("mask");
  if (mask->tensor->dtype != DType::boolean)
    return call.about("mask").fail("RuntimeError", "masked_select: expected BoolTensor for mask", Msg::bools_needed,
                                   {name(mask->tensor->dtype)});
  const auto sizes = broadcast_sizes(call, mask->tensor->layout.sizes, tensor.layout.sizes);
  if (!sizes) return {};
  const int64_t count = *numel(*sizes);
  if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices});
  Elements from = elements_of(tensor), chosen = elements_of(*mask->tensor);
  call.quick(from, count);
  if (!call.quick(chosen, count)) return {};
  from.layout = expand(from.layout, *sizes);
  chosen.layout = expand(chosen.layout, *sizes);
  std::vector<Scalar> values;
  for (int64_t i = 0; i < count; ++i)
    if (is_true(element(chosen, i))) values.push_back(element(from, i));
  const auto hits = static_cast<int64_t>(values.size());
  call.why(Msg::picked_by_mask, {hits, count});
  return call.fresh(tensor.dtype, contiguous({hits}), literal_contents(values, tensor.dtype), Relation::copy);
}

/// A new matrix (the last two of the result) of zeros with the elements on a diagonal.
Value embedded(Call& call, const Tensor& tensor, const Dims& sizes, int64_t shift, const Dims& order) {
  // `order` permutes the packed result; its last two dimensions are rows and columns.
  const Layout packed = fresh_layout(call, sizes, tensor.dtype);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes), bytes = itemsize(tensor.dtype);
  const ContentsPtr zeros = constant_contents(converted({DType::int64}, tensor.dtype), count);
  call.why(Msg::diag_embed_headline, {to_string(sizes), *numel(tensor.layout.sizes)});
  if (count == 0 || numel(tensor.layout.sizes) == 0) return call.fresh(tensor.dtype, packed, zeros, Relation::copy);
  Layout place = permute(packed, order);
  for (int64_t& stride : place.strides) stride *= bytes;
  place = diagonal(place, shift, place.rank() - 2, place.rank() - 1);
  return call.fresh(tensor.dtype, packed, patch(zeros, {zeros, place, tensor.dtype}, elements_of(tensor)),
                    Relation::copy);
}

Value diag_row(Call& call) {
  const Tensor tensor = call.self();
  const int64_t shift = call.integer("diagonal"), reach = shift < 0 ? -(shift + 1) + 1 : shift;
  const int rank = tensor.layout.rank();
  if (rank == 1) {
    const auto size = checked_add(tensor.layout.sizes[0], reach);
    if (!size) return call.refuse(Msg::beyond_int64);
    return embedded(call, tensor, {*size, *size}, shift, {0, 1});
  }
  if (rank != 2)
    return call.fail("RuntimeError", {"diag(): Supports 1D or 2D tensors. Got ", rank, "D"}, Msg::diag_rank, {rank});
  const int64_t most = std::max(tensor.layout.sizes[0], tensor.layout.sizes[1]) + 1;
  Tensor line = tensor;
  line.layout = diagonal(tensor.layout, std::clamp(shift, -most, most), 0, 1);
  const int64_t count = line.layout.sizes[0];
  call.why(Msg::diag_headline, {count, tensor.layout.strides[0], tensor.layout.strides[1], line.layout.strides[0]});
  return call.copy(line, contiguous({count}), tensor.dtype);
}

/// diag of all elements in a line.
Value diagflat_row(Call& call) {
  Tensor line = call.self();
  const int64_t count = *numel(line.layout.sizes), shift = call.integer("offset");
  const auto size = checked_add(count, shift < 0 ? -(shift + 1) + 1 : shift);
  if (!size) return call.refuse(Msg::beyond_int64);
  line.storage =
      std::make_shared<Storage>(Storage{-1, bytes_of(line), line.dtype, gather(elements_of(line), line.dtype)});
  line.layout = contiguous({count});
  line.lens = {};
  return embedded(call, line, {*size, *size}, shift, {0, 1});
}

Value diag_embed_row(Call& call) {
  const Tensor tensor = call.self();
  const int rank = tensor.layout.rank();
  const int64_t shift = call.integer("offset"), first = call.integer("dim1"), second = call.integer("dim2");
  const int row = call.wrap(first, rank + 1, false, "dim1"), column = call.wrap(second, rank + 1, false, "dim2");
  if (call.failed()) return {};
  if (row == column)
    return call.about("dim2").fail("RuntimeError", {"diagonal dimensions cannot be identical ", first, ", ", second},
                                   Msg::diagonal_same_dims, {first, second});
  if (tensor.layout.sizes.full()) return call.refuse(Msg::needs_rank, {1, rank});
  const auto size = checked_add(tensor.layout.sizes.back(), shift < 0 ? -(shift + 1) + 1 : shift);
  if (!size) return call.refuse(Msg::beyond_int64);
  // Sizes of the result: the given two are rows and columns, the others in order.
  Dims sizes = Dims::filled(rank + 1, *size), order;
  int next = 0;
  for (int d = 0; d <= rank; ++d)
    if (d != row && d != column) sizes[d] = tensor.layout.sizes[next++], order.push_back(d);
  order.push_back(row);
  order.push_back(column);
  return embedded(call, tensor, sizes, shift, order);
}

/// The lower or upper triangle: a copy with zeros elsewhere.
Value triangle_row(Call& call) {
  const Tensor tensor = call.self();
  const int rank = tensor.layout.rank();
  const bool lower = call.name().ends_with("tril");
  const std::string function = lower ? "tril" : "triu";
  if (rank < 2)
    return call.fail("RuntimeError", {function, ": input tensor must have at least 2 dimensions"}, Msg::needs_rank,
                     {2, rank});
  const int64_t shift = call.integer("diagonal");
  call.why(Msg::triangle_headline, {lower ? "≤" : "≥", shift});
  return call.fresh(tensor.dtype, contiguous(tensor.layout.sizes), triangle_of(elements_of(tensor), shift, lower),
                    Relation::copy);
}

/// All r-element combinations of a vector, as rows.
Value combinations_row(Call& call) {
  const Tensor tensor = call.self();
  const int64_t r = call.integer("r");
  const bool repeats = call.boolean("with_replacement");
  if (tensor.layout.rank() != 1)
    return call.fail("RuntimeError", {"Expect a 1D vector, but got shape ", list_text(tensor.layout.sizes)},
                     Msg::cartesian_rank, {tensor.layout.rank()});
  if (r < 0)
    return call.about("r").fail("RuntimeError", {"Expect a non-negative number, but got ", r}, Msg::at_least, {"r", 0});
  const int64_t size = tensor.layout.sizes[0];
  const Elements from = elements_of(tensor);
  // They are picked from all r-tuples.
  if (size > 1 && std::pow(static_cast<double>(size), static_cast<double>(r)) >= 0x1p63)
    return call.about("r").fail("RuntimeError", "numel: integer multiplication overflow", Msg::beyond_int64);
  if (r == 0)
    return call.fresh(tensor.dtype, contiguous({0}), constant_contents(converted({DType::int64}, tensor.dtype), 0),
                      Relation::copy);
  std::vector<Scalar> values;
  std::vector<int64_t> chosen;
  int64_t rows = 0;
  // Places in ascending order, counted like an odometer.
  for (int64_t i = 0; i < r && r <= max_indices; ++i) chosen.push_back(repeats ? 0 : i);
  const auto last = [&](int64_t k) { return repeats ? size - 1 : size - r + k; };
  bool more = r <= max_indices && size > 0 && (repeats || r <= size);
  while (more) {
    for (int64_t place : chosen) values.push_back(element(from, place));
    if (static_cast<int64_t>(values.size()) > max_indices)
      return call.refuse(Msg::too_many_indices, {static_cast<int64_t>(values.size()), max_indices});
    ++rows;
    int64_t k = r - 1;
    while (k >= 0 && chosen[static_cast<size_t>(k)] == last(k)) --k;
    more = k >= 0;
    for (int64_t next = more ? chosen[static_cast<size_t>(k)] + 1 : 0; more && k < r; ++k, next += repeats ? 0 : 1)
      chosen[static_cast<size_t>(k)] = next;
  }
  call.why(Msg::cartesian_headline, {rows, r});
  return call.fresh(tensor.dtype, contiguous({rows, r}), literal_contents(values, tensor.dtype), Relation::copy);
}

}  // namespace

std::span<const Op> torch_gather_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "x.index_select(dim: int, index: tensor)\ntorch.index_select(input: tensor, dim: int, index: tensor)",
       Msg::op_index_select, "y[.., i, ..] = x[.., index[i], ..], a copy",
       "x = torch.arange(12).view(3, 4)\ny = x.index_select(0, torch.tensor([2, 0]))", index_select_row},
      {Library::torch, "x.gather(dim: int, index: tensor)\ntorch.gather(input: tensor, dim: int, index: tensor)",
       Msg::op_gather, "y[i, j] = x[i, index[i, j]] for dim 1, a copy",
       "x = torch.arange(4).view(2, 2)\ny = x.gather(1, torch.tensor([[0, 0], [1, 0]]))", gather_row},
      {Library::torch,
       "x.take_along_dim(indices: tensor, dim: int = None)\n"
       "torch.take_along_dim(input: tensor, indices: tensor, dim: int = None)",
       Msg::op_gather, "gather() by an index that is broadcast but along dim; without dim of x.view(-1), a copy",
       "x = torch.tensor([[3, 1, 2]])\ny = x.take_along_dim(x.argsort(1), 1)", take_along_dim_row},
      {Library::torch, "x.take(index: tensor)\ntorch.take(input: tensor, index: tensor)", Msg::op_take,
       "y[i] = x.flatten()[index[i]], a copy", "x = torch.arange(6).view(2, 3)\ny = x.take(torch.tensor([0, 5]))",
       take_row},
      {Library::torch, "x.masked_select(mask: tensor)\ntorch.masked_select(input: tensor, mask: tensor)",
       Msg::op_masked_select, "the elements where mask is True, one after the other, a copy",
       "x = torch.arange(6)\ny = x.masked_select(x > 2)", masked_select_row},
      {Library::torch, "x.diag(diagonal: int = 0)\ntorch.diag(input: tensor, diagonal: int = 0)", Msg::op_diag,
       "of a matrix its diagonal, of a vector a matrix with it, a copy", "x = torch.arange(3)\ny = x.diag()", diag_row},
      {Library::torch, "x.diagflat(offset: int = 0)\ntorch.diagflat(input: tensor, offset: int = 0)",
       Msg::op_diag_embed, "a matrix with all elements on a diagonal, a copy",
       "x = torch.arange(4).view(2, 2)\ny = x.diagflat()", diagflat_row},
      {Library::torch,
       "x.diag_embed(offset: int = 0, dim1: int = -2, dim2: int = -1)\ntorch.diag_embed(input: tensor, offset: int = "
       "0, dim1: int = -2, dim2: int = -1)",
       Msg::op_diag_embed, "the last dimension on the diagonal of new matrices, a copy",
       "x = torch.arange(4).view(2, 2)\ny = x.diag_embed()", diag_embed_row},
      {Library::torch,
       "x.tril(diagonal: int = 0)\ntorch.tril(input: tensor, diagonal: int = 0)\nx.triu(diagonal: int = "
       "0)\ntorch.triu(input: tensor, diagonal: int = 0)",
       Msg::op_triangle, "zeros above, or below, a diagonal, a copy", "x = torch.ones(3, 3)\ny = x.tril()",
       triangle_row},
      {Library::torch, "torch.combinations(input: tensor, r: int = 2, with_replacement: bool = False)",
       Msg::op_combinations, "rows of r elements in ascending places, a copy",
       "y = torch.combinations(torch.arange(4))", combinations_row},
  };
  return rows;
}

}  // namespace stridescope
