// The walk over what lists and tensors of indices pick, in the order in which the library walks.
#include <algorithm>

#include "layout/checked.h"
#include "ops/torch/index.h"
#include "ops/torch/torch.h"

namespace stridescope {

Call& about_indices(Call& call, int item) { return call.about(call.given("indices") ? "indices" : "key", item); }

bool visit_picked(Call& call, const Selection& selection, std::span<const Layout> operands,
                  const std::function<void(int64_t, int64_t)>& visit) {
  const Dims& sizes = selection.places.sizes;
  if (numel(sizes) == 0) return true;  // nobody looks
  const Dims rows = contiguous(sizes).strides;
  Dims order;
  int64_t count = 1;
  for (const int64_t d : iterator_order(sizes, operands)) {
    const int dim = static_cast<int>(d);
    const bool matters = visit || std::any_of(selection.dims.begin(), selection.dims.end(), [&](const IndexedDim& one) {
                           return one.index.layout.strides[dim] != 0;
                         });
    if (!matters || sizes[dim] == 1) continue;
    order.push_back(d);
    count = checked_mul(count, sizes[dim]).value_or(INT64_MAX);
    if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices}), false;
  }
  for (const IndexedDim& one : selection.dims)
    if (!call.quick(one.index, count)) return false;
  Dims at = Dims::filled(sizes.size(), 0);
  for (int64_t step = 0; step < count; ++step) {
    int64_t position = 0, place = offset(selection.places, at);
    for (int d = 0; d < sizes.size(); ++d) position += at[d] * rows[d];
    for (size_t k = 0; k < selection.dims.size(); ++k) {
      const IndexedDim& one = selection.dims[k];
      const int64_t index = element(one.index, position).integer;
      if (index < -one.size || index >= one.size) {
        about_indices(call).fail("IndexError",
                                 {"index ", index, " is out of bounds for dimension ", k, " with size ", one.size},
                                 Msg::index_out_of_range, {index, selection.picked[static_cast<int>(k)], one.size});
        return false;
      }
      place += (index < 0 ? index + one.size : index) * one.stride;
    }
    if (visit) visit(position, place);
    for (const int64_t d : order) {
      int64_t& here = at[static_cast<int>(d)];
      if (++here < sizes[static_cast<int>(d)]) break;
      here = 0;
    }
  }
  return true;
}

std::vector<int64_t> lines_in_turn(const Dims& sizes, int dim, std::vector<Layout> operands) {
  if (numel(sizes) == 0) return {};
  if (sizes.empty()) return {0};
  const int64_t length = sizes[dim];
  Dims others = sizes;
  others[dim] = 1;
  for (Layout& operand : operands) operand.strides[dim] = 0;
  const Dims order = iterator_order(others, operands);
  // The inner loop goes over as many dimensions as every operand runs through with one stride.
  int64_t inner = others[static_cast<int>(order[0])];
  int last = static_cast<int>(order[0]);
  for (int k = 1; k < order.size(); ++k) {
    const int d = static_cast<int>(order[k]);
    const bool goes_on =
        others[d] == 1 || inner == 1 || std::all_of(operands.begin(), operands.end(), [&](const Layout& operand) {
          return operand.strides[d] == others[last] * operand.strides[last];
        });
    if (!goes_on) break;
    if (others[d] != 1) last = d;
    inner *= others[d];
  }
  if (dim == sizes.size() - 1) inner = 1;
  const Layout rows = contiguous(sizes);
  const auto start = [&](int64_t line) {
    int64_t place = 0;
    for (const int64_t d : order) {
      place += line % others[static_cast<int>(d)] * rows.strides[static_cast<int>(d)];
      line /= others[static_cast<int>(d)];
    }
    return place;
  };
  std::vector<int64_t> turn;
  for (int64_t first = 0; first < *numel(others); first += inner)
    for (int64_t k = 0; k < length; ++k)
      for (int64_t line = first; line < first + inner; ++line) turn.push_back(start(line) + k * rows.strides[dim]);
  return turn;
}

}  // namespace stridescope
