// The promise that whatever stands in a line, it is answered.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "ops/program.h"

namespace stridescope {

/// Each line is read and is a step; one that fails has a reason, and a type where it is an error of a library. So many
/// lines at a time follow `setup`.
inline void expect_answers(const std::string& setup, const std::vector<std::string>& lines, size_t each) {
  for (size_t from = 0; from < lines.size(); from += each) {
    const size_t end = std::min(from + each, lines.size());
    std::string source = setup;
    for (size_t k = from; k < end; ++k) source += lines[k] + "\n";
    const Trace trace = evaluate(source);
    for (const Step& step : trace.steps) {
      if (!step.error) continue;
      EXPECT_FALSE(plain(step.error->reason, Language::english).empty()) << step.text;
      EXPECT_FALSE(step.error->raised && step.error->raised->type.empty()) << step.text;
    }
    EXPECT_TRUE(trace.diagnostics.empty()) << source;
    EXPECT_EQ(trace.steps.back().text, lines[end - 1]);
  }
}

}  // namespace stridescope
