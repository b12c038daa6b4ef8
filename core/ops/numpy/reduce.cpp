// Many elements made one, along axes: sums, means, extremes, spreads; and running sums.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/layout_words.h"
#include "ops/numpy/reduction.h"
#include "ops/numpy/ufunc.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

bool ends(const Call& call, std::string_view word) { return call.name().ends_with(word); }

Value mean_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  if (refuse_reduction(call, "add", what.array)) return {};
  const auto wanted = call.failed() ? std::nullopt : ufunc_dtype_argument(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const DType own = what.array->tensor->dtype, in = wanted.value_or(is_whole(own) ? DType::float64 : own);
  // Halves are added up as float32.
  const DType summed = own == DType::float16 && !wanted ? DType::float32 : in;
  return folded(call, *rows, what, in, [&](int64_t row) {
    const Scalar sum = converted(total(*rows, row, summed, false), summed);
    return converted(divided(sum, static_cast<double>(rows->taken(row))), in);
  });
}

Value extreme_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  if (refuse_reduction(call, reducing_ufunc(call), what.array)) return {};
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool most = ends(call, "max");
  const DType dtype = reduced_in(call, what.array->tensor->dtype);
  const auto initial = initial_of(call, dtype);
  if (call.failed()) return {};
  if (!initial) check_start(call, *rows);
  if (call.failed()) return {};
  return folded(call, *rows, what, dtype, [&](int64_t row) {
    const int64_t best = best_of(*rows, row, most);
    if (best < 0) return *initial;
    const Scalar found = converted(rows->at(row, best), dtype);
    return initial ? reckon(most ? Arithmetic::maximum : Arithmetic::minimum, std::array{*initial, found}) : found;
  });
}

/// The largest less the smallest.
Value spread_of_extremes(Call& call) {
  const AskedReduction what = reduction_asked(call);
  if (refuse_reduction(call, "maximum", what.array)) return {};
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  if (call.given("out")) return call.about("out").refuse(Msg::np_reduce_option, {"out"});
  check_start(call, *rows);
  if (call.failed()) return {};
  const size_t said = call.said();
  const auto extremes = [&](bool most) {
    return operand(call, folded(call, *rows, what, what.array->tensor->dtype,
                                [&](int64_t row) { return rows->at(row, best_of(*rows, row, most)); }));
  };
  const Operand most = extremes(true), least = extremes(false);
  const Value result = apply_binary(call, binary_ufunc("subtract"), most, least);
  call.unsay(said);
  call.why(Msg::np_reduce_headline,
           {rows->each, to_string(rows->sizes), listed(rows->along), rows->count, rows->along.size()});
  return result;
}

/// The place of the largest or smallest; always in C order. What leaves NaN out finds infinity in its place.
Value place_row(Call& call) {
  AskedReduction what = reduction_asked(call);
  auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool most = ends(call, "max");
  if (call.name().starts_with("numpy.nan")) {
    if (!readable(call, *rows)) return {};
    for (int64_t row = 0; row < (rows->each > 0 ? rows->count : 0); ++row) {
      int64_t k = 0;
      while (k < rows->each && is_nan(rows->at(row, k))) ++k;
      if (k == rows->each)
        return call.about("a").fail("ValueError", "All-NaN slice encountered", Msg::np_all_nan, {rows->each});
    }
    what.array = nameless(without_nan(call, *what.array->tensor, most ? -INFINITY : INFINITY));
    rows = rows_of(call, what);
    if (!rows) return {};
  }
  if (call.given("out")) return call.about("out").refuse(Msg::np_reduce_option, {"out"});
  if (rows->each == 0)
    return call.fail("ValueError", {"attempt to get arg", most ? "max" : "min", " of an empty sequence"},
                     Msg::nothing_to_choose);
  return folded(call, *rows, what, DType::int64, all_dims(*what.array->tensor),
                [&](int64_t row) { return integer_scalar(best_of(*rows, row, most), DType::int64); });
}

Value any_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  if (const auto wanted = call.failed() ? std::nullopt : dtype_argument(call); wanted && *wanted != DType::boolean)
    return call.about("dtype").fail_parser(
        {"No loop matching the specified signature and casting was found for ufunc ", reducing_ufunc(call)},
        Msg::not_defined_for, {reducing_ufunc(call), name(*wanted)});
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool all = ends(call, "all"), count = ends(call, "count_nonzero");
  const auto hits = [&](int64_t row) {
    int64_t sum = 0;
    for (int64_t k = 0; k < rows->each; ++k) sum += rows->takes(row, k) && is_true(rows->at(row, k)) ? 1 : 0;
    return sum;
  };
  if (count && !call.given("axis") && !what.keep) {
    if (!readable(call, *rows)) return {};
    call.why(Msg::np_counted, {hits(0), rows->each});
    call.relation(Relation::none);
    return {hits(0)};
  }
  const DType dtype = count ? DType::int64 : DType::boolean;
  const auto found = [&](int64_t row) {
    return integer_scalar(count ? hits(row) : all ? hits(row) == rows->taken(row) : hits(row) > 0, dtype);
  };
  const Tensor& array = *what.array->tensor;
  if (!count || array.dtype == DType::boolean) return folded(call, *rows, what, dtype, found);
  // Counted are truth values, an array of their own.
  const Layout truths{array.layout.sizes, k_order_strides(array.layout, 1), 0};
  return folded(call, *rows, what, dtype, iteration_order({truths}), found);
}

}  // namespace

Value spread_row(Call& call) {
  // Many numbers for ddof are held against the size of each axis before it is asked whether one is named twice.
  const Value& asked = call.value("ddof");
  const TensorRef many =
      tensor_of(asked) || std::holds_alternative<Sequence>(asked.held) ? as_array(call, asked) : nullptr;
  if (call.failed()) return {};
  if (many && count_of(*many->tensor) != 1) {
    const TensorRef source = receiver(call);
    const auto axes = source && call.given("axis") ? integer_list(call, call.value("axis")) : std::nullopt;
    for (size_t k = 0; axes && k < axes->size(); ++k) numpy_axis(call, (*axes)[k], source->tensor->layout.rank());
    return call.failed() ? Value{} : (call.truth("ddof", {many}), Value{});
  }
  const AskedReduction what = reduction_asked(call);
  if (refuse_reduction(call, "add", what.array)) return {};
  auto freedom = as_real(asked);
  if (!freedom && many) freedom = as_real(Value{scalar_at(elements_of(*many->tensor), 0)});
  if (!freedom) return call.about("ddof").refuse(Msg::argument_has_type, {"ddof", "float", type_name(asked)});
  const auto wanted = call.failed() ? std::nullopt : ufunc_dtype_argument(call);
  if (wanted && is_whole(*wanted)) return call.about("dtype").refuse(Msg::np_reduce_option, {"dtype"});
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  if (many && !rows->sizes.empty() &&
      many->tensor->layout.rank() > rows->sizes.size())  // the result has no room for it
    return call.about("ddof").refuse(Msg::argument_has_type, {"ddof", "float", type_name(asked)});
  const DType own = what.array->tensor->dtype, in = wanted.value_or(is_whole(own) ? DType::float64 : own);
  // Of complex numbers it is real, unless complex ones were asked for.
  const DType dtype = wanted                    ? in
                      : in == DType::complex64  ? DType::float32
                      : in == DType::complex128 ? DType::float64
                                                : in;
  const bool root = ends(call, "std");
  return folded(call, *rows, what, dtype, [&](int64_t row) {
    const double count = static_cast<double>(rows->taken(row));
    const Scalar mean = converted(divided(total(*rows, row, in, false), count), DType::complex128);
    const double spread = squares(*rows, row, mean) / std::max(count - *freedom, 0.0);
    return real_scalar(root ? std::sqrt(spread) : spread, dtype);
  });
}

Value sum_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  if (refuse_reduction(call, reducing_ufunc(call), what.array)) return {};
  const auto wanted = call.failed() ? std::nullopt : dtype_argument(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool product = reducing_ufunc(call) == "multiply";
  const DType own = what.array->tensor->dtype,
              dtype = wanted.value_or(call.given("out") ? reduced_in(call, own) : summed_in(own));
  const auto initial = initial_of(call, dtype);
  if (!call.given("initial") && !(call.argument("initial") == Span{})) check_start(call, *rows);
  if (call.failed()) return {};
  const Arithmetic op = dtype == DType::boolean ? (product ? Arithmetic::bit_and : Arithmetic::bit_or)
                        : product               ? Arithmetic::multiply
                                                : Arithmetic::add;
  return folded(call, *rows, what, dtype, [&](int64_t row) {
    const Scalar sum = converted(total(*rows, row, dtype, product), dtype);
    return initial ? reckon(op, std::array{*initial, sum}) : sum;
  });
}

#define NP_BOTH(name, rest) "x." name "(" rest ")\nnp." name "(a, " rest ")\n"
#define NP_WHERE ", out=None, keepdims: bool | int = False, *, where=None)\n"
#define NP_SUM(name)                                                                            \
  "x." name                                                                                     \
  "(axis=None, dtype=None, out=None, keepdims: bool | int = False, initial=None, where=None)\n" \
  "np." name "(a, axis=None, dtype=None, out=None, keepdims: bool | int = False, initial=None, where=None)\n"
#define NP_SPREAD(name)                                                                      \
  "x." name                                                                                  \
  "(axis=None, dtype=None, out=None, ddof=0, keepdims: bool | int = False, *, where=None)\n" \
  "np." name "(a, axis=None, dtype=None, out=None, ddof=0, keepdims: bool | int = False, *, where=None)\n"
#define NP_EXTREME(method, function)                                                \
  "x." method                                                                       \
  "(axis=None, out=None, keepdims: bool | int = False, initial=None, where=None)\n" \
  "np." function "(a, axis=None, out=None, keepdims: bool | int = False, initial=None, where=None)\n"
#define NP_PLACE(name) NP_BOTH(name, "axis=None, out=None, *, keepdims: any = False")
#define NP_ANY "whether any, or all, of the elements along the axes are not 0", "x = np.arange(6).reshape(2, 3)\ny = "

std::span<const Op> numpy_reduce_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, NP_SUM("sum") NP_SUM("prod"), Msg::op_np_reduce,
       "the elements along the axes added up, or multiplied; whole numbers in 64 bits",
       "x = np.arange(6).reshape(2, 3)\ny = x.sum(axis=0)", sum_row, Op::Structured::reckoned},
      {Library::numpy,
       "x.mean(axis=None, dtype=None, out=None, keepdims: bool | int = False, *, where=None)\n"
       "np.mean(a, axis=None, dtype=None, out=None, keepdims: bool | int = False, *, where=None)",
       Msg::op_np_reduce, "the sum by the count; whole numbers as float64",
       "x = np.arange(6).reshape(2, 3)\ny = x.mean(axis=1)", mean_row, Op::Structured::reckoned},
      {Library::numpy, NP_SPREAD("std") NP_SPREAD("var"), Msg::op_np_spread, "around the mean, over n - ddof",
       "x = np.arange(6).reshape(2, 3)\ny = x.std(axis=0)", spread_row, Op::Structured::reckoned},
      {Library::numpy,
       NP_EXTREME("max", "max") NP_EXTREME(
           "min", "min") "np.amax(a, axis=None, out=None, keepdims: bool | int = False, initial=None, where=None)\n"
                         "np.amin(a, axis=None, out=None, keepdims: bool | int = False, initial=None, where=None)",
       Msg::op_extreme, "the largest, or smallest, along the axes", "x = np.arange(6).reshape(2, 3)\ny = x.max(axis=1)",
       extreme_row, Op::Structured::reckoned},
      {Library::numpy, "np.ptp(a, axis=None, out=None, keepdims: bool | int = False)", Msg::op_np_ptp,
       "the largest less the smallest along the axes, in the array's dtype",
       "x = np.arange(6).reshape(2, 3)\ny = np.ptp(x, axis=1)", spread_of_extremes, Op::Structured::reckoned},
      {Library::numpy, NP_PLACE("argmax") NP_PLACE("argmin"), Msg::op_extreme,
       "the place of the largest, or smallest, along the axis; of everything as raveled",
       "x = np.arange(6).reshape(2, 3)\ny = x.argmax(axis=1)", place_row, Op::Structured::ordered},
      {Library::numpy,
       "np.nanargmax(a, axis=None, out=None, *, keepdims: any = False)\n"
       "np.nanargmin(a, axis=None, out=None, *, keepdims: any = False)",
       Msg::op_extreme, "the place of the largest, or smallest, with infinity below or above all for each NaN",
       "x = np.array([[1., np.nan], [2., 3.]])\ny = np.nanargmax(x, axis=1)", place_row},
      {Library::numpy, "x.any(axis=None, dtype=None" NP_WHERE "x.all(axis=None, dtype=None" NP_WHERE, Msg::op_any,
       NP_ANY "(x > 2).any(axis=0)", any_row, Op::Structured::ordered},
      {Library::numpy, "np.any(a, axis=None" NP_WHERE "np.all(a, axis=None" NP_WHERE, Msg::op_any,
       NP_ANY "np.any(x > 2, axis=0)", any_row, Op::Structured::ordered},
      {Library::numpy, "np.count_nonzero(a, axis=None, *, keepdims: bool | int = False)", Msg::op_any,
       "how many of the elements along the axes are not 0",
       "x = np.arange(6).reshape(2, 3)\ny = np.count_nonzero(x, axis=0)", any_row, Op::Structured::ordered},
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

}  // namespace stridescope
