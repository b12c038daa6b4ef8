// What PyTorch's functions for matrices share: what they ask of them, and how LAPACK's results lie in memory. It writes
// a matrix column by column, and PyTorch keeps what it wrote: so strides are (1, rows), which few expect of a new
// tensor.
#pragma once
#include <initializer_list>
#include <string>

#include "ops/lapack.h"
#include "ops/torch/torch.h"

namespace stridescope {

/// What a function asks of matrices, and its name as its messages begin: "linalg.inv".
struct Checked {
  std::string_view which;
  bool square = true, floating = true, half = true;
};
/// Whether the matrices in `tensor` are so, looked at in PyTorch's order; `letter` is what its messages call them.
/// False: the call failed.
bool check_matrices(Call& call, const Tensor& tensor, const char* parameter, const char* letter, const Checked& asked);
/// Whether the routine is there for the dtype, or the call failed.
bool has_routine(Call& call, const char* kernel, DType dtype);
/// How PyTorch names the matrix that a verdict is about: "(Batch element 1): "; nothing where there is but one.
std::string batch_text(const Tensor& stack, const Verdict& found);
/// Whether each matrix has an inverse, or the call failed, in the name of `which`.
bool check_invertible(Call& call, const Tensor& tensor, std::string_view which);

/// Matrices, each with its columns side by side in memory; batched_matrix_contiguous_strides in PyTorch.
Layout by_columns(const Dims& sizes);

/// A tensor that LAPACK reckoned: values are not known, or stand-ins.
Value reckoned_by_lapack(Call& call, DType dtype, const Layout& layout);
/// The same with its headline, as the only result.
Value one_result(Call& call, DType dtype, const Layout& layout);
struct Factor {
  DType dtype;
  Layout layout;
  ContentsPtr contents = nullptr;  ///< where they are no cells of the layout alone that LAPACK reckons
};
/// Several results under their names.
Value named_results(Call& call, std::initializer_list<Factor> factors);

}  // namespace stridescope
