// What the command line does once its options are read.
#pragma once
#include "cli/options.h"

namespace stridescope {

/// Prints to the standard output or writes the file asked for; problems go to the standard error.
/// @post the exit status; unless it is 0, nothing has been written (of trace_lines: no line of an unread program)
int run(const Options& options);

/// Writes to the standard output.  @post the exit status
int print(std::string_view text, Language language);

}  // namespace stridescope
