// Orders, axes, shapes and dtypes as NumPy takes them, and how its messages print them.
#include <algorithm>

#include "ops/numpy/numpy.h"
#include "ops/python/python.h"
#include "ops/python/text.h"

namespace stridescope {

NumpyOrder numpy_order(Call& call, const char* parameter, NumpyOrder fallback) {
  if (!call.given(parameter)) return fallback;
  const auto* text = std::get_if<std::string>(&call.value(parameter).held);
  if (!text) {
    call.about(parameter).fail_parser({"order must be str, not ", type_name(call.value(parameter))},
                                      Msg::argument_has_type, {parameter, "str", type_name(call.value(parameter))});
    return fallback;
  }
  if (*text == "C" || *text == "c") return NumpyOrder::c;
  if (*text == "F" || *text == "f") return NumpyOrder::fortran;
  if (*text == "A" || *text == "a") return NumpyOrder::any;
  if (*text == "K" || *text == "k") return NumpyOrder::keep;
  call.about(parameter).fail("ValueError", {"order must be one of 'C', 'F', 'A', or 'K' (got '", *text, "')"},
                             Msg::np_bad_order, {*text});
  return fallback;
}

Order allocation_order(Call& call, const char* parameter) {
  const NumpyOrder order = numpy_order(call, parameter, NumpyOrder::c);
  if (order == NumpyOrder::any || order == NumpyOrder::keep)
    call.fail("ValueError", "only 'C' or 'F' order is permitted", Msg::np_order_c_or_f,
              {order == NumpyOrder::any ? "A" : "K"});
  return order == NumpyOrder::fortran ? Order::fortran : Order::c;
}

std::string_view name(Casting casting) {
  constexpr std::string_view names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
  return names[static_cast<size_t>(casting)];
}

Casting numpy_casting(Call& call, Casting fallback) {
  if (!call.given("casting")) return fallback;
  const auto* text = std::get_if<std::string>(&call.value("casting").held);
  for (const Casting one : {Casting::no, Casting::equiv, Casting::safe, Casting::same_kind, Casting::unsafe})
    if (text && *text == name(one)) return one;
  if (!text) return call.wrong_type("casting", "str"), fallback;
  call.fail("ValueError",
            {"casting must be one of 'no', 'equiv', 'safe', 'same_kind', or 'unsafe' (got '", *text, "')"},
            Msg::np_bad_casting, {*text});
  return fallback;
}

Order resolved_order(const Tensor& array, NumpyOrder order) {
  if (order == NumpyOrder::fortran) return Order::fortran;
  const bool fortran_only =
      is_f_contiguous(array.layout, unit_of(array)) && !is_contiguous(array.layout, unit_of(array));
  return order != NumpyOrder::c && fortran_only ? Order::fortran : Order::c;
}

std::string shape_text(const Dims& sizes) {
  std::string text = "(";
  for (int d = 0; d < sizes.size(); ++d) text += (d > 0 ? "," : "") + std::to_string(sizes[d]);
  return text + (sizes.size() == 1 ? ",)" : ")");
}

std::string requested_text(const Dims& sizes) {
  int first = 0;
  while (first < sizes.size() && sizes[first] < 0) ++first;
  if (first == sizes.size()) return "()";
  std::string text = "(" + std::to_string(sizes[first]);
  for (int d = first + 1; d < sizes.size(); ++d)
    text += "," + (sizes[d] < 0 ? std::string("newaxis") : std::to_string(sizes[d]));
  return text + (sizes.size() == 1 ? ",)" : ")");
}

/// Of an axis that no int of C holds: the error depends on which of NumPy's readers gets to see it.
static int refuse_wide_axis(Call& call, int64_t axis, int rank) {
  constexpr std::string_view converted =  // by PyArray_AxisConverter and its like
      " sum prod max min amax amin any all cumsum cumprod cumulative_sum cumulative_prod argmax argmin argsort "
      "argpartition concatenate concat append take repeat squeeze compress nanmax nanmin nansum nanprod nanargmax "
      "nanargmin nancumsum nancumprod ptp count_nonzero packbits unpackbits reduce accumulate norm vector_norm vecdot ";
  const std::string word(call.name().substr(call.name().rfind('.') + 1));
  const auto* axes = word.ends_with("norm") ? std::get_if<Sequence>(&call.value("axis").held) : nullptr;
  const bool several = axes && axes->items->size() > 1;
  if (converted.find(" " + word + " ") != converted.npos && !several)
    call.fail("ValueError", "integer won't fit into a C int", Msg::np_axis_out_of_range, {axis, rank});
  else if (word == "swapaxes" || word == "diagonal")
    call.fail("OverflowError", {"signed integer is ", axis > 0 ? "greater than maximum" : "less than minimum"},
              Msg::np_axis_out_of_range, {axis, rank});
  else
    call.fail("OverflowError", "Python int too large to convert to C int", Msg::np_axis_out_of_range, {axis, rank});
  return 0;
}

int numpy_axis(Call& call, int64_t axis, int rank, const char* prefix, const char* parameter, int item) {
  if (axis >= -rank && axis < rank) return static_cast<int>(axis < 0 ? axis + rank : axis);
  const bool cut_to_int = call.name().ends_with("transpose");
  if ((axis < INT32_MIN || axis > INT32_MAX) && !cut_to_int)
    return refuse_wide_axis(call.about(parameter, item), axis, rank);
  call.about(parameter, item)
      .fail("AxisError", {prefix, "axis ", axis, " is out of bounds for array of dimension ", rank},
            Msg::np_axis_out_of_range, {axis, rank});
  return 0;
}

bool refuse_array_with_axes(Call& call, const char* parameter) {
  const TensorPtr array = tensor_of(call.value(parameter));
  if (!array || array->layout.rank() == 0) return false;
  call.about(parameter).fail_parser("only integer scalar arrays can be converted to a scalar index",
                                    Msg::np_not_an_integer, {"ndarray"});
  return true;
}

/// Gone through, such an array is an empty list, whatever its dtype.
static bool has_no_rows(const Tensor& array) { return array.layout.rank() > 0 && array.layout.sizes[0] == 0; }

std::optional<std::vector<int64_t>> integer_list(Call& call, const Value& value) {
  std::vector<int64_t> result;
  const auto wrong = [&](const Value& item) {
    const std::string type = type_name(item);
    call.about(item).fail_parser({"'", type, "' object cannot be interpreted as an integer"}, Msg::np_not_an_integer,
                                 {type});
    return std::nullopt;
  };
  // A truth value of NumPy's is no integer, but to C code and as a count that an array is made of; an array with axes
  // is none beside others.
  constexpr std::string_view takers[] = {"repeat", "tile", "rot90", "split", "sliding_window_view"};
  const bool takes_truth = std::any_of(std::begin(takers), std::end(takers),
                                       [&](std::string_view taker) { return call.name().ends_with(taker); });
  const auto* sequence = std::get_if<Sequence>(&value.held);
  if (!sequence) {
    const TensorPtr array = tensor_of(value);
    if (array && has_no_rows(*array)) return result;
    if (array && array->layout.rank() == 1 && (is_integer(array->dtype) || array->dtype == DType::boolean) &&
        count_of(*array) <= small_cells) {
      for (int64_t i = 0; i < count_of(*array); ++i) result.push_back(element(elements_of(*array), i).integer);
      return result;
    }
    const auto* scalar = std::get_if<NumpyScalar>(&value.held);
    const auto number = scalar && scalar->dtype() == DType::boolean && !takes_truth ? std::nullopt : as_integer(value);
    if (!number) return wrong(value);
    return std::vector<int64_t>{*number};
  }
  for (const Value& item : *sequence->items) {
    const auto* scalar = std::get_if<NumpyScalar>(&item.held);
    const TensorPtr array = tensor_of(item);
    const bool none = (scalar && scalar->dtype() == DType::boolean && !takes_truth) ||
                      (array && array->library == Library::numpy && array->layout.rank() > 0 &&
                       !call.name().ends_with("rot90") && sequence->items->size() > 1);
    const auto number = none ? std::nullopt : as_integer(item);
    if (!number) return wrong(item);
    result.push_back(*number);
  }
  return result;
}

Value too_many_axes(Call& call, int64_t count) {
  return call.fail("ValueError", {"maximum supported dimension for an ndarray is currently 64, found ", count},
                   Msg::np_too_many_axes, {max_rank});
}

Dims numpy_shape(Call& call, const Value& value) {
  const auto* items = std::get_if<Sequence>(&value.held);
  const auto truth = [](const Value& one) { return std::holds_alternative<bool>(one.held); };
  if (truth(value) || (items && std::any_of(items->items->begin(), items->items->end(), truth)))
    return call.about(value).fail_parser("an integer is required", Msg::np_not_an_integer, {"bool"}), Dims{};
  const bool taken_apart = call.name() == "numpy.broadcast_to" || call.name() == "numpy.indices";  // by tuple(shape)
  if (items && is_iterator(items->kind) && !taken_apart)
    return call.about(value).fail_parser({"expected a sequence of integers or a single integer, got '",
                                          python_repr(value).value_or(type_name(value)), "'"},
                                         Msg::np_not_an_integer, {type_name(value)}),
           Dims{};
  if (const TensorPtr array = tensor_of(value)) {
    if (has_no_rows(*array)) return {};
    if (array->library == Library::numpy && array->layout.rank() > 1)
      return call.about(value).fail_parser("only integer scalar arrays can be converted to a scalar index",
                                           Msg::np_not_an_integer, {type_name(value)}),
             Dims{};
    if (array->library == Library::torch && !as_integer(value))
      return call.about(value).fail_parser({"expected a sequence of integers or a single integer, got '",
                                            python_repr(value).value_or("tensor(...)"), "'"},
                                           Msg::np_not_an_integer, {type_name(value)}),
             Dims{};
    // Booleans are no sizes.
    if (array->dtype == DType::boolean)
      return call.about(value).fail_parser("an integer is required", Msg::np_not_an_integer, {"bool"}), Dims{};
  }
  const auto list = integer_list(call, value);
  if (!list) return {};
  if (list->size() > static_cast<size_t>(max_rank)) {
    too_many_axes(call.about(value), static_cast<int64_t>(list->size()));
    return {};
  }
  return Dims(*list);
}

Dims numpy_axes(Call& call, const Value& axes, int rank, std::string_view repeated) {
  const auto list = integer_list(call, axes);
  Dims result;
  if (!list) return result;
  // squeeze looks at one after the other, all else first whether there are such axes.
  for (size_t k = 0; k < list->size() && !call.name().ends_with("squeeze"); ++k)
    numpy_axis(call, (*list)[k], rank, "", "axis", static_cast<int>(k));
  for (size_t k = 0; k < list->size(); ++k) {
    const int d = numpy_axis(call, (*list)[k], rank, "", "axis", static_cast<int>(k));
    if (call.failed()) return {};
    if (std::find(result.begin(), result.end(), d) != result.end()) {
      call.about("axis", static_cast<int>(k)).fail("ValueError", repeated, Msg::np_axis_repeated, {d});
      return {};
    }
    result.push_back(d);
  }
  return result;
}

Dims normalized_axes(Call& call, const char* parameter, int rank, const char* prefix, const char* repeated) {
  const Value& given = call.value(parameter);
  std::vector<Value> items;
  const auto* sequence = std::get_if<Sequence>(&given.held);
  const TensorPtr array = tensor_of(given);
  if (sequence)
    items = *sequence->items;
  else if (array && has_no_rows(*array))
    ;
  else if (array && array->layout.rank() == 1 && count_of(*array) <= small_cells)
    for (int64_t i = 0; i < count_of(*array); ++i) items.push_back({scalar_at(elements_of(*array), i)});
  else
    items = {given};
  Dims axes;
  for (size_t k = 0; k < items.size() && !call.failed(); ++k) {
    const auto axis = as_integer(items[k]);
    if (!axis) {
      const std::string type = type_name(items[k]);
      call.about(parameter, static_cast<int>(k))
          .fail_parser({"'", type, "' object cannot be interpreted as an integer"}, Msg::np_not_an_integer, {type});
    } else if (axes.full()) {
      call.about(parameter).refuse(Msg::np_too_many_axes, {max_rank});
    } else {
      axes.push_back(numpy_axis(call, *axis, rank, prefix, parameter, sequence ? static_cast<int>(k) : -1));
    }
  }
  for (int k = 0; k < axes.size() && *repeated && !call.failed(); ++k)
    if (std::find(axes.begin(), axes.begin() + k, axes[k]) != axes.begin() + k)
      call.about(parameter, k).fail("ValueError", repeated, Msg::np_axis_repeated, {axes[k]});
  return call.failed() ? Dims{} : axes;
}

char clip_mode(Call& call, const Value& mode) {
  if (std::holds_alternative<None>(mode.held)) return 'r';
  const auto* word = std::get_if<std::string>(&mode.held);
  const TensorPtr array = tensor_of(mode);
  const bool number = !std::holds_alternative<bool>(mode.held) && !(array && array->layout.rank() > 0);
  const auto code = number ? as_integer(mode) : std::nullopt;
  const char letter = word && !word->empty() ? static_cast<char>((*word)[0] | 0x20) : ' ';
  if (letter == 'r' || letter == 'w' || letter == 'c') return letter;
  if (code && *code >= 0 && *code <= 2) return "cwr"[*code];
  if (word)
    call.about("mode").fail("ValueError", {"clipmode must be one of 'clip', 'raise', or 'wrap' (got '", *word, "')"},
                            Msg::np_take_mode, {*word});
  else if (code)
    call.about("mode").fail("ValueError", "integer clipmode must be RAISE, WRAP, or CLIP from 'numpy._core.multiarray'",
                            Msg::np_take_mode, {*code});
  else
    call.about("mode").fail_parser("clipmode not understood", Msg::argument_has_type, {"mode", "str", type_name(mode)});
  return 'r';
}

int64_t axis_argument(Call& call, const char* parameter) {
  if (!std::holds_alternative<bool>(call.value(parameter).held)) return call.integer(parameter);
  call.about(parameter).fail_parser("an integer is required for the axis", Msg::np_not_an_integer, {"bool"});
  return 0;
}

namespace {

/// Whether out= is something that results can be written to, or the function asks that only when all else is done.
/// C code asks it before it looks at any other argument.
bool is_out(Call& call) {
  static constexpr std::string_view late[] = {"mean",       "std",      "var",    "median",
                                              "percentile", "quantile", "choose", ".stack"};
  // All others fold with a ufunc or are one, which takes a tuple of arrays too.
  static constexpr std::string_view one_array[] = {"take",    "compress", "argmax", "argmin", "cumsum",
                                                   "cumprod", "trace",    "round",  "around"};
  const Value& out = call.value("out");
  const auto* several = std::get_if<Sequence>(&out.held);
  const auto among = [&](const auto& names) {
    return std::any_of(std::begin(names), std::end(names),
                       [&](std::string_view word) { return call.name().ends_with(word); });
  };
  const bool late_too = call.name().starts_with("numpy.fft.");
  if (!call.given("out") || tensor_of(out) || late_too || (several && is_tuple(several->kind) && !among(one_array)) ||
      among(late))
    return true;
  call.about("out").fail_parser("output must be an array", Msg::np_array_needed, {type_name(out)});
  return false;
}

}  // namespace

bool numpy_allows(Call& call) {
  if (!is_out(call)) return false;
  if (!call.given("device")) return true;
  const auto* device = std::get_if<std::string>(&call.value("device").held);
  if (device && *device == "cpu") return true;
  const std::string asked = python_str(call.value("device")).value_or(to_string(call.value("device")));
  call.about("device").fail("ValueError", {"Device not understood. Only \"cpu\" is allowed, but received: ", asked},
                            Msg::no_such_device, {asked});
  call.hint(Msg::hint_cpu);
  return false;
}

}  // namespace stridescope
