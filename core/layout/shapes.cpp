#include "layout/shapes.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "layout/view.h"

namespace stridescope {
namespace {

/// Primes with their exponents, ascending. No int64_t has more than 15 of them.
class Factors {
 public:
  struct Factor {
    int64_t prime;
    int exponent;
  };
  const Factor* begin() const { return list_.data(); }
  const Factor* end() const { return begin() + count_; }
  void multiply(int64_t prime) {
    Factor* const last = list_.data() + count_;
    Factor* const at = std::find_if(list_.data(), last, [&](const Factor& factor) { return factor.prime >= prime; });
    if (at != last && at->prime == prime) return void(++at->exponent);
    std::move_backward(at, last, last + 1);
    *at = {prime, 1};
    ++count_;
  }

 private:
  std::array<Factor, 15> list_;  ///< those from count_ on are never read
  int count_ = 0;
};

/// Calls visit(prime) for each prime factor.  @pre number >= 1
template <class Visit>
void visit_primes(int64_t number, Visit visit) {
  for (int64_t prime = 2; prime <= max_prime_factor && prime * prime <= number; prime += prime == 2 ? 1 : 2)
    for (; number % prime == 0; number /= prime) visit(prime);
  if (number > 1) visit(number);
}

int64_t choose(int64_t n, int64_t k) {
  int64_t result = 1;
  for (int64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

/// In how many ways a number is the product of 0, 1, .. max_shape_rank factors, all above 1, in order.
using Ways = std::array<int64_t, max_shape_rank + 1>;

/// @pre  the number is above 1
Ways splits(const Factors& factors) {
  Ways with_ones{}, ways{};  // by inclusion and exclusion from factors that may be 1
  for (int parts = 1; parts <= max_shape_rank; ++parts) {
    with_ones[static_cast<size_t>(parts)] = 1;
    for (const auto& [prime, exponent] : factors)
      with_ones[static_cast<size_t>(parts)] *= choose(exponent + parts - 1, parts - 1);
    for (int real = 1; real <= parts; ++real)
      ways[static_cast<size_t>(parts)] +=
          ((parts - real) % 2 ? -1 : 1) * choose(parts, real) * with_ones[static_cast<size_t>(real)];
  }
  return ways;
}

/// The same for a number of two parts, each of which is split by itself.
Ways one_after_the_other(const Ways& first, const Ways& second) {
  Ways ways{};
  for (size_t a = 0; a < ways.size(); ++a)
    for (size_t b = 0; a + b < ways.size(); ++b) ways[a + b] += first[a] * second[b];
  return ways;
}

/// The number of shapes by rank: sizes of 1 may stand anywhere between the others.
Ways with_ones_between(const Ways& ways) {
  Ways counts{};
  for (int rank = 0; rank <= max_shape_rank; ++rank)
    for (int real = 0; real <= rank; ++real)
      counts[static_cast<size_t>(rank)] += choose(rank, real) * ways[static_cast<size_t>(real)];
  return counts;
}

/// The divisors, ascending; of more than max_divisors so many.
std::vector<int64_t> divisors_of(const Factors& factors) {
  std::vector<int64_t> divisors{1};
  for (const auto& [prime, exponent] : factors) {
    // What the prime divides is the prime times what came before, in the same order: two ascending lists become one.
    const std::vector<int64_t> without = std::exchange(divisors, {});
    const size_t count = std::min(without.size() * static_cast<size_t>(exponent + 1), max_divisors);
    int64_t most = prime;  // of the prime that is in one
    for (int power = 1; power < exponent; ++power) most *= prime;
    divisors.reserve(count);
    for (size_t next = 0, from = 0; divisors.size() < count;) {
      while (from < divisors.size() && divisors[from] % most == 0) ++from;
      const bool more = from < divisors.size() && (next == without.size() || divisors[from] * prime < without[next]);
      divisors.push_back(more ? divisors[from++] * prime : without[next++]);
    }
  }
  return divisors;
}

/// Where the divisors are not all there are: they and every size that lies between two cuts.
std::vector<int64_t> with_ratios(const std::vector<int64_t>& known, int64_t count, const Dims& cracks,
                                 const Dims& request) {
  if (known.size() < max_divisors) return {};
  std::vector<int64_t> divisors = known, cuts{1, count};
  cuts.insert(cuts.end(), cracks.begin(), cracks.end());
  cuts.insert(cuts.end(), request.begin(), request.end());
  for (const int64_t from : cuts)
    for (const int64_t to : cuts)
      if (to % from == 0 && count % to == 0) divisors.push_back(to / from);
  std::sort(divisors.begin(), divisors.end());
  divisors.erase(std::unique(divisors.begin(), divisors.end()), divisors.end());
  return divisors;
}

/// The cuts of a shape, ascending.
Dims cuts_of(const Dims& sizes) {
  Dims cuts;
  int64_t passed = 1;
  for (int d = 0; d + 1 < sizes.size(); ++d) cuts.push_back(passed *= sizes[d]);
  return cuts;
}

/// All shapes of one rank, one distance and one number of sizes of 1, smaller sizes first, as far as the list takes
/// them.
class ShapeSearch {
 public:
  ShapeSearch(int64_t count, const Dims& cracks, const std::vector<int64_t>& divisors, Wanted wanted,
              const Dims& request, size_t most)
      : count_(count), cracks_(cracks), divisors_(divisors), wanted_(wanted), request_(request), most_(most) {
    found_.reserve(most);
  }

  bool done() const { return found_.size() >= most_ || trials_ >= max_shape_trials; }
  std::vector<Shape>& found() { return found_; }

  void collect(int rank, int distance, int ones) {
    const int cuts = std::max(rank - 1, 0), wished = request_.size();
    const int twice = distance + cuts - wished;  // cuts of its own and cuts shared: own + shared, own + wished - shared
    if (twice < 0 || twice % 2 != 0 || twice / 2 > cuts) return;
    if (cuts - twice / 2 > wished) return;
    rank_ = rank;
    extend(1, ones, twice / 2, 0);
  }

 private:
  /// Puts in the next size. `passed`: the product so far; `own`: how many more cuts the request does not have; `next`:
  /// the first cut of the request that is not used.
  void extend(int64_t passed, int ones, int own, int next) {
    if (done()) return;
    const int left = rank_ - sizes_.size();
    if (ones > left || own > left - 1) return;
    if (left == 1) return finish(passed, ones);
    const int64_t bound = next_crack(passed);
    const int spare = own - missing_cracks(passed, next);
    if (spare < 0) return;
    if (spare == 0) {
      // Only the request's cuts, of equal ones the first that is left, and the cracks it lacks.
      int64_t tried = 0;
      for (int k = next; k < request_.size() && request_[k] <= bound; ++k)
        if (request_[k] != tried && request_[k] >= passed && request_[k] % passed == 0)
          attempt(passed, (tried = request_[k]) / passed, ones, own, next);
      if (own > 0 && tried != bound) attempt(passed, bound / passed, ones, own, next);
      return;
    }
    const int64_t rest = bound / passed;
    for (const int64_t size : divisors_) {
      if (size > rest || done()) break;
      if (++trials_, rest % size == 0) attempt(passed, size, ones, own, next);
    }
  }

  /// The cut that a view may not pass over: the first crack after `passed`; elsewhere the end.
  int64_t next_crack(int64_t passed) const {
    const int64_t* crack =
        wanted_ == Wanted::views ? std::upper_bound(cracks_.begin(), cracks_.end(), passed) : cracks_.end();
    return crack == cracks_.end() ? count_ : *crack;
  }

  /// How many cracks after `passed` a view needs beyond the request's cuts from `next` on.
  int missing_cracks(int64_t passed, int next) const {
    if (wanted_ != Wanted::views) return 0;
    return static_cast<int>(std::count_if(
        std::upper_bound(cracks_.begin(), cracks_.end(), passed), cracks_.end(),
        [&](int64_t crack) { return !std::binary_search(request_.begin() + next, request_.end(), crack); }));
  }

  /// @pre  passed * size divides the number of elements
  void attempt(int64_t passed, int64_t size, int ones, int own, int next) {
    ++trials_;
    const int64_t cut = passed * size;
    if (size == 1 && ones == 0) return;
    while (next < request_.size() && request_[next] < cut) ++next;
    const bool shared = next < request_.size() && request_[next] == cut;
    if (!shared && own == 0) return;
    if (next_crack(passed) % cut != 0) return;
    sizes_.push_back(size);
    extend(cut, ones - (size == 1), own - !shared, next + shared);
    sizes_.pop_back();
  }

  void finish(int64_t passed, int ones) {
    const int64_t size = count_ / passed;
    if (ones != (size == 1)) return;
    sizes_.push_back(size);
    const Dims cuts = cuts_of(sizes_);
    const bool views = std::includes(cuts.begin(), cuts.end(), cracks_.begin(), cracks_.end());
    if (wanted_ == Wanted::all || views == (wanted_ == Wanted::views)) found_.push_back({sizes_, views});
    sizes_.pop_back();
  }

  const int64_t count_;
  const Dims& cracks_;
  const std::vector<int64_t>& divisors_;
  const Wanted wanted_;
  const Dims& request_;
  const size_t most_;
  std::vector<Shape> found_;
  Dims sizes_;
  int rank_ = 0, trials_ = 0;
};

}  // namespace

Shapes::Shapes(const Layout& layout) {
  Factors all, chunk;  // what is between two cracks
  Ways viewed{1};
  int outer = -1;
  for (int d = 0; d < layout.rank(); ++d) {
    const int64_t size = layout.sizes[d];
    if (size == 1) continue;
    if (outer >= 0 && !joint(layout, outer, d).welded()) {
      cracks_.push_back(count_);
      viewed = one_after_the_other(viewed, splits(chunk));
      chunk = {};
    }
    visit_primes(size, [&](int64_t prime) { all.multiply(prime), chunk.multiply(prime); });
    count_ *= size;
    outer = d;
  }
  if (outer >= 0) viewed = one_after_the_other(viewed, splits(chunk));
  divisors_ = divisors_of(all);
  views_of_ = with_ones_between(viewed);
  all_of_ = with_ones_between(count_ == 1 ? Ways{1} : splits(all));
  views_ = std::accumulate(views_of_.begin(), views_of_.end(), int64_t{0});
  all_ = std::accumulate(all_of_.begin(), all_of_.end(), int64_t{0});
}

std::vector<Shape> Shapes::nearest(const Dims& request, Wanted wanted, int most) const {
  const Dims cuts = cuts_of(request);
  const int wished = cuts.size();
  const int64_t there = wanted == Wanted::views ? views_ : wanted == Wanted::copies ? all_ - views_ : all_;
  const size_t limit = static_cast<size_t>(std::min<int64_t>(there, std::max(most, 0)));
  const std::vector<int64_t> more = with_ratios(divisors_, count_, cracks_, cuts);
  ShapeSearch search(count_, cracks_, more.empty() ? divisors_ : more, wanted, cuts, limit);
  for (int distance = 0; distance <= wished + max_shape_rank && !search.done(); ++distance)
    for (int ones = 0; ones <= max_shape_rank; ++ones) {
      // A single element also fits no dimension at all, which is a step beyond one dimension.
      if (count_ == 1 && ones == 0 && distance == wished + 1 && !search.done() && wanted != Wanted::copies)
        search.found().push_back({{}, true});
      for (int rank = 1; rank <= max_shape_rank; ++rank) search.collect(rank, distance, ones);
    }
  return std::move(search.found());
}

std::vector<Shape> Shapes::of_rank(int rank, Wanted wanted, int most) const {
  const int64_t there = wanted == Wanted::views    ? views(rank)
                        : wanted == Wanted::copies ? copies(rank)
                                                   : views(rank) + copies(rank);
  const auto limit = static_cast<size_t>(std::min<int64_t>(there, std::max(most, 0)));
  const Dims unasked;
  const std::vector<int64_t> more = with_ratios(divisors_, count_, cracks_, unasked);
  ShapeSearch search(count_, cracks_, more.empty() ? divisors_ : more, wanted, unasked, limit);
  for (int ones = 0; ones <= rank && !search.done(); ++ones) search.collect(rank, rank - 1, ones);
  return std::move(search.found());
}

}  // namespace stridescope
