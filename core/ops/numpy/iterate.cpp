// What walks over an array or over indices: ndindex, ndenumerate, nditer. All items at once, so only for few.
#include <algorithm>

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

/// The layout of the same elements, its axes in the order in which nditer goes over them, the slowest first.
Layout walked_by(const Tensor& array, NumpyOrder order) {
  Layout layout = array.layout;
  if (order != NumpyOrder::keep)
    return resolved_order(array, order) == Order::c ? layout : permute(layout, c_order(layout.rank()));
  // As the elements lie in memory, so backwards along a negative stride.
  for (int d = 0; d < layout.rank(); ++d)
    if (layout.strides[d] < 0) layout = flip(layout, d);
  return permute(layout, iteration_order({layout}));
}

/// Whether op_flags ask for elements that can be written into; nothing where they ask for something else.
std::optional<bool> asks_to_write(const Value& flags) {
  const auto* listed = std::get_if<Sequence>(&flags.held);
  if (!listed || listed->items->size() != 1) return std::nullopt;
  const Value& flag = listed->items->front();
  if (std::holds_alternative<Sequence>(flag.held)) return asks_to_write(flag);  // one list an array
  const auto* word = std::get_if<std::string>(&flag.held);
  if (!word || (*word != "readonly" && *word != "readwrite" && *word != "writeonly")) return std::nullopt;
  return *word != "readonly";
}

/// Views of the elements of one array, one after the other; what nditer can do beside that is not known here.
Value nditer(Call& call) {
  const NumpyOrder order = numpy_order(call, "order", NumpyOrder::keep);
  for (const char* option : {"flags", "op_dtypes", "op_axes", "itershape"})
    if (call.given(option))
      return call.about(option).refuse(Msg::not_modelled, {"NumPy", "np.nditer(" + std::string(option) + "=..)"});
  if (std::holds_alternative<Sequence>(call.first().held))
    return call.about_receiver().refuse(Msg::not_modelled, {"NumPy", "np.nditer([..])"});
  const TensorRef source = call.failed() ? nullptr : receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const auto writes = call.given("op_flags") ? asks_to_write(call.value("op_flags")) : false;
  if (!writes || (*writes && !array.writeable))
    return call.about("op_flags").refuse(Msg::not_modelled, {"NumPy", "np.nditer(op_flags=..)"});
  const auto count = walked_count(call, array.layout.sizes);
  if (count == 0)
    return call.about_receiver().fail("ValueError", "Iteration of zero-sized operands is not enabled",
                                      Msg::np_nditer_empty, {to_string(array.layout.sizes)});
  if (!count) return {};
  const Layout walked = walked_by(array, order);
  std::vector<Value> items;
  for (int64_t i = 0; i < *count; ++i) {
    Tensor item = array;
    item.layout = {{}, {}, offset(walked, index_at(walked.sizes, i))};
    item.is_view = true;
    item.writeable = *writes;
    item.base = array.object;
    item.base_tensor = source->tensor;
    item.base_facet = "nditer";
    items.push_back(call.make(std::move(item), Relation::view));
  }
  call.why(*writes ? Msg::np_nditer_writes : Msg::np_nditer,
           {*count, to_string(walked.sizes), to_string(walked.strides)});
  return list_of(std::move(items), Sequence::Kind::nditer);
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
       "x = np.arange(6).reshape(2, 3).T\nlist(np.nditer(x))", nditer},
  };
  return rows;
}

}  // namespace stridescope
