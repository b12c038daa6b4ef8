// What both libraries' linear algebra shares. A tensor holds a stack of matrices in its last two dimensions, and LAPACK
// reckons with them. How it rounds is not modelled, so what it makes has no known values; where an error, or what comes
// of it, hangs on them, ops/elimination.h says what is sure.
#pragma once
#include <optional>
#include <vector>

#include "ops/call.h"
#include "ops/elimination.h"
#include "ops/fold.h"

namespace stridescope {

// Of a stack of matrices.  @pre at least two dimensions

inline int64_t matrix_rows(const Tensor& stack) { return stack.layout.sizes[stack.layout.rank() - 2]; }
inline int64_t matrix_columns(const Tensor& stack) { return stack.layout.sizes.back(); }
/// The sizes in front of the last two, and behind them those of `matrix`.
Dims stacked(const Tensor& stack, const Dims& matrix);

/// What LAPACK reckons: not known, or stand-ins where stand-ins for random values went in, which is said.
ContentsPtr lapack_contents(Call& call, DType dtype, int64_t cells);
/// Ones on the diagonal of each matrix and zeros elsewhere, row-major; not known where they are too many to be listed.
/// @pre the last two sizes are equal
ContentsPtr identity_contents(const Dims& sizes, DType dtype);

/// Whether nothing in it is infinite or NaN, as far as values are known and can be looked at: what is may keep the
/// steps from ending, which is an error that tells of the algorithm. False: the call failed.
bool check_finite(Call& call, const Tensor& stack);

/// How many singular values of each matrix LAPACK counts that are more than `share` of its largest; of random matrices
/// too large to be looked at all. Nothing: the call failed.
std::optional<std::vector<int64_t>> ranks_of(Call& call, const Tensor& stack, DType dtype, double share);

/// Whether matrices are as an algorithm needs them, found out by reckoning: `judge` gives a Verdict of Elements. Where
/// one is not, `fail` is called with the verdict. False: the call failed.
template <typename Judge, typename Fail>
bool as_needed(Call& call, const Tensor& stack, Judge judge, Fail fail) {
  const int64_t n = matrix_columns(stack), count = *numel(stack.layout.sizes);
  if (checked_mul(count, n).value_or(INT64_MAX) > most_products)
    return call.drawn() || (call.refuse(Msg::matrix_too_large, {n}), false);  // a random matrix is as good as any
  if (!call.quick(elements_of(stack), count)) return false;
  const Verdict found = judge(elements_of(stack));
  if (found.kind == Verdict::Kind::yes) return true;
  if (found.kind == Verdict::Kind::open || call.drawn()) return call.refuse(Msg::lapack_decides), false;
  return fail(found), false;
}

/// A power as both libraries reckon it: by squaring, and by products of the squares that the bits of `power` name; the
/// third by one product after the other.  @pre power > 0
template <typename Made, typename Times>
Made power_of(const Made& base, int64_t power, Times times) {
  if (power == 3) return times(times(base, base), base);
  std::optional<Made> square, result;
  for (; power > 0; power /= 2) {
    square = square ? times(*square, *square) : base;
    if (power % 2 == 1) result = result ? times(*result, *square) : *square;
  }
  return *result;
}

}  // namespace stridescope
