// What lies between points, and how steeply: np.interp, np.gradient.
#include <array>
#include <cmath>

#include "ops/fold.h"
#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// The elements of an array as float64, row-major; nothing, and the call failed, where they are too many, or `line` and
/// not on one axis.
std::optional<std::vector<double>> reals_of(Call& call, const char* parameter, const TensorRef& array, bool line) {
  if (call.failed()) return std::nullopt;
  const Tensor& held = *array->tensor;
  const int rank = held.layout.rank();
  if (is_complex(held.dtype))
    return call.about(parameter).refuse(Msg::not_modelled, {"NumPy", "np.interp(complex)"}), std::nullopt;
  if (line && rank != 1)
    return call.about(parameter).fail(
               "ValueError",
               rank == 0 ? "object of too small depth for desired array" : "object too deep for desired array",
               Msg::np_one_or_two_axes, {rank}),
           std::nullopt;
  if (count_of(held) > most_folded)
    return call.refuse(Msg::too_many_summed, {count_of(held), most_folded}), std::nullopt;
  const Elements elements = elements_of(held);
  if (!call.quick(elements, count_of(held))) return std::nullopt;
  std::vector<double> values;
  for (int64_t i = 0; i < count_of(held); ++i)
    values.push_back(as_real(converted(element(elements, i), DType::float64)));
  return values;
}

/// On the line through the points, which ascend; `left` and `right` beyond them.
double on_line(double x, const std::vector<double>& places, const std::vector<double>& values, double left,
               double right) {
  if (places.size() == 1) return x < places[0] ? left : x > places[0] ? right : values[0];
  if (std::isnan(x)) return x;
  if (x < places.front()) return left;
  if (x > places.back()) return right;
  size_t j = places.size() - 1;
  while (j > 0 && places[j] > x) --j;
  if (j + 1 == places.size() || places[j] == x) return values[j];  // so that no infinity beside it is reckoned with
  const double slope = (values[j + 1] - values[j]) / (places[j + 1] - places[j]);
  const double near = slope * (x - places[j]) + values[j];
  if (!std::isnan(near)) return near;
  const double far = slope * (x - places[j + 1]) + values[j + 1];
  return std::isnan(far) && values[j] == values[j + 1] ? values[j] : far;
}

Value interp(Call& call) {
  const TensorRef line = as_array(call, call.value("fp"));
  if (!call.failed() && call.given("period"))
    return call.about("period").refuse(Msg::not_modelled, {"NumPy", "period="});
  const auto values = reals_of(call, "fp", line, true);
  const auto places = values ? reals_of(call, "xp", as_array(call, call.value("xp")), true) : std::nullopt;
  const TensorRef asked = places ? as_array(call, call.value("x")) : nullptr;
  const auto between = asked ? reals_of(call, "x", asked, false) : std::nullopt;
  if (!between) return {};
  if (places->empty())
    return call.about("xp").fail("ValueError", "array of sample points is empty", Msg::np_interp_sizes,
                                 {0, static_cast<int64_t>(values->size())});
  if (places->size() != values->size())
    return call.about("fp").fail("ValueError", "fp and xp are not of the same length.", Msg::np_interp_sizes,
                                 {static_cast<int64_t>(places->size()), static_cast<int64_t>(values->size())});
  double ends[] = {values->front(), values->back()};
  for (int k = 0; k < 2; ++k) {
    const char* end = k == 0 ? "left" : "right";
    if (!call.given(end)) continue;
    const auto real = as_real(call.value(end));
    if (!real) return call.about(end).refuse(Msg::not_modelled, {"NumPy", std::string(end) + "="});
    ends[k] = *real;
  }
  for (size_t k = 1; k < places->size(); ++k)  // what it finds then depends on how it looks
    if (!((*places)[k - 1] <= (*places)[k]))
      return call.about("xp").refuse(Msg::not_modelled,
                                     {"NumPy", "np.interp(xp=" + to_string(call.value("xp"), 40) + ")"});
  if (std::isnan(places->front())) return call.about("xp").refuse(Msg::not_modelled, {"NumPy", "np.interp(nan)"});
  std::vector<Scalar> results;
  for (const double x : *between)
    results.push_back(real_scalar(on_line(x, *places, *values, ends[0], ends[1]), DType::float64));
  call.why(Msg::np_interp, {static_cast<int64_t>(between->size())});
  return scalar_if_0d(
      call, numpy_fresh(call, asked->tensor->layout.sizes, DType::float64, literal_contents(results, DType::float64)));
}

/// The distances that *varargs names, one an axis: 1 where it names none.
std::optional<std::vector<double>> spacings(Call& call, int axes) {
  const auto* given = std::get_if<Sequence>(&call.value("varargs").held);
  const size_t count = given ? given->items->size() : 0;
  std::vector<double> result(static_cast<size_t>(axes), 1.0);
  const bool lone = count > 0 && !call.one_by_one("varargs");
  for (size_t k = 0; k < count; ++k) {
    const Value& one = (*given->items)[k];
    const bool number = std::holds_alternative<int64_t>(one.held) || std::holds_alternative<double>(one.held);
    if (lone || !number)
      return call.about("varargs").refuse(Msg::not_modelled, {"NumPy", "np.gradient(.., " + to_string(one, 40) + ")"}),
             std::nullopt;
    if (count == 1) result.assign(result.size(), *as_real(one));
    if (count == result.size()) result[k] = *as_real(one);
  }
  if (count > 1 && count != result.size())
    return call.about("varargs").fail_parser("invalid number of arguments", Msg::np_gradient_spacing, {axes}),
           std::nullopt;
  return result;
}

/// Differences of neighbours by their distance: across two steps inside, across one at both ends.
Value gradient_along(Call& call, const Tensor& array, DType dtype, int axis, double distance) {
  const Dims& sizes = array.layout.sizes;
  const Elements elements = elements_of(array);
  const int64_t step = contiguous(sizes).strides[axis], size = sizes[axis];
  const auto at = [&](int64_t i) { return converted(element(elements, i), dtype); };
  std::vector<Scalar> results;
  for (int64_t i = 0; i < count_of(array); ++i) {
    const int64_t k = i / step % size;
    const bool first = k == 0, last = k == size - 1;
    const Scalar difference =
        reckon(Arithmetic::subtract, std::array{at(last ? i : i + step), at(first ? i : i - step)});
    results.push_back(
        reckon(Arithmetic::divide,
               std::array{difference,
                          converted(real_scalar(first || last ? distance : 2 * distance, DType::float64), dtype)}));
  }
  // Whole numbers are copied as float64 first, and the result is laid out like the copy.
  Tensor copied = array;
  if (dtype != array.dtype) copied.layout.strides = strides_like(array, NumpyOrder::keep, itemsize(dtype));
  const Value made = call.copy(array, {sizes, strides_like(copied, NumpyOrder::keep, itemsize(dtype)), 0}, dtype);
  if (call.failed()) return {};
  call.write(*tensor_of(made), {literal_contents(results, dtype), contiguous(sizes, itemsize(dtype)), dtype});
  call.relation(Relation::fresh);
  return made;
}

Value gradient(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const Dims along =
      call.given("axis") ? normalized_axes(call, "axis", array.layout.rank(), "", "repeated axis") : all_dims(array);
  const auto distances = call.failed() ? std::nullopt : spacings(call, along.size());
  if (!distances) return {};
  const Value& edge = call.value("edge_order");
  if (const auto number = as_integer(edge); number && *number > 2)
    return call.about("edge_order")
        .fail("ValueError", "'edge_order' greater than 2 not supported", Msg::np_gradient_edge, {*number});
  else if (number != 1)
    return call.about("edge_order").refuse(Msg::not_modelled, {"NumPy", "edge_order=" + to_string(edge)});
  if (array.dtype == DType::boolean) return call.refuse(Msg::not_modelled, {"NumPy", "np.gradient(bool)"});
  if (count_of(array) > most_folded) return call.refuse(Msg::too_many_summed, {count_of(array), most_folded});
  if (!call.quick(elements_of(array), 2 * count_of(array))) return {};
  const DType dtype = is_whole(array.dtype) ? DType::float64 : array.dtype;
  std::vector<Value> results;
  const size_t said = call.said();
  for (int k = 0; k < along.size(); ++k) {
    const int axis = static_cast<int>(along[k]);
    if (array.layout.sizes[axis] < 2)
      return call.about("f").fail("ValueError",
                                  "Shape of array too small to calculate a numerical gradient, at least (edge_order + "
                                  "1) elements are required.",
                                  Msg::np_gradient_size,
                                  {array.layout.sizes[axis], Slot{axis, call.axis(array, axis)}});
    results.push_back(gradient_along(call, array, dtype, axis, (*distances)[static_cast<size_t>(k)]));
    if (call.failed()) return {};
  }
  call.unsay(said);
  call.why(Msg::np_gradient, {along.size(), to_string(array.layout.sizes)});
  return results.size() == 1 ? results.front() : call.tuple(std::move(results));
}

}  // namespace

std::span<const Op> numpy_interpolate_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.interp(x, xp, fp, left=None, right=None, period=None)", Msg::op_np_interp,
       "fp[j] + (x - xp[j]) * (fp[j + 1] - fp[j]) / (xp[j + 1] - xp[j]) where xp[j] <= x < xp[j + 1]",
       "y = np.interp([0.5, 2.5], [0, 1, 2], [0, 10, 30])", interp},
      {Library::numpy, "np.gradient(f, *varargs: any = (), axis=None, edge_order=1)", Msg::op_np_gradient,
       "y[i] = (f[i + 1] - f[i - 1]) / 2 along each axis; across one step at the ends",
       "x = np.arange(6.) ** 2\ny = np.gradient(x)", gradient},
  };
  return rows;
}

}  // namespace stridescope
