// Text as the pictures set it: made printable, measured, shortened, broken into lines. No host is asked for a width.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace stridescope {

/// `text` on one line and safe to show anywhere: line ends and tabs are blanks, control characters are their
/// pictures (U+2400 ..), direction overrides and the like are spelt "\u202e", bytes that are not UTF-8 are U+FFFD.
/// @post  valid UTF-8 whose every character is allowed in XML; printable(printable(t)) == printable(t)
std::string printable(std::string_view text);

/// `text` or, where it is wider than `width`, its beginning and an ellipsis; empty where not even that fits.
/// @post  text_width(result, size) <= width
std::string shortened(std::string_view text, Unit size, Unit width);

/// `text` in lines no wider than `width`, broken at blanks (and between CJK characters; anywhere in a word that is
/// wider than a line). More than `most` lines end in an ellipsis.  @pre most >= 1
std::vector<std::string> wrapped(std::string_view text, Unit size, Unit width, int most);

}  // namespace stridescope
