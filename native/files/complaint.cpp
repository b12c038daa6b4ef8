#include "files/complaint.h"

#include <algorithm>
#include <iostream>

namespace stridescope {
namespace {

/// "file:line:column" of a byte of the source, counted from 1, in characters.
std::string place(const std::string& file, std::string_view source, int32_t byte, int first_line) {
  const std::string_view before = source.substr(0, static_cast<size_t>(byte));
  const auto line = std::count(before.begin(), before.end(), '\n') + first_line;
  const std::string_view on_line = before.substr(before.rfind('\n') + 1);
  const auto column = std::count_if(on_line.begin(), on_line.end(), [](char c) { return (c & 0xC0) != 0x80; }) + 1;
  return shown_name(file) + ":" + std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace

void complain(const Complaint& complaint, Language language) {
  std::string text = complaint.place + ": " + plain(complaint.reason, language) + "\n";
  for (const Hint& hint : complaint.hints) text += "  " + plain(hint.message, language) + "\n";
  std::cerr << text << std::flush;
}

void complain(const FileProblem& problem, Language language) {
  complain({problem.file.empty() ? "stridescope" : shown_name(problem.file), problem.reason, {{problem.hint, {}}}},
           language);
}

std::string shown_name(const std::string& file) { return file == "-" ? "<stdin>" : file; }

std::vector<Complaint> faults(const Trace& trace, const std::string& file, int first_line) {
  std::vector<Complaint> found;
  for (const auto* diagnostics : {&trace.diagnostics, &trace.program.diagnostics})
    for (const Diagnostic& fault : *diagnostics)
      found.push_back({place(file, trace.source, fault.span.begin, first_line), fault.reason, fault.hints});
  return found;
}

}  // namespace stridescope
