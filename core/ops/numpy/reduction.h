// What reductions along axes share: what they are asked for, the rows that are folded, and the array of the results.
#pragma once
#include <functional>
#include <optional>
#include <string_view>

#include "ops/fold.h"
#include "ops/numpy/numpy.h"

namespace stridescope {

/// What every reduction is asked for.
struct AskedReduction {
  TensorRef array;
  Dims along;         ///< the axes to reduce; all where none is named
  bool keep = false;  ///< keepdims
};

AskedReduction reduction_asked(Call& call);
/// The axes of a ufunc's reduction; a number may be reduced along an axis that it does not have.
Dims reduced_axes(Call& call, const Tensor& array);
/// The name of the ufunc that a reduction folds with, as messages give it.
std::string_view reducing_ufunc(const Call& call);
/// The rows to fold, of the elements that where= lets take part; nothing where the call failed.
std::optional<Rows> rows_of(Call& call, const AskedReduction& asked);
/// What a row starts from: initial=, or nothing.
std::optional<Scalar> initial_of(Call& call, DType dtype);
/// The dtype that a sum, product or extreme is reckoned in: that of out=, where there is one, counts like an operand's.
DType reduced_in(const Call& call, DType dtype);
/// The call fails where there is nothing to start a row from, though where= may leave none of it or it is empty.
void check_start(Call& call, const Rows& rows);

/// The results in an array of its own, its axes in `order`, the slowest first.
Value folded(Call& call, const Rows& rows, const AskedReduction& asked, DType dtype, const Dims& order,
             const std::function<Scalar(int64_t)>& fold);
/// The same; the axes that stay keep the order of |strides|.
Value folded(Call& call, const Rows& rows, const AskedReduction& asked, DType dtype,
             const std::function<Scalar(int64_t)>& fold);

/// A sum as a mean, in double precision: no longer a whole number; a complex one is divided as complex numbers are.
Scalar divided(Scalar sum, double count);

/// A copy of the array in the order of its strides with another number for each NaN; of whole numbers the array itself.
/// The call may fail.
Tensor without_nan(Call& call, const Tensor& array, double instead);

/// What NumPy makes of an array without elements where NaN are left out: NaN, as np.nanmean with the call's arguments.
Value mean_of_nothing(Call& call);

/// np.sum, np.prod and the like: the elements of a row added up or multiplied.
Value sum_row(Call& call);
/// np.var and np.std: how far the elements of a row lie from their mean.
Value spread_row(Call& call);

}  // namespace stridescope
