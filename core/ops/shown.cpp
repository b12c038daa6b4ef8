#include "ops/shown.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "layout/contiguity.h"
#include "ops/call.h"
#include "ops/contents.h"

namespace stridescope {
namespace {

/// Six along each of five dims fit; to write more takes longer than to read them, and fills what a program may write.
constexpr int64_t most_shown = 8192;

const LibrarySettings at_first;
thread_local const LibrarySettings* in_use = &at_first;

}  // namespace

SettingsInUse::SettingsInUse(const LibrarySettings& settings) : outer_(std::exchange(in_use, &settings)) {}
SettingsInUse::~SettingsInUse() { in_use = outer_; }
const LibrarySettings& SettingsInUse::now() { return *in_use; }

void read_text_numbers(Call& call, TextOptions& options) {
  const std::pair<const char*, int64_t*> numbers[] = {{"precision", &options.digits},
                                                      {"threshold", &options.most_in_full},
                                                      {"edgeitems", &options.at_an_end},
                                                      {"linewidth", &options.width}};
  for (const auto& [parameter, option] : numbers) {
    if (!call.given(parameter)) continue;
    const Value& value = call.value(parameter);
    const bool all = option == &options.most_in_full && as_real(value) == HUGE_VAL;
    const auto whole = all ? std::optional(INT64_MAX) : as_index(value);
    const bool zero_fits = option != &options.at_an_end && option != &options.width;
    if (!whole || *whole < (zero_fits ? 0 : 1) || (option == &options.digits && *whole > 30))
      call.settings().texts_differ = true;
    else
      *option = *whole;
  }
}

const TextOptions& text_options(const Tensor& tensor) {
  const LibrarySettings& settings = SettingsInUse::now();
  return tensor.library == Library::torch ? settings.torch_texts : settings.numpy_texts;
}

std::optional<Shown> shown_of(const Tensor& tensor, int inner) {
  const Elements elements = elements_of(tensor);
  const Layout order = contiguous(tensor.layout.sizes);
  Dims outer = order.sizes;
  for (int d = 0; d < inner; ++d) outer.pop_back();
  const TextOptions& options = text_options(tensor);
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
