// Products of vectors: vdot, vecdot, matvec, cross; and the forms of np.linalg that differ from those of np.
#include <algorithm>
#include <array>

#include "ops/fold.h"
#include "ops/numpy/product.h"
#include "ops/numpy/ufunc.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// A copy of the array whose axis `axis` comes last.
Tensor with_axis_last(const Tensor& array, int axis) {
  Tensor moved = array;
  moved.layout = permute(array.layout, moved_dims(array.layout.rank(), {axis}, {array.layout.rank() - 1}));
  return moved;
}

/// vecdot, matvec and vecmat: which of the operands are vectors.
Value vector_product(Call& call, std::string_view own, std::string_view signature, bool left_vector,
                     bool right_vector) {
  const CoreProduct what{own, signature, left_vector, right_vector};
  const TensorRef out = call.given("out") ? ufunc_out(call) : nullptr;
  const auto operands = call.failed() ? std::nullopt : core_operands(call, what);
  if (!operands) return {};
  Tensor a = *operands->first->tensor, b = *operands->second->tensor;
  const std::vector<Dims> sizes{a.layout.sizes, b.layout.sizes};
  if (!has_core(call, what, a, b) || !takes_products(call, what, a, b, out)) return {};
  if (!(call.argument("axis") == Span{})) {
    if (!call.given("axis"))
      return call.about("axis").fail_parser("'NoneType' object cannot be interpreted as an integer",
                                            Msg::np_not_an_integer, {"NoneType"});
    const int64_t axis = axis_argument(call);
    if (call.failed()) return {};
    const int of_a = numpy_axis(call, axis, a.layout.rank()), of_b = numpy_axis(call, axis, b.layout.rank());
    if (call.failed()) return {};
    a = with_axis_last(a, of_a), b = with_axis_last(b, of_b);
  }
  return core_product(call, what, a, b, sizes, out);
}

Value vecdot(Call& call) { return vector_product(call, "vecdot", "(n),(n)->()", true, true); }

/// Of both raveled, the first one conjugated.
Value vdot(Call& call) {
  const TensorRef first = as_array(call, call.value("a")), second = as_array(call, call.value("b"));
  if (call.failed()) return {};
  const std::vector<Tensor> flat = raveled(call, {*first->tensor, *second->tensor});
  if (call.failed()) return {};
  const Tensor &a = flat[0], &b = flat[1];
  if (count_of(a) != count_of(b))
    return call.fail("ValueError", {"cannot reshape array of size ", count_of(b), " into shape (", count_of(a), ",)"},
                     Msg::last_sizes_differ, {to_string(a.layout.sizes), to_string(b.layout.sizes)});
  return core_product(call, {"vecdot", "(n),(n)->()", true, true}, a, b);
}

// The cross product.

/// An element less another, as products of two each: a[i] * b[j] - a[j] * b[i], where an element that a vector has not
/// is 0.
Scalar minor_of(const std::vector<Scalar>& a, const std::vector<Scalar>& b, size_t i, size_t j) {
  const auto product = [&](size_t m, size_t n) -> std::optional<Scalar> {
    if (m >= a.size() || n >= b.size()) return std::nullopt;
    return reckon(Arithmetic::multiply, std::array{a[m], b[n]});
  };
  const auto more = product(i, j), less = product(j, i);
  if (!more) return reckon(Arithmetic::negate, std::array{*less});
  return less ? reckon(Arithmetic::subtract, std::array{*more, *less}) : *more;
}

/// @param of_a,of_b,of_c the parameters that name the axes, each of them read where it is needed
Value cross_of(Call& call, const Tensor& first, const Tensor& second, const char* of_a, const char* of_b,
               const char* of_c) {
  if (first.layout.rank() < 1 || second.layout.rank() < 1)
    return call.fail("ValueError", "At least one array has zero dimension", Msg::np_too_few_axes, {0, 1});
  const auto axis = [&](const char* parameter, int rank, const char* prefix) {
    const int64_t asked = call.failed() ? 0 : call.integer(parameter);
    return call.failed() ? 0 : numpy_axis(call, asked, rank, prefix, parameter);
  };
  const int a_axis = axis(of_a, first.layout.rank(), "axisa: "), b_axis = axis(of_b, second.layout.rank(), "axisb: ");
  if (call.failed()) return {};
  const Tensor a = with_axis_last(first, a_axis), b = with_axis_last(second, b_axis);
  const int64_t in_a = a.layout.sizes.back(), in_b = b.layout.sizes.back();
  if (std::min(in_a, in_b) < 2 || std::max(in_a, in_b) > 3)
    return call.fail("ValueError", "incompatible dimensions for cross product\n(dimension must be 2 or 3)",
                     Msg::np_cross_sizes, {in_a, in_b});
  const auto outer = [](const Tensor& array) {
    Dims sizes = array.layout.sizes;
    sizes.pop_back();
    return sizes;
  };
  const auto common = common_sizes(call, {outer(a), outer(b)});
  if (!common) return {};
  const bool flat = in_a == 2 && in_b == 2;
  Dims sizes = *common;
  if (!flat) sizes.push_back(3);
  const int c_axis = flat ? 0 : axis(of_c, sizes.size(), "axisc: ");
  const DType dtype = numpy_promoted(a.dtype, b.dtype);
  owned_layout(call, sizes, dtype);
  if (call.failed()) return {};
  if (dtype == DType::boolean) {
    const Operand truth{nameless(first), false, {}};
    return flat || in_a == in_b ? apply_binary(call, binary_ufunc("-"), truth, truth)
                                : apply_unary(call, unary_ufunc("-"), truth);
  }
  const int64_t count = *numel(*common);
  if (count > most_folded) return call.refuse(Msg::np_too_costly);
  const auto spread = [&](const Tensor& array, int64_t each) {
    Dims all = *common;
    all.push_back(each);
    return broadcast_elements(array, all);
  };
  const Elements left = spread(a, in_a), right = spread(b, in_b);
  if (!call.quick(left, count * in_a) || !call.quick(right, count * in_b)) return {};
  std::vector<Scalar> values;
  for (int64_t i = 0; i < count; ++i) {
    std::vector<Scalar> u, v;
    for (int64_t k = 0; k < in_a; ++k) u.push_back(converted(element(left, i * in_a + k), dtype));
    for (int64_t k = 0; k < in_b; ++k) v.push_back(converted(element(right, i * in_b + k), dtype));
    if (!flat) values.push_back(minor_of(u, v, 1, 2)), values.push_back(minor_of(u, v, 2, 0));
    values.push_back(minor_of(u, v, 0, 1));
  }
  call.why(Msg::np_cross_headline, {count, std::max(in_a, in_b), to_string(sizes)});
  const Value made = numpy_fresh(call, sizes, dtype, literal_contents(values, dtype));
  if (call.failed() || flat) return made;
  // Its last axis is moved to where it is wanted, so what is given is a view.
  const Tensor& array = *tensor_of(made);
  const int last = sizes.size() - 1;
  const Value shown = call.view(array, permute(array.layout, moved_dims(last + 1, {last}, {c_axis})));
  call.relation(Relation::fresh);
  call.why(Msg::np_hidden_owner);
  return shown;
}

Value cross(Call& call) {
  const bool one = call.given("axis");
  const TensorRef a = as_array(call, call.value("a")), b = as_array(call, call.value("b"));
  if (call.failed()) return {};
  return cross_of(call, *a->tensor, *b->tensor, one ? "axis" : "axisa", one ? "axis" : "axisb", one ? "axis" : "axisc");
}

/// Of three elements only.
Value linalg_cross(Call& call) {
  const TensorRef first = as_array(call, call.value("x1")), second = as_array(call, call.value("x2"));
  if (call.failed()) return {};
  const auto number = as_index(call.value("axis"));
  if (!number)
    return call.about("axis").fail_parser(
        {"tuple indices must be integers or slices, not ", type_name(call.value("axis"))}, Msg::np_not_an_integer,
        {type_name(call.value("axis"))});
  int64_t sizes[2] = {};
  for (int side = 0; side < 2; ++side) {
    const Layout& layout = (side == 0 ? first : second)->tensor->layout;
    const int rank = layout.rank();
    if (*number < -rank || *number >= rank)
      return call.about("axis").fail("IndexError", "tuple index out of range", Msg::np_axis_out_of_range,
                                     {*number, rank});
    sizes[side] = layout.sizes[static_cast<int>(*number < 0 ? *number + rank : *number)];
  }
  if (sizes[0] != 3 || sizes[1] != 3)
    return call.fail("ValueError",
                     {"Both input arrays must be (arrays of) 3-dimensional vectors, but they are ", sizes[0], " and ",
                      sizes[1], " dimensional instead."},
                     Msg::np_cross_sizes, {sizes[0], sizes[1]});
  return cross_of(call, *first->tensor, *second->tensor, "axis", "axis", "axis");
}

}  // namespace

std::span<const Op> numpy_vector_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.vdot(a, b, /)", Msg::op_np_product, "the sum of conj(a[i]) * b[i], both raveled",
       "x = np.arange(4).reshape(2, 2)\ny = np.vdot(x, x.T)", vdot},
      {Library::numpy, "np.vecdot(x1, x2, /, out=None, *, axis=None)", Msg::op_np_product,
       "y[..] = sum of conj(x1[.., k]) * x2[.., k]; leading axes broadcast",
       "x = np.arange(6).reshape(2, 3)\ny = np.vecdot(x, x)", vecdot},
      {Library::numpy, "np.linalg.vecdot(x1, x2, /, *, axis=-1)", Msg::op_np_product,
       "y[..] = sum of conj(x1[.., k]) * x2[.., k]; leading axes broadcast",
       "x = np.arange(6).reshape(2, 3)\ny = np.linalg.vecdot(x, x)", vecdot},
      {Library::numpy, "np.matvec(x1, x2, /, out=None)", Msg::op_np_product,
       "y[.., i] = sum of x1[.., i, k] * x2[.., k]; leading axes broadcast",
       "x = np.arange(6).reshape(2, 3)\ny = np.matvec(x, np.arange(3))",
       [](Call& call) { return vector_product(call, "matvec", "(m,n),(n)->(m)", false, true); }},
      {Library::numpy, "np.vecmat(x1, x2, /, out=None)", Msg::op_np_product,
       "y[.., j] = sum of conj(x1[.., k]) * x2[.., k, j]; leading axes broadcast",
       "x = np.arange(6).reshape(2, 3)\ny = np.vecmat(np.arange(2), x)",
       [](Call& call) { return vector_product(call, "vecmat", "(n),(n,m)->(m)", true, false); }},
      {Library::numpy, "np.cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None)", Msg::op_np_cross,
       "y = (a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0); of two elements each the last of these",
       "y = np.cross([1, 0, 0], [0, 1, 0])", cross},
      {Library::numpy, "np.linalg.cross(x1, x2, /, *, axis=-1)", Msg::op_np_cross,
       "y = (a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0)", "y = np.linalg.cross([1, 0, 0], [0, 1, 0])",
       linalg_cross},
  };
  return rows;
}

}  // namespace stridescope
