// The algebra is O(rank): no figure here may depend on the number of elements.
#include <benchmark/benchmark.h>

#include "layout/access_path.h"
#include "layout/lookup.h"
#include "layout/transform.h"
#include "layout/view.h"

namespace stridescope {
namespace {

/// A cube of side `side`, its last dimension moved to the front.
Layout permuted_cube(int64_t side) { return permute(contiguous({side, side, side}), {2, 0, 1}); }

void ViewSplitsAndMerges(benchmark::State& state) {
  const int64_t side = state.range(0);
  const Layout cube = permuted_cube(side);
  const Dims sizes{side / 2, 2, side * side};
  for (auto _ : state) benchmark::DoNotOptimize(view(cube, sizes));
}
BENCHMARK(ViewSplitsAndMerges)->Arg(10)->Arg(100)->Arg(10'000);

void ViewFindsTheCrack(benchmark::State& state) {
  const int64_t side = state.range(0);
  const Layout cube = permuted_cube(side);
  const Dims flat{side * side * side};
  for (auto _ : state) benchmark::DoNotOptimize(view(cube, flat));
}
BENCHMARK(ViewFindsTheCrack)->Arg(10)->Arg(100)->Arg(10'000);

void PathStatisticsOfAPermutedCube(benchmark::State& state) {
  const AccessPath path(permuted_cube(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(path.statistics());
}
BENCHMARK(PathStatisticsOfAPermutedCube)->Arg(10)->Arg(100)->Arg(10'000);

void OffsetOfAnElement(benchmark::State& state) {
  const AccessPath path(permuted_cube(state.range(0)));
  int64_t position = 0;
  for (auto _ : state) {
    position = (position + 999'999'937) % path.size();
    benchmark::DoNotOptimize(path.offset(position));
  }
}
BENCHMARK(OffsetOfAnElement)->Arg(10)->Arg(100)->Arg(10'000);

void ElementOfAnOffset(benchmark::State& state) {
  const Layout cube = permuted_cube(state.range(0));
  const int64_t cells = *numel(cube.sizes);
  int64_t place = 0;
  for (auto _ : state) {
    place = (place + 999'999'937) % cells;
    benchmark::DoNotOptimize(index_of(cube, place));
  }
}
BENCHMARK(ElementOfAnOffset)->Arg(10)->Arg(100)->Arg(10'000);

void CellsOfOverlappingWindows(benchmark::State& state) {
  const Layout windows{{state.range(0), 100}, {1, 1}, 0};
  for (auto _ : state) benchmark::DoNotOptimize(distinct_cells(windows));
}
BENCHMARK(CellsOfOverlappingWindows)->Arg(1'000)->Arg(1'000'000)->Arg(1'000'000'000'000);

}  // namespace
}  // namespace stridescope
