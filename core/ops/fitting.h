// What would have fitted: of a failed call's own tensors and numbers, where an example would be that of another.
#pragma once
#include <optional>

#include "explain/message.h"
#include "ops/trace.h"

namespace stridescope {

/// Nothing where that is not known.  @pre applied.error, and applied.op is its row
std::optional<Message> fitting(const Applied& applied);

}  // namespace stridescope
