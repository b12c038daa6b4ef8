// What speed is promised of, each as a function to repeat: the same for Google Benchmark natively and for wasm, which
// has none.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace stridescope {

struct Measure {
  std::string name;
  std::function<void()> run;
};
std::vector<Measure> measures();

/// Something that a compiler cannot know to be unused.
inline volatile int64_t sink = 0;

}  // namespace stridescope
