#include "ops/numpy/lapack.h"

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
  return dtype ? std::optional(Stack{*array->tensor, *dtype}) : std::nullopt;
}

Value from_lapack(Call& call, const Dims& sizes, DType dtype) {
  if (!check_numpy_bytes(call, sizes, dtype)) return {};
  return numpy_fresh(call, sizes, dtype, lapack_contents(call, dtype, *numel(sizes)));
}

void explain_arrays(Call& call, size_t count, const std::string& list, bool matrices) {
  call.why(Msg::np_matrix_results, {count, list});
  if (matrices) call.why(Msg::np_matrix_rows);
}

Value one_array(Call& call, const Dims& sizes, DType dtype) {
  explain_arrays(call, 1, shape_text(sizes), sizes.size() > 1);
  return scalar_if_0d(call, from_lapack(call, sizes, dtype));
}

Value named_arrays(Call& call, std::initializer_list<LapackPart> parts) {
  std::string shapes;
  for (const LapackPart& part : parts) shapes += (shapes.empty() ? "" : ", ") + shape_text(part.sizes);
  explain_arrays(call, parts.size(), shapes, parts.begin()->sizes.size() > 1);
  std::vector<Value> made;
  for (const LapackPart& part : parts) made.push_back(scalar_if_0d(call, from_lapack(call, part.sizes, part.dtype)));
  return call.tuple(std::move(made), Sequence::Kind::ranked);
}

bool sure_invertible(Call& call, const Tensor& stack) {
  return as_needed(call, stack, invertible, [&](const Verdict& found) {
    call.fail("LinAlgError", "Singular matrix", Msg::matrix_singular, {found.element});
    call.hint(Msg::hint_matrix_singular, {"np.linalg.pinv", "np.linalg.lstsq"});
  });
}

}  // namespace stridescope
