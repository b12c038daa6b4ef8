// Many elements made one: totals, extremes, spreads, running totals and sums of products. Computed at once, so only for
// what is small; what is made of more is not known.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "ops/call.h"

namespace stridescope {

/// Most elements that one call adds up, and most multiplications that it does.
inline constexpr int64_t most_folded = 1 << 16;
inline constexpr int64_t most_products = 1 << 20;
/// And in all that a program does, so that loops over large matrices answer, too.
inline constexpr int64_t most_reckoned = 1 << 24;

/// The work that Call::unreckoned is to know of for so many elements that are added up.
inline int64_t folding(int64_t count) { return count > most_folded ? INT64_MAX : count; }

/// The elements of a tensor as rows, each of which becomes one element.
struct Rows {
  Dims kept;                     ///< sizes of what stays
  Dims sizes;                    ///< sizes of the result, with 1 for a folded dimension that is kept
  int64_t count = 1, each = 1;   ///< rows, and elements of a row
  Elements elements;             ///< row by row
  Dims along;                    ///< the dimensions that are folded
  bool unknown = false;          ///< too many to look at, or not known: so is what becomes of them
  std::optional<Elements> mask;  ///< of the elements that take part, row by row; all where there is none
  std::optional<Elements> runs;  ///< of an array: the same rows, each in the order in which NumPy adds it up
  int64_t run = 1;               ///< how many elements of those it adds up at once
  bool buffered = false;         ///< whether it copies them for that

  Scalar at(int64_t row, int64_t k) const { return element(elements, row * each + k); }
  bool takes(int64_t row, int64_t k) const { return !mask || is_true(element(*mask, row * each + k)); }
  int64_t taken(int64_t row) const;  ///< how many elements of a row take part
};

/// The rows along the dimensions `along`, in any order. Those that are `unknown` are not to be read.
/// @pre  `mask`, where there is one, has the tensor's sizes
Rows rows_along(const Tensor& tensor, const Dims& along, bool keep, std::optional<Elements> mask = {});
/// Whether they may be read, or the call is refused.
bool readable(Call& call, const Rows& rows);
/// What `fold` makes of each row; not known where the rows are not.
ContentsPtr fold_rows(Call& call, const Rows& rows, DType dtype, const std::function<Scalar(int64_t)>& fold);
/// All dimensions of a tensor.
Dims all_dims(const Tensor& tensor);

/// The type that sums of `dtype` are kept in: the widest of its kind.
DType widest(DType dtype);
/// As NumPy adds up what lies one behind the other: one after the other, from 8 on in eight sums side by side, from 129
/// on in halves; each step rounded to `step`.
double pairwise_sum(std::span<const double> values, DType step);
/// A row added up or multiplied, each element converted to `dtype` first; in the widest type of its kind. Steps that
/// are rounded keep float32 of half precision, unless `halves` are wanted.
Scalar total(const Rows& rows, int64_t row, DType dtype, bool product, bool skip_nan = false, bool halves = false);
/// The place of the largest or smallest in a row, -1 where none takes part; the first of equals, and the first NaN
/// before all. Complex numbers go by their real part, and then by the other.
int64_t best_of(const Rows& rows, int64_t row, bool most);
/// The squares of the distances in a row from `middle`, added up.
double squares(const Rows& rows, int64_t row, const Scalar& middle);
/// Of the absolute values of a row: the largest, the smallest, how many are not 0, or (sum of a ** p) ** (1 / p), for p
/// inf, -inf, 0 or another number. The sum is infinite, or 0, where it is so in `held`.
double length_of(const Rows& rows, int64_t row, double p, DType held);

/// Every element (row-major) joined by `op` with all before it along dimension `d`, each converted to `dtype` first;
/// each step is rounded to `kept`, and what is returned to `dtype`.
std::vector<Scalar> running(const Elements& elements, int d, DType dtype, DType kept, Arithmetic op,
                            std::optional<int64_t> begin = std::nullopt);

/// y[.., i, j] = sum over k of a[.., i, k] * b[.., k, j], row-major, in `dtype`; null where the call failed.
/// @pre  both have the same leading sizes, and as many columns of `a` as rows of `b`
ContentsPtr products(Call& call, const Elements& a, const Elements& b, DType dtype);

inline bool is_whole(DType dtype) { return !is_floating(dtype) && !is_complex(dtype); }

}  // namespace stridescope
