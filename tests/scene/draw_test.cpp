// What every picture promises, whatever the tensor, the room and the view state.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "scene/lab.h"

namespace stridescope {
namespace {

constexpr int64_t most_items = 6000;

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

std::string place(const Rect& rect) {
  return "[" + std::to_string(rect.x / 100) + ", " + std::to_string(rect.y / 100) + ", " + std::to_string(rect.width / 100) + " x " +
         std::to_string(rect.height / 100) + "]";
}

std::string words(const Item& item) {
  const auto* text = std::get_if<Text>(&item.shape);
  return text ? "\"" + text->text + "\" at " + place(bounds(item)) : "shape " + std::to_string(item.shape.index()) + " of role " + std::to_string(static_cast<int>(item.role)) + " at " + place(bounds(item));
}

void check_promises(const Scene& scene) {
  ASSERT_LE(static_cast<int64_t>(scene.items.size()), most_items);
  std::vector<const Item*> texts;
  for (const Item& item : scene.items) {
    const Rect box = bounds(item);
    ASSERT_TRUE(box.x >= 0 && box.y >= 0 && box.x + box.width <= scene.width && box.y + box.height <= scene.height)
        << words(item) << " leaves the picture of " << scene.width / 100 << " x " << scene.height / 100;
    if (std::holds_alternative<Text>(item.shape)) texts.push_back(&item);
    if (const auto* image = std::get_if<Image>(&item.shape)) {
      ASSERT_EQ(image->shades.size(), static_cast<size_t>(image->columns) * static_cast<size_t>(image->rows));
      ASSERT_LE(int64_t{image->columns} * image->rows, int64_t{scene.width / 100} * (scene.height / 100));
    }
  }
  std::sort(texts.begin(), texts.end(), [](const Item* a, const Item* b) { return bounds(*a).y < bounds(*b).y; });
  for (size_t i = 0; i < texts.size(); ++i)
    for (size_t j = i + 1; j < texts.size() && bounds(*texts[j]).y < bounds(*texts[i]).y + bounds(*texts[i]).height; ++j)
      ASSERT_FALSE(overlap(bounds(*texts[i]), bounds(*texts[j]))) << words(*texts[i]) << " and " << words(*texts[j]);
}

/// Layouts of all ranks up to 9, small and huge, with holes, overlaps, zeros and steps back.
Layout any_layout(std::mt19937& random) {
  const auto pick = [&](int64_t low, int64_t high) { return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1)); };
  const int rank = static_cast<int>(pick(0, pick(0, 3) == 0 ? 9 : 4));
  Layout layout;
  int64_t stride = 1, count = 1;
  for (int d = 0; d < rank; ++d) {
    int64_t size = pick(0, 30) == 0 ? 0 : pick(0, 5) == 0 ? pick(20, 3000) : pick(1, 6);
    if (count * std::max<int64_t>(size, 1) > int64_t{1} << 40) size = 1;
    count *= std::max<int64_t>(size, 1);
    layout.sizes.push_back(size);
    layout.strides.push_back(pick(0, 6) == 0 ? 0 : pick(0, 5) == 0 ? stride + pick(0, 3) : stride);
    if (size > 0 && stride < int64_t{1} << 44) stride *= size;
  }
  for (int d = rank - 1; d > 0; --d) {
    const int other = static_cast<int>(pick(0, d));
    std::swap(layout.sizes[d], layout.sizes[other]);
    std::swap(layout.strides[d], layout.strides[other]);
  }
  for (int d = 0; d < rank; ++d)
    if (pick(0, 9) == 0) layout.strides[d] = -layout.strides[d];
  const auto reach = extent(layout);
  layout.storage_offset = pick(0, 3) == 0 ? pick(0, 20) : 0;
  if (reach && reach->lowest < 0) layout.storage_offset -= reach->lowest;
  return layout;
}

ViewState any_view(std::mt19937& random, const Layout& layout) {
  const auto pick = [&](int64_t low, int64_t high) { return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1)); };
  ViewState view;
  view.width = px(static_cast<double>(std::array{320, 360, 480, 700, 920, 1280, 1400, 2560}[static_cast<size_t>(pick(0, 7))]));
  view.height = pick(0, 2) == 0 ? px(static_cast<double>(pick(0, 900))) : 0;
  view.head = pick(0, 3) == 0 ? static_cast<int64_t>(random()) * 1000 : pick(0, 40);
  view.phase = static_cast<double>(pick(0, 10)) / 10;
  view.figures = pick(0, 1) == 0 ? static_cast<uint8_t>(figure_all) : static_cast<uint8_t>(pick(0, 15));
  view.labels = static_cast<Labels>(pick(0, 3));
  view.coloring = static_cast<Coloring>(pick(0, 4));
  view.bytes = pick(0, 3) == 0;
  view.language = pick(0, 1) == 0 ? Language::english : Language::chinese;
  if (pick(0, 2) == 0) view.hover = {static_cast<Target::Kind>(pick(0, 5)), static_cast<int32_t>(pick(-1, 1)), pick(-1, 5)};
  (void)layout;
  return view;
}

TEST(Draw, KeepsInsideTheSceneOverlapsNoTextAndStaysBounded) {
  std::mt19937 random(7);
  for (int k = 0; k < 800; ++k) {
    const Layout layout = any_layout(random);
    const ViewState view = any_view(random, layout);
    const Trace trace = lab::trace_of(layout, random() % 2 == 0 ? Library::torch : Library::numpy);
    check_promises(draw(trace, view));
    ASSERT_FALSE(testing::Test::HasFailure()) << to_string(layout) << " width " << view.width / 100 << " height " << view.height / 100 << " head "
                                              << view.head << " figures " << int{view.figures} << " labels " << static_cast<int>(view.labels)
                                              << " language " << static_cast<int>(view.language) << " draw " << k;
  }
}

}  // namespace
}  // namespace stridescope
