// Rows that ask of elements only which are equal and which comes first: np.sort, np.unique, np.isin, np.searchsorted.
//
// They know numbers alone. In place of strings and structures they are handed numbers that are in the same order, and
// what they make of these becomes strings and structures again.
#pragma once
#include "ops/call.h"

namespace stridescope {

/// What the row makes of the call, whatever its elements are.
Value apply_numpy(Call& call);

}  // namespace stridescope
