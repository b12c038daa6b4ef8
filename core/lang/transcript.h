// What people copy out of a terminal or a notebook, as the program it came from: a session with prompts, a traceback,
// a printed shape with its strides. Text only: nothing is run.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace stridescope {

struct Transcript {
  std::string program;
  std::string error;   ///< the last line of a traceback, "RuntimeError: shape .."; else ""
  bool alone = false;  ///< the program is the one line that failed, and what its names hold is not in the text
};

/// Nothing where the text has no such form (it is a program already, or prose). Recognised, in this order:
///   a session      lines after ">>>" and "..." or "In [1]:" and "...:" are kept, what they printed is left out
///   a traceback    the failing cell where its lines are quoted, else the failing line
///   a printed shape, with or without strides and storage offset ("torch.Size([4, 3]) (1, 4)"): a tensor of that layout
///   a fenced or indented block: its lines, moved to the left margin
/// @pre none: any bytes  @post the program is never longer than the text by more than 500 bytes
std::optional<Transcript> transcript(std::string_view pasted);

/// The end of a notebook's command that is what it times: "x.sum()" of "%timeit -n 100 x.sum()"; "" of other commands.
std::string_view timed_code(std::string_view command);

}  // namespace stridescope
