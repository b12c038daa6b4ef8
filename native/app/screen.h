// The pixels of the window. Of a frame only those tiles are drawn that differ from the frame before, wherever the
// window's buffer keeps what was drawn into it; a frame that does not differ is not drawn at all. Without a graphics
// card a frame costs what it fills.
#pragma once
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "stridescope.h"

struct GLFWwindow;

namespace stridescope {

class Screen {
 public:
  /// Brings the window's buffer up to date, on a ground of one colour.
  /// @pre  the window's OpenGL context is current; a texture whose pixels are new has another number, or forget() was
  ///       called
  /// @return whether anything differs from what was drawn last: then the buffer is to be shown
  bool draw(GLFWwindow* window, const ImDrawData& data, Color ground);
  /// Whether the buffer still has the last frame after it was shown.
  bool keeps() const { return kept_.value_or(false); }
  /// Everything is to be drawn anew.
  void forget() { tiles_.clear(); }

 private:
  /// In tiles, its ends excluded.
  struct Area {
    int left, top, right, bottom;
  };
  std::vector<uint64_t> digests(const ImDrawData& data, uint64_t ground) const;
  std::vector<Area> differing(const std::vector<uint64_t>& now) const;
  void render(const ImDrawData& data, const std::vector<Area>& areas) const;

  std::optional<bool> kept_;                            ///< whether the buffer keeps its pixels; found out at first
  int width_ = 0, height_ = 0, across_ = 0, down_ = 0;  ///< in pixels, and in tiles
  std::vector<uint64_t> tiles_;                         ///< digests of what each shows, row by row
};

}  // namespace stridescope
