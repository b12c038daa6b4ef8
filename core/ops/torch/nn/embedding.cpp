// Rows of a table picked by index: torch.nn.functional.embedding.
#include <variant>

#include "layout/transform.h"
#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

Value embedding_row(Call& call) {
  const Tensor &index = *call.tensor("input")->tensor, &weight = *call.tensor("weight")->tensor;
  const Layout& table = weight.layout;
  if (call.given("max_norm"))
    return call.about("max_norm").refuse(Msg::not_modelled, {"PyTorch", "embedding(.., max_norm=..)"});
  if (const Value& given = call.value("padding_idx"); call.given("padding_idx")) {
    const TensorPtr several = tensor_of(given);  // compared, too, where it is of one element
    if (several && numel(several->layout.sizes) != 1) return call.truth("padding_idx"), Value{};
    if (several) return call.about("padding_idx").refuse(Msg::not_modelled, {"PyTorch", "padding_idx=tensor"});
    const auto place = as_real(given);  // compared by Python before PyTorch asks for an int
    if (!place)
      return call.about("padding_idx")
          .fail_parser({"'>' not supported between instances of '", type_name(given), "' and 'int'"},
                       Msg::argument_has_type, {"padding_idx", "int", type_name(given)});
    if (*place != 0 && table.rank() == 0) return call.wrap(0, 0, true, "weight"), Value{};
    if (const double rows = *place != 0 ? static_cast<double>(table.sizes[0]) : 1; *place >= rows || *place < -rows)
      return call.about("padding_idx")
          .fail("AssertionError", "Padding_idx must be within num_embeddings", Msg::index_out_of_range,
                {to_string(given), 0, table.sizes[0]});
    if (!as_integer(given) || std::holds_alternative<bool>(given.held)) return call.wrong_type("padding_idx", "int");
  }
  if (table.rank() != 2)
    return call.about("weight").fail("RuntimeError", "'weight' must be 2-D", Msg::needs_rank, {2, table.rank()});
  if (index.dtype != DType::int64 && index.dtype != DType::int32)
    return call.about("input").fail(
        "RuntimeError",
        {"Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got ",
         class_name(index.dtype), " instead (while checking arguments for embedding)"},
        Msg::index_places, {name(index.dtype)});
  const int64_t count = *numel(index.layout.sizes), rows = table.sizes[0];
  if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices});
  if (index.layout.sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank});
  Elements places = elements_of(index), from = elements_of(weight);
  if (!call.quick(places, count)) return {};
  for (int64_t i = 0; i < count; ++i)
    if (const int64_t place = element(places, i).integer; place < 0 || place >= rows)
      return call.about("input").fail("IndexError", "index out of range in self", Msg::index_out_of_range,
                                      {place, 0, rows});
  Dims sizes = index.layout.sizes;
  sizes.push_back(table.sizes[1]);
  const Layout packed = fresh_layout(call, sizes, weight.dtype);
  if (call.failed()) return {};
  const int64_t step = from.layout.strides[0];
  places.layout = expand(insert_dim(places.layout, sizes.size() - 1, 0), sizes);
  from.layout = {sizes, Dims::filled(sizes.size(), 0), from.layout.storage_offset};
  from.layout.strides[sizes.size() - 1] = table.strides[1] * itemsize(weight.dtype);
  call.why(Msg::embedding_headline, {count, to_string(table.sizes), to_string(sizes)});
  return call.fresh(weight.dtype, packed, gather_indexed(from, {{places, rows, step}}, weight.dtype), Relation::copy);
}

}  // namespace

std::span<const Op> torch_embedding_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.nn.functional.embedding(input: tensor, weight: tensor, padding_idx: any = None, max_norm: float = None, "
       "norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False)",
       Msg::op_embedding, "y[.., :] = weight[input[..], :]; a packed copy",
       "import torch.nn.functional as F\nx = torch.arange(6.).view(3, 2)\ny = F.embedding(torch.tensor([2, 0]), x)",
       embedding_row},
  };
  return rows;
}

}  // namespace stridescope
