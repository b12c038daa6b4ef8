// Faces to set text in: the named one, and for what it lacks the next that fontconfig knows.
#pragma once
#include <cairo.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace stridescope {

enum class Face : uint8_t { mono, mono_bold, sans, sans_bold };

/// A stretch of a text that one face can set.
struct Stretch {
  cairo_font_face_t* face = nullptr;  ///< owned by Faces
  std::string_view text;
};

class Faces {
 public:
  Faces();
  ~Faces();
  Faces(const Faces&) = delete;
  Faces& operator=(const Faces&) = delete;

  /// `text` in stretches, in order. What no face has is left to the first one, which shows a box.
  /// @pre `text` is UTF-8
  std::vector<Stretch> stretches(Face face, std::string_view text);

 private:
  struct Family;
  std::unique_ptr<Family> families_[4];
};

}  // namespace stridescope
