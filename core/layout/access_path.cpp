#include "layout/access_path.h"

namespace stridescope {

void AccessPath::offsets(int64_t first, std::span<int64_t> out) const {
  int64_t* next = out.data();
  runs(first, static_cast<int64_t>(out.size()), [&](const Run& run) {
    // What comes after the last one may leave int64_t. Eight at a time: no engine of wasm does that by itself.
    constexpr uint64_t block = 8;
    const uint64_t stride = static_cast<uint64_t>(run.stride);
    uint64_t place = static_cast<uint64_t>(run.offset);
    int64_t* const end = next + run.count;
    for (; end - next >= static_cast<int64_t>(block); next += block, place += block * stride)
      for (uint64_t i = 0; i < block; ++i) next[i] = static_cast<int64_t>(place + i * stride);
    for (; next != end; place += stride) *next++ = static_cast<int64_t>(place);
  });
}

}  // namespace stridescope
