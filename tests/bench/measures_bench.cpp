#include <benchmark/benchmark.h>

#include "measures.h"

namespace {

const bool registered = [] {
  for (const stridescope::Measure& measure : stridescope::measures())
    benchmark::RegisterBenchmark(measure.name.c_str(), [run = measure.run](benchmark::State& state) {
      for (auto _ : state) run();
    });
  return true;
}();

}  // namespace
