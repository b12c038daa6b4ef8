// Many elements made one: sums, means, extremes.
#include <algorithm>
#include <cmath>

#include "ops/layout_words.h"
#include "ops/rows.h"
#include "ops/torch/nn/moments.h"
#include "ops/torch/reduction.h"
#include "ops/torch/torch.h"

namespace stridescope {

Value reduced(Call& call, const Rows& rows, DType dtype, const std::function<Scalar(int64_t)>& fold) {
  if (rows.along.empty())
    call.why(Msg::reduce_nothing_headline, {to_string(rows.sizes)});
  else
    call.why(Msg::reduce_headline,
             {rows.each, to_string(rows.sizes), listed(rows.along), rows.count, rows.along.size()});
  return call.fresh(dtype, contiguous(rows.sizes), fold_rows(call, rows, dtype, fold));
}

std::optional<Dims> reduced_dims(Call& call) {
  // Where there is but a list to take it, a tensor is read as one of no numbers.
  const std::string_view name = call.name().substr(call.name().rfind('.') + 1);
  const bool single =
      name == "prod" || name == "any" || name == "all" || name == "count_nonzero" || name.starts_with("arg");
  // These see that every dim is there before they see that one is named twice.
  if (call.given("dim") && !tensor_of(call.value("dim")) && name != "std" && name != "var" && name != "nansum")
    call.dims("dim");
  if (call.failed()) return std::nullopt;
  const bool given = call.given("dim") && (single || !tensor_of(call.value("dim")));
  const Dims dims = given ? distinct_dims(call, "dim") : Dims{};
  if (call.failed()) return std::nullopt;
  return dims.empty() ? all_dims(call.self()) : dims;
}

bool check_mean(Call& call, DType dtype, bool asked) {
  if (!is_whole(dtype)) return true;
  call.fail("RuntimeError",
            {"mean(): could not infer output dtype. ", asked ? "Optional" : "Input",
             " dtype must be either a floating point or complex dtype. Got: ", scalar_type_name(dtype)},
            Msg::floats_needed, {name(dtype)});
  return false;
}

namespace {

/// The sums of floating numbers in the order of PyTorch's kernel, where what stays is one dimension, or none; else
/// nothing. From 32768 on several threads share them.
std::vector<double> sums_in_order(const Tensor& tensor, const Rows& rows, DType dtype) {
  const Dims& sizes = tensor.layout.sizes;
  const bool reckoned = dtype == DType::float32 || dtype == DType::float64;
  if (!reckoned || dtype != tensor.dtype || rows.unknown || sizes.empty() || sizes.full() ||
      rows.each * rows.count >= 32768 || rows.each * rows.count == 0)
    return {};
  Dims order;
  Layout stays{{1}, {0}, 0}, seen;
  for (int d = 0; d < sizes.size(); ++d) {
    const int64_t stride = tensor.layout.strides[d];
    if (sizes[d] == 1 || std::find(rows.along.begin(), rows.along.end(), d) != rows.along.end()) {
      order.push_back(d), seen.sizes.push_back(sizes[d]), seen.strides.push_back(stride);
      continue;
    }
    // Several that stay are one where they can be joined.
    if (stays.sizes[0] > 1 && stays.strides[0] != stride * sizes[d]) return {};
    stays = {{stays.sizes[0] * sizes[d]}, {stride}, 0};
  }
  if (order.empty()) return {};
  seen.sizes.insert(1, stays.sizes[0]), seen.strides.insert(1, stays.strides[0]);
  for (int d = sizes.size() - 1; d >= 0; --d)
    if (std::find(order.begin(), order.end(), d) == order.end()) order.insert(1, d);
  Elements elements = elements_of(tensor);
  elements.layout = permute(elements.layout, order);
  std::vector<double> values;
  for (int64_t i = 0; i < rows.each * rows.count; ++i) values.push_back(element(elements, i).real);
  return channel_sums(values, seen, Precision{dtype});
}

/// The sum of a row, of those that were added up in order where they were.
Scalar row_total(const Rows& rows, const std::vector<double>& sums, int64_t row, DType dtype) {
  return sums.empty() ? total(rows, row, dtype, false) : real_scalar(sums[static_cast<size_t>(row)], DType::float64);
}

}  // namespace

Value total_of(Call& call, const Tensor& tensor, bool mean, const Dims& along) {
  const DType dtype = is_whole(tensor.dtype) ? DType::int64 : tensor.dtype;
  if (mean && !check_mean(call, tensor.dtype, false)) return {};
  const Rows rows = rows_along(tensor, along, false);
  const std::vector<double> sums = sums_in_order(tensor, rows, dtype);
  return reduced(call, rows, dtype, [&](int64_t row) {
    Scalar sum = row_total(rows, sums, row, dtype);
    const auto count = static_cast<double>(rows.each);
    if (mean) sum.real /= count, sum.imaginary /= count;
    return converted(sum, dtype);
  });
}

bool kept_dims(Call& call) { return call.given("keepdim") && call.boolean("keepdim"); }

namespace {

/// sum, mean and prod take keepdim only with a dim; None is one.
bool keeps_without_dim(Call& call) {
  if (call.argument("keepdim") == Span{} || !(call.argument("dim") == Span{})) return false;
  call.about("keepdim").fail_parser({call.name(), "() received an invalid combination of arguments"},
                                    Msg::missing_argument, {call.name(), "dim", call.form().text});
  return true;
}

Value sum_row(Call& call) {
  const Tensor tensor = call.self();
  const bool mean = call.name().ends_with("mean"), product = call.name().ends_with("prod"),
             skip_nan = call.name().find("nan") != std::string_view::npos;
  if (!skip_nan && keeps_without_dim(call)) return {};
  const std::optional<DType> asked = call.dtype("dtype");
  const DType natural = is_whole(tensor.dtype) && !mean ? DType::int64 : tensor.dtype, dtype = asked.value_or(natural);
  if (mean && skip_nan && is_whole(tensor.dtype))
    return call.fail(
        "RuntimeError",
        {"nanmean(): expected input to have floating point or complex dtype but got ", scalar_type_name(tensor.dtype)},
        Msg::floats_needed, {name(tensor.dtype)});
  if (mean && !skip_nan && !check_mean(call, dtype, asked.has_value())) return {};
  const auto dims = reduced_dims(call);
  const bool keep = kept_dims(call);
  if (!dims) return {};
  if (skip_nan && is_complex(tensor.dtype))
    return call.fail("RuntimeError", "nansum does not support complex inputs", Msg::function_refuses,
                     {"nansum", "complex"});
  if (skip_nan && !is_whole(tensor.dtype) && is_whole(dtype)) return no_kernel(call, "nansum_cpu", dtype);
  const Rows rows = rows_along(tensor, *dims, keep);
  if (dtype != tensor.dtype) call.why(Msg::reduce_dtype, {name(tensor.dtype), name(dtype)});
  const auto sums = product || skip_nan ? std::vector<double>() : sums_in_order(tensor, rows, dtype);
  return reduced(call, rows, dtype, [&](int64_t row) {
    Scalar sum =
        product || skip_nan ? total(rows, row, dtype, product, skip_nan, product) : row_total(rows, sums, row, dtype);
    int64_t count = rows.each;
    for (int64_t k = 0; skip_nan && mean && k < rows.each; ++k) count -= std::isnan(rows.at(row, k).real) ? 1 : 0;
    if (mean) sum.real /= static_cast<double>(count), sum.imaginary /= static_cast<double>(count);
    return converted(sum, dtype);
  });
}

/// The diagonal of a matrix added up.
Value trace_row(Call& call) {
  Tensor tensor = call.self();
  const DType dtype = is_whole(tensor.dtype) ? DType::int64 : tensor.dtype;
  if (!(is_integer(tensor.dtype) && (!is_unsigned(tensor.dtype) || tensor.dtype == DType::uint8)) &&
      tensor.dtype != DType::float32 && tensor.dtype != DType::float64 && !is_complex(tensor.dtype))
    return no_kernel(call, "trace", tensor.dtype);
  if (tensor.layout.rank() != 2)
    return call.fail("RuntimeError", {"trace: expected a matrix, but got tensor with dim ", tensor.layout.rank()},
                     Msg::matrix_needed, {tensor.layout.rank()});
  tensor.layout = diagonal(tensor.layout, 0, 0, 1);
  const Rows rows = rows_along(tensor, {0}, false);
  return reduced(call, rows, dtype, [&](int64_t row) { return converted(total(rows, row, dtype, false), dtype); });
}

/// Fails where there is nothing to choose from. `written` are the dimensions as messages show them.
bool check_choice(Call& call, const Tensor& tensor, const std::string& function, const Dims& written) {
  const std::string start = function + "(): Expected reduction dim ";
  const int rank = tensor.layout.rank();
  if (numel(tensor.layout.sizes) != 0) return true;
  if (!call.given("dim") || written.empty()) {
    const bool place = function.starts_with("arg");
    return call.fail(place ? "IndexError" : "RuntimeError",
                     {start, "to be specified for input.numel() == 0.",
                      (place ? "" : " Specify the reduction dim with the 'dim' argument.")},
                     Msg::nothing_to_choose),
           false;
  }
  for (const int64_t d : written) {
    const int wrapped = call.wrap(d, rank);
    if (tensor.layout.sizes[wrapped] == 0)
      return call.fail("IndexError", {start, d, " to have non-zero size."}, Msg::reduce_nothing,
                       {Slot{wrapped, call.axis(wrapped)}}),
             false;
  }
  return true;
}

bool refuse_complex(Call& call, DType dtype, const std::string& kernel) {
  if (!is_complex(dtype)) return false;
  no_kernel(call, kernel, dtype);
  return true;
}

/// amax, amin, argmax, argmin, and max and min of everything.
Value extreme_row(Call& call) {
  const Tensor tensor = call.self();
  std::string function(call.name());
  if (const size_t dot = function.rfind('.'); dot != std::string::npos) function.erase(0, dot + 1);
  const bool most = function.ends_with("max"), place = function.starts_with("arg"), all = function.size() == 3;
  const bool keep = kept_dims(call);
  // The arg- forms wrap first, the others show a dimension as it was written.
  const Dims written = call.given("dim") ? (place                          ? call.dims("dim")
                                            : tensor_of(call.value("dim")) ? Dims{}
                                                                           : call.ints("dim"))
                                         : Dims{};
  if (call.failed() || !check_choice(call, tensor, function, written)) return {};
  const auto dims = reduced_dims(call);
  if (!dims) return {};
  // No kernel is asked for the place of a single element, or where there are none.
  const bool single =
      place && call.given("dim") && tensor.layout.rank() > 0 && tensor.layout.sizes[static_cast<int>((*dims)[0])] == 1;
  const bool compares = !single && numel(tensor.layout.sizes) != 0;
  if (place && compares && tensor.dtype == DType::boolean) return no_kernel(call, function + "_cpu", tensor.dtype);
  if (compares && refuse_complex(call, tensor.dtype,
                                 place ? function + "_cpu"
                                 : all ? function + "_all"
                                       : function.substr(1) + "_values_cpu"))
    return {};
  const Rows rows = rows_along(tensor, *dims, keep);
  return reduced(call, rows, place ? DType::int64 : tensor.dtype, [&](int64_t row) {
    const int64_t best = best_of(rows, row, most);
    return place ? integer_scalar(best, DType::int64) : rows.at(row, best);
  });
}

/// max and min along a dimension: the values, and where they stood.
Value extreme_of_dim_row(Call& call) {
  const Tensor tensor = call.self();
  const std::string function(call.name().ends_with("max") ? "max" : "min");
  const int d = call.dim("dim");
  const bool keep = kept_dims(call);
  if (call.failed()) return {};
  if (!check_choice(call, tensor, function, {d})) return {};
  if (is_complex(tensor.dtype))
    return call.fail("RuntimeError", {function, "(): does not support complex input"}, Msg::function_refuses,
                     {function, "complex"});
  const Rows rows = rows_along(tensor, {d}, keep);
  const Value values = reduced(call, rows, tensor.dtype,
                               [&](int64_t row) { return rows.at(row, best_of(rows, row, function == "max")); });
  const Value places = reduced(call, rows, DType::int64, [&](int64_t row) {
    return integer_scalar(best_of(rows, row, function == "max"), DType::int64);
  });
  // They were made with a size of 1 along the dimension, which an index of what is left is held against.
  for (const Value& value : {values, places}) {
    if (keep || tensor.layout.rank() != 1) continue;
    const auto& made = std::get<TensorRef>(value.held);
    Tensor squeezed = *made->tensor;
    squeezed.lost_size = 1;
    made->tensor = std::make_shared<const Tensor>(std::move(squeezed));
  }
  return call.tuple({values, places}, Sequence::Kind::ranked);
}

Value any_row(Call& call) {
  const Tensor tensor = call.self();
  const bool all = call.name().ends_with("all"), count = call.name().ends_with("count_nonzero");
  const auto dims = reduced_dims(call);
  const bool keep = !count && kept_dims(call);
  if (!dims) return {};
  // any and all along no dimension: every element alone.
  const auto* named = std::get_if<Sequence>(&call.value("dim").held);
  const Rows rows = rows_along(tensor, !count && named && named->items->empty() ? Dims{} : *dims, keep);
  const DType dtype = count ? DType::int64 : tensor.dtype == DType::uint8 ? DType::uint8 : DType::boolean;
  return reduced(call, rows, dtype, [&](int64_t row) {
    int64_t hits = 0;
    for (int64_t k = 0; k < rows.each; ++k) hits += is_true(rows.at(row, k)) ? 1 : 0;
    return integer_scalar(count ? hits : all ? hits == rows.each : hits > 0, dtype);
  });
}

/// The spread around the mean.
Value spread_row(Call& call) {
  const Tensor tensor = call.self();
  const bool both = call.name().ends_with("_mean"), root = call.name().find("std") != std::string_view::npos;
  if (is_whole(tensor.dtype))
    return call.fail("RuntimeError",
                     both ? std::string(root ? "std" : "var") + "_mean only support floating point and complex dtypes"
                          : "std and var only support floating point and complex dtypes",
                     Msg::floats_needed, {name(tensor.dtype)});
  const auto dims = reduced_dims(call);
  const bool keep = kept_dims(call), unbiased = !call.given("unbiased") || call.boolean("unbiased");
  if (!dims || !holds_number(call, call.value("correction"), DType::float64)) return {};
  const double correction = call.given("correction") ? call.real("correction") : unbiased ? 1 : 0;
  const Rows rows = rows_along(tensor, *dims, keep);
  const DType dtype = tensor.dtype == DType::complex64    ? DType::float32
                      : tensor.dtype == DType::complex128 ? DType::float64
                                                          : tensor.dtype;
  const double count = static_cast<double>(rows.each);
  const auto mean_of = [&](int64_t row) {
    Scalar mean = converted(total(rows, row, tensor.dtype, false), DType::complex128);
    mean.real /= count, mean.imaginary /= count;
    return mean;
  };
  const Value spreads = reduced(call, rows, dtype, [&](int64_t row) {
    const double squared = squares(rows, row, mean_of(row));
    const double spread = count == 0 ? NAN : squared / std::max(count - correction, 0.0);
    return real_scalar(root ? std::sqrt(spread) : spread, dtype);
  });
  if (!both) return spreads;
  const size_t said = call.said();
  // This mean is moved towards each element in turn: infinite, it goes on as NaN.
  const Value means = reduced(call, rows, tensor.dtype, [&](int64_t row) {
    const Scalar mean = mean_of(row);
    bool ends = std::isinf(mean.real);  // only the last element is
    for (int64_t k = 0; ends && k < rows.each - 1; ++k) ends = std::isfinite(as_real(rows.at(row, k)));
    return std::isinf(mean.real) && !ends ? real_scalar(NAN, tensor.dtype) : converted(mean, tensor.dtype);
  });
  call.unsay(said);
  return call.tuple({spreads, means});
}

}  // namespace

std::span<const Op> torch_reduce_rows() {
#define BOTH(name, rest) "x." name "(" rest ")\ntorch." name "(input: tensor, " rest ")\n"
#define DIMS "dim: int | ints = None, keepdim: bool = False"
#define SPREAD(name) BOTH(name, "dim: int | ints = None, *, correction: number = None, keepdim: bool = False")
#define UNBIASED(name) BOTH(name, "dim: int | ints | None, unbiased: bool = True, keepdim: bool = False")
  static constexpr Op rows[] = {
      {Library::torch, "x.trace()\ntorch.trace(input: tensor)", Msg::op_trace, "y = sum of x[i, i]",
       "x = torch.arange(9).view(3, 3)\ny = x.trace()", trace_row},
      {Library::torch,
       BOTH("sum", DIMS ", *, dtype: dtype = None") BOTH("mean", DIMS ", *, dtype: dtype = None")
           BOTH("nansum", DIMS ", *, dtype: dtype = None") BOTH("nanmean", DIMS ", *, dtype: dtype = None"),
       Msg::op_reduce, "the elements along dim added up, or averaged", "x = torch.arange(6).view(2, 3)\ny = x.sum(0)",
       sum_row},
      {Library::torch, BOTH("prod", "dim: int, keepdim: bool = False, *, dtype: dtype = None"), Msg::op_reduce,
       "the elements along dim multiplied", "x = torch.arange(1, 7).view(2, 3)\ny = x.prod(0)", sum_row},
      {Library::torch, BOTH("prod", "*, dtype: dtype = None"), Msg::op_reduce, "all elements multiplied",
       "x = torch.arange(1, 7).view(2, 3)\ny = x.prod()", sum_row},
      {Library::torch, BOTH("amax", DIMS) BOTH("amin", DIMS), Msg::op_extreme, "the largest, or smallest, along dim",
       "x = torch.arange(6).view(2, 3)\ny = x.amax(1)", extreme_row},
      {Library::torch,
       BOTH("argmax", "dim: int = None, keepdim: bool = False")
           BOTH("argmin", "dim: int = None, keepdim: bool = False"),
       Msg::op_extreme, "the place of the largest, or smallest, along dim; of everything as flattened",
       "x = torch.arange(6).view(2, 3)\ny = x.argmax(1)", extreme_row},
      {Library::torch, "x.max()\ntorch.max(input: tensor)\nx.min()\ntorch.min(input: tensor)", Msg::op_extreme,
       "the largest, or smallest, of all elements", "x = torch.arange(6)\ny = x.max()", extreme_row},
      {Library::torch, BOTH("max", "dim: int, keepdim: bool = False") BOTH("min", "dim: int, keepdim: bool = False"),
       Msg::op_extreme, "the largest, or smallest, along dim: (values, indices)",
       "x = torch.arange(6).view(2, 3)\ny = x.max(1)", extreme_of_dim_row},
      {Library::torch,
       BOTH("any", DIMS) BOTH("all", DIMS)
           BOTH("count_nonzero", "dim: int | ints = None") "x.count_nonzero(*dim: int)\n",
       Msg::op_any, "whether any, or all, of the elements along dim are not 0; how many",
       "x = torch.arange(6).view(2, 3)\ny = (x > 2).any(0)", any_row},
      {Library::torch, UNBIASED("std") UNBIASED("var"), Msg::op_spread, "around the mean, over n - 1, or over n",
       "x = torch.arange(6.)\ny = x.std(0, False)", spread_row},
      {Library::torch, SPREAD("std") SPREAD("var"), Msg::op_spread, "around the mean, over n - correction",
       "x = torch.arange(6.)\ny = x.std()", spread_row},
      {Library::torch, BOTH("std", "unbiased: bool") BOTH("var", "unbiased: bool"), Msg::op_spread,
       "around the mean, over n - 1, or over n", "x = torch.arange(6.)\ny = x.std(False)", spread_row},
#define WITH_MEAN(name, rest) "torch." name "(input: tensor, " rest ")\n"
#define SPREADS "dim: int | ints = None, *, correction: number = None, keepdim: bool = False"
#define ALONG "dim: int | ints | None, unbiased: bool = True, keepdim: bool = False"
      {Library::torch, WITH_MEAN("std_mean", ALONG) WITH_MEAN("var_mean", ALONG), Msg::op_spread,
       "(around the mean, over n - 1, or over n; the mean)", "x = torch.arange(6.)\ny = torch.std_mean(x, 0, False)",
       spread_row},
      {Library::torch, WITH_MEAN("std_mean", SPREADS) WITH_MEAN("var_mean", SPREADS), Msg::op_spread,
       "(around the mean, over n - correction; the mean)", "x = torch.arange(6.)\ny = torch.std_mean(x)", spread_row},
#undef SPREADS
#undef ALONG
      {Library::torch, "torch.std_mean(input: tensor, unbiased: bool)\ntorch.var_mean(input: tensor, unbiased: bool)",
       Msg::op_spread, "(around the mean, over n - 1, or over n; the mean)",
       "x = torch.arange(6.)\ny = torch.var_mean(x, False)", spread_row},
#undef WITH_MEAN
  };
#undef BOTH
#undef SPREAD
#undef UNBIASED
#undef DIMS
  return rows;
}

}  // namespace stridescope
