// What the command line asks for.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "cli/markdown.h"

namespace stridescope {

/// The exit status where nothing has come of it.
inline constexpr int failed = 1;

struct RenderOptions {
  std::vector<std::string> inputs;
  std::string output = "-";  ///< a file, a folder, or "-"
  Format format = Format::svg;
  Asked chosen;
  bool watch = false;
};

struct Options {
  enum class Command {
    trace,
    trace_lines,
    render,
    explain,
    python,
    markdown,
    mdbook,
    operations,
    operations_html,
    operations_names
  };
  Command command = Command::trace;
  Language language = Language::english;
  std::string input = "-";  ///< a file, "-" the standard input
  bool notations = false;   ///< of explain
  RenderOptions render;
  MarkdownOptions markdown;
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
