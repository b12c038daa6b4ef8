// What people copy out of a terminal or a notebook, as the program it came from: a session with prompts, a traceback,
// a printed shape with its strides. Text only: nothing is run.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "explain/message.h"

namespace stridescope {

/// The program that a pasted text stands for; nothing where the text has no such form (it is a program already, or
/// prose). Recognised, in this order:
///   a session      lines after ">>>" and "..." or "In [1]:" and "...:" are kept, what they printed is left out
///   a traceback    the failing cell where its lines are quoted, else the failing line, with a stand-in for the tensor
///                  it is about; the error is a comment in front
///   a printed shape, with or without strides and storage offset ("torch.Size([4, 3]) (1, 4)"): a tensor of that layout
///   a fenced or indented block: its lines, moved to the left margin
/// Comments that are added are in `language`.
/// @pre none: any bytes  @post never longer than the text by more than 1000 bytes
std::optional<std::string> program_of(std::string_view pasted, Language language);

}  // namespace stridescope
