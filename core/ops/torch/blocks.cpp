// Products along named dimensions, and of blocks: tensordot, inner, kron, block_diag.
#include <algorithm>

#include "ops/fold.h"
#include "ops/members.h"
#include "ops/python/text.h"
#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/product.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

bool is_tensor(const Value& value) {
  const TensorPtr tensor = tensor_of(value);
  return tensor && tensor->library == Library::torch;
}

/// Whether one of the two is no tensor, which the call fails for then.
bool of_no_tensor(Call& call) {
  for (const char* part : {"a", "b"})
    if (!is_tensor(call.value(part))) return call.wrong_type(part, "Tensor"), true;
  return false;
}

/// The dimensions of both to sum along; nothing: the call failed.
std::optional<std::pair<Dims, Dims>> dims_of_both(Call& call) {
  const Value& dims = call.value("dims");
  std::pair<Dims, Dims> result;
  const TensorPtr table = tensor_of(dims);
  if (table && numel(table->layout.sizes).value_or(2) > 1 && table->layout.sizes[0] != 2)
    return call.about("dims").fail("AssertionError", "", Msg::argument_has_type,
                                   {"dims", "int | ints", type_name(dims)}),
           std::nullopt;
  const bool scalar = std::holds_alternative<NumpyScalar>(dims.held);  // which is no int of Python's
  if (const auto count = scalar ? std::nullopt : as_integer(dims)) {
    call.about("dims");
    if (*count < 0)
      return call.fail("RuntimeError", {"tensordot expects dims >= 0, but got dims=", *count}, Msg::at_least,
                       {"dims", 0}),
             std::nullopt;
    if (table && of_no_tensor(call)) return std::nullopt;
    for (const char* part : {"a", "b"})
      if (const Value& given = call.value(part); !is_tensor(given))
        return call.about(part).fail("AttributeError", {"'", attribute_type(given), "' object has no attribute 'dim'"},
                                     Msg::attribute_unknown, {attribute_type(given), "dim"}),
               std::nullopt;
    const int left = call.self().layout.rank(), right = call.tensor("b")->tensor->layout.rank();
    if (*count > std::min(left, right))
      return call.fail("RuntimeError", {"tensordot expects dims < ndim_a or ndim_b, but got dims=", *count},
                       Msg::needs_rank, {*count, std::min(left, right)}),
             std::nullopt;
    for (int64_t d = 0; d < *count; ++d) result.first.push_back(d - *count), result.second.push_back(d);
    return result;
  }
  const auto* pair = std::get_if<Sequence>(&dims.held);
  if (!pair && !table)
    return call.about("dims").fail("RuntimeError",
                                   {"tensordot expects dims to be int or Tuple[List[int], List[int]] or "
                                    "List[List[int]] containing two lists, but got dims=",
                                    python_str(dims).value_or(to_string(dims))},
                                   Msg::argument_has_type, {"dims", "int | ints", type_name(dims)}),
           std::nullopt;
  if (!pair && of_no_tensor(call)) return std::nullopt;
  if (!pair) return call.about("dims").refuse(Msg::not_modelled, {"PyTorch", "tensordot(dims=..)"}), std::nullopt;
  const size_t count = pair->items->size();
  if (count == 2 && of_no_tensor(call)) return std::nullopt;
  if (count != 2)
    return call.about("dims").fail("ValueError",
                                   {count < 2 ? "not enough" : "too many", " values to unpack (expected 2",
                                    count < 2 ? ", got " + std::to_string(count) : std::string(), ")"},
                                   Msg::unpack_count, {2, static_cast<int64_t>(count)}),
           std::nullopt;
  for (const bool first : {true, false}) {
    const Value& one = (*pair->items)[first ? 0 : 1];
    const auto* list = std::get_if<Sequence>(&one.held);
    if (!list || !passes(one, "ints"))
      return call.about(one).fail_parser({"tensordot(): argument 'dims_", first ? "self" : "other",
                                          "' must be tuple of ints, not ", type_name(one)},
                                         Msg::argument_has_type, {"dims", "ints", type_name(one)}),
             std::nullopt;
    if (list->items->size() > static_cast<size_t>(max_rank))
      return call.refuse(Msg::too_many_dims, {max_rank}), std::nullopt;
    for (const Value& item : *list->items) (first ? result.first : result.second).push_back(*as_integer(item));
  }
  return result;
}

/// The sum of products along the `own` dimensions of a and the `others` of b.
/// @pre as many of both; what is wrong with them is wrong with an argument "dims"
Value contracted(Call& call, Tensor a, Tensor b, Dims own, Dims others) {
  if (a.dtype != b.dtype)
    return call.fail("RuntimeError", "both inputs should have same dtype", Msg::dtypes_differ,
                     {name(a.dtype), name(b.dtype)});
  int64_t inner = 1;
  for (int k = 0; k < own.size(); ++k) {
    const int d = call.wrap(own[k], a.layout.rank(), true, "dims"),
              e = call.wrap(others[k], b.layout.rank(), true, "dims");
    if (call.failed()) return {};
    const int64_t size = a.layout.sizes[d], other = b.layout.sizes[e];
    if (size != other && size != 1 && other != 1)
      return call.about("dims").fail("RuntimeError",
                                     {"contracted dimensions need to match, but first has size ", size, " in dim ",
                                      own[k], " and second has size ", other, " in dim ", others[k]},
                                     Msg::product_sizes, {to_string(a.layout.sizes), to_string(b.layout.sizes)});
    own[k] = d, others[k] = e;
    // A size of 1 is repeated, so what it meets is summed first.
    Tensor& longer = other == 1 ? a : b;
    const int at = other == 1 ? d : e;
    if ((size == 1) != (other == 1)) {
      const auto sum = summed(call, longer, {at}, true);
      if (!sum) return {};
      const DType before = longer.dtype;
      longer = *sum;
      longer.storage = std::make_shared<Storage>(*longer.storage);  // in the dtype that it had
      longer.storage->contents = gather(elements_of(longer), before);
      longer.dtype = before;
    } else {
      inner *= size;
    }
  }
  const auto repeated = [&](const Dims& list) {
    for (int k = 1; k < list.size(); ++k)
      if (std::find(list.begin(), list.begin() + k, list[k]) != list.begin() + k)
        return call.about("dims").fail("RuntimeError", {"dim ", list[k], " appears multiple times in the list of dims"},
                                       Msg::dim_repeated, {list[k]}),
               true;
    return false;
  };
  if (repeated(own) || repeated(others)) return {};
  Dims first, second = others, sizes;
  int64_t rows = 1, columns = 1;
  for (int d = 0; d < a.layout.rank(); ++d)
    if (std::find(own.begin(), own.end(), d) == own.end())
      first.push_back(d), sizes.push_back(a.layout.sizes[d]), rows *= a.layout.sizes[d];
  for (const int64_t d : own) first.push_back(d);
  for (int d = 0; d < b.layout.rank(); ++d)
    if (std::find(others.begin(), others.end(), d) == others.end()) {
      if (sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank});
      second.push_back(d), sizes.push_back(b.layout.sizes[d]), columns *= b.layout.sizes[d];
    }
  if (!check_mm(call, a, b, {rows, inner}, {inner, columns})) return {};
  ContentsPtr sums = products(call, matrices(a, first, {rows, inner}), matrices(b, second, {inner, columns}), a.dtype);
  if (!sums) return {};
  const Layout whole = fresh_layout(call, sizes, a.dtype);
  call.why(Msg::product_headline, {rows, inner, columns, to_string(sizes)});
  call.why(Msg::hidden_base);
  const Value hidden = call.fresh(a.dtype, contiguous({rows, columns}), std::move(sums));
  if (call.failed()) return {};
  const Value result = call.view(*tensor_of(hidden), whole);
  call.relation(Relation::fresh);
  return result;
}

Value tensordot_row(Call& call) {
  const auto dims = dims_of_both(call);
  if (!dims) return {};
  const auto& [own, others] = *dims;
  if (own.size() != others.size())
    return call.about("dims").fail("RuntimeError", "both dimension lists should have same length",
                                   Msg::dims_count_differ, {own.size(), others.size()});
  return contracted(call, call.self(), *call.tensor("b")->tensor, own, others);
}

/// Along the last dimension of both; a tensor without dimensions is a factor.
Value inner_row(Call& call) {
  const Tensor a = call.self(), b = *call.tensor("other")->tensor;
  const int left = a.layout.rank() - 1, right = b.layout.rank() - 1;
  if (left < 0 || right < 0) return apply_function(call, pointwise("mul", 2), {&call.first(), &call.value("other")});
  if (a.layout.sizes[left] != b.layout.sizes[right])
    return call.fail("RuntimeError",
                     {"inner() the last dimension must match on both input tensors but got shapes ",
                      list_text(a.layout.sizes), " and ", list_text(b.layout.sizes)},
                     Msg::last_sizes_differ, {to_string(a.layout.sizes), to_string(b.layout.sizes)});
  return contracted(call, a, b, {left}, {right});
}

/// Every element of the first times the whole second: a product in which the dimensions of both alternate.
Value kron_row(Call& call) {
  const Tensor a = call.self(), b = *call.tensor("other")->tensor;
  const int rank = std::max(a.layout.rank(), b.layout.rank());
  if (2 * rank > max_rank) return call.refuse(Msg::too_many_dims, {max_rank});
  Dims left, right, sizes;
  for (int d = 0; d < rank; ++d) {
    const int own = d - (rank - a.layout.rank()), other = d - (rank - b.layout.rank());
    left.push_back(own < 0 ? 1 : a.layout.sizes[own]);
    left.push_back(1);
    right.push_back(1);
    right.push_back(other < 0 ? 1 : b.layout.sizes[other]);
    const auto size = checked_mul(left[2 * d], right[2 * d + 1]);
    if (!size) return call.refuse(Msg::beyond_int64);
    sizes.push_back(*size);
  }
  Tensor one = a, other = b;
  one.layout = *as_layout(view(a.layout, left));
  other.layout = *as_layout(view(b.layout, right));
  const Value product = multiplied_elements(call, one, other);
  if (call.failed()) return {};
  Tensor result = *tensor_of(product);
  if (!as_layout(view(result.layout, sizes))) return view_as_sizes(call, result, sizes);
  call.why(Msg::kron_headline, {to_string(left), to_string(right), to_string(sizes)});
  result.layout = *as_layout(view(result.layout, sizes));
  const Value seen = untracked(call, result);
  call.relation(Relation::fresh);
  return seen;
}

Value block_diag_row(Call& call) {
  const std::vector<Value>& given = *std::get<Sequence>(call.value("tensors").held).items;
  TypeVote vote{call};
  int64_t rows = 0, columns = 0;
  for (size_t i = 0; i < given.size(); ++i) {
    const TensorPtr tensor = tensor_of(given[i]);
    if (!tensor || tensor->library != Library::torch)
      return call.fail_parser({"expected Tensor as element ", i, " in argument 0, but got ", type_name(given[i])},
                              Msg::argument_has_type, {"tensors", "tensor", type_name(given[i])});
    vote.add(given[i]);
  }
  for (size_t i = 0; i < given.size(); ++i) {
    const Dims& sizes = tensor_of(given[i])->layout.sizes;
    if (sizes.size() > 2)
      return call.fail("RuntimeError",
                       {"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input ", i, " has ",
                        sizes.size(), " dimensions"},
                       Msg::diag_rank, {sizes.size()});
    rows += sizes.size() == 2 ? sizes[0] : 1;
    columns += sizes.empty() ? 1 : sizes.back();
  }
  if (given.empty()) rows = 1;
  const DType dtype = given.empty() ? call.default_dtype() : vote.result();
  const Layout packed = fresh_layout(call, {rows, columns}, dtype);
  if (call.failed()) return {};
  ContentsPtr contents = constant_contents(converted({DType::int64}, dtype), rows * columns);
  Layout whole = contiguous(packed.sizes, itemsize(dtype));
  int64_t row = 0, column = 0;
  for (const Value& value : given) {
    const Tensor& tensor = *tensor_of(value);
    Elements from = elements_of(tensor);
    while (from.layout.rank() < 2) from.layout = insert_dim(from.layout, 0, 0);
    const Dims& sizes = from.layout.sizes;
    if (numel(sizes) != 0)
      contents = patch(contents, {contents, part(part(whole, 0, row, sizes[0]), 1, column, sizes[1]), dtype}, from);
    row += sizes[0];
    column += sizes[1];
  }
  call.why(Msg::block_diag_headline, {static_cast<int64_t>(given.size()), to_string(packed.sizes)});
  return call.fresh(dtype, packed, std::move(contents), Relation::copy);
}

}  // namespace

std::span<const Op> torch_block_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "torch.tensordot(a: any, b: any, dims: any = 2)", Msg::op_tensordot,
       "summed along the last dims of a and the first of b, or along those in two lists",
       "x = torch.arange(6).view(2, 3)\ny = torch.tensordot(x, x, ([1], [1]))", tensordot_row},
      {Library::torch, "torch.inner(input: tensor, other: tensor)\nx.inner(other: tensor)", Msg::op_tensordot,
       "y[..., j] = sum of x[..., k] * other[j, k] over k", "x = torch.arange(6).view(2, 3)\ny = torch.inner(x, x)",
       inner_row},
      {Library::torch, "torch.kron(input: tensor, other: tensor)\nx.kron(other: tensor)", Msg::op_kron,
       "y[i * rows + k, j * columns + l] = x[i, j] * other[k, l]",
       "x = torch.arange(4).view(2, 2)\ny = torch.kron(x, torch.ones(1, 2))", kron_row},
      {Library::torch, "torch.block_diag(*tensors: any = ())", Msg::op_block_diag,
       "matrices one after the other along the diagonal, zeros elsewhere; a copy",
       "x = torch.arange(4).view(2, 2)\ny = torch.block_diag(x, x)", block_diag_row},
  };
  return rows;
}

}  // namespace stridescope
