#include "layout/warp.h"

#include <algorithm>
#include <array>

#include "layout/access_path.h"
#include "layout/floor.h"

namespace stridescope {
namespace {

/// The different blocks of `block` bytes that elements of `bytes` bytes at `places` have a byte in, in order.
class Blocks {
 public:
  Blocks(std::span<const int64_t> places, int64_t bytes, int64_t block) {
    for (const int64_t place : places)
      for (int64_t k = floor_div(place, block); k <= floor_div(place + bytes - 1, block); ++k) *end_++ = k;
    std::sort(blocks_.begin(), end_);
    end_ = std::unique(blocks_.begin(), end_);
  }
  auto begin() const { return blocks_.begin(); }
  auto end() const { return static_cast<decltype(blocks_)::const_iterator>(end_); }

 private:
  // Elements of 16 bytes are in 5 words at most, and 8 of them are served at once; smaller ones are in 2 blocks or 3.
  std::array<int64_t, 3 * warp_lanes> blocks_{};
  std::array<int64_t, 3 * warp_lanes>::iterator end_ = blocks_.begin();
};

}  // namespace

Warp warp_at(const Layout& layout, int64_t position, int64_t cell_bytes, int64_t element_bytes) {
  const AccessPath path(layout);
  Warp warp{.first = position / warp_lanes * warp_lanes};
  warp.lanes = std::min(warp_lanes, path.size() - warp.first);
  std::array<int64_t, warp_lanes> at{};
  const std::span<int64_t> places(at.data(), static_cast<size_t>(warp.lanes));
  path.offsets(warp.first, places);
  for (int64_t& place : places) place *= cell_bytes;

  const Blocks sectors(places, element_bytes, sector_bytes);
  warp.sectors = sectors.end() - sectors.begin();
  const auto at_once = static_cast<size_t>(std::min(warp_lanes, bank_count * bank_bytes / element_bytes));
  for (size_t lane = 0; lane < places.size(); lane += at_once) {
    std::array<int64_t, bank_count> words{};
    for (const int64_t word :
         Blocks(places.subspan(lane, std::min(at_once, places.size() - lane)), element_bytes, bank_bytes))
      ++words[static_cast<size_t>(floor_mod(word, bank_count))];
    warp.passes += *std::max_element(words.begin(), words.end());
  }
  return warp;
}

}  // namespace stridescope
