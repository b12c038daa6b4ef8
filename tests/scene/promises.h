// What every scene promises: a bounded number of items, all inside it, and no text on another.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>

#include "scene/scene.h"

namespace stridescope {

inline constexpr int64_t most_items = 6000;

inline bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

inline std::string place(const Rect& rect) {
  return "[" + std::to_string(rect.x / 100) + ", " + std::to_string(rect.y / 100) + ", " +
         std::to_string(rect.width / 100) + " x " + std::to_string(rect.height / 100) + "]";
}

inline std::string words(const Item& item) {
  const auto* text = std::get_if<Text>(&item.shape);
  return text ? "\"" + text->text + "\" at " + place(bounds(item))
              : "shape " + std::to_string(item.shape.index()) + " of role " +
                    std::to_string(static_cast<int>(item.role)) + " at " + place(bounds(item));
}

inline void check_promises(const Scene& scene) {
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
    for (size_t j = i + 1; j < texts.size() && bounds(*texts[j]).y < bounds(*texts[i]).y + bounds(*texts[i]).height;
         ++j)
      ASSERT_FALSE(overlap(bounds(*texts[i]), bounds(*texts[j]))) << words(*texts[i]) << " and " << words(*texts[j]);
}

}  // namespace stridescope
