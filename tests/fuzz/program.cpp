// Any bytes are a program with an answer: a trace, its reports in both languages and a picture of every step.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "stridescope.h"

namespace stridescope {
namespace {

/// No picture of the default size needs more.
constexpr size_t most_items = 40'000;

void answer(const std::string& source) {
  const Trace trace = evaluate(source);
  for (const Language language : {Language::english, Language::chinese}) {
    report(trace, language);
    explain(trace, language);
  }
  records(trace);
  for (int step = 0; step < static_cast<int>(trace.steps.size()); ++step) {
    ViewState view;
    view.step = step;
    view.head = int64_t{1} << (step % 63);
    view.bytes = step % 2 == 1;
    const Scene scene = draw(trace, view);
    if (scene.items.size() > most_items) std::abort();
    svg(scene, ThemeId::light);
  }
}

}  // namespace
}  // namespace stridescope

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  stridescope::answer(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
