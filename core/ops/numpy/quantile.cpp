// What a share of the elements is below: percentile and quantile.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/fold.h"
#include "ops/layout_words.h"
#include "ops/numpy/reduction.h"
#include "ops/python/text.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

Scalar of_both(Arithmetic op, const Scalar& a, const Scalar& b, DType dtype) {
  return reckon(op, std::array{converted(a, dtype), converted(b, dtype)});
}

/// The shares asked for, each from 0 to 1; the call fails where one is not.
struct Shares {
  Dims sizes;
  std::vector<Scalar> values;
  DType dtype = DType::float64;
};

Shares shares_of(Call& call, DType of) {
  const bool percent = call.name().ends_with("percentile");
  const Value& q = call.value("q");
  Shares shares;
  const TensorRef given = as_array(call, q);
  if (!given) return shares;
  const Tensor& array = *given->tensor;
  const bool plain = std::holds_alternative<int64_t>(q.held) || std::holds_alternative<Float>(q.held);
  if (is_complex(array.dtype) || (array.dtype == DType::boolean && array.layout.rank() > 0) ||
      (plain ? false : of != DType::float64 && is_floating(of) && array.layout.rank() == 0))
    return call.about("q").refuse(Msg::not_modelled, {"NumPy", "q=" + to_string(q)}), shares;
  if (!call.few(array)) return shares;
  shares.sizes = array.layout.sizes;
  shares.dtype = is_floating(array.dtype) ? array.dtype : DType::float64;
  if (plain && is_floating(of)) shares.dtype = of;
  if (!percent && is_whole(array.dtype) && !(plain && is_floating(of))) shares.dtype = DType::int64;
  for (int64_t i = 0; i < count_of(array); ++i) {
    Scalar share = converted(element(elements_of(array), i), shares.dtype);
    if (percent) share = of_both(Arithmetic::divide, share, real_scalar(100, DType::float64), shares.dtype);
    const double real = is_whole(share.dtype) ? static_cast<double>(share.integer) : share.real;
    if (!(real >= 0 && real <= 1))
      call.about("q").fail(
          "ValueError", percent ? "Percentiles must be in the range [0, 100]" : "Quantiles must be in the range [0, 1]",
          Msg::np_quantile_range, {to_string(q), percent ? 100 : 1});
    shares.values.push_back(share);
  }
  return shares;
}

/// How a place between two elements is taken: one of the two, their middle, or in proportion; and that of which
/// estimator.
enum class Method {
  linear,
  lower,
  higher,
  nearest,
  inverted_cdf,
  closest_observation,
  midpoint,
  averaged_inverted_cdf,
  interpolated_inverted_cdf,
  hazen,
  weibull,
  median_unbiased,
  normal_unbiased
};

constexpr std::string_view all_methods =
    "'inverted_cdf', 'averaged_inverted_cdf', 'closest_observation', 'interpolated_inverted_cdf', 'hazen', 'weibull', "
    "'linear', 'median_unbiased', 'normal_unbiased', 'lower', 'higher', 'midpoint', 'nearest'";

std::optional<Method> method_of(const Value& asked) {
  constexpr std::string_view words[] = {"linear",
                                        "lower",
                                        "higher",
                                        "nearest",
                                        "inverted_cdf",
                                        "closest_observation",
                                        "midpoint",
                                        "averaged_inverted_cdf",
                                        "interpolated_inverted_cdf",
                                        "hazen",
                                        "weibull",
                                        "median_unbiased",
                                        "normal_unbiased"};
  const auto* word = std::get_if<std::string>(&asked.held);
  const auto* found = word ? std::find(std::begin(words), std::end(words), *word) : std::end(words);
  return found == std::end(words) ? std::nullopt : std::optional(static_cast<Method>(found - words));
}

bool takes_one(Method method) { return method > Method::linear && method < Method::midpoint; }

/// alpha and beta of Hyndman and Fan's estimators; nothing of the other methods.
std::optional<std::pair<double, double>> plotting_position(Method method) {
  switch (method) {
    case Method::interpolated_inverted_cdf: return {{0, 1}};
    case Method::hazen: return {{0.5, 0.5}};
    case Method::weibull: return {{0, 0}};
    case Method::median_unbiased: return {{1 / 3., 1 / 3.}};
    case Method::normal_unbiased: return {{3 / 8., 3 / 8.}};
    default: return std::nullopt;
  }
}

/// Between which elements of `size` a share lies: n * q + (alpha + q * (1 - alpha - beta)) - 1.
Scalar place_by(std::pair<double, double> position, int64_t size, const Scalar& share) {
  const auto [alpha, beta] = position;
  const DType dtype = share.dtype;
  const auto step = [&](Arithmetic op, const Scalar& a, const Scalar& b) { return of_both(op, a, b, dtype); };
  const auto number = [&](double value) { return real_scalar(value, dtype); };
  const Scalar whole = step(Arithmetic::multiply, integer_scalar(size, DType::int64), share),
               part = step(Arithmetic::add, number(alpha), step(Arithmetic::multiply, share, number(1 - alpha - beta)));
  return step(Arithmetic::subtract, step(Arithmetic::add, whole, part), number(1));
}

/// The value at a share of a line in order.
Scalar quantile_of(const std::vector<Scalar>& line, const Scalar& share, Method method, DType of, DType dtype) {
  const auto size = static_cast<int64_t>(line.size());
  if (std::isnan(line.back().real)) return converted(line.back(), dtype);
  if (share.dtype == DType::int64) return line[share.integer > 0 ? line.size() - 1 : 0];
  Scalar place = of_both(Arithmetic::multiply, integer_scalar(size - 1, DType::int64), share, share.dtype);
  const double low = std::floor(place.real), high = std::ceil(place.real);
  const auto less = [&](const Scalar& from, double by) {
    return of_both(Arithmetic::subtract, from, real_scalar(by, share.dtype), share.dtype);
  };
  const Scalar counted =
      less(of_both(Arithmetic::multiply, integer_scalar(size, DType::int64), share, share.dtype), 1);  // n * q - 1
  if (method == Method::inverted_cdf) return line[static_cast<size_t>(std::max(std::ceil(counted.real), 0.))];
  if (method == Method::closest_observation) {
    const double half = less(counted, 0.5).real, below = std::floor(half);
    const bool odd = half == below && std::fmod(below, 2) != 0;
    return line[static_cast<size_t>(std::max(odd ? below : below + 1, 0.))];
  }
  if (takes_one(method)) {
    const double one = method == Method::lower ? low : method == Method::higher ? high : std::nearbyint(place.real);
    return line[static_cast<size_t>(one)];
  }
  if (method == Method::midpoint) place = real_scalar(0.5 * (low + high), share.dtype);
  if (const auto position = plotting_position(method)) place = place_by(*position, size, share);
  if (method == Method::averaged_inverted_cdf) place = counted;
  if (place.real < 0) return converted(line.front(), dtype);
  const bool last = place.real >= static_cast<double>(size - 1);
  const auto before = static_cast<size_t>(last ? size - 1 : static_cast<int64_t>(std::floor(place.real)));
  const Scalar &a = line[before], &b = line[last ? before : before + 1];
  Scalar part = of_both(Arithmetic::subtract, place, real_scalar(last ? -1 : static_cast<double>(before), share.dtype),
                        share.dtype);
  if (method == Method::averaged_inverted_cdf) part.real = part.real == 0 ? 0.5 : 1;
  const Scalar apart = of_both(Arithmetic::subtract, b, a, of);
  if (part.real < 0.5) return of_both(Arithmetic::add, a, of_both(Arithmetic::multiply, apart, part, dtype), dtype);
  const Scalar rest = of_both(Arithmetic::subtract, real_scalar(1, share.dtype), part, share.dtype);
  return of_both(Arithmetic::subtract, b, of_both(Arithmetic::multiply, apart, rest, dtype), dtype);
}

/// Several axes, or none at all, are made one behind those that stay, whose size is not to be found where one of these
/// is 0.
bool check_kept(Call& call, const Dims& own, const Dims& along) {
  if (!call.given("axis") || along.size() == 1) return true;
  Dims kept;
  for (int d = 0; d < own.size(); ++d)
    if (std::find(along.begin(), along.end(), d) == along.end()) kept.push_back(own[d]);
  if (numel(kept) != 0) return true;
  std::string text;
  for (const int64_t size : kept) text += std::to_string(size) + ",";
  call.about("axis").fail("ValueError", {"cannot reshape array of size 0 into shape (", text, "newaxis)"},
                          Msg::view_ambiguous, {"(" + text + "-1)"});
  return false;
}

Value quantile(Call& call) {
  for (const char* extra : {"overwrite_input", "weights", "interpolation"})
    if (call.given(extra) && !(std::holds_alternative<bool>(call.value(extra).held) && !call.truth(extra)))
      return call.about(extra).refuse(Msg::np_reduce_option, {extra});
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  Tensor array = *source->tensor;
  if (is_complex(array.dtype))
    return call.about_receiver().fail_parser("a must be an array of real numbers", Msg::not_defined_for,
                                             {call.name(), name(array.dtype)});
  Shares shares = shares_of(call, array.dtype);
  if (call.failed()) return {};
  const bool nan = call.name().starts_with("numpy.nan");
  if (nan && count_of(array) == 0) return mean_of_nothing(call);
  const Dims own = array.layout.sizes;
  const Dims along =
      call.given("axis") ? normalized_axes(call, "axis", own.size(), "", "repeated axis") : all_dims(array);
  const bool keep = !call.failed() && call.truth("keepdims");
  if (call.failed()) return {};
  if (call.given("out"))
    return tensor_of(call.value("out"))
               ? call.about("out").refuse(Msg::np_reduce_option, {"out"})
               : call.about("out").fail_parser("return arrays must be of ArrayType", Msg::np_array_needed,
                                               {type_name(call.value("out"))});
  if (!check_kept(call, own, along)) return {};
  if (nan && shares.sizes.size() > 2)
    return call.about("q").refuse(Msg::not_modelled, {"NumPy", std::string(call.name()) + "(q of many axes)"});
  if (shares.sizes.size() > 2)
    return call.about("q").fail("ValueError", "q must be a scalar or 1d", Msg::np_quantile_rank, {shares.sizes.size()});
  const auto method = method_of(call.value("method"));
  const auto not_modelled = [&] {
    return call.about("method").refuse(Msg::not_modelled, {"NumPy", "method=" + to_string(call.value("method"))});
  };
  const std::string asked = python_repr(call.value("method")).value_or(to_string(call.value("method")));
  if (all_methods.find(asked) == all_methods.npos)
    return call.about("method").fail("ValueError",
                                     {asked, " is not a valid method. Use one of: dict_keys([", all_methods, "])"},
                                     Msg::np_unknown_method, {asked, all_methods});
  if (!method) return not_modelled();
  if (shares.dtype == DType::int64 && *method >= Method::midpoint) {
    // With whole alpha and beta a whole share is a place that counts from the end, or beyond it; and half of an
    // average is none.
    if (*method == Method::weibull || *method == Method::interpolated_inverted_cdf ||
        *method == Method::averaged_inverted_cdf)
      return not_modelled();
    shares.dtype = DType::float64;
    for (Scalar& share : shares.values) share = converted(share, shares.dtype);
  }
  if (array.dtype == DType::boolean && shares.dtype != DType::int64 && !takes_one(*method))
    return call.fail_parser(
        "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
        "operator, or the logical_xor function instead.",
        Msg::not_defined_for, {"subtract", "bool"});
  if (call.failed()) return {};
  Rows rows = rows_along(array, along, false);
  if (rows.each == 0 && is_whole(array.dtype) && (shares.dtype == DType::int64 || takes_one(*method)) &&
      !shares.values.empty())
    return call.fail("IndexError", "cannot do a non-empty take from an empty axes.", Msg::nothing_to_choose);
  if (rows.each == 0 && (!is_whole(array.dtype) || !shares.values.empty()))
    return call.fail("IndexError",
                     {"index ", is_whole(array.dtype) && is_true(shares.values[0]) ? 0 : -1,
                      " is out of bounds for axis 0 with size 0"},
                     Msg::nothing_to_choose);
  DType dtype = shares.dtype == DType::int64 || takes_one(*method)   ? array.dtype
                : is_whole(array.dtype) && *method == Method::linear ? numpy_promoted(DType::float64, shares.dtype)
                                                                     : numpy_promoted(array.dtype, shares.dtype);
  const DType reckoned = dtype;
  const int64_t each = static_cast<int64_t>(shares.values.size());
  // Where NaN is decides the layout.
  const int64_t found = checked_mul(rows.count, each).value_or(INT64_MAX);
  if (nan && !readable(call, rows)) return {};
  if (nan && found > most_folded) return call.refuse(Msg::too_many_summed, {found, most_folded});
  rows.unknown |= found > most_folded;
  Dims sizes = shares.sizes;
  for (const int64_t size : rows.kept) {
    if (sizes.full()) return call.refuse(Msg::np_too_many_axes, {max_rank});
    sizes.push_back(size);
  }
  // What leaves NaN out goes through the rows one by one, and has the shares of each side by side in memory.
  const bool one_by_one =
      nan && call.given("axis") && rows.count > 0 && (along.size() == 1 ? own.size() > 1 : along.size() < own.size());
  bool is_filled = false;
  std::vector<Scalar> results(static_cast<size_t>(rows.unknown ? 0 : each * rows.count));
  for (int64_t row = 0; row < rows.count && !rows.unknown; ++row) {
    std::vector<Scalar> line;
    for (int64_t k = 0; k < rows.each; ++k)
      if (const Scalar value = rows.at(row, k); !nan || !std::isnan(value.real)) line.push_back(value);
    is_filled = line.empty();
    if (nan && line.empty() && row == 0) dtype = array.dtype;
    std::sort(line.begin(), line.end(), comes_before);
    for (int64_t s = 0; s < each; ++s)
      results[static_cast<size_t>(one_by_one ? row * each + s : s * rows.count + row)] =
          line.empty()
              ? real_scalar(NAN, dtype)
              : converted(quantile_of(line, shares.values[static_cast<size_t>(s)], *method, array.dtype, reckoned),
                          dtype);
  }
  call.why(Msg::np_reduce_headline, {rows.each, to_string(sizes), listed(along), each * rows.count, along.size()});
  const int many = shares.sizes.size();
  Dims held = one_by_one ? rows.kept : sizes, order;
  for (int k = 0; one_by_one && k < many; ++k) held.push_back(shares.sizes[k]);
  ContentsPtr contents =
      rows.unknown ? call.unreckoned(dtype, each * rows.count, INT64_MAX) : literal_contents(results, dtype);
  const Value made = numpy_fresh(call, held, dtype, std::move(contents));
  // Rows without a number are filled, which makes a view.
  const bool seen = nan && !one_by_one && many > 0 && is_filled;
  if (call.failed() || (!keep && !one_by_one && !seen)) return scalar_if_0d(call, made);
  // Its axes are put back afterwards, of size 1 and stride 0.
  Layout layout = tensor_of(made)->layout;
  for (int k = 0; k < held.size(); ++k) order.push_back(k < many ? held.size() - many + k : k - many);
  if (one_by_one) layout = permute(layout, order);
  // Of several axes the one that NumPy counts from the end is taken for one of several shares, too.
  if (one_by_one && along.size() != 1 && many == 2) {
    const int rank = held.size();
    layout = permute(tensor_of(made)->layout, moved_dims(rank, {rank - 1, 0}, {0, 1}));
  }
  for (int d = 0; keep && d < own.size(); ++d) {
    if (layout.sizes.full()) return call.refuse(Msg::np_too_many_axes, {max_rank});
    if (std::find(along.begin(), along.end(), d) != along.end())
      layout = insert_dim(layout, shares.sizes.size() + d, 0);
  }
  if (one_by_one) call.why(Msg::np_hidden_owner);
  const Value shown = call.view(*tensor_of(made), layout);
  call.relation(Relation::fresh);
  return shown;
}

}  // namespace

std::span<const Op> numpy_quantile_rows() {
#define QUANTILE \
  "axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None, interpolation=None)"
  static constexpr Op rows[] = {
      {Library::numpy,
       "np.percentile(a, q, " QUANTILE "\nnp.quantile(a, q, " QUANTILE "\nnp.nanpercentile(a, q, " QUANTILE
       "\nnp.nanquantile(a, q, " QUANTILE,
       Msg::op_np_quantile,
       "place (n - 1) * q of the elements in order; between two of them in proportion, or as method= says",
       "x = np.arange(6).reshape(2, 3)\ny = np.percentile(x, 50, axis=1)", quantile},
  };
#undef QUANTILE
  return rows;
}

}  // namespace stridescope
