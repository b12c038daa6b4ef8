// What is sure of a matrix before LAPACK is asked. LAPACK rounds in an order of its own, so an answer that hangs on the
// last digit is left open.
#pragma once
#include <optional>
#include <vector>

#include "ops/contents.h"

namespace stridescope {

/// What is found of matrices one after another: of the first that is not as it should be, which it is and at which
/// element of its diagonal that shows, both as the libraries count them: batches from 0, elements from 1.
struct Verdict {
  enum class Kind : uint8_t { yes, no, open } kind = Kind::yes;
  int64_t matrix = 0, element = 0;
};

/// Whether every element is finite.
bool all_finite(const Elements& elements);
/// Whether each has an inverse: elimination with the largest pivot of a column first, as getrf.
/// @pre the last two sizes are equal, and n * n * n of them for each matrix is not too much to reckon
Verdict invertible(const Elements& matrices);
/// Whether each has a Cholesky factor, by its lower or its upper half, as potrf.  @pre likewise
Verdict positive_definite(const Elements& matrices, bool upper);
/// Whether all their eigenvalues are real (yes), or some of one of them are not (no). Sure of triangular matrices, of
/// those of two rows, and of symmetric ones whose eigenvalues lie apart.  @pre likewise, and they are real
Verdict real_eigenvalues(const Elements& matrices);

/// Of each matrix, how many singular values are more than `share` of its largest; nothing where one of them lies so
/// near to that that a LAPACK that reckons with `dtype` might count it otherwise, or is not finite.
/// @pre at least two dimensions, and rows * columns * the lesser of them is not too much to reckon
std::optional<std::vector<int64_t>> sure_ranks(const Elements& matrices, DType dtype, double share);

}  // namespace stridescope
