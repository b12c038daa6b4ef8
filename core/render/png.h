// PNG (ISO/IEC 15948): small rasters written without a library, and text put into any PNG and found again.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scene/scene.h"

namespace stridescope {

/// 8 bit indices into a palette, the pixel data stored without compression, so that no two platforms can compress
/// differently.
std::string png(const Image& image, const std::array<Color, 256>& palette);

/// Whether the bytes begin as a PNG does.
bool is_png(std::string_view bytes);

/// The picture with a tEXt chunk behind its header.
/// @pre is_png(picture) with a whole IHDR; `keyword` has 1..79 characters, `text` is Latin-1 without NUL
std::string with_text(std::string_view picture, std::string_view keyword, std::string_view text);

struct PngText {
  bool damaged = false;  ///< it ends within a chunk, or the sum of the text's own chunk is wrong
  std::optional<std::string_view> text;
};
/// The first text under a keyword: chunks are skipped by their lengths, nothing is decoded.
/// @pre is_png(picture)
PngText text_in(std::string_view picture, std::string_view keyword);

}  // namespace stridescope
