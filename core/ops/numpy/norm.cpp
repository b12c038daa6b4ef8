// The length of vectors and matrices: np.linalg.norm and its two halves.
#include <algorithm>
#include <cmath>

#include "ops/layout_words.h"
#include "ops/numpy/lapack.h"
#include "ops/numpy/reduction.h"
#include "ops/numpy/ufunc.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// How many axes axis= names, before it is known which; nothing where it names none.
std::optional<int64_t> axes_named(const Call& call) {
  const Value& axis = call.value("axis");
  if (const auto* list = std::get_if<Sequence>(&axis.held); list && is_tuple(list->kind))
    return static_cast<int64_t>(list->items->size());
  return as_real(axis) ? std::optional<int64_t>(1) : std::nullopt;
}

/// Whether there is a norm of so many axes, by the order that is asked for. False: the call failed.
bool check_norm_axes(Call& call, int64_t axes) {
  const auto* word = std::get_if<std::string>(&call.value("ord").held);
  if (axes != 1 && axes != 2)
    call.about(call.given("axis") ? "axis" : "ord")
        .fail("ValueError", "Improper number of dimensions to norm.", Msg::np_norm_axes, {axes});
  else if (axes == 1 && word)
    call.about("ord").fail("ValueError", {"Invalid norm order '", *word, "' for vectors"}, Msg::np_norm_word, {*word});
  return !call.failed();
}

/// One number a matrix, the axes of which are kept, as many as are named, where that is asked for.
Value with_axes_kept(Call& call, const AskedReduction& what, const Value& numbers) {
  if (call.failed() || !what.keep) return numbers;
  Dims left = what.array->tensor->layout.sizes;
  for (const int64_t axis : what.along) left[static_cast<int>(axis)] = 1;
  return numpy_reshape(call, *as_array(call, numbers)->tensor, left, NumpyOrder::c);
}

/// The norm of matrices by their singular values: the largest, the smallest (an order below 0), or all added up.
Value singular_norm(Call& call, const AskedReduction& what, std::optional<double> order) {
  const Tensor& given = *what.array->tensor;
  const auto dtype = lapack_dtype(call, {&given});
  if (!dtype) return {};
  const auto rows = static_cast<int>(what.along[0]), columns = static_cast<int>(what.along[1]);
  const bool none = given.layout.sizes[rows] == 0 || given.layout.sizes[columns] == 0;
  Dims each = given.layout.sizes;
  each.erase(std::max(rows, columns));
  each.erase(std::min(rows, columns));
  if (none && order)
    return call.fail(
        "ValueError",
        {"zero-size array to reduction operation ", *order > 0 ? "maximum" : "minimum", " which has no identity"},
        Msg::nothing_to_choose);
  const int rank = given.layout.rank();
  Tensor matrices = given;
  matrices.layout = permute(given.layout, moved_dims(rank, {rows, columns}, {rank - 2, rank - 1}));
  if (!none && !check_not_nan(call, matrices)) return {};
  if (!none) return with_axes_kept(call, what, one_array(call, each, real_of(*dtype), stack_order({matrices})));
  const Value zeros =
      numpy_fresh(call, each, real_of(*dtype), constant_contents({real_of(*dtype)}, numel(each).value_or(0)));
  return with_axes_kept(call, what, scalar_if_0d(call, zeros));
}

/// The norm of matrices by their axes as they are named: the largest or smallest of the sums of sizes along one of
/// them.
Value matrix_norm(Call& call, const AskedReduction& what, double order) {
  const Tensor& given = *what.array->tensor;
  const int64_t summed = what.along[std::isinf(order) ? 1 : 0], chosen = what.along[std::isinf(order) ? 0 : 1];
  const size_t said = call.said();
  const DType own = given.dtype;
  const Value real = is_whole(own) ? numpy_copy(call, given, NumpyOrder::keep, DType::float64) : Value{what.array};
  const Operand read = operand(call, real);
  const Operand sizes = operand(call, apply_unary(call, unary_ufunc("absolute"), read));
  const auto reduced = [&](const TensorRef& array, int64_t axis, bool sums) -> Value {
    if (call.failed()) return {};
    const AskedReduction asked{array, {axis}, false};
    const auto rows = rows_of(call, asked);
    if (!rows) return {};
    const DType dtype = array->tensor->dtype;
    if (!sums && rows->each == 0)
      return call.fail(
          "ValueError",
          {"zero-size array to reduction operation ", order > 0 ? "maximum" : "minimum", " which has no identity"},
          Msg::nothing_to_choose);
    return folded(call, *rows, asked, dtype, [&](int64_t row) {
      return sums ? converted(total(*rows, row, dtype, false), dtype) : rows->at(row, best_of(*rows, row, order > 0));
    });
  };
  const Value sums = reduced(sizes.array, summed, true);
  const Value best = reduced(as_array(call, sums), chosen - (chosen > summed ? 1 : 0), false);
  if (call.failed()) return {};
  const Value shown = with_axes_kept(call, what, best);
  if (call.failed()) return {};
  call.unsay(said);
  call.why(Msg::np_matrix_norm, {to_string(Dims{given.layout.sizes[static_cast<int>(what.along[0])],
                                                given.layout.sizes[static_cast<int>(what.along[1])]}),
                                 summed, chosen});
  call.relation(Relation::fresh);
  return shown;
}

/// Whether there is such an order of so many axes. False: the call failed.
bool check_norm_order(Call& call, int axes) {
  const Value& order = call.value("ord");
  const auto* word = std::get_if<std::string>(&order.held);
  if (!call.given("ord")) return true;
  if (!check_norm_axes(call, axes)) return false;
  const double number = as_real(order).value_or(0);
  if (axes == 2 && (word ? *word != "fro" && *word != "f" && *word != "nuc"
                         : std::abs(number) != 1 && std::abs(number) != 2 && !std::isinf(number)))
    call.about("ord").fail("ValueError", "Invalid norm order for matrices.", Msg::norm_order, {to_string(order)});
  return !call.failed();
}

/// An order that is an array of several is asked whether it is one of those that there are. False: the call failed.
bool check_one_order(Call& call) {
  const TensorPtr many = tensor_of(call.value("ord"));
  if (many && many->layout.rank() > 0 && count_of(*many) != 1) call.truth("ord");
  return !call.failed();
}

/// Where the order is a list: each size to the power of the order that it meets, added up, to the power of its inverse.
Value norm_by_orders(Call& call, const AskedReduction& what) {
  const Tensor& given = *what.array->tensor;
  const size_t said = call.said();
  const Value real =
      is_whole(given.dtype) ? numpy_copy(call, given, NumpyOrder::keep, DType::float64) : Value{what.array};
  const TensorRef sizes = as_array(call, apply_unary(call, unary_ufunc("absolute"), operand(call, real)));
  const Operand orders = operand(call, call.value("ord"));
  if (call.failed()) return {};
  const auto in_place = [](const TensorRef& array) {
    return UfuncTarget{.out = array->tensor->layout.rank() > 0 ? array : nullptr};
  };
  const TensorRef powers =
      as_array(call, apply_binary(call, binary_ufunc("**"), {sizes, false, {}}, orders, in_place(sizes)));
  if (call.failed()) return {};
  const bool named = call.given("axis") && !call.name().ends_with("vector_norm");
  const AskedReduction asked{powers, named ? reduced_axes(call, *powers->tensor) : what.along, what.keep};
  const auto rows = rows_of(call, asked);
  if (!rows) return {};
  const DType dtype = powers->tensor->dtype;
  const TensorRef sums = as_array(call, folded(call, *rows, asked, dtype, [&](int64_t row) {
                                    return converted(total(*rows, row, dtype, false), dtype);
                                  }));
  if (call.failed()) return {};
  const Operand inverse =
      operand(call, apply_unary(call, unary_ufunc("reciprocal"), orders, {nullptr, nullptr, dtype}));
  if (call.failed()) return {};
  const Value norms = apply_binary(call, binary_ufunc("**"), {sums, false, {}}, inverse, in_place(sums));
  if (call.failed()) return {};
  call.unsay(said);
  call.why(Msg::np_reduce_headline,
           {rows->each, to_string(rows->sizes), listed(rows->along), rows->count, rows->along.size()});
  call.relation(Relation::fresh);
  return norms;
}

/// The length of vectors by any order, of a matrix as if it were one; along axes that were named, or of all.
Value norm_of(Call& call, const AskedReduction& what, bool named) {
  const Value& order = call.value("ord");
  const auto* word = std::get_if<std::string>(&order.held);
  const int axes = what.along.size();
  if (!check_norm_order(call, axes)) return {};
  const double number = as_real(order).value_or(0);
  const bool euclidean = word ? word->front() == 'f' : axes == 1 && number == 2;
  const bool other = call.given("ord") && !euclidean;
  // A reduction takes keepdims as a number; elsewhere it is asked for its truth.
  const Value& keep = call.value("keepdims");
  const bool several = std::holds_alternative<Sequence>(order.held);
  if (!check_one_order(call)) return {};
  if (other && axes == 1 && !as_real(order) && !several)
    return call.about("ord").refuse(Msg::not_modelled, {"NumPy", "np.linalg.norm(ord=" + to_string(order) + ")"});
  const bool reduces = axes == 1 && !call.name().ends_with("vector_norm") && (named || other);
  if (reduces && !as_index(keep))
    return call.about("keepdims")
        .fail_parser({"'", attribute_type(keep), "' object cannot be interpreted as an integer"},
                     Msg::np_not_an_integer, {type_name(keep)});
  if (other && several) return norm_by_orders(call, what);
  if (other && axes == 2 && !word && std::abs(number) != 2) return matrix_norm(call, what, number);
  if (other && axes == 2) return singular_norm(call, what, word ? std::nullopt : std::optional(number));
  const bool rounded = what.array->tensor->dtype == DType::float16 && number != 0 && std::abs(number) != 1 &&
                       std::abs(number) != 2 && !std::isinf(number);  // at each step
  if (other && rounded)
    return call.about("ord").refuse(Msg::not_modelled, {"NumPy", "np.linalg.norm(ord=" + to_string(order) + ")"});
  const auto rows = rows_of(call, what);
  if (!rows) return {};
  const DType own = what.array->tensor->dtype;
  const DType dtype = is_whole(own) || own == DType::complex128 ? DType::float64
                      : own == DType::complex64                 ? DType::float32
                                                                : own;
  if (std::isinf(number) && rows->each == 0)
    return call.fail(
        "ValueError",
        {"zero-size array to reduction operation ", number > 0 ? "maximum" : "minimum", " which has no identity"},
        Msg::nothing_to_choose);
  // Reduced are sizes or squares, an array of their own.
  const Tensor& array = *what.array->tensor;
  Layout sizes{array.layout.sizes, k_order_strides(array.layout, unit_of(array)), 0};
  if (!is_whole(own))
    sizes.strides = packed_slowest_first(sizes.sizes, iteration_order({array.layout}), unit_of(array));
  const Value result = folded(call, *rows, what, dtype, iteration_order({sizes}), [&](int64_t row) {
    return real_scalar(length_of(*rows, row, other ? number : 2, dtype), dtype);
  });
  if (other) return result;
  const TensorPtr kept = tensor_of(result);
  if (!kept || (named && axes == 1 && rows->count == 0)) return result;
  const auto rooted = [&](const Layout& layout) {  // the root of what was added up is an array of its own
    return named ? Layout{layout.sizes, k_order_strides(layout, itemsize(dtype)), 0} : layout;
  };
  if (!what.keep || (named && axes == 1)) {
    const Layout layout = rooted(kept->layout);
    return layout == kept->layout ? result : call.fresh(dtype, layout, kept->storage->contents);
  }
  // A matrix's axes are put back by a reshape, and so are all axes.
  Layout folded_away = kept->layout;
  for (int k = rows->along.size(); k-- > 0;) {
    folded_away.sizes.erase(static_cast<int>(rows->along[k]));
    folded_away.strides.erase(static_cast<int>(rows->along[k]));
  }
  const Viewed put_back =
      reshape_without_copy(rooted(folded_away), kept->layout.sizes, Order::c, itemsize(dtype), false);
  const Value shown = call.view(*kept, *as_layout(put_back));
  call.relation(Relation::fresh);
  return shown;
}

Value norm_row(Call& call) {
  const auto named = axes_named(call);
  if (named && !check_norm_axes(call, *named)) return {};
  AskedReduction what{receiver(call), {}, false};
  if (call.failed()) return {};
  if (named.value_or(1) == 1 && !check_one_order(call)) return {};
  const bool several = std::holds_alternative<Sequence>(call.value("ord").held);
  if (named == 1 && call.given("ord") && !as_real(call.value("ord")) && !several)
    return call.about("ord").refuse(Msg::not_modelled,
                                    {"NumPy", "np.linalg.norm(ord=" + to_string(call.value("ord")) + ")"});
  // Along one axis it is a reduction, which reads keepdims before it looks for the axis; else that is read last.
  const Value& keep = call.value("keepdims");
  if (named == 1 && (several || !as_index(keep)))
    what.along = {0};
  else
    what.along = call.given("axis") ? reduced_axes(call, *what.array->tensor) : all_dims(*what.array->tensor);
  if (call.failed() || !check_one_order(call) || !check_norm_order(call, what.along.size())) return {};
  const auto order = as_real(call.value("ord"));
  const bool line = what.along.size() == 1 && (call.given("axis") || (call.given("ord") && order != 2));
  if (const auto number = as_index(keep))
    what.keep = *number != 0;
  else if (!line)
    what.keep = call.truth("keepdims");
  return call.failed() ? Value{} : norm_of(call, what, call.given("axis"));
}

/// Of matrices, by their last two axes.
Value matrix_norm_row(Call& call) {
  AskedReduction what = reduction_asked(call);
  if (call.failed()) return {};
  const int rank = what.array->tensor->layout.rank();
  what.along = {numpy_axis(call, -2, rank), numpy_axis(call, -1, rank)};
  return call.failed() ? Value{} : norm_of(call, what, true);
}

/// What several axes are to a vector's norm: one axis, the first. The call may fail.
Tensor with_axes_as_one(Call& call, const Tensor& array) {
  const int rank = array.layout.rank();
  const Value& given = call.value("axis");
  const std::vector<Value>& axes = *std::get<Sequence>(given.held).items;
  if (std::any_of(axes.begin(), axes.end(), is_truth))
    return call.about("axis").fail_parser("an integer is required", Msg::np_not_an_integer, {"bool"}), array;
  Dims order = normalized_axes(call, "axis", rank, "", "repeated axis");
  if (call.failed()) return array;
  Dims sizes{1};
  for (const int64_t axis : order) sizes[0] *= array.layout.sizes[static_cast<int>(axis)];
  for (int d = 0; d < rank; ++d) {
    if (std::find(order.begin(), order.end(), d) != order.end()) continue;
    if (sizes.full()) return call.refuse(Msg::np_too_many_axes, {max_rank}), array;
    sizes.push_back(array.layout.sizes[d]);
  }
  for (int d = 0; d < rank; ++d)
    if (std::find(order.begin(), order.end(), d) == order.end()) order.push_back(d);
  Tensor turned = array;
  turned.layout = permute(array.layout, order);
  return made_or(numpy_reshape(call, turned, sizes, NumpyOrder::c), array);
}

/// Of vectors along an axis, of everything, or of several axes as one.
Value vector_norm_row(Call& call) {
  const Value& axis = call.value("axis");
  const auto* list = std::get_if<Sequence>(&axis.held);
  const bool several = list && is_tuple(list->kind), keep = call.truth("keepdims");
  AskedReduction what{as_array(call, call.value("x")), {0}, false};
  if (call.failed()) return {};
  const Tensor& array = *what.array->tensor;
  const Dims own = array.layout.sizes;
  const size_t said = call.said();
  if (!call.given("axis"))
    what.array = nameless(raveled(call, {array}).front());
  else if (several)
    what.array = nameless(with_axes_as_one(call, array));
  else
    what = reduction_asked(call), what.keep = false;
  call.unsay(said);
  const Value norms = call.failed() ? Value{} : norm_of(call, what, true);
  if (call.failed() || !keep) return norms;
  const Dims along =
      call.given("axis") ? normalized_axes(call, "axis", own.size(), "", "repeated axis") : c_order(own.size());
  if (call.failed()) return {};
  Dims sizes = own;
  for (const int64_t d : along) sizes[static_cast<int>(d)] = 1;
  const TensorRef made = as_array(call, norms);
  const size_t told = call.said();
  const Value shown = call.failed() ? Value{} : numpy_reshape(call, *made->tensor, sizes, NumpyOrder::c);
  call.unsay(told);
  call.relation(Relation::fresh);
  return own.empty() ? scalar_if_0d(call, shown) : shown;
}

}  // namespace

std::span<const Op> numpy_norm_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.linalg.norm(x, ord=None, axis=None, keepdims: any = False)", Msg::op_np_norm,
       "the root of the sum of squares", "x = np.arange(6).reshape(2, 3)\ny = np.linalg.norm(x, axis=1)", norm_row},
      {Library::numpy, "np.linalg.vector_norm(x, /, *, axis=None, keepdims: any = False, ord=2)", Msg::op_np_norm,
       "the root of the sum of squares along the axis, or along several as one",
       "x = np.arange(6).reshape(2, 3)\ny = np.linalg.vector_norm(x, axis=1)", vector_norm_row},
      {Library::numpy, "np.linalg.matrix_norm(x, /, *, keepdims: any = False, ord='fro')", Msg::op_np_norm,
       "the root of the sum of squares of the last two axes",
       "x = np.arange(6).reshape(2, 3)\ny = np.linalg.matrix_norm(x)", matrix_norm_row},
  };
  return rows;
}

}  // namespace stridescope
