// What NumPy's functions for matrices share: what they ask of them, and how LAPACK's results come to be in C order.
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "ops/lapack.h"
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
  Dims order;  ///< stack_order()
};
std::optional<Stack> stack_given(Call& call, bool square);

/// The axes of a stack, those of the matrices apart, in the order in which NumPy goes over them, the slowest first: of
/// several stacks those of what they broadcast to.  @pre they do
Dims stack_order(const std::vector<Tensor>& stacks);
/// A new array of such axes, and of those of a matrix in C order behind them, whose values are not known, or are
/// stand-ins.
Value from_lapack(Call& call, const Dims& sizes, DType dtype, const Dims& order = {});
/// The headline of `count` arrays, of the shapes in `list`; how `matrices` among them come to be in C order, and that a
/// stack's axes are in another (stack_order()).
void explain_arrays(Call& call, size_t count, const std::string& list, bool matrices, const Dims& order = {});
/// One result, with its headline; of one matrix a number is a scalar.
Value one_array(Call& call, const Dims& sizes, DType dtype, const Dims& order = {});
struct LapackPart {
  Dims sizes;
  DType dtype;
};
/// Several results under their names.
Value named_arrays(Call& call, std::initializer_list<LapackPart> parts, const Dims& order);

/// Whether no element is NaN, where LAPACK gives up to look for singular values; or the call failed.
bool check_not_nan(Call& call, const Tensor& stack, std::string_view error = "SVD did not converge");
/// Whether each matrix has an inverse, or the call failed.
bool sure_invertible(Call& call, const Tensor& stack);

}  // namespace stridescope
