#include "ops/numpy/reduction.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ops/arithmetic.h"
#include "ops/layout_words.h"
#include "ops/numpy/ufunc.h"

namespace stridescope {
namespace {

bool reduces_as(const Call& call, std::string_view word) { return call.name().ends_with(word); }

/// Whether where= leaves elements out: True does not; None, written there, is false.
bool masks(const Call& call) {
  const auto* truth = std::get_if<bool>(&call.value("where").held);
  return !(call.argument("where") == Span{}) && !(truth && *truth);
}

/// Whether axis= is a number or a tuple of such, and none of them a truth value: no list, no array with axes. np.linalg
/// makes a number or a tuple of it first.
/// @param counted the number of elements is reckoned beforehand
bool is_axis(Call& call, const Value& axis, int rank, bool counted) {
  const auto* sequence = std::get_if<Sequence>(&axis.held);
  const TensorPtr array = tensor_of(axis);
  const bool norm = reduces_as(call, "norm"), tuple = sequence && is_tuple(sequence->kind);
  const auto refused = [&](const Slots& text) {
    call.about("axis").fail_parser(text, Msg::np_not_an_integer, {type_name(axis)});
    return false;
  };
  if (sequence && !tuple)
    return norm ? refused("'axis' must be None, an integer or a tuple of integers")
                : refused({"'", attribute_type(axis), "' object cannot be interpreted as an integer"});
  if (array && array->library == Library::torch && count_of(*array) != 1)
    return refused("only integer tensors of a single element can be converted to an index");
  if (array && array->library == Library::numpy && array->layout.rank() > 0 && (!norm || count_of(*array) != 1))
    return refused(norm ? "'axis' must be None, an integer or a tuple of integers"
                        : "only integer scalar arrays can be converted to a scalar index");
  // Those that reckon how many elements they are of look for the axes first, for which True is 1.
  for (size_t k = 0; counted && k < (tuple ? sequence->items->size() : 1); ++k)
    if (const auto number = as_integer(tuple ? (*sequence->items)[k] : axis)) numpy_axis(call, *number, rank);
  if (call.failed()) return false;
  if (!tuple) return norm || !is_truth(axis) || refused("an integer is required");
  // One after the other is read and looked for.
  for (const Value& item : *sequence->items) {
    if (is_truth(item)) return refused("an integer is required");
    if (const auto number = as_integer(item); number && !norm) numpy_axis(call, *number, rank);
    if (call.failed() || !as_integer(item)) break;
  }
  return true;
}

}  // namespace

Dims reduced_axes(Call& call, const Tensor& array) {
  Value axis = call.value("axis");
  if (const auto* real = std::get_if<Float>(&axis.held); real && reduces_as(call, "norm") && std::abs(*real) < max_rank)
    axis = Value{static_cast<int64_t>(*real)};  // int(axis), as it is written there
  // Of what holds NaN the mean and the spread are made of ufuncs' sums.
  const bool reckoned = (reduces_as(call, "mean") || reduces_as(call, "std") || reduces_as(call, "var")) &&
                        (is_whole(array.dtype) || !call.name().starts_with("numpy.nan"));
  if (!is_axis(call, axis, array.layout.rank(), reckoned && !masks(call)) || call.failed()) return {};
  const auto number = as_integer(axis);
  if (array.layout.rank() == 0 && number && (*number == 0 || *number == -1) && !reckoned && !reduces_as(call, "norm"))
    return {};
  // Their sum reads dtype= before it sees that an axis is named twice.
  if (reckoned && (ufunc_dtype_argument(call), call.failed())) return {};
  return numpy_axes(call, axis, array.layout.rank(),
                    reduces_as(call, "norm") ? "Duplicate axes given." : "duplicate value in 'axis'");
}

namespace {

/// Fails where out= is no array. A ufunc that is handed it by name takes a tuple of one, too.
void check_out(Call& call) {
  const Value& out = call.value("out");
  if (!call.given("out") || tensor_of(out)) return;
  const bool handed = reduces_as(call, ".reduce") ? call.written(call.argument("out")).starts_with("out")
                                                  : reducing_ufunc(call).starts_with("fm") && tensor_of(call.first());
  const auto* several = handed ? std::get_if<Sequence>(&out.held) : nullptr;
  if (!several || !is_tuple(several->kind) || (several->items->size() == 1 && !tensor_of(several->items->front())))
    call.about("out").fail("TypeError", "output must be an array", Msg::np_array_needed, {type_name(out)});
  else if (several->items->size() == 1)
    call.about("out").refuse(Msg::np_reduce_option, {"out"});
  else
    call.about("out").fail("ValueError", "The 'out' tuple must have exactly one entry per ufunc output",
                           Msg::items_needed, {1, several->items->size()});
}

/// The array given as out=, which must have the sizes of the result; null where the call failed.  @pre it is given
TensorRef out_array(Call& call, const Rows& rows, const AskedReduction& asked) {
  check_out(call);
  if (call.failed()) return nullptr;
  const TensorRef array = std::get<TensorRef>(call.value("out").held);
  const Tensor& target = *array->tensor;
  const Dims& sizes = asked.array->tensor->layout.sizes;
  const int wanted = rows.sizes.size();
  if (target.layout.rank() != wanted)
    return call.about("out").fail(
               "ValueError",
               {"output parameter for reduction operation ", reducing_ufunc(call),
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

/// What where= is as an array of truth values, or the call failed.  @pre it is given
TensorRef mask_array(Call& call) {
  const Value where = call.given("where") ? call.value("where") : Value{false};
  if (!call.given("where") && (reduces_as(call, "mean") || reduces_as(call, "std") || reduces_as(call, "var")))
    return call.about("where").fail_parser(
               "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'",
               Msg::np_where_bool, {"object"}),
           nullptr;
  const TensorRef mask = as_array(call, where, has_dtype(where) ? std::nullopt : std::optional(DType::boolean));
  if (call.failed()) return mask;
  if (const DType dtype = mask->tensor->dtype; dtype != DType::boolean)
    call.about("where").fail(
        "TypeError",
        {"Cannot cast array data from dtype('", name(dtype), "') to dtype('bool') according to the rule 'safe'"},
        Msg::np_where_bool, {name(dtype)});
  return mask;
}

/// The elements that where= lets take part, under the array's sizes; nothing where it is not given or the call failed.
std::optional<Elements> mask_of(Call& call, const Tensor& array) {
  if (!masks(call)) return std::nullopt;
  const TensorRef mask = mask_array(call);
  if (call.failed()) return std::nullopt;
  const Tensor& held = *mask->tensor;
  const Dims& sizes = array.layout.sizes;
  if (held.layout.rank() > sizes.size())
    return call.about("where").fail("ValueError",
                                    "input operand has more dimensions than allowed by the axis remapping",
                                    Msg::np_cannot_broadcast, {to_string(held.layout.sizes), to_string(sizes)}),
           std::nullopt;
  const auto common = broadcast_sizes({sizes, held.layout.sizes});
  if (common != sizes)
    return call.about("where").fail(
               "ValueError",
               common ? Slots{"non-broadcastable operand with shape ", shape_text(sizes),
                              " doesn't match the broadcast shape ", shape_text(*common)}
                      : Slots{"operands could not be broadcast together with remapped shapes [original->remapped]: ",
                              shape_text(sizes), " ", shape_text(held.layout.sizes), " "},
               Msg::np_cannot_broadcast, {to_string(held.layout.sizes), to_string(sizes)}),
           std::nullopt;
  call.why(Msg::np_where_takes, {to_string(held.layout.sizes)});
  return broadcast_elements(held, sizes);
}

}  // namespace

AskedReduction reduction_asked(Call& call) {
  const bool places = call.name().find("arg") != std::string_view::npos;
  const bool any = places || call.name().starts_with("numpy.linalg.");
  AskedReduction asked{
      receiver(call), {}, call.given("keepdims") && (any ? call.truth("keepdims") : call.boolean("keepdims"))};
  if (call.failed()) return asked;
  const Tensor& array = *asked.array->tensor;
  // Of what may hold NaN np.all() looks for the axis first.
  const auto number = as_integer(call.value("axis"));
  if (places && number && *number != 0 && *number != -1 && array.layout.rank() == 0 && !is_whole(array.dtype) &&
      call.name().starts_with("numpy.nan"))
    return numpy_axis(call, *number, 0), asked;
  if (places && std::holds_alternative<Sequence>(call.value("axis").held) && !is_whole(array.dtype) &&
      call.name().starts_with("numpy.nan"))
    reduced_axes(call, array);
  if (call.failed()) return asked;
  // A ufunc reads its other options before it looks for the axes.
  const auto reads = [&](std::string_view word) { return call.name().ends_with(word); };
  const bool extreme = (reads("max") || reads("min")) && !places;
  if (extreme || reads(".reduce") || reads("sum") || reads("prod") || reads("any") || reads("all")) {
    check_out(call);
    if (!call.failed() && masks(call)) mask_array(call);
    if (!call.failed()) ufunc_dtype_argument(call);
    if (call.failed()) return asked;
  }
  if (!call.given("axis"))
    asked.along = all_dims(array);
  else if (!places)
    asked.along = reduced_axes(call, array);
  else if (const int axis = only_axis(call, array); array.layout.rank() > 0)
    asked.along = {axis};
  return asked;
}

std::string_view reducing_ufunc(const Call& call) {
  if (reduces_as(call, ".reduce")) return call.name().substr(6, call.name().size() - 13);
  if (reduces_as(call, "prod")) return "multiply";
  if (call.name().ends_with("nanmax")) return "fmax";
  if (call.name().ends_with("nanmin")) return "fmin";
  if (reduces_as(call, "max") || reduces_as(call, "ptp")) return "maximum";
  if (reduces_as(call, "min")) return "minimum";
  return reduces_as(call, "any") ? "logical_or" : reduces_as(call, "all") ? "logical_and" : "add";
}

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

void check_start(Call& call, const Rows& rows) {
  const std::string_view ufunc = reducing_ufunc(call);
  if (masks(call))
    call.fail("ValueError",
              {"reduction operation '", ufunc,
               "' does not have an identity, so to use a where mask one has to specify 'initial'"},
              Msg::np_where_needs_initial);
  else if (rows.each == 0)
    call.fail("ValueError", {"zero-size array to reduction operation ", ufunc, " which has no identity"},
              Msg::nothing_to_choose);
}

Value folded(Call& call, const Rows& rows, const AskedReduction& asked, DType dtype, const Dims& order,
             const std::function<Scalar(int64_t)>& fold) {
  const ContentsPtr results = fold_rows(call, rows, dtype, fold);
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
    call.why(Msg::np_reduce_headline,
             {rows.each, to_string(layout.sizes), listed(rows.along), rows.count, rows.along.size()});
  if (rows.count > 0 && layout.strides != contiguous(layout.sizes, itemsize(dtype)).strides)
    call.why(Msg::np_elementwise_order, {to_string(layout.strides)});
  if (dtype != asked.array->tensor->dtype) call.why(Msg::reduce_dtype, {name(asked.array->tensor->dtype), name(dtype)});
  return scalar_if_0d(call, call.fresh(dtype, layout, std::move(contents)));
}

Value folded(Call& call, const Rows& rows, const AskedReduction& asked, DType dtype,
             const std::function<Scalar(int64_t)>& fold) {
  std::vector<Layout> read{asked.array->tensor->layout};
  if (masks(call)) {
    const TensorRef mask = mask_array(call);
    if (call.failed()) return {};
    read.push_back(expand(mask->tensor->layout, read.front().sizes));
  }
  return folded(call, rows, asked, dtype, iteration_order(read), fold);
}

std::optional<Rows> rows_of(Call& call, const AskedReduction& asked) {
  if (call.failed()) return std::nullopt;
  const auto mask = mask_of(call, *asked.array->tensor);
  return call.failed() ? std::nullopt : std::optional(rows_along(*asked.array->tensor, asked.along, asked.keep, mask));
}

DType reduced_in(const Call& call, DType dtype) {
  const TensorPtr out = tensor_of(call.value("out"));
  return out ? numpy_promoted(out->dtype, dtype) : dtype;
}

Scalar divided(Scalar sum, double count) {
  const DType wide = is_complex(sum.dtype) ? DType::complex128 : DType::float64;
  return reckon(Arithmetic::divide, std::array{converted(sum, wide), real_scalar(count, wide)});
}

}  // namespace stridescope
