#include "app/history.h"

#include <algorithm>
#include <utility>

namespace stridescope {
namespace {

constexpr size_t most_moments = 500;  // of 20,000 bytes at most: 10 MB

/// Whether `longer` is `shorter` with one stretch of at most four bytes (a character) more; then that stretch.
std::string one_more(const std::string& shorter, const std::string& longer) {
  if (longer.size() <= shorter.size() || longer.size() - shorter.size() > 4) return "";
  const auto at = std::mismatch(shorter.begin(), shorter.end(), longer.begin()).second - longer.begin();
  const size_t more = longer.size() - shorter.size();
  std::string without = longer;
  without.erase(static_cast<size_t>(at), more);
  return without == shorter ? longer.substr(static_cast<size_t>(at), more) : "";
}

}  // namespace

void History::note(Moment before, const std::string& after) {
  const std::string typed = one_more(before.source, after);
  const Kind kind = !typed.empty()                            ? Kind::typed
                    : !one_more(after, before.source).empty() ? Kind::removed
                                                              : Kind::other;
  const bool goes_on = kind != Kind::other && kind == last_ && before.source == after_ &&
                       typed.find_first_of(" \n") == std::string::npos;
  last_ = kind;
  after_ = after;
  future_.clear();
  if (goes_on && !past_.empty()) return;
  past_.push_back(std::move(before));
  if (past_.size() > most_moments) past_.erase(past_.begin());
}

std::optional<Moment> History::move(std::vector<Moment>& from, std::vector<Moment>& to, Moment now) {
  if (from.empty()) return {};
  to.push_back(std::move(now));
  Moment moment = std::move(from.back());
  from.pop_back();
  last_ = Kind::other;
  return moment;
}

}  // namespace stridescope
