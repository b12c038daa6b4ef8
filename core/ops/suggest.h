// "Did you mean": the nearest of the words that could stand there.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stridescope {

/// The candidate that takes the fewest insertions, deletions, replacements and swaps of neighbours to get from
/// `word`, where that is at most a third of its length (at least one); the first of equals.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace stridescope
