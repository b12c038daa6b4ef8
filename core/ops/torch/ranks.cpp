#include "ops/torch/ranks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "ops/arithmetic.h"

namespace stridescope {
namespace {

bool exceeds(const Scalar& a, const Scalar& b) {
  const Scalar pair[] = {a, b};
  return is_true(reckon(Arithmetic::greater, pair));
}

/// libstdc++'s nth_element, sort and partial_sort. `Before` tells of two items whether the one comes first.
template <typename Item, typename Before>
class Sorter {
 public:
  Sorter(std::vector<Item>& line, Before before) : line_(line), before_(std::move(before)) {}

  /// Puts the element of rank `nth` in its place, those before it before it.
  void select(int64_t nth) {
    int64_t first = 0, last = size();
    for (int64_t depth = limit(last); last - first > 3; --depth) {
      if (depth == 0) {
        heap_select(first, nth + 1, last);
        return std::swap(at(first), at(nth));
      }
      const int64_t cut = partition(first, last);
      (cut <= nth ? first : last) = cut;
    }
    insert(first, last);
  }
  void sort(int64_t last) {
    if (last <= 0) return;
    sort_coarsely(0, last, limit(last));
    if (last <= 16) return insert(0, last);
    insert(0, 16);
    for (int64_t i = 16; i < last; ++i) insert_unguarded(i);
  }
  void sort_first(int64_t middle) {
    heap_select(0, middle, size());
    sort_heap(0, middle);
  }

 private:
  int64_t size() const { return static_cast<int64_t>(line_.size()); }
  Item& at(int64_t i) { return line_[static_cast<size_t>(i)]; }
  bool before(const Item& a, const Item& b) const { return before_(a, b); }
  static int64_t limit(int64_t count) {
    int64_t depth = 0;
    for (; count > 1; count /= 2) depth += 2;
    return depth;
  }
  void insert_unguarded(int64_t i) {
    const Item value = at(i);
    for (; before(value, at(i - 1)); --i) at(i) = at(i - 1);
    at(i) = value;
  }
  void insert(int64_t first, int64_t last) {
    for (int64_t i = first + 1; i < last; ++i) {
      if (!before(at(i), at(first))) {
        insert_unguarded(i);
        continue;
      }
      const Item value = at(i);
      for (int64_t j = i; j > first; --j) at(j) = at(j - 1);
      at(first) = value;
    }
  }
  /// Around the median of three.
  int64_t partition(int64_t first, int64_t last) {
    const int64_t a = first + 1, b = first + (last - first) / 2, c = last - 1;
    const bool ab = before(at(a), at(b)), bc = before(at(b), at(c)), ac = before(at(a), at(c));
    std::swap(at(first), at(ab ? (bc ? b : ac ? c : a) : (ac ? a : bc ? c : b)));
    int64_t low = first + 1, high = last;
    for (;; ++low) {
      while (before(at(low), at(first))) ++low;
      --high;
      while (before(at(first), at(high))) --high;
      if (low >= high) return low;
      std::swap(at(low), at(high));
    }
  }
  void sort_coarsely(int64_t first, int64_t last, int64_t depth) {
    while (last - first > 16) {
      if (depth-- == 0) {
        heap_select(first, last, last);
        return sort_heap(first, last);
      }
      const int64_t cut = partition(first, last);
      sort_coarsely(cut, last, depth);
      last = cut;
    }
  }
  /// A value sinks from `hole` to the leaves, then rises to where it belongs.
  void adjust(int64_t first, int64_t hole, int64_t count, const Item& value) {
    const int64_t top = hole;
    int64_t child = hole;
    while (child < (count - 1) / 2) {
      child = 2 * (child + 1);
      if (before(at(first + child), at(first + child - 1))) --child;
      at(first + hole) = at(first + child);
      hole = child;
    }
    if (count % 2 == 0 && child == (count - 2) / 2) {
      child = 2 * (child + 1);
      at(first + hole) = at(first + child - 1);
      hole = child - 1;
    }
    for (int64_t parent = (hole - 1) / 2; hole > top && before(at(first + parent), value); parent = (hole - 1) / 2) {
      at(first + hole) = at(first + parent);
      hole = parent;
    }
    at(first + hole) = value;
  }
  void pop(int64_t first, int64_t last, int64_t result) {
    const Item value = at(result);
    at(result) = at(first);
    adjust(first, 0, last - first, value);
  }
  void heap_select(int64_t first, int64_t middle, int64_t last) {
    for (int64_t parent = (middle - first - 2) / 2; middle - first >= 2 && parent >= 0; --parent)
      adjust(first, parent, middle - first, Item(at(first + parent)));
    for (int64_t i = middle; i < last && middle > first; ++i)
      if (before(at(i), at(first))) pop(first, middle, i);
  }
  void sort_heap(int64_t first, int64_t last) {
    for (; last - first > 1; --last) pop(first, last - 1, last - 1);
  }

  std::vector<Item>& line_;
  Before before_;
};

/// Of a line whose largest come first, or whose smallest do.
auto sorter_of(Ranks& line, bool largest) {
  return Sorter(line, [largest](const Ranked& a, const Ranked& b) {
    if (largest) return is_above(a.value, b.value);
    return (!std::isnan(a.value.real) && std::isnan(b.value.real)) || exceeds(b.value, a.value);
  });
}

}  // namespace

bool is_above(const Scalar& a, const Scalar& b) { return (std::isnan(a.real) && !std::isnan(b.real)) || exceeds(a, b); }

void put_first(Ranks& line, int64_t k, bool largest, bool sorted) {
  auto sorter = sorter_of(line, largest);
  if (k * 64 <= static_cast<int64_t>(line.size())) return sorter.sort_first(k);
  sorter.select(k - 1);
  if (sorted) sorter.sort(k - 1);
}

void put_in_order(Ranks& line) { sorter_of(line, false).sort(static_cast<int64_t>(line.size())); }

void put_in_order(std::vector<int64_t>& places, const std::function<bool(int64_t, int64_t)>& before) {
  Sorter(places, std::cref(before)).sort(static_cast<int64_t>(places.size()));
}

/// PyTorch's own quick select.
Ranked kth_of(Ranks line, int64_t k) {
  const auto at = [&](int64_t i) -> Ranked& { return line[static_cast<size_t>(i)]; };
  const auto ordered = [&](int64_t low, int64_t high) {
    if (is_above(at(low).value, at(high).value)) std::swap(at(low), at(high));
  };
  int64_t left = 0, right = static_cast<int64_t>(line.size()) - 1;
  while (right > left + 1) {
    std::swap(at(left + (right - left) / 2), at(left + 1));
    ordered(left + 1, right);
    ordered(left, right);
    ordered(left + 1, left);
    const Ranked pivot = at(left);  // the middle one of three
    int64_t low = left + 1, high = right;
    for (;;) {
      do ++low;
      while (is_above(pivot.value, at(low).value));
      do --high;
      while (is_above(at(high).value, pivot.value));
      if (high < low) break;
      std::swap(at(low), at(high));
    }
    std::swap(at(left), at(high));
    if (high <= k) left = low;
    if (high >= k) right = high - 1;
  }
  if (right == left + 1) ordered(left, right);
  return at(k);
}

}  // namespace stridescope
