// What products of matrices ask of their operands.
#pragma once
#include "ops/call.h"

namespace stridescope {

/// Whether matrices of those sizes can be multiplied, or the call failed as mm and addmm word it.
bool check_mm(Call& call, const Tensor& a, const Tensor& b, const Dims& left, const Dims& right);
/// The same of a batch of matrices, as bmm and its kin word it.
bool check_bmm(Call& call, const Tensor& a, const Tensor& b, const Dims& left, const Dims& right,
               const char* kernel = "bmm");

// How products fail; false is answered.
bool mismatch(Call& call, const Slots& text, const Dims& a, const Dims& b);
bool wrong_rank(Call& call, const Slots& text, int wanted, int got);
bool same_dtype(Call& call, const Tensor& a, const Tensor& b, const Slots& text);
bool has_kernel(Call& call, DType dtype, const std::string& kernel);
/// "2x3"
std::string by(const Dims& sizes);

Value matmul(Call& call, const Tensor& a, const Tensor& b);
/// Whether two vectors have a dot product, and a matrix and a vector a product, or the call failed.
bool check_dot(Call& call, const Tensor& a, const Tensor& b);
bool check_mv(Call& call, const Slot& input, const Tensor& a, const Tensor& b);
/// torch.dot
Value vector_product(Call& call, const Tensor& a, const Tensor& b);
/// The sizes of what it makes, or nothing and the call failed as it does.
/// @pre  both have at least one dimension, and one of them more than two or both two
std::optional<Dims> matmul_sizes(Call& call, const Tensor& a, const Tensor& b);

/// The elements of a step on the way, which no program can reach.
Tensor step_of(DType dtype, const Layout& layout, ContentsPtr contents);
/// The sum along some dimensions, which stay with size 1 if they are kept; packed.
std::optional<Tensor> summed(Call& call, const Tensor& tensor, const Dims& along, bool keep);
/// The elements in the order of `dims`, packed, seen under `sizes` of as many; without contents where that is too
/// costly.
Elements matrices(const Tensor& tensor, const Dims& dims, const Dims& sizes);
/// The product of two steps element by element, as a tensor of its own; nothing is said of it.
Value multiplied_elements(Call& call, const Tensor& a, const Tensor& b);

}  // namespace stridescope
