// What PyTorch's functions for matrices share: what they ask of them, and how LAPACK's results lie in memory. It writes
// a matrix column by column, and PyTorch keeps what it wrote: so strides are (1, rows), which few expect of a new
// tensor. How LAPACK rounds is not modelled, so values are not known; where an error hangs on them, ops/elimination.h
// says what is sure.
#pragma once
#include <initializer_list>
#include <string>

#include "ops/elimination.h"
#include "ops/fold.h"
#include "ops/torch/torch.h"

namespace stridescope {

/// What a function asks of matrices, and its name as its messages begin: "linalg.inv".
struct Checked {
  std::string which;
  bool square = true, floating = true, half = true;
};
/// Whether the matrices in `tensor` are so, looked at in PyTorch's order; `letter` is what its messages call them.
/// False: the call failed.
bool check_matrices(Call& call, const Tensor& tensor, const char* parameter, const char* letter, const Checked& asked);
/// Whether the routine is there for the dtype, or the call failed.
bool has_routine(Call& call, const char* kernel, DType dtype);
/// What is not finite ends most of these with an error that tells of the algorithm. False: the call failed.
bool check_finite(Call& call, const Tensor& tensor);
/// Whether each matrix has an inverse, or the call failed, in the name of `which`.
bool check_invertible(Call& call, const Tensor& tensor, const std::string& which);

// Of a stack of matrices.  @pre at least two dimensions

inline int64_t rows_of_matrix(const Tensor& tensor) { return tensor.layout.sizes[tensor.layout.rank() - 2]; }
inline int64_t columns_of_matrix(const Tensor& tensor) { return tensor.layout.sizes.back(); }
/// The sizes in front of the last two, and behind them those of `matrix`.
Dims of_batch(const Tensor& tensor, const Dims& matrix);
/// Matrices, each with its columns side by side in memory; batched_matrix_contiguous_strides in PyTorch.
Layout by_columns(const Dims& sizes);

/// A tensor that LAPACK reckoned: values are not known, or stand-ins.
Value reckoned_by_lapack(Call& call, DType dtype, const Layout& layout);
/// The same with its headline, as the only result.
Value one_result(Call& call, DType dtype, const Layout& layout);
struct Factor {
  DType dtype;
  Layout layout;
};
/// Several results under their names.
Value named_results(Call& call, std::initializer_list<Factor> factors);

/// Whether matrices are as an algorithm needs them, found out by reckoning: `judge` gives a Verdict of Elements. Where
/// one is not, `fail` is called with how PyTorch names it ("(Batch element 1): ") and its element. False: the call
/// failed.
template <typename Judge, typename Fail>
bool as_needed(Call& call, const Tensor& tensor, Judge judge, Fail fail) {
  const int64_t n = columns_of_matrix(tensor), count = *numel(tensor.layout.sizes);
  if (checked_mul(count, n).value_or(INT64_MAX) > most_products)
    return call.drawn() || (call.refuse(Msg::lapack_decides), false);  // a random matrix is as good as any
  if (!call.quick(elements_of(tensor), count)) return false;
  const Verdict found = judge(elements_of(tensor));
  if (found.kind == Verdict::Kind::yes) return true;
  if (found.kind == Verdict::Kind::open || call.drawn()) return call.refuse(Msg::lapack_decides), false;
  const std::string batch =
      tensor.layout.rank() > 2 ? "(Batch element " + std::to_string(found.matrix) + "): " : std::string();
  return fail(batch, found.element), false;
}

}  // namespace stridescope
