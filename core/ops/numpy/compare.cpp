// Two arrays compared: whether they share memory, whether they are equal.
#include <array>
#include <cmath>

#include "layout/lookup.h"
#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

Value share(Call& call, bool exact) {
  if (const Value& most = call.value("max_work"); call.given("max_work") && (tensor_of(most) || !as_integer(most))) {
    const std::string type = type_name(most);
    return call.about("max_work").fail("ValueError", "max_work must be an integer", Msg::np_max_work, {type});
  } else if (call.given("max_work") && *as_integer(most) < -2) {
    return call.about("max_work").fail("ValueError", "Invalid value for max_work", Msg::np_max_work, {to_string(most)});
  }
  const auto a = asked(call, call.value("a")), b = asked(call, call.value("b"));
  if (!a || !b) return {};
  if (a->storage != b->storage) return call.why(Msg::np_share_other_memory), Value{false};
  const auto first = extent(a->layout), second = extent(b->layout);
  if (!first || !second) return call.why(Msg::np_share_empty), Value{false};
  const bool touch = first->lowest < second->highest + unit_of(*b) && second->lowest < first->highest + unit_of(*a);
  call.why(touch ? Msg::np_share_bounds_cross : Msg::np_share_bounds_apart,
           {first->lowest, first->highest + unit_of(*a) - 1, second->lowest, second->highest + unit_of(*b) - 1});
  if (!exact || !touch) return {touch};
  if (call.given("max_work") && as_integer(call.value("max_work")) == 0)
    return call.about("max_work").fail("TooHardError", "Exceeded max_work", Msg::np_too_hard);
  const bool shared = shares_offset(a->layout, unit_of(*a), b->layout, unit_of(*b)) != Answer::no;
  call.why(shared ? Msg::np_share_yes : Msg::np_share_no);
  return {shared};
}

Value array_equal(Call& call) {
  const auto a = asked(call, call.value("a1")), b = asked(call, call.value("a2"));
  if (!a || !b) return {};
  if (a->layout.sizes != b->layout.sizes) return {false};
  const bool nan_fits = truth_argument(call, "equal_nan");
  if (call.failed()) return {};
  const int64_t count = count_of(*a);
  if (count > 65536) return call.refuse(Msg::np_too_costly);
  const DType common = numpy_promoted(a->dtype, b->dtype);
  const Elements left = elements_of(*a), right = elements_of(*b);
  call.quick(left, count);
  if (!call.quick(right, count)) return {};
  const auto is_nan = [](const Scalar& value) {
    return value.real != value.real || value.imaginary != value.imaginary;
  };
  for (int64_t i = 0; i < count; ++i)
    if (nan_fits && is_nan(element(left, i)) && is_nan(element(right, i)))
      continue;
    else if (!is_true(reckon(Arithmetic::equal,
                             std::array{converted(element(left, i), common), converted(element(right, i), common)})))
      return {false};
  return {true};
}

/// Whether |a - b| <= atol + rtol * |b| of every pair.
Value allclose(Call& call) {
  const TensorRef a = as_array(call, call.value("a")), b = as_array(call, call.value("b"));
  const bool nan_fits = truth_argument(call, "equal_nan");
  if (call.failed()) return {};
  const std::vector<Dims> shapes = {a->tensor->layout.sizes, b->tensor->layout.sizes};
  const auto sizes = broadcast_sizes(shapes);
  if (!sizes)
    return call.fail("ValueError",
                     {"operands could not be broadcast together with shapes ", shape_text(shapes[0]), " ",
                      shape_text(shapes[1]), " "},
                     Msg::np_cannot_broadcast_into, {to_string(shapes[0]), to_string(shapes[1])});
  const auto share = as_real(call.value("rtol")), least = as_real(call.value("atol"));
  if (!share || !least) return call.refuse(Msg::not_modelled, {"NumPy", "np.allclose(rtol=..)"});
  const int64_t count = *numel(*sizes);
  if (count > 65536) return call.refuse(Msg::np_too_costly);
  const Elements left = broadcast_elements(*a->tensor, *sizes), right = broadcast_elements(*b->tensor, *sizes);
  if (!call.quick(left, count) || !call.quick(right, count)) return {};
  for (int64_t i = 0; i < count; ++i) {
    const Scalar x = converted(element(left, i), DType::complex128),
                 y = converted(element(right, i), DType::complex128);
    const double size = std::hypot(y.real, y.imaginary);
    const bool equal = x.real == y.real && x.imaginary == y.imaginary;
    const bool nan = nan_fits && std::isnan(x.real + x.imaginary) && std::isnan(size);
    const bool near =
        std::isfinite(size) && std::hypot(x.real - y.real, x.imaginary - y.imaginary) <= *least + *share * size;
    if (!equal && !nan && !near) return {false};
  }
  return {true};
}

}  // namespace

std::span<const Op> numpy_compare_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.shares_memory(a, b, max_work=None)", Msg::op_np_shares_memory,
       "some byte belongs to an element of both", "x = np.arange(12)\nnp.shares_memory(x[::2], x[1::2])",
       [](Call& call) { return share(call, true); }},
      {Library::numpy, "np.may_share_memory(a, b, max_work=None)", Msg::op_np_may_share_memory,
       "the stretches from lowest to highest byte cross", "x = np.arange(12)\nnp.may_share_memory(x[::2], x[1::2])",
       [](Call& call) { return share(call, false); }},
      {Library::numpy, "np.array_equal(a1, a2, equal_nan=False)", Msg::op_np_array_equal, "",
       "np.array_equal(np.arange(3), [0, 1, 2])", array_equal},
      {Library::numpy, "np.allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)", Msg::op_np_allclose,
       "every |a - b| <= atol + rtol * |b|, broadcast", "np.allclose(np.ones(3), 1)", allclose},
  };
  return rows;
}

}  // namespace stridescope
