// Reductions that leave NaN out, and weighted means.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/layout_words.h"
#include "ops/numpy/reduction.h"
#include "ops/numpy/ufunc.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// The elements of a row that are numbers.
std::vector<Scalar> numbers_of(const Rows& rows, int64_t row) {
  std::vector<Scalar> numbers;
  for (int64_t k = 0; k < rows.each; ++k)
    if (const Scalar value = rows.at(row, k); !is_nan(value)) numbers.push_back(value);
  return numbers;
}

/// What is reduced where NaN is replaced: a copy in the order of the strides, as far as the layout of results goes.
AskedReduction of_copy(AskedReduction what) {
  Tensor copy = *what.array->tensor;
  if (!is_whole(copy.dtype)) copy.layout.strides = k_order_strides(copy.layout, unit_of(copy));
  what.array = nameless(copy);
  return what;
}

/// All of a row added up or multiplied, in the widest type of its kind; few are rounded at each step.
Scalar folded_up(const std::vector<Scalar>& values, DType dtype, Arithmetic op) {
  Scalar result = converted(integer_scalar(op == Arithmetic::multiply ? 1 : 0, DType::int64), widest(dtype));
  for (const Scalar& value : values) {
    result = reckon(op, std::array{result, converted(converted(value, dtype), result.dtype)});
    if (!is_whole(dtype) && (op == Arithmetic::multiply || values.size() < 8))
      result = converted(converted(result, itemsize(dtype) >= 4 ? dtype : DType::float32), result.dtype);
  }
  return result;
}

/// nansum, nanprod and nanmean: NaN counts as 0, as 1, as nothing.
Value nan_sum_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  if (refuse_reduction(call, reducing_ufunc(call), what.array)) return {};
  const auto wanted = call.failed() ? std::nullopt : dtype_argument(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const DType own = what.array->tensor->dtype;
  const bool mean = call.name().ends_with("mean");
  if (mean && wanted && is_whole(*wanted) && !is_whole(own))
    return call.about("dtype").fail("TypeError", "If a is inexact, then dtype must be inexact", Msg::argument_has_type,
                                    {"dtype", "floating", name(*wanted)});
  const DType dtype = wanted              ? *wanted
                      : mean              ? (is_whole(own) ? DType::float64 : own)
                      : call.given("out") ? reduced_in(call, own)
                                          : summed_in(own);
  const bool product = call.name().ends_with("prod");
  const bool bits = dtype == DType::boolean;
  if (bits && mean) return call.refuse(Msg::not_modelled, {"NumPy", std::string(call.name()) + "(dtype=bool)"});
  return folded(call, *rows, of_copy(what), dtype, [&](int64_t row) {
    const std::vector<Scalar> numbers = numbers_of(*rows, row);
    if (bits && product) return integer_scalar(std::all_of(numbers.begin(), numbers.end(), is_true), dtype);
    if (bits) return integer_scalar(std::any_of(numbers.begin(), numbers.end(), is_true), dtype);
    const Scalar sum = folded_up(numbers, dtype, product ? Arithmetic::multiply : Arithmetic::add);
    return converted(mean ? divided(sum, static_cast<double>(numbers.size())) : sum, dtype);
  });
}

/// nanmax and nanmin: fmax and fmin of a row, NaN where there is no number.
Value nan_extreme_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  if (refuse_reduction(call, reducing_ufunc(call), what.array)) return {};
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool most = call.name().ends_with("max");
  // What is no array becomes one in which NaN is the least, or the largest.
  const char* ufunc = tensor_of(call.first()) ? (most ? "fmax" : "fmin") : (most ? "maximum" : "minimum");
  if (rows->each == 0)
    return call.fail("ValueError", {"zero-size array to reduction operation ", ufunc, " which has no identity"},
                     Msg::nothing_to_choose);
  return folded(call, *rows, what, what.array->tensor->dtype, [&](int64_t row) {
    const std::vector<Scalar> numbers = numbers_of(*rows, row);
    if (numbers.empty()) return rows->at(row, 0);
    Scalar best = numbers.front();
    for (const Scalar& value : numbers)
      best = reckon(most ? Arithmetic::maximum : Arithmetic::minimum, std::array{best, value});
    return best;
  });
}

/// The weights with as many axes as the array: of its sizes, or one for each place along the axes.
std::optional<Tensor> weights_of(Call& call, const Tensor& array, const Dims& along) {
  const TensorRef given = as_array(call, call.value("weights"));
  if (call.failed()) return std::nullopt;
  Tensor weights = *given->tensor;
  const Dims& sizes = array.layout.sizes;
  const int rank = weights.layout.rank();
  if (weights.layout.sizes == sizes) return weights;
  if (!call.given("axis")) {
    call.about("weights").fail("TypeError", "Axis must be specified when shapes of a and weights differ.",
                               Msg::np_cannot_broadcast, {to_string(weights.layout.sizes), to_string(sizes)});
    return std::nullopt;
  }
  bool fits = rank == along.size();
  for (int k = 0; fits && k < rank; ++k) fits = weights.layout.sizes[k] == sizes[static_cast<int>(along[k])];
  if (!fits) {
    call.about("weights").fail("ValueError",
                               "Shape of weights must be consistent with shape of a along specified axis.",
                               Msg::np_cannot_broadcast, {to_string(weights.layout.sizes), to_string(sizes)});
    return std::nullopt;
  }
  Layout seen{Dims::filled(sizes.size(), 1), Dims::filled(sizes.size(), 0), weights.layout.storage_offset};
  for (int k = 0; k < rank; ++k) {
    seen.sizes[static_cast<int>(along[k])] = weights.layout.sizes[k];
    seen.strides[static_cast<int>(along[k])] = weights.layout.strides[k];
  }
  weights.layout = seen;
  return weights;
}

/// The sums along the axes that `what` asks for, of another array.
Value summed_like(Call& call, const Tensor& array, AskedReduction what, DType dtype) {
  what.array = nameless(array);
  const Rows rows = rows_along(array, what.along, what.keep);
  return folded(call, rows, what, dtype, [&](int64_t row) { return converted(total(rows, row, dtype, false), dtype); });
}

/// The mean and, where returned= asks for it, what it was divided by, of the same sizes.
Value average_beside(Call& call, const Value& average, const Value& scale) {
  if (call.failed() || !call.truth("returned")) return average;
  const TensorRef array = as_array(call, average), divisor = as_array(call, scale);
  if (call.failed() || array->tensor->layout.sizes == divisor->tensor->layout.sizes)
    return call.tuple({average, scale});
  Tensor repeated = *divisor->tensor;
  repeated.layout = broadcast_to(repeated.layout, array->tensor->layout.sizes);
  return call.tuple({average, numpy_copy(call, repeated, NumpyOrder::c)});
}

/// sum(a * weights) / sum(weights), laid out as each of these steps lays out its result.
Value average_row(Call& call) {
  AskedReduction what{receiver(call), {}};
  if (call.failed()) return {};
  const Tensor array = *what.array->tensor;
  what.along = call.given("axis")
                   ? normalized_axes(call, "axis", array.layout.rank(), "axis: ", "repeated axis in `axis` argument")
                   : all_dims(array);
  const auto weights =
      call.given("weights") && !call.failed() ? weights_of(call, array, what.along) : std::optional<Tensor>();
  if (!call.failed()) what.keep = call.integer("keepdims") != 0;
  const auto rows = call.failed() ? std::nullopt : rows_of(call, what);
  if (!rows) return {};
  const DType own = array.dtype;
  if (!call.given("weights")) {
    const DType dtype = is_whole(own) ? DType::float64 : own;
    // NumPy reckons how many elements each average is of.
    if (rows->count == 0)
      return call.about_receiver().fail("ZeroDivisionError", "division by zero", Msg::division_by_zero);
    const Value mean = folded(call, *rows, what, dtype, [&](int64_t row) {
      return converted(divided(total(*rows, row, dtype, false), static_cast<double>(rows->each)), dtype);
    });
    return average_beside(call, mean, {NumpyScalar{real_scalar(static_cast<double>(rows->each), dtype)}});
  }
  const DType both = numpy_promoted(own, weights->dtype),
              dtype = is_whole(own) ? numpy_promoted(both, DType::float64) : both;
  const size_t said = call.said();
  const Value scale = summed_like(call, *weights, what, dtype);
  const TensorRef divisor = as_array(call, scale);
  if (divisor && !call.quick(elements_of(*divisor->tensor), count_of(*divisor->tensor))) return {};
  for (int64_t i = 0; divisor && i < count_of(*divisor->tensor); ++i)
    if (!is_true(element(elements_of(*divisor->tensor), i)))
      return call.about("weights").fail("ZeroDivisionError", "Weights sum to zero, can't be normalized",
                                        Msg::division_by_zero);
  if (call.failed()) return {};
  const Value product = apply_binary(call, binary_ufunc("multiply"), {what.array, false, {}},
                                     {nameless(*weights), false, {}}, {nullptr, nullptr, dtype, Casting::same_kind});
  const TensorRef weighted = as_array(call, product);
  const Value sum = weighted ? summed_like(call, *weighted->tensor, what, dtype) : Value{};
  const TensorRef dividend = as_array(call, sum);
  const Value average = apply_binary(call, binary_ufunc("divide"), {dividend, false, {}}, {divisor, false, {}});
  call.unsay(said);
  call.why(Msg::np_reduce_headline,
           {rows->each, to_string(rows->sizes), listed(rows->along), rows->count, rows->along.size()});
  if (dtype != own) call.why(Msg::reduce_dtype, {name(own), name(dtype)});
  return average_beside(call, average, scale);
}

/// One after the other, each step rounded.
Scalar in_steps(const std::vector<Scalar>& values, DType dtype) {
  Scalar sum = converted(integer_scalar(0, DType::int64), dtype);
  for (const Scalar& value : values) sum = reckon(Arithmetic::add, std::array{sum, converted(value, dtype)});
  return sum;
}

/// The rows, each in the order in which NumPy adds up a copy in the order of the strides: so many at once along its
/// fastest axes (`run`), which are added up step by step.
Rows rows_of_copy(Rows rows, const AskedReduction& what) {
  const Tensor& array = *what.array->tensor;
  const Dims order = iteration_order({of_copy(what).array->tensor->layout});
  const auto is_folded = [&](int64_t d) {
    return std::find(what.along.begin(), what.along.end(), d) != what.along.end();
  };
  Dims places;
  for (int d = 0; d < array.layout.rank(); ++d)
    if (!is_folded(d)) places.push_back(d);
  rows.run = 1;
  for (const int64_t d : order) {
    const int64_t size = array.layout.sizes[static_cast<int>(d)];
    if (is_folded(d)) places.push_back(d);
    if (size != 1) rows.run = is_folded(d) ? rows.run * size : 1;
  }
  rows.elements.layout = permute(elements_of(array).layout, places);
  return rows;
}

/// nanvar and nanstd: a copy with 0 for NaN, less its means, squared, added up by how many are numbers.
Value nan_spread_row(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const DType own = source->tensor->dtype;
  if (is_whole(own)) return spread_row(call);
  const auto wanted = dtype_argument(call);
  if (wanted && is_whole(*wanted))
    return call.about("dtype").fail("TypeError", "If a is inexact, then dtype must be inexact", Msg::argument_has_type,
                                    {"dtype", "floating", name(*wanted)});
  if (wanted && (is_complex(own) || is_complex(*wanted)))
    return call.about("dtype").refuse(Msg::np_reduce_option, {"dtype"});
  if (!as_real(call.value("ddof")))
    return call.about("ddof").refuse(Msg::argument_has_type, {"ddof", "float", type_name(call.value("ddof"))});
  const AskedReduction what = reduction_asked(call);
  if (refuse_reduction(call, reducing_ufunc(call), what.array)) return {};
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const Rows ordered = rows_of_copy(*rows, what);
  if (call.given("out")) return call.about("out").refuse(Msg::np_reduce_option, {"out"});
  if (rows->each >= (is_complex(own) ? 4 : 8) && (is_complex(own) || (wanted && *wanted != own)))
    return call.refuse(Msg::not_modelled, {"NumPy", std::string(call.name()) + "(" + std::string(name(own)) + ")"});
  const DType in = wanted.value_or(own), both = numpy_promoted(own, in),
              dtype = own == DType::complex64    ? DType::float32
                      : own == DType::complex128 ? DType::float64
                                                 : in;
  const bool root = call.name().ends_with("std");
  return folded(call, *rows, of_copy(what), dtype, [&](int64_t row) {
    double count = 0;
    std::vector<Scalar> replaced;
    for (int64_t k = 0; k < ordered.each; ++k) {
      const Scalar value = ordered.at(row, k);
      replaced.push_back(is_nan(value) ? Scalar{own} : value);
      count += is_nan(value) ? 0 : 1;
    }
    const auto sum = [&](const std::vector<Scalar>& values, DType as) {
      if (ordered.run == 1 || is_complex(as) || values.empty() || as != values.front().dtype)
        return converted(in_steps(values, as), as);
      std::vector<double> reals;
      for (const Scalar& value : values) reals.push_back(value.real);
      const auto run = static_cast<size_t>(ordered.run);
      double added = 0;
      for (size_t at = 0; at < reals.size(); at += run)
        added = real_scalar(
                    added + pairwise_sum(std::span(reals).subspan(at, run), itemsize(as) < 4 ? DType::float32 : as), as)
                    .real;
      return real_scalar(added, as);
    };
    const double freedom = count - call.real("ddof");
    if (freedom <= 0) return real_scalar(std::nan(""), dtype);
    const Scalar mean = converted(divided(sum(replaced, in), count), in);
    for (int64_t k = 0; k < ordered.each; ++k) {
      Scalar& value = replaced[static_cast<size_t>(k)];
      Scalar off =
          converted(reckon(Arithmetic::subtract, std::array{converted(value, both), converted(mean, both)}), own);
      if (is_nan(ordered.at(row, k))) off = Scalar{own};
      value = real_scalar(off.real * off.real + off.imaginary * off.imaginary, is_complex(own) ? dtype : own);
    }
    const Scalar spread = converted(divided(sum(replaced, dtype), freedom), dtype);
    return root ? real_scalar(std::sqrt(spread.real), dtype) : spread;
  });
}

}  // namespace

Tensor without_nan(Call& call, const Tensor& array, double instead) {
  if (call.failed() || is_whole(array.dtype)) return array;
  const int64_t count = count_of(array);
  if (count > most_folded) return call.refuse(Msg::too_many_summed, {count, most_folded}), array;
  const Elements elements = elements_of(array);
  if (!is_known(*elements.contents)) return made_or(numpy_copy(call, array, NumpyOrder::keep), array);
  if (!call.quick(elements, count)) return array;
  std::vector<Scalar> values;
  int64_t replaced = 0;
  for (int64_t i = 0; i < count; ++i) {
    const Scalar value = element(elements, i);
    replaced += is_nan(value) ? 1 : 0;
    values.push_back(is_nan(value) ? real_scalar(instead, array.dtype) : value);
  }
  const size_t said = call.said();
  const Tensor copy = made_or(numpy_copy(call, array, NumpyOrder::keep), array);
  if (call.failed()) return array;
  call.write(copy,
             {literal_contents(values, array.dtype), contiguous(array.layout.sizes, unit_of(array)), array.dtype});
  call.unsay(said);
  call.why(Msg::np_nan_counts_as, {replaced, count, scalar_text(real_scalar(instead, array.dtype))});
  return *call.object_of(copy)->tensor;
}

Value mean_of_nothing(Call& call) {
  const Value& keep = call.value("keepdims");
  if (!as_index(keep))
    return call.about("keepdims")
        .fail_parser({"'", attribute_type(keep), "' object cannot be interpreted as an integer"},
                     Msg::np_not_an_integer, {type_name(keep)});
  const AskedReduction what = reduction_asked(call);
  const auto rows = call.failed() ? std::nullopt : rows_of(call, what);
  if (!rows) return {};
  const DType own = what.array->tensor->dtype, dtype = is_whole(own) ? DType::float64 : own;
  return folded(call, *rows, what, dtype, [&](int64_t) { return real_scalar(NAN, dtype); });
}

std::span<const Op> numpy_nan_rows() {
#define NAN_SUM(name) "np." name "(a, axis=None, dtype=None, out=None, keepdims: bool | int = False)\n"
#define NAN_EXTREME(name) "np." name "(a, axis=None, out=None, keepdims: bool | int = False)\n"
#define NAN_SPREAD(name) "np." name "(a, axis=None, dtype=None, out=None, ddof=0, keepdims: bool | int = False)\n"
  static constexpr Op rows[] = {
      {Library::numpy, NAN_SUM("nansum") NAN_SUM("nanprod") NAN_SUM("nanmean"), Msg::op_np_reduce,
       "sums, products and means of those elements that are numbers",
       "x = np.array([[1., np.nan], [2., 3.]])\ny = np.nansum(x, axis=0)", nan_sum_row, Op::Structured::reckoned},
      {Library::numpy, NAN_SPREAD("nanvar") NAN_SPREAD("nanstd"), Msg::op_np_spread,
       "around the mean of those elements that are numbers, over their count less ddof; NaN where that is not above 0",
       "x = np.array([[1., np.nan], [2., 3.]])\ny = np.nanvar(x, axis=1)", nan_spread_row, Op::Structured::reckoned},
      {Library::numpy, NAN_EXTREME("nanmax") NAN_EXTREME("nanmin"), Msg::op_extreme,
       "the largest, or smallest, of those elements that are numbers",
       "x = np.array([[1., np.nan], [2., 3.]])\ny = np.nanmax(x, axis=0)", nan_extreme_row, Op::Structured::reckoned},
      {Library::numpy, "np.average(a, axis=None, weights=None, returned=False, *, keepdims=False)", Msg::op_np_reduce,
       "sum of a * weights by sum of weights",
       "x = np.arange(6).reshape(2, 3)\ny = np.average(x, axis=1, weights=[1, 2, 3])", average_row},
  };
#undef NAN_SUM
#undef NAN_EXTREME
#undef NAN_SPREAD
  return rows;
}

}  // namespace stridescope
