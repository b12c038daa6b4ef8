// Pasted text as a program, the failing line of a traceback with values that make it fail as it did.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "explain/message.h"

namespace stridescope {

/// The program that a pasted text stands for (lang/transcript.h); nothing where that is the text itself. The error of a
/// traceback is a comment in front. The names of a line that is all one has get values: those with which it raises
/// the very error, looked for among tensors of the sizes that its message tells; where there are none, any, and a
/// comment says so; of many names none. Comments are in `language`.
/// @pre none: any bytes  @post never longer than the text by more than 1000 bytes
std::optional<std::string> program_of(std::string_view pasted, Language language);

}  // namespace stridescope
