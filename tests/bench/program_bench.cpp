// From text to picture. The argument is the side of a cube: 10^3, 10^6 and 10^12 elements must cost the same.
#include <benchmark/benchmark.h>

#include "stridescope.h"

namespace stridescope {
namespace {

std::string ten_lines(int64_t side) {
  const std::string n = std::to_string(side);
  return "import torch\n"
         "x = torch.arange(" +
         n +
         "**3)\n"
         "cube = x.view(" +
         n + ", " + n + ", " + n +
         ")\n"
         "y = cube.permute(2, 0, 1)\n"
         "z = y[::2, 1:]\n"
         "flat = y.view(-1)\n"
         "flat = y.reshape(-1)\n"
         "rows = cube[0].unsqueeze(0).expand(3, " +
         n + ", " + n +
         ")\n"
         "t = cube.transpose(0, 2)\n"
         "t.is_contiguous()\n";
}

void TraceTenLines(benchmark::State& state) {
  const std::string source = ten_lines(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(evaluate(source));
}
BENCHMARK(TraceTenLines)->Arg(10)->Arg(100)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void Draw(benchmark::State& state, int step) {
  const Trace trace = evaluate(ten_lines(state.range(0)));
  ViewState view;
  view.step = step;
  view.head = state.range(0) * state.range(0) / 3;
  for (auto _ : state) benchmark::DoNotOptimize(draw(trace, view));
}
BENCHMARK_CAPTURE(Draw, permuted, 2)->Arg(10)->Arg(100)->Arg(10'000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Draw, failed_view, 4)->Arg(10)->Arg(100)->Arg(10'000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Draw, copy, 5)->Arg(10)->Arg(100)->Arg(10'000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace stridescope
