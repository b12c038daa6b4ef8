// Places in a raveled array and the indices that belong to them.
#include <algorithm>

#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// An argument as integers; of an empty list nobody knows the kind.
TensorRef integers(Call& call, const Value& value) {
  const auto* list = std::get_if<Sequence>(&value.held);
  if (list && list->items->empty())
    return call.fail_parser(
               "indices must be integral: the provided empty sequence was inferred as float. Wrap it with "
               "'np.array(indices, dtype=np.intp)'",
               Msg::np_not_an_integer, {type_name(value)}),
           nullptr;
  const bool none = std::holds_alternative<None>(value.held) || text_dtype(value);
  const TensorRef array = none ? nullptr : as_array(call, value);
  if (call.failed()) return nullptr;
  if (!array || is_floating(array->tensor->dtype) || is_complex(array->tensor->dtype))
    return call.fail_parser("only int indices permitted", Msg::np_not_an_integer, {type_name(value)}), nullptr;
  if (!call.few(*array->tensor)) return nullptr;
  return array;
}

void explain(Call& call, const Dims& sizes, const Dims& strides) {
  const bool back = call.name() == "numpy.unravel_index";
  // Strides are told where the step's own layouts show them.
  if (const TensorPtr array = tensor_of(call.first()); array && array->layout.sizes == sizes && !strides.empty())
    return call.why(Msg::np_places, {to_string(sizes), to_string(strides)});
  call.why(back ? Msg::op_np_unravel_index : Msg::op_np_ravel_multi_index);
}

Value unravel_index(Call& call) {
  const Value& given = call.value("shape");
  const Dims sizes = std::holds_alternative<None>(given.held) ? Dims{} : numpy_shape(call, given);
  numpy_order(call, "order", NumpyOrder::c);  // whether it is one comes before whether it is allowed
  if (call.failed()) return {};
  std::optional<int64_t> count = 1;
  for (const int64_t size : sizes) count = checked_mul(count, size);
  if (!count || *count == -1)
    return call.about("shape").fail("ValueError",
                                    "dimensions are too large; arrays and shapes with a total size greater than "
                                    "'intp' are not supported.",
                                    Msg::np_storage_overflow, {to_string(sizes)});
  const TensorRef indices = integers(call, call.value("indices"));
  if (call.failed()) return {};
  const Tensor& array = *indices->tensor;
  const int rank = sizes.size();
  const Order order = allocation_order(call);
  if (call.failed()) return {};
  const int64_t found = count_of(array);
  std::vector<Scalar> table(static_cast<size_t>(found * rank));
  const Elements elements = elements_of(array);
  // The first in memory that is outside is the one that is told.
  Elements walked = elements;
  walked.layout = permute(walked.layout, iteration_order({walked.layout}));
  for (int64_t i = 0; i < found; ++i) {
    const int64_t place = converted(element(walked, i), DType::int64).integer;
    if (place < 0 || place >= *count)
      return call.about("indices").fail("ValueError",
                                        {"index ", place, " is out of bounds for array with size ", *count},
                                        Msg::np_place_outside, {place, to_string(sizes), *count});
  }
  for (int64_t i = 0; i < found; ++i) {
    int64_t rest = converted(element(elements, i), DType::int64).integer;
    for (int k = 0; k < rank; ++k) {
      const int d = order == Order::c ? rank - 1 - k : k;
      table[static_cast<size_t>(i * rank + d)] = integer_scalar(rest % sizes[d], DType::int64);
      rest /= sizes[d];
    }
  }
  if (rank == 0 && array.layout.rank() > 0)
    return call.fail("ValueError", "multiple indices are not supported for 0d arrays", Msg::product_rank,
                     {0, array.layout.rank()});
  const Dims strides = order == Order::c ? contiguous(sizes).strides : fortran(sizes).strides;
  std::vector<Value> items;
  if (array.layout.rank() == 0) {
    for (int d = 0; d < rank; ++d) items.push_back({NumpyScalar{table[static_cast<size_t>(d)]}});
    call.relation(Relation::none);
    explain(call, sizes, strides);
    return call.tuple(std::move(items));
  }
  // A table with an index in each row, whose columns are handed out.
  Dims shape = array.layout.sizes;
  shape.push_back(rank);
  Dims slowest = iteration_order({array.layout});
  slowest.push_back(array.layout.rank());
  auto [layout, contents] = laid_out(literal_contents(table, DType::int64), shape, slowest, DType::int64);
  const Tensor made = made_or(call.fresh(DType::int64, layout, std::move(contents)), array);
  for (int d = 0; d < rank; ++d) items.push_back(call.view(made, select(layout, shape.size() - 1, d)));
  call.relation(Relation::fresh);
  explain(call, sizes, strides);
  return call.tuple(std::move(items));
}

/// mode=, for all axes or a list of one each.
std::string modes_of(Call& call, int rank) {
  const Value& mode = call.value("mode");
  const auto* list = std::get_if<Sequence>(&mode.held);
  if (!list) return std::string(static_cast<size_t>(rank), clip_mode(call, mode));
  if (list->items->size() != static_cast<size_t>(rank))
    return call.about("mode").fail(
               "ValueError", {"list of clipmodes has wrong length (", list->items->size(), " instead of ", rank, ")"},
               Msg::items_needed, {rank, static_cast<int64_t>(list->items->size())}),
           "";
  std::string letters;
  for (const Value& one : *list->items) letters += call.failed() ? 'r' : clip_mode(call, one);
  return letters;
}

/// An index made one of an axis of `size` elements, as `mode` has it; negative sizes are reckoned with as C does.
int64_t brought_inside(int64_t index, int64_t size, char mode) {
  if (mode == 'c') return index < 0 ? 0 : index >= size ? size - 1 : index;
  if (mode == 'r' || (index >= 0 && index < size)) return index;
  const int64_t rest = index % size;
  return index < 0 && rest != 0 ? rest + size : rest;
}

Value ravel_multi_index(Call& call) {
  const Value& given = call.value("multi_index");
  const auto* list = std::get_if<Sequence>(&given.held);
  const TensorPtr table = tensor_of(given);
  // Gone through before anything is looked at.
  if (!list && !(table && table->layout.rank() > 0))
    return call.about("multi_index")
        .fail_parser("dispatcher for __array_function__ did not return an iterable", Msg::not_iterable,
                     {type_name(given)});
  const Dims sizes = numpy_shape(call, call.value("dims"));
  const int rank = sizes.size();
  // Of a number that is no mode NumPy complains when it comes to read the indices.
  const Value& mode = call.value("mode");
  const auto* each = std::get_if<Sequence>(&mode.held);
  const auto is_number = [](const Value& one) {
    const TensorPtr array = tensor_of(one);
    return as_integer(one) && !std::holds_alternative<bool>(one.held) && !(array && array->layout.rank() > 0);
  };
  const bool numbers = each ? each->items->size() == static_cast<size_t>(rank) &&
                                  std::all_of(each->items->begin(), each->items->end(), is_number)
                            : is_number(mode);
  const NumpyOrder wanted = numpy_order(call, "order", NumpyOrder::c);
  std::string modes = call.failed() || numbers ? "" : modes_of(call, rank);
  if (call.failed()) return {};
  const Order order = wanted == NumpyOrder::fortran ? Order::fortran : Order::c;
  std::optional<int64_t> count = 1;
  Dims strides = sizes;
  for (int k = 0; k < rank && count; ++k) {
    const int d = order == Order::c ? rank - 1 - k : k;
    strides[d] = *count;
    count = checked_mul(*count, sizes[d] == 0 ? 1 : sizes[d]);
  }
  if (!count)
    return call.about("dims").fail("ValueError",
                                   "invalid dims: array size defined by dims is larger than the maximum possible size.",
                                   Msg::np_storage_overflow, {to_string(sizes)});
  allocation_order(call);
  if (call.failed()) return {};
  const auto length = list ? static_cast<int64_t>(list->items->size()) : table->layout.sizes[0];
  if (length != rank)
    return call.about("multi_index")
        .fail("ValueError", {"parameter multi_index must be a sequence of length ", rank}, Msg::items_needed,
              {rank, length});
  const auto item = [&](int d) {
    return list ? (*list->items)[static_cast<size_t>(d)] : call.view(*table, select(table->layout, 0, d));
  };
  // That complaint comes up at the first index that an array has to be made of, or behind an array.
  if (numbers && rank > 0 && tensor_of(item(0))) integers(call, item(0));
  if (numbers && !call.failed()) modes = modes_of(call, rank);
  std::vector<TensorRef> parts;
  std::vector<Layout> layouts;
  for (int d = 0; d < rank && !call.failed(); ++d) parts.push_back(integers(call, item(d)));
  if (call.failed()) return {};
  const auto common = broadcast_sizes(shapes_of(parts));
  if (!common) return refuse_shapes(call, shapes_of(parts));
  std::vector<Elements> columns;
  for (const TensorRef& part : parts) {
    columns.push_back(broadcast_elements(*part->tensor, *common));
    layouts.push_back(columns.back().layout);
    if (!call.few(columns.back(), *numel(*common))) return {};
  }
  std::vector<Scalar> places;
  for (int64_t i = 0; i < *numel(*common); ++i) {
    int64_t place = 0;
    for (int d = 0; d < rank; ++d) {
      int64_t index = converted(element(columns[static_cast<size_t>(d)], i), DType::int64).integer;
      const char how = modes[static_cast<size_t>(d)];
      if (sizes[d] == 0)
        return call.fail("ValueError", "cannot unravel if shape has zero entries (is empty).", Msg::np_place_outside,
                         {index, to_string(sizes), 0});
      index = brought_inside(index, sizes[d], how);
      if (how == 'r' && (index < 0 || index >= sizes[d]))
        return call.about("multi_index")
            .fail("ValueError", "invalid entry in coordinates array", Msg::np_place_outside,
                  {index, to_string(sizes), numel(sizes).value_or(0)});
      place += index * strides[d];
    }
    places.push_back({DType::int64, place});
  }
  explain(call, sizes, strides);
  if (rank == 0) {
    call.relation(Relation::none);
    return {NumpyScalar{{DType::int64, 0}}};
  }
  auto [layout, contents] =
      laid_out(literal_contents(places, DType::int64), *common, iteration_order(layouts), DType::int64);
  return scalar_if_0d(call, call.fresh(DType::int64, layout, std::move(contents)));
}

}  // namespace

std::span<const Op> numpy_place_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.unravel_index(indices, shape, order='C')", Msg::op_np_unravel_index,
       "place = sum of index[k] * strides[k], strides those of a packed array",
       "x = np.arange(6).reshape(2, 3)\nnp.unravel_index(4, x.shape)", unravel_index},
      {Library::numpy, "np.ravel_multi_index(multi_index, dims, mode='raise', order='C')", Msg::op_np_ravel_multi_index,
       "place = sum of index[k] * strides[k], strides those of a packed array",
       "x = np.arange(6).reshape(2, 3)\nnp.ravel_multi_index((1, 1), x.shape)", ravel_multi_index},
  };
  return rows;
}

}  // namespace stridescope
