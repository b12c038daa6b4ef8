// What a layout costs on a GPU, where a warp of 32 threads reads 32 elements at once, element k by thread k % 32:
// global memory answers in sectors of 32 bytes (the CUDA C++ Programming Guide, "Device Memory Accesses"), shared
// memory in passes over 32 banks, of which bank w % 32 holds word w of 4 bytes ("Shared Memory"). Both are counted from
// where offset 0 lies, which is a multiple of 128 bytes.
#pragma once
#include "layout/layout.h"

namespace stridescope {

inline constexpr int64_t warp_lanes = 32, sector_bytes = 32, bank_count = 32, bank_bytes = 4;

struct Warp {
  int64_t first = 0;    ///< position of its first element in row-major order: a multiple of 32
  int64_t lanes = 0;    ///< elements that it reads: 32, at the end those that are left
  int64_t sectors = 0;  ///< different sectors that hold a byte of them; reads of one sector are coalesced
  int64_t passes = 0;   ///< passes over the banks. In one pass each bank gives one word, to all that ask for it;
                       ///< elements of more than 4 bytes are asked for by as many threads at once as 128 bytes serve
  friend constexpr bool operator==(const Warp&, const Warp&) = default;
};

/// The warp that reads the `position`-th element. Strides and offset count cells of `cell_bytes` bytes; an element
/// begins in its cell and is `element_bytes` long. In O(rank), whatever the size.
/// @pre  is_valid(layout); 0 <= position < numel(layout.sizes); 1 <= element_bytes <= 16; its bytes fit int64_t
Warp warp_at(const Layout& layout, int64_t position, int64_t cell_bytes, int64_t element_bytes);

}  // namespace stridescope
