// Many elements made one, along axes: sums, means, extremes, spreads; and running sums.
#include <cmath>
#include <functional>

#include "ops/fold.h"
#include "ops/layout_words.h"
#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

bool ends(const Call& call, std::string_view word) { return call.name().ends_with(word); }

/// What every reduction is asked for.
struct Asked {
  TensorRef array;
  Dims along;         ///< the axes to reduce; all where none is named
  bool keep = false;  ///< keepdims
};

/// The axis of what takes a number for an array of one axis.
int only_axis(Call& call, const Tensor& array) {
  const int64_t axis = call.integer("axis");
  return call.failed() ? 0 : numpy_axis(call, axis, std::max(array.layout.rank(), 1));
}

/// The axes of a ufunc's reduction; a number may be reduced along an axis that it does not have.
Dims reduced_axes(Call& call, const Tensor& array) {
  const Value& axis = call.value("axis");
  const auto number = as_integer(axis);
  if (array.layout.rank() == 0 && number && (*number == 0 || *number == -1) && !ends(call, "mean") && !ends(call, "std") && !ends(call, "var"))
    return {};
  return numpy_axes(call, axis, array.layout.rank(), "duplicate value in 'axis'");
}

Asked asked(Call& call) {
  Asked asked{receiver(call), {}, call.given("keepdims") && call.boolean("keepdims")};
  if (call.failed()) return asked;
  for (const char* unknown : {"out", "where", "initial"})
    if (call.given(unknown)) return call.about(unknown).refuse(Msg::np_reduce_option, {unknown}), asked;
  const Tensor& array = *asked.array->tensor;
  if (!call.given("axis")) asked.along = all_dims(array);
  else if (call.name().find("arg") == std::string_view::npos) asked.along = reduced_axes(call, array);
  else if (const int axis = only_axis(call, array); array.layout.rank() > 0) asked.along = {axis};
  return asked;
}

/// The results in an array of its own, its axes in `order`, the slowest first.
Value folded(Call& call, const Rows& rows, const Asked& asked, DType dtype, const Dims& order,
             const std::function<Scalar(int64_t)>& fold) {
  std::vector<Scalar> results;
  for (int64_t row = 0; row < rows.count; ++row) results.push_back(fold(row));
  Dims sizes = asked.array->tensor->layout.sizes;
  for (const int64_t axis : rows.along) sizes[static_cast<int>(axis)] = 1;
  auto [layout, contents] = laid_out(results, sizes, order, dtype);
  for (int k = rows.along.size(); !asked.keep && k-- > 0;) {
    layout.sizes.erase(static_cast<int>(rows.along[k]));
    layout.strides.erase(static_cast<int>(rows.along[k]));
  }
  if (rows.along.empty()) call.why(Msg::reduce_nothing_headline, {to_string(layout.sizes)});
  else call.why(Msg::np_reduce_headline, {rows.each, to_string(layout.sizes), listed(rows.along), rows.count});
  if (rows.count > 0 && layout.strides != contiguous(layout.sizes, itemsize(dtype)).strides)
    call.why(Msg::np_elementwise_order, {to_string(layout.strides)});
  if (dtype != asked.array->tensor->dtype) call.why(Msg::reduce_dtype, {name(asked.array->tensor->dtype), name(dtype)});
  return scalar_if_0d(call, call.fresh(dtype, layout, std::move(contents)));
}

/// The same; the axes that stay keep the order of |strides|.
Value folded(Call& call, const Rows& rows, const Asked& asked, DType dtype, const std::function<Scalar(int64_t)>& fold) {
  return folded(call, rows, asked, dtype, iteration_order({asked.array->tensor->layout}), fold);
}

std::optional<Rows> rows_of(Call& call, const Asked& asked) {
  return call.failed() ? std::nullopt : rows_along(call, *asked.array->tensor, asked.along, asked.keep);
}

/// The dtype that whole numbers are added up in: at least 64 bits, of their own kind.
DType summed_in(DType dtype) {
  if (!is_whole(dtype)) return dtype;
  const bool is_unsigned = dtype == DType::uint8 || dtype == DType::uint16 || dtype == DType::uint32 || dtype == DType::uint64;
  return is_unsigned ? DType::uint64 : DType::int64;
}

Scalar divided(Scalar sum, double count) {
  sum = converted(sum, is_complex(sum.dtype) ? DType::complex128 : DType::float64);
  sum.real /= count, sum.imaginary /= count;
  return sum;
}

Value sum_row(Call& call) {
  const Asked what = asked(call);
  const auto wanted = call.failed() ? std::nullopt : dtype_argument(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool product = ends(call, "prod");
  const DType dtype = wanted.value_or(summed_in(what.array->tensor->dtype));
  return folded(call, *rows, what, dtype, [&](int64_t row) { return converted(total(*rows, row, dtype, product), dtype); });
}

Value mean_row(Call& call) {
  const Asked what = asked(call);
  const auto wanted = call.failed() ? std::nullopt : dtype_argument(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const DType own = what.array->tensor->dtype, in = wanted.value_or(is_whole(own) ? DType::float64 : own);
  return folded(call, *rows, what, in, [&](int64_t row) {
    return converted(divided(total(*rows, row, in, false), static_cast<double>(rows->each)), in);
  });
}

Value spread_row(Call& call) {
  const Asked what = asked(call);
  const double freedom = call.given("ddof") ? call.real("ddof") : 0;
  const auto wanted = call.failed() ? std::nullopt : dtype_argument(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const DType own = what.array->tensor->dtype, in = wanted.value_or(is_whole(own) ? DType::float64 : own);
  const DType dtype = in == DType::complex64 ? DType::float32 : in == DType::complex128 ? DType::float64 : in;
  const bool root = ends(call, "std");
  return folded(call, *rows, what, dtype, [&](int64_t row) {
    const double count = static_cast<double>(rows->each);
    const Scalar mean = converted(divided(total(*rows, row, in, false), count), DType::complex128);
    const double spread = squares(*rows, row, mean) / std::max(count - freedom, 0.0);
    return real_scalar(root ? std::sqrt(spread) : spread, dtype);
  });
}

Value extreme_row(Call& call) {
  const Asked what = asked(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool most = ends(call, "max");
  if (rows->each == 0 && rows->count > 0)
    return call.fail("ValueError", {"zero-size array to reduction operation ", most ? "maximum" : "minimum", " which has no identity"},
                     Msg::np_nothing_to_choose);
  return folded(call, *rows, what, what.array->tensor->dtype, [&](int64_t row) { return rows->at(row, best_of(*rows, row, most)); });
}

/// The place of the largest or smallest; always in C order.
Value place_row(Call& call) {
  const Asked what = asked(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool most = ends(call, "max");
  if (rows->each == 0 && (rows->count > 0 || !call.given("axis")))
    return call.fail("ValueError", {"attempt to get arg", most ? "max" : "min", " of an empty sequence"}, Msg::np_nothing_to_choose);
  return folded(call, *rows, what, DType::int64, all_dims(*what.array->tensor),
                [&](int64_t row) { return integer_scalar(best_of(*rows, row, most), DType::int64); });
}

Value any_row(Call& call) {
  const Asked what = asked(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool all = ends(call, "all"), count = ends(call, "count_nonzero");
  const auto hits = [&](int64_t row) {
    int64_t sum = 0;
    for (int64_t k = 0; k < rows->each; ++k) sum += is_true(rows->at(row, k)) ? 1 : 0;
    return sum;
  };
  if (count && !call.given("axis") && !what.keep) {
    call.why(Msg::np_counted, {hits(0), rows->each});
    call.relation(Relation::none);
    return {hits(0)};
  }
  const DType dtype = count ? DType::int64 : DType::boolean;
  return folded(call, *rows, what, dtype, [&](int64_t row) {
    return integer_scalar(count ? hits(row) : all ? hits(row) == rows->each : hits(row) > 0, dtype);
  });
}

/// Along an axis in the layout of a copy; of everything as raveled.
Value running_row(Call& call) {
  const TensorRef source = receiver(call);
  if (call.given("out")) return call.about("out").refuse(Msg::np_reduce_option, {"out"});
  const auto wanted = call.failed() ? std::nullopt : dtype_argument(call);
  if (call.failed()) return {};
  Tensor array = *source->tensor;
  const int axis = call.given("axis") ? only_axis(call, array) : 0;
  if (call.failed()) return {};
  if (count_of(array) > most_folded) return call.refuse(Msg::too_many_summed, {count_of(array), most_folded});
  if (array.layout.rank() == 0) array.layout = insert_dim(array.layout, 0, unit_of(array));
  else if (!call.given("axis") && array.layout.rank() > 1) {
    const std::vector<Tensor> flat = raveled(call, {array});
    if (call.failed()) return {};
    array = flat.front();
  }
  const DType dtype = wanted.value_or(summed_in(array.dtype));
  const std::vector<Scalar> sums = running(elements_of(array), axis, dtype, ends(call, "prod"));
  auto [layout, contents] = laid_out(sums, array.layout.sizes, iteration_order({array.layout}), dtype);
  call.why(Msg::np_running_headline, {layout.sizes[axis], axis});
  return call.fresh(dtype, layout, std::move(contents));
}

}  // namespace

#define NP_BOTH(name, rest) "x." name "(" rest ")\nnp." name "(a, " rest ")\n"
#define NP_WHERE ", out=None, keepdims: bool = False, *, where=None)\n"
#define NP_SUM(name) \
  "x." name "(axis=None, dtype=None, out=None, keepdims: bool = False, initial=None, where=None)\n" \
  "np." name "(a, axis=None, dtype=None, out=None, keepdims: bool = False, initial=None, where=None)\n"
#define NP_SPREAD(name) \
  "x." name "(axis=None, dtype=None, out=None, ddof=0, keepdims: bool = False, *, where=None)\n" \
  "np." name "(a, axis=None, dtype=None, out=None, ddof=0, keepdims: bool = False, *, where=None)\n"
#define NP_EXTREME(method, function) \
  "x." method "(axis=None, out=None, keepdims: bool = False, initial=None, where=None)\n" \
  "np." function "(a, axis=None, out=None, keepdims: bool = False, initial=None, where=None)\n"
#define NP_PLACE(name) NP_BOTH(name, "axis=None, out=None, *, keepdims: bool = False")
#define NP_ANY(name) "x." name "(axis=None" NP_WHERE "np." name "(a, axis=None" NP_WHERE
#define NP_RUNNING(name) NP_BOTH(name, "axis=None, dtype=None, out=None")

std::span<const Op> numpy_reduce_rows() {
  static const Op rows[] = {
      {Library::numpy, NP_SUM("sum") NP_SUM("prod"), Msg::op_np_reduce,
       "the elements along the axes added up, or multiplied; whole numbers in 64 bits",
       "x = np.arange(6).reshape(2, 3)\ny = x.sum(axis=0)", sum_row},
      {Library::numpy,
       "x.mean(axis=None, dtype=None, out=None, keepdims: bool = False, *, where=None)\n"
       "np.mean(a, axis=None, dtype=None, out=None, keepdims: bool = False, *, where=None)",
       Msg::op_np_reduce, "the sum by the count; whole numbers as float64", "x = np.arange(6).reshape(2, 3)\ny = x.mean(axis=1)", mean_row},
      {Library::numpy, NP_SPREAD("std") NP_SPREAD("var"), Msg::op_np_spread, "around the mean, over n - ddof",
       "x = np.arange(6).reshape(2, 3)\ny = x.std(axis=0)", spread_row},
      {Library::numpy,
       NP_EXTREME("max", "max") NP_EXTREME("min", "min")
       "np.amax(a, axis=None, out=None, keepdims: bool = False, initial=None, where=None)\n"
       "np.amin(a, axis=None, out=None, keepdims: bool = False, initial=None, where=None)",
       Msg::op_extreme, "the largest, or smallest, along the axes", "x = np.arange(6).reshape(2, 3)\ny = x.max(axis=1)", extreme_row},
      {Library::numpy, NP_PLACE("argmax") NP_PLACE("argmin"), Msg::op_extreme,
       "the place of the largest, or smallest, along the axis; of everything as raveled", "x = np.arange(6).reshape(2, 3)\ny = x.argmax(axis=1)", place_row},
      {Library::numpy, NP_ANY("any") NP_ANY("all"), Msg::op_any, "whether any, or all, of the elements along the axes are not 0", "x = np.arange(6).reshape(2, 3)\ny = (x > 2).any(axis=0)", any_row},
      {Library::numpy, "np.count_nonzero(a, axis=None, *, keepdims: bool = False)", Msg::op_any,
       "how many of the elements along the axes are not 0", "x = np.arange(6).reshape(2, 3)\ny = np.count_nonzero(x, axis=0)", any_row},
      {Library::numpy, NP_RUNNING("cumsum") NP_RUNNING("cumprod"), Msg::op_np_running, "y[i] = x[0] + .. + x[i] along the axis",
       "x = np.arange(6).reshape(2, 3)\ny = x.cumsum(axis=1)", running_row},
  };
  return rows;
}
#undef NP_BOTH
#undef NP_WHERE
#undef NP_SUM
#undef NP_SPREAD
#undef NP_EXTREME
#undef NP_PLACE
#undef NP_ANY
#undef NP_RUNNING

}  // namespace stridescope
