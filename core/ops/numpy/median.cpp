// The middle of elements in order, along axes.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/arithmetic.h"
#include "ops/fold.h"
#include "ops/layout_words.h"
#include "ops/numpy/reduction.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// The mean of the one or two in the middle; a NaN where there is one, or nothing.
Scalar middle_of(const Rows& rows, int64_t row, DType dtype) {
  std::vector<Scalar> line;
  for (int64_t k = 0; k < rows.each; ++k) line.push_back(rows.at(row, k));
  if (line.empty()) return {dtype, 0, std::nan(""), is_complex(dtype) ? std::nan("") : 0};
  std::sort(line.begin(), line.end(), comes_before);
  if (is_nan(line.back())) return converted(line.back(), dtype);
  const size_t half = line.size() / 2;
  if (line.size() % 2 == 1) return converted(line[half], dtype);
  Scalar sum = reckon(Arithmetic::add, std::array{converted(line[half - 1], dtype), converted(line[half], dtype)});
  sum.real /= 2, sum.imaginary /= 2;
  return sum;
}

/// The order in which masked arrays lay medians out: of indices along every axis, those of the middle as counts lie.
Dims order_of_middles(const Layout& array, int axis, DType dtype) {
  Layout counts{array.sizes, k_order_strides(array, itemsize(dtype)), 0};
  counts.sizes[axis] = 1;
  counts.strides = k_order_strides(counts, itemsize(DType::int64));
  counts.sizes[axis] = 2;
  Layout middles{counts.sizes, k_order_strides(counts, itemsize(DType::int64)), 0};
  std::vector<Layout> indices{middles};
  for (int d = 0; d < array.rank(); ++d) {
    if (d == axis) continue;
    Layout along{middles.sizes, Dims::filled(array.rank(), 0), 0};
    along.strides[d] = itemsize(DType::int64);
    indices.push_back(along);
  }
  return iteration_order(indices);
}

/// np.nanmedian along an axis of several: the sum of the two in the middle of the numbers by 2, in an array of its own
/// where NaN is among the results. Of one axis it is a number.
Value nan_median(Call& call, const Tensor& array, int axis, const Dims& own, const Dims& along) {
  const Rows rows = rows_along(array, {axis}, false);
  if (!readable(call, rows)) return {};
  if (array.layout.sizes[axis] >= 600)
    return call.about("a").refuse(Msg::not_modelled, {"NumPy", "np.nanmedian of shape " + shape_text(own)});
  const DType dtype = is_whole(array.dtype) ? DType::float64 : array.dtype;
  const bool line = array.layout.rank() == 1;
  std::vector<Scalar> results;
  bool none = false;
  for (int64_t row = 0; row < rows.count; ++row) {
    std::vector<Scalar> numbers;
    for (int64_t k = 0; k < rows.each; ++k)
      if (const Scalar value = rows.at(row, k); !is_nan(value)) numbers.push_back(value);
    std::sort(numbers.begin(), numbers.end(), comes_before);
    const size_t half = numbers.size() / 2;
    none |= numbers.empty();
    if (numbers.empty()) {
      results.push_back(line ? rows.at(row, rows.each - 1) : real_scalar(std::nan(""), dtype));
    } else if (line && numbers.size() % 2 == 1) {
      results.push_back(converted(numbers[half], dtype));
    } else {
      const Scalar low = converted(numbers[numbers.size() % 2 == 1 ? half : half - 1], dtype);
      Scalar sum = reckon(Arithmetic::add, std::array{low, converted(numbers[half], dtype)});
      sum.real /= 2, sum.imaginary /= 2;
      results.push_back(converted(sum, dtype));
    }
  }
  Dims sizes = array.layout.sizes;
  sizes[axis] = 1;
  auto [layout, contents] =
      laid_out(literal_contents(results, dtype), sizes, order_of_middles(array.layout, axis, array.dtype), dtype);
  layout.sizes.erase(axis);
  layout.strides.erase(axis);
  call.why(Msg::np_reduce_headline, {rows.each, to_string(layout.sizes), listed(along), rows.count, along.size()});
  const bool keep = call.truth("keepdims");
  const Value made = call.fresh(dtype, layout, std::move(contents));
  if (call.failed() || (line && !keep) || (none && !keep)) return scalar_if_0d(call, made);
  if (keep)
    for (int d = 0; d < own.size(); ++d)
      if (std::find(along.begin(), along.end(), d) != along.end()) layout = insert_dim(layout, d, 0);
  const Value shown = call.view(*tensor_of(made), layout);
  call.relation(Relation::fresh);
  return shown;
}

Value median_row(Call& call) {
  const TensorRef source = receiver(call);
  const bool given = call.given("axis");
  if (call.failed()) return {};
  Tensor array = *source->tensor;
  const bool nan = call.name() == "numpy.nanmedian";
  if (nan && count_of(array) == 0) return mean_of_nothing(call);
  const Dims own = array.layout.sizes;
  const Dims along = given ? normalized_axes(call, "axis", own.size(), "", "repeated axis") : all_dims(array);
  const bool keep = !call.failed() && call.truth("keepdims");
  if (call.failed()) return {};
  const size_t said = call.said();
  int axis = 0;
  if (!given) {
    array = raveled(call, {array}).front();
  } else if (along.size() == 1) {
    axis = static_cast<int>(along[0]);
  } else {
    // The axes that stay come first, the others are made one.
    Dims sizes;
    for (int d = 0; d < own.size(); ++d)
      if (std::find(along.begin(), along.end(), d) == along.end()) {
        array.layout = transpose(array.layout, sizes.size(), d);
        sizes.push_back(own[d]);
      }
    axis = sizes.size();
    sizes.push_back(along.empty() && count_of(array) > 0 ? 1 : -1);
    array = made_or(numpy_reshape(call, array, sizes, NumpyOrder::c), array);
  }
  const Value& out = call.value("out");
  if (!call.failed() && call.given("out") && !tensor_of(out))
    return call.about("out").fail_parser("output must be an array", Msg::np_array_needed, {type_name(out)});
  if (call.given("out")) return call.about("out").refuse(Msg::np_reduce_option, {"out"});
  if (call.truth("overwrite_input"))
    return call.about("overwrite_input").refuse(Msg::np_reduce_option, {"overwrite_input"});
  if (call.failed()) return {};
  if (nan) return nan_median(call, array, axis, own, along);
  const Rows rows = rows_along(array, {axis}, false);
  // What is sorted is a copy that keeps the order of the strides.
  array.layout.strides = k_order_strides(array.layout, itemsize(array.dtype));
  call.unsay(said);
  const DType dtype = is_whole(array.dtype) ? DType::float64 : array.dtype;
  const ContentsPtr results = fold_rows(call, rows, dtype, [&](int64_t row) { return middle_of(rows, row, dtype); });
  Dims sizes = array.layout.sizes;
  sizes[axis] = 1;
  Layout middle = array.layout;  // one or two, of which the mean is taken
  if (rows.each % 2 == 1) middle.sizes[axis] = 1;
  auto [layout, contents] = laid_out(results, sizes, iteration_order({middle}), dtype);
  layout.sizes.erase(axis);
  layout.strides.erase(axis);
  call.why(Msg::np_reduce_headline, {rows.each, to_string(layout.sizes), listed(along), rows.count, along.size()});
  const Value made = call.fresh(dtype, layout, std::move(contents));
  if (!keep) return scalar_if_0d(call, made);
  // Its axes are put back afterwards, of size 1 and stride 0.
  for (int d = 0; d < own.size(); ++d)
    if (std::find(along.begin(), along.end(), d) != along.end()) layout = insert_dim(layout, d, 0);
  const Value shown = call.view(made_or(made, array), layout);
  call.relation(Relation::fresh);
  return shown;
}

}  // namespace

std::span<const Op> numpy_median_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.median(a, axis=None, out=None, overwrite_input=False, keepdims=False)", Msg::op_np_median,
       "the middle of the elements in order; of an even number the mean of the two",
       "x = np.arange(6).reshape(2, 3)\ny = np.median(x, axis=1)", median_row},
      {Library::numpy, "np.nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False)", Msg::op_np_median,
       "the middle of those elements that are numbers; NaN where there is none",
       "x = np.array([[1., np.nan], [2., 3.]])\ny = np.nanmedian(x, axis=0)", median_row},
  };
  return rows;
}

}  // namespace stridescope
