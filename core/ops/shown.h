// Which elements of a tensor or an array its text shows.
#pragma once
#include <optional>
#include <vector>

#include "ops/tensor.h"

namespace stridescope {

/// All of them, or of more than 1000 the first three and the last three along every dim of more than six; or as many as
/// the library's print options say.
struct Shown {
  int64_t at_an_end = 3;
  Dims sizes;                    ///< how many along each dim
  Dims of;                       ///< of how many
  bool is_summary = false;       ///< of more than those, even where none is left out: (6, 6, 6, 6)
  std::vector<Scalar> elements;  ///< those of `sizes`, row-major

  /// Whether those left out of dim `d` are before the i-th that is shown.
  bool is_gap(int d, int64_t i) const { return i == at_an_end && sizes[d] < of[d]; }
};

/// Nothing where reading and writing them takes more than a moment. The last `inner` dims are one element's own: they
/// are not counted, and shown whole.
std::optional<Shown> shown_of(const Tensor& tensor, int inner = 0);

}  // namespace stridescope
