// stridescope render: figures of one program or many, into files or the standard output, once or whenever they change.
#pragma once
#include "cli/options.h"

namespace stridescope {

/// @post the exit status; unless it is 0, nothing has been written
int render(const RenderOptions& options, Language language);

}  // namespace stridescope
