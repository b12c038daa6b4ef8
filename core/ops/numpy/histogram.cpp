// How many elements lie in each of several intervals: np.histogram.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "ops/fold.h"
#include "ops/numpy/numpy.h"
#include "ops/python/text.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// The intervals: given as an array, or reckoned, so many of one width.
struct Bins {
  TensorRef given;                                          ///< null where they are reckoned
  std::vector<double> edges;                                ///< one more than there are intervals
  DType dtype = DType::float64, reckoned = DType::float64;  ///< of reckoned ones, and in which they were
};

/// The elements as doubles; nothing, and the call failed, where a double is not what NumPy compares them as.
std::optional<std::vector<double>> compared(Call& call, const char* parameter, const Tensor& array) {
  if (is_complex(array.dtype))
    return call.about(parameter).refuse(Msg::not_modelled,
                                        {"NumPy", "np.histogram of " + std::string(name(array.dtype))}),
           std::nullopt;
  const int64_t count = count_of(array);
  if (count > most_folded) return call.refuse(Msg::too_many_summed, {count, most_folded}), std::nullopt;
  const Elements elements = elements_of(array);
  if (!call.quick(elements, count)) return std::nullopt;
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(as_real(converted(element(elements, i), DType::float64)));
    if (is_whole(array.dtype) && std::abs(values.back()) > 0x1p53)
      return call.about(parameter).refuse(Msg::beyond_int64), std::nullopt;
  }
  return values;
}

/// In which dtype the ends of range= reckon where both are numbers of NumPy's; nothing where they are Python's.
std::optional<DType> dtype_of_range(Call& call) {
  const auto* pair = std::get_if<Sequence>(&call.value("range").held);
  if (!pair || pair->items->size() != 2) return std::nullopt;
  const auto *low = std::get_if<NumpyScalar>(&(*pair->items)[0].held),
             *high = std::get_if<NumpyScalar>(&(*pair->items)[1].held);
  if (!low || !high || !low->is_known() || !high->is_known()) return std::nullopt;
  const DType both = numpy_promoted(low->dtype(), high->dtype());
  return is_complex(both) ? std::nullopt : std::optional(is_whole(both) ? DType::float64 : both);
}

/// The first and the last edge of bins of one width: range=, or what the elements span; nothing where the call failed.
std::optional<std::pair<double, double>> outer_edges(Call& call, const std::vector<double>& values, DType dtype) {
  std::pair<double, double> ends{0, 1};
  if (call.given("range")) {
    const Value& range = call.value("range");
    const auto* pair = std::get_if<Sequence>(&range.held);
    const auto number = [&](size_t k) {
      const Value& one = (*pair->items)[k];
      return has_dtype(one) && !dtype_of_range(call) ? std::nullopt : as_real(one);
    };
    if (!pair && !tensor_of(range) && !std::holds_alternative<std::string>(range.held))
      return call.about("range").fail_parser({"cannot unpack non-iterable ", attribute_type(range), " object"},
                                             Msg::not_iterable, {type_name(range)}),
             std::nullopt;
    if (pair && pair->items->size() != 2)
      return call.about("range").fail("ValueError",
                                      pair->items->size() < 2 ? Slots{"not enough values to unpack (expected 2, got ",
                                                                      pair->items->size(), ")"}
                                                              : Slots{"too many values to unpack (expected 2)"},
                                      Msg::unpack_count, {2, pair->items->size()}),
             std::nullopt;
    if (!pair || !number(0) || !number(1))
      return call.about("range").refuse(Msg::not_modelled, {"NumPy", "range=" + to_string(range, 40)}), std::nullopt;
    ends = {*number(0), *number(1)};
    const std::string low = python_str((*pair->items)[0]).value_or("..."),
                      high = python_str((*pair->items)[1]).value_or("...");
    if (ends.first > ends.second)
      return call.about("range").fail("ValueError", "max must be larger than min in range parameter.",
                                      Msg::np_histogram_range, {low, high}),
             std::nullopt;
    if (!std::isfinite(ends.first) || !std::isfinite(ends.second))
      return call.about("range").fail("ValueError", {"supplied range of [", low, ", ", high, "] is not finite"},
                                      Msg::np_histogram_range, {low, high}),
             std::nullopt;
  } else if (!values.empty()) {
    ends = {values.front(), values.front()};
    for (const double value : values) {
      if (std::isnan(value)) ends = {value, value};
      ends = {value < ends.first ? value : ends.first, value > ends.second ? value : ends.second};
    }
    const std::string low = scalar_text(real_scalar(ends.first, dtype)),
                      high = scalar_text(real_scalar(ends.second, dtype));
    if (!std::isfinite(ends.first) || !std::isfinite(ends.second))
      return call.about("a").fail("ValueError", {"autodetected range of [", low, ", ", high, "] is not finite"},
                                  Msg::np_histogram_range, {low, high}),
             std::nullopt;
  }
  if (ends.first == ends.second) ends = {ends.first - 0.5, ends.second + 0.5};
  return ends;
}

/// How many bins of one width an estimator finds for what lies between the ends.  @pre it is a known one
int64_t estimated_bins(std::string_view estimator, std::vector<double> values, std::pair<double, double> ends,
                       bool whole) {
  std::erase_if(values, [&](double value) { return !(value >= ends.first && value <= ends.second); });
  if (values.empty()) return 1;
  std::sort(values.begin(), values.end());
  const double count = static_cast<double>(values.size()), span = values.back() - values.front(),
               by_count = span / (std::log2(count) + 1);
  const auto quartile = [&](double share) {
    const double place = (count - 1) * share;
    const auto before = static_cast<size_t>(place);
    const double low = values[before], high = values[std::min(before + 1, values.size() - 1)];
    return low + (high - low) * (place - static_cast<double>(before));
  };
  const double by_quartiles = 2 * (quartile(0.75) - quartile(0.25)) / std::cbrt(count);
  double width = by_count;  // "sturges"
  if (estimator == "sqrt") width = span / std::sqrt(count);
  if (estimator == "rice") width = span / (2 * std::cbrt(count));
  if (estimator == "fd" || (estimator == "auto" && by_quartiles > 0 && by_quartiles < by_count)) width = by_quartiles;
  if (estimator == "scott") {
    const double mean = std::accumulate(values.begin(), values.end(), 0.) / count;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    width = std::cbrt(24 * std::sqrt(std::numbers::pi) / count) * std::sqrt(squares / count);
  }
  if (width == 0) return 1;
  if (whole && width < 1) width = 1;
  return static_cast<int64_t>(std::min(std::ceil((ends.second - ends.first) / width), 1e15));
}

std::optional<Bins> bins_of(Call& call, const std::vector<double>& values, DType dtype) {
  const Value& asked = call.value("bins");
  Bins bins;
  const auto* estimator = std::get_if<std::string>(&asked.held);
  if (estimator) {
    constexpr std::string_view all = " stone auto doane fd rice scott sqrt sturges ";
    if (all.find(" " + *estimator + " ") == all.npos)
      return call.about("bins").fail("ValueError", {quoted(*estimator), " is not a valid estimator for `bins`"},
                                     Msg::np_unknown_method, {*estimator, all.substr(1, all.size() - 2)}),
             std::nullopt;
    if (call.given("weights"))
      return call.about("weights").fail_parser(
                 "Automated estimation of the number of bins is not supported for weighted data", Msg::not_defined_for,
                 {"bins=" + quoted(*estimator), "weights"}),
             std::nullopt;
    if (*estimator == "stone" || *estimator == "doane")
      return call.about("bins").refuse(Msg::not_modelled, {"NumPy", "bins=" + *estimator}), std::nullopt;
  }
  const TensorRef array = estimator ? nullptr : as_array(call, asked);
  if (call.failed()) return std::nullopt;
  const int rank = array ? array->tensor->layout.rank() : 0;
  if (rank > 1)
    return call.about("bins").fail("ValueError", "`bins` must be 1d, when an array", Msg::np_axes_wanted, {rank, 1}),
           std::nullopt;
  if (rank == 1) {
    auto edges = compared(call, "bins", *array->tensor);
    if (!edges) return std::nullopt;
    for (size_t k = 1; k < edges->size(); ++k)
      if ((*edges)[k - 1] > (*edges)[k])
        return call.about("bins").fail("ValueError", "`bins` must increase monotonically, when an array",
                                       Msg::np_bins_order, {to_string(asked, 40)}),
               std::nullopt;
    if (std::any_of(edges->begin(), edges->end(), [](double edge) { return std::isnan(edge); }))
      return call.about("bins").refuse(Msg::not_modelled, {"NumPy", "np.histogram(bins=nan)"}), std::nullopt;
    bins.given = array;
    bins.edges = *std::move(edges);
    return bins;
  }
  auto count = estimator ? 1 : as_integer(asked);
  if (!count)
    return call.about("bins").fail_parser("`bins` must be an integer, a string, or an array", Msg::np_not_an_integer,
                                          {type_name(asked)}),
           std::nullopt;
  if (*count < 1)
    return call.about("bins").fail("ValueError", "`bins` must be positive, when an integer", Msg::at_least,
                                   {"bins", 1}),
           std::nullopt;
  const auto ends = outer_edges(call, values, dtype);
  if (!ends) return std::nullopt;
  if (estimator) count = estimated_bins(*estimator, values, *ends, is_whole(dtype));
  if (*count > small_cells) return call.refuse(Msg::np_too_costly), std::nullopt;
  const auto ranged = dtype_of_range(call);
  if (ranged) dtype = numpy_promoted(dtype, *ranged);
  bins.dtype = is_whole(dtype) ? DType::float64 : dtype;
  // As np.linspace reckons: with numbers of Python's in float64.
  const bool spanned = !call.given("range") && !values.empty();
  bins.reckoned = spanned ? bins.dtype : ranged.value_or(DType::float64);
  const auto held = [&](double value) { return rounded_to(bins.reckoned, value); };
  const double first = held(ends->first), last = held(ends->second), width = held(last - first),
               many = static_cast<double>(*count), step = held(width / many);
  for (int64_t k = 0; k < *count; ++k) {
    const double place = static_cast<double>(k);
    bins.edges.push_back(held(held(step == 0 ? held(place / many) * width : place * step) + first));
  }
  bins.edges.push_back(last);
  for (double& edge : bins.edges) edge = rounded_to(bins.dtype, edge);
  for (size_t k = 1; k < bins.edges.size(); ++k)
    if (!(bins.edges[k - 1] < bins.edges[k]))
      return call.about("bins").fail(
                 "ValueError", {"Too many bins for data range. Cannot create ", *count, " finite-sized bins."},
                 Msg::np_histogram_range,
                 {scalar_text(real_scalar(first, DType::float64)), scalar_text(real_scalar(last, DType::float64))}),
             std::nullopt;
  return bins;
}

Value edges_made(Call& call, const Bins& bins) {
  if (bins.given) return {bins.given};
  std::vector<Scalar> edges;
  for (const double edge : bins.edges) edges.push_back(real_scalar(edge, bins.dtype));
  const Value line =
      numpy_fresh(call, {static_cast<int64_t>(edges.size())}, bins.dtype, literal_contents(edges, bins.dtype));
  // Of another dtype they are a copy in the end, else seen through other sizes.
  if (call.failed() || bins.dtype != bins.reckoned) return line;
  return call.view(*tensor_of(line), tensor_of(line)->layout);
}

Value histogram(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const bool edges_alone = call.name().ends_with("edges");
  const TensorRef weights = call.given("weights") ? as_array(call, call.value("weights")) : nullptr;
  if (call.failed()) return {};
  if (weights && weights->tensor->layout.sizes != source->tensor->layout.sizes)
    return call.about("weights").fail(
        "ValueError", "weights should have the same shape as a.", Msg::loss_sizes,
        {to_string(weights->tensor->layout.sizes), to_string(source->tensor->layout.sizes)});
  const auto values = compared(call, "a", *source->tensor);
  const auto bins = values ? bins_of(call, *values, source->tensor->dtype) : std::nullopt;
  if (!bins) return {};
  const bool density = !edges_alone && call.truth("density");
  if (call.failed()) return {};
  const std::vector<double>& edges = bins->edges;
  const size_t count = edges.empty() ? 0 : edges.size() - 1;
  const auto weighed = weights && !edges_alone ? compared(call, "weights", *weights->tensor) : std::nullopt;
  if (call.failed()) return {};
  const DType of = weights ? weights->tensor->dtype : DType::int64;
  // Beside such bins they are added up in their own dtype, one after the other.
  if (weights && bins->given && (of == DType::boolean || of == DType::float16))
    return call.about("weights").refuse(Msg::not_modelled,
                                        {"NumPy", "np.histogram(weights=" + std::string(name(of)) + ")"});
  std::vector<double> counts(count, 0);
  for (size_t i = 0; i < values->size(); ++i) {
    const double value = (*values)[i];
    if (count == 0 || !(value >= edges.front() && value <= edges.back())) continue;
    // The last of the edges that are not above it; what lies on the very last one counts to the interval below.
    const auto above = std::upper_bound(edges.begin(), edges.end(), value);
    size_t k = static_cast<size_t>(above - edges.begin()) - 1;
    if (k == count) k = count - 1;
    counts[k] += weighed ? (*weighed)[i] : 1;
  }
  if (weighed && bins->given &&
      std::any_of(weighed->begin(), weighed->end(), [](double one) { return std::isnan(one); }))
    return call.about("weights").refuse(Msg::not_modelled, {"NumPy", "np.histogram(weights=nan)"});
  call.why(Msg::np_histogram, {static_cast<int64_t>(count)});
  if (edges_alone) {
    const Value made = edges_made(call, *bins);
    call.relation(bins->given ? Relation::none : Relation::fresh);
    return made;
  }
  for (double& one : counts) one = as_real(converted(real_scalar(one, DType::float64), of));
  const double inside = std::accumulate(counts.begin(), counts.end(), 0.);
  const DType dtype = density ? DType::float64 : of;
  std::vector<Scalar> results;
  for (size_t k = 0; k < count; ++k)
    results.push_back(density
                          ? real_scalar(counts[k] / rounded_to(bins->dtype, edges[k + 1] - edges[k]) / inside, dtype)
                          : converted(real_scalar(counts[k], DType::float64), of));
  const Value found = numpy_fresh(call, {static_cast<int64_t>(count)}, dtype, literal_contents(results, dtype));
  const Value made = edges_made(call, *bins);
  call.relation(Relation::fresh);
  return call.tuple({found, made});
}

}  // namespace

std::span<const Op> numpy_histogram_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.histogram(a, bins=10, range=None, density=None, weights=None)", Msg::op_np_histogram,
       "hist[i] counts edges[i] <= a < edges[i + 1], the last interval with both ends",
       "counts, edges = np.histogram([1, 2, 2, 5], bins=2)", histogram},
      {Library::numpy, "np.histogram_bin_edges(a, bins=10, range=None, weights=None)", Msg::op_np_histogram,
       "np.linspace(a.min(), a.max(), bins + 1)", "edges = np.histogram_bin_edges([1, 2, 2, 5], bins=2)", histogram},
  };
  return rows;
}

}  // namespace stridescope
