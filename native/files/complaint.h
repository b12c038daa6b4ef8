// What is wrong, and where, as compilers say it: "lesson.py:3:5: message", hints below.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "files/files.h"
#include "stridescope.h"

namespace stridescope {

struct Complaint {
  std::string place;
  Message reason;
  std::vector<Hint> hints;
};

/// Onto the standard error.
void complain(const Complaint& complaint, Language language);
void complain(const FileProblem& problem, Language language);

/// A file as messages name it: "-" is <stdin>.
std::string shown_name(const std::string& file);

/// What keeps a text from being a program at all. An exception that the libraries raise is not among it: it is what the
/// lesson shows.
/// @param first_line  of the program in its file, counted from 1
std::vector<Complaint> faults(const Trace& trace, const std::string& file, int first_line = 1);

}  // namespace stridescope
