#include "ops/torch/lapack.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stridescope {

bool check_matrices(Call& call, const Tensor& tensor, const char* parameter, const char* letter, const Checked& asked) {
  const Dims& sizes = tensor.layout.sizes;
  const int rank = sizes.size();
  const std::string_view dtype = scalar_type_name(tensor.dtype);
  if (rank < 2)
    call.about(parameter).fail("RuntimeError",
                               {asked.which, ": The input tensor ", letter, " must have at least 2 dimensions."},
                               Msg::needs_rank, {2, rank});
  else if (asked.square && sizes[rank - 2] != sizes[rank - 1])
    call.about(parameter).fail("RuntimeError",
                               {asked.which, ": A must be batches of square matrices, but they are ", sizes[rank - 2],
                                " by ", sizes[rank - 1], " matrices"},
                               Msg::matrix_not_square, {sizes[rank - 2], sizes[rank - 1]});
  else if (asked.floating && is_whole(tensor.dtype))
    call.about(parameter).fail("RuntimeError",
                               {asked.which, ": Expected a floating point or complex tensor as input. Got ", dtype},
                               Msg::floats_needed, {name(tensor.dtype)});
  else if (!asked.half && itemsize(tensor.dtype) == 2)
    call.about(parameter).fail("RuntimeError", {asked.which, ": Low precision dtypes not supported. Got ", dtype},
                               Msg::function_refuses, {asked.which, name(tensor.dtype)});
  return !call.failed();
}

bool has_routine(Call& call, const char* kernel, DType dtype) {
  const bool there = itemsize(dtype) >= 4 && !is_whole(dtype);
  if (!there) no_kernel(call, kernel, dtype);
  return there;
}

Layout by_columns(const Dims& sizes) {
  Layout layout = contiguous(sizes);
  const int rank = sizes.size();
  if (rank < 2) return layout;
  layout.strides[rank - 2] = 1;
  layout.strides[rank - 1] = std::max<int64_t>(sizes[rank - 2], 1);
  return layout;
}

Value reckoned_by_lapack(Call& call, DType dtype, const Layout& layout) {
  return call.fresh(dtype, layout, lapack_contents(call, dtype, *numel(layout.sizes)));
}

Value one_result(Call& call, DType dtype, const Layout& layout) {
  fresh_layout(call, layout.sizes, dtype);  // which may be more than memory is counted in
  if (call.failed()) return {};
  call.why(Msg::fresh_headline, {*numel(layout.sizes), name(dtype), to_string(layout)});
  if (!is_contiguous(layout)) call.why(Msg::matrix_columns, {layout.strides.back()});
  return reckoned_by_lapack(call, dtype, layout);
}

Value named_results(Call& call, std::initializer_list<Factor> factors) {
  std::string list;
  const Factor* columns = nullptr;
  for (const Factor& factor : factors) {
    fresh_layout(call, factor.layout.sizes, factor.dtype);
    list += (list.empty() ? "" : ", ") + to_string(factor.layout);
    if (!columns && !is_contiguous(factor.layout)) columns = &factor;
  }
  if (call.failed()) return {};
  call.why(Msg::matrix_factors, {factors.size(), list});
  if (columns) call.why(Msg::matrix_columns, {columns->layout.strides.back()});
  std::vector<Value> made;
  for (const Factor& factor : factors) {
    const size_t said = call.said();
    made.push_back(factor.contents ? call.fresh(factor.dtype, factor.layout, factor.contents)
                                   : reckoned_by_lapack(call, factor.dtype, factor.layout));
    if (made.size() < factors.size()) call.unsay(said);
  }
  return call.tuple(std::move(made), Sequence::Kind::ranked);
}

std::string batch_text(const Tensor& stack, const Verdict& found) {
  return stack.layout.rank() > 2 ? "(Batch element " + std::to_string(found.matrix) + "): " : std::string();
}

bool check_invertible(Call& call, const Tensor& tensor, std::string_view which) {
  return as_needed(call, tensor, invertible, [&](const Verdict& found) {
    call.fail("_LinAlgError",
              {which, ": ", batch_text(tensor, found), "The diagonal element ", found.element,
               " is zero, the inversion could not be completed because the input matrix is singular."},
              Msg::matrix_singular, {found.element});
    call.hint(Msg::hint_matrix_singular, {"torch.linalg.pinv", "torch.linalg.lstsq"});
  });
}

}  // namespace stridescope
