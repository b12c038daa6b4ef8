// Many elements made one, along axes: sums, means, extremes, spreads; and running sums.
#include <algorithm>
#include <array>
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
struct AskedReduction {
  TensorRef array;
  Dims along;         ///< the axes to reduce; all where none is named
  bool keep = false;  ///< keepdims
};

/// The axes of a ufunc's reduction; a number may be reduced along an axis that it does not have.
Dims reduced_axes(Call& call, const Tensor& array) {
  const Value& axis = call.value("axis");
  const auto number = as_integer(axis);
  if (array.layout.rank() == 0 && number && (*number == 0 || *number == -1) && !ends(call, "mean") &&
      !ends(call, "std") && !ends(call, "var"))
    return {};
  return numpy_axes(call, axis, array.layout.rank(),
                    ends(call, "norm") ? "Duplicate axes given." : "duplicate value in 'axis'");
}

AskedReduction reduction_asked(Call& call) {
  AskedReduction asked{receiver(call), {}, call.given("keepdims") && call.boolean("keepdims")};
  if (call.failed()) return asked;
  const Tensor& array = *asked.array->tensor;
  if (!call.given("axis"))
    asked.along = all_dims(array);
  else if (call.name().find("arg") == std::string_view::npos)
    asked.along = reduced_axes(call, array);
  else if (const int axis = only_axis(call, array); array.layout.rank() > 0)
    asked.along = {axis};
  return asked;
}

/// The name of the ufunc that a reduction folds with, as messages give it.
std::string_view ufunc_name(const Call& call) {
  if (ends(call, "prod")) return "multiply";
  if (ends(call, "max")) return "maximum";
  if (ends(call, "min")) return "minimum";
  return ends(call, "any") ? "logical_or" : ends(call, "all") ? "logical_and" : "add";
}

/// The array given as out=, which must have the sizes of the result; null where the call failed.  @pre it is given
TensorRef out_array(Call& call, const Rows& rows, const AskedReduction& asked) {
  const Value& out = call.value("out");
  if (!tensor_of(out))
    return call.about("out").fail("TypeError", "output must be an array", Msg::np_out_array, {type_name(out)}), nullptr;
  const TensorRef array = std::get<TensorRef>(out.held);
  const Tensor& target = *array->tensor;
  const Dims& sizes = asked.array->tensor->layout.sizes;
  const int wanted = rows.sizes.size();
  if (target.layout.rank() != wanted)
    return call.about("out").fail(
               "ValueError",
               {"output parameter for reduction operation ", ufunc_name(call),
                " has the wrong number of dimensions: Found ", target.layout.rank(), " but expected ", wanted,
                asked.keep ? " (must match the operand's when keepdims=True)" : ""},
               Msg::np_out_sizes, {to_string(target.layout.sizes), to_string(rows.sizes)}),
           nullptr;
  if (!numpy_writeable(call, target, "operand array with iterator write flag set is read-only")) return nullptr;
  if (target.layout.sizes == rows.sizes) return array;
  if (asked.keep) return call.about("out").refuse(Msg::np_reduce_option, {"out"}), nullptr;
  std::string remapped;
  int next = 0;
  for (int d = 0; d < sizes.size(); ++d) {
    const bool folds = std::find(rows.along.begin(), rows.along.end(), d) != rows.along.end();
    if (folds && remapped.empty()) continue;
    remapped += (remapped.empty() ? "" : ",") + (folds ? "newaxis" : std::to_string(target.layout.sizes[next++]));
  }
  call.about("out").fail("ValueError",
                         {"operands could not be broadcast together with remapped shapes [original->remapped]: ",
                          shape_text(target.layout.sizes), "->(", remapped, ") ", shape_text(sizes), " "},
                         Msg::np_out_sizes, {to_string(target.layout.sizes), to_string(rows.sizes)});
  return nullptr;
}

/// What a row starts from: initial=, or nothing.
std::optional<Scalar> initial_of(Call& call, DType dtype) {
  if (!call.given("initial")) return std::nullopt;
  // As one element is stored.
  Tensor start;
  start.library = Library::numpy;
  start.dtype = dtype;
  start.storage = std::make_shared<Storage>();
  start.storage->dtype = dtype;
  start.storage->nbytes = itemsize(dtype);
  start.storage->contents = constant_contents(converted({DType::int64}, dtype), 1);
  const size_t said = call.said();
  numpy_store(call.about("initial"), start, call.value("initial"));
  call.unsay(said);
  return call.failed() ? std::nullopt : std::optional(element(elements_of(start), 0));
}

/// The results in an array of its own, its axes in `order`, the slowest first.
Value folded(Call& call, const Rows& rows, const AskedReduction& asked, DType dtype, const Dims& order,
             const std::function<Scalar(int64_t)>& fold) {
  std::vector<Scalar> results;
  for (int64_t row = 0; row < rows.count; ++row) results.push_back(fold(row));
  if (call.failed()) return {};
  if (call.given("out")) {
    const TensorRef out = out_array(call, rows, asked);
    return out ? written_out(call, out, results, dtype) : Value{};
  }
  Dims sizes = asked.array->tensor->layout.sizes;
  for (const int64_t axis : rows.along) sizes[static_cast<int>(axis)] = 1;
  auto [layout, contents] = laid_out(results, sizes, order, dtype);
  for (int k = rows.along.size(); !asked.keep && k-- > 0;) {
    layout.sizes.erase(static_cast<int>(rows.along[k]));
    layout.strides.erase(static_cast<int>(rows.along[k]));
  }
  if (rows.along.empty())
    call.why(Msg::reduce_nothing_headline, {to_string(layout.sizes)});
  else
    call.why(Msg::np_reduce_headline, {rows.each, to_string(layout.sizes), listed(rows.along), rows.count});
  if (rows.count > 0 && layout.strides != contiguous(layout.sizes, itemsize(dtype)).strides)
    call.why(Msg::np_elementwise_order, {to_string(layout.strides)});
  if (dtype != asked.array->tensor->dtype) call.why(Msg::reduce_dtype, {name(asked.array->tensor->dtype), name(dtype)});
  return scalar_if_0d(call, call.fresh(dtype, layout, std::move(contents)));
}

/// The same; the axes that stay keep the order of |strides|.
Value folded(Call& call, const Rows& rows, const AskedReduction& asked, DType dtype,
             const std::function<Scalar(int64_t)>& fold) {
  return folded(call, rows, asked, dtype, iteration_order({asked.array->tensor->layout}), fold);
}

/// The elements that where= lets take part, under the array's sizes; nothing where it is not given or the call failed.
std::optional<Elements> mask_of(Call& call, const Tensor& array) {
  if (!call.given("where")) return std::nullopt;
  const Value& where = call.value("where");
  const TensorRef mask = as_array(call, where, has_dtype(where) ? std::nullopt : std::optional(DType::boolean));
  if (call.failed()) return std::nullopt;
  const Tensor& held = *mask->tensor;
  if (held.dtype != DType::boolean)
    return call.about("where").fail("TypeError",
                                    {"Cannot cast array data from dtype('", name(held.dtype),
                                     "') to dtype('bool') according to the rule 'safe'"},
                                    Msg::np_where_bool, {name(held.dtype)}),
           std::nullopt;
  const Dims& sizes = array.layout.sizes;
  if (held.layout.rank() > sizes.size())
    return call.about("where").fail("ValueError",
                                    "input operand has more dimensions than allowed by the axis remapping",
                                    Msg::np_cannot_broadcast, {to_string(held.layout.sizes), to_string(sizes)}),
           std::nullopt;
  if (broadcast_sizes({sizes, held.layout.sizes}) != sizes)
    return call.about("where").fail(
               "ValueError",
               {"operands could not be broadcast together with remapped shapes [original->remapped]: ",
                shape_text(sizes), " ", shape_text(held.layout.sizes), " "},
               Msg::np_cannot_broadcast, {to_string(held.layout.sizes), to_string(sizes)}),
           std::nullopt;
  call.why(Msg::np_where_takes, {to_string(held.layout.sizes)});
  return broadcast_elements(held, sizes);
}

std::optional<Rows> rows_of(Call& call, const AskedReduction& asked) {
  if (call.failed()) return std::nullopt;
  const auto mask = mask_of(call, *asked.array->tensor);
  return call.failed() ? std::nullopt : rows_along(call, *asked.array->tensor, asked.along, asked.keep, mask);
}

/// The dtype that a sum or product is reckoned in: that of out=, where there is one, counts like an operand's.
DType reckoned_in(const Call& call, DType dtype) {
  const TensorPtr out = tensor_of(call.value("out"));
  return out ? numpy_promoted(out->dtype, dtype) : dtype;
}

Scalar divided(Scalar sum, double count) {
  sum = converted(sum, is_complex(sum.dtype) ? DType::complex128 : DType::float64);
  sum.real /= count, sum.imaginary /= count;
  return sum;
}

Value sum_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  const auto wanted = call.failed() ? std::nullopt : dtype_argument(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool product = ends(call, "prod");
  const DType own = what.array->tensor->dtype,
              dtype = wanted.value_or(call.given("out") ? reckoned_in(call, own) : summed_in(own));
  const auto initial = initial_of(call, dtype);
  const Arithmetic op = dtype == DType::boolean ? (product ? Arithmetic::bit_and : Arithmetic::bit_or)
                        : product               ? Arithmetic::multiply
                                                : Arithmetic::add;
  return folded(call, *rows, what, dtype, [&](int64_t row) {
    const Scalar sum = converted(total(*rows, row, dtype, product), dtype);
    return initial ? reckon(op, std::array{*initial, sum}) : sum;
  });
}

Value mean_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  const auto wanted = call.failed() ? std::nullopt : dtype_argument(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const DType own = what.array->tensor->dtype, in = wanted.value_or(is_whole(own) ? DType::float64 : own);
  return folded(call, *rows, what, in, [&](int64_t row) {
    return converted(divided(total(*rows, row, in, false), static_cast<double>(rows->taken(row))), in);
  });
}

Value spread_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  if (!as_real(call.value("ddof")))
    return call.about("ddof").refuse(Msg::argument_has_type, {"ddof", "float", type_name(call.value("ddof"))});
  const double freedom = call.real("ddof");
  const auto wanted = call.failed() ? std::nullopt : dtype_argument(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
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
    const double spread = squares(*rows, row, mean) / std::max(count - freedom, 0.0);
    return real_scalar(root ? std::sqrt(spread) : spread, dtype);
  });
}

/// np.linalg.norm: the root of the sum of squares, of a vector or a matrix.
Value norm_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  const Value& order = call.value("ord");
  if (call.failed()) return {};
  const int axes = what.along.size();
  const auto* word = std::get_if<std::string>(&order.held);
  const bool euclidean = axes == 1 ? !word && as_real(order) == 2 : axes == 2 && word && *word == "fro";
  if (call.given("ord") && !euclidean)
    return call.about("ord").refuse(Msg::not_modelled, {"NumPy", "np.linalg.norm(ord=" + to_string(order) + ")"});
  if (call.given("axis") && axes != 1 && axes != 2)
    return call.about("axis").fail("ValueError", "Improper number of dimensions to norm.", Msg::np_norm_axes, {axes});
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const DType own = what.array->tensor->dtype;
  const DType dtype = is_whole(own) || own == DType::complex128 ? DType::float64
                      : own == DType::complex64                 ? DType::float32
                                                                : own;
  const Value result = folded(call, *rows, what, dtype, [&](int64_t row) {
    return real_scalar(std::sqrt(squares(*rows, row, {DType::complex128})), dtype);
  });
  const TensorPtr kept = tensor_of(result);
  if (!kept || !what.keep || (call.given("axis") && axes == 1)) return result;
  // A matrix's axes are put back by a reshape, and so are all axes.
  const Value shown = call.view(*kept, contiguous(kept->layout.sizes, itemsize(dtype)));
  call.relation(Relation::fresh);
  return shown;
}

Value extreme_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool most = ends(call, "max");
  const DType dtype = reckoned_in(call, what.array->tensor->dtype);
  const auto initial = initial_of(call, dtype);
  if (call.failed()) return {};
  if (call.given("where") && !initial)
    return call.fail("ValueError",
                     {"reduction operation '", ufunc_name(call),
                      "' does not have an identity, so to use a where mask one has to specify 'initial'"},
                     Msg::np_where_needs_initial);
  if (rows->each == 0 && !initial)
    return call.fail(
        "ValueError",
        {"zero-size array to reduction operation ", most ? "maximum" : "minimum", " which has no identity"},
        Msg::np_nothing_to_choose);
  return folded(call, *rows, what, dtype, [&](int64_t row) {
    const int64_t best = best_of(*rows, row, most);
    if (best < 0) return *initial;
    const Scalar found = converted(rows->at(row, best), dtype);
    return initial ? reckon(most ? Arithmetic::maximum : Arithmetic::minimum, std::array{*initial, found}) : found;
  });
}

/// The place of the largest or smallest; always in C order.
Value place_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool most = ends(call, "max");
  if (call.given("out")) return call.about("out").refuse(Msg::np_reduce_option, {"out"});
  if (rows->each == 0)
    return call.fail("ValueError", {"attempt to get arg", most ? "max" : "min", " of an empty sequence"},
                     Msg::np_nothing_to_choose);
  return folded(call, *rows, what, DType::int64, all_dims(*what.array->tensor),
                [&](int64_t row) { return integer_scalar(best_of(*rows, row, most), DType::int64); });
}

Value any_row(Call& call) {
  const AskedReduction what = reduction_asked(call);
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const bool all = ends(call, "all"), count = ends(call, "count_nonzero");
  const auto hits = [&](int64_t row) {
    int64_t sum = 0;
    for (int64_t k = 0; k < rows->each; ++k) sum += rows->takes(row, k) && is_true(rows->at(row, k)) ? 1 : 0;
    return sum;
  };
  if (count && !call.given("axis") && !what.keep) {
    call.why(Msg::np_counted, {hits(0), rows->each});
    call.relation(Relation::none);
    return {hits(0)};
  }
  const DType dtype = count ? DType::int64 : DType::boolean;
  return folded(call, *rows, what, dtype, [&](int64_t row) {
    return integer_scalar(count ? hits(row) : all ? hits(row) == rows->taken(row) : hits(row) > 0, dtype);
  });
}

}  // namespace

#define NP_BOTH(name, rest) "x." name "(" rest ")\nnp." name "(a, " rest ")\n"
#define NP_WHERE ", out=None, keepdims: bool = False, *, where=None)\n"
#define NP_SUM(name)                                                                      \
  "x." name                                                                               \
  "(axis=None, dtype=None, out=None, keepdims: bool = False, initial=None, where=None)\n" \
  "np." name "(a, axis=None, dtype=None, out=None, keepdims: bool = False, initial=None, where=None)\n"
#define NP_SPREAD(name)                                                                \
  "x." name                                                                            \
  "(axis=None, dtype=None, out=None, ddof=0, keepdims: bool = False, *, where=None)\n" \
  "np." name "(a, axis=None, dtype=None, out=None, ddof=0, keepdims: bool = False, *, where=None)\n"
#define NP_EXTREME(method, function)                                          \
  "x." method                                                                 \
  "(axis=None, out=None, keepdims: bool = False, initial=None, where=None)\n" \
  "np." function "(a, axis=None, out=None, keepdims: bool = False, initial=None, where=None)\n"
#define NP_PLACE(name) NP_BOTH(name, "axis=None, out=None, *, keepdims: bool = False")
#define NP_ANY(name) "x." name "(axis=None" NP_WHERE "np." name "(a, axis=None" NP_WHERE

std::span<const Op> numpy_reduce_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, NP_SUM("sum") NP_SUM("prod"), Msg::op_np_reduce,
       "the elements along the axes added up, or multiplied; whole numbers in 64 bits",
       "x = np.arange(6).reshape(2, 3)\ny = x.sum(axis=0)", sum_row},
      {Library::numpy,
       "x.mean(axis=None, dtype=None, out=None, keepdims: bool = False, *, where=None)\n"
       "np.mean(a, axis=None, dtype=None, out=None, keepdims: bool = False, *, where=None)",
       Msg::op_np_reduce, "the sum by the count; whole numbers as float64",
       "x = np.arange(6).reshape(2, 3)\ny = x.mean(axis=1)", mean_row},
      {Library::numpy, NP_SPREAD("std") NP_SPREAD("var"), Msg::op_np_spread, "around the mean, over n - ddof",
       "x = np.arange(6).reshape(2, 3)\ny = x.std(axis=0)", spread_row},
      {Library::numpy, "np.linalg.norm(x, ord=None, axis=None, keepdims: bool = False)", Msg::op_np_norm,
       "the root of the sum of squares", "x = np.arange(6).reshape(2, 3)\ny = np.linalg.norm(x, axis=1)", norm_row},
      {Library::numpy,
       NP_EXTREME("max", "max") NP_EXTREME(
           "min", "min") "np.amax(a, axis=None, out=None, keepdims: bool = False, initial=None, where=None)\n"
                         "np.amin(a, axis=None, out=None, keepdims: bool = False, initial=None, where=None)",
       Msg::op_extreme, "the largest, or smallest, along the axes", "x = np.arange(6).reshape(2, 3)\ny = x.max(axis=1)",
       extreme_row},
      {Library::numpy, NP_PLACE("argmax") NP_PLACE("argmin"), Msg::op_extreme,
       "the place of the largest, or smallest, along the axis; of everything as raveled",
       "x = np.arange(6).reshape(2, 3)\ny = x.argmax(axis=1)", place_row},
      {Library::numpy, NP_ANY("any") NP_ANY("all"), Msg::op_any,
       "whether any, or all, of the elements along the axes are not 0",
       "x = np.arange(6).reshape(2, 3)\ny = (x > 2).any(axis=0)", any_row},
      {Library::numpy, "np.count_nonzero(a, axis=None, *, keepdims: bool = False)", Msg::op_any,
       "how many of the elements along the axes are not 0",
       "x = np.arange(6).reshape(2, 3)\ny = np.count_nonzero(x, axis=0)", any_row},
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
