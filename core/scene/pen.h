// How figures put items into a scene: the shapes the pictures are made of, text that fits where it is put, and
// nothing that knows of tensors.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "scene/lettering.h"
#include "scene/scene.h"

namespace stridescope {

/// Room for a figure. `height` is a limit, not a promise to fill it.
struct Area {
  Unit x = 0, y = 0, width = 0, height = 0;
  Unit right() const { return x + width; }
};

struct Style {
  Unit size = px(11);
  Role role = Role::text;
  bool mono = true;
  bool bold = false;
  Anchor anchor = Anchor::start;
  bool vertical = false;
  uint8_t shade = 0;
};

class Pen {
 public:
  explicit Pen(Scene& scene) : scene_(scene) {}

  Item& rect(Rect rect, Role role, Target target = {}) { return put(rect, role, 0, target); }
  Item& outline(Rect rect, Role role, Unit stroke, Target target = {}) { return put(rect, role, stroke, target); }
  Item& line(std::vector<Point> points, Role role, Unit stroke, Target target = {}) {
    return put(Polyline{std::move(points)}, role, stroke, target);
  }
  Item& shape(std::vector<Point> points, Role role, Target target = {}) {
    return put(Polyline{std::move(points), true, true}, role, 0, target);
  }
  Item& image(Image image, Target target = {}) { return put(std::move(image), Role::cell, 0, target); }

  /// Text on the baseline `at`, shortened to `width`; nothing where not even an ellipsis fits.
  /// @return  the width it takes
  Unit text(Point at, std::string_view text, const Style& style, Unit width = INT32_MAX, Target target = {});
  /// Lines of running text below each other, the first baseline at `at.y`.
  /// @return  the height they take, `leading` each
  Unit paragraph(Point at, std::string_view text, const Style& style, Unit width, Unit leading, int most);
  /// A line with a head at its end.
  void arrow(Point from, Point to, Role role, Unit stroke, Target target = {});
  /// A curve from `from` to `to`, both on one height, bulging by `bulge` (down where positive).
  Item& arc(Point from, Point to, Unit bulge, Role role, Unit stroke, Target target = {});

  /// How many items there are, and how far to the right those from number `first` on reach.
  size_t items() const { return scene_.items.size(); }
  Unit right_since(size_t first) const;
  /// How far down a line may go until it comes to a text among the items from number `first` on.  @pre from.y < to.y
  Point above_text(Point from, Point to, size_t first) const;
  /// Makes items from number `first` on part of a Figure.
  void assign(size_t first, uint8_t figure);

 private:
  template <class Shape>
  Item& put(Shape shape, Role role, Unit stroke, Target target) {
    return scene_.items.emplace_back(Item{.shape = std::move(shape), .role = role, .stroke = stroke, .target = target});
  }
  Scene& scene_;
};

}  // namespace stridescope
