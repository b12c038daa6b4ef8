#include "ops/python/standard_library.h"

#include <algorithm>

namespace stridescope {
namespace {

constexpr Builtin of_standard[] = {
    {"collections.OrderedDict", nullptr, 0, 1},
    {"collections.defaultdict", nullptr, 0, max_items},
    {"collections.namedtuple", nullptr, 2, 2, "", "typename field_names defaults"},
    {"functools.cache", nullptr, 1, 1},
    {"functools.lru_cache", nullptr, 0, 1, "", "maxsize"},
    {"functools.partial", nullptr, 1, max_items},
    {"functools.reduce", nullptr, 2, 3},
    {"functools.wraps", nullptr, 1, 1},
    {"itertools.accumulate", nullptr, 1, 2, "initial", "iterable func"},
    {"itertools.batched", nullptr, 2, 2, "", "iterable n"},
    {"itertools.chain", nullptr, 0, max_items},
    {"itertools.chain.from_iterable", nullptr, 1, 1},
    {"itertools.combinations", nullptr, 2, 2, "", "iterable r"},
    {"itertools.combinations_with_replacement", nullptr, 2, 2, "", "iterable r"},
    {"itertools.compress", nullptr, 2, 2, "", "data selectors"},
    {"itertools.count", nullptr, 0, 2, "", "start step"},
    {"itertools.cycle", nullptr, 1, 1},
    {"itertools.dropwhile", nullptr, 2, 2},
    {"itertools.filterfalse", nullptr, 2, 2},
    {"itertools.groupby", nullptr, 1, 2, "", "iterable key"},
    {"itertools.islice", nullptr, 2, 4},
    {"itertools.pairwise", nullptr, 1, 1},
    {"itertools.permutations", nullptr, 1, 2, "", "iterable r"},
    {"itertools.product", nullptr, 0, max_items, "repeat"},
    {"itertools.repeat", nullptr, 1, 2, "", "object times"},
    {"itertools.starmap", nullptr, 2, 2},
    {"itertools.takewhile", nullptr, 2, 2},
    {"itertools.zip_longest", nullptr, 0, max_items, "fillvalue"},
    {"open", nullptr, 1, 2, "", "file mode"},
    {"operator.add", nullptr, 2, 2},
    {"operator.and_", nullptr, 2, 2},
    {"operator.attrgetter", nullptr, 1, max_items},
    {"operator.contains", nullptr, 2, 2},
    {"operator.eq", nullptr, 2, 2},
    {"operator.floordiv", nullptr, 2, 2},
    {"operator.ge", nullptr, 2, 2},
    {"operator.getitem", nullptr, 2, 2},
    {"operator.gt", nullptr, 2, 2},
    {"operator.invert", nullptr, 1, 1},
    {"operator.is_", nullptr, 2, 2},
    {"operator.is_not", nullptr, 2, 2},
    {"operator.itemgetter", nullptr, 1, max_items},
    {"operator.le", nullptr, 2, 2},
    {"operator.lshift", nullptr, 2, 2},
    {"operator.lt", nullptr, 2, 2},
    {"operator.matmul", nullptr, 2, 2},
    {"operator.mod", nullptr, 2, 2},
    {"operator.mul", nullptr, 2, 2},
    {"operator.ne", nullptr, 2, 2},
    {"operator.neg", nullptr, 1, 1},
    {"operator.not_", nullptr, 1, 1},
    {"operator.or_", nullptr, 2, 2},
    {"operator.pos", nullptr, 1, 1},
    {"operator.pow", nullptr, 2, 2},
    {"operator.rshift", nullptr, 2, 2},
    {"operator.sub", nullptr, 2, 2},
    {"operator.truediv", nullptr, 2, 2},
    {"operator.truth", nullptr, 1, 1},
    {"operator.xor", nullptr, 2, 2},
    {"os.path.exists", nullptr, 1, 1},
    {"os.path.getsize", nullptr, 1, 1},
    {"os.path.isfile", nullptr, 1, 1},
    {"os.remove", nullptr, 1, 1},
    {"os.unlink", nullptr, 1, 1},
    {"time.monotonic", nullptr, 0, 0},
    {"time.perf_counter", nullptr, 0, 0},
    {"time.process_time", nullptr, 0, 0},
    {"time.sleep", nullptr, 1, 1},
    {"time.thread_time", nullptr, 0, 0},
    {"time.time", nullptr, 0, 0},
    {"timeit.default_timer", nullptr, 0, 0},
    {"timeit.repeat", nullptr, 0, 6},
    {"timeit.timeit", nullptr, 0, 5},
};

}  // namespace

std::span<const Builtin> standard_functions() { return of_standard; }

bool is_standard_function(const Builtin& function) {
  return &function >= std::begin(of_standard) && &function < std::end(of_standard);
}

std::optional<Places> product_of(const std::vector<size_t>& sizes) {
  Places found{{}};
  for (const size_t size : sizes) {
    if (size > max_items || size * found.size() * sizes.size() > max_nested_items) return std::nullopt;
    Places longer;
    for (const std::vector<size_t>& places : found)
      for (size_t next = 0; next < size; ++next) {
        longer.push_back(places);
        longer.back().push_back(next);
      }
    found = std::move(longer);
  }
  return found;
}

std::optional<Places> picked_of(size_t n, size_t k, Picked how) {
  Places found;
  if (k > (how == Picked::with_replacement ? max_nested_items : n))
    return how == Picked::with_replacement && n > 0 ? std::nullopt : std::optional(found);
  std::vector<size_t> places;
  std::vector<bool> taken(n);  // of permutations
  // The next place to try behind those that are picked; where none is left, the last of them gives way to the next.
  for (size_t next = 0;;) {
    const size_t left = k - places.size();
    while (next < n && taken[next]) ++next;
    const bool fits = next < n && (how != Picked::combinations || n - next >= left);
    if (left > 0 && fits) {
      places.push_back(next);
      if (how == Picked::permutations)
        taken[next] = true, next = 0;
      else if (how == Picked::combinations)
        ++next;
      continue;
    }
    if (left == 0) found.push_back(places);
    if (found.size() * std::max<size_t>(k, 1) > max_nested_items) return std::nullopt;
    if (places.empty()) return found;
    taken[places.back()] = false;
    next = places.back() + 1;
    places.pop_back();
  }
}

std::string_view operator_named(std::string_view function) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"add", "+"},     {"and_", "&"},   {"contains", "in"}, {"eq", "=="},         {"floordiv", "//"}, {"ge", ">="},
      {"gt", ">"},      {"invert", "~"}, {"is_", "is"},      {"is_not", "is not"}, {"le", "<="},       {"lshift", "<<"},
      {"lt", "<"},      {"matmul", "@"}, {"mod", "%"},       {"mul", "*"},         {"ne", "!="},       {"neg", "-"},
      {"not_", "not"},  {"or_", "|"},    {"pos", "+"},       {"pow", "**"},        {"rshift", ">>"},   {"sub", "-"},
      {"truediv", "/"}, {"xor", "^"}};
  const auto* named =
      std::find_if(std::begin(names), std::end(names), [&](const auto& one) { return one.first == function; });
  return named == std::end(names) ? std::string_view() : named->second;
}

}  // namespace stridescope
