// What the command line asks for.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "stridescope.h"

namespace stridescope {

struct Options {
  enum class Command { trace, trace_lines, render, explain, python, operations, operations_html, operations_names };
  Command command = Command::trace;
  std::string input = "-";   ///< a file, "-" the standard input
  std::string output = "-";  ///< of render
  bool notations = false;    ///< of explain
  ViewState view;
};

/// What is printed instead of running a command: help or version (status 0), or what is wrong with the options.
struct Notice {
  std::string text;
  int status = 0;
};

/// The language of help and messages: that of the last --lang, else English.
Language language_of(const std::vector<std::string>& arguments);

/// @param arguments  without the program's name
std::variant<Options, Notice> read_options(std::vector<std::string> arguments);

}  // namespace stridescope
