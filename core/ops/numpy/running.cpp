// Each element with those before it: running sums and products, differences.
#include <algorithm>

#include "ops/fold.h"
#include "ops/numpy/reduction.h"
#include "ops/numpy/ufunc.h"
#include "ops/rows.h"

namespace stridescope {

int only_axis(Call& call, const Tensor& array) {
  const int64_t axis = axis_argument(call);
  return call.failed() ? 0 : numpy_axis(call, axis, std::max(array.layout.rank(), 1));
}

DType summed_in(DType dtype) {
  if (!is_whole(dtype)) return dtype;
  return is_unsigned(dtype) ? DType::uint64 : DType::int64;
}

Value written_out(Call& call, const TensorRef& out, const ContentsPtr& results, DType dtype) {
  return written_out(call, out, {results, contiguous(out->tensor->layout.sizes, itemsize(dtype)), dtype});
}

Value written_out(Call& call, const TensorRef& out, Elements result) {
  call.why(Msg::np_out_written, {to_string(result.layout.sizes), name(out->tensor->dtype)});
  result.layout = broadcast_to(result.layout, out->tensor->layout.sizes);
  call.write(*out->tensor, result);
  return {out};
}

Value differences(Call& call, const TensorRef& array, int axis) {
  const Tensor from = *array->tensor;
  if (const Value one{array}; refuse_no_numbers(call, binary_ufunc("subtract"), {&one, &one})) return {};
  const int64_t size = from.layout.sizes[axis], left = std::max<int64_t>(size - 1, 0);
  const auto part = [&](int64_t start) {
    Tensor some = from;
    some.layout = *slice(from.layout, axis, std::min(start, size), 1, left);
    return Operand{nameless(some), false, {}};
  };
  const Operand later = part(1), earlier = part(0);
  return apply_binary(call, binary_ufunc(from.dtype == DType::boolean ? "not_equal" : "subtract"), later, earlier);
}

namespace {

/// Each element joined with all before it, in the layout of a copy or in out=; reckoned in `wanted`, or as sums are.
Value accumulated(Call& call, const Tensor& array, int axis, Arithmetic op, std::optional<DType> wanted) {
  const TensorPtr out = tensor_of(call.value("out"));
  if (call.given("out") && (!out || out->layout.sizes != array.layout.sizes))
    return call.about("out").refuse(Msg::np_reduce_option, {"out"});
  const DType dtype = wanted.value_or(out ? numpy_promoted(out->dtype, array.dtype) : summed_in(array.dtype));
  ContentsPtr sums = call.reckons(folding(count_of(array))) ? nullptr : unknown_contents(dtype, count_of(array));
  if (!sums) sums = literal_contents(running(elements_of(array), axis, dtype, dtype, op), dtype);
  if (out && !numpy_writeable(call, *out, "operand array with iterator write flag set is read-only")) return {};
  if (out) return written_out(call, std::get<TensorRef>(call.value("out").held), sums, dtype);
  auto [layout, contents] = laid_out(sums, array.layout.sizes, iteration_order({array.layout}), dtype);
  call.why(Msg::np_running_headline, {layout.sizes[axis], axis});
  return call.fresh(dtype, layout, std::move(contents));
}

/// Along an axis; of everything as raveled.
Value running_row(Call& call) {
  const TensorRef source = receiver(call);
  const bool product = call.name().ends_with("prod"), empty = is_empty_dtype(call.value("dtype"));
  const auto wanted = call.failed() || empty ? std::nullopt : dtype_argument(call);
  if (call.failed()) return {};
  Tensor array = *source->tensor;
  const int axis = call.given("axis") ? only_axis(call, array) : 0;
  if (refuse_reduction(call, product ? "multiply" : "add", source, "accumulate")) return {};
  if (empty) {
    const std::string nothing = dtype_class_text("Void");
    no_matching_loop(call, binary_ufunc(product ? "multiply" : "add"), {nothing, dtype_class_text(name(array.dtype))},
                     "[]", nothing);
    return {};
  }
  if (call.name().starts_with("numpy.nan")) array = without_nan(call, array, product ? 1 : 0);
  if (array.layout.rank() == 0)
    array.layout = insert_dim(array.layout, 0, unit_of(array));
  else if (!call.given("axis") && array.layout.rank() > 1) {
    array = raveled(call, {array}).front();
  }
  return accumulated(call, array, axis, product ? Arithmetic::multiply : Arithmetic::add, wanted);
}

/// A ufunc's own: along one axis, of 0 where none is named.
Value accumulated(Call& call, const Ufunc& what, const TensorRef& source) {
  UfuncTarget target{nullptr, nullptr, call.failed() ? std::nullopt : ufunc_dtype_argument(call), Casting::unsafe};
  if (call.failed()) return {};
  const Tensor array = *source->tensor;
  if (const auto* list = std::get_if<Sequence>(&call.value("axis").held); list && !is_tuple(list->kind))
    return call.about("axis").fail_parser(
        {"'", attribute_type(call.value("axis")), "' object cannot be interpreted as an integer"},
        Msg::np_not_an_integer, {type_name(call.value("axis"))});
  if (std::holds_alternative<bool>(call.value("axis").held))
    return call.about("axis").fail_parser("an integer is required", Msg::np_not_an_integer, {"bool"});
  if (refuse_array_with_axes(call, "axis")) return {};
  // Of no dimensions an axis may be named by a number alone.
  const auto only = as_integer(call.value("axis"));
  const bool passes = array.layout.rank() == 0 && (!call.given("axis") || (only && (*only == 0 || *only == -1)));
  const Dims axes = call.given("axis") && !passes
                        ? numpy_axes(call, call.value("axis"), array.layout.rank(), "duplicate value in 'axis'")
                        : all_dims(array);
  if (call.failed()) return {};
  if (array.layout.rank() == 0)
    return call.about_receiver().fail("TypeError", "cannot accumulate on a scalar", Msg::np_too_few_axes, {0, 1});
  if (axes.size() != 1)
    return call.about("axis").fail("ValueError", "accumulate does not allow multiple axes", Msg::np_accumulate_axes,
                                   {axes.size()});
  if (refuse_reduction(call, what.function, source, "accumulate")) return {};
  const bool widens = what.op == Arithmetic::add || what.op == Arithmetic::multiply;
  if (!widens) {
    const Operand own = reduced_operand(what, source, target.dtype);
    const auto common = ufunc_dtype(call, what, {&own, &own}, target);
    if (!common) return {};
    target.dtype = gives_bool(what.op) ? DType::boolean : *common;
  }
  return accumulated(call, array, static_cast<int>(axes[0]), what.op, target.dtype);
}

Value accumulate_row(Call& call) { return accumulated(call, ufunc_of_method(call), receiver(call)); }

/// The same of one axis at least, which must be named among several; behind what a ufunc starts from, where that is
/// asked for.
Value cumulative(Call& call) {
  TensorRef source = as_array(call, call.value("x"));
  if (call.failed()) return {};
  Tensor array = *source->tensor;
  const int rank = array.layout.rank();
  if (rank == 0) array.layout = insert_dim(array.layout, 0, unit_of(array)), source = nameless(array);
  if (rank > 1 && !call.given("axis"))
    return call.fail("ValueError", "For arrays which have more than one dimension ``axis`` argument is required.",
                     Msg::np_cumulative_axis, {rank});
  const Ufunc& what = binary_ufunc(call.name().ends_with("sum") ? "+" : "*");
  const bool initial = call.truth("include_initial");
  const Value& asked = call.value("axis");
  if (call.failed()) return {};
  if (initial && (call.given("out") || (call.given("axis") && !as_integer(asked))))
    return call.about("include_initial").refuse(Msg::np_reduce_option, {"include_initial"});
  const Value sums = accumulated(call, what, source);
  const TensorPtr result = tensor_of(sums);
  if (call.failed() || !initial || !result) return sums;
  const int64_t axis = call.given("axis") ? *as_integer(asked) : 0;
  Dims sizes = result->layout.sizes;
  sizes[numpy_axis(call, axis, sizes.size())] = 1;
  const Tensor first = made_or(
      numpy_fresh(call, sizes, result->dtype,
                  constant_contents(
                      converted(integer_scalar(what.op == Arithmetic::multiply ? 1 : 0, DType::int64), result->dtype),
                      *numel(sizes))),
      *result);
  // As full_like() lays it out.
  Tensor start = first;
  start.layout.strides = packed_slowest_first(sizes, joined_order({result->layout}), unit_of(*result));
  const size_t said = call.said();
  const Value joined = concatenated(call, {start, *result}, axis);
  call.unsay(said);
  call.relation(Relation::fresh);
  return joined;
}

/// The array with what stands before and behind it along the axis; a number is as many as fit.
TensorRef with_ends(Call& call, const TensorRef& source, int axis) {
  std::vector<Tensor> joined;
  const auto add = [&](const char* end) {
    if (call.failed() || call.argument(end) == Span{}) return;
    const TensorRef other = as_array(call, call.value(end));
    if (call.failed()) return;
    Tensor part = *other->tensor;
    Dims one = source->tensor->layout.sizes;
    one[axis] = 1;
    if (part.layout.rank() == 0) part.layout = expand(part.layout, one);
    joined.push_back(part);
  };
  add("prepend");
  joined.push_back(*source->tensor);
  add("append");
  if (call.failed() || joined.size() == 1) return source;
  const size_t said = call.said();
  const Value all = concatenated(call, joined, axis);
  call.unsay(said);
  return call.failed() ? source : as_array(call, all);
}

Value diff(Call& call) {
  if (const TensorPtr many = tensor_of(call.value("n")); many && count_of(*many) != 1) call.truth("n");
  const Value& asked = call.value("n");
  // It is compared with 0 first, and only then counted to.
  const auto real = as_integer(asked) ? std::nullopt : as_real(asked);
  const int64_t times = real ? (*real == 0 ? 0 : *real < 0 ? -1 : 1) : call.integer("n");
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  if (times == 0) return tensor_of(call.first()) ? call.same(source) : call.first();
  if (times < 0)
    return call.about("n").fail("ValueError", {"order must be non-negative but got ", to_string(asked)},
                                Msg::np_negative_size, {times});
  if (source->tensor->layout.rank() == 0)
    return call.fail("ValueError", "diff requires input that is at least one dimensional", Msg::np_too_few_axes,
                     {0, 1});
  const int axis = numpy_axis(call, call.integer("axis"), source->tensor->layout.rank());
  if (times > 64) return call.refuse(Msg::np_too_costly);
  TensorRef array = call.failed() ? source : with_ends(call, source, axis);
  if (real && !call.failed()) return call.wrong_type("n", "int");
  for (int64_t k = 0; k < times && !call.failed(); ++k) {
    const Value result = differences(call, array, axis);
    if (!call.failed()) array = as_array(call, result);
  }
  return call.failed() ? Value{} : Value{array};
}

/// Each element of the raveled array less the one before it.
Value ediff1d(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const size_t said = call.said();
  Tensor line = raveled(call, {*source->tensor}).front();
  // What stands before and behind, as far as it may become the array's dtype.
  std::vector<Scalar> ends[2];
  for (int k = 0; k < 2 && !call.failed(); ++k) {
    const char* end = k == 0 ? "to_begin" : "to_end";
    const TensorRef given = call.given(end) ? as_array(call, call.value(end)) : nullptr;
    if (!given) continue;
    const Tensor& part = *given->tensor;
    if (!can_cast(part.dtype, line.dtype, Casting::same_kind))
      return call.about(end).fail(
          "TypeError", {"dtype of `", end, "` must be compatible with input `ary` under the `same_kind` rule."},
          Msg::np_cast_refused, {name(part.dtype), name(line.dtype), "same_kind"});
    if (!call.few(part)) return {};
    for (int64_t i = 0; i < count_of(part); ++i)
      ends[k].push_back(converted(element(elements_of(part), i), line.dtype));
  }
  if (call.failed()) return {};
  call.unsay(said);
  const int64_t size = count_of(line), left = std::max<int64_t>(size - 1, 0);
  const auto part = [&](int64_t start) {
    Tensor some = line;
    some.layout = *slice(line.layout, 0, std::min(start, size), 1, left);
    return Operand{nameless(some), false, {}};
  };
  const Value differences = apply_binary(call, binary_ufunc("subtract"), part(1), part(0));
  if (call.failed() || !(call.given("to_begin") || call.given("to_end"))) return differences;
  if (!call.few(*tensor_of(differences))) return {};
  std::vector<Scalar> all = ends[0];
  for (int64_t i = 0; i < left; ++i) all.push_back(element(elements_of(*tensor_of(differences)), i));
  all.insert(all.end(), ends[1].begin(), ends[1].end());
  return numpy_fresh(call, {static_cast<int64_t>(all.size())}, line.dtype, literal_contents(all, line.dtype));
}

}  // namespace

std::span<const Op> numpy_running_rows() {
#define ACCUMULATE(name) "np." name ".accumulate(array, axis=0, dtype=None, out=None)\n"
#define RUNNING(name) "x." name "(axis=None, dtype=None, out=None)\nnp." name "(a, axis=None, dtype=None, out=None)\n"
  static constexpr Op rows[] = {
      {Library::numpy, RUNNING("cumsum") RUNNING("cumprod"), Msg::op_np_running,
       "y[i] = x[0] + .. + x[i] along the axis", "x = np.arange(6).reshape(2, 3)\ny = x.cumsum(axis=1)", running_row,
       Op::Structured::reckoned},
      {Library::numpy,
       "np.nancumsum(a, axis=None, dtype=None, out=None)\nnp.nancumprod(a, axis=None, dtype=None, out=None)",
       Msg::op_np_running, "y[i] = x[0] + .. + x[i] along the axis, where NaN counts as 0; as 1 in products",
       "x = np.array([1, np.nan, 3])\ny = np.nancumsum(x)", running_row, Op::Structured::reckoned},
      {Library::numpy,
       ACCUMULATE("add") ACCUMULATE("subtract") ACCUMULATE("multiply") ACCUMULATE("divide") ACCUMULATE("maximum")
           ACCUMULATE("minimum") ACCUMULATE("fmax") ACCUMULATE("fmin") ACCUMULATE("logical_and")
               ACCUMULATE("logical_or") ACCUMULATE("logical_xor") ACCUMULATE("bitwise_and") ACCUMULATE("bitwise_or")
                   ACCUMULATE("bitwise_xor"),
       Msg::op_np_accumulate, "y[0] = x[0];  y[i] = y[i - 1] op x[i] along the axis",
       "x = np.arange(6).reshape(2, 3)\ny = np.add.accumulate(x, axis=1)", accumulate_row, Op::Structured::reckoned},
      {Library::numpy,
       "np.cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False)\n"
       "np.cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False)",
       Msg::op_np_running, "y[i] = x[0] + .. + x[i] along the axis; behind a 0, or in products a 1, if asked for",
       "x = np.arange(4)\ny = np.cumulative_sum(x, include_initial=True)", cumulative},
      {Library::numpy, "np.diff(a, n=1, axis=-1, prepend=None, append=None)", Msg::op_np_binary,
       "a[1:] - a[:-1] along the axis, n times", "x = np.arange(6) ** 2\ny = np.diff(x)", diff,
       Op::Structured::reckoned},
      {Library::numpy, "np.ediff1d(ary, to_end=None, to_begin=None)", Msg::op_np_binary,
       "ary[1:] - ary[:-1] of the raveled array", "x = np.arange(6) ** 2\ny = np.ediff1d(x)", ediff1d},
  };
#undef RUNNING
#undef ACCUMULATE
  return rows;
}

}  // namespace stridescope
