// A figure as it is asked for, and its bytes in a format. The same words ask on the command line (--step 2) and in
// comment lines at the beginning of a program (#| step: 2), which is how a program inside a text says them.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "export/export.h"
#include "files/complaint.h"

namespace stridescope {

enum class Format { svg, png, pdf, tikz, html, json, txt, alt };
std::optional<Format> format_named(std::string_view name);
std::string_view name_of(Format format);

/// Options by name, without dashes: {"step": "0,2"}, {"all-steps": ""}.
using Asked = std::map<std::string, std::string, std::less<>>;

/// What a program asks of its figure in lines "#| name: value" before its first statement. Names are those of the
/// command line's options, and label, fig-cap and fig-alt.
struct OptionLines {
  Asked asked;
  std::optional<Complaint> wrong;  ///< a name that is not known, at its place
};
OptionLines option_lines(std::string_view source, const std::string& file, int first_line = 1);

struct FigureRequest {
  std::string source;
  ViewState view;
  std::vector<int> steps;  ///< those to draw; empty is view.step alone
  bool all_steps = false, animate = false, standalone = false;
  double scale = 2;
  std::string drawn_caption;       ///< below the picture
  std::string caption, label;      ///< for the text around the picture
  std::optional<std::string> alt;  ///< instead of the engine's own words
};

/// @param chosen  by the command line: it comes before the view that a picture carries, and that before option lines
std::variant<FigureRequest, Message> figure_of(const Opened& opened, const Asked& lines, const Asked& chosen);

/// One file's bytes.
struct Made {
  int step = -1;  ///< where there is a file a step
  std::string bytes;
};
struct Place {
  std::string file;
  int first_line = 1;  ///< of the program in the file
};
/// @post at least one; several only of formats that hold one picture; none where `progress` ended it
std::variant<std::vector<Made>, std::vector<Complaint>> make(const FigureRequest& figure, Format format,
                                                             const Place& place,
                                                             const Progress& progress = without_end);

/// What was made as files: one under the very name, several with their steps' numbers in it ("all-0.svg").
std::vector<File> as_files(std::vector<Made> made, const std::string& path, Format format);

/// The options that have no meaning in a format, as messages name them.
std::optional<Message> meaningless(const Asked& chosen, Format format);

}  // namespace stridescope
