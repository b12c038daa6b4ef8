// What walks over an array or over indices: ndindex, ndenumerate, nditer (nditer.h). All items at once, so only for
// few.
#include <algorithm>

#include "ops/numpy/nditer.h"
#include "ops/numpy/numpy.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// How many items there are to walk over; nothing, and the call failed, where that is too many.
std::optional<int64_t> walked_count(Call& call, const Dims& sizes) {
  const auto count = numel(sizes);
  if (count && *count <= static_cast<int64_t>(max_items)) return count;
  call.refuse(Msg::too_many_items, {static_cast<int64_t>(max_items)});
  return std::nullopt;
}

Value ndindex(Call& call) {
  const Value& given = call.value("shape");
  const auto* several = std::get_if<Sequence>(&given.held);
  // One tuple stands for all sizes.
  const auto* only = several && several->items->size() == 1 ? &several->items->front() : nullptr;
  const auto* tuple = only ? std::get_if<Sequence>(&only->held) : nullptr;
  // An array of the strides is made first: sizes beside sequences make none.
  if (several &&
      std::any_of(several->items->begin(), several->items->end(),
                  [](const Value& item) { return std::holds_alternative<Sequence>(item.held); }) &&
      !(tuple && is_tuple(tuple->kind)))
    as_array(call, given);
  const Dims sizes = call.failed() ? Dims{} : numpy_shape(call, tuple && is_tuple(tuple->kind) ? *only : given);
  if (call.failed()) return {};
  if (std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; }))
    return call.about("shape").fail("ValueError", "negative dimensions are not allowed", Msg::np_negative_size,
                                    {to_string(sizes)});
  const auto count = walked_count(call, sizes);
  if (!count) return {};
  std::vector<Value> items;
  for (int64_t i = 0; i < *count; ++i) items.push_back(tuple_of(index_at(sizes, i)));
  call.why(Msg::np_ndindex, {*count});
  call.relation(Relation::none);
  return list_of(std::move(items), Sequence::Kind::ndindex);
}

Value ndenumerate(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Elements elements = elements_of(*source->tensor);
  const Dims& sizes = elements.layout.sizes;
  const auto count = walked_count(call, sizes);
  if (!count || !call.quick(elements, *count)) return {};
  std::vector<Value> items;
  for (int64_t i = 0; i < *count; ++i)
    items.push_back(list_of({tuple_of(index_at(sizes, i)), {scalar_at(elements, i)}}, Sequence::Kind::tuple));
  call.why(Msg::np_ndenumerate, {*count, to_string(sizes)});
  call.relation(Relation::none);
  return list_of(std::move(items), Sequence::Kind::ndenumerate);
}

}  // namespace

std::span<const Op> numpy_iterate_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.ndindex(*shape: any = ())", Msg::op_np_ndindex, "the last index runs fastest, as in C order",
       "x = np.arange(6).reshape(2, 3)\nlist(np.ndindex(x.shape))", ndindex},
      {Library::numpy, "np.ndenumerate(arr)", Msg::op_np_ndenumerate, "in C order, whatever the strides",
       "x = np.arange(6).reshape(2, 3).T\nlist(np.ndenumerate(x))", ndenumerate},
      {Library::numpy,
       "np.nditer(op, flags=None, op_flags=None, op_dtypes=None, order='K', casting='safe', op_axes=None, "
       "itershape=None, buffersize=0)",
       Msg::op_np_nditer, "'K': in the order of |strides|, as the elements lie in memory; 'C': the last index fastest",
       "x = np.arange(6).reshape(2, 3).T\nlist(np.nditer(x))", nditer_row},
  };
  return rows;
}

}  // namespace stridescope
