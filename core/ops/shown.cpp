#include "ops/shown.h"

#include <algorithm>

#include "layout/contiguity.h"
#include "ops/contents.h"

namespace stridescope {
namespace {

/// Six along each of five dims fit; to write more takes longer than to read them, and fills what a program may write.
constexpr int64_t most_shown = 8192;

}  // namespace

std::optional<Shown> shown_of(const Tensor& tensor, int inner) {
  const Elements elements = elements_of(tensor);
  const Layout order = contiguous(tensor.layout.sizes);
  Dims outer = order.sizes;
  for (int d = 0; d < inner; ++d) outer.pop_back();
  const TextOptions& options = SettingsInUse::texts(tensor.library);
  Shown shown{options.at_an_end, order.sizes, order.sizes, *numel(outer) > options.most_in_full, {}};
  for (int d = 0; d < outer.size() && shown.is_summary; ++d)
    shown.sizes[d] = std::min(shown.sizes[d], 2 * shown.at_an_end);
  const int64_t count = *numel(shown.sizes);
  if (count > most_shown || !is_quick(elements, count)) return std::nullopt;
  shown.elements.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    Dims index = index_at(shown.sizes, i);
    for (int d = 0; d < index.size(); ++d)
      if (index[d] >= shown.at_an_end) index[d] += shown.of[d] - shown.sizes[d];
    shown.elements.push_back(element(elements, offset(order, index)));
  }
  return shown;
}

}  // namespace stridescope
