// Any bytes are a program and a view of it: every figure is drawn, hit, read out and written as SVG, for views that no
// person would choose.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "stridescope.h"

namespace stridescope {
namespace {

/// No picture that fits max_picture_side needs more.
constexpr size_t most_items = 400'000;

/// Takes the view from the first bytes.
class Reader {
 public:
  Reader(const uint8_t* data, size_t size) : data_(data), left_(size) {}
  uint64_t take(int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes && left_ > 0; ++i, --left_) value = value << 8 | *data_++;
    return value;
  }
  std::string rest() const { return std::string(reinterpret_cast<const char*>(data_), left_); }

 private:
  const uint8_t* data_;
  size_t left_;
};

void look(Reader reader) {
  ViewState view;
  view.step = static_cast<int8_t>(reader.take(1));
  view.op = static_cast<int8_t>(reader.take(1));
  view.head = static_cast<int64_t>(reader.take(8));
  view.phase = static_cast<double>(reader.take(1)) / 255;
  view.figures = static_cast<uint8_t>(reader.take(1) & figure_all);
  view.labels = static_cast<Labels>(reader.take(1) % 4);
  view.coloring = static_cast<Coloring>(reader.take(1) % 5);
  const uint64_t bits = reader.take(1);
  view.bytes = (bits & 1) != 0;
  view.theme = static_cast<ThemeId>((bits >> 1) % 3);
  view.language = (bits & 8) != 0 ? Language::chinese : Language::english;
  view.ask = (bits & 16) != 0;
  view.width = static_cast<Unit>(reader.take(3) % static_cast<uint64_t>(max_picture_side + 1));
  view.height = static_cast<Unit>(reader.take(3) % static_cast<uint64_t>(max_picture_side + 1));
  view.hover = {static_cast<Target::Kind>(reader.take(1) % 6), static_cast<int32_t>(reader.take(1)),
                static_cast<int64_t>(reader.take(8))};
  const Trace trace = evaluate(reader.rest());
  const Scene scene = draw(trace, view);
  if (scene.items.size() > most_items) std::abort();
  const Subject shown = subject(trace, view);
  if (shown.elements < 0) std::abort();
  svg(scene, view.theme);
  elements(trace, view);
  for (Unit at = 0; at < px(900); at += px(97)) hit(scene, {at, at / 2});
}

}  // namespace
}  // namespace stridescope

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  stridescope::look({data, size});
  return 0;
}
