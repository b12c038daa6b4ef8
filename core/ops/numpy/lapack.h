// What NumPy's functions for matrices share: what they ask of them, and how LAPACK's results come to be in C order. How
// LAPACK rounds is not modelled, so values are not known; where an error, or what comes of it, hangs on them,
// ops/elimination.h says what is sure.
#pragma once
#include <initializer_list>
#include <optional>
#include <string>

#include "ops/elimination.h"
#include "ops/fold.h"
#include "ops/numpy/numpy.h"

namespace stridescope {

/// Whether `given`, which is `array`, is a stack of matrices: square ones, one `alone`. False: the call failed.
bool is_stack(Call& call, const Value& given, const Tensor& array, bool square, bool alone = false);
/// The dtype that LAPACK works in: of whole numbers float64. Nothing, and the call failed, where it has none.
std::optional<DType> lapack_dtype(Call& call, std::initializer_list<const Tensor*> arrays);
/// The stack of matrices, square ones, that the call is given as its first argument, and the dtype that LAPACK works
/// in. Nothing where the call failed.
struct Stack {
  Tensor array;
  DType dtype;
};
std::optional<Stack> stack_given(Call& call, bool square);
/// The dtype of real parts.
DType size_of_pairs(DType dtype);

// Of a stack of matrices.

inline int64_t rows_in(const Tensor& array) { return array.layout.sizes[array.layout.rank() - 2]; }
inline int64_t columns_in(const Tensor& array) { return array.layout.sizes.back(); }
/// The sizes in front of the last two, and behind them those of `matrix`.
Dims stacked(const Tensor& array, const Dims& matrix);

/// A new array in C order, whose values are not known, or are stand-ins.
Value from_lapack(Call& call, const Dims& sizes, DType dtype);
/// The headline of `count` arrays, of the shapes in `list`; and how `matrices` among them come to be in C order.
void explain_arrays(Call& call, size_t count, const std::string& list, bool matrices);
/// One result, with its headline; of one matrix a number is a scalar.
Value one_array(Call& call, const Dims& sizes, DType dtype);
struct LapackPart {
  Dims sizes;
  DType dtype;
};
/// Several results under their names.
Value named_arrays(Call& call, std::initializer_list<LapackPart> parts);

/// Whether matrices are as an algorithm needs them, found out by reckoning: `judge` gives a Verdict of Elements; fails
/// with `text` where one is not, and where that cannot be told. False: the call failed.
template <typename Judge>
bool as_wanted(Call& call, const Tensor& array, Judge judge, const char* text, Msg reason) {
  if (checked_mul(count_of(array), columns_in(array)).value_or(INT64_MAX) > most_products)
    return call.drawn() || (call.refuse(Msg::lapack_decides), false);
  if (!call.quick(elements_of(array), count_of(array))) return false;
  const Verdict found = judge(elements_of(array));
  if (found.kind == Verdict::Kind::yes) return true;
  if (found.kind == Verdict::Kind::open || call.drawn()) return call.refuse(Msg::lapack_decides), false;
  return call.fail("LinAlgError", text, reason, {found.element}), false;
}
bool sure_invertible(Call& call, const Tensor& array);
/// Whether nothing in it is infinite or NaN, as far as values are known and can be looked at: what is may keep the
/// steps from ending, which is an error. False: the call failed.
bool sure_finite(Call& call, const Tensor& array);

}  // namespace stridescope
