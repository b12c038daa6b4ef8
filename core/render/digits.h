// Lengths and colours in the words that several formats share.
#pragma once
#include <string>

#include "scene/scene.h"

namespace stridescope {

/// Units as pixels: 1250 -> "12.5".
std::string number(Unit value);

/// "rrggbb"
std::string hex(Color color);

}  // namespace stridescope
