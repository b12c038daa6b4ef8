// index_add, index_reduce, index_copy, index_fill: whole slices put where a vector of indices points.
#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/scatter.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// A vector of indices, or one, along dimension `d` of elements of those sizes.
Elements spread_index(const Tensor& index, const Dims& sizes, int d) {
  Elements elements = elements_of(index);
  Layout places{sizes, Dims::filled(sizes.size(), 0), elements.layout.storage_offset};
  if (!sizes.empty() && index.layout.rank() > 0) places.strides[d] = elements.layout.strides[0];
  elements.layout = places;
  return elements;
}

Value index_add_row(Call& call) {
  const Tensor tensor = call.self();
  const bool reduces = call.given("reduce");
  const std::string own_name = reduces ? "index_reduce_(): " : "index_add_(): ";
  Scattered what;
  if (reduces && !(reduces_by(what, call.text("reduce")) && call.text("reduce") != "sum"))
    return call.about("reduce").fail(
        "RuntimeError",
        {"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got ", call.text("reduce"), "."},
        Msg::reduce_word, {call.text("reduce")});
  const int d = call.dim("dim");
  const TensorRef given = call.tensor("index"), source_ref = call.tensor("source");
  if (call.failed()) return {};
  const Tensor &index = *given->tensor, &source = *source_ref->tensor;
  const Dims &own = tensor.layout.sizes, &others = source.layout.sizes;
  const int64_t count = *numel(index.layout.sizes);
  if (index.layout.rank() > 1)
    return call.about("index").fail(
        "IndexError",
        {own_name, "Index is supposed to be a vector, but got dim: ", index.layout.rank(),
         " with type: ", scalar_type_name(index.dtype), " and size: ", list_text(index.layout.sizes)},
        Msg::index_vector, {index.layout.rank()});
  if (index.dtype != DType::int64 && index.dtype != DType::int32)
    return call.about("index").fail(
        "RuntimeError", {own_name, "Expected dtype int32/int64 for index but got: ", scalar_type_name(index.dtype)},
        Msg::index_places, {name(index.dtype)});
  if (tensor.dtype != source.dtype)
    return call.about("source").fail("RuntimeError",
                                     {own_name, "self (", scalar_type_name(tensor.dtype), ") and source (",
                                      scalar_type_name(source.dtype), ") must have the same scalar type"},
                                     Msg::dtypes_differ, {name(tensor.dtype), name(source.dtype)});
  if (d != 0 && d >= others.size())
    return call.about("source").fail(
        "RuntimeError",
        {own_name, "Indexing dim ", d, " is out of bounds of the source tensor with dim ", others.size()},
        Msg::gather_rank, {others.size(), own.size()});
  if (count != size_of(others, d) && others.empty())  // which the message itself asks for
    return call.about("source").fail("IndexError", "Dimension specified as 0 but tensor has no dimensions",
                                     Msg::needs_rank, {1, 0});
  if (count != size_of(others, d))
    return call.about("source").fail(
        "RuntimeError",
        {own_name, "Number of indices (", count, ") should be equal to source.size(dim): (", size_of(others, d),
         "), for dim: ", d},
        Msg::index_add_count, {count, d, size_of(others, d)});
  Dims rest = own, other_rest = others;
  if (!own.empty() && !others.empty()) rest.erase(d), other_rest.erase(d);
  if (!(rest == other_rest))
    return call.about("source").fail(
        "RuntimeError",
        {"source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ",
         list_text(own), " source.shape = ", list_text(others)},
        Msg::scatter_sizes, {to_string(others), to_string(own)});
  if (reduces) {
    if (!is_apart(call, "source")) return {};
    if (is_complex(tensor.dtype)) return call.refuse(Msg::not_modelled, {"PyTorch", "index_reduce(complex)"});
    what.values = elements_of(source);
    what.index = spread_index(index, others, d);
    what.dim = d;
    what.outside = "index out of range in self";
    what.apart = !call.boolean("include_self");
    return scatter_into(call, what);
  }
  const Value alpha = number_in(call.value("alpha"));
  if (!is_apart(call, "source") || !holds_number(call, alpha, tensor.dtype)) return {};
  const Scalar factor = element(*operand_of(call, alpha, "alpha"), 0);
  // Of the outer dimensions, and without a factor, PyTorch makes a scatter of it.
  const bool scatters = own.size() > 1 && (d == 0 || d == own.size() - 1) && as_real(alpha) == 1.0 &&
                        !std::holds_alternative<bool>(alpha.held);
  return scatter_into(call, {elements_of(source), spread_index(index, others, d), d, Arithmetic::add, factor,
                             scatters ? nullptr : "index out of range in self"});
}

/// "2 4"
std::string slice_text(Dims sizes, int d) {
  if (!sizes.empty()) sizes.erase(d);
  std::string text;
  for (const int64_t size : sizes) text += (text.empty() ? "" : " ") + std::to_string(size);
  return text;
}

Value index_copy_row(Call& call) {
  const Tensor tensor = call.self();
  const int d = call.dim("dim");
  const TensorRef given = call.tensor("index"), source_ref = call.tensor("source");
  if (call.failed()) return {};
  const Tensor &index = *given->tensor, &source = *source_ref->tensor;
  const Dims &own = tensor.layout.sizes, &others = source.layout.sizes;
  const int64_t count = *numel(index.layout.sizes);
  if (!is_apart(call, "source")) return {};
  if (index.layout.rank() > 1)
    return call.about("index").fail(
        "IndexError", {"index_copy_(): Index should have dimension 1 or 0 (got ", index.layout.rank(), ")"},
        Msg::index_vector, {index.layout.rank()});
  if (others.empty() && count != 1)
    return call.about("source").fail(
        "IndexError", {"index_copy_(): When source is scalar, index should have one element (got ", count, ")"},
        Msg::index_add_count, {count, d, 1});
  if (!others.empty() && !own.empty() && others.size() != own.size())
    return call.about("source").fail("IndexError",
                                     {"index_copy_(): When source and destination are not scalars, their "
                                      "dimensionality must match. Source dimensionality (",
                                      others.size(), "), destination dimensionality (", own.size(), ")"},
                                     Msg::gather_rank, {others.size(), own.size()});
  if (index.dtype != DType::int64)
    return call.about("index").fail(
        "RuntimeError", {"index_copy_(): Expected a long tensor for index, but got ", scalar_type_name(index.dtype)},
        Msg::index_places, {name(index.dtype)});
  if (tensor.dtype != source.dtype)
    return call.about("source").fail("RuntimeError",
                                     {"index_copy_(): self and source expected to have the same dtype, but got (self) ",
                                      scalar_type_name(tensor.dtype), " and (source) ", scalar_type_name(source.dtype)},
                                     Msg::dtypes_differ, {name(tensor.dtype), name(source.dtype)});
  if (const std::string slice = slice_text(own, d), other = slice_text(others, others.empty() ? 0 : d); slice != other)
    return call.about("source").fail(
        "RuntimeError",
        {"index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: ", slice,
         " at dimension ", d, " and source slice shape: ", other, " at dimension 0."},
        Msg::scatter_sizes, {to_string(others), to_string(own)});
  if (!others.empty() && count != others[d])
    return call.about("source").fail(
        "IndexError",
        {"index_copy_(): Number of indices (", count, ") should be equal to source.size(dim) (", others[d], ")"},
        Msg::index_add_count, {count, d, others[d]});
  const Dims taken = others.empty() ? Dims{1} : others;
  Elements values = elements_of(source);
  if (others.empty()) values.layout = insert_dim(values.layout, 0, 0);
  return scatter_into(call, {values, spread_index(index, taken, d), d, {}, {}, nullptr, "index_copy_(): "});
}

Value index_fill_row(Call& call) {
  const Tensor tensor = call.self();
  const Tensor& index = *call.tensor("index")->tensor;
  const Value& asked = call.value("value");
  if (const TensorPtr value = tensor_of(asked); value && value->layout.rank() > 0)
    return call.about("value").fail("RuntimeError",
                                    {"index_fill_ only supports a 0-dimensional value tensor, but got tensor with ",
                                     value->layout.rank(), " dimension(s)."},
                                    Msg::fill_needs_scalar, {value->layout.rank()});
  const Value number = number_in(asked);
  if (index.dtype != DType::int64)
    return call.about("index").fail("IndexError", "index_fill_(): Expected dtype int64 for index.", Msg::index_places,
                                    {name(index.dtype)});
  const bool in_place = call.name().ends_with('_');
  if (in_place && !check_apart(call, tensor, index)) return {};
  if (std::holds_alternative<ComplexFloat>(number.held) && !is_complex(tensor.dtype))
    return call.about("value").fail("RuntimeError",
                                    "index_fill_(): Converting complex Scalar to non-complex type is not supported",
                                    Msg::write_dtype, {"complex", name(tensor.dtype)});
  const int d = call.dim("dim");
  if (call.failed()) return {};
  if (index.layout.rank() > 1)
    return call.about("index").fail("RuntimeError", "Index has to be a vector/scalar", Msg::index_vector,
                                    {index.layout.rank()});
  Dims taken = tensor.layout.sizes.empty() ? Dims{1} : tensor.layout.sizes;
  const int64_t count = *numel(index.layout.sizes);
  const bool outside = taken[d] == 0 && count > 0;
  taken[d] = count;
  // It is seen with the indices in place of the dimension.
  if (outside) {
    Layout seen{taken, in_place ? tensor.layout.strides : preserved_strides(tensor.layout),
                in_place ? tensor.layout.storage_offset : 0};
    seen.strides[d] = 0;
    if (!bytes_inside(call.about("index"), seen, itemsize(tensor.dtype), in_place ? tensor.storage->nbytes : 0))
      return {};
  }
  if (!holds_number(call, number, tensor.dtype)) return {};
  const auto value = operand_of(call, number, "value");
  if (!value) return {};
  return scatter_into(call, {{value->contents, expand(Layout{}, taken), value->dtype},
                             spread_index(index, taken, d),
                             d,
                             {},
                             {},
                             nullptr,
                             "",
                             true});
}

}  // namespace

std::span<const Op> torch_index_write_rows() {
#define ALL(name, rest) "x." name "(" rest ")\ntorch." name "(input: tensor, " rest ")\n"
  static constexpr Op rows[] = {
      {Library::torch,
       ALL("index_reduce",
           "dim: int, index: tensor, source: tensor, reduce: str, *, include_self: bool = True") "x.index_reduce_(dim: "
                                                                                                 "int, index: tensor, "
                                                                                                 "source: tensor, "
                                                                                                 "reduce: str, *, "
                                                                                                 "include_self: bool = "
                                                                                                 "True)",
       Msg::op_index_add, "y = x, then y[index[i], ..] = the product, mean, .. of that and source[i, ..] for dim 0",
       "x = torch.zeros(3, 2)\ny = x.index_reduce(0, torch.tensor([2, 2]), torch.ones(2, 2), 'amax')", index_add_row},
      {Library::torch,
       ALL("index_add",
           "dim: int, index: tensor, source: tensor, *, alpha: number = 1") "x.index_add_(dim: int, index: "
                                                                            "tensor, source: tensor, *, "
                                                                            "alpha: number = 1)",
       Msg::op_index_add, "y = x, then y[index[i], ..] += alpha * source[i, ..] for dim 0",
       "x = torch.zeros(3, 2)\ny = x.index_add(0, torch.tensor([2, 2]), torch.ones(2, 2))", index_add_row},
      {Library::torch,
       ALL("index_copy",
           "dim: int, index: tensor, source: tensor") "x.index_copy_(dim: int, index: tensor, source: tensor)",
       Msg::op_scatter, "y = x, then y[index[i], ..] = source[i, ..] for dim 0",
       "x = torch.zeros(3, 2)\ny = x.index_copy(0, torch.tensor([2]), torch.ones(1, 2))", index_copy_row},
      {Library::torch,
       ALL("index_fill", "dim: int, index: tensor, value: tensor | number") "x.index_fill_(dim: int, index: "
                                                                            "tensor, value: tensor | number"
                                                                            ")",
       Msg::op_scatter, "y = x, then y[index[i], ..] = value for dim 0",
       "x = torch.zeros(3, 2)\ny = x.index_fill(0, torch.tensor([2]), 7)", index_fill_row},
  };
#undef ALL
  return rows;
}

}  // namespace stridescope
