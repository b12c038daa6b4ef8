// Arrays put together of blocks: block, and kron, whose blocks are one array times each element of another.
#include <algorithm>

#include "ops/numpy/strings.h"
#include "ops/numpy/ufunc.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// Beyond so many elements, each counted once a level, NumPy assembles blocks in another way.
constexpr int64_t most_joined = 2 * 512 * 512;

/// How deep lists are nested: where the first block is, -1 for a list without any, and how many axes the blocks have.
struct Nesting {
  std::vector<int64_t> place;
  int rank = 0;
  int64_t count = 0;
};

std::string list_at(const std::vector<int64_t>& place) {
  std::string text = "arrays";
  for (const int64_t index : place)
    if (index >= 0) text += "[" + std::to_string(index) + "]";
  return text;
}

const std::vector<Value>* blocks_in(const Value& value) {
  const auto* list = std::get_if<Sequence>(&value.held);
  return list && list->kind == Sequence::Kind::list ? list->items.get() : nullptr;
}

/// NumPy's own walk, which finds what does not fit in this order; nothing where the call failed.
std::optional<Nesting> nesting_of(Call& call, const Value& value, std::vector<int64_t> place) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (sequence && is_tuple(sequence->kind)) {
    call.about("arrays").fail("TypeError",
                              {list_at(place),
                               " is a tuple. Only lists can be used to arrange blocks, and np.block does not allow "
                               "implicit conversion from tuple to ndarray."},
                              Msg::np_block_lists, {list_at(place)});
    return std::nullopt;
  }
  const auto* items = blocks_in(value);
  if (!items) {
    const TensorRef block = array_or_strings(call, value);
    if (!block) return std::nullopt;
    return Nesting{std::move(place), block->tensor->layout.rank(), count_of(*block->tensor)};
  }
  place.push_back(-1);
  std::optional<Nesting> all = items->empty() ? std::optional(Nesting{place, 0, 0}) : std::nullopt;
  for (size_t i = 0; i < items->size(); ++i) {
    place.back() = static_cast<int64_t>(i);
    const auto one = nesting_of(call, (*items)[i], place);
    if (!one) return std::nullopt;
    if (!all) {
      all = one;
      continue;
    }
    all->count = checked_add(all->count, one->count).value_or(INT64_MAX);
    all->rank = std::max(all->rank, one->rank);
    if (one->place.size() != all->place.size()) {
      const size_t first = all->place.size(), other = one->place.size();
      call.about("arrays").fail("ValueError",
                                {"List depths are mismatched. First element was at depth ", first,
                                 ", but there is an element at depth ", other, " (", list_at(one->place), ")"},
                                Msg::np_block_depths, {first, other, list_at(one->place)});
      return std::nullopt;
    }
    if (!one->place.empty() && one->place.back() < 0) all->place = one->place;
  }
  return all;
}

/// The blocks of a list joined along an axis of their own depth, counted from the end.
Value joined_blocks(Call& call, const Value& value, int depth, int rank) {
  if (depth == 0) {
    const TensorRef block = array_or_strings(call, value);
    if (!block) return {};
    Tensor array = *block->tensor;
    array.layout = with_leading_axes(array.layout, rank, unit_of(array));
    return {nameless(array)};
  }
  std::vector<Tensor> arrays;
  for (const Value& item : *blocks_in(value)) {
    const Value part = joined_blocks(call, item, depth - 1, rank);
    if (call.failed()) return {};
    arrays.push_back(*tensor_of(part));
  }
  return concatenated(call, arrays, -depth);
}

Value block(Call& call) {
  const Value& arrays = call.value("arrays");
  const auto nesting = nesting_of(call, arrays, {});
  if (!nesting) return {};
  const std::vector<int64_t>& place = nesting->place;
  if (!place.empty() && place.back() < 0)
    return call.about("arrays").fail("ValueError", {"List at ", list_at(place), " cannot be empty"},
                                     Msg::np_block_empty, {list_at(place)});
  const int depth = static_cast<int>(place.size());
  if (depth > max_rank) return call.refuse(Msg::too_many_dims, {max_rank});
  if (depth == 0) {
    const TensorRef only = array_or_strings(call, arrays);
    return call.failed() ? Value{} : numpy_copy(call, *only->tensor, NumpyOrder::c);
  }
  if (nesting->count > most_joined / depth) return call.refuse(Msg::np_too_costly);
  const size_t said = call.said();
  const Value made = joined_blocks(call, arrays, depth, std::max(nesting->rank, depth));
  call.unsay(said);
  if (call.failed()) return {};
  const Tensor& array = *tensor_of(made);
  explain_copy(call, array);
  call.why(Msg::np_block_depth, {depth});
  return made;
}

/// a[i0, i1, ..] * b[j0, j1, ..] at [i0 * len0 + j0, ..]: a product of as many axes again, reshaped.
Value kron(Call& call) {
  const Value &left = call.value("a"), &right = call.value("b");
  if (refuse_no_numbers(call, binary_ufunc("multiply"), {&left, &right})) return {};
  const TensorRef second = as_array(call, right), first = as_array(call, left);
  if (call.failed()) return {};
  Tensor a = *first->tensor, b = *second->tensor;
  a.layout = with_leading_axes(a.layout, b.layout.rank(), unit_of(a));
  const Ufunc& product = binary_ufunc("multiply");
  if (a.layout.rank() == 0 || b.layout.rank() == 0)
    return apply_binary(call, product, {nameless(a), false, {}}, {nameless(b), false, {}});
  while (b.layout.rank() < a.layout.rank()) b.layout = insert_dim(b.layout, 0, 0);
  const int rank = a.layout.rank();
  if (2 * rank > max_rank) return call.refuse(Msg::too_many_dims, {max_rank});
  Dims sizes;
  for (int d = 0; d < rank; ++d) {
    const auto size = checked_mul(a.layout.sizes[d], b.layout.sizes[d]);
    if (!size) return call.refuse(Msg::beyond_int64);
    sizes.push_back(*size);
  }
  const std::string from = to_string(a.layout.sizes), and_from = to_string(b.layout.sizes);
  for (int d = 0; d < rank; ++d) {
    a.layout = insert_dim(a.layout, 2 * d + 1, 0);
    b.layout = insert_dim(b.layout, 2 * d, 0);
  }
  const size_t said = call.said();
  const Value made = apply_binary(call, product, {nameless(a), false, {}}, {nameless(b), false, {}});
  const Value result = call.failed() ? Value{} : numpy_reshape(call, *tensor_of(made), sizes, NumpyOrder::c);
  if (call.failed()) return {};
  call.unsay(said);
  call.why(Msg::kron_headline, {from, and_from, to_string(sizes)});
  call.relation(Relation::fresh);
  return result;
}

}  // namespace

std::span<const Op> numpy_block_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.block(arrays)", Msg::op_np_block,
       "the innermost lists joined along the last axis, those around them along the one before",
       "x = np.ones((2, 2))\ny = np.block([[x, np.zeros((2, 1))], [np.arange(3)]])", block, Op::Structured::arrays},
      {Library::numpy, "np.kron(a, b)", Msg::op_kron, "y[i * len(b) + j, ..] = a[i, ..] * b[j, ..]",
       "x = np.arange(4).reshape(2, 2)\ny = np.kron(x, np.ones((1, 2)))", kron},
  };
  return rows;
}

}  // namespace stridescope
