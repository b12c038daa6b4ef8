// Elements chosen by truth: where, masked_fill, nonzero, triangles.
#include <algorithm>

#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"
#include "ops/triangle.h"

namespace stridescope {
namespace {

constexpr int64_t most_chosen = 1 << 16;

/// The places of what is not 0, a row each; or a vector of places for each dimension.
Value nonzero(Call& call, const Tensor& tensor, bool apart) {
  const int64_t count = *numel(tensor.layout.sizes);
  const int rank = tensor.layout.rank();
  if (count > most_chosen) return call.refuse(Msg::too_many_indices, {count, most_chosen});
  const Elements elements = elements_of(tensor);
  if (!call.quick(elements, count)) return {};
  std::vector<Scalar> places;
  int64_t hits = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (!is_true(element(elements, i))) continue;
    ++hits;
    for (const int64_t index : index_at(tensor.layout.sizes, i)) places.push_back({DType::int64, index});
    if (rank == 0 && apart) places.push_back({DType::int64, 0});
  }
  const int columns = apart ? std::max(rank, 1) : rank;
  call.why(Msg::nonzero_headline, {hits, columns});
  // Column by column in memory.
  const Elements rows{literal_contents(places, DType::int64), contiguous({hits, columns}, 8), DType::int64};
  const Value table = call.fresh(DType::int64, {{hits, columns}, {1, hits}, 0},
                                 gather({rows.contents, transpose(rows.layout, 0, 1), DType::int64}, DType::int64));
  if (!apart) return table;
  call.why(Msg::nonzero_columns);
  std::vector<Value> parts;
  for (int d = 0; d < columns; ++d)
    parts.push_back(call.view(*tensor_of(table), select(tensor_of(table)->layout, 1, d)));
  return call.tuple(std::move(parts));
}

Value nonzero_row(Call& call) { return nonzero(call, call.self(), call.given("as_tuple") && call.boolean("as_tuple")); }

bool is_condition(Call& call, const Tensor& tensor) {
  if (tensor.dtype == DType::boolean || tensor.dtype == DType::uint8) return true;
  return call.fail("RuntimeError",
                   {"where expected condition to be a boolean tensor, but got a tensor with dtype ",
                    scalar_type_name(tensor.dtype)},
                   Msg::bools_needed, {name(tensor.dtype)}),
         false;
}

/// Chosen element by element: condition, value if true, value if false.
Value where_row(Call& call) {
  const TensorRef condition = call.tensor("condition");
  if (!call.given("input")) return nonzero(call, *condition->tensor, true);
  const Value &yes = call.value("input"), &no = call.value("other");
  if (!is_condition(call, *condition->tensor)) return {};
  TypeVote vote{call};
  vote.add(yes);
  vote.add(no);
  if (!holds_number(call, yes, vote.result()) || !holds_number(call, no, vote.result())) return {};
  return computed(call, Arithmetic::where, {&call.value("condition"), &yes, &no}, vote.result(), vote.result());
}

std::optional<Elements> mask_of(Call& call, const Dims& sizes) {
  const TensorRef mask = call.tensor("mask");
  if (mask->tensor->dtype != DType::boolean) {
    call.fail("RuntimeError",
              {"masked_fill_ only supports boolean masks, but got mask with dtype ", cpp_name(mask->tensor->dtype)},
              Msg::bools_needed, {name(mask->tensor->dtype)});
    return std::nullopt;
  }
  Elements elements = elements_of(*mask->tensor);
  elements.layout = expand(elements.layout, sizes);
  return elements;
}

/// Looked at before the mask.
bool is_one_value(Call& call) {
  const TensorPtr tensor = tensor_of(call.value("value"));
  if (!tensor || tensor->layout.rank() == 0) return true;
  call.fail("RuntimeError",
            {"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ", tensor->layout.rank(),
             " dimension(s)."},
            Msg::fill_needs_scalar, {tensor->layout.rank()});
  return false;
}

/// The value as one element that the dtype can hold.
std::optional<Elements> fill_value(Call& call) {
  const Value& value = call.value("value");
  if (!holds_number(call, number_in(value), call.self().dtype)) return std::nullopt;
  return operand_of(call, value, "value");
}

/// A packed copy in which the masked elements are the value.
Value masked_fill_row(Call& call) {
  const Tensor tensor = call.self();
  const TensorRef mask = call.tensor("mask");
  const auto sizes = broadcast_sizes(call, mask->tensor->layout.sizes, tensor.layout.sizes);
  const auto chosen = sizes && is_one_value(call) ? mask_of(call, *sizes) : std::nullopt;
  const auto value = chosen ? fill_value(call) : std::nullopt;
  if (!value) return {};
  Elements from = elements_of(tensor);
  from.layout = expand(from.layout, *sizes);
  const Layout layout = contiguous(*sizes);
  const Elements operands[] = {*chosen, {value->contents, expand(value->layout, *sizes), value->dtype}, from};
  call.why(Msg::masked_copy, {to_string(*sizes)});
  return call.fresh(tensor.dtype, layout, elementwise(Arithmetic::where, operands, tensor.dtype, tensor.dtype),
                    Relation::copy);
}

Value masked_fill_in_place_row(Call& call) {
  const Tensor target = call.self();
  const TensorRef mask = call.tensor("mask");
  const Dims& sizes = target.layout.sizes;
  if (!fits_in_place(call, target, mask->tensor->layout.sizes)) return {};
  const auto chosen = is_one_value(call) ? mask_of(call, sizes) : std::nullopt;
  const auto value = chosen ? fill_value(call) : std::nullopt;
  if (!value) return {};
  const Elements operands[] = {
      *chosen, {value->contents, expand(value->layout, sizes), value->dtype}, elements_of(target)};
  ContentsPtr result = elementwise(Arithmetic::where, operands, target.dtype, target.dtype);
  call.why(Msg::write_headline, {*numel(sizes), bytes_of(target), to_string(target.layout)});
  if (target.is_view) call.why(Msg::write_seen_in_aliases);
  call.write(target, {std::move(result), contiguous(sizes, itemsize(target.dtype)), target.dtype});
  return Value{call.self_ref()};
}

/// Zeros written outside a triangle of the last two dimensions.
Value triangle_in_place_row(Call& call) {
  const Tensor target = call.self();
  const bool lower = call.name() == "tril_";
  const int rank = target.layout.rank();
  if (rank < 2)
    return call.fail("RuntimeError", {lower ? "tril" : "triu", ": input tensor must have at least 2 dimensions"},
                     Msg::needs_rank, {2, rank});
  const int64_t shift = call.integer("diagonal"), count = *numel(target.layout.sizes);
  call.why(Msg::write_headline, {count, bytes_of(target), to_string(target.layout)});
  if (!shares_cells(target)) {
    call.write(target, {triangle_of(elements_of(target), shift, lower),
                        contiguous(target.layout.sizes, itemsize(target.dtype)), target.dtype});
    return Value{call.self_ref()};
  }
  // Of elements that are one cell a zero stays, whatever is written to the others.
  if (count > most_chosen) return call.refuse(Msg::too_many_indices, {count, most_chosen});
  const auto bytes = in_bytes(target);
  std::vector<std::pair<int64_t, Scalar>> zeros;
  for (int64_t i = 0; i < count; ++i) {
    const Dims index = index_at(target.layout.sizes, i);
    const int64_t over = index[rank - 1] - index[rank - 2];
    if (lower ? over > shift : over < shift) zeros.emplace_back(offset(*bytes, index), Scalar{DType::int64});
  }
  call.write(target, zeros);
  return Value{call.self_ref()};
}

}  // namespace

std::span<const Op> torch_mask_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.where(condition: tensor, input: tensor | number, other: tensor | number)\n"
       "torch.where(condition: tensor)",
       Msg::op_where, "y[i] = input[i] if condition[i] else other[i]; of a condition alone its places",
       "x = torch.arange(6)\ny = torch.where(x > 2, x, 0)", where_row},
      {Library::torch, "x.where(condition: tensor, other: tensor | number)", Msg::op_where,
       "y[i] = x[i] if condition[i] else other[i]", "x = torch.arange(6)\ny = x.where(x > 2, 0)",
       [](Call& call) -> Value {
         const TensorRef condition = call.tensor("condition");
         if (!is_condition(call, *condition->tensor)) return {};
         TypeVote vote{call};
         vote.add(call.value("x"));
         vote.add(call.value("other"));
         if (!holds_number(call, call.value("other"), vote.result())) return {};
         return computed(call, Arithmetic::where, {&call.value("condition"), &call.value("x"), &call.value("other")},
                         vote.result(), vote.result());
       }},
      {Library::torch,
       "x.masked_fill(mask: tensor, value: tensor | number)\ntorch.masked_fill(input: tensor, mask: tensor, "
       "value: tensor | number)",
       Msg::op_masked_fill, "y[i] = value where mask[i], else x[i]; a packed copy",
       "x = torch.arange(6)\ny = x.masked_fill(x > 2, 0)", masked_fill_row},
      {Library::torch, "x.masked_fill_(mask: tensor, value: tensor | number)", Msg::op_masked_fill_in_place,
       "x[i] = value where mask[i]", "x = torch.arange(6)\nx.masked_fill_(x > 2, 0)", masked_fill_in_place_row},
      {Library::torch,
       "x.nonzero(*, as_tuple: bool = False)\ntorch.nonzero(input: tensor, *, as_tuple: bool = "
       "False)\nx.argwhere()\ntorch.argwhere(input: tensor)",
       Msg::op_nonzero, "the index of every element that is not 0, a row each", "x = torch.arange(3)\ny = x.nonzero()",
       nonzero_row},
      {Library::torch, "x.tril_(diagonal: int = 0)\nx.triu_(diagonal: int = 0)", Msg::op_triangle_in_place,
       "zeros above, or below, a diagonal", "x = torch.ones(3, 3)\nx.tril_()", triangle_in_place_row},
  };
  return rows;
}

}  // namespace stridescope
