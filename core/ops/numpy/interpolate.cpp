// Where values stand among given ones, np.searchsorted and np.digitize; and what is reckoned between those, np.interp.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "ops/fold.h"
#include "ops/numpy/listed.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// How many of `sorted` come before each key, by halving as NumPy halves, also where nothing is in order.
std::vector<Scalar> places_among(const std::vector<Scalar>& sorted, const std::vector<Scalar>& keys, bool right) {
  const auto before = [&](const Scalar& a, const Scalar& b) {
    return right ? !comes_before(b, a) : comes_before(a, b);
  };
  const size_t size = sorted.size();
  size_t low = 0, high = size;
  std::vector<Scalar> places;
  for (size_t k = 0; k < keys.size(); ++k) {
    // From where the last key was found, if this one is behind it.
    if (before(keys[k == 0 ? 0 : k - 1], keys[k])) {
      high = size;
    } else {
      low = 0;
      high = high < size ? high + 1 : size;
    }
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      (before(sorted[middle], keys[k]) ? low : high) = before(sorted[middle], keys[k]) ? middle + 1 : middle;
    }
    places.push_back({DType::int64, static_cast<int64_t>(low)});
  }
  return places;
}

/// Both as elements of the dtype they have in common; nothing where the call failed.
std::optional<std::pair<std::vector<Scalar>, std::vector<Scalar>>> in_common(Call& call, const TensorRef& sorted,
                                                                             const TensorRef& keys) {
  const int rank = sorted->tensor->layout.rank();
  if (rank != 1)
    return call.fail("ValueError",
                     rank == 0 ? "object of too small depth for desired array" : "object too deep for desired array",
                     Msg::np_axes_wanted, {rank, 1}),
           std::nullopt;
  const DType common = numpy_promoted(sorted->tensor->dtype, keys->tensor->dtype);
  auto line = elements_in(call, {sorted}), asked = line ? elements_in(call, {keys}) : std::nullopt;
  if (!asked) return std::nullopt;
  for (auto* values : {&*line, &*asked})
    for (Scalar& value : *values) value = converted(value, common);
  return std::pair{*std::move(line), *std::move(asked)};
}

/// The elements as sorter= names them. False: the call failed.
bool put_in_order(Call& call, std::vector<Scalar>& line) {
  const TensorRef sorter = as_array(call, call.value("sorter"));
  if (call.failed()) return false;
  const auto size = static_cast<int64_t>(line.size());
  const Tensor& places = *sorter->tensor;
  const int rank = places.layout.rank();
  if (rank != 1)
    return call.about("sorter").fail_parser("could not parse sorter argument", Msg::np_axes_wanted, {rank, 1}), false;
  if (!is_integer(places.dtype))
    return call.about("sorter").fail_parser("sorter must only contain integers", Msg::np_not_an_integer,
                                            {name(places.dtype)}),
           false;
  if (places.dtype == DType::uint64)
    return call.about("sorter").fail("ValueError", "could not parse sorter argument", Msg::np_cast_refused,
                                     {name(places.dtype), name(DType::int64), name(Casting::safe)}),
           false;
  if (count_of(places) != size)
    return call.about("sorter").fail("ValueError", "sorter.size must equal a.size", Msg::items_needed,
                                     {size, count_of(places)}),
           false;
  const auto indices = elements_in(call, {sorter});
  if (!indices) return false;
  std::vector<Scalar> ordered;
  for (const Scalar& index : *indices) {
    if (index.integer < 0 || index.integer >= size)  // an error where such a one is met
      return call.about("sorter").refuse(Msg::np_index_out_of_bounds, {index.integer, 0, size}), false;
    ordered.push_back(line[static_cast<size_t>(index.integer)]);
  }
  line = ordered;
  return true;
}

Value found_places(Call& call, const std::vector<Scalar>& places, const Dims& sizes, bool right) {
  call.why(Msg::np_searchsorted, {static_cast<int64_t>(places.size()), to_string(sizes), right ? "≤" : "<"});
  return scalar_if_0d(call, numpy_fresh(call, sizes, DType::int64, literal_contents(places, DType::int64)));
}

Value searchsorted(Call& call) {
  const auto* side = std::get_if<std::string>(&call.value("side").held);
  const char letter = side && !side->empty() ? static_cast<char>(side->front() | 0x20) : ' ';
  if (!side) return call.wrong_type("side", "str");
  if (letter != 'l' && letter != 'r')
    return call.about("side").fail("ValueError", {"search side must be 'left' or 'right' (got '", *side, "')"},
                                   Msg::np_search_side, {*side});
  const TensorRef sorted = receiver(call), keys = as_array(call, call.value("v"));
  if (!call.failed() && sorted->tensor->layout.rank() == 1 && !call.given_known() && !call.given("sorter")) {
    const Dims& sizes = keys->tensor->layout.sizes;
    return scalar_if_0d(
        call, numpy_fresh(call, sizes, DType::int64, unknown_contents(DType::int64, numel(sizes).value_or(0))));
  }
  auto values = call.failed() ? std::nullopt : in_common(call, sorted, keys);
  if (!values || (call.given("sorter") && !put_in_order(call, values->first))) return {};
  return found_places(call, places_among(values->first, values->second, letter == 'r'), keys->tensor->layout.sizes,
                      letter == 'r');
}

Value digitize(Call& call) {
  const TensorRef keys = receiver(call), bins = as_array(call, call.value("bins"));
  if (call.failed()) return {};
  if (is_complex(keys->tensor->dtype))
    return call.about("x").fail_parser("x may not be complex", Msg::not_defined_for,
                                       {"digitize", name(keys->tensor->dtype)});
  auto values = in_common(call, bins, keys);
  const bool closed_right = values && call.truth("right");
  if (!values || call.failed()) return {};
  auto& [line, asked] = *values;
  const auto falls = [](const Scalar& a, const Scalar& b) { return comes_before(b, a); };
  const bool rising = std::adjacent_find(line.begin(), line.end(), falls) == line.end();
  if (!rising && std::adjacent_find(line.begin(), line.end(), comes_before) != line.end())
    return call.about("bins").fail("ValueError", "bins must be monotonically increasing or decreasing",
                                   Msg::np_bins_order, {to_string(call.value("bins"), 40)});
  if (!rising) std::reverse(line.begin(), line.end());
  std::vector<Scalar> places = places_among(line, asked, !closed_right);
  for (Scalar& place : places)
    if (!rising) place.integer = static_cast<int64_t>(line.size()) - place.integer;
  return found_places(call, places, keys->tensor->layout.sizes, !closed_right);
}

// np.interp.

/// The elements of an array as float64, row-major; nothing, and the call failed, where they are too many, or `line` and
/// not on one axis.
std::optional<std::vector<double>> reals_of(Call& call, const char* parameter, const TensorRef& array, bool line) {
  if (call.failed()) return std::nullopt;
  const Tensor& held = *array->tensor;
  const int rank = held.layout.rank();
  if (is_complex(held.dtype) && *parameter == 'x' && tensor_of(call.value(parameter)) &&
      !check_cast(call, held, DType::float64, Casting::safe))
    return std::nullopt;
  if (line && rank != 1)
    return call.about(parameter).fail(
               "ValueError",
               rank == 0 ? "object of too small depth for desired array" : "object too deep for desired array",
               Msg::np_axes_wanted, {rank, 1}),
           std::nullopt;
  if (is_complex(held.dtype))
    return call.about(parameter).refuse(Msg::not_modelled, {"NumPy", "np.interp(complex)"}), std::nullopt;
  if (count_of(held) > most_folded)
    return call.refuse(Msg::too_many_summed, {count_of(held), most_folded}), std::nullopt;
  const Elements elements = elements_of(held);
  if (!call.quick(elements, count_of(held))) return std::nullopt;
  std::vector<double> values;
  for (int64_t i = 0; i < count_of(held); ++i)
    values.push_back(as_real(converted(element(elements, i), DType::float64)));
  return values;
}

/// Between which of `places` a number lies, from where the last one was found, as NumPy looks for it: also where they
/// do not ascend. -1: before all; as many as there are: behind all.
int64_t interval_of(double key, const std::vector<double>& places, int64_t guess) {
  const auto size = static_cast<int64_t>(places.size());
  const auto below = [&](int64_t k) { return key < places[static_cast<size_t>(k)]; };
  const auto reached = [&](int64_t k) { return key >= places[static_cast<size_t>(k)]; };
  constexpr int64_t near = 8, line = 4;
  if (key > places.back()) return size;
  if (below(0)) return -1;
  int64_t low = 0, high = size;
  if (size <= line) {
    for (low = 1; low < size && reached(low); ++low) continue;
    return low - 1;
  }
  guess = std::max<int64_t>(std::min(guess, size - 3), 1);
  if (below(guess)) {
    if (!below(guess - 1)) return guess - 1;
    high = guess - 1;
    if (guess > near && reached(guess - near)) low = guess - near;
  } else {
    if (below(guess + 1)) return guess;
    if (below(guess + 2)) return guess + 1;
    low = guess + 2;
    if (guess < size - near - 1 && below(guess + near)) high = guess + near;
  }
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    (reached(middle) ? low : high) = reached(middle) ? middle + 1 : middle;
  }
  return low - 1;
}

/// On the line through the points; `ends` beyond them. `found` is where the last one was found.
double on_line(double x, const std::vector<double>& places, const std::vector<double>& values, const double (&ends)[2],
               int64_t& found) {
  if (places.size() == 1) return x < places[0] ? ends[0] : x > places[0] ? ends[1] : values[0];
  if (std::isnan(x)) return x;
  found = interval_of(x, places, found);
  if (found < 0) return ends[0];
  const auto j = static_cast<size_t>(found);
  if (j >= places.size()) return ends[1];
  if (j + 1 == places.size() || places[j] == x) return values[j];  // so that no infinity beside it is reckoned with
  const double slope = (values[j + 1] - values[j]) / (places[j + 1] - places[j]);
  const double near = slope * (x - places[j]) + values[j];
  if (!std::isnan(near)) return near;
  const double far = slope * (x - places[j + 1]) + values[j + 1];
  return std::isnan(far) && values[j] == values[j + 1] ? values[j] : far;
}

/// Both are brought into one period, and put in order there; the outermost stand once more on the other side.
void wrap(std::vector<double>& places, std::vector<double>& values, double period) {
  std::vector<size_t> order(places.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return places[a] < places[b]; });
  std::vector<double> wrapped{places[order.back()] - period}, beside{values[order.back()]};
  for (const size_t k : order) wrapped.push_back(places[k]), beside.push_back(values[k]);
  wrapped.push_back(places[order.front()] + period), beside.push_back(values[order.front()]);
  places = wrapped, values = beside;
}

/// period= without its sign, 0 where there is none; fails where it is no number.
double period_of(Call& call) {
  const auto period = call.given("period") ? as_real(call.value("period")) : 0;
  if (!period) return call.wrong_type("period", "float"), 0;
  if (call.given("period") && *period == 0)
    call.about("period").fail("ValueError", "period must be a non-zero value", Msg::division_by_zero);
  return std::abs(*period);
}

Value interp(Call& call) {
  const TensorRef line = as_array(call, call.value("fp"));
  const double period = call.failed() ? 0 : period_of(call);
  if (call.failed()) return {};
  const TensorRef along = period == 0 ? nullptr : as_array(call, call.value("xp"));
  if (along && (along->tensor->layout.rank() != 1 || line->tensor->layout.rank() != 1))
    return call.fail("ValueError", "Data points must be 1-D sequences", Msg::np_axes_wanted,
                     {std::max(along->tensor->layout.rank(), line->tensor->layout.rank()), 1});
  auto values = reals_of(call, "fp", line, true);
  auto places = values ? reals_of(call, "xp", as_array(call, call.value("xp")), true) : std::nullopt;
  const TensorRef asked = places ? as_array(call, call.value("x")) : nullptr;
  auto between = asked ? reals_of(call, "x", asked, false) : std::nullopt;
  if (!between) return {};
  if (places->empty())
    return call.about("xp").fail("ValueError", "array of sample points is empty", Msg::np_interp_sizes,
                                 {0, static_cast<int64_t>(values->size())});
  if (places->size() != values->size())
    return call.about("fp").fail("ValueError", {"fp and xp are not of the same length", period == 0 ? "." : ""},
                                 Msg::np_interp_sizes,
                                 {static_cast<int64_t>(places->size()), static_cast<int64_t>(values->size())});
  if (period != 0) {
    const auto within = [&](double x) {
      const double rest = std::fmod(x, period);
      return rest < 0 ? rest + period : rest;
    };
    for (auto* numbers : {&*between, &*places})
      std::transform(numbers->begin(), numbers->end(), numbers->begin(), within);
    wrap(*places, *values, period);
  }
  double ends[] = {values->front(), values->back()};
  for (int k = 0; k < 2; ++k) {
    const char* end = k == 0 ? "left" : "right";
    if (!call.given(end) || period != 0) continue;
    const auto real = as_real(call.value(end));
    if (!real && tensor_of(call.value(end)))
      return call.about(end).refuse(Msg::not_modelled, {"NumPy", std::string(end) + "="});
    if (!real) return call.wrong_type(end, "float");
    ends[k] = *real;
  }
  int64_t found = 0;
  std::vector<Scalar> results;
  for (const double x : *between)
    results.push_back(real_scalar(on_line(x, *places, *values, ends, found), DType::float64));
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
      {Library::numpy, "np.searchsorted(a, v, side='left', sorter=None)\nx.searchsorted(v, side='left', sorter=None)",
       Msg::op_np_searchsorted, "a[i - 1] < v <= a[i]; right: a[i - 1] <= v < a[i]",
       "y = np.searchsorted([1, 3, 5], [0, 3, 9])", searchsorted, Op::Structured::ordered},
      {Library::numpy, "np.digitize(x, bins, right=False)", Msg::op_np_searchsorted,
       "bins[i - 1] <= x < bins[i]; right: bins[i - 1] < x <= bins[i]", "y = np.digitize([0.5, 1.5], [0, 1, 2])",
       digitize},
  };
  return rows;
}

}  // namespace stridescope
