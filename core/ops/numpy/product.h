// Products that NumPy's generalized ufuncs reckon: matmul and its kin for vectors.
#pragma once
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/numpy/numpy.h"

namespace stridescope {

/// One of them: its name, which axes it reads (as NumPy writes that), and which operands are vectors. Of two of these,
/// and of one before a matrix, the first one is conjugated.
struct CoreProduct {
  std::string_view name, signature;
  bool left_vector = false, right_vector = false;
};

/// The operands as arrays; nothing, and the call failed, where there is no reckoning with one of them.
std::optional<std::pair<TensorRef, TensorRef>> core_operands(Call& call, const CoreProduct& what);

/// Whether the operands have the axes that it reads; else the call failed.
bool has_core(Call& call, const CoreProduct& what, const Tensor& a, const Tensor& b);
/// Whether `out`, where there is one, may be given what comes of such operands; else the call failed.
bool takes_products(Call& call, const CoreProduct& what, const Tensor& a, const Tensor& b, const TensorRef& out);
/// Refuses operands of sizes `a` and `b` whose leading axes, `of_a` and `of_b`, do not broadcast; the results have the
/// axes `core` behind those.
Value refuse_stacks(Call& call, const Dims& a, const Dims& of_a, const Dims& b, const Dims& of_b, const Dims& core);
/// The product, in `out` where there is one; the leading axes broadcast, and keep the order of |strides|. `own` are the
/// sizes of the operands as they were given, where axes have been moved.  @pre has_core()
Value core_product(Call& call, const CoreProduct& what, const Tensor& a, const Tensor& b,
                   const std::vector<Dims>& own = {}, const TensorRef& out = nullptr);

/// What became, in an array of their own or in that given as out=, of matrices of `rows` by `inner` and `inner` by
/// `columns`, and how those were read.
void explain_product(Call& call, int64_t rows, int64_t inner, int64_t columns, const Dims& sizes, const Tensor& a,
                     const Tensor& b);

}  // namespace stridescope
