#include "ops/numpy/lapack.h"

#include <utility>

namespace stridescope {

Dims stacked(const Tensor& array, const Dims& matrix) {
  Dims sizes = array.layout.sizes;
  sizes.pop_back();
  sizes.pop_back();
  for (const int64_t size : matrix) sizes.push_back(size);
  return sizes;
}

bool is_stack(Call& call, const Value& given, const Tensor& array, bool square, bool alone) {
  const int rank = array.layout.rank();
  if (rank < 2 || (alone && rank > 2))
    call.about(given).fail(
        "LinAlgError",
        {rank, "-dimensional array given. Array must be ", alone ? "two-dimensional" : "at least two-dimensional"},
        Msg::matrix_rank, {rank});
  else if (square && rows_in(array) != columns_in(array))
    call.about(given).fail("LinAlgError", "Last 2 dimensions of the array must be square", Msg::matrix_not_square,
                           {rows_in(array), columns_in(array)});
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

DType size_of_pairs(DType dtype) {
  return dtype == DType::complex64 ? DType::float32 : dtype == DType::complex128 ? DType::float64 : dtype;
}

Value from_lapack(Call& call, const Dims& sizes, DType dtype) {
  if (!check_numpy_bytes(call, sizes, dtype)) return {};
  const int64_t count = *numel(sizes);
  const bool stand_ins = call.given_known() && call.drawn() && is_floating(dtype);
  if (stand_ins) call.why(Msg::stand_ins);
  return numpy_fresh(
      call, sizes, dtype,
      stand_ins ? random_contents(Distribution::uniform, call.seed(), dtype, count) : unknown_contents(dtype, count));
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

bool sure_finite(Call& call, const Tensor& array) {
  if (!call.given_known() || count_of(array) > most_products) return true;
  if (!call.quick(elements_of(array), count_of(array))) return false;
  if (!all_finite(elements_of(array))) call.refuse(Msg::lapack_decides);
  return !call.failed();
}

bool sure_invertible(Call& call, const Tensor& array) {
  return as_wanted(call, array, invertible, "Singular matrix", Msg::matrix_singular);
}

}  // namespace stridescope
