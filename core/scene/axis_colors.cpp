#include "scene/axis_colors.h"

#include <algorithm>

namespace stridescope {
namespace {

Dims by_number(int rank) {
  Dims colors;
  for (int d = 0; d < rank; ++d) colors.push_back(d);
  return colors;
}

}  // namespace

Dims inherited_colors(const Layout& from, const Dims& colors, const Layout& to, bool regrouped) {
  const int shift = to.rank() - from.rank();
  Dims result = Dims::filled(to.rank(), -1);
  std::array<bool, max_rank> taken{}, used{};
  const auto match = [&](auto same) {
    for (int d = 0; d < to.rank(); ++d)
      for (int k = 0; k < from.rank() && result[d] < 0; ++k) {
        const auto color = static_cast<size_t>(colors[k]);
        if (taken[static_cast<size_t>(k)] || used[color] || !same(k, d)) continue;
        taken[static_cast<size_t>(k)] = used[color] = true;
        result[d] = colors[k];
      }
  };
  match([&](int k, int d) {
    return from.strides[k] == to.strides[d] && from.sizes[k] == to.sizes[d] && to.strides[d] != 0;
  });
  if (!regrouped) {
    match([&](int k, int d) { return from.strides[k] == to.strides[d] && to.strides[d] != 0; });
    match([&](int k, int d) { return k + shift == d; });
  }
  for (int64_t& color : result) {
    for (size_t free = 0; color < 0; ++free)
      if (!used[free]) used[free] = true, color = static_cast<int64_t>(free);
  }
  return result;
}

AxisColors::AxisColors(const Trace& trace, int last) {
  for (int at = 0; at <= last; ++at)
    for (const Applied& op : trace.steps[static_cast<size_t>(at)].applied) {
      const TensorPtr result = tensor_of(op.result);
      if (!result || op.inputs.empty() || by_object_.count(result->object)) continue;
      const Tensor& input = *op.inputs.front();
      const bool kept = op.relation == Relation::view ||
                        (op.relation == Relation::copy && input.layout.sizes == result->layout.sizes);
      if (!kept) continue;
      Layout from = input.layout, to = result->layout;
      if (op.relation == Relation::copy) from.strides = to.strides;
      by_object_[result->object] = inherited_colors(from, of(input), to, op.attempt != nullptr);
    }
}

Dims AxisColors::of(const Tensor& tensor) const {
  const auto found = by_object_.find(tensor.object);
  return found != by_object_.end() && found->second.size() == tensor.layout.rank() ? found->second
                                                                                   : by_number(tensor.layout.rank());
}

}  // namespace stridescope
