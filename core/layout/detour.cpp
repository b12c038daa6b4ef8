#include "layout/detour.h"

#include <algorithm>

#include "layout/access_path.h"
#include "layout/stretches.h"
#include "layout/transform.h"
#include "layout/view.h"

namespace stridescope {
namespace {

/// Beyond so many dimensions only the memory order is tried.
constexpr int max_exchanged = 8;

Dims exchanged(int rank, int a, int b) {
  Dims dims = fortran_order(rank);
  std::swap(dims[a], dims[b]);
  return dims;
}

/// Tries permutations until one will do: those that move the least first, and `last` at the end.
template <class Try>
void try_orders(int rank, const Dims& last, Try will_do) {
  for (int a = 0; a < rank && rank <= max_exchanged; ++a)
    for (int b = a + 1; b < rank; ++b)
      if (will_do(exchanged(rank, a, b))) return;
  if (rank > 1) will_do(last);
}

Dims picked(const Dims& from, const Dims& dims) {
  Dims result;
  for (const int64_t d : dims) result.push_back(from[static_cast<int>(d)]);
  return result;
}

Dims inverse(const Dims& dims) {
  Dims result = Dims::filled(dims.size(), 0);
  for (int k = 0; k < dims.size(); ++k) result[static_cast<int>(dims[k])] = k;
  return result;
}

/// Which cells are read, and how often each: the dimensions that move, forward and joined, and a factor for all that
/// stay on their cell.
struct Cells {
  int64_t lowest = 0, times = 1;
  Stretches joined;
};

Cells cells(const Layout& layout) {
  Cells result{layout.storage_offset, 1, {}};
  for (int d = 0; d < layout.rank(); ++d) {
    if (layout.strides[d] == 0) result.times *= layout.sizes[d];
    if (layout.strides[d] < 0) result.lowest += (layout.sizes[d] - 1) * layout.strides[d];
  }
  for (const Stretches sorted = stretches(layout);
       const Stretch& next : std::span(sorted.list).first(static_cast<size_t>(sorted.count))) {
    Stretches& joined = result.joined;
    Stretch* last = joined.count > 0 ? &joined[joined.count - 1] : nullptr;
    if (last && next.stride == last->stride * last->size)
      last->size *= next.size;
    else
      joined.insert(next);
  }
  return result;
}

}  // namespace

bool same_cells(const Layout& a, const Layout& b) {
  const Cells of_a = cells(a), of_b = cells(b);
  if (of_a.lowest != of_b.lowest || of_a.times != of_b.times || of_a.joined.count != of_b.joined.count) return false;
  for (int k = 0; k < of_a.joined.count; ++k)
    if (of_a.joined[k].size != of_b.joined[k].size || of_a.joined[k].stride != of_b.joined[k].stride) return false;
  return true;
}

int64_t first_difference(const Layout& a, const Layout& b) {
  // Both walks add up, digit by digit, the places of the elements where a dimension first steps: while they agree at
  // all of these they agree everywhere.
  const int64_t count = *numel(a.sizes);
  const AccessPath first(a), second(b);
  int64_t least = count;
  for (const Layout* layout : {&a, &b}) {
    int64_t element = 1;
    for (int d = layout->rank() - 1; d >= 0 && element < least; element *= layout->sizes[d--])
      if (first.offset(element) != second.offset(element)) least = element;
  }
  return least;
}

std::vector<Detour> detours(const Layout& layout, const Dims& sizes) {
  std::vector<Detour> found;
  const auto take = [&](const Detour& detour) {
    if (!same_cells(detour.layout, layout)) return false;
    if (found.empty() || !(found.front().layout == detour.layout)) found.push_back(detour);
    return true;
  };
  const Dims as_is = fortran_order(layout.rank()), kept = fortran_order(sizes.size());
  try_orders(layout.rank(), slowest_first(layout), [&](const Dims& before) {
    const Viewed viewed = view(permute(layout, before), sizes);
    return as_layout(viewed) && take({before, sizes, kept, *as_layout(viewed)});
  });
  try_orders(sizes.size(), c_order(sizes.size()), [&](const Dims& after) {
    const Dims wanted = picked(sizes, inverse(after));
    const Viewed viewed = wanted == sizes ? Viewed(Crack{}) : view(layout, wanted);
    return as_layout(viewed) && take({as_is, wanted, after, permute(*as_layout(viewed), after)});
  });
  return found;
}

}  // namespace stridescope
