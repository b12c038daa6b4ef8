// Where the ```stridescope blocks of a Markdown text are, as CommonMark has it: in quotes and items of lists, too.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace stridescope {

/// A part of the text: what stays as it is, or a block.
struct Part {
  std::string text;  ///< of a block its program
  bool block = false;
  int first_line = 1;  ///< of a program in the file
  bool closed = true;
  /// What quotes and items put before the first line of what the block becomes, and before each of the others.
  std::string first_margin{}, margin{};
};

/// @post one behind the other they are the whole text, but for the fences of blocks
std::vector<Part> parts_of(std::string_view markdown);

}  // namespace stridescope
