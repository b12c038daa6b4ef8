// A scene as four flat arrays: what crosses the border to a canvas, colours resolved.
//
// Every item is one record of 32-bit integers; its fields are listed once, here, and the page reads their places from
// frame_fields() instead of keeping a second copy.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/theme.h"

namespace stridescope {

// shape: index into frame_shapes. x, y, width, height, radius: rect and image; x, y alone: text.
// figure, role: a Figure (0 none) and a Role, whose names frame_fields() has; shade: of a cell, 0 palest .. 255
// deepest. color: 0xRRGGBBAA. stroke: line width, 0 fills. dashed, closed, filled, mono, bold, vertical: 0 or 1. first,
// count: points of a polyline, UTF-16 units of a text, pixels of an image. columns: pixels in a row of an image. size:
// of a text. anchor: 0 start, 1 middle, 2 end. Lengths are in 1/100 px.
#define FRAME_FIELDS(FIELD)                                                                                      \
  FIELD(shape)                                                                                                   \
  FIELD(color)                                                                                                   \
  FIELD(x)                                                                                                       \
  FIELD(y) FIELD(width) FIELD(height) FIELD(radius) FIELD(stroke) FIELD(dashed) FIELD(closed) FIELD(filled)      \
      FIELD(first) FIELD(count) FIELD(columns) FIELD(size) FIELD(anchor) FIELD(mono) FIELD(bold) FIELD(vertical) \
          FIELD(figure) FIELD(role) FIELD(shade)

struct FrameItem {
#define FRAME_MEMBER(name) int32_t name = 0;
  FRAME_FIELDS(FRAME_MEMBER)
#undef FRAME_MEMBER
};

struct Frame {
  std::vector<FrameItem> items;  ///< in draw order
  std::vector<int32_t> points;   ///< x and y in turn
  std::string text;              ///< UTF-8, all texts one after the other
  std::vector<uint32_t> pixels;  ///< red, green, blue, alpha, a byte each in that order
};

Frame frame_of(const Scene& scene, ThemeId theme);

/// {"fields":{"shape":0,..},"words":22,"shapes":{"rect":0,"polyline":1,"text":2,"image":3},
///  "figures":{"strip":1,..},"roles":["background",..]}
std::string frame_fields();

}  // namespace stridescope
