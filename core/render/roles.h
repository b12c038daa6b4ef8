// Names of roles, for formats that say what an item is.
#pragma once
#include <string_view>

#include "scene/scene.h"

namespace stridescope {

/// As the enumerator is written: "cell_text".
std::string_view name_of(Role role);

/// Whether a role's colour depends on the item's shade.
constexpr bool shaded(Role role) { return role == Role::cell || role == Role::cell_text; }

}  // namespace stridescope
