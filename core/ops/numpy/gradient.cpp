// How steeply values rise along each axis: np.gradient.
#include <algorithm>
#include <array>

#include "ops/fold.h"
#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// How far neighbours along an axis are apart.
struct Spacing {
  double even = 1;
  std::vector<double> steps;  ///< one between each two neighbours where they differ
  bool given = false;         ///< as an array of places: then all is reckoned in float64
};

/// The places along an axis as NumPy reads them: one for each element. Nothing where the call failed.
std::optional<Spacing> spacing_of(Call& call, const Value& given, int64_t size) {
  const auto wrong = [&](std::string_view text, int64_t found) {
    return call.about(given).fail("ValueError", text, Msg::np_gradient_places, {found, size}), std::nullopt;
  };
  const bool number = std::holds_alternative<bool>(given.held) || std::holds_alternative<int64_t>(given.held) ||
                      std::holds_alternative<Float>(given.held);
  if (number) return Spacing{*as_real(given), {}, false};
  const TensorRef array = as_array(call, given);
  if (!array) return std::nullopt;
  const Tensor& places = *array->tensor;
  const int rank = places.layout.rank();
  if (rank > 1) return wrong("distances must be either scalars or 1d", rank);
  if (rank == 0 || (places.dtype != DType::float64 && !is_integer(places.dtype)))
    return call.about(given).refuse(Msg::not_modelled, {"NumPy", "np.gradient(.., " + to_string(given, 40) + ")"}),
           std::nullopt;
  if (places.layout.sizes[0] != size)
    return wrong("when 1d, distances must match the length of the corresponding dimension", places.layout.sizes[0]);
  if (size > most_folded) return call.refuse(Msg::too_many_summed, {size, most_folded}), std::nullopt;
  const Elements elements = elements_of(places);
  if (!call.quick(elements, size)) return std::nullopt;
  Spacing spacing{1, {}, true};
  for (int64_t k = 1; k < size; ++k)
    spacing.steps.push_back(as_real(converted(element(elements, k), DType::float64)) -
                            as_real(converted(element(elements, k - 1), DType::float64)));
  // NumPy counts those that are all alike as one.
  if (spacing.steps.empty())
    return call.about(given).fail("IndexError", "index 0 is out of bounds for axis 0 with size 0",
                                  Msg::nothing_to_choose),
           std::nullopt;
  const auto is_first = [&](double step) { return step == spacing.steps[0]; };
  if (std::all_of(spacing.steps.begin(), spacing.steps.end(), is_first)) spacing = {spacing.steps[0], {}, true};
  return spacing;
}

/// What *varargs names, one an axis: 1 where it names none.
std::optional<std::vector<Spacing>> spacings(Call& call, const Dims& sizes, const Dims& along) {
  const auto* given = std::get_if<Sequence>(&call.value("varargs").held);
  const std::vector<Value> none, &all = given ? *given->items : none;
  std::vector<Spacing> result(static_cast<size_t>(along.size()));
  const bool same = all.size() == 1 && !std::holds_alternative<Sequence>(all[0].held) &&
                    (!tensor_of(all[0]) || tensor_of(all[0])->layout.rank() == 0);
  if (!all.empty() && !same && all.size() != result.size())
    return call.about("varargs").fail_parser("invalid number of arguments", Msg::np_gradient_spacing, {along.size()}),
           std::nullopt;
  for (size_t k = 0; k < result.size() && !all.empty(); ++k) {
    const auto one = spacing_of(call, all[same ? 0 : k], sizes[static_cast<int>(along[static_cast<int>(k)])]);
    if (!one) return std::nullopt;
    result[k] = *one;
  }
  return result;
}

/// What three neighbours count in the derivative at one of them, or in that at an end of second order.
struct Weights {
  double before, here, after;
};

Weights weights_inside(double left, double right) {
  return {-right / (left * (left + right)), (right - left) / (left * right), left / (right * (left + right))};
}

Weights weights_at_end(const Spacing& spacing, bool last) {
  if (spacing.steps.empty())
    return last ? Weights{0.5 / spacing.even, -2. / spacing.even, 1.5 / spacing.even}
                : Weights{-1.5 / spacing.even, 2. / spacing.even, -0.5 / spacing.even};
  const size_t from = last ? spacing.steps.size() - 2 : 0;
  const double left = spacing.steps[from], right = spacing.steps[from + 1], both = left + right;
  return last ? Weights{right / (left * both), -both / (left * right), (2. * right + left) / (right * both)}
              : Weights{-(2. * left + right) / (left * both), both / (left * right), -left / (right * both)};
}

/// Differences of neighbours by their distance: across two steps inside, across one at both ends, or by three
/// neighbours.
Value gradient_along(Call& call, const Tensor& array, DType dtype, int axis, const Spacing& spacing, bool second) {
  const Dims& sizes = array.layout.sizes;
  const Elements elements = elements_of(array);
  const int64_t step = contiguous(sizes).strides[axis], size = sizes[axis];
  const DType reckoned = spacing.given ? DType::float64 : dtype;
  const auto at = [&](int64_t i) { return converted(element(elements, i), dtype); };
  const auto number = [&](double value) { return converted(real_scalar(value, DType::float64), reckoned); };
  const auto product = [&](double weight, int64_t i) {
    return reckon(Arithmetic::multiply, std::array{number(weight), converted(at(i), reckoned)});
  };
  const auto mixed = [&](const Weights& weights, int64_t first) {
    const Scalar two =
        reckon(Arithmetic::add, std::array{product(weights.before, first), product(weights.here, first + step)});
    return reckon(Arithmetic::add, std::array{two, product(weights.after, first + 2 * step)});
  };
  const auto quotient = [&](int64_t to, int64_t from, double distance) {
    const Scalar difference = reckon(Arithmetic::subtract, std::array{at(to), at(from)});
    return reckon(Arithmetic::divide, std::array{converted(difference, reckoned), number(distance)});
  };
  const auto apart = [&](int64_t k) {
    return spacing.steps.empty() ? spacing.even : spacing.steps[static_cast<size_t>(k)];
  };
  std::vector<Scalar> results;
  for (int64_t i = 0; i < count_of(array); ++i) {
    const int64_t k = i / step % size;
    const bool first = k == 0, last = k == size - 1;
    const Scalar made = (first || last) && second ? mixed(weights_at_end(spacing, last), first ? i : i - 2 * step)
                        : first                   ? quotient(i + step, i, apart(0))
                        : last                    ? quotient(i, i - step, apart(k - 1))
                        : spacing.steps.empty()   ? quotient(i + step, i - step, 2 * spacing.even)
                                                  : mixed(weights_inside(apart(k - 1), apart(k)), i - step);
    results.push_back(converted(made, dtype));
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
  const auto distances = call.failed() ? std::nullopt : spacings(call, array.layout.sizes, along);
  if (!distances) return {};
  const Value& edge = call.value("edge_order");
  if (const auto number = as_integer(edge); number && *number > 2)
    return call.about("edge_order")
        .fail("ValueError", "'edge_order' greater than 2 not supported", Msg::np_gradient_edge, {*number});
  else if (!number || *number < 1 || (*number == 2 && is_complex(array.dtype)))
    return call.about("edge_order").refuse(Msg::not_modelled, {"NumPy", "edge_order=" + to_string(edge)});
  const bool second = as_integer(edge) == 2;
  if (count_of(array) > most_folded) return call.refuse(Msg::too_many_summed, {count_of(array), most_folded});
  if (!call.quick(elements_of(array), 2 * count_of(array))) return {};
  const DType dtype = is_whole(array.dtype) ? DType::float64 : array.dtype;
  std::vector<Value> results;
  const size_t said = call.said();
  for (int k = 0; k < along.size(); ++k) {
    const int axis = static_cast<int>(along[k]);
    if (array.layout.sizes[axis] < (second ? 3 : 2))
      return call.about("f").fail("ValueError",
                                  "Shape of array too small to calculate a numerical gradient, at least (edge_order + "
                                  "1) elements are required.",
                                  Msg::np_gradient_size,
                                  {array.layout.sizes[axis], Slot{axis, call.axis(array, axis)}});
    if (array.dtype == DType::boolean)
      return call.about("f").fail_parser(
          "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the "
          "logical_xor function instead.",
          Msg::not_defined_for, {"subtract", "bool"});
    const Spacing& spacing = (*distances)[static_cast<size_t>(k)];
    if (spacing.given && is_complex(array.dtype))
      return call.about("varargs").refuse(Msg::not_modelled, {"NumPy", "np.gradient(complex, places)"});
    results.push_back(gradient_along(call, array, dtype, axis, spacing, second));
    if (call.failed()) return {};
  }
  call.unsay(said);
  call.why(Msg::np_gradient, {along.size(), to_string(array.layout.sizes)});
  return results.size() == 1 ? results.front() : call.tuple(std::move(results));
}

}  // namespace

std::span<const Op> numpy_gradient_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.gradient(f, *varargs: any = (), axis=None, edge_order=1)", Msg::op_np_gradient,
       "y[i] = (f[i + 1] - f[i - 1]) / 2 along each axis; across one step at the ends",
       "x = np.arange(6.) ** 2\ny = np.gradient(x)", gradient},
  };
  return rows;
}

}  // namespace stridescope
