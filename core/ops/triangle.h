// The part of matrices that lies on one side of a diagonal.
#pragma once
#include "ops/contents.h"

namespace stridescope {

/// The elements in row-major order, with zeros where column - row is more than `shift`; for the upper triangle where it
/// is less.
/// @pre  at least two dimensions: the last two are rows and columns
/// @return  null where that is too costly
ContentsPtr triangle_of(const Elements& from, int64_t shift, bool lower);

}  // namespace stridescope
