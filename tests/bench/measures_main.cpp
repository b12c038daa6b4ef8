// The measures without Google Benchmark, for wasm under Node: "name nanoseconds" a line, the least of several rounds.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "measures.h"

int main() {
  using Clock = std::chrono::steady_clock;
  for (const stridescope::Measure& measure : stridescope::measures()) {
    double best = 1e18;
    const auto end = Clock::now() + std::chrono::milliseconds(500);
    for (long batch = 1; Clock::now() < end;) {
      const auto begin = Clock::now();
      for (long i = 0; i < batch; ++i) measure.run();
      const double took = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
      best = std::min(best, took / static_cast<double>(batch));
      if (took < 2e5) batch *= 2;  // short, so that some round is not interrupted
    }
    std::printf("%s %.1f\n", measure.name.c_str(), best);
  }
}
