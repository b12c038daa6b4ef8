// The indices that belong to places counted in reading order.
#include <algorithm>
#include <array>

#include "layout/checked.h"
#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// A table with an index for each place along a new last dimension, whose columns are given as views.
Value unravel_index_row(Call& call) {
  const TensorPtr places = tensor_of(call.value("indices"));
  if (!places || places->library != Library::torch)
    return call.about("indices").fail(
        "AttributeError", {"'", attribute_type(call.value("indices")), "' object has no attribute 'is_complex'"},
        Msg::argument_has_type, {"indices", "tensor", type_name(call.value("indices"))});
  if (!is_integer(places->dtype))
    return call.about("indices").fail("TypeError",
                                      {"expected 'indices' to be integer dtype, but got torch.", name(places->dtype)},
                                      Msg::index_places, {name(places->dtype)});
  const Dims shape = call.ints("shape");
  if (call.failed()) return {};
  const int columns = shape.size();
  const int64_t rows = *numel(places->layout.sizes);
  if (*std::min_element(shape.begin(), shape.end()) < 0 && columns > 0)
    return call.about("shape").fail(
        "ValueError", {"'shape' cannot have negative values, but got ", to_string(tuple_of(shape))}, Msg::negative_size,
        {*std::min_element(shape.begin(), shape.end()), to_string(shape)});
  const auto cells = numel(shape);
  const bool bare = is_unsigned(places->dtype) && places->dtype != DType::uint8;
  if (columns == 0) return call.tuple({});
  if (cells == 0 && rows > 0)
    return call.about("shape").fail("RuntimeError", "ZeroDivisionError", Msg::division_by_zero);
  if (!cells || bare || places->layout.sizes.full())
    return call.refuse(Msg::not_modelled, {"PyTorch", "torch.unravel_index(.., " + to_string(shape) + ")"});
  if (rows > max_indices / columns) return call.refuse(Msg::too_many_indices, {rows, max_indices / columns});
  const Elements from = elements_of(*places);
  if (!call.quick(from, rows)) return {};
  const Dims strides = contiguous(shape).strides;
  std::vector<Scalar> numbers;
  for (int64_t i = 0; i < rows; ++i)
    for (int d = 0; d < columns; ++d)
      numbers.push_back(reckon(
          Arithmetic::remainder,
          std::array{reckon(Arithmetic::floor_divide, std::array{integer_scalar(element(from, i).integer, DType::int64),
                                                                 integer_scalar(strides[d], DType::int64)}),
                     integer_scalar(shape[d], DType::int64)}));
  // Divided by the strides, then the rest by the sizes: both broadcast along the places.
  Dims sizes = places->layout.sizes;
  sizes.push_back(columns);
  const int last = sizes.size() - 1;
  Layout table = expand(insert_dim(places->layout, last, 0), sizes);
  const Layout line = expand(contiguous({columns}), sizes);
  for (int step = 0; step < 2; ++step) table = {sizes, iterator_strides(sizes, std::array{table, line}, false), 0};
  const Elements packed{literal_contents(numbers, DType::int64), contiguous(sizes, 8), DType::int64};
  const Value made = call.gathered(table, DType::int64, [&](const Dims& order) {
    return gather({packed.contents, permute(packed.layout, order), DType::int64}, DType::int64);
  });
  call.why(Msg::unravel_headline, {rows, to_string(shape), to_string(strides)});
  std::vector<Value> parts;
  for (int d = 0; d < columns && !call.failed(); ++d)
    parts.push_back(call.view(*tensor_of(made), select(tensor_of(made)->layout, last, d)));
  call.relation(Relation::fresh);
  return call.tuple(std::move(parts));
}

}  // namespace

std::span<const Op> torch_place_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "torch.unravel_index(indices, shape: bool | int | ints)", Msg::op_unravel_index,
       "index[d] = place // strides[d] % shape[d], strides as of packed memory; views of one table",
       "r, c = torch.unravel_index(torch.tensor([1, 5]), (2, 3))", unravel_index_row},
  };
  return rows;
}

}  // namespace stridescope
