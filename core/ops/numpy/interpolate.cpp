// Values between given ones: np.interp.
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
  if (is_complex(held.dtype) && *parameter == 'x' && tensor_of(call.value(parameter)) &&
      !check_cast(call, held, DType::float64, Casting::safe))
    return std::nullopt;
  if (is_complex(held.dtype))
    return call.about(parameter).refuse(Msg::not_modelled, {"NumPy", "np.interp(complex)"}), std::nullopt;
  if (line && rank != 1)
    return call.about(parameter).fail(
               "ValueError",
               rank == 0 ? "object of too small depth for desired array" : "object too deep for desired array",
               Msg::np_axes_wanted, {rank, 1}),
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

}  // namespace

std::span<const Op> numpy_interpolate_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.interp(x, xp, fp, left=None, right=None, period=None)", Msg::op_np_interp,
       "fp[j] + (x - xp[j]) * (fp[j + 1] - fp[j]) / (xp[j + 1] - xp[j]) where xp[j] <= x < xp[j + 1]",
       "y = np.interp([0.5, 2.5], [0, 1, 2], [0, 10, 30])", interp},
  };
  return rows;
}

}  // namespace stridescope
