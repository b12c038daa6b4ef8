// The theme's colours and a calm set of measures for ImGui's own widgets.
#pragma once
#include "app/paint.h"

namespace stridescope {

/// @param scale  pixels of the window per nominal pixel
void set_style(ThemeId theme, float scale);

}  // namespace stridescope
