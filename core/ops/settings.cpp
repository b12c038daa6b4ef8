#include "ops/settings.h"

#include <cmath>
#include <utility>

#include "ops/call.h"

namespace stridescope {
namespace {

const LibrarySettings at_first;
thread_local const LibrarySettings* in_use = &at_first;

}  // namespace

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

SettingsInUse::SettingsInUse(const LibrarySettings& settings) : outer_(std::exchange(in_use, &settings)) {}
SettingsInUse::~SettingsInUse() { in_use = outer_; }
const LibrarySettings& SettingsInUse::now() { return *in_use; }
const TextOptions& SettingsInUse::texts(Library library) {
  return library == Library::torch ? in_use->torch_texts : in_use->numpy_texts;
}

}  // namespace stridescope
