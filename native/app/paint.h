// The renderer of the window: a scene as ImGui draw commands.
#pragma once
#include <imgui.h>

#include <vector>

#include "app/fonts.h"
#include "stridescope.h"

namespace stridescope {

/// The pixels of a scene's images, as textures of OpenGL.
class Rasters {
 public:
  Rasters() = default;
  Rasters(const Rasters&) = delete;
  Rasters& operator=(const Rasters&) = delete;
  /// @pre  the OpenGL context is current
  ~Rasters() { clear(); }

  /// Makes the textures of a scene in place of the old ones, unless those hold the same pixels. New pixels are in a
  /// texture of another number.
  void load(const Scene& scene, ThemeId theme);
  void clear();
  /// @pre  `image` counts the images of the scene that was loaded, in draw order
  ImTextureID operator[](size_t image) const;

 private:
  /// A texture holds the pixels of an image, row by row.
  struct Raster {
    unsigned texture;
    int columns;
    std::vector<ImU32> pixels;
  };
  std::vector<Raster> rasters_;
};

/// The extent of the vertices that an item became, in pixels of the scene.
struct Box {
  float left = 0, top = 0, right = 0, bottom = 0;
};

struct Canvas {
  ImDrawList& list;
  ImVec2 origin;    ///< where the scene's top left corner goes
  float scale = 1;  ///< pixels of the window per pixel of the scene
  Fonts& fonts;
  const Rasters& rasters;
};

/// @param extents  where not null, receives one extent an item
void paint(const Scene& scene, ThemeId theme, const Canvas& canvas, std::vector<Box>* extents = nullptr);

/// A colour of the theme as ImGui packs it.
ImU32 packed(Color color);

}  // namespace stridescope
