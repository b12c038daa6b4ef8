// How often each number occurs: bincount.
#include <algorithm>

#include "ops/fold.h"
#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// An argument as one axis of elements of `dtype`; null where the call failed.
TensorRef line_of(Call& call, const char* parameter, DType dtype) {
  const Value& given = call.value(parameter);
  const bool array = tensor_of(given) != nullptr, text = text_dtype(given).has_value();
  const TensorRef line = text ? nullptr : as_array(call, given, array ? std::nullopt : std::optional(dtype));
  if (call.failed()) return nullptr;
  const Dims sizes = line ? line->tensor->layout.sizes : Dims{};
  if (sizes.size() != 1)
    return call.about(parameter).fail(
               "ValueError",
               sizes.empty() ? "object of too small depth for desired array" : "object too deep for desired array",
               Msg::bincount_input, {to_string(sizes)}),
           nullptr;
  // Of unsigned numbers no more is asked.
  const bool wide = line->tensor->dtype == DType::uint64 && dtype == DType::int64;
  return wide || check_cast(call, *line->tensor, dtype, Casting::safe) ? line : nullptr;
}

/// So long may the result be; from most_folded on nobody counts.
constexpr int64_t most_counted = int64_t{1} << 26;

Value bincount(Call& call) {
  const Value& least = call.value("minlength");
  const bool whole = as_integer(least) && !std::holds_alternative<Float>(least.held);
  if (call.given("minlength") && (!whole || is_truth(least))) {
    // Asked once the numbers stand in a line, before they are whole ones.
    const TensorRef line = text_dtype(call.value("x")) ? nullptr : as_array(call, call.value("x"));
    if (call.failed()) return {};
    const std::string type = type_name(least);
    if (line && line->tensor->layout.rank() == 1)
      return call.about("minlength")
          .fail_parser(whole ? Slots{"an integer is required"}
                             : Slots{"'", type, "' object cannot be interpreted as an integer"},
                       Msg::np_not_an_integer, {type});
  }
  const TensorRef places = line_of(call, "x", DType::int64);
  if (!places) return {};
  int64_t length = call.given("minlength") ? *as_integer(least) : 0;
  if (length < 0)
    return call.about("minlength")
        .fail("ValueError", "'minlength' must not be negative", Msg::np_negative_size, {length});
  const int64_t count = count_of(*places->tensor);
  const Elements elements = elements_of(*places->tensor);
  if (count > most_folded) return call.refuse(Msg::too_many_summed, {count, most_folded});
  if (!call.quick(elements, count)) return {};
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < count; ++i) {
    numbers.push_back(converted(element(elements, i), DType::int64).integer);
    if (numbers.back() < 0)
      return call.about("x").fail("ValueError", "'list' argument must have no negative elements",
                                  Msg::np_bincount_negative, {numbers.back()});
    length = std::max(length, numbers.back() == INT64_MAX ? INT64_MAX : numbers.back() + 1);
  }
  const bool weighs = call.given("weights") && count > 0;
  const TensorRef weights = weighs ? line_of(call, "weights", DType::float64) : nullptr;
  if (call.failed()) return {};
  if (weighs && count_of(*weights->tensor) != count)
    return call.about("weights").fail("ValueError", "The weights and list don't have the same length.",
                                      Msg::bincount_weights, {to_string(weights->tensor->layout.sizes), count});
  const DType dtype = weighs ? DType::float64 : DType::int64;
  if (length > most_counted) return call.refuse(Msg::too_many_summed, {length, most_folded});
  if (length > most_folded) return numpy_fresh(call, {length}, dtype, call.unreckoned(dtype, length, INT64_MAX));
  std::vector<Scalar> sums(static_cast<size_t>(length), Scalar{dtype});
  for (int64_t i = 0; i < count; ++i) {
    Scalar& sum = sums[static_cast<size_t>(numbers[static_cast<size_t>(i)])];
    if (weighs)
      sum.real += converted(element(elements_of(*weights->tensor), i), DType::float64).real;
    else
      ++sum.integer;
  }
  call.why(Msg::bincount_headline, {length});
  return numpy_fresh(call, {length}, dtype, literal_contents(sums, dtype));
}

}  // namespace

std::span<const Op> numpy_count_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.bincount(x, /, weights=None, minlength=0)", Msg::op_bincount,
       "y[n] = how often n occurs in x, or the sum of the weights there", "y = np.bincount([0, 1, 1, 3])", bincount},
  };
  return rows;
}

}  // namespace stridescope
