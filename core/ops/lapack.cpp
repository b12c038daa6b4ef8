#include "ops/lapack.h"

#include <algorithm>

namespace stridescope {

Dims stacked(const Tensor& stack, const Dims& matrix) {
  Dims sizes = stack.layout.sizes;
  sizes.pop_back();
  sizes.pop_back();
  for (const int64_t size : matrix) sizes.push_back(size);
  return sizes;
}

ContentsPtr lapack_contents(Call& call, DType dtype, int64_t cells) {
  if (!call.given_known() || !call.drawn() || !is_floating(dtype)) return unknown_contents(dtype, cells);
  call.why(Msg::stand_ins);
  return random_contents(Distribution::made_up, call.seed(), dtype, cells);
}

ContentsPtr identity_contents(const Dims& sizes, DType dtype) {
  constexpr int64_t most_listed = 1 << 16;
  const int64_t n = sizes.back(), count = *numel(sizes);
  if (count > most_listed) return unknown_contents(dtype, count);
  std::vector<Scalar> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(converted(integer_scalar(i % (n * n) % (n + 1) == 0 ? 1 : 0, DType::int64), dtype));
  return literal_contents(values, dtype);
}

bool check_finite(Call& call, const Tensor& stack) {
  const int64_t count = *numel(stack.layout.sizes);
  if (!call.given_known() || count > most_products) return true;
  if (!call.quick(elements_of(stack), count)) return false;
  if (!all_finite(elements_of(stack))) call.refuse(Msg::lapack_decides);
  return !call.failed();
}

std::optional<std::vector<int64_t>> ranks_of(Call& call, const Tensor& stack, DType dtype, double share) {
  const int64_t least = std::min(matrix_rows(stack), matrix_columns(stack)), count = *numel(stack.layout.sizes);
  const auto matrices = static_cast<size_t>(*numel(stacked(stack, {})));
  if (least == 0 || matrices == 0) return std::vector<int64_t>(matrices, 0);
  if (checked_mul(count, least).value_or(INT64_MAX) > most_products) {
    if (call.drawn()) return std::vector<int64_t>(matrices, least);
    return call.refuse(Msg::matrix_too_large, {matrix_rows(stack)}), std::nullopt;
  }
  if (!call.quick(elements_of(stack), count)) return std::nullopt;
  auto ranks = all_finite(elements_of(stack)) ? sure_ranks(elements_of(stack), dtype, share) : std::nullopt;
  if (!ranks) call.refuse(Msg::lapack_decides);
  return ranks;
}

}  // namespace stridescope
