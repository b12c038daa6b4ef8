#include "ops/numpy/lapack.h"

#include <algorithm>
#include <utility>

namespace stridescope {

bool is_stack(Call& call, const Value& given, const Tensor& array, bool square, bool alone) {
  const int rank = array.layout.rank();
  if (rank < 2 || (alone && rank > 2))
    call.about(given).fail(
        "LinAlgError",
        {rank, "-dimensional array given. Array must be ", alone ? "two-dimensional" : "at least two-dimensional"},
        Msg::matrix_rank, {rank});
  else if (square && matrix_rows(array) != matrix_columns(array))
    call.about(given).fail("LinAlgError", "Last 2 dimensions of the array must be square", Msg::matrix_not_square,
                           {matrix_rows(array), matrix_columns(array)});
  return !call.failed();
}

std::optional<DType> lapack_dtype(Call& call, std::initializer_list<const Tensor*> arrays) {
  DType dtype = DType::float32;
  for (const Tensor* array : arrays) {
    if (array->dtype == DType::float16)
      return call.fail("TypeError", {"array type ", name(array->dtype), " is unsupported in linalg"},
                       Msg::function_refuses, {"linalg", name(array->dtype)}),
             std::nullopt;
    dtype = numpy_promoted(dtype, is_whole(array->dtype) ? DType::float64 : array->dtype);
  }
  return dtype;
}

std::optional<Stack> stack_given(Call& call, bool square) {
  const TensorRef array = as_array(call, call.first());
  if (call.failed() || !is_stack(call, call.first(), *array->tensor, square)) return std::nullopt;
  const auto dtype = lapack_dtype(call, {array->tensor.get()});
  return dtype ? std::optional(Stack{*array->tensor, *dtype, stack_order({*array->tensor})}) : std::nullopt;
}

Dims stack_order(const std::vector<Tensor>& stacks) {
  std::vector<Layout> outer;
  std::vector<Dims> shapes;
  for (const Tensor& stack : stacks) {
    Layout layout = stack.layout;
    for (int k = std::min(layout.rank(), 2); k > 0; --k) layout = select(layout, layout.rank() - 1, 0);
    shapes.push_back(layout.sizes);
    outer.push_back(layout);
  }
  const Dims sizes = broadcast_sizes(shapes).value_or(Dims{});
  for (Layout& layout : outer)
    if (is_expandable(layout, sizes)) layout = broadcast_to(layout, sizes);
  return iteration_order(outer);
}

Value from_lapack(Call& call, const Dims& sizes, DType dtype, const Dims& order) {
  if (!check_numpy_bytes(call, sizes, itemsize(dtype))) return {};
  const ContentsPtr contents = lapack_contents(call, dtype, *numel(sizes));
  if (order.size() < 2 || *numel(sizes) == 0) return numpy_fresh(call, sizes, dtype, contents);
  Dims slowest = order;
  for (int d = order.size(); d < sizes.size(); ++d) slowest.push_back(d);
  return call.fresh(dtype, {sizes, packed_slowest_first(sizes, slowest, itemsize(dtype)), 0}, contents);
}

void explain_arrays(Call& call, size_t count, const std::string& list, bool matrices, const Dims& order) {
  call.why(Msg::np_matrix_results, {count, list});
  if (matrices) call.why(Msg::np_matrix_rows);
  if (!std::is_sorted(order.begin(), order.end())) call.why(Msg::np_stack_order);
}

Value one_array(Call& call, const Dims& sizes, DType dtype, const Dims& order) {
  explain_arrays(call, 1, shape_text(sizes), sizes.size() > 1, order);
  return scalar_if_0d(call, from_lapack(call, sizes, dtype, order));
}

Value named_arrays(Call& call, std::initializer_list<LapackPart> parts, const Dims& order) {
  std::string shapes;
  for (const LapackPart& part : parts) shapes += (shapes.empty() ? "" : ", ") + shape_text(part.sizes);
  explain_arrays(call, parts.size(), shapes, parts.begin()->sizes.size() > 1, order);
  std::vector<Value> made;
  for (const LapackPart& part : parts)
    made.push_back(scalar_if_0d(call, from_lapack(call, part.sizes, part.dtype, order)));
  return call.tuple(std::move(made), Sequence::Kind::ranked);
}

bool check_not_nan(Call& call, const Tensor& stack, std::string_view error) {
  if (call.given_known() &&
      any_element(elements_of(stack), stack.dtype, [](const Scalar& one) { return is_nan(one); }).value_or(false))
    call.fail("LinAlgError", {error}, Msg::np_svd_of_nan);
  return !call.failed();
}

bool sure_invertible(Call& call, const Tensor& stack) {
  return as_needed(call, stack, invertible, [&](const Verdict& found) {
    call.fail("LinAlgError", "Singular matrix", Msg::matrix_singular, {found.element});
    call.hint(Msg::hint_matrix_singular, {"np.linalg.pinv", "np.linalg.lstsq"});
  });
}

}  // namespace stridescope
