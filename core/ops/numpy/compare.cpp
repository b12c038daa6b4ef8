// Two arrays compared: whether they share memory, whether they are equal.
#include <array>
#include <cmath>

#include "layout/lookup.h"
#include "ops/numpy/numpy.h"
#include "ops/numpy/ufunc.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

Value share(Call& call, bool exact) {
  if (const Value& most = call.value("max_work"); call.given("max_work") && (tensor_of(most) || !as_integer(most))) {
    const std::string type = type_name(most);
    return call.about("max_work").fail("ValueError", "max_work must be an integer", Msg::np_max_work, {type});
  } else if (call.given("max_work") && *as_integer(most) < -2) {
    return call.about("max_work").fail("ValueError", "Invalid value for max_work", Msg::at_least, {"max_work", -2});
  }
  const auto a = asked(call, call.value("a")), b = asked(call, call.value("b"));
  if (!a || !b) return {};
  if (a->storage != b->storage) return call.why(Msg::np_share_other_memory), Value{false};
  const auto first = extent(a->layout), second = extent(b->layout);
  if (!first || !second) return call.why(Msg::np_share_empty), Value{false};
  const bool touch = first->lowest < second->highest + unit_of(*b) && second->lowest < first->highest + unit_of(*a);
  call.why(touch ? Msg::np_share_bounds_cross : Msg::np_share_bounds_apart,
           {first->lowest, first->highest + unit_of(*a) - 1, second->lowest, second->highest + unit_of(*b) - 1});
  if (!exact || !touch) return {touch};
  if (call.given("max_work") && as_integer(call.value("max_work")) == 0)
    return call.about("max_work").fail("TooHardError", "Exceeded max_work", Msg::np_too_hard);
  const bool shared = shares_offset(a->layout, unit_of(*a), b->layout, unit_of(*b)) != Answer::no;
  call.why(shared ? Msg::np_share_yes : Msg::np_share_no);
  return {shared};
}

/// Whether every pair of elements is equal; the call is refused where they are too many.  @pre both have the sizes
Value all_equal(Call& call, const Elements& left, const Elements& right, bool nan_fits) {
  const int64_t count = *numel(left.layout.sizes);
  if (count > 65536) call.refuse(Msg::np_too_costly);
  call.quick(left, count);
  if (!call.quick(right, count)) return {};
  const DType common = numpy_promoted(left.dtype, right.dtype);
  const auto is_nan = [](const Scalar& value) {
    return value.real != value.real || value.imaginary != value.imaginary;
  };
  for (int64_t i = 0; i < count; ++i) {
    const Scalar a = element(left, i), b = element(right, i);
    if (nan_fits && is_nan(a) && is_nan(b)) continue;
    if (!is_true(reckon(Arithmetic::equal, std::array{converted(a, common), converted(b, common)})))
      return call.differ();
  }
  return {true};
}

Value array_equal(Call& call) {
  const auto a = asked(call, call.value("a1")), b = asked(call, call.value("a2"));
  if (!a || !b) return {};
  if (a->layout.sizes != b->layout.sizes) return {false};
  const bool nan_fits = call.truth("equal_nan");
  return call.failed() ? Value{} : all_equal(call, elements_of(*a), elements_of(*b), nan_fits);
}

Value array_equiv(Call& call) {
  const auto a = asked(call, call.value("a1")), b = asked(call, call.value("a2"));
  if (!a || !b) return {};
  const auto sizes = broadcast_sizes({a->layout.sizes, b->layout.sizes});
  if (!sizes) return {false};
  return all_equal(call, broadcast_elements(*a, *sizes), broadcast_elements(*b, *sizes), false);
}

/// Pairs of elements, broadcast, and how far apart they may be.
struct Near {
  TensorRef a, b;
  Elements left, right;
  double share = 0, least = 0;
  bool nan_fits = false;

  /// |a - b| <= atol + rtol * |b|
  bool operator()(int64_t i) const {
    const Scalar x = converted(element(left, i), DType::complex128),
                 y = converted(element(right, i), DType::complex128);
    const double size = std::hypot(y.real, y.imaginary);
    const bool equal = x.real == y.real && x.imaginary == y.imaginary;
    const bool nan = nan_fits && std::isnan(x.real + x.imaginary) && std::isnan(size);
    const bool near =
        std::isfinite(size) && std::hypot(x.real - y.real, x.imaginary - y.imaginary) <= least + share * size;
    return equal || nan || near;
  }
};

/// @pre the tolerances are numbers
std::optional<Near> near_pairs(Call& call) {
  Near near{as_array(call, call.value("a")), as_array(call, call.value("b")), {}, {}};
  near.nan_fits = call.truth("equal_nan");
  if (call.failed()) return std::nullopt;
  const std::vector<Dims> shapes = {near.a->tensor->layout.sizes, near.b->tensor->layout.sizes};
  const auto sizes = broadcast_sizes(shapes);
  if (!sizes) return refuse_shapes(call, shapes), std::nullopt;
  near.share = *as_real(call.value("rtol"));
  near.least = *as_real(call.value("atol"));
  const int64_t count = numel(*sizes).value_or(65537);
  if (count > 65536) return call.refuse(Msg::np_too_costly), std::nullopt;
  near.left = broadcast_elements(*near.a->tensor, *sizes);
  near.right = broadcast_elements(*near.b->tensor, *sizes);
  if (!call.quick(near.left, count) || !call.quick(near.right, count)) return std::nullopt;
  return near;
}

/// The same by NumPy's own steps, where a tolerance is no number: less_equal(abs(x - y), atol + rtol * abs(y)) &
/// isfinite(y) | (x == y).
Value near_by_steps(Call& call) {
  for (const char* parameter : {"rtol", "atol"})
    if (!call.given(parameter))
      return call.about(parameter).fail_parser(
          {"unsupported operand type(s) for ", parameter[0] == 'r' ? "*" : "+", ": 'NoneType' and 'float'"},
          Msg::argument_has_type, {parameter, "float", "NoneType"});
    else if (std::holds_alternative<std::string>(call.value(parameter).held))
      return call.about(parameter).refuse(Msg::not_modelled, {"NumPy", std::string(call.name()) + "(rtol=..)"});
  const size_t said = call.said();
  const auto step = [&](const char* ufunc, const Operand& a, const Operand& b) {
    return call.failed() ? a : operand(call, apply_binary(call, binary_ufunc(ufunc), a, b));
  };
  const auto of_one = [&](const char* ufunc, const Operand& a) {
    return call.failed() ? a : operand(call, apply_unary(call, unary_ufunc(ufunc), a));
  };
  const Operand x = operand(call, call.value("a"));
  Operand y = operand(call, call.value("b"));
  if (call.failed()) return {};
  if (is_whole_number(y.array->tensor->dtype))
    y = y.weak ? operand(call, Value{as_real(y.number).value_or(0)})
               : operand(call, numpy_copy(call, *y.array->tensor, NumpyOrder::keep, DType::float64));
  const Operand atol = operand(call, call.value("atol")), rtol = operand(call, call.value("rtol"));
  const Operand apart = of_one("absolute", step("-", x, y));
  const Operand allowed = step("+", atol, step("*", rtol, of_one("absolute", y)));
  Operand near = step("|", step("&", step("<=", apart, allowed), of_one("isfinite", y)), step("==", x, y));
  if (call.truth("equal_nan")) near = step("|", near, step("&", of_one("isnan", x), of_one("isnan", y)));
  if (call.failed()) return {};
  call.unsay(said);
  const Tensor& made = *near.array->tensor;
  call.why(Msg::np_elementwise_headline, {count_of(made), to_string(made.layout.sizes), name(DType::boolean)});
  const Value seen = made.layout.rank() == 0 ? scalar_if_0d(call, Value{near.array}) : call.view(made, made.layout);
  call.relation(Relation::fresh);
  return seen;
}

/// Whether both tolerances are numbers.
bool are_numbers(Call& call) { return as_real(call.value("rtol")) && as_real(call.value("atol")); }

Value allclose(Call& call) {
  if (!are_numbers(call)) {
    const Value near = near_by_steps(call);
    if (call.failed()) return {};
    const TensorRef array = as_array(call, near);
    const int64_t count = count_of(*array->tensor);
    if (!call.quick(elements_of(*array->tensor), count)) return {};
    for (int64_t i = 0; i < count; ++i)
      if (!is_true(element(elements_of(*array->tensor), i))) return call.differ();
    return {true};
  }
  const auto near = near_pairs(call);
  if (!near) return {};
  for (int64_t i = 0; i < *numel(near->left.layout.sizes); ++i)
    if (!(*near)(i)) return call.differ();
  return {true};
}

/// A view of an array of truth, laid out as the steps that NumPy takes lay theirs out.
Value isclose(Call& call) {
  if (!are_numbers(call)) return near_by_steps(call);
  const auto near = near_pairs(call);
  if (!near) return {};
  const Dims& sizes = near->left.layout.sizes;
  std::vector<Scalar> truths;
  for (int64_t i = 0; i < *numel(sizes); ++i) truths.push_back({DType::boolean, (*near)(i) ? 1 : 0});
  const auto result_of = [&](const std::vector<Layout>& operands) {
    return Layout{sizes, packed_slowest_first(sizes, iteration_order(operands), 1), 0};
  };
  const Layout own{near->b->tensor->layout.sizes, strides_like(*near->b->tensor, NumpyOrder::keep, 1), 0};
  const Layout of_right = broadcast_to(own, sizes);
  // Whole numbers are copied as float64 first.
  const bool copied = !is_floating(near->b->tensor->dtype) && !is_complex(near->b->tensor->dtype);
  const Layout apart = result_of({near->left.layout, copied ? of_right : near->right.layout});
  const Layout near_truths = result_of({result_of({apart, of_right}), of_right});
  // Where both are packed alike, so is what the last step makes of them, axes of one element included.
  const int rank = sizes.size();
  const bool c = is_contiguous(apart, 1) && is_contiguous(near_truths, 1),
             fortran = is_f_contiguous(apart, 1) && is_f_contiguous(near_truths, 1);
  const ContentsPtr told =
      call.made_up() ? unknown_contents(DType::boolean, *numel(sizes)) : literal_contents(truths, DType::boolean);
  auto [layout, contents] = laid_out(told, sizes,
                                     c         ? fortran_order(rank)
                                     : fortran ? c_order(rank)
                                               : iteration_order({near_truths, apart}),
                                     DType::boolean);
  call.why(Msg::np_elementwise_headline, {*numel(sizes), to_string(sizes), name(DType::boolean)});
  const Value made = scalar_if_0d(call, call.fresh(DType::boolean, layout, std::move(contents)));
  if (!tensor_of(made) || call.failed()) return made;
  const Value seen = call.view(*tensor_of(made), layout);
  call.relation(Relation::fresh);
  return seen;
}

}  // namespace

std::span<const Op> numpy_compare_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.shares_memory(a, b, max_work=None)", Msg::op_np_shares_memory,
       "some byte belongs to an element of both", "x = np.arange(12)\nnp.shares_memory(x[::2], x[1::2])",
       [](Call& call) { return share(call, true); }, Op::Structured::arrays},
      {Library::numpy, "np.may_share_memory(a, b, max_work=None)", Msg::op_np_may_share_memory,
       "the stretches from lowest to highest byte cross", "x = np.arange(12)\nnp.may_share_memory(x[::2], x[1::2])",
       [](Call& call) { return share(call, false); }, Op::Structured::arrays},
      {Library::numpy, "np.array_equal(a1, a2, equal_nan=False)", Msg::op_np_array_equal, "",
       "np.array_equal(np.arange(3), [0, 1, 2])", array_equal, Op::Structured::ordered},
      {Library::numpy, "np.allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)", Msg::op_np_allclose,
       "every |a - b| <= atol + rtol * |b|, broadcast", "np.allclose(np.ones(3), 1)", allclose},
      {Library::numpy, "np.isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)", Msg::op_np_isclose,
       "|a - b| <= atol + rtol * |b|, broadcast", "y = np.isclose(np.arange(3), 1)", isclose},
      {Library::numpy, "np.array_equiv(a1, a2)", Msg::op_np_array_equiv, "", "np.array_equiv([0, 1], [[0, 1], [0, 1]])",
       array_equiv},
  };
  return rows;
}

}  // namespace stridescope
