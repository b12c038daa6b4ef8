// Sums of products: matmul and its kin. The result is always packed; transposed operands are read where they lie.
#include <algorithm>

#include "layout/transform.h"
#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/product.h"
#include "ops/torch/torch.h"

namespace stridescope {

bool mismatch(Call& call, const Slots& text, const Dims& a, const Dims& b) {
  return call.fail("RuntimeError", text, Msg::product_sizes, {to_string(a), to_string(b)}), false;
}

bool wrong_rank(Call& call, const Slots& text, int wanted, int got) {
  return call.fail("RuntimeError", text, Msg::product_rank, {wanted, got}), false;
}

bool same_dtype(Call& call, const Tensor& a, const Tensor& b, const Slots& text) {
  if (a.dtype == b.dtype) return true;
  return call.fail("RuntimeError", text, Msg::dtypes_differ, {name(a.dtype), name(b.dtype)}), false;
}

namespace {

bool same_scalar_type(Call& call, const Tensor& a, const Tensor& b) {
  return same_dtype(call, a, b,
                    {"expected scalar type ", scalar_type_name(a.dtype), " but found ", scalar_type_name(b.dtype)});
}

bool same_matrix_dtype(Call& call, const Tensor& a, const Tensor& b) {
  return same_dtype(
      call, a, b,
      {"expected m1 and m2 to have the same dtype, but got: ", cpp_name(a.dtype), " != ", cpp_name(b.dtype)});
}

}  // namespace

bool has_kernel(Call& call, DType dtype, const std::string& kernel) {
  if (dtype != DType::boolean && (!is_unsigned(dtype) || dtype == DType::uint8)) return true;
  return no_kernel(call, kernel, dtype), false;
}

std::string by(const Dims& sizes) { return std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]); }

bool check_mm(Call& call, const Tensor& a, const Tensor& b, const Dims& left, const Dims& right) {
  if (left[1] != right[0])
    return mismatch(call, {"mat1 and mat2 shapes cannot be multiplied (", by(left), " and ", by(right), ")"}, left,
                    right);
  if (!same_matrix_dtype(call, a, b)) return false;
  return left[0] == 0 || left[1] == 0 || right[1] == 0 || has_kernel(call, a.dtype, "addmm_impl_cpu_");
}

bool check_bmm(Call& call, const Tensor& a, const Tensor& b, const Dims& left, const Dims& right, const char* kernel) {
  if (left[0] != right[0] || left[2] != right[1])
    return mismatch(call,
                    {"Expected size for first two dimensions of batch2 tensor to be: ", list_text({left[0], left[2]}),
                     " but got: ", list_text({right[0], right[1]}), "."},
                    left, right);
  if (numel(left) == 0 || right[2] == 0) return true;  // nothing is read
  // Matrices of more are multiplied one by one, by addmm. Source: bmm_out_or_baddbmm_
  const auto area = checked_mul(left[1], right[2]), products = area ? checked_mul(*area, left[2]) : area;
  if (products && *products < 400) return has_kernel(call, a.dtype, kernel) && same_scalar_type(call, a, b);
  const bool same = std::string_view(kernel) == "bmm"
                        ? same_matrix_dtype(call, a, b)
                        : same_dtype(call, a, b,
                                     {"mat1 and mat2 must have the same dtype, but got ", scalar_type_name(a.dtype),
                                      " and ", scalar_type_name(b.dtype)});
  return same && has_kernel(call, a.dtype, "addmm_impl_cpu_");
}

bool check_dot(Call& call, const Tensor& a, const Tensor& b) {
  const Dims &left = a.layout.sizes, &right = b.layout.sizes;
  if (left.size() != 1 || right.size() != 1)
    return wrong_rank(call, {"1D tensors expected, but got ", left.size(), "D and ", right.size(), "D tensors"}, 1,
                      left.size() != 1 ? left.size() : right.size());
  if (!same_dtype(call, a, b,
                  {"dot : expected both vectors to have same dtype, but found ", scalar_type_name(a.dtype), " and ",
                   scalar_type_name(b.dtype)}))
    return false;
  if (left[0] != right[0])
    return mismatch(
        call,
        {"inconsistent tensor size, expected tensor ", list_text(left), " and src ", list_text(right),
         " to have the same number of elements, but got ", left[0], " and ", right[0], " elements respectively"},
        left, right);
  return has_kernel(call, a.dtype, "dot");
}

bool check_mv(Call& call, const Slot& input, const Tensor& a, const Tensor& b) {
  const Dims &left = a.layout.sizes, &right = b.layout.sizes;
  if (left.size() != 2 || right.size() != 1)
    return wrong_rank(call, {"vector + matrix @ vector expected, got 1, ", left.size(), ", ", right.size()},
                      left.size() != 2 ? 2 : 1, left.size() != 2 ? left.size() : right.size());
  if (left[1] != right[0])
    return mismatch(call, {"size mismatch, got input (", input, "), mat (", by(left), "), vec (", right[0], ")"}, left,
                    right);
  if (numel(left) == 0) return true;  // nothing is read
  // A complex vector is looked at apart, before the dtypes are compared.
  if (is_complex(b.dtype) && !has_kernel(call, a.dtype, "addmv_impl_cpu")) return false;
  return same_scalar_type(call, a, b) && has_kernel(call, a.dtype, "addmv_impl_cpu");
}

namespace {

bool check_mv(Call& call, const Tensor& a, const Tensor& b) {
  return check_mv(call, a.layout.sizes.empty() ? Slot{0} : Slot{a.layout.sizes[0]}, a, b);
}

/// y[.., i, j] = sum over k of a[.., i, k] * b[.., k, j], the leading dimensions broadcast.
/// Where nothing is read and so no dtype was asked for, the result has that of the vector, or of b.
/// @pre  both have at least two dimensions and fit
Value multiplied(Call& call, const Tensor& a, Layout left, const Tensor& b, Layout right, const Dims& result) {
  const int rank = std::max(left.rank(), right.rank());
  const int64_t rows = left.sizes[left.rank() - 2], inner = left.sizes.back(), columns = right.sizes.back();
  Dims batch;
  for (int d = 0; d + 2 < rank; ++d) {
    const int l = d - (rank - left.rank()), r = d - (rank - right.rank());
    batch.push_back(l >= 0 && left.sizes[l] != 1 ? left.sizes[l] : r >= 0 ? right.sizes[r] : 1);
  }
  const auto spread = [&](const Layout& layout) {
    Dims sizes = batch;
    sizes.push_back(layout.sizes[layout.rank() - 2]);
    sizes.push_back(layout.sizes.back());
    return expand(layout, sizes);
  };
  Elements one = elements_of(a), other = elements_of(b);
  one.layout = spread(left);
  other.layout = spread(right);
  const DType dtype = b.layout.rank() == 1 || a.layout.rank() > 1 ? b.dtype : a.dtype;
  call.why(Msg::product_headline, {rows, inner, columns, to_string(result)});
  if (!is_contiguous(a.layout) || !is_contiguous(b.layout))
    call.why(Msg::product_reads, {to_string(a.layout), to_string(b.layout)});
  return call.fresh(dtype, contiguous(result), products(call, one, other, dtype));
}

/// A vector as a matrix of one row or one column.
Layout as_row(const Layout& bytes) { return bytes.rank() == 1 ? insert_dim(bytes, 0, 0) : bytes; }
Layout as_column(const Layout& bytes) { return bytes.rank() == 1 ? insert_dim(bytes, 1, 0) : bytes; }

Value product(Call& call, const Tensor& a, const Tensor& b) {
  Dims result = a.layout.sizes;
  result.pop_back();
  const Dims& right = b.layout.sizes;
  if (right.size() == 2) result.push_back(right[1]);
  if (right.size() == 2 && a.layout.rank() == 1) result = {right[1]};
  return multiplied(call, a, as_row(*in_bytes(a)), b, as_column(*in_bytes(b)), result);
}

/// Of two vectors; in half precision each product is rounded before they are added up.
Value dot(Call& call, Tensor a, Tensor b) {
  const DType working = working_dtype(a.dtype);
  if (working == a.dtype) return product(call, a, b);
  const Elements pair[] = {elements_of(a), elements_of(b)};
  a.storage = std::make_shared<Storage>(*a.storage);
  a.storage->contents = elementwise(Arithmetic::multiply, pair, working, a.dtype);
  b.storage = std::make_shared<Storage>(*b.storage);
  b.storage->contents = constant_contents(integer_scalar(1, a.dtype), 1);
  a.layout = contiguous(a.layout.sizes);
  b.layout = {b.layout.sizes, {0}, 0};
  return product(call, a, b);
}

/// Whether matmul folds the leading dimensions of the larger operand into its rows.
/// @pre  one of them has at least three dimensions
/// Source: PyTorch's should_fold()
bool folds(const Tensor& a, const Tensor& b) {
  const int left = a.layout.rank(), right = b.layout.rank();
  if (left >= 3 && right >= 3) return false;
  if ((left >= 3 ? b : a).requires_grad) return true;  // its gradient would be as large as the other one
  if (left == 2) return false;
  const Layout larger = left >= 3 ? a.layout : transpose(b.layout, right - 1, right - 2);
  if (numel(larger.sizes) == 0) return true;
  for (int d = 0; d + 2 < larger.rank(); ++d)
    if (larger.strides[d] != larger.strides[d + 1] * larger.sizes[d + 1]) return false;
  return true;
}

/// A batch of one matrix that a gradient will be led back to is taken for that matrix.
Tensor without_batch(Tensor tensor, int64_t others) {
  if (tensor.layout.rank() == 3 && others != 1 && tensor.layout.sizes[0] == 1 && tensor.requires_grad)
    tensor.layout = select(tensor.layout, 0, 0);
  return tensor;
}

/// A matrix that is folded with a larger operand: both are transposed, and what is made is a view of their product.
/// @pre  it is packed as that view, too
Value multiplied_turned(Call& call, const Tensor& a, const Tensor& b, const Dims& sizes) {
  const auto turned = [](const Layout& layout) { return transpose(layout, layout.rank() - 2, layout.rank() - 1); };
  const Value product =
      multiplied(call, b, turned(*in_bytes(b)), a, turned(*in_bytes(a)), turned(contiguous(sizes)).sizes);
  if (call.failed()) return {};
  const Tensor hidden = *tensor_of(product);
  call.why(Msg::hidden_base);
  const Value seen = call.view(hidden, turned(hidden.layout));
  call.relation(Relation::fresh);
  return seen;
}

}  // namespace

Value vector_product(Call& call, const Tensor& a, const Tensor& b) {
  return check_dot(call, a, b) ? dot(call, a, b) : Value{};
}

std::optional<Dims> matmul_sizes(Call& call, const Tensor& a, const Tensor& b) {
  const int left = a.layout.rank(), right = b.layout.rank();
  const Dims &n = a.layout.sizes, &m = b.layout.sizes;
  if (left == 2 && right == 2) return check_mm(call, a, b, n, m) ? std::optional(Dims{n[0], m[1]}) : std::nullopt;
  const auto leading = [](const Dims& sizes) {
    Dims result;
    for (int d = 0; d + 2 < sizes.size(); ++d) result.push_back(sizes[d]);
    return result;
  };
  auto result = broadcast_sizes(call, leading(n), leading(m));
  if (!result) return std::nullopt;
  const int64_t inner = n.back(), other = right == 1 ? m[0] : m[right - 2];
  if (folds(a, b)) {
    // The larger one as a matrix; where that is b, both transposed.
    const bool turned = right > left;
    const Dims& larger = turned ? m : n;
    int64_t rows = 1;
    for (int d = 0; d + 1 < larger.size(); ++d) rows *= turned && d == larger.size() - 2 ? larger.back() : larger[d];
    const Dims folded{rows, turned ? other : inner}, second = turned && left == 2 ? Dims{n[1], n[0]} : turned ? n : m;
    Tensor vector = turned ? a : b, matrix = turned ? b : a;
    matrix.layout = contiguous(folded);
    if (second.size() == 1 ? !check_mv(call, matrix, vector) : !check_mm(call, matrix, vector, folded, second))
      return std::nullopt;
  } else {
    const int64_t batches = *numel(*result);
    if (!check_bmm(call, a, b, {batches, left == 1 ? 1 : n[left - 2], inner},
                   {batches, other, right == 1 ? 1 : m.back()}))
      return std::nullopt;
  }
  if (left > 1) result->push_back(n[left - 2]);
  if (right > 1) result->push_back(m.back());
  return result;
}

Value matmul(Call& call, const Tensor& a, const Tensor& b) {
  const int left = a.layout.rank(), right = b.layout.rank();
  if (left == 0 || right == 0)
    return wrong_rank(call,
                      {"both arguments to matmul need to be at least 1D, but they are ", left, "D and ", right, "D"}, 1,
                      0),
           Value{};
  if (left == 1 && right == 1) return vector_product(call, a, b);
  if (left == 2 && right == 1) return check_mv(call, a, b) ? product(call, a, b) : Value{};
  const Dims &n = a.layout.sizes, &m = b.layout.sizes;
  if (left <= 2 && right == 2) {
    const Dims rows = left == 1 ? Dims{1, n[0]} : n;
    return check_mm(call, a, b, rows, m) ? product(call, a, b) : Value{};
  }
  const auto result = left == 3 && right == 3 ? matmul_sizes(call, without_batch(a, m[0]), without_batch(b, n[0]))
                                              : matmul_sizes(call, a, b);
  if (!result) return {};
  if (left == 2 && right > 2 && a.requires_grad && (n[0] == 1 || m.back() == 1))
    return multiplied_turned(call, a, b, *result);
  return multiplied(call, a, as_row(*in_bytes(a)), b, as_column(*in_bytes(b)), *result);
}

namespace {

Value matmul_row(Call& call) {
  const TensorPtr a = tensor_of(call.value("input")), b = tensor_of(call.value("other"));
  return a && b ? matmul(call, *a, *b) : call.wrong_type(a ? "other" : "input", "Tensor");
}

Value mm_row(Call& call) {
  const TensorRef a = call.tensor("input"), b = call.tensor("mat2");
  const Dims &left = a->tensor->layout.sizes, &right = b->tensor->layout.sizes;
  if (left.size() != 2) return wrong_rank(call, "self must be a matrix", 2, left.size()), Value{};
  if (right.size() != 2) return wrong_rank(call, "mat2 must be a matrix", 2, right.size()), Value{};
  return check_mm(call, *a->tensor, *b->tensor, left, right) ? product(call, *a->tensor, *b->tensor) : Value{};
}

Value bmm_row(Call& call) {
  const TensorRef a = call.tensor("input"), b = call.tensor("mat2");
  const Dims &left = a->tensor->layout.sizes, &right = b->tensor->layout.sizes;
  if (left.size() != 3) return wrong_rank(call, "batch1 must be a 3D tensor", 3, left.size()), Value{};
  if (right.size() != 3) return wrong_rank(call, "batch2 must be a 3D tensor", 3, right.size()), Value{};
  if (!check_bmm(call, *a->tensor, *b->tensor, left, right)) return {};
  return multiplied(call, *a->tensor, *in_bytes(*a->tensor), *b->tensor, *in_bytes(*b->tensor),
                    {left[0], left[1], right[2]});
}

Value mv_row(Call& call) {
  const TensorRef a = call.tensor("input"), b = call.tensor("vec");
  if (a->tensor->layout.rank() == 0) call.wrap(0, 0, true);
  return !call.failed() && check_mv(call, *a->tensor, *b->tensor) ? product(call, *a->tensor, *b->tensor) : Value{};
}

Value dot_row(Call& call) {
  const TensorRef a = call.tensor("input"), b = call.tensor("tensor");
  return vector_product(call, *a->tensor, *b->tensor);
}

/// y[i, j] = a[i] * b[j] of two vectors.
Value outer_row(Call& call) {
  const TensorRef a = call.tensor("input"), b = call.tensor("vec2");
  for (const char* part : {"self", "vec2"}) {
    const int rank = (part[0] == 's' ? a : b)->tensor->layout.rank();
    if (rank != 1)
      return wrong_rank(call, {"outer: Expected 1-D argument ", part, ", but got ", rank, "-D"}, 1, rank), Value{};
  }
  const Dims sizes{a->tensor->layout.sizes[0], b->tensor->layout.sizes[0]};
  const DType dtype = promoted(a->tensor->dtype, b->tensor->dtype);
  Tensor upright = *a->tensor;
  upright.layout = unsqueeze(upright.layout, 1);
  const Value column{std::make_shared<TensorObject>(TensorObject{-1, std::make_shared<const Tensor>(upright)})}, row{b};
  const Value result = computed(call, Arithmetic::multiply, {&column, &row}, working_dtype(dtype), dtype);
  call.unsay(0);
  call.why(Msg::product_headline, {sizes[0], 1, sizes[1], to_string(sizes)});
  return result;
}

}  // namespace

std::span<const Op> torch_product_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.matmul(input: tensor, other: tensor)\nx.matmul(other: tensor)\n"
       "torch.linalg.matmul(input: tensor, other: tensor)\na @ b",
       Msg::op_matmul, "y[.., i, j] = sum of a[.., i, k] * b[.., k, j]; leading dimensions broadcast; always packed",
       "x = torch.arange(6).view(2, 3)\ny = x @ x.t()", matmul_row},
      {Library::torch, "torch.mm(input: tensor, mat2: tensor)\nx.mm(mat2: tensor)", Msg::op_matmul, "of two matrices",
       "x = torch.arange(6).view(2, 3)\ny = x.mm(x.t())", mm_row},
      {Library::torch, "torch.bmm(input: tensor, mat2: tensor)\nx.bmm(mat2: tensor)", Msg::op_matmul,
       "matrix by matrix of a batch", "x = torch.arange(12).view(2, 2, 3)\ny = x.bmm(x.mT)", bmm_row},
      {Library::torch, "torch.mv(input: tensor, vec: tensor)\nx.mv(vec: tensor)", Msg::op_matmul,
       "of a matrix and a vector", "x = torch.arange(6).view(2, 3)\ny = x.mv(torch.arange(3))", mv_row},
      {Library::torch, "torch.dot(input: tensor, tensor: tensor)\nx.dot(tensor: tensor)", Msg::op_matmul,
       "of two vectors", "x = torch.arange(3)\ny = x.dot(x)", dot_row},
      {Library::torch,
       "torch.outer(input: tensor, vec2: tensor)\nx.outer(vec2: tensor)\n"
       "torch.ger(input: tensor, vec2: tensor)\nx.ger(vec2: tensor)",
       Msg::op_matmul, "y[i, j] = a[i] * b[j]", "x = torch.arange(3)\ny = x.outer(x)", outer_row},
  };
  return rows;
}

}  // namespace stridescope
