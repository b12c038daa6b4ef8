#include "ops/suggest.h"

#include <algorithm>

namespace stridescope {
namespace {

/// Optimal string alignment distance, or `most` + 1 where it is larger.
size_t distance(std::string_view a, std::string_view b, size_t most) {
  const size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap > most) return most + 1;
  std::vector<size_t> before, previous(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::move(previous);
    previous = std::move(row);
    row.assign(b.size() + 1, 0);
  }
  return previous[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.size() > 64) return std::nullopt;
  size_t best = std::max<size_t>(1, word.size() / 3) + 1;
  std::optional<std::string> found;
  for (std::string_view candidate : candidates) {
    if (candidate == word) continue;
    const size_t edits = distance(word, candidate, best - 1);
    if (edits < best && edits < std::max(word.size(), candidate.size())) {
      best = edits;
      found = std::string(candidate);
    }
  }
  return found;
}

}  // namespace stridescope
