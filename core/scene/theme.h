// Roles become colours here and nowhere else.
#pragma once
#include <string_view>

#include "scene/scene.h"

namespace stridescope {

enum class ThemeId : uint8_t { light, dark, print };

/// The colour of an item.  @post colour-blind safe; text reaches 4.5:1 on what it stands on
Color color(ThemeId theme, Role role, uint8_t shade);

}  // namespace stridescope
